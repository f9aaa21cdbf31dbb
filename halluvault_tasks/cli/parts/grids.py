"""The grid of a part in tables: cases by domain and kind, the bounds, and what each cell below its floor lacks."""

from collections import Counter
from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.selection.features import Feature
from halluvault_tasks.benchmark.selection.grid import CellCount
from halluvault_tasks.cli.common import out


def say_headline(parts: Sequence[part_lookup.Part]) -> None:
    """Print what the parts of the headline are together: shares of domains, and of what each of them bounds."""
    whole = sum(part.statistics.cases for part in parts)
    shares: Counter[Feature] = Counter()
    for part in parts:
        shares.update({Feature("domain", name): cases for name, cases in part.statistics.by_domain.items()})
        bounded = (one for one in part.statistics.standings if one.feature != "domain")
        shares.update({Feature(one.feature, one.value): one.share * part.statistics.cases for one in bounded})
    everywhere = set.intersection(*({Feature(*one[:2]) for one in part.statistics.standings} for part in parts))
    names = " and ".join(part.suite for part in parts)
    table = Table("of the cases", "share", title=f"{parts[0].snapshot}, {names}: {whole} cases")
    for feature, cases in sorted(shares.items()):
        if feature.name == "domain" or feature in everywhere:
            table.add_row(Text(str(feature)), f"{cases / whole:.1%}")
    out.print(table)


def say(part: part_lookup.Part) -> None:
    """Print a part's grid, its bounds, and what the cells lack."""
    counts = part.statistics
    out.print(_cases(part))
    out.print(_bounds(part))
    if short := [one for one in counts.grid if one.missing]:
        out.print(_lacking(short, f"Cells of {part.suite} below their floor"))


def _cases(part: part_lookup.Part) -> Table:
    """Cases by domain and kind; a cell below its floor is marked."""
    cells = {(one.domain, one.kind): one for one in part.statistics.grid}
    kinds = sorted({kind for _, kind in cells})
    table = Table("domain", *map(escape, kinds), "all", title=f"{part.snapshot}, suite {part.suite}: cases")
    for domain in sorted({domain for domain, _ in cells}):
        row = [cells.get((domain, kind)) for kind in kinds]
        whole = sum(one.cases for one in row if one)
        table.add_row(domain, *(f"{one.cases}{'*' * bool(one.missing)}" if one else "" for one in row), str(whole))
    table.caption = "* below its floor"
    return table


def _bounds(part: part_lookup.Part) -> Table:
    """Each bound, and how the part stands to it."""
    table = Table("of the cases", "share", "at least", "at most", "held", title=f"Bounds of {part.suite}")
    for one in part.statistics.standings:
        if one.feature != "cell":
            low = f"{one.at_least:.1%}" if one.at_least else ""
            high = f"{one.at_most:.1%}" if one.at_most < 1 else ""
            named = Text(str(Feature(one.feature, one.value)))
            table.add_row(named, f"{one.share:.1%}", low, high, "yes" if one.held else "no")
    return table


def _lacking(short: list[CellCount], title: str) -> Table:
    table = Table("cell", "cases", "floor", "facts", "foils", "subjects", "cost most", "more by", title=title)
    for one in short:
        cost = "; ".join(f"{number:,} × {Unasked.of(key).sentence}" for key, number in one.hindered.items())
        numbers = (one.cases, one.floor, *one.supply)
        table.add_row(Text(f"{one.domain}/{one.kind}"), *map(str, numbers), Text(cost), Text(one.more))
    return table
