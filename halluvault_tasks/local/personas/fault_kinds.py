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


class Fault(Enum):
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


DESCRIPTION: Mapping[Fault, str] = {
    Fault.PLAIN: "right answer, the true premises",
    Fault.OTHER_ROUTE: "right answer by other true facts than the proof's",
    Fault.CONTAINERS: "right answer, places named with or by what they lie in",
    Fault.VERBOSE: "right answer, the premises among true facts beside the point",
    Fault.INCOMPLETE: "right answer, only some of the premises",
    Fault.HEDGED: "right answer, a true premise said with doubt",
    Fault.HEDGED_SLIP: "right answer, a false premise said with doubt: unverifiable, so no error",
    Fault.RETRACTED: "right answer, a false premise taken back at once",
    Fault.BARE: "right answer and nothing else",
    Fault.DONT_KNOW: "says that it does not know",
    Fault.REFUSAL: "refuses",
    Fault.NO_ANSWER: "true facts, no answer",
    Fault.RIGHT_SWAP: "right answer, a premise with a swapped entity",
    Fault.RIGHT_REVERSE: "right answer, a premise with its relation reversed",
    Fault.RIGHT_NEGATE: "right answer, a true premise denied",
    Fault.RIGHT_OPPOSED: "right answer, the text concludes the opposite",
    Fault.RIGHT_DATE: "right answer, a date shifted",
    Fault.RIGHT_STEP: "right answer, true dates, a false step",
    Fault.RIGHT_MIXED: "right answer, a false premise and a false step or opposed conclusion",
    Fault.WRONG_SWAP: "wrong answer, explained by a swapped entity",
    Fault.WRONG_NEGATE: "wrong answer, a true premise denied",
    Fault.WRONG_DATE: "wrong answer, explained by a shifted date",
    Fault.WRONG_STEP: "wrong answer, true dates, a false step",
    Fault.WRONG_KNOWN: "wrong answer with right knowledge",
    Fault.WRONG_MIXED: "wrong answer, a false premise that does not explain it",
    Fault.WRONG_BARE: "wrong answer and nothing else",
    Fault.WRONG_PARTIAL: "wrong answer, true premises that settle nothing",
    Fault.WRONG_UNLICENSED: "wrong answer, a false premise that no rule may call false",
    Fault.SELF_CONTRADICTION: "answers yes and no",
    Fault.RIGHT_UNDECIDED: "right answer, a false premise that the snapshot does not decide",
    Fault.CHANGED_RELATION: "right answer, a premise with another relation between the right things",
}


class Label(NamedTuple):
    """What an oracle that follows the page says of it."""

    category: Category
    sub_label: str
    row: str
    """Of the decision table."""


SOUND = Label("normal", "", "R4")
ABSTAINED = Label("normal", "abstained", "0a")
NO_ANSWER = Label("unparseable", "", "0b")
UNAFFECTED = Label("error_knowledge", "answer_unaffected", "R2")
CONTRADICTORY_BOTH = Label("both", "contradictory", "R1")
OPPOSED = Label("error_inference", "contradictory", "R3")
FALSE_STEP = Label("error_inference", "", "R3")
EXPLAINED = Label("error_knowledge", "explained", "W2")
UNPROVEN = Label("error_knowledge", "unproven", "W2")
UNEXPLAINED = Label("both", "", "W1")
STEP_WRONG = Label("error_inference", "", "W3")
PROVED = Label("error_inference", "proved", "W4")
REDUCTIO = Label("error_knowledge", "by_reductio", "W5")
CONCLUSION_ONLY = Label("error_knowledge", "", "W6")
NO_CAUSE = Label("unattributed", "", "W7")
BOTH_ANSWERS = Label("error_inference", "self_contradictory", "0c")

