"""Questions about the year of something that happens once: a birth, a death, the founding of a company.

The year is certain where the one stated date lies in it whichever calendar it was counted by; another one is false
where the licence refuses it (semantics.md §1.4). Right and wrong years are those of two things few years apart,
exchanged (`selection.swaps`), so that no year is more often a yes than a no.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hashes import drawn
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.suites.relation.amounts import Amounts
from halluvault_tasks.benchmark.suites.relation.bridges import Bridge, by_person, called
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.licence import license_date
from halluvault_tasks.reasoning.licence_facts import Bounds, LicenceFacts
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.reasoning.slots import settled
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import widened_years
from halluvault_tasks.wikidata.days import civil, day_number, year_text
from halluvault_tasks.wikidata.times import DAY

_REACH = 5.0  # years between two that are exchanged
_MOST = 400  # facts of a property that are looked at: four times what its share of a benchmark holds
_SHOWN = 2  # years of which the one is surely not that of a first showing, if the other is that of the release
_SPREAD = 2.0  # years by which a place among neighbours is drawn, so that those of other years stand near


def find(material: Material, worder: Worder, *, seed: int, per_property: int) -> Amounts:
    """The years of every property that the lexicon words (`years`) and that the licence lets a claim be convicted by.

    Args:
        material: the snapshot.
        worder: words and licences.
        seed: of the order.
        per_property: most facts of a property.
    """
    facts: list[Candidate] = []
    fours: list[Swap] = []
    bridges: dict[int, dict[int, Bridge]] = defaultdict(dict)
    for person, several in by_person(material).items():
        for bridge in several:
            bridges[bridge.pid].setdefault(person, bridge)
    asked = [(p, via) for p in sorted(worder.lexicon.years) for via in (0, *(sorted(bridges) if p in wd.LIFE else ()))]
    for p, via in asked:
        maker = _Maker(worder, material.snapshot, p, seed, bridges.get(via))
        sids = maker.slots(min(_MOST, per_property))
        also = {bridge.sid for bridge in bridges.get(via, {}).values()}
        premises = premises_of(material.session, material.snapshot, {*sids, *also})
        maker.shown = premises
        true = [one for sid in sids if (one := maker.true(premises.get(sid))) is not None]
        fours += swaps(true, maker.position, maker.exchanged, reach=_REACH, seed=seed)
        facts += true
    return Amounts(facts, fours)


class _Maker:
    """Makes candidates of one property.

    Args:
        worder: words and licences.
        snapshot: key.
        p: property of the date.
        seed: of draws.
        bridges: person → what he or she is called by; None: things are named.
    """

    shown: Mapping[int, Premise]
    """Statement → premise, of the bridges at least."""

    def __init__(
        self, worder: Worder, snapshot: str, p: int, seed: int, bridges: Mapping[int, Bridge] | None = None
    ) -> None:
        self._worder, self._snapshot, self._p, self._seed, self._bridges = worder, snapshot, p, seed, bridges
        self.shown = {}

    def slots(self, most: int) -> list[int]:
        """Statements of slots that have one year, the best known subjects first."""
        licences, index = self._worder.licences, self._worder.index
        subjects = [s for p, s in licences.bounds if p == self._p and s in index.domains]
        if self._bridges is not None:
            subjects = [s for s in subjects if s in self._bridges]
        # Of three thousand births: those of well-known people, and a thousand others at random.
        subjects.sort(key=lambda s: (-index.fame.get(s, 0.0), drawn(self._seed, "year", self._p, s)))
        found = []
        for s in subjects:
            slot = settled(licences, self._p, s)
            if not isinstance(slot, Refusal) and slot.earliest is not None and _one_year(licences.bounds[self._p, s]):
                found.append(slot.sid)
                if len(found) >= most:
                    break
        return found

    def true(self, premise: Premise | None) -> Candidate | None:
        """The fact that a date is in its year; None if that is not certain."""
        if premise is None or premise.earliest is None or premise.latest is None:
            return None
        if self._p not in wd.WHOLE_YEARS and premise.precision != DAY:
            return None  # a war whose beginning nobody can date to the day is dated differently by others
        wide = widened_years(premise.earliest, premise.latest)
        year = civil(wide.earliest).year
        return self._candidate(premise, year) if civil(wide.latest).year == year and year > 0 else None

    def position(self, one: Candidate) -> Position:
        """By the year, a little off."""
        off = int(drawn(self._seed, "off", *one.identity)[:4], 16) / 0xFFFF - 0.5
        index = self._worder.index
        return Position(one.source.fact.o + 2 * _SPREAD * off, fame=index.fame.get(one.subject, 0.0))

    def exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        """The first subject with the second's year; none where a first showing would make it right."""
        if self._p == wd.PUBLICATION and abs(one.source.fact.o - other.source.fact.o) < _SHOWN:
            return None
        return self._candidate(one.source.premises[0], other.source.fact.o)

    def _candidate(self, premise: Premise, year: int) -> Candidate | None:
        index, licences, p, s = self._worder.index, self._worder.licences, self._p, premise.s
        assert premise.earliest is not None
        truth = civil(premise.earliest).year == year
        first, last = day_number(year, 1, 1), day_number(year, 12, 31)
        refused = isinstance(license_date(licences, p, s, first, last), Refusal)
        if not truth and (refused or outside_its_whole(licences, s, first, last)):
            return None
        bridge = self._bridges[s] if self._bridges is not None else None
        named = bridge.named if bridge else index.namer.undated(s)
        entry = fitting(self._worder.lexicon.years[p], s, None, index)
        # What is asked about "the director of a film" is the film.
        domain = index.domains.get(bridge.work if bridge else s) or index.domains.get(s)
        if not named.name or entry is None or domain is None or (bridge is None and dates_itself(named)):
            return None
        form = tensed(entry, s, None, index)
        wordings = words(form, named, Named(year_text(year), year_text(year)))
        if wordings is None:
            return None
        kind = "composite" if bridge else (POLARITY if truth else WRONG_VALUE).family
        rule = f"composite:P{bridge.pid}/P{p}" if bridge else f"{kind}:P{p}"
        more = (self.shown[bridge.sid],) if bridge else ()
        proof = Proof(
            fact=DerivedFact(0, p, s, year, premise.sid, 0, 0),
            rule_name=rule,
            kind=kind,
            truth=truth,
            premises=(premise, *more),
            reason=f"P{p} of Q{s} lies in {year_text(civil(premise.earliest).year)} and has one value",
            program=_program(rule, kind, (premise, *more), year, f"{named.bare}: {entry.label}", self._snapshot),
        )
        return Candidate(
            suite="relation",
            domain=domain,
            kind=kind,
            strand=rule,
            identity=(kind, rule, p, s, year, *((bridge.work,) if bridge else ())),
            pid=bridge.pid if bridge else p,
            subject=s,
            object=None,
            entities=(s, bridge.work) if bridge else (s,),
            truth=truth,
            wordings=wordings,
            source=proof,
            family=f"{p} {form.question}" + (f" {bridge.pid}" if bridge else ""),
            hops=2 if bridge else 1,
            fame=index.fame.get(s, 0.0),
        )


