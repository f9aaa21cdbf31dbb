"""Real statements that nobody here wrote: counts against DuckDB, conclusions against negatives checked by people."""

import csv
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, rows_of, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import audit
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.world.loading import load_world

KEY = "2019-12"


def numbers(path: Path) -> list[tuple[int, int, int]]:
    with path.open(encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t")
        next(rows)
        return [(int(s[1:]), int(p[1:]), int(o[1:])) for s, p, o in rows]


def load(session: Session, codex: Path) -> None:
    with (codex / "entities.tsv").open(encoding="utf-8") as file:
        labels = {
            int(row["qid"][1:]): row["label"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }
    types: dict[int, list[int]] = {}
    with (codex / "types.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            types.setdefault(int(row["qid"][1:]), []).append(int(row["type_qid"][1:]))
    rows = [statement(s, p, o) for s, p, o in numbers(codex / "statements.tsv")]
    fill(session, KEY, rows, labels=labels, types=types, as_of=date(2019, 12, 31))


@pytest.fixture(scope="module")
def codex(shared_data: Path) -> Path:
    return shared_data / "wikidata-codex-s"


def test_codex_counts_equal_duckdb_and_no_verified_negative_is_derived(
    session: Session, derive: Callable[..., Any], codex: Path
) -> None:
    load(session, codex)
    counts = derive(KEY, shards=2)
    duck = duckdb.connect()
    duck.execute("SET threads = 2")
    duck.execute(
        "CREATE TABLE t AS SELECT substr(subject, 2)::INT AS s, substr(property, 2)::INT AS p, "
        "substr(object, 2)::INT AS o FROM read_csv(?, delim = '\t', header = true)",
        [str(codex / "statements.tsv")],
    )
    missing = duck.execute(
        "SELECT o, s FROM t WHERE p = 26 AND s <> o AND NOT EXISTS "
        "(SELECT 1 FROM t r WHERE r.p = 26 AND r.s = t.o AND r.o = t.s)"
    ).fetchall()
    assert rows_of(session, KEY, "symmetric:P26") == set(missing) != set()
    for p, some in ((69, True), (138, False)):
        # Groups of at most 17 members are paired whole; in a larger one every member meets 16 others.
        all_pairs = (
            "SELECT a.s AS a, b.s AS b, min(a.o) AS o, "
            "(SELECT count(*) FROM t g WHERE g.p = any_value(a.p) AND g.o = min(a.o)) AS members "
            "FROM t a JOIN t b USING (p, o) WHERE p = ? AND a.s < b.s GROUP BY a.s, b.s"
        )
        pairs = duck.execute(all_pairs, [p]).fetchall()
        derived = rows_of(session, KEY, f"share:P{p}")
        assert bool(pairs) == bool(derived) == some
        assert {(a, b) for a, b, _, members in pairs if members <= 17} <= derived <= {(a, b) for a, b, _, _ in pairs}
    true = session.execute(
        text(
            "SELECT count(*) FROM derived_fact d JOIN rule r USING (snapshot, rule) "
            "JOIN relation of ON of.id = d.relation AND of.kind = 'property' WHERE snapshot = :key "
            "AND r.kind <> 'negation.value' AND (d.s, of.properties[1], d.o) IN (SELECT * FROM unnest(:s, :p, :o))"
        ),
        {"key": KEY}
        | dict(zip("spo", (list(c) for c in zip(*numbers(codex / "negatives.tsv"), strict=True)), strict=True)),
    ).scalar()
    assert true == 0
    assert counts.rows > 15_000


def test_codex_facts_are_never_licensed_as_false(session: Session, codex: Path) -> None:
    world = load_world(session, KEY)
    statements = numbers(codex / "statements.tsv")
    assert not [fact for fact in statements if isinstance(license_no(world, fact[1], fact[0], fact[2]), Licence)]


def test_a_snapshot_without_containment_says_no_about_no_place(session: Session) -> None:
    reasons = dict(
        session
        .execute(
            text(
                "SELECT name, reason FROM rule WHERE snapshot = :key "
                "AND name IN ('negation.value:P19', 'negation.value:P20')"
            ),
            {"key": KEY},
        )
        .tuples()
        .all()
    )
    assert len(reasons) == 2
    assert all("no containment" in reason for reason in reasons.values())
    assert rows_of(session, KEY, "negation.value:P19") == set()


def test_codex_negatives_checked_by_people_refute_nothing_derived_from_a_part(
    session: Session, codex: Path, tmp_path: Path
) -> None:
    with audit.workspace(session) as inner:
        audit.copy_snapshot(inner, "public", KEY)
        found = audit.audit(
            inner,
            KEY,
            hidden=audit.Hidden(0.3, 1),
            rules_file=RULES_FILE,
            prolog_dir=PROLOG_DIR,
            scratch=tmp_path,
            verified=numbers(codex / "negatives.tsv"),
        )
    positives, unguarded = audit.total(found.positives), audit.total(found.unguarded)
    assert positives.checked > 0
    assert positives.wrong == 0
    assert audit.total(found.negatives).wrong == 0
    assert unguarded.interval[0] > audit.DEMOTED_ABOVE
