"""What in a response says something about its answer: explicit answers, and not knowing.

An explicit answer is a leading or labelled yes or no; a verdict on the statement, claim or question; or the question's
proposition, affirmed or denied in a clause that is asserted. Not knowing is a verb of knowing, finding or telling that
is denied of whoever answers.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from halluvault_tasks.reading import elliptic, english
from halluvault_tasks.reading.base import AnswerKind
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.echoes import OPPOSITE, SAME
from halluvault_tasks.reading.propositions import UnderstoodQuestion, compared, key, stated
from halluvault_tasks.reading.restated import is_pronoun, restated
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.said import EXPLICIT, How, ResponseSentence, Sign


def signs(text: Sequence[ResponseSentence], asked: UnderstoodQuestion) -> list[Sign]:
    """Everything in a response that says something about its answer, in order."""
    found: list[Sign] = []
    questioned = -1  # the paragraph in which the text asked something of its own, which a yes or no may answer
    for number, one in enumerate(text):
        if one.skipped or one.label & english.STATED:
            continue
        apart = one.sentence.block == questioned and not (one.label or one.concludes)
        tag = one.asks and len(one.parse) == 2 and bool(one.bare)  # "Right?"
        here = [] if apart or tag else list(_polar(text, number, asked))
        if one.asks and not tag:
            questioned = one.sentence.block if _asks_else(one, asked) else -1
        if not one.asks:
            here += (sign for sign in _verdicts(one, number, asked) if not (apart and sign.how == "pronoun"))
            here += restated(text, number, asked)
        here += (
            one.sign(number, _silence(one, each), "unknown", each.words) for each in one.clauses if _unknown(one, each)
        )
        before = next((sign for sign in reversed(found) if sign.how != "unknown"), None)
        found += (sign for each in here if (sign := _referred(one, each, before, asked)))
    return found


def _referred(said: ResponseSentence, one: Sign, before: Sign | None, asked: UnderstoodQuestion) -> Sign | None:
    """ "This is false": of the answer just given, which it takes back, else of what is to be judged."""
    if one.how != "pronoun":
        return one
    adjoins = before is not None and before.sentence == one.sentence - 1
    if not adjoins and (asked.statement or one.sentence == 0):
        return None if before and before.how in EXPLICIT else one._replace(how="verdict")
    again = before is not None and before.kind == "no" and not said.corrects  # "No. It is false."
    return one._replace(how="retracted") if one.kind == "no" and not again else None


# ---------------------------------------------------------------------- yes and no


def _polar(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    one = text[number]
    words = [index for index, word in enumerate(one.lowered) if word[0].isalnum() or word == "n't"]
    if short := _elliptic(text, number, asked):
        yield one.sign(number, short, "leading", words)
    if len(one.bare) == 3 and one.bare[1] == "and" and {*one.bare[::2]} == {"yes", "no"}:
        yield from (one.sign(number, "yes" if word == "yes" else "no", "leading", words) for word in one.bare[::2])
        return
    listed = (each for each in text[max(0, number - 2) : number + 3] if _is_listed(each))
    options = {each.bare[0] in english.AFFIRMS for each in listed}
    for index, word in enumerate(one.lowered):
        judged = word in english.TRUE | english.FALSE and one.parse[index].pos != "NOUN" and _judges(one, index, asked)
        if not judged and (len(options) > 1 or word not in english.POLAR or not _stands_alone(one, index)):
            continue
        clause = next((each for each in one.clauses if index in each.words), None)
        if clause and clause.guard == "condition":
            if "would" not in one.lemmas(clause.words):  # "if he had been born there, it would be yes": he was not
                yield one.sign(number, "dont_know", "unknown", [index])
        elif how := _place(one, index, clause):
            yield one.sign(number, "yes" if word in english.AFFIRMS | english.TRUE else "no", how, [index])


_APART = frozenset(":–—-,;.")
_BEFORE = english.CORRECT | {SAME.casefold()}


@rule(
    "answers.judged", "Is this statement true? “Ann Lee was born in Rome.” → False – she died in 1988.", otherwise=False
)
def _judges(one: ResponseSentence, index: int, asked: UnderstoodQuestion) -> bool:
    """Whether "true" or "false" is all that is said, or begins an answer on a statement: "False – he died in 1988"."""
    apart = one.lowered[1:2] and one.lowered[1] in _APART and one.lowered[0] != "right"  # "Right, let me see"
    return one.bare == [one.lowered[index]] or bool(index == 0 and asked.statement and apart)


def _asks_else(one: ResponseSentence, asked: UnderstoodQuestion) -> bool:
    """Whether a yes or no may answer it that is not the one asked for: no "When?", "Yes or no?" or "Born in 1931?"."""
    if any(word.tag in ("WDT", "WP", "WP$", "WRB") for word in one.parse[:2]):
        return False
    known = asked.proposition.first | asked.proposition.core | asked.proposition.words
    own = {key(word) for word in one.parse if word.pos not in ("ADP", "DET", "AUX", "PUNCT")}
    bare = set() if asked.proposition.denied else known
    return not (english.POLAR | english.JOINS | bare).issuperset(own)


@rule("answers.listed", "", otherwise=False)
def _is_listed(one: ResponseSentence) -> bool:
    """A yes or no that is one of the options offered: "(1). Yes; (2). No;"."""
    ends = one.sentence.kind == "point" or ";" in one.sentence.text or one.sentence.text[-1:].isalpha()
    named = any(len(word) > 2 for word in one.label)  # "Alive: yes" offers nothing
    return ends and not named and len(one.bare) == 1 and one.bare[0] in english.POLAR


def _stands_alone(one: ResponseSentence, index: int) -> bool:
    """No determiner and no option: "no record", "no longer", "yes or no"."""
    after = [word for word in one.lowered[index + 1 : index + 6] if word not in "\"',-"]
    before = [word for word in one.lowered[max(0, index - 5) : index] if word not in "\"',-"]
    joined = after[:1] == ["or"] or (english.JOINS.intersection(after[:1]) and english.POLAR.intersection(after[1:3]))
    run = {*takewhile(english.POLAR.__contains__, after), *takewhile(english.POLAR.__contains__, reversed(before))}
    listed = not run.issubset(english.AFFIRMS if one.lowered[index] in english.AFFIRMS else english.DENIES)
    if joined or listed or english.JOINS.intersection(before[-1:]):
        return False
    if one.lowered[index] in english.AFFIRMS or index + 1 == len(one.parse):
        return True
    word, following = one.parse[index], one.parse[index + 1]
    lower = following.text.islower() or following.text == "I"
    begins = word.dep != "det" and following.tag in ("PRP", "EX", "IN", "DT", "WRB") and lower
    return begins or not following.text[0].isalnum()


def _place(one: ResponseSentence, index: int, clause: Clause | None) -> How | None:
    """Where an answer stands: at the start, behind a label or a verb of answering; None where it answers nothing."""
    before = [place for place in range(index) if one.lowered[place][0].isalnum()]
    if _is_supposed(one, index):
        return None
    if all(one.parse[place].tag in ("RB", "UH", "CC") or one.lowered[place] in _BEFORE for place in before):
        return None if index > 1 and one.quoted(index) else "labelled" if one.label else "leading"
    said_of = one.asks or (clause and clause.guard) or one.quoted(index, inside=True)
    return None if said_of or not _is_closed(one, index) else _introduced(one, index, before)


def _is_closed(one: ResponseSentence, index: int) -> bool:
    """Whether nothing but a reason follows an answer, and nothing denies it: no "cannot be yes"."""
    following = one.lowered[index + 1 : index + 2]
    closed = not following or not following[0][0].isalnum() or following[0] in english.REASON
    return closed and (english.NO - english.DENIES).isdisjoint(one.lowered[max(0, index - 4) : index])


def _introduced(one: ResponseSentence, index: int, before: Sequence[int]) -> How | None:
    """What leads to an answer behind other words: a label, a verb of answering, or "so"."""
    last, answers = one.parse[before[-1]], not english.ANSWER.isdisjoint(one.lowered[:index])
    sign = next((word for word in one.lowered[index - 1 :: -1] if word not in "\"'("), "")
    answers |= last.lemma in english.CONCLUDE  # "…, hence: no."
    ends = not any(word[0].isalnum() for word in one.lowered[index + 1 :])
    labels = (sign == ":" and ends) or (sign in (":", "=", "→", "–", "—", "-", "|") and (len(before) < 5 or answers))
    if labels or (answers and (last.lemma == "be" or last.pos == "ADV")):
        return "labelled"
    if last.text == "but":  # "Close, but no."
        return "leading" if index + 2 >= len(one.parse) else None
    speaks = last.lemma in ("say", "answer") and not english.FIRST_PERSON.isdisjoint(one.lowered[:index])
    return "leading" if speaks or last.text in ("that", "so", "then", "therefore", "sorry") else None


@rule(
    "answers.supposed",
    "Was Ann Lee born in Rome? → Yes would be wrong.",
    "Was Ann Lee born in Rome? → Yes.",
    otherwise=False,
)
def _is_supposed(one: ResponseSentence, index: int) -> bool:
    """Whether an answer is only spoken of, or would hold if: "yes would be wrong", "yes, had she waited; but"."""
    behind = one.lowered[index + 1 : index + 3]
    if behind[:1] and one.parse[index + 1].pos == "AUX" and one.parse[index].text[0].isupper():
        return True
    supposes = {*english.CONDITION, *english.INVERTED}
    if behind[:1] == [","] and supposes.intersection(behind) and "but" in one.lowered:
        return True
    start = max((place for place in range(index) if one.lowered[place] in ("but", ";")), default=-1) + 1
    before = one.lowered[start:index]
    return not {"would", "could"}.isdisjoint(before) and (one.lowered[0] in supposes or "only" in before)


@rule("answers.elliptic", "Was Ann Lee born in Rome? → She was.", otherwise=None)
def _elliptic(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> AnswerKind | None:
    """A short answer that leaves out what was asked; it speaks of the question only where nothing else was said."""
    one = text[number]
    if one.asks:
        return None
    if len(one.bare) <= 4 and not any(word.pos in ("VERB", "AUX") for word in one.parse):
        numbered = any(word.text.isdecimal() for word in one.parse)  # "1952, not 1955"
        other = english.ABLE | english.DOUBT | english.RELATION  # "not before"
        # "Oslo, not Rome" agrees that she was not born in Rome.
        agrees = asked.proposition.denied and any(word.pos == "PROPN" for word in one.parse)
        plain = not numbered and not agrees and "not" in one.bare and other.isdisjoint(one.bare)
        return "no" if plain else None
    concludes = not english.CONCLUDE.isdisjoint(one.folded[:2])  # no "It is not so."
    if not concludes and not _opens(text, number):
        return None
    opinion = elliptic.thinks(one.parse)
    true = opinion if opinion is not None else elliptic.affirms(one.parse, asked.auxiliary, asked.proposition.first)
    if opinion is None and true is not None:
        true ^= asked.proposition.denied
    framed = elliptic.affirms(one.parse, elliptic.FRAME, english.STATED) if asked.statement else None
    if framed is not None and one.folded[0] in english.POINTING:
        true = framed if true in (None, framed) else None
    return None if true is None else "yes" if true ^ asked.inverted else "no"


def _opens(text: Sequence[ResponseSentence], number: int) -> bool:
    """Whether nothing was stated or asked before a sentence."""
    return not any(one.asks or any(word.pos in ("VERB", "AUX") for word in one.parse) for one in text[:number])


# ---------------------------------------------------------------------- verdicts


@rule("answers.verdict", "Is this statement true? “Ann Lee was born in Rome.” → The statement is false.", otherwise=())
def _verdicts(one: ResponseSentence, number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    for clause in one.clauses:
        nouns = _judged_nouns(one, clause)
        own = "answer" in nouns
        truth = None if clause.guard or not nouns or one.quoted(clause.head) else _truth(one, clause, own=own)
        more = clause.denied and one.lemmas(clause.words) & english.ONLY  # "not just an error but …"
        if truth is None or more or _judges_another(one, clause, asked):
            continue
        kind: AnswerKind = "yes" if truth ^ clause.denied ^ _opposes(one, clause, asked) ^ asked.inverted else "no"
        first = one.lowered[clause.subject[0]]
        if len(clause.subject) == 1 and first in english.OWN | {"it"}:
            below = [word for word in one.parse if clause.head in (word.head, one.parse[word.head].head)]
            governs = any(
                word.dep in ("ccomp", "csubj", "xcomp", "acl")
                or (word.dep == "relcl" and word.tag == "VB")
                or (word.dep == "prep" and word.head == clause.head)
                for word in below
            )  # "it would be wrong to say", "a mistake to say"
            if clause.over < 0 and not governs and one.parse[clause.head].lemma in english.COPULA:
                yield one.sign(number, kind, "pronoun", clause.words)
        elif own and first in english.OWN:
            if truth == clause.denied:
                yield one.sign(number, "no", "retracted", clause.words)
        elif (own or nouns & english.STATED or (nouns == {"one"} and first in english.OWN)) and _several(
            one, clause
        ) == asked.several:
            yield one.sign(number, kind, "verdict", (*clause.subject, *clause.words))


def _judged_nouns(one: ResponseSentence, clause: Clause) -> set[str]:
    """What a clause speaks of: "the statement that …", and no part or time of it, as "the year in the question" is."""
    nouns = [one.parse[each] for each in clause.subject if one.parse[each].pos in ("NOUN", "PRON")]
    tops = [word for word in nouns if word.dep != "pobj"]
    return {word.lemma.casefold() for word in tops or nouns}


@rule("answers.other_statement", "", otherwise=False)
def _judges_another(one: ResponseSentence, clause: Clause, asked: UnderstoodQuestion) -> bool:
    """Whether another statement is judged: one "without the “not”", or "that he was born in 1820", not in 1812."""
    known = {word for name in asked.proposition.names for word in name}
    numbers = {one.lowered[each] for each in clause.subject if one.lowered[each].isdecimal()}
    stated = not english.STATED.isdisjoint(one.folded[each] for each in clause.subject)
    without = any(one.lowered[each] == "without" for each in (*clause.subject, *clause.words))
    return stated and (without or bool(numbers - known))


def _several(one: ResponseSentence, clause: Clause) -> bool:
    """Whether a clause judges several statements, or one by its number: "statement 2"."""
    heads = [one.parse[each] for each in clause.subject if one.parse[each].head not in clause.subject]
    counts = (one.parse[each].pos == "NUM" and one.parse[one.parse[each].head] in heads for each in clause.subject)
    return any(each.tag == "NNS" for each in heads) or any(counts)


_OBJECTS = ("dobj", "ccomp", "advcl")


def _truth(one: ResponseSentence, clause: Clause, *, own: bool) -> bool | None:
    """Whether a clause's predicate calls its subject true or false, its negations left aside."""
    head = one.parse[clause.head]
    if head.lemma == "follow" and not own and not clause.denied:  # "so the statement follows"; denied, it is no verdict
        governed = (word for word in one.parse[clause.head + 1 :] if word.head == clause.head)
        return None if any(word.dep in _OBJECTS for word in governed) else True
    if head.lemma in english.HOLDS | english.FAILS and not own:
        return None if one.lemmas(clause.words) & {"can", "could"} else head.lemma in english.HOLDS
    behind = [each for each in clause.words if each > clause.head and head.lemma in english.COPULA]
    for index in behind:
        word = one.parse[index]
        between = one.parse[clause.head + 1 : index]
        if word.head != clause.head and any(each.dep not in ("neg", "advmod", "aux", "xcomp") for each in between):
            continue
        told = _told(one, index)
        if word.lemma in english.TRUE | english.FALSE and (word.pos == "ADJ" or not own):
            return word.lemma in english.TRUE and told is not False
        if word.dep == "attr" and word.lemma in english.STATED and not own:
            called = one.lemmas(
                each for each, below in enumerate(one.parse) if below.head == index and below.dep == "amod"
            )
            if told is not None or called & (english.TRUE | english.FALSE):  # "that's a true statement"
                return told if told is not None else bool(called & english.TRUE)
    return None


