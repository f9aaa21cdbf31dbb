"""The reviewed list `config/rules.yaml`: what is said about each property, with one line of reasoning."""

import json
import re
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import WrittenPid, WrittenQid, WrittenRelation
from halluvault_tasks.wikidata.relation import Kind, Relation

Reasons = dict[WrittenPid, str]

_PID = re.compile(r"P[1-9]\d*")
_STEP = re.compile(r"P[1-9]\d*\*?")


def _step(value: object) -> str:
    if isinstance(value, str) and _STEP.fullmatch(value):
        return value
    raise ValueError(f"{value!r} is not a step like P131 or P131*")


Step = Annotated[str, BeforeValidator(_step)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class DrawSettings(_Strict):
    """How facts are drawn of which there are too many to store all."""

    seed: int = 20260101
    most: int = Field(default=20_000, ge=1)
    """Of one rule."""


class RuleSettings(_Strict):
    """Numbers that people may turn."""

    wrong_values_per_fact: int = Field(default=3, ge=1, le=64)
    shared_pairs_cap: int = Field(default=16, ge=2, le=10_000)
    recording_lag_days: int = Field(default=365, ge=0)
    min_pairs: int = Field(default=20, ge=1)
    min_subjects: int = Field(default=200, ge=1)
    drawn: DrawSettings = DrawSettings()


class FunctionalEntry(_Strict):
    """A property with exactly one true value for every subject (semantics.md §1.1)."""

    reason: str
    by_nature: bool = False
    classes: dict[WrittenQid, str] = {}
    """Only subjects of these classes have one value by nature; a subject of another class has where the measurement
    of its class shows it. Empty: every subject has."""

    never: dict[WrittenQid, str] = {}
    """A subject of any of these classes, or below one, never has one value, whatever else it is and was measured."""

    subjects: dict[WrittenQid, str] = {}
    """Only these, each of which somebody has read: the name means no other one, the date is right and within a year.
    Empty: any."""

    no_later_than: bool = False
    """Where no class is measured to have one value, a value is an upper bound of the event alone: a work was
    first published no later than stated; of several dates the last bounds it."""

    seconded_by: tuple[WrittenPid, ...] = ()
    """Of a date on which sources differ: it is asked about only where a statement of one of these properties gives its
    subject the same year. What may convict a claim does not depend on it."""

    described: bool = False
    """With `no_later_than`: a subject all of whose dates lie in the year with which its description begins has one
    value, that year. Without ranks or qualifiers nothing else shows which date was the first."""

    credited: bool = False
    """A subject has one value only where one alone is stated and its description credits this one alone ("film by
    Steven Spielberg"). Of no other subject is it functional."""

    distinct: dict[WrittenQid, str] = {}
    """Values, and classes of values, of which no two are the same thing, whatever their names share ("Sol V", "Sol VI")
    and whether the source types them. A value stands here that is part of no other one here, nor was ever called so."""

    place: bool = False
    """Its values are places, so wrong ones need positive disjointness (semantics.md §1.3)."""

    event: WrittenPid | None = None
    """Property that dates the event (P570 for the place of death). Only where the snapshot dates it, and further back
    than the recording lag, is another value denied: an event without a date may be of last week."""

    @property
    def by_class(self) -> bool:
        """Whether it depends on a subject's class, or on its description, if it has one value."""
        return bool(self.classes or self.never or self.no_later_than or self.credited)


class ListedEntry(_Strict):
    """A property whose objects a number may be shown to count whole (semantics.md §1.10)."""

    reason: str
    counted_by: WrittenPid | None = None
    """The property whose number counts them: that of a subject's children."""

    relations: tuple[str, ...] = ()
    """What files of counts (`halluvault lists import`) call that which was counted, where that is all of them."""

    only: dict[WrittenQid, str] = {}
    """Only objects of these classes were counted; no two of them are the same thing, whatever their names share."""

    lasting: bool = False
    """What a subject has of it does not change, so that a count is good for any month. Else it is good for months no
    later than the count, and for people who were dead by then."""


class InverseEntry(_Strict):
    """A pair of properties: `source` (a, b) and `to` (b, a)."""

    source: WrittenPid = Field(alias="from")
    to: WrittenPid
    reason: str


class SexedEntry(InverseEntry):
    """A pair that holds only where the subject of `from` is stated to be of one sex (P21)."""

    sex: WrittenQid


class InverseEntries(_Strict):
    """Sound although one-way on Wikidata, for one sex alone, without a property there, and declared but unusable."""

    one_way: tuple[InverseEntry, ...] = ()
    by_sex: tuple[SexedEntry, ...] = ()
    unnamed: Reasons = {}
    """Asked from the other end although Wikidata has no property for that; one that it has one for is left to it."""

    refused: tuple[InverseEntry, ...] = ()


class RelationEntry(_Strict):
    """A relation that Wikidata has no property for."""

    relation: WrittenRelation
    """Written as a chain that concludes it (P22/P25); several chains may."""
    label: str


class ChainEntry(_Strict):
    """A composite rule of two to four steps; a step `P131*` is one step or more and only the last of two may be one."""

    chain: tuple[Step, ...] = Field(min_length=2, max_length=4)
    reason: str
    concludes: str = ""

    @model_validator(mode="after")
    def _one_star_at_the_end(self) -> "ChainEntry":
        if any(step.endswith("*") for step in self.chain[:-1]) or (len(self.chain) > 2 and self.chain[-1][-1] == "*"):
            raise ValueError(f"{'/'.join(self.chain)}: only the last of two steps may repeat (P131*)")
        return self

    @property
    def name(self) -> str:
        """Stable name of the rule, e.g. `composite:P19/P131*`."""
        return "composite:" + "/".join(self.chain)

    @property
    def properties(self) -> tuple[int, ...]:
        """PIDs of the steps."""
        return tuple(int(step[1:].rstrip("*")) for step in self.chain)


class TransitiveEntry(_Strict):
    """A property that composes with itself; how far, and for classes below which ones (`rule_typing.composing`)."""

    reason: str
    steps: int = Field(default=0, ge=0)
    """Most steps of a chain; 0: as many as there are."""

    below: dict[WrittenQid, str] = {}
    """Classes that a person has read the hierarchy below. A chain ends at one of them or below one."""

    turned: WrittenPid | None = None
    """A property whose statements say the same from the container, so that a last step may be one of them."""


def _transitive(value: object) -> object:
    return {"reason": value} if isinstance(value, str) else value


Transitive = Annotated[TransitiveEntry, BeforeValidator(_transitive)]


class DrawnEntries(_Strict):
    """Properties of which facts are drawn, by kind (`reasoning.kinds.drawing`)."""

    sole: Reasons = {}
    year: Reasons = {}
    age: Reasons = {}
    amount: Reasons = {}
    country: Reasons = {}
    order: Reasons = {}
    maker: Reasons = {}


class Reviewed(_Strict):
    """The whole file."""

    settings: RuleSettings = RuleSettings()
    time_bound: Reasons = {}
    functional: dict[WrittenPid, FunctionalEntry] = {}
    symmetric: Reasons = {}
    inverse: InverseEntries = InverseEntries()
    transitive: dict[WrittenPid, Transitive] = {}
    transitive_refused: Reasons = {}
    asymmetric: Reasons = {}
    irreflexive: Reasons = {}
    relations: dict[str, RelationEntry] = {}
    composite: tuple[ChainEntry, ...] = ()
    composite_refused: tuple[ChainEntry, ...] = ()
    share: Reasons = {}
    listed: dict[WrittenPid, ListedEntry] = {}
    drawn: DrawnEntries = DrawnEntries()
    exclusive: dict[WrittenPid, dict[WrittenQid, str]] = {}
    """What one holds at a time (semantics.md §2.3): property → office, country or prize → why."""

    not_asked: Reasons = {}
    demoted: Reasons = {}
    """Properties that an audit has found to deny too much; they deny nothing any more."""

    @model_validator(mode="after")
    def _conclusions_exist(self) -> "Reviewed":
        for entry in self.composite:
            if entry.concludes not in self.relations and not _PID.fullmatch(entry.concludes):
                raise ValueError(
                    f"{entry.name} concludes {entry.concludes!r}, which is neither a property nor in `relations`"
                )
        relations = [entry.relation for entry in self.relations.values()]
        if len(set(relations)) < len(relations):
            raise ValueError("two entries of `relations` are the same relation")
        if other := [relation for relation in relations if relation.kind is not Kind.CHAIN]:
            raise ValueError(f"{other[0]} in `relations` is no chain like P{wd.FATHER}/P{wd.MOTHER}")
        return self

    @model_validator(mode="after")
    def _terms_are_dated(self) -> "Reviewed":
        for pid in self.exclusive:
            if pid not in wd.DATED_BY_QUALIFIERS:
                raise ValueError(
                    f"`exclusive`: P{pid} has no terms; there are P{', P'.join(map(str, wd.DATED_BY_QUALIFIERS))}"
                )
        return self

    def conclusion(self, entry: ChainEntry) -> Relation:
        """What a chain concludes."""
        named = self.relations.get(entry.concludes)
        return named.relation if named else Relation.parse(entry.concludes)


def load_reviewed(path: Path) -> Reviewed:
    """Read and check the reviewed list.

    Raises:
        UserError: it is missing, no YAML or breaks the form; names the line and the entry.
    """
    return yaml_files.load(path, Reviewed)


def demote(path: Path, reasons: Reasons) -> None:
    """Write properties into the list's last section, `demoted`, comments and all else left as they are.

    Args:
        path: config/rules.yaml.
        reasons: PID → what the audit found, one line each.

    Raises:
        UserError: the section is not the last one of the file.
    """
    if not reasons:
        return
    known = load_reviewed(path).demoted
    fresh = {pid: reason for pid, reason in sorted(reasons.items()) if pid not in known}
    content = path.read_text(encoding="utf-8").rstrip("\n")
    heading = re.search(r"^demoted:[ \t]*(\{\})?[ \t]*$", content, re.MULTILINE)
    if heading and re.search(r"^\S", content[heading.end() :], re.MULTILINE):
        raise UserError(f"{path}: `demoted` is not the last section", "move it to the end, so that lines can be added")
    if heading:
        content = content[: heading.start()] + "demoted:" + content[heading.end() :]
    else:
        content += "\n\n# Found by `halluvault derive audit`: they deny nothing any more.\ndemoted:"
    lines = "".join(f"\n  P{pid}: {json.dumps(reason)}" for pid, reason in fresh.items())
    partial = path.with_suffix(".partial")
    partial.write_text(content + lines + "\n", encoding="utf-8")
    partial.rename(path)
