"""The other end of a statement: a father or mother by his or her child, a country by its capital, a state by its governor."""

from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import select

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import Ground, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.reasoning import sole_values
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.licence.slot import impossible_parent
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.storage.tables import derived_fact
from halluvault_tasks.wikidata import properties as wd

INVERSE = "inverse"


def find(ground: Ground) -> Iterator[OpenDraft]:
    """Questions whose answer is stated at the other end."""
    yield from _parents(ground)
    for p in sorted(ground.wordings.inverse):
        yield from _holders(ground, p)


def _parents(ground: Ground) -> Iterator[OpenDraft]:
    """Of who has a father or mother by a parent's own statement, and no other: everybody has one of each."""
    session, snapshot, world = ground.material.session, ground.material.snapshot, ground.material.world
    rules = {
        rule.rule: rule
        for rule in active_rules(session, snapshot)
        if rule.kind.family == INVERSE and rule.conclusion.properties[0] in wd.PARENTS and rule.premises[0] == wd.CHILD
    }
    c = derived_fact.c
    found: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for rule, s, o, evidence in session.execute(
        select(c.rule, c.s, c.o, c.evidence).where(c.snapshot == snapshot, c.rule.in_(rules))
    ):
        found[rules[rule].conclusion.pid, s][o] = evidence[0]
    sole = {
        slot: next(iter(of.items()))
        for slot, of in found.items()
        if len(of) == 1 and slot not in ground.slots.slots and not impossible_parent(world, *slot, next(iter(of)))
    }
    known = ground.statements(sid for _, sid in sole.values())
    for (p, s), (o, sid) in sorted(sole.items()):
        [wording, *_] = ground.wordings.questions.get(p, [None])
        one, answer = named(ground, s, undated=False), ground.index.namer.named(o)
        if wording is None or one is None or not answer.name or not ground.index.fits(s, wording.subject):
            continue
        question, domain = said(wording.question, s=one.named), ground.domain(s, o)
        if not domain or holds_answer(ground.index, question, (one.named,), (o,)):
            continue
        if gives_away(ground.index, s, one.named, o, answer):
            continue
        premise, gold = known[sid], ground.index.namer.plain(o)
        told = ground.told(premise, wording.statement)
        yield OpenDraft(
            domain=domain,
            kind=INVERSE,
            asks=wording.asks,
            way=f"P{p} by P{wd.CHILD}",
            identity=(wording.answer, p, s),
            question=question,
            gold=gold,
            wanted=wanted_items(ground.index, (o,)),
            pid=p,
            subject=s,
            object=o,
            named=(s,),
            rests=frozenset((p, wd.CHILD)),
            sids=(sid,),
            told=said(wording.statement, s=one.named, o=answer),
            premises=(told,),
            facts=(
                *open_answer.stated(premise.guid, o, wd.CHILD, s, told["sentence"]),
                *open_answer.back(p, wd.CHILD),
                *open_answer.named(o, gold),
                *open_answer.path(s, (p,)),
            ),
            relation=f"P{p}",
        )


def _holders(ground: Ground, p: int) -> Iterator[OpenDraft]:
    """The one subject that has something for its p: nothing else ever had it, nor it anything else."""
    index, wording = ground.index, ground.wordings.inverse[p]
    places = ground.material.world.containment
    for premise in sole_values.both_ways(ground.material.session, ground.material.snapshot, p):
        s, o = premise.o or 0, premise.s
        one, answer = named(ground, s, undated=False), index.namer.named(o)
        if one is None or not answer.name or not index.fits(o, wording.object) or places.historic(o):
            continue
        question, domain = said(wording.question, s=one.named), ground.domain(s, o)
        if not domain or holds_answer(index, question, (one.named,), (o,)):
            continue
        if gives_away(index, s, one.named, o, answer):
            continue
        gold, told = index.namer.plain(o), ground.told(premise, wording.statement)
        yield OpenDraft(
            domain=domain,
            kind=INVERSE,
            asks=wording.asks,
            way=f"P{p} turned round",
            identity=("turned", p, s),
            question=question,
            gold=gold,
            wanted=wanted_items(index, (o,)),
            pid=p,
            subject=o,
            object=s,
            named=(s,),
            rests=frozenset((p,)),
            sids=(premise.sid,),
            told=said(wording.statement, s=one.named, o=answer),
            premises=(told,),
            facts=(
                *open_answer.stated(premise.guid, o, p, s, told["sentence"]),
                *open_answer.back(-p, p),
                *open_answer.named(o, gold),
                *open_answer.path(s, (-p,)),
            ),
            relation=f"P{p}",
        )
