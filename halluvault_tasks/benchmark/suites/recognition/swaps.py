"""What a licensed swap is: a right text and a false one about one thing, made without any model.

What makes the false member false is shown by the snapshot, pattern by pattern (HELMA §2.1): another value that the
licence refuses; a value of another type; the value of another slot; a container where the thing itself is asked; a true
sentence that the document does not hold. What cannot be shown makes no pair.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from halluvault_tasks.benchmark.suites.sole_statements import StoredPremise
from halluvault_tasks.reasoning.case_proofs.members import Falsity
from halluvault_tasks.reasoning.case_proofs.program import Facts

Task = Literal["qa", "dialogue", "summary"]

PATTERNS: Mapping[Task, tuple[str, ...]] = {
    "qa": ("comprehension", "factualness", "specificity", "inference"),
    "dialogue": ("extrinsic-soft", "extrinsic-hard", "extrinsic-grouped"),
    "summary": ("factual", "non-factual", "intrinsic"),
}


class Swap(NamedTuple):
    """A pair of texts about one thing.

    Attributes:
        setting: question, dialogue history or document.
        right, false: the two members.
        knowledge: what decides it, in sentences; empty: the document does.
        premises: statements that the pair rests on.
        shown: what shows that the false member is false.
        support: facts of what the right member says, and of what it rests on beside the premises.
    """

    task: Task
    pattern: str
    s: int
    p: int
    o: int
    other: int
    setting: str
    right: str
    false: str
    knowledge: str
    premises: tuple[StoredPremise, ...]
    shown: Falsity
    support: Facts

    @property
    def about(self) -> tuple[str, str]:
        """Setting and right text: nobody is asked twice about one."""
        return self.setting, self.right

    @property
    def longer(self) -> int:
        """1: the false member is longer by words and by characters; -1: shorter by both; 0: neither."""
        words = len(self.false.split()) - len(self.right.split())
        characters = len(self.false) - len(self.right)
        return 1 if words > 0 < characters else -1 if words < 0 > characters else 0
