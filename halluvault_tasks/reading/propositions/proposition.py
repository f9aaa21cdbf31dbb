"""What a question asks and what a clause says, as arguments, predicate words and polarity, so that both compare.

A polar question is its proposition in another order of words; a statement that is to be judged is its own.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.questions import FramedQuestion
from halluvault_tasks.reading.rules import rule

_NUMBERS = dict(zip(["one", "two", "three", "four", "five", "six", "seven", "eight"], "12345678", strict=True))
_TENS = {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70"}
_TENS |= {"eighty": "80", "ninety": "90"}
ONE = frozenset("1")
"""A name in a question alone, and in none of what else divides a number: answers say "by 1 and itself" of that."""

_COMPLEMENTS = frozenset(["attr", "acomp", "oprd", "dobj", "xcomp", "ccomp"])
_QUALIFIES = frozenset(["amod", "compound", "conj", "advmod", "nmod", "appos", "attr", "acomp", "dobj", "acl"])

_OPENING = frozenset("\"‘'")
_CONTENT = ("NOUN", "VERB", "ADJ", "NUM")
_HELPING = ("do", "have", "be")
_EMPTY = english.LIGHT | english.ONLY | english.OTHER | english.RELATION | english.NO | {"1"}

Focus = Literal["", "only", "not only", "other"]


class Proposition(NamedTuple):
    """A proposition.

    Attributes:
        names: names and numbers, each as the set of its words, in order.
        loose: those of them that only qualify a common noun ("US senator").
        words: nouns, verbs, adjectives and adverbs that carry meaning, as dictionary forms.
        nouns: those of them that are predicated of an argument: an *advisor*, a *student*; in a question without one,
            its verb.
        relations: words that change what its arguments have to do with each other.
        related: what stands behind the last of them: not "before his death" where "before turning ninety" is asked.
        first: the words of its first argument, or of a clause's subject.
        cause: common nouns that its verb is said to be of or by: die of *cancer*, developed by *Codemasters*, which a
            parser takes for one.
        core: the words of its predicate, what prepositions add left aside; of a question all behind `first`.
        denied: by an odd number of negations.
        focus: `only` these, `not only` these, or `other` than these.
        exists: it asks or says that there is such a one.
    """

    names: tuple[frozenset[str], ...]
    loose: frozenset[frozenset[str]]
    words: frozenset[str]
    nouns: frozenset[str]
    relations: frozenset[str]
    related: frozenset[str]
    first: frozenset[str]
    cause: frozenset[str]
    core: frozenset[str]
    denied: bool
    focus: Focus
    exists: bool


class Auxiliary(NamedTuple):
    """The verb that a short answer repeats: "was", "did", "has"."""

    lemma: str
    past: bool


class UnderstoodQuestion(NamedTuple):
    """A question, understood.

    Attributes:
        statement: the statement that is to be judged; empty for a polar question.
        proposition: what is asked or stated.
        several: several statements are to be judged together.
        inverted: it asks whether the statement is false.
        auxiliary: what an elliptic answer to it repeats; None where that is not known.
    """

    statement: str
    proposition: Proposition
    several: bool
    inverted: bool
    auxiliary: Auxiliary | None = None


def understood(question: FramedQuestion, parse: Parse) -> UnderstoodQuestion:
    """A question, understood; `parse`: of its text."""
    return UnderstoodQuestion(
        question.statement,
        _asked(parse),
        question.several,
        question.inverted,
        auxiliary(parse, polar=not question.statement),
    )


def auxiliary(parse: Parse, polar: bool) -> Auxiliary | None:
    """The auxiliary of a proposition; of one without it the "did" that stands for its verb.

    Args:
        parse: of the question or statement.
        polar: it is a question, which begins with it.
    """
    if not parse:
        return None
    if polar:
        return Auxiliary(parse[0].lemma, parse[0].tag == "VBD") if parse[0].lemma in _HELPING else None
    root = next(index for index, word in enumerate(parse) if word.head == index)
    verbs = [
        one for index, one in enumerate(parse) if (one.head == root and one.dep in ("aux", "auxpass")) or index == root
    ]
    first = verbs[0]
    own = first.pos == "AUX" and first.lemma in _HELPING
    return Auxiliary(first.lemma if own else "do", first.tag == "VBD") if first.tag.startswith("V") else None


def _asked(parse: Parse) -> Proposition:
    lowered = [word.text.casefold() for word in parse]
    used = range(_frame(parse, lowered), len(parse))
    denied = sum(lowered[place] in english.NO and parse[place].pos != "PROPN" for place in used) % 2 == 1
    open_ = {word for word, after in pairwise([*lowered, ""]) if after != "time"}  # "at any time" asks when
    exists = not english.INDEFINITE.isdisjoint(open_) or lowered[:3] == ["can", "you", "find"]
    first = _first(parse, used)
    core = set(used) - set(first)
    made = _proposition(parse, used, first, core, denied, exists)
    # The parser often takes what a question predicates for an apposition: "Was A a student of B?"
    nouns = {
        key(parse[place]) for place in core if parse[place].pos == "NOUN" and parse[place].dep in ("attr", "appos")
    }
    verbs = {key(parse[place]) for place in core if parse[place].pos == "VERB" and parse[place].dep == "root"}
    said = {lowered[place] for place in used}
    names = (*made.names, ONE) if said >= ONE and not made.focus and "(" not in said else made.names
    words = made.words - {key(parse[place]) for place in used if _classifies(parse, place)}
    return made._replace(words=words, nouns=words & nouns or words & verbs, names=names)


@rule("answers.classified", "", otherwise=False)
def _classifies(parse: Parse, index: int) -> bool:
    """Whether a word only says what kind of thing the quoted name behind it is: the taxon "Panthera"."""
    return parse[index].pos != "VERB" and index + 1 < len(parse) and parse[index + 1].text in _OPENING


def _frame(parse: Parse, lowered: Sequence[str]) -> int:
    """Where a question's proposition begins: behind "Is it true that", "Would you consider", "Do you think that"."""
    if lowered[:2] == ["is", "it"] and "that" in lowered[:5]:
        return lowered.index("that") + 1
    if lowered[1:2] == ["you"] and len(parse) > 2 and parse[2].lemma in english.VIEW:
        return 4 if lowered[3:4] == ["that"] else 3
    return 0


