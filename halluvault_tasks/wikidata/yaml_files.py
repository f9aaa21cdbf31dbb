"""YAML files that people edit, read into a checked model; an error names file, line, field and value."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from halluvault_tasks.errors import UserError
from halluvault_tasks.untrusted import scrubbed, visible, without_password
from halluvault_tasks.wikidata import yaml_trees

_Model = TypeVar("_Model", bound=BaseModel)
_SHOWN = 60  # characters of a wrong value
_MOST = 3  # faults shown at once
_TEXT_WANTED = {"string_type", "literal_error", "enum"}
"""Pydantic's names for "this must be a text"."""


def load(
    path: Path,
    model: type[_Model],
    *,
    prepare: Callable[[Any], Any] = lambda content: content,
    way_out: str = "set HALLUVAULT_CONFIG_DIR to its directory",
) -> _Model:
    """Read and check a file.

    Args:
        path: the file, UTF-8.
        model: what it must be. A field that its own repr leaves out (`Field(repr=False)`) is never shown.
        prepare: changes the content before it is checked.
        way_out: said where the file cannot be read.

    Raises:
        UserError: the file is missing, is no YAML, or a field is wrong.
    """
    text = _text(path, way_out)
    try:
        tree, content = yaml_trees.parsed(text)
    except yaml_trees.NotYaml as error:
        where = f", line {error.line}, column {error.column}," if error.line else ""
        raise UserError(f"{path}{where} is not YAML: {error}", "correct that line") from error
    wanted = f"it must be a mapping of fields: {', '.join(_keys(model, ()))}"
    if content is not None and not isinstance(content, dict):
        held = "a list" if isinstance(content, list) else "a single value"
        raise UserError(f"{path} holds {held}; {wanted}", "correct the file")
    prepared = prepare(content or {})
    try:
        return model.model_validate(prepared)
    except ValidationError as error:  # never the cause of what is raised: it quotes every value, keys too
        if content is None:
            raise UserError(f"{path} is empty; {wanted}", "correct the file, or restore it") from None
        faults = error.errors(include_url=False)
        shown = "; ".join(_fault(fault, prepared, tree, model) for fault in faults[:_MOST])
        more = f" (and {len(faults) - _MOST} more)" if len(faults) > _MOST else ""
        raise UserError(f"{path}, {shown}{more}", "correct the file; its comments say what each field takes") from None


def _text(path: Path, way_out: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        if path.is_symlink() and not path.exists():
            raise UserError(
                f"{path} is a link to {path.readlink()}, which does not exist",
                "cp -rL copies a folder with what its links lead to",
            ) from error
        raise UserError(f"cannot read {path}: {error.strerror}", way_out) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{path}, line {line}, is not UTF-8: byte {error.start}", "save it as UTF-8") from error


def _fault(fault: Any, content: object, tree: yaml.Node | None, model: type[BaseModel]) -> str:
    """One fault: line, field (list entries by their `name`), the value found, what is wrong with it."""
    place, value = "", content
    # A key that is no text cannot be found in the tree: what has it is.
    location = fault["loc"][:-1] if fault["type"] == "invalid_key" else fault["loc"]
    for step in location:
        value = _child(value, step)
        if isinstance(step, int):
            label = value.get("name") if isinstance(value, dict) else None
            place += f"[{_named(label) if isinstance(label, str) and label else step}]"
        else:
            place += f".{_named(step)}" if place else _named(step)
    where = f"line {yaml_trees.line(tree, location)}: {place or 'the file'}"
    keys = ", ".join(_keys(model, fault["loc"][:-1]))
    if fault["type"] == "invalid_key":
        return f"{where}: a key that YAML reads as no text unless it is in quotes; there are {keys}"
    if fault["type"] == "extra_forbidden":
        return f"{where}: no such key; there are {keys}"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{where}{_what_stands_there(fault, tree, model, message)}: {message}"


def _what_stands_there(fault: Any, tree: yaml.Node | None, model: type[BaseModel], message: str) -> str:
    """What stands there, if that helps: a whole entry would not, and of a key nothing may be shown."""
    if fault["type"] == "missing" or isinstance(fault["input"], dict):
        return ""
    if not all(field.repr for field in _walk(model, fault["loc"])[1]):
        return ""
    read_as = yaml_trees.read_as(tree, fault["loc"]) if fault["type"] in _TEXT_WANTED else None
    if read_as:
        return f" is {_cut(read_as.text)}, which YAML reads as {read_as.kind} unless it is in quotes"
    given = _cut(repr(_told(fault["input"])))
    return "" if given in message else f" is {given}"


def _told(value: object) -> object:
    """A value without the passwords of URLs and other keys that may be in it."""
    if isinstance(value, list | tuple):
        return [_told(each) for each in value[:_MOST]]
    return scrubbed(without_password(value)) if isinstance(value, str) else value


def _named(key: str) -> str:
    """A key as one line has it."""
    return _cut(visible(key).replace("\t", "\\t").replace("\n", "\\n"))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _keys(model: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    """The keys that the mapping at `location` may have, in the model's order."""
    return list(
        dict.fromkeys(
            field.alias or name for here in _walk(model, location)[0] for name, field in here.model_fields.items()
        )
    )


def _walk(model: type[BaseModel], location: Sequence[int | str]) -> tuple[list[type[BaseModel]], list[FieldInfo]]:
    """The models that may stand at `location`, and the fields on the way there."""
    here, passed = [model], []
    for step in location:
        fields = [each.model_fields[step] for each in here if step in each.model_fields]
        passed += fields
        # Else an index, a key that may be any, or the member of a union: what is there was found with its field.
        here = [inner for field in fields for inner in _models(field.annotation)] or here
    return here, passed


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models(inner)]


def _child(value: object, step: int | str) -> object:
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return value.get(step) if isinstance(value, dict) else None
