"""A sheet of recognition pairs to be read by somebody who knows nothing of how they were made.

Evenly over the patterns, drawn by seed: the same part gives the same sheet. A pair is good if the right member is right
and the false one false and not absurd. What shows that the false member is false is not on the sheet.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.suites.recognition.fact import NAME, RecognitionFact
from halluvault_tasks.errors import UserError
from halluvault_tasks.statistics.seeds import drawn

_RUBRIC = """\
# Pairs to read

Write a line for each pair: its number, a tab, and one of these, then a tab and a note if you like.

- good: the right member is right, or says what the document holds; the false member is false, and somebody could
  believe it. By their patterns a false member of specificity is too general, of extrinsic-grouped of another kind, and
  of summary, factual true, but not in the document
- wrong: one of these does not hold
- unsure: you cannot find out

"""


class SheetPair(NamedTuple):
    """Both members of a pair.

    Attributes:
        kind: task and pattern.
        setting: question, dialogue history or document, as it is asked.
        known: sentences that decide it; empty where there are none.
    """

    id: str
    kind: str
    setting: str
    right: str
    false: str
    known: str


def draw(session: Session, snapshot: str, count: int, seed: int) -> list[SheetPair]:
    """At most so many pairs of a month, each pattern in turn.

    Raises:
        UserError: the month has no pair.
    """
    members: dict[str, dict[str, tuple[str, str]]] = {}
    facts: dict[str, RecognitionFact] = {}
    for case in reading.every(session, snapshot, [NAME]):
        fact = RecognitionFact.model_validate(case.fact)
        if fact.instruction is None:
            continue
        setting, _, text = case.question.rpartition("\n")
        members.setdefault(fact.pair, {})[fact.member] = (setting, text.partition(": ")[2])
        facts[fact.pair] = fact
    by: dict[str, list[SheetPair]] = {}
    for pair in sorted((one for one, both in members.items() if len(both) == 2), key=lambda one: drawn(seed, one)):
        fact, both = facts[pair], members[pair]
        kind = f"{fact.task}, {fact.pattern}, {fact.generator}"
        by.setdefault(kind, []).append(
            SheetPair(pair, kind, both["right"][0], both["right"][1], both["false"][1], fact.knowledge or "")
        )
    if not by:
        raise UserError(f"{snapshot} has no pair of the suite {NAME}", "halluvault benchmark build --suite recognition")
    turns = zip_longest(*(by[kind] for kind in sorted(by)))
    return [one for turn in turns for one in turn if one is not None][:count]


def sheet(pairs: Sequence[SheetPair]) -> str:
    """The pairs as Markdown, numbered from 1."""
    texts = [_RUBRIC]
    for number, one in enumerate(pairs, 1):
        known = f"\nknown: {one.known}\n" if one.known else ""
        both = f"right: {one.right}\n\nfalse: {one.false}\n{known}\n"
        texts.append(f"## {number}: {one.kind} ({one.id})\n\n{one.setting}\n\n{both}")
    return "".join(texts)
