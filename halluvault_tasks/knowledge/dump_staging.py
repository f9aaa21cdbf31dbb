"""What the two passes over a dump keep, in tables: on disk, so that memory does not grow with the dump.

They are a snapshot's own and unlogged: there while it is being read, so that a killed reading goes on from the place
that was committed with them; emptied, and that place with them, by a crash of the database, so that it starts over.
"""

import io
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import MetaData, Table, TextClause, text
from sqlalchemy.orm import Session

from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.wikidata import properties as wd

SAME_AS = 0
"""Stands for owl:sameAs where a property's number stands: from a merged item to its heir."""
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"

NEW_LINE = "\\n"
"""A newline in COPY's text format."""
_FLUSH = 1 << 20
"""Characters of a table's lines that are gathered before they are sent."""
_AWAKE_SECONDS = 1.0
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": ""})

_TABLES = {
    "reading": "made_of text, state text",
    "edge": "s integer, p integer, o integer, truthy boolean",
    "sitelinks": "qid integer, n integer",
    "wanted": "qid integer PRIMARY KEY, round integer",
    "term": "qid integer, k text, x text, lang text",
    "claim": "s integer, guid text, parts text",
    "node": "node text, k text, x text",
}
_MEMBERSHIP, _TYPED = tuple(wd.MEMBERSHIP.values()), (SAME_AS, wd.INSTANCE_OF)
_EDGE_INDEXES = (
    "CREATE INDEX ON {edge} (s)",
    f"CREATE INDEX ON {{edge}} (p, o) WHERE truthy AND p IN {_MEMBERSHIP}",
    "CREATE INDEX ON {sitelinks} (qid)",
)
_DETAIL_INDEXES = (
    "CREATE INDEX ON {term} (qid)",
    "CREATE INDEX ON {claim} (s)",
    "CREATE INDEX ON {node} (node)",
)


_MEMBERS = """
SELECT m.qid, l.n
FROM (SELECT DISTINCT s AS qid FROM {edge} WHERE truthy AND p = :via AND o = ANY(:ids)) AS m
LEFT JOIN (SELECT qid, max(n) AS n FROM {sitelinks} GROUP BY qid) AS l ON l.qid = m.qid
WHERE l.n IS NULL OR l.n >= :least ORDER BY 1
"""
_TAIL = """
SELECT m.qid, max(l.n)
FROM (SELECT DISTINCT s AS qid FROM {edge} WHERE truthy AND p = :via AND o = ANY(:ids)) AS m
JOIN {sitelinks} AS l ON l.qid = m.qid
WHERE right(CAST(m.qid AS text), length(:ending)) = :ending
GROUP BY m.qid HAVING max(l.n) BETWEEN :least AND :most ORDER BY 1
"""
_LISTED = """
SELECT i.qid, (SELECT max(n) FROM {sitelinks} l WHERE l.qid = i.qid)
FROM unnest(CAST(:ids AS integer[])) AS i(qid)
WHERE EXISTS (SELECT FROM {edge} e WHERE e.s = i.qid) OR EXISTS (SELECT FROM {term} t WHERE t.qid = i.qid)
ORDER BY 1
"""


class ClassMember(NamedTuple):
    """An item of a class, as seed queries show it."""

    qid: int
    sitelinks: int | None


class Fragment(NamedTuple):
    """What one stretch of the file said of a statement; a statement may come in several.

    Its parts are lines, each of a letter with the number of a property, a space and a term as the dump has it: `v` is
    a value (`ps:`), `x` its node (`psv:`), `q` a qualifier (`pq:`), `y` its node (`pqv:`); `c` alone says that the
    statement is one of its subject (`p:`). `r` is the rank, `t` a type in `wdno:`, without a number.
    """

    s: int
    guid: str
    parts: str


def escaped(value: str) -> str:
    """Text as COPY takes it."""
    return value if value.isprintable() and "\\" not in value else value.translate(_ESCAPES)


def copied(token: str) -> str:
    """A term of N-Triples, or several with spaces between them, as COPY takes it: quicker than `escaped`."""
    return token.translate(_ESCAPES) if "\\" in token or "\t" in token else token


