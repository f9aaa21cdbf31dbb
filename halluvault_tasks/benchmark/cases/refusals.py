"""Why there is no part."""

from halluvault_tasks.errors import UserError


class PartRefused(UserError):
    """One suite's part of a month cannot be frozen; the others are none the worse for it."""
