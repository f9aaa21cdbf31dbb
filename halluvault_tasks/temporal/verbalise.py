"""The English of a temporal query: fixed wordings of which each has one reading (semantics.md §2.7), or none at all.

A name never comes from here. The caller passes one `Phrase` an atom, made for the atom's *kind* (the `kind` of
`temporal_fact.atoms`):

| kind | properties | state or point | usual predicate |
|-|-|-|-|
| life | P569, P570 | state | was alive |
| run | P580, P582 on the item | state | was in progress |
| existence | P571, P576 | state | existed |
| position | P39 with P580/P582 | state | held the position of OBJECT |
| marriage | P26 with P580/P582 | state | was married to OBJECT |
| event | P585 | point | took place |
| publication | earliest P577 | point | was first published |
| birth, founding | P569, P571 alone | point | was born, was founded |
| award | P166 with P585 | point | received OBJECT |

`standard_phrase` gives those predicates; a lexicon may word them better (a film "was first released").

Years, months and days stand as absolute ones (`unit_words`), years BC where they are; a month or day before AD 1 has no
wording, since it names no one calendar. What cannot be said with one reading gives None: a window inside a
window, "next" of anything but events, until where its first bound is below 2 (then the strict and the usual reading
of "until" differ), a point that is asked to last. The wordings name their reading ("for at least part of each",
"after 1817 and before Y"), so that the gold does not hang on how a reader takes "in" or "until".
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.unit_words import UnitWords, unit_words
from halluvault_tasks.temporal.units import Granularity

POINT_KINDS = frozenset({"event", "publication", "birth", "founding", "award"})
"""Kinds that happen in one moment; every other kind is a state that lasts."""


class Phrase(NamedTuple):
    """How an atom is said.

    Args:
        subject: with its article, as it stands inside a sentence: `the Victorian era`, `Charles Dickens`.
        predicate: finite past: `was in progress`, `held the position of President of the United States`.
        auxiliary: for the question, `Was`, `Were` or `Did`; with `base` it replaces the predicate's verb.
        base: what follows the subject in a question: `in progress`, `hold the position of …`.
        point: it happens in one moment (took place, was born) rather than lasts.
    """

    subject: str
    predicate: str
    auxiliary: str
    base: str
    point: bool = False


class Wording(NamedTuple):
    """A query in English, as question and as statements to judge. Every text ends with its punctuation."""

    question: str
    statement: str
    negated_statement: str
    paraphrase: str = ""
    """The question in other words; empty where there are none with the same one reading."""

    @property
    def negated_question(self) -> str:
        """The negated twin: a statement to judge, never a negative interrogative (semantics.md §3.1)."""
        return f"Is this statement true? “{self.negated_statement}”"


_STANDARD = {
    "life": ("was alive", "Was", "alive"),
    "run": ("was in progress", "Was", "in progress"),
    "existence": ("existed", "Did", "exist"),
    "position": ("held the position of {o}", "Did", "hold the position of {o}"),
    "marriage": ("was married to {o}", "Was", "married to {o}"),
    "event": ("took place", "Did", "take place"),
    "publication": ("was first published", "Was", "first published"),
    "birth": ("was born", "Was", "born"),
    "founding": ("was founded", "Was", "founded"),
    "award": ("received {o}", "Did", "receive {o}"),
}
KINDS = tuple(_STANDARD)
"""Every kind of atom."""


def standard_phrase(kind: str, subject: str, obj: str = "") -> Phrase:
    """The usual phrase of a kind, in the singular.

    Args:
        kind: one of `KINDS`.
        subject: name with article where it needs one.
        obj: name of the object for position, marriage and award.
    """
    predicate, auxiliary, base = (part.replace("{o}", obj) for part in _STANDARD[kind])
    return Phrase(subject, predicate, auxiliary, base, kind in POINT_KINDS)


class _Words(NamedTuple):
    """What a clause is made of beside the formula."""

    phrases: Mapping[str, Phrase]
    unit: UnitWords


class _Clause(NamedTuple):
    """A clause without capital and full stop, its denial, and its question."""

    says: str
    denies: str
    asks: str
    paraphrase: str = ""


def question(
    formula: f.Formula, at: int, phrases: Mapping[str, Phrase], granularity: Granularity = Granularity.YEAR
) -> Wording | None:
    """Word a query.

    Args:
        formula: what is asked.
        at: the unit t (astronomical year, month or day number).
        phrases: by atom name.
        granularity: the unit of the formula's windows.

    Returns:
        The wording, or None where there is none with a single reading or a phrase is missing.
    """
    words = _Words(phrases, unit_words(granularity))
    if not words.unit.sayable(at) or any(name not in phrases for name in f.atoms(formula)):
        return None
    clause = _clause(formula, at, words)
    if clause is None:
        return None
    return Wording(clause.asks, _sentence(clause.says), _sentence(clause.denies), clause.paraphrase)


_APART = "(not necessarily at the same moment)"
_OPENINGS = ("the ", "a ", "an ", "in ", "on ", "at ", "there ", "both ", "none ")


def _sentence(clause: str) -> str:
    # Only our own words get a capital: a name such as iPhone keeps its first letter.
    return (clause[0].upper() + clause[1:] if clause.startswith(_OPENINGS) else clause) + "."


def _is_true(says: str, denies: str) -> _Clause:
    return _Clause(says, denies, f"Is it true that {says}?")


def _denied(clause: _Clause | None) -> _Clause | None:
    """Something negated is a statement to judge: a negative question is answered differently in other languages."""
    if clause is None:
        return None
    asked = _sentence(clause.denies).replace("“", "‘").replace("”", "’")
    return _Clause(
        clause.denies, clause.says, f"Is this statement true? “{asked}”", f"Is it true that {clause.denies}?"
    )


def _clause(formula: f.Formula, at: int, words: _Words) -> _Clause | None:
    match formula:
        case f.Atom() | f.Not(arg=f.Atom()):
            return _in_unit(formula, words.unit.name(at), words)
        case f.Next():
            # The unit itself: "1903, the year after 1902" is nothing that a person would say.
            return _in_unit(formula.arg, words.unit.name(at + 1), words)
        case f.Not():
            return _denied(_clause(formula.arg, at, words))
        case f.Finally() | f.Globally() if formula.first == formula.last:
            return _in_unit(formula.arg, words.unit.name(at + formula.first), words)
        case f.Finally():
            return _in_some(formula.arg, *_window(formula, at, words), words)
        case f.Globally():
            return _in_every(formula.arg, *_window(formula, at, words), words)
        case f.Until():
            return _until(formula, at, words)
        case f.And() | f.Or():
            return _in_unit(formula, words.unit.name(at), words) or _list(formula, at, words)


def _window(formula: f.Finally | f.Globally | f.Until, at: int, words: _Words) -> tuple[str, str]:
    return words.unit.name(at + formula.first), words.unit.name(at + formula.last)


def _phrase(formula: f.Formula, words: _Words) -> Phrase | None:
    return words.phrases[formula.name] if isinstance(formula, f.Atom) else None


def _said(phrase: Phrase) -> str:
    return f"{phrase.subject} {phrase.predicate}"


def _not(phrase: Phrase, when: str) -> str:
    """A denial with one negation: of a state "at any time", since it might else mean that it did not fill the time."""
    ever = "" if phrase.point else " at any time"
    return f"{phrase.subject} {phrase.auxiliary.lower()} not {phrase.base}{ever} {when}"


def _both(one: str, other: str) -> str:
    return f"it was the case both that {one} and that {other} {_APART}"


def _pair(formula: f.Formula, words: _Words) -> tuple[str, str] | None:
    """Both sides of an & or | of two plain events."""
    if isinstance(formula, f.And | f.Or):
        left, right = _phrase(formula.left, words), _phrase(formula.right, words)
        if left and right and formula.left != formula.right:
            return _said(left), _said(right)
    return None


def _in_unit(formula: f.Formula, name: str, words: _Words) -> _Clause | None:
    """A clause about one unit: an event, its denial, or two events joined."""
    there = f"{words.unit.on} {words.unit.lead}{name}"
    if isinstance(formula, f.Not):
        return _denied(_in_unit(formula.arg, name, words))
    if phrase := _phrase(formula, words):
        when = there if phrase.point else f"at some time {there}"
        return _Clause(
            f"{_said(phrase)} {when}",
            _not(phrase, there),
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
            _unit_paraphrase(phrase, name, words),
        )
    if pair := _pair(formula, words):
        one, other = pair
        if isinstance(formula, f.And):
            return _is_true(
                f"in the course of {words.unit.lead}{name}, {_both(one, other)}",
                f"{there}, at least one of these was never the case: {one}; {other}",
            )
        return _is_true(
            f"at some time {there}, at least one of these was the case: {one}; {other}",
            f"none of these was the case at any time {there}: {one}; {other}",
        )
    return None


def _unit_paraphrase(phrase: Phrase, name: str, words: _Words) -> str:
    if phrase.point:
        on = f"{words.unit.noun} {words.unit.on} which"
        return f"Was {name} the {on} {_said(phrase)}?"
    return f"{phrase.auxiliary} {phrase.subject} {phrase.base} during at least part of {words.unit.lead}{name}?"


def _some_never(first: str, last: str, unit: UnitWords) -> tuple[str, str]:
    window = f"of the {unit.noun}s {first} to {last}"
    return f"{unit.on} at least one {window}", f"{unit.on} any {window}"


def _in_some(formula: f.Formula, first: str, last: str, words: _Words) -> _Clause | None:
    if isinstance(formula, f.Not):
        inner = _phrase(formula.arg, words)
        # That something that happens once did not happen in one of several years is true whatever the dates.
        return None if inner and inner.point else _denied(_in_every(formula.arg, first, last, words))
    some, never = _some_never(first, last, words.unit)
    if phrase := _phrase(formula, words):
        when = some
        noun, on = words.unit.noun, words.unit.on
        return _Clause(
            f"{_said(phrase)} {when}",
            _not(phrase, never),
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} no earlier than {first} and no later than {last}?"
            if phrase.point
            else f"Was there at least one {noun} from {first} to {last} {on} which {_said(phrase)}?",
        )
    if pair := _pair(formula, words):
        one, other = pair
        if isinstance(formula, f.And):
            rest = f"{words.unit.noun} from {first} to {last} in the course of which {_both(one, other)}"
            return _is_true(f"there was at least one {rest}", f"there was no {rest}")
        return _is_true(
            f"{some}, at least one of these was the case: {one}; {other}",
            f"none of these was the case at any time {never}: {one}; {other}",
        )
    return None


def _in_every(formula: f.Formula, first: str, last: str, words: _Words) -> _Clause | None:
    if isinstance(formula, f.Not):
        return _denied(_in_some(formula.arg, first, last, words))
    noun = words.unit.noun
    every = f"{words.unit.on} every {noun} from {first} to {last}"
    if phrase := _phrase(formula, words):
        if phrase.point:
            return None  # it would have to happen year after year
        when = f"{every}, for at least part of each"
        return _Clause(
            f"{_said(phrase)} {when}",
            f"there was at least one {noun} from {first} to {last} {words.unit.on} which {_not(phrase, '').rstrip()}",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} during at least part of each of the {noun}s "
            f"{first} to {last}?",
        )
    if pair := _pair(formula, words):
        if any(words.phrases[name].point for name in f.atoms(formula)):
            return None
        one, other = pair
        # "In at least one year, at least one was never …" leaves open which comes first; this fixes the unit first.
        within = f"there was at least one {noun} from {first} to {last} in the course of which"
        if isinstance(formula, f.And):
            return _is_true(
                f"in the course of every {noun} from {first} to {last}, {_both(one, other)}",
                f"{within} at least one of these was never the case: {one}; {other}",
            )
        return _is_true(
            f"{every}, at least one of these was the case for at least part of the {noun}: {one}; {other}",
            f"{within} none of these was ever the case: {one}; {other}",
        )
    return None


def _until(formula: f.Until, at: int, words: _Words) -> _Clause | None:
    if formula.first < 2:
        return None
    noun, letter = words.unit.noun, words.unit.letter
    lasted = _lasted(formula.left, f"{noun} after {words.unit.name(at)} and before {letter}", words)
    arrived = _arrived(formula.right, words)
    if not lasted or not arrived:
        return None
    first, last = _window(formula, at, words)
    rest = f"{noun} {letter} from {first} to {last} such that {arrived}, and {lasted}"
    if formula.first == formula.last:
        rest = f"{noun} {letter}, namely {first}, such that {arrived}, and {lasted}"
    return _Clause(f"there is a {rest}", f"there is no {rest}", f"Is there a {rest}?")


def _lasted(formula: f.Formula, between: str, words: _Words) -> str | None:
    match formula:
        case f.Atom(name=name) if not words.phrases[name].point:
            return f"{_said(words.phrases[name])} {words.unit.on} every {between}, for at least part of each"
        case _:  # "there is no year such that it was not …" would be a double negative
            return None


def _arrived(formula: f.Formula, words: _Words) -> str | None:
    there = f"{words.unit.on} {words.unit.letter}"
    match formula:
        case f.Atom():
            phrase = words.phrases[formula.name]
            return f"{_said(phrase)} {there if phrase.point else f'at some time {there}'}"
        case f.And() if pair := _pair(formula, words):
            return f"in the course of {words.unit.letter} {_both(*pair)}"
        case _:
            return None


def _list(formula: f.And | f.Or, at: int, words: _Words) -> _Clause | None:
    """Two clauses with years of their own, as numbered statements."""
    one, other = _clause(formula.left, at, words), _clause(formula.right, at, words)
    if one is None or other is None or formula.left == formula.right:
        return None
    if ";" in one.says + other.says:
        return None  # a list inside a list: where the inner one ends is anybody's guess
    if any("such that" in clause.says and _APART in clause.says for clause in (one, other)):
        return None  # nobody reads to the end of it
    if any(re.search(r"\b(not|no|none|never)\b", clause.says.replace(_APART, "")) for clause in (one, other)):
        return None  # "at least one is false: (1) it was not …" is a double negative
    listed = f"(1) {one.says}; (2) {other.says}"
    asked = f"(1) {_sentence(one.says)} (2) {_sentence(other.says)}"
    if isinstance(formula, f.And):
        return _Clause(
            f"both of these statements are true: {listed}",
            f"at least one of these statements is false: {listed}",
            f"Are both of these statements true? {asked}",
        )
    return _Clause(
        f"at least one of these statements is true: {listed}",
        f"both of these statements are false: {listed}",
        f"Is at least one of these statements true? {asked}",
    )
