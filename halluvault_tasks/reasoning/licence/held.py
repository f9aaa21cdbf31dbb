"""When somebody is shown not to have held something, because another did and one does at a time (semantics.md §2.3)."""

from collections.abc import Sequence

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.terms import Term, overlap
from halluvault_tasks.wikidata.days import civil


def license_other_holder(world: World, p: int, s: int, o: int, earliest: int, latest: int) -> Licence | Refusal:
    """Whether p(s, o) did not hold at any time within [earliest, latest] (day numbers, inclusive).

    Another must have held it throughout and a day more at each end; a prize of a year must have gone to others in that
    year, the year before and the year after. Terms that overlap (two at once, a dispute, who acted) show nothing.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.
        o: object's item number.
        earliest: first day.
        latest: last day.
    """
    others = world.terms.others(p, s, o)
    if others is None:
        return Refusal("not exclusive", f"several may hold P{p} of Q{o} at a time, as far as is known")
    if latest > world.slots.recorded:
        return Refusal("young", "another may have followed since")
    own = world.terms.own(p, s, o)
    alone = [
        one for one in others if not any(overlap(one, each) for each in (*others, *own) if each.holder != one.holder)
    ]
    held = next((one for one in alone if _throughout(one, earliest, latest)), None)
    held = held or _each_year(alone, earliest, latest)
    if held is None:
        return Refusal("open", f"nobody else is stated to have held it from day {earliest} to day {latest} throughout")
    return Licence(Reason.HELD, held.sid, f"Q{held.holder} held it then, and one does at a time")


def _throughout(term: Term, earliest: int, latest: int) -> bool:
    held = term.certain
    return not term.moment and held is not None and held[0] < earliest and latest < held[1]


def _each_year(terms: Sequence[Term], earliest: int, latest: int) -> Term | None:
    """The term that was given within the one year of these days, if the years beside it have one, too."""
    given = {civil(known[0]).year: term for term in terms if term.moment and (known := _one_year(term))}
    year = civil(earliest).year
    return given[year] if civil(latest).year == year and {year - 1, year, year + 1} <= given.keys() else None


def _one_year(term: Term) -> tuple[int, int] | None:
    """Its days, if they lie in one year."""
    known = term.certain
    return known if known and civil(known[0]).year == civil(known[1]).year else None
