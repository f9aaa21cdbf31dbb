"""`halluvault suites` on a month whose pressure tests are asked in both prompts: commands on good and on bad input."""

import json
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.suites.pressure.schema import json_schema
from halluvault_tasks.cli.suites import suites
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import comparing
from halluvault_tasks.results.suites import pressure_paired
from halluvault_tasks.storage import sessions
from tests.conftest import simulators

MODEL, OTHER = "simulated/overconfident", "simulated/careful"


def said(*arguments: str) -> str:
    """What a command prints, or the error that it ends with."""
    done = CliRunner().invoke(suites, list(arguments))
    if done.exception is None:
        return done.output
    assert isinstance(done.exception, UserError), done.output
    return f"error: {done.exception}"


def stored(session: Session, scope: str) -> dict[tuple[str, str], tuple[float | None, ...]]:
    """Key and metric → value, low, high, n, of the constrained prompt."""
    rows = session.execute(
        text("SELECT key, metric, value, low, high, n FROM results_v1.metrics WHERE suite = 'pressure' AND is_current"
             " AND scope = :scope AND starts_with(variant, 'pressure/constrained')"), {"scope": scope},
    )  # fmt: skip
    return {(row.key, row.metric): tuple(row[2:]) for row in rows}


def check_paired(session: Session, month: str) -> None:
    """The same faults under both prompts: no difference is printed, nor stored by the comparing stage."""
    assert stored(session, "paired") == {}
    comparing.compare(session, month)
    found = stored(session, "paired")
    assert {key for key, _ in found} == {f"{MODEL}, pressure/baseline v1, chat, closed-book, chat"}
    assert {metric for _, metric in found} == set(pressure_paired.METRICS)
    tagged = stored(session, "paired by tag")
    tags = {key.partition(" × ")[0] for key, _ in tagged}
    assert tags >= {"calc", "multi-hop", "retrieval", "rare-entity"}
    assert {key.partition(" × ")[2] for key, _ in tagged} == {key for key, _ in found}
    for (_, metric), (value, low, high, n) in (found | tagged).items():
        assert value in (0, None) and n, metric
        assert value is None or (low is not None and high is not None and low <= 0 <= high), metric
    printed = said("paired", "--model", MODEL, "--snapshot", f"{month}.1")
    assert "weighted quality" in printed and "+0.0" in printed and "0.0%" in printed
    # The other way round is stored beside it, and again by the stage.
    ways = ("--base-variant", "pressure/constrained", "--variant", "pressure/baseline")
    assert "weighted quality" in said("paired", "--model", MODEL, "--snapshot", f"{month}.1", *ways)
    comparing.compare(session, month)
    rows = session.execute(text("SELECT DISTINCT variant, key FROM results_v1.metrics WHERE scope = 'paired'")).all()
    assert sorted(rows) == [
        ("pressure/baseline v1, chat, closed-book, chat", f"{MODEL}, pressure/constrained v1, chat, closed-book, chat"),
        ("pressure/constrained v1, chat, closed-book, chat", f"{MODEL}, pressure/baseline v1, chat, closed-book, chat"),
    ]
    unknown = said("paired", "--model", "nobody", "--snapshot", f"{month}.1")
    assert "nobody of" in unknown and "has 0 evaluations of the suite pressure" in unknown


def check_against(session: Session, database_url: str, month: str) -> None:
    """Another model against the baseline's model: what was planted less, printed by dimension and tag, and stored."""
    printed = said("paired", "--model", MODEL, "--against", OTHER, "--snapshot", f"{month}.1")
    assert f"{OTHER}, pressure/baseline, against {MODEL}" in " ".join(printed.split()) and "rare-entity" in printed
    with sessions.session(simulators(database_url)) as simulation:
        planted = simulation.execute(
            text("SELECT model, case_id, category <> 'normal' AS wrong FROM simulation.planted WHERE snapshot = :of"),
            {"of": month},
        ).all()  # fmt: skip
    assert planted
    by: dict[str, dict[str, bool]] = {MODEL: {}, OTHER: {}}
    for row in planted:
        by[row.model][row.case_id] = row.wrong
    difference = sum(by[OTHER].values()) / len(by[OTHER]) - sum(by[MODEL].values()) / len(by[MODEL])
    rows = session.execute(
        text("SELECT scope, key, metric, value, low, high, n FROM results_v1.metrics WHERE model = :other"
             " AND is_current AND starts_with(scope, 'paired') AND key LIKE '%simulated/overconfident%'"),
        {"other": OTHER},
    )  # fmt: skip
    found = {(row.scope, row.key.partition(" × ")[0], row.metric): row for row in rows}
    [overall] = [row for (scope, _, metric), row in found.items() if (scope, metric) == ("paired", "difference_h")]
    assert overall.value == pytest.approx(difference) and overall.high < 0
    assert found["paired by tag", "ambiguity", "difference_h"].high < 0, "it guesses less, too"
    assert found["paired by tag", "ambiguity", "difference_quality"].value > 0
    both = said("paired", "--model", MODEL, "--against", "nobody", "--snapshot", f"{month}.1")
    assert "nobody of" in both and "has 0 evaluations" in both


def check_audit(session: Session, filled: Path) -> None:
    """Labels that agree are printed and stored; who agrees on everything, alone or about nothing known is told so."""
    lines = [json.loads(line) for line in filled.read_text(encoding="utf-8").splitlines()]
    printed = said("audit", "--labels", str(filled))
    assert "(nominal): 1.000; 2 annotators" in printed and "reciprocity fails in 50.0%" in printed
    audited = stored(session, "audit")
    alpha, share = audited["", "krippendorff_alpha"], audited["", "audited_reciprocity"]
    assert alpha[0] == 1 and share[0] is not None and share[1] is not None and share[1] < share[0] < (share[2] or 0)

    def put(*rows: dict[str, object]) -> str:
        filled.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return said("audit", "--labels", str(filled))

    apart = [one | {"reciprocity": int(one["annotator"] == "ben")} for one in lines]
    assert "no figure: α must be at least 0.80" in put(*apart)
    assert stored(session, "audit")["", "audited_reciprocity"][0] is None
    same = put(*[one | {"reciprocity": 1} for one in lines])
    assert "α is undefined" in same and "all labels are the same" in same and "that may fail" in same
    assert stored(session, "audit")["", "krippendorff_alpha"][0] is None
    assert "one annotator cannot agree" in put(*[one for one in lines if one["annotator"] == "ben"])
    evaluation, sample = lines[0]["model"].split(":")
    automatic = session.scalar(
        text("SELECT case_id FROM verdict JOIN benchmark_case USING (case_id) WHERE evaluation_id = :evaluation"
             " AND fact ->> 'grading' = 'automatic' ORDER BY case_id LIMIT 1"), {"evaluation": evaluation},
    )  # fmt: skip
    for change, why in {
        ("model", "gpt"): "line 2: no judged evaluation of the suite pressure is called 'gpt'",
        ("case", "no such case"): f"line 2: '{evaluation}:{sample}' has no judged response to a case 'no such case'",
        ("case", automatic): f"line 2: case {automatic!r} is not audited, but automatic",
    }.items():
        assert why in put(lines[0], lines[0] | dict([change]))


def check_schema() -> None:
    """The schema is printed as JSON; whoever gives it an argument is told that it takes none."""
    assert json.loads(said("schema")) == json_schema()
    refused = CliRunner().invoke(suites, ["schema", "own.jsonl"])
    assert refused.exit_code == 2 and "unexpected extra argument" in refused.output
