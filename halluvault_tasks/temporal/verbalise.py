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

Years stand as absolute years, BC where they are. What cannot be said with one reading gives None: a window inside a
window, "next" of anything but events, until where its first bound is below 2 (then the strict and the usual reading
of "until" differ), a point that is asked to last. The wordings name their reading ("for at least part of each",
"after 1817 and before Y"), so that the gold does not hang on how a reader takes "in" or "until".
"""

from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.units import Granularity

POINT_KINDS = frozenset({"event", "publication", "birth", "founding", "award"})
"""Kinds that happen in one moment; every other kind is a state that lasts."""


class Phrase(NamedTuple):
    """How an atom is said.

    Args:
        subject: with its article, as it stands inside a sentence: `the Victorian era`, `Charles Dickens`.
        predicate: finite past: `was in progress`, `held the position of President of the United States`.
        auxiliary: for the question, `Was` or `Did`; with `base` it replaces the predicate's verb.
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


class _Clause(NamedTuple):
    """A clause without capital and full stop, its denial, and its question."""

    says: str
    denies: str
    asks: str


def question(
    formula: f.Formula, at: int, phrases: Mapping[str, Phrase], granularity: Granularity = Granularity.YEAR
) -> Wording | None:
    """Word a query. Only years have a wording.

    Args:
        formula: what is asked.
        at: the astronomical year t.
        phrases: by atom name.
        granularity: the unit of the formula's windows.

    Returns:
        The wording, or None where there is none with a single reading or a phrase is missing.
    """
    if granularity is not Granularity.YEAR or any(name not in phrases for name in f.atoms(formula)):
        return None
    clause = _clause(formula, at, phrases)
    if clause is None:
        return None
    return Wording(clause.asks, _sentence(clause.says), _sentence(clause.denies))


def year_text(year: int) -> str:
    """A year for people: `1837`, `44 BC`; the first hundred years carry AD."""
    if year < 1:
        return f"{1 - year} BC"
    return str(year) if year >= 100 else f"AD {year}"


_OPENINGS = ("the ", "a ", "an ", "in ", "at ", "there ", "both ")


def _sentence(clause: str) -> str:
    # Only our own words get a capital: a name such as iPhone keeps its first letter.
    return (clause[0].upper() + clause[1:] if clause.startswith(_OPENINGS) else clause) + "."


def _is_true(says: str, denies: str) -> _Clause:
    return _Clause(says, denies, f"Is it true that {says}?")


def _denied(clause: _Clause | None) -> _Clause | None:
    return None if clause is None else _is_true(clause.denies, clause.says)


def _clause(formula: f.Formula, at: int, phrases: Mapping[str, Phrase]) -> _Clause | None:
    match formula:
        case f.Atom() | f.Not(arg=f.Atom()):
            return _in_year(formula, year_text(at), phrases)
        case f.Next():
            return _in_year(formula.arg, f"{year_text(at + 1)} (the year after {year_text(at)})", phrases)
        case f.Not():
            return _denied(_clause(formula.arg, at, phrases))
        case f.Finally() | f.Globally() if formula.first == formula.last:
            return _in_year(formula.arg, year_text(at + formula.first), phrases)
        case f.Finally():
            return _some_year(formula.arg, *_years(formula, at), phrases)
        case f.Globally():
            return _every_year(formula.arg, *_years(formula, at), phrases)
        case f.Until():
            return _until(formula, at, phrases)
        case f.And() | f.Or():
            return _in_year(formula, year_text(at), phrases) or _list(formula, at, phrases)


def _years(formula: f.Finally | f.Globally | f.Until, at: int) -> tuple[str, str]:
    return year_text(at + formula.first), year_text(at + formula.last)


def _phrase(formula: f.Formula, phrases: Mapping[str, Phrase]) -> Phrase | None:
    return phrases[formula.name] if isinstance(formula, f.Atom) else None


def _said(phrase: Phrase) -> str:
    return f"{phrase.subject} {phrase.predicate}"


def _pair(formula: f.Formula, phrases: Mapping[str, Phrase]) -> tuple[str, str] | None:
    """Both sides of an & or | of two plain events."""
    if isinstance(formula, f.And | f.Or):
        left, right = _phrase(formula.left, phrases), _phrase(formula.right, phrases)
        if left and right and formula.left != formula.right:
            return _said(left), _said(right)
    return None


def _in_year(formula: f.Formula, year: str, phrases: Mapping[str, Phrase]) -> _Clause | None:
    """A clause about one year: an event, its denial, or two events joined."""
    if isinstance(formula, f.Not):
        return _denied(_in_year(formula.arg, year, phrases))
    if phrase := _phrase(formula, phrases):
        when = f"in the year {year}" if phrase.point else f"at some time in the year {year}"
        return _Clause(
            f"{_said(phrase)} {when}",
            f"{_said(phrase)} at no time in the year {year}",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
        )
    if pair := _pair(formula, phrases):
        one, other = pair
        if isinstance(formula, f.And):
            return _is_true(
                f"in the course of the year {year}, both {one} and {other} (not necessarily at the same moment)",
                f"in the year {year}, at least one of these was never the case: {one}; {other}",
            )
        return _is_true(
            f"at some time in the year {year}, at least one of these was the case: {one}; {other}",
            f"at no time in the year {year} was any of these the case: {one}; {other}",
        )
    return None


