"""Runs of the study: stored, repeated, and the kept-back part once for every oracle version."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.unjudged import UnstoredText
from halluvault_tasks.results import views
from halluvault_tasks.storage.tables import oracle_study
from studies.oracle import planting, plots, report, run, store


def constant(items: Sequence[UnstoredText]) -> list[dict[str, Any]]:
    """An oracle that calls everything an error of knowledge."""
    row = {"profile": "constant", "profile_version": "1", "answer": "yes", "correct": True, "sub_label": None}
    row |= {"category": "error_knowledge", "edge_similarity": 0.5, "node_similarity": 0.5, "detail": {}}
    return [row | {"case_id": item.case_id, "sample": item.sample} for item in items]


def unused(items: Sequence[UnstoredText]) -> list[dict[str, Any]]:
    raise AssertionError("nothing may be judged again")


def test_the_kept_back_part_runs_once_for_an_oracle_version(sample, sample_session: Session) -> None:
    first = run.run(sample_session, sample.snapshot, "kept_back", judge=constant, hash_="v1")
    assert not first.repeated
    assert first.responses >= 2_000
    again = run.run(sample_session, sample.snapshot, "kept_back", judge=unused, hash_="v1", seed=5)
    assert again.repeated
    assert again.figures == first.figures
    assert again.ran_at is not None
    other = run.run(sample_session, sample.snapshot, "kept_back", judge=constant, hash_="v2")
    assert not other.repeated
    stored = select(func.count()).select_from(oracle_study).where(oracle_study.c.oracle_hash.in_(["v1", "v2"]))
    assert sample_session.scalar(stored) == 2


def test_dashboards_read_what_a_run_measured(sample, sample_session: Session) -> None:
    found = run.run(sample_session, sample.snapshot, "kept_back", judge=constant, hash_="view")
    views.install(sample_session)
    row = sample_session.execute(
        text("SELECT * FROM oracle_trust WHERE oracle_version = 'view' AND profile = 'constant' AND stratum = 'all'")
    ).one()
    report_ = next(one for one in found.figures["reports"] if one["profile"] == "constant")
    assert (row.part, row.responses) == ("kept_back", report_["all"]["responses"])
    assert (row.precision, row.recall_low) == (report_["all"]["precision"]["rate"], report_["all"]["recall"]["low"])
    assert row.verbose_alarms_high == report_["verbose"]["high"]
    strata = text("SELECT count(*), count(DISTINCT stratum) FROM oracle_trust WHERE oracle_version = 'view'")
    assert sample_session.execute(strata).one() == (2 * len(found.figures["reports"]), 2)


def test_a_threshold_is_set_on_development_and_frozen_for_the_other_parts(sample, sample_session: Session) -> None:
    def by_fault(items: Sequence[UnstoredText]) -> list[dict[str, Any]]:
        faulty = {(one.case_id, one.sample) for one in planted if one.category not in ("normal", "unparseable")}
        return [
            row | {"edge_similarity": 0.3 if (row["case_id"], row["sample"]) in faulty else 0.6, "node_similarity": 1.0}
            for row in constant(items)
        ]

    planted = planting.plant(sample_session, sample.snapshot, "development")
    development = run.run(sample_session, sample.snapshot, "development", judge=by_fault, hash_="v3")
    assert development.figures["likeness_threshold"] == pytest.approx(0.35)
    kept = run.run(sample_session, sample.snapshot, "kept_back", judge=constant, hash_="v3")
    assert kept.figures["likeness_threshold"] == pytest.approx(0.35)
    profiles = [each["profile"] for each in kept.figures["reports"]]
    assert "constant, likeness ≥ 0.35 (set on development)" in profiles
    page = report.markdown(store.kept(sample_session, "v3"))
    assert page.count("not on model output") >= 1
    assert "answer only" in page
    picture = plots.recall_by_fault(report.judged(kept), "kept_back")
    assert picture == plots.recall_by_fault(report.judged(kept), "kept_back")
    assert "<script" not in picture


def test_a_limited_run_is_not_stored(sample, sample_session: Session) -> None:
    found = run.run(sample_session, sample.snapshot, "hand_written", judge=constant, hash_="v9", limit=5)
    assert found.responses == 5
    assert store.stored(sample_session, "hand_written", "v9") is None


def test_any_change_of_code_words_rules_or_model_is_another_version(tmp_path: Path) -> None:
    config, prolog = tmp_path / "config", tmp_path / "prolog"
    config.mkdir()
    prolog.mkdir()
    for name in ("lexicon.yaml", "predicates.yaml", "rules.yaml"):
        (config / name).write_text("a: 1\n")
    (prolog / "rules.pl").write_text("a.\n")
    seen = {store.oracle_hash(config, prolog, "model"), store.oracle_hash(config, prolog, "other")}
    (config / "predicates.yaml").write_text("a: 2\n")
    seen.add(store.oracle_hash(config, prolog, "model"))
    (prolog / "rules.pl").write_text("b.\n")
    seen.add(store.oracle_hash(config, prolog, "model"))
    assert len(seen) == 4
    (config / "models.yaml").write_text("a: 1\n")
    assert store.oracle_hash(config, prolog, "model") in seen
