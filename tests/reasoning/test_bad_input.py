"""What the world may hand to a derivation: hubs, items without an entity, a disk that fills up under COPY."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg2
import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, rows_of, statement
from sqlalchemy import make_url, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.reasoning import proving
from halluvault_tasks.reasoning.rule_typing import reviewed
from halluvault_tasks.reasoning.rules import find_facts
from halluvault_tasks.reasoning.running.shard_run import Limits, read_manifest
from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules
from halluvault_tasks.wikidata.relation import Relation

Derive = Callable[..., Any]
HUB = 100_000


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("transitive: {P131: [", "line 2"),
        ("transitive:\n  P131: one\n  P131: two\n", "is duplicated"),
        ("transitive:\n  Q131: one\n", "is not a property like P131"),
        ("composite:\n  - {chain: ['P131*', P17], concludes: P17, reason: x}\n", "only the last of two steps"),
        ("composite:\n  - {chain: [P22, P22], concludes: nobody, reason: x}\n", "nor in `relations`"),
        ("rules: {}\n", "rules"),
    ],
)
def test_a_rule_file_that_does_not_parse_is_named_with_its_place(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(content)
    with pytest.raises(UserError, match=says):
        reviewed.load_reviewed(file)


def test_a_hub_of_a_hundred_thousand_members_is_stored_whole_and_paired_evenly(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(at, 57, 5) for at in range(10, 10 + HUB)])
    type_rules(session, key, rules_file=RULES_FILE)
    derive_shard(
        session,
        key,
        prolog_dir=PROLOG_DIR,
        scratch=tmp_path,
        limits=Limits(memory=2 << 30),
        anew=True,
    )
    check_derivation(session, key, shards=1)
    met = text(
        "SELECT min(n), max(n), count(*) FROM (SELECT one, count(*) AS n FROM derived_fact d JOIN rule r "
        "USING (snapshot, rule), LATERAL (VALUES (d.s), (d.o)) AS ends(one) "
        "WHERE snapshot = :key AND r.name = 'share:P57' GROUP BY one) AS partners"
    )
    assert session.execute(met, {"key": key}).one() == (16, 16, HUB)
    group = session.execute(
        text("SELECT o, cardinality(members), cardinality(sids) FROM shared_group WHERE snapshot = :key"), {"key": key}
    ).one()
    assert group == (5, HUB, HUB)


def test_every_pair_of_a_whole_group_is_there_to_be_read(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(s, 57, o) for s, o in ((1, 9), (2, 9), (3, 9), (4, 8), (1, 8), (6, 7))])
    derive(key)
    found = session.execute(
        text(
            "SELECT g.o, a.member, b.member FROM shared_group g, unnest(members) WITH ORDINALITY AS a(member, at), "
            "unnest(members) WITH ORDINALITY AS b(member, at) WHERE snapshot = :key AND a.at < b.at ORDER BY 1, 2, 3"
        ),
        {"key": key},
    )
    assert [tuple(row) for row in found] == [(8, 1, 4), (9, 1, 2), (9, 1, 3), (9, 2, 3)]
    sids = text(
        "SELECT count(*) FROM shared_group g, unnest(members, sids) AS one(member, sid) JOIN statement st "
        "ON st.snapshot = :key AND st.sid = one.sid AND st.s = one.member WHERE g.snapshot = :key AND st.o = g.o"
    )
    assert session.scalar(sids, {"key": key}) == 5


def test_an_item_without_an_entity_still_counts_but_is_never_asked_about(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(1, 26, 2), statement(3, 26, 4)])
    session.execute(text("DELETE FROM entity WHERE snapshot = :key AND qid = 2"), {"key": key})
    session.commit()
    derive(key)
    assert rows_of(session, key, "symmetric:P26") == {(2, 1), (4, 3)}
    assert rows_of(session, key, "negation.polarity:P26") == {(3, 4)}
    (fact,) = find_facts(session, key, Relation.of(26), 2, 1)
    assert "Q2:" in proving.prove_many(session, key, [fact])[0].program


@pytest.fixture
def full_disk(postgres_server: postgres.PostgresServer, database_url: str) -> Iterator[None]:
    """Postgres refuses every row of a shard's table after the tenth subject, as it does when its disk is full."""
    database = make_url(database_url).database
    make = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE FUNCTION fill_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$ DECLARE made record; BEGIN
      FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE object_identity ~ 'derived_fact_.*_new$' LOOP
        EXECUTE format('CREATE TRIGGER full_disk BEFORE INSERT ON %s FOR EACH ROW WHEN (NEW.s > 10) '
                       'EXECUTE FUNCTION no_room()', made.object_identity);
      END LOOP; END $$;
    CREATE EVENT TRIGGER full_disk ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION fill_disk()
    """
    with closing(
        psycopg2.connect(
            host="127.0.0.1",
            port=postgres_server.port,
            user="postgres",
            password=postgres_server.password,
            dbname=database,
        )
    ) as admin:
        admin.autocommit = True
        with admin.cursor() as cursor:
            cursor.execute(make)
            yield
            cursor.execute("DROP EVENT TRIGGER full_disk; DROP FUNCTION fill_disk; DROP FUNCTION no_room CASCADE")


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_under_copy_fails_the_shard_whole_and_is_named(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(at, 5135, at + 1) for at in range(1, 40)])
    type_rules(session, key, rules_file=RULES_FILE)
    with pytest.raises(UserError, match=r"no room for the derived rows.*No space left on device"):
        derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path, anew=True)
    session.rollback()
    assert session.scalar(text("SELECT count(*) FROM derived_fact WHERE snapshot = :key"), {"key": key}) == 0
    with pytest.raises(UserError, match="shard 0 of 1"):
        check_derivation(session, key, shards=1)


def test_a_manifest_that_stops_anywhere_is_never_taken_for_a_whole_one() -> None:
    lines = ["begin 1", "rows 1 5 0", "begin 2", "rows 2 7 3", "end 12"]
    with TemporaryDirectory() as name:
        file = Path(name) / "manifest"
        for cut in range(len(lines)):
            file.write_text("\n".join(lines[:cut]))
            assert read_manifest(file).total is None
        file.write_text("\n".join(lines) + "\n")
        assert (read_manifest(file).total, read_manifest(file).groups) == (12, {1: 0, 2: 3})
