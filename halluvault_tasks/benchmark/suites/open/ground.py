"""What all open questions of a month are made from: single slots, names and statements in words."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from sqlalchemy import select

from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.open.asked_twice import AskedSlots
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.forms import SLOT
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.open_wording import OpenSection
from halluvault_tasks.benchmark.wording.premises import amount_text, is_julian, premise_item, spoken
from halluvault_tasks.benchmark.wording.sentences import Date, agreeing, date_text, fill, iso_date
from halluvault_tasks.reasoning import single_slots
from halluvault_tasks.reasoning.kinds import country
from halluvault_tasks.reasoning.proving.statements import premises_of
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.single_slots import SingleSlots
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import benchmark_case, statement
from halluvault_tasks.wikidata import properties as wd

Told = Mapping[str, Any]
"""A statement as `benchmark_case.premises` has it."""


class OpenGround:
    """One month, as far as open questions need it.

    Args:
        material: the snapshot; only read.
        seed: of every draw.
    """

    def __init__(self, material: Material, seed: int) -> None:
        self.material, self.seed = material, seed
        self.wordings: OpenSection = material.lexicon.open
        self.index: EntityIndex = material.index
        self._told: dict[int, Told] = {}

    @cached_property
    def slots(self) -> SingleSlots:
        """Slots with one value, of every property that is worded."""
        open_ = self.wordings
        worded = {*open_.questions, *open_.phrases, *open_.first, *open_.inverse, *open_.moments, wd.JURISDICTION}
        reviewed = {p: one.by_nature for p, one in open_.single.items()}
        return single_slots.load(
            self.material.session, self.material.snapshot, self.material.world, worded, reviewed
        )  # fmt: skip

    @cached_property
    def countries(self) -> Mapping[int, tuple[int, int]]:
        """Settlement → the one country of today in which it lies, and the statement that says so."""
        material = self.material
        return country.settlements(material.session, material.snapshot, material.world.containment)

    @cached_property
    def of_countries(self) -> Mapping[int, frozenset[int]]:
        """Person or thing → the countries that it is stated to be of, at any rank."""
        c, found = statement.c, defaultdict(set)
        query = select(c.s, c.o).where(
            c.snapshot == self.material.snapshot, c.p.in_(wd.OF_COUNTRIES), c.o.is_not(None)
        )  # fmt: skip
        for s, o in self.material.session.execute(query):
            found[s].add(o)
        return {s: frozenset(of) for s, of in found.items()}

    @cached_property
    def headed(self) -> Mapping[int, frozenset[int]]:
        """Person → the countries at whose head they are stated to have been, at any rank."""
        c, found = statement.c, defaultdict(set)
        query = select(c.s, c.o).where(
            c.snapshot == self.material.snapshot, c.p.in_(wd.HEADED), c.o.is_not(None)
        )  # fmt: skip
        for s, o in self.material.session.execute(query):
            found[o].add(s)
        return {o: frozenset(of) for o, of in found.items()}

    @cached_property
    def pronouns(self) -> Mapping[int, str]:
        """The pronoun of those of whom one sex is stated that has one (`open.pronouns`)."""
        c, words, found = statement.c, self.wordings.pronouns, defaultdict(set)
        query = select(c.s, c.o).where(c.snapshot == self.material.snapshot, c.p == wd.SEX, c.o.is_not(None))
        for s, o in self.material.session.execute(query):
            found[s].add(o)
        return {s: words[o] for s, several in found.items() if len(several) == 1 for o in several if o in words}

    @cached_property
    def asked(self) -> AskedSlots:
        """What the month asks with yes and no."""
        case = benchmark_case.c
        query = select(case.fact).where(case.snapshot == self.material.snapshot, case.suite.in_(HEADLINE))
        return AskedSlots.of(self.material.session.scalars(query))

    def ordered(self, several: Iterable[int], *key: object, first: Collection[int] = ()) -> list[int]:
        """Items in a seeded order that others which come or go do not change, those in `first` before the others."""
        return sorted(several, key=lambda qid: (qid not in first, drawn(self.seed, "open", *key, qid)))

    def statements(self, sids: Iterable[int]) -> dict[int, Premise]:
        """Statements by id."""
        return premises_of(self.material.session, self.material.snapshot, set(sids))

    def told(self, premise: Premise, pattern: str) -> Told:
        """A statement as evidence: in the lexicon's words for it, else in those of the question.

        Args:
            premise: the statement.
            pattern: with {s} and {o} or {on}.
        """
        if premise.sid not in self._told:
            item = premise_item(premise, self.index, self.material.lexicon)
            self._told[premise.sid] = self._own(premise, pattern) if isinstance(item, Unasked) else item
        return self._told[premise.sid]

    def _own(self, premise: Premise, pattern: str) -> Told:
        s = spoken(self.index, premise.s)
        other: Named | str
        if premise.kind == "time":
            assert premise.earliest is not None
            assert premise.precision is not None
            date = Date(premise.earliest, premise.precision, is_julian(premise.julian, premise.p))
            other, value = date_text(date), {"date": iso_date(date), "precision": premise.precision}
        elif premise.amount is not None:
            other = amount_text(premise.amount)
            value = {"amount": other}
        else:
            assert premise.o is not None
            other, value = spoken(self.index, premise.o), {"qid": premise.o, "label": self.index.namer.plain(premise.o)}
        names = {"s": s, "on" if premise.kind == "time" else "o": other}
        return {
            "sid": premise.sid,
            "guid": premise.guid,
            "subject": {"qid": premise.s, "label": self.index.namer.plain(premise.s)},
            "property": premise.p,
            "relation": re.sub(r"\s+", " ", SLOT.sub("", pattern)).strip(" ."),
            "object": value,
            "sentence": said(pattern, **names),
        }

    def domain(self, *items: int) -> str:
        """Of the first of these that has one; empty: none has."""
        return next((self.index.domains[qid] for qid in items if qid in self.index.domains), "")


def said(pattern: str, **names: Named | str) -> str:
    """A pattern filled, its verb agreeing with a plural name beside it."""
    return fill(agreeing(pattern, **names) or pattern, **names)
