"""How one suite's responses are judged: a suite that is not yes/no questions brings a judge and profiles of its own."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.oracles.suites.held import PLANTED_ONLY, Held
from halluvault_tasks.storage.tables import benchmark_case, cases


class SuiteJudge(NamedTuple):
    """How one suite's responses are judged.

    Attributes:
        suite: its name.
        profiles: profile, named after the suite (`recognition/strict`) → version.
        verdicts: session, snapshot and responses, each with its case (gold, question, fact) → of each the columns of
            table `verdict` from `profile` on, by profile. What says nothing comes as an empty text.
        held: profile → what labels of a real model's responses say of it; a profile that is not in it has none.
        untried: what its figures are called as long as those are not enough.
    """

    suite: str
    profiles: Mapping[str, str]
    verdicts: Callable[[Session, str, Sequence[tuple[HeardResponse, Any]]], Sequence[Sequence[dict[str, Any]]]]
    held: Mapping[str, Held] = MappingProxyType({})
    untried: str = PLANTED_ONLY

    def judge(self, session: Session, snapshot: str, batch: Sequence[Any]) -> list[dict[str, Any]]:
        """Rows of table `verdict` without evaluation_id."""
        query = (
            select(cases.c.id, cases.c.gold, cases.c.question, benchmark_case.c.fact)
            .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
            .where(benchmark_case.c.snapshot == snapshot, cases.c.id.in_([row.case_id for row in batch]))
        )
        asked = {case.id: case for case in session.execute(query)}
        responses = [exchange.heard(row) for row in batch]
        found = self.verdicts(session, snapshot, [(each, asked[each.case_id]) for each in responses])
        return [
            {"case_id": said.case_id, "sample": said.sample, "profile_version": self.profiles[one["profile"]]}
            | one
            | _unread(said, one)
            for said, each in zip(responses, found, strict=True)
            for one in each
        ]

    @property
    def planted_only(self) -> bool:
        """Whether some profile was not held against enough labels, so that every figure of the suite must say so."""
        return not all(name in self.held and self.held[name].enough(now) for name, now in self.profiles.items())


def _unread(said: HeardResponse, verdict: Mapping[str, Any]) -> dict[str, Any]:
    """What a verdict is in place of a judge's, where there was nothing to judge."""
    unsaid = said.unsaid or ("cut_off" if said.cut and verdict["category"] == "unparseable" else "")
    if not unsaid:
        return {}
    return {"answer": "unparseable", "correct": None, "category": "unparseable", "sub_label": unsaid}
