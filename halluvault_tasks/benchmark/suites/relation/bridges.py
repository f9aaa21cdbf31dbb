"""People identified by what they alone made: "the director of the film “Jaws”". One hop more than a name."""

from collections import defaultdict
from typing import NamedTuple

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.reasoning.kinds import SOLE
from halluvault_tasks.reasoning.records import DrawnFact
from halluvault_tasks.reasoning.rules import drawn_facts


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