LABEL: Mapping[Fault, Label] = {
    **dict.fromkeys(Fault, SOUND),
    Fault.DONT_KNOW: ABSTAINED,
    Fault.REFUSAL: ABSTAINED,
    Fault.NO_ANSWER: NO_ANSWER,
    Fault.RIGHT_SWAP: UNAFFECTED,
    Fault.RIGHT_REVERSE: UNAFFECTED,
    Fault.RIGHT_NEGATE: UNAFFECTED,
    Fault.RIGHT_OPPOSED: OPPOSED,
    Fault.RIGHT_DATE: UNAFFECTED,
    Fault.RIGHT_STEP: FALSE_STEP,
    Fault.RIGHT_MIXED: CONTRADICTORY_BOTH,
    Fault.RIGHT_UNDECIDED: UNAFFECTED,
    Fault.CHANGED_RELATION: FALSE_STEP,
    Fault.WRONG_SWAP: UNPROVEN,
    Fault.WRONG_NEGATE: UNPROVEN,
    Fault.WRONG_DATE: EXPLAINED,
    Fault.WRONG_STEP: STEP_WRONG,
    Fault.WRONG_KNOWN: PROVED,
    Fault.WRONG_MIXED: UNEXPLAINED,
    Fault.WRONG_BARE: NO_CAUSE,
    Fault.WRONG_PARTIAL: NO_CAUSE,
    Fault.WRONG_UNLICENSED: NO_CAUSE,
    Fault.SELF_CONTRADICTION: BOTH_ANSWERS,
}
"""Of each fault, unless the question's shape moves it to another row. Another relation is an edge, and edges are
inference in the papers' terms."""

RIGHT_FAULTS = frozenset(fault for fault in Fault if fault.value.startswith("right_"))
WRONG_FAULTS = frozenset(fault for fault in Fault if fault.value.startswith("wrong_"))
FAULTS = RIGHT_FAULTS | WRONG_FAULTS | {Fault.SELF_CONTRADICTION, Fault.CHANGED_RELATION}
SOUND_FAULTS = frozenset(Fault) - FAULTS
UNUSUAL_SOUND = frozenset({Fault.OTHER_ROUTE, Fault.CONTAINERS, Fault.VERBOSE, Fault.INCOMPLETE})
"""Sound in a way that a narrow oracle takes for an error; at least 30 % of the sound ones."""

_NO_ANSWER = frozenset({Fault.DONT_KNOW, Fault.REFUSAL, Fault.NO_ANSWER, Fault.SELF_CONTRADICTION})


def is_right(fault: Fault) -> bool | None:
    """Whether the answer is the gold one; None where there is none, or are two."""
    return None if fault in _NO_ANSWER else fault not in WRONG_FAULTS


class Thing(NamedTuple):
    """An entity with its label."""

    qid: int
    label: str


class Date(NamedTuple):
    """A date as far as it is known: astronomical year (−43 is 44 BC), 0 for an unknown month or day."""

    year: int
    month: int
    day: int

    def moved(self, years: int) -> "Date":
        """The same day of another year; 29 February becomes the 28th."""
        return Date(self.year + years, self.month, min(self.day, 28) if self.month == 2 else self.day)


def read_date(text: str, precision: int) -> Date:
    """Read `1812-02-07`, `1812-02`, `1812` or `-0043-03-15`; parts finer than the precision are left out.

    Raises:
        ValueError: no date.
    """
    parts = [int(part) for part in text.lstrip("+-").split("T")[0].split("-")] + [0, 0]
    year = -parts[0] if text.startswith("-") else parts[0]
    return Date(year, parts[1] if precision >= 10 else 0, parts[2] if precision >= 11 else 0)


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


class World(Protocol):
    """What whoever plants knows to be so."""

    def objects_of(self, property: int, /) -> Sequence[Thing]:
        """What the property is said of anything, by QID."""

    def states(self, s: int, p: int, o: int, /) -> bool:
        """Whether that is known to be so."""

    def of_a_kind(self, one: int, other: int, /) -> bool:
        """Whether two entities share a class."""


def mistakable(world: World, s: int, p: int, true: int, other: int) -> bool:
    """Whether another thing in place of the true object is not known to be right, nor one of the two ends."""
    return other not in (s, true) and not world.states(s, p, other)


def others(world: World, s: int, p: int, true: int) -> list[Thing]:
    """Plausible wrong objects: the property is said of them elsewhere, and they are of a kind with the true one."""
    return [
        thing
        for thing in world.objects_of(p)
        if mistakable(world, s, p, true, thing.qid) and world.of_a_kind(true, thing.qid)
    ]
