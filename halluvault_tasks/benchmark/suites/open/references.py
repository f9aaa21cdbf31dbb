"""What a question is about: something by its name, or by its place in the one slot of something else, up to twice."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.drafts import holds_answer
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, Told
from halluvault_tasks.benchmark.wording.articles import names_several
from halluvault_tasks.benchmark.wording.identifying_names import Named, names_alike
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

MOST_PHRASES = 2


class Reference(NamedTuple):
    """Something that is asked about.

    Attributes:
        qid: what it is.
        named: how the question calls it.
        start: what the question names.
        path: properties from there to it; none: it is named itself.
        told: statements that lead there.
        facts: the same for a proof.
    """

    qid: int
    named: Named
    start: int
    start_named: Named
    path: tuple[int, ...] = ()
    told: tuple[Told, ...] = ()
    facts: Facts = ()
    sids: tuple[int, ...] = ()
    before: Named | None = None
    """How it calls what the last step leads from."""


def named(ground: OpenGround, qid: int, *, undated: bool) -> Reference | None:
    """Something by its name; None where that does not identify it."""
    namer = ground.index.namer
    name = namer.undated(qid) if undated else namer.named(qid)
    if name.name.startswith("the group "):
        name = name._replace(plural=False)
    elif name.name.startswith("the ") and names_several(name.bare) and _is_of_several(ground, qid):
        name = name._replace(plural=True)  # the Hanshin Tigers were
    return Reference(qid, name, qid, name) if name.name and _readable(ground, qid, name) else None


def placed(ground: OpenGround, one: Reference) -> Reference:
    """A region with its country: La Rioja Province, Argentina. Countries and well-known ones need none."""
    country = ground.material.world.containment.place_of(one.qid).country
    if not country or country == one.qid or one.named.described or ground.index.namer.well_known_place(one.qid):
        return one
    land = ground.index.namer.named(country)
    told = Named(f"{one.named.name}, {land.name},", one.named.bare, described=True)
    return one._replace(named=told) if land.name and not land.described else one


def _readable(ground: OpenGround, qid: int, name: Named) -> bool:
    """Whether a name stands well in a question: no "composer Peter III of Aragon", no "when Fall of Saigon began".

    What is a number or a mark alone (S-55) is the name of several things, whether or not the month has another.
    """
    if (name.told_by == wd.OCCUPATION and " of " in name.bare) or " The " in name.name:
        return False
    if len(name.name.split()) - len(name.bare.split()) > _LONGEST:
        return False
    if name.described and name.name.startswith("the group "):  # "the group Earth, Wind & Fire, the American band,"
        return False
    if name.described and not ground.index.entities[qid].types.isdisjoint(ground.index.kind("state")):
        return False  # nobody says "Lebanon, a sovereign state in Western Asia"
    if doubtful(ground, qid) or (name.described and "'s " in name.name.replace(name.bare, "")):
        return False  # Connor Cruise, Tom Cruise's son
    classes = ground.index.entities[qid].types
    fought = any(not classes.isdisjoint(ground.index.kind(kind)) for kind in ("battle", "operation", "war"))
    if fought and not name.name.startswith(("the ", *_WITHOUT_ARTICLE)):
        return False
    return bool(_WORD.search(name.bare))


def _is_of_several(ground: OpenGround, qid: int) -> bool:
    types = ground.index.entities[qid].types
    return any(not types.isdisjoint(ground.index.kind(kind)) for kind in ("team", "musical_group"))


def doubtful(ground: OpenGround, qid: int) -> bool:
    """Whether a name is not to be relied on: reviewed so (`open.unclear`), or like none of several other names.

    That is a sign of vandalism: Conakry was "Vilanova y la Geltru" for a while. People have stage names.
    """
    if qid in ground.wordings.unclear:
        return True
    entity = ground.index.entities[qid]
    person = not entity.types.isdisjoint(ground.index.kind("human"))
    alike = any(names_alike(entity.label or "", alias) for alias in entity.aliases)
    return not person and len(entity.aliases) > 1 and not alike


_LONGEST = 7
"""Words of a description: "the Russian geophysicist and polar explorer of Baltic German origin" is too long."""
_WITHOUT_ARTICLE = ("Operation ", "World War ")
_WORD = re.compile(r"[^\W\d_]{3}|^[^\W\d_]{2}$")


def phrased(ground: OpenGround) -> list[Reference]:
    """Everything that is called by its place in the slot of something with a name, or of something so called."""
    found: list[Reference] = []
    last = list(_first(ground))
    for _ in range(MOST_PHRASES - 1):
        found += last
        last = [further for one in last for further in _further(ground, one)]
    return found + last


def _first(ground: OpenGround) -> Iterator[Reference]:
    for p, phrase in sorted(ground.wordings.phrases.items()):
        for s in ground.slots.subjects(p):
            if not ground.index.fits(s, phrase.subject) or (premise := ground.slots.item(p, s)) is None:
                continue
            start = named(ground, s, undated=False)
            if start is not None:
                yield from _step(ground, start, p, premise)


def _further(ground: OpenGround, one: Reference) -> Iterator[Reference]:
    for p, phrase in sorted(ground.wordings.phrases.items()):
        if ground.index.fits(one.qid, phrase.subject) and (premise := ground.slots.item(p, one.qid)):
            yield from _step(ground, one, p, premise)


def _step(ground: OpenGround, one: Reference, p: int, premise: Premise) -> Iterator[Reference]:
    """The value of a slot of what is asked about, called by it."""
    index, phrase, o = ground.index, ground.wordings.phrases[p], premise.o
    if o is None or o == one.start or o not in index.entities or not index.entities[o].label:
        return
    # "Elisabeth of Bavaria's mother" is nobody's English, nor is a possessive behind an apposition.
    if holds_answer(index, one.named.name, (), (o,)):
        return  # the director of Steven Spielberg's film “Jaws”
    kin = kin_word(ground, one, p)
    if p in wd.PARENTS and len(one.path) > 1:  # of three generations nobody asks without drawing the tree
        return
    short = phrase.possessive if not one.path and " of " not in one.named.name and "," not in one.named.name else ""
    if kin and one.before:
        called = f"the {kin} of {one.before.name}"
    elif "," in one.named.name and not one.named.described:
        return
    else:
        called = (short or phrase.phrase).replace("{s}", one.named.name)
    sentence = ground.told(premise, _statement(ground, p))
    yield Reference(
        o,
        Named(called, index.namer.plain(o)),
        one.start,
        one.start_named,
        (*one.path, p),
        (*one.told, sentence),
        (*one.facts, *open_answer.stated(premise.guid, premise.s, p, o, sentence["sentence"])),
        (*one.sids, premise.sid),
        one.named,
    )


def kin_word(ground: OpenGround, one: Reference, p: int) -> str:
    """The word for what one more step from somebody's parent leads to; empty: there is none."""
    if one.path and one.path[-1] in wd.PARENTS and p in wd.PARENTS:
        return ground.wordings.kin.get(Relation.chain(one.path[-1], p), "")
    return ""


def _statement(ground: OpenGround, p: int) -> str:
    return next(one.statement for one in ground.wordings.questions[p] if "{o}" in one.statement)
