"""Two months' benchmarks compared, however far apart, by following each part's stored steps."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Select, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases
from halluvault_tasks.wikidata import snapshot_keys


class Listed(NamedTuple):
    """A change as people read it."""

    snapshot: str
    """The month in which it happened."""
    suite: str
    case_id: str
    reason: str
    detail: str
    successor: str | None
    question: str
    gold: str


class Months(NamedTuple):
    """Two benchmarks compared with each other, as far as they have parts of the same suites."""

    before: str
    after: str
    path: tuple[str, ...]
    """The months from one to the other, both included."""
    suites: tuple[str, ...]
    """What is compared."""
    apart: tuple[str, ...]
    """Suites that only one of them has, or whose later part does not follow on the earlier."""
    stays: int
    retired: tuple[Listed, ...]
    """Cases of the earlier that the later lacks, each with its last retirement; by reason, then id."""
    new: tuple[Listed, ...]


_Links = Mapping[tuple[str, str], str | None]
"""(month, suite) → the month that its part was compared with."""


def between(session: Session, before: str, after: str) -> Months:
    """What changed from one benchmark to a later one, part by part.

    Raises:
        UserError: one of them has no part, or no part of the later follows on one of the earlier.
    """
    part = benchmark_part.c
    links: _Links = {
        (key, suite): previous
        for key, suite, previous in session.execute(select(part.snapshot, part.suite, part.previous))
    }
    held = {suite for month, suite in links if month in (before, after)}
    compared = _compared(session, links, before, after)
    steps = [_of_suite(session, suite, path) for suite, path in compared.items()]
    return Months(
        before,
        after,
        tuple(sorted({month for path in compared.values() for month in path}, key=snapshot_keys.order)),
        tuple(compared),
        tuple(sorted(held - set(compared))),
        sum(step.stays for step in steps),
        tuple(sorted((case for step in steps for case in step.retired), key=_by_reason)),
        tuple(sorted((case for step in steps for case in step.new), key=_by_reason)),
    )


def _compared(session: Session, links: _Links, before: str, after: str) -> dict[str, tuple[str, ...]]:
    """Suite → the months from one benchmark to the other, of the suites that can be followed."""
    held = {key: {suite for month, suite in links if month == key} for key in (before, after)}
    for key, suites in held.items():
        if not suites:
            raise part_lookup.missing(session, key)
    paths = {suite: _path(links, suite, before, after) for suite in sorted(held[before] & held[after])}
    compared = {suite: path for suite, path in paths.items() if path}
    if not compared:
        follows = {previous for (month, _), previous in links.items() if month == after and previous}
        raise UserError(
            f"the benchmark of {after} does not follow that of {before}; it follows "
            f"{', '.join(sorted(follows)) or 'none'}",
            "name two of them, the earlier first",
        )
    return compared


def last_step(session: Session, after: str) -> str:
    """The month that a benchmark follows on: the latest that one of its parts was compared with.

    Raises:
        UserError: it has no part, or is its source's first.
    """
    previous = {part.previous for part in part_lookup.of_month(session, after) if part.previous}
    if not previous:
        raise UserError(f"the benchmark of {after} is the first of its source: there is nothing to compare it with")
    return max(previous, key=snapshot_keys.order)


def _by_reason(one: Listed) -> tuple[str, str]:
    return one.reason, one.case_id


def _path(links: _Links, suite: str, before: str, after: str) -> tuple[str, ...]:
    """The months from one to the other; empty where the later part does not follow on the earlier."""
    path = [after]
    while path[-1] != before and (previous := links.get((path[-1], suite))):
        path.append(previous)
    return tuple(reversed(path)) if path[-1] == before else ()


class _Suite(NamedTuple):
    stays: int
    retired: list[Listed]
    new: list[Listed]


def _of_suite(session: Session, suite: str, path: Sequence[str]) -> _Suite:
    before, after = path[0], path[-1]
    held = {key: set(session.scalars(_ids(key, suite))) for key in (before, after)}
    listed = {
        kind: [one for one in _listed(session, suite, path[1:], kind) if one.case_id in held[side] - held[other]]
        for kind, side, other in (("retired", before, after), ("new", after, before))
    }
    successors = dict(session.execute(select(cases.c.supersedes, cases.c.id).where(cases.c.id.in_(held[after]))).all())
    listed["retired"] = [
        one._replace(successor=one.successor or successors.get(one.case_id)) for one in listed["retired"]
    ]
    # A case may leave and come back on a longer way: the last time is the one that counts.
    last = {kind: {one.case_id: one for one in several} for kind, several in listed.items()}
    return _Suite(len(held[before] & held[after]), list(last["retired"].values()), list(last["new"].values()))


def _ids(snapshot: str, suite: str) -> Select[str]:
    case = benchmark_case.c
    return select(case.case_id).where(case.snapshot == snapshot, case.suite == suite)


_LISTED = text(
    "SELECT b.snapshot, b.suite, b.case_id, b.reason, b.detail, b.successor, c.question, c.gold"
    " FROM benchmark_change b JOIN cases c ON c.id = b.case_id JOIN snapshot s ON s.snapshot = b.snapshot"
    " WHERE b.snapshot = ANY(:path) AND b.suite = :suite AND b.change = :change"
    " ORDER BY s.month, s.revision, b.case_id"
)


def _listed(session: Session, suite: str, path: Sequence[str], change: str) -> list[Listed]:
    rows = session.execute(_LISTED, {"suite": suite, "path": list(path), "change": change})
    return [Listed(*row) for row in rows]
