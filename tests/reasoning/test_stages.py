from collections.abc import Callable
from random import Random
from typing import Any

from reasoning_worlds import fill, rows_of, statement
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.licence import Licence, license_no
from halluvault_tasks.reasoning.world import load_world

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
        deprecated=[(5, 22, 501)],
    )
    derive(key)
    assert rows_of(session, key, "negation.value:P22") == set()
    key = next_snapshot()
    fill(
        session,
        key,
        [*rows, statement(7, 22, 700)],
        types={one: [5] for one in (*fathers, *fathers.values(), 7, 301, 700)},
        deprecated=[(5, 22, 501), (7, 22, 700)],
    )
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
