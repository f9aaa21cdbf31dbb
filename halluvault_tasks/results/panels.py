"""The page's small pictures: as wide as a telephone, side by side where there is room, so that letters are never small.

A series has a colour and a mark of its own, is named under the picture, and every figure is told in words, too.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from halluvault_tasks.results.drawing import short, svg, written
from halluvault_tasks.untrusted import visible

SERIES = 6
"""Most in one picture: as many colours and marks as there are."""

_WIDTH, _LINE, _ROW = 380, 18, 26
_NAME, _SIDE = 50, 20
"""Letters of a name across the whole picture, and of one that stands beside its row."""
_MARKS = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-3.5,-3.5h7v7h-7z", "M0,-5L5,0L0,5L-5,0z", "M0,-5L4.6,3.5H-4.6z",
    "M0,5L4.6,-3.5H-4.6z", "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
)  # fmt: skip


class Mark(NamedTuple):
    """A figure with its interval, where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


Series = Mapping[str, Mapping[str, Mark]]
"""Name → (what is counted → its figure)."""


class Axis(NamedTuple):
    """What a picture reaches from and to; in points, where it is of differences."""

    least: float = 0.0
    most: float = 1.0
    points: bool = False

    def told(self, value: float) -> str:
        """A place on it: `25 %`, `+25`."""
        return f"{100 * value:+.0f}".replace("+0", "0") if self.points else f"{100 * value:.0f} %"

    def figure(self, mark: Mark) -> str:
        """A figure in words."""
        form, unit = ("+.1f", " points") if self.points else (".1f", " %")
        told = f"{100 * mark.value:{form}}{unit}"
        if mark.low is None or mark.high is None:
            return told
        return f"{told} [{100 * mark.low:{form}}, {100 * mark.high:{form}}]"


SHARES = Axis()
_NONE: Mapping[str, Any] = MappingProxyType({})


def differences(series: Series) -> Axis:
    """An axis around 0 on which all of them fit."""
    ends = [abs(end) for marks in series.values() for mark in marks.values() for end in mark if end is not None]
    most = next((step for step in (0.1, 0.2, 0.4, 0.6, 0.8) if step >= max(ends, default=0.0)), 1.0)
    return Axis(-most, most, points=True)


def curves(series: Series, places: Sequence[str], title: str, beside: Series = _NONE) -> Markup:
    """Shares along what grows: a line each with whiskers, 0 to the highest.

    Args:
        series: lines, place → share.
        places: from left to right: months, sizes.
        title: what it is of.
        beside: lines to compare with, drawn without marks.
    """
    ends = [mark.high or mark.value for marks in (*series.values(), *beside.values()) for mark in marks.values()]
    most = next((step for step in (0.1, 0.2, 0.4, 0.6, 0.8) if step >= max(ends, default=1.0)), 1.0)
    left, top, high = 46, 8, 150
    step = (_WIDTH - left - 12) / max(1, len(places))
    across = {place: left + step * (number + 0.5) for number, place in enumerate(places)}

    def y(share: float) -> float:
        return round(top + high * (1 - share / most), 1)

    parts = [
        Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(left, _WIDTH, y(share), y(share))
        + written(left - 6, y(share) + 4, SHARES.told(share), "end", "faint")
        for share in (0.0, most / 2, most)
    ]
    every = math.ceil(len(places) / 6)
    parts += [written(across[place], top + high + 18, place, "middle", "faint") for place in places[::every]]
    for number, marks in enumerate(beside.values()):
        path = " ".join(f"{across[place]:.1f},{y(marks[place].value)}" for place in places if place in marks)
        parts.append(Markup('<polyline class="beside b{}" points="{}"/>').format(number, path))
    # Marks of one place stand side by side: whiskers on each other could not be told apart.
    aside = min(7.0, 0.8 * step / max(1, len(series)))
    for number, (name, marks) in enumerate(series.items()):
        off = aside * (number - (len(series) - 1) / 2)
        at = {place: round(across[place] + off, 1) for place in places if place in marks}
        path = " ".join(f"{x},{y(marks[place].value)}" for place, x in at.items())
        parts.append(Markup('<polyline class="line c{}" points="{}"/>').format(number % SERIES, path))
        for place, x in at.items():
            mark = marks[place]
            whisker = (x, x, y(mark.low or 0.0), y(mark.high or 0.0)) if mark.high is not None else None
            told = f"{name}, {place}: {SHARES.figure(mark)}"
            parts.append(_mark(number, x, y(mark.value), whisker, told))
    foot = top + high + 28
    parts += _legend(series, beside, foot)
    height = foot + _LINE * (len(series) + len(beside)) + 4
    return svg(_WIDTH, height, title, parts, "panel", _told({**series, **beside}, SHARES))


