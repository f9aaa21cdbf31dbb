"""Foils, false facts beside true ones: one module for each way to draw them, and the one list of ways.

Foils are drawn when somebody asks for them, since all exchanges of all facts are too many.

A further way is a module here and its object in `WAYS`. Beside facts of a kind that draws it names that kind
(`base.WayBesideDrawn`), whose file in prolog_rules/proofs decides the foil as well; what asks the kind draws it. Beside
derived facts it brings the clauses that refute (`base.WayBesideDerived`), and the suite relation draws it by itself
(`benchmark.suites.relation.exchanges`). Either way `decided_by` must leave to each way before it what is its own.
"""

from typing import Any

from halluvault_tasks.reasoning.foils.base import FactT, Foil, Way, WayOfNear
from halluvault_tasks.reasoning.foils.exchanged import Exchanged
from halluvault_tasks.reasoning.foils.exchanged_inverse import ExchangedInverse
from halluvault_tasks.reasoning.foils.exchanged_number import ExchangedAge, ExchangedAmount, ExchangedYear
from halluvault_tasks.reasoning.foils.last_step import LastStep
from halluvault_tasks.reasoning.foils.listed import Unlisted
from halluvault_tasks.reasoning.foils.measured import NearValue
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.foils.other_country import OtherCountry
from halluvault_tasks.reasoning.foils.outside import Outside
from halluvault_tasks.reasoning.foils.outside_area import OutsideArea
from halluvault_tasks.reasoning.foils.turned_round import TurnedRound
from halluvault_tasks.reasoning.foils.two_makers import TwoMakers
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact

LISTED, MEASURED = Unlisted(), NearValue()

NEAR: tuple[WayOfNear, ...] = (LISTED, MEASURED, LastStep(MEASURED))
"""Ways that say themselves whose values are near, the strongest licence first: each takes what those before it left."""

WAYS: tuple[Way[Any], ...] = (
    Exchanged(),
    ExchangedInverse(),
    Outside(),
    OutsideArea(),
    ExchangedYear(),
    ExchangedAge(),
    ExchangedAmount(),
    OtherCountry(),
    TurnedRound(),
    TwoMakers(),
    *NEAR,
)
"""Every way; beside a fact the first that applies is taken."""


def decided_by(known: Neighbourhood, true: DerivedFact | DrawnFact) -> int:
    """The property whose one value decides a fact; 0: no foil can be drawn beside it."""
    rule = known.rules[true.rule]
    return next((p for way in WAYS if (p := way.decided_by(rule, known))), 0)


def proved(known: Neighbourhood, true: DerivedFact | DrawnFact) -> bool:
    """Whether what is drawn beside a fact is shown to be false, not measured or of no list."""
    way = _way(known, true)
    return way is not None and way not in NEAR


def draw(known: Neighbourhood, true: FactT, other: FactT) -> Foil | Refusal:
    """The foil beside a true fact that has the value of another one, or why there is none."""
    if way := _way(known, true):
        return way.draw(true, other, known)
    return Refusal("no way", f"no foil is drawn beside facts of {known.rules[true.rule].name}")


def _way(known: Neighbourhood, true: DerivedFact | DrawnFact) -> Way[Any] | None:
    rule = known.rules[true.rule]
    return next((way for way in WAYS if way.decided_by(rule, known)), None)
