"""The page's pictures: SVG elements for use inside HTML, coloured by the page's style sheet, for light and dark.

No script, no image, no font: the content policy forbids them. Every picture has a title, and its figures are in a table
beside it. Names are data: all text is escaped. `panels` has the small ones.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from halluvault_tasks.untrusted import visible

_ROW, _LABEL, _WIDTH = 26, 190, 640
_LONGEST = 26
_LINE = 17
_MONTHS_NAMED = 7


class _Across(NamedTuple):
    """How rates from 0 to 100 % are laid out, in the picture's units."""

    width: int
    left: int
    """Where 0 % stands."""
    row: int
    """Height of a row, with its name."""


_BROAD, _NARROW = _Across(_WIDTH, _LABEL, _ROW), _Across(344, 16, 44)
"""Names beside their lines; names above them, for screens on which a shrunken `_BROAD` could not be read."""


class Bar(NamedTuple):
    """One rate with its interval, how far the band goes, and how far it would if all that is unsupported were false."""

    label: str
    rate: float | None
    low: float | None
    high: float | None
    band: float | None
    unsupported: float | None = None
    why_none: str = ""


class MonthPoint(NamedTuple):
    """One month of a line."""

    month: str
    rate: float
    low: float
    high: float
    changed: str = ""
    """How it changed, where chance does not explain it: such a point has a ring."""


class Gap(NamedTuple):
    """A month in which the line has no rate, and why."""

    month: str
    why: str


def intervals(bars: Sequence[Bar], title: str) -> Markup:
    """Rates as dots with whiskers, dotted on to the end of each band, one row each, 0 to 100 %.

    Returns:
        Two pictures of them, of the classes `broad` and `narrow`, of which the style sheet shows the one that fits.
    """
    return _intervals(bars, title, _BROAD, "broad") + _intervals(bars, title, _NARROW, "narrow")


def _intervals(bars: Sequence[Bar], title: str, across: _Across, kind: str) -> Markup:
    height = across.row * len(bars) + 34
    parts = [_axis(height, across)]
    for number, bar in enumerate(bars):
        y = across.row * (number + 1) - _ROW / 2
        if across.row > _ROW:
            parts.append(written(0, y - _ROW / 2, short(bar.label), "start"))
        else:
            parts.append(written(across.left - 8, y + 4, short(bar.label), "end"))
        if bar.rate is None or bar.low is None or bar.high is None:
            why = f"no rate: {bar.why_none}" if bar.why_none else "no rate"
            parts.append(written(across.left + 6, y + 4, why, "start", "faint"))
            continue
        end = bar.high
        for band, to in (("band", bar.band), ("open", bar.unsupported)):
            if to is not None and to > end:
                line = Markup('<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>')
                parts.append(line.format(band, _x(end, across), _x(to, across), y, y))
                end = to
        told = f"{bar.label}: {100 * bar.rate:.1f} %, 95 % interval {100 * bar.low:.1f} to {100 * bar.high:.1f}"
        parts.append(
            Markup(
                '<g><title>{}</title><line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/>'
                '<circle class="dot" cx="{}" cy="{}" r="5"/></g>'
            ).format(visible(told), _x(bar.low, across), _x(bar.high, across), y, y, _x(bar.rate, across), y)
        )
    return svg(across.width, height, title, parts, kind)


def trend(lines: Mapping[str, Sequence[MonthPoint | Gap]], title: str) -> Markup:
    """Rates over the months, set apart as these are: a line each with whiskers, named at its end, broken at a gap."""
    months = sorted({point.month for points in lines.values() for point in points})
    rated = {name: [point for point in points if isinstance(point, MonthPoint)] for name, points in lines.items()}
    top = _rounded(max((point.high for points in rated.values() for point in points), default=1.0))
    height, left, right = 240, 44, 190
    first, last = _number(months[0]), _number(months[-1])
    step = (_WIDTH - left - right) / max(1, last - first)
    place = {month: left + (_number(month) - first) * step for month in months}

    def y(share: float) -> float:
        return round(height - 30 - (height - 44) * share / top, 1)

    parts = [
        Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(left, _WIDTH - right, y(share), y(share))
        + written(left - 6, y(share) + 4, f"{100 * share:.0f} %", "end", "faint")
        for share in (0.0, top / 2, top)
    ]
    every = (last - first) // _MONTHS_NAMED + 1
    parts += [
        written(
            left + (number - first) * step, height - 10, f"{number // 12:04d}-{number % 12 + 1:02d}", "middle", "faint"
        )
        for number in range(last, first - 1, -every)
    ]
    for number, (name, points) in enumerate(lines.items()):
        parts += _line(name, points, number % 6, place, y)
    ends = {name: points[-1] for name, points in rated.items() if points}
    named = _apart([y(point.rate) + 4 for point in ends.values()], height - 30)
    for name, at in zip(ends, named, strict=True):
        parts.append(written(place[lines[name][-1].month] + 10, at, short(name), "start"))
    return svg(_WIDTH, height, title, parts)


