"""Rows of whole numbers as arrays, streamed: as Python's rows they would take thirty times the room."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Executable
from sqlalchemy.orm import Session

_ROWS = 50_000  # held as rows at once


def integers(
    session: Session, query: Executable, width: int, parameters: Mapping[str, Any] = MappingProxyType({})
) -> NDArray[np.int64]:
    """Every row of a query, in its order: an array of rows × `width`.

    Args:
        session: open session; only read.
        query: gives `width` whole numbers a row, none of them NULL.
        width: columns.
        parameters: of the query.
    """
    rows = session.execute(query, dict(parameters), execution_options={"yield_per": _ROWS})
    return np.fromiter(map(tuple, rows), dtype=np.dtype((np.int64, width)))
