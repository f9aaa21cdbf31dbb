"""What all suites of a month are made from: one snapshot, each piece loaded once, when it is first asked for."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.selection import stood
from halluvault_tasks.benchmark.selection.propensity import resemblance
from halluvault_tasks.benchmark.selection.propensity.resemblance import Resemblance
from halluvault_tasks.benchmark.selection.stability import Stability
from halluvault_tasks.benchmark.selection.stood import Stood
from halluvault_tasks.benchmark.selection.strata import Surroundings
from halluvault_tasks.benchmark.wording import entity_index
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.knowledge import fame, key_counts, links, snapshots
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.measuring.classes import NONE, MeasuredFile
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage.tables import statement, statement_change


class Material:
    """One snapshot and the reviewed wordings.

    Args:
        session: open session; only read.
        row: the snapshot.
        lexicon: the wordings.
        measured: classes of foils and what was found of them.
    """

    def __init__(self, session: Session, row: SnapshotRow, lexicon: Lexicon, measured: MeasuredFile = NONE) -> None:
        self.session, self.row, self.lexicon, self.measured = session, row, lexicon, measured
        self._kept: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What several suites of a month share, made by the first that asks for it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def last(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The same for the suite that is made last of them: it is kept no longer."""
        found = self.once(key, make)
        del self._kept[key]
        return found

    @property
    def snapshot(self) -> str:
        """Its exact key."""
        return self.row.snapshot

    @cached_property
    def before(self) -> SnapshotRow | None:
        """The snapshot that names and statements must have survived from; None in the first month of a source."""
        return snapshots.predecessor(self.session, self.row)

    def stood(self, suite: str) -> Stood:
        """What the part of a suite before this one asked; nothing in the first month of a source."""
        found: Stood = self.once(("stood", suite), lambda: stood.load(self.session, self.row, suite))
        return found

    @cached_property
    def stability(self) -> Stability:
        """What stood in the snapshot before, too, and is not held back."""
        held = key_counts.held(self.session, self.snapshot)
        return Stability(self.session, self.snapshot, self.before.snapshot if self.before else "", held)

    @cached_property
    def news(self) -> frozenset[int]:
        """Statements that were added, or said something else, in the snapshot before: a month later they may be asked
        about (`stability`). Empty where that one had none to be compared with."""
        if self.before is None:
            return frozenset()
        change, now = statement_change.c, statement.c
        query = (
            select(now.sid)
            .join(statement_change, (change.guid == now.guid) & (change.p == now.p))
            .where(
                now.snapshot == self.snapshot,
                change.snapshot == self.before.snapshot,
                change.change.in_(("added", "value")),
            )
        )
        return frozenset(self.session.scalars(query))

    @cached_property
    def index(self) -> EntityIndex:
        """Names and kinds."""
        return entity_index.load(self.session, self.snapshot, self.lexicon, self.row.as_of)

    @cached_property
    def world(self) -> World:
        """What is known to be false, and why."""
        return load_world(self.session, self.snapshot)

    @cached_property
    def neighbourhood(self) -> Neighbourhood:
        """What foils are drawn from."""
        return neighbourhood.load(self.session, self.snapshot, self.world, self.links, self.measured)

    @cached_property
    def surroundings(self) -> Surroundings:
        """What the difficulty of questions goes by."""
        tail = fame.counts(self.session, self.snapshot).tail()
        return Surroundings(self.index.fame, tail, self.links, self.world.containment)

    @cached_property
    def resemblance(self) -> Resemblance:
        """By what a right object may be told from a wrong one without knowing it."""
        return resemblance.load(self.session, self.snapshot, self.neighbourhood.rules)

    @cached_property
    def links(self) -> Links:
        """What belongs together."""
        return links.load(self.session, self.snapshot)
