"""A faulty YAML file is one line that names file, line, what was found and what is accepted, whatever is in it."""

import json
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as some
from pydantic import BaseModel, ConfigDict, Field

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.wikidata import yaml_files
from tests.require import require


class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    size: int = 1
    way: Literal["a", "off"] = "a"
    tags: list[str] = []
    key: str = Field(default="", repr=False, max_length=3)


class Content(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    entries: list[Entry]


def read(tmp_path: Path, text: str | bytes) -> Content:
    path = tmp_path / "file.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return yaml_files.load(path, Content)


def refused(tmp_path: Path, text: str | bytes) -> str:
    with pytest.raises(UserError) as caught:
        read(tmp_path, text)
    told = str(caught.value)
    assert told.startswith(str(tmp_path / "file.yaml")) and caught.value.way_out
    assert told.isprintable() and len(told) < 500
    return told.removeprefix(str(tmp_path))


@pytest.mark.parametrize("braces", ["entries: {{ url }}", "entries: [{{ url }}]", "{{ url }}: 1", "? [a]\n: b"])
def test_a_templates_braces_are_named(tmp_path: Path, braces: str) -> None:
    assert "line 1, column" in refused(tmp_path, braces) and "{{ … }}, needs quotes" in refused(tmp_path, braces)


def test_merge_keys_are_read_and_what_is_written_beside_them_goes_before(tmp_path: Path) -> None:
    text = """
entries:
  - &a {name: first, size: 2, tags: [x]}
  - &b {<<: *a, name: second}
  - {<<: [*b, {size: 7}], name: third}
"""
    found = read(tmp_path, text).entries
    assert [(each.name, each.size, each.tags) for each in found] == [
        ("first", 2, ["x"]),
        ("second", 2, ["x"]),
        ("third", 2, ["x"]),
    ]
    assert "line 5: entries[third].size is 'y'" in refused(
        tmp_path, text.replace("name: third", "name: third, size: y")
    )
    for wrong in ("3", "[1]", "text"):
        assert "line 5, column" in refused(tmp_path, text.replace("[*b, {size: 7}]", wrong))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("name: no", "name is no, which YAML reads as false unless it is in quotes"),
        ("name: On", "name is On, which YAML reads as true unless"),
        ("name: 2026-01-31", "name is 2026-01-31, which YAML reads as a date unless"),
        ("name: 1.10", "name is 1.10, which YAML reads as a number unless"),
        ("name: 12:30", "name is 12:30, which YAML reads as a number unless"),
        ("name: ~", "name is ~, which YAML reads as nothing unless"),
        ("name:", "name is left empty, which YAML reads as nothing unless"),
        (
            "name: x\n    way: off",
            "way is off, which YAML reads as false unless it is in quotes: Input should be 'a' or 'off'",
        ),
        ("name: x\n    tags: [a, yes]", "tags[1] is yes, which YAML reads as true unless"),
        ("name: x\n    size: 'no'", "size is 'no': Input should be a valid integer"),
        (
            "name: x\n    no: y",
            "entries[x]: a key that YAML reads as no text unless it is in quotes; there are name, size",
        ),
        ("name: x\n    nam: y", "no such key; there are name, size"),
        ("name: x\n    name: y", "the key 'name' is duplicated"),
    ],
)
def test_what_yaml_reads_as_no_text_is_shown_as_it_is_written(tmp_path: Path, written: str, told: str) -> None:
    said = refused(tmp_path, f"entries:\n  - {written}\n")
    assert told in said
    assert f"line {2 + written.count(chr(10)) - ('a key that' in told)}" in said