@rule(
    "answers.told",
    "Is this statement true? “Ann Lee was born in Rome.” → This is a claim that has been verified.",
    otherwise=None,
)
def _told(one: ResponseSentence, noun: int) -> bool | None:
    """What a clause on a noun calls it: "a claim that has been verified", "a fact that was shown to be false"."""
    modal = {word.head for word in one.parse if word.tag == "MD"}
    for clause in (index for index, word in enumerate(one.parse) if word.head == noun and word.dep in ("relcl", "acl")):
        below = [clause]
        for each in below:
            below += [index for index, word in enumerate(one.parse) if word.head == each != index]
        subjects = [one.parse[each] for each in below if one.parse[each].dep.startswith("nsubj")]
        false = bool(one.lemmas(below) & (english.FALSE | english.FAILS))
        if (
            (false or one.parse[clause].lemma in english.HOLDS)
            and clause not in modal
            and all(word.tag in ("WDT", "WP") for word in subjects)
        ):
            return not false  # its negations count with the clause's own
    return None


@rule("answers.opposite", "", otherwise=False)
def _opposes(one: ResponseSentence, clause: Clause, asked: UnderstoodQuestion) -> bool:
    """Whether what is judged is quoted or told as the opposite of what is asked."""
    under = (each for each in one.clauses if each.over == clause.head and one.parse[each.head].dep == "acl")
    told = (
        compared(asked.proposition, stated(one.parse, each), pronoun=is_pronoun((one,), 0, each, asked.proposition))
        for each in under
    )
    return any(one.parse[each].text == OPPOSITE for each in clause.subject) or "opposite" in told


