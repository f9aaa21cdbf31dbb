"""External memory consistency: intervals that hold a planted rate, and densities that never saw their points."""

import numpy as np
import pytest

from halluvault_tasks.benchmark.suites.memory_external.fact import ExternalFact
from halluvault_tasks.results.suites import external
from halluvault_tasks.results.suites.external import AnsweredAbout, DocumentPoint
from halluvault_tasks.statistics import density


def drawn(random: np.random.Generator, rate: float, documents: int) -> tuple[list[DocumentPoint], dict[str, bool]]:
    """Documents of which each strays with a probability; where one does, its answers lie far from the others'."""
    wrong = random.random(documents) < rate
    consistency = np.where(wrong, random.normal(0.55, 0.05, documents), random.normal(0.9, 0.03, documents))
    relevance = np.where(wrong, random.normal(2.0, 0.6, documents), random.normal(8.0, 1.0, documents))
    found = [
        DocumentPoint(f"document {at}", 4, float(one), float(one), float(near), 20.0)
        for at, (one, near) in enumerate(zip(consistency, relevance, strict=True))
    ]
    return found, {one.document: bool(bad) for one, bad in zip(found, wrong, strict=True)}


def test_over_200_seeds_the_interval_holds_the_planted_rate_in_93_to_97_of_100(monkeypatch: pytest.MonkeyPatch) -> None:
    """With labels of all documents, and of half of them: the others are told by the fit on these."""
    # The areas' intervals are not looked at here.
    monkeypatch.setattr(density, "DRAWS", 2)
    held, apart, agreed = [], [], []
    for seed in range(200):
        random = np.random.default_rng(seed)
        for rate, documents in ((0.2, 100), (0.3, 200), (0.45, 100)):
            found, bad = drawn(random, rate, documents)
            rows = external.figures(found, {one.document: bad[one.document] for one in found[:100]})
            figure = next(one for one in rows if one.metric == "external_hallucination")
            assert figure.low is not None
            assert figure.high is not None
            held.append(figure.low <= rate <= figure.high)
            apart.append(figure.value - rate)  # type: ignore[operator]
            agreed.append(next(one.value for one in rows if one.metric == "told_as_labelled"))
    assert 0.93 <= np.mean(held) <= 0.97, np.mean(held)
    assert abs(np.mean(apart)) < 0.005, "nor does the threshold lean to one side"
    assert np.mean(agreed) > 0.98, "documents that stray so far are told as they are labelled"


def test_a_documents_answers_are_held_against_the_first_and_the_text_that_each_is_about() -> None:
    def answered(document: str, number: int, asked: str, text: str) -> AnsweredAbout:
        told = ExternalFact(document=document, title="", text="", number=number, of=2, similarity=1)
        return AnsweredAbout(told, f"{document}{number}", asked, text)

    rows = [
        answered("a", 1, "Ann sang in Rome.", "Ann sang."), answered("a", 2, "In Rome Ann sang.", "It rained."),
        answered("b", 1, "Ben ran home.", "Ben ran."), answered("b", 2, "Home Ben ran.", "Ben ran."),
        answered("c", 1, "Carl slept.", "Carl slept."),
    ]  # fmt: skip
    points = {
        one.document: one
        for one in external.points(
            rows, lambda texts, others: [float(a == b) for a, b in zip(texts, others, strict=True)]
        )
    }
    assert set(points) == {"a", "b"}, "of c one answer did not come"
    assert (points["a"].consistency, points["a"].without_self) == (0.5, 0.0)
    assert (points["b"].consistency, points["b"].without_self, points["b"].length) == (1.0, 1.0, 2.0)
    assert points["b"].relevance > points["a"].relevance > 0
    figures = external.figures(list(points.values()), {})
    assert next(one for one in figures if one.metric == "auroc").value is None
