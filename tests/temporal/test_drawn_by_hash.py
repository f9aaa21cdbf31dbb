"""What leaves a source takes its own formulas along and redraws hardly any other (semantics.md, amendment A7)."""

from datetime import date

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.generate import TemporalConfig, generate
from halluvault_tasks.temporal.history import load
from halluvault_tasks.temporal.units import Granularity


@pytest.mark.parametrize("every", [200])
def test_of_formulas_about_what_stayed_nearly_all_stay(
    session: Session, sample_snapshot: str, engine: Engine, every: int
) -> None:
    whole = load(session, sample_snapshot, date(2026, 10, 1), Granularity.YEAR, 12)
    gone = set(sorted(whole.atoms)[::every])
    left = whole._replace(atoms={name: atom for name, atom in whole.atoms.items() if name not in gone})
    config = TemporalConfig(count=600)
    before, after = (
        {(f.text(query.formula), query.at, query.truth) for query in generate(history, engine, config).queries}
        for history in (whole, left)
    )
    untouched = {one for one in before if gone.isdisjoint(one[0].replace("(", " ").replace(")", " ").split())}
    assert len(untouched) > 200
    # Where a cell has more than it needs, what waited takes the free place.
    assert len(untouched & after) >= 0.99 * len(untouched)
