"""A yes or no: leading, behind a label, or behind a verb of answering; and a verdict of one word."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import Clause
from halluvault_tasks.reading.conclusions.elliptic import elliptic
from halluvault_tasks.reading.conclusions.sentences import How, ResponseSentence, Sign
from halluvault_tasks.reading.echoes import SAME
from halluvault_tasks.reading.propositions.proposition import UnderstoodQuestion
from halluvault_tasks.reading.rules import rule

_APART = frozenset(":–—-,;.")
_BEFORE = english.CORRECT | {SAME.casefold()}
_INTRODUCING = ("that", "so", "then", "therefore", "sorry")
_LISTED = 2
"""Sentences around one that may offer options."""


def polar(text: Sequence[ResponseSentence], number: int, asked: UnderstoodQuestion) -> Iterator[Sign]:
    """Each yes or no of a sentence of a response that answers."""
    sentence = text[number]
    words = [place for place, word in enumerate(sentence.lowered) if word[0].isalnum() or word == "n't"]
    if short := elliptic(text, number, asked):
        yield sentence.sign(number, short, "leading", words)
    if len(sentence.bare) == 3 and sentence.bare[1] == "and" and {*sentence.bare[::2]} == {"yes", "no"}:
        for word in sentence.bare[::2]:
            yield sentence.sign(number, "yes" if word == "yes" else "no", "leading", words)
        return
    offered = _is_offered(text, number)
    for place, word in enumerate(sentence.lowered):
        if _is_verdict(sentence, place, asked) or (
            word in english.POLAR and not offered and _stands_alone(sentence, place)
        ):
            yield from _answered(sentence, number, place)


def _answered(sentence: ResponseSentence, number: int, place: int) -> Iterator[Sign]:
    word = sentence.lowered[place]
    clause = next((each for each in sentence.clauses if place in each.words), None)
    if clause and clause.modality == "supposed":
        if "would" not in sentence.lemmas(clause.words):  # "if he had been born there, it would be yes": he was not
            yield sentence.sign(number, "dont_know", "unknown", [place])
    elif how := _place(sentence, place, clause):
        yield sentence.sign(number, "yes" if word in english.AFFIRMS | english.TRUE else "no", how, [place])


@rule(
    "answers.judged", "Is this statement true? “Ann Lee was born in Rome.” → False – she died in 1988.", otherwise=False
)
def _is_verdict(sentence: ResponseSentence, place: int, asked: UnderstoodQuestion) -> bool:
    """Whether "true" or "false" is all that is said, or begins an answer on a statement: "False – he died in 1988"."""
    word = sentence.lowered[place]
    if word not in english.TRUE | english.FALSE or sentence.parse[place].pos == "NOUN":
        return False
    apart = sentence.lowered[1:2] and sentence.lowered[1] in _APART and word != "right"  # "Right, let me see"
    return sentence.bare == [word] or bool(place == 0 and asked.statement and apart)


@rule("answers.listed", "", otherwise=False)
def _is_offered(text: Sequence[ResponseSentence], number: int) -> bool:
    """Whether yes and no stand here as options to choose from: "(1). Yes; (2). No;"."""
    around = text[max(0, number - _LISTED) : number + _LISTED + 1]
    return len({each.bare[0] in english.AFFIRMS for each in around if _is_listed(each)}) > 1


def _is_listed(sentence: ResponseSentence) -> bool:
    said = sentence.sentence
    ends = said.kind == "point" or ";" in said.text or said.text[-1:].isalpha()
    named = any(len(word) > 2 for word in sentence.label)  # "Alive: yes" offers nothing
    return ends and not named and len(sentence.bare) == 1 and sentence.bare[0] in english.POLAR


def _stands_alone(sentence: ResponseSentence, place: int) -> bool:
    """No determiner and no option: "no record", "no longer", "yes or no"."""
    affirms = sentence.lowered[place] in english.AFFIRMS
    after = [word for word in sentence.lowered[place + 1 : place + 6] if word not in "\"',-"]
    before = [word for word in sentence.lowered[max(0, place - 5) : place] if word not in "\"',-"]
    joined = after[:1] == ["or"] or (english.JOINS.intersection(after[:1]) and english.POLAR.intersection(after[1:3]))
    run = {*takewhile(english.POLAR.__contains__, after), *takewhile(english.POLAR.__contains__, reversed(before))}
    listed = not run.issubset(english.AFFIRMS if affirms else english.DENIES)
    if joined or listed or english.JOINS.intersection(before[-1:]):
        return False
    return affirms or place + 1 == len(sentence.parse) or _begins_clause(sentence, place)


def _begins_clause(sentence: ResponseSentence, place: int) -> bool:
    """Whether a "no" stands before a clause and determines nothing in it: "no he was not"."""
    following = sentence.parse[place + 1]
    lower = following.text.islower() or following.text == "I"
    begins = sentence.parse[place].dep != "det" and following.tag in ("PRP", "EX", "IN", "DT", "WRB") and lower
    return begins or not following.text[0].isalnum()


def _place(sentence: ResponseSentence, place: int, clause: Clause | None) -> How | None:
    """Where an answer stands: at the start, behind a label or a verb of answering; None where it answers nothing."""
    before = [word for word in range(place) if sentence.lowered[word][0].isalnum()]
    if _is_supposed(sentence, place):
        return None
    if all(sentence.parse[word].tag in ("RB", "UH", "CC") or sentence.lowered[word] in _BEFORE for word in before):
        if place > 1 and sentence.quoted(place):
            return None
        return "labelled" if sentence.label else "leading"
    said_of = (
        sentence.asks
        or (clause and clause.modality not in ("asserted", "quoted"))
        or sentence.quoted(place, inside=True)
    )
    return None if said_of or not _is_closed(sentence, place) else _introduced(sentence, place, before)


def _is_closed(sentence: ResponseSentence, place: int) -> bool:
    """Whether nothing but a reason follows an answer, and nothing denies it: no "cannot be yes"."""
    following = sentence.lowered[place + 1 : place + 2]
    closed = not following or not following[0][0].isalnum() or following[0] in english.REASON
    return closed and (english.NO - english.DENIES).isdisjoint(sentence.lowered[max(0, place - 4) : place])


def _introduced(sentence: ResponseSentence, place: int, before: Sequence[int]) -> How | None:
    """What leads to an answer behind other words: a label, a verb of answering, or "so"."""
    last, answers = sentence.parse[before[-1]], not english.ANSWER.isdisjoint(sentence.lowered[:place])
    mark = next((word for word in sentence.lowered[place - 1 :: -1] if word not in "\"'("), "")
    answers |= last.lemma in english.CONCLUDE  # "…, hence: no."
    ends = not any(word[0].isalnum() for word in sentence.lowered[place + 1 :])
    labels = (mark == ":" and ends) or (mark in _LABELS and (len(before) < 5 or answers))
    if labels or (answers and (last.lemma == "be" or last.pos == "ADV")):
        return "labelled"
    if last.text == "but":  # "Close, but no."
        return "leading" if place + 2 >= len(sentence.parse) else None
    speaks = last.lemma in ("say", "answer") and not english.FIRST_PERSON.isdisjoint(sentence.lowered[:place])
    return "leading" if speaks or last.text in _INTRODUCING else None


_LABELS = frozenset(":=→–—-|")


@rule("answers.supposed", "", otherwise=False)
def _is_supposed(sentence: ResponseSentence, place: int) -> bool:
    """Whether an answer is only spoken of, or would hold if: "yes would be wrong", "yes, had she waited; but"."""
    behind = sentence.lowered[place + 1 : place + 3]
    if behind[:1] and sentence.parse[place + 1].pos == "AUX" and sentence.parse[place].text[0].isupper():
        return True
    supposes = {*english.CONDITION, *english.INVERTED}
    if behind[:1] == [","] and supposes.intersection(behind) and "but" in sentence.lowered:
        return True
    start = max((word for word in range(place) if sentence.lowered[word] in ("but", ";")), default=-1) + 1
    before = sentence.lowered[start:place]
    return not {"would", "could"}.isdisjoint(before) and (sentence.lowered[0] in supposes or "only" in before)
