"""A derived fact in the lexicon's words: names that identify, the fitting wording and tense, the converse."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.benchmark.wording.entity_index import MANY, EntityIndex
from halluvault_tasks.benchmark.wording.forms import Form
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import alike, dates_itself, direction_tells, gives_away, names_overlap
from halluvault_tasks.benchmark.wording.lexicon import Entry, Lexicon, entries_for
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.standing import holds
from halluvault_tasks.benchmark.wording.wordable import fitting, presupposed, tensed
from halluvault_tasks.reasoning import askable
from halluvault_tasks.reasoning.foils.base import Foil, way_beside_derived
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Kind, Relation

_OF_HIERARCHY: Mapping[int, frozenset[str]] = {
    wd.SUBCLASS_OF: frozenset({"transitive"}),
    wd.LOCATED_IN: frozenset({"transitive", WRONG_VALUE.family}),
}
"""Kinds of rules by which a class or area is asked about; by every other, it is hollow (semantics.md §3.7)."""


_SETTLEMENTS = ("city", "town")
"""What a settlement is called by, the larger first; kinds of the lexicon."""


class _Claim(NamedTuple):
    """What is asked, true or false: a derived fact, or a foil beside one."""

    relation: Relation
    s: int
    o: int
    sid: int
    """The statement that it is first found by."""

    truth: bool
    rule_name: str
    family: str
    hops: int
    proved_false: bool
    """Whether something stated rules it out, as of the snapshot's date (semantics.md §1.10)."""

    mark: tuple[str, ...] = ()
    """What tells a foil from a derived fact of the same rule name, in ids."""


def _claim(fact: DerivedFact | Foil, rule: Rule) -> _Claim:
    if isinstance(fact, DerivedFact):
        kind, first = rule.kind, next(iter(fact.evidence), 0)
        hops, proved = kind.hops(rule), not kind.truth
        return _Claim(fact.relation, fact.s, fact.o, first, kind.truth, rule.name, kind.family, hops, proved)
    assert fact.o is not None
    way = way_beside_derived(fact)
    name = way.rule_name(rule)
    mark = ("not",) if name == rule.name else ()
    proved = fact.licence.reason.kind is LicenceKind.PROVED
    hops = rule.kind.hops(rule) if fact.licence.reason.kind is LicenceKind.MEASURED else 1
    return _Claim(fact.relation, fact.s, fact.o, fact.licence.sid, False, name, way.family(rule), hops, proved, mark)


class _Phrased(NamedTuple):
    """A claim in a wording of the lexicon, with names that identify."""

    entry: Entry
    form: Form
    s: Named
    o: Named
    wordings: Wordings


