"""The answers of a month's models to the headline's questions, as the item model takes them (semantics.md §4.4)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Row, bindparam, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import headlines
from halluvault_tasks.statistics import shares
from halluvault_tasks.statistics.item_response import DONT_KNOW, Answers
from halluvault_tasks.statistics.shares import Floats, codes

_QUESTIONS = text("""
SELECT c.id, c.group_id, c.gold, c.question, b.suite, b.domain, b.rule_kind, b.property, b.fact
FROM benchmark_case b
JOIN cases c ON c.id = b.case_id
JOIN benchmark_part p ON p.snapshot = b.snapshot AND p.suite = b.suite
WHERE b.snapshot = :snapshot AND b.suite IN :suites AND p.published
ORDER BY c.id
""").bindparams(bindparam("suites", expanding=True))

_ASKED = text("""
SELECT s.evaluation_id, s.model, s.simulated, s.variant, s.profile_version FROM results_v1._set s
WHERE s.snapshot = :snapshot AND s.profile = :profile AND s.is_newest AND s.is_newest_identity
ORDER BY s.variant, s.model, s.evaluation_id
""")

_NAMED = text("""
SELECT evaluation_id, model, variant FROM results_v1._evaluation
WHERE evaluation_id = ANY(:evaluations) ORDER BY model, evaluation_id
""")

_READ = text("""
SELECT v.case_id,
    avg(CASE
        WHEN v.category IN ('unparseable', 'review') THEN NULL
        WHEN v.answer IN ('dont_know', 'refusal') THEN :dont_know
        ELSE coalesce(v.correct, false)::int
    END)::float8 AS right,
    count(*) FILTER (WHERE v.category NOT IN ('unparseable', 'review') AND v.answer NOT IN ('dont_know', 'refusal'))
        AS decided,
    count(*) FILTER (WHERE v.category NOT IN ('unparseable', 'review') AND v.answer IN ('dont_know', 'refusal'))
        AS open,
    count(*) FILTER (WHERE v.category = 'unparseable') AS unread,
    count(*) FILTER (WHERE v.category = 'review') AS review
FROM verdict v
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version
GROUP BY v.case_id
""")


UNGRADED = "not graded"
"""Level of a question that stores none."""


class Question(NamedTuple):
    """A question and what is known of it before it is asked."""

    id: str
    text: str
    group: str
    gold: str
    features: Mapping[str, str]
    kind: str
    property: str


class DiscountedModel(NamedTuple):
    """A model whose answers say nothing about questions, and why."""

    model: str
    why: str


class GatheredAnswers(NamedTuple):
    """What the item model is fitted to.

    Attributes:
        variant: prompt and route in which all of them were asked.
        simulated: whether the models are simulated; real ones are never mixed with them.
        models: names, in the order of the columns of `answers`.
        questions: in the order of its rows.
        left_out: models of this variant that do not count.
        counts: answers by what became of them: `yes or no`, `don't know`, `unread`, `held for review`.
    """

    variant: str
    simulated: bool
    models: Sequence[str]
    questions: Sequence[Question]
    answers: Answers
    left_out: Sequence[DiscountedModel]
    counts: Counter[str]


def questions(session: Session, snapshot: str) -> list[Question]:
    """The headline's published questions of a month, ids ascending."""
    rows = session.execute(_QUESTIONS, {"snapshot": snapshot, "suites": list(HEADLINE)})
    return [
        Question(row.id, row.question, row.group_id, row.gold, _features(row), row.rule_kind, _about(row))
        for row in rows
    ]


def _features(row: Row[Any]) -> Mapping[str, str]:
    """Feature of design → level; `design` is left out, which is made of the others."""
    known: Mapping[str, str] = row.fact.get("difficulty", {}).get("features", {})
    return {name: level for name, level in known.items() if name != "design"} | {"kind": row.rule_kind}


def _about(row: Row[Any]) -> str:
    """The property that a question is about, or else its rule's kind."""
    return str(row.rule_kind) if row.property is None else f"P{row.property}"


def variants(session: Session, snapshot: str) -> list[str]:
    """Prompt variants in which models of a month are judged, that of most models first."""
    counted = Counter(row.variant for row in _asked(session, snapshot))
    return sorted(counted, key=lambda name: (-counted[name], name))


