"""HaluEval's files as they are: what is odd in them is named, and what cannot be read is refused with its line."""

import json
from pathlib import Path

import pytest

from halluvault_tasks.benchmark.suites.recognition import halueval
from halluvault_tasks.errors import UserError

HALUEVAL = [
    {"knowledge": "Ann knew Ben.", "question": "Whom did Ann know?", "right_answer": "Ben",
     "hallucinated_answer": "Ann knew Carl, and nobody else at all"},
    {"knowledge": "Dan sings.", "question": "Who sings?", "right_answer": "Dan", "hallucinated_answer": "It is Eve"},
]  # fmt: skip


def test_a_file_of_halueval_is_read_and_what_is_odd_is_told(tmp_path: Path) -> None:
    lines = [
        {"ID": "7", "user_query": "a?", "chatgpt_response": "b", "hallucination": "no", "hallucination_spans": []},
        {"ID": "7", "user_query": "c?", "chatgpt_response": "d", "hallucination": "yes", "hallucination_spans": []},
    ]
    file = tmp_path / "general_data.json"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = halueval.read(file, "general")
    assert [(one.right, one.false) for one in found.rows] == [("b", ""), ("", "d")]
    assert found.notices == (
        "general_data.json: duplicate ID 7; both are used",
        "general_data.json, line 2: labelled yes without a span; used all the same",
    )
    with pytest.raises(UserError, match=r"general_data\.json, line 1: the key 'knowledge' is missing"):
        halueval.read(file, "qa")
    same = HALUEVAL[1] | {"hallucinated_answer": "Dan"}
    file.write_text(json.dumps(HALUEVAL[0]) + "\n" + json.dumps(same), encoding="utf-8")
    read = halueval.read(file, "qa")
    assert [one.right for one in read.rows] == ["Ben"]
    assert read.notices == ("general_data.json: 1 pairs whose members are the same text are left out",)
    file.write_text(json.dumps(HALUEVAL[0]) + "\n[1]\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 2: not a JSON object: '\\[1\\]'"):
        halueval.read(file, "qa")


@pytest.mark.parametrize(("task", "key"), [(task, key) for task, keys in halueval._KEYS.items() for key in keys])
def test_a_line_of_halueval_without_a_key_is_refused_with_its_number_and_the_key(
    task: halueval.FileTask, key: str, tmp_path: Path
) -> None:
    whole = {each: "no" if each == "hallucination" else f"{each} {task}" for each in halueval._KEYS[task]}
    file = tmp_path / "data.json"
    lacking = {each: value for each, value in whole.items() if each != key}
    file.write_text("\n".join(map(json.dumps, [whole, whole, lacking, whole])), encoding="utf-8")
    with pytest.raises(UserError) as refused:
        halueval.read(file, task)
    assert refused.value.message == f"{file}, line 3: the key {key!r} is missing"
    assert all(each in refused.value.way_out for each in whole)
    file.write_text("\n".join(map(json.dumps, [whole, whole | {key: " "}])), encoding="utf-8")
    with pytest.raises(UserError, match=rf"line 2: {key} is ' '"):
        halueval.read(file, task)
    file.write_text("\n".join(map(json.dumps, [whole, whole])), encoding="utf-8")
    assert len(halueval.read(file, task).rows) == 2
