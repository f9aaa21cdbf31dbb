"""The pieces that reading is made of, each of which can be taken out: functions that may say nothing.

A piece that is out says what it says where it does not apply: no, nothing, an empty list, its input unchanged.
"""

import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

from halluvault_tasks import oracles, reading

_ELSEWHERE = ("reading.open_answer", "reading.rules", "reading.parser", "reading.snapshot")
"""No part of what is made of a parsed text."""

_JUDGED_BY = ("charity",)
"""Modules of `oracles` that weigh what was read."""

_EMPTY: Mapping[Any, Callable[[], Any]] = {
    bool: lambda: False, str: str, tuple: tuple, list: list, set: set, frozenset: frozenset, dict: dict,
}  # fmt: skip


class Piece(NamedTuple):
    """A function of reading.

    Attributes:
        name: module and function, without the package's name.
        owner: module or class that has it.
        attribute: its name there.
        function: as it is.
        silent: what it says of its arguments where it is out.
    """

    name: str
    owner: Any
    attribute: str
    function: Callable[..., Any]
    silent: Callable[..., Any]


def every() -> dict[str, Piece]:
    """All pieces, by name."""
    found = {}
    for module in _modules():
        for owner in (module, *(one for one in vars(module).values() if _is_own(one, module) and inspect.isclass(one))):
            for attribute, value in list(vars(owner).items()):
                function = inspect.unwrap(value) if callable(value) and not isinstance(value, staticmethod) else value
                if not isinstance(function, types.FunctionType) or not _is_own(function, module):
                    continue
                if attribute.startswith("__") or (silent := _silent(function)) is None:
                    continue
                path = module.__name__.removeprefix("halluvault_tasks.").removeprefix("reading.")
                name = f"{path}.{function.__qualname__}"
                found[name] = Piece(name, owner, attribute, value, silent)
    return found


def _modules() -> list[types.ModuleType]:
    names = [one.name for one in walk_packages(reading.__path__, f"{reading.__name__}.")]
    names += [f"{oracles.__name__}.{name}" for name in _JUDGED_BY]
    left_out = tuple(f"halluvault_tasks.{name}" for name in _ELSEWHERE)
    return [import_module(name) for name in names if not name.startswith(left_out)]


def _is_own(value: Any, module: types.ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def _silent(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """What a function says where it does not apply; None where its return type has no such value."""
    try:
        hints = typing.get_type_hints(function)
    except NameError:
        return None
    given = hints.pop("return", None)
    names = list(inspect.signature(function).parameters)
    same = next((at for at, name in enumerate(names) if given is not bool and hints.get(name) == given), None)
    if same is not None:
        return lambda *args, **named: args[same] if same < len(args) else named[names[same]]
    origin = typing.get_origin(given) or given
    if origin in (typing.Union, types.UnionType) and type(None) in typing.get_args(given):
        return lambda *_, **__: None
    if origin in _EMPTY:
        return lambda *_, **__: _EMPTY[origin]()
    if inspect.isclass(origin) and issubclass(origin, Iterator):
        return lambda *_, **__: iter(())
    if inspect.isclass(origin) and issubclass(origin, Collection) and not hasattr(origin, "_fields"):
        return lambda *_, **__: {} if issubclass(origin, Mapping) else ()
    return None


@contextmanager
def replaced(put: Mapping[str, Callable[..., Any]], pieces: Mapping[str, Piece]) -> Iterator[None]:
    """Have other functions in the place of pieces, wherever these are bound, and no cache remember the others.

    Args:
        put: name of a piece → what stands in its place.
        pieces: all of them.
    """
    by_id = {id(pieces[name].function): instead for name, instead in put.items()}
    with ExitStack() as stack:
        stack.callback(forget)

        def put_there(owner: Any, attribute: str, value: Any, instead: Any) -> None:
            stack.callback(setattr, owner, attribute, value)
            setattr(owner, attribute, instead)

        for name, instead in put.items():
            if inspect.isclass(pieces[name].owner):
                put_there(pieces[name].owner, pieces[name].attribute, pieces[name].function, instead)
        for module_name, module in list(sys.modules.items()):
            if module_name.startswith(("halluvault_tasks.reading", "halluvault_tasks.oracles")):
                for attribute, value in list(vars(module).items()):
                    if (instead := _swapped(value, by_id)) is not value:
                        put_there(module, attribute, value, instead)
        forget()
        yield


def _swapped(value: Any, by_id: Mapping[int, Any]) -> Any:
    """A function's stand-in; a table with the stand-ins of the functions in it; anything else itself."""
    if id(value) in by_id:
        return by_id[id(value)]
    if type(value) is dict and any(_swapped(one, by_id) is not one for one in value.values()):
        return {key: _swapped(one, by_id) for key, one in value.items()}
    if type(value) in (tuple, list) and any(_swapped(one, by_id) is not one for one in value):
        return type(value)(_swapped(one, by_id) for one in value)
    return value


def forget() -> None:
    """Empty every cache of reading."""
    for name, module in list(sys.modules.items()):
        if name.startswith("halluvault_tasks.reading"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and _is_own(value, module) and "spacy" not in value.__name__:
                    value.cache_clear()


def watching(piece: Piece, said: set[str]) -> Callable[..., Any]:
    """The piece itself, which notes its name where it says anything."""

    @wraps(piece.function)
    def watched(*args: Any, **named: Any) -> Any:
        value = piece.function(*args, **named)
        if isinstance(value, Iterator):
            value = list(value)
            if value:
                said.add(piece.name)
            return iter(value)
        if piece.name not in said and value != piece.silent(*args, **named):
            said.add(piece.name)
        return value

    return watched
