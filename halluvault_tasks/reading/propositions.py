"""What a question asks and what a clause says, as arguments, predicate words and polarity, so that both compare.

A polar question is its proposition in another order of words; a statement that is to be judged is its own.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.elliptic import Auxiliary, auxiliary
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.questions import FramedQuestion
from halluvault_tasks.reading.rules import rule

_NUMBERS = dict(zip(["one", "two", "three", "four", "five", "six", "seven", "eight"], "12345678", strict=True))
_TENS = {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70"}
_TENS |= {"eighty": "80", "ninety": "90"}
_OPENING = frozenset("\"‘'")
_ONE = frozenset("1")
"""A name in a question alone, and in none of what else divides a number: answers say "by 1 and itself" of that."""

_COMPLEMENTS = frozenset(["attr", "acomp", "oprd", "dobj", "xcomp", "ccomp"])
_QUALIFIES = frozenset(["amod", "compound", "conj", "advmod", "nmod", "appos", "attr", "acomp", "dobj", "acl"])

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
        apart: which these are, where they are several: names, numbers, and `itself` for the first argument.
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
    apart: frozenset[str]
    exists: bool


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


def _asked(parse: Parse) -> Proposition:
    lowered = [word.text.casefold() for word in parse]
    used = range(_frame(parse, lowered), len(parse))
    denied = sum(lowered[one] in english.NO and parse[one].pos != "PROPN" for one in used) % 2 == 1
    open_ = {word for word, after in pairwise([*lowered, ""]) if after != "time"}  # "at any time" asks when
    exists = not english.INDEFINITE.isdisjoint(open_) or lowered[:3] == ["can", "you", "find"]
    first = _first(parse, used)
    core = set(used) - set(first)
    found = _proposition(parse, used, first, core, denied, exists)
    words = found.words - {key(parse[one]) for one in used if _classifies(parse, one)}
    # The parser often takes what a question predicates for an apposition: "Was A a student of B?"
    nouns = {key(parse[one]) for one in core if parse[one].pos == "NOUN" and parse[one].dep in ("attr", "appos")}
    verbs = {key(parse[one]) for one in core if parse[one].pos == "VERB" and parse[one].dep == "root"}
    said = {lowered[one] for one in used}
    names = (*found.names, _ONE) if said >= _ONE and not found.focus and "(" not in said else found.names
    return found._replace(words=words, nouns=words & nouns or words & verbs, names=names)


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


def stated(parse: Parse, clause: Clause, with_: Iterable[Clause] = ()) -> Proposition:
    """The proposition of a clause; `with_`: clauses whose names it takes up."""
    used = {*clause.words, *clause.subject, *(word for one in with_ for word in one.words)}
    if parse[clause.head].dep == "relcl":  # what "which" stands for
        used.add(parse[clause.head].head)
    subject = {parse[one].text.casefold() for one in clause.subject}
    exists = clause.soft or bool(subject & {"there", "no", "none", "any"})
    return _proposition(parse, sorted(used), clause.subject, _core(parse, clause), clause.denied, exists)


_OF_NUMBERS = frozenset(["number", "divisor", "factor", "there"]) | english.FIRST_PERSON | english.SECOND_PERSON


def compared(question: Proposition, said: Proposition, *, pronoun: bool) -> Literal["same", "opposite"] | None:
    """Whether a clause affirms or denies what is asked; None where it says something else.

    Args:
        question: what is asked.
        said: the clause.
        pronoun: a pronoun stands for what was named before.
    """
    named = _met(question, said, pronoun=pronoun)
    if not all(named) or not (named or all(worded(word, said.words | said.first) for word in question.words)):
        return None
    existence = question.exists and said.exists and len(named) > 1
    if not existence and any(says_else(question, said, pronoun) for says_else in _ELSE):
        return None
    return _side(question, said, existence=existence)


def _met(question: Proposition, said: Proposition, *, pronoun: bool) -> list[bool]:
    """Which of a question's names a clause has, itself or by a pronoun."""
    denied = said.denied and said.focus != "not only"
    named = [
        _named(name, said.names, denied) or (name == _ONE and name <= said.first | said.core) for name in question.names
    ]
    # "It is prime", of a number; "it has 11", of sodium, is another matter.
    number = (
        bool(named)
        and all(map(str.isdecimal, question.names[0]))
        and not question.first - question.names[0] - _OF_NUMBERS
    )
    if pronoun and named and (question.names[0] <= question.first or number):
        named[0] = True
    if sum(named) > 1:
        named = [one or name in question.loose for one, name in zip(named, question.names, strict=True)]
    return named


def _side(question: Proposition, said: Proposition, *, existence: bool) -> Literal["same", "opposite"] | None:
    """Which side a clause takes that speaks of what is asked; None for "in no year other than 1965"."""
    differs, focus = question.denied != said.denied, said.focus
    if focus == "not only":
        focus, differs = ("only", differs) if question.focus else ("", not differs)
    if {question.focus, focus} == {"only", "other"}:
        differs = not differs
    elif not existence and (
        question.focus not in ("", focus) or (not question.focus and focus == "other" and said.denied)
    ):
        return None
    return "opposite" if differs else "same"


