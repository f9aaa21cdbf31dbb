"""Cases about one of two things of a like name; what is true of the other is licensed to be false of the one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.wordable import fitting
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.reasoning.foils import beside_statement
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.sole_values import certain_year
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold
from halluvault_tasks.wikidata.times import DAY

_IN_A_YEAR = " in {o}?"
_LEAST_LETTERS = 4


class NamedValue(NamedTuple):
    """One value of a thing, an item or a year.

    Attributes:
        plain: its name without a description.
        name: one that tells it from others.
        shown: the value in words.
    """

    s: int
    p: int
    o: int
    plain: str
    name: str
    shown: str
    ask: str
    premise: Mapping[str, Any]
    year: bool


def near_duplicate(ground: Ground) -> Drafts:
    """A value of one of two things of a like name, and the most alike of which the other's value is ruled out."""
    every = [*_values(ground), *_years(ground)]
    ground.random("near-duplicate").shuffle(every)  # only some drafts of a large month are looked at: of each property
    rare = ground.rare({one.s for one in every})
    by: dict[tuple[int, str], list[NamedValue]] = defaultdict(list)
    for one in every:
        for word in _words(one.plain):
            by[one.p, word].append(one)
    for one in every:
        near = {other.s: other for word in sorted(_words(one.plain)) for other in by[one.p, word]}
        alike = [other for other in near.values() if other.s != one.s and likeness(one.plain, other.plain) >= 0.5]
        for other in sorted(alike, key=lambda each: (-likeness(one.plain, each.plain, 1), each.s)):
            foil = _foil(ground, one, other)
            if not isinstance(foil, Refusal):
                yield _draft(ground, one, other, foil, rare=one.s in rare)
                break


def likeness(one: str, other: str, letters: int = _LEAST_LETTERS) -> float:
    """Share of the shorter name's words, of so many letters at least, that the other name has, too: 0 to 1."""
    mine, theirs = _words(one, letters), _words(other, letters)
    return len(mine & theirs) / (min(len(mine), len(theirs)) or 1)


def _words(name: str, letters: int = _LEAST_LETTERS) -> frozenset[str]:
    return frozenset(word for word in fold(name).replace(",", " ").split() if len(word) >= letters)


def _values(ground: Ground) -> Iterator[NamedValue]:
    for one in ground.stated:
        plain = ground.material.index.namer.plain(one.s)
        yield NamedValue(one.s, one.p, one.o, plain, one.name.rstrip(","), one.value, one.ask, one.premise, False)


def _years(ground: Ground) -> Iterator[NamedValue]:
    """Years of settled slots, as far as the lexicon has a question about them."""
    index, world = ground.material.index, ground.material.world
    for p, entries in sorted(ground.material.lexicon.years.items()):
        years = {s: year for s in ground.drawn(p) if (year := certain_year(world, p, s)) is not None}
        told = worded(ground.material, list(years))
        for s, year in years.items():
            named = index.namer.undated(s)
            dated = [one for one in told.get(s, ()) if one["property"] == p]
            if len(dated) != 1 or not (p in wd.WHOLE_YEARS or dated[0]["object"]["precision"] >= DAY):
                continue
            entry = fitting(entries, s, None, index)
            question = entry.past.question if entry is not None and entry.past is not None else ""
            if named.name and not dates_itself(named) and question.endswith(_IN_A_YEAR):
                asked = question.removesuffix(_IN_A_YEAR).replace("{s}", named.name)
                ask = f"In which year {asked[:1].lower()}{asked[1:]}?"
                yield NamedValue(
                    s, p, year, index.namer.plain(s), named.name.rstrip(","), str(year), ask, dated[0], True
                )


def _foil(ground: Ground, one: NamedValue, other: NamedValue) -> StatementFoil | Refusal:
    """The one with the other's value, or why that may be right."""
    world = ground.material.world
    if one.year:
        return beside_statement.year(world, one.p, one.s, one.o, other.o)
    return beside_statement.item(world, one.p, one.s, other.o)


def _draft(ground: Ground, one: NamedValue, other: NamedValue, foil: StatementFoil, *, rare: bool) -> CaseDraft:
    right, wrong = ((one.shown,), (other.shown,)) if one.year else (
        ground.spellings(one.o, other.o), ground.spellings(other.o, one.o)
    )  # fmt: skip
    return CaseDraft(
        Inputs(prompt=f"{one.ask} (Not to be confused with {other.name}.) Answer in one sentence."), Constraints(),
        expecting("answer", right, wrong=(wrong,)), ("near-duplicate", "rare-entity") if rare else ("near-duplicate",),
        -ground.fame(one.s), one.s, one.p, None if one.year else one.o, (one.premise,), foil.why,
        (*proof.value(one.s, one.p, one.o, right[0]), *proof.apart(one.o, other.o)), foil,
    )  # fmt: skip
