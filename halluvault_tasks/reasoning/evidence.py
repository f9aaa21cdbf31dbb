"""From a derived fact back to the statements that prove it, with paths rebuilt, and a program that shows it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session
from sqlalchemy.types import Integer

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import proof_text, usable
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Difference as Containers
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Difference
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.licence.checked import license_checked
from halluvault_tasks.reasoning.proof_text import Labels, Read, frame, program
from halluvault_tasks.reasoning.records import Composed, DerivedFact, DrawnFact, Premise, Proof, Rule
from halluvault_tasks.reasoning.rules import all_rules, drawn_where
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage.tables import derived_fact, drawn_fact, entity, statement
from halluvault_tasks.storage.tables import property as property_table
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

Drawn = DrawnFact | Composed | Foil
"""What was drawn, foils beside it included."""

Provable = DerivedFact | Drawn
"""What can be asked about, and so is proved; foils beside derived facts by `foils.proving`."""

_Proven = tuple[DerivedFact, tuple[Premise, ...], tuple[Licence | None, Difference | None]]


def prove_many(session: Session, snapshot: str, facts: Sequence[Provable], world: World | None = None) -> list[Proof]:
    """Rebuild the proofs of facts, in the same order, with few queries.

    `world` is what the snapshot knows, where the caller has loaded it.

    Raises:
        UserError: `prove_each` refuses one of them: the derivation is out of date.
    """
    proofs = []
    for found in prove_each(session, snapshot, facts, world):
        if isinstance(found, Refusal):
            raise UserError(found.why, "`halluvault derive run`")
        proofs.append(found)
    return proofs


def prove_each(
    session: Session, snapshot: str, facts: Sequence[Provable], world: World | None = None
) -> list[Proof | Refusal]:
    """Rebuild the proof of each fact, in the same order, or say why it is not proved (any more).

    One fact that is refused costs no other its proof. Codes are those of `license_no` for a "No" that is no longer
    licensed (another month has recorded that value since), and "no statement" for evidence that the snapshot lacks.
    """
    rules = {rule.rule: rule for rule in all_rules(session, snapshot)}
    derived = [fact for fact in facts if isinstance(fact, DerivedFact)]
    drawn = [fact for fact in facts if not isinstance(fact, DerivedFact)]
    of_derived = iter(_prove_derived(session, snapshot, derived, rules, world) if derived else ())
    of_drawn = iter(_prove_drawn(session, snapshot, drawn, rules) if drawn else ())
    return [next(of_derived if isinstance(fact, DerivedFact) else of_drawn) for fact in facts]


def _prove_drawn(
    session: Session, snapshot: str, facts: Sequence[Drawn], rules: Mapping[int, Rule]
) -> list[Proof | Refusal]:
    premises = premises_of(session, snapshot, {sid for fact in facts for sid in fact.evidence})
    items = {end for one in premises.values() for end in (one.s, one.o or one.s)}
    labels = labels_of(session, snapshot, items, {one.p for one in premises.values()})
    return [_drawn_proof(fact, rules, premises, labels, snapshot) for fact in facts]


def _drawn_proof(
    asked: Drawn,
    rules: Mapping[int, Rule],
    premises: Mapping[int, Premise],
    labels: Labels,
    snapshot: str,
) -> Proof | Refusal:
    if missing := [sid for sid in asked.evidence if sid not in premises]:
        return Refusal("no statement", f"statement {missing[0]} of {asked} is not in snapshot {snapshot}")
    fact, sole = (asked.fact, asked.sole) if isinstance(asked, Composed) else (asked, None)

    def read(rule: int, evidence: Sequence[int]) -> Read:
        return Read(rules[rule], [premises[sid] for sid in evidence])

    rule = fact.beside.rule if isinstance(fact, Foil) else fact.rule
    of_sole = read(sole.rule, sole.evidence) if sole else None
    argument = proof_text.drawn(fact, read(rule, fact.evidence), of_sole, labels)
    return Proof(
        fact=asked,
        rule_name=argument.rule,
        kind=argument.family,
        truth=argument.truth,
        premises=tuple(premises[sid] for sid in asked.evidence),
        reason=argument.why,
        program=frame(argument, snapshot),
    )


def _prove_derived(
    session: Session,
    snapshot: str,
    facts: Sequence[DerivedFact],
    rules: dict[int, Rule],
    world: World | None,
) -> list[Proof | Refusal]:
    sids = _statements(session, snapshot, facts, rules)
    premises = premises_of(session, snapshot, {sid for one in sids for sid in one})
    if world is None and not all(rules[fact.rule].kind.truth for fact in facts):
        world = load_world(session, snapshot)
    proven: list[_Proven | Refusal] = []
    for fact, one in zip(facts, sids, strict=True):
        if missing := [sid for sid in one if sid not in premises]:
            why = f"statement {missing[0]} of {fact} is not in snapshot {snapshot}"
            proven.append(Refusal("no statement", why))
            continue
        found = _licence(fact, rules[fact.rule], world, snapshot)
        given = tuple(premises[sid] for sid in one)
        proven.append(found if isinstance(found, Refusal) else (fact, given, found))
    labels = _labels(session, snapshot, [one for one in proven if not isinstance(one, Refusal)])
    return [
        one if isinstance(one, Refusal) else _proof(one[0], rules[one[0].rule], one[1], one[2], labels, snapshot)
        for one in proven
    ]


def find_facts(
    session: Session, snapshot: str, relation: Relation, s: int, end: int, *, counts: bool = False
) -> list[DerivedFact | DrawnFact]:
    """Every derived or drawn fact that a relation holds, or does not, between s and its other end, by rule.

    `counts` says that this is a number, not an item.
    """
    rules = {rule.rule: rule for rule in all_rules(session, snapshot)}
    concluding = [number for number, rule in rules.items() if rule.conclusion == relation]
    c, d = derived_fact.c, drawn_fact.c
    drawn = drawn_where(session, snapshot, d.rule.in_(concluding), d.s == s, (d.value if counts else d.o) == end)
    if counts:
        return [*drawn]
    query = select(*COLUMNS).where(c.snapshot == snapshot, c.rule.in_(concluding), c.s == s, c.o == end)
    return [*(fact_of(row, rules) for row in session.execute(query.order_by(c.rule, c.evidence))), *drawn]


# ---------------------------------------------------------------- statements of a fact


def _statements(
    session: Session, snapshot: str, facts: Sequence[DerivedFact], rules: Mapping[int, Rule]
) -> list[tuple[int, ...]]:
    """For each fact the statement ids that it depends on, in the order of the argument, paths rebuilt."""
    climbing = [fact for fact in facts if fact.via is not None]
    if not climbing:
        return [fact.evidence for fact in facts]
    c = derived_fact.c
    query = select(*COLUMNS).where(
        c.snapshot == snapshot,
        c.rule.in_({fact.rule for fact in climbing}),
        c.s.in_({fact.s for fact in climbing}),
    )
    closure = {(row.rule, row.s, row.o): fact_of(row, rules) for row in session.execute(query)}
    walked = [path_up(fact, closure) for fact in facts]
    needed: dict[tuple[int, bool], set[tuple[int, int]]] = defaultdict(set)
    for fact, path in zip(facts, walked, strict=True):
        if path.first:
            p = rules[fact.rule].premises[-1]
            needed[p, p in rules[fact.rule].support["time_bound"]].add(path.first)
    direct = {
        (p, *pair): sid
        for (p, bound), pairs in needed.items()
        for pair, sid in _direct(session, snapshot, p, bound, pairs)
    }
    return [
        # 0 is no statement's number: a first step that is gone is found missing with the others.
        (direct.get((rules[fact.rule].premises[-1], *path.first), 0), *path.sids) if path.first else path.sids
        for fact, path in zip(facts, walked, strict=True)
    ]


class StatementPath(NamedTuple):
    """What a fact rests on, once the rows before it are read.

    Attributes:
        sids: statements in the order of the argument.
        first: ends of the stated step before them, which has no row; None: there is none.
    """

    sids: tuple[int, ...]
    first: tuple[int, int] | None = None


def path_up(fact: DerivedFact, closure: Mapping[tuple[int, int, int], DerivedFact]) -> StatementPath:
    """Rebuild the path of a row that holds its last step alone; of another, its evidence.

    Args:
        fact: the row.
        closure: the rows of its rule and subject, by (rule, s, o).

    Raises:
        UserError: the rows lead in a circle.
    """
    if fact.via is None:
        return StatementPath(fact.evidence)
    *before, last = fact.evidence
    steps = [last]
    via = fact.via
    while above := closure.get((fact.rule, fact.s, via)):
        steps.append(above.evidence[-1])
        if len(steps) > len(closure) or above.via is None:
            raise UserError(f"the evidence of {fact} is circular", "`halluvault derive run`")
        via = above.via
    # Where no statement stands before the steps, the path begins with one that is stated and so was not derived.
    return StatementPath((*before, *reversed(steps)), None if before else (fact.s, via))


def _direct(
    session: Session, snapshot: str, p: int, bound: bool, pairs: Iterable[tuple[int, int]]
) -> list[tuple[tuple[int, int], int]]:
    condition = usable.STANDING_TIME_BOUND if bound else usable.STANDING_TIMELESS
    ordered = sorted(pairs)
    query = text(
        f"SELECT st.s, st.o, min(st.sid) AS sid FROM statement st WHERE {condition} AND st.p = :p "  # noqa: S608
        "AND (st.s, st.o) IN (SELECT * FROM unnest(:subjects, :objects)) GROUP BY st.s, st.o"
    ).bindparams(bindparam("subjects", type_=ARRAY(Integer)), bindparam("objects", type_=ARRAY(Integer)))
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot), "p": p}
    rows = session.execute(query, {**bind, "subjects": [s for s, _ in ordered], "objects": [o for _, o in ordered]})
    return [((row.s, row.o), row.sid) for row in rows]


def premises_of(session: Session, snapshot: str, sids: set[int]) -> dict[int, Premise]:
    """The statements of these ids, as far as the snapshot has them."""
    c = statement.c
    columns = (c.sid, c.guid, c.s, c.p, c.o, c.kind, c.earliest, c.latest, c.precision, c.amount, c.julian)
    query = select(*columns).where(c.snapshot == snapshot, c.sid.in_(sorted(sids)))
    return {row.sid: Premise._make(row) for row in session.execute(query)}


# ---------------------------------------------------------------- why not


def _licence(
    fact: DerivedFact, rule: Rule, world: World | None, snapshot: str
) -> tuple[Licence | None, Difference | None] | Refusal:
    if rule.kind.truth or world is None:
        return None, None
    licensing = license_checked if rule.kind.found_by_people else license_no
    licence = licensing(world, fact.relation.pid, fact.s, fact.o)
    if isinstance(licence, Refusal):
        said = f"not {fact.relation}(Q{fact.s}, Q{fact.o}) is no longer licensed in {snapshot}: {licence.why}"
        return Refusal(licence.code, said)
    if licence.difference is None or not licence.difference.left:
        return licence, None
    (value,) = world.slots.known[fact.relation.pid, fact.s].items
    return licence, chains(world.containment, value, fact.o, licence.difference)


def chains(containment: Containment, value: int, o: int, found: Containers) -> Difference:
    """The statements of containment that lead from a value and from another one to the two containers that differ."""
    edges = (*_way(containment, value, found.left), *_way(containment, o, found.right))
    return Difference(edges, found.left, found.right, found.level)


def _way(containment: Containment, start: int, goal: int) -> tuple[tuple[int, int, int, int], ...]:
    """A shortest chain of present containment from a place to a container: (p, from, to, sid)."""
    came: dict[int, tuple[int, int, int, int]] = {}
    frontier = [start]
    while frontier and goal not in came and goal != start:
        following = []
        for one in frontier:
            steps = [(wd.LOCATED_IN, upper, sid) for upper, sid in sorted(containment.inside.get(one, {}).items())]
            steps += [(wd.COUNTRY, upper, sid) for upper, sid in sorted(containment.countries.get(one, {}).items())]
            for p, upper, sid in steps:
                if upper not in came and upper != start:
                    came[upper] = (p, one, upper, sid)
                    following.append(upper)
        frontier = following
    way = []
    at = goal
    while at != start:
        way.append(came[at])
        at = came[at][1]
    return tuple(reversed(way))


# ---------------------------------------------------------------- words


def _labels(
    session: Session,
    snapshot: str,
    proven: Sequence[_Proven],
) -> Labels:
    items: set[int] = set()
    properties: set[int] = set()
    for fact, premises, (_, difference) in proven:
        items |= {fact.s, fact.o}
        properties.update(fact.relation.properties)
        for one in premises:
            items |= {one.s, one.o or one.s}
            properties.add(one.p)
        if difference:
            items |= {difference.level} | {end for _, s, o, _ in difference.edges for end in (s, o)}
            properties |= {p for p, *_ in difference.edges}
    return labels_of(session, snapshot, items, properties)


def labels_of(session: Session, snapshot: str, items: Iterable[int], properties: Iterable[int]) -> Labels:
    """Names of items and properties for readers."""
    e, p = entity.c, property_table.c
    named = session.execute(
        select(e.qid, e.label).where(e.snapshot == snapshot, e.qid.in_(sorted(set(items))), e.label.is_not(None))
    )
    titled = session.execute(select(p.pid, p.label).where(p.snapshot == snapshot, p.pid.in_(sorted(set(properties)))))
    return Labels({row.qid: row.label for row in named}, {row.pid: row.label for row in titled})


def _proof(
    fact: DerivedFact,
    rule: Rule,
    premises: tuple[Premise, ...],
    found: tuple[Licence | None, Difference | None],
    labels: Labels,
    snapshot: str,
) -> Proof:
    licence, difference = found
    return Proof(
        fact=fact,
        rule_name=rule.name,
        kind=rule.kind.family,
        truth=rule.kind.truth,
        premises=premises,
        reason=licence.why if licence else rule.reason,
        program=program(fact, rule, premises, labels, snapshot, licence, difference),
    )
