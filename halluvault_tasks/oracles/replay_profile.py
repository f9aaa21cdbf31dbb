"""The profiles `replay/…`: a response's claims, steps and replays to one verdict that keeps every step.

What a verdict rests on goes into `verdict.detail`, for `halluvault score explain` and the case page:
span → claim → role → status → statement → entailed answers → row of the decision table, which is
`prolog_rules/verdict_table.pl`.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import charity, dated_replay, replay, snapshot_view, timed_replay
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.profile import OracleProfile
from halluvault_tasks.oracles.replay import ReplayItem, ReplayOutcome
from halluvault_tasks.oracles.roles import Cast, Roles
from halluvault_tasks.oracles.snapshot_view import SnapshotView
from halluvault_tasks.oracles.statuses import ClaimStatus, Focus, Statuses
from halluvault_tasks.oracles.timed_replay import DatedPremise
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading import base
from halluvault_tasks.reading import snapshot as reading
from halluvault_tasks.reading.base import Answer, Claim, Reader, Reading, ReasoningStep
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.stages import exclusive_seats
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import tables
from halluvault_tasks.temporal import history
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

PROFILE = "replay/syntax"

VERSION = "23"
"""Raise it with every change that may change a verdict, a new version of the parser among them."""

REPLAY = OracleProfile(PROFILE, VERSION, "replay", "replay", leads=True)

UNJUDGED = ("dont_know", "refusal", "unparseable")
"""Answers of which no claim is read."""

_SHOWN = 60
_SHOWN_LENGTH = 240


class JudgeInput(NamedTuple):
    """A response to be judged.

    Attributes:
        asked: its case.
        text: as it was sent; of a response with a verdict turn, what stands before that turn.
        reading: its answer, conclusions and steps.
        base_right: whether the same model answered the group's original wording rightly.
    """

    asked: CaseToJudge
    text: str
    reading: Reading
    base_right: bool
    cut_short: bool = False
    """The server ended it at its token limit."""

    asked_apart: bool = False
    """Its answer was asked for in a turn of its own."""

    @property
    def answer(self) -> Answer:
        """What it answers."""
        return self.reading.answer


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


class _Read(NamedTuple):
    """A response, read but not yet judged."""

    given: JudgeInput
    claims: list[Claim]
    casts: list[Cast]
    steps: tuple[ReasoningStep, ...]


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
        read = self._read(batch)
        entities = {qid for one in read for qid in one.given.asked.entities}
        entities |= {end for one in read for claim in one.claims for t in claim.triples for end in (t.s, t.o)}
        facts = self._view.fetch(entities)
        statuses = Statuses(self._world, facts, self._inverse, self._rules, self._as_of.toordinal())
        known: dict[tuple[object, ...], ClaimStatus] = {}

        def status(claim: Claim, focus: Focus) -> ClaimStatus:
            key = (claim._replace(span=base.TextSpan(0, 0), sentence=0), focus)
            if key not in known:
                known[key] = statuses.judge(claim, focus)
            return known[key]

        judged = []
        for place, one in enumerate(read):
            asked = one.given.asked
            of = partial(status, focus=self._roles.focus(asked))
            told, apart = one.given.reading, one.given.asked_apart
            claims = charity.guarded(asked, told, one.claims, of, one.given.text, apart=apart)
            read[place] = one._replace(claims=claims)
            judged.append([of(claim) for claim in read[place].claims])
        timed = self._timed(read)
        items = [
            _item(one, found, timed.get(position))
            for position, (one, found) in enumerate(zip(read, judged, strict=True))
        ]
        outcomes = replay.run(self._engine, self._rules, facts, self._world, items)
        return [
            _verdict(one, found, item, outcome, self._syntax)
            for one, found, item, outcome in zip(read, judged, items, outcomes, strict=True)
        ]

    def _read(self, batch: Sequence[JudgeInput]) -> list[_Read]:
        """Claims and steps of a batch; of what answers nothing neither is read."""
        read = [one for one in batch if one.answer.kind not in UNJUDGED]
        readings = self._syntax.read([self._given(one) for one in read])
        claims = {id(given): found.claims for given, found in zip(read, readings, strict=True)}
        return [self._cast(given, claims.get(id(given))) for given in batch]

    def _cast(self, given: JudgeInput, claims: Sequence[Claim] | None) -> _Read:
        if claims is None:
            return _Read(given, [], [], ())
        concluded = [one.span for one in given.reading.conclusions] + [one.span for one in given.reading.steps]
        asserted = [
            one
            for one in claims
            if one.asserted and not (one.unread and any(s < one.span.end and one.span.start < e for s, e in concluded))
        ]
        return _Read(given, asserted, self._roles.cast(given.asked, asserted), given.reading.steps)

    def _timed(self, read: Sequence[_Read]) -> dict[int, timed_replay.Replayed]:
        """Replays of the temporal cases, by position."""
        found: dict[int, timed_replay.Replayed] = {}
        by_granularity: dict[str, list[int]] = {}
        for position, one in enumerate(read):
            if one.given.asked.formula:
                by_granularity.setdefault(one.given.asked.granularity, []).append(position)
        for granularity, positions in sorted(by_granularity.items()):
            if granularity not in self._histories:
                self._histories[granularity] = history.load(
                    self._session,
                    self._snapshot,
                    self._as_of,
                    Granularity(granularity),
                    12,
                    exclusive_seats(self._session, self._snapshot),
                )
            items = [
                (
                    read[position].given.asked,
                    [
                        DatedPremise(claim, cast.triple)
                        for claim, cast in zip(read[position].claims, read[position].casts, strict=True)
                        if cast.role == "premise" and claim.days is not None and _is_own(claim)
                    ],
                )
                for position in positions
            ]
            replayed = timed_replay.replay(self._engine, self._histories[granularity], items)
            found |= dict(zip(positions, replayed, strict=True))
        return found


def _item(read: _Read, judged: Sequence[ClaimStatus], timed: timed_replay.Replayed | None) -> ReplayItem:
    given, asked = read.given, read.given.asked
    answer = asked.base(given.answer.kind)
    told = list(zip(read.claims, read.casts, judged, strict=True))
    premises, conclusions = ([one for one in told if one[1].role == role] for role in ("premise", "conclusion"))
    own = [one for one in premises if _is_own(one[0])]
    concluded = [
        ("yes" if claim.negative == cast.turned else "no", found.status)
        for claim, cast, found in conclusions
        if not claim.guards
    ]
    said = [
        replay.premise(cast, claim)
        for claim, cast, _ in own
        if cast.triple.p and (claim.amount is None or cast.triple.p not in wd.DATES)  # an age is no value
    ]
    if asked.one_premise and asked.truth is not False:  # a converse has the same two ends, and is no evidence
        said += [
            replay.premise(cast, claim)
            for claim, cast, _ in conclusions
            if not claim.negative and not cast.turned and _is_evidence(asked, cast, claim)
        ]
    if asked.counted is not None:
        timed = dated_replay.replay(asked, [(claim, cast.triple) for claim, cast, _ in own])
    stand = charity.standing(asked, given.reading, told)
    sides = [*(side for side, _ in concluded), *(asked.base(one.kind) for one in stand)]
    # Against the right answer to a direct case, what is asked is no conclusion but the proof's one premise, denied
    right = asked.one_premise and answer == asked.base(asked.gold)
    denied = right and any(side != answer and status == "contradicted" for side, status in concluded)
    shape = "argued" if premises else "direct" if asked.one_premise else "bare"
    return ReplayItem(
        asked=asked,
        answer=answer,
        gold=asked.base(asked.gold),
        premises=tuple(said),
        steps=tuple(_step(asked, step) for step in read.steps),
        kx=denied or any(found.status == "contradicted" for _, _, found in premises),
        cx=answer in ("yes", "no") and any(side != answer for side in sides),
        u=any(found.status == "unverifiable" for _, _, found in premises),
        shape=shape,
        base_right=given.base_right,
        timed=timed,
        dates=tuple(
            replay.SaidDate(cast.triple.pid, cast.triple.s, claim.days)
            for claim, cast, _ in own
            if claim.days is not None and not claim.negative and not claim.which
        ),
    )


def _is_own(claim: Claim) -> bool:
    """Whether a response reasons by a claim: by what it ascribes to others, or does not mean, it does not."""
    return not {"attribution", "doubtful"} & set(claim.guards)


def _is_evidence(asked: CaseToJudge, cast: Cast, claim: Claim) -> bool:
    """A direct case's conclusion is its one premise as well."""
    ends = {cast.triple.s, cast.triple.o}
    return any(
        {one.s, one.o} == ends or (one.o < 0 and one.s == cast.triple.s and claim.amount is not None)
        for one in asked.evidence
    )


