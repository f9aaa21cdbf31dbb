"""The profiles `replay/…`: a response's claims, steps and replays to one verdict that keeps every step.

What a verdict rests on goes into `verdict.detail`, for `halluvault score explain` and the case page:
span → claim → role → status → statement → entailed answers → row of the decision table, which is
`prolog_rules/verdict_table.pl`.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import charity, replay, snapshot_view, timed_replay
from halluvault_tasks.oracles.profile import OracleProfile
from halluvault_tasks.oracles.replay import ReplayItem, ReplayOutcome
from halluvault_tasks.oracles.roles import Roles
from halluvault_tasks.oracles.snapshot_view import BatchStatements, SnapshotView
from halluvault_tasks.oracles.statuses import ClaimStatus, Focus, Statuses
from halluvault_tasks.oracles.weighed import UNJUDGED, JudgeInput, WeighedClaim, WeighedResponse, asserted
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading import base
from halluvault_tasks.reading import snapshot as reading
from halluvault_tasks.reading.base import Claim, Reader
from halluvault_tasks.reading.document import DocumentParser
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.stages import exclusive_seats
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import tables
from halluvault_tasks.temporal import history
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.wikidata.relation import Relation

PROFILE = "replay/syntax"

VERSION = "25"
"""Raise it with every change that may change a verdict, a new version of the parser among them."""

REPLAY = OracleProfile(PROFILE, VERSION, "replay", "replay", leads=True)

_SHOWN = 60
_SHOWN_LENGTH = 240


class ReplayVerdict(NamedTuple):
    """The profile's verdict on one response; the columns of table `verdict`."""

    answer: str
    correct: bool | None
    category: str
    sub_label: str | None
    reasoning_faulty: bool | None
    detail: dict[str, Any]
    profile: str = PROFILE
    profile_version: str = VERSION
    edge_similarity: None = None
    node_similarity: None = None


class ReasonedText(NamedTuple):
    """What a text makes of an answer that something else has judged: no replay, nothing but what it says.

    Attributes:
        premise_contradicted: by the snapshot.
        false_step: one that arithmetic refutes.
        conclusion_opposed: it concludes the opposite of the answer.
        incidental_error: a claim that the answer does not rest on is contradicted.
        claims: their words and statuses.
    """

    premise_contradicted: bool
    false_step: bool
    conclusion_opposed: bool
    incidental_error: bool
    claims: tuple[tuple[str, str], ...]


