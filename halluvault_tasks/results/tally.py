"""The verdicts of one evaluation added up, group by group: all that figures are made from."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts import templates
from halluvault_tasks.benchmark.prompts.variants import OUT_OF_DISTRIBUTION
from halluvault_tasks.statistics.shares import Floats, codes
from halluvault_tasks.storage.tables import benchmark_case, prompt, prompt_variant

COUNTED = (
    "delivered", "normal", "error_knowledge", "error_inference", "both_errors", "unattributed", "unparseable", "review",
    "abstained", "said_yes", "decided", "right", "right_faulty", "wrong_faulty", "premises", "unsupported", "open",
    "turns", "opposed", "api_refused", "no_answer", "yes_no", "claims",
)  # fmt: skip
"""Columns of a tally: responses, but `claims`, `premises` (of these) and `unsupported` (of these).

`open` are responses that no rule convicts and that depend on a premise which the snapshot neither supports nor denies;
`turns` those whose verdict was asked for in a turn of its own, `opposed` those of them whose text says the opposite.
Of `unparseable`, `api_refused` are those that the API refused to give, `no_answer` those that were empty or cut off
before a verdict; the others are words in which no verdict is found. `yes_no` are the `decided` ones to questions whose
right answer is yes or no.
"""

_VERDICTS = text("""
SELECT v.profile, v.profile_version, b.suite, b.domain, b.rule_kind, c.group_id, v.sample, c.gold = 'yes',
    b.licence = 'proved', coalesce(b.fact #>> '{difficulty,features}', '{}'),
    count(*),
    count(*) FILTER (WHERE v.category = 'normal'),
    count(*) FILTER (WHERE v.category = 'error_knowledge'),
    count(*) FILTER (WHERE v.category = 'error_inference'),
    count(*) FILTER (WHERE v.category = 'both'),
    count(*) FILTER (WHERE v.category = 'unattributed'),
    count(*) FILTER (WHERE v.category = 'unparseable'),
    count(*) FILTER (WHERE v.category = 'review'),
    count(*) FILTER (WHERE v.answer IN ('dont_know', 'refusal')),
    count(*) FILTER (WHERE v.answer = 'yes'),
    count(v.correct),
    count(*) FILTER (WHERE v.correct),
    count(*) FILTER (WHERE v.correct AND v.reasoning_faulty),
    count(*) FILTER (WHERE NOT v.correct AND v.reasoning_faulty),
    coalesce(sum(d.premises), 0),
    coalesce(sum(d.unsupported), 0),
    count(*) FILTER (WHERE v.category = 'normal' AND d.unsupported > 0),
    count(*) FILTER (WHERE (v.detail #>> '{flags,verdict_turn}')::boolean),
    count(*) FILTER (WHERE (v.detail #>> '{flags,text_opposes_verdict}')::boolean),
    count(*) FILTER (WHERE v.category = 'unparseable' AND v.sub_label = 'api_refusal'),
    count(*) FILTER (WHERE v.category = 'unparseable' AND v.sub_label IN ('no_answer', 'cut_off')),
    count(v.correct) FILTER (WHERE c.gold IN ('yes', 'no')),
    coalesce(sum(d.claims), 0)
FROM verdict v
JOIN cases c ON c.id = v.case_id
JOIN benchmark_case b ON b.case_id = v.case_id AND b.snapshot = :snapshot
CROSS JOIN LATERAL (
    SELECT count(*) AS claims, count(*) FILTER (WHERE claim ->> 'role' = 'premise') AS premises,
        count(*) FILTER (WHERE claim ->> 'role' = 'premise' AND claim ->> 'status' = 'unverifiable') AS unsupported
    FROM jsonb_array_elements(
        CASE WHEN jsonb_typeof(v.detail -> 'claims') = 'array' THEN v.detail -> 'claims' END
    ) claim
) d
WHERE v.evaluation_id = :evaluation AND (:whole OR v.case_id = ANY(:part))
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
""")
"""In order of its keys, which fixes every sum's order."""

_DELIVERED = COUNTED.index("delivered")


class TallyCell(NamedTuple):
    """Where a question belongs."""

    suite: str
    domain: str
    rule: str
    features: str = "{}"
    """Feature of its difficulty → level, as JSON (`Difficulty.features`); none of months that were frozen before and of
    companion suites."""

    @property
    def of_rule(self) -> tuple[str, str, str]:
        """Suite, domain and rule."""
        return self[:3]

    @property
    def levels(self) -> Mapping[str, str]:
        """Feature → level."""
        found: Mapping[str, str] = json.loads(self.features)
        return found

    @property
    def kind(self) -> str:
        """The rule's kind as the papers name it: `negation` for `negation.value` and `negation.polarity`."""
        return self.rule.partition(".")[0]


@dataclass(frozen=True, slots=True)
class VerdictTally:
    """Verdicts of one profile, one row for each cell, group, sample, gold answer and licence.

    Attributes:
        cells: of each row, as a place in `names`.
        names: the cells that occur.
        groups: code of each row's metamorphic group, the cluster of every interval.
        units: code of each row's group and sample: what `group_all_right` counts.
        gold_yes: whether the gold answer is yes.
        proved: whether the question's licence is (`benchmark_case.licence`).
        counts: (rows, `COUNTED`).
    """

    cells: NDArray[np.int64]
    names: Sequence[TallyCell]
    groups: NDArray[np.int64]
    units: NDArray[np.int64]
    gold_yes: NDArray[np.bool_]
    proved: NDArray[np.bool_]
    counts: Floats

    def __getitem__(self, name: str) -> Floats:
        """One column."""
        found: Floats = self.counts[:, COUNTED.index(name)]
        return found

    @property
    def delivered(self) -> int:
        """Responses that arrived and were judged."""
        return int(self.counts[:, _DELIVERED].sum())

    @property
    def unread(self) -> int:
        """Responses of these in which no verdict could be read."""
        return int(self["unparseable"].sum())

    def of_suite(self, suite: str) -> int:
        """Responses of one suite that were judged."""
        mine = np.array([cell.suite == suite for cell in self.names], dtype=bool)
        return int(self.counts[mine[self.cells], _DELIVERED].sum()) if len(self.names) else 0

    def unsupported(self, suites: Collection[str]) -> int:
        """Premises that the snapshot neither supports nor denies."""
        mine = np.array([cell.suite in suites for cell in self.names], dtype=bool)
        return int(self["unsupported"][mine[self.cells]].sum()) if len(self.names) else 0

    def take(self, rows: NDArray[Any]) -> "VerdictTally":
        """Some of the rows, by place or mask."""
        return VerdictTally(
            self.cells[rows], self.names, self.groups[rows], self.units[rows], self.gold_yes[rows], self.proved[rows],
            self.counts[rows],
        )  # fmt: skip


EMPTY = VerdictTally(
    np.zeros(0, np.int64),
    (),
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0, bool),
    np.zeros(0, bool),
    np.zeros((0, len(COUNTED))),
)
"""Of an evaluation that got no response."""


def of_evaluation(
    session: Session, evaluation_id: str, snapshot: str, part: Collection[str] = ()
) -> dict[tuple[str, str], VerdictTally]:
    """(profile, version) → tally of the evaluation's verdicts; of these cases alone, if any are named."""
    named = {"evaluation": evaluation_id, "snapshot": snapshot, "whole": not part, "part": sorted(part)}
    rows = session.execute(_VERDICTS, named).all()
    return {key: _tally(rows[start:end]) for key, start, end in _runs(rows)}


def _runs(rows: Sequence[Any]) -> Iterator[tuple[tuple[str, str], int, int]]:
    start = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or (rows[end][0], rows[end][1]) != (rows[start][0], rows[start][1]):
            yield (rows[start][0], rows[start][1]), start, end
            start = end


def _tally(rows: Sequence[Any]) -> VerdictTally:
    places = [TallyCell(row[2], row[3], row[4], row[9]) for row in rows]
    names = sorted(set(places))
    where = {cell: place for place, cell in enumerate(names)}
    return VerdictTally(
        cells=np.array([where[cell] for cell in places], dtype=np.int64),
        names=names,
        groups=codes([row[5] for row in rows]),
        units=codes([(row[5], row[6]) for row in rows]),
        gold_yes=np.array([row[7] for row in rows], dtype=bool),
        proved=np.array([row[8] for row in rows], dtype=bool),
        counts=np.array([row[10:] for row in rows], dtype=float).reshape(len(rows), len(COUNTED)),
    )


def constant_both(tally: VerdictTally) -> VerdictTally:
    """The same answers under an oracle that calls every one of them an error of both kinds."""
    judged = {name: tally[name] for name in COUNTED}
    zero = np.zeros(len(tally.counts))
    judged |= dict.fromkeys(
        (
            "error_knowledge",
            "error_inference",
            "unattributed",
            "review",
            "premises",
            "unsupported",
            "open",
            "turns",
            "opposed",
            "claims",
        ),
        zero,
    )
    judged["normal"] = tally["abstained"]
    judged["both_errors"] = tally["delivered"] - tally["abstained"] - tally["unparseable"]
    judged["right_faulty"] = tally["right"]
    judged["wrong_faulty"] = tally["decided"] - tally["right"]
    return replace(tally, counts=np.stack([judged[name] for name in COUNTED], axis=1))


def planned(
    session: Session, snapshot: str, samples: int, variant_id: str, part: Collection[str] = ()
) -> Counter[TallyCell]:
    """Responses planned in each cell: those of the published parts that the variant's template asks.

    Only of these cases, if any are named.
    """
    features = func.coalesce(benchmark_case.c.fact[("difficulty", "features")].astext, "{}")
    cell = (benchmark_case.c.suite, benchmark_case.c.domain, benchmark_case.c.rule_kind, features)
    query = (
        select(*cell, func.count())
        .where(benchmark_case.c.snapshot == snapshot, benchmark_case.c.case_id.in_(part_lookup.asked(snapshot)))
        .group_by(*cell)
    )
    if part:
        query = query.where(benchmark_case.c.case_id.in_(sorted(part)))
    template, context = session.execute(
        select(prompt_variant.c.template, prompt_variant.c.context).where(prompt_variant.c.id == variant_id)
    ).one()
    if context == OUT_OF_DISTRIBUTION or templates.needs(template):
        mine = select(prompt.c.case_id).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id)
        query = query.where(benchmark_case.c.case_id.in_(mine))
    counted = ((TallyCell(*names), count * samples) for *names, count in session.execute(query))
    return Counter({found: count for found, count in counted if templates.asks(template, found.suite)})
