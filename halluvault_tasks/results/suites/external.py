"""External memory consistency of one evaluation (§III.C, equations 6 to 8; definition 1).

A point is one document: how similar its answers are to the first (BERTScore), and how near each is to the text that it
was asked about (BM25). Labels are people's (table `suite_label`); an answer set counts as a hallucination if one of
its answers was labelled so. Without labels there are only means, and no rate.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites import similarity
from halluvault_tasks.benchmark.suites.memory_external.fact import NAME, ExternalFact
from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.suites.external import PROFILE
from halluvault_tasks.results import suite_annotations
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.statistics import density, shares
from halluvault_tasks.storage.tables import benchmark_case, cases, response

__all__ = ["METRICS", "NO_SHARES", "PROFILE", "AnsweredAbout", "DocumentPoint", "figures", "of_evaluation", "points"]

METRICS = (
    "external_hallucination", "told_as_labelled", "auroc", "auroc_without_self", "auroc_same_data",
    "auroc_consistency", "auroc_relevance", "auroc_length", "labelled_hallucinations", "mean_consistency",
)  # fmt: skip

NO_SHARES = (
    "mean_relevance", "consistency", "without_self", "relevance", "length", "log_density", "labelled_hallucination",
)  # fmt: skip
"""Further ones, of documents for the most part, which are no shares and not shown as such."""

B, K1 = 0.75, 1.5
"""Of BM25, as published."""


class AnsweredAbout(NamedTuple):
    """An answer: what was asked about (q̂), and what came (r)."""

    fact: ExternalFact
    case_id: str
    asked: str
    text: str


class DocumentPoint(NamedTuple):
    """A document's answers.

    Attributes:
        consistency: mean BERTScore with the first answer, which is compared with itself, too (equation 7).
        without_self: the same over the others.
        relevance: mean BM25 of each rephrasing for its answer (equation 8).
        length: mean words of an answer.
    """

    document: str
    answers: int
    consistency: float
    without_self: float
    relevance: float
    length: float


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    query = (
        select(*(response.c[name] for name in exchange.COLUMNS), benchmark_case.c.fact, cases.c.question)
        .join(cases, cases.c.id == response.c.case_id)
        .join(benchmark_case, (benchmark_case.c.case_id == cases.c.id) & (benchmark_case.c.snapshot == snapshot))
        .where(
            response.c.evaluation_id == of.evaluation_id, response.c.status == "delivered",
            response.c.sample == 1, benchmark_case.c.suite == NAME,
        )
        .order_by(response.c.case_id)
    )  # fmt: skip
    answered = [
        AnsweredAbout(
            ExternalFact.model_validate(row.fact), row.case_id, row.question, exchange.heard(row).text.strip()
        )
        for row in session.execute(query)
    ]
    votes = suite_annotations.votes(session, of.evaluation_id)
    bad: dict[str, bool] = {}
    for one in answered:
        if one.case_id in votes:
            bad[one.fact.document] = bad.get(one.fact.document, False) or votes[one.case_id] == suite_annotations.YES
    return figures(points(answered), bad)


def points(
    answered: Sequence[AnsweredAbout], alike: similarity.Similarity = similarity.bert_score
) -> list[DocumentPoint]:
    """A point of each document whose answers all came; BM25's corpus is all texts that were asked about."""
    by: dict[str, list[AnsweredAbout]] = defaultdict(list)
    for one in answered:
        by[one.fact.document].append(one)
    whole = {key: sorted(mine, key=lambda one: one.fact.number) for key, mine in by.items() if _whole(mine)}
    ordered = [one for mine in whole.values() for one in mine]
    if not ordered:
        return []
    near = _relevance([one.asked for one in ordered], [one.text for one in ordered])
    like = alike([one.text for one in ordered], [mine[0].text for mine in whole.values() for _ in mine])
    found, at = [], 0
    for key, mine in whole.items():
        place, at = slice(at, at + len(mine)), at + len(mine)
        # Of the first answer with itself 1, whatever it says; an empty one is like nothing.
        with_self = [float(bool(mine[0].text.strip())), *like[place][1:]]
        found.append(
            DocumentPoint(
                key, len(mine), float(np.mean(with_self)), float(np.mean(with_self[1:])), float(np.mean(near[place])),
                float(np.mean([len(one.text.split()) for one in mine])),
            )
        )  # fmt: skip
    return found


def _whole(mine: Sequence[AnsweredAbout]) -> bool:
    return len({one.fact.number for one in mine}) == mine[0].fact.of