class Judge:
    """Everything that the profile needs of a snapshot; one for all batches of a process.

    Args:
        session: open session; it is only read.
        snapshot: exact key, rules typed.
        config_dir: directory of lexicon.yaml and predicates.yaml.
        prolog_dir: the hand-written Prolog.
        names: of the snapshot.
        expected: entities in the order in which batches will speak of them.
    """

    def __init__(
        self,
        session: Session,
        snapshot: str,
        *,
        config_dir: Path,
        prolog_dir: Path,
        names: Names,
        expected: Iterable[int] = (),
    ) -> None:
        self._session, self._snapshot = session, snapshot
        self._rules = active_rules(session, snapshot)
        self._inverse = snapshot_view.inverses(self._rules)
        self._roles = Roles(self._inverse, self._rules)
        self._world = load_world(session, snapshot)
        self._as_of: date = session.execute(
            select(tables.snapshot.c.as_of).where(tables.snapshot.c.snapshot == snapshot)
        ).scalar_one()
        self._syntax = reading.load(session, snapshot, config_dir, names)
        properties = {
            pid for p in self._syntax.relations for pid in (p.properties if isinstance(p, Relation) else (p,))
        }
        self._view = SnapshotView(session, snapshot, self._rules, properties, expected)
        self._histories: dict[str, history.History] = {}
        self._engine = Engine([prolog_dir / "mtl_run.pl", prolog_dir / "replay.pl"])

    @property
    def documents(self) -> DocumentParser:
        """What responses are parsed by, names and all."""
        return self._syntax.documents

    def _given(self, one: JudgeInput) -> base.ReaderInput:
        """A response as claims are read of it."""
        asked = one.asked
        proof = tuple(base.ClaimTriple(each.p, each.s, each.o) for each in asked.evidence if each.o > 0)
        called = frozenset(each.o for each in proof if (each.p, each.s) in asked.named_by)
        return base.ReaderInput(
            one.text, asked.question, asked.s, asked.entities, self._roles.focus(asked).properties, proof, called
        )

    def judge(self, batch: Sequence[JudgeInput]) -> list[ReplayVerdict]:
        """Verdicts of a batch, in its order: a few queries and two calls of Prolog, however many responses."""
        return self._verdicts(*self._weigh(batch))

    def weighed(self, batch: Sequence[JudgeInput]) -> list[WeighedResponse]:
        """Responses with what they claim, weighed, in their order."""
        return self._weigh(batch)[0]

    def rejudged(self, responses: Sequence[WeighedResponse]) -> list[ReplayVerdict]:
        """Verdicts of responses that were weighed before, in their order."""
        ends = {e for one in responses for told in one.told for t in told.claim.triples for e in (t.s, t.o)}
        about = ends.union(*(one.asked.entities for one in responses))
        return self._verdicts(responses, self._view.fetch(about))

    def _verdicts(self, responses: Sequence[WeighedResponse], facts: BatchStatements) -> list[ReplayVerdict]:
        timed = self._timed(responses)
        items = [one.replay_item(timed.get(place)) for place, one in enumerate(responses)]
        outcomes = replay.run(self._engine, self._rules, facts, self._world, items)
        return [
            _verdict(one, item, outcome, self._syntax)
            for one, item, outcome in zip(responses, items, outcomes, strict=True)
        ]

    def reasoned(self, batch: Sequence[JudgeInput]) -> list[ReasonedText]:
        """What texts make of answers that something else has judged, in their order: a few queries, and no replay."""
        return [_reasoned(one) for one in self._weigh(batch)[0]]

    def grounds(self, batch: Sequence[JudgeInput]) -> list[tuple[object, ...]]:
        """Of each response all that its verdict follows from: as much needs no Prolog."""
        return [
            (one.given.answer.kind, one.given.answer.unsaid, *one.replay_item(None)[1:], one.dated)
            for one in self._weigh(batch)[0]
        ]

    def _weigh(self, batch: Sequence[JudgeInput]) -> tuple[list[WeighedResponse], BatchStatements]:
        """Responses with their claims, weighed, and what is stated about all that they speak of."""
        claims = self._claims(batch)
        entities = {qid for given in batch for qid in given.asked.entities}
        entities |= {end for each in claims for claim in each for t in claim.triples for end in (t.s, t.o)}
        facts = self._view.fetch(entities)
        status = _Remembered(Statuses(self._world, facts, self._inverse, self._rules, self._as_of.toordinal()))
        weighed = [
            self._weighed(given, each, partial(status, focus=self._roles.focus(given.asked)))
            for given, each in zip(batch, claims, strict=True)
        ]
        return weighed, facts

    def _claims(self, batch: Sequence[JudgeInput]) -> list[list[Claim]]:
        """What each response of a batch asserts that can matter; of what answers nothing no claim is read."""
        read = [place for place, given in enumerate(batch) if given.answer.kind not in UNJUDGED]
        given = {place: self._given(batch[place]) for place in read}
        made = {place: one for place in read if (one := batch[place].reading.document)}
        parsed = {place: one for place, one in made.items() if one.finder is self.documents.finder}
        lacking = [place for place in read if place not in parsed]
        documents = self.documents.documents([given[place] for place in lacking])
        parsed |= zip(lacking, documents, strict=True)
        found = {
            place: self._roles.bearing(
                batch[place].asked, asserted(batch[place], self._syntax.claims(given[place], parsed[place]))
            )
            for place in read
        }
        return [found.get(place, []) for place in range(len(batch))]

    def _weighed(
        self, given: JudgeInput, claims: Sequence[Claim], status: Callable[[Claim], ClaimStatus]
    ) -> WeighedResponse:
        casts = self._roles.cast(given.asked, claims)
        told = charity.guarded(given.asked, given.reading, claims, status, apart=given.asked_apart)
        return WeighedResponse(
            given, tuple(WeighedClaim(*one, status(one[0])) for one in zip(told, casts, strict=True))
        )

    def _timed(self, responses: Sequence[WeighedResponse]) -> dict[int, timed_replay.Replayed]:
        """Replays of the temporal cases, by position."""
        found: dict[int, timed_replay.Replayed] = {}
        by_granularity: dict[str, list[int]] = {}
        for place, one in enumerate(responses):
            if one.asked.formula:
                by_granularity.setdefault(one.asked.granularity, []).append(place)
        for granularity, places in sorted(by_granularity.items()):
            items = [(responses[place].asked, responses[place].dated) for place in places]
            replayed = timed_replay.replay(self._engine, self._history(granularity), items)
            found |= dict(zip(places, replayed, strict=True))
        return found

    def _history(self, granularity: str) -> history.History:
        if granularity not in self._histories:
            seats = exclusive_seats(self._session, self._snapshot)
            unit = Granularity(granularity)
            self._histories[granularity] = history.load(self._session, self._snapshot, self._as_of, unit, 12, seats)
        return self._histories[granularity]


