"""The judge of the suite recognition: a judgement Yes or No against whether the text is the pair's false member.

`strict` reads the final verdict, whatever its case, alone or on the last line (`reading.verdict`); what gives none is
unparseable, apart from right and wrong. `legacy` is HaluEval's published rule, which looks for the two words in the
whole reply, and counts what has both or neither as wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.reading import verdict
from halluvault_tasks.storage.tables import cases

STRICT, LEGACY = "recognition/strict", "recognition/legacy"
PROFILES: Mapping[str, str] = {STRICT: "1", LEGACY: "1"}

FAILED = "failed"
"""Sub-label of a reply that gives no judgement."""


def judge(session: Session, snapshot: str, batch: Sequence[Any]) -> list[dict[str, Any]]:
    """A verdict of each response and profile."""
    golds = dict(
        session.execute(select(cases.c.id, cases.c.gold).where(cases.c.id.in_([row.case_id for row in batch]))).all()
    )
    return [
        {"case_id": row.case_id, "sample": row.sample} | verdict_of(profile, golds[row.case_id], row.text or "")
        for row in batch
        for profile in PROFILES
    ]


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
        answer, correct, category, how = (
            said,
            right,
            "normal" if right else "unattributed",
            "right" if right else "wrong",
        )
    elif said in ("dont_know", "refusal"):
        answer, correct, category, how = said, None, "normal", "abstained"
    elif profile == LEGACY:
        answer, correct, category, how = "unparseable", False, "unattributed", FAILED
    else:
        answer, correct, category, how = "unparseable", None, "unparseable", FAILED
    return {
        "profile": profile, "profile_version": PROFILES[profile], "answer": answer, "correct": correct,
        "category": category, "sub_label": how, "detail": {"said": said},
    }  # fmt: skip


def strict(reply: str) -> str:
    """The final verdict: yes, no, dont_know, or unparseable; of several lines, the last one's."""
    whole = verdict.read(reply)
    if whole.kind != "unparseable":
        return whole.kind
    lines = [line for line in reply.splitlines() if line.strip()]
    return verdict.read(lines[-1]).kind if len(lines) > 1 else "unparseable"


def legacy(reply: str) -> str:
    """HaluEval's rule: full stops go; "Yes" and "No" are looked for as they are written; both or neither failed."""
    text = reply.replace(".", "")
    yes, no = "Yes" in text, "No" in text
    return FAILED if yes == no else "yes" if yes else "no"
