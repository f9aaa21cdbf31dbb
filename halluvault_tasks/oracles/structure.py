"""Semantic structures and their likeness: nodes and edges as sets, matched one to one, Jaccard.

HalluVault §4.4 and Drowzee §3.6: two nodes (edges) are identical if their entities (relations) are identical or
synonymous; synonymous is Sentence-BERT cosine ≥ 0.8.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import PhraseCache
from halluvault_tasks.wikidata.names import fold

SYNONYMOUS = 0.8
"""Cosine from which two phrases count as one (HalluVault §5.1)."""

_DECIMALS = 4  # cosines differ in the seventh decimal with the batch they were computed in; verdicts must not


class Structure(NamedTuple):
    """Distinct folded phrases, ascending: subjects and objects, and relations; and the triples that they are of."""

    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    triples: Sequence[PhraseTriple]


class Match(NamedTuple):
    """A phrase of the response and the phrase of the gold structure it is taken for."""

    said: str
    gold: str
    cosine: float


class Likeness(NamedTuple):
    """Jaccard of two sets after one-to-one matching, and the pairs that made it, ascending."""

    jaccard: float
    matches: tuple[Match, ...]


def build(triples: Sequence[PhraseTriple]) -> Structure:
    """The structure that triples span; empty phrases (appositions) are no edges."""
    nodes = {fold(phrase) for triple in triples for phrase in (triple.subject, triple.object)} - {""}
    edges = {fold(triple.relation) for triple in triples} - {""}
    return Structure(tuple(sorted(nodes)), tuple(sorted(edges)), triples)


def unmatched(said: Sequence[str], gold: Sequence[str]) -> set[str]:
    """Phrases that need a vector: those left on both sides when equal ones are paired."""
    left, right = set(said) - set(gold), set(gold) - set(said)
    return left | right if left and right else set()


def compare(said: Sequence[str], gold: Sequence[str], cache: PhraseCache) -> Likeness:
    """Jaccard |∩| / |∪| of two phrase sets.

    Equal phrases are paired first, without any vector; of the rest, as many pairs as possible with cosine ≥ 0.8,
    among those the ones with the greatest sum of cosines, each phrase once. Two empty sets are not alike (0): a
    response that gives no knowledge shows none.
    """
    equal = sorted(set(said) & set(gold))
    matches = [Match(phrase, phrase, 1.0) for phrase in equal]
    left, right = sorted(set(said) - set(gold)), sorted(set(gold) - set(said))
    if left and right:
        from scipy.optimize import linear_sum_assignment  # half a second to import, for the published method alone

        cosines = np.round(cache.matrix(left).astype(np.float64) @ cache.matrix(right).astype(np.float64).T, _DECIMALS)
        # A synonymous pair outweighs any sum of cosines, so that the assignment is of greatest size first.
        weights = np.where(cosines >= SYNONYMOUS, cosines + min(len(left), len(right)) + 1.0, 0.0)
        rows, columns = linear_sum_assignment(weights, maximize=True)
        matches += [
            Match(left[row], right[column], float(cosines[row, column]))
            for row, column in zip(rows, columns, strict=True)
            if cosines[row, column] >= SYNONYMOUS
        ]
    union = len(set(said)) + len(set(gold)) - len(matches)
    return Likeness(len(matches) / union if union else 0.0, tuple(sorted(matches)))
