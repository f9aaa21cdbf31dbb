"""What judging and judging anew share: which responses are left, and how they are judged and stored by the batch.

A response on which judging fails gets the verdict `review` (oracle or gold at fault), which stands in the rate's band,
and an incident.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import and_, func, select, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import isolation, suites
from halluvault_tasks.oracles.isolation import BATCH, NOT_JUDGED, JudgingFault
from halluvault_tasks.oracles.scorer import ScoredBatch, UnreadResponse, delivered_rows
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.tables import cases, incident, response, verdict

_PROBES = 3
"""Other questions that are tried before a judge is said to judge nothing."""

NOT_READ = "not_read"
"""Kind of the incident of a response that an extractor refused although it reads other texts."""


class UnstoredText(NamedTuple):
    """A text to judge without storing anything: what `studies.oracle` plants."""

    case_id: str
    sample: int
    """Tells items on one case apart; comes back in the verdict."""
    text: str
    transcript: Sequence[Mapping[str, str]] | None = None
    """The turns, where the verdict was asked for in one of its own; `text` is then the last reply."""

    prompt: str = ""
    finish_reason: str = ""
    thought: None = None
    refusal: None = None


Judge = Callable[[str, Sequence[Any]], ScoredBatch]
"""An evaluation and responses of it to verdicts, as `Scorer.judge`; the evaluation is empty for texts of none."""


class JudgingLane(NamedTuple):
    """One evaluation's responses on their way to their verdicts."""

    session: Session
    snapshot: str
    evaluation_id: str

    @property
    def work(self) -> LeasedWork:
        """What nobody else may do meanwhile: judge the same responses."""
        return LeasedWork(self.snapshot, f"score {self.evaluation_id}")

    def require_rows(self) -> None:
        """Judging reads the month's statements: without them every claim would be unverifiable, and nobody convicted.

        Raises:
            UserError: they were dropped.
        """
        if self.snapshot in snapshots.dropped(self.session):
            raise UserError(
                f"the rows of {self.snapshot} were dropped: its responses cannot be judged any more",
                "its verdicts stand as they are; judge months that `halluvault snapshot list` does not call dropped",
            )

    def missing(self, wanted: Mapping[str, str], only: str = "", suite: str = "") -> Iterator[Sequence[Any]]:
        """Batches of delivered responses that lack a verdict of a profile's version, by key; of no profile: all.

        With `only`, a verdict with this sub-label counts as lacking. They are of one suite, or of all without a judge
        of their own.
        """
        counted = [
            verdict.c.evaluation_id == self.evaluation_id,
            tuple_(verdict.c.profile, verdict.c.profile_version).in_(list(wanted.items()) or [("", "")]),
        ]
        if only:
            counted.append(verdict.c.sub_label.is_distinct_from(only))
        present = (
            select(verdict.c.case_id, verdict.c.sample)
            .where(*counted)
            .group_by(verdict.c.case_id, verdict.c.sample)
            .having(func.count() == max(1, len(wanted)))
            .subquery()
        )
        key = tuple_(response.c.case_id, response.c.sample)
        lacking = (
            self
            ._delivered(suite)
            .outerjoin(present, and_(present.c.case_id == response.c.case_id, present.c.sample == response.c.sample))
            .where(present.c.case_id.is_(None))
            .order_by(response.c.case_id, response.c.sample)
            .limit(BATCH)
        )
        last = ("", 0)
        while batch := self.session.execute(lacking.where(key > last)).all():
            last = (batch[-1].case_id, batch[-1].sample)
            yield batch

    def judged(
        self,
        batches: Iterable[Sequence[Any]],
        wanted: Mapping[str, str],
        judge: Callable[[], Judge],
        keep: Callable[[Sequence[Mapping[str, Any]]], Mapping[str, int]],
        suite: str = "",
        tell: bool = True,
    ) -> Iterator[Counter[str]]:
        """Judge responses. Commits by the batch.

        Args:
            batches: from `missing`.
            wanted: profiles and their versions, by which a response that cannot be judged is held back.
            judge: gives the judge; not called where nothing is left.
            keep: stores verdicts and counts; its failure counts as that of judging.
            suite: of the responses, as for `missing`.
            tell: whether to hold back and to tell of what could not be judged or read.

        Returns:
            Of each batch: responses `judged`, `phrases` embedded, `unread` and `held_back` responses, and what `keep`
            counts; `stored` has the verdicts `review`, too.
        """
        for batch in batches:
            found = judge()

            def part(rows: Sequence[Any], found: Judge = found) -> tuple[ScoredBatch, Mapping[str, int]]:
                made = found(self.evaluation_id, rows)
                return made, keep(made.rows)

            works = partial(self._works, batch, partial(found, ""), suite)
            parts, faults = isolation.each_by_itself(self.session, batch, part, works)
            unread = [one for made, _ in parts for one in made.unread]
            counts = Counter(judged=len(batch), unread=len(unread), held_back=len(faults))
            for made, kept in parts:
                counts.update(kept, phrases=made.phrases)
            if tell:
                counts["stored"] += self._hold_back(faults, wanted)
                self._tell_unread(unread)
            self.session.commit()
            yield counts

    def add(self, rows: Sequence[Mapping[str, Any]]) -> int:
        """Store verdicts that are not there; how many those were."""
        if not rows:
            return 0
        added = insert(verdict).on_conflict_do_nothing().returning(verdict.c.case_id)
        return len(self.session.execute(added, list(rows)).all())

    def _hold_back(self, faults: Sequence[JudgingFault], wanted: Mapping[str, str]) -> int:
        """Verdicts `review`, and incidents, for what cannot be judged; how many verdicts."""
        way_out = (
            f"`halluvault score rescore --snapshot {self.snapshot} --only {NOT_JUDGED}` tries again; "
            "a newer version of the judge judges it anew by itself"
        )
        for one in faults:
            if not self.told(NOT_JUDGED, one):
                message = f"judging this response fails ({one.reason}); its verdict is review"
                self._tell(NOT_JUDGED, one, message, way_out)
        # The error's words may hold a path or a time, and verdicts are the same bytes on every machine.
        return self.add([
            {"evaluation_id": self.evaluation_id, "case_id": one.case_id, "sample": one.sample, "profile": profile}
            | {"profile_version": version, "answer": "unparseable", "category": "review", "sub_label": NOT_JUDGED}
            | {"detail": {"marker": "not judged", "span": [0, 0], "error": type(one.error).__name__}}
            for one in faults
            for profile, version in wanted.items()
        ])

    def _tell_unread(self, unread: Sequence[UnreadResponse]) -> None:
        for one in unread:
            name = one.extractor
            message = f"{name} could not read this response ({one.reason}); it has no verdict of {name}'s profiles"
            way_out = (
                f"`halluvault score run --extractor {name}` tries again; what fails again may be too long or too odd "
                "for it"
            )
            if message not in self.told(NOT_READ, one):
                self._tell(NOT_READ, one, message, way_out)

    def _tell(self, kind: str, one: JudgingFault | UnreadResponse, message: str, way_out: str) -> None:
        incidents.add(self.session, kind, self._where(one), message, way_out, self.snapshot)

    def told(self, kind: str, one: Any) -> Sequence[str]:
        """What the incidents of a kind say of a response (case_id, sample)."""
        of_it = incident.c.kind == kind, incident.c.where == self._where(one)
        return self.session.scalars(select(incident.c.message).where(*of_it)).all()

    def _where(self, one: Any) -> str:
        return f"score {self.evaluation_id}:{one.case_id}:{one.sample}"

    def _works(self, batch: Sequence[Any], judge: Callable[[Sequence[Any]], object], suite: str) -> bool:
        """Whether a judge can judge a plain yes to some other question of the evaluation."""
        others = self.session.scalars(
            self
            ._delivered(suite)
            .with_only_columns(response.c.case_id)
            .where(response.c.case_id.not_in([row.case_id for row in batch]))
            .order_by(response.c.case_id)
            .limit(_PROBES)
        ).all()
        for case_id in others:
            with suppress(Exception), self.session.begin_nested():
                judge([UnstoredText(case_id, 1, "Yes.")])
                return True
        return False

    def _delivered(self, suite: str) -> Any:
        """Responses of one suite, or of all without a judge of their own."""
        of_it = cases.c.suite == suite if suite else cases.c.suite.not_in(suites.JUDGES)
        return delivered_rows(self.evaluation_id).join(cases, cases.c.id == response.c.case_id).where(of_it)
