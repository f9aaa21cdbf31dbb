"""Do the gates of a month stop for causes and for nothing else? Months of a changing source, simulated.

    .venv/bin/python benchmarks/gates.py --months 300 --seed 1 --json gates.json      # a minute

What is judged is what the product judges (`halluvault_tasks.knowledge.falls`): counts of classes, properties and names
by cause. Counts are drawn; that they are counted right is tested on real rows (tests/knowledge/test_falls.py).

*Ordinary change.* Classes and properties as many and as large as in a month of real data, down to 50 rows. Each has a
rate of its own around half a percent a month (names: a fifth), log-normal; so has each month. The share that one loses
in a month is drawn from a beta distribution around that rate with overdispersion rho, so that bulk edits happen. What
is added makes up for what goes. Half a percent and a fifth of a percent are those of issue 45, nobody has counted two
real months of Wikidata: so rho is tried from a fifth of what the gates assume to twice as much.

*Planted*, each into --plants months drawn at random, one at a time, at several sizes: a property emptied, a class
re-typed, an answer cut off (of one property; of the whole source), names of a class vandalised, a source doubled; and a
class or property that leaks a little every month of a year.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from halluvault_tasks.knowledge.config import Gates
from halluvault_tasks.knowledge.falls import (
    CLASS,
    NAMES,
    PROPERTY,
    YEAR,
    CountedKind,
    KeyCount,
    MonthJudgement,
    MonthPair,
    Past,
    judge,
    year_ago,
)

GATES = Gates()
REMEMBERED = 24
RATES = {CLASS.name: 0.005, PROPERTY.name: 0.005, NAMES.name: 0.002}
FALLS_BY = {CLASS.name: "deleted", PROPERTY.name: "deleted", NAMES.name: "renamed"}


class Size(NamedTuple):
    """How many keys of a kind there are, and how large the largest is."""

    keys: int
    largest: int


SIZES = {CLASS.name: Size(133, 16_300), PROPERTY.name: Size(118, 22_700), NAMES.name: Size(133, 16_300)}
"""Those of `wikidata-real` with at least 50 rows."""


@dataclass
class ChangingSource:
    """A source that changes from month to month as its editors please.

    Attributes:
        rng: what it is drawn by.
        rho: overdispersion of what one key loses in a month.
        uneven: spread of the keys' own rates, and of the months', as the standard deviation of their logarithms.
        sizes: of each kind.
    """

    rng: np.random.Generator
    rho: float = 0.01
    uneven: float = 0.4
    sizes: dict[str, Size] = field(default_factory=lambda: SIZES)

    def __post_init__(self) -> None:
        self.rows = {kind: self._zipf(size) for kind, size in self.sizes.items()}
        self.rates = {kind: self._log_normal(len(rows)) * RATES[kind] for kind, rows in self.rows.items()}

    def _zipf(self, size: Size) -> np.ndarray:
        slope = np.log(size.largest / GATES.least) / np.log(size.keys)
        return np.maximum(GATES.least, size.largest / np.arange(1, size.keys + 1) ** slope).astype(int)

    def _log_normal(self, n: int) -> np.ndarray:
        return np.exp(self.rng.normal(-(self.uneven**2) / 2, self.uneven, n))

    def month(self) -> list[KeyCount]:
        """The next month's counts."""
        counts: list[KeyCount] = []
        of_month = float(self._log_normal(1)[0])
        for kind, rows in self.rows.items():
            mean = np.minimum(self.rates[kind] * of_month, 0.2)
            strength = 1 / self.rho - 1
            fell = self.rng.binomial(rows, self.rng.beta(mean * strength, (1 - mean) * strength))
            merged = np.zeros_like(fell) if kind == NAMES.name else self.rng.binomial(rows - fell, 0.0005)
            gone = np.zeros_like(fell) if kind == NAMES.name else fell + merged
            # Growth that keeps each about as large as it was.
            added = self.rng.poisson(rows * mean) if kind != NAMES.name else gone
            now = np.maximum(rows - gone + added, GATES.least)
            for key, (n, before, lost, away) in enumerate(zip(now, rows, fell, merged, strict=True), start=1):
                causes = {FALLS_BY[kind]: int(lost), "merged": int(away)}
                counts.append(KeyCount(kind, key, int(n), int(before), {c: x for c, x in causes.items() if x}))
            self.rows[kind] = now
        return counts


