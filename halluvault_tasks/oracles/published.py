"""The published method over batches of responses, with one extractor: triples, structures, likeness, verdicts.

The same extractor reads the gold side, so that both sides have the same phrases (semantics.md section 4.1). A batch
costs two calls of the extractor (proofs not seen before, responses) and one of Sentence-BERT, whatever the number of
its responses and phrases. What the extractor could not read gets no verdict.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.oracles import anchored, paper, structure
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import Embed, PhraseCache
from halluvault_tasks.oracles.extraction.base import Extractor, Sentences, Tool, UnreadPassage
from halluvault_tasks.oracles.paper import Compared
from halluvault_tasks.oracles.structure import Structure
from halluvault_tasks.reading.base import Answer, TextSpan
from halluvault_tasks.reading.mentions import Finder
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.text import cut


class ReadResponse(NamedTuple):
    """A response whose answer has been read."""

    case_id: str
    text: str
    answer: Answer
    span: TextSpan | None
    """Of the answer in `text`; None where it was asked for in a turn of its own."""


class Anchored:
    """The default extractor, bound to a snapshot's names."""

    name = anchored.NAME
    own_phrases = False

    def __init__(self, names: Names) -> None:
        self._finder = Finder(names, {})

    def __call__(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple]]:
        """Triples of each passage, anchored at the snapshot's entities, dates and numbers."""
        return [anchored.triples(passage, self._finder) for passage in passages]


class PublishedBatch(NamedTuple):
    """What became of a batch."""

    verdicts: list[list[dict[str, Any]]]
    """Columns of table `verdict` for both readings of each response; none where it could not be read."""

    unread: dict[int, str]
    """Position in the batch → why the extractor could not read this response or its case's proof."""

    phrases: int
    """Phrases that had to be embedded."""


class Published:
    """The published method for one benchmark.

    Args:
        cases: the benchmark's, by id, each with `gold` and `premises`.
        extractor: reads both sides.
        embed: Sentence-BERT, called only for phrases that no equal phrase stands against.
    """

    def __init__(self, cases: Mapping[str, Any], extractor: Extractor, embed: Embed) -> None:
        self.extractor = extractor.name
        self._cases = cases
        self._extract = extractor
        self._embedding = embed.name
        self._cache = PhraseCache(embed)
        self._read: dict[str, list[PhraseTriple] | UnreadPassage] = {}
        self._triples: dict[str, list[PhraseTriple] | UnreadPassage] = {}

    def judge(self, batch: Sequence[ReadResponse]) -> PublishedBatch:
        """Judge responses whose answers have been read."""
        reasoned = [position for position, said in enumerate(batch) if paper.needs_structures(said.answer)]
        self._learn(batch[position].case_id for position in reasoned)
        passages = [
            [one.text for one in anchored.reasoning(cut(batch[position].text), batch[position].span)]
            for position in reasoned
        ]
        unread: dict[int, str] = {}
        pairs: dict[int, tuple[Structure, Structure]] = {}
        for position, found in zip(reasoned, self._extract(passages) if passages else [], strict=True):
            gold = self._triples[batch[position].case_id]
            if isinstance(found, UnreadPassage):
                unread[position] = found.reason
            elif isinstance(gold, UnreadPassage):
                unread[position] = f"in a sentence of the case's proof: {gold.reason}"
            else:
                pairs[position] = structure.build(found), structure.build(gold)
        wanted: set[str] = set()
        for one, other in pairs.values():
            wanted |= structure.unmatched(one.nodes, other.nodes) | structure.unmatched(one.edges, other.edges)
        phrases = self._cache.learn(wanted)
        rows = [
            [] if position in unread else self._rows(said, pairs.get(position)) for position, said in enumerate(batch)
        ]
        return PublishedBatch(rows, unread, phrases)

    def _learn(self, case_ids: Iterable[str]) -> None:
        """Read the proofs of cases not met before, each sentence once."""
        new = {case_id: self._cases[case_id].premises for case_id in case_ids if case_id not in self._triples}
        sentences = {str(premise["sentence"]) for premises in new.values() for premise in premises}
        unknown = sorted(sentences - self._read.keys())
        if unknown:
            self._read |= zip(unknown, self._extract([[sentence] for sentence in unknown]), strict=True)
        self._triples |= {case_id: self._gold(premises) for case_id, premises in new.items()}

    def _gold(self, premises: Sequence[Mapping[str, Any]]) -> list[PhraseTriple] | UnreadPassage:
        read = [self._read[str(premise["sentence"])] for premise in premises]
        known = [triples for triples in read if not isinstance(triples, UnreadPassage)]
        if failed := next((triples for triples in read if isinstance(triples, UnreadPassage)), None):
            return failed
        return anchored.gold(premises, known, partial=self._extract.own_phrases)

    def _rows(self, said: ReadResponse, pair: tuple[Structure, Structure] | None) -> list[dict[str, Any]]:
        compared = None
        if pair is not None:
            one, other = pair
            edges = structure.compare(one.edges, other.edges, self._cache)
            nodes = structure.compare(one.nodes, other.nodes, self._cache)
            compared = Compared(one.triples, other.triples, edges, nodes)
        name = self._extract.name
        detail = paper.detail(said.answer, compared, name) | {"embedding": self._embedding}
        if compared is not None and isinstance(self._extract, Tool):
            detail["read_by"] = dict(self._extract.provenance())
        return [
            verdict._asdict() | {"detail": detail}
            for verdict in paper.judge(said.answer, self._cases[said.case_id].gold, compared, name)
        ]
