"""What a response says for its answer: its claims with roles and statuses, and its steps, as the replay takes them."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.oracles import charity, dated_replay, replay
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.replay import ReplayItem, ReplayPremise, SaidDate
from halluvault_tasks.oracles.roles import Cast, Role
from halluvault_tasks.oracles.statuses import ClaimStatus, Status
from halluvault_tasks.oracles.timed_replay import DatedPremise, Replayed
from halluvault_tasks.reading.base import Answer, Claim, Conclusion, Reading, ReasoningStep
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
    def doubted(self) -> "WeighedClaim":
        """The claim where a cross-examiner does not find it said."""
        found = ClaimStatus("unverifiable", 0, "the cross-examiner does not find that the text says so")
        return self._replace(claim=self.claim._replace(guards=(*self.claim.guards, "doubtful")), found=found)

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
        return [DatedPremise(claim, cast.triple) for claim, cast, _ in self._own if claim.days is not None]

    @property
    def _own(self) -> list[WeighedClaim]:
        return [premise for premise in self.of_role("premise") if premise.is_own]

    @property
    def against(self) -> list[WeighedClaim]:
        """The contradicted claims that its answer rests on (KX)."""
        asked, concluded = self.asked, self._concluded
        answer, gold = asked.base(self.given.answer.kind), asked.base(asked.gold)
        # Against the right answer to a direct case, what is asked is no conclusion but the proof's one premise, denied
        denied = [one for one in concluded if one.side != answer] if asked.one_premise and answer == gold else []
        return [one for one in (*denied, *self.of_role("premise")) if one.found.status == "contradicted"]

    @property
    def opposing(self) -> list[WeighedClaim | Conclusion]:
        """What concludes the opposite of its answer (CX): claims about what is asked, and a yes or no."""
        answer = self.asked.base(self.given.answer.kind)
        if answer not in ("yes", "no"):
            return []
        stand = charity.standing(self.asked, self.given.reading, self.told)
        claims = [one for one in self._concluded if one.side != answer]
        return [*claims, *(one for one in stand if self.asked.base(one.kind) != answer)]

    @property
    def suspects(self) -> list[WeighedClaim | Conclusion]:
        """What of its reasons convicts it, each once."""
        return list(dict.fromkeys([*self.against, *self.opposing]))

    def without(self, doubted: Collection[WeighedClaim | Conclusion]) -> "WeighedResponse":
        """The response with some of its suspects in doubt: these decide nothing, nor does it reason by them."""
        reading = self.given.reading
        stand = tuple(one for one in reading.conclusions if one not in doubted)
        told = tuple(one.doubted if one in doubted else one for one in self.told)
        return WeighedResponse(self.given._replace(reading=reading._replace(conclusions=stand)), told)

    @property
    def _concluded(self) -> list[WeighedClaim]:
        return [weighed for weighed in self.of_role("conclusion") if not weighed.claim.guards]

    def of_role(self, role: Role) -> list[WeighedClaim]:
        """Its claims of a role."""
        return [weighed for weighed in self.told if weighed.cast.role == role]

    @property
    def incidental_error(self) -> bool:
        """Whether a claim is contradicted that the answer does not rest on."""
        return _any("contradicted", self.of_role("side"))

    def replay_item(self, timed: Replayed | None) -> ReplayItem:
        """As the replay takes it.

        Args:
            timed: replays of a temporal case.
        """
        asked, premises, own = self.asked, self.of_role("premise"), self._own
        if asked.counted is not None:
            timed = dated_replay.replay(asked, [(claim, cast.triple) for claim, cast, _ in own])
        return ReplayItem(
            asked=asked,
            answer=asked.base(self.given.answer.kind),
            gold=asked.base(asked.gold),
            premises=tuple(self._premises()),
            steps=tuple(_said(asked, step) for step in self.steps),
            kx=bool(self.against),
            cx=bool(self.opposing),
            u=_any("unverifiable", premises),
            shape="argued" if premises else "direct" if asked.one_premise else "bare",
            base_right=self.given.base_right,
            timed=timed,
            dates=tuple(_dates(own)),
        )

    def _premises(self) -> list[ReplayPremise]:
        """What fills slots; of a direct case its conclusion does so, too."""
        said = [premise for premise in self._own if premise.is_value]
        if self.asked.one_premise and self.asked.truth is not False:
            said += [weighed for weighed in self.of_role("conclusion") if _is_evidence(self.asked, weighed)]
        return [replay.premise(weighed.cast, weighed.claim) for weighed in said]


def asserted(given: JudgeInput, claims: Sequence[Claim]) -> list[Claim]:
    """What a response asserts; words that are not understood are none where they conclude or calculate."""
    spans = [conclusion.span for conclusion in given.reading.conclusions] + [step.span for step in given.reading.steps]
    return [
        claim
        for claim in claims
        if claim.asserted and not (claim.unread and any(claim.span.meets(span) for span in spans))
    ]


def _any(status: Status, told: Sequence[WeighedClaim]) -> bool:
    return any(weighed.found.status == status for weighed in told)


def _dates(premises: Sequence[WeighedClaim]) -> Iterator[SaidDate]:
    for claim, cast, _ in premises:
        if claim.days and not claim.negative and not claim.which:
            yield SaidDate(cast.triple.pid, cast.triple.s, claim.days)


def _is_evidence(asked: CaseToJudge, conclusion: WeighedClaim) -> bool:
    """Whether it is a direct case's one premise as well; a converse, which has the same two ends, is none."""
    claim, (_, (_, s, o), turned), _ = conclusion
    if claim.negative or turned:
        return False
    counted = claim.amount is not None
    return any(stated.ends == {s, o} or (counted and stated.o < 0 and stated.s == s) for stated in asked.evidence)


def _said(asked: CaseToJudge, step: ReasoningStep) -> str:
    if step.says in ("entails(yes)", "entails(no)"):
        return f"entails({asked.base(step.says[8:-1])})"
    return step.says
