"""How often the rules are wrong: hide a share of the statements, derive from the rest, compare with the hidden ones.

A negative is false if a hidden statement states it, or states a place inside the one denied. The same is done without
the licence's guards (any property may deny, several values or not, places need not be disjoint, names and containers do
not matter): that variant must fail, or the study could not have found anything. What is derived as true, flipped facts
included, is compared with negatives that people have verified, if there are any. For relations that are stated from
either end it reports how complete they are left, and how many claims without support it would take for false.

All of it happens in a schema of its own, which is dropped at the end; the snapshot does not change.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, create_engine, event, insert, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import completeness, stages
from halluvault_tasks.reasoning.audit_world import Simulated
from halluvault_tasks.reasoning.completeness import Audited
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing.support import wilson
from halluvault_tasks.reasoning.rules import all_rules, store
from halluvault_tasks.reasoning.running import shard_run
from halluvault_tasks.reasoning.running.programs import write_shard
from halluvault_tasks.reasoning.running.ready import make_ready
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.reasoning.world.naming import Naming
from halluvault_tasks.reasoning.world.slots import Functional, Known
from halluvault_tasks.storage import leases, tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.partitions import create_partitions
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation

SCHEMA = "halluvault_audit"
DEMOTED_ABOVE = 0.0005
"""Share of false negatives above which a property may deny nothing any more."""

_UNGUARDED = 10_000
_SIMULATED_KEY = "2026-10"

_COPIED = {
    "snapshot": "snapshot",
    "entity": "snapshot, qid, label, description, aliases, types, domain, seed, sitelinks",
    "property": "snapshot, pid, label, datatype, inverse, classes, constraints, separators, origin",
    "deprecated_value": "snapshot, guid, s, p, o",
}

_HIDE = """
DELETE FROM statement WHERE ('x' || left(encode(sha256(convert_to(:seed || ':' || guid, 'UTF8')), 'hex'), 8))::bit(32)
::bigint < :share * 4294967296
"""

_TRUTH = f"""
CREATE TABLE truth AS SELECT DISTINCT p, s, o FROM statement WHERE o IS NOT NULL;
CREATE INDEX ON truth (p, s, o);
CREATE INDEX ON truth (p, o);
CREATE TABLE inside AS WITH RECURSIVE up(s, o) AS (
    SELECT s, o FROM truth WHERE p = {wd.LOCATED_IN}
    UNION SELECT up.s, t.o FROM up JOIN truth t ON t.p = {wd.LOCATED_IN} AND t.s = up.o
) SELECT s, o FROM up;
CREATE INDEX ON inside (s, o);
"""  # noqa: S608 (constants of this package)

_HIDDEN = """
CREATE TABLE hidden AS SELECT p, s, o FROM truth EXCEPT SELECT p, s, o FROM statement WHERE o IS NOT NULL;
CREATE INDEX ON hidden (p, s);
ANALYZE
"""

_NEGATIVES = """
SELECT d.p, d.reason, count(*) AS checked,
       count(*) FILTER (WHERE EXISTS (SELECT FROM hidden h WHERE h.p = d.p AND h.s = d.s)) AS exposed,
       count(*) FILTER (WHERE EXISTS (SELECT FROM truth t WHERE t.p = d.p AND t.s = d.s AND t.o = d.o)
           OR EXISTS (SELECT FROM truth t JOIN inside i ON i.s = t.o WHERE t.p = d.p AND t.s = d.s AND i.o = d.o
                      AND d.p = ANY(:places))) AS wrong
FROM (SELECT of.properties[1] AS p, f.s, f.o, f.reason FROM derived_fact f JOIN rule r USING (snapshot, rule)
      JOIN relation of ON of.id = f.relation WHERE f.shard = :shard AND r.kind = 'negation.value') AS d
