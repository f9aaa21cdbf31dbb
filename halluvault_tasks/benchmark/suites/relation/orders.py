"""Which of two came first: asked in both directions, such a fact is a yes and a no in the same words.

Each thing is in at most one pair: a chain of orders would give its own middle away. Which of two is named first is
drawn. A third of the people are not named but identified by what they alone did (the director of …): one hop more.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.relation.bridges import Bridge, by_person
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself, direction_tells, gives_away
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import ORDER
from halluvault_tasks.reasoning.records import Composed, DrawnFact
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd

_BRIDGED = 3  # one of so many people is called by a work


class _Thing(NamedTuple):
    """A thing with a name that does not date it."""

    qid: int
    domain: str
    named: Named
    bridge: Bridge | None = None

    def called(self, material: Material) -> Named:
        """Its name in the question, beside what it belongs together with."""
        return self.bridge.named if self.bridge else material.index.namer.beside(self.qid)


class _Pair(NamedTuple):
    """An order with its two things, the earlier one first, and the place of its wording."""

    fact: DrawnFact
    entry: int
    earlier: _Thing
    later: _Thing


_Partners = Mapping[int, Mapping[int, DrawnFact]]
"""Thing → what it is compared with → the order."""


def find(material: Material, *, seed: int, per_domain: int) -> list[Candidate]:
    """Pairs of dated things that belong together, each thing in at most one of them.

    Args:
        material: the snapshot.
        seed: of every draw.
        per_domain: most pairs of a domain and property.
    """
    partners: dict[int, dict[int, dict[int, DrawnFact]]] = defaultdict(lambda: defaultdict(dict))
    for fact in drawn_facts(material.session, material.snapshot, ORDER):
        (pid,) = fact.relation.properties
        partners[pid][fact.s][fact.end] = partners[pid][fact.end][fact.s] = fact
    bridges = by_person(material)
    pairs: list[_Pair] = []
    taken: set[int] = set()
    for pid in sorted(partners.keys() & material.lexicon.orders.keys()):
        groups: dict[tuple[int, str], dict[int, _Thing]] = defaultdict(dict)
        for qid in partners[pid]:
            entry = fitting(material.lexicon.orders[pid], qid, qid, material.index)
            thing = _thing(material, qid)
            if thing is not None and entry is not None and entry.ask:
                noun = thing.named.name.split("“")[0] if "“" in thing.named.name else ""
                groups[material.lexicon.orders[pid].index(entry), noun][qid] = thing
        counted: dict[str, int] = defaultdict(int)
        for (entry_index, _), things in sorted(groups.items()):
            for pair in _paired(pid, entry_index, things, partners[pid], material, taken, seed):
                counted[pair.earlier.domain] += 1
                if counted[pair.earlier.domain] <= per_domain:
                    pairs.append(_bridged(pair, bridges, material, seed))
    found = (_candidate(pair, material, seed) for pair in pairs)
    return [one for one in found if one is not None]


def _thing(material: Material, qid: int) -> _Thing | None:
    domain, named = material.index.domains.get(qid), material.index.namer.named(qid)
    return _Thing(qid, domain, named) if domain is not None and named.name and not dates_itself(named) else None


def _paired(
    pid: int,
    entry: int,
    things: Mapping[int, _Thing],
    partners: _Partners,
    material: Material,
    taken: set[int],
    seed: int,
) -> list[_Pair]:
    """Each thing with one that it is compared with; which one is drawn."""
    index, found = material.index, []
    for qid in sorted(things, key=lambda qid: (-index.fame.get(qid, 0.0) // 1, drawn(seed, "order", pid, qid))):
        if qid in taken:
            continue
        near = {other: fact for other, fact in partners[qid].items() if other in things and other not in taken}
        for other in sorted(near, key=lambda other: drawn(seed, "after", pid, qid, other))[:3]:
            sides = (qid, things[qid].named, other, things[other].named)
            if not direction_tells(index, *sides) and not gives_away(index, *sides):
                taken |= {qid, other}
                fact = near[other]
                found.append(_Pair(fact, entry, things[fact.s], things[fact.end]))
                break
    return found


def _bridged(pair: _Pair, bridges: Mapping[int, Sequence[Bridge]], material: Material, seed: int) -> _Pair:
    """One of the two called by a work in which the other has a part, too, in a third of the pairs that have such a one.

    Else nobody would see what joins the two: the director of “Argo” and Jennifer Garner were married.
    """
    draw = int(drawn(seed, "bridge", pair.fact.relation.key, pair.earlier.qid, pair.later.qid)[:8], 16)
    if draw % _BRIDGED:
        return pair
    sides = (pair.earlier, pair.later) if draw % 2 else (pair.later, pair.earlier)
    for one in sides:
        other = pair.later if one is pair.earlier else pair.earlier
        joined = material.links.joined(other.qid)
        fit = [it for it in bridges.get(one.qid, ()) if it.work in joined and it.pid not in wd.PARENTS]
        if fit:
            best = max(fit, key=lambda it: (material.index.fame.get(it.work, 0.0), it.sid))
            named = one._replace(bridge=best)
            return pair._replace(earlier=named) if one is pair.earlier else pair._replace(later=named)
    return pair


def _candidate(pair: _Pair, material: Material, seed: int) -> Candidate | None:
    (p,) = pair.fact.relation.properties
    truth = drawn(seed, "first", p, pair.earlier.qid, pair.later.qid)[0] < "8"
    one, other = (pair.earlier, pair.later) if truth else (pair.later, pair.earlier)
    form = tensed(material.lexicon.orders[p][pair.entry], one.qid, other.qid, material.index)
    called = one.called(material), other.called(material)
    asked, turned = words(form, *called), words(form, *reversed(called))
    if asked is None or turned is None:
        return None
    fact: DrawnFact | Foil | Refusal = pair.fact if truth else foils.draw(material.neighbourhood, pair.fact, pair.fact)
    if isinstance(fact, Refusal):
        return None
    kind, name = ORDER.counted(material.neighbourhood.rules[pair.fact.rule], truth)
    bridge = one.bridge or other.bridge
    return Candidate(
        suite="relation",
        domain=one.domain,
        kind=kind,
        strand=name,
        identity=(kind, name, p, one.qid, other.qid, *((bridge.work,) if bridge else ())),
        pid=p,
        subject=one.qid,
        object=other.qid,
        entities=(one.qid, other.qid),
        truth=truth,
        wordings=asked,
        source=Composed(fact, bridge.sole) if bridge else fact,
        converse=ConverseWordings(turned, flips=True),
        family=f"{name} {form.question}",
        hops=3 if bridge else 2,
        order=True,
    )
