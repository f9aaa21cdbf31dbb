"""A benchmark of a small world, built by the real stages on a real Postgres, its proofs replayed in swipl."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from psycopg2 import DatabaseError
from sqlalchemy import func, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.kinds import YEAR
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.results import tally
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal
from halluvault_tasks.wikidata.relation import Kind, Relation

CONFIG = REPOSITORY / "config"
FORBIDDEN = {305, 2009, 2010}
"""Entities of the small world whose names cannot stand in a question."""


def build(session: Session, snapshot: str, config_dir: Path) -> stages.BenchmarkCounts:
    return stages.build(session, snapshot, config_dir=config_dir, size="all")


def every_case(session: Session, snapshot: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in reading.export(session, snapshot)]


def table_sizes(session: Session) -> list[int]:
    content = (tables.cases, tables.benchmark_part, tables.benchmark_case, tables.prompt, tables.prompt_variant)
    return [session.scalar(select(func.count()).select_from(table)) or 0 for table in content]


def test_every_kind_with_a_sound_no_and_the_temporal_suite_become_questions(
    session: Session, january: stages.BenchmarkCounts
) -> None:
    cases = every_case(session, "2040-01")
    kinds: dict[str, set[str]] = {}
    for case in cases:
        kinds.setdefault(case["suite"], set()).add(case["rule_kind"])
    # What else there is has no sound No here, and stands in the suite recall.
    assert kinds["relation"] == {"composite", "negation.polarity", "negation.value"}
    assert {part.suite: part.cases for part in january.parts} == Counter(case["suite"] for case in cases)
    assert january.parts[1].cases > 10


def test_every_proof_replays_to_its_gold_answer(
    session: Session, january: stages.BenchmarkCounts, replayed: Callable[[str], str]
) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for case in every_case(session, "2040-01"):
        kind = (case["rule_kind"], case["mutation"])
        seen[kind] += 1
        if seen[kind] <= 3:  # three of each kind and mutation: each is one start of swipl
            assert replayed(case["proof"]) == case["gold"], case["question"]
    assert len(seen) > 15


def windowed(case: Mapping[str, Any]) -> bool:
    """Whether a temporal question is one that nobody would deny: about a decade, or a life in a month."""
    never_denied = r"\d0s\b|still .* in [A-Z][a-z]+ \d|as late as [A-Z]"
    return case["suite"] == "temporal" and re.search(never_denied, case["question"]) is not None


def test_the_answers_of_a_group_follow_from_the_truth_of_its_base(
    session: Session, january: stages.BenchmarkCounts
) -> None:
    cases = every_case(session, "2040-01")
    assert {case["relation"] for case in cases} >= {"same", "contradictory", "converse"}
    for case in cases:
        truth = case["fact"]["truth"]
        if windowed(case):  # the affirmative is asked, whatever the formula denies: nobody would say it denied
            truth = truth != (case["fact"]["formula"].count("!") % 2 == 1)
        if case["relation"] in {"same", "contradictory", "contrary"}:
            assert case["gold"] == ("yes" if truth == (case["relation"] == "same") else "no"), case["question"]
        assert case["relation"] != "contrary" or truth
        if case["rule_kind"].startswith("negation") and case["suite"] == "relation":
            assert truth is (case["rule_kind"] != "negation.value")


def test_numbers_dates_and_containers_are_asked_both_ways(
    session: Session,
    january: stages.BenchmarkCounts,
    replayed: Callable[[str], str],
    years: dict[tuple[int, int], int],
) -> None:
    """What no derived row holds: exchanged numbers, the order of two dates, a region that a birthplace lies outside."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for case in every_case(session, "2040-01"):
        if case["suite"] == "relation":
            found.setdefault(case["fact"]["rule"], {})[case["question"]] = case
    right, wrong = found["negation.polarity:P1086"], found["negation.value:P1086"]
    assert right["Does argentine have an atomic number of 47?"]["gold"] == "yes"
    assert wrong["Does argentine have an atomic number of 48?"]["gold"] == "no"
    assert wrong["Does borax have an atomic number of 47?"]["gold"] == "no"
    assert right["Does borax have an atomic number of 48?"]["premises"][0]["object"] == {"amount": "48"}
    ordered = [case for rule, several in found.items() if rule.startswith("order:") for case in several.values()]
    for case in ordered:
        assert len(case["premises"]) == 2
        if case["mutation"] == "original":
            (pid,) = Relation.parse(case["fact"]["relation"]).properties
            one, other = (years[case["fact"][end], pid] for end in "so")
            assert case["gold"] == ("yes" if one < other else "no"), case["question"]
    assert {case["gold"] for case in ordered if case["mutation"] in {"original", "converse"}} == {"yes", "no"}
    chains = ("composite:P19/P131*", "composite:P20/P131*")
    outside = [case for rule in chains for case in found.get(rule, {}).values() if not case["fact"]["truth"]]
    assert outside
    for case in (*list(wrong.values())[:4], *ordered[:6], *outside[:4]):
        assert replayed(case["proof"]) == case["gold"], case["question"]


