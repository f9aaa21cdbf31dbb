"""Classes of foils, and what was found of each: config/measured.yaml.

Whether a class may be asked is computed from that, never typed in.
"""

from collections.abc import Collection, Iterable
from itertools import takewhile
from pathlib import Path
from typing import Literal, NamedTuple

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import WrittenRelation
from halluvault_tasks.wikidata.relation import Relation

FILE = "measured.yaml"

MOST_RISK = 0.002
"""Most expected false ones among foils (semantics.md §1.10.2)."""
LEAST_SUBJECTS = 30
"""Subjects beside whose facts something is offered, below which a class shows nothing of itself, pooled or not."""
FOILS = (100, 125, 150)
"""Foils that a sheet has, by attempt; after the last one the class stays closed."""
HEADLINE_FOILS = 1500
"""Foils of a month's headline that a claim rests on."""
HEADLINE_PLANTED = 300
CAUGHT = 0.9
"""Least share of the planted true ones, in each third of fame, that the readers of a headline must catch."""
RECOGNISED = 0.8
"""Least share of the true statements on a sheet that a reader must recognise to license anything."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Chance(_Strict):
    """π, as it was measured on a snapshot."""

    snapshot: str
    share: float = Field(ge=0, le=1)
    """Over all thirds of fame."""
    high: float = Field(ge=0, le=1)
    """Upper bound of the worst third, one-sided 95 %."""
    subjects: int = Field(ge=0)
    objects: int = Field(ge=0)
    pooled: str = ""
    """The family whose classes it was measured with, where it has too few subjects or objects by itself."""


class MissingValues(_Strict):
    """m: true values that the snapshot lacks, by subject with a value."""

    high: float = Field(ge=0)
    """Upper bound of the largest of what follows."""
    floor: float = Field(ge=0)
    """A quarter of the values that are stated."""
    recaptured: float | None = None
    """By what the other end states."""
    counted: float | None = None
    """By complete lists and counts."""
    composed: float | None = None
    """Of a chain, by what each of its steps lacks, with all that lies behind it."""


class ReadSheet(_Strict):
    """What somebody read of the class."""

    attempt: int = Field(ge=1, le=len(FOILS))
    version: int = Field(ge=1)
    """Of the nearness that drew it."""
    read_on: str
    reader: str = Field(min_length=1)
    kind: Literal["people", "model"]
    foils: int = Field(ge=1)
    decided: int = Field(ge=0)
    """Foils that the reader decided."""
    false: int = Field(ge=0)
    """Of these, how many hold in the world."""
    planted: int = Field(ge=1)
    """True statements among the foils."""
    recognised: int = Field(ge=0)
    """Of these, how many the reader said were true."""

    @model_validator(mode="after")
    def _adds_up(self) -> "ReadSheet":
        if not self.false <= self.decided <= self.foils or self.recognised > self.planted:
            raise ValueError(
                "there are more foils decided than read, more false than decided, or more recognised than planted"
            )
        return self


class Verdict(NamedTuple):
    """Whether a class may be asked, and why."""

    licensed: bool
    why: str


class MeasuredClass(_Strict):
    """A relation, how its foils are drawn, and what was found of them."""

    relation: WrittenRelation
    near: str
    """Name of the nearness."""
    version: int = Field(ge=1)
    """Of the nearness, when π was measured."""
    pi: Chance
    m: MissingValues
    sheets: tuple[ReadSheet, ...] = ()

    @model_validator(mode="after")
    def _drawn_so(self) -> "MeasuredClass":
        nearness = BY_NAME.get(self.near)
        if nearness is None:
            raise ValueError(f"{self.near!r} is no nearness; there are {', '.join(sorted(BY_NAME))}")
        if self.relation not in nearness.relations:
            raise ValueError(f"{self.near!r} does not exchange values of {self.relation}")
        return self

    @property
    def name(self) -> str:
        """What sheets, proofs and tables call it."""
        return f"{self.relation}, {self.near}"

    @property
    def risk(self) -> float:
        """m · π, by their upper bounds."""
        return self.m.high * self.pi.high

    @property
    def enough(self) -> bool:
        """Whether it shows something of itself."""
        return self.pi.subjects >= LEAST_SUBJECTS

    @property
    def verdict(self) -> Verdict:
        """Whether it may be asked, and the first reason why not."""
        now = BY_NAME[self.near].version
        if self.version != now:
            return Verdict(False, f"measured at version {self.version}; the nearness is at {now}")
        if not self.enough:
            return Verdict(False, f"offers are drawn for {self.pi.subjects} subjects, fewer than {LEAST_SUBJECTS}")
        if self.risk > MOST_RISK:
            return Verdict(False, f"m · π is {self.risk:.2%}, above {MOST_RISK:.1%}")
        if not self.sheets:
            return Verdict(False, "no sheet was read")
        return self._read(self.sheets[-1], now)

    def _read(self, last: ReadSheet, now: int) -> Verdict:
        if last.version != now:
            return Verdict(False, f"the last sheet is of version {last.version}; the nearness is at {now}")
        if last.recognised < RECOGNISED * last.planted:
            return Verdict(
                False,
                f"the reader recognised {last.recognised} of {last.planted} true statements, under {RECOGNISED:.0%}",
            )
        if last.false:
            return Verdict(False, f"{last.false} of {last.decided} foils hold in the world (attempt {last.attempt})")
        if last.foils < FOILS[last.attempt - 1]:
            return Verdict(False, f"attempt {last.attempt} takes {FOILS[last.attempt - 1]} foils, not {last.foils}")
        return Verdict(True, f"{last.decided} foils read by {last.reader} ({last.kind}) on {last.read_on}, none holds")


class HeadlineReading(_Strict):
    """What somebody read of a frozen month's measured cases: the claim (semantics.md §1.10.4)."""

    month: str
    read_on: str
    reader: str = Field(min_length=1)
    kind: Literal["people", "model"]
    foils: int = Field(ge=1)
    decided: int = Field(ge=0)
    false: int = Field(ge=0)
    planted: tuple[int, int, int]
    """True ones among them, by third of fame, the least known first."""
    caught: tuple[int, int, int]
    """Of these, how many the reader said were true."""

    @property
    def verdict(self) -> Verdict:
        """Whether the claim stands, and with which bound."""
        shares = [caught / max(1, planted) for caught, planted in zip(self.caught, self.planted, strict=True)]
        if min(shares) < CAUGHT:
            return Verdict(
                False, f"in a third of fame {min(shares):.0%} of the planted were caught, under {CAUGHT:.0%}"
            )
        if self.false:
            return Verdict(False, f"{self.false} of {self.decided} foils hold in the world")
        if self.decided < HEADLINE_FOILS:
            return Verdict(False, f"{self.decided} foils were decided, {HEADLINE_FOILS} are needed")
        share = sum(self.caught) / sum(self.planted)
        return Verdict(True, f"measured “No” are wrong in at most {MOST_RISK / share:.2%}, over all")


