"""The grid of a part: domain × kind, each cell with its cases, what there was for it, and what kept it from more."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.balance import Selection
from halluvault_tasks.benchmark.selection.features import family

Cell = tuple[str, str]
"""Domain and kind: of the suite temporal main operator."""

MOST = 3  # reasons that are kept of each cell


class CellSupply(NamedTuple):
    """What there is for a cell, in words, chosen or not.

    Attributes:
        facts: true ones.
        foils: false ones.
        subjects: that they are about.
    """

    facts: int = 0
    foils: int = 0
    subjects: int = 0


class CellPool(NamedTuple):
    """What there is for each cell, and what has no words or no answer: cell and why → facts.

    Attributes:
        supply: in words.
        hindered: what is not.
        refused: relations of most true facts that nothing false stands beside → why.
    """

    supply: Mapping[Cell, CellSupply] = {}
    hindered: Mapping[tuple[Cell, Unasked], int] = {}
    refused: Mapping[Cell, Mapping[str, str]] = {}

    @classmethod
    def of(
        cls,
        candidates: Iterable[Candidate],
        hindered: Mapping[tuple[Cell, Unasked], int],
        refused: Mapping[Cell, Mapping[str, str]] = MappingProxyType({}),
    ) -> Self:
        """Of everything that was put in words."""
        truths: dict[Cell, dict[tuple[object, ...], bool]] = defaultdict(dict)
        subjects: dict[Cell, set[int]] = defaultdict(set)
        for one in candidates:
            truths[cell_of(one)][one.identity] = one.truth
            subjects[cell_of(one)].add(one.subject)
        supply = {
            cell: CellSupply(sum(known.values()), len(known) - sum(known.values()), len(subjects[cell]))
            for cell, known in truths.items()
        }
        return cls(supply, hindered, refused)


class CellCount(NamedTuple):
    """One cell of a part.

    Attributes:
        domain, kind: which.
        cases: that it has.
        floor: that it should have at least.
        supply: what there was.
        hindered: what cost most of its facts: the name of a hindrance → facts.
        passed_over: what most of its groups met that could be asked and are not → groups.
        refused: relations of most of its facts that nothing false stands beside → why.
    """

    domain: str
    kind: str
    cases: int
    floor: int
    supply: CellSupply
    hindered: Mapping[str, int]
    passed_over: Mapping[str, int]
    refused: Mapping[str, str] = MappingProxyType({})

    @property
    def missing(self) -> int:
        """Cases that it has too few."""
        return max(0, self.floor - self.cases)

    @property
    def more(self) -> str:
        """What would bring more."""
        if not self.supply.facts and not self.supply.foils:
            if not self.hindered:
                return "a rule or statements of this domain from which such facts follow"
            return "what these facts lack: " + "; ".join(Unasked.of(key).sentence for key in self.hindered)
        if not self.supply.foils:
            why = "; ".join(f"{relation}: {refused}" for relation, refused in self.refused.items())
            return f"a licence for false facts beside the true ones ({why or 'halluvault rules measure'})"
        if not self.supply.facts:
            return "true facts beside the false ones"
        if self.passed_over:
            return "room: " + "; ".join(self.passed_over)
        return "more subjects, or false facts in the words of the true ones"

    def __str__(self) -> str:
        there = f"{self.supply.facts} facts, {self.supply.foils} foils, {self.supply.subjects} subjects"
        lacking = f"{self.domain}/{self.kind}: {self.cases} cases of {self.floor}; there were {there}"
        return f"{lacking}; more by {self.more}"

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Out of a part's counts."""
        most = {name: _most(Counter(stored[name])) for name in ("hindered", "passed_over")}  # the table keeps no order
        return cls(**{**stored, **most, "supply": CellSupply(**stored["supply"])})

    def as_json(self) -> dict[str, Any]:
        """As a part's counts have it."""
        return {**self._asdict(), "supply": self.supply._asdict(), "refused": dict(self.refused)}


def cell_of(one: Candidate) -> Cell:
    """The cell that a fact counts for."""
    return one.domain, family(one.kind)


def dropped_of(hindered: Mapping[tuple[Cell, Unasked], int]) -> Counter[Unasked]:
    """Of all cells together."""
    dropped: Counter[Unasked] = Counter()
    for (_, unasked), number in hindered.items():
        dropped[unasked] += number
    return dropped


def of(selection: Selection, weights: Mapping[Cell, float], pool: CellPool) -> list[CellCount]:
    """The cells of a part, in order.

    Args:
        selection: what was chosen.
        weights: domain and kind → weight: with one, a cell is wanted.
        pool: what there was.
    """
    cases: Counter[Cell] = Counter()
    for one in selection.chosen:
        cases[cell_of(one.candidate)] += one.size
    floors = {
        standing.value: math.ceil(standing.at_least * selection.cases)
        for standing in selection.standings
        if standing.feature == "cell"
    }
    hindered: dict[Cell, Counter[str]] = defaultdict(Counter)
    for (cell, unasked), number in pool.hindered.items():
        hindered[cell][unasked.key] += number
    met: dict[Cell, Counter[str]] = defaultdict(Counter)
    for ((domain, kind), what), number in selection.passed_over.items():
        met[domain, family(kind)][what] += number
    wanted = {(domain, family(kind)) for (domain, kind), weight in weights.items() if weight > 0}
    return [
        CellCount(
            *cell, cases[cell], floors.get("/".join(cell), 0), pool.supply.get(cell, CellSupply()),
            _most(hindered[cell]), _most(met[cell]), pool.refused.get(cell, {}),
        )
        for cell in sorted(wanted | set(cases))
    ]  # fmt: skip


def missing(cells: Iterable[CellCount]) -> dict[str, dict[str, int]]:
    """Domain and kind of each cell below its floor → the cases that it lacks, as statistics store it."""
    return {f"{one.domain}/{one.kind}": {"cases": one.missing} for one in cells if one.missing}


def _most(by: Counter[str]) -> dict[str, int]:
    ordered: Sequence[tuple[str, int]] = sorted(by.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:MOST])