def test_every_fact_that_is_asked_is_a_row(session: Session, january: stages.BenchmarkCounts) -> None:
    rows = (
        "SELECT r.kind, r.properties, s, {end} FROM {table} JOIN relation r ON r.id = relation"
        " WHERE snapshot = '2040-01'"
    )
    derived, drawn, false = (
        {
            (str(Relation(Kind(kind), tuple(properties))), s, end)
            for kind, properties, s, end in session.execute(text(rows.format(end=end, table=table)))
        }
        for table, end in (
            ("derived_fact", "o"),
            ("drawn_fact", "coalesce(o, value)"),
            ("foil", "coalesce(o, value)"),
        )
    )
    asked: dict[bool, set[tuple[str, int, int]]] = {True: set(), False: set()}
    for case in every_case(session, "2040-01"):
        if case["suite"] in {"relation", "recall"}:
            fact = case["fact"]
            asked[fact["truth"]].add((fact["relation"], fact["s"], fact["o"]))
    assert asked[True] <= derived | drawn
    # What people found to be false and converses are derived.
    assert asked[False] <= derived | false
    assert false
    assert false <= asked[False], "no more than is asked"


def test_nothing_false_is_asked_with_ever(session: Session, january: stages.BenchmarkCounts) -> None:
    denied = [c for c in every_case(session, "2040-01") if c["suite"] == "relation" and not c["fact"]["truth"]]
    assert denied
    for case in denied:
        assert not {"ever", "never"} & set(case["question"].replace("?", "").split()), case["question"]


def test_no_temporal_question_rests_on_a_date_that_no_claim_could_be_convicted_by(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path
) -> None:
    key = "2040-09"
    write(key)
    derive(key)
    derive_temporal(session, key, config=TemporalConfig(count=80), prolog_dir=REPOSITORY / "prolog_rules")
    drawn = session.scalars(select(tables.temporal_fact.c.atoms).where(tables.temporal_fact.c.snapshot == key))
    assert "publication" in {atom["kind"] for atoms in drawn for atom in atoms.values()}
    stages.build(session, key, config_dir=config_dir, size="all", only=["temporal"])
    asked = every_case(session, key)
    assert asked
    assert 577 not in {premise["property"] for case in asked for premise in case["premises"]}
    assert part_lookup.statistics(session, key)["temporal"].dropped[Hindrance.UNSURE_DATE()] > 0