def stated(parse: Parse, clause: Clause) -> Proposition:
    """The proposition of a clause."""
    used = {*clause.words, *clause.subject}
    if parse[clause.predicate].dep == "relcl":  # what "which" stands for
        used.add(parse[clause.predicate].head)
    subject = {parse[one].text.casefold() for one in clause.subject}
    exists = clause.unfound or bool(subject & {"there", "no", "none", "any"})
    return _proposition(parse, sorted(used), clause.subject, _core(parse, clause), clause.denied, exists)


def _proposition(
    parse: Parse, used: Sequence[int], first: Iterable[int], core: Iterable[int], denied: bool, exists: bool
) -> Proposition:
    names = dict(_names(parse, used))
    lowered = [parse[place].text.casefold() for place in used]
    over = _over(parse, used, lowered)
    words = {key(parse[place]) for place in used if parse[place].pos in _CONTENT and not _is_name(parse[place])}
    words = (words - _EMPTY) | over | _ongoing(parse, used)
    nouns = {key(parse[place]) for place in used if parse[place].dep == "attr" and parse[place].pos == "NOUN"}
    return Proposition(
        names=tuple(names),
        loose=frozenset(name for name, loose in names.items() if loose),
        words=frozenset(words),
        nouns=frozenset(words & nouns),
        relations=(frozenset(lowered) & english.RELATION) - over,
        related=_related(parse, used, lowered, over),
        first=frozenset(key(parse[place]) for place in first),
        cause=frozenset(key(parse[place]) for place in used if _is_cause(parse, place)),
        core=frozenset(key(parse[place]) for place in core),
        denied=denied,
        focus=_focus(lowered),
        exists=exists,
    )


def _names(parse: Parse, used: Sequence[int]) -> Iterator[tuple[frozenset[str], bool]]:
    """Names and numbers as the sets of their words, and whether each only qualifies a common noun."""
    run: set[str] = set()
    known: set[frozenset[str]] = set()
    for index, following in pairwise([*used, len(parse)]):
        if not _is_name(parse[index]):
            continue
        run |= {key(parse[index])}
        if not (following == index + 1 < len(parse) and _is_name(parse[following])):
            name = frozenset(run)
            if name != {"1"} and name not in known:
                known.add(name)
                yield name, parse[index].dep == "compound" and parse[parse[index].head].pos == "NOUN"
            run = set()


