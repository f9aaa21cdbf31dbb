"""What `results export --to bundle` writes can be checked, and refuted, without HalluVault."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.results import comparing, views
from halluvault_tasks.results.export import formats
from halluvault_tasks.results.stages import summarise
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish


@pytest.fixture
def bundle(session: Session, tmp_path: Path) -> Path:
    views.install(session)
    summarise(session, evaluation_of(session, evaluation="e1", name="real/one"))
    summarise(session, evaluation_of(session, evaluation="e2", name="real/two", seed=1, unread=0.2, dead=3))
    publish(session)
    comparing.compare(session, SNAPSHOT)
    return formats.export(session, SNAPSHOT, "bundle", tmp_path / "bundle").folder


def checked(bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
    # -I: nothing of this environment, so neither HalluVault nor any package.
    command = [sys.executable, "-I", "-S", str(bundle / "verify.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def changed(path: Path, old: str, new: str) -> None:
    content = path.read_text()
    assert re.search(old, content)
    path.write_text(re.sub(old, new, content, count=1))


def test_every_rate_and_index_is_recomputed_with_the_standard_library_alone(bundle: Path) -> None:
    done = checked(bundle)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "everything agrees" in done.stdout
    found = re.search(r"figures: (\d+) recomputed", done.stdout)
    assert found and int(found[1]) > 500
    left_out = done.stdout.split("left out: ")[1]
    for metric in ("hallucination_rate", "accuracy", "index", "index_reasons", "proved_rate"):
        assert not re.search(rf"\b{metric}\b", left_out), metric


def test_a_changed_digit_is_named(bundle: Path) -> None:
    rows = [json.loads(line) for line in (bundle / "published.jsonl").read_text().splitlines()]
    place = next(n for n, row in enumerate(rows) if row["metric"] == "index" and row["scope"] == "model")
    rows[place]["value"] += 0.001
    (bundle / "published.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = checked(bundle)
    assert done.returncode == 1
    assert "published.jsonl was changed after the export" in done.stdout
    assert f"index of {rows[place]['model']}, headline, model: published" in done.stdout
    assert done.stdout.rstrip().endswith("2 faults")


def test_a_changed_verdict_changes_the_figures_that_rest_on_it(bundle: Path) -> None:
    changed(bundle / "verdicts.jsonl", r'"category": "error_knowledge"', '"category": "normal"')
    done = checked(bundle)
    assert done.returncode == 1 and "hallucination_rate of " in done.stdout


def test_it_says_whose_answers_another_right_answer_would_change(bundle: Path) -> None:
    case = json.loads((bundle / "cases.jsonl").read_text().splitlines()[0])
    other = {"yes": "no", "no": "yes"}[case["gold"]]
    done = checked(bundle, "--gold", f"{case['case_id']}={other}")
    assert done.returncode == 0 and f"Told to be {case['gold']}; suppose {other}." in done.stdout
    wrong = checked(bundle, "--gold", "nothing=maybe")
    assert wrong.returncode == 2 and "give an id of cases.jsonl and yes or no" in wrong.stdout
    assert "Traceback" not in wrong.stderr


def test_a_stranger_can_read_it_in_one_sitting() -> None:
    lines = Path(formats.__file__).with_name("verify.py").read_text().splitlines()
    assert len(lines) <= 300
    imported = {line.split()[1].partition(".")[0] for line in lines if re.match(r"(from|import) ", line)}
    assert imported <= sys.stdlib_module_names