class Shelf:
    """The tables of one snapshot, written in bulk and read by key.

    Args:
        session: open session.
        snapshot: exact key.
        made_of: names all that decides what is kept. What an earlier process kept of anything else is dropped.
    """

    def __init__(self, session: Session, snapshot: str, made_of: str) -> None:
        self._session, self._snapshot = session, snapshot
        self._names = _names(snapshot)
        self._lines: dict[str, list[str]] = {name: [] for name in _TABLES}
        self._sizes = dict.fromkeys(_TABLES, 0)
        self._awake = time.monotonic()
        if self._made_of() != made_of:
            self.start_over(made_of)

    def _made_of(self) -> str:
        if self._session.scalar(text("SELECT to_regclass(:name)"), {"name": self._names["reading"]}) is None:
            return ""
        return str(self._session.scalar(self._sql("SELECT made_of FROM {reading}")) or "")

    def start_over(self, made_of: str) -> None:
        """Forget everything; commits."""
        self._session.rollback()
        forget(self._session, self._snapshot)
        for name, columns in _TABLES.items():
            self._session.execute(self._sql(f"CREATE UNLOGGED TABLE {{{name}}} ({columns})"))
        self._session.execute(self._sql("INSERT INTO {reading} VALUES (:made_of, '{{}}')"), {"made_of": made_of})
        self._session.commit()

    def saved(self) -> dict[str, Any]:
        """What `save` was told last; empty at the beginning."""
        state: dict[str, Any] = json.loads(self._session.scalar(self._sql("SELECT state FROM {reading}")) or "{}")
        return state

    def save(self, state: Mapping[str, Any]) -> None:
        """Commit all that was put, and with it where the reading stands (JSON-safe)."""
        for name in _TABLES:
            self._flush(name)
        self._session.execute(self._sql("UPDATE {reading} SET state = :state"), {"state": json.dumps(state)})
        self._session.commit()

    def wake(self) -> None:
        """Show that the transaction is alive, every second at most: a file may be read for long between two rows."""
        if time.monotonic() - self._awake > _AWAKE_SECONDS:
            self._session.execute(text("SELECT 1"))
            self._awake = time.monotonic()

    def put(self, table: str, lines: Sequence[str]) -> None:
        """Add lines in COPY's text format, escaped already and each with its newline."""
        more = "".join(lines)
        self._lines[table].append(more)
        self._sizes[table] += len(more)
        if self._sizes[table] >= _FLUSH:
            self._flush(table)

    def finish_edges(self) -> None:
        """The first pass is over: index what it kept."""
        self._index(_EDGE_INDEXES, ("edge", "sitelinks"))

    def finish_details(self) -> None:
        """The second pass is over: index what it kept."""
        self._index(_DETAIL_INDEXES, ("term", "claim", "node"))

    def below(self, classes: Iterable[int]) -> list[int]:
        """Classes directly below the given ones."""
        return self._numbers(
            "SELECT DISTINCT s FROM {edge} WHERE truthy AND p = :p AND o = ANY(:ids)",
            p=wd.SUBCLASS_OF,
            ids=sorted(classes),
        )

    def members(self, classes: Iterable[int], via: wd.Pid, sitelinks: int) -> list[ClassMember]:
        """Items that `via` (of `MEMBERSHIP`) puts into one of the classes, with enough sitelinks or no such figure."""
        values = {"via": via, "ids": sorted(classes), "least": sitelinks}
        return [ClassMember(*row) for row in self._session.execute(self._sql(_MEMBERS), values)]

    def tail(self, classes: Iterable[int], via: wd.Pid, sitelinks: tuple[int, int], ending: str) -> list[ClassMember]:
        """Items that `via` puts into one of the classes, with few sitelinks, whose number ends so."""
        least, most = sitelinks
        values = {"via": via, "ids": sorted(classes), "least": least, "most": most, "ending": ending}
        return [ClassMember(*row) for row in self._session.execute(self._sql(_TAIL), values)]

    def listed(self, items: Iterable[int]) -> list[ClassMember]:
        """Those of the items that the dump says anything of."""
        return [ClassMember(*row) for row in self._session.execute(self._sql(_LISTED), {"ids": sorted(items)})]

    def known(self, items: Iterable[int]) -> list[tuple[int, int | None]]:
        """Those of the items that occur at all, with what replaces the merged ones."""
        rows = self._session.execute(
            self._sql(
                "SELECT i.qid, r.o FROM unnest(CAST(:ids AS integer[])) AS i(qid) "  # noqa: S608 (constants of this package)
                "LEFT JOIN {edge} r ON r.s = i.qid AND r.p = 0 "
                "WHERE EXISTS (SELECT FROM {edge} e WHERE e.s = i.qid) "
                f"OR EXISTS (SELECT FROM {{edge}} e WHERE e.truthy AND e.p IN {_MEMBERSHIP} AND e.o = i.qid) "
                "OR EXISTS (SELECT FROM {term} t WHERE t.qid = i.qid) ORDER BY 1, 2"
            ),
            {"ids": sorted(items)},
        )
        return [(int(qid), target) for qid, target in rows]

    def want(self, items: Iterable[int]) -> None:
        """Begin the set of entities that the second pass keeps."""
        self._session.execute(
            self._sql("INSERT INTO {wanted} SELECT DISTINCT q, 0 FROM unnest(CAST(:ids AS integer[])) AS q"),
            {"ids": sorted(items)},
        )
        self._session.execute(self._sql("ANALYZE {wanted}"))

    def follow(self, properties: Sequence[int] | None, last: int, forever: bool) -> int:
        """Want what the newest wanted entities point to.

        Args:
            properties: that are followed; None follows all.
            last: number of the newest round.
            forever: until nothing new comes, instead of once.

        Returns:
            Number of the newest round.
        """
        since = 0
        while True:
            reached: Any = self._session.execute(
                self._sql(
                    "INSERT INTO {wanted} SELECT DISTINCT e.o, CAST(:last AS integer) + 1 FROM {wanted} w "
                    "JOIN {edge} e ON e.s = w.qid "
                    "WHERE w.round >= :since AND (:every OR e.p = ANY(:pids)) ON CONFLICT DO NOTHING"
                ),
                {"last": last, "since": since, "every": properties is None, "pids": list(properties or ())},
            )
            last += 1
            if not forever or not reached.rowcount:
                return last
            since = last

    def wanted(self) -> set[int]:
        """Every wanted entity."""
        return set(self._session.scalars(self._sql("SELECT qid FROM {wanted}")))

    def terms(self, items: Sequence[int]) -> list[tuple[int, str, str, str]]:
        """(item, predicate's IRI, text, language) of labels, descriptions and aliases."""
        return self._rows("SELECT qid, k, x, lang FROM {term} WHERE qid = ANY(:ids)", items)

    def links(self, items: Sequence[int]) -> list[tuple[int, int, int]]:
        """(item, `INSTANCE_OF` or `SAME_AS`, item): types of best rank, and heirs of merged items."""
        return self._rows(
            f"SELECT DISTINCT s, p, o FROM {{edge}} WHERE truthy AND p IN {_TYPED} AND s = ANY(:ids)",  # noqa: S608 (constants of this package)
            items,
        )

    def sitelinks(self, items: Sequence[int]) -> list[tuple[int, int]]:
        """(item, number)."""
        return self._rows("SELECT qid, max(n) FROM {sitelinks} WHERE qid = ANY(:ids) GROUP BY qid", items)

    def claims(self, items: Sequence[int]) -> list[Fragment]:
        """Fragments of the items' statements, those of one statement next to each other."""
        rows = self._rows(
            'SELECT s, guid, parts FROM {claim} WHERE s = ANY(:ids) ORDER BY guid COLLATE "C", parts COLLATE "C"',
            items,
        )
        return [Fragment(*row) for row in rows]

    def nodes(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """Value nodes, each as its fields."""
        fields: dict[str, dict[str, str]] = {}
        for name, key, value in self._rows("SELECT node, k, x FROM {node} WHERE node = ANY(:ids)", names):
            fields.setdefault(name, {})[key] = value
        return fields

    def _numbers(self, query: str, **values: object) -> list[int]:
        return list(self._session.scalars(self._sql(query), values))

    def _rows(self, query: str, ids: Sequence[Any]) -> list[Any]:
        return [tuple(row) for row in self._session.execute(self._sql(query), {"ids": list(ids)})]

    def _index(self, indexes: Sequence[str], names: Sequence[str]) -> None:
        for name in names:
            self._flush(name)
        self._session.execute(text("SET LOCAL maintenance_work_mem = '128MB'"))
        for statement in indexes:
            self._session.execute(self._sql(statement))
        for name in names:
            self._session.execute(text(f"ANALYZE {self._names[name]}"))

    def _flush(self, table: str) -> None:
        if not self._sizes[table]:
            return
        driver = self._session.connection().connection.driver_connection
        assert driver is not None
        lines = io.BytesIO("".join(self._lines[table]).encode())
        with driver.cursor() as cursor:
            cursor.copy_expert(f"COPY {self._names[table]} FROM STDIN", lines, _FLUSH)
        self._lines[table].clear()
        self._sizes[table] = 0

    def _sql(self, statement: str) -> TextClause:
        return text(statement.format_map(self._names))


def forget(session: Session, snapshot: str) -> None:
    """Drop what a reading for a snapshot has kept, if there is any; the caller commits."""
    for name in _names(snapshot).values():
        session.execute(text(f"DROP TABLE IF EXISTS {name}"))


def _names(snapshot: str) -> dict[str, str]:
    return {name: partition_name(Table(f"dump_{name}", MetaData()), snapshot) for name in _TABLES}
