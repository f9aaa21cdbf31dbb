"""Seeded random queries over a history: decided, balanced, near the edges, and expressible in English.

Every formula kept gives two queries, one that holds and one that does not, at time points near an edge of its interval
sets if possible. So yes and no are equally frequent for every operator, domain, subject and object, and a formula that
holds everywhere or nowhere in the window of history is never asked. Only certain points are a yes and only impossible
ones a no, however the English is taken (`readings`); queries without an English wording (`verbalise`) are dropped.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import product
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import readings, story_forms
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Evaluated, Query, evaluate
from halluvault_tasks.temporal.sensible import Extent, sensible
from halluvault_tasks.temporal.sets import IntervalSet, contains, edges
from halluvault_tasks.temporal.shapes import DEEPEST, DEPTHS, Shapes
from halluvault_tasks.temporal.timed import RECORDING_LAG, Point
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.temporal.verbalise import Phrase, question

ATOM = "atom"
"""Stands for a query without operator where operators are counted."""

_TRIES = (
    4  # formulas made for each one wanted, and more with depth: some hold nowhere or everywhere, some are undecided
)
_NEAR = 3  # units from an edge that count as a near miss
_FAR = 10
_NEAR_SHARE = 0.7

_CLOSE = 3
"""Days beside the possible ones on which a birth or death is not asked as false: many are stated a day or two off."""

_LOOSE = 10  # what lasted this many years is dated one year more loosely: the American Indian Wars, 1609 to 1924


class TemporalConfig(BaseModel):
    """How many temporal facts a snapshot gets, and of which shape."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int = Field(default=10000, ge=0)
    """Facts wanted, half of them true; shared equally among domains and by `operators` within each."""
    depth: int = Field(default=3, ge=0, le=DEEPEST)
    """Deepest nesting; with 0 only events and states themselves are asked about."""
    nesting: dict[int, float] = Field(default_factory=lambda: {1: 0.55, 2: 0.30, 3: 0.10, 4: 0.05})
    """Weight of each depth among an operator's facts, within `depth` and its shapes (`shapes.DEPTHS`)."""
    seed: int = 20260101
    granularity: Granularity = Granularity.YEAR
    """Unit of time in which windows count and questions name times."""
    months: float = Field(default=0.25, ge=0, le=1)
    """Facts by the month for each fact by the year, about lives (`by`)."""
    days: float = Field(default=0.1, ge=0, le=1)
    """The same by the day, about births and deaths."""
    stories: float = Field(default=0.05, ge=0, le=1)
    """Facts about several events of one story (`stories`), of each form and kind of event, for each one by the year."""
    lag_months: int = Field(default=RECORDING_LAG, ge=0)
    """Recording lag: no "No" depends on this many months before `as_of`."""
    known: int = Field(default=400, ge=1)
    """Most events or states of a kind in each domain, the best known ones."""
    operators: dict[str, float] = Field(
        default_factory=lambda: dict.fromkeys((*f.OPERATORS, ATOM), 1.0), description="weight of each main operator"
    )

    @property
    def of_stories(self) -> int:
        """Most facts about several events, of each form and kind of event: by the year alone, none without nesting."""
        return int(self.count * self.stories) if self.granularity is Granularity.YEAR and self.depth > 1 else 0

    def by(self, unit: Granularity) -> "TemporalConfig":
        """What the facts by a unit are made by; beside facts by the year there are some by the month and by the day.

        A month or a day is asked about by itself: strangers found windows from one month to another arbitrary.
        """
        if unit is self.granularity:
            return self
        shares = {Granularity.MONTH: self.months, Granularity.DAY: self.days}
        count = int(self.count * shares.get(unit, 0.0)) if self.granularity is Granularity.YEAR else 0
        about_one_unit = ("!", ATOM) if unit is Granularity.DAY else ("N", "!", ATOM)
        operators = {operator: self.operators.get(operator, 0.0) for operator in about_one_unit}
        shape = {"depth": min(self.depth, 2), "nesting": {1: 1.0}, "operators": operators}
        return self.model_copy(update={"granularity": unit, "count": count} | shape)


class GeneratedQuery(NamedTuple):
    """A decided query."""

    formula: f.Formula
    at: int
    truth: bool
    sets: Evaluated
    shown_by: tuple[str, ...] = ()
    """The terms of others on which a no rests."""


