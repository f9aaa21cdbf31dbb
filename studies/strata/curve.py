"""The curve: right answers by stratum, a line for each answerer and context."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from studies.strata.answers import LEVELS, LevelRate

_COLOURS = ("#0b6e99", "#c2571a", "#8a8f98", "#6d1f24", "#4d7c3a", "#7a4fa3")


def draw(rates: Sequence[LevelRate], path: Path, feature: str = "stratum") -> None:
    """Draw right answers by level of a feature, with Wilson's 95 % intervals.

    Args:
        rates: of all answerers.
        path: where to; its suffix says the format.
        feature: of which.
    """
    mine = [one for one in rates if one.feature == feature]
    there = {one.level for one in mine}
    levels = [level for level in LEVELS.get(feature, sorted(there)) if level in there]
    lines = sorted({(one.answerer, one.context) for one in mine})
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for number, line in enumerate(lines):
        of_line = {one.level: one for one in mine if (one.answerer, one.context) == line}
        points = [(levels.index(level), one) for level, one in of_line.items()]
        points.sort(key=lambda point: point[0])
        places = [at + 0.08 * (number - (len(lines) - 1) / 2) for at, _ in points]
        shares = [100 * one.share for _, one in points]
        spread = [
            [100 * (one.share - one.low) for _, one in points],
            [100 * (one.high - one.share) for _, one in points],
        ]
        style = "-" if line[1] == "closed-book" else ":"
        axes.errorbar(
            places, shares, yerr=spread, fmt=f"o{style}", ms=5, capsize=3, color=_COLOURS[number % len(_COLOURS)],
            label=", ".join(line),
        )  # fmt: skip
    counts = {level: max(one.answers for one in mine if one.level == level) for level in levels}
    axes.set_xticks(range(len(levels)), labels=[f"{level}\n{counts[level]} cases" for level in levels])
    axes.axhline(50, color="#8a8f98", lw=0.8, ls="--")
    axes.set_ylim(0, 102)
    axes.set_ylabel("% right")
    axes.set_title(f"Right answers by {feature}, 95 % intervals", loc="left")
    axes.legend(frameon=False, loc="lower right", fontsize=8)
    figure.savefig(path)
