"""YAML files that people edit, read into a checked model; an error names file, line, field and value."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from halluvault_tasks.errors import UserError

_Model = TypeVar("_Model", bound=BaseModel)
_PASSWORD = re.compile(r"//[^/\s]*@")
_SHOWN = 60  # characters of a wrong value
_MOST = 3  # faults shown at once


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """libyaml's safe loader where PyYAML has it, ten times as fast; a key given twice is refused, not overwritten."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    keys: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in keys:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is duplicated", key_node.start_mark)
        keys.add(key)
    found: dict[Any, Any] = loader.construct_mapping(node, deep=True)
    return found


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


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
        model: what it must be.
        prepare: changes the content before it is checked.
        way_out: said where the file cannot be read.

    Raises:
        UserError: the file is missing, is no YAML, or a field is wrong.
    """
    try:
        tree, content = _parsed(path.read_text(encoding="utf-8"))
    except OSError as error:
        if path.is_symlink() and not path.exists():
            raise UserError(
                f"{path} is a link to {path.readlink()}, which does not exist",
                "cp -rL copies a folder with what its links lead to",
            ) from error
        raise UserError(f"cannot read {path}: {error.strerror}", way_out) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: byte {error.start}", "save it as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}," if mark else ""
        raise UserError(
            f"{path}{where} is not YAML: {getattr(error, 'problem', None) or error}", "correct that line"
        ) from error
    if content is not None and not isinstance(content, dict):
        raise UserError(f"{path} holds a {type(content).__name__}; it must be a mapping of fields")
    content = prepare(content or {})
    try:
        return model.model_validate(content)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        shown = "; ".join(_fault(fault, content, tree, model) for fault in faults[:_MOST])
        more = f" (and {len(faults) - _MOST} more)" if len(faults) > _MOST else ""
        raise UserError(f"{path}, {shown}{more}", "correct the file; its comments say what each field takes") from error


def _parsed(text: str) -> tuple[yaml.Node | None, Any]:
    """The tree, which knows the lines, and the content."""
    loader = _Loader(text)
    try:
        tree = loader.get_single_node()
        return tree, loader.construct_document(tree) if tree else None
    finally:
        loader.dispose()


def _fault(fault: Any, content: object, tree: yaml.Node | None, model: type[BaseModel]) -> str:
    """One fault: line, field (list entries by their `name`), the value found, what is wrong with it."""
    place, value = "", content
    for step in fault["loc"]:
        value = _child(value, step)
        if isinstance(step, int):
            label = value.get("name") if isinstance(value, dict) else None
            place += f"[{label or step}]"
        else:
            place += f".{step}" if place else str(step)
    where = f"line {_line(tree, fault['loc'])}: {place or 'the file'}"
    if fault["type"] == "extra_forbidden":
        return f"{where}: no such key; there are {', '.join(_keys(model, fault['loc'][:-1]))}"
    # A whole entry would be no help, and a URL may hold a password that belongs elsewhere.
    given = _PASSWORD.sub("//…@", repr(fault["input"]))
    given = given if len(given) <= _SHOWN else given[: _SHOWN - 1] + "…"
    message = fault["msg"].removeprefix("Value error, ")
    nothing_to_show = fault["type"] == "missing" or isinstance(fault["input"], dict) or given in message
    found = "" if nothing_to_show else f" is {given}"
    return f"{where}{found}: {message}"


def _keys(model: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    """The keys that the mapping at `location` may have, in the model's order."""
    here = [model]
    for step in location:
        fields = [one.model_fields[step] for one in here if step in one.model_fields]
        # Else an index, a key that may be any, or the member of a union: what is there was found with its field.
        here = [found for field in fields for found in _models(field.annotation)] or here
    return list(dict.fromkeys(field.alias or name for one in here for name, field in one.model_fields.items()))


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for inner in get_args(annotation) for found in _models(inner)]


def _child(value: object, step: int | str) -> object:
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return value.get(step) if isinstance(value, dict) else None


def _line(node: yaml.Node | None, location: Sequence[int | str]) -> int:
    """Line of the innermost node on the way to `location`, counted from 1."""
    line = 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line
