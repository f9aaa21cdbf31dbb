"""Relation questions: facts of every rule kind worded from the lexicon, joined to blocks that give nothing away."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import date

from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import amounts, orders
from halluvault_tasks.benchmark.blocks import Blocks, relation_blocks
from halluvault_tasks.benchmark.cases import Candidate
from halluvault_tasks.benchmark.entity_index import EntityIndex
from halluvault_tasks.benchmark.facts import WRONG_VALUE, Worder
from halluvault_tasks.benchmark.falsehoods import Falsehoods
from halluvault_tasks.benchmark.lexicon import Lexicon
from halluvault_tasks.benchmark.quads import Quad
from halluvault_tasks.benchmark.survival import TOO_NEW, Survival
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.storage.tables import derived_fact, entity
from halluvault_tasks.storage.tables import rule as rule_table


def sampled(
    session: Session, snapshot: str, *, seed: int, per_rule: int, without: Collection[int] = ()
) -> Iterable[tuple[str, DerivedFact]]:
    """At most `per_rule` derived facts for each domain and rule, drawn by hash: (domain, fact), in a fixed order.

    A fact's domain is its subject's, else its object's; facts outside all domains are not asked about, nor are those of
    the rules `without`.
    """
    fact = derived_fact.c
    subject, other = entity.alias("subject"), entity.alias("other")
    domain = func.coalesce(subject.c.domain, other.c.domain)
    order = func.md5(func.concat_ws(":", literal(str(seed)), fact.p, fact.s, fact.o))
    joined = derived_fact.join(
        subject, (subject.c.snapshot == fact.snapshot) & (subject.c.qid == fact.s), isouter=True
    ).join(other, (other.c.snapshot == fact.snapshot) & (other.c.qid == fact.o), isouter=True)
    row_number = func.row_number().over(partition_by=(domain, fact.rule), order_by=(order, fact.s, fact.o))
    ranked = (
        select(
            domain.label("domain"), fact.rule, fact.p, fact.s, fact.o, fact.e1, fact.e2, fact.e3, row_number.label("n")
        )
        .select_from(joined)
        .where(
            fact.snapshot == snapshot,
            fact.rule.not_in(without),
            domain.is_not(None),
            subject.c.label.is_not(None),
        )
        .subquery()
    )
    columns = [ranked.c[name] for name in ("domain", "rule", "p", "s", "o", "e1", "e2", "e3")]
    rows = session.execute(
        select(*columns).where(ranked.c.n <= per_rule).order_by(ranked.c.domain, ranked.c.rule, ranked.c.n)
    )
    return [(row[0], DerivedFact(*row[1:])) for row in rows]


def find(
    session: Session,
    snapshot: str,
    index: EntityIndex,
    lexicon: Lexicon,
    survival: Survival,
    licences: LicenceFacts,
    *,
    as_of: date,
    seed: int,
    per_rule: int,
) -> Blocks:
    """Word the snapshot's facts and join them to blocks.

    Returns:
        Blocks in a fixed order; what was dropped is counted by reason.
    """
    rules = {rule.rule: rule for rule in active_rules(session, snapshot)}
    worder = Worder(index, lexicon, licences)
    # Wrong values are drawn by exchange (`quads`); of the derived ones only converses are asked as they stand.
    exchanged = [n for n, rule in rules.items() if rule.kind == WRONG_VALUE and not rule.name.endswith(":converse")]
    found: list[Candidate] = []
    dropped: Counter[str] = Counter()
    drawn = list(sampled(session, snapshot, seed=seed, per_rule=per_rule, without=exchanged))
    true = [fact for _, fact in drawn if worder.may_turn(fact) and rules[fact.rule].kind != WRONG_VALUE]
    turned = _also_derived(session, snapshot, true)
    for domain, fact in drawn:
        both_ways = rules[fact.rule].kind != WRONG_VALUE and (fact.p, fact.o, fact.s) in turned
        outcome = worder.candidate(domain, fact, rules[fact.rule], turned=both_ways)
        if isinstance(outcome, str):
            dropped[outcome] += 1
        elif not survival.named(outcome.entities):
            dropped[TOO_NEW] += 1
        else:
            found.append(outcome)
    numbers = amounts.find(session, snapshot, worder, seed=seed)
    found += numbers.facts
    falsehoods = Falsehoods(worder, rules)
    quads = [*falsehoods.quads(found, seed=seed), *numbers.quads]
    compared = orders.find(session, snapshot, index, lexicon, as_of=as_of, seed=seed, per_domain=per_rule)
    found += [one for one in compared if survival.named(one.entities)]
    blocks = relation_blocks(found, _stood(quads, survival))
    return Blocks(blocks.blocks, dropped + blocks.dropped)


def _stood(quads: Iterable[Quad], survival: Survival) -> list[Quad]:
    return [quad for quad in quads if all(survival.named(one.entities) for one in quad)]


def _also_derived(session: Session, snapshot: str, facts: Collection[DerivedFact]) -> set[tuple[int, int, int]]:
    """Of these facts turned round, those that some rule derives as true: then the relation does not run one way."""
    if not facts:
        return set()
    pairs = {(fact.p, fact.o, fact.s) for fact in facts}
    fact = derived_fact.c
    denying = select(rule_table.c.rule).where(rule_table.c.snapshot == snapshot, rule_table.c.kind == WRONG_VALUE)
    rows = session.execute(
        select(fact.p, fact.s, fact.o).where(
            fact.snapshot == snapshot,
            fact.p.in_({p for p, _, _ in pairs}),
            fact.s.in_({s for _, s, _ in pairs}),
            fact.rule.not_in(denying),
        )
    )
    return {(p, s, o) for p, s, o in rows} & pairs
