"""The kinds of fault that an answer can have, each with its label: for simulated servers and the oracle study alike.

Its users (`choose_fault`, `studies.oracle`) decide here, before any text is written, what is false. It knows neither
lexicon, aliases, oracles nor Prolog, so that their measurements can be compared with it (semantics.md §4.5).

The labels were derived by hand from the decision table of semantics.md section 4.2, fault by fault and question shape
by question shape, without reference to the Prolog that replays; the row is named beside each.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from random import Random
from typing import Literal, NamedTuple, Protocol

Category = Literal["normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable"]


class FaultKind(Enum):
    """What is wrong with a response, or, among the sound ones, what might look wrong.

    The simulated servers plant those that `personas` gives a share; the study all but the last, which may be true.
    """

    # sound
    PLAIN = "plain"
    OTHER_ROUTE = "other_route"
    CONTAINERS = "containers"
    VERBOSE = "verbose"
    INCOMPLETE = "incomplete"
    HEDGED = "hedged"
    HEDGED_SLIP = "hedged_slip"
    RETRACTED = "retracted"
    BARE = "bare"
    DONT_KNOW = "dont_know"
    REFUSAL = "refusal"
    NO_ANSWER = "no_answer"
    # the answer is right
    RIGHT_SWAP = "right_swap"
    RIGHT_REVERSE = "right_reverse"
    RIGHT_NEGATE = "right_negate"
    RIGHT_OPPOSED = "right_opposed"
    RIGHT_DATE = "right_date"
    RIGHT_STEP = "right_step"
    RIGHT_MIXED = "right_mixed"
    # the answer is wrong
    WRONG_SWAP = "wrong_swap"
    WRONG_NEGATE = "wrong_negate"
    WRONG_DATE = "wrong_date"
    WRONG_STEP = "wrong_step"
    WRONG_KNOWN = "wrong_known"
    WRONG_MIXED = "wrong_mixed"
    WRONG_BARE = "wrong_bare"
    WRONG_PARTIAL = "wrong_partial"
    WRONG_UNLICENSED = "wrong_unlicensed"
    # yes and no at once
    SELF_CONTRADICTION = "self_contradiction"
    # the answer is right, a premise false, and the snapshot cannot show it
    RIGHT_UNDECIDED = "right_undecided"
    # the answer is right, a premise joins the right things by another relation
    CHANGED_RELATION = "changed_relation"


DESCRIPTION: Mapping[FaultKind, str] = {
    FaultKind.PLAIN: "right answer, the true premises",
    FaultKind.OTHER_ROUTE: "right answer by other true facts than the proof's",
    FaultKind.CONTAINERS: "right answer, places named with or by what they lie in",
    FaultKind.VERBOSE: "right answer, the premises among true facts beside the point",
    FaultKind.INCOMPLETE: "right answer, only some of the premises",
    FaultKind.HEDGED: "right answer, a true premise said with doubt",
    FaultKind.HEDGED_SLIP: "right answer, a false premise said with doubt: unverifiable, so no error",
    FaultKind.RETRACTED: "right answer, a false premise taken back at once",
    FaultKind.BARE: "right answer and nothing else",
    FaultKind.DONT_KNOW: "says that it does not know",
    FaultKind.REFUSAL: "refuses",
    FaultKind.NO_ANSWER: "true facts, no answer",
    FaultKind.RIGHT_SWAP: "right answer, a premise with a swapped entity",
    FaultKind.RIGHT_REVERSE: "right answer, a premise with its relation reversed",
    FaultKind.RIGHT_NEGATE: "right answer, a true premise denied",
    FaultKind.RIGHT_OPPOSED: "right answer, the text concludes the opposite",
    FaultKind.RIGHT_DATE: "right answer, a date shifted",
    FaultKind.RIGHT_STEP: "right answer, true dates, a false step",
    FaultKind.RIGHT_MIXED: "right answer, a false premise and a false step or opposed conclusion",
    FaultKind.WRONG_SWAP: "wrong answer, explained by a swapped entity",
    FaultKind.WRONG_NEGATE: "wrong answer, a true premise denied",
    FaultKind.WRONG_DATE: "wrong answer, explained by a shifted date",
    FaultKind.WRONG_STEP: "wrong answer, true dates, a false step",
    FaultKind.WRONG_KNOWN: "wrong answer with right knowledge",
    FaultKind.WRONG_MIXED: "wrong answer, a false premise that does not explain it",
    FaultKind.WRONG_BARE: "wrong answer and nothing else",
    FaultKind.WRONG_PARTIAL: "wrong answer, true premises that settle nothing",
    FaultKind.WRONG_UNLICENSED: "wrong answer, a false premise that no rule may call false",
    FaultKind.SELF_CONTRADICTION: "answers yes and no",
    FaultKind.RIGHT_UNDECIDED: "right answer, a false premise that the snapshot does not decide",
    FaultKind.CHANGED_RELATION: "right answer, a premise with another relation between the right things",
}


class OracleLabel(NamedTuple):
    """What an oracle that follows the page says of it."""

    category: Category
    sub_label: str
    row: str
    """Of the decision table."""


SOUND = OracleLabel("normal", "", "R4")
ABSTAINED = OracleLabel("normal", "abstained", "0a")
NO_ANSWER = OracleLabel("unparseable", "", "0b")
UNAFFECTED = OracleLabel("error_knowledge", "answer_unaffected", "R2")
CONTRADICTORY_BOTH = OracleLabel("both", "contradictory", "R1")
OPPOSED = OracleLabel("error_inference", "contradictory", "R3")
FALSE_STEP = OracleLabel("error_inference", "", "R3")
EXPLAINED = OracleLabel("error_knowledge", "explained", "W2")
UNPROVEN = OracleLabel("error_knowledge", "unproven", "W2")
UNEXPLAINED = OracleLabel("both", "", "W1")
STEP_WRONG = OracleLabel("error_inference", "", "W3")
PROVED = OracleLabel("error_inference", "proved", "W4")
REDUCTIO = OracleLabel("error_knowledge", "by_reductio", "W5")
CONCLUSION_ONLY = OracleLabel("error_knowledge", "", "W6")
NO_CAUSE = OracleLabel("unattributed", "", "W7")
BOTH_ANSWERS = OracleLabel("error_inference", "self_contradictory", "0c")

LABEL: Mapping[FaultKind, OracleLabel] = {
    **dict.fromkeys(FaultKind, SOUND),
    FaultKind.DONT_KNOW: ABSTAINED,
    FaultKind.REFUSAL: ABSTAINED,
    FaultKind.NO_ANSWER: NO_ANSWER,
    FaultKind.RIGHT_SWAP: UNAFFECTED,
    FaultKind.RIGHT_REVERSE: UNAFFECTED,
    FaultKind.RIGHT_NEGATE: UNAFFECTED,
    FaultKind.RIGHT_OPPOSED: OPPOSED,
    FaultKind.RIGHT_DATE: UNAFFECTED,
    FaultKind.RIGHT_STEP: FALSE_STEP,
    FaultKind.RIGHT_MIXED: CONTRADICTORY_BOTH,
    FaultKind.RIGHT_UNDECIDED: UNAFFECTED,
    FaultKind.CHANGED_RELATION: FALSE_STEP,
    FaultKind.WRONG_SWAP: UNPROVEN,
    FaultKind.WRONG_NEGATE: UNPROVEN,
    FaultKind.WRONG_DATE: EXPLAINED,
    FaultKind.WRONG_STEP: STEP_WRONG,
    FaultKind.WRONG_KNOWN: PROVED,
    FaultKind.WRONG_MIXED: UNEXPLAINED,
    FaultKind.WRONG_BARE: NO_CAUSE,
    FaultKind.WRONG_PARTIAL: NO_CAUSE,
    FaultKind.WRONG_UNLICENSED: NO_CAUSE,
    FaultKind.SELF_CONTRADICTION: BOTH_ANSWERS,
}
"""Of each fault, unless the question's shape moves it to another row. Another relation is an edge, and edges are
inference in the papers' terms."""

