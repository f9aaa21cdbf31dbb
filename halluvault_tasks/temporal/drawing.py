"""A query's sub-formulas as bars over time, as self-contained SVG: no script, no font, no link.

Names are hostile: they enter as escaped text only, without the control characters that XML 1.0 forbids.
"""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.run_in_prolog import Evaluated
from halluvault_tasks.temporal.sets import IntervalSet, edges
from halluvault_tasks.temporal.units import Granularity, point_text

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0 §2.2
_LABEL, _CHART, _ROW, _BAR = 300, 620, 26, 14  # px
_TOP, _BOTTOM = 34, 58
_SHOWN = 44  # characters of a label
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1b1f24}.axis{fill:#57606a}.certain{fill:#1a7f64}"
    ".possible{fill:#1a7f64;fill-opacity:.28}.lane{fill:#f0f2f4}.tick{stroke:#d0d7de}.at{stroke:#b3261e;stroke-width:1.5}"
)


def span_shown(parts: Sequence[tuple[f.Formula, Evaluated]], at: int) -> tuple[int, int]:
    """First and last unit of a drawing: every edge of every set and the time point, with a margin."""
    low = high = at
    for _, evaluated in parts:
        for intervals in (evaluated.certain, evaluated.possible):
            for end in edges(intervals):
                low, high = min(low, end), max(high, end)
    margin = max(2, (high - low) // 12)
    return low - margin, high + margin


def svg(parts: Sequence[tuple[f.Formula, Evaluated]], at: int, granularity: Granularity, title: str) -> str:
    """Draw every sub-formula's sets.

    Args:
        parts: sub-formulas with their sets, operands first.
        at: the time point asked about.
        granularity: unit of all times.
        title: heading, for example the query and its answer.

    Returns:
        An SVG document. Solid: it certainly holds; pale: the dates leave it possible.
    """
    low, high = span_shown(parts, at)
    # One unit more, since a unit has a width of its own: it holds from its left edge to its right edge.
    scale = _CHART / (high - low + 1)

    def x(unit: int) -> float:
        return _LABEL + (unit - low) * scale

    height = _TOP + _ROW * len(parts) + _BOTTOM
    bottom = _TOP + _ROW * len(parts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LABEL + _CHART + 20}" height="{height}" '
        f'viewBox="0 0 {_LABEL + _CHART + 20} {height}" role="img">',
        f"<title>{_text(title)}</title><style>{_STYLE}</style>",
        f'<text x="8" y="20" font-weight="600">{_text(_cut(title, 120))}</text>',
    ]
    for unit in _ticks(low, high):
        lines.append(f'<line class="tick" x1="{x(unit):.1f}" x2="{x(unit):.1f}" y1="{_TOP}" y2="{bottom}"/>')
        lines.append(
            f'<text class="axis" x="{x(unit):.1f}" y="{bottom + 16}" text-anchor="middle">'
            f"{_text(point_text(unit, granularity))}</text>"
        )
    for n, (formula, evaluated) in enumerate(parts):
        y = _TOP + n * _ROW + (_ROW - _BAR) // 2
        written = f.text(formula)
        lines.append(
            f'<g><title>{_text(written)}</title><text x="8" y="{y + 11}">{_text(_cut(written, _SHOWN))}</text>'
        )
        lines.append(f'<rect class="lane" x="{_LABEL}" y="{y}" width="{_CHART}" height="{_BAR}"/>')
        for kind, intervals in (("possible", evaluated.possible), ("certain", evaluated.certain)):
            lines += [
                f'<rect class="{kind}" x="{x(first):.2f}" y="{y}" width="{max(1.0, (last - first + 1) * scale):.2f}" '
                f'height="{_BAR}"/>'
                for first, last in _within(intervals, low, high, scale)
            ]
        lines.append("</g>")
    middle = x(at) + scale / 2
    lines.append(f'<line class="at" x1="{middle:.1f}" x2="{middle:.1f}" y1="{_TOP - 4}" y2="{bottom + 24}"/>')
    lines.append(
        f'<text x="{middle:.1f}" y="{bottom + 36}" text-anchor="middle">'
        f"asked: {_text(point_text(at, granularity))}</text>"
    )
    lines.append(
        f'<rect class="certain" x="8" y="{bottom + 8}" width="22" height="10"/>'
        f'<text x="36" y="{bottom + 17}">certain</text>'
        f'<rect class="possible" x="96" y="{bottom + 8}" width="22" height="10"/>'
        f'<text x="124" y="{bottom + 17}">possible</text></svg>'
    )
    return "\n".join(lines) + "\n"


def _within(intervals: IntervalSet, low: int, high: int, scale: float) -> list[tuple[int, int]]:
    """The parts between low and high; those closer together than a pixel are drawn as one."""
    drawn: list[tuple[int, int]] = []
    for interval in intervals:
        first = low if interval.first is None else max(low, interval.first)
        last = high if interval.last is None else min(high, interval.last)
        if first > last:
            continue
        if drawn and (first - drawn[-1][1]) * scale < 1:
            drawn[-1] = (drawn[-1][0], last)
        else:
            drawn.append((first, last))
    return drawn


def _ticks(low: int, high: int) -> range:
    """About six round units."""
    step = max(1, (high - low) // 6)
    power = 1
    while power * 10 <= step:
        power *= 10
    step = next(power * by for by in (10, 5, 2, 1) if power * by <= step)
    return range(-(-low // step) * step, high + 1, step)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _text(value: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", value))