class Batch(NamedTuple):
    """What was generated.

    Args:
        queries: in order of domain, operator and discovery; pairs of a true and a false one.
        candidates: formulas tried.
        shortfall: queries missing by main operator, where the history did not carry more.
    """

    queries: list[GeneratedQuery]
    candidates: int
    shortfall: dict[str, int]


class _Guard(NamedTuple):
    """Until is asked only where its left side holds at its own t (semantics.md §2.7)."""

    formula: f.Formula
    offset: int


class _Held(NamedTuple):
    """Where a guard's formula certainly holds."""

    certain: IntervalSet
    offset: int


class _Sets(NamedTuple):
    """A formula's sets, those of its other readings, and what has to hold beside it.

    Attributes:
        century: of a window that is a decade, the sets of the whole century from its beginning on.
    """

    own: Evaluated
    others: Sequence[Evaluated]
    held: Sequence[_Held]
    century: Evaluated | None

    def read_at(self, formula: f.Formula, at: int) -> Sequence[Evaluated]:
        """The sets of every reading of the query at a unit."""
        # "The 2000s" may be a century: what happened since is neither surely within them nor outside of them.
        wider = [self.century] if self.century and readings.may_be_a_century(formula, at) else []
        return (self.own, *self.others, *wider)


class _Cell(NamedTuple):
    """What is counted against a quota."""

    domain: str
    operator: str
    depth: int


class _Candidate(NamedTuple):
    cell: _Cell
    formula: f.Formula


Shares = Mapping[str, Mapping[int, int]]
"""Pairs wanted of each operator in each domain, by depth."""