RIGHT_FAULTS = frozenset(fault for fault in FaultKind if fault.value.startswith("right_"))
WRONG_FAULTS = frozenset(fault for fault in FaultKind if fault.value.startswith("wrong_"))
FAULTS = RIGHT_FAULTS | WRONG_FAULTS | {FaultKind.SELF_CONTRADICTION, FaultKind.CHANGED_RELATION}
SOUND_FAULTS = frozenset(FaultKind) - FAULTS
UNUSUAL_SOUND = frozenset({FaultKind.OTHER_ROUTE, FaultKind.CONTAINERS, FaultKind.VERBOSE, FaultKind.INCOMPLETE})
"""Sound in a way that a narrow oracle takes for an error; at least 30 % of the sound ones."""

_NO_ANSWER = frozenset({FaultKind.DONT_KNOW, FaultKind.REFUSAL, FaultKind.NO_ANSWER, FaultKind.SELF_CONTRADICTION})


def is_right(fault: FaultKind) -> bool | None:
    """Whether the answer is the gold one; None where there is none, or are two."""
    return None if fault in _NO_ANSWER else fault not in WRONG_FAULTS


class Thing(NamedTuple):
    """An entity with its label."""

    qid: int
    label: str


class KnownDate(NamedTuple):
    """A date as far as it is known: astronomical year (−43 is 44 BC), 0 for an unknown month or day."""

    year: int
    month: int
    day: int

    def moved(self, years: int) -> "KnownDate":
        """The same day of another year; 29 February becomes the 28th."""
        return KnownDate(self.year + years, self.month, min(self.day, 28) if self.month == 2 else self.day)


