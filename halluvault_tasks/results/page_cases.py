"""The pages of cases: a list with filters and full-text search, and one case with everything about it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, TextClause, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.results import page, page_words

SHOWN = 50

_ERRED = "v.category IN ('error_knowledge', 'error_inference', 'both', 'unattributed')"
_OF_CASE = (
    "current e JOIN verdict v ON v.evaluation_id = e.evaluation_id AND v.case_id = c.id AND v.profile = :profile"
    " AND v.profile_version = e.profile_version"
)
_SEARCH = (
    " AND (numnode(websearch_to_tsquery('english', :search)) = 0 OR"
    " to_tsvector('english', left(c.question, 10000)) @@ websearch_to_tsquery('english', :search))"
)


def _cases(searched: bool) -> TextClause:
    """The page's query: as in the views, the newest version of the profile counts.

    Paged by key, and counted for the page alone: a page costs the same wherever it lies.
    """
    return text(
        "WITH current AS MATERIALIZED (SELECT evaluation_id, profile_version FROM results_v1._set"  # noqa: S608
        "  WHERE snapshot = :snapshot AND profile = :profile AND is_newest AND is_newest_identity"
        "  AND (:model = '' OR model = :model))"
        " SELECT c.*, v.errors, v.judged FROM ("
        "  SELECT c.id, left(c.question, 1000) AS question, c.gold, c.suite, b.domain, b.rule_kind, b.licence"
        "  FROM benchmark_case b JOIN cases c ON c.id = b.case_id"
        "  WHERE b.snapshot = :snapshot AND b.case_id > :after AND (:domain = '' OR b.domain = :domain)"
        "  AND (:licence = '' OR b.licence = :licence)"
        "  AND (:rule = '' OR b.rule_kind = :rule OR split_part(b.rule_kind, '.', 1) = :rule)"
        "  AND (b.suite = :suite OR :suite = 'headline' AND b.suite IN ('relation', 'temporal'))"
        f" {_SEARCH if searched else ''} AND (NOT :wrong OR EXISTS (SELECT 1 FROM {_OF_CASE} WHERE {_ERRED}))"
        "  ORDER BY b.case_id LIMIT :shown) c"
        f" CROSS JOIN LATERAL (SELECT count(*) AS judged, count(*) FILTER (WHERE {_ERRED}) AS errors FROM {_OF_CASE}) v"
        " ORDER BY c.id"
    )


_CASE = text(
    "SELECT c.*, b.snapshot, b.domain, b.rule_kind, b.licence, b.property, b.subject, b.object, b.fact, b.premises,"
    " b.proof, s.as_of, s.source"
    " FROM benchmark_case b JOIN cases c ON c.id = b.case_id JOIN snapshot s ON s.snapshot = b.snapshot"
    " WHERE c.id = :case AND (:snapshot = '' OR b.snapshot = :snapshot)"
    " ORDER BY s.month DESC, s.revision DESC LIMIT 1"
)
_MONTHS = text("SELECT snapshot FROM benchmark_case WHERE case_id = :case ORDER BY snapshot DESC")
_GROUP = text(
    "SELECT c.id, c.mutation, c.question, c.gold FROM cases c JOIN benchmark_case b ON b.case_id = c.id"
    " WHERE c.group_id = :group AND b.snapshot = :snapshot ORDER BY c.mutation <> 'original', c.mutation, c.id"
)
_RESPONSES = text(
    "SELECT evaluation_id, sample, status, text, refusal, thought, explanation, error, attempts, model"
    " FROM results_v1.responses WHERE case_id = :case AND snapshot = :snapshot ORDER BY model, evaluation_id, sample"
)
_VERDICTS = text(
    "SELECT v.* FROM verdict v JOIN evaluation e ON e.id = v.evaluation_id"
    " WHERE v.case_id = :case AND e.snapshot = :snapshot"
    " ORDER BY v.evaluation_id, v.sample, v.profile, v.profile_version"
)
_FILTERS = text(
    "SELECT DISTINCT domain, rule_kind FROM benchmark_case WHERE snapshot = :snapshot ORDER BY domain, rule_kind"
)


class Filter(NamedTuple):
    """Which cases are listed; empty means all.

    Attributes:
        domain: knowledge domain.
        rule: rule kind, or the kind as the papers name it.
        licence: proved, list or measured: the weakest of the block.
        model: count this model's errors alone.
        search: words, as a web search takes them: "quoted phrase", -without.
        wrong: only cases that some response was convicted on.
        after: id of the last case of the page before.
    """

    domain: str = ""
    rule: str = ""
    licence: str = ""
    model: str = ""
    search: str = ""
    wrong: bool = False
    after: str = ""


def cases(session: Session, snapshot: str = "", profile: str = "", suite: str = "", only: Filter = Filter()) -> str:
    """The questions of a month, with how many responses were judged hallucinations.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `page.overview`.
        only: which cases.
    """
    frame = page.framed(session, snapshot, profile, suite)
    chosen = frame.chosen._asdict()
    found = page.rows(session, _cases(bool(only.search)), **chosen, **only._asdict(), shown=SHOWN)
    filters = page.rows(session, _FILTERS, snapshot=frame.chosen.snapshot)
    return page.render(
        "cases.html", frame, cases=found, only={**only._asdict(), "wrong": "1" if only.wrong else ""}, shown=SHOWN,
        domains=sorted({row["domain"] for row in filters}), rules=sorted({row["rule_kind"] for row in filters}),
        licences=list(LicenceKind),
    )  # fmt: skip


def case(session: Session, case_id: str, snapshot: str = "") -> str | None:
    """The page of one case: question, gold, premises, proof, every response and every profile's verdict on it.

    Args:
        session: on the results database; it is only read.
        case_id: id of the case.
        snapshot: benchmark whose proof and responses to show; empty means the newest that has the case.

    Returns:
        HTML, or None when no such benchmark has that case.
    """
    found = page.rows(session, _CASE, case=case_id, snapshot=page.key_of(snapshot))
    if not found:
        return None
    row = found[0]
    chosen = {"case": case_id, "snapshot": row["snapshot"]}
    verdicts: dict[tuple[Any, Any], list[RowMapping]] = {}
    for verdict in page.rows(session, _VERDICTS, **chosen):
        verdicts.setdefault((verdict["evaluation_id"], verdict["sample"]), []).append(verdict)
    responses = page.rows(session, _RESPONSES, **chosen)
    return page.render(
        "case.html", page.framed(session, row["snapshot"], "", ""),
        case=row,
        months=[month["snapshot"] for month in page.rows(session, _MONTHS, case=case_id)],
        group=page.rows(session, _GROUP, group=row["group_id"], snapshot=row["snapshot"]),
        responses=responses,
        verdicts=verdicts,
        marked={(one["evaluation_id"], one["sample"]): _marked(one, verdicts) for one in responses},
    )  # fmt: skip


def _marked(response: RowMapping, verdicts: dict[tuple[Any, Any], list[RowMapping]]) -> Sequence[page_words.MarkedSpan]:
    """What the response argues with, and in it the claims of the one profile that reads claims."""
    told = verdicts.get((response["evaluation_id"], response["sample"]), [])
    claims: list[dict[str, Any]] = next(
        (
            v["detail"]["claims"]
            for v in reversed(told)
            if v["detail"].get("claims") and not cross_examination.examiner_of(v["profile"])
        ),
        [],
    )
    argues = response["text"] if response["explanation"] is None else response["explanation"]
    return page_words.marked(argues or "", claims)
