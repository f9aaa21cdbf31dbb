"""What people found to be false, as far as the snapshot does not contradict it (semantics.md §1.6)."""

from collections.abc import Iterable

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.world import World


def contradicted(world: World, p: int, s: int, o: int) -> str:
    """How the snapshot contradicts a checked negative without any rule; empty if it does not."""
    if world.slots.ever_seen(p, s, o):
        return "stated"
    for value in world.slots.stated(p, s):
        if o in world.containment.above(value):
            return f"follows from Q{value}"
    return ""


def uncontradicted(world: World, p: int) -> list[tuple[int, int, int]]:
    """Subject, object and finding of the checked negatives of a property that nothing stated contradicts, ascending."""
    return sorted(
        (s, o, finding.id)
        for (pid, s, o), finding in world.findings.checked.items()
        if pid == p and not contradicted(world, p, s, o)
    )


def refuted(world: World, properties: Iterable[int], derived: Iterable[int]) -> dict[int, str]:
    """Findings that the snapshot contradicts, with how.

    Args:
        world: the snapshot.
        properties: of the rules that ran.
        derived: findings that these rules gave as facts; the rest was derived as true.
    """
    kept, wanted, named = set(derived), set(properties), world.naming.marks.keys()
    return {
        finding.id: contradicted(world, p, s, o) or "derived"
        for (p, s, o), finding in world.findings.checked.items()
        if p in wanted and finding.id not in kept and s in named and o in named
    }


def license_checked(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether people found p(s, o) to be false; for a property bound to time, as of the day on which they did."""
    finding = world.findings.checked.get((p, s, o))
    if finding is None:
        return Refusal("not checked", f"nobody has found P{p} of Q{s} not to be Q{o}, or something contradicts it")
    if why := contradicted(world, p, s, o):
        return Refusal("seen", f"Q{o} for Q{s} and P{p}: {why}")
    return Licence(Reason.CHECKED, 0, f"people found it to be false ({finding.source}, {finding.checked_on})")
