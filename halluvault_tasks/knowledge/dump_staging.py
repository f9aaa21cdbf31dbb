"""What the two passes over a dump keep, in temporary tables: on disk, so that memory does not grow with the dump.

The tables are rolled back with the transaction: a killed pull leaves nothing behind and starts over.
"""

import io
import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.wikidata import properties as wd

SAME_AS = 0
"""Stands for owl:sameAs where a property's number stands: from a merged item to its heir."""
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"

_FLUSH = 20_000
_AWAKE_SECONDS = 1.0
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": ""})

_TABLES = {
    "dump_edge": "s integer, p integer, o integer, truthy boolean",
    "dump_sitelinks": "qid integer, n integer",
    "dump_wanted": "qid integer PRIMARY KEY, round integer",
    "dump_term": "qid integer, k text, x text, lang text",
    "dump_claim": "s integer, guid text, parts text",
    "dump_node": "node text, k text, x text",
}
_MEMBERSHIP, _TYPED = tuple(wd.MEMBERSHIP.values()), (SAME_AS, wd.INSTANCE_OF)
_EDGE_INDEXES = (
    "CREATE INDEX ON dump_edge (s)",
    f"CREATE INDEX ON dump_edge (p, o) WHERE truthy AND p IN {_MEMBERSHIP}",
    "CREATE INDEX ON dump_sitelinks (qid)",
)
_DETAIL_INDEXES = (
    "CREATE INDEX ON dump_term (qid)",
    "CREATE INDEX ON dump_claim (s)",
    "CREATE INDEX ON dump_node (node)",
)


_MEMBERS = """
SELECT m.qid, l.n
FROM (SELECT DISTINCT s AS qid FROM dump_edge WHERE truthy AND p = :via AND o = ANY(:ids)) AS m
LEFT JOIN (SELECT qid, max(n) AS n FROM dump_sitelinks GROUP BY qid) AS l ON l.qid = m.qid
WHERE l.n IS NULL OR l.n >= :least ORDER BY 1
"""
_TAIL = """
SELECT m.qid, max(l.n)
FROM (SELECT DISTINCT s AS qid FROM dump_edge WHERE truthy AND p = :via AND o = ANY(:ids)) AS m
JOIN dump_sitelinks AS l ON l.qid = m.qid
WHERE right(CAST(m.qid AS text), length(:ending)) = :ending
GROUP BY m.qid HAVING max(l.n) BETWEEN :least AND :most ORDER BY 1
"""
_LISTED = """
SELECT i.qid, (SELECT max(n) FROM dump_sitelinks l WHERE l.qid = i.qid)
FROM unnest(CAST(:ids AS integer[])) AS i(qid)
WHERE EXISTS (SELECT FROM dump_edge e WHERE e.s = i.qid) OR EXISTS (SELECT FROM dump_term t WHERE t.qid = i.qid)
ORDER BY 1
"""


class ClassMember(NamedTuple):
    """An item of a class, as seed queries show it."""

    qid: int
    sitelinks: int | None


class Fragment(NamedTuple):
    """What one stretch of the file said of a statement; a statement may come in several."""

    s: int
    guid: str
    parts: str


def escaped(value: str) -> str:
    """Text as COPY takes it."""
    return value if value.isprintable() and "\\" not in value else value.translate(_ESCAPES)


