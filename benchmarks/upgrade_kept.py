"""What an upgrade keeps: rows of before, copied aside in the same database, against those that stand there now.

Rows count, not sums of them: each row of before must still be there, by the columns that both versions have. What may
differ is listed here with the reason, and nothing else may.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

ASIDE = "before_upgrade"
"""Schema of the copies."""

CHANGED_TABLES: Mapping[str, str] = {
    "alembic_version": "it says which version the tables are of",
    "model_check": "each model is looked at anew: nobody was asked whether it thinks",
    "lane": "where runs stand that ended, which the newest run replaces",
    "lease": "who was at work then",
}
"""Tables whose rows an upgrade may replace → why."""

MOVING_COLUMNS = frozenset({
    "is_current",
    "is_latest",
    "is_current_of_identity",
    "refreshed_at",
    "computed_at",
    "counted_at",
})
"""Columns that say which of several rows is the newest, and when it was made: later months and verdicts move them."""

CHANGED_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "rule": {"conclusion": "it is the number of a relation now, and was that of a property"},
    "derivation_manifest": {"rows": "it counts what was drawn as well"},
}
"""Table → columns that mean something else since → why."""

GONE_ROWS: Mapping[str, str] = {
    "derivation_manifest": "rule = 0",
}
"""Table → condition on rows that go: nothing was drawn of months that were derived before anything was drawn."""

_TABLES = text("""
SELECT c.relname, n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    OR n.nspname = 'results_v1' AND c.relkind = 'v' AND NOT starts_with(c.relname, '_')
ORDER BY n.nspname, c.relname
""")
_ASIDE = text("SELECT tablename FROM pg_tables WHERE schemaname = :schema ORDER BY 1")
_COLUMNS = text("""
SELECT a.attname FROM pg_attribute a WHERE a.attrelid = to_regclass(:relation) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
""")


class KeptRows(NamedTuple):
    """How the rows of one table or view stand.

    Attributes:
        name: with the schema of a view.
        before: how many there were.
        lost: of these, those that are not there as they were; -1: the table itself is gone.
        columns: that both versions have.
    """

    name: str
    before: int
    lost: int
    columns: int


def copy_aside(session: Session) -> int:
    """Copy every table and every documented view aside; the number of rows. Commits. Done again, it starts anew."""
    session.execute(text(f"DROP SCHEMA IF EXISTS {ASIDE} CASCADE"))
    session.execute(text(f"CREATE SCHEMA {ASIDE}"))
    number = 0
    for name, schema in session.execute(_TABLES).all():
        kept = _aside(name, schema)
        session.execute(text(f"CREATE TABLE {kept} AS SELECT * FROM {schema}.{name}"))  # noqa: S608 (names of ours)
        number += session.scalar(text(f"SELECT count(*) FROM {kept}")) or 0  # noqa: S608
    session.commit()
    return number


def compare(session: Session, moved: bool = False) -> Iterator[KeptRows]:
    """Every table and view that was copied aside, as it stands now.

    Args:
        session: on the upgraded database.
        moved: something was made or judged since, so that `MOVING_COLUMNS` may differ.
    """
    for kept in session.execute(_ASIDE, {"schema": ASIDE}).scalars().all():
        schema, _, name = kept.partition("__")
        if name in CHANGED_TABLES:
            continue
        now = f"{schema}.{name}"
        condition = f"NOT ({GONE_ROWS[name]})" if name in GONE_ROWS else "true"
        theirs = f"FROM {ASIDE}.{kept} WHERE {condition}"
        before = session.scalar(text(f"SELECT count(*) {theirs}")) or 0
        beside = {*CHANGED_COLUMNS.get(name, {}), *(MOVING_COLUMNS if moved else ())}
        told = [column for column in _common(session, f"{ASIDE}.{kept}", now) if column not in beside]
        lost = -1 if before else 0
        if told:
            listed = ", ".join(f'"{column}"' for column in told)
            every = f"SELECT {listed} {theirs} EXCEPT ALL SELECT {listed} FROM {now}"  # noqa: S608
            lost = session.scalar(text(f"SELECT count(*) FROM ({every}) AS gone"))  # noqa: S608
        yield KeptRows(name if schema == "public" else now, before, lost or 0, len(told))


def _aside(name: str, schema: str) -> str:
    return f'{ASIDE}."{schema}__{name}"'


def _common(session: Session, one: str, other: str) -> list[str]:
    theirs, ours = (session.execute(_COLUMNS, {"relation": relation}).scalars().all() for relation in (one, other))
    return [name for name in theirs if name in ours]
