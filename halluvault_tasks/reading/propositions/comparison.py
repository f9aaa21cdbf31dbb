"""Whether a clause affirms or denies what is asked, or says something else."""

from collections.abc import Collection, Iterable
from typing import Literal

from halluvault_tasks.reading import english
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.propositions.proposition import ONE, Proposition, key
from halluvault_tasks.reading.rules import rule

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
        _named(name, said.names, denied) or (name == ONE and name <= said.first | said.core) for name in question.names
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


def _names_another(question: Proposition, said: Proposition, pronoun: bool) -> bool:
    """ "Ann was born in Rome and Bob in Oslo"."""
    subjects = [name for name in said.names if name <= said.first]
    known = any(one <= name or name <= one for one in subjects for name in question.names)
    return bool(subjects) and not known and not question.exists and not pronoun


def _lacks_words(question: Proposition, said: Proposition, _: bool) -> bool:
    covered = sum(worded(word, said.words) for word in question.words)
    return covered * 2 < len(question.words)


def _relates_otherwise(question: Proposition, said: Proposition, _: bool) -> bool:
    """Whether it has other relations, or the same of something else: "before her death", not "before turning 90"."""
    unrelated = question.related and not any(worded(word, said.related) for word in question.related)
    return question.relations != said.relations or bool(unrelated)


def _predicates_else(question: Proposition, said: Proposition, _: bool) -> bool:
    core = said.core | said.first if said.focus else said.core
    return not any(worded(word, question.words) for word in core)


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
