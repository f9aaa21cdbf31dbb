"""Walks the whole plan once, normalises its answers and loads them: raw bodies become a snapshot's rows."""

import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import (
    former_seeds,
    load,
    metadata,
    normalise,
    plan,
    pulled_vs_written,
    snapshots,
    tail,
    texts,
)
from halluvault_tasks.knowledge.answer_source import AnswerSource
from halluvault_tasks.knowledge.closure import DescribedEntities, Mentions, Reach
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.counted_answers import VIRTUOSO
from halluvault_tasks.knowledge.former_seeds import FormerSeeds
from halluvault_tasks.knowledge.plan import DomainSeed, Group, PullPlan
from halluvault_tasks.knowledge.pulled_vs_written import PullAccount

_log = logging.getLogger(__name__)


class Assembly:
    """One walk over the plan; whatever is not stored yet is asked for.

    Args:
        session: open session.
        source: answers the plan.
        domains: the configuration.
    """

    def __init__(self, session: Session, source: AnswerSource, domains: Domains) -> None:
        self._source = source
        self._domains = domains
        self._plan = PullPlan(source, domains, tail.before(session, source.snapshot))
        # Known by now: with the first answer that shows it, a source's failing is noted.
        engine = snapshots.notes(session, source.snapshot).get("engine")
        self._tally = normalise.NormaliserTally(before_christ=engine != VIRTUOSO)
        self._loader = load.Loader(source.snapshot)
        self._account = PullAccount()
        self._seeds: dict[str, dict[int, DomainSeed]] = {}
        self._classes: dict[str, frozenset[int]] = {}
        self._redirects: dict[int, int] = {}
        self._seeds_before = former_seeds.before(session, source.snapshot)
        self._former = FormerSeeds()

    def gather(self) -> None:
        """Walk everything and gather its rows; the tables are untouched until `finish`."""
        constraints = {pid: row.metadata.constraints for pid, row in self._plan.properties.items()}
        mentions = Mentions(self._domains, constraints)
        # All seeds before any statement: an entity's domain is the first that has it.
        for domain in self._domains.domains:
            self._seeds[domain] = {seed.qid: seed for seed in self._plan.seeds(domain)}
            self._classes[domain] = self._plan.instance_classes(domain)
        for domain, seeds in self._seeds.items():
            for group in self._plan.of_seeds(domain, seeds):
                mentions.add(group)
                self._stated(group)
        reach = Reach(self._plan)
        for walked in reach.walk(frozenset(qid for seeds in self._seeds.values() for qid in seeds), mentions):
            if isinstance(walked, DescribedEntities):
                self._described(walked)
            else:
                self._stated(walked)
        self._redirects = reach.standing_for()
        missing = self._seeds_before.difference(*self._seeds.values())
        self._former = former_seeds.look_up(self._source, missing, self._domains.batches.entities)

    def close(self) -> None:
        """Give back what was gathered."""
        self._loader.close()

    def finish(self, session: Session) -> dict[str, Any]:
        """Move what was gathered into the tables; returns figures for the snapshot's notes.

        Args:
            session: open session; the caller commits.

        Raises:
            UserError: what arrives in the database is not what was gathered.
        """
        bodies = self._source.read
        pulled_vs_written.settle(session, self._source.snapshot, bodies)
        properties = sorted(self._plan.properties.items())
        brought = self._loader.finish(session, (row for _, row in properties), self._redirects)
        seeds = {seed.qid: seed for of_domain in self._seeds.values() for seed in of_domain.values()}
        origins = Counter(row.origin for _, row in properties)
        return {
            "seeds": {domain: len(of_domain) for domain, of_domain in self._seeds.items()},
            "tail": {
                domain: drawn
                for domain, of_domain in self._seeds.items()
                if (drawn := [qid for qid, seed in of_domain.items() if seed.tail])
            },
            "metadata_origins": dict(sorted(origins.items())),
            "metadata_absent": [
                f"P{pid}" for pid, row in sorted(self._plan.properties.items()) if row.origin == "absent"
            ],
            "unknown_ids": list(self._plan.configured.unknown),
            "moved_ids": {f"Q{old}": f"Q{new}" for old, new in sorted(self._plan.configured.moved.items())},
            "redirects": len(self._redirects),
            "former_seeds": self._former.as_json(),
            "sitelinks_lacking": sum(seed.sitelinks is None for seed in seeds.values()),
            "faults": dict(sorted(self._tally.faults.items())),
            "times": self._tally.times,
            "unreadable_times": self._tally.unreadable,
            "unreadable_examples": self._tally.examples,
            "statements": self._tally.statements,
            "rankless": self._tally.rankless,
            "normaliser": texts.VERSION,
            "account": self._account.figures(bodies, brought),
        }

    def _stated(self, group: Group) -> None:
        faults = self._tally.faults
        before, all_ranked = faults[normalise.NO_SUBJECT], not self._tally.rankless
        written = self._loader.statements(self._account.next(), normalise.statement_rows(group, self._tally))
        given, dropped = pulled_vs_written.names(group.statements), faults[normalise.NO_SUBJECT] - before
        about = f"a batch of statements ({group.statements[0]['st']['value']} …)" if group.statements else "none"
        self._account.statements(about, given, written, dropped)
        if all_ranked and self._tally.rankless:  # a pull may take hours to the gate that says so
            _log.warning("the source gives statements without a rank (wikibase:rank), first in %s", about)

    def _described(self, described: DescribedEntities) -> None:
        written = self._loader.entities(self._account.next(), self._entities(described))
        given = len(described.types)
        about = f"a batch of entities (Q{min(described.types)} …)"
        self._account.entities(about, given, written, given - len(described.entities))

    def _entities(self, described: DescribedEntities) -> Iterator[load.EntityRow]:
        named = normalise.entity_texts(described.rows)
        for qid in described.entities:
            text = named.get(qid) or normalise.EntityText(qid, None, None, ())
            types = described.types.get(qid, ())
            seeded = [domain for domain, seeds in self._seeds.items() if qid in seeds]
            domain = next(
                (name for name in self._seeds if name in seeded or not self._classes[name].isdisjoint(types)), None
            )
            links = next((self._seeds[name][qid].sitelinks for name in seeded), None)
            yield load.EntityRow(
                qid,
                text.label,
                text.description,
                text.aliases,
                types,
                domain,
                bool(seeded),
                described.sitelinks.get(qid, links),
            )


def require_known(source: AnswerSource, domains: Domains, endpoint: str) -> None:
    """Refuse a configuration that names what a live source does not have.

    An excerpt may lack anything; there, the same is only noted.

    Raises:
        UserError: names every unknown item and property.
        Unavailable: the service did not answer about some of them, and so nothing is known of those.
    """
    if source.given_up:
        raise Unavailable(
            f"{endpoint} did not answer everything asked first: {'; '.join(map(str, source.given_up.values()))}",
            "nothing is lost: run the same command again when the service is less busy",
        )
    unknown = list(plan.configured(source, domains).unknown)
    unknown += [f"P{pid}" for pid, row in sorted(metadata.fetch(source, domains).items()) if row.origin != "source"]
    if unknown:
        raise UserError(
            f"domains.yaml names what {endpoint} does not have: {', '.join(unknown)}",
            "correct or remove these lines; an item may have been deleted, or a digit mistyped",
        )