def _alike(question: Proposition, said: Proposition) -> bool:
    """ "Only divided by 1 and itself", "no divisor but"."""
    return bool(question.apart) and question.apart == said.apart


def _names_another(question: Proposition, said: Proposition, pronoun: bool) -> bool:
    """ "Ann was born in Rome and Bob in Oslo"."""
    subjects = [name for name in said.names if name <= said.first]
    known = any(one <= name or name <= one for one in subjects for name in question.names)
    return bool(subjects) and not known and not question.exists and not pronoun


def _lacks_words(question: Proposition, said: Proposition, _: bool) -> bool:
    covered = sum(worded(word, said.words) for word in question.words)
    return covered * 2 < len(question.words) and not _alike(question, said)


def _relates_otherwise(question: Proposition, said: Proposition, _: bool) -> bool:
    """Whether it has other relations, or the same of something else: "before her death", not "before turning 90"."""
    unrelated = question.related and not any(worded(word, said.related) for word in question.related)
    return question.relations != said.relations or bool(unrelated)


def _predicates_else(question: Proposition, said: Proposition, _: bool) -> bool:
    core = said.core | said.first if said.focus else said.core
    return not any(worded(word, question.words) for word in core) and not _alike(question, said)


@rule("answers.excluded", "", otherwise=False)
def excludes(question: Proposition, said: Proposition, parse: Parse) -> bool:
    """Whether a clause denies one part of what must hold together: "his term was in Illinois, not Missouri"."""
    if not question.exists or len(question.names) < 2 or not any(worded(word, question.words) for word in said.core):
        return False
    if said.denied and any(_named(name, said.names, said.denied) for name in question.names):
        return True
    nots = [
        one for one, word in enumerate(parse) if word.dep == "neg" and parse[word.head].pos in ("PROPN", "NOUN", "ADP")
    ]
    names = {key(word) for one in nots for word in parse[one + 1 : one + 5] if word.pos == "PROPN"}
    return any(name & names and name not in question.loose for name in question.names)


@rule("answers.swapped", "Is Ann Lee the mother of Bob Fox? → Bob Fox is the mother of Ann Lee.", otherwise=False)
def _swapped(question: Proposition, said: Proposition, pronoun: bool) -> bool:
    """Whether the arguments have changed places."""
    named = question.exists or pronoun
    return (
        not named
        and not said.first & question.first - question.core
        and bool(said.first & question.core - question.first)
    )


@rule("answers.counts", "", otherwise=False)
def _counts_else(question: Proposition, said: Proposition, _: bool) -> bool:
    """Whether a clause has a number beside the asked one: "alive in 1804 and dead in 1809", "after nickel with 28"."""
    asked = [_number(name) for name in question.names]
    return asked.count("") + 1 == len(asked) and any(
        number and len(number) == len(max(asked)) and number not in asked for number in map(_number, said.names)
    )


def _number(name: frozenset[str]) -> str:
    """The year of a date, and any other number; nothing for a name."""
    return max((word for word in name if word.isdecimal()), key=len, default="")


@rule("answers.of_another", "", otherwise=False)
def _is_of_another(question: Proposition, said: Proposition, pronoun: bool) -> bool:
    """Whether a common noun is asked about that a clause does not have: magnesium's number is not sodium's."""
    nouns = question.first - question.core - english.LIGHT
    plain = nouns and not question.exists and not any(name & question.first for name in question.names)
    return bool(plain) and not pronoun and not nouns & (said.first | said.words | said.core)


@rule(
    "answers.noun",
    "Was Ann Lee the doctoral advisor of Bob Fox? → Ann Lee was a doctoral student of Bob Fox.",
    otherwise=False,
)
def _other_noun(question: Proposition, said: Proposition, _: bool) -> bool:
    """Whether something else is predicated: a doctoral student is no doctoral advisor, whatever else they share.

    Nor is a parent taxon one that belongs to another.
    """
    nouns = [(question.nouns, said.words), (said.nouns, question.words)]
    return all(here and not any(worded(word, there) for word in here) for here, there in nouns)


@rule("answers.cause", "Did Ann Lee die of cancer? → Ann Lee died in Rome in 1970.", otherwise=False)
def _has_another_cause(question: Proposition, said: Proposition, _: bool) -> bool:
    """Whether it does not say what of or by whom: who died somewhere may have died of anything."""
    return not all(worded(word, said.words) or any(word in name for name in said.names) for word in question.cause)


_ELSE = (
    _names_another, _counts_else, _is_of_another, _lacks_words, _has_another_cause, _relates_otherwise,
    _predicates_else, _other_noun, _swapped,
)  # fmt: skip
"""Why a clause that has a question's names says something else."""


