"""Which months a command means: one, a list, a range, or all of some kind."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.wikidata import snapshot_keys
from halluvault_tasks.wikidata.snapshot_keys import parse_key

ALL = "all"
_BETWEEN = ".."
_FORMS = "give YYYY-MM, YYYY-MM.N, a list 2026-01,2026-03, a range 2026-01..2026-10, or all"


def months(
    session: Session, wanted: str, there: Sequence[str] | None = None, what: str = "has a published benchmark"
) -> list[str]:
    """Exact snapshot keys, oldest first.

    Args:
        session: open session.
        wanted: empty for the newest of `there`; one key or several with commas, a range of months with both ends
            in it, or `all`. A month means its highest published revision, of those with a published benchmark where
            `there` is None; what a range or `all` covers are months of
            `there`, of each its highest revision.
        there: exact keys; None means the months that have a published benchmark.
        what: what these have and the others lack, for the message.

    Raises:
        UserError: a key that is none, a month that does not exist, or a range without one.
    """
    among = part_lookup.months(session, published=True) if there is None else sorted(there, key=snapshot_keys.order)
    if not wanted.strip():
        if not among:
            raise UserError(f"no month {what}", "halluvault benchmark build makes one of a pulled month")
        return among[-1:]
    found: dict[str, None] = {}
    for part in filter(None, (piece.strip() for piece in wanted.split(","))):
        if part == ALL or _BETWEEN in part:
            found |= dict.fromkeys(_span(part, among, what))
        else:
            found[reading.meant(session, part) if there is None else snapshots.find(session, part).snapshot] = None
    if not found:
        raise UserError(f"--snapshots {wanted!r} names no month", _FORMS)
    return sorted(found, key=snapshot_keys.order)


class Lacking(NamedTuple):
    """A month of a range that cannot be asked."""

    month: str
    why: str
    way_out: str


def lacking(session: Session, wanted: str, *, published: bool = True) -> list[Lacking]:
    """The months of the ranges in `wanted` that have no published benchmark, oldest first, and why not.

    Args:
        session: open session.
        wanted: as `months` takes it.
        published: False takes a benchmark that is frozen, published or not.

    Raises:
        UserError: a range that is none.
    """
    there = {parse_key(key).month for key in part_lookup.months(session, published=published)}
    unpublished = {parse_key(key).month: key for key in part_lookup.months(session, published=False)}
    rows = {row.month: row for row in reversed(snapshots.listing(session))}
    found = {}
    for part in filter(None, (piece.strip() for piece in wanted.split(","))):
        if _BETWEEN not in part:
            continue
        first, last = _ends(part)
        for month in _calendar(first, last):
            if month not in there:
                found[month] = _why(month, rows.get(month), unpublished.get(month))
    return [found[month] for month in sorted(found)]


def _why(month: str, row: snapshots.SnapshotRow | None, frozen: str | None) -> Lacking:
    if row is None:
        return Lacking(month, "never pulled", "a past month can only be read from a dump: halluvault pull --source")
    if row.status == "pulling":
        return Lacking(month, "its pull is not finished", f"halluvault pull --snapshot {row.snapshot}")
    if frozen is None:
        return Lacking(month, "it has no benchmark", f"halluvault benchmark build --snapshot {row.snapshot}")
    return Lacking(month, "its benchmark is not published", f"halluvault benchmark build --snapshot {frozen}")


def _calendar(first: str, last: str) -> Iterator[str]:
    """Every month from one to the other, both included."""
    year, month = map(int, first.split("-"))
    while (here := f"{year:04d}-{month:02d}") <= last:
        yield here
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


def _ends(part: str) -> tuple[str, str]:
    ends = part.split(_BETWEEN)
    if len(ends) != 2 or any(parse_key(end).revision is not None for end in ends):
        raise UserError(f"{part!r} is not a range of months", _FORMS)
    first, last = (parse_key(end).month for end in ends)
    if first > last:
        raise UserError(f"the range {part!r} ends before it begins", f"did you mean {last}..{first}?")
    return first, last


def _span(part: str, there: Sequence[str], what: str) -> Sequence[str]:
    """The months of a range, of each its highest revision."""
    first, last = "0000-00", "9999-99"
    if part != ALL:
        first, last = _ends(part)
    newest = {parse_key(key).month: key for key in there if first <= parse_key(key).month <= last}
    if not newest:
        raise UserError(f"no month of {part} {what}; there are: {', '.join(there) or 'none'}", _FORMS)
    return list(newest.values())
