"""The published method over batches of responses, with one extractor: triples, structures, likeness, verdicts.

The same extractor reads the gold side, so that both sides have the same phrases (semantics.md section 4.1). A batch
costs one call of the extractor and one of Sentence-BERT, whatever the number of its responses and phrases.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.oracles import anchored, paper, structure
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.answer import Answer
from halluvault_tasks.oracles.embedding import Embed, PhraseCache
from halluvault_tasks.oracles.extraction.base import Extractor, Sentences
from halluvault_tasks.oracles.mentions import Names
from halluvault_tasks.oracles.sentences import Span
from halluvault_tasks.oracles.structure import Structure


class Proof(NamedTuple):
    """What a case's response is held against."""

    gold: str
    premises: Sequence[Mapping[str, Any]]


class Said(NamedTuple):
    """A response whose answer has been read."""

    case_id: str
    text: str
    answer: Answer


class Anchored:
    """The default extractor, bound to a snapshot's names."""

    name = anchored.NAME

    def __init__(self, names: Names) -> None:
        self._names = names

    def __call__(self, passages: Sequence[Sentences]) -> list[list[Triple]]:
        """Triples of each passage, anchored at the snapshot's entities, dates and numbers."""
        return [anchored.read(passage, self._names) for passage in passages]


class Published:
    """The published method for one benchmark.

    Args:
        proofs: of the benchmark's cases, by case id; their sentences are read here, all in one call.
        extractor: reads both sides.
        embed: Sentence-BERT, called only for phrases that no equal phrase stands against.
    """

    def __init__(self, proofs: Mapping[str, Proof], extractor: Extractor, embed: Embed) -> None:
        self._extract = extractor
        self._embedding = embed.name
        self._cache = PhraseCache(embed)
        sentences = sorted({str(premise["sentence"]) for proof in proofs.values() for premise in proof.premises})
        read = dict(zip(sentences, extractor([[sentence] for sentence in sentences]), strict=True))
        self._gold: dict[str, str] = {case_id: proof.gold for case_id, proof in proofs.items()}
        self._triples = {
            case_id: anchored.gold(proof.premises, [read[str(premise["sentence"])] for premise in proof.premises])
            for case_id, proof in proofs.items()
        }
        self._structures = {case_id: structure.build(triples) for case_id, triples in self._triples.items()}

    @property
    def profiles(self) -> tuple[str, str]:
        """Names of the two readings."""
        return paper.profiles(self._extract.name)

    def judge(self, batch: Sequence[Said]) -> tuple[list[list[dict[str, Any]]], int]:
        """Columns of table `verdict` for both readings of each response, and how many phrases had to be embedded."""
        passages = [
            anchored.reasoning(said.text, Span(said.answer.start, said.answer.end))
            if paper.needs_structures(said.answer)
            else []
            for said in batch
        ]
        read = self._extract(passages)
        built = [structure.build(triples) for triples in read]
        wanted: set[str] = set()
        for said, found in zip(batch, built, strict=True):
            if paper.needs_structures(said.answer):
                gold = self._structures[said.case_id]
                wanted |= structure.unmatched(found.nodes, gold.nodes) | structure.unmatched(found.edges, gold.edges)
        phrases = self._cache.learn(wanted)
        return [self._rows(*each) for each in zip(batch, read, built, strict=True)], phrases

    def _rows(self, said: Said, triples: list[Triple], found: Structure) -> list[dict[str, Any]]:
        gold = self._structures[said.case_id]
        edges = nodes = None
        if paper.needs_structures(said.answer):
            edges = structure.compare(found.edges, gold.edges, self._cache)
            nodes = structure.compare(found.nodes, gold.nodes, self._cache)
        name = self._extract.name
        detail = paper.detail(said.answer, triples, self._triples[said.case_id], edges, nodes, name)
        return [
            verdict._asdict() | {"profile_version": paper.VERSION, "detail": detail | {"embedding": self._embedding}}
            for verdict in paper.judge(said.answer, self._gold[said.case_id], edges, nodes, bool(triples), name)
        ]
