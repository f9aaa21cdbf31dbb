"""From a derived fact back to the statements that prove it, with paths rebuilt, and a program that shows it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session
from sqlalchemy.types import Integer

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import proof_text, usable
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Difference, Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Chains
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
from halluvault_tasks.wikidata.relation import Relation

Drawn = DrawnFact | Composed | Foil
"""What was drawn, foils beside it included."""

Provable = DerivedFact | Drawn
"""What can be asked about, and so is proved; foils beside derived facts by `foils.proving`."""


class _Shown(NamedTuple):
    """A derived fact with what shows it: its statements, and of a false one the licence and the chains of places."""

    fact: DerivedFact
    premises: tuple[Premise, ...]
    licence: Licence | None = None
    chains: Chains | None = None


def prove_many(session: Session, snapshot: str, facts: Sequence[Provable], world: World | None = None) -> list[Proof]:
    """Rebuild the proofs of facts, in the same order, with few queries.

    `world` is what the snapshot knows, where the caller has loaded it.

    Raises:
        UserError: `prove_each` refuses one of them: the derivation is out of date.
    """
    proofs = []
    for proof in prove_each(session, snapshot, facts, world):
        if isinstance(proof, Refusal):
            raise UserError(proof.why, "`halluvault derive run`")
        proofs.append(proof)
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
    items = {end for premise in premises.values() for end in (premise.s, premise.o or premise.s)}
    labels = labels_of(session, snapshot, items, {premise.p for premise in premises.values()})
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
    premises = premises_of(session, snapshot, {sid for of_fact in sids for sid in of_fact})
    if world is None and not all(rules[fact.rule].kind.truth for fact in facts):
        world = load_world(session, snapshot)
    shown = [
        _shown(fact, rules[fact.rule], of_fact, premises, world, snapshot)
        for fact, of_fact in zip(facts, sids, strict=True)
    ]
    labels = _labels(session, snapshot, [each for each in shown if isinstance(each, _Shown)])
    return [
        _proof(each, rules[each.fact.rule], labels, snapshot) if isinstance(each, _Shown) else each for each in shown
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
    if all(fact.via is None for fact in facts):
        return [fact.evidence for fact in facts]
    closure = _closure(session, snapshot, [fact for fact in facts if fact.via is not None], rules)
    paths = [path_up(fact, closure) for fact in facts]
    firsts = [_first(rules[fact.rule], path) for fact, path in zip(facts, paths, strict=True)]
    stated = _stated(session, snapshot, [first for first in firsts if first])
    return [
        # 0 is no statement's number: a first step that is gone is found missing with the others.
        (stated.get((first.p, first.s, first.o), 0), *path.sids) if first else path.sids
        for first, path in zip(firsts, paths, strict=True)
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


class _First(NamedTuple):
    """The stated step with which a path begins; `bound`: its property holds for a time."""

    p: int
    bound: bool
    s: int
    o: int


def _first(rule: Rule, path: StatementPath) -> _First | None:
    if path.first is None:
        return None
    p = rule.premises[-1]
    return _First(p, p in rule.support["time_bound"], *path.first)


def _stated(session: Session, snapshot: str, firsts: Iterable[_First]) -> dict[tuple[int, int, int], int]:
    """(p, s, o) → the statement that says so."""
    pairs: dict[tuple[int, bool], set[tuple[int, int]]] = defaultdict(set)
    for p, bound, s, o in firsts:
        pairs[p, bound].add((s, o))
    return {
        (p, *pair): sid
        for (p, bound), ends in pairs.items()
        for pair, sid in _direct(session, snapshot, p, bound, ends)
    }


def _closure(
    session: Session, snapshot: str, climbing: Collection[DerivedFact], rules: Mapping[int, Rule]
) -> dict[tuple[int, int, int], DerivedFact]:
    """(rule, s, o) → the row, of those before some that hold their last step alone."""
    c = derived_fact.c
    query = select(*COLUMNS).where(
        c.snapshot == snapshot,
        c.rule.in_({fact.rule for fact in climbing}),
        c.s.in_({fact.s for fact in climbing}),
    )
    return {(row.rule, row.s, row.o): fact_of(row, rules) for row in session.execute(query)}


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


def _shown(
    fact: DerivedFact,
    rule: Rule,
    sids: Sequence[int],
    premises: Mapping[int, Premise],
    world: World | None,
    snapshot: str,
) -> _Shown | Refusal:
    if missing := [sid for sid in sids if sid not in premises]:
        return Refusal("no statement", f"statement {missing[0]} of {fact} is not in snapshot {snapshot}")
    shown = _Shown(fact, tuple(premises[sid] for sid in sids))
    if rule.kind.truth or world is None:
        return shown
    licensing = license_checked if rule.kind.found_by_people else license_no
    licence = licensing(world, fact.relation.pid, fact.s, fact.o)
    if isinstance(licence, Refusal):
        why = f"not {fact.relation}(Q{fact.s}, Q{fact.o}) is no longer licensed in {snapshot}: {licence.why}"
        return Refusal(licence.code, why)
    if licence.difference is None or not licence.difference.left:
        return shown._replace(licence=licence)
    (value,) = world.slots.stated(fact.relation.pid, fact.s)
    return shown._replace(licence=licence, chains=chains_of(world.containment, value, fact.o, licence.difference))


def chains_of(containment: Containment, value: int, o: int, difference: Difference) -> Chains:
    """The statements of containment that lead from a value and from another one to the two containers that differ."""
    edges = (*containment.way(value, difference.left), *containment.way(o, difference.right))
    return Chains(edges, difference.left, difference.right, difference.level)


# ---------------------------------------------------------------- words


def _labels(session: Session, snapshot: str, shown: Sequence[_Shown]) -> Labels:
    items: set[int] = set()
    properties: set[int] = set()
    for fact, premises, _, chains in shown:
        items |= {fact.s, fact.o}
        properties.update(fact.relation.properties)
        for premise in premises:
            items |= {premise.s, premise.o or premise.s}
            properties.add(premise.p)
        if chains:
            items |= chains.items
            properties |= chains.properties
    return labels_of(session, snapshot, items, properties)


def labels_of(session: Session, snapshot: str, items: Iterable[int], properties: Iterable[int]) -> Labels:
    """Names of items and properties for readers."""
    e, p = entity.c, property_table.c
    named = session.execute(
        select(e.qid, e.label).where(e.snapshot == snapshot, e.qid.in_(sorted(set(items))), e.label.is_not(None))
    )
    titled = session.execute(select(p.pid, p.label).where(p.snapshot == snapshot, p.pid.in_(sorted(set(properties)))))
    return Labels({row.qid: row.label for row in named}, {row.pid: row.label for row in titled})


def _proof(shown: _Shown, rule: Rule, labels: Labels, snapshot: str) -> Proof:
    fact, premises, licence, chains = shown
    return Proof(
        fact=fact,
        rule_name=rule.name,
        kind=rule.kind.family,
        truth=rule.kind.truth,
        premises=premises,
        reason=licence.why if licence else rule.reason,
        program=program(fact, rule, premises, labels, snapshot, licence, chains),
    )
