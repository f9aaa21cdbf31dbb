"""Month to month: what a part keeps of its predecessor, what it retires and why, and what is new.

A question that was asked once is never changed: its id is a hash over its words and answer, and the table refuses
updates. A question that is no longer asked is retired with a reason, decided when the part is frozen and stored with
it; `compare.between` compares months further apart by following those steps.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.freeze.earlier import earlier
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.stability import same_statement
from halluvault_tasks.benchmark.suites.part_statistics import StepCounts
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.facts import relations
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import (
    benchmark_case,
    benchmark_change,
    benchmark_part,
    cases,
    derived_fact,
    drawn_fact,
    entity,
    statement,
)
from halluvault_tasks.storage.tables import rule as rules
from halluvault_tasks.temporal.kinds import KINDS
from halluvault_tasks.temporal.stories import JOINING
from halluvault_tasks.wikidata.relation import Relation, relation_of

TRUTH = "its truth changed"
EVIDENCE_LEFT = "its evidence left"
EVIDENCE_CHANGED = "its evidence changed"
NAME = "its name no longer identifies"
RENAMED = "a name or description changed"
REWORDED = "asked in other words"
UNDERIVED = "no longer derived"
HELD_BACK = "held back: its class or property fell"
UNGENERATED = "another formula or time was drawn"
UNSETTLED = "a date of it is contested"
UNJOINED = "a statement left that joins who is in its story"
BESIDE = "something asked beside it left"
RENEWED = "renewed by design"
QUOTA = "quota"
UNDRAWN = "not among the facts drawn, or no longer put in words"
RETIRED = (
    TRUTH, EVIDENCE_LEFT, EVIDENCE_CHANGED, HELD_BACK, NAME, RENAMED, REWORDED, UNDERIVED, UNSETTLED, UNJOINED, BESIDE,
    RENEWED, UNGENERATED, QUOTA, UNDRAWN,
)  # fmt: skip
"""Why a case is retired; the first that holds."""

IN_THE_SOURCE = frozenset((
    TRUTH,
    EVIDENCE_LEFT,
    EVIDENCE_CHANGED,
    HELD_BACK,
    NAME,
    RENAMED,
    UNDERIVED,
    UNSETTLED,
    UNJOINED,
    BESIDE,
))
"""Those that the source has the cause of: a case without one stays, or is renewed by design (semantics.md §3.4)."""

OTHER_WORDS = "in other words than before"
NEW_EVIDENCE = "its evidence is new"
AGAIN = "asked again after a pause"
ANOTHER_WORDING = "another wording of a group that stays"
NEWLY_DRAWN = "newly drawn"
NEW = (AGAIN, OTHER_WORDS, NEW_EVIDENCE, ANOTHER_WORDING, NEWLY_DRAWN)
"""Why a case is new; the first that holds."""


class Change(NamedTuple):
    """A case that is new or retired."""

    case_id: str
    change: str
    """`new` or `retired`."""
    reason: str
    """One of `NEW` or `RETIRED`."""
    detail: str
    """The statement, name or fact that it is about; may be empty."""
    successor: str | None
    """Of a retired case: the case that asks the same from now on."""


class Step(NamedTuple):
    """A part compared with the one of its suite before it."""

    previous: str
    """Month of the published part before it; empty for the first of its source."""
    stays: int
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        if not self.previous:
            return "the first of its source: there is nothing to compare it with"
        told = []
        for kind in ("retired", "new"):
            by = Counter(one.reason for one in self.changes if one.change == kind)
            reasons = ", ".join(f"{number} × {reason}" for reason, number in sorted(by.items()))
            told.append(f"{by.total()} {kind}" + (f" ({reasons})" if reasons else ""))
        return f"since {self.previous}: {self.stays} stay, {'; '.join(told)}"

    def counts(self) -> StepCounts:
        """By reason, as stored with the part."""
        by = {kind: Counter(one.reason for one in self.changes if one.change == kind) for kind in ("new", "retired")}
        return StepCounts(
            self.previous,
            self.stays,
            **{kind: {reason: found[reason] for reason in sorted(found)} for kind, found in by.items()},
        )


_DATES = frozenset(p for kind in KINDS.values() for p in kind.dates)

Triple = tuple[Relation, int, int]
"""A relation and its two ends."""


class _Old(NamedTuple):
    id: str
    group: str
    mutation: str
    gold: str
    suite: str
    subject: int | None
    object: int | None
    fact: Mapping[str, Any]
    premises: Sequence[Mapping[str, Any]]
    block: int | None

    @property
    def triple(self) -> Triple | None:
        """Relation and ends of a fact about one; None of a formula, and of what another suite asks."""
        relation = relation_of(self.fact) if {"s", "o", "truth"} <= set(self.fact) else None
        return (relation, self.fact["s"], self.fact["o"]) if relation else None

    @property
    def entities(self) -> set[int]:
        """What its question may name."""
        named = {one for one in (self.subject, self.object) if one is not None}
        return named | {end["qid"] for premise in self.premises for end in (premise["subject"],) if "qid" in end}


def compare(material: Material, suite: str, made: Made) -> Step:
    """Compare a part that is about to be frozen with its suite's previous published one.

    Args:
        material: the snapshot; only read.
        suite: of the part.
        made: the part.

    Returns:
        Changes in the order of case ids; for a source's first part of the suite none.
    """
    previous = snapshots.previous_part(material.session, material.row, suite)
    if not previous:
        return Step("", 0, ())
    old = {one.id: one for one in _old(material.session, previous, suite)}
    now = {one.id: one for one in made.cases}
    gone = [old[one] for one in sorted(set(old) - set(now))]
    come = [now[one] for one in sorted(set(now) - set(old))]
    successors = {(one.group_id, one.mutation): one for one in come}
    why = _Why(material, previous, gone, come, made)
    changes = [why.retired(one, successors.get((one.group, one.mutation))) for one in gone]
    groups = {one.group for one in old.values()}
    changes += [why.new(one, one.group_id in groups) for one in come]
    return Step(previous, len(set(old) & set(now)), tuple(sorted(changes)))


def _old(session: Session, snapshot: str, suite: str) -> Iterable[_Old]:
    b, c = benchmark_case.c, cases.c
    columns = (c.id, c.group_id, c.mutation, c.gold, c.suite, b.subject, b.object, b.fact, b.premises, b.block)
    query = select(*columns).join(benchmark_case, b.case_id == c.id)
    return [_Old._make(one) for one in session.execute(query.where(b.snapshot == snapshot, b.suite == suite))]


class _Why:
    """Everything that reasons are decided by, looked up in a few queries."""

    def __init__(
        self,
        material: Material,
        previous: str,
        gone: Sequence[_Old],
        come: Sequence[Case],
        made: Made,
    ) -> None:
        session, snapshot = material.session, material.snapshot
        self._world = material.index
        self._askable, self._renewed_groups = made.askable, made.renewed
        guids = sorted({premise["guid"] for one in gone for premise in one.premises})
        self._here = _present(session, snapshot, guids)
        self._unchanged = _unchanged(session, snapshot, previous, guids)
        self._held_back = material.stability.held_back(guids)
        self._known = _present(session, previous, sorted({p["guid"] for one in come for p in one.premises}))
        self._renamed = _renamed(session, snapshot, previous, {qid for one in gone for qid in one.entities})
        named = {qid for one in gone if one.suite == "temporal" for qid in one.entities}
        self._parted = _parted(session, snapshot, previous, named)
        self._contested = _contested(session, snapshot, previous, named)
        self._derived = _derived(session, snapshot, gone)
        self._was = _derived(session, previous, gone)
        self._unlicensed = _unlicensed(session, snapshot, previous)
        self._denied = {ends for name, ends in self._derived if name.startswith("negation.value:")}
        self._stated = _stated(session, snapshot, gone)
        self._earlier = earlier(session, snapshot, {one.group_id for one in come})
        # The groups of a block are asked together or not at all.
        self._fallen: dict[int, tuple[str, str]] = {}
        for one in gone:
            if one.block is not None and (cause := self._of_the_source(one, None)):
                self._fallen.setdefault(one.block, cause)

    def retired(self, one: _Old, successor: Case | None) -> Change:
        """Why a case is no longer asked."""
        reason, detail = self._reason(one, successor)
        return Change(one.id, "retired", reason, detail, successor.id if successor else None)

    def _reason(self, one: _Old, successor: Case | None) -> tuple[str, str]:
        """Why, and what it is about; the first that holds."""
        return (
            self._of_the_source(one, successor)
            or ((REWORDED, "") if successor is not None else None)
            or self._of_block(one)
            or self._of_the_draw(one)
        )

    def _of_the_source(self, one: _Old, successor: Case | None) -> tuple[str, str] | None:
        return (
            self._of_truth(one, successor)
            or self._of_evidence(one)
            or self._of_names(one, successor)
            or ((self._of_rules(one) or self._of_story(one)) if successor is None else None)
        )

    def _of_block(self, one: _Old) -> tuple[str, str] | None:
        if one.group in self._renewed_groups:
            return RENEWED, ""
        if one.block is not None and (cause := self._fallen.get(one.block)):
            return BESIDE, ": ".join(filter(None, cause))
        return None

    def _of_truth(self, one: _Old, successor: Case | None) -> tuple[str, str] | None:
        if successor is not None and successor.gold != one.gold:
            return TRUTH, f"now {successor.gold}"
        ends = one.triple
        if ends is None:
            return None
        if one.fact["truth"] and ends in self._denied:
            return TRUTH, "what was true is now licensed as false"
        if not one.fact["truth"] and ends in self._stated:
            return TRUTH, "what was denied is now stated"
        return None

    def _of_evidence(self, one: _Old) -> tuple[str, str] | None:
        if lost := [premise for premise in one.premises if premise["guid"] not in self._here]:
            return EVIDENCE_LEFT, _told(lost[0])
        if changed := [premise for premise in one.premises if premise["guid"] not in self._unchanged]:
            return EVIDENCE_CHANGED, _told(changed[0])
        if held := [premise for premise in one.premises if premise["guid"] in self._held_back]:
            return HELD_BACK, _told(held[0])
        return None

    def _of_names(self, one: _Old, successor: Case | None) -> tuple[str, str] | None:
        for qid in sorted(one.entities):
            if reason := self._world.namer.named(qid).reason:
                return NAME, f"Q{qid}: {reason.sentence}"
        for qid in sorted(one.entities & set(self._renamed)):
            return (REWORDED if successor else RENAMED), f"Q{qid}: {self._renamed[qid]}"
        return None

    def _of_rules(self, one: _Old) -> tuple[str, str] | None:
        ends = one.triple
        if one.group in self._askable or ends is None:
            return None
        # A foil has no row among these; dropped months say nothing.
        if not one.fact["truth"] and (lost := self._unlicensed.get(str(one.fact["rule"]))):
            return UNDERIVED, lost
        fact = (one.fact["rule"], ends)
        lost_it = fact not in self._derived and (fact in self._was or not self._was)
        return (UNDERIVED, str(one.fact["rule"])) if lost_it else None

    def _of_story(self, one: _Old) -> tuple[str, str] | None:
        """A second date may be stated beside one; and of a film whose cast is hardly stated nothing is asked."""
        if one.group in self._askable or one.suite != "temporal":
            return None
        for premise in one.premises:
            if (at := (premise["property"], premise["subject"].get("qid"))) in self._contested:
                return UNSETTLED, self._contested[at]
        left = [self._parted[qid] for qid in sorted(one.entities) if qid in self._parted]
        return (UNJOINED, left[0]) if left else None

    def _of_the_draw(self, one: _Old) -> tuple[str, str]:
        if one.group in self._askable:
            return QUOTA, ""
        return (UNGENERATED, str(one.fact["formula"])) if one.suite == "temporal" else (UNDRAWN, "")

    def new(self, one: Case, known_group: bool) -> Change:
        """Why a case is asked that the benchmark before did not ask."""
        asked = self._earlier.get((one.group_id, one.mutation))
        if asked is not None:
            if one.id in asked.ids:
                return Change(one.id, "new", AGAIN, f"last in {asked.snapshot}", None)
            return Change(one.id, "new", OTHER_WORDS, f"last as {asked.last} in {asked.snapshot}", None)
        if fresh := [premise for premise in one.premises if premise["guid"] not in self._known]:
            return Change(one.id, "new", NEW_EVIDENCE, _told(fresh[0]), None)
        return Change(one.id, "new", ANOTHER_WORDING if known_group else NEWLY_DRAWN, "", None)


def _told(premise: Mapping[str, Any]) -> str:
    return f"{premise['sentence']} [statement {premise['guid']}]"


def _present(session: Session, snapshot: str, guids: Sequence[str]) -> frozenset[str]:
    query = select(statement.c.guid).where(statement.c.snapshot == snapshot, statement.c.guid.in_(guids))
    return frozenset(session.scalars(query)) if guids else frozenset()


def _unchanged(session: Session, snapshot: str, previous: str, guids: Sequence[str]) -> frozenset[str]:
    """Of these statements, those that say the same as before; where the month before was dropped, all."""
    if not session.scalar(select(statement.c.sid).where(statement.c.snapshot == previous).limit(1)):
        return frozenset(guids)
    now, then = statement.alias("now"), statement.alias("then")
    query = (
        select(now.c.guid)
        .join(then, same_statement(now, then, previous))
        .where(now.c.snapshot == snapshot, now.c.guid.in_(guids))
    )
    return frozenset(session.scalars(query)) if guids else frozenset()


def _unlicensed(session: Session, snapshot: str, previous: str) -> dict[str, str]:
    """Rule → the rule of wrong values that no longer shows what is false beside its facts."""
    then, now = rules.alias("then"), rules.alias("now")
    query = (
        select(then.c.name, then.c.premises)
        .join(now, and_(now.c.snapshot == snapshot, now.c.name == then.c.name))
        .where(then.c.snapshot == previous, then.c.verdict == "active", now.c.verdict != "active")
    )
    fallen = {
        premises[-1]: name
        for name, premises in session.execute(query)
        if premises and name == f"{WRONG_VALUE.family}:P{premises[-1]}"
    }
    known = (
        session.execute(select(rules.c.name, rules.c.premises).where(rules.c.snapshot == previous)) if fallen else ()
    )
    return {name: fallen[premises[-1]] for name, premises in known if premises and premises[-1] in fallen}


def _parted(session: Session, snapshot: str, previous: str, qids: Collection[int]) -> dict[int, str]:
    """Entity → a statement that left which joined it with others of its stories."""
    now, then = statement.alias("now"), statement.alias("then")
    query = (
        select(then.c.s, then.c.p, then.c.guid)
        .join(now, and_(now.c.snapshot == snapshot, now.c.guid == then.c.guid), isouter=True)
        .where(then.c.snapshot == previous, then.c.s.in_(sorted(qids)), then.c.p.in_(JOINING), now.c.guid.is_(None))
        .order_by(then.c.guid)
    )
    return {s: f"P{p} of Q{s} [statement {guid}]" for s, p, guid in (session.execute(query) if qids else ())}


def _contested(session: Session, snapshot: str, previous: str, qids: Collection[int]) -> dict[tuple[int, int], str]:
    """Property and entity → a date that is stated of it since."""
    now, then = statement.alias("now"), statement.alias("then")
    query = (
        select(now.c.s, now.c.p, now.c.guid)
        .join(then, and_(then.c.snapshot == previous, then.c.guid == now.c.guid), isouter=True)
        .where(now.c.snapshot == snapshot, now.c.s.in_(sorted(qids)), now.c.p.in_(_DATES), then.c.guid.is_(None))
    )
    return {(p, s): f"P{p} of Q{s} [statement {guid}]" for s, p, guid in (session.execute(query) if qids else ())}


def _renamed(session: Session, snapshot: str, previous: str, qids: Collection[int]) -> dict[int, str]:
    """Entity → how its label or description changed."""
    now, then = entity.alias("now"), entity.alias("then")
    query = (
        select(now.c.qid, then.c.label, now.c.label, then.c.description, now.c.description)
        .join(then, and_(then.c.snapshot == previous, then.c.qid == now.c.qid))
        .where(now.c.snapshot == snapshot, now.c.qid.in_(sorted(qids)))
    )
    return {
        qid: f"{old!r} → {new!r}" if old != new else f"{old_about!r} → {about!r}"
        for qid, old, new, old_about, about in (session.execute(query) if qids else ())
        if (old, old_about) != (new, about)
    }


def _ends(gone: Sequence[_Old]) -> list[Triple]:
    return sorted({one.triple for one in gone if one.triple is not None})


def _derived(session: Session, snapshot: str, gone: Sequence[_Old]) -> set[tuple[str, Triple]]:
    """Rule name and ends of what is derived, or drawn, about the ends of these cases."""
    wanted = set(_ends(gone))
    if not wanted:
        return set()
    d = derived_fact.c
    query = (
        select(rules.c.name, d.relation, d.s, d.o)
        .join(rules, and_(rules.c.snapshot == d.snapshot, rules.c.rule == d.rule))
        .where(d.snapshot == snapshot, d.s.in_({s for _, s, _ in wanted}))
    )
    of = relations(session)
    derived = {(name, (of[relation], s, o)) for name, relation, s, o in session.execute(query)}
    drawn = _drawn(session, snapshot, {end for _, s, o in wanted for end in (s, o)})
    # A case names what it counts for, not the rule that drew its fact, nor that by which somebody is called in it.
    asked = {(one.fact["rule"], one.triple) for one in gone if one.triple in drawn}
    return {(name, ends) for name, ends in derived if ends in wanted} | asked


def _drawn(session: Session, snapshot: str, subjects: Collection[int]) -> set[Triple]:
    """What is drawn about these things, between two of them in either direction."""
    d, of = drawn_fact.c, relations(session)
    query = select(d.relation, d.s, d.o, d.value).where(d.snapshot == snapshot, d.s.in_(subjects))
    rows = session.execute(query).all()
    one_way = {(of[relation], s, value if o is None else o) for relation, s, o, value in rows}
    return one_way | {(of[relation], o, s) for relation, s, o, _ in rows if o is not None}


def _stated(session: Session, snapshot: str, gone: Sequence[_Old]) -> set[Triple]:
    c = statement.c
    ends = _ends(gone)
    query = select(c.p, c.s, c.o).where(c.snapshot == snapshot, c.s.in_({s for _, s, _ in ends}), c.o.is_not(None))
    return {(Relation.of(p), s, o) for p, s, o in (session.execute(query) if ends else ())}


def write(session: Session, snapshot: str, suite: str, step: Step) -> None:
    """Store a step. Nothing is committed here; the part's row already exists."""
    part = benchmark_part.c
    session.execute(
        benchmark_part
        .update()
        .where(part.snapshot == snapshot, part.suite == suite)
        .values(previous=step.previous or None)
    )
    copy_rows(
        session,
        benchmark_change,
        ("snapshot", "suite", "case_id", "change", "reason", "detail", "successor"),
        ((snapshot, suite, *one) for one in step.changes),
    )
