"""The judge of the suite recognition: a judgement Yes or No against whether the text is the pair's false member.

`strict` reads the final verdict, whatever its case, alone or on the last line (`reading.verdict_turn`); what gives none
is unparseable, apart from right and wrong. `legacy` is HaluEval's published rule, which looks for the two words in the
whole reply, and counts what has both or neither as wrong. What says nothing at all is unread by either.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.recognition.fact import NAME
from halluvault_tasks.oracles.profile import Held, OracleProfile
from halluvault_tasks.oracles.suites.judge import SuiteJudge
from halluvault_tasks.reading import listed, verdict_turn
from halluvault_tasks.reading.markup import plain

STRICT, LEGACY = "recognition/strict", "recognition/legacy"
PROFILES = (
    OracleProfile(STRICT, "2", held=Held("1", labelled=400, same=298)),
    OracleProfile(LEGACY, "2", held=Held("1", labelled=400, same=269)),
)

FAILED = "failed"
"""Sub-label of a reply that gives no judgement."""


def verdicts(session: Session, snapshot: str, batch: Sequence[tuple[Any, Any]]) -> list[list[dict[str, Any]]]:
    """A verdict of each response and profile."""
    return [
        [
            refined(profile, names[0], names[1], row.text) if names else verdict_of(profile, case.gold, row.text)
            for profile in (STRICT, LEGACY)
        ]
        for row, case in batch
        for names in (case.fact.get("names"),)
    ]


def refined(profile: str, right: str, false: str, reply: str) -> dict[str, Any]:
    """What a mended text amounts to, by which of the two names stands in it; both profiles read it alike.

    Args:
        profile: `STRICT` or `LEGACY`.
        right, false: the names in which the two members differ.
    """
    holds_right, holds_false = (listed.read(reply, {listed.key(one): one}).mentions for one in (right, false))
    if holds_right == holds_false:
        answer, correct, category, how = "unparseable", None, "unparseable", FAILED
    else:
        answer, correct, category = "text", holds_right, "normal" if holds_right else "unattributed"
        how = "mended" if holds_right else "as false as before"
    return {
        "profile": profile, "answer": answer, "correct": correct, "category": category, "sub_label": how,
        "detail": {"right": holds_right, "false": holds_false},
    }  # fmt: skip


def verdict_of(profile: str, gold: str, reply: str) -> dict[str, Any]:
    """What a reply amounts to by `STRICT` or `LEGACY`, as columns of table `verdict`; gold is yes or no."""
    said = strict(reply) if profile == STRICT else legacy(reply)
    if said in ("yes", "no"):
        right = said == gold
        answer, correct, category = said, right, "normal" if right else "unattributed"
        how = "right" if right else "wrong"
    elif said in ("dont_know", "refusal"):
        answer, correct, category, how = said, None, "normal", "abstained"
    elif profile == LEGACY:
        answer, correct, category, how = "unparseable", False, "unattributed", FAILED
    else:
        answer, correct, category, how = "unparseable", None, "unparseable", FAILED
    return {
        "profile": profile, "answer": answer, "correct": correct, "category": category, "sub_label": how,
        "detail": {"said": said},
    }  # fmt: skip


def strict(reply: str) -> str:
    """The final verdict: yes, no, dont_know, or unparseable; of several lines, the last one's."""
    whole = verdict_turn.read(reply)
    if whole.kind != "unparseable":
        return whole.kind
    lines = [line for line in plain(reply).text.splitlines() if any(map(str.isalnum, line))]
    return verdict_turn.read(lines[-1]).kind if len(lines) > 1 else "unparseable"


def legacy(reply: str) -> str:
    """HaluEval's rule: full stops go; "Yes" and "No" are looked for as they are written; both or neither failed."""
    text = reply.replace(".", "")
    yes, no = "Yes" in text, "No" in text
    return FAILED if yes == no else "yes" if yes else "no"


JUDGE = SuiteJudge(NAME, PROFILES, verdicts)
