"""A month cut down to what texts are judged by: the rules, and what is stated of the things that their cases speak of.

So sets of texts are judged years later and without the file that their month was pulled from: `freeze` writes the
evidence of some cases, `fill` makes a month of it in a database of its own. What it lacks makes claims about other
things unverifiable, and convicts nobody.
"""

import gzip
import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure.labelled import LabelledCase
from halluvault_tasks.storage import partitions
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_LONGEST = 8
_COMMON = 20
"""Statements of one property and object beyond which they say nothing of the object ("born in Paris")."""

_OF_NEAR = (*wd.DATES, wd.SEX, *wd.PARENTS, wd.BIRTHPLACE)
"""What is told of things that stand in the statements of a case's things, and of what else the texts name."""

_HOLDERS = 100
"""Holders of one office beyond which the others say nothing of a term."""

_SHOWN_BY_OTHERS = (wd.POSITION, *wd.HEADED)
_WORD = re.compile(r"\w+")

_TABLES = (
    "snapshot", "property", "relation", "rule", "entity", "statement", "composable", "deprecated_value",
    "checked_negative", "counted_list",
)  # fmt: skip
"""In the order in which they are filled."""

_STATED = """
SELECT sid, s, p, o FROM statement WHERE snapshot = :snapshot AND s = ANY(:items)
UNION SELECT st.sid, st.s, st.p, st.o FROM statement st JOIN (
  SELECT p, o FROM statement WHERE snapshot = :snapshot AND o = ANY(:items) GROUP BY p, o HAVING count(*) <= :common
) few USING (p, o) WHERE st.snapshot = :snapshot
"""
_NEAR = """
SELECT sid, s, p, o FROM statement WHERE snapshot = :snapshot AND s = ANY(:items) AND p = ANY(:properties)
"""
_SHARED = """
SELECT st.sid, st.s, st.p, st.o FROM statement st JOIN (
  SELECT p, o FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND o = ANY(:items)
  GROUP BY p, o HAVING count(*) <= :common) few USING (p, o) WHERE st.snapshot = :snapshot
"""
_ABOVE = """
WITH RECURSIVE above(qid) AS (SELECT unnest(CAST(:items AS integer[]))
  UNION SELECT st.o FROM above JOIN statement st ON st.snapshot = :snapshot AND st.s = above.qid
  AND st.p = ANY(:properties) AND st.o IS NOT NULL)
SELECT st.sid, st.s, st.p, st.o FROM above JOIN statement st ON st.snapshot = :snapshot AND st.s = above.qid
AND st.p = ANY(:properties)
"""
_ROWS = {
    "snapshot": "snapshot = :snapshot",
    "property": "snapshot = :snapshot",
    "relation": "true",
    "rule": "snapshot = :snapshot",
    "entity": "snapshot = :snapshot AND qid = ANY(:items)",
    "statement": "snapshot = :snapshot AND sid = ANY(:sids)",
    "composable": "snapshot = :snapshot AND sid = ANY(:sids)",
    "deprecated_value": "snapshot = :snapshot AND s = ANY(:items)",
    "checked_negative": "s = ANY(:items)",
    "counted_list": "s = ANY(:items)",
}


class EvidenceMonth(NamedTuple):
    """A month that evidence was made into."""

    session: Session
    snapshot: str


class FrozenEvidence(NamedTuple):
    """What was written."""

    file: Path
    rows: dict[str, int]