def test_golds_are_balanced_in_every_domain_and_rule(session: Session, january: stages.BenchmarkCounts) -> None:
    cells: dict[tuple[object, ...], Counter[str]] = {}
    groups: dict[str, set[str]] = {}
    plain = set()  # what is asked without denials: windows, orders
    for case in every_case(session, "2040-01"):
        if windowed(case) or (case["rule_kind"] == "composite" and re.search(r" (?:before|after) ", case["question"])):
            plain.add(case["group_id"])
        groups.setdefault(case["group_id"], set()).add(case["mutation"])
        if case["suite"] != "recall":
            kind, negated = case["rule_kind"].partition(".")[0], case["mutation"].endswith("negated")
            # Groups of four stand in the domains of their subjects, so that all domains are looked at together there.
            where = case["domain"] if kind != "negation" else ""
            cells.setdefault((case["suite"], where, kind, negated), Counter())[case["gold"]] += 1
    assert len(cells) >= 8
    assert {cell: golds for cell, golds in cells.items() if golds["yes"] != golds["no"] and cell[0] != "temporal"} == {}
    denied = {group for group, mutations in groups.items() if "negated" in mutations}
    assert denied
    few = {group for group, mutations in groups.items() if len(mutations) < 3}
    assert few - plain <= groups.keys() - denied, "where nothing is denied a statement may be all there is"
    assert all("original" in mutations and len(mutations) > 1 for mutations in groups.values())
    assert plain
    assert not any(mutation.endswith("negated") for group in plain for mutation in groups[group])


def test_a_second_build_writes_nothing(session: Session, january: stages.BenchmarkCounts, config_dir: Path) -> None:
    sizes = table_sizes(session)
    second = build(session, "2040-01", config_dir)
    assert january.built
    assert not second.built
    assert second.parts == tuple(part._replace(built=False, new_cases=0) for part in january.parts)
    assert second.prompts == january.prompts
    assert table_sizes(session) == sizes


def test_the_same_world_gives_the_same_bytes_and_keeps_its_cases(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str], config_dir: Path
) -> None:
    first = build(session, make_world("2040-07"), config_dir)
    bytes_before = list(reading.export(session, "2040-07"))
    again = build(session, make_world("2040-07"), config_dir)
    assert list(reading.export(session, "2040-07")) == bytes_before
    assert [part.content_hash for part in again.parts] == [part.content_hash for part in first.parts]
    assert first.sum("new_cases") == 0, "an unchanged fact keeps the case that January gave it"
    assert {case["id"] for case in every_case(session, "2040-07")} == {c["id"] for c in every_case(session, "2040-01")}


def test_a_changed_label_issues_a_new_case_that_supersedes_the_old(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str], config_dir: Path
) -> None:
    build(session, make_world("2040-02", {2001: "Boz Dickens"}), config_dir)
    old = {(c["group_id"], c["mutation"]): c for c in every_case(session, "2040-01")}
    new = {(c["group_id"], c["mutation"]): c for c in every_case(session, "2040-02")}
    rows = dict(session.execute(select(tables.cases.c.id, tables.cases.c.supersedes)).all())
    changed = [key for key in set(old) & set(new) if old[key]["id"] != new[key]["id"]]
    assert changed
    for key in changed:
        assert "Boz Dickens" in new[key]["question"]
        assert rows[new[key]["id"]] == old[key]["id"]


