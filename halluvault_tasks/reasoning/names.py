"""Names as sets of marks, so that two things whose names overlap are never opposed to each other (semantics.md §1.2).

A mark is a word that few names have, or a whole name. A word that many have (city, of, county, saint) does not
identify anything, so sharing it shows no relation.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from halluvault_tasks.wikidata.names import fold

_WORD = re.compile(r"\w+")
_COMMON_SHARE = 0.0015
_COMMON_LEAST = 10


def words(name: str) -> list[str]:
    """Folded words of a name, in order."""
    return _WORD.findall(fold(name))


def common_words(labels: Iterable[Iterable[str]]) -> frozenset[str]:
    """Words that many labels contain: more than ten of them, and more than 0.15 %.

    Measured on 37,946 labels: county 1,366, city 206, new 148, saint 65 lie above, Paris 46 and Texas 26 below.

    Args:
        labels: the words of each label.
    """
    count = 0
    uses: Counter[str] = Counter()
    for label in labels:
        count += 1
        uses.update(set(label))
    least = max(_COMMON_LEAST, count * _COMMON_SHARE)
    return frozenset(word for word, number in uses.items() if number > least)


def marks(names: Iterable[Sequence[str]], common: frozenset[str] = frozenset()) -> frozenset[str]:
    """What sets a thing apart: its names' words without the common ones, and each name as a whole.

    Args:
        names: the words of label and aliases.
        common: what `common_words` found. A thing all of whose marks are common keeps them.
    """
    found: set[str] = set()
    for parts in names:
        found.update(parts)
        found.add(" ".join(parts))
    return frozenset(found - common or found)
