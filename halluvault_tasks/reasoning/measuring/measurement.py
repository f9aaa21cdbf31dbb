"""What measuring finds of classes of foils on one snapshot: π and m with their bounds."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import completeness
from halluvault_tasks.reasoning.measuring import hiding, missing
from halluvault_tasks.reasoning.measuring.classes import Chance, MeasuredClass, MissingValues
from halluvault_tasks.reasoning.measuring.hiding import Chances
from halluvault_tasks.reasoning.measuring.missing import Counts
from halluvault_tasks.reasoning.measuring.nearness import Nearness
from halluvault_tasks.reasoning.measuring.offers import Offers, offers
from halluvault_tasks.reasoning.measuring.recorded import StatedItems
from halluvault_tasks.statistics.recapture import Recorded as Place
from halluvault_tasks.wikidata.relation import Relation

LEAST_SUBJECTS = 300
LEAST_OBJECTS = 100
_THIRDS = 3

_COUNTS = """
SELECT s, p, min(amount) FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND amount IS NOT NULL
GROUP BY s, p HAVING min(amount) = max(amount)
"""


class Drawn(NamedTuple):
    """A class before it is pooled: what hiding its facts shows one by one."""

    nearness: Nearness
    relation: Relation
    chances: Chances
    asked: Chances
    """The same of the part that is asked (`Nearness.asked`)."""

    @property
    def enough(self) -> bool:
        """Whether it has subjects and objects enough to stand by itself."""
        return _enough(self.chances)


def counts_of(session: Session, snapshot: str) -> Counts:
    """How many values there are, as the snapshot itself counts them."""
    rows = session.execute(text(_COUNTS), {"snapshot": snapshot, "properties": sorted(missing.COUNTS.values())})
    of = {counted: p for p, counted in missing.COUNTS.items()}
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for s, p, amount in rows:
        found[of[p]][s] = int(amount)
    return found


def measured(
    recorded: StatedItems,
    snapshot: str,
    nearnesses: Iterable[tuple[Nearness, Relation]],
    both_ends: Mapping[int, Place],
    counts: Counts,
) -> list[MeasuredClass]:
    """Measure classes, those with too few subjects together with their family.

    Args:
        recorded: the snapshot.
        snapshot: its key.
        nearnesses: each with one of its relations.
        both_ends: property → of so many facts that the other end states, so many are stated at this one.
        counts: property → subject → how many objects it has in all.
    """
    drawn = [
        _drawn(offers(recorded, nearness, relation), nearness, relation)
        for nearness, relation in nearnesses
        if len(recorded.known[relation].s)
    ]
    families: dict[str, list[Chances]] = defaultdict(list)
    for one in drawn:
        families[one.nearness.family].append(one.chances)
    pooled = {family: _worst(recorded, _together(several)) for family, several in families.items()}
    found = []
    for one in drawn:
        own = hiding.hidden(one.chances)
        family = "" if one.enough else one.nearness.family
        # Pooling never flatters: what the class itself shows is the least that counts, and so is what is asked of it.
        high = max(pooled[family], own.share) if family else _worst(recorded, one.chances)
        if one.nearness.conditions(one.relation):
            high = max(high, _worst(recorded, one.asked) if _enough(one.asked) else hiding.hidden(one.asked).share)
        m = missing.lacking(recorded, one.relation, both_ends, counts)
        found.append(
            MeasuredClass(
                relation=one.relation,
                near=one.nearness.name,
                version=one.nearness.version,
                pi=Chance(
                    snapshot=snapshot,
                    share=_figure(own.share),
                    high=_figure(high),
                    subjects=own.subjects,
                    objects=own.objects,
                    pooled=family,
                ),
                m=MissingValues(
                    high=_figure(m.high),
                    floor=_figure(m.floor),
                    recaptured=None if m.recaptured is None else _figure(m.recaptured),
                    counted=None if m.counted is None else _figure(m.counted),
                    composed=None if m.composed is None else _figure(m.composed),
                ),
            )
        )
    return found


def _enough(chances: Chances) -> bool:
    subjects, objects = len(np.unique(chances.s)), len(np.unique(chances.o))
    return subjects >= LEAST_SUBJECTS and objects >= LEAST_OBJECTS


def _drawn(offered: Offers, nearness: Nearness, relation: Relation) -> Drawn:
    return Drawn(nearness, relation, hiding.chances(offered), hiding.chances(offered.nearest))


def both_ends_of(session: Session, snapshot: str) -> Mapping[int, Place]:
    """Of properties that are recorded at either end, what each end has of the other's."""
    return completeness.of_snapshot(session, snapshot).recorded


def _worst(recorded: StatedItems, chances: Chances) -> float:
    """The highest upper bound: of a third of the subjects by fame, or of all."""
    subjects = sorted(set(chances.s.tolist()), key=lambda s: (recorded.fame.get(s, 0.0), s))
    thirds = np.array_split(np.array(subjects, dtype=np.int64), _THIRDS)
    parts = (chances.part(np.flatnonzero(np.isin(chances.s, third))) for third in thirds)
    return max(hiding.hidden(part).high for part in (chances, *parts))


def _together(several: Iterable[Chances]) -> Chances:
    return Chances(*map(np.concatenate, zip(*several, strict=True)))


def _figure(number: float) -> float:
    """A figure as the file has it, rounded up."""
    return float(np.ceil(number * 1e6) / 1e6)
