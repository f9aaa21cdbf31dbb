"""Claims read out of sentences against labels: recall, precision, and both by property."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from halluvault_tasks.oracles.measure.labelled import LabelledClaim, LabelledSentence
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.reading import dates
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.names import fold

_DATE = re.compile(r"-?\d{4}(?:-\d{2}){0,2}")
_BEHIND = re.compile(r"(?<=\w)\s*\([^()]*\)$")
"""What tells two of a name apart, as Wikipedia's titles have it."""

_DROPPED = re.compile(r"\b(?:the|a|an)\b|['’]s\b|[^\w\s]")
_YEAR = 9  # Wikidata's precision; 10 is a month, 11 a day

_SAME = {"actress": "actor", "united states of america": "united states"}
"""Ends that the labels' rules take for one."""


Read = Callable[[LabelledSentence], Iterable[LabelledClaim]]
"""A text with its topic to the claims that it makes, in the form of labels: ends as names, dates in any wording; of
several properties it may mean each. The labels of the line are for the names alone."""


class PropertyFigures(NamedTuple):
    """One property."""

    gold: int
    found: int
    wrong: int


class ClaimFigures(NamedTuple):
    """What was measured."""

    n: int
    gold: int
    found: int
    wrong: int
    """Claims given that no label holds for right or fine."""

    recall: HitShare | None
    precision: HitShare | None
    by_property: dict[str, PropertyFigures]


def measure(lines: Sequence[LabelledSentence], read: Read) -> ClaimFigures:
    """Read every text and count; a claim told twice, or labelled twice with two dates, counts once."""
    gold: Counter[str] = Counter()
    found: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for line in lines:
        each = counted(line, read(line))
        gold.update(each.gold)
        found.update(each.found)
        wrong.update(each.wrong)
    total, hits = gold.total(), found.total()
    return ClaimFigures(
        n=len(lines),
        gold=total,
        found=hits,
        wrong=wrong.total(),
        recall=share(hits, total),
        precision=share(hits, hits + wrong.total()),
        by_property={
            p: PropertyFigures(gold[p], found[p], wrong[p])
            for p in sorted(gold.keys() | wrong.keys(), key=lambda p: (-gold[p], p))
        },
    )


class LineCounts(NamedTuple):
    """Of one line, by property: labelled claims, those that are found, and claims given that are wrong."""

    gold: Counter[str]
    found: Counter[str]
    wrong: Counter[str]


def counted(line: LabelledSentence, claims: Iterable[LabelledClaim]) -> LineCounts:
    """Hold what was read in a line against its labels."""
    wanted = {_keys(claim): claim for claim in line.claims}
    fine = frozenset().union(*map(_keys, line.also_fine), *(_keys(alt) for one in line.claims for alt in one.alt))
    wrong: Counter[str] = Counter()
    hit = set()
    for claim in dict.fromkeys(map(_keys, claims)):
        right = [keys for keys, label in wanted.items() if _agrees(claim, keys.union(*map(_keys, label.alt)))]
        hit.update(right)
        if not right and not _agrees(claim, fine):
            wrong[min(claim)[0]] += 1
    return LineCounts(
        Counter(label.p.partition(",")[0] for label in wanted.values()),
        Counter(wanted[keys].p.partition(",")[0] for keys in hit),
        wrong,
    )


Key = tuple[str, str, str, bool]


def _keys(claim: LabelledClaim) -> frozenset[Key]:
    return frozenset((p.strip(), normalised(claim.s), normalised(claim.o), claim.neg) for p in claim.p.split(","))


def _agrees(given: frozenset[Key], labelled: frozenset[Key]) -> bool:
    return any(
        one[0] == other[0] and one[3] == other[3] and _same(one[1], other[1]) and _same(one[2], other[2])
        for one, other in product(given, labelled)
    )


def _same(given: str, labelled: str) -> bool:
    """Equal ends; a date that is known better than the label says it is the same date."""
    if _DATE.fullmatch(labelled) and _DATE.fullmatch(given):
        return given == labelled or given.startswith(f"{labelled}-")
    return given == labelled


def normalised(end: str) -> str:
    """An end without case, accents, articles, punctuation, plural and what stands behind in brackets; dates as ISO."""
    bare = bare_name(end)
    if date := iso(bare):
        return date
    bare = " ".join(_DROPPED.sub(" ", fold(bare)).split())
    bare = _SAME.get(bare, bare)
    return bare[:-1] if bare.endswith("s") and not bare.endswith("ss") else bare


def bare_name(end: str) -> str:
    """A name without what stands behind it in brackets."""
    return _BEHIND.sub("", end.strip())


def iso(text: str) -> str:
    """A text that is one date, as far as it is known: 1946, 1946-05 or 1946-05-02; empty for any other text."""
    if _DATE.fullmatch(text):
        return text
    days = next((one.days for one in dates.find(text) if one.span == (0, len(text))), None)
    if days is None or days.precision < _YEAR:
        return ""
    first = civil(days.earliest)
    parts = [f"{first.year:04d}", f"{first.month:02d}", f"{first.day:02d}"]
    return "-".join(parts[: days.precision - _YEAR + 1])
