"""m: how many true values of a property the snapshot lacks, by subject with a value (semantics.md §1.10.2).

The largest of three estimates, each with its upper bound (one-sided 95 %): a quarter of the values that are stated; by
capture and recapture, where a fact may be recorded at either end; by complete lists and counts of what there is. Of a
chain, by what each of its steps lacks, with all that lies behind it.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.completeness import LEAST
from halluvault_tasks.reasoning.measuring.hiding import ONE_SIDED, Floats
from halluvault_tasks.reasoning.measuring.recorded import StatedItems, TrueFacts
from halluvault_tasks.reasoning.measuring.ways import Ways
from halluvault_tasks.statistics.recapture import Recorded as Place
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.ids import parse_item, parse_property
from halluvault_tasks.wikidata.relation import Relation

_FLOOR = 0.25
_LEAST_COUNTED = 20  # subjects whose number of values is known, below which they say nothing
_LEVEL = 0.95

COUNTS: Mapping[int, int] = {wd.CHILD: wd.NUMBER_OF_CHILDREN}
"""Property → the one that says how many values there are."""

Counts = Mapping[int, Mapping[int, int]]
"""Property → subject → how many objects it has in all."""


class MissingBounds(NamedTuple):
    """Upper bounds of what is missing, by subject with a value; None where nothing shows it."""

    floor: float
    recaptured: float | None = None
    counted: float | None = None
    composed: float | None = None

    @property
    def high(self) -> float:
        """The largest."""
        return max(self.floor, self.recaptured or 0.0, self.counted or 0.0, self.composed or 0.0)


def lacking(recorded: StatedItems, relation: Relation, both_ends: Mapping[int, Place], counts: Counts) -> MissingBounds:
    """What is missing of a relation.

    Args:
        recorded: the snapshot.
        relation: one whose values may be offered.
        both_ends: property → of so many facts that the other end states, so many are stated at this one.
        counts: property → subject → how many objects it has in all.
    """
    known = recorded.known[relation]
    subjects = len(np.unique(known.s))
    values = len(known.s) / subjects if subjects else 0.0
    floor = _FLOOR * values
    if known.ways:
        composed = sum(_composed(recorded, ways, both_ends, counts) for ways in known.ways)
        return MissingBounds(floor, composed=composed)
    p = relation.pid
    return MissingBounds(floor, _recaptured(values, both_ends.get(p)), _counted(known, counts.get(p, {})))


def _composed(recorded: StatedItems, ways: Ways, both_ends: Mapping[int, Place], counts: Counts) -> float:
    """Objects that a chain does not reach since a step is missing on the way, by subject.

    A step lacks so many values of whatever it leads on from, and all of what it does not lead on from; behind each
    lies what the later steps lead to in truth.
    """
    missing, behind = 0.0, 1.0
    for step, p in reversed(list(enumerate(ways.properties))):
        relation = Relation.of(p)
        reached = ways.reached(step, recorded.known[relation].leads)
        lacks = max(lacking(recorded, relation, both_ends, counts).high, _FLOOR * reached.values)
        missing += behind * (_high(reached.on) * lacks + _high(reached.ends) * (reached.values + lacks))
        behind *= reached.values + lacks
    return missing


def _high(numbers: Floats) -> float:
    """Upper bound of their mean."""
    return float(numbers.mean() + ONE_SIDED * numbers.std() / np.sqrt(len(numbers)))


def _recaptured(values: float, place: Place | None) -> float | None:
    """Of a fact that may stand at either end, the share that stands at neither, on what stands at one or both."""
    if place is None or place.of < LEAST:
        return None
    least = float(scipy.special.betaincinv(place.hits + 0.5, place.of - place.hits + 0.5, 1 - _LEVEL))
    absent = (1 - least) ** 2
    return values * absent / (1 - absent)


def _counted(known: TrueFacts, counts: Mapping[int, int]) -> float | None:
    stated = Counter(known.s.tolist())
    gaps = np.array([max(0, number - stated[s]) for s, number in sorted(counts.items()) if stated[s]], dtype=float)
    if len(gaps) < _LEAST_COUNTED:
        return None
    return float(gaps.mean() + ONE_SIDED * gaps.std(ddof=1) / np.sqrt(len(gaps)))


_COLUMNS = ("subject", "property", "objects")


def read_counts(path: Path) -> Counts:
    """Read complete counts: tab-separated with a header that names at least `subject`, `property` and `objects`.

    Of contradicting counts of a subject none counts.

    Raises:
        UserError: names the file, line and value that cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a tab-separated file of complete counts") from error
    header = lines[0].split("\t") if lines else []
    if lacks := [name for name in _COLUMNS if name not in header]:
        raise UserError(f"{path}, line 1, has no column {lacks[0]!r}", f"name the columns {', '.join(_COLUMNS)}")
    places = [header.index(name) for name in _COLUMNS]
    found: dict[int, dict[int, set[int]]] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        try:
            s, p, objects = (cells[place] for place in places)
            found.setdefault(parse_property(p), {}).setdefault(parse_item(s), set()).add(int(objects))
        except (IndexError, ValueError, UserError) as error:
            raise UserError(f"{path}, line {number}: {line!r} is no count: {error}", "write Q1, P2, 3") from error
    return {p: {s: max(of) for s, of in by.items() if len(of) == 1} for p, by in found.items()}


def joined_counts(*several: Counts) -> Counts:
    """Counts of several sources; the larger of two."""
    joined: dict[int, dict[int, int]] = {}
    for counts in several:
        for p, by in counts.items():
            of = joined.setdefault(p, {})
            for s, number in by.items():
                of[s] = max(number, of.get(s, 0))
    return joined
