"""The stage of cross-examination: what convicts a response by its reasons is asked about before it convicts.

A pinned model is asked about each contradicted claim that the answer rests on and each conclusion that opposes it, of
right and wrong answers alike. What it does not uphold, by yes and no, is doubtful, and the response is judged once
more. Questions and answers stand beside the verdict (table `examination`); the headline's verdict stays as it is. Where
nobody answers, there is no verdict yet: the next run asks what is missing.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, exists, func, literal, or_, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.cross_examination import asking
from halluvault_tasks.oracles.cross_examination import profile as profiles
from halluvault_tasks.oracles.cross_examination.asking import ClaimAnswer
from halluvault_tasks.oracles.cross_examination.questions import CrossQuestion
from halluvault_tasks.oracles.cross_examination.statements import Stater
from halluvault_tasks.oracles.isolation import BATCH
from halluvault_tasks.oracles.profile import OracleProfile
from halluvault_tasks.oracles.scorer import Scorer, delivered_rows
from halluvault_tasks.oracles.stages import Shared
from halluvault_tasks.oracles.unjudged import JudgingLane
from halluvault_tasks.oracles.weighed import WeighedResponse
from halluvault_tasks.querying import evaluations
from halluvault_tasks.querying.kinship import NamedModel, kinship
from halluvault_tasks.querying.pinned import PinnedModel
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.servers import TokenOf, token_of
from halluvault_tasks.storage import incidents, runs
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.tables import examination, model, response, verdict

_log = logging.getLogger(__name__)

_FLAGS = ("premise_contradicted", "conclusion_opposed")
_SAYS, _OTHERWISE = 1, 2

ResponseKey = tuple[str, int]
"""Case and sample."""


class ExaminationCounts(NamedTuple):
    """What one run of `examine` did."""

    convicted: int
    """Responses without a verdict of the profile that reasons convict, alone or beside the answer."""
    claims: int
    """Claims and conclusions that convict these."""
    asked: int
    """Claims of these that were asked about now and answered both ways round."""
    not_upheld: int
    """Of all claims that are answered, those that no longer convict."""
    verdicts: int
    """Verdicts written now, those that need no question among them."""
    pending: int
    """Responses without a verdict still: nobody answered. The next run asks again."""
    why: str = ""
    """Why nobody did."""


class _Suspected(NamedTuple):
    """A response and what is asked about it."""

    key: ResponseKey
    weighed: WeighedResponse
    questions: Sequence[CrossQuestion]
    """Of each of `weighed.suspects`, in order."""


class NotExamined(UserError):
    """An evaluation that this examiner must not examine."""


def examine(
    session: Session,
    evaluation_id: str,
    *,
    registry: Registry,
    shared: Shared | None = None,
    silent: str = "",
    token: TokenOf = token_of,
) -> ExaminationCounts:
    """Ask about whatever convicts responses of an evaluation, and judge those again of whom not all is upheld.

    Commits by the batch; if killed, it goes on from what is stored.

    Args:
        session: open session; used from another thread while the examiner is asked.
        evaluation_id: evaluation that has been scored.
        registry: names the examiner and its server.
        shared: the judges, where several evaluations are examined.
        silent: why the examiner did not answer just now (`ExaminationCounts.why`), so that nobody waits for it again.
        token: where API keys come from.

    Raises:
        NotExamined: the examiner is the judged model, or of its family.
        UserError: no examiner is configured, or another model is served; unknown evaluation; the month's rows were
            dropped.
    """
    row = evaluations.find(session, evaluation_id)
    profile = _profile(registry)
    _require_stranger(session, registry, row)
    shared = shared or Shared()
    lane = JudgingLane(session, row.snapshot, evaluation_id)
    work = LeasedWork(row.snapshot, f"examine {profile.name} {evaluation_id}")
    with runs.stage(session, row.snapshot, "examine", row.name, work) as summary:
        copied = _copy_unsuspected(session, evaluation_id, profile)
        batches = list(_batches(session, evaluation_id, profile))
        counts = ExaminationCounts(0, 0, 0, 0, copied, 0)
        if batches:
            counts = _Examination(lane, shared.scorer(lane), profile, registry, token).run(batches, copied, silent)
        session.commit()
        summary |= counts._asdict()
    if counts.why:
        _tell_pending(session, row, profile, counts)
    return counts


def examine_if_due(
    session: Session,
    evaluation_id: str,
    *,
    registry: Registry,
    shared: Shared | None = None,
    silent: str = "",
    token: TokenOf = token_of,
) -> ExaminationCounts | None:
    """`examine` as a step after judging, which a fault of the examiner must not keep from its end.

    Returns:
        None where nothing is examined: its own family's answers, or an examiner that cannot be asked (an incident).
    """
    try:
        return examine(session, evaluation_id, registry=registry, shared=shared, silent=silent, token=token)
    except NotExamined as error:
        _log.info("%s", error.message)
    except UserError as error:
        session.rollback()
        row = evaluations.find(session, evaluation_id)
        incidents.record(
            session, "not_examined", f"examine {evaluation_id}", error.message, error.way_out, row.snapshot
        )
        _log.warning("%s", error.message)
    return None


def _profile(registry: Registry) -> OracleProfile:
    if registry.examiner is None:
        raise UserError("no examiner is configured", "name one in models.yaml: `examiner: {model: …, model_id: …}`")
    return profiles.of(registry.examiner.model)


def _require_stranger(session: Session, registry: Registry, row: Any) -> None:
    pin = registry.examiner
    assert pin
    of_name = select(model.c.id).where(model.c.name == pin.model)
    asked = select(examination.c.examiner).where(examination.c.examiner.in_(of_name)).distinct()
    if others := set(session.scalars(asked)) - set(asking.rows_of(session, registry)):
        was = session.scalar(select(model.c.model_id).where(model.c.id == min(others)))
        raise UserError(
            f"under the name {pin.model} another model examined before: {was}, and not {pin.model_id}",
            "register this one under a name of its own: its profile is called after it",
        )
    examiner = NamedModel(pin.model, pin.model_id, pin.model_sha or None)
    if shared := kinship(registry, examiner, NamedModel(row.name, row.served, row.model_sha)):
        raise NotExamined(
            f"{pin.model} examines no answers of {row.name}: {shared}",
            "nothing to do: its verdicts are those of replay/syntax alone; or pin an examiner of another family",
        )


class _Examination:
    """One evaluation's examination.

    Args:
        lane: the evaluation.
        scorer: reads and judges.
        profile: of the examiner.
    """

    def __init__(
        self, lane: JudgingLane, scorer: Scorer, profile: OracleProfile, registry: Registry, token: TokenOf
    ) -> None:
        self._session, self._lane, self._scorer = lane.session, lane, scorer
        self._profile, self._registry, self._token = profile, registry, token
        self._stater = Stater.of(scorer.names)

    def run(self, batches: Sequence[Sequence[ResponseKey]], copied: int, silent: str) -> ExaminationCounts:
        """Ask what is missing, and judge what is answered."""
        suspected = [one for batch in batches for one in self._suspected(batch)]
        claims = {(one.key, question.key): question for one in suspected for question in one.questions}
        asked, why = (0, silent) if silent else self._ask(claims)
        answers = self._answers()
        ready = [one for one in suspected if all(q.key in answers.get(one.key, {}) for q in one.questions)]
        for start in range(0, len(ready), BATCH):
            self._judge(ready[start : start + BATCH], answers)
        doubted = sum(not answers[key][claim].upheld for key, claim in claims if claim in answers.get(key, ()))
        pending = len(suspected) - len(ready)
        return ExaminationCounts(
            len(suspected), len(claims), asked, doubted, copied + len(ready), pending, why if pending else ""
        )

    def _suspected(self, batch: Sequence[ResponseKey]) -> list[_Suspected]:
        rows = self._session.execute(
            delivered_rows(self._lane.evaluation_id)
            .where(tuple_(response.c.case_id, response.c.sample).in_(batch))
            .order_by(response.c.case_id, response.c.sample)
        ).all()
        weighed = self._scorer.weighed(self._lane.evaluation_id, rows)
        return [
            _Suspected((row.case_id, row.sample), one, [self._question(one, told) for told in one.suspects])
            for row, one in zip(rows, weighed, strict=True)
        ]

    def _question(self, weighed: WeighedResponse, told: Any) -> CrossQuestion:
        meant = self._stater.meant(weighed.asked)
        return CrossQuestion(weighed.asked.question, weighed.given.text, self._stater.statement(told), meant)

    def _answers(self) -> Mapping[ResponseKey, Mapping[str, Row[Any]]]:
        """Response → key of a claim → what was asked and first answered."""
        found: dict[ResponseKey, dict[str, Row[Any]]] = defaultdict(dict)
        c = examination.c
        rows = self._session.execute(
            select(examination)
            .where(
                c.evaluation_id == self._lane.evaluation_id,
                c.examiner.in_(asking.rows_of(self._session, self._registry)),
            )
            .order_by(c.asked_at.desc(), c.examiner)
        )
        for row in rows:
            found[row.case_id, row.sample][row.claim] = row
        return found

    def _ask(self, claims: Mapping[tuple[ResponseKey, str], CrossQuestion]) -> tuple[int, str]:
        """Ask about claims that have no answer; how many have one now, and why others have not."""
        known = self._answers()
        missing = {
            f"{case_id}:{sample}:{claim}": ((case_id, sample), question)
            for ((case_id, sample), claim), question in claims.items()
            if claim not in known.get((case_id, sample), {})
        }
        kept, evaluation_id = 0, self._lane.evaluation_id

        def keep(examiner: PinnedModel, answers: Sequence[ClaimAnswer]) -> None:
            nonlocal kept
            rows = [
                {"evaluation_id": evaluation_id, "case_id": case_id, "sample": sample, "examiner": examiner.key}
                | one.columns
                for one in answers
                for case_id, sample in [missing[one.name][0]]
            ]
            if rows:
                self._session.execute(insert(examination).on_conflict_do_nothing(), rows)
            self._session.commit()
            kept += len(rows)

        if not missing:
            return 0, ""
        try:
            questions = {name: question for name, (_, question) in missing.items()}
            asking.ask(self._session, self._registry, questions, keep, self._token)
        except Unavailable as error:
            self._session.rollback()
            return kept, str(error.message)
        return kept, ""

    def _judge(self, ready: Sequence[_Suspected], answers: Mapping[ResponseKey, Mapping[str, Row[Any]]]) -> None:
        """Store the verdicts of responses all of whose claims are answered. Commits."""
        asked = [[answers[one.key][question.key] for question in one.questions] for one in ready]
        left = [
            one.weighed.without([told for told, row in zip(one.weighed.suspects, rows, strict=True) if not row.upheld])
            for one, rows in zip(ready, asked, strict=True)
        ]
        self._lane.add([
            found._asdict()
            | {"evaluation_id": self._lane.evaluation_id, "case_id": one.key[0], "sample": one.key[1]}
            | {"profile": self._profile.name, "profile_version": self._profile.version}
            | {"detail": found.detail | {"examined": [_shown(row) for row in rows]}}
            for one, rows, found in zip(ready, asked, self._scorer.rejudged(left), strict=True)
        ])
        self._session.commit()


def _shown(row: Row[Any]) -> dict[str, Any]:
    """What was asked and answered, as it stands with a verdict."""
    return {name: getattr(row, name) for name in ("says", "says_reply", "otherwise", "otherwise_reply", "upheld")}


def _suspected_flags(of: Any) -> Any:
    """Whether reasons convict a response of the leading profile's verdict."""
    flags = of.c.detail["flags"]
    return func.coalesce(or_(*(flags[name].as_boolean() for name in _FLAGS)), False)