def worded(word: str, words: Collection[str]) -> bool:
    """Whether a word stands there, or one of its family: divide, divisible, divisor."""
    return word in words or any(
        word[:4] == other[:4] and _shared(word, other) >= max(4, 0.6 * min(len(word), len(other))) for other in words
    )


def _shared(one: str, other: str) -> int:
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _named(name: frozenset[str], names: Iterable[frozenset[str]], denied: bool) -> bool:
    """Whether a name is among others; a date as exact as it is affirmed, or as broad as it is denied."""
    if any(word[:4].isdecimal() and len(word) > 3 for word in name):
        return any(other <= name if denied else name <= other for other in names)
    return any(name <= other or other <= name for other in names)


def _proposition(
    parse: Parse, used: Sequence[int], first: Iterable[int], core: Iterable[int], denied: bool, exists: bool
) -> Proposition:
    names: dict[frozenset[str], bool] = {}
    run: set[str] = set()
    for index, following in pairwise([*used, len(parse)]):
        if not _is_name(parse[index]):
            continue
        run |= {key(parse[index])}
        if not (following == index + 1 < len(parse) and _is_name(parse[following])):
            loose = parse[index].dep == "compound" and parse[parse[index].head].pos == "NOUN"
            if run != {"1"}:
                names.setdefault(frozenset(run), loose)
            run = set()
    lowered = [parse[one].text.casefold() for one in used]
    words = {key(parse[one]) for one in used if parse[one].pos in _CONTENT and not _is_name(parse[one])}
    words -= english.LIGHT | english.ONLY | english.OTHER | english.RELATION | english.NO | {"1"}
    above = {one: parse[parse[one].head] for one in used}
    over = {
        lowered[place] for place, one in enumerate(used) if parse[one].tag in ("RB", "RP") and above[one].lemma == "be"
    }
    over &= english.RELATION  # "it was over by then" says what it was
    ongoing = (one for one in used if parse[one].dep == "prt" and above[one].tag == "VBG")
    words |= over | {f"{parse[one].text}{above[one].text}".casefold() for one in ongoing}
    nouns = {key(parse[one]) for one in used if parse[one].dep == "attr" and parse[one].pos == "NOUN"}
    focus, behind = _focus(lowered)
    own = {"itself", "number", *(next(iter(names)) if names else ())}
    apart = {key(parse[one]) for one in used[behind:] if parse[one].pos in ("NUM", "PROPN") or parse[one].text in own}
    apart = {"itself" if key in own else key for key in apart}
    return Proposition(
        tuple(names),
        frozenset(name for name, loose in names.items() if loose),
        frozenset(words),
        frozenset(words & nouns),
        (frozenset(lowered) & english.RELATION) - over,
        _related(parse, used, lowered, over),
        frozenset(key(parse[one]) for one in first),
        frozenset(key(parse[one]) for one in used if _is_cause(parse, one)),
        frozenset(key(parse[one]) for one in core),
        denied,
        focus,
        frozenset(apart) if len(apart) > 1 else frozenset(),
        exists,
    )


@rule(
    "answers.related",
    "Did Ann Lee die before turning ninety? → Ann Lee had turned ninety before her death.",
    otherwise=frozenset(),
)
def _related(parse: Parse, used: Sequence[int], lowered: Sequence[str], over: Collection[str]) -> frozenset[str]:
    places = [place for place, word in enumerate(lowered) if word in english.RELATION and word not in over]
    behind = used[places[-1] + 1 :] if places else ()
    return frozenset(key(parse[one]) for one in behind if parse[one].pos in (*_CONTENT, "PROPN"))


_CONTENT = ("NOUN", "VERB", "ADJ", "NUM")


def _is_cause(parse: Parse, index: int) -> bool:
    word, by = parse[index], parse[parse[index].head]
    return (word.dep, word.pos) == ("pobj", "NOUN") and by.lemma in ("of", "by") and parse[by.head].pos == "VERB"


def _core(parse: Parse, clause: Clause) -> set[int]:
    """A clause's verb, its complements and objects with what qualifies them."""
    reached = {clause.head}
    for _ in range(4):
        for one in clause.words:
            word, above = parse[one], parse[one].head
            complement = above == clause.head and (word.dep in _COMPLEMENTS or word.lemma in ("as", "by"))
            kind_of = word.lemma == "of" and parse[above].lemma in english.LIGHT
            through = word.dep == "pobj" and parse[above].lemma in ("as", "of")
            if above in reached and (complement or kind_of or through or word.dep in _QUALIFIES):
                reached.add(one)
    return reached


def _focus(lowered: Sequence[str]) -> tuple[Focus, int]:
    """What it is about, and where that begins."""
    for place, word in enumerate(lowered):
        if word in english.ONLY:
            return ("not only" if lowered[place - 1 : place] in (["not"], ["n't"]) else "only"), place
    other = next((place for place, word in enumerate(lowered) if word in english.OTHER), -1)
    return ("other", other) if other >= 0 else ("", len(lowered))


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
