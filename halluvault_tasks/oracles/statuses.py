"""Supported, contradicted or unverifiable: one claim against the snapshot (semantics.md section 4.2).

Absence never convicts. A positive claim is contradicted only if every property that it may mean is licensed as false
(`reasoning.licence`, the code behind every "No" of the benchmark), a negative one only if what it denies is stated or
follows, a date only if it lies outside the bounds known. Containers of the true place support.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.oracles.snapshot_view import BatchStatements, Inverses, LiteralValue, place_slots
from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import Claim, ClaimTriple, Guard, TextSpan
from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence import license_amount, license_date, license_named, license_no
from halluvault_tasks.reasoning.licence.held import license_other_holder
from halluvault_tasks.reasoning.licence.outside_container import license_outside
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.temporal.history import widened
from halluvault_tasks.temporal.units import DayBounds, Granularity
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, full_years
from halluvault_tasks.wikidata.relation import Kind, Predicate, Relation

Status = Literal["supported", "contradicted", "unverifiable"]

_PAST, _FUTURE = -(10**9), 10**9


class Focus(NamedTuple):
    """What a question is about.

    Attributes:
        properties: of its proof and of what is asked, with those that read them from the other end.
        pairs: (property, its two ends) of the proof's statements.
        named_by: slots by whose one value it calls somebody.
    """

    properties: frozenset[Predicate]
    pairs: frozenset[tuple[int, frozenset[int]]]
    named_by: frozenset[tuple[int, int]] = frozenset()

    def about(self, triples: Sequence[ClaimTriple], found: Sequence["ClaimStatus"]) -> Sequence["ClaimStatus"]:
        """Statuses of what the question is about: of the proof's statements, else of its properties, else all."""
        near = [(one, t) for one, t in zip(found, triples, strict=True) if t.p in self.properties]
        same = [one for one, t in near if (t.p, frozenset((t.s, t.o))) in self.pairs]
        return same or [one for one, _ in near] or found


_NO_FOCUS = Focus(frozenset(), frozenset())


class ClaimStatus(NamedTuple):
    """A claim's status and what decides it."""

    status: Status
    sid: int
    """The statement that decides; 0 where none does."""

    why: str


_WHY: dict[Guard, str] = {
    "quotation": "quoted",
    "condition": "said under a condition",
    "question": "asked, not said",
    "attribution": "said to be said by somebody else",
    "unknown_name": "its clause names somebody or something that is not known here",
    "hedge": "said with a doubt",
    "inexact": "its words do not say exactly this",
    "doubtful": "its sentence may well say something else",
}


def _denied(about: Sequence[ClaimStatus]) -> ClaimStatus | None:
    """The first of these, if every one is contradicted."""
    return about[0] if about and all(one.status == "contradicted" for one in about) else None


