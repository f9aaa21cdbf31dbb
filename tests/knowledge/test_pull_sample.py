"""The pulled snapshot of the bundled sample, against a plain csv reading of the same files."""

import csv
import re
from collections import Counter
from datetime import date
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.wikidata.days import civil, day_number

SAMPLE = REPOSITORY / "halluvault_tasks" / "local" / "sample" / "checked"


@pytest.fixture(scope="module")
def whole_sample(database_url: str, everything: Domains, sample_url: str) -> str:
    """Key of a snapshot of the whole sample under the real configuration."""
    client = WikidataClient(sample_url, sleep=lambda _: None)
    with sessions.session(database_url) as session:
        row = stages.pull(
            session, "2026-10", client=client, domains=everything, source="sample", as_of=date(2026, 11, 20)
        )
    assert row.status == "published"
    return row.snapshot


def table(name: str) -> list[dict[str, str]]:
    with (SAMPLE / name).open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


MERGED = {int(r["old"][1:]): int(r["new"][1:]) for r in table("redirects.tsv")}


def written(text: str) -> tuple:
    """A value of the sample as the snapshot should hold it, read by other means than the project's."""
    if text[0] == "Q":
        return ("item", MERGED.get(int(text[1:]), int(text[1:])))
    if text[0] == "=":
        return ("quantity", Decimal(text[1:].split()[0]))
    if text in "?!":
        return ("unknown",) if text == "?" else ("none",)
    if text.startswith("-") and text.endswith("x"):  # years BC: -042x is 429 to 420, -04xx 500 to 400
        decade = not text.endswith("xx")
        far = int(text.strip("-x")) * (10 if decade else 100) + (9 if decade else 100)
        return ("time", 1 - far, 1 - far + (9 if decade else 100), 8 if decade else 7)
    if text.endswith("xx"):
        return ("time", int(text[:2]) * 100, int(text[:2]) * 100 + 100, 7)
    if text.endswith("x"):
        return ("time", int(text[:3]) * 10, int(text[:3]) * 10 + 9, 8)
    parts = text.lstrip("-").split("-")
    year = int(parts[0]) * (-1 if text[0] == "-" else 1)
    if len(parts) == 1:
        return ("time", year, year, 9)
    month, julian = int(parts[1]), (year, *map(int, parts[1:])) < (1582, 10, 15)
    if len(parts) == 3:
        day = julian_ordinal(year, month, int(parts[2])) if julian else date(year, month, int(parts[2])).toordinal()
        return ("time", day, day, 11)
    after = (year, month + 1) if month < 12 else (year + 1, 1)
    ordinal = julian_ordinal if julian else (lambda y, m, d: date(y, m, d).toordinal())
    return ("time", ordinal(year, month, 1), ordinal(*after, 1) - 1, 10)


def julian_ordinal(year: int, month: int, day: int) -> int:
    """Meeus's formula for the Julian calendar, less the Julian day of 0000-12-31 Gregorian."""
    y, m = (year - 1, month + 12) if month <= 2 else (year, month)
    return (1461 * (y + 4716)) // 4 + (153 * (m + 1)) // 5 + day - 1524 - 1_721_425


def stored(row: object) -> tuple:
    if row.kind == "item":
        return ("item", row.o)
    if row.kind == "quantity":
        return ("quantity", row.amount)
    if row.kind == "time" and row.precision < 10:
        return ("time", civil(row.earliest).year, civil(row.latest).year, row.precision)
    return ("time", row.earliest, row.latest, row.precision) if row.kind == "time" else (row.kind,)


def test_the_snapshot_holds_exactly_what_the_sample_says(session: Session, whole_sample: str) -> None:
    key = whole_sample
    rows = table("statements.tsv")
    expected = Counter(
        (int(r["subject"][1:]), int(r["property"][1:]), r["rank"], *written(r["value"]))
        for r in rows
        if r["rank"] != "deprecated"
    )
    found = Counter(
        (r.s, r.p, r.rank, *stored(r))
        for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == key))
    )
    assert found == expected
    deprecated = session.execute(
        select(tables.deprecated_value.c.s, tables.deprecated_value.c.p).where(
            tables.deprecated_value.c.snapshot == key
        )
    ).all()
    assert sorted(deprecated) == sorted(
        (int(r["subject"][1:]), int(r["property"][1:])) for r in rows if r["rank"] == "deprecated"
    )
    qualified = sum(bool(r["qualifiers"]) for r in rows)
    assert qualified == sum(
        any(v is not None for v in (r.start_earliest, r.end_earliest, r.point_earliest))
        or bool(r.unknown_qualifiers)
        or bool(r.absent_qualifiers)
        or r.hedged
        for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == key))
    )


