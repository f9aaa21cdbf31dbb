"""Completeness and expected falsehoods on statements that nobody here wrote: real relations, and negatives that people
checked, with a share of the statements hidden."""

from pathlib import Path

import pytest
from reasoning_worlds import RULES_FILE
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import completeness, stages
from halluvault_tasks.statistics.shares import wilson
from tests.reasoning.test_codex import KEY, load, numbers

HIDDEN = 0.3


@pytest.fixture(scope="module")
def codex(shared_data: Path) -> Path:
    return shared_data / "wikidata-codex-s"


def test_hiding_shows_how_complete_a_relation_is_and_at_most_how_many_claims_about_it_are_false(
    session: Session, codex: Path
) -> None:
    load(session, codex)
    stages.type_rules(session, KEY, rules_file=RULES_FILE)
    before = completeness.of_snapshot(session, KEY).recorded
    session.execute(text("CREATE TABLE truth AS SELECT DISTINCT p, s, o FROM statement WHERE o IS NOT NULL"))
    session.execute(
        text(
            "DELETE FROM statement WHERE snapshot = :key AND ('x' || left(md5('1:' || guid), 8))::bit(32)::bigint"
            " < :share * 4294967296"
        ),
        {"key": KEY, "share": HIDDEN},
    )
    session.commit()
    stages.type_rules(session, KEY, rules_file=RULES_FILE)
    after, back = completeness.of_snapshot(session, KEY)
    symmetric = sorted(p for p in after if back.get(p) == (p,))
    for p in symmetric:
        low, high = wilson(after[p].hits / after[p].of, after[p].of / 2)  # a pair is seen from both ends
        assert low <= before[p].hits / before[p].of * (1 - HIDDEN) <= high, p

    # An upper estimate: some relations are stated from one end only, others from both, and what is stated from both is
    # missed less often together than two ends that know nothing of each other.
    wrong = [(s, p, o) for s, p, o in numbers(codex / "negatives.tsv") if p in symmetric]
    found = [one for one in completeness.audited(session, KEY, wrong) if one.p in symmetric]
    false = sum(one.false for one in found)
    expected = [one.expected for one in found if one.expected]
    assert false > 200
    assert sum(one.value for one in expected) <= 1.3 * false
    for one in found:
        assert one.expected is None or one.false <= one.expected.high, one
