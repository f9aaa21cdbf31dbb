"""How often a year tells of a rise that there was none of, and how soon of one that there was: simulated rates alone.

    python -m benchmarks.year_alarms --years 200

Each year has four models of the rates of the drill's. A steady one answers most questions as the month before and the
others anew, by its rate; questions of a group share their difficulty. What is asked of each month is `alerts.rises`
itself, on differences that `comparisons` computes, as in a real month.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np

from halluvault_tasks.results.alerts import RateRose, rises
from halluvault_tasks.statistics.comparisons import paired_sums

RATES = (0.05, 0.06, 0.25, 0.55)
"""Of the steady models."""
GROUPS, MEMBERS, MONTHS = 90, 3, 12
ANEW = 0.15
"""Of the groups, those that a model answers anew in a month."""


class AlarmCounts(NamedTuple):
    """What was told of simulated years."""

    years: int
    false: int
    """Years in which a steady model was told of."""
    found: int
    """Years in which the one that got worse was told of in the month that it did."""


def simulated(years: int, *, seed: int, worse_by: float = 0.2, month: int = 5) -> AlarmCounts:
    """Years of steady models, in each of which one more gets worse.

    Args:
        years: how many.
        seed: of the first; the others follow.
        worse_by: by how much its rate rises.
        month: in which it does.
    """
    false = found = 0
    for number in range(years):
        told = _told(np.random.default_rng((seed, number)), worse_by, month)
        false += any(model != "worse" or at != month for model, at in told)
        found += ("worse", month) in told
    return AlarmCounts(years, false, found)


def _told(random: np.random.Generator, worse_by: float, month: int) -> set[tuple[str, int]]:
    names = [*(f"steady-{number}" for number in range(len(RATES))), "worse"]
    rates = np.array([*RATES, RATES[0]])
    answers = _answered(random, rates)
    differences = []
    for at in range(2, MONTHS + 1):
        if at == month:
            rates = rates.copy()
            rates[-1] += worse_by
        anew = random.random((GROUPS, len(rates))) < ANEW
        anew[:, -1] |= at == month
        now = np.where(anew[:, :, None], _answered(random, rates), answers)
        differences.append((now.astype(float) - answers).sum(axis=2))
        answers = now
    sums = np.concatenate(differences, axis=1)  # all at once: the sign vectors are drawn once
    compared = paired_sums(sums, np.full(sums.shape, float(MEMBERS)))
    told = set()
    for at in range(2, MONTHS + 1):
        found = compared[(at - 2) * len(names) : (at - 1) * len(names)]
        rows = [
            {
                "model": name, "change": one.difference, "change_low": one.low, "change_high": one.high, "p": one.p,
                "shared": one.shared, "previous_month": date(2026, at - 1, 1),
            }
            for name, one in zip(names, found, strict=True) if one is not None
        ]  # fmt: skip
        told |= {(alert.message.partition(":")[0], at) for alert in rises(rows, RateRose())}
    return told


def _answered(random: np.random.Generator, rates: np.ndarray) -> np.ndarray:
    """(groups, models, members): whether each answer is wrong; those of a group go wrong together as often as not."""
    together = random.random((GROUPS, len(rates), 1)) < 0.5
    one, each = random.random((GROUPS, len(rates), 1)), random.random((GROUPS, len(rates), MEMBERS))
    return np.where(together, one, each) < rates[None, :, None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, simulate, print; exit 1 where more than 5 % of the years told falsely."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--years", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    counts = simulated(given.years, seed=given.seed)
    print(json.dumps(counts._asdict()))
    return int(counts.false > 0.05 * counts.years)


if __name__ == "__main__":
    sys.exit(main())
