"""False values whose falsehood the snapshot shows (semantics.md section 1), reasoned here anew and narrowly.

Not the pipeline's licence: what this module calls false must be licensed there, and a test holds the two together.
"""

from collections.abc import Iterable, Mapping

from halluvault_tasks.local.personas.fault_kinds import Thing, others
from halluvault_tasks.wikidata import properties as wd
from studies.oracle.facts import Facts

PLACES = frozenset({wd.BIRTHPLACE, wd.DEATHPLACE})
"""Where a person was born and died: one place each."""

ONLY_ONE = PLACES | {wd.FATHER, wd.MOTHER}
"""One value by nature: a swapped one is false."""

ONE_WAY = frozenset({
    wd.FATHER,
    wd.MOTHER,
    wd.CHILD,
    wd.LOCATED_IN,
    wd.PARENT_TAXON,
    wd.SUBCLASS_OF,
    wd.PARENT_BODY,
    wd.RIVER_MOUTH,
})
"""p(a, b) forbids p(b, a)."""

_ONE_DATE = frozenset({wd.BIRTH, wd.DEATH})
"""Dates that a subject has once by nature."""

_COMPANY_OR_BAND = frozenset({4_830_453, 215_380})
_EVENT_OF_ONE_SPAN = frozenset({198, 178_561, 645_883, 831_663, 188_055, 350_604, 180_684, 10_931, 40_231})
_ONE_DATE_OF: Mapping[int, frozenset[int]] = {
    wd.INCEPTION: _COMPANY_OR_BAND,
    wd.DISSOLUTION: _COMPANY_OR_BAND,
    wd.START: _EVENT_OF_ONE_SPAN,
    wd.END: _EVENT_OF_ONE_SPAN,
}
"""Dates that a subject has once if it is of one of these types."""

PUBLISHED = wd.PUBLICATION
"""\"No later than\": a later date is shown false; whether an earlier one is, the work's description decides."""
_AGAIN = (wd.FOLLOWS, wd.FOLLOWED_BY, wd.REPLACES, wd.REPLACED_BY)

OPEN = frozenset({
    wd.COUNTRY, wd.CONTINENT, wd.CAPITAL, wd.POSITION, wd.DISCOVERER, wd.EDUCATED_AT, wd.OCCUPATION,
    wd.BURIAL_PLACE, wd.NAMED_AFTER, wd.HEADQUARTERS, wd.CAST_MEMBER, wd.AWARD, wd.MANUFACTURER, wd.DEVELOPER,
    wd.WATERS, wd.LOCATION, wd.PART_OF, wd.MEMBER_OF, wd.SYMPTOM, wd.SPECIALTY,
})  # fmt: skip
"""Several values may hold, recorded or not: another one is never shown false. Of an author or director a work's
description may show that there is one."""

_CLASSES = frozenset({wd.PARENT_TAXON, wd.SUBCLASS_OF})
_EVENT: Mapping[int, int] = {wd.BIRTHPLACE: wd.BIRTH, wd.DEATHPLACE: wd.DEATH}
_LINKS = (wd.REPLACES, wd.REPLACED_BY, wd.SAID_SAME, wd.DIFFERENT_FROM)
_UP = (
    wd.LOCATED_IN,
    wd.PART_OF,
    wd.SUBCLASS_OF,
    wd.PARENT_TAXON,
    wd.LOCATION,
    wd.COUNTRY,
    wd.CONTINENT,
    wd.PARENT_BODY,
    wd.RIVER_MOUTH,
)
_LAST_YEAR = 2023


def apart(facts: Facts, left: int, right: int, *, places: bool) -> bool:
    """Whether being the one rules out being the other: of a kind, unrelated, no word of the name in common."""
    if left == right or not facts.of_a_kind(left, right):
        return False
    if facts.words.get(left, frozenset()) & facts.words.get(right, frozenset()):
        return False
    if any(right in facts.above(left, p) or left in facts.above(right, p) for p in _UP):
        return False
    if any(right in facts.items.get((left, p), ()) or left in facts.items.get((right, p), ()) for p in _LINKS):
        return False
    if places:
        mine, other = facts.country(left), facts.country(right)
        return mine is not None and other is not None and mine != other
    return True


def denied_date(facts: Facts, s: int, p: int, years: int) -> bool:
    """Whether a date of s that is moved by so many years (four at least) is shown false."""
    if p == PUBLISHED:
        return years > 0
    if p in _ONE_DATE:
        return True
    again = any(facts.items.get((s, one)) or any(o == s for _, o in facts.by_property.get(one, ())) for one in _AGAIN)
    return bool(_ONE_DATE_OF.get(p, frozenset()) & facts.types.get(s, frozenset())) and not again


def swaps(facts: Facts, pool: Iterable[int], s: int, p: int, *, not_near: Iterable[int] = ()) -> list[Thing]:
    """Things of the pool that are shown not to be the p of s, ascending; also apart from all in `not_near`."""
    values = facts.items.get((s, p), ())
    if p not in ONLY_ONE or len(values) != 1:
        return []
    if p in _EVENT and (len(known := facts.dates.get((s, _EVENT[p]), ())) != 1 or known[0].year > _LAST_YEAR):
        return []
    unlike, inside = (values[0], *not_near), set(pool)
    return [
        thing
        for thing in others(facts, s, p, values[0])
        if thing.qid in inside and all(apart(facts, one, thing.qid, places=p in PLACES) for one in unlike)
    ]


def unlicensed(facts: Facts, pool: Iterable[int], s: int, p: int, o: int) -> list[Thing]:
    """Things of the pool that take o's place wrongly, though nothing in the snapshot shows it, ascending."""
    if p not in OPEN:
        return []
    inside = set(pool)

    def hidden(other: int) -> bool:
        return (
            not facts.joined(s, other)
            and not facts.words.get(o, frozenset()) & facts.words.get(other, frozenset())
            and not any(other in facts.above(o, up) or o in facts.above(other, up) for up in _UP)
            and not any(other in facts.above(s, up) for up in _UP)
        )

    return [thing for thing in others(facts, s, p, o) if thing.qid in inside and hidden(thing.qid)]


def reversible(facts: Facts, s: int, p: int, o: int) -> bool:
    """Whether p(o, s) is shown false by p(s, o): the relation runs one way, and no other path runs back.

    Of classes and taxa only where another one lies below o as well: else they are often the same in other words.
    """
    if p not in ONE_WAY or s in facts.above(o, p) or s in facts.items.get((o, p), ()):
        return False
    if any(o in facts.items.get((s, link), ()) or s in facts.items.get((o, link), ()) for link in _LINKS):
        return False
    return p not in _CLASSES or sum(upper == o for _, upper in facts.by_property.get(p, ())) > 1
