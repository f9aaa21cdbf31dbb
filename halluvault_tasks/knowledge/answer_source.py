"""What a pull is read from, a service's stored answers or a dump: whatever answers the plan's requests with rows.

Rows are what SPARQL calls a solution, whichever source gives them, so that the same data gives the same snapshot
wherever it was read.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.knowledge.pulled_vs_written import StoredBody
from halluvault_tasks.knowledge.requests import NumberedRequest, StatementQualifiers


class UnansweredBatch(NamedTuple):
    """A batch that was given up."""

    stage: str
    domain: str
    ids: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        shown = ", ".join(self.ids[:5]) + (f" and {len(self.ids) - 5} more" if len(self.ids) > 5 else "")
        return f"{self.stage} {self.domain}".strip() + f" of {shown} not answered: {self.reason}"


class RequestStep(NamedTuple):
    """One of the requests that are made about the same ids, batch by batch."""

    stage: str
    """What its answers are filed under."""
    request: NumberedRequest


class PendingRows(Protocol):
    """An answer that may still be under way."""

    def rows(self) -> list[Row]:
        """All of it; call it once."""

    def close(self) -> None:
        """Nobody will take it any more."""


class AnswerSource(Protocol):
    """Answers the plan. Stage and domain are what an answer is filed under; a domain is empty where it is of all."""

    snapshot: str
    """Exact key."""
    given_up: dict[str, UnansweredBatch]
    """The batches that this walk could not get, by the hashes of their queries: not answered, whatever is true."""
    read: dict[str, StoredBody]
    """Every stored answer that this walk has read, by the hash of its query."""

    def together(
        self, steps: Sequence[RequestStep], domain: str, size: int
    ) -> Iterator[tuple[Sequence[int], list[list[Row]]]]:
        """Make several requests in batches of `size`; yields each batch's ids, and the rows of each step.

        A source that nothing limits may take larger batches.
        """

    def each(
        self, stage: str, domain: str, request: NumberedRequest, size: int
    ) -> Iterator[tuple[Sequence[int], list[Row]]]:
        """Make one request in batches of `size`; yields each batch's ids and rows."""
        for ids, (rows,) in self.together([RequestStep(stage, request)], domain, size):
            yield ids, rows

    def rows(self, stage: str, domain: str, request: NumberedRequest) -> list[Row]:
        """Make one request as a single batch, in parts where that is too much."""

    def later(self, stage: str, domain: str, request: StatementQualifiers, size: int) -> PendingRows:
        """Begin to ask, in batches of `size`, and go on: the rows are taken when they are needed."""
