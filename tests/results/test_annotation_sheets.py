"""Sheets that hide what they must, rows that are named when they are bad, and figures that stand up to simulation."""

import csv
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import oracle as oracle_command
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import annotation_agreement, annotation_report, annotation_sheets, report, views
from halluvault_tasks.results.annotation_agreement import Measured
from halluvault_tasks.results.annotation_sheets import AnnotatorSheet, Key, Shown
from halluvault_tasks.settings import settings
from halluvault_tasks.statistics.shares import rate
from halluvault_tasks.storage import tables

SERVED = {"simulated/by-name-alone": "org/one", "careful": "simulated/careful"}
"""Name in models.yaml → what the server says it serves, which alone counts."""
MODELS = tuple(SERVED)
REAL, PLANTED = MODELS
HOSTILE = '=HYPERLINK(1)\nYes, "quoted"; and, commas\u2028too'


def _shown(number: int) -> Shown:
    key = Key("e", f"c{number}", 1)
    return Shown(
        annotation_sheets.item_of(key),
        key,
        f"g{number}",
        "people",
        "inverse",
        REAL,
        "Q?",
        "yes",
        (),
        "Yes.",
        SERVED[REAL],
    )


@pytest.fixture
def answered(session: Session) -> str:
    """A month in which two models answered twenty questions of ten groups."""
    session.execute(
        insert(tables.snapshot).values(
            snapshot="2043-01", month="2043-01", revision=1, as_of="2043-01-31", source="by hand", status="published"
        )
    )
    session.execute(
        insert(tables.benchmark_part).values(
            snapshot="2043-01", suite="relation", seed=1, config_hash="", content_hash="", counts={}
        )
    )
    session.execute(
        insert(tables.prompt_variant).values(id="v", template="drowzee", version=1, form="plain", context="closed-book")
    )
    for number in range(20):
        session.execute(
            insert(tables.cases).values(
                id=f"c{number}", question=f"Q{number}?", gold="yes", group_id=f"g{number // 2}", mutation="original",
                relation="same", suite="relation",
            )
        )  # fmt: skip
        session.execute(
            insert(tables.benchmark_case).values(
                snapshot="2043-01", suite="relation", case_id=f"c{number}",
                domain="people" if number < 16 else "culture", rule_kind="inverse",
                fact={}, proof="",
                premises=[{"sentence": f"Fact {number}."}],
            )
        )  # fmt: skip
    for name in MODELS:
        session.execute(insert(tables.model).values(id=name, name=name, dialect="tgi", model_id=SERVED[name]))
        session.execute(
            insert(tables.evaluation).values(
                id=f"e-{name}", snapshot="2043-01", model_id=name, variant_id="v", sampling={}
            )
        )
        for number in range(20):
            session.execute(
                insert(tables.response).values(
                    evaluation_id=f"e-{name}", case_id=f"c{number}", sample=1, status="delivered", attempts=1,
                    text=HOSTILE if number == 3 else f"Yes {number}.",
                )
            )  # fmt: skip
            session.execute(
                insert(tables.verdict).values(
                    evaluation_id=f"e-{name}", case_id=f"c{number}", sample=1, profile="replay/syntax",
                    profile_version="1",
                    answer="yes", correct=True, category="both" if number % 4 == 0 else "normal", detail={},
                )
            )  # fmt: skip
    session.flush()
    return "2043-01"


def test_a_sheet_names_neither_model_nor_verdict_and_each_annotator_has_an_order_of_their_own(
    session: Session, answered: str, tmp_path: Path
) -> None:
    chosen = annotation_sheets.choose(session, answered, count=12, seed=1)
    assert len(chosen) == 12
    assert {one.model for one in chosen} == set(MODELS)
    assert len({(one.model, one.group) for one in chosen}) == 12, "one of a group and model, so that none counts twice"
    assert annotation_sheets.choose(session, answered, count=12, seed=1) == chosen
    orders = []
    for annotator in ("anna", "ben"):
        path = tmp_path / f"{annotator}.csv"
        annotation_sheets.write_sheet(chosen, path, annotator, 1)
        text = path.read_text(encoding="utf-8-sig")
        assert not any(word in text for word in (*MODELS, "replay", "both", "normal", "e-real"))
        with path.open(encoding="utf-8-sig", newline="") as file:
            orders.append([row["item"] for row in csv.DictReader(file)])
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]


def test_a_sheet_has_as_many_of_each_domain_as_there_are(session: Session, answered: str) -> None:
    chosen = annotation_sheets.choose(session, answered, count=10, seed=1)
    # Of culture there are two groups, each answered by two models.
    assert Counter(one.domain for one in chosen) == {"people": 6, "culture": 4}
    assert Counter((one.domain, one.model) for one in chosen) == {
        (domain, model): number for domain, number in (("people", 3), ("culture", 2)) for model in MODELS
    }


