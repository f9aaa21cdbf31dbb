"""True and false steps over the years that a response tells, and dates moved on purpose."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.local.personas.fault_kinds import asked_window, some_years
from halluvault_tasks.temporal.parsing import parse
from studies.oracle import timeline
from studies.oracle.facts import Case, Premise
from studies.oracle.planned import Step, Told
from studies.oracle.shapes import DATED, Material
from studies.oracle.wrong import PUBLISHED, denied_date

_LAST_YEAR = 2020


def asked_years(case: Case) -> tuple[int, int]:
    """First and last year of the question's first window, or the year asked about twice."""
    if window := asked_window(case.formula, case.at):
        return window
    year = case.at + case.formula.count("N ")
    return year, year


def _years(told: Sequence[Told]) -> list[int]:
    return sorted({claim.date.year for claim in told if claim.date and claim.date.year > 0})


def true_step(m: Material) -> Step | None:
    """A true step over the premises' years, where there are years."""
    return _step(m, m.premises, true=True) if m.shape in DATED else None


def false_step(m: Material, told: Sequence[Told]) -> Step | None:
    """A step that the told years or arithmetic refute."""
    return _step(m, told, true=False) if m.shape in DATED else None


def _step(m: Material, told: Sequence[Told], *, true: bool) -> Step | None:
    years = _years(told)
    first, last = asked_years(m.case) if m.shape == "temporal" else (0, 0)
    if not years or (m.shape == "temporal" and first <= 0):
        return None
    options: list[Step] = []
    pairs = [(a, b) for a in years for b in [*years, first, last] if a != b and b > 0]
    options += [Step("order", pair, holds=(pair[0] < pair[1]) == true) for pair in pairs]
    if last > first:
        options += [Step("inside", (year, first, last), (first <= year <= last) == true) for year in years]
    if len(years) > 1:
        gap = years[-1] - years[0]
        options.append(Step("count", (years[0], years[-1], gap if true else gap + m.random.choice((7, 11, 20)))))
    return m.random.choice(options) if options else None


class Moved(NamedTuple):
    """Premises with one date moved, and whether the base proposition would then be true."""

    told: list[Told]
    truth: bool
    licensed: bool
    """Whether the snapshot shows the moved date to be false."""


def moved_dates(m: Material) -> list[Moved]:
    """Every way to move one date by some years that the definition of the operators can decide."""
    if m.shape not in DATED or any(premise.date and premise.date.year <= 0 for premise in m.case.premises):
        return []
    if _truth(m.case, m.case.premises) is not m.case.truth:
        return []
    found = []
    for position, premise in enumerate(m.case.premises):
        assert premise.date is not None
        if len(m.facts.dates.get((premise.subject.qid, premise.property), ())) != 1:
            continue
        near = some_years(m.random, 4, 30)
        aimed = _aim(m.case, position) - premise.date.year
        for years in dict.fromkeys((near, -near, aimed, aimed + 40, aimed - 40, 60, -60)):
            changed = _with_date(m.case.premises, position, years)
            if abs(years) < 4 or changed is None or is_asked(changed, m.case):
                continue
            if premise.property == PUBLISHED and years < 0:
                continue  # false where the description gives the year, which whoever plans does not know
            truth = _truth(m.case, changed)
            if truth is not None:
                told = [Told(each.subject, each.property, date=each.date) for each in changed]
                denied = denied_date(m.facts, premise.subject.qid, premise.property, years)
                found.append(Moved(told, truth, denied))
    return found


def _truth(case: Case, premises: Sequence[Premise]) -> bool | None:
    """Whether the base proposition holds by these dates; None where years do not decide it or a span is upside down."""
    if case.rule.startswith("order:"):
        first, second = (premise.date.year if premise.date else 0 for premise in premises)
        return None if first == second else first < second
    formula = parse(case.formula)
    spans = timeline.spans(formula, premises)
    if spans is None or any(start > end for start, end in spans.values()):
        return None
    return timeline.holds(formula, case.at, spans)


def _aim(case: Case, position: int) -> int:
    """A year near which a moved date may change the answer."""
    if case.rule.startswith("order:"):
        other = case.premises[1 - position].date
        return other.year if other else 0
    first, last = asked_years(case)
    return (first + last) // 2


def is_asked(premises: Sequence[Premise], case: Case) -> bool:
    """Whether the one date told is the year asked about, so that it would be the conclusion and no premise."""
    first, last = asked_years(case)
    only = premises[0].date
    return len(premises) == 1 and only is not None and not only.month and first == last == only.year


def _with_date(premises: Sequence[Premise], position: int, years: int) -> list[Premise] | None:
    moved = premises[position]
    assert moved.date is not None
    date = moved.date.moved(years)
    if not 1 <= date.year <= _LAST_YEAR:
        return None
    return [each._replace(date=date) if number == position else each for number, each in enumerate(premises)]