class MeasuredFile(_Strict):
    """config/measured.yaml, the whole file."""

    classes: tuple[MeasuredClass, ...] = ()
    headline: tuple[HeadlineReading, ...] = ()

    @model_validator(mode="after")
    def _once(self) -> "MeasuredFile":
        names = [one.name for one in self.classes]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"the class {twice!r} is there twice")
        asked = [one.relation for one in self.licensed]
        if both := next((relation for relation in asked if asked.count(relation) > 1), None):
            raise ValueError(f"two classes of {both} may be asked; a relation is asked by one")
        return self

    @property
    def licensed(self) -> list[MeasuredClass]:
        """The classes that may be asked."""
        return [one for one in self.classes if one.verdict.licensed]

    def refusal(self, relation: Relation) -> str:
        """Why nothing false is asked beside a fact of a relation that no proof and no list decides."""
        verdicts = [one.verdict for one in self.classes if one.relation == relation]
        if not verdicts:
            return "no way draws its foils"
        closed = next((verdict.why for verdict in reversed(verdicts) if not verdict.licensed), "")
        return closed if not any(verdict.licensed for verdict in verdicts) else "too little is near these facts"

    def without(self, closed: Collection[str]) -> "MeasuredFile":
        """The same but for these classes, by name."""
        return MeasuredFile(classes=tuple(one for one in self.classes if one.name not in closed))

    def of(self, p: int) -> Iterable[MeasuredClass]:
        """The classes of relations that a property is, or is a step of."""
        return (one for one in self.classes if p in one.relation.properties)


NONE = MeasuredFile()
"""Nothing is licensed so."""


def store(path: Path, file: MeasuredFile) -> None:
    """Write the file; the comments at its head stay."""
    old = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    head = "".join(takewhile(lambda line: line.startswith("#") or not line.strip(), old))
    content = file.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    for one, written in zip(file.classes, content.get("classes", ()), strict=True):
        written["relation"] = str(one.relation)
    text = yaml.safe_dump(content or {"classes": []}, sort_keys=False, allow_unicode=True, width=120)
    path.write_text(head + text, encoding="utf-8")


def load(path: Path) -> MeasuredFile:
    """Read and check the file; where there is none, nothing is licensed so: an installation may be older than it.

    Raises:
        UserError: names the line, class and field of each fault.
    """
    return yaml_files.load(path, MeasuredFile) if path.exists() or path.is_symlink() else NONE
