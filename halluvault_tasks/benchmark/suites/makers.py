"""Questions about whether two things share the one value that each has: two films of one director.

"Share at least one" can be false only where both slots have one value (semantics.md §3.1), so both must be slots that
convict, and their values licensed as different (§1.2). True pairs are successive works of one maker; false ones come
from exchanging the second works of two pairs of one time (`selection.swaps`).
"""

from collections import defaultdict
from typing import NamedTuple

from halluvault_tasks.benchmark.cases import Candidate
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.selection.leakage import gives_away
from halluvault_tasks.benchmark.selection.swaps import Position, swaps
from halluvault_tasks.benchmark.suites.amounts import Amounts
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence import different
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.reasoning.slots import convicting

_REACH = 5.0  # years between two works that are exchanged


class _Work(NamedTuple):
    """A thing with one value, and the year it is of."""

    qid: int
    maker: int
    sid: int
    year: int


def find(material: Material, worder: Worder, *, seed: int) -> Amounts:
    """Pairs of all properties that the lexicon words (`shared`) and that are functional.

    Args:
        material: the snapshot.
        worder: words and licences.
        seed: of the order.
    """
    made = Amounts([], [])
    for p in sorted(worder.lexicon.shared.keys() & worder.licences.functional.keys()):
        works = _works(worder, p)
        premises = premises_of(material.session, material.snapshot, {one.sid for one in works.values()})
        maker = _Maker(worder, material.snapshot, p, works, premises)
        true = [fact for one, other in _pairs(works) if (fact := maker.asked(one, other)) is not None]
        made.facts.extend(true)
        made.swaps.extend(swaps(true, maker.position, maker.exchanged, reach=_REACH, seed=seed))
    return made


def _works(worder: Worder, p: int) -> dict[int, _Work]:
    """Item → what is known of it, of those that have one value and a year."""
    found = {}
    for s in worder.licences.subjects(p):
        slot, year = convicting(worder.licences, p, s), worder.index.years.get(s)
        if not isinstance(slot, Refusal) and slot.value is not None and year is not None and s in worder.index.domains:
            found[s] = _Work(s, slot.value, slot.sid, year)
    return found


def _pairs(works: dict[int, _Work]) -> list[tuple[_Work, _Work]]:
    """Successive works of each maker, two by two, so that each is in one pair."""
    by_maker: dict[int, list[_Work]] = defaultdict(list)
    for one in sorted(works.values(), key=lambda one: (one.year, one.qid)):
        by_maker[one.maker].append(one)
    return [pair for _, mine in sorted(by_maker.items()) for pair in zip(mine[::2], mine[1::2], strict=False)]


class _Maker:
    """Makes candidates of one property.

    Args:
        worder: words and licences.
        snapshot: key.
        p: the property that is shared, or not.
        works: by item.
        premises: by statement.
    """

    def __init__(
        self, worder: Worder, snapshot: str, p: int, works: dict[int, _Work], premises: dict[int, Premise]
    ) -> None:
        self._worder, self._snapshot, self._p, self._works, self._premises = worder, snapshot, p, works, premises

    def position(self, one: Candidate) -> Position:
        """By the year of the second work, which is exchanged."""
        assert one.object is not None
        return Position(float(self._works[one.object].year), fame=one.fame)

    def exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        """The first work of the one pair with the second of the other, where their makers differ."""
        assert other.object is not None
        first, second = self._works[one.subject], self._works[other.object]
        return self.asked(first, second) if first.maker != second.maker else None

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