def test_qualifier_dates_are_those_of_the_sample(session: Session, whole_sample: str) -> None:
    key = whole_sample
    rows = table("statements.tsv")
    expected: Counter[tuple] = Counter()
    for r in rows:
        for part in filter(None, r["qualifiers"].split("|")):
            pid, _, value = part.partition("=")
            if pid not in {"P580", "P582", "P585"} or value in "?!":
                continue
            _kind, first, last, precision = written(value)
            if precision < 10:
                first, last = day_number(first, 1, 1), day_number(last, 12, 31)
            expected[int(r["subject"][1:]), int(r["property"][1:]), pid, first, last] += 1
    columns = {"P580": "start", "P582": "end", "P585": "point"}
    found: Counter[tuple] = Counter()
    for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == key)):
        for pid, name in columns.items():
            first, last = getattr(r, f"{name}_earliest"), getattr(r, f"{name}_latest")
            if first is not None:
                found[r.s, r.p, pid, first, last] += 1
    assert found == expected


def test_entities_carry_label_type_and_domain(session: Session, whole_sample: str) -> None:
    key = whole_sample
    known = {int(r["qid"][1:]): r for r in table("entities.tsv")}
    found = {r.qid: r for r in session.execute(select(tables.entity).where(tables.entity.c.snapshot == key))}
    said = table("statements.tsv")
    mentioned = {int(v[1:]) for r in said for v in (r["subject"], r["value"]) if re.fullmatch(r"Q\d+", v)}
    assert MERGED.keys() & mentioned
    assert {MERGED.get(qid, qid) for qid in mentioned} <= set(found) <= set(known)
    for qid, row in found.items():
        assert row.label == known[qid]["label"]
        assert (row.description or "") == known[qid]["description"]
        assert set(row.aliases) == set(filter(None, known[qid]["aliases"].split("|")))
        assert [f"Q{kind}" for kind in row.types] == sorted(
            filter(None, known[qid]["types"].split("|")), key=lambda q: int(q[1:])
        )
    assert found[1048].domain == "people"  # Julius Caesar
    assert found[7604].domain == "mathematics"  # Leonhard Euler, a mathematician before he is a human


def test_every_property_of_the_configuration_has_a_row(
    session: Session, everything: Domains, whole_sample: str
) -> None:
    key = whole_sample
    rows = {r.pid: r for r in session.execute(select(tables.property).where(tables.property.c.snapshot == key))}
    assert set(everything.all_properties()) <= set(rows)
    assert {r.pid: r.origin for r in rows.values() if r.origin != "source"} == {}
    assert (rows[36].inverse, rows[36].separators, rows[36].constraints) == (1376, [580, 582], [52060874])
    assert rows[26].classes == [18647518] and rows[569].datatype == "time"


def test_merged_items_are_kept_as_redirects_and_stand_nowhere_else(session: Session, whole_sample: str) -> None:
    key = whole_sample
    found = session.execute(
        select(tables.redirect.c.qid, tables.redirect.c.target).where(tables.redirect.c.snapshot == key)
    ).all()
    assert dict(map(tuple, found)) == MERGED
    for column in (tables.entity.c.qid, tables.statement.c.s, tables.statement.c.o, tables.statement.c.unit):
        mine = column.table.c.snapshot == key
        assert session.execute(select(column).where(mine, column.in_(MERGED))).all() == []


def test_a_label_is_ambiguous_when_something_of_the_same_type_bears_it_too(session: Session, whole_sample: str) -> None:
    rows = table("entities.tsv")
    bearers = Counter(
        (kind, r["label"].casefold()) for r in rows for kind in filter(None, r["types"].split("|")) if r["label"]
    )
    expected = {
        int(r["qid"][1:]) for r in rows for kind in r["types"].split("|") if bearers[kind, r["label"].casefold()] > 1
    }
    found = session.scalars(
        select(tables.entity.c.qid).where(tables.entity.c.snapshot == whole_sample, tables.entity.c.ambiguous)
    ).all()
    assert expected and expected == set(found)