def _program(rule: str, kind: str, premises: Sequence[Premise], asked: int, about: str, snapshot: str) -> str:
    premise, bridge = premises[0], next(iter(premises[1:]), None)
    of = called(bridge, premise.s)
    assert premise.earliest is not None
    first, last = _span(premise)
    lines: Iterable[str] = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} ({kind})"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- year(Item, FirstPossible, LastPossible), from the one statement of the snapshot"),
        comment(f"{about} (Q{premise.s})   [{premise.guid}]"),
        f"year({number(premise.s)}, {number(first)}, {number(last)}).",
        "",
        *of.lines,
        comment("--- the rule: there is one date, so that a year in which it cannot lie is wrong"),
        f"answer(yes) :- {of.goal}year({of.who}, {number(asked)}, {number(asked)}).",
        f"answer(no) :- {of.goal}year({of.who}, First, Last), ( {number(asked)} < First ; {number(asked)} > Last ).",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"


def outside_its_whole(known: LicenceFacts, s: int, first: int, last: int) -> bool:
    """Whether what a thing is a part of had not begun by these days, or was over: a front of World War II in 1936."""
    wholes = parts.items if (parts := known.known.get((wd.PART_OF, s))) else ()
    starts, ends = ([of.spans for w in wholes if (of := known.bounds.get((p, w)))] for p in (wd.START, wd.END))
    early = any(last < earliest for spans in starts for earliest, _ in spans if earliest is not None)
    return early or any(first > latest for spans in ends for _, latest in spans if latest is not None)


def _one_year(known: Bounds) -> bool:
    """Whether all stated dates lie in one year: of two that differ nothing says which one is right."""
    return len({civil(day).year for span in known.spans for day in span if day is not None}) == 1


def _span(premise: Premise) -> tuple[int, int]:
    assert premise.earliest is not None
    assert premise.latest is not None
    wide = widened_years(premise.earliest, premise.latest)
    return civil(wide.earliest).year, civil(wide.latest).year