@dataclass
class Memory:
    """What the product remembers of a source, in memory: the months' counts, and which were held back."""

    months: list[tuple[str, list[KeyCount], set[tuple[str, int]]]] = field(default_factory=list)
    n: int = 0
    """Months kept so far."""
    past: Past = field(default_factory=lambda: Past((), GATES.least))

    def judged(self, counts: Sequence[KeyCount]) -> MonthJudgement:
        """The next month's judgement."""
        year = {}
        if len(self.months) >= YEAR:
            month, then, _ = self.months[-YEAR]
            since = [
                (one, (one.kind, one.key) in held) for _, several, held in self.months[1 - YEAR :] for one in several
            ]
            year = year_ago(month, then, since, counts)
        return judge(counts, self.past, GATES, year, MonthPair(_name(self.n), _name(self.n - 1)))

    def keep(self, counts: list[KeyCount], judgement: MonthJudgement) -> None:
        """Remember a month that was published."""
        self.months.append((_name(self.n), counts, {(one.kind, one.key) for one in judgement.held}))
        del self.months[:-REMEMBERED]
        self.n += 1
        self.past = Past(
            ([one for one in several if (one.kind, one.key) not in held] for _, several, held in self.months),
            GATES.least,
        )


def _name(n: int) -> str:
    """`YYYY-MM`; only the order matters."""
    return f"{2000 + n // 12}-{n % 12 + 1:02d}"


# ---------------------------------------------------------------- what is planted

Plant = Callable[[list[KeyCount], np.random.Generator], tuple[list[KeyCount], tuple[str, int] | None]]


def _one(kind: CountedKind, cause: str, share: float, counts: list[KeyCount], rng: np.random.Generator):
    """A share of one key's rows leave by a cause; returns the counts and which key."""
    mine = [n for n, one in enumerate(counts) if one.kind == kind.name]
    at = int(rng.choice(mine))
    counts = list(counts)
    counts[at] = _less(counts[at], cause, share)
    return counts, (kind.name, counts[at].key)


def _less(one: KeyCount, cause: str, share: float) -> KeyCount:
    stays = one.before - sum(one.causes.values())
    leave = min(stays, round(share * one.before))
    causes = {**one.causes, cause: one.causes.get(cause, 0) + leave}
    return one._replace(causes=causes, rows=max(0, one.rows - (0 if one.kind == NAMES.name else leave)))


def _truncated(share: float, counts: list[KeyCount], rng: np.random.Generator):
    """The source ends early: of every key about that share is missing."""
    cut = {CLASS.name: "deleted", PROPERTY.name: "gone"}
    of = rng.beta(share * 20, (1 - share) * 20, len(counts)) if share < 1 else np.ones(len(counts))
    return [_less(one, cut[one.kind], x) if one.kind in cut else one for one, x in zip(counts, of, strict=True)], None


def _doubled(share: float, counts: list[KeyCount], rng: np.random.Generator):
    return [one._replace(rows=one.rows + round(share * one.before)) for one in counts], None


def plants() -> Iterator[tuple[str, float, Plant]]:
    """What, how much of it, and how."""
    for share in (1.0, 0.5, 0.3):
        yield "a property emptied", share, partial(_one, PROPERTY, "deleted", share)
        yield "a class re-typed", share, partial(_one, CLASS, "retyped", share)
        yield "a property's answer cut off", share, partial(_one, PROPERTY, "unanswered", share)
        yield "a class's names vandalised", share, partial(_one, NAMES, "renamed", share)
        yield "a source cut off", share, partial(_truncated, share)
    yield "a source doubled", 1.0, partial(_doubled, 1.0)


