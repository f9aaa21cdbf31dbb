"""The words of a proof: names of items and properties, and sentences made of them."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, Premise, Rule
from halluvault_tasks.storage.tables import entity
from halluvault_tasks.storage.tables import property as property_table
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Kind

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.foils.base import Foil

_SHOWN = 120  # characters of a label: long enough to recognise, short enough to read


class Labels(NamedTuple):
    """Names for readers; an id without one shows as itself."""

    items: Mapping[int, str]
    properties: Mapping[int, str]

    def item(self, qid: int) -> str:
        """`Paris (Q90)`."""
        label = " ".join(self.items.get(qid, "").split())[:_SHOWN]
        return f"{label} (Q{qid})" if label else f"Q{qid}"

    def property(self, p: int) -> str:
        """`place of birth (P19)`."""
        label = self.properties.get(p, "")
        return f"{label} (P{p})" if label else f"P{p}"

    def relation(self, rule: Rule) -> str:
        """What a rule concludes: a property, or a relation that the rule's kind puts in words."""
        relation = rule.conclusion
        first = self.property(relation.properties[0])
        return first if relation.kind is Kind.PROPERTY else rule.kind.relation(rule, first)


def labels_of(session: Session, snapshot: str, items: Iterable[int], properties: Iterable[int]) -> Labels:
    """Names of items and properties for readers."""
    e, p = entity.c, property_table.c
    named = session.execute(
        select(e.qid, e.label).where(e.snapshot == snapshot, e.qid.in_(sorted(set(items))), e.label.is_not(None))
    )
    titled = session.execute(select(p.pid, p.label).where(p.snapshot == snapshot, p.pid.in_(sorted(set(properties)))))
    return Labels({row.qid: row.label for row in named}, {row.pid: row.label for row in titled})


def value_text(premise: Premise, labels: Labels) -> str:
    """The value of a statement for readers."""
    if premise.kind == "item" and premise.o is not None:
        return labels.item(premise.o)
    if premise.kind == "time" and premise.earliest is not None and premise.latest is not None:
        first, last = civil(premise.earliest), civil(premise.latest)
        return f"{first.year}-{first.month:02}-{first.day:02} to {last.year}-{last.month:02}-{last.day:02}"
    return f"{premise.amount}" if premise.amount is not None else premise.kind


def sentence(premise: Premise, labels: Labels) -> str:
    """`Paris (Q90): located in … (P131): Île-de-France (Q13917)`."""
    return f"{labels.item(premise.s)}: {labels.property(premise.p)}: {value_text(premise, labels)}"


def claim(fact: "DerivedFact | DrawnFact | Foil", rule: Rule, labels: Labels) -> str:
    """The base proposition, whatever its truth: `Jane Austen (Q36322): date of birth (P569): year 1775`."""
    counts = not isinstance(fact, DerivedFact) and fact.value is not None
    end = f"{rule.kind.name} {fact.end}" if counts else labels.item(fact.end)
    return f"{labels.item(fact.s)}: {labels.relation(rule)}: {end}"


def conclusion(fact: DerivedFact | DrawnFact, rule: Rule, truth: bool, labels: Labels) -> str:
    """The base proposition with its truth."""
    stated_claim = claim(fact, rule, labels)
    return stated_claim if truth else f"not so: {stated_claim}"