class Worder:
    """Words the facts of one snapshot.

    Args:
        index: names, kinds, endings.
        lexicon: the wordings.
        world: what the snapshot knows.
    """

    def __init__(self, index: EntityIndex, lexicon: Lexicon, world: World) -> None:
        self.index, self.lexicon, self.world = index, lexicon, world
        self._works = frozenset((*lexicon.kinds.get("work", ()), *lexicon.kinds.get("software", ())))

    def may_turn(self, fact: DerivedFact) -> bool:
        """Whether some wording of the relation says what turning it round does."""
        return any(entry.converse == "flips" for entry in entries_for(self.lexicon, fact.relation))

    def candidate(
        self,
        domain: str,
        fact: DerivedFact | Foil,
        rule: Rule,
        *,
        turned: bool = False,
        called: Mapping[int, Named] = MappingProxyType({}),
    ) -> Candidate | Unasked:
        """The fact as a candidate, or why it is not one.

        Args:
            domain: that it counts for.
            fact: a derived fact, or a false one beside it.
            rule: of the derived fact.
            turned: the converse is derived as well.
            called: end → what it is called instead of by its name.
        """
        claim = _claim(fact, rule)
        phrased = self._phrased(claim, rule, called)
        if isinstance(phrased, Unasked):
            return phrased
        converse = None if turned else self._converse(phrased, claim)
        flips = converse is not None and converse.flips
        if rule.kind.reverses and not flips:
            return Hindrance.DIRECTION_TOLD()
        if not flips and names_overlap(phrased.s, phrased.o):
            return Hindrance.NAMES_ALIKE()
        return Candidate(
            suite="relation",
            domain=domain,
            kind=claim.family,
            strand=claim.rule_name,
            identity=(claim.family, *claim.mark, claim.rule_name, claim.relation.key, claim.s, claim.o),
            pid=claim.relation.pid or None,
            subject=claim.s,
            object=claim.o,
            entities=(claim.s, claim.o),
            truth=claim.truth,
            wordings=phrased.wordings,
            source=fact,
            converse=converse,
            family=f"{claim.relation.key} {phrased.form.question}",
            hops=claim.hops,
        )

    def _phrased(self, claim: _Claim, rule: Rule, called: Mapping[int, Named]) -> _Phrased | Unasked:
        entries = [entry for entry in entries_for(self.lexicon, claim.relation) if entry.ask]
        if not entries:
            return Hindrance.NO_WORDING(str(claim.relation))
        s, o = (called.get(end) or self.index.namer.named(end) for end in (claim.s, claim.o))
        if claim.relation.pid == wd.LOCATED_IN:
            s = self._placed(claim.s, s)
        if unnamed := next((name.why for name in (s, o) if not name.name), None):
            return unnamed
        if {s.told_by, o.told_by} & set(claim.relation.properties):  # Ridley Scott's film was directed by whom?
            return Hindrance.NAME_GIVES_AWAY()
        entry = self._entry(entries, claim, rule)
        if isinstance(entry, Unasked):
            return entry
        if entry.converse == "flips" and dates_itself(s) and dates_itself(o):
            # "Does the 1995 film … come after the 1997 film …?" By their makers, then.
            s, o = self.index.namer.undated(claim.s), self.index.namer.undated(claim.o)
            if any(not name.name or dates_itself(name) for name in (s, o)):
                return Hindrance.DIRECTION_TOLD()
        return self._in_words(entry, claim, s, o)

    def _placed(self, place: int, named: Named) -> Named:
        """A place by what it is and its country: "the US city of Wheeling".

        A town of the other area may bear its name, whatever the snapshot knows; a city that is known by its name alone
        is the one that is meant.
        """
        if not named.name or (named.described and named.told_by != wd.LOCATED_IN):
            return named
        if not self.index.namer.unmistakable(place, many_alike=self._told_by_state(place)):
            return Named("", named.bare)
        country, known = self.world.containment.place_of(place).country, self.index.entities[place]
        adjective = self.lexicon.adjectives.get(country) if country else None
        kinds = () if known.types & self.index.kind("quarter") else _SETTLEMENTS  # Brooklyn
        noun = next((noun for noun in kinds if known.types & self.index.kind(f"{noun}_alone")), None)
        return Named(f"the {adjective} {noun} of {named.bare}" if adjective and noun else "", named.bare)

    def _told_by_state(self, place: int) -> bool:
        """Whether it lies in a state or province by which English tells towns apart: there are two Claremonts."""
        around = map(self.index.entities.get, self.world.containment.above(place))
        return any(one.direct & self.index.kind("region") for one in around if one)

    def _in_words(self, entry: Entry, claim: _Claim, s: Named, o: Named) -> _Phrased | Unasked:
        if gives_away(self.index, claim.s, s, claim.o, o):
            return Hindrance.NAME_GIVES_AWAY()
        form = self._form(entry, claim)
        if not form.ask:
            return Hindrance.STILL_SO()
        wordings = words(form, s, o)
        if wordings is None:
            return Hindrance.NAMES_BLUR()
        if entry.converse == "flips" and (
            direction_tells(self.index, claim.s, s, claim.o, o) or {claim.s, claim.o} & self._wide(claim.relation.pid)
        ):
            return Hindrance.DIRECTION_TOLD()
        return _Phrased(entry, form, s, o, wordings)

    def _form(self, entry: Entry, claim: _Claim) -> Form:
        """The form in the right tense: the plain present for what stands, whoever is said to have it."""
        form, standing = tensed(entry, claim.s, claim.o, self.index), entry.standing
        stand = self.index.ending.standings
        if standing and form is entry.open and holds(standing, stand, claim.s, claim.o, truth=claim.truth):
            return standing
        return form

    def _entry(self, entries: Sequence[Entry], claim: _Claim, rule: Rule) -> Entry | Unasked:
        """The wording that a fact may be asked in, or why there is none."""
        families = _OF_HIERARCHY.get(claim.relation.pid)
        if families and claim.family not in families:
            return Hindrance.HOLLOW()
        entry = fitting(entries, claim.s, claim.o, self.index)
        if entry is None:
            return Hindrance.WRONG_KIND()
        if missing := presupposed(entry, claim.s, claim.o, self.index):
            return missing
        asked = _Asked(claim, rule, entry, self.index, self.world, self._works)
        return next((hindrance() for hindrance, hinders in _HINDERING if hinders(asked)), entry)

    def _converse(self, phrased: _Phrased, claim: _Claim) -> ConverseWordings | None:
        entry, form = phrased.entry, phrased.form
        if entry.converse == "none" or not self._fits_turned(entry, form, claim):
            return None
        other: Wordings | None = words(form, phrased.o, phrased.s)
        if other is None:
            return None
        if entry.converse == "keeps":
            return ConverseWordings(other, flips=False)
        if entry.alike and not alike(self.index, claim.s, claim.o):
            return None
        true = (claim.s, claim.o) if claim.truth else (claim.o, claim.s)
        return (
            ConverseWordings(other, flips=True)
            if askable.false_turned_round(self.world, claim.relation, *true)
            else None
        )

    def _fits_turned(self, entry: Entry, form: Form, claim: _Claim) -> bool:
        """Whether the same wording, in the same tense, may be said of the two ends exchanged."""
        fits = self.index.fits(claim.o, entry.subject) and self.index.fits(claim.s, entry.object)
        return (
            fits
            and tensed(entry, claim.o, claim.s, self.index) is form
            and not presupposed(entry, claim.o, claim.s, self.index)
        )

    def _wide(self, p: int) -> frozenset[int]:
        return self._wide_taxa if p == wd.PARENT_TAXON else frozenset()

    @cached_property
    def _wide_taxa(self) -> frozenset[int]:
        return askable.with_many_below(self.world, wd.PARENT_TAXON, MANY)


