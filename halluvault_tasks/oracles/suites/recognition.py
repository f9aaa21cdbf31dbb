"""The judge of the suite recognition: a judgement Yes or No against whether the text is the pair's false member.

`strict` reads the final verdict, whatever its case, alone or on the last line (`reading.verdict`); what gives none is
unparseable, apart from right and wrong. `legacy` is HaluEval's published rule, which looks for the two words in the
whole reply, and counts what has both or neither as wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.suites.held import Held
from halluvault_tasks.reading import listed, verdict_turn
from halluvault_tasks.storage.tables import benchmark_case, cases

STRICT, LEGACY = "recognition/strict", "recognition/legacy"
PROFILES: Mapping[str, str] = {STRICT: "1", LEGACY: "1"}
HELD: Mapping[str, Held] = {STRICT: Held("1", labelled=400, same=298), LEGACY: Held("1", labelled=400, same=269)}

FAILED = "failed"
"""Sub-label of a reply that gives no judgement."""


def judge(session: Session, snapshot: str, batch: Sequence[Any]) -> list[dict[str, Any]]:
    """A verdict of each response and profile."""
    query = (
        select(cases.c.id, cases.c.gold, benchmark_case.c.fact["names"].label("names"))
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot, cases.c.id.in_([row.case_id for row in batch]))
    )
    asked = {row.id: row for row in session.execute(query)}
    return [
        {"case_id": row.case_id, "sample": row.sample}
        | (
            refined(profile, asked[row.case_id].names[0], asked[row.case_id].names[1], row.text or "")
            if asked[row.case_id].names
            else verdict_of(profile, asked[row.case_id].gold, row.text or "")
        )
        for row in batch
        for profile in PROFILES
    ]


def refined(profile: str, right: str, false: str, reply: str) -> dict[str, Any]:
    """What a mended text amounts to, by which of the two names stands in it; both profiles read it alike.

    Args:
        profile: `STRICT` or `LEGACY`.
        right, false: the names in which the two members differ.
        reply: as it came.
    """
    holds_right, holds_false = (listed.read(reply, {listed.key(one): one}).mentions for one in (right, false))
    if holds_right == holds_false:
        answer, correct, category, how = "unparseable", None, "unparseable", FAILED
    else:
        answer, correct, category = "text", holds_right, "normal" if holds_right else "unattributed"
        how = "mended" if holds_right else "as false as before"
    return _row(profile, answer, correct, category, how) | {"detail": {"right": holds_right, "false": holds_false}}


def verdict_of(profile: str, gold: str, reply: str) -> dict[str, Any]:
    """What a reply amounts to, as columns of table `verdict`.

    Args:
        profile: `STRICT` or `LEGACY`.
        gold: yes or no.
        reply: as it came.
    """
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
    return _row(profile, answer, correct, category, how) | {"detail": {"said": said}}


def _row(profile: str, answer: str, correct: bool | None, category: str, how: str) -> dict[str, Any]:
    return {
        "profile": profile, "profile_version": PROFILES[profile], "answer": answer, "correct": correct,
        "category": category, "sub_label": how,
    }  # fmt: skip


def strict(reply: str) -> str:
    """The final verdict: yes, no, dont_know, or unparseable; of several lines, the last one's."""
    whole = verdict_turn.read(reply)
    if whole.kind != "unparseable":
        return whole.kind
    lines = [line for line in reply.splitlines() if line.strip()]
    return verdict_turn.read(lines[-1]).kind if len(lines) > 1 else "unparseable"


def legacy(reply: str) -> str:
    """HaluEval's rule: full stops go; "Yes" and "No" are looked for as they are written; both or neither failed."""
    text = reply.replace(".", "")
    yes, no = "Yes" in text, "No" in text
    return FAILED if yes == no else "yes" if yes else "no"
