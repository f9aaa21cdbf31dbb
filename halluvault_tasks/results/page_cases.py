"""The pages of cases: a list with filters and full-text search, and one case with everything about it."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, TextClause, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.oracles.profiles import HEADLINE
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.results import page, page_words, verdict_words

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


_CURRENT = (
    "WITH current AS MATERIALIZED (SELECT evaluation_id, profile_version, model FROM results_v1._set"
    "  WHERE snapshot = :snapshot AND profile = :profile AND is_newest AND is_newest_identity"
    "  AND (:model = '' OR model IN (:model, :other)))"
)
"""As in the views, the newest version of the profile counts."""
_ONE_ERRED = f"SELECT count(DISTINCT e.model) FROM {_OF_CASE} WHERE {_ERRED}"  # noqa: S608 (texts of ours)
_DIFFER = f" AND (:other = '' OR (SELECT count(DISTINCT e.model) FROM {_OF_CASE}) = 2 AND ({_ONE_ERRED}) = 1)"  # noqa: S608


def _matching(searched: bool) -> str:
    """The cases that a filter means."""
    return (
        " FROM benchmark_case b JOIN cases c ON c.id = b.case_id"  # noqa: S608 (texts of ours)
        " WHERE b.snapshot = :snapshot AND (:domain = '' OR b.domain = :domain)"
        " AND (:licence = '' OR b.licence = :licence)"
        " AND (:rule = '' OR b.rule_kind = :rule OR split_part(b.rule_kind, '.', 1) = :rule)"
        " AND (b.suite = :suite OR :suite = 'headline' AND b.suite IN ('relation', 'temporal'))"
        f" {_SEARCH if searched else ''} AND (NOT :wrong OR EXISTS (SELECT 1 FROM {_OF_CASE} WHERE {_ERRED}))"
        f" {_DIFFER}"
    )


def _cases(searched: bool) -> TextClause:
    """A page of them, paged by key, with what was answered."""
    return text(
        f"{_CURRENT} SELECT c.*, v.errors, v.judged, v.answers FROM ("  # noqa: S608
        "  SELECT c.id, left(c.question, 1000) AS question, c.gold, c.suite, b.domain, b.rule_kind, b.licence"
        f"  {_matching(searched)} AND b.case_id > :after ORDER BY b.case_id LIMIT :shown) c"
        f" CROSS JOIN LATERAL (SELECT count(*) AS judged, count(*) FILTER (WHERE {_ERRED}) AS errors,"
        "  json_agg(json_build_object('model', e.model, 'answer', v.answer, 'category', v.category)"
        f"   ORDER BY e.model, v.sample) AS answers FROM {_OF_CASE}) v"
        " ORDER BY c.id"
    )


def _counted(searched: bool) -> TextClause:
    return text(f"{_CURRENT} SELECT count(*) AS n {_matching(searched)}")


def _around(searched: bool) -> TextClause:
    """The cases before and after one."""
    return text(
        f"{_CURRENT} SELECT (SELECT max(b.case_id) {_matching(searched)} AND b.case_id < :at) AS previous,"
        f" (SELECT min(b.case_id) {_matching(searched)} AND b.case_id > :at) AS next"
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
_PROMPTS = text(
    "SELECT e.evaluation_id, p.text FROM results_v1._evaluation e JOIN evaluation x ON x.id = e.evaluation_id"
    " JOIN prompt p ON p.snapshot = e.snapshot AND p.variant_id = x.variant_id AND p.case_id = :case"
    " WHERE e.snapshot = :snapshot"
)
_LABELS = text(
    "SELECT 'Q' || qid AS id, label FROM entity"
    " WHERE snapshot = :snapshot AND label IS NOT NULL AND 'Q' || qid = ANY(:ids)"
    " UNION ALL SELECT 'P' || pid, label FROM property WHERE snapshot = :snapshot AND 'P' || pid = ANY(:ids)"
)
_MODELS = text(
    "SELECT DISTINCT model FROM results_v1._set WHERE snapshot = :snapshot AND profile = :profile ORDER BY model"
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
        model: count this model's errors alone, and show what it answered.
        other: another model: only cases on which the judge convicts one of the two.
        search: words, as a web search takes them: "quoted phrase", -without.
        wrong: only cases that some response was convicted on.
        after: id of the last case of the page before.
    """

    domain: str = ""
    rule: str = ""
    licence: str = ""
    model: str = ""
    other: str = ""
    search: str = ""
    wrong: bool = False
    after: str = ""


