"""What is denied of events of which a source states one day."""

from datetime import date

from sqlalchemy.orm import Session

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal.generate import TemporalConfig, generate
from halluvault_tasks.temporal.history import load
from halluvault_tasks.temporal.kinds import BIRTH, EVENT
from halluvault_tasks.temporal.sets import contains
from halluvault_tasks.temporal.units import Granularity


def test_nothing_is_denied_of_the_year_next_to_an_events_date(
    session: Session, sample_snapshot: str, engine: Engine
) -> None:
    """Of a battle's days sources state one, its first or its last. Here births of the sample stand for battles."""
    whole = load(session, sample_snapshot, date(2026, 10, 1), Granularity.YEAR, 12)
    events = {name: atom._replace(kind=EVENT) for name, atom in whole.atoms.items() if atom.kind is BIRTH}
    queries = generate(whole._replace(atoms=events), engine, TemporalConfig(count=200)).queries
    denied = [query for query in queries if not query.truth]
    assert len(denied) > 40
    near = [one for one in denied if any(contains(one.sets.possible, one.at + beside) for beside in (-1, 0, 1))]
    assert near == []
