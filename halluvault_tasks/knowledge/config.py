"""`config/domains.yaml`: what to pull, by domain, and the gates a month must pass before it is frozen."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import WrittenPid, WrittenQid

DOMAINS = (
    "culture",
    "geography",
    "health",
    "history",
    "people",
    "mathematics",
    "natural_science",
    "society",
    "technology",
)
"""Names that a domain may have (HalluVault paper, figure 5)."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Root(_Strict):
    """A class whose members become seeds."""

    qid: WrittenQid
    """The class."""

    modes: tuple[Literal["instance", "subclass", "occupation"], ...] = ("instance",)
    """`instance`: things whose P31 is the class. `subclass`: classes whose P279 is it (diseases, theorems, taxa
    and chemicals are often classes themselves). `occupation`: people whose P106 is it."""

    depth: int = Field(default=0, ge=0, le=8)
    """How many steps of P279 below the class count as the class too. Frozen by the first answer of each month."""

    sitelinks: int | None = Field(default=None, ge=0)
    """Threshold for this class; empty means the domain's."""


class Tail(_Strict):
    """Seeds that few know, drawn from the members of a domain's roots (`tail.py`)."""

    sitelinks: tuple[int, int] = (1, 5)
    """Fewest and most that they may have. A source without that figure has no tail."""
    limit: int = Field(ge=1, le=10_000)
    """At most this many seeds, besides the domain's own limit; its roots have equal shares."""
    seed: int = 1
    """Another one draws others."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not 1 <= self.sitelinks[0] <= self.sitelinks[1]:
            raise ValueError(f"sitelinks {list(self.sitelinks)}: give the fewest, at least 1, then the most")
        return self


class Domain(_Strict):
    """One domain: where its seeds come from, and which properties are asked of them."""

    roots: tuple[Root, ...] = ()
    items: tuple[WrittenQid, ...] = ()
    """Single items taken as seeds whatever their type and sitelinks."""
    properties: tuple[WrittenPid, ...]
    sitelinks: int = Field(default=10, ge=0)
    """Seeds need at least this many sitelinks. A source without that figure lets every seed pass."""
    limit: int = Field(default=25_000, ge=1)
    """At most this many seeds: those with most sitelinks, then lowest number."""
    tail: Tail | None = None
    """Seeds of few sitelinks, on top of those; empty: none."""


class BatchSizes(_Strict):
    """How many ids one query carries (research: 150 seeds answer well within the service's minute)."""

    seeds: int = Field(default=150, ge=1, le=1000)
    statements: int = Field(default=400, ge=1, le=2000)
    entities: int = Field(default=300, ge=1, le=2000)
    floor: int = Field(default=5, ge=1)
    """A batch that times out is halved, down to this size; below it is quarantined and fails the gate."""


_ClassOrProperty = Annotated[str, Field(pattern=r"^[PQ][1-9]\d{0,9}$")]
_Month = Annotated[str, Field(pattern=r"^\d{4}-(?:0[1-9]|1[0-2])$")]


class Gates(_Strict):
    """Shares from 0 to 1: beyond them a month is not frozen, or what fell is held back."""

    label_less: float = Field(default=0.03, ge=0, le=1)
    """Largest share of seeds without an English label."""
    property_drop: float = Field(default=0.05, ge=0, le=1)
    """A property that loses this share of its statements since the last published snapshot of the same source, and more
    than chance explains, is held back (`falls.py`)."""
    class_drop: float = Field(default=0.02, ge=0, le=1)
    """The same of a class and its seeds."""
    name_change: float = Field(default=0.05, ge=0, le=1)
    """The same of a class and the names of its seeds, where they change."""
    chance: float = Field(default=0.0004, gt=0, lt=1)
    """Chance that an ordinary month has anything held back or is stopped for what it lost."""
    source_drop: float = Field(default=0.1, ge=0, le=1)
    """A month that loses this share of all seeds, statements or names, and more than chance explains, is stopped."""
    source_rise: float = Field(default=0.5, ge=0)
    """So is one that has this share of them more than the month before."""
    accepted: dict[_ClassOrProperty, _Month] = Field(default_factory=dict)
    """Class or property → the month `YYYY-MM` up to which its falls were looked at: they hold nothing back any more."""
    unreadable_times: float = Field(default=0.001, ge=0, le=1)
    """Largest share of times whose form cannot be read. They stand as unknown; a source's new way to write years would
    empty a month of its dates."""
    rankless: float = Field(default=0.001, ge=0, le=1)
    """Largest share of statements without a rank. They support no answer, since any of them may be deprecated; a source
    without ranks would leave a month without facts."""
    violations: float = Field(default=2.0, ge=1)
    """Largest growth of the violations of one constraint of one property since then, as a factor."""
    least: int = Field(default=50, ge=1)
    """Properties and classes with fewer rows than this in the earlier snapshot are not compared; violations count as
    at least so many."""


class Domains(_Strict):
    """The whole file. Order of `domains` matters: an entity belongs to the first one that matches it."""

    common: tuple[WrittenPid, ...]
    """Properties asked of every seed."""
    chain: tuple[WrittenPid, ...] = wd.CHAINED
    """Followed upward to the root, from every type and every value that is followed."""
    followed: tuple[WrittenPid, ...] = wd.FOLLOWED
    """Properties whose values are followed, besides those of `chain` and every one with a single-value constraint: a
    "No" is licensed only against complete chains. Values of others are only named."""
    links: tuple[WrittenPid, ...] = (wd.COUNTRY, *wd.CONFUSABLE)
    """Asked of every followed value as well: they decide whether two values are related (semantics.md §1.2)."""
    batches: BatchSizes = BatchSizes()
    gates: Gates = Gates()
    domains: dict[Literal[DOMAINS], Domain]  # type: ignore[valid-type]

    def asked_of_seeds(self, domain: str) -> tuple[int, ...]:
        """Properties asked of a domain's seeds, ascending. Contains `chain` and `links`."""
        return tuple(sorted({*self.common, *self.chain, *self.links, *self._domain(domain).properties}))

    def asked_of_values(self) -> tuple[int, ...]:
        """Properties asked of followed values and types, ascending."""
        return tuple(sorted({*self.chain, *self.links}))

    def all_properties(self) -> tuple[int, ...]:
        """Every property number in the file, ascending."""
        return tuple(sorted({pid for name in self.domains for pid in self.asked_of_seeds(name)}))

    def asked(self) -> dict[str, Any]:
        """What the source is asked for, as noted with a month: months that were asked alike can be compared."""
        seeds = [
            (name, domain.model_dump_json(exclude={"properties"})) for name, domain in sorted(self.domains.items())
        ]
        return {
            "properties": list(self.all_properties()),
            "seeds": hashlib.sha256(repr(seeds).encode()).hexdigest()[:16],
        }

    def roots(self) -> Iterator[tuple[str, Root]]:
        """Every (domain, root) in the file's order."""
        for name, domain in self.domains.items():
            for root in domain.roots:
                yield name, root

    def require(self, domain: str) -> Domain:
        """The domain of that name.

        Raises:
            UserError: it is not in the file; names those that are.
        """
        if domain not in self.domains:
            raise UserError(f"domain {domain!r} is not in domains.yaml, which has {', '.join(self.domains)}")
        return self._domain(domain)

    def _domain(self, name: str) -> Domain:
        domain: Domain = self.domains[name]
        return domain


def load_domains(path: Path) -> Domains:
    """Read and check `domains.yaml`.

    Raises:
        UserError: the file is missing, is no YAML, or a field is wrong; names the line and the field.
    """
    return yaml_files.load(path, Domains)
