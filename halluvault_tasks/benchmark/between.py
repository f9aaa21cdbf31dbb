"""Two benchmarks held against each other, however many months lie between: by following the stored steps."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Select, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import benchmark, benchmark_case, cases


class Listed(NamedTuple):
    """A change as people read it."""

    snapshot: str
    """The month in which it happened."""
    case_id: str
    reason: str
    detail: str
    successor: str | None
    question: str
    gold: str


class Months(NamedTuple):
    """Two benchmarks held against each other."""

    before: str
    after: str
    path: tuple[str, ...]
    """The benchmarks from one to the other, both included."""
    stays: int
    retired: tuple[Listed, ...]
    """Cases of the earlier that the later lacks, each with its last retirement; by reason, then id."""
    new: tuple[Listed, ...]


def between(session: Session, before: str, after: str) -> Months:
    """What changed from one benchmark to a later one.

    Raises:
        UserError: one of them is not frozen, or the later does not follow on the earlier.
    """
    links = dict(session.execute(select(benchmark.c.snapshot, benchmark.c.previous)).all())
    for key in (before, after):
        if key not in links:
            raise UserError(
                f"snapshot {key} has no benchmark; there are {', '.join(sorted(links)) or 'none'}",
                f"halluvault benchmark build --snapshot {key}",
            )
    path = [after]
    while path[-1] != before and links.get(path[-1]):
        path.append(links[path[-1]])
    if path[-1] != before:
        raise UserError(
            f"the benchmark of {after} does not follow on that of {before}; it follows on "
            f"{', '.join(path[1:]) or 'none'}",
            "name two of them, the earlier first",
        )
    path.reverse()
    held = {key: set(session.scalars(_ids(key))) for key in (before, after)}
    listed = {
        kind: [one for one in _listed(session, path[1:], kind) if one.case_id in held[side] - held[other]]
        for kind, side, other in (("retired", before, after), ("new", after, before))
    }
    successors = dict(session.execute(select(cases.c.supersedes, cases.c.id).where(cases.c.id.in_(held[after]))).all())
    listed["retired"] = [
        one._replace(successor=one.successor or successors.get(one.case_id)) for one in listed["retired"]
    ]
    # A case may leave and come back on a longer way: the last time is the one that counts.
    last = {kind: {one.case_id: one for one in several} for kind, several in listed.items()}
    ordered = {
        kind: tuple(sorted(found.values(), key=lambda one: (one.reason, one.case_id))) for kind, found in last.items()
    }
    return Months(before, after, tuple(path), len(held[before] & held[after]), ordered["retired"], ordered["new"])


def last_step(session: Session, after: str) -> str:
    """The benchmark that one follows on.

    Raises:
        UserError: it is not frozen, or is its source's first.
    """
    found = session.execute(select(benchmark.c.previous).where(benchmark.c.snapshot == after)).first()
    if found is None:
        raise UserError(f"snapshot {after} has no benchmark", f"halluvault benchmark build --snapshot {after}")
    if not found[0]:
        raise UserError(f"the benchmark of {after} is the first of its source: there is none to hold it against")
    return str(found[0])


def _ids(snapshot: str) -> Select[str]:
    return select(benchmark_case.c.case_id).where(benchmark_case.c.snapshot == snapshot)


_LISTED = text(
    "SELECT b.snapshot, b.case_id, b.reason, b.detail, b.successor, c.question, c.gold"
    " FROM benchmark_change b JOIN cases c ON c.id = b.case_id JOIN snapshot s ON s.snapshot = b.snapshot"
    " WHERE b.snapshot = ANY(:path) AND b.change = :change ORDER BY s.month, s.revision, b.case_id"
)


def _listed(session: Session, path: Sequence[str], change: str) -> list[Listed]:
    return [Listed(*row) for row in session.execute(_LISTED, {"path": list(path), "change": change})]
