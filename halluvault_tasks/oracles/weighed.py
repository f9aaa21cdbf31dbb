"""What a response says for its answer: its claims with roles and statuses, and its steps, as the replay takes them."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.oracles import charity, dated_replay, replay
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.replay import ReplayItem, ReplayPremise, SaidDate
from halluvault_tasks.oracles.roles import Cast, Role
from halluvault_tasks.oracles.statuses import ClaimStatus, Status
from halluvault_tasks.oracles.timed_replay import DatedPremise, Replayed
from halluvault_tasks.reading.base import Answer, Claim, Reading, ReasoningStep
from halluvault_tasks.wikidata import properties as wd

UNJUDGED = ("dont_know", "refusal", "unparseable")
"""Answers of which no claim is read."""


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


class WeighedClaim(NamedTuple):
    """A claim, what it is to the case, and what the snapshot says of it."""

    claim: Claim
    cast: Cast
    found: ClaimStatus

    @property
    def is_own(self) -> bool:
        """Whether a response reasons by it: by what it ascribes to others, or does not mean, it does not."""
        return not {"attribution", "doubtful"} & set(self.claim.guards)

    @property
    def side(self) -> str:
        """Of a conclusion: the answer to the base proposition that it gives."""
        return "yes" if self.claim.negative == self.cast.turned else "no"

    @property
    def is_value(self) -> bool:
        """Whether it may fill a slot; an age is no value."""
        return bool(self.cast.triple.p) and (self.claim.amount is None or self.cast.triple.p not in wd.DATES)


class WeighedResponse(NamedTuple):
    """A response with its claims, read and weighed."""

    given: JudgeInput
    told: tuple[WeighedClaim, ...]

    @property
    def asked(self) -> CaseToJudge:
        """Its case."""
        return self.given.asked

    @property
    def steps(self) -> tuple[ReasoningStep, ...]:
        """Its steps; of what answers nothing none."""
        return () if self.given.answer.kind in UNJUDGED else self.given.reading.steps

    @property
    def dated(self) -> list[DatedPremise]:
        """The dates that it reasons by."""
        return [DatedPremise(one.claim, one.cast.triple) for one in self._own if one.claim.days is not None]

    @property
    def _own(self) -> list[WeighedClaim]:
        return [one for one in self.of_role("premise") if one.is_own]

    def of_role(self, role: Role) -> list[WeighedClaim]:
        """Its claims of a role."""
        return [one for one in self.told if one.cast.role == role]

    @property
    def incidental_error(self) -> bool:
        """Whether a claim is contradicted that the answer does not rest on."""
        return _any("contradicted", self.of_role("side"))

    def replay_item(self, timed: Replayed | None) -> ReplayItem:
        """As the replay takes it.

        Args:
            timed: replays of a temporal case.
        """
        asked, premises = self.asked, self.of_role("premise")
        answer = asked.base(self.given.answer.kind)
        concluded = [one for one in self.of_role("conclusion") if not one.claim.guards]
        stand = charity.standing(asked, self.given.reading, self.told)
        sides = [*(one.side for one in concluded), *(asked.base(one.kind) for one in stand)]
        # Against the right answer to a direct case, what is asked is no conclusion but the proof's one premise, denied
        right = asked.one_premise and answer == asked.base(asked.gold)
        denied = [one for one in concluded if right and one.side != answer]
        if asked.counted is not None:
            timed = dated_replay.replay(asked, [(one.claim, one.cast.triple) for one in self._own])
        return ReplayItem(
            asked=asked,
            answer=answer,
            gold=asked.base(asked.gold),
            premises=tuple(self._premises()),
            steps=tuple(_said(asked, step) for step in self.steps),
            kx=_any("contradicted", denied + premises),
            cx=answer in ("yes", "no") and any(side != answer for side in sides),
            u=_any("unverifiable", premises),
            shape="argued" if premises else "direct" if asked.one_premise else "bare",
            base_right=self.given.base_right,
            timed=timed,
            dates=tuple(self._dates()),
        )

    def _premises(self) -> list[ReplayPremise]:
        said = [replay.premise(one.cast, one.claim) for one in self._own if one.is_value]
        if not self.asked.one_premise or self.asked.truth is False:
            return said
        # A converse has the same two ends, and is no evidence
        affirmed = [one for one in self.of_role("conclusion") if not one.claim.negative and not one.cast.turned]
        return said + [replay.premise(one.cast, one.claim) for one in affirmed if _is_evidence(self.asked, one)]

    def _dates(self) -> list[SaidDate]:
        plain = [one for one in self._own if not one.claim.negative and not one.claim.which]
        return [SaidDate(one.cast.triple.pid, one.cast.triple.s, days) for one in plain if (days := one.claim.days)]


def asserted(given: JudgeInput, claims: Sequence[Claim]) -> list[Claim]:
    """What a response asserts; words that are not understood are none where they conclude or calculate."""
    spans = [one.span for one in given.reading.conclusions] + [one.span for one in given.reading.steps]
    return [one for one in claims if one.asserted and not (one.unread and any(one.span.meets(each) for each in spans))]


def _any(status: Status, told: Sequence[WeighedClaim]) -> bool:
    return any(one.found.status == status for one in told)


def _is_evidence(asked: CaseToJudge, one: WeighedClaim) -> bool:
    """A direct case's conclusion is its one premise as well."""
    s, o = one.cast.triple.s, one.cast.triple.o
    return any(
        {each.s, each.o} == {s, o} or (each.o < 0 and each.s == s and one.claim.amount is not None)
        for each in asked.evidence
    )


def _said(asked: CaseToJudge, step: ReasoningStep) -> str:
    if step.says in ("entails(yes)", "entails(no)"):
        return f"entails({asked.base(step.says[8:-1])})"
    return step.says
