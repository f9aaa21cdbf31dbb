"""What is known of classes of foils that are followed, as cells and lines."""

from collections.abc import Iterable, Sequence

from halluvault_tasks.reasoning.following.registry import ClassStanding, FollowedClass, missing_of
from halluvault_tasks.reasoning.following.waiting import waited
from halluvault_tasks.reasoning.measuring.classes import MeasuredFile


def cells(one: ClassStanding, measured: MeasuredFile) -> Sequence[str]:
    """Registered, asked, foil-years, refuted, q with its bounds, and whether the class is closed."""
    counts = (f"{one.registered:,}", f"{one.asked:,}")
    missing = next(
        (missing_of(each) for each in measured.classes if FollowedClass(each.name, each.version) == one.of), None
    )
    if missing is None:
        return (*counts, "–", f"{one.refuted:,}", "–", "of an earlier version")
    found = waited(one.months, missing)
    share = "–"  # nothing was added so far, so nothing is known
    if found.q is not None:
        share = f"{found.q:.2%} [{found.low:.2%}, {found.high:.2%}]"
    return (*counts, f"{found.foil_years:,.0f}", f"{one.refuted:,}", share, one.closed(missing))


def lines(standing: Iterable[ClassStanding], p: int, measured: MeasuredFile) -> list[str]:
    """A line for each class that a property is part of and that is followed."""
    told = []
    for one in standing:
        if p in one.relation.properties:
            registered, asked, years, refuted, q, closed = cells(one, measured)
            told.append(
                f"  followed  {one.of.name}: {registered} foils, {asked} of them asked, {years} foil-years, {refuted} "
                f"refuted, q {q}" + (f"; closed: {closed}" if closed else "")
            )
    return told
