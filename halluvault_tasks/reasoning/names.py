"""Names as sets of folded words, so that two things whose names overlap are never opposed to each other."""

import re
from collections.abc import Iterable

from halluvault_tasks.wikidata.names import fold

_WORD = re.compile(r"\w+")
_FUNCTION_WORDS = frozenset(
    {"a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to"}
    | {"da", "das", "de", "den", "der", "des", "di", "do", "la", "le", "les", "los", "van", "von", "y"}
)


def tokens(names: Iterable[str]) -> frozenset[str]:
    """Words of all names, folded, without articles and prepositions (which name nothing)."""
    return frozenset(word for name in names for word in _WORD.findall(fold(name))) - _FUNCTION_WORDS
