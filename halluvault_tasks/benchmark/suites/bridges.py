"""People identified by what they alone made: "the director of the film “Jaws”". One hop more than a name."""

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import func, select

from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.wording.names import Named
from halluvault_tasks.storage.tables import statement


class Bridge(NamedTuple):
    """What a person alone did: the property and the statement that say so, and the name it gives."""

    pid: int
    sid: int
    work: int
    named: Named


def by_person(material: Material) -> dict[int, list[Bridge]]:
    """Person → works of which nobody else is stated to be the director, author …, each with the words for it.

    "The director" takes for granted that there is no other. A hedged statement or a second one, at any rank, makes
    none. Where a thing may have several (`known` says nothing of it), the source may lack the second, so the work's
    description must name this person alone.
    """
    found: dict[int, list[Bridge]] = material.once("bridges", lambda: _found(material))
    return found


def _found(material: Material) -> dict[int, list[Bridge]]:
    c = statement.c
    found: dict[int, list[Bridge]] = defaultdict(list)
    namer = material.index.namer
    for p, worded in sorted(material.lexicon.bridges.items()):
        of_property = (c.snapshot == material.snapshot, c.p == p)
        alone = select(c.s).where(*of_property).group_by(c.s).having(func.count() == 1)
        rows = material.session.execute(
            select(c.s, c.o, c.sid)
            .where(*of_property, c.kind == "item", c.hedged.is_(False), c.s.in_(alone))
            .order_by(c.sid)
        )
        for work, person, sid in rows:
            named = namer.named(work)
            known = material.licences.known.get((p, work))
            fits = material.index.fits(work, worded.work)
            alone_there = namer.credited_alone(work, person) if known is None else known.distinct == 1
            if fits and named.name and not named.described and alone_there:
                said = worded.phrase.replace("{o}", named.name)
                found[person].append(Bridge(p, sid, work, Named(said, namer.plain(person))))
    return found
