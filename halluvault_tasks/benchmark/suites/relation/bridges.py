"""People called by what they alone made or are a parent of: "the director of the film “Jaws”". One hop more."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Swap
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.reasoning.kinds import SOLE
from halluvault_tasks.reasoning.proving.asked import counted, true_beside
from halluvault_tasks.reasoning.records import Composed, DerivedFact, DrawnFact
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd


class Bridge(NamedTuple):
    """What a person alone did, and the name it gives."""

    sole: DrawnFact
    named: Named

    @property
    def pid(self) -> int:
        """The property that says so."""
        return self.sole.relation.pid

    @property
    def sid(self) -> int:
        """The statement that says so."""
        return self.sole.evidence[0]

    @property
    def work(self) -> int:
        """What he or she made, or is a parent of."""
        return self.sole.s


def by_person(material: Material) -> dict[int, list[Bridge]]:
    """Person → works of which nobody else is the director, author …, each with the words for it.

    "The director" takes for granted that there is no other, which the licence has shown (semantics.md §1.8).
    """
    found: dict[int, list[Bridge]] = material.once("bridges", lambda: _worded(material))
    return found


def by_property(material: Material) -> dict[int, dict[int, Bridge]]:
    """Property → person → the first work by which it calls him or her."""
    first: dict[int, dict[int, Bridge]] = defaultdict(dict)
    for person, several in by_person(material).items():
        for bridge in several:
            first[bridge.pid].setdefault(person, bridge)
    return first


def _worded(material: Material) -> dict[int, list[Bridge]]:
    found: dict[int, list[Bridge]] = defaultdict(list)
    namer = material.index.namer
    for sole in sorted(drawn_facts(material.session, material.snapshot, SOLE), key=lambda one: one.evidence):
        worded, named = material.lexicon.bridges.get(sole.relation.pid), namer.named(sole.s)
        if worded and named.name and not named.described and material.index.fits(sole.s, worded.work):
            short = worded.possessive if " of " not in named.name else ""
            phrase = (short or worded.phrase).replace("{o}", named.name)
            found[sole.end].append(Bridge(sole, Named(phrase, namer.plain(sole.end))))
    return found


def bridged(material: Material, worder: Worder, squares: Iterable[Swap], *, seed: int) -> list[Swap]:
    """Squares of derived facts, of which one in `_EVERY` that can be names both subjects, or both objects, by works.

    "Was the director of the film “Jaws” born in Cincinnati?" Which ones is drawn; the others, and those of which an end
    made nothing alone, stay as they are.

    Args:
        material: the snapshot.
        worder: words.
        squares: true facts and foils beside them.
        seed: of the draw.
    """
    caller = _Caller(material, worder)
    return [
        caller.square(four) or four if int(drawn(seed, "called", *four[0].identity)[:8], 16) % _EVERY == 0 else four
        for four in squares
    ]


class _Caller:
    """Calls an end of derived facts, and of foils beside them, by what it alone made."""

    def __init__(self, material: Material, worder: Worder) -> None:
        self._material, self._worder = material, worder
        self._bridges = by_person(material)

    def square(self, four: Swap) -> Swap | None:
        """The same four with one end called so; None where that cannot be done with all."""
        for end in (_subject, _object):
            for p in sorted(self._ways(four, end)):
                made = [self._called(one, end(one), p) for one in four]
                one, other, three, another = made
                if one and other and three and another and len({each.family for each in made if each}) == 1:
                    return one, other, three, another
        return None

    def _ways(self, four: Swap, end: Callable[[Candidate], int]) -> set[int]:
        """Properties by which all ends of one side are called."""
        return set.intersection(*({bridge.pid for bridge in self._bridges.get(end(one), ())} for one in four))

    def _called(self, one: Candidate, end: int, p: int) -> Candidate | None:
        fact, known = one.base, self._material.neighbourhood
        if (
            not isinstance(true_beside(fact), DerivedFact)
            or isinstance(fact, DrawnFact)
            or p in fact.relation.properties
        ):
            return None
        if p in wd.PARENTS and not _KIN.isdisjoint(fact.relation.properties):
            return None
        fame = self._material.index.fame
        fitting = [it for it in self._bridges[end] if it.pid == p and it.work not in (fact.s, fact.end)]
        if not fitting:
            return None
        bridge = max(fitting, key=lambda it: (fame.get(it.work, 0.0), it.sid))
        rule = known.rules[true_beside(fact).rule]
        told = self._worder.candidate(one.domain, fact, rule, called={end: bridge.named})
        if isinstance(told, Unasked):
            return None
        source = Composed(fact, bridge.sole)
        kind, name = counted(source, known.rules)
        return told._replace(
            domain=self._material.index.domains.get(bridge.work, one.domain),
            kind=kind,
            strand=name,
            identity=(kind, name, fact.relation.key, fact.s, fact.end, bridge.work, *(() if one.truth else ("not",))),
            entities=(*told.entities, bridge.work),
            source=source,
            converse=None,
            family=f"{told.family} {p}" if end == fact.s else f"{told.family} of {p}",
            hops=told.hops + 1,
        )


_EVERY = 2
"""One of so many squares that can be is bridged: the other half asks the same of people by name."""

_KIN = frozenset({*wd.PARENTS, wd.CHILD, wd.SPOUSE, wd.SIBLING})
"""Nobody asks whether Jane Fonda's father had a child."""


def _subject(one: Candidate) -> int:
    return one.subject


def _object(one: Candidate) -> int:
    return one.object or 0