def rows(
    series: Series, names: Sequence[str], title: str, axis: Axis = SHARES, beside: Mapping[str, float] = _NONE
) -> Markup:
    """Figures row by row: marks with whiskers along a common axis.

    Args:
        series: row → figure.
        names: of the rows, from above.
        title: what it is of.
        axis: what is measured.
        beside: upright lines to compare with.
    """
    longest = max((len(name) for name in names), default=0)
    left = 20 if longest > _SIDE else 16 + 7.8 * longest
    head, each = (16, 9) if longest > _SIDE else (3, 9)
    tall = head + max(_LINE, each * len(series)) + 5

    def x(value: float) -> float:
        share = (value - axis.least) / (axis.most - axis.least)
        return round(left + (_WIDTH - left - 20) * min(1.0, max(0.0, share)), 1)

    foot = 4 + tall * len(names)
    middle = (axis.least + axis.most) / 2
    parts = [
        Markup('<line class="grid" x1="{0}" x2="{0}" y1="0" y2="{1}"/>').format(x(value), foot)
        + written(x(value), foot + 15, axis.told(value), "middle", "faint")
        for value in (axis.least, (axis.least + middle) / 2, middle, (middle + axis.most) / 2, axis.most)
    ]
    for number, value in enumerate(beside.values()):
        line = Markup('<line class="beside b{0}" x1="{1}" x2="{1}" y1="0" y2="{2}"/>')
        parts.append(line.format(number, x(value), foot))
    if axis.points:
        parts.append(Markup('<line class="zero" x1="{0}" x2="{0}" y1="0" y2="{1}"/>').format(x(0.0), foot))
    for place, row in enumerate(names):
        upper = 4 + tall * place
        if longest > _SIDE:
            parts.append(written(0, upper + 11, short(row, _NAME), "start"))
        else:
            parts.append(written(left - 12, upper + head + (tall - head) / 2 + 2, row, "end"))
        for number, (name, marks) in enumerate(series.items()):
            if row not in marks:
                continue
            mark, y = marks[row], upper + head + (tall - head) / 2 + each * (number - (len(series) - 1) / 2) - 2
            whisker = None if mark.low is None or mark.high is None else (x(mark.low), x(mark.high), y, y)
            parts.append(_mark(number, x(mark.value), y, whisker, f"{name}, {row}: {axis.figure(mark)}"))
    alone = {} if len(series) == 1 and "" in series else series
    parts += _legend(alone, beside, foot + 24)
    height = foot + 24 + _LINE * (len(alone) + len(beside)) + 4
    lines = {name: dict.fromkeys([""], Mark(value)) for name, value in beside.items()}
    return svg(_WIDTH, height, title, parts, "panel", _told({**series, **lines}, axis))


def _mark(number: int, x: float, y: float, whisker: tuple[float, float, float, float] | None, told: str) -> Markup:
    line = Markup('<line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(*whisker) if whisker else ""
    return Markup(
        '<g class="c{}"><title>{}</title>{}<path class="dot" transform="translate({},{})" d="{}"/></g>'
    ).format(number % SERIES, visible(told), line, x, round(y, 1), _MARKS[number % SERIES])


def _legend(series: Iterable[str], beside: Iterable[str], top: float) -> list[Markup]:
    parts: list[Markup] = []
    for number, name in enumerate(series):
        y = top + _LINE * len(parts) + 9
        parts.append(_mark(number, 12, y - 4, None, name) + written(24, y, short(name, _NAME), "start"))
    for number, name in enumerate(beside):
        y = top + _LINE * len(parts) + 9
        line = Markup('<line class="beside b{}" x1="2" x2="20" y1="{}" y2="{}"/>').format(number, y - 4, y - 4)
        parts.append(line + written(24, y, short(name, _NAME), "start"))
    return parts


def _told(series: Series, axis: Axis) -> list[str]:
    return [
        ", ".join(filter(None, (name, place))) + f": {axis.figure(mark)}"
        for name, marks in series.items()
        for place, mark in marks.items()
    ]


class MapCell(NamedTuple):
    """One share of a map."""

    row: str
    column: str
    rate: float | None
    told: str
    """Its figures in words."""


def grid(cells: Sequence[MapCell], title: str) -> Markup:
    """Shares as a map: a row and a column each, the darker the higher, with the figure in each cell."""
    names = list(dict.fromkeys(cell.row for cell in cells))
    columns = list(dict.fromkeys(cell.column for cell in cells))
    longest = max((len(name) for name in names), default=0)
    # Long names stand above their rows, long ones of columns in two lines by turns.
    head, left = (18, 0) if longest > _SIDE else (0, 8 + 7.6 * longest)
    tall, wide = _ROW + head, (_WIDTH - left) / max(1, len(columns))
    turns = 2 if max((len(name) for name in columns), default=0) * 7 > wide else 1
    top = 8 + 15 * turns
    parts = []
    for number, name in enumerate(columns):
        head_of = short(name, int(turns * wide / 7))
        middle, y = left + (number + 0.5) * wide, 13 + 15 * (number % turns)
        over = middle + 3.6 * len(head_of) > _WIDTH
        parts.append(written(_WIDTH if over else middle, y, head_of, "end" if over else "middle", "faint"))
    for number, name in enumerate(names):
        y = top + tall * number
        side = written(0, y + 14, short(name, _NAME), "start") if head else written(left - 8, y + 17, name, "end")
        parts.append(side)
    for cell in cells:
        x, y = left + columns.index(cell.column) * wide, top + tall * names.index(cell.row) + head
        rate = cell.rate or 0.0
        parts.append(
            Markup(
                '<g><title>{}</title><rect class="cell" x="{}" y="{}" width="{}" height="{}" fill="currentColor" '
                'fill-opacity="{}"/></g>'
            ).format(visible(cell.told), round(x + 1, 1), y + 1, round(wide - 2, 1), _ROW - 2, round(0.75 * rate, 2))
            + written(x + wide / 2, y + 17, "–" if cell.rate is None else f"{100 * rate:.0f} %", "middle")
        )
    return svg(_WIDTH, top + 4 + tall * len(names), title, parts, "panel", [cell.told for cell in cells])
