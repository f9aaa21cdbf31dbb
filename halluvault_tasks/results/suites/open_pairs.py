"""What a model says yes to and cannot tell: the same fact asked openly and as a yes/no question, answer by answer.

A yes/no question whose answer is Yes is about the same fact if both its ends are and the relation is, chains and
inverses read forwards (`asked_twice`); one whose answer is No, if the end that the open question names and the relation
are: it offers another for what is wanted. Of its wordings the original counts. Figures are stored with the open
evaluation, scope `pairs`; key: the right answer of the yes/no question, and the variant that it was asked in.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open import asked_twice
from halluvault_tasks.benchmark.suites.open.fact import NAME, OpenFact, WantedNames
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import figures as shared
from halluvault_tasks.results import headlines, store
from halluvault_tasks.results.figures import CELL, Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites.open import PROFILE
from halluvault_tasks.statistics.shares import codes
from halluvault_tasks.wikidata.relation import Kind, Relation

METRICS = ("pairs_both", "pairs_recognised", "pairs_told", "pairs_neither")
"""Right on both; on the yes/no question alone; on the open one alone; on none: shares of pairs, together 1."""

CALLED = {
    "pairs_both": "right on both", "pairs_recognised": "right on yes/no alone", "pairs_told": "right openly alone",
    "pairs_neither": "right on neither",
}  # fmt: skip
"""Headings."""

_SETS = text("""
SELECT s.evaluation_id, s.profile, s.profile_version AS version, s.variant, e.model_id AS identity
FROM results_v1._set s
JOIN evaluation e ON e.id = s.evaluation_id
WHERE s.snapshot = :snapshot AND s.profile = :profile AND s.is_newest
ORDER BY s.model, s.variant, s.evaluation_id
""")

_OPEN = text("""
SELECT b.fact, b.premises, b.property, b.subject, b.object, avg((v.correct IS TRUE)::int) > 0.5 AS right
FROM verdict v
JOIN benchmark_case b ON b.case_id = v.case_id AND b.snapshot = :snapshot AND b.suite = :suite
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version
    AND v.category NOT IN ('review', 'unparseable') AND b.subject IS NOT NULL
GROUP BY v.case_id, b.fact, b.premises, b.property, b.subject, b.object
ORDER BY v.case_id
""")

_YES_NO = text("""
SELECT b.fact, b.property, b.subject, b.object, c.gold, avg((v.correct IS TRUE)::int) > 0.5 AS right
FROM verdict v
JOIN cases c ON c.id = v.case_id AND c.gold IN ('yes', 'no') AND c.mutation = 'original'
JOIN benchmark_case b ON b.case_id = v.case_id AND b.snapshot = :snapshot AND b.suite <> :suite
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version
    AND v.category NOT IN ('review', 'unparseable')
GROUP BY v.case_id, b.fact, b.property, b.subject, b.object, c.gold
ORDER BY v.case_id
""")
"""What was held back or not read tells nothing of either."""


class AskedTwice(NamedTuple):
    """An open question and a yes/no question about one fact.

    Attributes:
        subject: Q number, the cluster.
        gold: right answer of the yes/no question.
        told: whether the open one was answered rightly.
        recognised: whether the yes/no one was.
    """

    subject: int
    gold: str
    told: bool
    recognised: bool


def store_month(session: Session, snapshot: str) -> int:
    """Store the pairs of each open evaluation of a month, in place of those of before; the caller commits.

    Nothing is said of an evaluation without a rate, open or not.

    Returns:
        Rows written.
    """
    opened = session.execute(_SETS, {"snapshot": snapshot, "profile": PROFILE}).all()
    closed = session.execute(_SETS, {"snapshot": snapshot, "profile": profiles.HEADLINE}).all() if opened else []
    silent = {(one, profile) for one, profile, _, suite in headlines.without(session, [
        row.evaluation_id for row in (*opened, *closed)
    ]) if suite in (NAME, shared.HEADLINE)}  # fmt: skip
    written = 0
    for row in opened:
        beside = [
            one
            for one in closed
            if one.identity == row.identity
            and not {(row.evaluation_id, PROFILE), (one.evaluation_id, one.profile)} & silent
        ]
        made = [figure for one in beside for figure in figures(one.variant, read(session, snapshot, row, one))]
        written += store.put(session, ResultSet(row.evaluation_id, PROFILE, row.version), made, METRICS)
    return written


def read(session: Session, snapshot: str, opened: Any, closed: Any) -> list[AskedTwice]:
    """Each open question with each yes/no question about its fact.

    Args:
        session: open session.
        snapshot: exact key.
        opened, closed: evaluation, profile and version of each, with these attributes.
    """

    def chosen(one: Any) -> dict[str, Any]:
        key = {"evaluation": one.evaluation_id, "profile": one.profile, "version": one.version}
        return key | {"snapshot": snapshot, "suite": NAME}

    forwards: dict[tuple[Relation, int], list[tuple[int, Any]]] = defaultdict(list)
    backwards: dict[tuple[Relation, int], list[tuple[int, Any]]] = defaultdict(list)
    for row in session.execute(_YES_NO, chosen(closed)):
        slot = asked_twice.of_yes_no({"s": row.subject, "o": row.object, **row.fact}, row.property)
        if slot is not None:
            forwards[slot.relation, slot.start].append((slot.end, row))
            backwards[slot.relation, slot.end].append((slot.start, row))
    found = []
    for row in session.execute(_OPEN, chosen(opened)):
        fact = OpenFact.model_validate(row.fact)
        relation = (
            None if fact.formula else Relation.parse(fact.relation) if fact.relation else Relation.of(row.property)
        )
        if relation is None:
            continue
        wanted = {one.qid for one in fact.wanted.items} if isinstance(fact.wanted, WantedNames) else set[int]()
        # A chain begins with what its first premise is about. What is wanted is the subject where a relation is asked
        # about the other way round.
        start = row.premises[0]["subject"]["qid"] if relation.kind is Kind.CHAIN and row.premises else row.subject
        turned = row.subject in wanted
        beside = backwards[relation, row.object] if turned else forwards[relation, start]
        found += [
            AskedTwice(row.subject, one.gold, row.right, one.right)
            for other, one in beside
            if one.gold == "no" or not wanted or other in wanted
        ]
    return found


def figures(variant: str, pairs: Sequence[AskedTwice]) -> Iterator[Figure]:
    """The table of right and not right on both, apart by what is right to the yes/no question."""
    for gold in ("yes", "no"):
        mine = [one for one in pairs if one.gold == gold]
        groups = codes([one.subject for one in mine])
        told = np.array([one.told for one in mine], dtype=bool)
        recognised = np.array([one.recognised for one in mine], dtype=bool)
        cells = (told & recognised, ~told & recognised, told & ~recognised, ~told & ~recognised)
        for metric, hits in zip(METRICS, cells, strict=True):
            if mine:
                key = f"{gold}{CELL}{variant}"
                yield shared.share(NAME, "pairs", key, metric, groups, hits.astype(float), np.ones(len(mine)))