def test_in_quotes_it_is_the_text(tmp_path: Path) -> None:
    [entry] = read(tmp_path, "entries: [{name: 'no', way: \"off\", tags: ['2026-01-31', '1.10']}]").entries
    assert entry == Entry(name="no", way="off", tags=["2026-01-31", "1.10"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty; it must be a mapping of fields: entries"),
        ("# only a remark\n", "is empty"),
        ("---\n", "is empty"),
        ("- a\n", "holds a list; it must be a mapping of fields: entries"),
        ("[]", "holds a list"),
        ("text", "holds a single value"),
        ("false", "holds a single value"),
        ("entries: []\n---\nentries: []\n", "line 2, column 1, is not YAML: expected a single document"),
        ("entries:\n\t- a", "line 2, column 1, is not YAML: a tab, where YAML takes blanks alone"),
        ("entries: @a", "a text that begins with @ needs quotes"),
        ("entries: a: b", "line 1, column 11, is not YAML: mapping values are not allowed"),
        ("entries: [a", "did not find expected ',' or ']'"),
        ("entries: *a", "found undefined alias"),
        ("entries: &a [*a]", "an alias stands within what it repeats"),
        ("entries: !env X", "the tag '!env' is not taken"),
        ("entries: !!python/object/apply:os.system [x]", "the tag '!!python/object/apply:os.system' is not taken"),
        ("entries: 2026-13-01", "'2026-13-01' cannot be read as a date"),
        ("entries: " + "9" * 5000, "cannot be read as a number"),
        ("entries: 0b_", "'0b_' cannot be read as a number"),
        ("entries: !!timestamp x", "'x' cannot be read as a date"),
        ("entries:\n- a\x00", "line 2, column 4, is not YAML: the character U+0000 is not allowed"),
        ("entries: \x1b[2J", "the character U+001B is not allowed"),
        (b"entries:\n- \xff", "line 2, is not UTF-8"),
        ("entries: []".encode("utf-16"), "line 1, is not UTF-8"),
        ("entries: " + "[" * 1_000_000, "nested more than 40 deep"),
        ("entries: " + "{a: " * 60, "nested more than 40 deep"),
        ("entries: []\n" + "x" * 500 + ": 1", "no such key"),
    ],
)
def test_whatever_is_in_a_file_is_one_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    assert told in refused(tmp_path, text)


@pytest.mark.parametrize("first", ["[x, x]", "{x: x}"])
@pytest.mark.parametrize("merged", [False, True])
def test_aliases_that_multiply_without_end_are_refused(tmp_path: Path, first: str, merged: bool) -> None:
    lines, many = [f"a0: &a0 {first if not merged else '{x: x}'}"], 40
    for number in range(1, many):
        repeated = ", ".join([f"*a{number - 1}"] * 10)
        lines.append(f"a{number}: &a{number} " + (f"{{<<: [{repeated}]}}" if merged else f"[{repeated}]"))
    assert "its aliases repeat too much" in refused(tmp_path, "\n".join(lines))


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_mark_of_an_encoding_make_no_difference(tmp_path: Path, break_: str, mark: str) -> None:
    text = mark + "entries:\n  - name: x\n    size: {0}\n".replace("\n", break_)
    assert read(tmp_path, text.replace("{0}", "3")).entries == [Entry(name="x", size=3)]
    assert "line 3: entries[x].size is 'y'" in refused(tmp_path, text.replace("{0}", "y"))


def test_a_field_that_may_hold_a_key_is_never_shown(tmp_path: Path) -> None:
    for written in ("hunter2", "[hunter2]", "'hunter2'"):
        told = refused(tmp_path, f"entries: [{{name: x, key: {written}}}]")
        assert "entries[x].key: " in told and "hunter" not in told
    told = refused(tmp_path, "entries: [{name: x, size: 'https://u:hun/ter2@hunter2@h/x'}]")
    assert "size is 'https://…@h/x'" in told


@example("0\t0:")
@given(some.text(some.sampled_from("ab: -[]{}&*!?|>'\"%@`#,<~\n\t01.\\"), max_size=60))
def test_no_text_at_all_is_more_than_one_line(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_text(f"entries:\n- {text}", encoding="utf-8")
    try:
        yaml_files.load(path, Content)
    except UserError as error:
        assert str(error).isprintable()


def test_each_fault_that_was_met_is_one_line(tmp_path: Path, shared_data: Path) -> None:
    require((shared_data / "servers").is_dir(), "../shared/data/servers is not on this machine")
    seen = 0
    for file in sorted((shared_data / "servers").glob("yaml-*.json")):
        seen += 1
        path = tmp_path / "models.yaml"
        path.write_text(json.loads(file.read_text(encoding="utf-8"))["given"]["yaml"], encoding="utf-8")
        with pytest.raises(UserError) as caught:
            load_models(path, {})
        assert str(caught.value).startswith(str(path)) and str(caught.value).isprintable(), file.name
    assert seen > 1
