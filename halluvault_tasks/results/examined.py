"""What stands beside every rate of a cross-examined profile: how often its examiner is right on labelled claims."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.cross_examination import profile as profiles
from halluvault_tasks.oracles.cross_examination.trial import ENOUGH
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.results.figures import HEADLINE, Figure

METRICS = ("examiner_sensitivity", "examiner_specificity")
"""Of labelled claims that a text says, those upheld; of misread ones, those not upheld. Scope `examiner`."""

SCOPE = "examiner"

_TRIAL = text("""
SELECT count(*) FILTER (WHERE said AND upheld) AS upheld, count(*) FILTER (WHERE said) AS said,
    count(*) FILTER (WHERE NOT said AND NOT upheld) AS refused, count(*) FILTER (WHERE NOT said) AS misread
FROM examiner_trial JOIN model ON model.id = examiner
WHERE model.name = :examiner AND labelled = (
    SELECT labelled FROM examiner_trial JOIN model ON model.id = examiner
    WHERE model.name = :examiner ORDER BY asked_at DESC, labelled LIMIT 1
)
""")


class ExaminerTrust(NamedTuple):
    """What an examiner made of labelled claims."""

    examiner: str
    sensitivity: HitShare | None
    specificity: HitShare | None

    @property
    def claims(self) -> int:
        """Labelled claims that it answered."""
        return sum(one.of for one in (self.sensitivity, self.specificity) if one)

    @property
    def is_measured(self) -> bool:
        """Whether they are enough."""
        return self.claims >= ENOUGH and None not in (self.sensitivity, self.specificity)

    @property
    def words(self) -> str:
        """For people."""
        if not self.is_measured:
            return (
                f"{self.examiner} answered {self.claims} labelled claims of the {ENOUGH} that are wanted: how far to "
                "trust it is unknown (`halluvault oracle measure examiner`)"
            )
        says, misread = (_percent(one) for one in (self.sensitivity, self.specificity))
        return (
            f"{self.examiner} upholds {says} of what a text says, and refuses {misread} of what was misread "
            f"({self.claims} labelled claims)"
        )


def _percent(one: HitShare | None) -> str:
    return f"{100 * one.value:.1f} % [{100 * one.low:.1f}–{100 * one.high:.1f}]" if one else "–"


def trust(session: Session, profile: str) -> ExaminerTrust | None:
    """What is known of a profile's examiner; None for a profile of none."""
    examiner = profiles.examiner_of(profile)
    if not examiner:
        return None
    row = session.execute(_TRIAL, {"examiner": examiner}).one()
    return ExaminerTrust(examiner, share(row.upheld, row.said), share(row.refused, row.misread))


def of_evaluation(session: Session, profile: str) -> Iterator[Figure]:
    """The two figures as rows beside those of an evaluation; none of a profile without an examiner."""
    found = trust(session, profile)
    for metric, one in zip(METRICS, (found.sensitivity, found.specificity), strict=True) if found else ():
        if one is not None:
            yield Figure(HEADLINE, SCOPE, "", metric, one.value, one.low, one.high, one.hits, one.of, None, None)
