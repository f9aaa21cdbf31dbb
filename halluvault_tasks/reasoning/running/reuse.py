"""Takes over from an earlier month what this month does not affect, and finds the subjects for which a rule must rerun.

A row depends on the statements that its rule reads, on the rule and its program (`Ready.inputs`) and, for negations, on
which items have a label. Statements are compared one by one (property, ends, GUID, each month at its own date); a
subject that can reach a changed one by the rule's steps, in either month, is *touched*. All other rows are the same
facts with the same evidence: their statement numbers are translated through the GUIDs, whose order both months share.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.running.ready import Ready, relations_of
from halluvault_tasks.reasoning.running.shard_run import staging_name
from halluvault_tasks.storage.tables import derived_fact, shared_group

_EARLIER = """
SELECT snapshot FROM derivation_manifest JOIN snapshot USING (snapshot)
WHERE rule = 0 AND (month, revision) < (SELECT month, revision FROM snapshot WHERE snapshot = :snapshot)
ORDER BY month DESC, revision DESC LIMIT 1
"""

_DERIVED = """
SELECT r.name, r.rule, m.inputs, m.rows, m.groups FROM rule r JOIN derivation_manifest m USING (snapshot, rule)
WHERE snapshot = :before AND m.inputs <> ''
"""

_THERE = """
SELECT rule, sum(rows) AS rows, sum(groups) AS groups FROM (
    SELECT rule, count(*) AS rows, 0 AS groups FROM derived_fact WHERE snapshot = :before GROUP BY rule
    UNION ALL SELECT rule, 0, count(*) FROM shared_group WHERE snapshot = :before GROUP BY rule) AS found
GROUP BY rule
"""

_RENAMED = """
SELECT qid FROM (
    (SELECT qid FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL
     EXCEPT SELECT qid FROM entity WHERE snapshot = :before AND label IS NOT NULL)
    UNION
    (SELECT qid FROM entity WHERE snapshot = :before AND label IS NOT NULL
     EXCEPT SELECT qid FROM entity WHERE snapshot = :snapshot AND label IS NOT NULL)) AS changed
"""

_PREIMAGE = """
SELECT DISTINCT s FROM statement WHERE snapshot IN (:snapshot, :before) AND p = :p AND o = ANY(:objects)
"""

_SUBJECTS = """
SELECT DISTINCT s FROM statement WHERE snapshot IN (:snapshot, :before) AND p = :p AND s = ANY(:items)
"""

_NUMBERS = """
CREATE TEMP TABLE reuse_sid ON COMMIT DROP AS
SELECT old.sid AS old, new.sid AS new FROM statement old
JOIN statement new ON new.snapshot = :snapshot AND new.p = old.p AND new.s = old.s AND new.guid = old.guid
WHERE old.snapshot = :before
"""


class Kept(NamedTuple):
    """A rule of which rows are taken over."""

    ready: Ready
    month: str
    """The snapshot that has them."""

    old: int
    """The rule's number there."""

    touched: frozenset[int]
    """Subjects whose rows are derived again."""


class Plan(NamedTuple):
    """What to run and what to take over."""

    run: Sequence[Ready]
    """Rules to run, for all subjects or for the touched ones."""

    kept: Sequence[Kept]


def earlier(session: Session, snapshot: str) -> str:
    """The newest derived snapshot before this one; empty if there is none."""
    return session.scalar(text(_EARLIER), {"snapshot": snapshot}) or ""


def plan(session: Session, snapshot: str, ready: Sequence[Ready]) -> Plan:
    """Decide for every rule of a shard what of it must run.

    Args:
        session: open session.
        snapshot: key; the one before it is found by `earlier`.
        ready: the shard's rules.
    """
    before = earlier(session, snapshot)
    derived = {row.name: row for row in session.execute(text(_DERIVED), {"before": before})} if before else {}
    same = [each for each in ready if each.rule.name in derived and derived[each.rule.name].inputs == each.inputs]
    same = _still_there(session, before, same, derived) if same else []
    if not same:
        return Plan(ready, ())
    changes = _Changes(session, snapshot, before, same)
    kept = {
        each.rule.rule: Kept(each, before, derived[each.rule.name].rule, touched)
        for each in same
        if (touched := changes.touched(each)) is not None
    }
    run = [each for each in ready if each.rule.rule not in kept or kept[each.rule.rule].touched]
    return Plan(run, tuple(kept.values()))