def read_date(text: str, precision: int) -> KnownDate:
    """Read `1812-02-07`, `1812-02`, `1812` or `-0043-03-15`; parts finer than the precision are left out.

    Raises:
        ValueError: no date.
    """
    parts = [int(part) for part in text.lstrip("+-").split("T")[0].split("-")] + [0, 0]
    year = -parts[0] if text.startswith("-") else parts[0]
    return KnownDate(year, parts[1] if precision >= 10 else 0, parts[2] if precision >= 11 else 0)


_WINDOW = re.compile(r"[FGU]\[(\d{1,6}),\s*(\d{1,6})\]")


def asked_window(formula: str, at: int) -> tuple[int, int] | None:
    """First and last year of the first window of a formula that is asked about in a year; None without a window."""
    window = _WINDOW.search(formula)
    return (at + int(window[1]), at + int(window[2])) if window else None


def some_years(random: Random, least: int, most: int, unit: int = 1) -> int:
    """So many years earlier or later, in whole decades or centuries where a date is known no better."""
    return random.choice((-1, 1)) * -(-random.randint(least, most) // unit) * unit


def other_amount(amount: str, random: Random) -> str:
    """A number that is another one, and not by much."""
    try:
        number = int(amount)
    except ValueError:
        return f"{float(amount) * random.choice((0.5, 1.5, 2)):g}"
    return str(number + random.choice((-1, 1)) * max(1, abs(number) // random.randint(4, 20)))


class PlantersWorld(Protocol):
    """What whoever plants knows to be so."""

    def objects_of(self, property: int, /) -> Sequence[Thing]:
        """What the property is said of anything, by QID."""

    def states(self, s: int, p: int, o: int, /) -> bool:
        """Whether that is known to be so."""

    def of_a_kind(self, one: int, other: int, /) -> bool:
        """Whether two entities share a class."""


def mistakable(world: PlantersWorld, s: int, p: int, true: int, other: int) -> bool:
    """Whether another thing in place of the true object is not known to be right, nor one of the two ends."""
    return other not in (s, true) and not world.states(s, p, other)


def others(world: PlantersWorld, s: int, p: int, true: int) -> list[Thing]:
    """Plausible wrong objects: the property is said of them elsewhere, and they are of a kind with the true one."""
    return [
        thing
        for thing in world.objects_of(p)
        if mistakable(world, s, p, true, thing.qid) and world.of_a_kind(true, thing.qid)
    ]