def _step(asked: CaseToJudge, step: ReasoningStep) -> str:
    if step.says in ("entails(yes)", "entails(no)"):
        return f"entails({asked.base(step.says[8:-1])})"
    return step.says


def _verdict(
    read: _Read, judged: Sequence[ClaimStatus], item: ReplayItem, outcome: ReplayOutcome, reader: Reader
) -> ReplayVerdict:
    answer = read.given.answer
    correct = answer.kind == read.given.asked.gold if answer.kind in ("yes", "no") else None
    incidental = any(
        cast.role == "side" and found.status == "contradicted" for cast, found in zip(read.casts, judged, strict=True)
    )
    detail: dict[str, Any] = {
        "reader": reader.name,
        "parser": reader.parsed_by,
        "span": list(answer.span),
        "marker": answer.marker,
        "row": outcome.row,
        "opposed": read.given.asked.opposed,
        "answer": item.answer,
        "gold": item.gold,
        "flags": {
            "premise_contradicted": item.kx,
            "false_step": outcome.sx,
            "conclusion_opposed": item.cx,
            "premise_unverifiable": item.u,
            "incidental_error": incidental,
            "verdict_turn": read.given.asked_apart,
            "text_opposes_verdict": read.given.asked_apart and item.cx,
            "loops": read.given.reading.loops,
            "cut_short": read.given.cut_short,
        },
        "shape": item.shape,
        "replays": {"own": outcome.own, "fill": outcome.fill, "said": outcome.said},
        "claims": [
            _shown_claim(read.given.text, *one)
            for one in list(zip(read.claims, read.casts, judged, strict=True))[:_SHOWN]
        ],
        "claims_found": len(read.claims),
        "steps": [
            {"span": list(step.span), "says": step.says, "status": status, "text": _cut(step.text)}
            for step, status in list(zip(read.steps, outcome.steps, strict=True))[:_SHOWN]
        ],
    }
    faulty = None
    if answer.kind in ("yes", "no", "contradictory"):
        faulty = item.kx or outcome.sx or item.cx or answer.kind == "contradictory" or outcome.row in ("W4", "W5")
    label = answer.unsaid or outcome.label
    return ReplayVerdict(answer.kind, correct, outcome.category, label, faulty, detail)


def _shown_claim(text: str, claim: Claim, cast: Cast, found: ClaimStatus) -> dict[str, Any]:
    return {
        "span": list(claim.span),
        "text": _cut(text[slice(*claim.span)]),
        "subject": _cut(claim.subject),
        "object": _cut(claim.object),
        "denied": claim.negative,
        "guards": list(claim.guards),
        "readings": [[str(one.p) if isinstance(one.p, Relation) else one.p, one.s, one.o] for one in claim.triples[:8]],
        "by": "unread" if claim.unread else "syntax",
        "role": cast.role,
        "status": found.status,
        "statement": found.sid,
        "why": _cut(found.why),
    }


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…"
