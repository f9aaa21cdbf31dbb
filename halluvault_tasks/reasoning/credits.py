"""Whom a work's description credits: "1975 film directed by Steven Spielberg"."""

import re
from collections.abc import Iterable

from halluvault_tasks.wikidata.names import fold

# One name up to the end. "Written by", "produced by" and the like credit somebody for something else.
_CREDIT = re.compile(r"(?:\bdirected|(?<![a-z]{2}e[dn])) by ((?:(?! by )[^,;()])+?)\.?$")


def credits_alone(description: str | None, names: Iterable[str]) -> bool:
    """Whether a description ends with the credit of one maker, who bears one of these names.

    Args:
        description: of a work; None: it has none.
        names: label and aliases of who is stated to be its maker.
    """
    told = _CREDIT.search(description or "")
    return told is not None and fold(told[1]) in map(fold, names)
