"""The published oracle (HalluVault Algorithm 3, Drowzee §3.6), named with its extractor, in two readings.

`paper/anchored` judges every answer that is no refusal on its reasoning. Because Algorithm 3 passes the gold answer
to its filter without defining the use, `paper/anchored/answer-gated` lets right answers pass and judges only the
others; a wrong answer whose structures agree is `unattributed` there (semantics.md section 4.1).
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from halluvault_tasks.oracles import anchored, structure
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.profile import OracleProfile
from halluvault_tasks.oracles.structure import Likeness
from halluvault_tasks.reading.base import Answer

VERSION = "4"
"""Version of both profiles with the default extractor: raise it with every change that may change a verdict."""

_VERSIONS = {anchored.NAME: VERSION, "corenlp": "6", "stanza": "5"}
"""By extractor."""

THRESHOLD = 0.8
"""θ_E = θ_N of HalluVault §5.1: likeness below it is an error."""

ABSTENTIONS = ("dont_know", "refusal")

Category = Literal["normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable", "review"]

_SHOWN = 40
_SHOWN_LENGTH = 120


def profiles(extractor: str) -> tuple[OracleProfile, OracleProfile]:
    """The two readings of the method with an extractor: right answers let pass, and every answer judged."""
    name, version, gated = f"paper/{extractor}", _VERSIONS[extractor], "paper, answer-gated"
    constant = "baseline/constant-both" if extractor == anchored.NAME else ""
    return (
        OracleProfile(f"{name}/answer-gated", version, gated, gated, extractor),
        OracleProfile(name, version, "paper, every answer judged", "paper", extractor, constant=constant),
    )


GATED, JUDGED = (one.name for one in profiles(anchored.NAME))
"""With the default extractor."""


class Compared(NamedTuple):
    """The triples of a response and of its case's proof, and the likeness of their relations and of their ends."""

    said: Sequence[PhraseTriple]
    gold: Sequence[PhraseTriple]
    edges: Likeness
    nodes: Likeness


class PaperVerdict(NamedTuple):
    """One profile's verdict on one response; the columns of table `verdict`."""

    profile: str
    profile_version: str
    answer: str
    correct: bool | None
    category: Category
    sub_label: str | None
    reasoning_faulty: bool | None
    edge_similarity: float | None
    node_similarity: float | None


def reasoning_category(edge: float, node: float) -> Category:
    """Algorithm 3, lines 14 to 19: which of edge and node likeness fall below the threshold."""
    if edge < THRESHOLD and node < THRESHOLD:
        return "both"
    if edge < THRESHOLD:
        return "error_inference"
    if node < THRESHOLD:
        return "error_knowledge"
    return "normal"


def needs_structures(answer: Answer) -> bool:
    """Whether an answer is judged on its reasoning at all."""
    return answer.kind not in (*ABSTENTIONS, "unparseable")


def judge(answer: Answer, gold: str, compared: Compared | None, extractor: str = anchored.NAME) -> list[PaperVerdict]:
    """Both readings of one response.

    Args:
        gold: yes or no.
        compared: None where `needs_structures` is false.
        extractor: whose triples they are; names the profiles.
    """
    answer_gated, judged = profiles(extractor)
    correct = answer.kind == gold if answer.kind in ("yes", "no") else None
    if compared is None:
        category: Category = "unparseable" if answer.kind == "unparseable" else "normal"
        label: str | None = answer.unsaid or None if category == "unparseable" else "abstained"
        return [
            PaperVerdict(one.name, one.version, answer.kind, correct, category, label, None, None, None)
            for one in (judged, answer_gated)
        ]
    edge, node = round(compared.edges.jaccard, 6), round(compared.nodes.jaccard, 6)
    reasoning = reasoning_category(edge, node)
    faulty = reasoning != "normal"
    label = None if compared.said else "no_reasoning"
    gated: Category = "normal" if correct else reasoning if faulty else "unattributed"
    gated_label = "self_contradictory" if answer.kind == "contradictory" else label
    return [
        PaperVerdict(*judged[:2], answer.kind, correct, reasoning, label, faulty, edge, node),
        PaperVerdict(*answer_gated[:2], answer.kind, correct, gated, gated_label, faulty, edge, node),
    ]


def detail(answer: Answer, compared: Compared | None, extractor: str) -> dict[str, Any]:
    """What the verdict rests on, for people: at most `_SHOWN` triples and pairs, long phrases cut."""
    found: dict[str, Any] = {"extractor": extractor, "span": list(answer.span), "marker": answer.marker}
    if compared is not None:
        found |= {
            "threshold": THRESHOLD,
            "synonymous": structure.SYNONYMOUS,
            "triples": [_cut(triple) for triple in compared.said[:_SHOWN]],
            "triples_found": len(compared.said),
            "gold": [_cut(triple) for triple in compared.gold[:_SHOWN]],
            "edge_matches": [[*_cut(match[:2]), match.cosine] for match in compared.edges.matches[:_SHOWN]],
            "node_matches": [[*_cut(match[:2]), match.cosine] for match in compared.nodes.matches[:_SHOWN]],
        }
    return found


def _cut(phrases: Sequence[str]) -> list[str]:
    return [phrase if len(phrase) <= _SHOWN_LENGTH else phrase[: _SHOWN_LENGTH - 1] + "…" for phrase in phrases]
