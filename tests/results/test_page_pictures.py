"""What is drawn of each companion suite: the right figures, beside the right lines, and nothing that is not there."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from halluvault_tasks.results import page_pictures, panels
from halluvault_tasks.results.companions import Companion, CompanionLine
from halluvault_tasks.results.page_pictures import Picture
from halluvault_tasks.results.suites import external, memory, open_pairs, pressure, recognition
from halluvault_tasks.results.suites import open as opened


def figure(value: float | None, hits: int = 0, n: int = 40) -> dict[str, Any]:
    ends = (None, None) if value is None else (max(0.0, value - 0.1), min(1.0, value + 0.1))
    return {"value": value, "low": ends[0], "high": ends[1], "hits": hits, "n": n}


def line(scope: str, key: str, model: str = "m", way: str = "base", **figures: dict[str, Any]) -> CompanionLine:
    return CompanionLine(model, True, f"recognition/{way} v1, chat", way, scope, key, figures)  # type: ignore[arg-type]


def drawn(profile: str, lines: Sequence[CompanionLine]) -> page_pictures.Pictures:
    return page_pictures.of(Companion("suite", profile, "planted only", "planted only", lines))


def told(picture: Picture) -> list[str]:
    [words] = re.findall("<desc>(.*?)</desc>", picture.svg)
    return words.split("; ")


def of_set(k: int, value: float | None, echo: tuple[int, int], model: str = "m", strategy: int = 1) -> CompanionLine:
    return line(
        "sets", f"k = {k}, strategy {strategy}", model,
        internal_hallucination=figure(value), echo=figure(None, *echo), chance=figure({2: 1 / 2, 3: 1 / 6}[k]),
    )  # fmt: skip


def test_sets_that_are_not_right_stand_beside_chance_and_the_echo_of_all_models_sets() -> None:
    lines = [
        of_set(2, 0.25, (30, 50)),
        of_set(3, None, (4, 20)),
        of_set(2, 0.5, (10, 50), "n"),
        of_set(3, 0.4, (6, 20), "n"),
    ]
    found = drawn(memory.PROFILE, lines)
    [picture] = found.first
    assert told(picture) == [
        "m, k = 2: 25.0 % [15.0, 35.0]", "n, k = 2: 50.0 % [40.0, 60.0]", "n, k = 3: 40.0 % [30.0, 50.0]",
        "by lot, k = 2: 50.0 %", "by lot, k = 3: 83.3 %", "echo, k = 2: 60.0 %", "echo, k = 3: 75.0 %",
    ]  # fmt: skip
    assert "fewer than 30 sets" in found.note and found.folds == []


def test_all_permutations_are_folded_below_the_shuffles() -> None:
    found = drawn(memory.PROFILE, [of_set(2, 0.25, (30, 50)), of_set(2, 0.75, (4, 8), strategy=2)])
    assert [told(one)[0] for one in found.first] == ["m, k = 2: 25.0 % [15.0, 35.0]"]
    [fold] = found.folds
    assert "strategy 2" in fold.heading and told(fold.pictures[0])[0] == "m, k = 2: 75.0 % [65.0, 85.0]"


def test_each_temperature_has_a_picture_and_is_named_where_there_are_two() -> None:
    one = of_set(2, 0.25, (1, 2))
    both = drawn(memory.PROFILE, [one._replace(way="temperature 0"), one._replace(way="temperature 0.95")])
    assert [one.heading for one in both.first] == ["Sets not right, temperature 0", "Sets not right, temperature 0.95"]
    assert [one.heading for one in drawn(memory.PROFILE, [one]).first] == ["Sets not right"]


def test_without_labels_external_consistency_alone_is_drawn_and_with_them_every_score_beside_chance() -> None:
    none = figure(None)
    unlabelled = line("documents", "", external_hallucination=none, auroc=none, mean_consistency=figure(0.9))
    [picture] = drawn(external.PROFILE, [unlabelled]).first
    assert told(picture) == ["m, mean consistency: 90.0 % [80.0, 100.0]"]
    areas = {name: figure(0.6) for name in external.METRICS if name.startswith("auroc")}
    labelled = line("documents", "", external_hallucination=figure(0.3), mean_consistency=figure(0.9), **areas)
    rates, curves = drawn(external.PROFILE, [labelled]).first
    assert "hallucinated, as told by the score: 30.0 %" in told(rates)[0]
    assert len(told(curves)) == len(areas) + 2 and "chance: 50.0 %" in told(curves)


def pair(scope: str, key: str, value: float, **more: Any) -> CompanionLine:
    return line(scope, key, recognised=figure(value), yes_share=figure(0.6), always_yes=figure(0.5, 20, 40), **more)


def test_recognition_is_drawn_by_task_by_pattern_and_by_how_often_yes_is_said_and_other_ways_are_folded() -> None:
    one = [pair("task", "qa, licensed swaps", 0.7), pair("pattern", "qa.inference, licensed swaps", 0.8)]
    other = [pair("task", "qa, licensed swaps", 0.2, way="cot")]
    found = drawn(recognition.STRICT, [*one, *other])
    by_task, by_pattern, yes = found.first
    assert told(by_task) == ["m, qa, licensed swaps: 70.0 % of 40"]
    assert told(by_pattern) == ["m, inference: 80.0 % [70.0, 90.0]", "a constant yes: 50.0 %"]
    assert told(yes) == ["m, qa: 60.0 % [50.0, 70.0]", "texts that are false: 50.0 %"]
    assert [fold.heading for fold in found.folds] == ["The same pictures, asked by cot"]
    assert told(found.folds[0].pictures[0]) == ["m, qa, licensed swaps: 20.0 % of 40"]
    assert drawn(recognition.LEGACY, one) == page_pictures.Pictures(), "one profile of a suite is drawn"


def test_generators_are_named_where_there_are_several() -> None:
    both = [pair("task", f"qa, {generator}", 0.7) for generator in ("licensed swaps", "HaluEval")]
    by_task = str(drawn(recognition.STRICT, both).first[0].svg)
    assert "qa, licensed swaps</text>" in by_task and "qa, HaluEval</text>" in by_task


def test_more_models_than_marks_are_drawn_in_several_pictures() -> None:
    lines = [of_set(2, 0.25, (1, 2), f"m{number}") for number in range(panels.SERIES + 1)]
    first, second = drawn(memory.PROFILE, lines).first
    assert first.heading.endswith("(1 to 6 of 7)") and second.heading.endswith("(7 to 7 of 7)")
    assert "m6, k = 2" in second.svg and "m6" not in first.svg


def test_what_fails_where_is_a_map_of_each_model_folded_by_prompt() -> None:
    lines = [
        line("class", "calc", model, way, pressure_h=figure(0.5), error_truth=figure(None))
        for way in ("baseline", "constrained") for model in ("m", "n")
    ]  # fmt: skip
    found = drawn(pressure.PROFILE, lines)
    assert found.first == () and [len(fold.pictures) for fold in found.folds] == [2, 2]
    assert told(found.folds[0].pictures[0]) == ["calc, any: 50.0 % of 40", "calc, truth: no figure"]


def rate(month: int, value: float, **more: Any) -> dict[str, Any]:
    return {
        "model": "m", "variant": "pressure/baseline v1, chat", "month": date(2026, month, 1), "value": value,
        "low": 0.0, "high": 1.0, "model_id": "m", "model_sha": "new", "server_version": None,
        "is_newest_identity": True, **more,
    }  # fmt: skip


def curves(*rows: dict[str, Any]) -> list[Picture]:
    return page_pictures.curves(rows)  # type: ignore[arg-type]  # rows are read by name alone


def test_the_learning_curve_is_drawn_from_two_months_on_a_picture_for_each_prompt() -> None:
    assert curves() == curves(rate(8, 0.8)) == curves(rate(8, 0.8), rate(8, 0.2, model="n")) == []
    constrained = {"variant": "pressure/constrained v1, chat"}
    first, second = curves(rate(8, 0.8), rate(9, 0.6), rate(8, 0.4, **constrained), rate(9, 0.3, **constrained))
    assert first.heading.endswith("baseline") and second.heading.endswith("constrained")
    assert [one.partition(" [")[0] for one in told(first)] == ["m, 2026-08: 80.0 %", "m, 2026-09: 60.0 %"]
    assert len(re.findall(r'class="line c0" points="[\d.]+,[\d.]+ [\d.]+,[\d.]+"', first.svg)) == 1, "they are joined"


def test_an_older_identity_of_a_model_is_a_line_of_its_own() -> None:
    [picture] = curves(rate(8, 0.2), rate(8, 0.4, model_sha="old", is_newest_identity=False))
    assert [one.partition(" [")[0] for one in told(picture)] == [
        "m, 2026-08: 20.0 %", "older, old, m, m, 2026-08: 40.0 %"
    ]  # fmt: skip


def test_open_answers_are_drawn_by_what_became_of_them_by_confidence_by_part_and_beside_yes_no() -> None:
    shares = {name: figure(0.1 * at, 4) for at, name in enumerate(opened.SHARES)}
    pairs = {name: figure(0.25, 10) for name in open_pairs.METRICS}
    lines = [
        line("suite", "", **shares),
        line("confidence", "90 to 100", open_answers_right=figure(0.6)),
        line("confidence", "20 to 29", open_answers_right=figure(0.5)),
        line("stratum", "tail", open_right=figure(0.2)),
        line("pairs", "yes × halluvault/two-turn v1, chat, closed-book, chat", **pairs),
    ]
    found = drawn(opened.PROFILE, lines)
    became, confidence = found.first
    assert "m, unjudged: 50.0 % [40.0, 60.0]" in told(became)
    assert {"m, 20 to 29: 50.0 % [40.0, 60.0]", "as stated, 20 to 29: 25.0 %"} <= set(told(confidence))
    by_part, beside = found.folds
    assert [one.heading for one in by_part.pictures] == ["by how well known it is"]
    [picture] = beside.pictures
    assert picture.heading == "Yes is right, asked two-turn"
    assert "m, right on yes/no alone: 25.0 % [15.0, 35.0]" in told(picture)


def test_a_model_without_a_rate_has_no_mark_among_open_answers() -> None:
    none = {name: figure(None) for name in ("open_right", "open_wrong")}
    found = drawn(opened.PROFILE, [line("suite", "", **none, open_unjudged=figure(0.2))])
    assert told(found.first[0]) == ["m, unjudged: 20.0 % [10.0, 30.0]"]
