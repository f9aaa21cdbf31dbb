"""What gives an answer away without knowledge: names that say it, descriptions that say it, types that say it."""

import re

from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named, names_alike, tokens
from halluvault_tasks.wikidata.names import fold

_COUNTED = re.compile(
    r"\d|\b(?:[ivx]+|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|new|old|early|late)\b"
)


def gives_away(index: EntityIndex, s: int, named_s: Named, o: int, named_o: Named) -> bool:
    """Whether one end's description names the other end, so that the question answers itself.

    A label within a label (Mexico City in Mexico) is what the things are called and stays; what was added by us, such
    as a description in apposition or "of World War II" to the Eastern Front, must not tell. Nor may a label that holds
    another name of the other end (the University of Calcutta, in Kolkata): who knows both names need know nothing else.
    """
    for described, other in ((named_s, o), (named_o, s)):
        entity_ = index.entities[other]
        if any(tokens(alias) and tokens(alias) <= tokens(described.bare) for alias in entity_.aliases):
            return True
        told = tokens(described.name) - tokens(described.bare)  # John Adams, the second president of the United States
        if told & tokens(entity_.label or "") or any(told >= tokens(a) and tokens(a) for a in entity_.aliases):
            return True
        within, own = _around(entity_.description or ""), tokens(described.bare)
        if own & within and not own <= within:  # what it lies in is called so by itself
            return True
    return False


_WITHIN = re.compile(r"\bin (?:the )?([A-Z].*)")
_OF_MANY = frozenset({"united", "states", "state", "county", "city", "district", "region", "province", "department"})


def _around(description: str) -> frozenset[str]:
    """What a place is said to lie in: East Lansing, where Michigan State University is, is a "city in Michigan"."""
    found = _WITHIN.search(description)
    return tokens(found[1]) - _OF_MANY if found else frozenset()


def dates_itself(named: Named) -> bool:
    """Whether a name or its description holds a year or a day (9/11), which no question of time may tell."""
    return bool(re.search(r"\d{3,4}|\d/\d", named.name))


def names_overlap(one: Named, other: Named) -> bool:
    """Whether two names begin a word alike: a surname of father and son, a language and its country.

    It hints at a yes, and nothing that is false looks so.
    """
    return names_alike(one.bare, other.bare)


def direction_tells(index: EntityIndex, s: int, named_s: Named, o: int, named_o: Named) -> bool:
    """Whether the names alone say which way round a relation runs.

    Counted names do (the 1960 Games after the 1956 Games), and so does a name within the other (a silent film is a
    film, whatever one knows). A class with many below it (film, disease, Chordata) is above everything.
    """
    mine, theirs = tokens(named_s.bare), tokens(named_o.bare)
    if mine <= theirs or theirs <= mine:
        return True
    if all(_COUNTED.search(fold(name.bare)) for name in (named_s, named_o)):
        return True
    # A disease by its name is above something that has none in its name: viral infectious disease, influenza.
    if len({_head(named_s) in index.heads, _head(named_o) in index.heads}) == 2:
        return True
    return bool({s, o} & index.general)


def _head(named: Named) -> str:
    return fold(named.bare).rpartition(" ")[2]


def alike(index: EntityIndex, s: int, o: int) -> bool:
    """Whether two things are told apart by no type: what they are does not say which of them is which."""
    one, other = index.entities.get(s), index.entities.get(o)
    return bool(one and other and one.direct & other.direct)