def freeze(
    session: Session, snapshot: str, cases: Sequence[LabelledCase], texts: Collection[str], file: Path
) -> FrozenEvidence:
    """Write the evidence of cases, and the names that texts on them may mean.

    Args:
        session: open session; it is only read.
        snapshot: a month whose rules are typed; not necessarily the one that asked them.
        cases: what the texts answer.
        texts: whatever is to be judged.
        file: to write, `.jsonl.gz`: one line a table and row.
    """
    spoken = _named(session, snapshot, [*texts, *(case.question for case in cases)])
    stated = _stated(session, snapshot, _spoken_of(cases), spoken)
    ends = {end for _, s, _, o in stated for end in (s, o) if end}
    types = session.scalars(
        text("SELECT DISTINCT unnest(types) FROM entity WHERE snapshot = :snapshot AND qid = ANY(:items)"),
        {"snapshot": snapshot, "items": sorted(ends | spoken)},
    )
    items = ends | spoken | set(types)
    above = sorted({*wd.CONTAINERS, *wd.CLIMBED})
    stated |= _rows(session, _ABOVE, snapshot=snapshot, items=sorted(items), properties=above)
    items |= {end for _, s, _, o in stated for end in (s, o) if end}
    bind = {"snapshot": snapshot, "items": sorted(items), "sids": sorted({row[0] for row in stated})}
    written: dict[str, int] = {}
    # No time of writing in it: the same rows are the same bytes.
    with file.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as packed:
        for table in _TABLES:
            found = session.scalars(
                text(f"SELECT to_jsonb(t) FROM {table} t WHERE {_ROWS[table]} ORDER BY to_jsonb(t)::text"),  # noqa: S608
                bind,
            ).all()
            written[table] = len(found)
            for row in found:
                kept = {name: value for name, value in row.items() if value is not None}
                if table == "statement":
                    kept["guid"] = str(row["sid"])  # nobody judges by it, and it is half of the bytes
                packed.write((json.dumps([table, kept], ensure_ascii=False, sort_keys=True) + "\n").encode())
    return FrozenEvidence(file, written)


def _spoken_of(cases: Sequence[LabelledCase]) -> set[int]:
    """Whatever questions and proofs speak of."""
    found: set[int] = set()
    for case in cases:
        told = [case.subject, case.fact.get("s"), case.fact.get("o"), (case.fact.get("called") or {}).get("of")]
        told += [end.get("qid") for one in case.premises for end in (one["subject"], one["object"])]
        told += map(int, re.findall(r"Q(\d+)", case.fact.get("formula", "")))
        found.update(one for one in told if isinstance(one, int) and one > 0)
    return found


_Row = tuple[int, int, int, int | None]


def _rows(session: Session, query: str, **bind: Any) -> set[_Row]:
    return {(sid, s, p, o) for sid, s, p, o in session.execute(text(query), bind)}


def _stated(session: Session, snapshot: str, spoken_of: set[int], named: set[int]) -> set[_Row]:
    """What is stated of things, some of what stands in that or is named, and who else held what they held."""
    found = _rows(session, _STATED, snapshot=snapshot, items=sorted(spoken_of), common=_COMMON)
    near = sorted({o for _, s, _, o in found if o and s in spoken_of} - spoken_of)
    found |= _rows(
        session, _NEAR, snapshot=snapshot, items=sorted({*near, *named} - spoken_of), properties=sorted(_OF_NEAR)
    )
    found |= _rows(
        session, _SHARED, snapshot=snapshot, items=near, properties=sorted(_SHOWN_BY_OTHERS), common=_HOLDERS
    )
    return found


def _named(session: Session, snapshot: str, texts: Collection[str]) -> set[int]:
    """Things one of whose names stands in a text, word for word."""
    said: set[str] = set()
    for one in texts:
        words = _WORD.findall(fold(one))
        said.update(
            " ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, min(i + _LONGEST, len(words)) + 1)
        )
    rows = session.execute(
        text("SELECT qid, label, aliases FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL"),
        {"snapshot": snapshot},
    )
    return {
        qid
        for qid, label, aliases in rows
        if any(" ".join(_WORD.findall(fold(name))) in said for name in (label, *aliases))
    }


def fill(session: Session, content: bytes, file: Path) -> None:
    """Make a database's one month of an evidence file's content; commits.

    Raises:
        UserError: it is no such content.
    """
    by_table: dict[str, list[Any]] = {table: [] for table in _TABLES}
    try:
        for line in gzip.decompress(content).decode("utf-8").splitlines():
            table, row = json.loads(line)
            by_table[table].append(row)
    except (OSError, ValueError, KeyError) as error:
        raise UserError(
            f"{file} is no file of evidence: {error}", "give the folder of texts of this version"
        ) from error
    partitions.create_partitions(session, by_table["snapshot"][0]["snapshot"])
    session.execute(text("DELETE FROM relation"))
    for table, rows in by_table.items():
        columns = ", ".join(sorted({name for row in rows for name in row}))
        for start in range(0, len(rows), 5000):
            session.execute(
                text(
                    f"INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} "  # noqa: S608
                    f"FROM jsonb_populate_recordset(CAST(NULL AS {table}), CAST(:rows AS jsonb))"
                ),
                {"rows": json.dumps(rows[start : start + 5000])},
            )
    session.commit()
    session.execute(text("ANALYZE"))
    session.commit()
