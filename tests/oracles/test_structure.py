"""One-to-one matching and Jaccard against brute force over all pairings."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import PhraseCache, SentenceBert, Vectors
from halluvault_tasks.oracles.structure import SYNONYMOUS, build, compare, unmatched


class Angles:
    """Phrases such as "37a" lie at an angle on the unit circle: cosines are known without a model."""

    name = "angles"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        self.calls.append(list(phrases))
        angles = np.radians([float(phrase.rstrip("ab")) for phrase in phrases])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def brute_force(said: list[str], gold: list[str]) -> int:
    """Most pairs with cosine ≥ 0.8 when equal phrases are paired first."""
    equal = set(said) & set(gold)
    left, right = sorted(set(said) - equal), sorted(set(gold) - equal)
    if len(left) > len(right):
        left, right = right, left

    def cosine(a: str, b: str) -> float:
        return round(float(np.cos(np.radians(float(a.rstrip("ab")) - float(b.rstrip("ab"))))), 4)

    most = max(
        (sum(cosine(a, b) >= SYNONYMOUS for a, b in zip(left, chosen, strict=True)))
        for chosen in permutations(right, len(left))
    )
    return len(equal) + most


PHRASES = st.lists(st.sampled_from([f"{angle}{side}" for angle in range(0, 180, 20) for side in "ab"]), max_size=5)


@settings(max_examples=200, deadline=None)
@given(PHRASES, PHRASES)
def test_jaccard_counts_the_largest_one_to_one_matching(said: list[str], gold: list[str]) -> None:
    cache = PhraseCache(Angles())
    cache.learn(unmatched(said, gold))
    likeness = compare(said, gold, cache)
    pairs = brute_force(said, gold)
    union = len(set(said)) + len(set(gold)) - pairs
    assert len(likeness.matches) == pairs
    assert likeness.jaccard == (pairs / union if union else 0.0)
    assert compare(gold, said, cache).jaccard == likeness.jaccard
    assert len({match.said for match in likeness.matches}) == len({match.gold for match in likeness.matches}) == pairs


def test_one_phrase_is_never_taken_for_two() -> None:
    cache = PhraseCache(Angles())
    cache.learn(["0a", "10a", "20a"])
    assert compare(["10a"], ["0a", "20a"], cache).jaccard == pytest.approx(1 / 2)


def test_equal_phrases_need_no_model() -> None:
    embed = Angles()
    cache = PhraseCache(embed)
    cache.learn(unmatched(["was born in"], ["was born in"]))
    assert compare(["was born in"], ["was born in"], cache).jaccard == 1.0
    assert embed.calls == []


def test_no_phrase_is_embedded_twice() -> None:
    embed = Angles()
    cache = PhraseCache(embed)
    assert cache.learn(["0a", "1a"]) == 2
    assert cache.learn(["1a", "0a"]) == 0
    assert cache.learn(["1a", "2a"]) == 1
    assert embed.calls == [["0a", "1a"], ["2a"]]


def test_an_empty_structure_is_like_nothing() -> None:
    assert compare([], [], PhraseCache(Angles())).jaccard == 0.0


def test_a_structure_is_sets_of_folded_phrases_without_empty_edges() -> None:
    found = build([
        PhraseTriple("Paris", "", "France"),
        PhraseTriple("PARIS", "Lies in", "France"),
        PhraseTriple("Pâris", "lies in", "x"),
    ])
    assert found.nodes == ("france", "paris", "x")
    assert found.edges == ("lies in",)


def test_the_bundled_model_is_the_published_one() -> None:
    """Cosines of the issue: "1945" ~ "1946" 0.80, "educated at" ~ "attended" 0.40."""
    phrases = ["educated at", "attended", "1945", "1946"]
    vectors = SentenceBert()(phrases)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.40, abs=0.01)
    assert float(vectors[2] @ vectors[3]) == pytest.approx(0.80, abs=0.01)


def test_a_model_whose_directory_is_not_there_is_refused_before_anything_is_loaded() -> None:
    with pytest.raises(UserError, match="'/none/model' cannot be loaded: there is no such directory") as caught:
        SentenceBert("/none/model")(["one"])
    assert "HALLUVAULT_EMBEDDING_MODEL" in caught.value.way_out