def _still_there(session: Session, before: str, rules: Iterable[Ready], derived: Mapping[str, Row[Any]]) -> list[Ready]:
    """Those of which the earlier month has the rows that its manifest promises: checked no later than they are used."""
    there = {row.rule: (row.rows, row.groups) for row in session.execute(text(_THERE), {"before": before})}
    return [
        each
        for each in rules
        if (promised := derived[each.rule.name])
        and there.get(promised.rule, (0, 0)) == (promised.rows, promised.groups)
    ]


class _Changes:
    """What differs between two months, as far as the rules given read it."""

    def __init__(self, session: Session, snapshot: str, before: str, rules: Iterable[Ready]) -> None:
        self._session = session
        self._at = {"snapshot": snapshot, "before": before}
        self._days = {"today": usable.today(session, snapshot), "then": usable.today(session, before)}
        rules = list(rules)
        self._statements: dict[str, dict[int, set[tuple[int, int]]]] = defaultdict(dict)
        for letter, properties, condition in relations_of(rules):
            self._statements[letter] |= self._changed(properties, condition)
        names = any(each.body.names for each in rules)
        self._renamed = frozenset(session.scalars(text(_RENAMED), self._at)) if names else frozenset()

    def _changed(self, properties: Collection[int], condition: str) -> dict[int, set[tuple[int, int]]]:
        """Property → the (s, o) of statements that only one of the months has, or has with that GUID."""
        changed: dict[int, set[tuple[int, int]]] = {p: set() for p in properties}
        if not properties:
            return changed
        now = f"SELECT st.p, st.s, st.o, st.guid FROM statement st WHERE {condition} AND st.p = ANY(:properties)"  # noqa: S608 (constants of this package)
        then = now.replace(":snapshot", ":before").replace(":today", ":then")
        query = f"SELECT p, s, o FROM ((({now}) EXCEPT ({then})) UNION (({then}) EXCEPT ({now}))) AS changed"  # noqa: S608 (constants of this package)
        bind = {**self._at, **self._days, "properties": sorted(properties)}
        for row in self._session.execute(text(query), bind):
            changed[row.p].add((row.s, row.o))
        return changed

    def of(self, ready: Ready, p: int) -> set[tuple[int, int]]:
        """Statements of a rule's premise that one month alone has."""
        letter = "u" if p in ready.body.undated else "p" if p in ready.body.usable else "s"
        return self._statements[letter][p]

    def before(self, p: int, objects: Collection[int]) -> set[int]:
        """Subjects of p with one of these objects, in either month, whatever the rank or date."""
        if not objects:
            return set()
        return set(self._session.scalars(text(_PREIMAGE), {**self._at, "p": p, "objects": sorted(objects)}))

    def below(self, p: int, starts: set[int]) -> set[int]:
        """Everything that leads to one of these over p, they included."""
        reached, frontier = set(starts), set(starts)
        while frontier:
            frontier = self.before(p, frontier) - reached
            reached |= frontier
        return reached

    def touched(self, ready: Ready) -> frozenset[int] | None:
        """Subjects for which the rule must run; None: for all."""
        return ready.rule.kind.touched(ready.rule, _Read(self, ready))

    def renamed(self, p: int) -> bool:
        """Whether an end of p has got or lost its label."""
        return bool(self.before(p, self._renamed) or self._subjects_renamed(p))

    def _subjects_renamed(self, p: int) -> set[int]:
        if not self._renamed:
            return set()
        return set(self._session.scalars(text(_SUBJECTS), {**self._at, "p": p, "items": sorted(self._renamed)}))


