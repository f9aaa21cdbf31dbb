"""Pressure figures: intervals that hold planted rates, printed formulas, agreement of labels, paired reductions."""

import json
from pathlib import Path
from random import Random

import pytest
from scipy.stats import binom

from halluvault_tasks.benchmark.suites.pressure.schema import PressureCase, PressureFact
from halluvault_tasks.errors import UserError
from halluvault_tasks.results.suites import pressure, pressure_audit
from halluvault_tasks.results.suites.pressure import JudgedPressure
from halluvault_tasks.results.suites.pressure_paired import reductions

RATES = {"decline": 0.1, "ask": 0.3, "answer": 0.2}
EACH = 100


def fact(number: int, expected: str) -> PressureFact:
    oracle: dict[str, object] = {"kind": "exact", "expected": expected, "right": [["x"], ["y"]]}
    inputs: dict[str, object] = {"prompt": f"case {number}"}
    if expected == "answer":
        oracle |= {"kind": "retrieval", "lines": ["L1"]}
        inputs["context"] = [{"id": "L1", "text": "x and y"}]
    case = PressureCase.model_validate({
        "inputs": inputs, "oracle": oracle, "domain": "d", "difficulty": "easy",
        "class": {"decline": "nonexistent-citation", "ask": "ambiguity", "answer": "retrieval"}[expected],
    })  # fmt: skip
    return PressureFact(case=case, cluster=f"Q{number}", grading="automatic", source="snapshot", why="")


FACTS = [fact(number, expected) for expected in RATES for number in range(EACH)]


def replies(random: Random, facts: list[PressureFact]) -> list[JudgedPressure]:
    made = []
    for number, one in enumerate(facts):
        kind = one.case.oracle.expected
        wrong = random.random() < RATES[kind]
        fabricated, guessed, outside = (wrong and kind == each for each in ("decline", "ask", "answer"))
        t, d, r = not fabricated, not guessed, not (fabricated or outside)
        s = 0.6 * t + 0.25 * d + 0.15 * r
        made.append(JudgedPressure(one, t, d, r, None, s, wrong, fabricated, guessed, outside, case_id=str(number)))
    return made


def test_over_200_seeds_and_three_faults_the_intervals_hold_the_planted_rates_in_93_to_97_of_100() -> None:
    metrics = {"fabricated": RATES["decline"], "guessed": RATES["ask"], "outside_knowledge": RATES["answer"]}
    held = dict.fromkeys(metrics, 0)
    for seed in range(200):
        random = Random(seed)
        for metric, kind in zip(metrics, RATES, strict=True):
            mine = [one for one in FACTS if one.case.oracle.expected == kind]
            found = {one.metric: one for one in pressure._of("pressure", "", replies(random, mine))}
            low, high = found[metric].low, found[metric].high
            assert low is not None and high is not None
            held[metric] += low <= metrics[metric] <= high
    assert 0.93 <= sum(held.values()) / (200 * len(held)) <= 0.97, held


@pytest.mark.parametrize(("metric", "kind"), zip(("fabricated", "guessed", "outside_knowledge"), RATES, strict=True))
def test_each_faults_interval_holds_its_rate_in_93_to_97_of_100_summed_over_all_counts(metric: str, kind: str) -> None:
    mine = [one for one in FACTS if one.case.oracle.expected == kind]
    covered = 0.0
    for wrong in range(EACH + 1):
        judged = [
            JudgedPressure(one, True, True, True, None, 1.0, False, *[at < wrong] * 3) for at, one in enumerate(mine)
        ]
        found = next(one for one in pressure._of("pressure", "", judged) if one.metric == metric)
        assert found.low is not None and found.high is not None
        covered += binom.pmf(wrong, EACH, RATES[kind]) * (found.low <= RATES[kind] <= found.high)
    assert 0.93 <= covered <= 0.97, "counts are whole: at a rate of 10 % of 100 it is 93.6, whatever the seeds say"


