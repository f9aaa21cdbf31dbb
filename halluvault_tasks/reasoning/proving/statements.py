"""The statements that a fact rests on, with paths rebuilt."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session
from sqlalchemy.types import Integer

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.proving.asked import Asked, base
from halluvault_tasks.reasoning.records import Composed, DerivedFact, Premise, Rule
from halluvault_tasks.storage.tables import derived_fact, statement


def statements_of(
    session: Session, snapshot: str, facts: Sequence[Asked], rules: Mapping[int, Rule]
) -> list[tuple[int, ...]]:
    """For each fact the statement ids that it depends on, in the order of the argument, paths rebuilt."""
    bases = [base(fact) for fact in facts]
    climbing = [fact for fact in bases if isinstance(fact, DerivedFact) and fact.via is not None]
    if not climbing:
        return [fact.evidence for fact in facts]
    closure = _closure(session, snapshot, climbing, rules)
    paths = [path_up(fact, closure) for fact in climbing]
    firsts = [_first(rules[fact.rule], path) for fact, path in zip(climbing, paths, strict=True)]
    stated = _stated(session, snapshot, [first for first in firsts if first])
    rebuilt: dict[Asked, tuple[int, ...]] = {
        # 0 is no statement's number: a first step that is gone is found missing with the others.
        fact: (stated.get((first.p, first.s, first.o), 0), *path.sids) if first else path.sids
        for fact, first, path in zip(climbing, firsts, paths, strict=True)
    }
    called = [fact.sole.evidence if isinstance(fact, Composed) else () for fact in facts]
    return [(*rebuilt.get(of, of.evidence), *by) for of, by in zip(bases, called, strict=True)]


class StatementPath(NamedTuple):
    """What a fact rests on, once the rows before it are read.

    Attributes:
        sids: statements in the order of the argument.
        first: ends of the stated step before them, which has no row; None: there is none.
    """

    sids: tuple[int, ...]
    first: tuple[int, int] | None = None


def path_up(fact: DerivedFact, closure: Mapping[tuple[int, int, int], DerivedFact]) -> StatementPath:
    """Rebuild the path of a row that holds its last step alone; of another, its evidence.

    Args:
        fact: the row.
        closure: the rows of its rule and subject, by (rule, s, o).

    Raises:
        UserError: the rows lead in a circle.
    """
    if fact.via is None:
        return StatementPath(fact.evidence)
    *before, last = fact.evidence
    steps = [last]
    via = fact.via
    while above := closure.get((fact.rule, fact.s, via)):
        steps.append(above.evidence[-1])
        if len(steps) > len(closure) or above.via is None:
            raise UserError(f"the evidence of {fact} is circular", "`halluvault derive run`")
        via = above.via
    # Where no statement stands before the steps, the path begins with one that is stated and so was not derived.
    return StatementPath((*before, *reversed(steps)), None if before else (fact.s, via))


class _First(NamedTuple):
    """The stated step with which a path begins; `bound`: its property holds for a time."""

    p: int
    bound: bool
    s: int
    o: int


def _first(rule: Rule, path: StatementPath) -> _First | None:
    if path.first is None:
        return None
    p = rule.premises[-1]
    return _First(p, p in rule.support["time_bound"], *path.first)


def _stated(session: Session, snapshot: str, firsts: Iterable[_First]) -> dict[tuple[int, int, int], int]:
    """(p, s, o) → the statement that says so."""
    pairs: dict[tuple[int, bool], set[tuple[int, int]]] = defaultdict(set)
    for p, bound, s, o in firsts:
        pairs[p, bound].add((s, o))
    return {
        (p, *pair): sid
        for (p, bound), ends in pairs.items()
        for pair, sid in _direct(session, snapshot, p, bound, ends)
    }


def _closure(
    session: Session, snapshot: str, climbing: Collection[DerivedFact], rules: Mapping[int, Rule]
) -> dict[tuple[int, int, int], DerivedFact]:
    """(rule, s, o) → the row, of those before some that hold their last step alone."""
    c = derived_fact.c
    query = select(*COLUMNS).where(
        c.snapshot == snapshot,
        c.rule.in_({fact.rule for fact in climbing}),
        c.s.in_({fact.s for fact in climbing}),
    )
    return {(row.rule, row.s, row.o): fact_of(row, rules) for row in session.execute(query)}


def _direct(
    session: Session, snapshot: str, p: int, bound: bool, pairs: Iterable[tuple[int, int]]
) -> list[tuple[tuple[int, int], int]]:
    condition = usable.STANDING_TIME_BOUND if bound else usable.STANDING_TIMELESS
    ordered = sorted(pairs)
    query = text(
        f"SELECT st.s, st.o, min(st.sid) AS sid FROM statement st WHERE {condition} AND st.p = :p "  # noqa: S608
        "AND (st.s, st.o) IN (SELECT * FROM unnest(:subjects, :objects)) GROUP BY st.s, st.o"
    ).bindparams(bindparam("subjects", type_=ARRAY(Integer)), bindparam("objects", type_=ARRAY(Integer)))
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot), "p": p}
    rows = session.execute(query, {**bind, "subjects": [s for s, _ in ordered], "objects": [o for _, o in ordered]})
    return [((row.s, row.o), row.sid) for row in rows]


def premises_of(session: Session, snapshot: str, sids: set[int]) -> dict[int, Premise]:
    """The statements of these ids, as far as the snapshot has them."""
    c = statement.c
    columns = (c.sid, c.guid, c.s, c.p, c.o, c.kind, c.earliest, c.latest, c.precision, c.amount, c.julian)
    query = select(*columns).where(c.snapshot == snapshot, c.sid.in_(sorted(sids)))
    return {row.sid: Premise._make(row) for row in session.execute(query)}
