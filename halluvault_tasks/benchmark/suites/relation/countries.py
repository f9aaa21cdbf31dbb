"""Questions about the country in which a settlement is today.

A settlement with one country, a sovereign state, at any rank is in that one (semantics.md §1.3); another one is false
if the two are positively disjoint. Both are members of the United Nations, so that neither is disputed. Right and wrong
countries are those of two settlements in two countries of one language and continent, exchanged (`selection.swaps`).
Capitals of states are not asked about: that Buenos Aires is in Argentina everybody knows.
"""

from collections.abc import Mapping

from sqlalchemy import select

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hashes import drawn
from halluvault_tasks.benchmark.selection.falsehoods import Land, close
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, swaps
from halluvault_tasks.benchmark.suites.relation.amounts import Amounts
from halluvault_tasks.benchmark.suites.relation.single_value import Asked, candidate, program, proof
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.leakage import gives_away, names_overlap
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.disjoint_places import place_of
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.outside_container import apart
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_UNITED_NATIONS = 1065
_MOST = 600  # settlements that are looked at, the best known ones
_REACH = 1e9  # any two may be exchanged; which are near, their place in a drawn order says


def find(material: Material, worder: Worder, lands: Mapping[int, Land], *, seed: int, most: int) -> Amounts:
    """Settlements and their countries.

    Args:
        material: the snapshot.
        worder: words and licences.
        lands: of countries.
        seed: of draws.
        most: settlements that are looked at.
    """
    licences, index = worder.licences, worder.index
    c = statement.c
    members = set(
        material.session.scalars(
            select(c.s).where(c.snapshot == material.snapshot, c.p == wd.MEMBER_OF, c.o == _UNITED_NATIONS)
        )
    )
    capitals = select(c.o).where(c.snapshot == material.snapshot, c.p == wd.CAPITAL, c.s.in_(members))
    stated = {}
    for place in sorted(licences.settled & index.domains.keys() - set(material.session.scalars(capitals))):
        (country, sid), *others = licences.countries.get(place, {0: 0}).items()
        if country in members and not others and place_of(licences, place).country == country:
            stated[place] = (country, sid)
    best = sorted(stated, key=lambda place: (-index.fame.get(place, 0.0), drawn(seed, "country", place)))
    premises = premises_of(material.session, material.snapshot, {sid for _, sid in stated.values()})
    maker = _Maker(worder, material.snapshot)
    true: list[Candidate] = []
    for place in best:
        country, sid = stated[place]
        if len(true) < min(_MOST, most) and (fact := maker.asked(place, country, premises[sid])) is not None:
            true.append(fact)

    def position(one: Candidate) -> Position:
        return Position(int(drawn(seed, "near", one.subject)[:6], 16), fame=index.fame.get(one.subject, 0.0))

    def exchanged(one: Candidate, other: Candidate) -> Candidate | None:
        mine, theirs = one.source.fact.o, other.source.fact.o
        if mine == theirs or not close(lands, mine, theirs):
            return None
        return maker.asked(one.subject, theirs, one.source.premises[0])

    return Amounts(true, swaps(true, position, exchanged, reach=_REACH, seed=seed))


class _Maker:
    """Makes candidates.

    Args:
        worder: words and licences.
        snapshot: key.
    """

    def __init__(self, worder: Worder, snapshot: str) -> None:
        self._worder, self._snapshot = worder, snapshot

    def asked(self, place: int, country: int, premise: Premise) -> Candidate | None:
        """Whether a settlement is in a country; None if that is undecided or cannot be said."""
        index, licences = self._worder.index, self._worder.licences
        truth = premise.o == country
        why = f"Q{place} lies in Q{premise.o} and in no other country"
        if not truth:
            found = apart(licences, place, country)
            if isinstance(found, Refusal) or found.left != premise.o:
                return None
        s, o = index.namer.named(place), index.namer.named(country)
        entry = fitting(self._worder.lexicon.countries.get(wd.COUNTRY, ()), place, country, index)
        if not s.name or not o.name or entry is None or o.described:
            return None
        if gives_away(index, place, s, country, o) or names_overlap(s, o):
            return None
        form = tensed(entry, place, country, index)
        wordings = words(form, s, o)
        if wordings is None:
            return None
        one = Asked(premise, country, truth)
        about = f"{s.bare}: {entry.label} {o.bare}"
        shown = proof(one, why, _program(one, about, self._snapshot))
        made = candidate(shown, index.domains[place], wordings, form.question, entity=True)
        return made._replace(fame=min(index.fame.get(end, 0.0) for end in (place, country)))


def _program(asked: Asked, about: str, snapshot: str) -> str:
    premise = asked.premise
    place, stated = number(premise.s), number(premise.o or 0)
    statements = (
        comment("--- country(Settlement, Country): the one country that is stated, a sovereign state of today"),
        comment(f"{about}   [{premise.guid}]"),
        f"country({place}, {stated}).",
    )
    rule = (
        comment("--- the rule: a settlement lies in one country, so that another one is wrong"),
        f"answer(yes) :- country({place}, {number(asked.value)}).",
        f"answer(no) :- country({place}, Country), Country =\\= {number(asked.value)}.",
    )
    return program(asked, snapshot, statements, rule)
