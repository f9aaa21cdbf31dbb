import subprocess
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from reasoning_worlds import PROLOG_DIR, born, fill, rows_of, statement
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.proving import prove, prove_many
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.reasoning.rules import all_rules, find_facts
from halluvault_tasks.storage.partitions import drop_partitions
from halluvault_tasks.storage.tables import derived_fact
from halluvault_tasks.wikidata.relation import Relation

Derive = Callable[..., Any]

PEOPLE, CITIES, REGIONS, COUNTRIES = (1, 2, 3, 4, 5), (10, 20, 30), (11, 21, 31), (13, 22)


def family(session: Session, key: str) -> None:
    """Three generations, three towns in three regions of two countries, two books and an irregular label."""
    fill(
        session,
        key,
        [
            statement(1, 26, 2),
            statement(3, 22, 1),
            statement(3, 25, 2),
            statement(4, 22, 3),
            statement(5, 25, 4),
            statement(10, 131, 11),
            statement(11, 131, 13),
            statement(20, 131, 21),
            statement(21, 131, 22),
            statement(30, 131, 31),
            statement(31, 131, 13),
            statement(3, 19, 10),
            statement(1, 19, 20),
            statement(4, 19, 30),
            statement(50, 50, 3),
            statement(51, 50, 3),
            statement(13, 36, 10),
            *born(1, 3, 4),
        ],
        types={
            item: [kind]
            for kind, items in ((5, PEOPLE), (515, CITIES), (6, REGIONS), (6256, COUNTRIES))
            for item in items
        },
        labels={3: "a\n:- halt(3).\n% '", 10: "*/ :- shell('false'). /*"},
    )


def every_fact(session: Session, key: str) -> list[DerivedFact]:
    c = derived_fact.c
    rules = {rule.rule: rule for rule in all_rules(session, key)}
    query = select(*COLUMNS).where(c.snapshot == key).order_by(c.rule, c.s, c.o)
    return [fact_of(row, rules) for row in session.execute(query)]


@pytest.fixture
def key(session: Session, derive: Derive, next_snapshot: Callable[[], str]) -> str:
    name = next_snapshot()
    family(session, name)
    derive(name)
    return name