def test_hostile_text_survives_the_sheet_and_runs_in_no_spreadsheet(
    session: Session, answered: str, tmp_path: Path
) -> None:
    chosen = [one for one in annotation_sheets.everything(session, answered) if one.text == HOSTILE]
    path = tmp_path / "sheet.csv"
    annotation_sheets.write_sheet(chosen, path, "anna", 1)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["response"] for row in rows] == [f"'{HOSTILE}"] * 2
    known = {one.item: one for one in chosen}
    assert annotation_sheets.read_sheet(path, known).by_item == {}, "nothing filled in yet"


def test_bad_rows_are_named_and_the_good_ones_still_count(tmp_path: Path) -> None:
    known = {one.item: one for one in map(_shown, range(4))}
    items = list(known)
    path = tmp_path / "a.csv"
    path.write_text(
        f"item;category\n{items[0]};Error Knowledge\n{items[1]};wrong\nr123;normal\n"
        f"{items[0]};normal\n{items[2]};\n{items[3]};normal\n",
        encoding="utf-8",
    )
    read = annotation_sheets.read_sheet(path, known)
    assert read.by_item == {items[0]: "error_knowledge", items[3]: "normal"}
    assert [fault.split(":")[0] for fault in read.faults] == ["a.csv, line 3", "a.csv, line 4", "a.csv, line 5"]
    assert "'wrong' is not a category" in read.faults[0]


def test_a_sheet_that_is_none_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,verdict\n1,normal\n", encoding="utf-8")
    with pytest.raises(UserError, match="no column item and no column category"):
        annotation_sheets.read_sheet(path, {})
    path.write_bytes(b"item,category\n\xff\xfe")
    with pytest.raises(UserError, match="UTF-8"):
        annotation_sheets.read_sheet(path, {})


def test_agreement_is_krippendorffs_and_cohens() -> None:
    one = [*"abbbbbaaba"]
    other = [*"aabbabaaaa"]
    named = {"a": "normal", "b": "both"}
    sheets = [AnnotatorSheet("s", {str(i): named[v] for i, v in enumerate(values)}, []) for values in (one, other)]
    found = annotation_agreement.agreement(*sheets)
    agree = sum(a == b for a, b in zip(one, other, strict=True)) / 10
    share = [(values.count("a") / 10, values.count("b") / 10) for values in (one, other)]
    chance = sum(p * q for p, q in zip(*share, strict=True))
    assert found.kappa == pytest.approx((agree - chance) / (1 - chance))
    pooled = [one.count(v) + other.count(v) for v in "ab"]
    expected = 1 - (1 - agree) / (2 * pooled[0] * pooled[1] / (20 * 19))
    assert found.alpha == pytest.approx(expected)
    assert found.items == 10


def test_oracles_are_held_against_what_both_annotators_say(session: Session, answered: str) -> None:
    known = {one.item: one for one in annotation_sheets.everything(session, answered)}
    truth = {item: "both" if one.key.case_id in ("c0", "c1") else "normal" for item, one in known.items()}
    sheets = AnnotatorSheet("a", truth, []), AnnotatorSheet("b", truth | {min(known): "unparseable"}, [])
    found = annotation_report.report(session, answered, *sheets, known)
    (quality,) = found.qualities
    agreed = {item: label for item, label in truth.items() if item != min(known)}
    faulty = [item for item, label in agreed.items() if label == "both"]
    hits = sum(known[item].key.case_id == "c0" for item in faulty)
    assert quality.items == 39
    assert quality.tpr is not None
    assert quality.tpr.rate == pytest.approx(hits / len(faulty))
    assert {(each.model, each.reason[:2]) for _, each in found.corrected} == {
        (REAL, "20" if min(known) not in {i for i, o in known.items() if o.real} else "19"),
        (PLANTED, "it"),
    }