GROUP BY d.p, d.reason ORDER BY d.p, d.reason
"""

_POSITIVES = """
SELECT v.p, r.name, count(*) AS wrong FROM verified v
JOIN relation p ON p.kind = 'property' AND p.properties = ARRAY[v.p]
JOIN derived_fact d ON d.relation = p.id AND d.s = v.s AND d.o = v.o AND d.shard = 0
JOIN rule r ON r.snapshot = d.snapshot AND r.rule = d.rule
WHERE r.kind <> 'negation.value'
GROUP BY v.p, r.name ORDER BY v.p, r.name
"""

_CHECKABLE = """
SELECT v.p, count(*) AS checked FROM verified v
WHERE v.p IN (SELECT properties[1] FROM rule JOIN relation p ON p.id = conclusion AND p.kind = 'property'
              WHERE verdict = 'active' AND rule.kind <> 'negation.value')
GROUP BY v.p ORDER BY v.p
"""


class AuditLine(NamedTuple):
    """One row of the audit table."""

    p: int
    reason: str
    """Of the licence for a negative; "positive" for what verified negatives were compared with."""

    checked: int
    exposed: int
    """Those of them that could have failed: the hidden part, or a person, says something about them."""

    wrong: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share that is wrong."""
        return wilson(self.wrong, self.checked)


class Audit(NamedTuple):
    """One hiding of one snapshot."""

    share: float
    hidden: int
    negatives: tuple[AuditLine, ...]
    unguarded: tuple[AuditLine, ...]
    positives: tuple[AuditLine, ...]
    """Empty where no verified negatives were given."""

    demoted: tuple[int, ...]
    """Properties of which more than `DEMOTED_ABOVE` of the guarded negatives are false."""

    claims: tuple[Audited, ...]
    """What was stated before the hiding as claims: how many the completeness of the rest would take for false."""


def total(lines: Sequence[AuditLine]) -> AuditLine:
    """All lines as one; p is 0."""
    return AuditLine(
        0,
        "all",
        sum(line.checked for line in lines),
        sum(line.exposed for line in lines),
        sum(line.wrong for line in lines),
    )


@contextmanager
def workspace(session: Session) -> Iterator[Session]:
    """A session on an empty schema with this version's tables; the schema is gone afterwards.

    Raises:
        UserError: the role may not make a schema.
    """
    with leases.held(session, LeasedWork("", "audit")):
        yield from _workspace(session)


