"""What the page says in words: shares, intervals, symbols and ids, and how two models compare."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results.figures import MAX_UNDELIVERED, MAX_UNREAD
from halluvault_tasks.untrusted import visible

_OPERATORS = {
    "F": "at some time", "G": "throughout", "N": "in the next year", "U": "until", "!": "not", "&": "and", "|": "or",
    "atom": "at one time",
}  # fmt: skip
WIDEST = 0.2
"""An interval that is wider says too little for its rate to stand among others."""
_LONGEST = 20_000
_SEVERITY = ("contradicted", "unverifiable", "supported")


MOST_TIMES = 10
"""More questions than so many months have is no number that helps anybody to decide."""

NO_RATE = (
    f"A dash instead of a rate: more than {100 * MAX_UNDELIVERED:.0f} % of the answers were not delivered, or in more "
    f"than {100 * MAX_UNREAD:.0f} % of those delivered no verdict could be read."
)
"""What a dash in a rate's place means."""


class MarkedSpan(NamedTuple):
    """A piece of a response: where a claim stands, with what became of it; no status between claims."""

    text: str
    status: str
    why: str


def percent(share: float | None) -> str:
    """12.3 %, or a dash."""
    return "–" if share is None else f"{100 * share:.1f} %"


def points(share: float | None) -> str:
    """+1.2, in percentage points."""
    return "–" if share is None else f"{100 * share:+.1f}"


def p_value(p: float) -> str:
    """0.012, or <0.001: no p-value is zero."""
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def interval(row: Mapping[str, Any]) -> str:
    """`12.3 % [10.1, 14.8]`, or where there is no rate a dash and the reason: `–: 100.0 % unread`."""
    if row["hallucination_rate"] is None:
        return dash(row["no_rate_reason"])
    if row["rate_low"] is None or row["rate_high"] is None:
        return percent(row["hallucination_rate"])
    return f"{percent(row['hallucination_rate'])} [{100 * row['rate_low']:.1f}, {100 * row['rate_high']:.1f}]"


def proved(row: Mapping[str, Any]) -> str:
    """The rate of the proved part, with its interval and how many responses it is of; as of `interval`.

    Args:
        row: with `proved_rate`, `proved_low`, `proved_high`, `proved_delivered` and `no_rate_reason`.
    """
    of = row["proved_delivered"]
    if row["proved_rate"] is None:
        return "–: nothing proved" if of == 0 else dash(row["no_rate_reason"])
    ends = "" if row["proved_low"] is None else f" [{100 * row['proved_low']:.1f}, {100 * row['proved_high']:.1f}]"
    return f"{percent(row['proved_rate'])}{ends} of {of}"


_LICENCES: Mapping[str, str] = {
    "proved": "proved",
    "list": "list: some No of it rests on a complete list",
    "measured": "measured: some No of it rests on how seldom such a No is wrong",
}


def licence(kind: str) -> str:
    """What the weakest No of a question's block rests on (semantics.md §1.10), in words."""
    return _LICENCES[kind]


def judge(profile: str) -> str:
    """An oracle profile as people call it."""
    return f"our judge ({profile})" if profile == profiles.HEADLINE else profile


def dash(why: str | None) -> str:
    """What stands in a rate's place: a dash, and the reason where one is known."""
    return f"–: {why}" if why else "–"


def refused(count: int | None, delivered: int | None) -> str:
    """`5.0 % refused by the API`, to stand beside a rate; empty where nothing was."""
    return f"{100 * count / delivered:.1f} % refused by the API" if count and delivered else ""


def unread(row: Mapping[str, Any]) -> str:
    """What is unread, of those delivered: `5.0 % refused by the API, 1.0 % no answer, 0.5 % words without a verdict`.

    Args:
        row: with the counts `delivered`, `unparseable` and, of these, `api_refused` and `no_answer`.
    """
    return ", ".join(f"{100 * count / row['delivered']:.1f} % {what}" for count, what in unread_parts(row) if count)


def unread_parts(row: Mapping[str, Any]) -> list[tuple[int, str]]:
    """How many responses are unread, by what became of them; the row as of `unread`."""
    barred, silent = row["api_refused"] or 0, row["no_answer"] or 0
    words = (row["unparseable"] or 0) - barred - silent
    return [(barred, "refused by the API"), (silent, "no answer"), (words, "words without a verdict")]


