"""A month that changes little derives little anew, and ends with the same rows as from scratch."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules
from halluvault_tasks.storage.portion import Portion

Row = dict[str, Any]
PEOPLE, TOWNS, REGIONS, COUNTRIES = range(1, 301), range(1000, 1040), range(1100, 1110), range(1200, 1203)
TYPES = {one: [kind] for kind, group in ((5, PEOPLE), (515, TOWNS), (6, REGIONS), (6256, COUNTRIES)) for one in group}


def world(random: Random) -> list[Row]:
    """People with parents, spouses, schools and birthplaces; places inside each other; classes with a cycle."""
    rows = [statement(town, 131, random.choice(REGIONS)) for town in TOWNS]
    rows += [statement(region, 131, random.choice(COUNTRIES)) for region in REGIONS]
    rows += [statement(one, 19, random.choice(TOWNS)) for one in PEOPLE]
    rows += [statement(one, 569, year=1900 + one) for one in PEOPLE if one % 20 and one < 100]
    rows += [statement(one, 22, random.choice(range(max(1, one - 20), one))) for one in range(2, 301)]
    rows += [statement(one, 25, random.choice(range(max(1, one - 20), one))) for one in range(2, 200)]
    rows += [statement(*random.sample(PEOPLE, 1), 26, *random.sample(PEOPLE, 1)) for _ in range(60)]
    rows += [statement(random.choice(PEOPLE), 69, random.choice(range(2000, 2006))) for _ in range(300)]
    rows += [statement(one, 5135, random.choice(range(one + 1, one + 6))) for one in range(3000, 3060)]
    rows += [statement(3050, 5135, 3001), statement(3001, 5135, 3002)]
    rows += [statement(random.choice(range(4000, 4050)), 50, random.choice(PEOPLE)) for _ in range(60)]
    return [{**row, "guid": f"g{at:06d}"} for at, row in enumerate(rows)]


def later(random: Random, rows: list[Row], properties: set[int]) -> list[Row]:
    """2 % of the statements go, change or come, all of them of the given properties."""
    changed = [row for row in rows if row["p"] in properties]
    chosen = {row["guid"]: random.choice(("go", "change", "date")) for row in random.sample(changed, len(rows) // 50)}
    left = [row for row in rows if chosen.get(row["guid"]) != "go"]
    others = {p: [row["o"] for row in rows if row["p"] == p] for p in properties}
    for at, row in enumerate(left):
        if chosen.get(row["guid"]) == "change":
            left[at] = {**row, "o": random.choice(others[row["p"]])}
        elif chosen.get(row["guid"]) == "date":
            left[at] = {**row, **statement(row["s"], row["p"], row["o"], start_year=1990), "guid": row["guid"]}
    come = [{**random.choice(changed), "guid": f"c{at}"} for at in range(5)]
    return left + [{**row, "o": random.choice(others[row["p"]])} for row in come]


def derive(session: Session, key: str, scratch: Path, *, shards: int = 2, anew: bool = False) -> Any:
    # The bundled rules share no container: two places of one compose nothing, whether or not it may be composed.
    listed = yaml.safe_load(RULES_FILE.read_text(encoding="utf-8"))
    listed["share"]["P131"] = "in these tests"
    (scratch / "rules.yaml").write_text(yaml.safe_dump(listed), encoding="utf-8")
    type_rules(session, key, rules_file=scratch / "rules.yaml")
    done = [
        derive_shard(session, key, portion=Portion(at, shards), prolog_dir=PROLOG_DIR, scratch=scratch, anew=anew)
        for at in range(shards)
    ]
    assert check_derivation(session, key, shards=shards).rows == sum(one.rows for one in done)
    return done


def everything(session: Session, key: str) -> list[Any]:
    facts = text(
        "SELECT r.name, d.relation, d.s, d.o, d.evidence, d.via, d.reason, d.finding "
        "FROM derived_fact d JOIN rule r USING (snapshot, rule) WHERE snapshot = :key ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
    )
    groups = text(
        "SELECT r.name, g.o, g.members, g.sids FROM shared_group g JOIN rule r USING (snapshot, rule) "
        "WHERE snapshot = :key ORDER BY 1, 2"
    )
    return [*session.execute(facts, {"key": key}).all(), *session.execute(groups, {"key": key}).all()]


def ran(scratch: Path, key: str) -> str:
    return "".join(file.read_text() for file in sorted((scratch / key).rglob("rules.pl")))


@pytest.mark.parametrize(
    "properties",
    [{26, 131, 5135}, {19, 22, 25, 26, 50, 69, 131, 5135}],
    ids=lambda properties: "-".join(str(p) for p in sorted(properties)),
)
def test_a_month_that_changes_two_percent_ends_with_the_rows_of_a_derivation_from_scratch(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path, properties: set[int]
) -> None:
    random = Random(sum(properties))
    first, second = next_snapshot(), next_snapshot()
    rows = world(random)
    fill(session, first, rows, types=TYPES)
    derive(session, first, tmp_path, anew=True)
    names = dict.fromkeys(random.sample(PEOPLE, 2), "") if len(properties) > 2 else {}
    fill(session, second, later(random, rows, properties), types=TYPES, labels=names)
    reusing = derive(session, second, tmp_path)
    taken = sum(one.reused for one in reusing)
    found = everything(session, second)
    assert sum(one.reused for one in derive(session, second, tmp_path, anew=True)) == 0
    assert found == everything(session, second) != []
    # Flipped facts are copied from the month's own statements, which is quicker than taking them over.
    derived = sum(one.rows - one.by_kind.get("negation.polarity", 0) for one in reusing)
    assert taken > derived / 16  # where every property changes, most rules run anew


def test_only_the_rules_and_subjects_that_a_change_touches_run_again(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    first, second = next_snapshot(), next_snapshot()
    rows = [{**statement(at, 5135, at + 1), "guid": f"a{at:03d}"} for at in (*range(10, 20), *range(50, 60))]
    rows += [{**statement(1, 26, 2), "guid": "b"}, {**statement(3, 69, 9), "guid": "c"}]
    rows += [{**statement(4, 69, 9), "guid": "d"}]
    fill(session, first, rows)
    derive(session, first, tmp_path, shards=1, anew=True)
    # 15 no longer leads to 16, but to 70; what lies above 15, and the other chain, are as they were.
    fill(session, second, [{**row, "o": 70} if row["s"] == 15 and row["p"] == 5135 else row for row in rows])
    derive(session, second, tmp_path, shards=1)
    program = ran(tmp_path, second)
    touched = sorted(
        int(line.split(", ")[1].removesuffix(").")) for line in program.splitlines() if line.startswith("touched(")
    )
    number, relation = session.execute(
        text("SELECT rule, conclusion FROM rule WHERE snapshot = :key AND name = 'transitive:P5135'"), {"key": second}
    ).one()
    assert f"rule({number}, {relation}, only({number}, transitive(p5135, inf)))." in program
    assert touched == list(range(10, 16))  # those that lead to the change
    for body in ("symmetric(p26)", "share(p69, 16)"):
        assert any(line.startswith("% the rows of") and body in line for line in program.splitlines()), body
        assert not any(line.startswith("rule(") and body in line for line in program.splitlines()), body


def test_another_program_or_rule_takes_nothing_over(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    first, second = next_snapshot(), next_snapshot()
    rows = [{**statement(at, 5135, at + 1), "guid": f"a{at:03d}"} for at in range(10, 20)]
    for key in (first, second):
        fill(session, key, rows)
    derive(session, first, tmp_path, shards=1, anew=True)
    session.execute(
        text("UPDATE derivation_manifest SET inputs = 'of another program' WHERE snapshot = :key"), {"key": first}
    )
    session.commit()
    assert sum(one.reused for one in derive(session, second, tmp_path, shards=1)) == 0


def test_rows_that_have_vanished_from_the_earlier_month_are_derived_anew(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    first, second = next_snapshot(), next_snapshot()
    rows = [{**statement(at, 5135, at + 1), "guid": f"a{at:03d}"} for at in range(10, 20)]
    rows.append({**statement(1, 26, 2), "guid": "b"})
    for key in (first, second):
        fill(session, key, rows)
    derive(session, first, tmp_path, shards=1, anew=True)
    session.execute(text("DELETE FROM derived_fact WHERE snapshot = :key AND s = 12 AND o = 14"), {"key": first})
    session.commit()
    (done,) = derive(session, second, tmp_path, shards=1)
    whole = everything(session, second)
    assert 0 < done.reused < done.rows
    derive(session, second, tmp_path, shards=1, anew=True)
    assert everything(session, second) == whole
