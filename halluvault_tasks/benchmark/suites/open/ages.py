"""How old somebody was when he or she died, in full years."""

from collections.abc import Iterator

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft
from halluvault_tasks.benchmark.suites.open.fact import WantedNumber
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.kinds import AGE
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.wikidata import properties as wd


def find(ground: OpenGround, most: int) -> Iterator[OpenDraft]:
    """Questions for ages.

    Args:
        ground: the month.
        most: questions.
    """
    wording = ground.wordings.age
    if wording is None:
        return
    facts = {fact.s: fact for fact in drawn_facts(ground.material.session, ground.material.snapshot, AGE)}
    chosen = ground.ordered(facts, "age")[: 2 * most]
    known = ground.statements(sid for s in chosen for sid in facts[s].evidence)
    for s in chosen:
        one, fact = named(ground, s, undated=True), facts[s]
        domain, premises = ground.domain(s), [known[sid] for sid in fact.evidence]
        if one is None or dates_itself(one.named) or not domain or fact.value is None:
            continue
        # Nothing else was ever recorded of the two dates.
        if not all(ground.slots.year(p, s) or ground.slots.day(p, s) for p in wd.LIFE):
            continue
        told = [ground.told(premise, "{s} was born or died {on}.") for premise in premises]
        born, died = (premise.earliest or 0 for premise in premises)
        yield OpenDraft(
            domain=domain,
            kind=COMPOSITE,
            asks=wording.asks,
            way="age",
            identity=("age", s),
            question=said(wording.question, s=one.named),
            gold=str(fact.value),
            wanted=WantedNumber(low=fact.value, high=fact.value),
            pid=wd.DEATH,
            subject=s,
            object=None,
            named=(s,),
            rests=frozenset(wd.LIFE),
            sids=fact.evidence,
            told=said(wording.statement, s=one.named, o=str(fact.value)),
            premises=tuple(told),
            facts=(
                *(open_answer.cited(of.guid, each["sentence"]) for of, each in zip(premises, told, strict=True)),
                *open_answer.age(born, died),
            ),
            relation="/".join(f"P{p}" for p in wd.LIFE),
            hops=2,
            precision=Precision.YEAR,
        )  # fmt: skip
