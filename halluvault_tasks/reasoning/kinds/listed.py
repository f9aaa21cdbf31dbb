"""What is not in a complete list: a licence of its own (semantics.md §1.10). Nothing is derived; foils rest on it."""

from collections.abc import Iterator

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.kinds.base import Denial, Draft, Refutation, Typing
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata.relation import Relation


class CompleteLists(Denial):
    """The objects of a subject are counted and all stated; it has no rows, since what is not listed is without end."""

    name = "listed"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The properties whose counts are reviewed."""
        reviewed = typing.reviewed
        for pid in typing.support.items:
            if (entry := reviewed.listed.get(pid)) is None:
                continue
            bar = reviewed.demoted.get(pid)
            yield Draft(
                f"negation.value:P{pid}:listed",
                self,
                (pid,),
                Relation.of(pid),
                "reviewed list",
                {
                    "counted_by": entry.counted_by or 0,
                    "relations": list(entry.relations),
                    "only": sorted(entry.only),
                    "lasting": entry.lasting,
                    "recording_lag_days": reviewed.settings.recording_lag_days,
                },
                "refused" if bar else "active",
                f"demoted: {bar}" if bar else entry.reason,
            )

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> None:
        """Nothing is run."""

    @property
    def stores(self) -> bool:
        """No rows."""
        return False

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The list, its number, and that the value is none of it."""
        return not_listed(rule.conclusion.pid, refuted)


def not_listed(p: int, refuted: Refutation) -> list[str]:
    """Clauses: the statements of the property p reach the number that is known, and the value is none of them."""
    assert refuted.licence is not None
    return [
        comment("like what is listed, and neither above, below nor linked to any of it"),
        f"counted({number(refuted.s)}, {number(refuted.licence.counted)}).",
        f"ruled_out(S, O) :- counted(S, N), setof(Value, Sid^p{number(p)}(S, Value, Sid), List), length(List, N),",
        "    \\+ memberchk(O, List).",
    ]
