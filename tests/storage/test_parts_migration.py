"""Months of before become parts: the same contents, counts and hashes by suite, and the way back."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, text

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.freeze import write_part
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics, tally
from halluvault_tasks.storage import migrate, sessions, tables

BEFORE = "0008"
MONTHS = ("2026-08", "2026-09", "2026-10")


def case(number: int, suite: str) -> Case:
    kind, gold = "inverse" if suite == "relation" else "F", "yes" if number % 2 else "no"
    fact: dict[str, Any] = {"rule": f"{kind}:P{number}"} | ({"yes_only": True} if number == 1 else {})
    return Case(
        hashlib.sha256(f"{suite}{number}".encode()).hexdigest()[:16], f"{suite} {number}?", gold, f"g{number // 2}",
        "negated" if number % 3 == 0 else "original", "same", suite, "people" if number % 2 else "culture", kind, None,
        number, None, fact, [], f"proof of {number}",
    )  # fmt: skip


CASES = [case(number, "relation") for number in range(7)] + [case(number, "temporal") for number in range(10, 14)]
HELD = {
    "2026-08": CASES[:5] + CASES[7:],
    "2026-09": CASES[:6],  # it asks nothing temporal: what was asked before is retired
    "2026-10": CASES[1:],
}
BASELINES = [{"scope": scope, "name": "words", "accuracy": 0.5} for scope in ("all", "relation", "temporal")]
COUNTS = {
    "baselines": BASELINES,
    "dropped": {"relation": {"ambiguous name": 3}, "temporal": {"more than one reading": 4}},
    "shortfall": {"relation": {"people/inverse": {"affirmative_yes": 2}}, "temporal": {}},
    "rewritten": {"model": "m", "relation": {"kept": 1, "rejected": {}}, "temporal": {"kept": 0, "rejected": {}}},
}


def step(connection: Connection, move: Callable[[Config, str], None], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    move(config, to)


def run(connection: Connection, statement: str, **values: Any) -> None:
    given = {name: json.dumps(value) if isinstance(value, dict | list) else value for name, value in values.items()}
    connection.execute(text(statement), given)


def fill(connection: Connection) -> None:
    """Three months as the tables of before have them."""
    names = ("id", "question", "gold", "group_id", "mutation", "relation", "suite")
    connection.execute(insert(tables.cases), [{name: getattr(one, name) for name in names} for one in CASES])
    previous: str | None = None
    for key in MONTHS:
        day, month = date.fromisoformat(f"{key}-28"), {"snapshot": key, "month": key, "source": "test"}
        connection.execute(insert(tables.snapshot).values(**month, as_of=day, status="published"))
        run(
            connection,
            "INSERT INTO benchmark (snapshot, as_of, seed, config_hash, content_hash, counts, published, previous)"
            " VALUES (:key, :day, 7, 'whole configuration', 'whole content', :counts, :published, :previous)",
            key=key, day=day, counts={**COUNTS, "cases": len(HELD[key]), "first_month": previous is None},
            published=key != "2026-10", previous=previous,
        )  # fmt: skip
        for one in HELD[key]:
            run(
                connection,
                "INSERT INTO benchmark_case (snapshot, case_id, domain, rule_kind, subject, fact, premises, proof)"
                " VALUES (:key, :id, :domain, :kind, :subject, :fact, '[]', :proof)",
                key=key, id=one.id, domain=one.domain, kind=one.rule_kind, subject=one.subject, fact=one.fact,
                proof=one.proof,
            )  # fmt: skip
        for change, there, here in (("retired", previous, key), ("new", key, previous)) if previous else ():
            for one in HELD[there]:
                if one not in HELD[here]:
                    run(
                        connection,
                        "INSERT INTO benchmark_change (snapshot, case_id, change, reason, detail)"
                        " VALUES (:key, :id, :change, 'quota', '')",
                        key=key, id=one.id, change=change,
                    )  # fmt: skip
        previous = key
    variant = {"id": "v", "template": "drowzee", "version": 1, "form": "plain", "context": "closed-book"}
    connection.execute(insert(tables.prompt_variant).values(**variant))
    asked = {"snapshot": "2026-08", "variant_id": "v"}
    connection.execute(insert(tables.prompt).values(**asked, case_id=CASES[0].id, text="t", sha256="s"))
    connection.execute(insert(tables.model).values(id="m", name="m", dialect="tgi", model_id="m"))
    run(connection, "INSERT INTO evaluation (id, snapshot, model_id, variant_id, sampling)"
                    " VALUES ('e', '2026-08', 'm', 'v', '{}')")  # fmt: skip


@pytest.fixture(scope="module")
def migrated(database_url: str) -> Iterator[Connection]:
    """A database of before, brought to this version's tables; rolled back."""
    with sessions.engine(database_url).connect() as connection:
        step(connection, command.downgrade, BEFORE)
        fill(connection)
        step(connection, command.upgrade, "head")
        yield connection
        connection.rollback()