def _some_year(formula: f.Formula, first: str, last: str, phrases: Mapping[str, Phrase]) -> _Clause | None:
    if isinstance(formula, f.Not):
        return _denied(_every_year(formula.arg, first, last, phrases, lasting=False))
    if phrase := _phrase(formula, phrases):
        when = f"in at least one of the years {first} to {last}"
        return _Clause(
            f"{_said(phrase)} {when}",
            f"{_said(phrase)} at no time in any of the years {first} to {last}",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
        )
    if pair := _pair(formula, phrases):
        one, other = pair
        if isinstance(formula, f.And):
            rest = f"year from {first} to {last} in the course of which both {one} and {other} "
            rest += "(not necessarily at the same moment)"
            return _is_true(f"there was at least one {rest}", f"there was no {rest}")
        return _is_true(
            f"in at least one of the years {first} to {last}, at least one of these was the case: {one}; {other}",
            f"at no time in any of the years {first} to {last} was any of these the case: {one}; {other}",
        )
    return None


def _every_year(
    formula: f.Formula, first: str, last: str, phrases: Mapping[str, Phrase], lasting: bool = True
) -> _Clause | None:
    """`lasting` refuses a point that would have to happen year after year."""
    if isinstance(formula, f.Not):
        return _denied(_some_year(formula.arg, first, last, phrases))
    if phrase := _phrase(formula, phrases):
        if phrase.point and lasting:
            return None
        when = f"in every year from {first} to {last}, for at least part of each"
        return _Clause(
            f"{_said(phrase)} {when}",
            f"in at least one of the years {first} to {last}, {_said(phrase)} at no time",
            f"{phrase.auxiliary} {phrase.subject} {phrase.base} {when}?",
        )
    if pair := _pair(formula, phrases):
        if any(phrases[name].point for name in f.atoms(formula)):
            return None
        one, other = pair
        if isinstance(formula, f.And):
            return _is_true(
                f"in the course of every year from {first} to {last}, both {one} and {other} "
                "(not necessarily at the same moment)",
                f"in at least one of the years {first} to {last}, at least one of these was never the case: "
                f"{one}; {other}",
            )
        return _is_true(
            f"in every year from {first} to {last}, at least one of these was the case for at least part of the year: "
            f"{one}; {other}",
            f"in at least one of the years {first} to {last}, none of these was the case at any time: {one}; {other}",
        )
    return None


def _until(formula: f.Until, at: int, phrases: Mapping[str, Phrase]) -> _Clause | None:
    if formula.first < 2:
        return None
    lasted = _lasted(formula.left, f"year after {year_text(at)} and before Y", phrases)
    arrived = _arrived(formula.right, phrases)
    if not lasted or not arrived:
        return None
    first, last = _years(formula, at)
    rest = f"year Y from {first} to {last} such that {arrived}, and {lasted}"
    if formula.first == formula.last:
        rest = f"year Y, namely {first}, such that {arrived}, and {lasted}"
    return _Clause(f"there is a {rest}", f"there is no {rest}", f"Is there a {rest}?")


def _lasted(formula: f.Formula, between: str, phrases: Mapping[str, Phrase]) -> str | None:
    match formula:
        case f.Atom(name=name) if not phrases[name].point:
            return f"{_said(phrases[name])} in every {between}, for at least part of each"
        case f.Not(arg=f.Atom(name=name)):
            return f"{_said(phrases[name])} at no time in any {between}"
        case _:
            return None


def _arrived(formula: f.Formula, phrases: Mapping[str, Phrase]) -> str | None:
    match formula:
        case f.Atom():
            phrase = phrases[formula.name]
            return f"{_said(phrase)} {'in' if phrase.point else 'at some time in'} Y"
        case f.Not(arg=f.Atom(name=name)):
            return f"{_said(phrases[name])} at no time in Y"
        case f.And() if pair := _pair(formula, phrases):
            return f"in the course of Y both {pair[0]} and {pair[1]} (not necessarily at the same moment)"
        case _:
            return None


def _list(formula: f.And | f.Or, at: int, phrases: Mapping[str, Phrase]) -> _Clause | None:
    """Two clauses with years of their own, as numbered statements."""
    one, other = _clause(formula.left, at, phrases), _clause(formula.right, at, phrases)
    if one is None or other is None or formula.left == formula.right:
        return None
    if ";" in one.says + other.says:
        return None  # a list inside a list: where the inner one ends is anybody's guess
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
