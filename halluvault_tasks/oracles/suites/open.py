"""The judge of the suite open: the last reply, or the one before a stated confidence, against what is wanted.

Right, right but less precise, wrong where the case's licence denies it, and unjudged where nothing decides
(semantics.md §4.6). Thoughts are no part of it, and what says nothing is unread, as everywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import re2
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open.fact import NAME, OpenFact, WantedDate, WantedNames
from halluvault_tasks.oracles import asked
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.oracles.profile import Held, OracleProfile
from halluvault_tasks.oracles.suites import open_names, open_values
from halluvault_tasks.oracles.suites.judge import ArguedAnswer, SuiteJudge
from halluvault_tasks.oracles.suites.open_names import Snapshot
from halluvault_tasks.oracles.suites.open_outcome import AnswerStanding, OpenOutcome
from halluvault_tasks.reading.open_answer import counting, cutting, known
from halluvault_tasks.wikidata import properties as wd

PROFILE = "open/linked"
PROFILES = (OracleProfile(PROFILE, "2", held=Held("2", labelled=324, same=324, wanted=300, least=0.98)),)
"""`python -m studies.open_answers held`: 330 labels, less one on which the judge was corrected and five that it leaves
unjudged."""

_SHOWN = 240
_OF_PLACES = wd.PLACES | {wd.CAPITAL, wd.ADMINISTERS, wd.BORDER, wd.TWIN_TOWN}
_PID = re2.compile(r"P(\d+)")

_CORRECT = {
    AnswerStanding.RIGHT: True,
    AnswerStanding.LESS_PRECISE: True,
    AnswerStanding.WRONG: False,
    AnswerStanding.UNJUDGED: None,
}
_CATEGORY = {
    AnswerStanding.RIGHT: "normal",
    AnswerStanding.LESS_PRECISE: "normal",
    AnswerStanding.WRONG: "unattributed",
    AnswerStanding.UNJUDGED: "review",
}


class OpenAnswer(NamedTuple):
    """What a response answers, and how sure it says that it is.

    Attributes:
        text: the reply that answers; empty where it says nothing.
        confidence: from 0 to 100; None where it was not asked, or not said.
    """

    text: str
    confidence: float | None = None


def answer_of(said: HeardResponse) -> OpenAnswer:
    """The reply that answers, and how sure it is said to be."""
    return OpenAnswer(said.text.strip(), None if said.stated is None else counting.confidence(said.stated))


def load(session: Session, snapshot: str) -> None:
    """Read what names are judged by, once a session."""
    known.load(session, snapshot).prepare()


def verdicts(session: Session, snapshot: str, batch: Sequence[tuple[HeardResponse, Any]]) -> list[list[dict[str, Any]]]:
    """A verdict of each response."""
    things = partial(known.load, session, snapshot)
    found = []
    for response, case in batch:
        fact = OpenFact.model_validate(case.fact)
        properties = [int(pid) for pid in _PID.findall(fact.relation)]
        fill = partial(_fill, session, snapshot, frozenset(properties[-1:]))
        places = not _OF_PLACES.isdisjoint(properties[-1:])
        found.append([verdict_of(fact, case.question, answer_of(response), Snapshot(things, fill, places))])
    return found


def _fill(session: Session, snapshot: str, properties: frozenset[int], items: Iterable[int]) -> frozenset[int]:
    """Which items may fill the slot; all, where the question is about no relation."""
    several = frozenset(items)
    return known.slot_values(session, snapshot, several, properties) if properties else several


def argued(said: HeardResponse, case: Any, verdict: Mapping[str, Any]) -> ArguedAnswer | None:
    """The explanation of an answer that was judged, with the case's fact as the proposition that it is for."""
    if verdict["correct"] is None or not said.turns or not case.premises:
        return None
    fact = OpenFact.model_validate(case.fact)
    items = fact.wanted.items if isinstance(fact.wanted, WantedNames) else ()
    proposition: dict[str, Any] = {"s": case.subject, "truth": True}
    if fact.relation and not fact.formula and len(items) == 1:
        proposition |= {"relation": fact.relation, "o": items[0].qid}
    question = f"Is this statement true? “{fact.told}”"
    read = asked.case_of(_Stated(question, case.rule_kind, case.subject, proposition, case.premises))
    return ArguedAnswer(read, said.turns[0], "yes" if verdict["correct"] else "no")


class _Stated(NamedTuple):
    """A fact as a case of a yes/no question, with the columns that `asked.case_of` takes."""

    question: str
    rule_kind: str
    subject: int | None
    fact: Mapping[str, Any]
    premises: Sequence[Mapping[str, Any]]
    gold: str = "yes"
    relation: str = "same"
    mutation: str = "original"


def verdict_of(fact: OpenFact, question: str, said: OpenAnswer, snapshot: Snapshot) -> dict[str, Any]:
    """What a reply amounts to, as columns of table `verdict`.

    Args:
        fact: what was asked.
        question: as it was asked.
        said: the reply.
        snapshot: of the case.
    """
    reply = cutting.heard(said.text, question)
    detail: dict[str, Any] = {
        "said": said.text[:_SHOWN],
        "read": None,
        "via": reply.kind,
        "confidence": said.confidence,
    }
    if reply.kind != "text" or not any(map(str.isalnum, reply.text)):
        declined = reply.kind in ("dont_know", "refusal")
        how = (
            ("normal", "abstained")
            if declined
            else ("unparseable", "question repeated" if reply.kind == "repeated" else None)
        )
        return _row(reply.kind if declined else "unparseable", None, *how, detail)
    found = _judged(reply.text, question, fact, snapshot)
    detail |= {"read": list(found.read) if isinstance(found.read, tuple) else found.read, "via": found.via}
    return _row("text", _CORRECT[found.standing], _CATEGORY[found.standing], found.standing.told, detail)


def _judged(said: str, question: str, fact: OpenFact, snapshot: Snapshot) -> OpenOutcome:
    wanted = fact.wanted
    if isinstance(wanted, WantedNames):
        return open_names.names(said, question, wanted, snapshot)
    if isinstance(wanted, WantedDate):
        return open_values.date(said, question, wanted)
    return open_values.number(said, wanted)


def _row(
    answer: str, correct: bool | None, category: str, sub_label: str | None, detail: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "profile": PROFILE, "answer": answer, "correct": correct, "category": category, "sub_label": sub_label,
        "detail": detail,
    }  # fmt: skip


JUDGE = SuiteJudge(NAME, PROFILES, verdicts, argued, "unlabelled", load)