def test_what_people_say_of_real_responses_is_kept_once_for_report_and_view(session: Session, answered: str) -> None:
    views.install(session)
    known = {one.item: one for one in annotation_sheets.everything(session, answered)}
    truth = {item: "both" if one.key.case_id in ("c0", "c1") else "normal" for item, one in known.items()}
    sheets = AnnotatorSheet("a", truth, []), AnnotatorSheet("b", truth, [])
    wrong = {"answer": "no", "correct": False}
    session.execute(update(tables.verdict).where(tables.verdict.c.case_id.in_(["c0", "c4", "c5"])).values(wrong))
    found = annotation_report.report(session, answered, *sheets, known)
    assert [annotation_report.keep(session, answered, found) for _ in range(2)] == [20, 20]
    view = "SELECT * FROM results_v1.oracle_trust WHERE part = 'real_text' ORDER BY stratum"
    row, right = session.execute(text(view)).mappings()
    (on_real,) = found.on_real
    assert (row["stratum"], row["responses"], row["seed_facts"]) == ("all", 20, 10)
    assert on_real.tpr is not None
    assert (row["recall"], row["recall_low"], row["recall_high"]) == on_real.tpr[:3]
    # c1 is faulty and passes; c8, c12 and c16 are sound and flagged; the faulty c0 has a wrong answer.
    assert (right["stratum"], right["responses"], right["recall"], right["precision"]) == ("right answer", 17, 0.0, 0.0)
    assert right["category_accuracy"] == pytest.approx((16 - 3) / 17)
    session.execute(text("UPDATE oracle_study SET figures = replace(figures::text, :old, :new)::jsonb"),
                    {"old": row["profile"], "new": profiles.HEADLINE})  # fmt: skip
    shown = report.markdown(session, answered)
    assert "real text, all: precision" in shown and "on 20 real responses that two people labelled alike" in shown
    assert "real text, right answer: precision" in shown and "on 17 real responses that two people" in shown
    assert "on real responses has not been measured here" not in shown
    none = found._replace(real=0)
    with pytest.raises(UserError, match="agree on no response of a real model"):
        annotation_report.keep(session, answered, none)


def _quality(faulty: int, hit: int, sound: int, passed: int) -> annotation_agreement.Quality:
    tpr = rate((str(number), number < hit) for number in range(faulty))
    tnr = rate((str(number), number < passed) for number in range(sound))
    return annotation_agreement.Quality("p", "1", faulty + sound, tpr, tnr, None, None, faulty / (faulty + sound))


@pytest.mark.parametrize(
    ("quality", "labelled", "simulated", "why"),
    [
        (_quality(80, 76, 100, 95), {"m": 180}, False, "180 human labels"),
        (_quality(80, 76, 140, 133), {"m": 30, "n": 190}, False, "30 human labels on its"),
        (_quality(80, 45, 140, 90), {"m": 220}, False, "may be as low as"),
        (_quality(80, 76, 140, 133), {"m": 220}, True, "not a real model"),
    ],
)
def test_no_rate_is_corrected_on_too_little(
    quality: annotation_agreement.Quality, labelled: dict[str, int], simulated: bool, why: str
) -> None:
    found = annotation_agreement.corrected(Measured("m", 30, 100, simulated), quality, labelled)
    assert found.rate is None
    assert why in found.reason


def test_a_corrected_rate_undoes_the_oracles_errors() -> None:
    quality = _quality(200, 180, 200, 190)
    true = 0.2
    flagged = round(1000 * (true * 0.9 + (1 - true) * 0.05))
    found = annotation_agreement.corrected(Measured("m", flagged, 1000, False), quality, {"m": 400})
    assert found.rate == pytest.approx(true, abs=0.002)
    assert found.low is not None
    assert found.high is not None
    assert found.low < true < found.high


def test_the_corrected_interval_covers_the_truth_nineteen_times_of_twenty() -> None:
    draw = random.Random(7)

    def binomial(count: int, chance: float) -> int:
        return sum(draw.random() < chance for _ in range(count))

    covered = 0
    for _ in range(600):
        quality = _quality(80, binomial(80, 0.88), 170, binomial(170, 0.93))
        flagged = binomial(400, 0.15 * 0.88 + 0.85 * 0.07)
        found = annotation_agreement.corrected(Measured("m", flagged, 400, False), quality, {"m": 250})
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.15 <= found.high
    assert covered / 600 >= 0.93


def test_the_command_writes_sheets_reads_them_back_and_names_bad_rows(
    session: Session, answered: str, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.commit()
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    runner, app = CliRunner(), oracle_command.oracle
    sheets = [str(tmp_path / f"{annotator}.csv") for annotator in ("anna", "ben")]
    try:
        for annotator, path in zip(("anna", "ben"), sheets, strict=True):
            done = runner.invoke(app, ["label", "sheet", path, "--annotator", annotator, "--count", "10"])
            assert done.exit_code == 0, done.output
            with Path(path).open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(file))
            for number, row in enumerate(sorted(rows, key=lambda row: row["item"])):
                row["category"] = (
                    "nonsense" if (number, annotator) == (0, "ben") else "both" if number % 2 else "normal"
                )
            with Path(path).open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, annotation_sheets.HEADER)
                writer.writeheader()
                writer.writerows(rows)
        again = runner.invoke(app, ["label", "sheet", sheets[0], "--annotator", "anna"])
        assert isinstance(again.exception, UserError), "somebody's work is never written over"
        done = runner.invoke(app, ["label", "read", *sheets, "--json", str(tmp_path / "out.json")])
    finally:
        settings.cache_clear()
    assert done.exit_code == 1
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["agreement"]["items"] == found["agreement"]["same"] == 9
    assert found["agreement"]["alpha"] == pytest.approx(1.0)
    assert all(rate["rate"] is None for _, rate in found["corrected"])
