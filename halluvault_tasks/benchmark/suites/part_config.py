"""What parts are made by: sizes, quotas and caps of `config/benchmark.yaml`, wordings, settings of companion suites."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import Field, model_validator

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE, CompanionName, QuestionName, SuiteName
from halluvault_tasks.benchmark.selection.balance import Shares
from halluvault_tasks.benchmark.selection.caps import Caps
from halluvault_tasks.benchmark.suites.companions import Companions
from halluvault_tasks.benchmark.wording.forms import Strict
from halluvault_tasks.benchmark.wording.lexicon import Lexicon

RelationKind = Literal["symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value"]
Operator = Literal["F", "G", "N", "U", "!", "&", "|", "atom"]


class Bounds(Strict):
    """Most that one of each may make of a suite's cases (`balance.Shares`)."""

    rule: float = Field(default=1, gt=0, le=1)
    property: float = Field(default=1, gt=0, le=1)
    kind: float = Field(default=1, gt=0, le=1)
    orders: float = Field(default=1, gt=0, le=1)
    given_up: float = Field(default=0, ge=0, lt=1)
    """Most of the questions of a month that may be given up to come nearer to the bounds."""

    def shares(self) -> Shares:
        """As a value."""
        return Shares(self.rule, self.property, self.kind, self.orders, self.given_up)


class Size(Strict):
    """How many cases, mutants included, each suite is to have."""

    relation: int = Field(ge=0, le=1_000_000)
    temporal: int = Field(ge=0, le=1_000_000)
    recall: int = Field(default=0, ge=0, le=1_000_000)
    candidates_per_rule: int = Field(ge=1, le=1_000_000)
    """Facts looked at per domain and rule, and per domain and operator."""

    shares: Bounds = Bounds()
    """Of the suites relation and recall."""

    temporal_shares: Bounds = Bounds()
    """Of the suite temporal."""

    blind_ends: bool = False
    """Whether the interval of each blind baseline must end below `blind_limit` and begin above its mirror image; else
    only an interval that lies beyond is refused, since a small part is too short for more."""


class Rewrite(Strict):
    """Who rewrites the questions (`rewrite`)."""

    model: str = Field(min_length=1)
    """Registry name in models.yaml."""


class Quotas(Strict):
    """What benchmark.yaml says of the parts: all of the file but the prompts."""

    seed: int
    suites: tuple[QuestionName, ...] = HEADLINE
    """The parts of a month that are built."""
    sizes: dict[str, Size]
    kinds: dict[RelationKind, float]
    operators: dict[Operator, float]
    subject_cap: int = Field(ge=1)
    object_cap: int = Field(ge=1)
    blind_limit: float = Field(default=0.55, gt=0.5, le=1)
    """What a blind baseline may score; 1 lets everything pass, for a reading and never for a month."""
    rewrite: Rewrite | None = None

    @model_validator(mode="after")
    def _weights(self) -> "Quotas":
        for name, weights in (("kinds", self.kinds), ("operators", self.operators)):
            for key, weight in weights.items():
                if not 0 <= weight <= 1000:
                    raise ValueError(f"{name}.{key} is {weight}; a weight is a number from 0 to 1000")
        if not self.suites or len(set(self.suites)) < len(self.suites):
            raise ValueError("suites: give at least one, without duplicates")
        return self


class PartConfig(NamedTuple):
    """Everything that one suite's part of a month depends on, beside the snapshot and the code.

    Attributes:
        suite: which.
        seed: of every draw.
        target: cases, mutants included.
        candidates: facts looked at per domain and rule, or per domain and operator.
        weights: rule kind or operator → weight.
        caps: most groups of one entity.
        shares: bounds of what one rule, property or kind may make of it.
        blind_limit: what a blind baseline may score.
        blind_ends: whether the interval of each must end below it.
        rewriter: registry name of the model that rewrites the questions; empty: none does.
        hash: sha256 over all of this and the wordings that the suite uses, and nothing else: another suite, another
            prompt, another suite's wording change no part's hash.
        own: settings of a companion suite, as suites.yaml has them; None for suites of yes/no questions.
    """

    suite: SuiteName
    seed: int
    target: int
    candidates: int
    weights: Mapping[str, float]
    caps: Caps
    shares: Shares
    blind_limit: float
    blind_ends: bool
    rewriter: str
    hash: str
    own: Any = None


@dataclass(frozen=True)
class PartSettings:
    """Everything that parts depend on beside the snapshot.

    Attributes:
        size_name: `demo` or `full`, a key of `sizes`.
    """

    quotas: Quotas
    lexicon: Lexicon
    size_name: str
    companions: Companions

    @property
    def size(self) -> Size:
        """The chosen size."""
        return self.quotas.sizes[self.size_name]

    def part(self, suite: SuiteName, target: int, weights: Mapping[str, float], wordings: Iterable[str]) -> PartConfig:
        """What one suite's part is made by.

        Args:
            suite: which.
            target: cases, mutants included.
            weights: of its rule kinds, operators or the like.
            wordings: sections of the lexicon that it uses.
        """
        quotas = self.quotas
        made_by = PartConfig(
            suite=suite,
            seed=quotas.seed,
            target=target,
            candidates=self.size.candidates_per_rule,
            weights=dict(weights),
            caps=Caps(quotas.subject_cap, quotas.object_cap),
            shares=(self.size.temporal_shares if suite == "temporal" else self.size.shares).shares(),
            blind_limit=quotas.blind_limit,
            blind_ends=self.size.blind_ends,
            rewriter=quotas.rewrite.model if quotas.rewrite else "",
            hash="",
        )
        said = self.lexicon.model_dump(mode="json", include=set(wordings))
        # As the file has them: of the nouns, the first that fits is taken.
        # Without `own`, which these suites have not: parts that are frozen keep their hashes.
        content = json.dumps([made_by[:-1], said], ensure_ascii=False)
        return made_by._replace(hash=hashlib.sha256(content.encode()).hexdigest())

    def companion(self, suite: CompanionName, wordings: Iterable[str]) -> PartConfig:
        """What a companion suite's part is made by: its own settings, and neither quotas nor caps of the questions.

        Args:
            suite: which.
            wordings: sections of the lexicon that it uses.
        """
        own = getattr(self.companions, suite)
        seed = self.companions.seed
        made_by = PartConfig(suite, seed, 0, 0, {}, Caps(1, 1), Bounds().shares(), 1, False, "", "", own)
        said = self.lexicon.model_dump(mode="json", include=set(wordings))
        # A file counts by its bytes, wherever it lies; and what is not given does not, so that a setting which is added
        # changes no part that is frozen.
        beside = {"enabled": True, "file": True, "halueval": {"__all__": {"file"}}}
        settings = own.model_dump(mode="json", exclude=beside, exclude_none=True)
        content = json.dumps([suite, seed, settings, said], ensure_ascii=False)
        return made_by._replace(hash=hashlib.sha256(content.encode()).hexdigest())