@dataclass(frozen=True)
class _Asked:
    """A claim in a wording, and what is known of its ends."""

    claim: _Claim
    rule: Rule
    entry: Entry
    index: EntityIndex
    world: World
    works: frozenset[int]
    """Classes of works."""

    @property
    def by_people(self) -> bool:
        """People found it to be false."""
        return self.rule.kind.found_by_people

    @property
    def is_dated(self) -> bool:
        """Its statement has a start or an end."""
        return self.claim.sid in self.index.dated


def _posthumous(asked: _Asked) -> bool:
    """Whether one end is a work of long after the other's death."""
    claim, index = asked.claim, asked.index
    return any(
        (known := index.entities.get(work)) is not None
        and not known.types.isdisjoint(asked.works)
        and (made := index.years.get(work)) is not None
        and askable.posthumous(asked.world, person, made)
        for work, person in ((claim.s, claim.o), (claim.o, claim.s))
    )


def _before_its_maker(asked: _Asked) -> bool:
    """Whether one end is a work of before the other began, or was grown up: nobody would think of it."""
    claim, index = asked.claim, asked.index
    return any(
        (known := index.entities.get(work)) is not None
        and not known.types.isdisjoint(asked.works)
        and (made := index.years.get(work)) is not None
        and (begun := index.years.get(maker)) is not None
        and made < begun + (_age(claim.relation) if index.entities[maker].types & index.kind("human") else 0)
        for work, maker in ((claim.s, claim.o), (claim.o, claim.s))
    )


def _age(relation: Relation) -> int:
    """Years after a birth in which nobody is thought to have done something: to have been seen, or made it."""
    return 4 if wd.CAST_MEMBER in relation.properties else 16


def _no_parent(asked: _Asked) -> bool:
    claim, rule = asked.claim, asked.rule
    chain = (claim.relation.pid,) if claim.relation.pid in wd.PARENTS else rule.kind.chain(rule)
    return askable.impossible_ancestor(asked.world, chain, claim.s, claim.o)


def _several_right(asked: _Asked) -> bool:
    claim = asked.claim
    if asked.entry.one_each and claim.relation.kind is Kind.CHAIN:  # "the director of"
        return len(set(asked.world.slots.stated(claim.relation.properties[0], claim.s))) != 1
    return asked.entry.one_each and not all(
        askable.only_item(asked.world, claim.relation.properties[0], end) for end in (claim.s, claim.o)
    )


def _too_many(asked: _Asked) -> bool:
    claim, relation = asked.claim, asked.claim.relation
    owner = claim.o if relation.kind is Kind.INVERSE else claim.s
    most = asked.entry.most
    return most is not None and len(set(asked.world.slots.stated(relation.properties[0], owner))) > most


def _still_so(asked: _Asked) -> bool:
    return asked.entry.over and not asked.is_dated and not any(map(asked.index.over, (asked.claim.s, asked.claim.o)))


def _not_for_no(asked: _Asked) -> bool:
    """What people found to be false needs no other licence; lists and measures are of the words that are asked."""
    return asked.claim.proved_false and not (asked.entry.ask_no or asked.by_people)


def _unjoined_place(asked: _Asked) -> bool:
    claim = asked.claim
    place = asked.by_people and claim.relation.pid in wd.PLACES_OF_LIFE
    return place and not askable.near_a_life(asked.world, claim.s, claim.o)


def _false_that_day(asked: _Asked) -> bool:
    claim, over = asked.claim, asked.index.ending.since.get(asked.claim.s)
    changes = asked.by_people and (asked.entry.time_bound or asked.rule.support["time_bound"])
    return bool(changes) and not askable.was_never(asked.world, claim.relation.pid, claim.s, claim.o, over)


_HINDERING: tuple[tuple[Hindrance, Callable[[_Asked], bool]], ...] = (
    (Hindrance.POSTHUMOUS, _posthumous),
    (Hindrance.BEFORE_ITS_MAKER, _before_its_maker),
    (Hindrance.NO_PARENT, _no_parent),
    (Hindrance.SEVERAL_RIGHT, _several_right),
    (Hindrance.CROWDED, _too_many),
    (Hindrance.UNDATED, lambda asked: asked.entry.dated and not asked.is_dated),
    (Hindrance.STILL_SO, _still_so),
    (Hindrance.NOT_FOR_NO, _not_for_no),
    (Hindrance.CANNOT_BE_SEEN, lambda asked: asked.by_people and not asked.entry.ask_checked),
    (Hindrance.UNJOINED_PLACE, _unjoined_place),
    (Hindrance.FALSE_THAT_DAY, _false_that_day),
)
"""What keeps a claim from being asked in a wording that fits it; the first that does is counted."""
