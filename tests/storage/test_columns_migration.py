"""Derived facts of months before: what their columns held by the kind of the rule, each column now says by itself."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.reasoning.rules import stored_rules
from halluvault_tasks.storage import migrate, sessions
from halluvault_tasks.storage.partitions import drop_partitions
from halluvault_tasks.storage.tables import derived_fact, snapshot
from halluvault_tasks.wikidata.relation import Relation

BEFORE = "0022"
MONTHS = {"2026-09": (0,), "2026-10.2": (0, 1)}
"""Month → its shards."""


class Old(NamedTuple):
    """A rule and a row of it as they were, and what they say."""

    name: str
    form: str
    premises: tuple[int, ...]
    conclusion: int
    row: tuple[int, int, int]
    relation: Relation
    evidence: tuple[int, ...]
    via: int | None = None
    reason: int | None = None
    finding: int | None = None


OLD = (
    Old("symmetric:P26", "symmetric", (26,), 26, (7, 0, 0), Relation.of(26), (7,)),
    Old("inverse:P22:P40", "inverse", (22,), 40, (7, 0, 0), Relation.of(40), (7,)),
    Old("inverse:P40:P22", "inverse by sex", (40, 21), 22, (7, 8, 0), Relation.of(22), (7, 8)),
    Old("transitive:P131", "transitive", (131,), 131, (7, 90, 0), Relation.of(131), (7,), via=90),
    Old("transitive:P279", "transitive, licensed pairs", (279,), 279, (7, 8, 9), Relation.of(279), (7, 8, 9)),
    Old("composite:P131/P17", "chain", (131, 17), 17, (7, 8, 0), Relation.of(17), (7, 8)),
    Old("composite:P22/P22", "chain", (22, 22), -22025, (8, 7, 0), Relation.chain(22, 25), (8, 7)),
    Old("composite:P22/P25", "chain", (22, 25), -22025, (8, 7, 0), Relation.chain(22, 25), (8, 7)),
    Old("composite:P1/P2/P3", "chain", (1, 2, 3), -5, (9, 8, 7), Relation.chain(1, 2, 3), (9, 8, 7)),
    Old("composite:P19/P131*", "chain, climbing", (19, 131), -19131, (8, 7, 90), Relation.chain(19, 131), (8, 7), 90),
    Old("share:P57", "share", (57, 57), -57, (8, 7, 0), Relation.share(57), (8, 7)),
    Old("negation.polarity:P19", "polarity", (19,), 19, (7, 0, 0), Relation.of(19), (7,)),
    Old("negation.value:P19", "wrong value", (19,), 19, (7, 0, 3), Relation.of(19), (7,), reason=3),
    Old("negation.value:P22:converse", "converse", (22,), 22, (7, 0, 4), Relation.of(22), (7,), reason=4),
    Old("negation.value:P106:checked", "checked", (106,), 106, (0, 11, 8), Relation.of(106), (), None, 8, 11),
)
UNRUN = ("composite:P3373/P22", "chain", (3373, 22), 0)
"""Refused, so that it concluded nothing."""


def alembic(connection: Connection, step: Callable[[Config, str], None], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    step(config, to)


def run(connection: Connection, statement: str, **values: Any) -> None:
    connection.execute(text(statement), values)


def fill(connection: Connection, key: str, shards: tuple[int, ...]) -> None:
    """A month as the tables of before have it: each shard a fact of every rule."""
    connection.execute(
        insert(snapshot).values(
            snapshot=key,
            month=key[:7],
            revision=int(key[8:] or 1),
            as_of=date(2026, 9, 30),
            source="x",
            status="frozen",
        )
    )
    month = f"derived_fact_{key.replace('-', '_').replace('.', '_r')}"
    run(connection, f"CREATE TABLE {month} (LIKE derived_fact INCLUDING ALL) PARTITION BY LIST (shard)")
    run(connection, f"ALTER TABLE derived_fact ATTACH PARTITION {month} FOR VALUES IN ('{key}')")
    for shard in shards:
        run(connection, f"CREATE TABLE {month}_s{shard} PARTITION OF {month} FOR VALUES IN ({shard})")
    for number, (name, form, premises, conclusion, *_) in enumerate((*OLD, UNRUN), 1):
        run(
            connection,
            "INSERT INTO rule (snapshot, rule, name, kind, form, premises, conclusion, origin, support, verdict,"
            " reason) VALUES (:key, :rule, :name, :kind, :form, :premises, :conclusion, '', '{}', :verdict, '')",
            key=key, rule=number, name=name, kind=name.partition(":")[0], form=form, premises=list(premises),
            conclusion=conclusion, verdict="active" if conclusion else "refused",
        )  # fmt: skip
    for shard in shards:
        for number, old in enumerate(OLD, 1):
            run(
                connection,
                "INSERT INTO derived_fact VALUES (:key, :shard, :rule, :p, :s, 2, :e1, :e2, :e3)",
                key=key, shard=shard, rule=number, p=old.conclusion, s=100 + shard,
                **dict(zip(("e1", "e2", "e3"), old.row, strict=True)),
            )  # fmt: skip
            run(
                connection,
                "INSERT INTO derivation_manifest (snapshot, shard, rule, rows) VALUES (:key, :shard, :rule, 1)",
                key=key, shard=shard, rule=number,
            )  # fmt: skip
    run(connection, "INSERT INTO derived_fact VALUES (:key, 0, 99, 5, 6, 7, 8, 0, 0)", key=key)


def rows(connection: Connection) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(text("SELECT * FROM derived_fact ORDER BY 1, 2, 3"))]


@pytest.fixture(scope="module")
def migrated(database_url: str) -> Iterator[Connection]:
    """A database of before with two months, brought to this version's tables; rolled back."""
    with sessions.engine(database_url).connect() as connection:
        alembic(connection, command.downgrade, BEFORE)
        for key, shards in MONTHS.items():
            fill(connection, key, shards)
        alembic(connection, command.upgrade, "head")
        yield connection
        connection.rollback()


