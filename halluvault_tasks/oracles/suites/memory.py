"""The judge of the suite memory: whether each pair of a single or a set was answered as it is.

A set is right where every pair is (h_in of equation 4). A reply that is not names by commas is rejected and counted as
unparseable; one that declines is normal, as everywhere. A wrong set is a hallucination without a cause that is shown,
since the pairs may well be known singly; a wrong single is an error of knowledge.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.memory.fact import NAME, MemoryFact
from halluvault_tasks.oracles.profile import Held, OracleProfile
from halluvault_tasks.oracles.suites import declining
from halluvault_tasks.oracles.suites.judge import SuiteJudge
from halluvault_tasks.reading import listed
from halluvault_tasks.reading.listed import ReplyList
from halluvault_tasks.reading.parser import spacy_parser

PROFILE = "memory/internal"
# Of 350 labels; on the others its mistakes were corrected, so that they say nothing of it.
PROFILES = (OracleProfile(PROFILE, "3", held=Held("2", labelled=269, same=253)),)


def verdicts(session: Session, snapshot: str, batch: Sequence[tuple[Any, Any]]) -> list[list[dict[str, Any]]]:
    """A verdict of each response."""
    read = []
    for row, case in batch:
        fact = MemoryFact.model_validate(case.fact)
        said = listed.read(row.text, _known(fact))
        # Of known names alone there is no doubt; what holds others may be a sentence with commas in it.
        if said.form == "list" and "" in said.names and listed.states(row.text, spacy_parser()):
            said = ReplyList("other", mentions=said.mentions)
        read.append((fact, said))
    # Whether it declines is asked only of what lists nothing that was asked for.
    unsure = [at for at, (_, said) in enumerate(read) if not said.mentions and said.form != "empty"]
    declined = declining.kinds([(batch[at][0].text, batch[at][1].question) for at in unsure])
    kinds = dict(zip(unsure, declined, strict=True))
    return [[verdict_of(fact, said, kinds.get(at, ""))] for at, (fact, said) in enumerate(read)]


def verdict_of(fact: MemoryFact, said: ReplyList, declined: str) -> dict[str, Any]:
    """What a reply amounts to, as columns of table `verdict`.

    Args:
        fact: what was asked.
        said: what the reply lists.
        declined: `dont_know` or `refusal` where it declines; else empty.
    """
    right = sum(one == name for one, name in zip(said.names, fact.right, strict=False)) if said.form == "list" else 0
    if said.form == "list" and said.names == fact.right:
        answer, correct, category, how = "list", True, "normal", "right"
    elif declined:
        answer, correct, category, how = declined, None, "normal", "abstained"
    elif said.form != "list":
        answer, correct, category, how = "unparseable", None, "unparseable", f"not names by commas: {said.form}"
    else:
        answer, correct, how = "list", False, "wrong"
        category = "error_knowledge" if fact.kind == "single" else "unattributed"
    detail = {"kind": fact.kind, "k": fact.k, "strategy": fact.strategy, "pairs_right": right, "said": list(said.names)}
    return {
        "profile": PROFILE, "answer": answer, "correct": correct, "category": category, "sub_label": how,
        "detail": detail,
    }  # fmt: skip


def _known(fact: MemoryFact) -> dict[str, str]:
    return {listed.key(name): right for right, names in fact.accepted.items() for name in (right, *names)}


JUDGE = SuiteJudge(NAME, PROFILES, verdicts)
