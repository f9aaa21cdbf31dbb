"""Which unsupported premises are counted, and what is expected of them, from rows written by hand."""

from typing import Any

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.results import store, tally, unsupported, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.statistics.recapture import Recorded, Stratum, expected_false
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.relation import Relation
from tests.oracles.material import SNAPSHOT, fill

SET = ResultSet("e1", profiles.HEADLINE, profiles.CURRENT[profiles.HEADLINE])
SEEDS, OUTSIDE = range(1001, 1041), range(1101, 1141)
EVIDENCE = 77

RULES = [
    ("symmetric:P26", "symmetric", [26], 26, {"both_ways": {"hits": 120, "of": 200}}),
    ("inverse:P155:P156", "inverse", [155], 156, {"both_ways": {"hits": 90, "of": 100}}),
    ("inverse:P156:P155", "inverse", [156], 155, {"both_ways": {"hits": 80, "of": 100}}),
    ("inverse:P22:P40", "inverse", [22], 40, {"both_ways": {"hits": 50, "of": 100}}),
    ("inverse:P40:P22", "inverse", [40, 21], 22, {"both_ways": {"hits": 40, "of": 100}, "sex": 6581097}),
    ("inverse:P361:P527", "inverse", [361], 527, {"both_ways": {"hits": 5, "of": 9}}),
    ("symmetric:P47", "symmetric", [47], 47, {"both_ways": {"hits": 50, "of": 60}}),
    ("transitive:P47", "transitive", [47], 47, {}),
]


def claim(p: int, s: int, o: int, status: str, **other: Any) -> dict[str, Any]:
    return {
        "role": "premise", "status": status, "denied": False, "guards": [], "readings": [[p, s, o]], "statement": 0,
        **other,
    }  # fmt: skip


CLAIMS = [
    # Spouses: both ends in the snapshot, so that either may say it.
    *(claim(26, s, s + 20, "supported") for s in SEEDS[:9]),
    *(claim(26, s, s + 20, "unverifiable") for s in SEEDS[9:13]),
    claim(26, SEEDS[9], SEEDS[9] + 20, "unverifiable"),  # said twice
    # One end only; and children, whose parents are known to be incomplete but not how much.
    claim(156, SEEDS[0], OUTSIDE[0], "unverifiable"),
    claim(40, SEEDS[0], OUTSIDE[0], "unverifiable"),
    claim(40, SEEDS[0], SEEDS[1], "unverifiable"),
    # None of these is counted.
    claim(26, SEEDS[30], SEEDS[31], "supported", statement=EVIDENCE),
    claim(26, SEEDS[30], SEEDS[32], "unverifiable", guards=["hedge"]),
    claim(26, SEEDS[30], SEEDS[33], "unverifiable", denied=True),
    claim(26, SEEDS[30], SEEDS[34], "unverifiable", readings=[[26, 1, 2], [451, 1, 2]]),
    claim(26, SEEDS[30], SEEDS[35], "unverifiable", role="side"),
    claim(26, SEEDS[30], SEEDS[36], "contradicted"),
    claim(26, SEEDS[30], 0, "unverifiable"),
    claim(26, OUTSIDE[0], OUTSIDE[1], "unverifiable"),
    claim(527, SEEDS[0], OUTSIDE[0], "unverifiable"),
    claim(47, SEEDS[0], OUTSIDE[0], "unverifiable"),
    claim(22, SEEDS[0], OUTSIDE[0], "unverifiable"),
]
UNSUPPORTED = sum(one["role"] == "premise" and one["status"] == "unverifiable" for one in CLAIMS)


@pytest.fixture
def found(session: Session) -> dict[tuple[str, str, str, str], Figure]:
    """The figures, by suite, scope, key and metric; they are in the database, too."""
    views.install(session)
    fill(session, [("c1", "Yes.")])
    session.execute(update(tables.benchmark_case).where(tables.benchmark_case.c.case_id == "c1").values(
        premises=[{"sid": EVIDENCE}]
    ))  # fmt: skip
    session.execute(insert(tables.entity), [
        {"snapshot": SNAPSHOT, "qid": qid, "label": f"item {qid}", "aliases": [], "types": [], "seed": qid in SEEDS}
        for qid in (*SEEDS, *OUTSIDE)
    ])  # fmt: skip
    session.execute(text("DELETE FROM rule"))
    ids = relation_ids(session, (Relation.of(conclusion) for *_, conclusion, _ in RULES))
    session.execute(insert(tables.rule), [
        {"snapshot": SNAPSHOT, "rule": number, "name": name, "kind": kind,
         "form": "inverse by sex" if "sex" in support else kind, "premises": premises,
         "conclusion": ids[Relation.of(conclusion)], "origin": "test", "support": support, "verdict": "active",
         "reason": "by hand"}
        for number, (name, kind, premises, conclusion, support) in enumerate(RULES, 1)
    ])  # fmt: skip
    session.execute(insert(tables.verdict).values(
        evaluation_id="e1", case_id="c1", sample=1, profile=SET.profile, profile_version=SET.version, answer="yes",
        correct=True, category="normal", reasoning_faulty=False, detail={"claims": CLAIMS},
    ))  # fmt: skip
    judged = tally.of_evaluation(session, "e1", SNAPSHOT)[SET.profile, SET.version]
    made = unsupported.of_evaluation(session, SET, SNAPSHOT, judged)
    store.put(session, SET, made, unsupported.OWNED)
    return {(one.suite, one.scope, one.key, one.metric): one for one in made}


def test_a_fact_counts_once_where_the_snapshot_could_have_supported_it_and_its_places_are_known(
    found: dict[tuple[str, str, str, str], Figure],
) -> None:
    recorded = {26: Recorded(120, 200), 156: Recorded(90, 100), 40: Recorded(50, 100)}
    strata = [Stratum((26, 26), 9, 4), Stratum((40,), 0, 1), Stratum((156,), 0, 1)]
    expected = expected_false(strata, recorded)
    whole = found["headline", "model", "", "unsupported_false"]
    assert expected is not None
    assert (whole.value, whole.low, whole.high, whole.n) == expected
    estimated = found["headline", "model", "", "unsupported_estimated"]
    assert (estimated.hits, estimated.n) == (7, UNSUPPORTED)
    assert found["relation", "property", "P26", "unsupported_false"].n == 4
    assert ("relation", "property", "P22", "unsupported_false") not in found


def test_completeness_is_told_where_enough_pairs_are_seen(found: dict[tuple[str, str, str, str], Figure]) -> None:
    told = {key: (one.hits, one.n) for (_, _, key, metric), one in found.items() if metric == "completeness"}
    assert told == {
        "P26": (120, 200), "P156": (90, 100), "P155": (80, 100), "P40": (50, 100), "P47": (50, 60),
    }  # fmt: skip


def test_the_view_of_models_has_it_beside_the_share(
    session: Session, found: dict[tuple[str, str, str, str], Figure]
) -> None:
    row = session.execute(text(
        "SELECT unsupported_facts, unsupported_false, unsupported_false_low, unsupported_false_high"
        " FROM results_v1._figures WHERE suite = 'headline' AND scope = 'model' AND profile = :profile"
    ), {"profile": SET.profile}).one()  # fmt: skip
    whole = found["headline", "model", "", "unsupported_false"]
    assert tuple(row) == (whole.n, whole.value, whole.low, whole.high)
