"""What one holds at a time: who holds it keeps everybody else from holding it then (semantics.md §2.3)."""

from collections.abc import Iterator

from halluvault_tasks.reasoning.kinds.base import Body, Denial, Draft, Refutation, Typing
from halluvault_tasks.reasoning.kinds.wrong_value import ruled_out
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata.relation import Relation


class Exclusive(Denial):
    """A term of one holder denies every other's within it; it has no rows, since it denies nothing without a time."""

    name = "exclusive"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """A rule for each property with reviewed seats; `seats` are those whose stated terms keep apart."""
        for pid, reasons in typing.reviewed.exclusive.items():
            measured = typing.support.seats.get(pid, {})
            of = {
                verdict: [seat for seat, each in measured.items() if each.verdict == verdict] for verdict in _VERDICTS
            }
            bar = typing.reviewed.demoted.get(pid)
            verdict = "refused" if bar else "active" if of["active"] else "candidate"
            yield Draft(
                f"negation.value:P{pid}:{self.name}",
                self,
                (pid,),
                Relation.of(pid),
                "reviewed list",
                {
                    "recording_lag_days": typing.reviewed.settings.recording_lag_days,
                    "seats": of["active"],
                    "overlapping": of["refused"],
                    "unconfirmed": of["candidate"],
                    "apart": sum(measured[seat].apart for seat in of["active"]),
                    "of": sum(measured[seat].terms for seat in of["active"]),
                },
                verdict,
                f"demoted: {bar}" if bar else f"{len(of['active'])} of {len(reasons)} reviewed seats",
            )

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body | None:
        """Nothing is run."""
        return None

    @property
    def stores(self) -> bool:
        """No rows."""
        return False

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """Another holder is stated."""
        return ruled_out(rule.premises[0], refuted)


_VERDICTS = ("active", "refused", "candidate")