def _lacking(evaluation_id: str, profile: OracleProfile) -> Select[Any]:
    """The leading profile's verdicts of an evaluation that have none of a profile beside them."""
    own = verdict.alias()
    beside = (
        exists()
        .where(
            own.c.evaluation_id == verdict.c.evaluation_id,
            own.c.case_id == verdict.c.case_id,
            own.c.sample == verdict.c.sample,
            own.c.profile == profile.name,
            own.c.profile_version == profile.version,
        )
        .correlate(verdict)
    )
    return select(verdict).where(
        verdict.c.evaluation_id == evaluation_id,
        verdict.c.profile == replay_profile.PROFILE,
        verdict.c.profile_version == replay_profile.VERSION,
        ~beside,
    )


def _copy_unsuspected(session: Session, evaluation_id: str, profile: OracleProfile) -> int:
    """Verdicts that no reason decides are those of the profile as they are; how many were written. Commits."""
    new = {"profile": literal(profile.name), "profile_version": literal(profile.version)}
    columns = [new.get(column.name, column).label(column.name) for column in verdict.c]
    rows = _lacking(evaluation_id, profile).where(~_suspected_flags(verdict)).with_only_columns(*columns)
    names = [column.name for column in verdict.c]
    added = insert(verdict).from_select(names, rows).on_conflict_do_nothing().returning(verdict.c.case_id)
    found = len(session.execute(added).all())
    session.commit()
    return found


def _batches(session: Session, evaluation_id: str, profile: OracleProfile) -> Iterator[list[ResponseKey]]:
    """Responses that reasons convict and that lack a verdict of the profile, in order of their keys."""
    rows = session.execute(
        _lacking(evaluation_id, profile)
        .where(_suspected_flags(verdict))
        .with_only_columns(verdict.c.case_id, verdict.c.sample)
        .order_by(verdict.c.case_id, verdict.c.sample)
    ).all()
    for start in range(0, len(rows), BATCH):
        yield [(row.case_id, row.sample) for row in rows[start : start + BATCH]]


def _tell_pending(session: Session, row: Any, profile: OracleProfile, counts: ExaminationCounts) -> None:
    message = f"{counts.pending} responses of {row.name} have no verdict of {profile.name} yet: {counts.why}"
    way_out = f"`halluvault score examine --snapshot {row.snapshot}` asks what is missing once the examiner answers"
    incidents.record(session, "not_examined", f"examine {row.id}", message, way_out, row.snapshot)
    _log.warning("%s; %s", message, way_out)