class Shelf:
    """The tables, written in bulk and read by key.

    Args:
        session: open session; the tables are there until it commits.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lines: dict[str, list[str]] = {name: [] for name in _TABLES}
        self._awake = time.monotonic()
        for name, columns in _TABLES.items():
            session.execute(text(f"CREATE TEMP TABLE {name} ({columns}) ON COMMIT DROP"))

    def wake(self) -> None:
        """Show that the transaction is alive, every second at most: a file may be read for long between two rows."""
        if time.monotonic() - self._awake > _AWAKE_SECONDS:
            self._session.execute(text("SELECT 1"))
            self._awake = time.monotonic()

    def put(self, table: str, line: str) -> None:
        """Add a line in COPY's text format, escaped already and with its newline."""
        lines = self._lines[table]
        lines.append(line)
        if len(lines) >= _FLUSH:
            self._flush(table)

    def finish_edges(self) -> None:
        """The first pass is over: index what it kept."""
        self._index(_EDGE_INDEXES, ("dump_edge", "dump_sitelinks"))

    def finish_details(self) -> None:
        """The second pass is over: index what it kept."""
        self._index(_DETAIL_INDEXES, ("dump_term", "dump_claim", "dump_node"))

    def below(self, classes: Iterable[int]) -> list[int]:
        """Classes directly below the given ones."""
        return self._numbers(
            "SELECT DISTINCT s FROM dump_edge WHERE truthy AND p = :p AND o = ANY(:ids)",
            p=wd.SUBCLASS_OF,
            ids=sorted(classes),
        )

    def members(self, classes: Iterable[int], via: wd.Pid, sitelinks: int) -> list[ClassMember]:
        """Items that `via` (of `MEMBERSHIP`) puts into one of the classes, with enough sitelinks or no such figure."""
        values = {"via": via, "ids": sorted(classes), "least": sitelinks}
        return [ClassMember(*row) for row in self._session.execute(text(_MEMBERS), values)]

    def tail(self, classes: Iterable[int], via: wd.Pid, sitelinks: tuple[int, int], ending: str) -> list[ClassMember]:
        """Items that `via` puts into one of the classes, with few sitelinks, whose number ends so."""
        least, most = sitelinks
        values = {"via": via, "ids": sorted(classes), "least": least, "most": most, "ending": ending}
        return [ClassMember(*row) for row in self._session.execute(text(_TAIL), values)]

    def listed(self, items: Iterable[int]) -> list[ClassMember]:
        """Those of the items that the dump says anything of."""
        return [ClassMember(*row) for row in self._session.execute(text(_LISTED), {"ids": sorted(items)})]

    def known(self, items: Iterable[int]) -> list[tuple[int, int | None]]:
        """Those of the items that occur at all, with what replaces the merged ones."""
        rows = self._session.execute(
            text(
                "SELECT i.qid, r.o FROM unnest(CAST(:ids AS integer[])) AS i(qid) "  # noqa: S608 (constants of this package)
                "LEFT JOIN dump_edge r ON r.s = i.qid AND r.p = 0 "
                "WHERE EXISTS (SELECT FROM dump_edge e WHERE e.s = i.qid) "
                f"OR EXISTS (SELECT FROM dump_edge e WHERE e.truthy AND e.p IN {_MEMBERSHIP} AND e.o = i.qid) "
                "OR EXISTS (SELECT FROM dump_term t WHERE t.qid = i.qid) ORDER BY 1, 2"
            ),
            {"ids": sorted(items)},
        )
        return [(int(qid), target) for qid, target in rows]

    def want(self, items: Iterable[int]) -> None:
        """Begin the set of entities that the second pass keeps."""
        self._session.execute(
            text("INSERT INTO dump_wanted SELECT DISTINCT q, 0 FROM unnest(CAST(:ids AS integer[])) AS q"),
            {"ids": sorted(items)},
        )
        self._session.execute(text("ANALYZE dump_wanted"))

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
                text(
                    "INSERT INTO dump_wanted SELECT DISTINCT e.o, CAST(:last AS integer) + 1 FROM dump_wanted w "
                    "JOIN dump_edge e ON e.s = w.qid "
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
        return set(self._session.scalars(text("SELECT qid FROM dump_wanted")))

    def terms(self, items: Sequence[int]) -> list[tuple[int, str, str, str]]:
        """(item, predicate's IRI, text, language) of labels, descriptions and aliases."""
        return self._rows("SELECT qid, k, x, lang FROM dump_term WHERE qid = ANY(:ids)", items)

    def links(self, items: Sequence[int]) -> list[tuple[int, int, int]]:
        """(item, `INSTANCE_OF` or `SAME_AS`, item): types of best rank, and heirs of merged items."""
        return self._rows(
            f"SELECT DISTINCT s, p, o FROM dump_edge WHERE truthy AND p IN {_TYPED} AND s = ANY(:ids)",  # noqa: S608 (constants of this package)
            items,
        )

    def sitelinks(self, items: Sequence[int]) -> list[tuple[int, int]]:
        """(item, number)."""
        return self._rows("SELECT qid, max(n) FROM dump_sitelinks WHERE qid = ANY(:ids) GROUP BY qid", items)

    def claims(self, items: Sequence[int]) -> list[Fragment]:
        """Fragments of the items' statements, those of one statement next to each other."""
        rows = self._rows(
            'SELECT s, guid, parts FROM dump_claim WHERE s = ANY(:ids) ORDER BY guid COLLATE "C", parts COLLATE "C"',
            items,
        )
        return [Fragment(*row) for row in rows]

    def nodes(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """Value nodes, each as its fields."""
        fields: dict[str, dict[str, str]] = {}
        for name, key, value in self._rows("SELECT node, k, x FROM dump_node WHERE node = ANY(:ids)", names):
            fields.setdefault(name, {})[key] = value
        return fields

    def _numbers(self, query: str, **values: object) -> list[int]:
        return list(self._session.scalars(text(query), values))

    def _rows(self, query: str, ids: Sequence[Any]) -> list[Any]:
        return [tuple(row) for row in self._session.execute(text(query), {"ids": list(ids)})]

    def _index(self, indexes: Sequence[str], names: Sequence[str]) -> None:
        for name in names:
            self._flush(name)
        self._session.execute(text("SET LOCAL maintenance_work_mem = '128MB'"))
        for statement in indexes:
            self._session.execute(text(statement))
        for name in names:
            self._session.execute(text(f"ANALYZE {name}"))

    def _flush(self, table: str) -> None:
        lines = self._lines[table]
        driver = self._session.connection().connection.driver_connection
        assert driver is not None
        with driver.cursor() as cursor:
            cursor.copy_expert(f"COPY {table} FROM STDIN", io.StringIO("".join(lines)))
        lines.clear()