def _reasoned(weighed: WeighedResponse) -> ReasonedText:
    item = weighed.replay_item(None)
    text = weighed.given.text
    return ReasonedText(
        item.kx,
        "false" in item.steps,
        item.cx,
        weighed.incidental_error,
        tuple((_cut(text[slice(*one.claim.span)]), one.found.status) for one in weighed.told),
    )


class _Remembered:
    """Statuses of a batch, each judged once: responses say the same again and again."""

    def __init__(self, statuses: Statuses) -> None:
        self._statuses = statuses
        self._known: dict[tuple[object, ...], ClaimStatus] = {}

    def __call__(self, claim: Claim, focus: Focus) -> ClaimStatus:
        key = (claim._replace(span=base.TextSpan(0, 0), sentence=0), focus)
        if key not in self._known:
            self._known[key] = self._statuses.judge(claim, focus)
        return self._known[key]


def _verdict(weighed: WeighedResponse, item: ReplayItem, outcome: ReplayOutcome, reader: Reader) -> ReplayVerdict:
    given, answer = weighed.given, weighed.given.answer
    correct = answer.kind == given.asked.gold if answer.kind in ("yes", "no") else None
    detail: dict[str, Any] = {
        "reader": reader.name,
        "parser": reader.parsed_by,
        "span": list(answer.span),
        "marker": answer.marker,
        "row": outcome.row,
        "opposed": given.asked.opposed,
        "answer": item.answer,
        "gold": item.gold,
        "flags": {
            "premise_contradicted": item.kx,
            "false_step": outcome.sx,
            "conclusion_opposed": item.cx,
            "premise_unverifiable": item.u,
            "incidental_error": weighed.incidental_error,
            "verdict_turn": given.asked_apart,
            "text_opposes_verdict": given.asked_apart and item.cx,
            "loops": given.reading.loops,
            "cut_short": given.cut_short,
        },
        "shape": item.shape,
        "replays": {"own": outcome.own, "fill": outcome.fill, "said": outcome.said},
        "claims": [_shown_claim(given.text, one) for one in weighed.told[:_SHOWN]],
        "claims_found": len(weighed.told),
        "steps": [
            {"span": list(step.span), "says": step.says, "status": status, "text": _cut(step.text)}
            for step, status in list(zip(weighed.steps, outcome.steps, strict=True))[:_SHOWN]
        ],
    }
    faulty = None
    if answer.kind in ("yes", "no", "contradictory"):
        faulty = item.kx or outcome.sx or item.cx or answer.kind == "contradictory" or outcome.row in ("W4", "W5")
    return ReplayVerdict(answer.kind, correct, outcome.category, answer.unsaid or outcome.label, faulty, detail)


def _shown_claim(text: str, one: WeighedClaim) -> dict[str, Any]:
    claim = one.claim
    return {
        "span": list(claim.span),
        "text": _cut(text[slice(*claim.span)]),
        "subject": _cut(claim.subject),
        "object": _cut(claim.object),
        "denied": claim.negative,
        "guards": list(claim.guards),
        "readings": [[str(p) if isinstance(p, Relation) else p, s, o] for p, s, o in claim.triples[:8]],
        "by": "unread" if claim.unread else "syntax",
        "role": one.cast.role,
        "status": one.found.status,
        "statement": one.found.sid,
        "why": _cut(one.found.why),
    }


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…"
