"""Relation questions: facts of every rule kind worded from the lexicon, joined into groups that give nothing away.

Facts that can be balanced go into the suite relation; those whose like is never shown to be false into recall.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ARRAY, BigInteger, Integer, case, column, func, literal, select, values
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.balance import Block
from halluvault_tasks.benchmark.selection.balanced_groups import Blocks, Gathered, relation_blocks
from halluvault_tasks.benchmark.selection.features import family
from halluvault_tasks.benchmark.selection.grid import MOST, Cell, CellPool, cell_of, dropped_of
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.stability import Stability
from halluvault_tasks.benchmark.selection.strata import rests_on, stratified
from halluvault_tasks.benchmark.selection.swaps import Swap
from halluvault_tasks.benchmark.suites.question_suite import QuestionConfig
from halluvault_tasks.benchmark.suites.relation import bridges, countries, makers, numbers, orders
from halluvault_tasks.benchmark.suites.relation.exchanges import Exchanges
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.style import Readable
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.measuring.classes import MeasuredFile
from halluvault_tasks.reasoning.proving import asked as proved
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.storage.tables import derived_fact, entity
from halluvault_tasks.wikidata.relation import Kind, Relation

"""The reason why a fact is not asked about, in counts."""


def sampled(
    session: Session,
    snapshot: str,
    rules: Mapping[int, Rule],
    *,
    seed: int,
    per_rule: int,
    first: Sequence[Collection[tuple[int, int]]] = (),
) -> Iterable[tuple[str, DerivedFact]]:
    """At most `per_rule` derived facts for each domain and rule, drawn by hash: (domain, fact), in a fixed order.

    A fact's domain is its subject's, else its object's; of what is stated of its object it is that one's first: of the
    film, where it is asked who directed it. Facts outside all domains are not asked about. Those between two ends that
    are given come first, either way round: those of the first collection, then of the next.
    """
    if not rules:
        return []
    fact = derived_fact.c
    subject, other = entity.alias("subject"), entity.alias("other")
    turned = [number for number, rule in rules.items() if rule.conclusion.kind is Kind.INVERSE]
    domain = case(
        (fact.rule.in_(turned), func.coalesce(other.c.domain, subject.c.domain)),
        else_=func.coalesce(subject.c.domain, other.c.domain),
    )
    keys = values(column("rule", Integer), column("key", BigInteger), name="keys").data([
        (number, rule.conclusion.key) for number, rule in rules.items()
    ])
    order = func.md5(func.concat_ws(":", literal(str(seed)), keys.c.key, fact.s, fact.o))
    joined = (
        derived_fact
        .join(keys, keys.c.rule == fact.rule)
        .join(subject, (subject.c.snapshot == fact.snapshot) & (subject.c.qid == fact.s), isouter=True)
        .join(other, (other.c.snapshot == fact.snapshot) & (other.c.qid == fact.o), isouter=True)
    )
    ends = func.unnest(*(literal(numbers, ARRAY(BigInteger)) for numbers in _given(first)))
    place = ends.table_valued("s", "o", "place", name="given").render_derived()
    joined = joined.join(place, (place.c.s == fact.s) & (place.c.o == fact.o), isouter=True)
    later = func.coalesce(place.c.place, len(first))
    row_number = func.row_number().over(partition_by=(domain, fact.rule), order_by=(later, order, fact.s, fact.o))
    ranked = (
        select(domain.label("domain"), *COLUMNS, row_number.label("n"))
        .select_from(joined)
        .where(
            fact.snapshot == snapshot,
            domain.is_not(None),
            subject.c.label.is_not(None),
        )
        .subquery()
    )
    rows = session.execute(
        select(ranked).where(ranked.c.n <= per_rule).order_by(ranked.c.domain, ranked.c.rule, ranked.c.n),
        execution_options={"yield_per": 10_000},
    )
    return [(row.domain, fact_of(row, rules)) for row in rows]


def _given(several: Sequence[Collection[tuple[int, int]]]) -> tuple[list[int], list[int], list[int]]:
    """Ends, either way round, each with the number of the first collection that it is in."""
    placed: dict[tuple[int, int], int] = {}
    for place, ends in enumerate(several):
        for s, o in ends:
            placed.setdefault((s, o), place)
            placed.setdefault((o, s), place)
    return [s for s, _ in placed], [o for _, o in placed], [*placed.values()]


def find(material: Material, config: QuestionConfig) -> Blocks:
    """Word the snapshot's facts and join them to blocks that balance.

    Returns:
        Blocks in a fixed order; what was dropped is counted by reason.
    """
    found = _month(material, config)
    return Blocks(found.balanced, found.dropped, found.pool)


def find_true(material: Material, config: QuestionConfig) -> Blocks:
    """The facts that hold and whose like is never shown to be false, for the suite recall."""
    return Blocks(_month(material, config).true_only, Counter())


def _month(material: Material, config: QuestionConfig) -> Gathered:
    key = ("relation", config.seed, config.candidates)
    found: Gathered = material.once(key, lambda: _gathered(material, config.seed, config.candidates))
    return found


def _gathered(material: Material, seed: int, candidates: int) -> Gathered:
    known = material.neighbourhood
    worder = Worder(material.index, material.lexicon, material.world)
    derived = _derived(material, seed, candidates, worder, known.rules)
    stood = material.stood("relation")
    exchanges = Exchanges(worder, known, stood)
    exchanged = bridges.bridged(material, worder, exchanges.swaps(derived.facts, seed=seed), seed=seed)
    swaps = [*exchanged, *makers.find(material, seed=seed)]
    # Numbers by themselves are not asked for recall: they have one value.
    for number in (numbers.AMOUNTS, numbers.YEARS, numbers.AGES):
        swaps += numbers.find(material, number, seed=seed, most=candidates)
    swaps += countries.find(material, seed=seed, most=candidates)
    found = list(derived.facts)
    compared = orders.find(material, seed=seed, per_domain=candidates)
    found += [one for one in compared if material.stability.named(one.entities)]
    standing = _stood(swaps, material.stability)
    short = Readable()
    fours = [four for four in standing if all(map(short.keeps, four))]
    made = relation_blocks(short.kept(found), fours, seed=seed, stood=stood)
    # What has one value is asked beside another that is shown to be false: of several directors each may be one.
    unasked = {p for p, entries in material.lexicon.properties.items() if not any(one.recall for one in entries)}
    true_only = [
        block
        for block in made.true_only
        if not any(exchanges.decided_by(one) or one.pid in unasked for one in block.candidates)
    ]
    alone = Counter({Hindrance.TRUE_ALONE(): len(made.true_only) - len(true_only)})
    balanced, of_recall = (
        stratified(blocks, material.surroundings, lambda one: not material.news.isdisjoint(rests_on(one)))
        for blocks in (made.balanced, true_only)
    )
    balanced, of_recall = ([_resting(block, known.rules) for block in blocks] for blocks in (balanced, of_recall))
    dropped = dropped_of(derived.hindered) + made.dropped + short.dropped + alone
    asked = [one for four in standing for one in four]
    pool = CellPool.of([*found, *asked], derived.hindered, _refused(derived.facts, asked, material.measured))
    return Gathered(balanced, of_recall, dropped, pool)


def _refused(
    facts: Iterable[Candidate], asked: Iterable[Candidate], measured: MeasuredFile
) -> Mapping[Cell, Mapping[str, str]]:
    """Of each cell the relations of most true facts that nothing false stands beside, and what refused it."""
    beside = {one.identity for one in asked}
    left: dict[Cell, Counter[Relation]] = defaultdict(Counter)
    for one in facts:
        if one.truth and not one.balanced and one.identity not in beside:
            left[cell_of(one)][one.base.relation.stated] += 1
    return {
        cell: {str(relation): measured.refusal(relation) for relation, _ in several.most_common(MOST)}
        for cell, several in left.items()
    }


def _resting(block: Block, rules: Mapping[int, Rule]) -> Block:
    """With the properties that each fact rests on."""
    return Block(tuple(one._replace(rests=proved.rests_on(one.fact, rules)) for one in block.candidates))


class _Derived(NamedTuple):
    """Derived facts in words, and why others have none: cell and reason → facts."""

    facts: list[Candidate]
    hindered: Counter[tuple[Cell, Unasked]]


def _derived(material: Material, seed: int, candidates: int, worder: Worder, rules: Mapping[int, Rule]) -> _Derived:
    session, snapshot = material.session, material.snapshot
    # Wrong values are drawn by exchange (`swaps`); of the derived ones only converses and what people found to be
    # false are asked as they stand.
    stood = {n: rule for n, rule in rules.items() if rule.kind is not WRONG_VALUE}
    found: list[Candidate] = []
    hindered: Counter[tuple[Cell, Unasked]] = Counter()
    # What was asked before; then what a foil can be asked beside, since of some properties that is one fact in ten.
    first = (material.stood("relation").ends | material.stood("recall").ends, material.neighbourhood.measures.asked())
    drawn = list(sampled(session, snapshot, stood, seed=seed, per_rule=candidates, first=first))
    true = [fact for _, fact in drawn if worder.may_turn(fact) and rules[fact.rule].kind.truth]
    turned = _also_derived(session, snapshot, true, rules)
    alone = _alone({fact.rule: fact for _, fact in drawn}.values(), worder, material.neighbourhood)
    taken: Counter[tuple[str, int]] = Counter()
    for domain, fact in drawn:
        if fact.rule in alone and taken[domain, fact.rule] >= candidates // _OF_RECALL:
            continue
        both_ways = rules[fact.rule].kind.truth and (fact.relation, fact.o, fact.s) in turned
        outcome = worder.candidate(domain, fact, rules[fact.rule], turned=both_ways)
        cell = domain, family(rules[fact.rule].kind.family)
        if isinstance(outcome, Unasked):
            hindered[cell, outcome] += 1
        elif not material.stability.named(outcome.entities):
            hindered[cell, Hindrance.TOO_NEW()] += 1
        else:
            found.append(outcome)
            taken[domain, fact.rule] += 1
    return _Derived(found, hindered)


_OF_RECALL = 5
"""Of the facts that are looked at of a domain and rule one in so many is worded where recall alone can ask them: it
takes a sixth of what relation does and finds no foils."""


def _alone(of_rules: Iterable[DerivedFact], worder: Worder, known: Neighbourhood) -> set[int]:
    """Rules whose facts hold and are asked beside nothing false: no foil is drawn, nor are they turned round, nor did
    people find any false.

    Args:
        of_rules: a fact of each rule.
        worder: words.
        known: what foils are drawn from.
    """
    by_people = {rule.conclusion for rule in known.rules.values() if rule.kind.found_by_people}
    return {
        fact.rule
        for fact in of_rules
        if known.rules[fact.rule].kind.truth
        and fact.relation not in by_people
        and not worder.may_turn(fact)
        and not foils.decided_by(known, fact)
    }


def _stood(swaps: Iterable[Swap], stability: Stability) -> list[Swap]:
    return [swap for swap in swaps if all(stability.named(one.entities) for one in swap)]


def _also_derived(
    session: Session, snapshot: str, facts: Collection[DerivedFact], rules: Mapping[int, Rule]
) -> set[tuple[Relation, int, int]]:
    """Reversed facts that some rule derives as true: then the relation is not one-way."""
    if not facts:
        return set()
    pairs = {(fact.relation, fact.o, fact.s) for fact in facts}
    relations = {relation for relation, _, _ in pairs}
    affirming = [n for n, rule in rules.items() if rule.kind.truth and rule.conclusion in relations]
    fact = derived_fact.c
    rows = session.execute(
        select(fact.rule, fact.s, fact.o).where(
            fact.snapshot == snapshot, fact.rule.in_(affirming), fact.s.in_({s for _, s, _ in pairs})
        )
    )
    return {(rules[rule].conclusion, s, o) for rule, s, o in rows} & pairs
