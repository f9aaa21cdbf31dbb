"""Statements that people found to be false: a licence of its own (semantics.md §1.6)."""

from collections.abc import Iterator, Sequence

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Changes,
    Denial,
    Draft,
    Licensing,
    Lines,
    Refutation,
    Typing,
)
from halluvault_tasks.reasoning.licence.checked import uncontradicted
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata.relation import Relation


class Checked(Denial):
    """What people found to be false, unless something states or derives it."""

    name = "checked"
    found_by_people = True

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """Every property with findings."""
        reviewed, support = typing.reviewed, typing.support
        for pid in support.items:
            if pid not in support.checked:
                continue
            imported = support.checked[pid]
            bar = reviewed.demoted.get(pid) or reviewed.not_asked.get(pid)
            findings = f"{imported} statements that people found to be false"
            reason = f"{findings}; those that something contradicts are left out"
            yield Draft(
                f"negation.value:P{pid}:checked",
                self,
                (pid,),
                Relation.of(pid),
                "people's findings",
                {"imported": imported, "recording_lag_days": reviewed.settings.recording_lag_days},
                "refused" if bar else "active",
                bar or reason,
            )

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`checked(K, [], Reason)`; `unless` puts in what it gives way to."""
        return Body(f"checked({number(rule.premises[0])}, [], {int(Reason.CHECKED)})", names=True)

    def unless(self, rule: Rule, bodies: Sequence[Body]) -> Body:
        """The body that gives way to what these bodies derive."""
        terms = ", ".join(body.term for body in bodies)
        return Body(
            f"checked({number(rule.conclusion.pid)}, [{terms}], {int(Reason.CHECKED)})",
            frozenset().union(*(body.usable for body in bodies)),
            frozenset().union(*(body.standing for body in bodies)),
            names=True,
        )

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """The findings that nothing stated contradicts."""
        if licensing.world is not None:
            for s, o, finding in uncontradicted(licensing.world, rule.conclusion.pid):
                lines.add(f"checked({rule.conclusion.pid},{s},{o},{finding}).\n")

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The finding itself."""
        return [f"ruled_out({number(refuted.s)}, {number(refuted.o)})."]

    def touched(self, rule: Rule, changes: Changes) -> None:
        """Any rule may contradict what people found: always all."""
