"""What a case of the suite open is about, and the answer that it wants."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NAME = "open"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WantedItem(_Strict):
    """An item that is to be named."""

    qid: int
    names: tuple[str, ...] = Field(min_length=1)
    """Its label and its aliases, as of the freeze."""


class WantedNames(_Strict):
    """One name, or a complete list of which every one is wanted."""

    guide: Literal["name"] = "name"
    items: tuple[WantedItem, ...] = Field(min_length=1)


class WantedDate(_Strict):
    """A date, as precisely as it is stated and undisputed."""

    guide: Literal["date"] = "date"
    earliest: int
    """First possible day number (`wikidata.days`), proleptic Gregorian."""
    latest: int
    precision: int = Field(ge=9, le=11)
    """Wikidata's: 9 year, 10 month, 11 day."""
    julian: bool = False
    """Printed in the Julian calendar; a day of either calendar is right."""


class WantedNumber(_Strict):
    """A whole number, such as full years."""

    guide: Literal["number"] = "number"
    low: int
    high: int
    """The same as `low` but where the statements leave it open by one."""


Wanted = Annotated[WantedNames | WantedDate | WantedNumber, Field(discriminator="guide")]
"""`guide` is that of the turn that asks for it (`benchmark.suites.template.Guide`)."""


class OpenFact(_Strict):
    """`benchmark_case.fact` of this suite."""

    asks: str
    """What the question asks for, in a word that people read: who, where, which day, how many years …"""
    wanted: Wanted
    licence: Literal["proved", "list"]
    """On what it rests that any other answer is wrong: one value, or a complete list."""
    relation: str = ""
    """As `Relation.parse` reads it; empty where it is about none."""
    formula: str = ""
    hops: int = Field(ge=1)
    difficulty: dict[str, Any]
    """`Difficulty.as_json`."""
    told: str
    """The fact as a sentence, for readers of results."""