def _asked(session: Session, snapshot: str) -> Sequence[Row[Any]]:
    return session.execute(_ASKED, {"snapshot": snapshot, "profile": profiles.HEADLINE}).all()


def gathered(session: Session, snapshot: str, variant: str, without: str = "") -> GatheredAnswers:
    """The answers of a month's models in one variant; of real models alone, if there is one.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        variant: one of `variants`.
        without: a model that is not looked at.
    """
    asked = [row for row in _asked(session, snapshot) if row.variant == variant and row.model != without]
    kept, left_out = [], []
    reasons = headlines.without(session, [row.evaluation_id for row in asked])
    real = any(not row.simulated for row in asked)
    for row in asked:
        why = reasons.get((row.evaluation_id, profiles.HEADLINE, row.profile_version, "headline"))
        if why:
            left_out.append(DiscountedModel(row.model, f"no hallucination rate: {why}"))
        elif real and row.simulated:
            left_out.append(DiscountedModel(row.model, "simulated, and real models were asked"))
        else:
            kept.append(row)
    of = questions(session, snapshot)
    place = {one.id: number for number, one in enumerate(of)}
    groups = codes([one.group for one in of])
    yes = np.array([one.gold == "yes" for one in of], dtype=bool)
    models, columns, counts = [], [], Counter[str]()
    for row in kept:
        right, became = column(session, row.evaluation_id, row.profile_version, place)
        if against := _against_the_floor(right, yes, groups):
            left_out.append(DiscountedModel(row.model, against))
            continue
        models.append(str(row.model))
        columns.append(right)
        counts += became
    together = np.stack(columns, axis=1) if columns else np.zeros((len(of), 0))
    return GatheredAnswers(variant, not real, models, of, of_columns(of, together), left_out, counts)


def of_columns(of: Sequence[Question], right: Floats) -> Answers:
    """Answers to these questions, a column for each model (`Answers.right`)."""
    features = sorted({name for one in of for name in one.features})
    levels = [[f"{name}: {one.features.get(name, UNGRADED)}" for name in features] for one in of]
    strata, properties = sorted({name for row in levels for name in row}), sorted({one.property for one in of})
    return Answers(
        right=right,
        strata=np.array([[strata.index(name) for name in row] for row in levels], dtype=np.int64),
        properties=np.array([properties.index(one.property) for one in of], dtype=np.int64),
        groups=codes([one.group for one in of]),
        stratum_names=strata,
        property_names=properties,
    )


class AnsweredColumn(NamedTuple):
    """What one evaluation answered.

    Attributes:
        right: (questions) as `Answers.right`.
        became: answers by what became of them.
    """

    right: Floats
    became: Counter[str]


def column(session: Session, evaluation: str, version: str, place: Mapping[str, int]) -> AnsweredColumn:
    """The answers of one evaluation.

    Args:
        session: open session; it is only read.
        evaluation: its id.
        version: of the headline's profile.
        place: question → row.
    """
    asked = {"evaluation": evaluation, "profile": profiles.HEADLINE, "version": version, "dont_know": DONT_KNOW}
    right, became = np.full(len(place), np.nan), Counter[str]()
    for row in session.execute(_READ, asked):
        if row.case_id not in place:
            continue
        if row.right is not None:
            right[place[row.case_id]] = row.right
        became += Counter({
            "yes or no": row.decided, "don't know": row.open, "unread": row.unread, "held for review": row.review
        })  # fmt: skip
    return AnsweredColumn(right, became)


def named(session: Session, evaluations: Sequence[str]) -> Sequence[Row[Any]]:
    """Id, model and variant of evaluations, by model."""
    return session.execute(_NAMED, {"evaluations": list(evaluations)}).all()


def _against_the_floor(column: Floats, yes: NDArray[np.bool_], groups: NDArray[np.int64]) -> str:
    """Why no ability explains a model's answers; empty: one may. Only who leans to one side is below the floor."""
    seen = ~np.isnan(column)
    for gold, mine in (("yes", yes & seen), ("no", ~yes & seen)):
        if mine.any():
            share = shares.of_sums(codes(groups[mine].tolist()), column[mine], np.ones(int(mine.sum())))
            if share is not None and share.high < DONT_KNOW:
                return f"right in {100 * share.rate:.0f} % where the answer is {gold}, less than by guessing: it leans"
    return ""
