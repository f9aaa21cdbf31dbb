"""Property and item ids as people write them in configuration and on the command line: `P131`, `Q42`."""

import re
from typing import Annotated

from pydantic import BeforeValidator

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

_PROPERTY = re.compile(r"P([1-9]\d{0,9})")
_LIKE = f"a property like P{wd.LOCATED_IN}"
_ITEM = re.compile(r"Q([1-9]\d{0,9})")


def parse_property(text: str) -> int:
    """131 for `P131`.

    Raises:
        UserError: it is no property id.
    """
    match = _PROPERTY.fullmatch(text)
    if match is None:
        raise UserError(f"{text!r} is not {_LIKE}")
    return int(match[1])


def parse_item(text: str) -> int:
    """42 for `Q42`.

    Raises:
        UserError: it is no item id.
    """
    match = _ITEM.fullmatch(text)
    if match is None:
        raise UserError(f"{text!r} is not an item like Q5")
    return int(match[1])


def _number(pattern: re.Pattern[str], example: str, value: object) -> int:
    if isinstance(value, str) and (match := pattern.fullmatch(value)):
        return int(match[1])
    raise ValueError(f"{value!r} is not {example}")


def _pid(value: object) -> int:
    return _number(_PROPERTY, _LIKE, value)


def _qid(value: object) -> int:
    return _number(_ITEM, "an item like Q5", value)


WrittenPid = Annotated[int, BeforeValidator(_pid)]
"""A property in a YAML file: written `P131`, kept as 131."""


def _relation(value: object) -> Relation:
    if isinstance(value, Relation):
        return value
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no relation like P{wd.LOCATED_IN}")
    return Relation.parse(value)


WrittenRelation = Annotated[Relation, BeforeValidator(_relation)]
"""A relation in a YAML file: written as `Relation.parse` reads it."""

WrittenQid = Annotated[int, BeforeValidator(_qid)]
"""An item in a YAML file: written `Q5`, kept as 5."""