def _over(parse: Parse, used: Sequence[int], lowered: Sequence[str]) -> frozenset[str]:
    """ "It was over by then" says what it was."""
    above = (parse[parse[place].head].lemma for place in used)
    told = zip(used, lowered, above, strict=True)
    return frozenset(word for place, word, verb in told if parse[place].tag in ("RB", "RP") and verb == "be") & (
        english.RELATION
    )


def _ongoing(parse: Parse, used: Sequence[int]) -> set[str]:
    """ "Ongoing", which a parser takes apart."""
    parted = ((parse[place], parse[parse[place].head]) for place in used)
    return {f"{word.text}{verb.text}".casefold() for word, verb in parted if word.dep == "prt" and verb.tag == "VBG"}


@rule(
    "answers.related",
    "Did Ann Lee die before turning ninety? → Ann Lee had turned ninety before her death.",
    otherwise=frozenset(),
)
def _related(parse: Parse, used: Sequence[int], lowered: Sequence[str], over: Collection[str]) -> frozenset[str]:
    places = [place for place, word in enumerate(lowered) if word in english.RELATION and word not in over]
    behind = used[places[-1] + 1 :] if places else ()
    return frozenset(key(parse[one]) for one in behind if parse[one].pos in (*_CONTENT, "PROPN"))


def _is_cause(parse: Parse, index: int) -> bool:
    word, by = parse[index], parse[parse[index].head]
    return (word.dep, word.pos) == ("pobj", "NOUN") and by.lemma in ("of", "by") and parse[by.head].pos == "VERB"


def _core(parse: Parse, clause: Clause) -> set[int]:
    """A clause's verb, its complements and objects with what qualifies them."""
    reached = {clause.predicate}
    for _ in range(4):
        for one in clause.words:
            word, above = parse[one], parse[one].head
            complement = above == clause.predicate and (word.dep in _COMPLEMENTS or word.lemma in ("as", "by"))
            kind_of = word.lemma == "of" and parse[above].lemma in english.LIGHT
            through = word.dep == "pobj" and parse[above].lemma in ("as", "of")
            if above in reached and (complement or kind_of or through or word.dep in _QUALIFIES):
                reached.add(one)
    return reached


def _focus(lowered: Sequence[str]) -> Focus:
    """What it is about."""
    for place, word in enumerate(lowered):
        if word in english.ONLY:
            return "not only" if lowered[place - 1 : place] in (["not"], ["n't"]) else "only"
    return "" if english.OTHER.isdisjoint(lowered) else "other"


def key(word: Token) -> str:
    """The form in which words compare: names as written, numbers in digits, the rest as dictionary forms."""
    lowered = word.text.casefold().replace(".", "")
    as_it_is = word.pos in ("PROPN", "NUM") or _is_decade(word)
    return (_NUMBERS | _TENS).get(lowered, lowered if as_it_is else word.lemma.casefold())


def _is_name(word: Token) -> bool:
    return word.pos == "PROPN" or word.text.isdecimal() or word.text in _TENS or _is_decade(word)


def _is_decade(word: Token) -> bool:
    """Whoever "died on 3 February 1924" is not said to have died in the 1930s."""
    return word.text[:-1].isdecimal() and word.text.endswith("0s")


def _first(parse: Parse, used: Iterable[int]) -> list[int]:
    """The first argument: the noun phrase behind the auxiliary, or at the start."""
    found: list[int] = []
    seen = False
    for index in used:
        word, before = parse[index], parse[index - 1]
        noun = word.pos in ("NOUN", "PROPN", "NUM", "PRON")
        if seen and not noun and word.text.casefold() not in ("of", "the", "'s", '"', "'"):
            break
        if seen and word.pos == "DET" and before.pos != "ADP":  # "Is Berlin the capital of Germany?"
            break
        if before.pos == "PROPN" and word.pos == "NOUN" and word.dep in ("attr", "appos"):  # "Was the War part of …?"
            break
        seen = seen or noun
        if seen or parse[index].pos == "ADJ":
            found.append(index)
    return found
