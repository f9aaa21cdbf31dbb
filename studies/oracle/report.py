"""The study's report in Markdown, from stored runs. Every page says what the figures are on."""

from collections.abc import Mapping, Sequence
from typing import Any

from halluvault_tasks.local.personas.fault_kinds import DESCRIPTION
from studies.oracle.measure import CATEGORIES
from studies.oracle.plan import PLANTED
from studies.oracle.store import Study

NOTICE = "On planted faults, not on model output."

TITLES = {
    "development": "Development part (thresholds and word lists may be set on it)",
    "kept_back": "Kept-back part (unseen properties, entities and styles; run once for this oracle version)",
    "hand_written": "Written by hand, one by one",
}

AIMS = (
    ("hallucination precision", "all", "precision", 0.97),
    ("hallucination recall", "all", "recall", 0.95),
    ("precision, right answers", "right_answer", "precision", 0.97),
    ("recall, right answers", "right_answer", "recall", 0.95),
    ("category accuracy", "all", "category", 0.92),
)
"""Figures to reach by `replay/syntax` on the kept-back part: lower bounds."""

VERBOSE_AIM = 0.02
"""False alarms on verbose-but-right responses: upper bound."""


_MOST_STYLES = 12
"""Responses written by hand have a voice nearly each; a row for every voice would tell nothing."""


def markdown(runs: Sequence[Study], pictures: Mapping[str, str] = {}) -> str:
    """The whole report.

    Args:
        runs: one of each part at most.
        pictures: part → file name of its picture.
    """
    kinds = "; ".join(f"*{fault.value}*: {DESCRIPTION[fault]}" for fault in PLANTED)
    lines = ["# Oracle study", "", f"**{NOTICE}**", "", f"What is planted: {kinds}.", ""]
    for run in runs:
        lines += _part(run, pictures.get(run.part, ""))
    return "\n".join(lines).rstrip() + "\n"


def judged(run: Study) -> list[dict[str, Any]]:
    """Reports of the profiles themselves, without baselines and other thresholds."""
    reports: list[dict[str, Any]] = run.figures["reports"]
    return [each for each in reports if each["version"] != "baseline" and "≥" not in each["profile"]]


def _part(run: Study, picture: str) -> list[str]:
    shares = run.figures["shares"]
    lines = [
        f"## {TITLES[run.part]}",
        "",
        f"{run.responses} responses on {shares['seed_facts']} seed facts of snapshot {run.snapshot}; oracle version "
        f"`{run.oracle_hash[:16]}`, plan `{run.plan_hash[:16]}`, seed {run.seed}"
        + (f", judged {run.ran_at:%Y-%m-%d %H:%M} UTC." if run.ran_at else "."),
        f"{shares['faulty']} are faulty, {_percent(shares['faulty_with_right_answer'])} of them with the right answer; "
        f"{shares['sound']} are sound, {_percent(shares['sound_by_another_way'])} of them by another route, with "
        "containers, with true asides or with a list left incomplete.",
        "",
    ]
    reports = run.figures["reports"]
    lines += _summary(reports)
    if run.part == "kept_back":
        lines += _aims(reports)
    if picture:
        lines += [f"![flagged by fault]({picture})", ""]
    profiles = judged(run)
    lines += _by_key(profiles, "faults", "fault")
    if profiles and len(profiles[0]["styles"]) <= _MOST_STYLES:
        lines += _by_key(profiles, "styles", "style")
    lines += _by_key(profiles, "forms", "form")
    for each in profiles:
        lines += _confusion(each)
    lines += _decided(profiles)
    return lines


def _summary(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = [
        "| profile | precision | recall | right answer: precision | right answer: recall | category | "
        "false alarms on sound | on verbose | claims linked | Laplace |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in reports:
        whole, right = each["all"], each["right_answer"]
        cells = (whole["precision"], whole["recall"], right["precision"], right["recall"], whole["category"])
        lines.append(
            f"| {each['profile']} | "
            + " | ".join(_rate(cell) for cell in (*cells, whole["false_alarms"], each["verbose"]))
            + f" | {_percent(whole['coverage'])} | {_percent(whole['succession'])} |"
        )
    return [
        *lines,
        "",
        "Intervals: 95 %, Wilson on the cluster-effective size (clusters: seed facts). Laplace: rule of succession "
        "over the flagged responses, (s + 1) / (n + 2), as Drowzee reports its threshold (270 of 270: 99.6 %).",
        "",
    ]


def _aims(reports: Sequence[Mapping[str, Any]]) -> list[str]:
    replay = next((each for each in reports if each["profile"] == "replay/syntax"), None)
    if replay is None:
        return []
    lines = ["| `replay/syntax`, figure to reach | aim | bound | reached |", "|---|---|---|---|"]
    for name, part, figure, aim in AIMS:
        found = replay[part][figure]
        low = found["low"] if found else None
        reached = "yes" if low is not None and low >= aim else "no"
        lines.append(f"| {name} | ≥ {aim:.2f} | {_bound(low)} | {reached} |")
    high = replay["verbose"]["high"] if replay["verbose"] else None
    reached = "yes" if high is not None and high <= VERBOSE_AIM else "no"
    lines.append(f"| false alarms, verbose but right | ≤ {VERBOSE_AIM:.2f} | {_bound(high)} | {reached} |")
    return [*lines, ""]


def _by_key(judged: Sequence[Mapping[str, Any]], name: str, title: str) -> list[str]:
    lines = [
        f"| {title} | n | " + " | ".join(f"{each['profile']}: flagged, category right" for each in judged) + " |",
        "|---|---|" + "---|" * len(judged),
    ]
    for position, row in enumerate(judged[0][name] if judged else ()):
        cells = [each[name][position] for each in judged]
        shown = " | ".join(
            f"{_percent(cell['flagged'] / cell['total'])}, {_percent(cell['category'] / cell['total'])}"
            for cell in cells
        )
        lines.append(f"| {row['key']} | {row['total']} | {shown} |")
    return [*lines, ""]


def _confusion(each: Mapping[str, Any]) -> list[str]:
    lines = [
        f"Confusion of `{each['profile']}` (rows planted, columns said):",
        "",
        "| planted | " + " | ".join(CATEGORIES) + " |",
        "|---|" + "---|" * len(CATEGORIES),
    ]
    for planted, said in each["confusion"].items():
        lines.append(f"| {planted} | " + " | ".join(str(said.get(category, 0)) for category in CATEGORIES) + " |")
    return [*lines, ""]


def _decided(judged: Sequence[Mapping[str, Any]]) -> list[str]:
    found = [each for each in judged if each["decided"]]
    if not found:
        return []
    shown = ", ".join(f"{each['profile']} {_rate(each['decided_recall'])}" for each in found)
    return [
        f"What is planted is false, whether or not the licence denies it: of the faulty responses the snapshot decides "
        f"{_rate(found[0]['decided'])} %. Recall on these: {shown}.",
        "",
    ]


def _rate(rate: Mapping[str, Any] | None) -> str:
    if rate is None:
        return "–"
    return f"{100 * rate['rate']:.1f} [{100 * rate['low']:.1f}–{100 * rate['high']:.1f}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _bound(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
