"""Divided work: each shard does its portion, the same one on every run."""

from typing import NamedTuple

from halluvault_tasks.errors import UserError


class Portion(NamedTuple):
    """Which shard of how many; by default all of it in one."""

    number: int = 0
    """0 to of - 1."""
    of: int = 1

    def require(self) -> None:
        """Raise a `UserError` where there is no such shard."""
        if not 0 <= self.number < self.of:
            raise UserError(f"shard {self.number} is not one of 0 to {self.of - 1}")


WHOLE = Portion()
"""Everything in one shard."""