class Statuses:
    """Judges claims of one batch.

    Args:
        world: the snapshot as the licence sees it.
        facts: what is stated about the batch's entities.
        inverse: how properties are read from their other end.
        rules: the active rules.
        today: day number of the snapshot's `as_of`.
    """

    def __init__(
        self, world: World, facts: BatchStatements, inverse: Inverses, rules: Iterable[Rule], today: int
    ) -> None:
        self._world, self._facts, self._inverse, self._today = world, facts, inverse, today
        self._chains: dict[Predicate, list[Rule]] = {}
        listed = list(rules)
        self._places = place_slots(listed)
        for rule in listed:
            if rule.kind.chain(rule):
                self._chains.setdefault(rule.conclusion.predicate, []).append(rule)

    def judge(self, claim: Claim, focus: Focus = _NO_FOCUS) -> ClaimStatus:
        """The status of a claim.

        Args:
            claim: the claim.
            focus: what the question is about: words that may mean one of its properties and others are taken to
                mean that one when it comes to what is false; anything that they may mean supports.
        """
        if claim.unread:
            return ClaimStatus("unverifiable", 0, "its words mean no property that is known here")
        if "hedge" in claim.guards:
            return ClaimStatus("unverifiable", 0, _WHY["hedge"])
        found = self._meant(claim, focus)
        # The snapshot knows nothing of what came after it; who had died before did not die since, all the same.
        if claim.days and claim.days.earliest > self._today and found.status != "contradicted":
            return ClaimStatus("unverifiable", 0, "after the snapshot's date")
        if found.status == "contradicted" and claim.guards:
            return ClaimStatus("unverifiable", 0, f"{_WHY[claim.guards[0]]}, so that it convicts nobody")
        return found

    def _meant(self, claim: Claim, focus: Focus) -> ClaimStatus:
        """The status of what a claim's words may mean, however they are said."""
        triples = self._known_triples(claim)
        found = [self._triple(claim, one, focus) for one in triples]
        supported = next((one for one in found if one.status == "supported"), None)
        denied = _denied(focus.about(triples, found))
        if claim.negative and supported:
            return ClaimStatus("contradicted", supported.sid, f"denies what is known: {supported.why}")
        if claim.negative and denied:
            return ClaimStatus("supported", denied.sid, denied.why)
        open_ = ClaimStatus("unverifiable", 0, next((one.why for one in found), "nothing is linked"))
        return open_ if claim.negative else supported or denied or open_

    def _known_triples(self, claim: Claim) -> tuple[ClaimTriple, ...]:
        """Of several date properties ("it began in …") those that the item has."""
        if claim.days is None or claim.which or len(claim.triples) < 2:
            return claim.triples
        return tuple(r for r in claim.triples if (r.p, r.s) in self._facts.values) or claim.triples

    def _triple(self, claim: Claim, triple: ClaimTriple, focus: Focus) -> ClaimStatus:
        if not triple.s:
            return ClaimStatus("unverifiable", 0, "the subject is linked to no entity or to several")
        if claim.which:
            return self._term(claim, triple)
        if claim.days is not None:
            return self._date(claim, triple)
        if claim.amount is not None:
            return self._amount(claim, triple)
        if not triple.o:
            return ClaimStatus("unverifiable", 0, "the object is linked to no entity or to several")
        sid = self.support(triple.p, triple.s, triple.o)
        if sid is not None:
            return ClaimStatus("supported", sid, f"statement {sid}" if sid else "it follows from what is stated")
        licence = self.denial(triple.p, triple.s, triple.o)
        stated = self._facts.items.get((triple.p, triple.s), {})
        if isinstance(licence, Refusal) and (triple.p, triple.s) in focus.named_by and len(stated) == 1:
            [(value, fact)] = stated.items()
            named = license_named(self._world, triple.pid, triple.s, value, triple.o)
            licence = named._replace(sid=fact.sid) if isinstance(named, Licence) else named
        if isinstance(licence, Licence):
            return ClaimStatus("contradicted", licence.sid, licence.why)
        return ClaimStatus("unverifiable", 0, licence.why)

    # ------------------------------------------------------------------ relations

    def support(self, p: Predicate, s: int, o: int) -> int | None:
        """Statement that shows p(s, o), 0 if several together do, None if nothing does."""
        return next(self._grounds(p, s, o), None)

    def _grounds(self, p: Predicate, s: int, o: int) -> Iterator[int]:
        facts = self._facts
        turned = [*([p] if p in self._inverse.symmetric else []), *sorted(self._inverse.of.get(p, ()))]
        for q, first, last in ((p, s, o), *((q, o, s) for q in turned)):
            if (fact := facts.items.get((q, first), {}).get(last)) is not None:
                yield fact.sid
        if isinstance(p, Relation) and p.kind is not Kind.INVERSE:
            yield from self._composed(p, s, o)
            return
        if p in wd.PLACES:
            for value, fact in sorted(facts.items.get((p, s), {}).items()):
                if o in self._world.containment.above(value):
                    yield fact.sid
        if (p in wd.LIES_WITHIN or p in wd.CLASSES) and o in self._world.containment.above(s):
            yield 0

    def _composed(self, p: Relation, s: int, o: int) -> Iterator[int]:
        items, first = self._facts.items, p.properties[0]
        if p.kind is Kind.ORDER and self._in_order(first, s, o):
            yield 0
        if p.kind is Kind.SHARE and set(items.get((first, s), {})) & set(items.get((first, o), {})):
            yield 0
        for rule in self._chains.get(p, ()):
            place = rule.kind.climbs_from(rule)
            steps = (place,) if place else rule.kind.chain(rule)  # what climbs does so from a place, as places do
            ends = [(s, 0)]
            for step in steps:
                ends = [
                    (value, fact.sid) for end, _ in ends for value, fact in sorted(items.get((step, end), {}).items())
                ]
            for value, sid in ends:
                if value == o or (steps[-1] in wd.PLACES and o in self._world.containment.above(value)):
                    yield sid if len(steps) == 1 else 0

    def denial(self, p: Predicate, s: int, o: int) -> Licence | Refusal:
        """Why p(s, o) is false, or that nothing shows it."""
        if isinstance(p, Relation) and p.kind is Kind.ORDER and self._in_order(pid := p.properties[0], o, s):
            sid = self._facts.values[pid, s][0].sid
            return Licence(Reason.BOUNDS, sid, f"P{pid} of Q{o} lies before that of Q{s}")
        if place := self._places.get(p):
            return license_outside(self._world, place, s, o)
        if isinstance(p, Relation) and p.kind is Kind.INVERSE:
            stated = p.forwards(s, o)
            return self.denial(stated.relation.predicate, stated.s, stated.o)
        if isinstance(p, Relation):
            return Refusal("open", "nothing shows that it is false")
        turned = [*sorted(self._inverse.gives.get(p, ())), *([p] if p in self._inverse.symmetric else [])]
        found = [license_no(self._world, p, s, o), *(license_no(self._world, q, o, s) for q in turned)]
        return next((one for one in found if isinstance(one, Licence)), found[0])

    def _in_order(self, p: int, s: int, o: int) -> bool:
        """Every date known of s lies before every one of o."""
        mine, theirs = (
            [
                _widened(one)
                for one in self._facts.values.get((p, end), [])
                if one.earliest is not None and one.latest is not None
            ]
            for end in (s, o)
        )
        return bool(mine and theirs) and max(last for _, last in mine) < min(first for first, _ in theirs)

    # ------------------------------------------------------------------ dates and numbers

    def _date(self, claim: Claim, triple: ClaimTriple) -> ClaimStatus:
        assert claim.days is not None
        first, last = claim.days.earliest, claim.days.latest
        values = self._facts.values.get((triple.pid, triple.s), [])
        bounded = [one for one in values if one.earliest is not None and one.latest is not None]
        for value in bounded:
            known = _widened(value)
            inside = first <= known[0] and known[1] <= last
            if inside or (not claim.negative and first <= known[1] and known[0] <= last):
                return ClaimStatus("supported", value.sid, f"statement {value.sid}")
        licence = license_date(self._world, triple.pid, triple.s, first, last)
        if isinstance(licence, Licence):
            known = _widened(bounded[0])
            between = " to ".join(dict.fromkeys(_day(one) for one in known))
            return ClaimStatus("contradicted", licence.sid, f"P{triple.pid} of Q{triple.s} is {between}")
        return ClaimStatus("unverifiable", 0, f"no date P{triple.pid} of Q{triple.s} decides it")

    def _term(self, claim: Claim, triple: ClaimTriple) -> ClaimStatus:
        assert claim.days is not None
        first, last = claim.days.earliest, claim.days.latest
        if not triple.o:
            return ClaimStatus("unverifiable", 0, "the object is linked to no entity or to several")
        terms = self._facts.terms.get((triple.pid, triple.s, triple.o), [])
        if triple.p in self._inverse.symmetric:
            terms = [*terms, *self._facts.terms.get((triple.pid, triple.o, triple.s), [])]
        for term in terms:
            low, high = getattr(term, claim.which)
            if (low, high) != (None, None) and (low or _PAST) <= last and first <= (_FUTURE if high is None else high):
                return ClaimStatus("supported", term.sid, f"statement {term.sid}")
        # Who took it up or laid it down in a time that another filled would have held it then.
        licence = license_other_holder(self._world, triple.pid, triple.s, triple.o, first, last)
        if isinstance(licence, Licence) and not claim.negative:
            return ClaimStatus("contradicted", licence.sid, licence.why)
        return ClaimStatus("unverifiable", 0, "other terms may exist")

    def _amount(self, claim: Claim, triple: ClaimTriple) -> ClaimStatus:
        assert claim.amount is not None
        if triple.p == wd.DEATH:
            return self._age(claim, triple.s)
        for value in self._facts.values.get((triple.pid, triple.s), []):
            if value.amount is not None and value.amount == claim.amount:
                return ClaimStatus("supported", value.sid, f"statement {value.sid}")
        licence = license_amount(self._world, triple.pid, triple.s, claim.amount)
        if isinstance(licence, Licence):
            return ClaimStatus("contradicted", licence.sid, licence.why)
        return ClaimStatus("unverifiable", 0, licence.why)

    def _age(self, claim: Claim, s: int) -> ClaimStatus:
        """Of the age at which somebody died: two dates, each of which may convict, decide it."""
        born, died = (convicting(self._world, p, s) for p in wd.LIFE)
        if isinstance(born, Refusal) or isinstance(died, Refusal):
            return ClaimStatus("unverifiable", 0, next(one.why for one in (born, died) if isinstance(one, Refusal)))
        if born.earliest is None or born.latest is None or died.earliest is None or died.latest is None:
            return ClaimStatus("unverifiable", 0, f"no dates of Q{s} decide it")
        low, high = full_years(born.latest, died.earliest), full_years(born.earliest, died.latest)
        known = f"Q{s} died aged {low}" if low == high else f"Q{s} died aged {low} to {high}"
        inside = claim.amount is not None and low <= claim.amount <= high
        return ClaimStatus("supported" if inside else "contradicted", died.sid, known)


def _day(number: int) -> str:
    date = civil(number)
    found = dates.dated(TextSpan(0, 0), date.year, date.month, date.day)
    return found.text if found else str(date)


def _widened(value: LiteralValue) -> tuple[int, int]:
    assert value.earliest is not None and value.latest is not None
    low, high = widened(DayBounds(value.earliest, value.latest), Granularity.DAY)
    assert low is not None and high is not None
    return low, high
