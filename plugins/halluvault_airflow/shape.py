"""What a DAG's shape is read from while its file is parsed.

A faulty file or variable must not keep Airflow from reading the DAG: an import error starts no run and is reported to
nobody. So the DAG gets a default shape, and its first task, which reads the same again, fails with the fault. Once it
is fixed, clearing the failed tasks continues the same run.
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from halluvault_tasks.errors import UserError

log = logging.getLogger(__name__)

_T = TypeVar("_T")


def or_else(read: Callable[[], _T], otherwise: _T) -> _T:
    """What `read` returns; where a person must fix what it reads, `otherwise`."""
    try:
        return read()
    except UserError as error:
        log.error("%s", error)
        return otherwise
