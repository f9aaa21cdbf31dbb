"""The study that holds the rules against what was hidden from them."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import audit, audit_world
from halluvault_tasks.reasoning.rule_typing import reviewed
from halluvault_tasks.reasoning.rules import all_rules
from halluvault_tasks.reasoning.stages import type_rules


def study(
    session: Session,
    tmp_path: Path,
    statements: int,
    share: float,
    seed: int = 1,
    verified: Sequence[tuple[int, int, int]] = (),
) -> audit.Audit:
    with audit.workspace(session) as inner:
        key = audit.fill_simulated(inner, audit_world.generate(statements, seed), date(2026, 10, 31))
        hidden = audit.Hidden(share, seed)
        return audit.audit(
            inner, key, hidden=hidden, rules_file=RULES_FILE, prolog_dir=PROLOG_DIR, scratch=tmp_path, verified=verified
        )


def test_what_is_hidden_refutes_no_guarded_negative_and_many_unguarded_ones(session: Session, tmp_path: Path) -> None:
    found = study(session, tmp_path, 20_000, 0.3)
    guarded, unguarded = audit.total(found.negatives), audit.total(found.unguarded)
    assert guarded.checked > 5_000
    assert guarded.exposed > 5
    assert guarded.wrong / guarded.checked <= 0.0005
    assert found.demoted == ()
    assert unguarded.interval[0] > 2 * guarded.interval[1]
    assert unguarded.interval[0] > audit.DEMOTED_ABOVE
    assert {line.p for line in found.negatives} <= {19, 20, 22, 25, 131}
    assert not session.scalar(text("SELECT count(*) FROM pg_namespace WHERE nspname = 'halluvault_audit'"))


@pytest.mark.parametrize(("share", "planted"), [(0.05, 0), (0.3, 0), (0.3, 200)])
def test_claims_that_were_hidden_are_not_taken_for_false_and_planted_ones_are(
    session: Session, tmp_path: Path, share: float, planted: int
) -> None:
    world = audit_world.generate(20_000, 1)
    couples = {(one.s, one.o) for one in world.facts if one.p == 26}
    people = sorted({person for person, _ in couples})
    pairs = [pair for pair in zip(people, people[100:], strict=False) if pair not in couples]
    strangers = [(one, 26, other) for one, other in pairs][:planted]
    found = study(session, tmp_path, 20_000, share, verified=strangers)
    (spouses,) = found.claims
    assert spouses.p == 26
    assert spouses.claims == len(couples) / 2 + planted
    assert spouses.complete.hits / spouses.complete.of == pytest.approx(1 - share, abs=0.05)
    assert spouses.false == planted
    assert spouses.expected is not None
    assert spouses.expected.low <= planted <= spouses.expected.high
    assert spouses.expected.unsupported - planted > 0, "some are hidden from both ends"


def test_the_simulated_world_is_the_same_for_the_same_seed_and_has_the_faults_of_wikidata() -> None:
    world = audit_world.generate(30_000, 3)
    assert world == audit_world.generate(30_000, 3) != audit_world.generate(30_000, 4)
    several = {}
    for p in (19, 27):
        counts: dict[int, int] = {}
        for one in world.facts:
            if one.p == p:
                counts[one.s] = counts.get(one.s, 0) + 1
        several[p] = sum(n > 1 for n in counts.values()) / len(counts)
    assert several[19] == pytest.approx(0.004, abs=0.003)
    assert several[27] == pytest.approx(0.22, abs=0.02)


def test_verified_negatives_refute_positives_that_a_wrong_rule_would_derive(session: Session, tmp_path: Path) -> None:
    key = "2029-01"
    fill(session, key, [statement(1, 5135, 2), statement(2, 5135, 3), statement(3, 5135, 4)])
    with audit.workspace(session) as inner:
        audit.copy_snapshot(inner, "public", key)
        found = audit.audit(
            inner,
            key,
            hidden=audit.Hidden(0.0, 1),
            rules_file=RULES_FILE,
            prolog_dir=PROLOG_DIR,
            scratch=tmp_path,
            verified=[(1, 5135, 3), (4, 5135, 1), (1, 50, 2)],
        )
    assert found.positives == (audit.AuditLine(5135, "positive", 2, 2, 1),)
    assert session.scalar(text("SELECT count(*) FROM statement WHERE snapshot = :key"), {"key": key}) == 3


def test_a_demoted_property_denies_nothing_any_more_and_the_list_keeps_its_comments(
    session: Session, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULES_FILE.read_text())
    reviewed.demote(rules, {22: "audit: 3 of 1,000 'false'"})
    reviewed.demote(rules, {22: "again", 25: "audit: 4 of 1,000"})
    assert rules.read_text().startswith(RULES_FILE.read_text().rstrip("\n"))
    assert reviewed.load_reviewed(rules).demoted == {22: "audit: 3 of 1,000 'false'", 25: "audit: 4 of 1,000"}
    key = "2029-02"
    fill(session, key, [statement(at, 22, at + 1) for at in range(10)], types={at: [5] for at in range(12)})
    type_rules(session, key, rules_file=rules)
    found = {rule.name: rule for rule in all_rules(session, key) if rule.name.startswith("negation.value:P22")}
    assert {rule.verdict for rule in found.values()} == {"refused"}
    assert "3 of 1,000" in found["negation.value:P22"].reason