def _silence(one: ResponseSentence, clause: Clause) -> AnswerKind:
    """ "I cannot answer that" refuses; "I cannot tell" does not know."""
    unable = bool(one.lemmas(clause.words) & english.UNABLE)
    verbs = clause.words if unable else (clause.head,)
    refuses = any(one.parse[each].lemma in english.REFUSES and one.parse[each].pos == "VERB" for each in verbs)
    return "refusal" if refuses else "dont_know"


@rule("answers.unknown", "Was Ann Lee born in Rome? → I cannot tell.", otherwise=False)
def _unknown(one: ResponseSentence, clause: Clause) -> bool:
    """Whether who answers cannot know or tell, or has nothing that tells; or leaves it at "possible"."""
    if clause.soft or one.quoted(clause.head):
        return False
    words, subject = one.lemmas(clause.words), one.lemmas(clause.subject)
    lacking, denied = bool(words & english.UNABLE), clause.denied
    known = denied and one.parse[clause.head].lemma in english.KNOW
    if subject & english.FIRST_PERSON and any(one.parse[each].pos == "PRON" for each in clause.subject):
        able = words & (english.ABLE | english.TOLD | {"can", "could", "have"})
        return lacking or known or (denied and bool(able))
    if any(
        one.lowered[each] == "no" and one.parse[one.parse[each].head].lemma in english.TOLD for each in clause.words
    ):
        return True
    passive = any(one.parse[each].dep in ("auxpass", "nsubjpass") for each in clause.words)
    told = known and bool(words & (english.TOLD | english.EVIDENCE))
    if subject & {"it", "there"} or (subject & english.POLAR and passive) or (not subject and len(one.bare) <= 5):
        open_ = clause.guard == "hedge" and clause.over < 0 and one.lowered[0] == "it" and len(clause.words) < 8
        return open_ or lacking or (known and passive) or (denied and bool(words & english.ABLE))
    return known and passive if subject & (english.TOLD | english.STATED) else told
