"""What of a companion suite is drawn on the page: its main figures at once, and what is folded below them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup
from sqlalchemy import RowMapping

from halluvault_tasks.results import companions, panels
from halluvault_tasks.results.companions import Companion, CompanionLine
from halluvault_tasks.results.figures import CELL
from halluvault_tasks.results.panels import MapCell, Mark
from halluvault_tasks.results.suites import external, memory, open, open_pairs, pressure, recognition

_IDENTITY = ("model_sha", "server_version", "model_id")
_DIMENSIONS = {
    "pressure_h": "any", "error_truth": "truth", "error_decidability": "decidability",
    "error_reciprocity": "reciprocity",
}  # fmt: skip
_TOLD = {
    "external_hallucination": "hallucinated, as told by the score",
    "labelled_hallucinations": "hallucinated, as labelled",
    "mean_consistency": "mean consistency",
}
_AREAS = {
    "auroc": "consistency and relevance", "auroc_without_self": "without the self-match",
    "auroc_same_data": "fitted on the same answers", "auroc_consistency": "consistency alone",
    "auroc_relevance": "relevance alone", "auroc_length": "length alone",
}  # fmt: skip
_OPEN_PARTS = {"stratum": "how well known it is", "domain": "domain", "asks": "what is asked for", "kind": "kind"}
_STATED = "as stated"

PUBLISHED = 0.91
"""Area under the ROC curve in the paper (§III.C, Fig. 4), on 56 answers that its Gaussian was fitted on, too."""


class Picture(NamedTuple):
    """A picture and what it is called."""

    heading: str
    svg: Markup


class Fold(NamedTuple):
    """Pictures that are folded, under what they have in common."""

    heading: str
    pictures: Sequence[Picture]


class Pictures(NamedTuple):
    """What is drawn of a suite.

    Attributes:
        first: shown at once.
        note: how to read these.
        folds: below.
    """

    first: Sequence[Picture] = ()
    note: str = ""
    folds: Sequence[Fold] = ()


def of(one: Companion) -> Pictures:
    """The pictures of a suite as one of its profiles judged it; none where another profile of it has them."""
    make = _MAKE.get(one.profile)
    return Pictures() if make is None else make(one.lines)


def curves(rows: Sequence[RowMapping]) -> list[Picture]:
    """The learning curves: H over the months, a picture for each prompt; from two points of a model on.

    A line goes through each month's newest identity; an older one that was asked in the same month has its own.
    """
    if len({row["month"] for row in rows}) < 2 and all(row["is_newest_identity"] for row in rows):
        return []
    by: dict[str, dict[str, dict[str, Mark]]] = {}
    for row in rows:
        older = [] if row["is_newest_identity"] else ["older", *(row[name][:12] for name in _IDENTITY if row[name])]
        # Long names are cut at the end; what tells two lines of a model apart comes first.
        name = ", ".join([*older, row["model"]])
        lines = by.setdefault(companions.way_of(row["variant"]), {})
        lines.setdefault(name, {})[f"{row['month']:%Y-%m}"] = Mark(row["value"], row["low"], row["high"])
    months = sorted({f"{row['month']:%Y-%m}" for row in rows})
    return [
        Picture(heading, panels.curves(some, months, heading))
        for way, lines in by.items()
        for some, more in _parts(lines)
        for heading in [f"Hallucination rate H over the months, {way}{more}"]
    ]


def _memory(lines: Sequence[CompanionLine]) -> Pictures:
    def drawn(strategy: int) -> list[Picture]:
        sets = [one for one in lines if one.scope == "sets" and one.key.endswith(f", strategy {strategy}")]
        return list(_by_size(sets))

    note = (
        "1 − H_in / n of sets whose pairs were all right one by one, strategy 1. By lot: 1 − 1 / k!. "
        "Echo: the names given back in the order of the list. No mark: fewer than 30 sets left."
    )
    permuted = drawn(2)
    folds = [Fold("Sets not right, all permutations of a few (strategy 2)", permuted)] if permuted else []
    return Pictures(drawn(1), note, folds)


def _by_size(lines: Sequence[CompanionLine]) -> Iterator[Picture]:
    """Sets not right by k, a picture for each temperature."""
    ways = list(dict.fromkeys(one.way for one in lines))
    sizes = sorted({one.key.partition(",")[0] for one in lines}, key=lambda size: (len(size), size))
    for way in ways:
        mine = [one for one in lines if one.way == way]
        of_size = {size: [one for one in mine if one.key.startswith(f"{size},")] for size in sizes}
        lot = {size: Mark(1 - some[0].figures["chance"]["value"]) for size, some in of_size.items()
               if some and "chance" in some[0].figures}  # fmt: skip
        echo = {size: Mark(1 - share) for size, some in of_size.items()
                if (share := _pooled(some, "echo")) is not None}  # fmt: skip
        series = _series(mine, "internal_hallucination", lambda one: one.key.partition(",")[0])
        for some, more in _parts(series):
            heading = f"Sets not right{_if_several(way, ways)}{more}"
            yield Picture(heading, panels.curves(some, sizes, heading, {"by lot": lot, "echo": echo}))


def _external(lines: Sequence[CompanionLine]) -> Pictures:
    whole = [one for one in lines if one.scope == "documents"]
    ways = list(dict.fromkeys(one.way for one in whole))
    found: list[Picture] = []
    chance = {"chance": 0.5, "as published": PUBLISHED}
    for names, title, beside in (
        (_TOLD, "Rates and consistency", {}), (_AREAS, "Area under the ROC curve", chance),
    ):  # fmt: skip
        for way in ways:
            series = {
                one.model: marks
                for one in whole
                if one.way == way
                and (marks := {name: _mark(one.figures[key]) for key, name in names.items() if _there(one, key)})
            }
            there = [name for name in names.values() if any(name in marks for marks in series.values())]
            for some, more in _parts(series):
                heading = f"{title}{_if_several(way, ways)}{more}"
                found.append(Picture(heading, panels.rows(some, there, heading, beside=beside)))
    return Pictures(found, "Rates and areas need people's labels; consistency alone tells nothing of truth.")


def _recognition(lines: Sequence[CompanionLine]) -> Pictures:
    ways = dict.fromkeys(one.way for one in lines if one.scope == "task")
    drawn = {way: list(_of_way([one for one in lines if one.way == way], way)) for way in ways}
    first = next(iter(drawn), "")
    note = "Accuracy: replies that tell rightly whether the text holds a hallucination; a failed one counts as wrong."
    folds = [
        Fold(f"The same pictures, asked by {way}", found) for way, found in drawn.items() if way != first and found
    ]
    return Pictures(drawn.get(first, []), note, folds)


def _of_way(lines: Sequence[CompanionLine], way: str) -> Iterator[Picture]:
    """Accuracy by task and by pattern, and how often yes was said."""
    tasks, patterns = ([one for one in lines if one.scope == scope] for scope in ("task", "pattern"))
    # The generator is named only where there are several.
    several = len({one.key.partition(", ")[2] for one in tasks}) > 1

    def named(one: CompanionLine) -> str:
        key = one.key if several else one.key.partition(", ")[0]
        return key.partition(".")[2] or key

    heading = f"Accuracy by model and task, {way}"
    cells = [
        MapCell(one.model, named(one), row["value"], f"{one.model}, {one.key}: {_words(row)}")
        for one in tasks
        if (row := one.figures.get("recognised")) is not None
    ]
    if cells:
        yield Picture(heading, panels.grid(cells, heading))
    for some, metric, title in (
        (patterns, "recognised", "Accuracy by pattern"), (tasks, "yes_share", "How often yes is said, by task"),
    ):  # fmt: skip
        names = list(dict.fromkeys(named(one) for one in some))
        always = _pooled(some, "always_yes")
        beside = {} if always is None else {"a constant yes" if some is patterns else "texts that are false": always}
        for series, more in _parts(_series(some, metric, named)):
            heading = f"{title}, {way}{more}"
            yield Picture(heading, panels.rows(series, names, heading, beside=beside))


def _pressure(lines: Sequence[CompanionLine]) -> Pictures:
    """Maps of classes by dimension."""
    by: dict[tuple[str, str], list[MapCell]] = {}
    for line in lines:
        for metric, name in _DIMENSIONS.items():
            if line.scope == "class" and (row := line.figures.get(metric)) is not None:
                told = f"{line.key}, {name}: {_words(row)}"
                by.setdefault((line.way, line.model), []).append(MapCell(line.key, name, row["value"], told))
    folds = [
        Fold(f"What fails where, {way}: shares of cases by class and dimension", [
            Picture(model, panels.grid(cells, f"Failed cases of {model} by class and dimension, {way}"))
            for (each, model), cells in by.items() if each == way
        ])
        for way in dict.fromkeys(way for way, _ in by)
    ]  # fmt: skip
    return Pictures(folds=folds)


def _open(lines: Sequence[CompanionLine]) -> Pictures:
    """What became of answers, what was right of how sure a model said it is, by part, and beside yes/no."""
    names = [open.CALLED[metric] for metric in open.SHARES]
    whole = [one for one in lines if one.scope == "suite"]
    ways = list(dict.fromkeys(one.way for one in whole))
    sure = list(dict.fromkeys(one.way for one in lines if one.scope == "confidence"))
    first: list[Picture] = []
    folds: list[Fold] = []
    for way in ways:
        mine = [one for one in lines if one.way == way]
        shares = {
            one.model: {open.CALLED[name]: _mark(one.figures[name]) for name in open.SHARES if _there(one, name)}
            for one in mine
            if one.scope == "suite"
        }
        for some, more in _parts(shares):
            heading = f"What became of answers{_if_several(way, ways)}{more}"
            first.append(Picture(heading, panels.rows(some, names, heading)))
        first += _by_confidence([one for one in mine if one.scope == "confidence"], _if_several(way, sure))
        pictures = [
            Picture(f"by {told}{more}", panels.rows(some, keys, f"Right by {told}{_if_several(way, ways)}{more}"))
            for scope, told in _OPEN_PARTS.items()
            for here in [[one for one in mine if one.scope == scope]]
            for keys in [list(dict.fromkeys(one.key for one in here))]
            for some, more in _parts(_series(here, "open_right", lambda one: one.key))
        ]
        if pictures:
            folds.append(Fold(f"Right by part{_if_several(way, ways)}", pictures))
        if pairs := list(_beside_yes_no([one for one in mine if one.scope == "pairs"])):
            folds.append(Fold(f"The same facts as yes/no questions{_if_several(way, ways)}", pairs))
    note = (
        "Shares of delivered answers. Right among attempted leaves out don't know, and what the API refused. No mark: "
        "too much was not delivered, not read, or not judged (above 5 %)."
    )
    return Pictures(first, note, folds)


def _by_confidence(lines: Sequence[CompanionLine], way: str) -> Iterator[Picture]:
    """Right among what was stated to be so sure, beside what was stated in the mean."""
    places = [open.bin_of(number) for number in range(open.BINS)]
    stated = {place: Mark((number + 0.5) / open.BINS) for number, place in enumerate(places)}
    for some, more in _parts(_series(lines, "open_answers_right", lambda one: one.key)):
        heading = f"Right by stated confidence{way}{more}"
        yield Picture(heading, panels.curves(some, places, heading, {_STATED: stated}))


def _beside_yes_no(lines: Sequence[CompanionLine]) -> Iterator[Picture]:
    """The four shares of the table of right on both, by the right answer and the variant of the yes/no question."""
    for key in dict.fromkeys(one.key for one in lines):
        gold, _, variant = key.partition(CELL)
        series = {
            one.model: {open_pairs.CALLED[name]: _mark(one.figures[name]) for name in open_pairs.METRICS}
            for one in lines
            if one.key == key and all(_there(one, name) for name in open_pairs.METRICS)
        }
        for some, more in _parts(series):
            heading = f"{gold.capitalize()} is right, asked {companions.way_of(variant)}{more}"
            yield Picture(heading, panels.rows(some, list(open_pairs.CALLED.values()), heading))


_MAKE: Mapping[str, Callable[[Sequence[CompanionLine]], Pictures]] = {
    memory.PROFILE: _memory,
    external.PROFILE: _external,
    recognition.STRICT: _recognition,
    pressure.PROFILE: _pressure,
    open.PROFILE: _open,
}
"""Profile → its pictures."""


def _if_several(way: str, ways: Sequence[str]) -> str:
    return f", {way}" if len(ways) > 1 else ""


def _series(
    lines: Iterable[CompanionLine], metric: str, place: Callable[[CompanionLine], str]
) -> dict[str, dict[str, Mark]]:
    found: dict[str, dict[str, Mark]] = {}
    for one in lines:
        marks = found.setdefault(one.model, {})
        if _there(one, metric):
            marks[place(one)] = _mark(one.figures[metric])
    return found


def _there(one: CompanionLine, metric: str) -> bool:
    return metric in one.figures and one.figures[metric]["value"] is not None


def _mark(row: RowMapping) -> Mark:
    return Mark(row["value"], row["low"], row["high"])


def _words(row: RowMapping) -> str:
    return "no figure" if row["value"] is None else f"{100 * row['value']:.1f} % of {row['n']}"


def _pooled(lines: Sequence[CompanionLine], metric: str) -> float | None:
    """A share over all lines together; None where nothing was counted."""
    rows = [one.figures[metric] for one in lines if metric in one.figures]
    counted = sum(row["n"] or 0 for row in rows)
    return sum(row["hits"] or 0 for row in rows) / counted if counted else None


def _parts(series: panels.Series) -> Iterator[tuple[panels.Series, str]]:
    """As many lines at a time as one picture holds, with what tells several pictures apart; none without a figure."""
    names = list(series) if any(series.values()) else []
    for begin in range(0, len(names), panels.SERIES):
        some = {name: series[name] for name in names[begin : begin + panels.SERIES]}
        yield some, f" ({begin + 1} to {begin + len(some)} of {len(names)})" if len(names) > panels.SERIES else ""