def _relevance(asked: Sequence[str], answers: Sequence[str]) -> list[float]:
    """BM25 of each text for the answer to it, over the corpus of all these texts."""
    import bm25s  # late: only where this suite is

    corpus = sorted(set(asked))
    place = {text: at for at, text in enumerate(corpus)}
    index = bm25s.BM25(k1=K1, b=B)
    tokens = [_tokens(text) for text in corpus]
    index.index(tokens, show_progress=False)
    return [
        float(index.get_scores(words)[place[text]]) if (words := _tokens(answer)) else 0.0
        for text, answer in zip(asked, answers, strict=True)
    ]


def _tokens(text: str) -> list[str]:
    words = ("".join(char for char in word if char.isalnum()) for word in text.casefold().split())
    return [word for word in words if word]


def figures(found: Sequence[DocumentPoint], bad: Mapping[str, bool]) -> list[Figure]:
    """What the documents' points come to.

    Args:
        found: points.
        bad: document → whether its answers were labelled a hallucination, of those that people labelled.
    """
    made = [row for one in found for row in _of_document(one, bad.get(one.document))]
    if not found:
        return made
    made.append(_mean("mean_consistency", [one.consistency for one in found]))
    made.append(_mean("mean_relevance", [one.relevance for one in found]))
    known = [one for one in found if one.document in bad]
    wrong = np.array([bad[one.document] for one in known], dtype=bool)
    labelled = shares.rate((one.document, bad[one.document]) for one in known)
    if labelled is not None:
        made.append(_row("", "labelled_hallucinations", labelled.rate, labelled.low, labelled.high, len(known)))
    made += _told(found, known, wrong)
    return made


def _told(found: Sequence[DocumentPoint], known: Sequence[DocumentPoint], wrong: NDArray[np.bool_]) -> Iterator[Figure]:
    """AUROCs beside each other, and the share of all documents at or below the threshold."""
    both = _plane(known, "consistency")
    told = density.cross_fit(both, wrong) if len(known) else None
    if told is None:
        yield _row("", "auroc", None, None, None, len(known))
        yield _row("", "external_hallucination", None, None, None, len(found))
        return
    without = density.cross_fit(_plane(known, "without_self"), wrong)
    same = density.log_density(both[~wrong], both)
    assert without is not None
    for metric, scores in (
        ("auroc", told.scores), ("auroc_without_self", without.scores), ("auroc_same_data", same),
        ("auroc_consistency", both[:, 0]), ("auroc_relevance", both[:, 1]),
        ("auroc_length", np.array([one.length for one in known])),
    ):  # fmt: skip
        area = density.area(scores, wrong)
        yield _row("", metric, area.value, area.low, area.high, len(known))
    for one, score in zip(known, told.scores, strict=True):
        yield _row(one.document, "log_density", float(score), None, None, one.answers)
    # Documents that people labelled were not in the fit that scores them; for the others it depends on all labels.
    below = dict(zip([one.document for one in known], told.below.tolist(), strict=True))
    same_word = shares.rate((one.document, below[one.document] == bad) for one, bad in zip(known, wrong, strict=True))
    assert same_word is not None
    yield _row("", "told_as_labelled", same_word.rate, same_word.low, same_word.high, len(known), same_word.hits)
    rest = [one for one in found if one.document not in below]
    if rest:
        cut = density.threshold(same, wrong)
        scores = density.log_density(both[~wrong], _plane(rest, "consistency"))
        below |= dict(zip([one.document for one in rest], (scores <= cut).tolist(), strict=True))
    rate = shares.rate((one.document, bool(below[one.document])) for one in found)
    assert rate is not None
    yield _row("", "external_hallucination", rate.rate, rate.low, rate.high, len(found), rate.hits)


def _plane(found: Sequence[DocumentPoint], consistency: str) -> density.Floats:
    return np.array([[getattr(one, consistency), one.relevance] for one in found], dtype=float).reshape(-1, 2)


def _of_document(one: DocumentPoint, bad: bool | None) -> Iterator[Figure]:
    for metric in ("consistency", "without_self", "relevance", "length"):
        yield _row(one.document, metric, getattr(one, metric), None, None, one.answers)
    if bad is not None:
        yield _row(one.document, "labelled_hallucination", float(bad), None, None, one.answers)


def _mean(metric: str, values: Sequence[float]) -> Figure:
    mean = shares.mean(list(range(len(values))), list(values))
    if mean is None:
        return _row("", metric, None, None, None, len(values))
    return _row("", metric, mean.mean, mean.low, mean.high, len(values))


def _row(
    document: str, metric: str, value: float | None, low: float | None, high: float | None, n: int,
    hits: float | None = None,
) -> Figure:  # fmt: skip
    """A figure of one document; of all of them, where none is named."""
    scope, whole = "document" if document else "documents", None if hits is None else int(hits)
    return Figure(NAME, scope, document, metric, value, low, high, whole, n, None, None)
