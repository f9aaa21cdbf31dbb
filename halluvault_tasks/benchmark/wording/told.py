"""What statements tell of things that no description tells apart: somebody's trade, a film's director."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.wording.lexicon import Trade
from halluvault_tasks.storage.tables import entity, statement
from halluvault_tasks.wikidata import properties as wd


def trades(session: Session, snapshot: str, known: Sequence[Trade]) -> dict[int, str]:
    """Person → what he or she may be called by.

    Args:
        session: open session.
        snapshot: key.
        known: those that people may be called by; of several the one that most statements speak of, then the first.
    """
    c = statement.c
    places = {qid: place for place, trade in enumerate(known) for qid in trade.occupations}
    spoken = {pid for trade in known for pid in trade.spoken_by}
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for end in (c.s, c.o):
        rows = session.execute(
            select(c.p, end, func.count())
            .where(c.snapshot == snapshot, c.p.in_(spoken), c.kind == "item")
            .group_by(c.p, end)
        )
        for p, person, number in rows:
            counts[person][p] += number
    of_person: dict[int, set[int]] = defaultdict(set)
    occupied = select(c.s, c.o).where(c.snapshot == snapshot, c.p == wd.OCCUPATION, c.o.in_(places))
    for person, occupation in session.execute(occupied):
        of_person[person].add(places[occupation])
    called: dict[int, str] = {}
    for person, found in of_person.items():
        times = counts[person]
        best = min(found, key=lambda place: (-sum(times[pid] for pid in known[place].spoken_by), place))
        called[person] = known[best].said
    return called


def directors(session: Session, snapshot: str) -> dict[int, str]:
    """Work → the label of the only director that is stated."""
    c = statement.c
    rows = session.execute(
        select(c.s, entity.c.label)
        .join(entity, (entity.c.snapshot == c.snapshot) & (entity.c.qid == c.o))
        .where(c.snapshot == snapshot, c.p == wd.DIRECTOR, c.kind == "item")
    )
    several: dict[int, list[str | None]] = defaultdict(list)
    for work, label in rows:
        several[work].append(label)
    return {work: labels[0] for work, labels in several.items() if len(labels) == 1 and labels[0]}
