"""Sheets of a class of foils, worded as the benchmark words them: fresh foils among as many true statements.

What is on a sheet depends on class, version, attempt and snapshot alone. Foils are drawn among all that the class
offers and the lexicon can word, few of one subject, so that 100 of them say as much as 100 can.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import FameLevel
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import foils
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import LicenceKind, Refusal
from halluvault_tasks.reasoning.measuring.classes import HEADLINE_FOILS, HEADLINE_PLANTED, MeasuredClass
from halluvault_tasks.reasoning.measuring.sheets import KeyLine, SheetLine
from halluvault_tasks.reasoning.records import DerivedFact
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import derived_fact
from halluvault_tasks.wikidata.relation import Relation

_OF_A_SUBJECT = (2, 6)  # foils, and true statements, of one subject; the latter where there are too few subjects
_TRIED = 8  # partners of a fact
_SPARE = 1.2  # more are drawn of each class than its share, since some of the small ones have no more
_LOOKED_AT = 100  # facts looked at for each line that is wanted

_THIRD = {FameLevel.TAIL: 0, FameLevel.LEAST: 0, FameLevel.MIDDLE: 1, FameLevel.BEST: 2}
"""How well known the least known of a case is → third of fame."""

_HEADLINE = text("""
SELECT c.id, c.question, c.gold, b.subject, b.fact -> 'difficulty' ->> 'renown' AS stratum,
    b.fact ->> 'relation' AS relation
FROM benchmark_case b JOIN cases c ON c.id = b.case_id
WHERE b.snapshot = :snapshot AND b.suite = 'relation' AND c.mutation = 'original' AND c.relation = 'same'
  AND (c.gold = 'yes' OR b.fact ->> 'licence' = :measured)