def parts(connection: Connection) -> dict[tuple[str, str], Any]:
    rows = connection.execute(text("SELECT * FROM benchmark_part")).mappings()
    return {(row["snapshot"], row["suite"]): dict(row) for row in rows}


def test_every_suite_of_every_month_is_a_part_with_its_own_content(migrated: Connection) -> None:
    found = parts(migrated)
    assert set(found) == {(key, suite) for key in MONTHS for suite in ("relation", "temporal")}
    for (key, suite), row in found.items():
        mine = [one for one in HELD[key] if one.suite == suite]
        assert row["content_hash"] == write_part.content_hash(mine)
        stored = migrated.scalars(
            text("SELECT case_id FROM benchmark_case WHERE snapshot = :key AND suite = :suite"),
            {"key": key, "suite": suite},
        )
        assert set(stored) == {one.id for one in mine}
        assert (row["seed"], row["config_hash"], row["published"]) == (7, "whole configuration", key != "2026-10")


def test_a_part_is_counted_as_a_build_counts_it(migrated: Connection) -> None:
    for (key, suite), row in parts(migrated).items():
        mine = [one for one in HELD[key] if one.suite == suite]
        built = replace(tally(mine), first_month=key == MONTHS[0]).as_json()
        told = row["counts"]
        since = {*COUNTS, "by_licence", "curves", "grid", "standings"}  # nobody counted these then: all was proved
        assert {name: told[name] for name in built if name not in since} == json.loads(
            json.dumps({name: figure for name, figure in built.items() if name not in since})
        )
        assert PartStatistics.of({**told, "baselines": []}).licences == ({"proved": len(mine)} if mine else {})
        assert told["dropped"] == COUNTS["dropped"][suite]
        assert told["shortfall"] == COUNTS["shortfall"][suite]
        assert [one["scope"] for one in told["baselines"]] == [suite]
        assert told["rewritten"] == {"model": "m", **COUNTS["rewritten"][suite]}


def test_a_part_follows_the_last_month_that_had_its_suite(migrated: Connection) -> None:
    found = parts(migrated)
    previous = {key: row["previous"] for key, row in found.items()}
    assert previous["2026-10", "relation"] == "2026-09"
    assert previous["2026-10", "temporal"] == previous["2026-10", "relation"], "that month retired its temporal cases"
    assert previous["2026-08", "temporal"] is None
    for (key, suite), row in found.items():
        told = row["counts"]["months"]
        before = {one.id for one in HELD.get(row["previous"] or "", []) if one.suite == suite}
        now = {one.id for one in HELD[key] if one.suite == suite}
        assert told["previous"] == (row["previous"] or "")
        assert told["stays"] == len(now & before)
        if before or row["previous"]:
            assert sum(told["new"].values()) == len(now - before)
            assert sum(told["retired"].values()) == len(before - now)


def test_prompts_and_evaluations_stay_as_they_were(migrated: Connection) -> None:
    assert migrated.execute(text("SELECT snapshot, text, sha256 FROM prompt")).all() == [("2026-08", "t", "s")]
    assert migrated.scalars(text("SELECT id FROM evaluation")).all() == ["e"]
    assert migrated.scalar(text("SELECT to_regclass('benchmark')")) is None


def test_the_way_back_has_the_months_again_and_the_way_here_the_same_parts(migrated: Connection) -> None:
    before = parts(migrated)
    with migrated.begin_nested():
        step(migrated, command.downgrade, BEFORE)
        rows = migrated.execute(text("SELECT * FROM benchmark ORDER BY snapshot")).mappings().all()
        assert [row["snapshot"] for row in rows] == list(MONTHS)
        assert [row["content_hash"] for row in rows] == [write_part.content_hash(HELD[key]) for key in MONTHS]
        assert [row["counts"]["cases"] for row in rows] == [len(HELD[key]) for key in MONTHS]
        step(migrated, command.upgrade, "head")
        again = parts(migrated)
    assert again == before