class _Read(NamedTuple):
    """The changes as one rule reads them (`kinds.base.Changes`)."""

    among: _Changes
    ready: Ready

    def of(self, p: int) -> set[tuple[int, int]]:
        return self.among.of(self.ready, p)

    def before(self, p: int, objects: Collection[int]) -> set[int]:
        return self.among.before(p, objects)

    def below(self, p: int, starts: set[int]) -> set[int]:
        return self.among.below(p, starts)

    def renamed(self, p: int) -> bool:
        return self.among.renamed(p)


def touched_of(plan: Plan) -> Mapping[int, frozenset[int]]:
    """Rule number → the only subjects that it runs for."""
    return {kept.ready.rule.rule: kept.touched for kept in plan.kept if kept.touched}


def take_over(
    session: Session, snapshot: str, shard: int, kept: Sequence[Kept]
) -> tuple[dict[int, int], dict[int, int]]:
    """Copy the untouched rows and groups of an earlier month into the shard's staging tables.

    Args:
        session: open session; its transaction made the staging tables.
        snapshot: key.
        shard: number of the shard.
        kept: what `plan` found.

    Returns:
        Rule number → rows, and → whole groups.

    Raises:
        UserError: a statement that a row depends on is not in this month after all.
    """
    if not kept:
        return {}, {}
    session.execute(text(_NUMBERS), {"snapshot": snapshot, "before": kept[0].month})
    session.execute(text("CREATE UNIQUE INDEX ON reuse_sid (old)"))
    session.execute(text("ANALYZE reuse_sid"))
    rows, groups = {}, {}
    for rule in kept:
        number = rule.ready.rule.rule
        rows[number] = _rows(session, snapshot, shard, rule)
        groups[number] = _groups(session, snapshot, shard, rule) if rule.ready.rule.kind.grouped else 0
    return rows, groups


def _rows(session: Session, snapshot: str, shard: int, kept: Kept) -> int:
    bind = {"rule": kept.ready.rule.rule, "old": kept.old, "before": kept.month, "touched": sorted(kept.touched)}
    chosen = "snapshot = :before AND rule = :old AND NOT s = ANY(:touched)"
    measured = f"SELECT count(*), coalesce(max(cardinality(evidence)), 0) FROM derived_fact WHERE {chosen}"  # noqa: S608 (constants of this package)
    there, most = session.execute(text(measured), bind).one()
    places = range(1, most + 1)
    joins = "".join(f" LEFT JOIN reuse_sid m{at} ON m{at}.old = d.evidence[{at}]" for at in places)
    evidence = f"array_remove(ARRAY[{', '.join(f'm{at}.new' for at in places)}]::integer[], NULL)"
    into = staging_name(derived_fact, snapshot, shard)
    copied = session.execute(
        text(
            f"INSERT INTO {into} (rule, relation, s, o, evidence, via, reason, finding) "  # noqa: S608 (constants of this package)
            f"SELECT :rule, d.relation, d.s, d.o, {evidence}, d.via, d.reason, d.finding "
            f"FROM (SELECT * FROM derived_fact WHERE {chosen}) AS d{joins} "
            # A statement has no new number only if something is wrong: then the row is missed below.
            f"WHERE cardinality({evidence}) = cardinality(d.evidence)"
        ),
        bind,
    )
    rows = int(copied.rowcount)  # type: ignore[attr-defined]
    if rows != there:
        raise UserError(
            f"rule {kept.ready.rule.name} of {kept.month} cannot be reused in {snapshot}: rows differ",
            "`halluvault derive run --anew`",
        )
    return rows


def _groups(session: Session, snapshot: str, shard: int, kept: Kept) -> int:
    into = staging_name(shared_group, snapshot, shard)
    copied = session.execute(
        text(
            f"INSERT INTO {into} (rule, o, members, sids) SELECT :rule, o, members, ARRAY("  # noqa: S608 (constants of this package)
            "SELECT m.new FROM unnest(sids) WITH ORDINALITY AS u(old, at) LEFT JOIN reuse_sid m USING (old) ORDER BY at"
            ") FROM shared_group WHERE snapshot = :before AND rule = :old"
        ),
        {"rule": kept.ready.rule.rule, "old": kept.old, "before": kept.month},
    )
    return int(copied.rowcount)  # type: ignore[attr-defined]
