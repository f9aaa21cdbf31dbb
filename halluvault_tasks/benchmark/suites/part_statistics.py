"""What is counted of a part when it is made, and how it is asked: column `benchmark_part.counts`, read here alone."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from typing import Any, NamedTuple, Self

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.balance import negative
from halluvault_tasks.benchmark.selection.baseline import Baseline
from halluvault_tasks.benchmark.selection.bounds import BoundStanding
from halluvault_tasks.benchmark.selection.grid import CellCount
from halluvault_tasks.benchmark.selection.propensity.gate import Curve
from halluvault_tasks.benchmark.suites.ask_plan import AS_CONFIGURED, STORED, AskPlan
from halluvault_tasks.reasoning.grounds import LicenceKind

OPEN = "text"
"""How an answer is counted that is neither yes nor no: names are no answers to count by."""


class StepCounts(NamedTuple):
    """A part against the one of its suite before it: how many cases stay, and of the others how many for which reason.

    Attributes:
        previous: month of that part; empty for a source's first.
    """

    previous: str
    stays: int
    new: Mapping[str, int]
    retired: Mapping[str, int]


@dataclass(frozen=True)
class PartStatistics:
    """Counts of one part.

    Attributes:
        first_month: no earlier published snapshot of the source confirms what is asked (semantics.md §3.4).
        cases, groups: how many there are.
        by_domain, by_kind, by_licence, by_mutation, gold: cases.
        gold_of_originals: answers of the original wordings.
        cells: domain → kind → answer → cases.
        by_polarity: domain → rule → affirmative or negated → answer → cases.
        baselines: what rules without knowledge score.
        curves: what peers, frequency and the like tell of its pairs, by family.
        shortfall: cell → what it lacks → cases.
        grid: cells, of a suite that is filled by them.
        standings: to the bounds of such a suite.
        dropped: facts that could not be asked about, by what hinders it.
        asked: how the part is asked.
        months: what became of the part before it; None until it is compared.
        own: what a suite counts beside this, and what an older or newer version stored.
    """

    first_month: bool = False
    cases: int = 0
    groups: int = 0
    by_domain: Mapping[str, int] = field(default_factory=dict)
    by_kind: Mapping[str, int] = field(default_factory=dict)
    by_licence: Mapping[str, int] = field(default_factory=dict)
    by_mutation: Mapping[str, int] = field(default_factory=dict)
    gold: Mapping[str, int] = field(default_factory=dict)
    gold_of_originals: Mapping[str, int] = field(default_factory=dict)
    cells: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    by_polarity: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]] = field(default_factory=dict)
    baselines: tuple[Baseline, ...] = ()
    curves: tuple[Curve, ...] = ()
    shortfall: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    grid: tuple[CellCount, ...] = ()
    standings: tuple[BoundStanding, ...] = ()
    dropped: Mapping[Unasked, int] = field(default_factory=dict)
    asked: AskPlan = AS_CONFIGURED
    months: StepCounts | None = None
    own: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Out of `benchmark_part.counts`, whichever version wrote it; keys that are not known are kept in `own`."""
        plain = {name: stored[name] for name in _PLAIN if name in stored}
        months = stored.get("months")
        return cls(
            **plain,
            baselines=tuple(map(Baseline.of, stored.get("baselines", ()))),
            curves=tuple(map(Curve.of, stored.get("curves", ()))),
            grid=tuple(map(CellCount.read, stored.get("grid", ()))),
            standings=tuple(BoundStanding(**one) for one in stored.get("standings", ())),
            dropped=_read(stored.get("dropped", {})),
            asked=AskPlan.of(stored),
            months=StepCounts(**months) if months else None,
            own={name: value for name, value in stored.items() if name not in _KNOWN},
        )

    def as_json(self) -> dict[str, Any]:
        """As `benchmark_part.counts` has it."""
        return {
            **self.own,
            **{name: getattr(self, name) for name in _PLAIN},
            "baselines": [baseline.as_json() for baseline in self.baselines],
            "curves": [curve.as_json() for curve in self.curves],
            "grid": [one.as_json() for one in self.grid],
            "standings": [one._asdict() for one in self.standings],
            "dropped": {unasked.key: number for unasked, number in self.dropped.items()},
            **self.asked.as_json(),
            **({"months": self.months._asdict()} if self.months else {}),
        }

    @property
    def closed(self) -> bool:
        """Whether any of its questions is answered with yes or no."""
        return bool(self.gold.keys() & {"yes", "no"})

    @property
    def licences(self) -> Mapping[str, int]:
        """Cases by licence; what was counted before there were several was proved."""
        counted = {kind: self.by_licence.get(kind, 0) for kind in LicenceKind}
        counted[LicenceKind.PROVED] += self.cases - sum(counted.values())
        return {kind.value: number for kind, number in counted.items() if number}

    @classmethod
    def together(cls, parts: Iterable["PartStatistics"]) -> "PartStatistics":
        """Cases of several parts, added up."""
        several = list(parts)
        added = {
            name: reduce(_added, (getattr(part, name) for part in several))
            for name in _PLAIN
            if name != "first_month" and several
        }
        return cls(first_month=any(part.first_month for part in several), **added)


_VALUES = (
    "baselines",
    "curves",
    "grid",
    "standings",
    "dropped",
    "months",
)  # of what is more than figures and tables of them
_PLAIN = tuple(one.name for one in fields(PartStatistics) if one.name not in (*_VALUES, "asked", "own"))
"""Stored as they are."""
_KNOWN = frozenset((*_PLAIN, *_VALUES, *STORED))


def _read(stored: Mapping[str, int]) -> Counter[Unasked]:
    dropped: Counter[Unasked] = Counter()
    for key, number in stored.items():
        dropped[Unasked.of(key)] += number
    return dropped


def _added(one: Any, other: Any) -> Any:
    """Two figures, or tables of figures, as one."""
    if not isinstance(one, Mapping):
        return one + other
    shared = {key: _added(one[key], other[key]) for key in one.keys() & other.keys()}
    return dict(sorted({**one, **other, **shared}.items()))


def tally(cases: Sequence[Case], answer: Callable[[Case], str] = lambda case: case.gold) -> PartStatistics:
    """Count a part's cases.

    Args:
        cases: all of them.
        answer: as what a case's answer is counted; `OPEN` where it is no answer to count by.
    """
    cells: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    polarity: dict[str, dict[str, dict[str, Counter[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(Counter))
    )
    for case in cases:
        # The wrong values of a property are the other half of its true ones: balance is that of both together.
        rule, wording = case.rule_kind.partition(".")[0], "negated" if negative(case.mutation) else "affirmative"
        cells[case.domain][case.rule_kind][answer(case)] += 1
        polarity[case.domain][rule][wording][answer(case)] += 1
    return PartStatistics(
        cases=len(cases),
        groups=len({case.group_id for case in cases}),
        by_domain=_sorted(case.domain for case in cases),
        by_kind=_sorted(case.rule_kind for case in cases),
        by_licence=_sorted(case.licence.value for case in cases),
        # Of permutations that are numbered, by what they are.
        by_mutation=_sorted(case.mutation.partition(" ")[0] for case in cases),
        gold=_sorted(answer(case) for case in cases),
        gold_of_originals=_sorted(answer(case) for case in cases if case.mutation == "original"),
        cells=_ordered(cells),
        by_polarity=_ordered(polarity),
    )


def _sorted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _ordered(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table as plain dicts, keys in order all the way down."""
    return {key: _ordered(inner) if isinstance(inner, Mapping) else inner for key, inner in sorted(table.items())}
