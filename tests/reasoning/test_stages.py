from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
import yaml
from reasoning_worlds import PROLOG_DIR, RULES_FILE, born, deprecate, fill, rows_of, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.stages import derive_shard, type_rules
from halluvault_tasks.reasoning.world.loading import load_world

Derive = Callable[..., Any]


def test_each_kind_concludes_what_follows_and_nothing_else(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(
        session,
        key,
        [
            statement(1, 26, 2),
            statement(3, 22, 1),
            statement(3, 25, 2),
            statement(4, 22, 3),
            statement(10, 131, 11),
            statement(11, 131, 12),
            statement(12, 131, 13),
            statement(3, 19, 10),
            statement(1, 19, 20),
            statement(20, 131, 21),
            statement(21, 131, 22),
            *born(1, 3),
        ],
        types={10: [515], 20: [515], 11: [6], 21: [6], 13: [6256], 22: [6256], 1: [5], 2: [5], 3: [5], 4: [5]},
    )
    counts = derive(key, shards=2)
    assert rows_of(session, key, "symmetric:P26") == {(2, 1)}
    assert rows_of(session, key, "inverse:P22:P40") == {(1, 3), (3, 4)}
    assert rows_of(session, key, "transitive:P131") == {(10, 12), (10, 13), (11, 13), (20, 22)}
    assert rows_of(session, key, "composite:P22/P22") == {(4, 1)}
    assert rows_of(session, key, "composite:P22/P25") == {(4, 2)}
    assert rows_of(session, key, "composite:P19/P131*") == {(3, 11), (3, 12), (3, 13), (1, 21), (1, 22)}
    assert rows_of(session, key, "negation.polarity:P26") == {(1, 2)}
    assert rows_of(session, key, "negation.value:P19") == {(3, 20), (1, 10)}
    assert rows_of(session, key, "negation.value:P22:converse") == {(1, 3), (3, 4)}
    assert counts.rows == sum(counts.by_kind.values())


def test_rules_of_several_premises_use_only_what_holds_at_as_of(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(
        session,
        key,
        [
            statement(1, 131, 2),
            statement(2, 131, 3, end_year=1990),
            statement(2, 131, 4, rank="preferred"),
            statement(4, 131, 5),
            statement(5, 576, kind="time", year=1918),
            statement(2, 131, 6, hedged=True),
            statement(7, 131, 2, start_year=2000),
            statement(8, 26, 9, start_year=1950, end_year=1960),
            statement(10, 26, 11, start_year=2030),
        ],
        types={4: [6256]},
    )
    derive(key)
    assert rows_of(session, key, "transitive:P131") == {(1, 4)}
    assert rows_of(session, key, "symmetric:P26") == {(9, 8)}
    assert rows_of(session, key, "negation.polarity:P26") == {(8, 9)}


def test_no_no_rests_on_hedged_several_deprecated_or_young_values(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fathers = {1: 100, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    rows = [statement(s, 22, o, hedged=s == 2, point_year=2026 if s == 6 else None) for s, o in fathers.items()]
    # Enough ordinary subjects, without a type and so without alternatives, for the property to stay functional.
    rows += [statement(5000 + at, 22, 6000 + at) for at in range(300)]
    rows += [statement(3, 22, 301), statement(4, 22, kind="unknown")]
    fill(
        session,
        key,
        rows,
        types={one: [5] for one in (*fathers, *fathers.values(), 301)},
    )
    deprecate(session, key, [(5, 22, 501)])
    derive(key)
    assert rows_of(session, key, "negation.value:P22") == set()
    key = next_snapshot()
    fill(
        session,
        key,
        [*rows, statement(7, 22, 700)],
        types={one: [5] for one in (*fathers, *fathers.values(), 7, 301, 700)},
    )
    deprecate(session, key, [(5, 22, 501), (7, 22, 700)])
    derive(key)
    assert rows_of(session, key, "negation.value:P22") == {(1, 700), (7, 100)}


def test_a_value_of_another_month_is_never_denied(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    people = {one: [5] for one in (31, 32, 33, 331, 332, 333)}
    earlier, key = next_snapshot(), next_snapshot()
    fill(session, earlier, [statement(31, 22, 333)], types=people)
    fill(session, key, [statement(31, 22, 331), statement(32, 22, 332), statement(33, 22, 333)], types=people)
    derive(key)
    assert {o for s, o in rows_of(session, key, "negation.value:P22") if s == 31} == {332}
    assert {o for s, o in rows_of(session, key, "negation.value:P22") if s == 32} == {331, 333}


def test_every_derived_no_is_licensed_by_the_one_function(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key, random = next_snapshot(), Random(11)
    towns, regions, countries = range(1000, 1060), range(1100, 1115), range(1200, 1204)
    rows = [statement(town, 131, random.choice(regions)) for town in towns if random.random() < 0.9]
    rows += [statement(region, 131, random.choice(countries)) for region in regions if random.random() < 0.9]
    people = range(2000, 2150)
    rows += [statement(one, 19, random.choice([*towns, *regions])) for one in people]
    rows += born(*people)
    rows += [statement(one, 19, random.choice(towns)) for one in random.sample(people, 4)]
    rows += [statement(random.choice(towns), 1366, random.choice(towns)) for _ in range(3)]
    kinds = ((515, towns), (6, regions), (6256, countries), (5, people))
    fill(session, key, rows, types={one: [kind] for kind, group in kinds for one in group})
    derive(key, shards=2)
    world = load_world(session, key)
    derived = rows_of(session, key, "negation.value:P19")
    assert len(derived) > 100
    assert not [pair for pair in derived if not isinstance(license_no(world, 19, *pair), Licence)]
    assert {s for s, _ in derived} <= {row["s"] for row in rows if row["p"] == 19}


def test_no_no_rests_on_a_father_who_is_stated_to_be_female(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    fathers = {10: 1, 11: 2, 12: 3}
    rows = [statement(child, 22, father) for child, father in fathers.items()]
    rows += [statement(1, 21, 6_581_072), statement(2, 21, 6_581_097)]
    key = next_snapshot()
    fill(session, key, rows, types={one: [5] for one in (*fathers, *fathers.values())})
    derive(key)
    assert rows_of(session, key, "negation.value:P22") == {(11, 3), (12, 2)}
    known = load_world(session, key)
    assert not isinstance(license_no(known, 22, 10, 2), Licence)
    assert isinstance(license_no(known, 22, 11, 1), Licence)


def test_contradictory_values_of_a_functional_property_ground_nothing(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    rows = [statement(1, 22, 11), statement(1, 22, 12)]  # two fathers of one rank: one of them is none
    rows += [statement(2, 22, 21), statement(2, 22, 22, rank="preferred")]  # the outranked one is none
    rows += [statement(3, 22, 31), statement(3, 22, kind="unknown")]
    rows += [statement(4, 22, 41), statement(4, 22, 42, hedged=True)]
    rows += [statement(5, 22, 51), statement(11, 22, 13), statement(51, 22, 52)]
    rows += [statement(6, 19, 61), statement(6, 19, 62), statement(61, 131, 63), statement(63, 131, 62)]
    rows += [statement(7, 19, 61), statement(7, 19, 64), statement(8, 19, 61, rank="preferred"), statement(8, 19, 64)]
    rows += [statement(61, 1889, 64)]  # "different from" links two names; it makes them no one place
    fill(session, key, rows, types={62: [6256]})
    derive(key, shards=2)
    assert rows_of(session, key, "negation.polarity:P22") == {(2, 22), (5, 51), (11, 13), (51, 52)}
    assert rows_of(session, key, "inverse:P22:P40") == {(22, 2), (51, 5), (13, 11), (52, 51)}
    assert rows_of(session, key, "composite:P22/P22") == {(5, 52)}
    assert rows_of(session, key, "negation.polarity:P19") == {(6, 61), (6, 62), (8, 61)}
    assert {s for s, _ in rows_of(session, key, "composite:P19/P131*")} == {6, 8}
    assert rows_of(session, key, "share:P22") == set()
    converses = rows_of(session, key, "negation.value:P22:converse")
    assert converses == {(22, 2), (51, 5), (13, 11), (52, 51)}
    world = load_world(session, key)
    assert all(isinstance(license_no(world, 22, *pair), Licence) for pair in converses)
    assert not isinstance(license_no(world, 22, 12, 1), Licence)


def test_a_place_is_denied_only_if_its_event_is_dated_and_older_than_the_recording_lag(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    people = range(1, 8)
    rows = [statement(10, 131, 11), statement(20, 131, 21), statement(99, 20, 20), statement(99, 570, year=1900)]
    rows += [statement(one, 20, 10) for one in people]
    dates = [statement(1, 570, year=1950), statement(2, 570, year=2026), statement(3, 570, kind="unknown")]
    dates += [statement(4, 570, year=1950), statement(4, 570, year=2026), statement(5, 570, year=1950, hedged=True)]
    dates += [statement(7, 570, kind="time")]
    kinds = {10: [515], 20: [515], 11: [6256], 21: [6256]}
    key = next_snapshot()
    fill(session, key, [*rows, *dates], types=kinds, as_of=date(2026, 10, 31))
    derive(key)
    assert rows_of(session, key, "negation.value:P20") == {(1, 20), (99, 10)}
    key = next_snapshot()
    fill(session, key, [row for row in rows if row["p"] != 570], types=kinds)
    derive(key)
    assert rows_of(session, key, "negation.value:P20") == set()
    reason = "SELECT reason FROM rule WHERE snapshot = :key AND name = 'negation.value:P20'"
    assert "no dates (P570)" in session.execute(text(reason), {"key": key}).scalar_one()


def test_a_snapshot_that_is_still_pulled_is_refused(session: Session, next_snapshot: Callable[[], str]) -> None:
    key = next_snapshot()
    fill(session, key, [statement(1, 26, 2)])
    session.execute(text("UPDATE snapshot SET status = 'pulling' WHERE snapshot = :key"), {"key": key})
    session.commit()
    with pytest.raises(UserError, match="still being pulled"):
        type_rules(session, key, rules_file=RULES_FILE)
    session.rollback()


def test_shared_objects_of_what_may_not_be_composed_are_those_that_duckdb_finds(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    """Two classes on a cycle, with two superclasses or below a reviewed class alike share a superclass."""
    random = Random(7)
    stated = sorted({
        (random.randrange(10, 40), p, random.randrange(10, 20)) for p in (131, 171, 279, 57) for _ in range(40)
    })
    key, rules_file = next_snapshot(), tmp_path / "rules.yaml"
    listed = yaml.safe_load(RULES_FILE.read_text(encoding="utf-8"))
    listed["share"] |= {f"P{p}": "in this test" for p in (131, 171, 279)}
    rules_file.write_text(yaml.safe_dump(listed), encoding="utf-8")
    fill(session, key, [statement(*one) for one in stated])
    type_rules(session, key, rules_file=rules_file)
    derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path, anew=True)
    with duckdb.connect() as oracle:
        oracle.execute("CREATE TABLE t (s INT, p INT, o INT)")
        oracle.executemany("INSERT INTO t VALUES (?, ?, ?)", stated)
        for p in (131, 171, 279, 57):
            pairs = oracle.execute(
                "SELECT DISTINCT a.s, b.s FROM t a JOIN t b USING (p, o) WHERE p = ? AND a.s < b.s", [p]
            ).fetchall()
            assert rows_of(session, key, f"share:P{p}") == set(pairs) != set()
