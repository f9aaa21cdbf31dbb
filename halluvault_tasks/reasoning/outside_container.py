"""When "in a place that lies in O" is false: the place is known, and it and O are positively disjoint.

This concerns composites with a step that has exactly one value (born in, died in) and containment behind it. What shows
that one is false is what shows that another place is (semantics.md §1.3): whole chains of present containment that
differ.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.disjoint_places import levels_of, place_of
from halluvault_tasks.reasoning.evidence import labels_of, premises_of, way
from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import Difference as Shown
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.proof_text import program
from halluvault_tasks.reasoning.records import DerivedFact, Proof, Rule
from halluvault_tasks.reasoning.slots import convicting


def license_outside(known: LicenceFacts, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the only value that s has for the place property p lies outside o.

    Args:
        known: the snapshot.
        p: a functional property whose values are places.
        s: subject.
        o: a container: a country, a state, a county.
    """
    slot = convicting(known, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.value is None:
        return Refusal("no value", f"P{p} of Q{s} is no place")
    value, sid = slot.value, slot.sid
    found = apart(known, value, o)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{value} and only that; it lies in Q{found.left}, and Q{o} in or at Q{found.right}"
    return Licence(found.reason, sid, why, found)


def apart(known: LicenceFacts, value: int, o: int) -> Difference | Refusal:
    """Whether a place lies outside a container: they differ in present country, or at a level that both have."""
    if known.related(value, o):
        return Refusal("related", f"Q{value} and Q{o} are the same, one above the other, or linked")
    mine, theirs = known.tokens.get(value), known.tokens.get(o)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return Refusal("name", f"the names of Q{value} and Q{o} share a word, or one has none")
    one, other = place_of(known, value), place_of(known, o)
    if not one.country or not other.country:
        return Refusal("no chain", one.gap or other.gap)
    if one.historic or other.historic:
        return Refusal("historic", f"a historic unit contains Q{value} or Q{o}")
    if value == one.country:
        return Refusal("no chain", f"Q{value} is itself a country")
    if not known.related(one.country, other.country):
        return Difference(Reason.PLACE_COUNTRY, one.country, other.country)
    if not (one.whole and other.whole):
        return Refusal("no chain", f"Q{value} or Q{o} has no whole chain, and they lie in one country")
    above = levels_of(known, value)
    beside = dict(levels_of(known, o)) | dict.fromkeys(known.types.get(o, frozenset()) - known.nested_types(), o)
    for level in sorted(above.keys() & beside.keys()):
        left, right = above[level], beside[level]
        if not known.related(left, right) and left != value:
            return Difference(Reason.PLACE_LEVEL, left, right, level)
    return Refusal("no level", f"Q{value} and Q{o} differ at no shared level")


def prove_outside(
    session: Session,
    snapshot: str,
    known: LicenceFacts,
    rules: Mapping[int, Rule],
    facts: Sequence[DerivedFact],
) -> list[Proof | Refusal]:
    """The proof that each composite fact is false, in order, or why it is not.

    Args:
        session: open session.
        snapshot: key.
        known: the licence's view of it.
        rules: the composite rules by number; the first premise is the place property.
        facts: false ones, their evidence the statement of the one place.

    Raises:
        UserError: a statement is not in the snapshot.
    """
    premises = premises_of(session, snapshot, {fact.evidence[0] for fact in facts})
    if missing := {fact.evidence[0] for fact in facts} - set(premises):
        raise UserError(f"statement {min(missing)} is not in snapshot {snapshot}", "`halluvault derive run`")
    licences = [license_outside(known, rules[fact.rule].premises[0], fact.s, fact.o) for fact in facts]
    shown = [_shown(known, fact, premises[fact.evidence[0]].o, one) for fact, one in zip(facts, licences, strict=True)]
    items = {end for one in shown if one for _, s, o, _ in one.edges for end in (s, o)}
    items |= {one.level for one in shown if one} | {end for fact in facts for end in (fact.s, fact.o)}
    items |= {premise.o for premise in premises.values() if premise.o}
    properties = {p for one in shown if one for p, *_ in one.edges} | {p for r in rules.values() for p in r.premises}
    labels = labels_of(session, snapshot, items, properties)
    found: list[Proof | Refusal] = []
    for fact, licence, difference in zip(facts, licences, shown, strict=True):
        if isinstance(licence, Refusal):
            found.append(licence)
            continue
        rule = rules[fact.rule]
        denial = rule._replace(kind=WRONG_VALUE)
        given = (premises[fact.evidence[0]],)
        text = program(fact, denial, given, labels, snapshot, licence, difference)
        found.append(Proof(fact, rule.name, rule.kind.family, False, given, licence.why, text))
    return found


def _shown(known: LicenceFacts, fact: DerivedFact, value: int | None, licence: Licence | Refusal) -> Shown | None:
    if isinstance(licence, Refusal) or licence.difference is None or value is None:
        return None
    found = licence.difference
    edges = (*way(known, value, found.left), *way(known, fact.o, found.right))
    return Shown(edges, found.left, found.right, found.level)
