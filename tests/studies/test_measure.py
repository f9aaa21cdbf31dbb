"""Figures counted by hand, baselines, thresholds."""

from collections import Counter

import pytest

from halluvault_tasks.local.personas.fault_kinds import FaultKind
from halluvault_tasks.oracles import paper
from halluvault_tasks.statistics.shares import succession
from studies.oracle import measure, report, run
from studies.oracle.measure import Outcome


def _outcome(fault: FaultKind, expected: str, said: str, *, cluster: str = "1", right: bool | None = True) -> Outcome:
    return Outcome(cluster, fault, "s", "prose", right, expected, said, "yes", right, 2, 1, 0.5, 0.9)


OUTCOMES = [
    _outcome(FaultKind.PLAIN, "normal", "normal", cluster="1"),
    _outcome(FaultKind.VERBOSE, "normal", "both", cluster="2"),
    _outcome(FaultKind.RIGHT_SWAP, "error_knowledge", "error_knowledge", cluster="3"),
    _outcome(FaultKind.RIGHT_STEP, "error_inference", "normal", cluster="4"),
    _outcome(FaultKind.WRONG_KNOWN, "error_inference", "both", cluster="5", right=False),
    _outcome(FaultKind.NO_ANSWER, "unparseable", "unparseable", cluster="6", right=None),
    _outcome(FaultKind.RIGHT_UNDECIDED, "error_knowledge", "normal", cluster="7"),
]


def test_laplaces_rule_gives_the_papers_figure() -> None:
    assert round(100 * succession(270, 270), 1) == 99.6


def test_precision_recall_and_categories_count_every_response_decided_or_not() -> None:
    found = measure.report("p", "1", OUTCOMES)
    assert found.all.responses == 7
    assert (found.all.precision.hits, found.all.precision.total) == (2, 3)
    assert (found.all.recall.hits, found.all.recall.total) == (2, 4)
    assert (found.all.false_alarms.hits, found.all.false_alarms.total) == (1, 3)
    assert (found.all.category.hits, found.all.category.total) == (3, 7)
    assert found.all.coverage == 0.5
    assert found.all.succession == pytest.approx(3 / 5)
    assert (found.right_answer.recall.hits, found.right_answer.recall.total) == (1, 3)
    assert found.verbose.rate == 1.0
    assert (found.decided.hits, found.decided.total) == (3, 4)
    assert (found.decided_recall.hits, found.decided_recall.total) == (2, 3)
    assert found.confusion["error_inference"] == {"normal": 1, "both": 1}
    assert [row.key for row in found.faults][:2] == ["plain", "verbose"]


def test_baselines_know_nothing_but_the_answer() -> None:
    found = {name: measure.report(name, "", listed) for name, listed in measure.baselines(OUTCOMES).items()}
    assert found["constant hallucination"].all.recall.rate == 1.0
    assert found["constant hallucination"].all.precision.rate == pytest.approx(4 / 7)
    assert found["constant normal"].all.precision is None
    assert found["answer only"].right_answer.recall.rate == 0.0
    assert found["answer only"].all.recall.hits == 1


def test_another_threshold_is_judged_as_the_paper_judges_its_own() -> None:
    for edge in (0.0, 0.5, 0.8, 1.0):
        for node in (0.0, 0.79, 0.8, 1.0):
            assert run.by_likeness(edge, node, paper.THRESHOLD) == paper.reasoning_category(edge, node)


def test_the_best_threshold_parts_sound_from_faulty() -> None:
    sound = [_outcome(FaultKind.PLAIN, "normal", "both")._replace(edge=0.6, node=0.7)] * 5
    bad = [_outcome(FaultKind.RIGHT_STEP, "both", "normal")._replace(edge=0.3, node=0.2)] * 5
    best = measure.best_threshold([*sound, *bad], run.by_likeness)
    assert 0.2 < best <= 0.6
    moved = measure.rethreshold([*sound, *bad], best, run.by_likeness)
    assert Counter(one.said for one in moved) == {"normal": 5, "error_knowledge": 5}


def test_a_claim_whose_words_mean_nothing_is_not_linked_and_one_place_counts_once() -> None:
    claims = [{"span": [0, 5], "by": "lexicon"}, {"span": [0, 5], "by": "alias"}, {"span": [6, 9], "by": "unread"}]
    assert run.linked({"claims": claims}) == 1
    assert run.linked({"triples_found": 3}) == 3
    assert run.linked({}) is None


def test_every_fault_is_described_in_the_report() -> None:
    assert set(report.DESCRIPTION) == set(FaultKind)