def _line(
    name: str, points: Sequence[MonthPoint | Gap], colour: int, place: Mapping[str, float], y: Callable[[float], float]
) -> Iterator[Markup]:
    """One line's runs, its gaps, and a dot with whisker for each of its months; a ring where it changed."""
    for _, run in groupby(points, type):
        path = " ".join(f"{place[point.month]:.1f},{y(point.rate)}" for point in run if isinstance(point, MonthPoint))
        if path:
            yield Markup('<polyline class="line c{}" points="{}"/>').format(colour, path)
    for point in points:
        x = round(place[point.month], 1)
        if isinstance(point, Gap):
            told = f"{name}, {point.month}: no rate, {point.why}"
            drawn = written(x, y(0) - 4, "–", "middle")
        else:
            told = ", ".join(filter(None, (f"{name}, {point.month}: {100 * point.rate:.1f} %", point.changed)))
            drawn = Markup(
                '<line class="whisker" x1="{}" x2="{}" y1="{}" y2="{}"/><circle class="dot" cx="{}" cy="{}" r="4"/>'
            ).format(x, x, y(point.low), y(point.high), x, y(point.rate))
            if point.changed:
                drawn += Markup('<circle class="ring" cx="{}" cy="{}" r="8"/>').format(x, y(point.rate))
        yield Markup('<g class="c{}"><title>{}</title>{}</g>').format(colour, visible(told), drawn)


def _number(month: str) -> int:
    """Months since the year 0."""
    return 12 * int(month[:4]) + int(month[5:7]) - 1


def _rounded(top: float) -> float:
    """A share that people count in, no less than this one."""
    step = 0.1 if top > 0.1 else 0.02
    return min(1.0, max(step, step * math.ceil(round(top / step, 6))))


def _apart(places: Sequence[float], lowest: float) -> list[float]:
    """Heights of names that keep a line's distance and their order: pushed down, and up again from the lower edge."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    found = list(places)
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + _LINE)
    edge = lowest
    for number in reversed(order):
        found[number] = edge = min(found[number], edge)
        edge -= _LINE
    return found


def _x(share: float, across: _Across) -> float:
    return round(across.left + (across.width - across.left - 28) * share, 1)


def _axis(height: int, across: _Across) -> Markup:
    parts = [
        Markup('<line class="grid" x1="{0}" x2="{0}" y1="0" y2="{1}"/>').format(_x(share, across), height - 26)
        + written(_x(share, across), height - 8, f"{100 * share:.0f} %", "middle", "faint")
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    return Markup("").join(parts)


def written(x: float, y: float, text: str, anchor: str, kind: str = "") -> Markup:
    """A line of text in a picture."""
    return Markup('<text x="{}" y="{}" text-anchor="{}" class="{}">{}</text>').format(
        round(x, 1), round(y, 1), anchor, kind, visible(text)
    )


def short(name: str, longest: int = _LONGEST) -> str:
    """A name that fits, cut at its end."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def svg(
    width: int, height: float, title: str, parts: Sequence[Markup], kind: str = "", told: Sequence[str] = ()
) -> Markup:
    """A picture.

    Args:
        width, height: in the units of its parts.
        title: what it is of.
        parts: elements.
        kind: its class.
        told: its figures in words, for who cannot see it.
    """
    head = Markup('<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>').format(
        kind, width, height, visible(title), visible(title)
    )
    words = Markup("<desc>{}</desc>").format(visible("; ".join(told))) if told else Markup("")
    return head + words + Markup("").join(escape(part) for part in parts) + Markup("</svg>")
