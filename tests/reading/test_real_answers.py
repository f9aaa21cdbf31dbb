"""Answers that real chat models gave, labelled one by one before they were read; skipped where the data is absent."""

import json
from pathlib import Path

from halluvault_tasks.oracles.measure import answers, labelled, readers

LABELS = Path(__file__).parent / "data" / "senator_labels.tsv"


def test_of_published_answers_as_many_are_read_right_as_documented(shared_data: Path) -> None:
    lines = labelled.read([shared_data / "real-answers" / "yes-no-labelled.jsonl"], labelled.LabelledAnswer)
    found = answers.measure(lines, readers.answers)
    random, hard = found.by_draw["random"], found.by_draw["hard"]
    assert random
    assert hard
    assert random.value >= 0.98
    assert hard.value >= 0.9
    assert found.contradictory.found >= 0.8 * found.contradictory.of
    assert found.contradictory.right >= 0.8 * found.contradictory.called


def test_no_labelled_yes_is_read_as_no_nor_a_no_as_yes(shared_data: Path) -> None:
    rows = [json.loads(line) for line in (shared_data / "real-answers" / "senator.jsonl").read_text().splitlines()]
    fields = [line.split("\t") for line in LABELS.read_text().splitlines() if not line.startswith(("#", "line"))]
    pairs = [(rows[int(i)]["answers"][int(j)], rows[int(i)]["question"]) for i, j, *_ in fields]
    for (_, _, label, _), (text, _), kind in zip(fields, pairs, readers.answers(pairs), strict=True):
        if label in ("yes", "no"):
            assert kind in (label, "dont_know", "unparseable"), text
