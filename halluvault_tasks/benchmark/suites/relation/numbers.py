"""Questions about numbers: the year of what happens once, the age at which somebody died, an atomic number.

Right and wrong numbers are those of two things near each other, exchanged (`selection.swaps`), so that no number is
more often a yes than a no. People are called by name, or by what they alone made or are a parent of: one hop more.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.suites.relation.bridges import Bridge, by_property
from halluvault_tasks.benchmark.wording.identifying_names import Named, Namer
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.lexicon import Entry, Lexicon
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import AGE, AMOUNT, YEAR
from halluvault_tasks.reasoning.kinds.drawing import DrawingKind
from halluvault_tasks.reasoning.proving.asked import counted
from halluvault_tasks.reasoning.records import Composed, DrawnFact
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import year_text

_MOST = 400  # facts of a property that are looked at: four times what its share of a benchmark holds


class Number(NamedTuple):
    """How the facts of a kind are asked.

    Attributes:
        kind: that drew them.
        wordings: property → its wordings.
        named: names a subject.
        text: the number in words.
        reach: most between two numbers that are exchanged.
        spread: by which a place among neighbours is drawn, so that those of other numbers stand near; then the unknown
            are not exchanged with the famous, either. 0: nothing but the number counts.
        of_property: whether a question counts for its property; an age is of two.
        precision: of the number, where it is a time.
    """

    kind: DrawingKind
    wordings: Callable[[Lexicon], Mapping[int, Sequence[Entry]]]
    named: Callable[[Namer, int], Named]
    text: Callable[[int], str]
    reach: float
    spread: float
    of_property: bool = True
    precision: Precision = Precision.YEAR


AMOUNTS = Number(
    AMOUNT, lambda lexicon: lexicon.properties, Namer.named, str, reach=12.0, spread=0.0, precision=Precision.NONE
)
YEARS = Number(YEAR, lambda lexicon: lexicon.years, Namer.undated, year_text, reach=5.0, spread=2.0)
AGES = Number(AGE, lambda lexicon: lexicon.ages, Namer.named, str, reach=5.0, spread=2.0, of_property=False)


def find(material: Material, number: Number, *, seed: int, most: int) -> list[Swap]:
    """Fours of every property that the lexicon words.

    Args:
        material: the snapshot.
        number: what is asked.
        seed: of draws.
        most: facts of a property that are looked at.
    """
    facts: dict[int, list[DrawnFact]] = {}
    for fact in drawn_facts(material.session, material.snapshot, number.kind):
        facts.setdefault(fact.relation.pid, []).append(fact)
    bridges, stood = by_property(material), material.stood("relation").subjects
    made: list[Swap] = []
    for p in sorted(facts.keys() & number.wordings(material.lexicon).keys()):
        named = [fact for fact in facts[p] if fact.place < min(_MOST, most) or fact.s in stood]
        made += _Maker(material, number, p, seed, None).swaps(named)
        for via in sorted(bridges) if p in wd.LIFE else ():
            there = [fact for fact in facts[p] if fact.s in bridges[via]]
            called = [fact for place, fact in enumerate(there) if place < min(_MOST, most) or fact.s in stood]
            made += _Maker(material, number, p, seed, bridges[via]).swaps(called)
    return made


class _Maker:
    """Makes candidates of one property.

    Args:
        material: the snapshot.
        number: what is asked.
        p: the property.
        seed: of draws.
        bridges: person → what he or she is called by; None: things are named.
    """

    def __init__(
        self, material: Material, number: Number, p: int, seed: int, bridges: Mapping[int, Bridge] | None
    ) -> None:
        self._material, self._number, self._p, self._seed, self._bridges = material, number, p, seed, bridges

    def swaps(self, facts: Sequence[DrawnFact]) -> list[Swap]:
        """Fours of these facts."""
        true = [made for fact in facts if (made := self._candidate(fact)) is not None]
        stood = self._material.stood("relation")
        return swaps(true, self._position, self._exchanged, reach=self._number.reach, seed=self._seed, stood=stood)

    def _position(self, one: Candidate) -> Position:
        value, spread = _base(one).end, self._number.spread
        if not spread:
            return Position(value)
        off = int(drawn(self._seed, "off", *one.identity)[:4], 16) / 0xFFFF - 0.5
        return Position(value + 2 * spread * off, fame=self._material.index.fame.get(one.subject, 0.0))

    def _exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        """The first subject with the second's number."""
        if self._number is YEARS and _base(one).end == _base(other).end and self._p != wd.PUBLICATION:
            # Two of one year have no wrong one to lend each other. Their block would ask each twice, so it is never
            # chosen, and both are asked about in no other: so it was in every month that is frozen.
            return one
        foil = foils.draw(self._material.neighbourhood, _base(one), _base(other))
        return None if isinstance(foil, Refusal) else self._candidate(foil)

    def _candidate(self, fact: DrawnFact | Foil) -> Candidate | None:
        """Whether a subject has a number; None where that cannot be said."""
        index, number, p, s = self._material.index, self._number, self._p, fact.s
        bridge = self._bridges[s] if self._bridges is not None else None
        named = bridge.named if bridge else number.named(index.namer, s)
        entry = fitting(number.wordings(self._material.lexicon)[p], s, None, index)
        # What is asked about "the director of a film" is the film.
        domain = index.domains.get(bridge.work if bridge else s) or index.domains.get(s)
        if not named.name or entry is None or domain is None or (bridge is None and dates_itself(named)):
            return None
        form, text = tensed(entry, s, None, index), number.text(fact.end)
        wordings = words(form, named, Named(text, text))
        if wordings is None:
            return None
        source = Composed(fact, bridge.sole) if bridge else fact
        kind, name = counted(source, self._material.neighbourhood.rules)
        about = (p,) if number.of_property else ()
        works = (bridge.work,) if bridge else ()
        return Candidate(
            suite="relation",
            domain=domain,
            kind=kind,
            strand=name,
            identity=(kind, name, *about, s, fact.end, *works),
            pid=(bridge.pid if bridge else p) if about else None,
            subject=s,
            object=None,
            entities=(s, *works),
            truth=isinstance(fact, DrawnFact),
            wordings=wordings,
            source=source,
            family=f"{p if about else number.kind.name} {form.question}" + (f" {bridge.pid}" if bridge else ""),
            hops=len(source.evidence),
            precision=number.precision,
        )


def _base(one: Candidate) -> DrawnFact:
    """The fact of a true candidate, without what its subject is called by."""
    assert isinstance(one.base, DrawnFact)
    return one.base
