"""Temporal cases replayed: the formula over the dates that a response gives, answered by prolog_rules/mtl.pl.

`own` has only what the response says: a date that it does not give is unknown. `fill` has the case's dates with each
one that the response gives, or denies, put in place of the known one (semantics.md section 4.2).
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from halluvault_tasks.oracles.asked import Asked
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading.base import Claim, Triple
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Point, Row, Span, Timed, timed
from halluvault_tasks.temporal.units import Granularity, unit_of
from halluvault_tasks.temporal.verbalise import POINT_KINDS

Answer = Literal["yes", "no", "undetermined", "inconsistent"]

_ENDS = {"life": (569, 570), "run": (580, 582), "existence": (571, 576)}
_POINTS = POINT_KINDS - {"award"}
"""Events that one statement dates; an award's is a term's."""

_ANSWERS: Mapping[bool | None, Answer] = {True: "yes", False: "no", None: "undetermined"}


class Dated(NamedTuple):
    """A premise that dates something."""

    claim: Claim
    triple: Triple


class Replayed(NamedTuple):
    """A temporal case's two replays."""

    own: Answer
    fill: Answer


class _Planned(NamedTuple):
    """A formula at a time point, over its atoms as a replay takes them."""

    formula: str
    at: int
    atoms: tuple[Timed, ...]


def replay(engine: Engine, history: History, items: Sequence[tuple[Asked, Sequence[Dated]]]) -> list[Replayed]:
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


def _planned(case: Asked, premises: Sequence[Dated], history: History, own: bool) -> Answer | _Planned:
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
        atoms.append(timed(name, found[0], open_within=found[1], limit=history.limit))
    return _Planned(case.formula, case.at, tuple(atoms))


def _renamed(formula: formulas.Formula, number: int) -> formulas.Formula:
    """The formula with its atoms' names led by a number, so that each response has atoms of its own."""
    if isinstance(formula, formulas.Atom):
        return formulas.Atom(f"{number}:{formula.name}")
    values = {one.name: getattr(formula, one.name) for one in dataclasses.fields(formula) if one.init}
    changed: dict[str, Any] = {
        name: value if isinstance(value, int) else _renamed(value, number) for name, value in values.items()
    }
    return dataclasses.replace(formula, **changed)


_ANY = Interval(None, None)


def _rows(
    atom: HistoryAtom, premises: Iterable[Dated], own: bool, granularity: Granularity
) -> tuple[tuple[Row, ...], Interval | None] | None:
    """The atom's terms as the response has them, and where others may lie; None if an end comes before its start."""
    mine = [one for one in premises if one.triple.s == atom.qid]
    known = atom.timed
    if atom.kind in _POINTS:
        said = _said(mine, atom.p, "", granularity)
        if said is None:
            return ((), _ANY) if own else (known.rows, known.open_within)
        return ((), _ANY) if said == (None, None) else ((_point(*said),), None)
    if atom.kind in _ENDS:
        start, end = (_said(mine, p, "", granularity) for p in _ENDS[atom.kind])
        return _spans(known, start, end, own)
    of_term = [one for one in mine if one.triple.p == atom.p and one.triple.o == atom.o]
    start, end = (_said(of_term, atom.p, which, granularity) for which in ("start", "end"))
    point = _said(of_term, atom.p, "point", granularity)
    if point is not None and point != (None, None):
        return ((_point(*point),), known.open_within)
    if start is None and end is None:
        return ((), known.open_within or _ANY) if own else (known.rows, known.open_within)
    return _spans(known, start, end, own)


def _spans(
    known: Timed, start: tuple[int | None, int | None] | None, end: tuple[int | None, int | None] | None, own: bool
) -> tuple[tuple[Row, ...], Interval | None] | None:
    base = known.rows[0] if not own and known.rows and isinstance(known.rows[0], Span) else Span(None, None, None, None)
    s1, s2 = start if start is not None else base[:2]
    e1, e2 = end if end is not None else base[2:]
    if s1 is not None and e2 is not None and s1 > e2:
        return None
    return (Span(s1, s2, e1, e2), *(known.rows[1:] if not own else ())), known.open_within


def _point(first: int | None, last: int | None) -> Row:
    return Point(first, last) if first is not None and last is not None else Span(first, last, first, last)


def _said(
    premises: Iterable[Dated], p: int, which: str, granularity: Granularity
) -> tuple[int | None, int | None] | None:
    """Bounds in units that the response gives for a date; (None, None) if it denies it; None if it is silent."""
    found: tuple[int | None, int | None] | None = None
    for claim, triple in premises:
        if triple.p != p or claim.which != which or claim.days is None:
            continue
        if claim.negative:
            found = found or (None, None)
            continue
        days = claim.days
        bounds = unit_of(days.earliest, granularity), unit_of(days.latest, granularity)
        if found and found != (None, None) and found[0] is not None and found[1] is not None:
            overlap = max(found[0], bounds[0]), min(found[1], bounds[1])
            bounds = overlap if overlap[0] <= overlap[1] else bounds
        found = bounds
    return found
