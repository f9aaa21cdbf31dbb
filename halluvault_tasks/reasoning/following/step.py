"""The step of following: which registered foils a month makes true, and foils of classes that are new."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.following import registry
from halluvault_tasks.reasoning.following.registry import FollowedClass
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.measuring import recorded
from halluvault_tasks.reasoning.measuring.classes import MeasuredClass, MeasuredFile
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.reasoning.measuring.offers import offers
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import incidents, runs
from halluvault_tasks.storage.tables import incident
from halluvault_tasks.wikidata.relation import Relation

REGISTERED = 5_000
"""Foils of a class that are followed, where there are so many."""

INCIDENT = "class_closed"


class FollowCounts(NamedTuple):
    """What one run of `follow` did."""

    registered: int
    """Foils of classes that are new to this source."""
    followed: int
    """Foils of earlier months that were looked for."""
    refuted: int
    """Of these, made true by this month, and by then."""
    closed: tuple[str, ...]
    """Classes that are closed by what was found, now or before."""


def follow(session: Session, snapshot: str, measured: MeasuredFile) -> FollowCounts:
    """Look for registered foils in a month, close classes of which too many are false, and register new ones. Commits.

    Runs after the derivation and before the benchmark, which asks nothing of a class that is closed. The same month
    again changes nothing.

    Args:
        session: open session.
        snapshot: exact key of a snapshot that is derived.
        measured: classes of foils and what was found of them.
    """
    with runs.stage(session, snapshot, "follow") as summary:
        row = snapshots.get(session, snapshot)
        previous = snapshots.predecessor(session, row)
        if previous is not None and previous.snapshot not in snapshots.dropped(session):
            registry.look(session, row, previous)
        closed = registry.closed(session, row.source, measured)
        for name, why in sorted(closed.items()):
            _tell(session, snapshot, name, why)
        there = registry.registered(session, row.source)
        fresh = [one for one in measured.licensed if FollowedClass(one.name, one.version) not in there]
        registered = _register(session, row, fresh) if fresh else 0
        months = [standing.months[-1] for standing in registry.standing(session, row.source) if standing.months]
        counts = FollowCounts(
            registered,
            sum(month.followed for month in months),
            sum(month.refuted for month in months),
            tuple(sorted(closed)),
        )
        session.commit()
        summary |= counts._asdict()
    return counts


def asked(session: Session, row: SnapshotRow, measured: MeasuredFile, foils: Collection[Foil | StatementFoil]) -> None:
    """Follow what a part asks by measure alone, beside what was registered with its class; commits nothing."""
    classes = {one.relation: one for one in measured.licensed}
    pairs: dict[Relation, set[tuple[int, int]]] = {}
    for foil in foils:
        if isinstance(foil, Foil) and foil.licence.reason.kind is LicenceKind.MEASURED:
            said = foil.measured
            pairs.setdefault(said.relation, set()).add((said.s, said.o))
    for relation, several in sorted(pairs.items()):
        of = classes[relation]
        registry.register(session, row, FollowedClass(of.name, of.version), relation, several, asked=True)


def _register(session: Session, row: SnapshotRow, classes: Collection[MeasuredClass]) -> int:
    world = load_world(session, row.snapshot)
    stated = recorded.load(session, row.snapshot, world, [one.relation for one in classes])
    return sum(
        registry.register(
            session,
            row,
            FollowedClass(one.name, one.version),
            one.relation,
            offers(stated, BY_NAME[one.near], one.relation).foils(REGISTERED),
        )
        for one in classes
    )


def _tell(session: Session, snapshot: str, name: str, why: str) -> None:
    """Make an incident of it, once for the class and the reason."""
    where = f"class {name}"
    told = select(incident.c.id).where(
        incident.c.kind == INCIDENT, incident.c.where == where, incident.c.message == incidents.told(why)
    )
    if session.execute(told).first() is None:
        way_out = "narrow its nearness and raise its version, measure and read it anew: `halluvault rules measure`"
        incidents.add(session, INCIDENT, where, why, way_out, snapshot)
