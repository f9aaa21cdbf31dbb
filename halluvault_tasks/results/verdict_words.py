"""What our judge found in a response, as a person would say it: what was claimed, what is so, and where it says so."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

SITE = "https://www.wikidata.org/wiki/"

_ID = re.compile(r"\b[PQ][1-9][0-9]*\b")
_OF = re.compile(r"(?P<property>P[1-9][0-9]*) of (?P<entity>Q[1-9][0-9]*)")

_ANSWERS: Mapping[str, str] = {
    "dont_know": "It says that it does not know.",
    "refusal": "It declines to answer.",
}
_UNREAD: Mapping[str | None, str] = {
    "api_refusal": "Its API refused to answer.",
    "no_answer": "It says nothing.",
    "cut_off": "It was cut off before it gave a verdict.",
}
_CATEGORIES: Mapping[str, str] = {
    "normal": "nothing that it says is contradicted",
    "error_knowledge": "error of knowledge",
    "error_inference": "error of inference",
    "both": "errors of knowledge and of inference",
    "unattributed": "what led to it is not shown",
    "review": "held back: the judge decides nothing here",
}


class Finding(NamedTuple):
    """One thing that a response says and that is not so.

    Attributes:
        claimed: in its own words.
        fact: what the snapshot says, in a sentence; empty where no statement is to be quoted.
        because: why that contradicts it, with names for ids.
        source: address of the statement at Wikidata, empty where none decides it.
    """

    claimed: str
    fact: str
    because: str
    source: str

    def __str__(self) -> str:
        so = f"What is so: {self.fact}" if self.fact else f"But {self.because}."
        return f"It says: “{self.claimed}”. {so} {self.source}".rstrip()


class VerdictWords(NamedTuple):
    """A verdict for people.

    Attributes:
        summary: a sentence.
        findings: what is contradicted, in the order of the text.
    """

    summary: str
    findings: Sequence[Finding]


def told(verdict: Mapping[str, Any], premises: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> VerdictWords:
    """The verdict in words.

    Args:
        verdict: row of table `verdict`.
        premises: statements that the gold answer rests on: `sid`, `sentence`, `guid`.
        labels: `Q42` or `P19` → its name in the snapshot.
    """
    by_sid = {premise["sid"]: premise for premise in premises}
    claims = [claim for claim in verdict["detail"].get("claims") or () if claim["status"] == "contradicted"]
    findings = [_finding(claim, by_sid.get(claim.get("statement")), labels) for claim in claims]
    findings += [
        Finding(step["text"], "", "the step is false by what it says itself, or by arithmetic", "")
        for step in verdict["detail"].get("steps") or ()
        if step["status"] == "contradicted"
    ]
    return VerdictWords(_summary(verdict), findings)


def _summary(verdict: Mapping[str, Any]) -> str:
    if verdict["answer"] in _ANSWERS:
        return _ANSWERS[verdict["answer"]]
    if verdict["category"] == "unparseable":
        return _UNREAD.get(verdict["sub_label"], "No verdict can be read in its words.")
    right = {True: "Right", False: "Wrong", None: "Contradictory"}[verdict["correct"]]
    what = _CATEGORIES[verdict["category"]]
    if verdict["detail"].get("flags", {}).get("conclusion_opposed"):
        what += "; its own text concludes the opposite of its answer"
    return f"{right}: {what}."


def _finding(claim: Mapping[str, Any], premise: Mapping[str, Any] | None, labels: Mapping[str, str]) -> Finding:
    claimed = ("not: " if claim.get("denied") else "") + str(claim["text"])
    why = str(claim.get("why") or "")
    because = named(why, labels)
    if premise is not None:
        return Finding(claimed, str(premise["sentence"]), because, address(premise))
    match = _OF.search(why)
    return Finding(claimed, "", because, f"{SITE}{match['entity']}#{match['property']}" if match else "")


def address(premise: Mapping[str, Any]) -> str:
    """Where Wikidata has a statement, by its id (`Q42-…`); empty for what is no such id."""
    entity = _ID.match(str(premise.get("guid") or "").upper())
    return f"{SITE}{entity[0]}#{str(premise['guid']).replace('-', '$', 1)}" if entity else ""


def named(reason: str, labels: Mapping[str, str]) -> str:
    """A reason with names for ids: `P19 of Q42 is Q350` → `place of birth (P19) of Douglas Adams (Q42) is …`."""
    return _ID.sub(lambda match: f"{labels[match[0]]} ({match[0]})" if match[0] in labels else match[0], reason)


def ids(verdicts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Ids in the reasons of these verdicts: what labels are wanted of."""
    reasons = (str(claim.get("why") or "") for one in verdicts for claim in one["detail"].get("claims") or ())
    return sorted({found for reason in reasons for found in _ID.findall(reason)})