""")


class DrawnSheet(NamedTuple):
    """A sheet before it is written.

    Attributes:
        lines: foils and true statements, shuffled.
        foils: how many of them are foils.
        asked: how many of these a month asks.
    """

    lines: Sequence[SheetLine]
    foils: int
    asked: int = 0


def of_class(material: Material, known: Neighbourhood, measured: MeasuredClass, attempt: int, most: int) -> DrawnSheet:
    """Fresh foils of a class and as many true statements.

    Args:
        material: the month.
        known: what foils are drawn from; the class is among its measures.
        measured: the class.
        attempt: from 1; another one draws others.
        most: foils wanted.

    Raises:
        UserError: the lexicon words none of them.
    """
    seed = f"{measured.name} {measured.version} {attempt}"
    worder = Worder(material.index, material.lexicon, material.world)
    facts = _facts(material.session, material.snapshot, known, measured.relation)
    facts.sort(key=lambda fact: drawn(0, seed, fact.s, fact.o))
    false: dict[tuple[int, int | None], Candidate] = {}
    true: dict[tuple[int, int | None], Candidate] = {}
    subjects = Counter[tuple[bool, int]]()
    for limit in _OF_A_SUBJECT:
        for fact in facts[: most * _LOOKED_AT]:
            # A fact gives a foil while there are too few, else itself.
            wanted = len(false) < most and len(false) <= len(true)
            worded = (
                next(_foils(worder, known, fact, seed, false), None)
                if wanted
                else worder.candidate("", fact, known.rules[fact.rule])
            )
            if not isinstance(worded, Candidate) or subjects[worded.truth, fact.s] >= limit:
                continue
            of, ends = (true if worded.truth else false), (worded.subject, worded.object)
            if len(of) < most and ends not in of:
                of[ends] = worded
                subjects[worded.truth, fact.s] += 1
    if not false or not true:
        raise UserError(
            f"no foil of the class “{measured.name}” can be worded in {material.snapshot}",
            f"give {measured.relation} a wording in config/lexicon.yaml",
        )
    month = material.snapshot

    def line(one: Candidate) -> SheetLine:
        name = content_id(seed, str(one.subject), str(one.object), str(one.truth))
        key = KeyLine(
            name, one.truth, 0, "class", measured.near, measured.relation, measured.version, attempt, month
        )  # fmt: skip
        return SheetLine(one.wordings.original, key)

    return DrawnSheet(_shuffled(map(line, (*false.values(), *true.values()))), len(false))


def of_headline(material: Material, attempt: int) -> DrawnSheet:
    """Foils drawn at random from a frozen month's measured cases, and a fifth as many true ones, by thirds of fame.

    Where the month asks fewer than a claim needs: all of them, and more of the same classes by their shares, drawn and
    worded in the same way, and not chosen.

    Raises:
        UserError: the month asks no measured foil, or its classes can give too few.
    """
    session, snapshot = material.session, material.snapshot
    rows = session.execute(_HEADLINE, {"snapshot": snapshot, "measured": LicenceKind.MEASURED}).all()
    rows = sorted(rows, key=lambda row: drawn(attempt, "headline", snapshot, row.id))
    false = [row for row in rows if row.gold == "no"][:HEADLINE_FOILS]
    asked = Counter(Relation.parse(row.relation) for row in false)
    true = [row for row in rows if row.gold == "yes" and Relation.parse(row.relation) in asked]
    thirds = [[row for row in true if _THIRD.get(row.stratum) == n] for n in range(len(set(_THIRD.values())))]
    wanted = max(HEADLINE_PLANTED, math.ceil(HEADLINE_PLANTED / HEADLINE_FOILS * len(false)))
    planted = _planted(thirds, wanted)
    lines = [
        SheetLine(
            row.question,
            _headline_key(
                row.id,
                Relation.parse(row.relation),
                snapshot,
                attempt,
                true=row.gold == "yes",
                third=_THIRD.get(row.stratum, 0),
            ),
        )
        for row in (*false, *planted)
    ]
    lines += _beyond(material, asked, {row.question for row in false}, attempt)
    lines += _planted_beyond(material, asked, {row.question for row in rows}, wanted - len(planted), attempt)
    foils_there = sum(not line.key.true for line in lines)
    if foils_there < HEADLINE_FOILS:
        raise UserError(
            f"{snapshot} asks {len(false)} measured foils, and its classes give {foils_there - len(false)} more; "
            f"a claim needs {HEADLINE_FOILS}",
            "build a month with more licensed classes",
        )
    return DrawnSheet(_shuffled(lines), foils_there, len(false))


def _planted(thirds: Sequence[Sequence[Row[Any]]], wanted: int) -> list[Row[Any]]:
    """As many true statements of each third of fame; where one has fewer, more of the others."""
    share = math.ceil(wanted / len(thirds))
    planted = [row for third in thirds for row in third[:share]]
    return [*planted, *(row for third in thirds for row in third[share:])][:wanted]


def _headline_key(name: str, relation: Relation, month: str, attempt: int, *, true: bool, third: int) -> KeyLine:
    return KeyLine(name, true, third, "headline", "", relation, 0, attempt, month)


def _beyond(material: Material, asked: Counter[Relation], taken: Collection[str], attempt: int) -> list[SheetLine]:
    """Foils that a month could have asked, by the shares of those that it asks."""
    short = HEADLINE_FOILS - asked.total()
    worder, known = Worder(material.index, material.lexicon, material.world), material.neighbourhood
    lines: dict[str, SheetLine] = {}
    for relation in sorted(asked):
        wanted = math.ceil(_SPARE * short * asked[relation] / asked.total())
        licensed = known.measures.licensed(relation.stated)
        facts = _facts(material.session, material.snapshot, known, relation) if licensed else []
        facts.sort(key=lambda fact: drawn(attempt, "beyond", fact.s, fact.o))
        own: dict[tuple[int, int | None], Candidate] = {}
        for fact in facts * _OF_A_SUBJECT[-1]:
            if len(own) >= wanted:
                break
            foil = next(_foils(worder, known, fact, f"headline {attempt}", own), None)
            if foil and foil.wordings.original not in taken:
                own[foil.subject, foil.object] = foil
        for foil in own.values():
            name = content_id("headline", str(attempt), str(foil.subject), str(foil.object))
            key = _headline_key(name, relation, material.snapshot, attempt, true=False, third=0)
            lines[name] = SheetLine(foil.wordings.original, key)
    return sorted(lines.values(), key=lambda line: line.key.id)[:short]


def _planted_beyond(
    material: Material, asked: Counter[Relation], taken: Collection[str], wanted: int, attempt: int
) -> list[SheetLine]:
    """True statements that a month could have asked, relation after relation; they count as little known."""
    worder, known = Worder(material.index, material.lexicon, material.world), material.neighbourhood
    worded: dict[str, SheetLine] = {}
    for relation in sorted(asked) if wanted > 0 else ():
        facts = _facts(material.session, material.snapshot, known, relation)
        facts.sort(key=lambda fact: drawn(attempt, "planted", fact.s, fact.o))
        there = len(worded)
        for fact in facts:
            one = worder.candidate("", fact, known.rules[fact.rule])
            if isinstance(one, Candidate) and one.wordings.original not in taken:
                name = content_id("planted", str(attempt), str(one.subject), str(one.object))
                key = _headline_key(name, relation, material.snapshot, attempt, true=True, third=0)
                worded[name] = SheetLine(one.wordings.original, key)
            if len(worded) - there >= math.ceil(wanted / len(asked)):
                break
    return sorted(worded.values(), key=lambda line: line.key.id)[: max(0, wanted)]


def _facts(session: Session, snapshot: str, known: Neighbourhood, relation: Relation) -> list[DerivedFact]:
    """True facts of a relation, whichever rule they are of; one of each pair of ends."""
    rules = [
        n for n, rule in known.rules.items() if rule.conclusion == relation and rule.kind.truth and not rule.kind.draws
    ]
    c = derived_fact.c
    rows = session.execute(
        derived_fact.select().with_only_columns(*COLUMNS).where(c.snapshot == snapshot, c.rule.in_(rules))
    )
    facts = [fact_of(row, known.rules) for row in rows]
    return list(
        {(fact.s, fact.o): fact for fact in sorted(facts, key=lambda fact: (fact.rule, fact.s, fact.o))}.values()
    )


def _foils(
    worder: Worder, known: Neighbourhood, fact: DerivedFact, seed: str, taken: Collection[tuple[int, int | None]]
) -> Iterator[Candidate]:
    """Foils beside a fact, in a drawn order, that can be worded and are not taken."""
    near = foils.MEASURED.partners(fact, known)
    rule = known.rules[fact.rule]
    for s, o in sorted(near, key=lambda ends: drawn(0, seed, fact.s, fact.o, *ends))[:_TRIED]:
        if (fact.s, o) not in taken:
            foil = foils.MEASURED.draw(fact, fact._replace(s=s, o=o), known)
            worded = None if isinstance(foil, Refusal) else worder.candidate("", foil, rule)
            if isinstance(worded, Candidate):
                yield worded


def _shuffled(lines: Iterable[SheetLine]) -> list[SheetLine]:
    return sorted(lines, key=lambda line: drawn(1, line.key.id))
