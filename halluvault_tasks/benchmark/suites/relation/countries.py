"""Questions about the country in which a settlement is today.

Right and wrong countries are those of two settlements in two countries of one language and continent, exchanged
(`selection.swaps`).
"""

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.wording.leakage import gives_away, names_overlap
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import COUNTRY
from halluvault_tasks.reasoning.proving.asked import counted
from halluvault_tasks.reasoning.records import DrawnFact
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd

_MOST = 600  # settlements that are asked about, the best known ones
_REACH = 1e9  # any two may be exchanged; which are near, their place in a drawn order says


def find(material: Material, *, seed: int, most: int) -> list[Swap]:
    """Fours of two settlements and their countries.

    Args:
        material: the snapshot.
        seed: of draws.
        most: settlements that are asked about.
    """
    true: list[Candidate] = []
    stood = material.stood("relation")
    for fact in drawn_facts(material.session, material.snapshot, COUNTRY):
        if (len(true) < min(_MOST, most) or fact.s in stood.subjects) and (
            made := _candidate(material, fact)
        ) is not None:
            true.append(made)

    def position(one: Candidate) -> Position:
        return Position(int(drawn(seed, "near", one.subject)[:6], 16), fame=material.index.fame.get(one.subject, 0.0))

    def exchanged(one: Candidate, other: Candidate) -> Candidate | None:
        mine, theirs = one.base, other.base
        assert isinstance(mine, DrawnFact)
        assert isinstance(theirs, DrawnFact)
        foil = foils.draw(material.neighbourhood, mine, theirs)
        return None if isinstance(foil, Refusal) else _candidate(material, foil)

    return swaps(true, position, exchanged, reach=_REACH, seed=seed, stood=stood)


def _candidate(material: Material, fact: DrawnFact | Foil) -> Candidate | None:
    """Whether a settlement is in a country; None if that cannot be said."""
    index, p, place, country = material.index, fact.relation.pid, fact.s, fact.end
    s, o = index.namer.named(place), index.namer.named(country)
    entry = fitting(material.lexicon.countries.get(p, ()), place, country, index)
    if not s.name or not o.name or entry is None or o.described or s.told_by == wd.LOCATED_IN:
        return None
    if gives_away(index, place, s, country, o) or names_overlap(s, o):
        return None
    form = tensed(entry, place, country, index)
    wordings = words(form, s, o)
    if wordings is None:
        return None
    kind, name = counted(fact, material.neighbourhood.rules)
    return Candidate(
        suite="relation",
        domain=index.domains[place],
        kind=kind,
        strand=name,
        identity=(kind, name, p, place, country),
        pid=p,
        subject=place,
        object=country,
        entities=(place, country),
        truth=isinstance(fact, DrawnFact),
        wordings=wordings,
        source=fact,
        family=f"{p} {form.question}",
    )
