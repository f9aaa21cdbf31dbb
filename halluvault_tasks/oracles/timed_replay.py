"""Temporal cases replayed: the formula over the dates that a response gives, answered by prolog_rules/mtl.pl.

`own` has only what the response says: a date that it does not give is unknown. `fill` has the case's dates with each
one that the response gives, or denies, put in place of the known one (semantics.md section 4.2).
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading.base import Claim, ClaimTriple
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Point, Row, Span, Timed, timed
from halluvault_tasks.temporal.units import Granularity, unit_of

Answer = Literal["yes", "no", "undetermined", "inconsistent"]

_ANY = Interval(None, None)
_ANSWERS: Mapping[bool | None, Answer] = {True: "yes", False: "no", None: "undetermined"}


_Bounds = tuple[int | None, int | None]
"""First and last unit in which something may lie."""

_DENIED: _Bounds = (None, None)

_Terms = tuple[tuple[Row, ...], Interval | None]
"""Rows of an atom, and where further ones may lie."""


class DatedPremise(NamedTuple):
    """A premise that dates something."""

    claim: Claim
    triple: ClaimTriple


class Replayed(NamedTuple):
    """A temporal case's two replays."""

    own: Answer
    fill: Answer


class _Planned(NamedTuple):
    """A formula at a time point, over its atoms as a replay takes them."""

    formula: str
    at: int
    atoms: tuple[Timed, ...]


def replay(
    engine: Engine, history: History, items: Sequence[tuple[CaseToJudge, Sequence[DatedPremise]]]
) -> list[Replayed]:
    """Replay temporal cases, one call of Prolog for all.

    Args:
        engine: with `mtl_run.pl` loaded.
        history: the snapshot's atoms at the granularity of the cases.
        items: cases with the dated premises of one response each.

    Returns:
        In the order of the items.
    """
    planned = [[_planned(case, premises, history, own) for own in (True, False)] for case, premises in items]
    wanted = dict.fromkeys(one for pair in planned for one in pair if isinstance(one, _Planned))
    asked: list[Query] = []
    rows: dict[str, Timed] = {}
    for number, one in enumerate(wanted):
        for atom in one.atoms:
            rows[f"{number}:{atom.name}"] = atom._replace(name=f"{number}:{atom.name}")
        asked.append(Query(_renamed(parse(one.formula), number), one.at))
    found = evaluate(engine, asked, rows) if asked else []
    answers = {one: _ANSWERS[each.answer] for one, each in zip(wanted, found, strict=True)}
    return [Replayed(*(answers[one] if isinstance(one, _Planned) else one for one in pair)) for pair in planned]


def _planned(case: CaseToJudge, premises: Sequence[DatedPremise], history: History, own: bool) -> Answer | _Planned:
    """What is to be evaluated, or the answer where nothing is."""
    if own and not premises:
        return "undetermined"
    atoms = []
    for name in formulas.atoms(parse(case.formula)):
        if name not in history.atoms:
            return "undetermined"
        found = _rows(history.atoms[name], premises, own, Granularity(case.granularity))
        if found is None:
            return "inconsistent"
        known = timed(name, found[0], open_within=found[1], limit=history.limit)
        # What others held is the case's; a response of its own says nothing of it.
        atoms.append(known if own else known._replace(others=history.atoms[name].timed.others))
    return _Planned(case.formula, case.at, tuple(atoms))


def _renamed(formula: formulas.Formula, number: int) -> formulas.Formula:
    """The formula with its atoms' names led by a number, so that each response has atoms of its own."""
    if isinstance(formula, formulas.Atom):
        return formulas.Atom(f"{number}:{formula.name}")
    values = {one.name: getattr(formula, one.name) for one in dataclasses.fields(formula) if one.init}
    parts: dict[str, Any] = {
        name: _renamed(value, number) for name, value in values.items() if not isinstance(value, int)
    }
    return dataclasses.replace(formula, **parts)


def _rows(atom: HistoryAtom, premises: Iterable[DatedPremise], own: bool, granularity: Granularity) -> _Terms | None:
    """The atom's terms as the response has them; None if an end comes before its start."""
    said = partial(_said, [one for one in premises if one.triple.s == atom.qid], granularity=granularity)
    if len(atom.kind.dates) == 1:
        return _event(atom.timed, said(*atom.kind.dates), own)
    if atom.kind.dates:
        start, end = (said(p) for p in atom.kind.dates)
        return _spans(atom.timed, start, end, own)
    return _term(atom, partial(said, atom.p, o=atom.o), own)


def _event(known: Timed, said: _Bounds | None, own: bool) -> _Terms:
    if said is None:
        return ((), _ANY) if own else (known.rows, known.open_within)
    return ((), _ANY) if said == _DENIED else ((_point(*said),), None)


def _term(atom: HistoryAtom, said: Callable[..., _Bounds | None], own: bool) -> _Terms | None:
    known, begins = atom.timed, atom.kind.begins is not None
    start, end = said(which="start"), said(which="end")
    point = start if begins else said(which="point")
    if point is not None and point != _DENIED:
        return ((_point(*point),), known.open_within)
    if begins or (start is None and end is None):
        return ((), known.open_within or _ANY) if own else (known.rows, known.open_within)
    return _spans(known, start, end, own)


def _spans(known: Timed, start: _Bounds | None, end: _Bounds | None, own: bool) -> _Terms | None:
    base = known.rows[0] if not own and known.rows and isinstance(known.rows[0], Span) else Span(None, None, None, None)
    s1, s2 = start if start is not None else base[:2]
    e1, e2 = end if end is not None else base[2:]
    if s1 is not None and e2 is not None and s1 > e2:
        return None
    return (Span(s1, s2, e1, e2), *(known.rows[1:] if not own else ())), known.open_within


def _point(first: int | None, last: int | None) -> Row:
    return Point(first, last) if first is not None and last is not None else Span(first, last, first, last)


def _said(
    premises: Iterable[DatedPremise], p: int, *, granularity: Granularity, which: str = "", o: int | None = None
) -> _Bounds | None:
    """Bounds in units that the response gives for a date; `_DENIED` if it denies it; None if it is silent.

    Args:
        o: of a term: whose, or of what; None: of no term.
    """
    found: _Bounds | None = None
    for claim, triple in premises:
        if (triple.p, claim.which) != (p, which) or claim.days is None or o not in (None, triple.o):
            continue
        if claim.negative:
            found = found or _DENIED
            continue
        first, last = (unit_of(day, granularity) for day in claim.days[:2])
        if found and found[0] is not None and found[1] is not None:
            overlap = max(found[0], first), min(found[1], last)
            first, last = overlap if overlap[0] <= overlap[1] else (first, last)
        found = first, last
    return found