def cases(session: Session, snapshot: str = "", profile: str = "", suite: str = "", only: Filter = Filter()) -> str:
    """The questions of a month, with how many responses were judged hallucinations.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `page.leaderboard`.
        only: which cases.
    """
    frame = page.framed(session, snapshot, profile, suite)
    wanted = {**frame.chosen._asdict(), **only._asdict()}
    filters = page.rows(session, _FILTERS, snapshot=frame.chosen.snapshot)
    return page.render(
        "cases.html", frame,
        cases=page.rows(session, _cases(bool(only.search)), **wanted, shown=SHOWN),
        total=page.rows(session, _counted(bool(only.search)), **wanted)[0]["n"],
        only=_address(only), shown=SHOWN, models=_names(session, frame),
        domains=sorted({row["domain"] for row in filters}), rules=sorted({row["rule_kind"] for row in filters}),
        licences=list(LicenceKind),
    )  # fmt: skip


def _names(session: Session, frame: page.Frame) -> list[str]:
    found = page.rows(session, _MODELS, snapshot=frame.chosen.snapshot, profile=frame.chosen.profile)
    return [row["model"] for row in found]


def _address(only: Filter) -> dict[str, str]:
    """A filter as parameters of an address."""
    return {**only._asdict(), "wrong": "1" if only.wrong else ""}


def case(
    session: Session, case_id: str, snapshot: str = "", profile: str = "", suite: str = "", only: Filter = Filter()
) -> str | None:
    """The page of one case: question, gold, premises, proof, every response and every profile's verdict on it.

    Args:
        session: on the results database; it is only read.
        case_id: id of the case.
        snapshot: benchmark whose proof and responses to show; empty means the newest that has the case.
        profile, suite: of the list that it was chosen from, as of `page.leaderboard`.
        only: that list's filter: what comes before and after it, and whose responses come first.

    Returns:
        HTML, or None when no such benchmark has that case.
    """
    found = page.rows(session, _CASE, case=case_id, snapshot=page.key_of(snapshot))
    if not found:
        return None
    row = found[0]
    frame = page.framed(session, row["snapshot"], profile, suite)
    chosen = {"case": case_id, "snapshot": row["snapshot"]}
    told = page.rows(session, _VERDICTS, **chosen)
    verdicts: dict[tuple[Any, Any], list[RowMapping]] = {}
    for verdict in sorted(told, key=lambda one: one["profile"] != HEADLINE):
        verdicts.setdefault((verdict["evaluation_id"], verdict["sample"]), []).append(verdict)
    first = {model: number for number, model in enumerate((only.model, only.other)) if model}
    responses = sorted(page.rows(session, _RESPONSES, **chosen), key=lambda one: first.get(one["model"], len(first)))
    labels = page.rows(session, _LABELS, snapshot=row["snapshot"], ids=verdict_words.ids([dict(one) for one in told]))
    wanted = {**frame.chosen._asdict(), **only._asdict(), "at": case_id}
    return page.render(
        "case.html", frame,
        case=row,
        around=page.rows(session, _around(bool(only.search)), **wanted)[0], only=_address(only),
        months=[month["snapshot"] for month in page.rows(session, _MONTHS, case=case_id)],
        group=page.rows(session, _GROUP, group=row["group_id"], snapshot=row["snapshot"]),
        prompts={prompt["evaluation_id"]: _turns(prompt["text"]) for prompt in page.rows(session, _PROMPTS, **chosen)},
        responses=responses,
        verdicts=verdicts,
        words=_in_words(verdicts, row["premises"], {one["id"]: one["label"] for one in labels}),
        marked={(one["evaluation_id"], one["sample"]): _marked(one, verdicts) for one in responses},
        address=verdict_words.address, site=verdict_words.SITE, headline=HEADLINE,
    )  # fmt: skip


def _in_words(
    verdicts: dict[tuple[Any, Any], list[RowMapping]], premises: Sequence[Any], labels: dict[str, str]
) -> dict[tuple[Any, Any], verdict_words.VerdictWords]:
    """Response → what our judge, in its newest version, says of it."""
    return {
        response: verdict_words.told(dict(mine[-1]), premises, labels)
        for response, several in verdicts.items()
        if (mine := [one for one in several if one["profile"] == HEADLINE])
    }


def _turns(prompt: str) -> list[str]:
    """What a model was told, turn by turn; of a plain prompt its one text."""
    try:
        told = json.loads(prompt)
    except ValueError:
        return [prompt]
    return [turn["content"] for turn in told if turn.get("content")] if isinstance(told, list) else [prompt]


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
