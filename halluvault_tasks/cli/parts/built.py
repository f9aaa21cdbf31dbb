"""What a build made of a month, in words and tables."""

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import by_hindrance, by_sentence
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.part_statistics import StepCounts
from halluvault_tasks.cli.common import log, out

_MOST_OFTEN = 5
"""Reasons that are named of those for which something is left out."""
FIRST_MONTH = "First month: no earlier published snapshot of this source confirms what is asked."


def say(counts: stages.BenchmarkCounts, frozen: Sequence[part_lookup.Part], verbose: bool) -> None:
    """Say what a build made of a month, part by part; what it left out in a line each, or `verbose` in full."""
    by_suite = {made.suite: made for made in counts.parts}
    for part in frozen:
        made = by_suite[part.suite]
        if not made.built:
            log.print(f"the part {part.suite} of {part.snapshot} was already frozen; nothing of it was written")
        closed = part.statistics.closed
        out.print(_cells(part, closed))
        answers = f", {made.yes} with the answer yes" if closed else ""
        out.print(
            f"{made.cases} {part.suite} cases in {made.groups} groups{answers}; "
            f"{made.shortfall} short of the floors of cells, {made.dropped} facts not asked about"
        )
        if closed:
            told = ", ".join(f"{number} {licence}" for licence, number in part.statistics.licences.items())
            out.print(f"licences (of the weakest No of each block): {told}")
        if part.statistics.baselines:
            out.print(_blind(part))
        if part.statistics.curves:
            out.print(_curves(part))
        _months(part.statistics.months)
        dropped = part.statistics.dropped
        reasons = by_sentence(dropped) if verbose else by_hindrance(dropped)
        _left_out(f"not asked about ({part.suite})", reasons, "facts", verbose)
        short = {cell: sum(missing.values()) for cell, missing in part.statistics.shortfall.items()}
        _left_out(f"short of the floors of cells ({part.suite}; `halluvault benchmark grid`)", short, "cases", verbose)
        for standing in part.statistics.standings:
            if not standing.held and standing.feature != "cell":
                log.print(f"{part.suite}, not as config/benchmark.yaml wants it: {standing}", markup=False)
    for line in counts.held:
        out.print(f"held back this month: {line}", markup=False, soft_wrap=True)
    if counts.reconfigured:
        out.print(counts.reconfigured, markup=False, soft_wrap=True)
    if counts.first_month:
        out.print(FIRST_MONTH)


def _left_out(heading: str, counts: Mapping[str, int], what: str, verbose: bool) -> None:
    """One line with the sum and the most frequent reasons, or each reason on a line of its own."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if verbose:
        for reason, number in ordered:
            log.print(f"{heading}: {number:,} × {reason}", markup=False)
    elif ordered:
        often = "; ".join(f"{number:,} × {reason}" for reason, number in ordered[:_MOST_OFTEN])
        more = f" (-v lists all {len(ordered)} reasons)" if len(ordered) > _MOST_OFTEN else ""
        log.print(f"{heading}: {sum(counts.values()):,} {what}, most often {often}{more}", markup=False, soft_wrap=True)


def _cells(part: part_lookup.Part, closed: bool) -> Table:
    """Cases by domain and rule; with the answers yes and no where the questions are closed."""
    answers = ("yes", "no") if closed else ()
    table = Table("domain", "rule or operator", "cases", *answers, title=f"{part.snapshot}, suite {part.suite}")
    for domain, kinds in sorted(part.statistics.cells.items()):
        for kind, golds in sorted(kinds.items()):
            table.add_row(domain, Text(kind), str(sum(golds.values())), *(str(golds.get(one, 0)) for one in answers))
    return table


def _blind(part: part_lookup.Part) -> Table:
    blind = Table("blind rule", "accuracy", "95 % interval", "cases", title=f"Rules that know nothing, {part.suite}")
    for one in part.statistics.baselines:
        low, high = f"{100 * one.low:.1f}", f"{100 * one.high:.1f}"
        blind.add_row(one.name, f"{100 * one.accuracy:.1f} %", f"{low} – {high} %", str(one.cases))
    return blind


def _curves(part: part_lookup.Part) -> Table:
    told = Table(
        "family", "area", "pairs", "most by", title=f"What peers, frequency, nearness and names tell, {part.suite}"
    )
    for one in part.statistics.curves:
        held = "" if one.held else " (not held)"
        told.add_row(one.family, f"{one.area:.2f}{held}", str(one.pairs), one.goes_by)
    return told


def _months(months: StepCounts | None) -> None:
    """What became of the part before this one, by reason."""
    if months is None or not months.previous:
        return
    out.print(f"since {months.previous}: {months.stays} cases stay")
    for kind, by in (("retired", months.retired), ("new", months.new)):
        for reason, number in sorted(by.items()):
            out.print(f"  {number} {kind}: {reason}", markup=False)