def expected(row: Mapping[str, Any]) -> str:
    """`3.1 [0.4, 7.9] of 12`: how many unsupported facts are expected to be false; a dash where nothing tells."""
    if row["unsupported_false"] is None:
        return "–"
    low, high = row["unsupported_false_low"], row["unsupported_false_high"]
    return f"{row['unsupported_false']:.1f} [{low:.1f}, {high:.1f}] of {row['unsupported_facts']}"


def tells(row: Mapping[str, Any]) -> bool:
    """Whether there is a rate whose interval is narrow enough to say something."""
    return row["hallucination_rate"] is not None and row["rate_high"] - row["rate_low"] <= WIDEST


def rule(kind: str) -> str:
    """A rule kind or temporal operator in words."""
    return _OPERATORS.get(kind) or said(kind.replace(".", ": "))


def markdown(text: str) -> str:
    """Foreign text in Markdown, a table's cell included: no markup, no HTML, no line break."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace("\n", " ")
    return re.sub(r"([\\`*_{}\[\]()#+!|>~@])", r"\\\1", shown)


def said(name: str | None) -> str:
    """A category, domain, sub-label or kind of incident in words."""
    return (name or "").replace("_", " ")


def cut(text: str | None) -> str:
    """Foreign text, safe to show, and not a megabyte of it."""
    shown = visible((text or "")[:_LONGEST])
    left = len(text or "") - _LONGEST
    return shown if left <= 0 else f"{shown}… ({left:,} more characters)"


def link(name: str, values: Mapping[str, Any], **changed: Any) -> str:
    """A relative link with its query; empty values are left out, every value is percent-encoded."""
    query = {key: value for key, value in {**values, **changed}.items() if value not in ("", None)}
    return f"{name}?{urlencode(query)}" if query else name


def compared(row: Mapping[str, Any]) -> str:
    """What a comparison shows, in a sentence; it never says that two are alike."""
    a, b = visible(row["model_a"]), visible(row["model_b"])
    low, high = 100 * row["difference_low"], 100 * row["difference_high"]
    basis = f"{low:+.1f} to {high:+.1f} points"
    if low > 0 or high < 0:
        worse, better = (a, b) if low > 0 else (b, a)
        if high < 0:
            basis = f"{-high:+.1f} to {-low:+.1f} points"
        sure = "" if (row["p_adjusted"] or 0) <= 0.05 else "; not after adjusting for all pairs in this table"
        return f"{worse} hallucinates more than {better}: {basis}{sure}."
    if row["needed"] is None:
        return f"No difference can be shown: {basis}."
    more = max(0, row["needed"] - row["shared"])
    if more > MOST_TIMES * row["shared"]:
        return f"No difference can be shown: {basis}; so small a one can't be decided with these questions."
    return f"No difference can be shown: {basis}; {more:,} more questions would decide, if it is as large as it looks."


def marked(text: str, claims: Sequence[Mapping[str, Any]]) -> list[MarkedSpan]:
    """A response cut where claims begin and end; where claims overlap, the worst status is shown."""
    text = text[:_LONGEST]
    spans = [
        (max(0, claim["span"][0]), min(len(text), claim["span"][1]), claim)
        for claim in claims
        if claim.get("status") in _SEVERITY and claim["span"][0] < min(len(text), claim["span"][1])
    ]
    edges = sorted({0, len(text), *(start for start, _, _ in spans), *(end for _, end, _ in spans)})
    found = []
    for start, end in pairwise(edges):
        here = [claim for low, high, claim in spans if low <= start and end <= high]
        worst = min(here, key=lambda claim: _SEVERITY.index(claim["status"]), default=None)
        why = f"{worst['role']}, {worst['status']}: {worst.get('why') or ''}" if worst else ""
        found.append(MarkedSpan(visible(text[start:end]), worst["status"] if worst else "", visible(why)))
    return found


def heat(share: float | None) -> Markup:
    """Style of a cell of the heatmap: how much of the colour it has."""
    return Markup("") if share is None else Markup('style="--heat:{}%"').format(round(100 * share))
