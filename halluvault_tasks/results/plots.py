"""The report's pictures, as SVG text: glyphs as paths, no script, the same bytes for the same figures."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib.colors
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from halluvault_tasks.results.read import ModelRow, PartRow

_INK, _FAINT, _GRID = "#1b1f24", "#6b7280", "#e5e7eb"
_HEAT = ("#eef6f0", "#f2c14e", "#c8443c", "#6d1f24")
_DOTS = ("#0b6e99", "#c2571a", "#7a5195", "#8a8f98")
CATEGORIES: tuple[tuple[str, str, str], ...] = (
    ("normal", "normal", "#8fbf9f"),
    ("abstained", "abstained (normal)", "#cfe3d4"),
    ("error_knowledge", "error knowledge", "#f2c14e"),
    ("error_inference", "error inference", "#f08a4b"),
    ("both_errors", "both", "#c8443c"),
    ("unattributed", "unattributed", "#8d6a9f"),
    ("unparseable", "no verdict in its words", "#9aa3ad"),
    ("no_answer", "no answer", "#6f7883"),
    ("api_refused", "refused by the API", "#4b5563"),
    ("review", "review", "#d5d9de"),
)
"""Column of `ModelRow`, name in the legend, colour."""

_WITHIN = {"normal": ("abstained",), "unparseable": ("no_answer", "api_refused")}
"""Columns that hold others, which are drawn apart."""

_LONGEST = 44


def rates(rows: Sequence[ModelRow], names: Mapping[str, str], profiles: Sequence[tuple[str, str]]) -> str:
    """Rate by model with 95 % intervals.

    Args:
        rows: all profiles; where one has no rate, the reason stands in its place.
        names: evaluation id → name shown.
        profiles: (profile, name in the legend), at most three.
    """
    figure, axes = _canvas(1.1 + 0.5 * len(names))
    places = {evaluation: place for place, evaluation in enumerate(names)}
    for number, (profile, label) in enumerate(profiles):
        found = [row for row in rows if row.profile == profile and row.rate.rate is not None]
        where = [places[row.evaluation_id] + 0.2 * (number - (len(profiles) - 1) / 2) for row in found]
        middle = [100 * (row.rate.rate or 0.0) for row in found]
        below = [m - 100 * (row.rate.low or 0.0) for m, row in zip(middle, found, strict=True)]
        above = [100 * (row.rate.high or 0.0) - m for m, row in zip(middle, found, strict=True)]
        axes.errorbar(
            middle, where, xerr=[below, above], fmt="Dos^"[number], color=_DOTS[number], capsize=3, label=label, ms=6
        )
    for evaluation, place in places.items():
        mine = [row.rate for row in rows if row.evaluation_id == evaluation]
        if mine and all(rate.rate is None for rate in mine):
            why = next((rate.why_none for rate in mine if rate.why_none), "")
            axes.text(1, place, f"no rate: {why}" if why else "no rate", va="center", color=_FAINT, fontsize=9)
    for artist in (*axes.lines, *axes.collections):
        artist.set_clip_on(False)  # half of a mark at 0 or 100 % lies beyond the axis
    _labels(axes, list(names.values()))
    axes.set_xlim(0, 100)
    axes.set_xlabel("hallucination rate, % of delivered responses")
    axes.grid(axis="x", color=_GRID)
    _legend(figure, axes, len(profiles))
    return _svg(figure, "rates")


def heat(rows: Sequence[PartRow], names: Mapping[str, str]) -> str:
    """Rate by domain (or rule) and model: a cell each, with its figure and, smaller, its interval."""
    keys = sorted({row.key for row in rows})
    shown = [evaluation for evaluation in names if any(row.evaluation_id == evaluation for row in rows)]
    figure, axes = _canvas(1.4 + 0.5 * len(keys))
    cells = {(row.key, row.evaluation_id): row for row in rows}
    colours = matplotlib.colors.LinearSegmentedColormap.from_list("rate", _HEAT)
    for y, key in enumerate(keys):
        for x, evaluation in enumerate(shown):
            rate = cells[key, evaluation].rate if (key, evaluation) in cells else None
            if rate is None or rate.rate is None or rate.low is None or rate.high is None:
                axes.text(x, y - 0.12, "–", ha="center", va="center", color=_FAINT)
                if rate is not None and rate.why_none:
                    axes.text(x, y + 0.26, rate.why_none, ha="center", va="center", color=_FAINT, fontsize=7)
                continue
            # rectangles, not imshow: an image would be a bitmap inside the SVG
            axes.add_patch(Rectangle((x - 0.49, y - 0.48), 0.98, 0.96, color=colours(rate.rate), lw=0))
            colour = "white" if rate.rate > 0.6 else _INK
            axes.text(x, y - 0.12, f"{100 * rate.rate:.0f} %", ha="center", va="center", color=colour, fontsize=10)
            ends = f"{100 * rate.low:.0f}–{100 * rate.high:.0f}"
            axes.text(x, y + 0.26, ends, ha="center", va="center", color=colour, fontsize=7)
    axes.set_xlim(-0.5, len(shown) - 0.5)
    axes.set_xticks(range(len(shown)), labels=[_short(names[e]) for e in shown], parse_math=False)
    axes.xaxis.tick_top()
    if len(shown) > 3:
        for label in axes.get_xticklabels():
            label.set(rotation=20, ha="left", rotation_mode="anchor")
    _labels(axes, keys)
    for side in axes.spines.values():
        side.set_visible(False)
    return _svg(figure, "heat" + "".join(keys))


def categories(rows: Sequence[ModelRow], names: Mapping[str, str]) -> str:
    """Categories of one profile stacked, as shares of delivered responses."""
    figure, axes = _canvas(1.5 + 0.45 * len(rows))
    left = [0.0] * len(rows)
    for column, label, colour in CATEGORIES:
        counts = [_count(row, column) - sum(_count(row, part) for part in _WITHIN.get(column, ())) for row in rows]
        widths = [100 * count / (row.delivered or 1) for count, row in zip(counts, rows, strict=True)]
        axes.barh(range(len(rows)), widths, left=left, color=colour, label=label, height=0.65)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    _labels(axes, [names[row.evaluation_id] for row in rows])
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of delivered responses")
    _legend(figure, axes, 4)
    return _svg(figure, "categories" + "".join(row.profile for row in rows[:1]))


class ConfidenceBin(NamedTuple):
    """Answers of one model that it says it is about as sure of; shares from 0 to 1.

    Attributes:
        stated: their confidence in the mean.
        right: share of them that is right, with its interval.
    """

    model: str
    stated: float
    right: float
    low: float
    high: float


def confidence(bins: Sequence[ConfidenceBin]) -> str:
    """Share right against stated confidence, with 95 % intervals; on the diagonal a model is as right as it is sure."""
    figure, axes = _canvas(4.4)
    axes.plot([0, 100], [0, 100], color=_GRID, lw=1.5, zorder=0)
    axes.text(6, 9, "as stated", color=_FAINT, fontsize=9)
    for number, model in enumerate(dict.fromkeys(one.model for one in bins)):
        mine = sorted((one for one in bins if one.model == model), key=lambda one: one.stated)
        right = [100 * one.right for one in mine]
        ends = [[100 * (one.right - one.low) for one in mine], [100 * (one.high - one.right) for one in mine]]
        axes.errorbar(
            [100 * one.stated for one in mine], right, yerr=ends, fmt=f"{'Dos^'[number % 4]}-", capsize=3, ms=6, lw=1,
            color=_DOTS[number % len(_DOTS)], label=_short(model),
        )  # fmt: skip
    for artist in (*axes.lines, *axes.collections):
        artist.set_clip_on(False)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xlabel("stated confidence, mean of each tenth")
    axes.set_ylabel("right, % of these answers")
    axes.grid(color=_GRID)
    _legend(figure, axes, 3)
    return _svg(figure, "confidence")


def _count(row: ModelRow, column: str) -> int:
    return getattr(row, column) or 0  # figures from before a column was counted have none


def _canvas(height: float) -> tuple[Any, Any]:
    figure = Figure(figsize=(9, max(2.4, height)), layout="constrained")
    axes = figure.subplots()
    axes.tick_params(colors=_INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _labels(axes: Any, labels: Sequence[str]) -> None:
    # Names are data: a "$" in one is no formula.
    axes.set_yticks(range(len(labels)), labels=[_short(label) for label in labels], parse_math=False)
    axes.set_ylim(len(labels) - 0.5, -0.5)


def _short(name: str) -> str:
    printable = "".join(character if character.isprintable() else "\ufffd" for character in name)
    return printable if len(printable) <= _LONGEST else printable[: _LONGEST - 1] + "…"


def _legend(figure: Any, axes: Any, columns: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, frameon=False, fontsize=9)


def _svg(figure: Any, salt: str) -> str:
    written = io.StringIO()
    # Ids come from the salt, so that several pictures share one page; without a date the bytes repeat.
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "path"}):
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = written.getvalue()
    return text[text.index("<svg") :]
