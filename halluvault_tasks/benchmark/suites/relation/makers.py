"""Questions about whether two works have one maker: two films of one director.

"Share at least one" can be false only where both slots have one value (semantics.md §3.1), so both must be slots that
convict, and their values licensed as different (§1.2). Nobody would ask it of two works that nothing joins (§3.7): the
false pairs are of one time and have two cast members in common, or more. Four works of two makers make a block of two
true and two false pairs, each work once in a true and once in a false one.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import select

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hashes import drawn
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Swap
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence import different
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.reasoning.slots import convicting
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_ACTORS = 2  # in common: one alone joins films that nobody would think of together
_APART = 8  # years at most between two works that are asked about together though their makers differ


class _Work(NamedTuple):
    """A thing with one value, and the year it is of."""

    qid: int
    maker: int
    sid: int
    year: int


_Pairs = dict[tuple[int, int], list[tuple[_Work, _Work]]]
"""Two makers → a work of the one and a work of the other that have cast members in common."""


def find(material: Material, worder: Worder, *, seed: int) -> list[Swap]:
    """Blocks of all properties that the lexicon words (`shared`) and that are functional.

    Args:
        material: the snapshot.
        worder: words and licences.
        seed: of the order.
    """
    made: list[Swap] = []
    for p in sorted(worder.lexicon.shared.keys() & worder.licences.functional.keys()):
        works = _works(worder, p)
        premises = premises_of(material.session, material.snapshot, {one.sid for one in works.values()})
        maker = _Maker(worder, material.snapshot, p, premises)
        joined = _joined(material, works)
        taken: set[int] = set()
        for makers in sorted(joined, key=lambda pair: drawn(seed, "makers", *pair)):
            several = sorted(joined[makers], key=lambda pair: drawn(seed, "works", pair[0].qid, pair[1].qid))
            for (one, other), (two, another) in combinations(several, 2):
                four = {one.qid, other.qid, two.qid, another.qid}
                if len(four) == 4 and taken.isdisjoint(four) and (swap := maker.swap(one, two, another, other)):
                    taken |= four
                    made.append(swap)
    return made


def _works(worder: Worder, p: int) -> dict[int, _Work]:
    """Item → what is known of it, of those that have one value and a year."""
    found = {}
    for s in worder.licences.subjects(p):
        slot, year = convicting(worder.licences, p, s), worder.index.years.get(s)
        if not isinstance(slot, Refusal) and slot.value is not None and year is not None and s in worder.index.domains:
            found[s] = _Work(s, slot.value, slot.sid, year)
    return found


def _joined(material: Material, works: Mapping[int, _Work]) -> _Pairs:
    c = statement.c
    rows = material.session.execute(
        select(c.o, c.s)
        .where(c.snapshot == material.snapshot, c.p == wd.CAST_MEMBER, c.kind == "item")
        .order_by(c.o, c.s)
    )
    films: dict[int, list[_Work]] = defaultdict(list)
    for actor, film in rows:
        if film in works:
            films[actor].append(works[film])
    common: Counter[tuple[_Work, _Work]] = Counter()
    for several in films.values():
        for pair in combinations(several, 2):
            one, other = sorted(pair, key=lambda work: (work.maker, work.qid))
            if one.maker != other.maker and abs(one.year - other.year) <= _APART:
                common[one, other] += 1
    found: _Pairs = defaultdict(list)
    for (one, other), actors in sorted(common.items()):
        if actors >= _ACTORS:
            found[one.maker, other.maker].append((one, other))
    return found


class _Maker:
    """Makes candidates of one property.

    Args:
        worder: words and licences.
        snapshot: key.
        p: the property that is shared, or not.
        premises: by statement.
    """

    def __init__(self, worder: Worder, snapshot: str, p: int, premises: Mapping[int, Premise]) -> None:
        self._worder, self._snapshot, self._p, self._premises = worder, snapshot, p, premises

    def swap(self, one: _Work, two: _Work, three: _Work, four: _Work) -> Swap | None:
        """Two works of one maker and two of another, then each of the one's with one of the other's."""
        made = [self.asked(*pair) for pair in ((one, two), (three, four), (one, four), (three, two))]
        first, second, third, fourth = made
        return (first, second, third, fourth) if first and second and third and fourth else None

    def asked(self, one: _Work, other: _Work) -> Candidate | None:
        """Whether two works share their value; None where that is undecided or cannot be said."""
        index, p = self._worder.index, self._p
        truth = one.maker == other.maker
        if not truth and isinstance(different(self._worder.licences, one.maker, other.maker, place=False), Refusal):
            return None
        entry = fitting(self._worder.lexicon.shared[p], one.qid, other.qid, index)
        s, o = index.namer.named(one.qid), index.namer.named(other.qid)
        if entry is None or not entry.ask or not s.name or not o.name or gives_away(index, one.qid, s, other.qid, o):
            return None
        form = tensed(entry, one.qid, other.qid, index)
        wordings = words(form, s, o)
        if wordings is None:
            return None
        rule = f"share:P{p}"
        premises = (self._premises[one.sid], self._premises[other.sid])
        proof = Proof(
            fact=DerivedFact(0, -p, one.qid, other.qid, one.sid, other.sid, 0),
            rule_name=rule,
            kind="composite",
            truth=truth,
            premises=premises,
            reason=f"P{p} of Q{one.qid} is Q{one.maker} and only that, of Q{other.qid} Q{other.maker} and only that",
            program=_program(rule, premises, f"{s.bare}, {o.bare}: {entry.label}", self._snapshot),
        )
        return Candidate(
            suite="relation",
            domain=index.domains[one.qid],
            kind="composite",
            strand=rule,
            # A true one is the fact that `share:P…` derives, which so is not asked for recall as well.
            identity=("composite", rule, -p, *sorted((one.qid, other.qid)), *(() if truth else ("not",))),
            pid=p,
            subject=one.qid,
            object=other.qid,
            entities=(one.qid, other.qid),
            truth=truth,
            wordings=wordings,
            source=proof,
            family=f"-{p} {form.question}",
            hops=2,
            fame=min(index.fame.get(end, 0.0) for end in (one.qid, other.qid)),
        )


def _program(rule: str, premises: tuple[Premise, Premise], about: str, snapshot: str) -> str:
    ends = [number(one.s) for one in premises]
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} (composite)"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- value(Item, Value): the one value that is stated, and that the licence shows to be the only one"),
        comment(about),
        *(f"value({number(one.s)}, {number(one.o or 0)}).   {comment(f'[{one.guid}]')}" for one in premises),
        "",
        comment("--- the rule: each has one value, so that they share it or share none"),
        f"answer(Answer) :- value({ends[0]}, One), value({ends[1]}, Other),",
        "    ( One =:= Other -> Answer = yes ; Answer = no ).",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"
