"""The stage that builds a month's benchmark, part by part."""

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config as configs
from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.freeze import building, part_lookup
from halluvault_tasks.benchmark.freeze.building import PartCounts
from halluvault_tasks.benchmark.prompts import store
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites import registry as suites
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import key_counts, snapshots
from halluvault_tasks.reasoning.following import registry
from halluvault_tasks.storage import incidents, runs
from halluvault_tasks.storage.collector import no_collector

_log = logging.getLogger(__name__)


class Refused(NamedTuple):
    """A part that was not frozen."""

    suite: str
    message: str
    way_out: str


class BenchmarkCounts(NamedTuple):
    """What a build made, or found."""

    snapshot: str
    parts: tuple[PartCounts, ...]
    """Parts that exist."""
    refused: tuple[Refused, ...]
    """The others, each with an incident."""
    prompts: int
    """Of these parts, in the variants of the configuration."""
    held: tuple[str, ...] = ()
    """Classes and properties that fell in the source, of which nothing is asked this month."""
    reconfigured: str = ""
    """Which parts are made by another configuration than those before them, in a line."""

    @property
    def built(self) -> bool:
        """Whether anything was frozen now."""
        return any(part.built for part in self.parts)

    @property
    def first_month(self) -> bool:
        """Whether no earlier published snapshot of the source confirms what is asked (semantics.md §3.4)."""
        return any(part.first_month for part in self.parts)

    def sum(self, figure: str) -> int:
        """A figure of `PartCounts`, over all parts."""
        return sum(getattr(part, figure) for part in self.parts)

    def as_json(self) -> dict[str, Any]:
        """For a log."""
        return {
            "snapshot": self.snapshot,
            "parts": [part._asdict() for part in self.parts],
            "refused": [one._asdict() for one in self.refused],
            "prompts": self.prompts,
            "held": list(self.held),
            "reconfigured": self.reconfigured,
        }


def build(
    session: Session,
    snapshot: str,
    *,
    config_dir: Path,
    size: str,
    only: Collection[str] = (),
    ask: Ask | None = None,
) -> BenchmarkCounts:
    """Build and freeze the parts of a month's benchmark, each in one transaction, and make their prompts.

    The same snapshot, configuration and seed give the same bytes. What is frozen already is found, and never changed.
    A part that is refused costs the others nothing: an incident says why.

    Args:
        session: open session; committed with each part.
        snapshot: exact key of a frozen or published snapshot.
        config_dir: directory of benchmark.yaml and lexicon.yaml.
        size: `demo` or `full`.
        only: suites; empty: those that benchmark.yaml switches on.
        ask: asks a served model; needed only where benchmark.yaml has questions rewritten and some have not been.

    Raises:
        UserError: the snapshot is still being pulled, dropped, or not derived whole; a configuration is faulty or a
            suite unknown; or every part was refused.
    """
    config = configs.load(config_dir, size)
    wanted = suites.chosen(only or config.quotas.suites)
    with runs.stage(session, snapshot, "benchmark") as summary:
        row = snapshots.get(session, snapshot)
        if row.status == "pulling":
            raise UserError(f"snapshot {snapshot} is not frozen yet", f"halluvault pull --snapshot {snapshot}")
        closed = registry.closed(session, row.source, config.measured)
        material = Material(session, row, config.lexicon, config.measured.without(closed))
        made: list[PartCounts] = []
        refused: list[Refused] = []
        for suite in wanted:
            try:
                with no_collector():
                    made.append(building.build(material, suite, suite.configured(config), ask))
                session.commit()
            except PartRefused as error:
                session.rollback()
                refused.append(Refused(suite.name, error.message, error.way_out))
        for one in refused:
            _log.warning("%s, suite %s: %s", snapshot, one.suite, one.message)
            where = f"benchmark build, suite {one.suite}"
            incidents.record(session, "part_refused", where, one.message, one.way_out, snapshot)
        if not made:
            raise UserError("; ".join(one.message for one in refused), refused[0].way_out)
        stand = [part.suite for part in made]
        _log.info("%s: making the prompts of %d variants", snapshot, len(config.variants))
        prompts = sum(store.add(session, snapshot, variant, stand).there for variant in config.variants)
        session.commit()
        held = tuple(one.words for one in key_counts.held(session, snapshot))
        reconfigured = part_lookup.reconfigured(session, snapshot)
        if reconfigured:
            _log.warning("%s: %s", snapshot, reconfigured)
        counts = BenchmarkCounts(snapshot, tuple(made), tuple(refused), prompts, held, reconfigured)
        summary.update(counts.as_json())
    return counts
