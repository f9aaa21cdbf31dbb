"""Relations that run one way: the converse of a true fact, and a use of a thing to itself (semantics.md §1.4)."""

from collections.abc import Iterator, Mapping

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Denial,
    Draft,
    Licensing,
    Lines,
    Refutation,
    RuleKind,
    Typing,
)
from halluvault_tasks.reasoning.kinds.wrong_value import ruled_out
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation


class Converse(Denial):
    """p(a, b) denies p(b, a)."""

    name = "converse"
    reverses = True

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed asymmetric properties."""
        return _drafts(self, typing, typing.reviewed.asymmetric)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`converse(P, K, Reason)`."""
        first = number(rule.premises[0])
        return Body(f"converse(p{first}, {first}, {int(Reason.CONVERSE)})", frozenset(rule.premises), names=True)

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """What is too young, alike or was seen before, so that its converse is not denied."""
        if licensing.world is not None:
            _write(licensing.world, rule.conclusion.pid, lines)

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The other direction is stated, or another value."""
        return ruled_out(rule.premises[0], refuted)

    def replay(self, rule: Rule) -> str:
        """`asymmetric(P)`."""
        return f"asymmetric({number(rule.conclusion.pid)})."


class Reflexive(Denial):
    """p(a, a) is denied; it has no rows, since nobody would ask."""

    name = "reflexive"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed irreflexive properties."""
        return _drafts(self, typing, typing.reviewed.irreflexive)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> None:
        """Nothing is run."""

    @property
    def stores(self) -> bool:
        """No rows."""
        return False

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """Both ends are one."""
        return ["ruled_out(S, S)."]

    def replay(self, rule: Rule) -> str:
        """`irreflexive(P)`."""
        return f"irreflexive({number(rule.conclusion.pid)})."


def _drafts(kind: RuleKind, typing: Typing, reviewed: Mapping[int, str]) -> Iterator[Draft]:
    for pid in typing.support.items:
        if pid in reviewed:
            bar = typing.reviewed.demoted.get(pid)
            yield Draft(
                f"negation.value:P{pid}:{kind.name}",
                kind,
                (pid,),
                Relation.of(pid),
                "reviewed list",
                {"recording_lag_days": typing.reviewed.settings.recording_lag_days},
                "refused" if bar else "active",
                f"demoted: {bar}" if bar else reviewed[pid],
            )


def _write(world: World, p: int, lines: Lines) -> None:
    slots, links = world.slots, world.containment.links
    if p in wd.CLASSES:
        lines.add(f"several({p}).\n")
    linked: set[tuple[int, int]] = set()
    for s in slots.subjects(p):
        known = slots.known[p, s]
        for o, sid in sorted(known.items.items()):
            if sid in known.young:
                lines.add(f"young({p},{sid}).\n", f"young {s} {o}\n")
            if o in links.get(s, ()):
                linked |= {(s, o), (o, s)}
    for s, o in sorted(linked):
        lines.add(f"alike({s},{o}).\n")
    for s in slots.subjects_ever(p):
        for o in sorted(slots.seen[p, s]):
            lines.add(f"seen({p},{s},{o}).\n")