class Outcome(NamedTuple):
    """What a run showed."""

    months: int
    stopped: int
    """Ordinary months that were stopped."""
    held: int
    """Classes and properties held back in ordinary months."""
    worst: float
    """Largest share that one lost in an ordinary month."""
    caught: dict[str, tuple[int, int]]
    """Of what was planted: found, of how many."""
    leaks: dict[str, tuple[int, int]]


def run(months: int, seed: int, rho: float = 0.01, plants_each: int = 30, sizes: dict[str, Size] = SIZES) -> Outcome:
    """Months of ordinary change, one after another; into some of them something is planted, besides."""
    rng = np.random.default_rng(seed)
    source, memory = ChangingSource(np.random.default_rng([seed, 1]), rho, sizes=sizes), Memory()
    wanted = [(f"{what}, {share:.0%}", plant) for what, share, plant in plants()]
    at = {name: set(rng.choice(months, min(plants_each, months), replace=False).tolist()) for name, _ in wanted}
    stopped = held = 0
    worst, caught, tried = 0.0, Counter(), Counter()
    for n in range(months):
        counts = source.month()
        for name, plant in wanted:
            if n in at[name]:
                planted, key = plant(counts, rng)
                found = memory.judged(planted)
                tried[name] += 1
                caught[name] += bool(found.stopped) or (
                    key is not None and key in {(one.kind, one.key) for one in found.held}
                )
        worst = max(worst, *(one.fell / one.before for one in counts))
        judgement = memory.judged(counts)
        stopped += bool(judgement.stopped)
        held += len(judgement.held)
        memory.keep(counts, judgement)
    return Outcome(
        months, stopped, held, worst, {name: (caught[name], tried[name]) for name, _ in wanted}, leaks(seed, sizes, rho)
    )


def leaks(seed: int, sizes: dict[str, Size], rho: float, runs: int = 5) -> dict[str, tuple[int, int]]:
    """Of a source one key loses a little in each of fourteen months, never what is material: is it held back?"""
    return {
        f"a {kind.name} that leaks {rate:.1%} a month": (
            sum(
                _leaks(kind, rate, ChangingSource(np.random.default_rng([seed, 2, n]), rho, sizes=sizes))
                for n in range(runs)
            ),
            runs,
        )
        for kind, rate in ((CLASS, 0.019), (PROPERTY, 0.03), (PROPERTY, 0.045))
    }


def _leaks(kind: CountedKind, rate: float, source: ChangingSource) -> bool:
    leaking, memory, left = int(source.rng.integers(1, source.sizes[kind.name].keys // 2)), Memory(), 1.0
    found = False
    for _ in range(YEAR + 2):
        counts = source.month()
        at = next(n for n, one in enumerate(counts) if (one.kind, one.key) == (kind.name, leaking))
        before, left = round(counts[at].before * left), left * (1 - rate)
        now = round(counts[at].before * left)
        counts[at] = counts[at]._replace(rows=now, before=before, causes={FALLS_BY[kind.name]: before - now})
        judgement = memory.judged(counts)
        found |= (kind.name, leaking) in {(one.kind, one.key) for one in judgement.held}
        memory.keep(counts, judgement)
    return found


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--months", type=int, default=300)
    parser.add_argument("--plants", type=int, default=30, help="months that each thing is planted into")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rho", type=float, nargs="+", default=[0.002, 0.01, 0.02])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    told = {}
    for rho in given.rho:
        found = run(given.months, given.seed, rho, given.plants)
        told[rho] = found._asdict()
        print(
            f"rho {rho}: {found.months} ordinary months, {found.stopped} stopped, {found.held} held back; "
            f"the worst lost {found.worst:.1%}"
        )
        for name, (caught, of) in {**found.caught, **found.leaks}.items():
            print(f"  {name}: {caught} of {of} stopped or held back")
    if given.json:
        given.json.write_text(json.dumps({"months": given.months, "seed": given.seed, "by_rho": told}, indent=1))


if __name__ == "__main__":
    main()