def test_every_saved_proof_prints_its_truth_in_swipl(session: Session, key: str, tmp_path: Path) -> None:
    proofs = prove_many(session, key, every_fact(session, key))
    by_rule = {proof.rule_name: proof for proof in proofs}
    by_rule |= {f"{proof.rule_name} {proof.fact.reason}": proof for proof in proofs if proof.kind == "negation.value"}
    kinds = {proof.kind for proof in by_rule.values()}
    assert kinds == {"symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value"}
    assert {proof.fact.reason for proof in proofs if proof.kind == "negation.value"} == {1, 2, 3, 4}
    for proof in by_rule.values():
        file = tmp_path / "proof.pl"
        file.write_text(proof.program, encoding="utf-8")
        done = subprocess.run(
            ["swipl", str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False
        )
        assert (done.stdout, done.stderr, done.returncode) == ("yes\n" if proof.truth else "no\n", "", 0), proof.program


def test_a_program_without_one_of_its_statements_proves_nothing(session: Session, key: str, tmp_path: Path) -> None:
    for fact in (
        find_facts(session, key, Relation.of(131), 20, 22)[0],
        find_facts(session, key, Relation.of(19), 3, 20)[0],
    ):
        [proof] = prove_many(session, key, [fact])
        lines = proof.program.splitlines(keepends=True)
        stated = [at for at, line in enumerate(lines) if line.startswith(("p131(", "p19("))]
        assert len(stated) >= len(proof.premises)
        for at in stated:
            file = tmp_path / "proof.pl"
            rest = "".join([*lines[:at], ":- dynamic p131/3, p19/3.\n" if at == stated[0] else "", *lines[at + 1 :]])
            file.write_text(rest, encoding="utf-8")
            done = subprocess.run(
                ["swipl", "-g", "style_check(-discontiguous)", str(file)],
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=60,
                check=False,
            )
            assert done.stdout == "unproven\n", rest


def test_a_path_is_rebuilt_step_by_step_from_the_subject_to_the_object(session: Session, key: str) -> None:
    (born,) = find_facts(session, key, Relation.chain(19, 131), 4, 13)
    steps = [(one.s, one.p, one.o) for one in prove_many(session, key, [born])[0].premises]
    assert steps == [(4, 19, 30), (30, 131, 31), (31, 131, 13)]


def test_long_chains_and_cycles_keep_a_path_for_every_pair(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    length = 60
    fill(session, key, [statement(at, 5135, at + 1) for at in range(1, length)] + [statement(length, 5135, length - 2)])
    derive(key)
    facts = every_fact(session, key)
    for proof in prove_many(session, key, [fact for fact in facts if fact.s in {1, 30, length}]):
        if proof.kind == "transitive":
            ends = [(one.s, one.o) for one in proof.premises]
            assert ends[0][0] == proof.fact.s
            assert ends[-1][1] == proof.fact.o
            assert all(before[1] == after[0] for before, after in pairwise(ends))
            assert len(set(ends)) == len(ends)


def test_a_no_that_a_later_month_refutes_is_not_proved_again(
    session: Session, key: str, next_snapshot: Callable[[], str]
) -> None:
    (no,) = find_facts(session, key, Relation.of(19), 3, 20)
    assert prove_many(session, key, [no])[0].truth is False
    later = next_snapshot()
    fill(session, later, [statement(3, 19, 20)])
    with pytest.raises(UserError, match="no longer licensed"):
        prove_many(session, key, [no])
    (other,) = find_facts(session, key, Relation.of(22), 1, 3)
    lost = other._replace(evidence=(999_999,))
    refused, proved, missing = prove(session, key, [no, other, lost])
    assert isinstance(refused, Refusal)
    assert isinstance(missing, Refusal)
    assert (refused.code, missing.code) == ("seen", "no statement")
    assert [proved] == prove_many(session, key, [other])
    drop_partitions(session, later)
    session.commit()


def test_evidence_in_sql_is_there_and_matches_for_every_row(session: Session, key: str) -> None:
    wrong = session.execute(
        text(r"""
        SELECT r.name, d.* FROM (SELECT f.*, of.properties[1] AS p FROM derived_fact f JOIN relation of
                                 ON of.id = f.relation) d JOIN rule r USING (snapshot, rule)
        LEFT JOIN statement a ON a.snapshot = d.snapshot AND a.sid = d.evidence[1]
        LEFT JOIN statement b ON b.snapshot = d.snapshot AND b.sid = d.evidence[2]
        WHERE d.snapshot = :key AND NOT coalesce(CASE
          WHEN r.kind = 'symmetric' THEN (a.s, a.o, a.p) = (d.o, d.s, d.p)
          WHEN r.kind = 'inverse' THEN (a.s, a.o, a.p) = (d.o, d.s, r.premises[1])
          WHEN r.kind = 'transitive' THEN (a.s, a.o, a.p) = (d.via, d.o, d.p) AND (
               EXISTS (SELECT FROM derived_fact x
                       WHERE (x.snapshot, x.rule, x.s, x.o) = (d.snapshot, d.rule, d.s, d.via))
            OR EXISTS (SELECT FROM statement x WHERE (x.snapshot, x.p, x.s, x.o) = (d.snapshot, d.p, d.s, d.via)))
          WHEN r.name LIKE 'share:%' THEN (a.s, b.s, a.o, a.p, b.p) = (d.s, d.o, b.o, r.premises[1], r.premises[1])
          WHEN r.name LIKE '%*' THEN (a.s, a.p) = (d.s, r.premises[1]) AND (b.s, b.o, b.p) = (d.via, d.o, r.premises[2])
          WHEN r.kind = 'composite' THEN (a.s, a.o, b.o) = (d.s, b.s, d.o)
          WHEN r.name LIKE '%\:converse' THEN (a.s, a.o, a.p) = (d.o, d.s, d.p)
          WHEN r.kind = 'negation.value' THEN (a.s, a.p) = (d.s, d.p) AND a.o <> d.o
          ELSE (a.s, a.o, a.p) = (d.s, d.o, d.p) END, false)"""),
        {"key": key},
    ).all()
    assert wrong == []
    assert len(every_fact(session, key)) > 40


def test_the_converse_of_a_fact_is_refuted_by_the_fact(session: Session, key: str) -> None:
    assert (1, 3) in rows_of(session, key, "negation.value:P22:converse")
    (fact,) = find_facts(session, key, Relation.of(22), 1, 3)
    [proof] = prove_many(session, key, [fact])
    assert [(one.s, one.p, one.o) for one in proof.premises] == [(3, 22, 1)]
    assert "runs one way" in proof.reason


def test_a_young_statement_denies_no_converse_and_every_converse_is_proved(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(1, 131, 2), statement(3, 131, 4, start_year=2026), statement(5, 131, 6)],
         as_of=date(2027, 1, 31))  # fmt: skip
    derive(key)
    assert rows_of(session, key, "negation.value:P131:converse") == {(2, 1), (6, 5)}
    assert len(prove_many(session, key, every_fact(session, key))) == len(every_fact(session, key))


def test_the_rules_stand_on_their_own_in_swipl(session: Session, key: str, tmp_path: Path) -> None:
    shard = tmp_path / key / "shard-0-of-1"
    facts = "findall(S-O, derived(transitive(P, M), S, O, _, _), L)"
    goal = f"P = s131, rule(N, _, transitive(P, M)), {facts}, length(L, C), writeln(C)"
    done = subprocess.run(
        [
            "swipl",
            "-g",
            goal,
            "-t",
            "halt",
            str(PROLOG_DIR / "derivation.pl"),
            str(shard / "facts.pl"),
            str(shard / "rules.pl"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert int(done.stdout) == len(rows_of(session, key, "transitive:P131")) > 0
