"""Which snapshots exist, and which one a key means."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, func, select, tuple_, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata import snapshot_keys
from halluvault_tasks.wikidata.snapshot_keys import parse_key

_TABLE = tables.snapshot


class SnapshotRow(NamedTuple):
    """One row of `snapshot`, as stages pass it on."""

    snapshot: str
    """Key in every other table: `YYYY-MM`, or `YYYY-MM.N` from the second pull of the month on."""
    month: str
    revision: int
    as_of: date
    """Date of the data: the pull's start, a dump's header or the sample's date."""
    source: str
    status: str
    """pulling, frozen or published."""
    content_hash: str | None
    """sha256 (hexadecimal) over the normalised rows; None until frozen."""


_COLUMNS = [_TABLE.c[name] for name in SnapshotRow._fields]


def _row(mapping: RowMapping) -> SnapshotRow:
    return SnapshotRow(**mapping)


def listing(session: Session) -> list[SnapshotRow]:
    """Every snapshot, newest month and revision first."""
    rows = session.execute(select(*_COLUMNS).order_by(_TABLE.c.month.desc(), _TABLE.c.revision.desc())).mappings()
    return [_row(row) for row in rows]


def get(session: Session, snapshot: str) -> SnapshotRow:
    """The row of one exact key, whatever its status.

    Raises:
        UserError: there is none; names those that exist.
    """
    row = session.execute(select(*_COLUMNS).where(_TABLE.c.snapshot == snapshot)).mappings().first()
    if row is None:
        raise UserError(f"there is no snapshot {snapshot!r}; {_existing(listing(session))}", _way_to(session, snapshot))
    return _row(row)


def hold(session: Session, snapshot: str) -> str:
    """Status of a snapshot, locked until this transaction ends; call it before writing its rows."""
    held = select(_TABLE.c.status).where(_TABLE.c.snapshot == snapshot).with_for_update(key_share=True)
    return str(session.execute(held).scalar_one())


def notes(session: Session, snapshot: str) -> dict[str, Any]:
    """What was recorded about a snapshot: what the source lacked, counts, gate figures."""
    return dict(session.scalar(select(_TABLE.c.notes).where(_TABLE.c.snapshot == snapshot)) or {})


def normaliser(session: Session, snapshot: str) -> int:
    """Version of the normaliser that made a snapshot's rows (`texts.VERSION`)."""
    return int(notes(session, snapshot).get("complete", {}).get("normaliser", 1))


def note(session: Session, snapshot: str, more: Mapping[str, Any], drop: str = "") -> None:
    """Merge into what is recorded about a snapshot; the caller commits.

    Args:
        session: open session.
        snapshot: exact key.
        more: replaces what is there under the same names.
        drop: a name that no longer holds.
    """
    kept = {key: value for key, value in notes(session, snapshot).items() if key != drop}
    session.execute(update(_TABLE).where(_TABLE.c.snapshot == snapshot).values(notes=kept | dict(more)))


def find(session: Session, key_or_month: str = "") -> SnapshotRow:
    """The snapshot that a key means.

    Args:
        session: open session.
        key_or_month: `YYYY-MM` for the month's highest published revision, `YYYY-MM.N` for exactly that one in
            whatever status, empty for the newest published.

    Raises:
        UserError: there is none such; names those that exist.
    """
    rows = listing(session)
    published = [row for row in rows if row.status == "published"]
    if not key_or_month:
        wanted, missing = published, "no snapshot is published"
    elif (key := parse_key(key_or_month)).revision is None:
        wanted = [row for row in published if row.month == key.month]
        missing = f"no snapshot of {key.month} is published"
    else:
        wanted = [row for row in rows if (row.month, row.revision) == (key.month, key.revision)]
        missing = f"there is no snapshot {key_or_month}"
    if not wanted:
        raise UserError(*_nearest(session, rows, key_or_month, missing))
    return wanted[0]


def _nearest(session: Session, rows: Sequence[SnapshotRow], key_or_month: str, missing: str) -> tuple[str, str]:
    """What to say of a snapshot that is not there, and the way out."""
    key = parse_key(key_or_month) if key_or_month else None
    frozen = [row for row in rows if key and not key.revision and row.month == key.month and row.status == "frozen"]
    if frozen:
        return (
            f"{missing}; {frozen[0].snapshot} is frozen",
            f"halluvault snapshot publish {frozen[0].month}.{frozen[0].revision}, or give that key, which means "
            "exactly this snapshot in whatever status",
        )
    return f"{missing}; {_existing(rows)}", _way_to(session, key_or_month)


def dropped(session: Session) -> frozenset[str]:
    """Keys of the snapshots whose rows were dropped."""
    return frozenset(session.scalars(select(_TABLE.c.snapshot).where(_TABLE.c.dropped_at.is_not(None))))


def predecessor(session: Session, row: SnapshotRow) -> SnapshotRow | None:
    """The last published snapshot of the same source before `row`: what month-to-month gates compare with.

    One whose rows were dropped is passed over: nothing can be compared with it.
    """
    before = (row.month, row.revision)
    gone = dropped(session)
    return next(
        (
            other
            for other in listing(session)
            if other.source == row.source
            and other.status == "published"
            and (other.month, other.revision) < before
            and other.snapshot not in gone
        ),
        None,
    )


def previous_part(session: Session, row: SnapshotRow, suite: str) -> str:
    """The month of the last published part of a suite before a snapshot, of the same source; empty: there is none."""
    part, before = tables.benchmark_part.c, tuple_(_TABLE.c.month, _TABLE.c.revision)
    found = session.scalar(
        select(part.snapshot)
        .join(_TABLE, _TABLE.c.snapshot == part.snapshot)
        .where(
            part.published,
            part.suite == suite,
            _TABLE.c.source == row.source,
            before < tuple_(row.month, row.revision),
        )
        .order_by(_TABLE.c.month.desc(), _TABLE.c.revision.desc())
        .limit(1)
    )
    return str(found or "")


def last_closed(session: Session, today: date | None = None) -> str:
    """The last closed month; None asks the database's clock."""
    return snapshot_keys.last_closed_month(today or session.execute(select(func.current_date())).scalar_one())


def _way_to(session: Session, key: str) -> str:
    """What to type for a month that is not there."""
    if not key:
        return "halluvault pull"
    closed, month = last_closed(session), parse_key(key).month
    if month > closed:
        return f"{month} is not closed yet: the last closed month is {closed}"
    if month == closed:
        return f"halluvault pull --snapshot {key}"
    return f"a past month can only be pulled from a dump: halluvault pull --snapshot {key} --source FILE"


def _existing(rows: Sequence[SnapshotRow]) -> str:
    if not rows:
        return "there are none yet"
    shown = ", ".join(f"{row.snapshot} ({row.status})" for row in rows[:12])
    return f"there are {shown}" + (f" and {len(rows) - 12} more" if len(rows) > 12 else "")
