"""Replays of temporal cases: every kind of closed atom takes the dates that a response gives."""

from datetime import date
from types import SimpleNamespace

import pytest

from halluvault_tasks.oracles import asked, timed_replay
from halluvault_tasks.oracles.timed_replay import DatedPremise
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading.base import Claim, ClaimTriple, DateInterval, TextSpan
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.kinds import KINDS, AtomKind
from halluvault_tasks.temporal.timed import Cutoff, Point, Row, timed
from halluvault_tasks.temporal.timed import Span as Lasting
from halluvault_tasks.temporal.units import Granularity

WHO = 7


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine([REPOSITORY / "prolog_rules" / "mtl_run.pl"])


def case(name: str, at: int) -> asked.CaseToJudge:
    fact = {"kind": "atom", "formula": name, "at": at, "granularity": "year", "truth": True}
    columns = {"id": "c", "question": "?", "gold": "yes", "relation": "same", "mutation": "original", "group_id": "g"}
    return asked.case_of(SimpleNamespace(**columns, fact=fact, premises=[], rule_kind="atom", subject=WHO))


def said(p: int, year: int) -> DatedPremise:
    days, triple = DateInterval(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal(), 9), ClaimTriple(p, WHO, 0)
    return DatedPremise(Claim(TextSpan(0, 1), 0, (triple,), "", "", False, (), ("syntax",), days), triple)


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.dates], ids=lambda kind: kind.name)
def test_the_dates_of_a_response_stand_in_place_of_the_known_ones(engine: Engine, kind: AtomKind) -> None:
    known: Row = Lasting(1900, 1900, 1910, 1910) if kind.lasts else Point(1900, 1900)
    name = kind.of(WHO)
    atom = HistoryAtom(timed(name, (known,)), kind, WHO, None, (1, 2), "people")
    history = History({name: atom}, Cutoff(2020, 2020), Granularity.YEAR)
    told = [said(p, 1950 + 5 * number) for number, p in enumerate(kind.dates)]
    items = [(case(name, at), told) for at in (1900, 1950)] + [(case(name, 1900), [])]
    found = timed_replay.replay(engine, history, items)
    assert [(one.own, one.fill) for one in found] == [("no", "no"), ("yes", "yes"), ("undetermined", "yes")]
