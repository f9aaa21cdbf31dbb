"""What a model got wrong, as facts to teach it: derived facts of its cases, or statements that it contradicted."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.storage.tables import benchmark_case, cases, statement, verdict
from halluvault_tasks.wikidata.relation import Relation, relation_of

Kind = Literal["derived", "premises"]

WRONG = ("error_knowledge", "error_inference", "both", "unattributed")

_EVALUATIONS = text(r"""
SELECT evaluation_id, variant, profile_version FROM results_v1._set
WHERE snapshot = :snapshot AND model = :model AND profile = :profile AND is_current AND is_newest
    AND (starts_with(variant, :variant)
        OR regexp_replace(variant, '^(\S+) v\d+, ([^,]+), ([^,]+).*$', '\1/\2/\3') = :variant)
ORDER BY variant
""")


class HeadlineEvaluation(NamedTuple):
    """An evaluation under the newest version of the headline's profile."""

    id: str
    variant: str
    version: str


class TrueFact(NamedTuple):
    """A true fact.

    Attributes:
        o: entity; where `item` is not set a year, an age or another number.
        case_id, group: where it was asked.
        said: what the model said instead; None where it only answered yes or no.
    """

    s: int
    relation: Relation
    o: int
    case_id: str
    group: str
    rule_kind: str
    said: str | None = None
    item: bool = True
    rule: str = ""
    """Name of the rule behind the case."""


def evaluation(session: Session, snapshot: str, model: str, variant: str = "") -> HeadlineEvaluation:
    """A model's evaluation of a month's headline suites.

    Args:
        session: open session.
        snapshot: exact key.
        model: name.
        variant: its prompt variant as TEMPLATE/FORM/CONTEXT, or the beginning of what the views call it; empty: the
            only one.

    Raises:
        UserError: there is none, or several.
    """
    named = {"snapshot": snapshot, "model": model, "variant": variant, "profile": profiles.HEADLINE}
    rows = session.execute(_EVALUATIONS, named).all()
    if len(rows) != 1:
        which = ", ".join(row.variant for row in rows) or "none"
        raise UserError(
            f"{model} of {snapshot} has {len(rows)} evaluations under {profiles.HEADLINE} that begin with "
            f"{variant!r}: {which}",
            "name one with --variant, or ask the model: `halluvault evaluate --model NAME`",
        )
    return HeadlineEvaluation(rows[0].evaluation_id, rows[0].variant, rows[0].profile_version)


def judged(session: Session, of: HeadlineEvaluation, snapshot: str) -> Sequence[Any]:
    """Verdicts of an evaluation with their cases, of the headline's suites, in the order of the cases."""
    query = (
        select(
            verdict.c.case_id, verdict.c.sample, verdict.c.correct, verdict.c.category, verdict.c.detail,
            cases.c.group_id, cases.c.mutation, benchmark_case.c.fact, benchmark_case.c.rule_kind,
            benchmark_case.c.suite, benchmark_case.c.object,
        )
        .join(cases, cases.c.id == verdict.c.case_id)
        .join(benchmark_case, (benchmark_case.c.case_id == verdict.c.case_id) & (benchmark_case.c.snapshot == snapshot))
        .where(
            verdict.c.evaluation_id == of.id,
            verdict.c.profile == profiles.HEADLINE,
            verdict.c.profile_version == of.version,
            benchmark_case.c.suite.in_(HEADLINE),
        )
        .order_by(verdict.c.case_id, verdict.c.sample)
    )  # fmt: skip
    return session.execute(query).all()


def wrong(session: Session, of: HeadlineEvaluation, snapshot: str, kind: Kind) -> list[TrueFact]:
    """Facts behind what an evaluation had wrong, each subject and property once, in the order of the cases.

    Args:
        session: open session.
        of: the evaluation.
        snapshot: its month.
        kind: `derived`: true derived facts whose case it had wrong (§6.2); `premises`: statements that a convicted
            premise contradicts.

    Raises:
        UserError: there is none.
    """
    rows = [row for row in judged(session, of, snapshot) if row.category in WRONG]
    found = _derived(rows) if kind == "derived" else _premises(session, rows, snapshot)
    once: dict[tuple[int, int], TrueFact] = {}
    for one in found:
        once.setdefault((one.s, one.relation.key), one)
    if not once:
        what = "true derived fact" if kind == "derived" else "premise that was convicted"
        raise UserError(
            f"evaluation {of.id} ({of.variant}) has no {what} among its {len(rows)} wrong answers",
            "give --facts derived or premises, or another model or month",
        )
    return list(once.values())


def right(session: Session, of: HeadlineEvaluation, snapshot: str) -> list[TrueFact]:
    """True derived facts of which an evaluation had every wording right: what an edit must leave alone."""
    rows = judged(session, of, snapshot)
    failed = {row.group_id for row in rows if not (row.correct and row.category == "normal")}
    once: dict[tuple[int, int], TrueFact] = {}
    for one in _derived(row for row in rows if row.group_id not in failed):
        once.setdefault((one.s, one.relation.key), one)
    return list(once.values())


def _derived(rows: Any) -> Iterator[TrueFact]:
    for row in rows:
        fact, relation = row.fact, relation_of(row.fact)
        if row.suite == "relation" and fact.get("truth") and isinstance(fact.get("o"), int) and relation:
            item = row.object is not None
            rule = fact.get("rule", "")
            yield TrueFact(fact["s"], relation, fact["o"], row.case_id, row.group_id, row.rule_kind, None, item, rule)


def _premises(session: Session, rows: Sequence[Any], snapshot: str) -> Iterator[TrueFact]:
    convicted = [
        (row, claim)
        for row in rows
        for claim in (row.detail or {}).get("claims", ())
        if claim["role"] == "premise" and claim["status"] == "contradicted" and claim["statement"]
    ]
    wanted = {claim["statement"] for _, claim in convicted}
    query = select(statement.c.sid, statement.c.s, statement.c.p, statement.c.o).where(
        statement.c.snapshot == snapshot, statement.c.sid.in_(wanted), statement.c.kind == "item"
    )
    stated = {row.sid: row for row in session.execute(query)}
    for row, claim in convicted:
        if (true := stated.get(claim["statement"])) is not None:
            relation = Relation.of(true.p)
            yield TrueFact(true.s, relation, true.o, row.case_id, row.group_id, row.rule_kind, claim["object"])
