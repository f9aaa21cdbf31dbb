"""What is planted, and what the decision table of semantics.md section 4.2 says of it.

The labels were derived by hand from that page, fault by fault and question shape by question shape, without a look
at the Prolog that replays; the row is named beside each.
"""

from enum import Enum
from typing import Literal, NamedTuple

Category = Literal["normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable"]
Shape = Literal["direct", "value", "converse", "chain", "share", "order", "temporal"]
"""What a question rests on: one statement that says it (or its inverse), the only value of a functional property
that rules it out, the same relation the other way round, several statements, two that share an object, the order of
two dates, or a formula over dates."""

ONE_PREMISE: frozenset[Shape] = frozenset({"direct", "value", "converse"})
DATED: frozenset[Shape] = frozenset({"order", "temporal"})


class Fault(Enum):
    """What is wrong with a response, or, among the sound ones, what might look wrong."""

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


DESCRIPTION: dict[Fault, str] = {
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

RIGHT_FAULTS = frozenset(fault for fault in Fault if fault.value.startswith("right_"))
WRONG_FAULTS = frozenset(fault for fault in Fault if fault.value.startswith("wrong_"))
FAULTS = RIGHT_FAULTS | WRONG_FAULTS | {Fault.SELF_CONTRADICTION}
SOUND_FAULTS = frozenset(Fault) - FAULTS
UNUSUAL_SOUND = frozenset({Fault.OTHER_ROUTE, Fault.CONTAINERS, Fault.VERBOSE, Fault.INCOMPLETE})
"""Sound in a way that a narrow oracle takes for an error; at least 30 % of the sound ones."""
