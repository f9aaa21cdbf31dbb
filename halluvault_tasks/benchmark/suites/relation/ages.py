"""Questions about the age at which somebody died: a composite of a birth and a death, both known to the day.

The age is certain if every pair of days that the two dates leave open gives the same full years, whichever calendar
they were counted by; any other number is then false. Right and wrong ages are those of two people of similar age,
exchanged (`selection.swaps`), so that no number is more often a yes than a no.
"""

from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hashes import drawn
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, swaps
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
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.reasoning.slots import settled
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, full_years

_REACH = 5.0  # years between two that are exchanged
_SPREAD = 2.0  # years by which a place among neighbours is drawn
_MOST = 400  # people that are looked at, the best known ones


class _Life(NamedTuple):
    """A person whose full years at death are known."""

    qid: int
    age: int
    sids: tuple[int, int]


def find(material: Material, worder: Worder, *, seed: int, most: int) -> Amounts:
    """The ages of the best known people, by name or by what they alone made or whose parents they are.

    Args:
        material: the snapshot.
        worder: words and licences.
        seed: of draws.
        most: people that are looked at.
    """
    lives = _lives(material, worder, seed)
    bridges: dict[int, dict[int, Bridge]] = {}
    for person, several in by_person(material).items():
        for bridge in several:
            bridges.setdefault(bridge.pid, {}).setdefault(person, bridge)
    made = Amounts([], [])
    for via in (0, *sorted(bridges)):
        chosen = [one for one in lives if not via or one.qid in bridges[via]][: min(_MOST, most)]
        sids = {sid for one in chosen for sid in one.sids}
        sids |= {bridges[via][one.qid].sid for one in chosen} if via else set()
        premises = premises_of(material.session, material.snapshot, sids)
        maker = _Maker(worder, material.snapshot, premises, {one.qid: one for one in chosen}, bridges.get(via))
        true = [fact for one in chosen if (fact := maker.asked(one, one.age)) is not None]

        def position(one: Candidate) -> Position:
            off = int(drawn(seed, "off", *one.identity)[:4], 16) / 0xFFFF - 0.5
            return Position(one.source.fact.o + 2 * _SPREAD * off, fame=worder.index.fame.get(one.subject, 0.0))

        made.facts.extend(true)
        made.swaps.extend(swaps(true, position, maker.exchanged, reach=_REACH, seed=seed))
    return made


def _lives(material: Material, worder: Worder, seed: int) -> list[_Life]:
    licences, index = worder.licences, worder.index
    found = []
    for p, s in licences.bounds:
        if p != wd.DEATH or s not in index.domains:
            continue
        born, died = settled(licences, wd.BIRTH, s), settled(licences, wd.DEATH, s)
        if isinstance(born, Refusal) or isinstance(died, Refusal):
            continue
        days = (born.earliest, born.latest, died.earliest, died.latest)
        if any(day is None for day in days):
            continue
        b1, b2, d1, d2 = (day or 0 for day in days)
        age = full_years(b2, d1)
        if age > 0 and age == full_years(b1, d2):
            found.append(_Life(s, age, (born.sid, died.sid)))
    return sorted(found, key=lambda one: (-index.fame.get(one.qid, 0.0), drawn(seed, "age", one.qid)))


class _Maker:
    """Makes candidates of people who are named, or called by one property.

    Args:
        worder: words and licences.
        snapshot: key.
        premises: by statement.
        lives: of the people.
        bridges: person → what he or she is called by; None: by name.
    """

    def __init__(
        self,
        worder: Worder,
        snapshot: str,
        premises: Mapping[int, Premise],
        lives: Mapping[int, _Life],
        bridges: Mapping[int, Bridge] | None,
    ) -> None:
        self._worder, self._snapshot, self._premises = worder, snapshot, premises
        self._lives, self._bridges = lives, bridges

    def exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        """The first person with the second's age."""
        life = self._lives[one.subject]
        return self.asked(life, other.source.fact.o) if other.source.fact.o != life.age else None

    def asked(self, life: _Life, age: int) -> Candidate | None:
        """Whether somebody died at an age; None where that cannot be said."""
        index, lexicon = self._worder.index, self._worder.lexicon
        bridge = self._bridges[life.qid] if self._bridges is not None else None
        named = bridge.named if bridge else index.namer.named(life.qid)
        entry = fitting(lexicon.ages.get(wd.DEATH, ()), life.qid, None, index)
        sids = (*life.sids, *((bridge.sid,) if bridge else ()))
        if not named.name or entry is None or any(sid not in self._premises for sid in sids):
            return None
        if bridge is None and dates_itself(named):
            return None
        form = tensed(entry, life.qid, None, index)
        wordings = words(form, named, Named(str(age), str(age)))
        if wordings is None:
            return None
        truth = age == life.age
        rule = f"composite:P{bridge.pid}/P{wd.BIRTH}/P{wd.DEATH}" if bridge else f"composite:P{wd.BIRTH}/P{wd.DEATH}"
        premises = tuple(self._premises[sid] for sid in sids)
        proof = Proof(
            fact=DerivedFact(0, wd.DEATH, life.qid, age, *life.sids, 0),
            rule_name=rule,
            kind="composite",
            truth=truth,
            premises=premises,
            reason=f"Q{life.qid} died {life.age} full years after the birth, whichever of the possible days are right",
            program=_program(rule, life, age, premises, f"{named.bare}: {entry.label}", self._snapshot),
        )
        return Candidate(
            suite="relation",
            domain=(bridge and index.domains.get(bridge.work)) or index.domains[life.qid],
            kind="composite",
            strand=rule,
            identity=("composite", rule, life.qid, age, *((bridge.work,) if bridge else ())),
            pid=None,
            subject=life.qid,
            object=None,
            entities=(life.qid, bridge.work) if bridge else (life.qid,),
            truth=truth,
            wordings=wordings,
            source=proof,
            family=f"age {form.question}" + (f" {bridge.pid}" if bridge else ""),
            hops=len(premises),
            fame=index.fame.get(life.qid, 0.0),
        )


def _program(rule: str, life: _Life, asked: int, premises: tuple[Premise, ...], about: str, snapshot: str) -> str:
    of = called(next(iter(premises[2:]), None), life.qid)
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} (composite)"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- date(Item, Which, Year, Month, Day), from statements"),
        comment(f"{about} (Q{life.qid})"),
    ]
    for which, premise in zip(("born", "died"), premises, strict=False):
        assert premise.earliest is not None
        day = civil(premise.earliest)
        lines.append(comment(f"[{premise.guid}]"))
        lines.append(f"date({number(life.qid)}, {which}, {number(day.year)}, {number(day.month)}, {number(day.day)}).")
    lines += [
        "",
        comment("--- the rule: full years from the one day to the other, which no calendar and no day more changes"),
        "age(Item, Age) :- date(Item, born, Y1, M1, D1), date(Item, died, Y2, M2, D2),",
        "    ( M2*100 + D2 < M1*100 + D1 -> Age is Y2 - Y1 - 1 ; Age is Y2 - Y1 ).",
        "",
        *of.lines,
        comment("--- the question"),
        f"answer(Answer) :- {of.goal}age({of.who}, Age), ( Age =:= {number(asked)} -> Answer = yes ; Answer = no ).",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"