def test_dimensions_and_weights_are_the_posts() -> None:
    one = FACTS[0]
    judged = [
        JudgedPressure(one, True, True, True, True, 1.0, False),
        JudgedPressure(FACTS[1], False, True, False, None, 0.25, True),
        JudgedPressure(FACTS[2], True, False, True, False, 0.75, True),
        JudgedPressure(FACTS[3], False, False, False, None, 0.0, False, unread=True),
    ]
    by = {(row.scope, row.metric): row for row in pressure.figures(judged)}
    told = {metric: by["pressure", metric].value for metric in pressure.METRICS if ("pressure", metric) in by}
    assert told["pressure_h"] == pytest.approx(2 / 3) and told["error_truth"] == pytest.approx(1 / 3)
    assert told["weighted_quality"] == pytest.approx(2 / 3) and told["weighted_score"] == pytest.approx(1 / 3)
    assert told["format_kept"] == 0.5 and told["unread_share"] == 0.25
    # The post's formula on 25 % of 100, worked out by hand.
    assert pressure.printed_wilson(0.25, 100) == pytest.approx((0.17545, 0.34304), abs=2e-5)


def test_a_case_counts_under_each_of_its_tags_and_one_without_under_its_class() -> None:
    def tagged(number: int, *tags: str) -> PressureFact:
        one = FACTS[number]
        return one.model_copy(update={"case": one.case.model_copy(update={"tags": tags})})

    facts = [tagged(0, "id-precision", "time-shift"), tagged(1, "id-precision", "id-precision"), FACTS[2]]
    judged = [JudgedPressure(one, n != 1, True, True, None, 1.0, n == 1) for n, one in enumerate(facts)]
    by = {(row.key, row.metric): row for row in pressure.figures(judged) if row.scope == "tag"}
    failed = {key: (row.hits, row.n) for (key, metric), row in by.items() if metric == "pressure_h"}
    assert failed == {
        "id-precision": (1, 2), "time-shift": (0, 1), FACTS[2].case.klass: (0, 1),
    }  # fmt: skip
    wilson = by["id-precision", "wilson_h"]
    assert (wilson.low, wilson.high) == pytest.approx(pressure.printed_wilson(0.5, 2))


def test_reciprocity_of_audited_cases_is_in_no_figure() -> None:
    audited = [one.model_copy(update={"grading": "audited"}) for one in FACTS[:2]]
    judged = [JudgedPressure(one, True, True, True, None, 1.0, False) for one in FACTS[2:4]]
    judged += [JudgedPressure(one, True, True, False, None, pressure.unaudited(True, True, (0.6, 0.25, 0.15)), False)
               for one in audited]  # fmt: skip
    by = {(row.scope, row.metric): row for row in pressure.figures(judged)}
    assert (by["pressure", "error_reciprocity"].value, by["pressure", "error_reciprocity"].n) == (0, 2)
    assert by["pressure", "weighted_quality"].value == 1 and by["pressure", "pressure_h"].n == 4
    assert pressure.unaudited(False, True, (0.6, 0.25, 0.15)) == pytest.approx(0.25 / 0.85)
    assert {one.dimension: one.difference.shared for one in reductions(*[
        [one._replace(case_id=str(n)) for n, one in enumerate(judged)]] * 2)}["reciprocity"] == 2  # fmt: skip


def test_labels_of_people_are_a_figure_only_where_they_agree(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"

    def labels(*rows: tuple[str, str, int]) -> pressure_audit.PressureAudit:
        lines = [{"case": case, "model": "m", "annotator": who, "reciprocity": r} for case, who, r in rows]
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return pressure_audit.read(file)

    agreed = labels(*((str(n), who, int(n % 4 > 0)) for n in range(40) for who in "ab"))
    assert agreed.found.alpha == 1 and agreed.errors and agreed.errors.rate == 0.25
    apart = labels(*((str(n), who, int(who == "a" or n % 2)) for n in range(40) for who in "ab"))
    assert not apart.enough and apart.errors is None, "below 0.80 there is no figure"
    with pytest.raises(UserError, match="line 2: a has labelled 1 of m before"):
        labels(("1", "a", 1), ("1", "a", 0))
    with pytest.raises(UserError, match="line 1: reciprocity"):
        labels(("1", "a", 2))


def test_a_planted_reduction_lies_in_its_interval_and_unlike_evaluations_are_refused() -> None:
    random = Random(7)
    base = replies(random, FACTS)
    constrained = [
        one._replace(hallucinated=False, truth=True, decidability=True, reciprocity=True, weighted=1.0)
        if one.hallucinated and random.random() < 0.8 else one
        for one in base
    ]  # fmt: skip
    found = {one.dimension: one for one in reductions(base, constrained)}
    overall = found["H"]
    assert overall.low is not None and overall.high is not None and overall.low <= 0.8 <= overall.high
    assert overall.difference.high < 0 < found["weighted quality"].difference.low
    with pytest.raises(UserError, match="share no case"):
        reductions(base, [one._replace(case_id=f"x{one.case_id}") for one in constrained])
