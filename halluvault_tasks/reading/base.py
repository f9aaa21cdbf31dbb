"""What a reader makes of a response: its answer, its claims, its steps, and what it could not read.

Every part has its span: character offsets into the response as it was stored, start inclusive and end exclusive.
"""

from decimal import Decimal
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from halluvault_tasks.wikidata.relation import Predicate

if TYPE_CHECKING:
    from halluvault_tasks.reading.document import ResponseDocument

AnswerKind = Literal["yes", "no", "dont_know", "refusal", "contradictory", "unparseable"]

Unsaid = Literal["", "no_answer", "cut_off", "api_refusal"]
"""Why a response gives no verdict, where it is not for its words: it is empty, its limit came before a verdict, or its
API refused (semantics.md §4.4)."""


class TextSpan(NamedTuple):
    """A stretch of the response."""

    start: int
    end: int

    def meets(self, other: "TextSpan") -> bool:
        """Whether the two have a character in common."""
        return self.start < other.end and other.start < self.end


class Answer(NamedTuple):
    """What a response answers to the question as it was put."""

    kind: AnswerKind
    """`contradictory`: two explicit answers that differ; `unparseable`: no verdict is given."""
    span: TextSpan
    """Of the words that say so; empty where none do."""
    marker: str = ""
    """How it was recognised, for `explain`."""
    unsaid: Unsaid = ""
    """Of `unparseable`."""


class DateInterval(NamedTuple):
    """A date as it was said: an interval of day numbers (`wikidata.days`), inclusive."""

    earliest: int
    latest: int
    precision: int
    """Wikidata's: 11 day, 10 month, 9 year, 8 decade, 7 century."""


class ClaimTriple(NamedTuple):
    """One relation that a claim may state; an end that is linked to no entity, or to several, is 0."""

    p: Predicate
    """0 where the words mean no relation that is known."""
    s: int
    o: int
    """Item; 0 also where the object is a date or a number."""

    @property
    def pid(self) -> int:
        """The property; 0 where the words mean none."""
        return self.p if isinstance(self.p, int) else 0


Guard = Literal["quotation", "condition", "question", "attribution", "unknown_name", "hedge", "inexact", "doubtful"]
"""Why a claim may not convict: what it stands in, that its property was only proposed, or that its sentence has another
reading which is true (semantics.md §4.2)."""


class Claim(NamedTuple):
    """What a stretch of a response asserts."""

    span: TextSpan
    """The clause."""
    sentence: int
    """Number of the sentence, from 0."""
    triples: tuple[ClaimTriple, ...]
    """What it may mean; all of them have the same two ends."""
    subject: str
    """As written; for a pronoun what it stands for."""
    object: str
    """As written: a name, a date or a number."""
    negative: bool
    """It is denied."""
    guards: tuple[Guard, ...]
    """Empty: read exactly in a plain clause, so that it may convict on its own."""
    readers: tuple[str, ...]
    """Which readers read it."""
    days: DateInterval | None = None
    """The date, where the object is one or the claim dates a term."""
    amount: Decimal | None = None
    which: Literal["", "start", "end", "point"] = ""
    """Which date of a term the claim gives (`X was president from 1961`)."""

    @property
    def unread(self) -> bool:
        """Whether its words mean no relation that is known: it names two things, and claims something all the same."""
        return all(one.p == 0 for one in self.triples)

    @property
    def asserted(self) -> bool:
        """Whether it is a claim at all: what is quoted, supposed or asked is none (semantics.md §4.2)."""
        return not {"quotation", "condition", "question"} & set(self.guards)


class ReasoningStep(NamedTuple):
    """A conclusion that is drawn in so many words: `therefore no`, `1912 + 41 = 1953`, `1837 is before 1870`."""

    span: TextSpan
    text: str
    says: str
    """The term that prolog_rules/replay.pl judges: `entails(yes)`, `entails(no)` (of the question as it was put),
    `nothing_follows`, or, where arithmetic alone settles it, `true` or `false`."""


class Conclusion(NamedTuple):
    """A yes or no that the text gives to the question as it was put, wherever it stands, unless it takes it back."""

    span: TextSpan
    kind: Literal["yes", "no"]
    plain: bool = True
    """Its sentence says nothing else that could make it a supposition, a report or half of the truth."""


class UnreadStretch(NamedTuple):
    """A stretch that no reader looked at or understood."""

    span: TextSpan
    reason: Literal["too_long", "run", "loop", "no_sentence", "not_english"]


class Reading(NamedTuple):
    """A response, read."""

    answer: Answer
    claims: tuple[Claim, ...]
    steps: tuple[ReasoningStep, ...]
    unread: tuple[UnreadStretch, ...]
    conclusions: tuple[Conclusion, ...] = ()
    document: "ResponseDocument | None" = None
    """The response that was read, parsed."""

    @property
    def loops(self) -> bool:
        """Whether it repeats itself to its end."""
        return any(one.reason == "loop" for one in self.unread)


class ReaderInput(NamedTuple):
    """A response to be read."""

    text: str
    question: str
    """As it was put, without the prompt around it."""
    topic: int = 0
    """The question's subject, for clauses without one of their own; 0: none."""
    context: frozenset[int] = frozenset()
    """Items that question and proof speak of: a name borne by several means these first."""
    focus: frozenset[Predicate] = frozenset()
    """Relations that the question is about."""
    proof: tuple[ClaimTriple, ...] = ()
    """Statements of items that the question's proof rests on."""
    called: frozenset[int] = frozenset()
    """Items that the question calls by one of these instead of by name: "the director of Jaws"."""
    prompt: str = ""
    """What was sent to the model; what the response copies from it answers nothing."""
    verdict: str | None = None
    """The reply to a turn that asks for nothing but the answer; None: the response itself must give it."""


class Reader(Protocol):
    """Reads a batch of responses; what it makes of one depends on no other."""

    name: str
    """As it stands in a profile's name."""

    parsed_by: str
    """Library and model of its parser, as they stand with each verdict."""

    def read(self, batch: list[ReaderInput]) -> list[Reading]:
        """A reading of each response, in their order."""
        ...
