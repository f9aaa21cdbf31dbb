"""Pauses Python's cycle collector while large tables are built: rows read form no cycles, and there are millions."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Without the collector going through everything built so far, again and again; as it was afterwards."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