def test_another_configuration_cannot_change_a_frozen_benchmark(
    session: Session, january: stages.BenchmarkCounts, config_dir: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(config_dir, tmp_path / "other")
    path = other / "benchmark.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("seed: 20260101", "seed: 7"), encoding="utf-8")
    with pytest.raises(UserError, match="frozen with another configuration"):
        build(session, "2040-01", other)


def test_a_part_is_frozen_whole_or_not_at_all(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2040-03")
    sizes = table_sizes(session)
    # What one of the last rows needs is taken away, so that the writing fails at its end.
    session.execute(text("ALTER TABLE benchmark_case ADD CONSTRAINT no_more CHECK (snapshot <> '2040-03') NOT VALID"))
    session.commit()
    try:
        with pytest.raises(DatabaseError, match="no_more"):
            build(session, snapshot, config_dir)
    finally:
        session.rollback()
        session.execute(text("ALTER TABLE benchmark_case DROP CONSTRAINT no_more"))
        session.commit()
    assert table_sizes(session) == sizes
    assert build(session, snapshot, config_dir).built


def test_a_world_without_facts_has_no_benchmark(
    session: Session, january: stages.BenchmarkCounts, make_world: Callable[..., str], config_dir: Path
) -> None:
    qids = session.scalars(select(tables.entity.c.qid).distinct()).all()
    snapshot = make_world("2040-04", dict.fromkeys(qids))  # nothing has a name
    with pytest.raises(UserError, match="no question can be asked"):
        build(session, snapshot, config_dir)
    refused = select(tables.incident.c.where).where(tables.incident.c.snapshot == snapshot)
    assert set(session.scalars(refused)) == {"benchmark build, suite relation", "benchmark build, suite temporal"}


def test_a_part_that_is_refused_is_an_incident_and_costs_the_others_nothing(
    session: Session, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2040-05", dated=False)
    counts = build(session, snapshot, config_dir)
    assert [part.suite for part in counts.parts] == ["relation"]
    assert counts.sum("shortfall") > 0
    (refused,) = counts.refused
    assert (refused.suite, refused.message[:28]) == ("temporal", "no question can be asked abo")
    row = session.execute(select(tables.incident).where(tables.incident.c.snapshot == snapshot)).one()
    assert (row.kind, row.message) == ("part_refused", refused.message)
    assert "`suites` in config/benchmark.yaml" in row.way_out
    part_lookup.publish(session, snapshot)
    assert [(part.suite, part.published) for part in part_lookup.of_month(session, snapshot)] == [("relation", True)]


def test_an_unfrozen_snapshot_is_refused(session: Session, make_world: Callable[..., str], config_dir: Path) -> None:
    snapshot = make_world("2040-06")
    session.execute(tables.snapshot.update().where(tables.snapshot.c.snapshot == snapshot).values(status="pulling"))
    session.commit()
    with pytest.raises(UserError, match="not frozen"):
        build(session, snapshot, config_dir)


def test_hostile_labels_stay_text_and_their_proofs_still_run(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path,
    replayed: Callable[[str], str], hostile_labels: dict[int, str],
) -> None:  # fmt: skip
    write("2040-08")
    derive("2040-08")
    stages.build(session, "2040-08", config_dir=config_dir, size="all", only=["recall"])
    found = every_case(session, "2040-08")
    assert {case["rule_kind"] for case in found} >= {"symmetric", "negation.polarity"}
    hostile = [
        (label, case)
        for case in found
        for qid, label in hostile_labels.items()
        if qid in {case["fact"].get("s"), case["fact"].get("o")} and case["mutation"] != "paraphrase"
    ]
    assert {label for label, _ in hostile} >= {hostile_labels[qid] for qid in (301, 302, 303, 304)}
    for label, case in hostile:
        assert " ".join(label.split()) in case["question"]
    for proof, gold in {(case["proof"], case["gold"]) for _, case in hostile}:
        assert replayed(proof) == gold
    assert session.scalar(select(func.count()).select_from(tables.cases))


def test_names_that_do_not_identify_are_in_no_question(session: Session, january: stages.BenchmarkCounts) -> None:
    for case in every_case(session, "2040-01"):
        assert not FORBIDDEN & {case["fact"].get("s"), case["fact"].get("o")}
        assert "Q2" not in case["question"]
        assert "property" not in case["question"]
    dropped = part_lookup.statistics(session, "2040-01")["relation"].dropped
    assert dropped[Hindrance.LABEL_NO_NAME()] >= 2


def test_a_property_without_a_wording_is_counted_by_its_number(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(config_dir, tmp_path / "other")
    path = other / "lexicon.yaml"
    lexicon = yaml.safe_load(path.read_text(encoding="utf-8"))
    del lexicon["properties"]["P57"]
    path.write_text(yaml.safe_dump(lexicon, allow_unicode=True), encoding="utf-8")
    snapshot = make_world("2040-07")
    build(session, snapshot, other)
    dropped = part_lookup.statistics(session, snapshot)["relation"].dropped
    assert dropped[Hindrance.NO_WORDING("P57")] > 0
    assert not [case for case in every_case(session, snapshot) if case["fact"].get("relation") == "P57"]


def test_premises_carry_ids_words_and_a_sentence(session: Session, january: stages.BenchmarkCounts) -> None:
    cases = every_case(session, "2040-01")
    for case in cases:
        assert case["premises"]
        for premise in case["premises"]:
            assert set(premise) == {"sid", "guid", "subject", "property", "relation", "object", "sentence"}
            assert premise["sentence"].endswith(".")
            assert set(premise["object"]) in ({"qid", "label"}, {"date", "precision"}, {"amount"})
    sentences = {premise["sentence"] for case in cases for premise in case["premises"]}
    assert sentences & {"Charles Dickens was born in Portsmouth.", "Charles Dickens died in London."}


def test_prompts_are_stored_for_every_variant_with_the_date_and_the_question(
    session: Session, january: stages.BenchmarkCounts
) -> None:
    cases = every_case(session, "2040-01")
    one = reading.case(session, cases[0]["id"], "2040-01")
    texts = reading.prompts(session, one)
    assert [each.template for each in texts] == ["drowzee", "halluvault", "halluvault/two-turn"]
    for one_text in texts:
        assert one.question in one_text.text
        assert one_text.text.count("31 October 2026") == 1
        assert "2026" not in one.question
    assert session.scalar(
        select(func.count()).select_from(tables.prompt).where(tables.prompt.c.snapshot == "2040-01")
    ) == 3 * len(cases)


def test_publishing_is_idempotent_and_needs_a_benchmark(session: Session, january: stages.BenchmarkCounts) -> None:
    part_lookup.publish(session, "2040-01")
    part_lookup.publish(session, "2040-01")
    assert [part.published for part in part_lookup.of_month(session, "2040-01")] == [True, True]
    with pytest.raises(UserError, match="has no benchmark"):
        part_lookup.publish(session, "1999-01")


def test_an_evaluation_that_only_some_cases_have_prompts_for_plans_only_those(
    session: Session, january: stages.BenchmarkCounts
) -> None:
    for context in ("out-of-distribution", "with-evidence"):
        session.execute(
            insert(tables.prompt_variant).values(
                id=context, template="drowzee", version=1, form="chat", context=context
            )
        )
        one = session.scalar(
            select(tables.benchmark_case.c.case_id).where(tables.benchmark_case.c.snapshot == "2040-01")
        )
        session.execute(
            insert(tables.prompt).values(snapshot="2040-01", variant_id=context, case_id=one, text="[]", sha256="x")
        )
    part_lookup.publish(session, "2040-01")
    assert tally.planned(session, "2040-01", 3, "out-of-distribution").total() == 3
    assert tally.planned(session, "2040-01", 1, "with-evidence").total() == january.sum("cases")
    session.rollback()


def test_of_two_years_of_birth_that_differ_none_is_asked_as_right(
    session: Session, january: stages.BenchmarkCounts, write: Callable[[str], None], derive: Callable[[str], None]
) -> None:
    def born(key: str) -> set[int]:
        return {fact.s for fact in drawn_facts(session, key, YEAR) if fact.relation.pid == 569}

    dickens, key, year = 2001, "2040-09", 366
    write(key)
    st = tables.statement
    told = select(st).where(st.c.snapshot == key, st.c.s == dickens, st.c.p == 569)
    first = dict(session.execute(told).mappings().one())
    later = {end: first[end] + year for end in ("earliest", "latest")}
    session.execute(insert(st).values(**(first | {"sid": 30_000, "guid": "Q2001-other"} | later)))
    derive(key)
    assert born(january.snapshot) - born(key) == {dickens}
