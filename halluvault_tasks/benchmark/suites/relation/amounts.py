"""Questions about a number that a thing has exactly one of: the atomic number of an element.

Right and wrong numbers come from exchanging those of two elements near each other (`selection.swaps`); a wrong one is
licensed by the statement of the right one (semantics.md §1.4: a number outside the known bounds).
"""

from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import select

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Position, Swap, swaps
from halluvault_tasks.benchmark.suites.relation.single_value import Asked, candidate, program, proof
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.premises import amount_text
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence import license_amount
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.storage.tables import statement

_REACH = 12.0  # between two numbers that are exchanged


class Amounts(NamedTuple):
    """True facts by themselves, and fours of them."""

    facts: list[Candidate]
    swaps: list[Swap]


def find(material: Material, worder: Worder, *, seed: int) -> Amounts:
    """The numbers of every functional property that the lexicon words and whose values are whole numbers."""
    session, snapshot = material.session, material.snapshot
    facts: list[Candidate] = []
    fours: list[Swap] = []
    c = statement.c
    for p in sorted(set(worder.licences.functional) & set(worder.lexicon.properties)):
        rows = session.execute(
            select(c.sid).where(c.snapshot == snapshot, c.p == p, c.kind == "quantity", c.rank != "deprecated")
        )
        premises = premises_of(session, snapshot, set(rows.scalars()))
        maker = _Maker(worder, snapshot, p)
        true = [
            one
            for sid in sorted(premises)
            if (one := maker.candidate(premises[sid], _whole(premises[sid]))) is not None
        ]
        fours += swaps(true, maker.position, maker.exchanged, reach=_REACH, seed=seed)
        facts += true
    return Amounts(facts, fours)


def _whole(premise: Premise) -> int:
    """The number if it is whole and positive, else 0."""
    amount = premise.amount
    return int(amount) if amount is not None and amount == int(amount) and amount > 0 else 0


class _Maker:
    """Makes candidates of one property."""

    def __init__(self, worder: Worder, snapshot: str, p: int) -> None:
        self._worder, self._snapshot, self._p = worder, snapshot, p

    def candidate(self, premise: Premise, asked: int) -> Candidate | None:
        """Whether the subject of `premise` has the number `asked`; None where that is undecided or cannot be said."""
        index, licences, p, s = self._worder.index, self._worder.licences, self._p, premise.s
        truth = _whole(premise) == asked
        bounds = licences.bounds.get((p, s))
        if not asked or bounds is None or bounds.distinct != 1 or bounds.hedged:
            return None
        if not truth and isinstance(license_amount(licences, p, s, Decimal(asked)), Refusal):
            return None
        named = index.namer.named(s)
        entry = fitting(self._worder.lexicon.properties[p], s, None, index)
        domain = index.domains.get(s)
        if not named.name or entry is None or domain is None:
            return None
        form = tensed(entry, s, None, index)
        wordings = words(form, named, Named(str(asked), str(asked)))
        if wordings is None:
            return None
        one = Asked(premise, asked, truth)
        reason = f"P{p} of Q{s} is {amount_text(premise.amount)}" if premise.amount is not None else ""
        shown = proof(one, reason, _program(one, named, entry.label, self._snapshot))
        return candidate(shown, domain, wordings, form.question, entity=False)

    def position(self, one: Candidate) -> Position:
        """By the number itself: neighbours in the periodic table are exchanged."""
        return Position(float(one.source.fact.o))

    def exchanged(self, one: Candidate, other: Candidate) -> Candidate | None:
        """The first subject with the second's number."""
        return self.candidate(one.source.premises[0], other.source.fact.o)


def _program(asked: Asked, named: Named, label: str, snapshot: str) -> str:
    premise = asked.premise
    p, s, value = f"p{number(premise.p)}", number(premise.s), number(asked.value)
    statements = (
        comment("--- statements of the snapshot: relation(Subject, Number, StatementId)"),
        comment(f"{named.bare} (Q{premise.s}): {label}   [{premise.guid}]"),
        f"{p}({s}, {number(_whole(premise))}, {number(premise.sid)}).",
    )
    rule = (
        comment("--- the rule: there is exactly one number, so that any other one is wrong"),
        f"answer(yes) :- {p}({s}, {value}, _).",
        f"answer(no) :- {p}({s}, Number, _), Number =\\= {value}.",
    )
    return program(asked, snapshot, statements, rule)