def _workspace(session: Session) -> Iterator[Session]:
    try:
        session.execute(text(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))
        session.execute(text(f"CREATE SCHEMA {SCHEMA}"))
        session.commit()
    except ProgrammingError as error:
        session.rollback()
        raise UserError(
            f"the role may not make a schema: {str(error.orig).strip().splitlines()[0]}",
            "use the database's owner, or GRANT CREATE ON DATABASE",
        ) from error
    engine = create_engine(session.get_bind().engine.url, isolation_level="READ COMMITTED")

    @event.listens_for(engine, "begin")
    def within(connection: Connection) -> None:  # of each transaction: a session's own setting is lost in a pooler
        connection.exec_driver_sql(f"SET LOCAL search_path = {SCHEMA}")

    try:
        tables.metadata.create_all(engine)
        with Session(engine) as inner:
            yield inner
    finally:
        engine.dispose()
        session.rollback()
        session.execute(text(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE"))
        session.commit()


def copy_snapshot(inner: Session, outer: str, snapshot: str) -> None:
    """Fill a workspace with a snapshot of the schema `outer`, statements included."""
    create_partitions(inner, snapshot)
    columns = ", ".join(column.name for column in tables.statement.c)
    names = {**_COPIED, "snapshot": ", ".join(column.name for column in tables.snapshot.c), "statement": columns}
    for name, listed in names.items():
        inner.execute(
            text(f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {outer}.{name} WHERE snapshot = :key"),  # noqa: S608 (names of this package's tables)
            {"key": snapshot},
        )
    inner.commit()


def fill_simulated(inner: Session, world: Simulated, as_of: Any) -> str:
    """Fill a workspace with a simulated world; returns its key."""
    key = _SIMULATED_KEY
    create_partitions(inner, key)
    inner.execute(
        insert(tables.snapshot).values(snapshot=key, month=key, as_of=as_of, source="simulated/audit", status="frozen")
    )
    copy_rows(
        inner,
        tables.statement,
        ["snapshot", "sid", "guid", "s", "p", "kind", "o", "rank", "unknown_qualifiers"],
        (
            [key, sid, f"{fact.p}-{fact.s}-{fact.o}", fact.s, fact.p, "item", fact.o, "normal", []]
            for sid, fact in enumerate(world.facts, 1)
        ),
    )
    copy_rows(
        inner,
        tables.statement,
        ["snapshot", "sid", "guid", "s", "p", "kind", "rank", "unknown_qualifiers", "earliest", "latest", "precision"],
        (
            [key, sid, f"{p}-{s}", s, p, "time", "normal", [], day_number(year), day_number(year, 12, 31), 9]
            for sid, (s, p, year) in enumerate(world.dates, len(world.facts) + 1)
        ),
    )
    copy_rows(
        inner,
        tables.entity,
        ["snapshot", "qid", "label", "aliases", "types", "seed"],
        ([key, qid, world.labels[qid], [], list(kinds), True] for qid, kinds in sorted(world.types.items())),
    )
    for pid, classes, constraints in (
        (wd.BIRTHPLACE, [], [19_474_404]), (wd.DEATHPLACE, [], [19_474_404]), (wd.FATHER, [], [19_474_404]),
        (wd.MOTHER, [], [19_474_404]), (wd.SPOUSE, [18_647_518], []), (wd.LOCATED_IN, [18_647_515], []),
        *((pid, [], []) for pid in (wd.CITIZENSHIP, wd.OCCUPATION, *wd.LIFE, wd.COUNTRY, wd.REPLACED_BY)),
    ):  # fmt: skip
        datatype = "time" if pid in wd.LIFE else "wikibase-item"
        inner.execute(
            insert(tables.property).values(
                snapshot=key, pid=pid, label=f"P{pid}", datatype=datatype, classes=classes,
                constraints=constraints, separators=[], origin="source",
            )
        )  # fmt: skip
    inner.commit()
    return key


class Hidden(NamedTuple):
    """What a snapshot is made not to know."""

    share: float
    """Of its statements, 0 to 1."""
    seed: int
    """Of the choice."""


def audit(
    inner: Session,
    snapshot: str,
    *,
    hidden: Hidden,
    rules_file: Path,
    prolog_dir: Path,
    scratch: Path,
    verified: Sequence[tuple[int, int, int]] = (),
) -> Audit:
    """Hide a share of a workspace's statements, derive, and count what is wrong.

    Args:
        inner: a session of `workspace`, filled; its statements are fewer afterwards.
        snapshot: key.
        hidden: which of the statements.
        rules_file: config/rules.yaml.
        prolog_dir: where derivation.pl is.
        scratch: for facts.pl and rules.pl.
        verified: (s, p, o) that people have found to be false.
    """
    for command in _TRUTH.split(";"):
        if command.strip():
            inner.execute(text(command))
    inner.execute(text(_HIDE), {"seed": str(hidden.seed), "share": hidden.share})
    for command in _HIDDEN.split(";"):
        inner.execute(text(command))
    inner.commit()
    stages.type_rules(inner, snapshot, rules_file=rules_file)
    stages.derive_shard(inner, snapshot, prolog_dir=prolog_dir, scratch=scratch, anew=True)
    places = [
        rule.conclusion.pid for rule in all_rules(inner, snapshot) if not rule.kind.truth and rule.support.get("place")
    ]
    positives = _positives(inner, verified)
    claims = completeness.audited(inner, snapshot, verified)
    number = inner.scalar(text("SELECT count(*) FROM hidden")) or 0
    guarded = _negatives(inner, 0, places)
    _derive_unguarded(inner, snapshot, prolog_dir, scratch)
    unguarded = _negatives(inner, 1, places)
    by_property: dict[int, list[AuditLine]] = {}
    for line in guarded:
        by_property.setdefault(line.p, []).append(line)
    sums = {p: total(lines) for p, lines in by_property.items()}
    demoted = tuple(p for p, line in sorted(sums.items()) if line.wrong > DEMOTED_ABOVE * line.checked)
    return Audit(hidden.share, number, guarded, unguarded, positives, demoted, claims)


def _negatives(inner: Session, shard: int, places: Sequence[int]) -> tuple[AuditLine, ...]:
    rows = inner.execute(text(_NEGATIVES), {"shard": shard, "places": list(places)})
    return tuple(
        AuditLine(row.p, Reason(row.reason).name.lower().replace("_", " "), row.checked, row.exposed, row.wrong)
        for row in rows
    )


def _positives(inner: Session, verified: Sequence[tuple[int, int, int]]) -> tuple[AuditLine, ...]:
    if not verified:
        return ()
    inner.execute(text("CREATE TABLE verified (s integer, p integer, o integer)"))
    inner.execute(
        text("INSERT INTO verified VALUES (:s, :p, :o)"),
        [{"s": s, "p": p, "o": o} for s, p, o in sorted(set(verified))],
    )
    wrong: dict[int, int] = {}
    for row in inner.execute(text(_POSITIVES)):
        wrong[row.p] = wrong.get(row.p, 0) + row.wrong
    return tuple(
        AuditLine(row.p, "positive", row.checked, row.checked, wrong.get(row.p, 0))
        for row in inner.execute(text(_CHECKABLE))
    )


def _derive_unguarded(inner: Session, snapshot: str, prolog_dir: Path, scratch: Path) -> None:
    """Derive as shard 1 what would be denied without the guards."""
    counted = inner.execute(
        text("SELECT p, count(*) AS n FROM statement WHERE kind = 'item' AND snapshot = :key GROUP BY p ORDER BY p"),
        {"key": snapshot},
    )
    # Containment, classes and links are what the guards look at; as questions they would flatter the comparison.
    rules = [
        Rule(
            _UNGUARDED + at, f"negation.value:P{row.p}", WRONG_VALUE, (row.p,), Relation.of(row.p), "audit",
            {"place": False, "event": 0, "per_fact": 3, "recording_lag_days": 0, "statements": {f"P{row.p}": row.n},
             "time_bound": []},
            "active", "without the guards",
        )
        for at, row in enumerate(counted, 1)
        if row.p not in {*wd.ABOVE, *wd.BELOW, *wd.CONFUSABLE}
    ]  # fmt: skip
    if not rules:
        return
    inner.execute(
        text("UPDATE rule SET verdict = 'candidate', support = support - 'contested' WHERE kind = 'negation.value'")
    )
    store(inner, snapshot, rules)
    world = without_guards(load_world(inner, snapshot))
    rules = [rule for rule in rules if rule.conclusion.pid in world.slots.functional]
    ready = make_ready(inner, snapshot, rules, world, prolog_dir)
    files = write_shard(inner, snapshot, ready, scratch / snapshot / "unguarded")
    inner.commit()
    shard_run.staging(inner, snapshot, 1)
    by_number = {rule.rule: rule for rule in rules}
    shard_run.run(inner, snapshot, 1, by_number, files, prolog_dir, shard_run.Limits())
    shard_run.attach(inner, snapshot, 1)
    inner.commit()


def without_guards(world: World) -> World:
    """The same snapshot to an oracle that takes the absence of a value for its falsity."""
    slots = world.slots
    known = {key: Known(1, dict(list(of.items.items())[:1])) for key, of in slots.known.items() if of.items}
    return replace(
        world,
        containment=replace(world.containment, up={}, links={}),
        naming=Naming({item: frozenset({str(item)}) for item in world.naming.marks}),
        slots=replace(slots, functional={p: Functional() for p, _ in known}, known=known, young_events=frozenset()),
    )
