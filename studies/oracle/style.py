"""What a style is made of. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_VOICES = Path(__file__).with_name("voices")


class Words(NamedTuple):
    """How one property is put into words: (said, denied) sentences with {s} and {o} or {on}, without full stop."""

    forms: tuple[tuple[str, str], ...]
    row: str
    """The property as the middle column of a table."""


class Style(NamedTuple):
    """A voice. Sentences inside others stand for {c}, years for {a}, {b} and {n}."""

    name: str
    voice: int
    """Which forms of a property it prefers."""

    words: Mapping[int, Words]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    dont_know: tuple[str, ...]
    refusal: tuple[str, ...]
    restating: tuple[str, ...]
    """With {q}, the question."""

    list_head: tuple[str, ...]
    bullet: str
    table_head: tuple[str, str, str]
    joins: tuple[str, ...]
    """Openings of the second and later sentences of prose; may be empty."""

    asides: tuple[str, ...]
    doubts: tuple[str, ...]
    taken_back: tuple[str, ...]
    conclusions: tuple[str, ...]
    ends_yes: tuple[str, ...]
    ends_no: tuple[str, ...]
    """A second answer at the end, for responses that contradict themselves."""

    before: tuple[str, ...]
    """{a} is the earlier year, it says."""

    not_before: tuple[str, ...]
    inside: tuple[str, ...]
    """{n} lies within {a} and {b}, it says."""

    outside: tuple[str, ...]
    span: tuple[str, ...]
    """From {a} to {b} there are {n} years, it says."""


def styles(*names: str) -> tuple[Style, ...]:
    """The voices of `voices/styles_NAME.yaml`, in order; each names the `voices/words_NAME.yaml` that it speaks."""
    return tuple(_style(one) for name in names for one in _read(f"styles_{name}.yaml"))


def _style(stated: Mapping[str, Any]) -> Style:
    values: dict[str, Any] = {key: _words(value) if key == "words" else _fixed(value) for key, value in stated.items()}
    return Style(**values)


@cache
def _words(name: str) -> Mapping[int, Words]:
    """Property → how it is said."""
    found = _read(f"words_{name}.yaml")
    return {
        pid: Words(tuple((said, denied) for said, denied in one["forms"]), one["row"]) for pid, one in found.items()
    }


def _read(file: str) -> Any:
    return yaml.safe_load((_VOICES / file).read_text(encoding="utf-8"))


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
