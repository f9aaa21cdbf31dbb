"""Temporal questions replayed by the dates that a response gives, by the real Prolog."""

from collections.abc import Iterator
from datetime import date
from types import SimpleNamespace

import pytest

from halluvault_tasks.oracles import asked, timed_replay
from halluvault_tasks.oracles.timed_replay import Dated
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reading.base import Claim, Days, Span, Triple
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.timed import Point, Timed, cutoff
from halluvault_tasks.temporal.units import Granularity


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    yield Engine([REPOSITORY / "prolog_rules" / "mtl_run.pl"])


@pytest.mark.parametrize(("kind", "p"), [("birth", 569), ("death", 570), ("founding", 571), ("publication", 577)])
def test_an_event_that_one_statement_dates_is_filled_with_what_the_response_says(
    engine: Engine, kind: str, p: int
) -> None:
    limit = cutoff(date(2019, 8, 1), Granularity.YEAR, 12)
    atom = HistoryAtom(Timed(f"{kind}_Q1", (Point(1964, 1964),)), kind, 1, p, None, (1,), None)
    history = History({f"{kind}_Q1": atom}, limit, Granularity.YEAR)
    columns = {"id": "c", "question": "?", "gold": "yes", "relation": "same", "mutation": "original", "group_id": "g"}
    fact = {"kind": "F", "formula": f"F[0,9] {kind}_Q1", "at": 1960, "granularity": "year", "truth": True}
    case = asked.read(SimpleNamespace(**columns, fact=fact, premises=[], rule_kind="F", subject=1))
    first, last = (date(1954, month, day).toordinal() for month, day in ((1, 1), (12, 31)))
    claim = Claim(Span(0, 1), 0, (Triple(p, 1, 0),), "", "", False, (), ("syntax",), Days(first, last, 9))
    silent, speaking = timed_replay.replay(engine, history, [(case, []), (case, [Dated(claim, Triple(p, 1, 0))])])
    assert (silent.fill, speaking.fill, speaking.own) == ("yes", "no", "no")
