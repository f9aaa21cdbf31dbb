"""When a statement is known to be false: the one function behind every "No" (semantics.md §1.2-1.4).

Wikidata is an open facts, so absence shows nothing. `license_no` says that p(s, o) is false only because something
else is stated that rules it out, and says what. Derivation, oracles and audit all ask here; the Prolog side only joins
what was licensed here (`alternatives`) with the subjects it was licensed for.
"""

from collections.abc import Iterable
from decimal import Decimal

from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence_facts import Bounds, LicenceFacts
from halluvault_tasks.reasoning.places import different_places
from halluvault_tasks.wikidata.days import civil, day_number

_NOTHING: frozenset[int] = frozenset()
_OTHER_VALUE = Difference(Reason.OTHER_VALUE)


def different(facts: LicenceFacts, left: int, right: int, place: bool) -> Difference | Refusal:
    """Whether having `left` as the only value rules out `right`: same type, unrelated, no common name token.

    Args:
        facts: the snapshot.
        left: the true value.
        right: the value to rule out.
        place: both are places, so that they must be positively disjoint.
    """
    if facts.related(left, right):
        return Refusal("related", f"Q{left} and Q{right} are the same, one above the other, or linked")
    if facts.types.get(left, _NOTHING).isdisjoint(facts.types.get(right, _NOTHING)):
        return Refusal("type", f"Q{left} and Q{right} share no type")
    mine, theirs = facts.tokens.get(left), facts.tokens.get(right)
    if not mine or not theirs:
        return Refusal("unnamed", f"Q{right if mine else left} has no label, so names cannot be compared")
    if not mine.isdisjoint(theirs):
        return Refusal("name", f"both names contain {min(mine & theirs)!r}")
    return different_places(facts, left, right) if place else _OTHER_VALUE


def sole_value(facts: LicenceFacts, p: int, s: int) -> tuple[int, int] | Refusal:
    """The one value of a functional property and its statement id, if it can rule out others."""
    if p not in facts.functional:
        return Refusal("not functional", f"P{p} is not known to be functional")
    known = facts.known.get((p, s))
    if known is None:
        return Refusal("no value", f"nothing is known of Q{s} and P{p}")
    if known.distinct != 1 or len(known.items) != 1:
        return Refusal("several values", f"Q{s} has {known.distinct} values of P{p}, or none that grounds an answer")
    (value, sid), *_ = known.items.items()
    if sid in known.young or (p, s) in facts.young_events:
        return Refusal("young", f"P{p} of Q{s} is not shown to be older than the recording lag")
    return value, sid


