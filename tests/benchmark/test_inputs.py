"""A build refuses what is not derived whole, and drops what is no longer licensed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.stages import TOTAL, derive_shard, type_rules
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.partitions import create_partitions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal

PROLOG = REPOSITORY / "prolog_rules"
MANIFEST, FACT, RULE = tables.derivation_manifest, tables.derived_fact, tables.rule


@pytest.fixture
def build(session: Session, config_dir: Path) -> Callable[[str], BenchmarkCounts]:
    return lambda snapshot: stages.build(session, snapshot, config_dir=config_dir, size="all")


def refused(session: Session, build: Callable[[str], BenchmarkCounts], snapshot: str) -> str:
    with pytest.raises(UserError) as error:
        build(snapshot)
    session.rollback()
    assert not session.scalar(select(tables.benchmark_part.c.suite).where(tables.benchmark_part.c.snapshot == snapshot))
    return f"{error.value} {error.value.way_out}"


def test_a_manifest_without_one_line_is_refused_with_the_rule(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    snapshot = make_world("2042-01")
    name = "inverse:P22:P40"
    number = session.scalar(select(RULE.c.rule).where(RULE.c.snapshot == snapshot, RULE.c.name == name))
    lines = session.execute(select(MANIFEST).where(MANIFEST.c.snapshot == snapshot)).mappings().all()
    session.execute(delete(MANIFEST).where(MANIFEST.c.snapshot == snapshot, MANIFEST.c.rule == number))
    session.commit()
    said = refused(session, build, snapshot)
    assert name in said
    assert f"halluvault derive run --snapshot {snapshot}" in said

    session.execute(delete(MANIFEST).where(MANIFEST.c.snapshot == snapshot))
    session.commit()
    assert "not fully derived" in refused(session, build, snapshot)

    session.execute(insert(MANIFEST), [dict(line) for line in lines if line["rule"] != TOTAL])
    session.commit()
    assert "shard 0" in refused(session, build, snapshot)

    session.execute(insert(MANIFEST), [dict(line) for line in lines if line["rule"] == TOTAL])
    session.commit()
    assert build(snapshot).built


def test_rows_that_the_manifest_does_not_count_are_refused(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    snapshot = make_world("2042-02")
    one = session.execute(select(FACT).where(FACT.c.snapshot == snapshot).limit(1)).mappings().one()
    session.execute(delete(FACT).where(*(FACT.c[name] == value for name, value in one.items())))
    session.commit()
    assert "its manifest says" in refused(session, build, snapshot)


@pytest.mark.parametrize("last", [0, 1])
def test_a_derivation_killed_between_its_shards_is_refused(
    session: Session,
    write: Callable[[str], None],
    derive: Callable[[str], None],
    build: Callable[[str], BenchmarkCounts],
    tmp_path: Path,
    last: int,
) -> None:
    snapshot = f"2042-03.{last + 1}"
    write(snapshot)
    type_rules(session, snapshot, rules_file=REPOSITORY / "config" / "rules.yaml")
    derive_shard(session, snapshot, portion=Portion(last, 2), prolog_dir=PROLOG, scratch=tmp_path)
    derive_temporal(session, snapshot, config=TemporalConfig(count=10), prolog_dir=PROLOG)
    said = refused(session, build, snapshot)
    assert "is not fully derived" in said
    assert "halluvault derive run" in said
    derive(snapshot)
    assert build(snapshot).built


def test_a_temporal_stage_that_has_not_ended_is_refused(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    snapshot = make_world("2042-04")
    run, fact = tables.stage_run, tables.temporal_fact
    ours = (run.c.snapshot == snapshot, run.c.stage == "derive_temporal")
    ended = session.scalar(select(run.c.ended_at).where(*ours))
    session.execute(update(run).where(*ours).values(ended_at=None))
    session.commit()
    said = refused(session, build, snapshot)
    assert "temporal facts" in said
    assert f"halluvault temporal run --snapshot {snapshot}" in said

    session.execute(update(run).where(*ours).values(ended_at=ended))
    lost = session.execute(select(fact).where(fact.c.snapshot == snapshot).limit(1)).mappings().one()
    session.execute(delete(fact).where(fact.c.snapshot == snapshot, fact.c.id == lost["id"]))
    session.commit()
    assert "its last derivation wrote" in refused(session, build, snapshot)


def test_a_wrong_value_that_another_month_recorded_is_not_asked(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    def wrong_values(snapshot: str) -> set[tuple[int, int, int]]:
        facts = [json.loads(line)["fact"] for line in reading.export(session, snapshot)]
        return {(19, one["s"], one["o"]) for one in facts if one.get("rule") == "negation.value:P19"}

    before = make_world("2042-04")
    build(before)
    recorded = sorted(wrong_values(before))[:1]
    snapshot = make_world("2042-05")
    create_partitions(session, "2039-01")
    session.execute(
        insert(tables.deprecated_value),
        [{"snapshot": "2039-01", "guid": f"Q{s}-{o}", "p": p, "s": s, "o": o} for p, s, o in recorded],
    )
    session.commit()
    build(snapshot)
    assert recorded
    assert not set(recorded) & wrong_values(snapshot)


def test_proofs_whose_statements_are_gone_cost_their_own_cases_only(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    snapshot = make_world("2042-06")
    flipped = select(RULE.c.rule).where(RULE.c.snapshot == snapshot, RULE.c.name == "negation.polarity:P19")
    broken = (FACT.c.snapshot == snapshot, FACT.c.rule == flipped.scalar_subquery())
    count = session.execute(update(FACT).where(*broken).values(evidence=[9999])).rowcount  # type: ignore[attr-defined]
    session.commit()
    assert build(snapshot).sum("cases") > 20
    cases = [json.loads(line)["fact"] for line in reading.export(session, snapshot)]
    assert not [fact for fact in cases if fact.get("rule") == "negation.polarity:P19"]
    assert [fact for fact in cases if fact["kind"] == "negation.polarity"]
    assert 0 < part_lookup.statistics(session, snapshot)["relation"].dropped[Hindrance.PROOF_REFUSED()] <= count