def test_every_column_says_what_it_holds_in_every_month_and_shard(migrated: Connection) -> None:
    with Session(migrated) as session:
        for key, shards in MONTHS.items():
            rules = {rule.rule: rule for rule in stored_rules(session, key)}
            assert [rule.conclusion for rule in rules.values()] == [
                *(old.relation for old in OLD), Relation.chain(3373, 22)
            ]  # fmt: skip
            for shard in shards:
                c = derived_fact.c
                query = select(*COLUMNS).where(c.snapshot == key, c.shard == shard).order_by(c.rule)
                assert [fact_of(row, rules) for row in session.execute(query)] == [
                    DerivedFact(number, old.relation, 100 + shard, 2, *old[6:]) for number, old in enumerate(OLD, 1)
                ]


def test_rows_carry_the_id_of_what_their_rule_concludes(migrated: Connection) -> None:
    different = (
        "SELECT count(*) FROM derived_fact d JOIN rule r USING (snapshot, rule) WHERE d.relation <> r.conclusion"
    )
    assert migrated.scalar(text(different)) == 0
    assert len(rows(migrated)) == len(OLD) * sum(map(len, MONTHS.values())), "a row that no manifest counts is left out"


def test_a_migrated_month_is_partitioned_as_stages_find_it(migrated: Connection) -> None:
    leaf = text("SELECT count(*) FROM derived_fact_2026_10_r2_s1")
    assert migrated.scalar(leaf) == len(OLD)
    with Session(migrated) as session, session.begin_nested() as dropped:
        drop_partitions(session, "2026-10.2")
        assert len(rows(session.connection())) == len(OLD)
        dropped.rollback()


def test_the_way_back_has_the_numbers_again(migrated: Connection) -> None:
    now = rows(migrated)
    with migrated.begin_nested() as back:
        alembic(migrated, command.downgrade, BEFORE)
        assert [row[2:] for row in rows(migrated)] == [
            (number, -1 if old.conclusion == -5 else old.conclusion, 100 + shard, 2, *old.row)
            for shards in MONTHS.values() for shard in shards for number, old in enumerate(OLD, 1)
        ]  # fmt: skip
        back.rollback()
    assert rows(migrated) == now