def license_no(facts: LicenceFacts, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the snapshot shows that p(s, o) is false.

    Args:
        facts: the snapshot.
        p: property number.
        s: subject's item number.
        o: object's item number.

    Returns:
        The licence with its reason, or why there is none (which does not make p(s, o) true).
    """
    if facts.ever_seen(p, s, o):
        return Refusal("seen", f"Q{o} was recorded for Q{s} and P{p}")
    if s == o:
        if p in facts.irreflexive:
            return Licence(Reason.REFLEXIVE, 0, f"nothing has P{p} to itself")
        return Refusal("reflexive", f"P{p} of itself is not known to be impossible")
    known = facts.known.get((p, s))
    if known and known.none_sid and known.distinct == 1:
        return Licence(Reason.NO_VALUE, known.none_sid, f"Q{s} is stated to have no P{p}")
    if (converse := _converse(facts, p, s, o)) is not None:
        return converse
    sole = sole_value(facts, p, s)
    if isinstance(sole, Refusal):
        return sole
    value, sid = sole
    found = different(facts, value, o, facts.functional[p].place)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{value} and only that"
    if found.left:
        level = f" (both Q{found.level})" if found.level else " (countries)"
        why += f"; Q{value} lies in Q{found.left}, Q{o} in Q{found.right}{level}"
    return Licence(found.reason, sid, why, found)


def _converse(facts: LicenceFacts, p: int, s: int, o: int) -> Licence | None:
    if p not in facts.asymmetric:
        return None
    other = facts.known.get((p, o))
    sid = other.items.get(s) if other else None
    if other is None or sid is None or sid in other.young or _leads_to(facts, p, s, o):
        return None
    return Licence(Reason.CONVERSE, sid, f"Q{o} has P{p} Q{s}, and P{p} runs one way")


def runs_one_way(facts: LicenceFacts, p: int, s: int, o: int) -> bool:
    """Whether p(o, s) is false because p(s, o), which is true, runs one way (semantics.md §1.4).

    Wider than what `license_no` sees: p(s, o) may be derived, through an inverse or a chain, and stated nowhere.
    """
    return p in facts.asymmetric and s != o and not facts.ever_seen(p, o, s) and not _leads_to(facts, p, o, s)


def _leads_to(facts: LicenceFacts, p: int, start: int, end: int) -> bool:
    """`end` can be reached from `start` over p: then both directions are claimed, and neither is denied."""
    reached, frontier = {start}, [start]
    while frontier:
        known = facts.known.get((p, frontier.pop()))
        fresh = set(known.items if known else ()) - reached
        if end in fresh:
            return True
        reached |= fresh
        frontier += fresh
    return False


_CALENDAR_REFORM = day_number(1923, 3, 1)  # Greece, the last country to leave the Julian calendar
_ENGLISH_NEW_YEAR = day_number(1752)
_CALENDAR_DAYS = 13


def _widened(earliest: int, latest: int) -> tuple[int, int]:
    """Bounds as far as old calendars may shift them (semantics.md §2.7)."""
    if earliest < _CALENDAR_REFORM:
        begin = civil(earliest)
        # In England the year began on 25 March: 30 January 1648 is 1649 for us, and either may be recorded.
        shift = 366 if earliest < _ENGLISH_NEW_YEAR and (begin.month, begin.day) < (3, 25) else _CALENDAR_DAYS
        earliest, latest = earliest - shift, latest + shift
    return earliest, latest


def license_date(facts: LicenceFacts, p: int, s: int, earliest: int, latest: int) -> Licence | Refusal:
    """Whether the date p of s is known to lie outside [earliest, latest] (day numbers, inclusive)."""
    bounds = _sole_bounds(facts, p, s)
    if isinstance(bounds, Refusal):
        return bounds
    if bounds.earliest is None or bounds.latest is None:
        return Refusal("no value", f"Q{s} has no bounded date P{p}")
    first, last = _widened(bounds.earliest, bounds.latest)
    if latest < first or last < earliest:
        return Licence(Reason.BOUNDS, bounds.sid, f"P{p} of Q{s} lies within days {first} to {last}")
    return Refusal("overlap", f"P{p} of Q{s} may lie there")


def license_amount(facts: LicenceFacts, p: int, s: int, amount: Decimal, unit: int | None = None) -> Licence | Refusal:
    """Whether the number p of s is known to be another one (same unit)."""
    bounds = _sole_bounds(facts, p, s)
    if isinstance(bounds, Refusal):
        return bounds
    if bounds.amount is None or bounds.unit != unit:
        return Refusal("no value", f"Q{s} has no number P{p} in that unit")
    if bounds.amount != amount:
        return Licence(Reason.BOUNDS, bounds.sid, f"P{p} of Q{s} is {bounds.amount}")
    return Refusal("overlap", f"P{p} of Q{s} is that number")


def _sole_bounds(facts: LicenceFacts, p: int, s: int) -> Bounds | Refusal:
    if p not in facts.functional:
        return Refusal("not functional", f"P{p} is not known to be functional")
    bounds = facts.bounds.get((p, s))
    if bounds is None:
        return Refusal("no value", f"Q{s} has no date or number P{p}")
    if bounds.distinct != 1 or bounds.hedged:
        return Refusal("several values", f"Q{s} has {bounds.distinct} values of P{p}, or a hedged one")
    return bounds


def same_kind(facts: LicenceFacts, items: Iterable[int]) -> dict[int, list[int]]:
    """Type → the items of it, ascending."""
    groups: dict[int, list[int]] = {}
    for item in sorted(set(items)):
        for kind in sorted(facts.types.get(item, ())):
            groups.setdefault(kind, []).append(item)
    return groups
