"""People's labels of reciprocity in audited pressure cases: agreement first, and a figure only if it suffices.

Both are stored as figures of the evaluations that were labelled, scope `audit`: α of the whole file in each, the share
of its own responses that fail.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.pressure.schema import NAME, PressureFact
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.suites.pressure import PROFILE
from halluvault_tasks.results import store
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import verdicts
from halluvault_tasks.statistics import agreement, shares
from halluvault_tasks.statistics.agreement import Agreement
from halluvault_tasks.statistics.shares import ShareRate

METRICS = ("krippendorff_alpha", "audited_reciprocity")

_JUDGED = text("""
SELECT v.evaluation_id, v.case_id, v.sample, v.profile_version, b.fact
FROM verdict v
JOIN results_v1._set s ON s.evaluation_id = v.evaluation_id AND s.profile = v.profile
    AND s.profile_version = v.profile_version AND s.is_newest
JOIN benchmark_case b ON b.case_id = v.case_id AND b.snapshot = s.snapshot
WHERE v.profile = :profile AND v.evaluation_id = ANY(:evaluations)
""")

_Response = tuple[str, str]
"""Case and model of a label."""


class _Label(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    item: int = 0
    """Its number on the sheet, for whoever fills it in."""
    case: str = Field(min_length=1)
    model: str = Field(min_length=1)
    annotator: str = Field(min_length=1)
    reciprocity: int = Field(ge=0, le=1)


class PressureAudit(NamedTuple):
    """What labels amount to.

    Attributes:
        found: agreement.
        annotators: how many there are.
        errors: share of responses that most labels find unfair; None where agreement does not suffice.
        tied: responses with as many labels for as against, which are in no share.
        votes: labels of each response, by case and model.
        lines: where each response is labelled first.
    """

    found: Agreement
    annotators: int
    errors: ShareRate | None
    tied: int
    votes: Mapping[_Response, Counter[int]]
    lines: Mapping[_Response, int]

    @property
    def enough(self) -> bool:
        """Whether a figure may depend on them."""
        return self.found.alpha is not None and self.found.alpha >= agreement.ENOUGH


def read(path: Path) -> PressureAudit:
    """The agreement of a file's labels, and the figure that they allow.

    Args:
        path: JSON Lines: {"case", "model", "annotator", "reciprocity": 0 or 1}, one of each annotator and response.

    Raises:
        UserError: the file cannot be read, or a line is no label, or one that was given before.
    """
    units: dict[_Response, list[int]] = defaultdict(list)
    places: dict[_Response, int] = {}
    seen: set[tuple[str, str, str]] = set()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a file of JSON Lines in UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        one = _label(path, number, line)
        if (key := (one.case, one.model, one.annotator)) in seen:
            raise UserError(
                f"{path}, line {number}: {one.annotator} has labelled {one.case} of {one.model} before",
                "keep one label of each annotator",
            )
        seen.add(key)
        units[one.case, one.model].append(one.reciprocity)
        places.setdefault((one.case, one.model), number)
    votes = {unit: Counter(labels) for unit, labels in units.items()}
    tied = sum(each[0] == each[1] for each in votes.values())
    audit = PressureAudit(_agreement(units), len({annotator for _, _, annotator in seen}), None, tied, votes, places)
    if not audit.enough:
        return audit
    return audit._replace(errors=shares.rate((case, failed) for (case, _), failed in _decided(votes)))


def _agreement(units: Mapping[_Response, Sequence[int]]) -> Agreement:
    of_any: dict[Hashable, Sequence[Hashable]] = dict(units)
    return agreement.nominal(of_any)


def _decided(votes: Mapping[_Response, Counter[int]]) -> list[tuple[_Response, bool]]:
    """Responses that most labels agree on, and whether most find them unfair."""
    return [(unit, each[0] > each[1]) for unit, each in votes.items() if each[0] != each[1]]


def keep(session: Session, path: Path, audit: PressureAudit) -> int:
    """Store what labels amount to; the caller commits.

    Args:
        session: open session.
        path: of the labels, for messages.
        audit: what was read of it.

    Returns:
        Rows written.

    Raises:
        UserError: a label is about a response that is not judged, or not audited.
    """
    facts: dict[_Response, PressureFact] = {}
    versions: dict[str, str] = {}
    named = sorted({model.partition(":")[0] for _, model in audit.votes})
    for row in session.execute(_JUDGED, {"profile": PROFILE, "evaluations": named}):
        versions[row.evaluation_id] = row.profile_version
        facts[row.case_id, f"{row.evaluation_id}:{row.sample}"] = PressureFact.model_validate(row.fact)
    for unit, line in audit.lines.items():
        _check(f"{path}, line {line}", unit, versions, facts)
    decided = _decided(audit.votes) if audit.enough else []
    written = 0
    for evaluation_id, version in versions.items():
        mine = [(facts[unit].cluster, failed) for unit, failed in decided if _evaluation_of(unit) == evaluation_id]
        alpha = Figure(NAME, "audit", "", "krippendorff_alpha", audit.found.alpha, None, None, None, audit.found.units,
                       None, None)  # fmt: skip
        failing = verdicts.share(NAME, "audit", "", "audited_reciprocity", mine)
        written += store.put(session, ResultSet(evaluation_id, PROFILE, version), [alpha, failing], METRICS)
    return written


def _evaluation_of(unit: _Response) -> str:
    """The evaluation that a label's model names."""
    return unit[1].partition(":")[0]


def _check(where: str, unit: _Response, versions: Mapping[str, str], facts: Mapping[_Response, Any]) -> None:
    case, model = unit
    way_out = "take the names that `halluvault suites sheet FILE --suite pressure --audited-by NAME` writes"
    if _evaluation_of(unit) not in versions:
        raise UserError(f"{where}: no judged evaluation of the suite {NAME} is called {model!r}", way_out)
    if unit not in facts:
        raise UserError(f"{where}: {model!r} has no judged response to a case {case!r}", way_out)
    if facts[unit].grading != "audited":
        raise UserError(f"{where}: case {case!r} is not audited, but {facts[unit].grading}", way_out)


def _label(path: Path, number: int, line: str) -> _Label:
    form = '{"case": ID, "model": NAME, "annotator": NAME, "reciprocity": 0 or 1}'
    try:
        return _Label.model_validate(json.loads(line))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        at = ".".join(str(part) for part in fault["loc"]) or "the label"
        raise UserError(f"{path}, line {number}: {at}: {fault['msg']}", f"one a line: {form}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}, line {number}: no JSON object: {line[:80]!r}", f"one a line: {form}") from error
