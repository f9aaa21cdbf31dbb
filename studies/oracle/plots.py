"""The study's pictures as SVG: glyphs as paths, no script, the same bytes for the same figures."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure

_INK, _GRID = "#1b1f24", "#e5e7eb"
_COLOURS = ("#0b6e99", "#c2571a", "#8a8f98", "#6d1f24", "#4d7c3a", "#7a4fa3")


def recall_by_fault(reports: Sequence[Mapping[str, Any]], title: str) -> str:
    """Share flagged of every fault kind, a dot for each profile; sound kinds below, where few is good."""
    keys = [row["key"] for row in reports[0]["faults"]]
    figure = Figure(figsize=(9, 1.2 + 0.26 * len(keys)), layout="constrained")
    axes = figure.subplots()
    for number, each in enumerate(reports):
        rows = {row["key"]: row for row in each["faults"]}
        shares = [100 * rows[key]["flagged"] / rows[key]["total"] for key in keys]
        places = [place + 0.16 * (number - (len(reports) - 1) / 2) for place in range(len(keys))]
        axes.plot(shares, places, "osD^v"[number % 5], color=_COLOURS[number % 6], ms=5, label=each["profile"])
    faulty = [bool(row["faulty"]) for row in reports[0]["faults"]]
    names = [f"{key}{'' if bad else '  (sound)'}" for key, bad in zip(keys, faulty, strict=True)]
    axes.set_yticks(range(len(keys)), labels=names, parse_math=False, fontsize=8)
    axes.set_ylim(len(keys) - 0.5, -0.5)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("% flagged as hallucination, on planted faults, not on model output")
    return _finished(figure, axes, title, len(reports))


def _finished(figure: Any, axes: Any, title: str, columns: int) -> str:
    axes.grid(color=_GRID)
    axes.tick_params(colors=_INK, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=min(columns, 3), frameon=False, fontsize=8)
    written = io.StringIO()
    # Ids come from the salt and no date is written, so that the bytes repeat.
    with matplotlib.rc_context({"svg.hashsalt": title, "svg.fonttype": "path"}):
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None}, transparent=False)
    text = written.getvalue()
    return text[text.index("<svg") :]
