"""A derived fact in the lexicon's words: names that identify, the fitting wording and tense, the converse."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
from halluvault_tasks.benchmark.wording.wordable import fitting, presupposed, tensed
from halluvault_tasks.reasoning.foils.base import Foil, way_beside_derived
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.licence import runs_one_way
from halluvault_tasks.reasoning.licence.slot import convicting, impossible_parent
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Relation

_POSTHUMOUS = 5  # years after a death in which a work may still be by somebody

_OF_HIERARCHY: Mapping[int, frozenset[str]] = {
    wd.SUBCLASS_OF: frozenset({"transitive"}),
    wd.LOCATED_IN: frozenset({"transitive", WRONG_VALUE.family}),
}
"""Kinds of rules by which a class or area is asked about; by every other, it is hollow (semantics.md §3.7)."""


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
    mark: tuple[str, ...] = ()
    """What tells a foil from a derived fact of the same rule name, in ids."""


def _claim(fact: DerivedFact | Foil, rule: Rule) -> _Claim:
    if isinstance(fact, DerivedFact):
        kind, first = rule.kind, next(iter(fact.evidence), 0)
        return _Claim(fact.relation, fact.s, fact.o, first, kind.truth, rule.name, kind.family, kind.hops(rule))
    assert fact.o is not None
    way = way_beside_derived(fact)
    name = way.rule_name(rule)
    mark = ("not",) if name == rule.name else ()
    return _Claim(fact.relation, fact.s, fact.o, fact.licence.sid, False, name, way.family(rule), 1, mark)


class Worder:
    """Words the facts of one snapshot.

    Args:
        index: names, kinds, endings.
        lexicon: the wordings.
        world: what is known to be false, and why.
    """

    def __init__(self, index: EntityIndex, lexicon: Lexicon, world: World) -> None:
        self.index, self.lexicon, self.world = index, lexicon, world
        self._works = frozenset(lexicon.kinds.get("work", ()))
        self._widest: dict[int, frozenset[int]] = {}

    def may_turn(self, fact: DerivedFact) -> bool:
        """Whether some wording of the relation says what turning it round does."""
        return any(one.converse == "flips" for one in entries_for(self.lexicon, fact.relation))

    def candidate(
        self, domain: str, fact: DerivedFact | Foil, rule: Rule, *, turned: bool = False
    ) -> Candidate | Unasked:
        """The fact as a candidate, or why it is not one.

        Args:
            domain: that it counts for.
            fact: a derived fact, or a false one beside it.
            rule: of the derived fact.
            turned: the converse is derived as well.
        """
        claim = _claim(fact, rule)
        entries = [one for one in entries_for(self.lexicon, claim.relation) if one.ask]
        if not entries:
            return Hindrance.NO_WORDING(str(claim.relation))
        s, o = self.index.namer.named(claim.s), self.index.namer.named(claim.o)
        for name in (s, o):
            if not name.name:
                return name.why
        entry = self._entry(entries, claim, rule)
        if isinstance(entry, Unasked):
            return entry
        if entry.converse == "flips" and dates_itself(s) and dates_itself(o):
            # "Does the 1995 film … come after the 1997 film …?" By their makers, then.
            s, o = self.index.namer.undated(claim.s), self.index.namer.undated(claim.o)
            if not s.name or not o.name or dates_itself(s) or dates_itself(o):
                return Hindrance.DIRECTION_TOLD()
        if gives_away(self.index, claim.s, s, claim.o, o):
            return Hindrance.NAME_GIVES_AWAY()
        form = tensed(entry, claim.s, claim.o, self.index)
        if not form.ask:
            return Hindrance.STILL_SO()
        wordings = words(form, s, o)
        if wordings is None:
            return Hindrance.NAMES_BLUR()
        if entry.converse == "flips" and (
            direction_tells(self.index, claim.s, s, claim.o, o) or {claim.s, claim.o} & self._wide(claim.relation.pid)
        ):
            return Hindrance.DIRECTION_TOLD()
        converse = self._converse(entry, form, claim, rule, (s, o)) if not turned else None
        if rule.kind.reverses and (converse is None or not converse.flips):
            return Hindrance.DIRECTION_TOLD()
        if not (converse and converse.flips) and names_overlap(s, o):
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
            wordings=wordings,
            source=fact,
            converse=converse,
            family=f"{claim.relation.key} {form.question}",
            hops=claim.hops,
            fame=min(self.index.fame.get(one, 0.0) for one in (claim.s, claim.o)),
        )

    def _entry(self, entries: Sequence[Entry], claim: _Claim, rule: Rule) -> Entry | Unasked:
        """The wording that a fact may be asked in, or why there is none."""
        kinds = _OF_HIERARCHY.get(claim.relation.pid)
        if kinds and claim.family not in kinds:
            return Hindrance.HOLLOW()
        entry = fitting(entries, claim.s, claim.o, self.index)
        if entry is None:
            return Hindrance.WRONG_KIND()
        if missing := presupposed(entry, claim.s, claim.o, self.index):
            return missing
        if self._too_late(claim.s, claim.o) or self._too_late(claim.o, claim.s):
            return Hindrance.POSTHUMOUS()
        if self._no_descent(claim, rule):
            return Hindrance.NO_PARENT()
        if entry.one_each and any(self._several(claim.relation.properties[0], end) for end in (claim.s, claim.o)):
            return Hindrance.SEVERAL_RIGHT()
        if entry.dated and claim.sid not in self.index.dated:
            return Hindrance.UNDATED()
        if entry.over and claim.sid not in self.index.dated and not any(map(self.index.over, (claim.s, claim.o))):
            return Hindrance.STILL_SO()
        # What people found to be false needs no other licence.
        if not claim.truth and not entry.ask_no and not rule.kind.found_by_people:
            return Hindrance.NOT_FOR_NO()
        if rule.kind.found_by_people and not entry.ask_checked:
            return Hindrance.CANNOT_BE_SEEN()
        if rule.kind.found_by_people and claim.relation.pid in wd.PLACES_OF_LIFE and not self._near(claim.s, claim.o):
            return Hindrance.UNJOINED_PLACE()
        if rule.kind.found_by_people and (entry.time_bound or rule.support["time_bound"]) and not self._never(claim):
            return Hindrance.FALSE_THAT_DAY()
        return entry

    def _no_descent(self, claim: _Claim, rule: Rule) -> bool:
        """Whether a fact about a parent, or a parent's parent, rests on somebody who cannot be one."""
        chain = (claim.relation.pid,) if claim.relation.pid in wd.PARENTS else rule.kind.chain(rule)
        if not chain or not set(wd.PARENTS) >= set(chain):
            return False
        children, slots = {claim.s}, self.world.slots
        for p in chain[:-1]:
            steps = [(one, o) for one in children if (known := slots.known.get((p, one))) for o in known.items]
            if any(impossible_parent(self.world, p, *step) for step in steps):
                return True
            children = {o for _, o in steps}
        return impossible_parent(self.world, chain[-1], claim.s, claim.o)

    def _several(self, p: int, s: int) -> bool:
        """Whether a thing may have more values than the one that is stated."""
        slot = convicting(self.world, p, s)
        return isinstance(slot, Refusal) or slot.value is None

    def _near(self, person: int, place: int) -> bool:
        """Whether a place lies in a country where somebody was born or died: not Moscow, of Marcel Proust.

        And in no area with the place itself: many say that Mary Pickford, who died in Santa Monica, did in Los Angeles.
        """
        places = {one for p in wd.PLACES_OF_LIFE for one in self._stated(p, person)}
        countries = {country for one in places for country in self._stated(wd.COUNTRY, one)}
        areas = {area for one in places for area in (one, *self._stated(wd.LOCATED_IN, one))}
        within = {place, *self._stated(wd.LOCATED_IN, place)}
        return not countries.isdisjoint(self._stated(wd.COUNTRY, place)) and areas.isdisjoint(within - countries)

    def _stated(self, p: int, s: int) -> Collection[int]:
        known = self.world.slots.known.get((p, s))
        return known.items if known else ()

    def _never(self, claim: _Claim) -> bool:
        """Whether what people found to be false never was true by the snapshot's day.

        It never was where they checked it on that day or since, or where its subject's time was over when they did.
        """
        found = self.world.findings.checked.get((claim.relation.pid, claim.s, claim.o))
        return found is not None and (found.since or self.index.over_on(claim.s, found.checked_on))

    def _too_late(self, work: int, person: int) -> bool:
        """Whether a work is so much younger than a person's death that a credit means what it draws on."""
        died, made = self.world.slots.bounds.get((wd.DEATH, person)), self.index.years.get(work)
        known = self.index.entities.get(work)
        if died is None or made is None or known is None or not known.types & self._works:
            return False
        latest = [day for _, day in died.spans if day is not None]
        return bool(latest) and civil(max(latest)).year + _POSTHUMOUS < made

    def _converse(
        self, entry: Entry, form: Form, claim: _Claim, rule: Rule, names: tuple[Named, Named]
    ) -> ConverseWordings | None:
        if entry.converse == "none":
            return None
        s, o = names
        if not (self.index.fits(claim.o, entry.subject) and self.index.fits(claim.s, entry.object)):
            return None
        if tensed(entry, claim.o, claim.s, self.index) is not form:
            return None
        if presupposed(entry, claim.o, claim.s, self.index):
            return None
        other: Wordings | None = words(form, o, s)
        if other is None:
            return None
        if entry.converse == "keeps":
            return ConverseWordings(other, flips=False)
        if entry.alike and not alike(self.index, claim.s, claim.o):
            return None
        return ConverseWordings(other, flips=True) if self._one_way(claim, rule) else None

    def _one_way(self, claim: _Claim, rule: Rule) -> bool:
        p = claim.relation.pid
        if not p:  # a chain runs one way if each of its relations does
            return set(rule.premises) <= self.world.slots.asymmetric
        true, false = ((claim.s, claim.o), (claim.o, claim.s))
        if not claim.truth:
            true, false = false, true
        if p in wd.CLASSES and self.world.slots.members(p)[true[1]] < 2:
            return False  # of two classes of which one is all that the other has, many say that they are the same
        return runs_one_way(self.world, p, *true)

    def _wide(self, p: int) -> frozenset[int]:
        """Taxa that so many others belong to that nobody would mistake them for a lower one (mammal)."""
        if p != wd.PARENT_TAXON:
            return frozenset()
        if p not in self._widest:
            containment = self.world.containment
            below = Counter(upper for s in self.world.slots.subjects(p) for upper in containment.above(s))
            self._widest[p] = frozenset(upper for upper, number in below.items() if number >= MANY)
        return self._widest[p]