class _Selection:
    """The pairs of a true and a false query that were taken, and those in reserve for what a depth does not carry."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self._chosen: dict[_Cell, list[GeneratedQuery]] = defaultdict(list)
        self._spare: dict[tuple[str, str], list[tuple[_Cell, list[GeneratedQuery]]]] = defaultdict(list)

    def _is_full(self, cell: _Cell) -> bool:
        return len(self._chosen[cell]) >= 2 * self._shares[cell.operator].get(cell.depth, 0)

    def wants(self, cell: _Cell) -> bool:
        """Whether another candidate is looked at."""
        reserve = self._spare[cell.domain, cell.operator]
        return not self._is_full(cell) or len(reserve) < sum(self._shares[cell.operator].values())

    def add(self, cell: _Cell, pair: list[GeneratedQuery]) -> None:
        """Take a pair, which is empty where the candidate has none."""
        if self._is_full(cell):
            self._spare[cell.domain, cell.operator].append((cell, pair))
        else:
            self._chosen[cell] += pair

    def fill(self, domain: str, operator: str) -> int:
        """Let an operator's other depths make up for what one does not carry; gives the pairs still missing."""
        by_depth = self._shares[operator]
        taken = sum(len(self._chosen[_Cell(domain, operator, depth)]) // 2 for depth in by_depth)
        missing = sum(by_depth.values()) - taken
        for cell, pair in self._spare[domain, operator]:
            if missing and pair:
                self._chosen[cell] += pair
                missing -= 1
        return missing

    def queries(self, domains: Sequence[str]) -> list[GeneratedQuery]:
        """All that were taken, by domain, operator and depth."""
        return [
            query
            for domain in domains
            for operator in self._shares
            for depth in range(DEEPEST + 1)
            for query in self._chosen[_Cell(domain, operator, depth)]
        ]


Asked = Mapping[str, Collection[int]]
"""Formulas that were asked before, as text, each with its times."""


def generate(
    history: History, engine: Engine, config: TemporalConfig, links: Links | None = None, before: Asked | None = None
) -> Batch:
    """Make queries over a history. The same history and config give the same queries in the same order.

    Args:
        history: the atoms.
        engine: with the interval library.
        config: how many, of which shape.
        links: which things belong together, so that two of a formula are of one story; None: any two may meet.
        before: what was asked before comes first, at the same times where its answers are what they were.
    """
    before = before or {}
    domains = sorted({atom.domain for atom in history.atoms.values() if atom.domain is not None})
    shares = {operator: pairs for operator in (*f.OPERATORS, ATOM) if (pairs := _pairs(operator, len(domains), config))}
    again = list(_again(history, before, shares))
    fresh = _candidates(history, domains, shares, config.seed, links)
    candidates = again + [one for one in fresh if f.text(one.formula) not in before]
    phrases = {name: _stand_in(atom) for name, atom in history.atoms.items()}
    selection = _Selection(shares)
    for candidate, sets in _evaluated(candidates, history, engine):
        if selection.wants(candidate.cell):
            at = before.get(f.text(candidate.formula), ())
            selection.add(candidate.cell, _pair(candidate.formula, sets, phrases, history, config.seed, at))
    shortfall: Counter[str] = Counter()
    for domain in domains:
        for operator in shares:
            shortfall[operator] += 2 * selection.fill(domain, operator)
    missing = {operator: count for operator, count in shortfall.items() if count}
    return Batch(selection.queries(domains), len(candidates), missing)


def _candidates(
    history: History, domains: Sequence[str], shares: Shares, seed: int, links: Links | None
) -> Iterator[_Candidate]:
    """Formulas to choose from, each once, more of them than are wanted.

    A formula is drawn for an atom by what that is, and its place among the others is its own hash: what leaves the
    source takes its formulas along and changes no other.
    """
    made: set[str] = set()
    shapes = Shapes(history, links, seed)
    for domain, (operator, by_depth) in product(domains, shares.items()):
        names = shapes.names(domain)
        for depth, wanted in by_depth.items():
            for name, turn in _in_turn(names, wanted * (_TRIES + 2 * depth), (seed, operator, depth)):
                rng = random.Random(f"{seed}:{operator}:{depth}:{name}:{turn}")
                formula = shapes.make("" if operator == ATOM else operator, name, depth, rng)
                if formula is not None and (text := f.text(formula)) not in made:
                    made.add(text)
                    yield _Candidate(_Cell(domain, operator, formula.depth), formula)


def _in_turn(names: Sequence[str], number: int, key: tuple[object, ...]) -> Iterator[tuple[str, int]]:
    """So many names, each as often as another or once more, in an order of their own, with which turn it is."""
    turn = 0
    while names and number > 0:
        first = nsmallest(number, names, key=lambda name: drawn(0, *key, turn, name))
        yield from ((name, turn) for name in first)
        number -= len(first)
        turn += 1


def _again(history: History, before: Asked, shares: Shares) -> Iterator[_Candidate]:
    """What was asked before, of the events and states that there still are."""
    for text in sorted(before):
        formula = parse(text)
        names = f.atoms(formula)
        operator = f.symbol(formula) or ATOM
        told = story_forms.read(formula) is not None  # it names no time, and is drawn by itself (`stories`)
        if told or not history.atoms.keys() >= set(names) or operator not in shares:
            continue
        if domain := history.atoms[names[0]].domain:
            yield _Candidate(_Cell(domain, operator, formula.depth), formula)


def _pairs(operator: str, domains: int, config: TemporalConfig) -> dict[int, int]:
    """Pairs of a true and a false fact wanted of an operator in each domain, by depth."""
    weights = {each: config.operators.get(each, 0.0) for each in (*f.OPERATORS, ATOM)}
    depths = [depth for depth in DEPTHS.get("" if operator == ATOM else operator, ()) if depth <= config.depth]
    if not weights[operator] or not domains or not config.count or not depths:
        return {}
    total = max(1, round(config.count / 2 * weights[operator] / sum(weights.values()) / domains))
    weighed = {depth: config.nesting.get(depth, 0.0) for depth in depths}
    if not sum(weighed.values()):
        weighed = {depths[0]: 1.0}
    # Rounded cumulatively, so that the parts add up to the whole.
    parts, before, so_far = {}, 0, 0.0
    for depth, weight in weighed.items():
        so_far += weight
        upto = round(total * so_far / sum(weighed.values()))
        parts[depth], before = upto - before, upto
    return parts


class _Beside(NamedTuple):
    """What has to be known beside a candidate's own sets."""

    guards: Sequence[_Guard]
    century: f.Formula | None
    others: Sequence[f.Formula]

    @property
    def formulas(self) -> Iterator[f.Formula]:
        yield from (guard.formula for guard in self.guards)
        yield from () if self.century is None else (self.century,)
        yield from self.others


def _evaluated(
    candidates: Sequence[_Candidate], history: History, engine: Engine
) -> Iterator[tuple[_Candidate, _Sets]]:
    """Each candidate with its sets, in order; not those of which some reading has no formula."""
    filled = readings.filling(history.timed)
    read: list[tuple[_Candidate, _Beside]] = []
    for candidate in candidates:
        if (others := readings.others(candidate.formula, filled)) is not None:
            guards = tuple(_guards(candidate.formula))
            read.append((candidate, _Beside(guards, readings.century(candidate.formula), others)))
    queries = (Query(formula) for candidate, beside in read for formula in (candidate.formula, *beside.formulas))
    answers = evaluate(engine, queries, history.timed | {state.name: state for state in filled.values()})
    for candidate, beside in read:
        own = next(answers)
        held = [_Held(next(answers).certain, guard.offset) for guard in beside.guards]
        century = None if beside.century is None else next(answers)
        yield candidate, _Sets(own, [next(answers) for _ in beside.others], held, century)


def _pair(
    formula: f.Formula,
    sets: _Sets,
    phrases: Mapping[str, Phrase],
    history: History,
    seed: int,
    first: Collection[int] = (),
) -> list[GeneratedQuery]:
    """A query that holds and one that does not, however read; none where only one of them can be said."""
    atoms = [history.atoms[name] for name in f.atoms(formula)]
    states = {atom.timed.name: extent for atom in atoms if (extent := _extent(atom)) is not None}
    points = [*sorted(first), *_points(formula, sets.own, history, random.Random(f"{seed}:at:{f.text(formula)}"))]

    def asked(at: int) -> bool:
        return (
            all(contains(guard.certain, at + guard.offset) for guard in sets.held)
            and question(formula, at, phrases, history.granularity) is not None
            and sensible(formula, at, states)
        )

    def holds(at: int) -> bool:
        units = range(at - off, at + off + 1)
        return all(contains(each.certain, unit) for each in sets.read_at(formula, at) for unit in units)

    def fails(at: int) -> bool:
        units = range(at - beside, at + beside + 1)
        return not any(contains(each.possible, unit) for each in sets.read_at(formula, at) for unit in units)

    off = max(_margin(atom, history.granularity) for atom in atoms)
    of_days = history.granularity is Granularity.DAY and all(Granularity.DAY in atom.kind.agreed for atom in atoms)
    beside = max(off, _CLOSE if of_days else 0, *(atom.kind.around for atom in atoms))
    # What holds is looked up, what can be said is tried: in this order few points are tried.
    yes = next(filter(asked, filter(holds, points)), None)
    no = None if yes is None else next(filter(asked, filter(fails, points)), None)
    if yes is None or no is None:
        return []
    return [GeneratedQuery(formula, yes, True, sets.own), GeneratedQuery(formula, no, False, sets.own)]


def _margin(atom: HistoryAtom, unit: Granularity) -> int:
    extent = _extent(atom) if atom.kind.looser_with_length and unit is Granularity.YEAR else None
    lasted = extent.e2 - extent.s1 if extent and extent.s1 is not None and extent.e2 is not None else 0
    return atom.kind.margin + lasted // _LOOSE


def _guards(formula: f.Formula, offset: int = 0) -> Iterator[_Guard]:
    match formula:
        case f.Until():
            yield _Guard(formula.left, offset)
        case f.Next():
            yield from _guards(formula.arg, offset + 1)
        case f.Not() | f.And() | f.Or():
            for child in f.children(formula):
                yield from _guards(child, offset)
        case _:
            pass


def _points(formula: f.Formula, sets: Evaluated, history: History, rng: random.Random) -> list[int]:
    """Time points in random order, mostly near misses; none names a unit after what is complete at `as_of`."""
    ends = sorted({*edges(sets.certain), *edges(sets.possible)})
    latest = history.limit.complete - max(0, f.horizon(formula)[1])
    near = sorted({end + step for end in ends for step in range(-_NEAR, _NEAR + 1)})
    far = sorted({end + step for end in ends for step in range(-_FAR, _FAR + 1)} - set(near))
    rng.shuffle(near)
    rng.shuffle(far)
    points = near + far if rng.random() < _NEAR_SHARE else far + near
    return [point for point in points if point <= latest]


def _extent(atom: HistoryAtom) -> Extent | None:
    """When a state of one term held; of several terms nothing, so that they are not asked about. None: no state."""
    row = atom.timed.rows[0]
    if not atom.kind.lasts or isinstance(row, Point):
        return None
    return Extent(atom.kind, *row) if len(atom.timed.rows) == 1 else Extent(atom.kind, None, None, None, None)


def _stand_in(atom: HistoryAtom) -> Phrase:
    """A phrase of the atom's kind, for asking whether a formula can be said at all."""
    point = not atom.kind.lasts or all(isinstance(row, Point) for row in atom.timed.rows)
    return Phrase(atom.timed.name, f"was {atom.kind.name}", "Was", atom.kind.name, point)
