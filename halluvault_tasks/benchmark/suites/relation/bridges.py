"""People identified by what they alone made: "the director of the film “Jaws”". One hop more than a name."""

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import select

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.slots import convicting
from halluvault_tasks.storage.tables import statement


class Bridge(NamedTuple):
    """What a person alone did: the property and the statement that say so, and the name it gives."""

    pid: int
    sid: int
    work: int
    named: Named


class Called(NamedTuple):
    """How a proof comes from what the question calls somebody to the person.

    Attributes:
        lines: the statement, with a comment before it.
        goal: finds the person, ends in a comma; empty where the question names them.
        who: the person's term behind the goal.
    """

    lines: tuple[str, ...]
    goal: str
    who: str


def called(bridge: Premise | None, person: int, variable: str = "Who") -> Called:
    """By the statement of a work's one director, a child's one father …; None: by name."""
    if bridge is None:
        return Called((), "", number(person))
    work = number(bridge.s)
    heading = comment(f"--- only(Property, Item, Person): the one value that is stated   [{bridge.guid}]")
    stated = f"only({number(bridge.p)}, {work}, {number(person)})."
    return Called((heading, stated, ""), f"only({number(bridge.p)}, {work}, {variable}), ", variable)


def by_person(material: Material) -> dict[int, list[Bridge]]:
    """Person → works of which nobody else is the director, author …, each with the words for it.

    "The director" takes for granted that there is no other, which the licence must show (semantics.md §1.8).
    """
    found: dict[int, list[Bridge]] = material.once("bridges", lambda: _found(material))
    return found


def _found(material: Material) -> dict[int, list[Bridge]]:
    c = statement.c
    found: dict[int, list[Bridge]] = defaultdict(list)
    namer = material.index.namer
    for p, worded in sorted(material.lexicon.bridges.items()):
        of_property = (c.snapshot == material.snapshot, c.p == p)
        rows = material.session.execute(
            select(c.s, c.o, c.sid).where(*of_property, c.kind == "item", c.hedged.is_(False)).order_by(c.sid)
        )
        for work, person, sid in rows:
            named = namer.named(work)
            slot = convicting(material.licences, p, work)
            alone = not isinstance(slot, Refusal) and slot.sid == sid
            if alone and named.name and not named.described and material.index.fits(work, worded.work):
                short = worded.possessive if " of " not in named.name else ""
                said = (short or worded.phrase).replace("{o}", named.name)
                found[person].append(Bridge(p, sid, work, Named(said, namer.plain(person))))
    return found
