from collections.abc import Callable
from typing import Any

from reasoning_worlds import fill, rows_of, statement
from sqlalchemy.orm import Session

Derive = Callable[..., Any]


def test_each_kind_concludes_what_follows_and_nothing_else(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    fill(
        session,
        key,
        [
            statement(1, 26, 2),
            statement(3, 22, 1),
            statement(3, 25, 2),
            statement(4, 22, 3),
            statement(10, 131, 11),
            statement(11, 131, 12),
            statement(12, 131, 13),
            statement(3, 19, 10),
            statement(1, 19, 20),
            statement(20, 131, 21),
            statement(21, 131, 22),
        ],
        types={10: [515], 20: [515], 11: [6], 21: [6], 13: [6256], 22: [6256], 1: [5], 2: [5], 3: [5], 4: [5]},
    )
    counts = derive(key, shards=2)
    assert rows_of(session, key, "symmetric:P26") == {(2, 1)}
    assert rows_of(session, key, "inverse:P22:P40") == {(1, 3), (3, 4)}
    assert rows_of(session, key, "transitive:P131") == {(10, 12), (10, 13), (11, 13), (20, 22)}
    assert rows_of(session, key, "composite:P22/P22") == {(4, 1)}
    assert rows_of(session, key, "composite:P22/P25") == {(4, 2)}
    assert rows_of(session, key, "composite:P19/P131*") == {(3, 11), (3, 12), (3, 13), (1, 21), (1, 22)}
    assert rows_of(session, key, "negation.polarity:P26") == {(1, 2)}
    assert rows_of(session, key, "negation.value:P19") == {(3, 20), (1, 10)}
    assert rows_of(session, key, "negation.value:P22:converse") == {(1, 3), (3, 4)}
    assert counts.rows == sum(counts.by_kind.values())
