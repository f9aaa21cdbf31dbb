"""Draw candidates for the set of claims that cross-examiners are measured on: `python -m studies.examination FILE`.

What a claim is, is known from how it was made: what convicts a faulty text, or is read in a plain clause, is said
there; what is read only once pieces of the reader are taken out, or convicts a sound text then, is not, nor is what a
claim becomes with another's date, another subject or without its denial. A reader then looks at each (README.md).
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.cli.parts.all_sets import state
from halluvault_tasks.local import evidence
from halluvault_tasks.oracles.cross_examination.statements import ExaminedStatement, Stater
from halluvault_tasks.oracles.measure import pieces as of_pieces
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure import whole
from halluvault_tasks.oracles.measure.texts import SetText, TextSet
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.oracles.weighed import WeighedClaim, WeighedResponse
from halluvault_tasks.reading.names import Names

_BATCH = 50
WITHOUT: Mapping[str, tuple[str, ...]] = {
    "guards": ("syntax.guards.", "oracles.charity._"),
    "polarity": ("syntax.polarity.denied", "syntax.polarity.excluded", "syntax.retraction.", "oracles.charity._"),
}
"""Pieces of the reader that are taken out together, by how their names begin."""


class Candidate(NamedTuple):
    """A statement about a text.

    Attributes:
        said: whether the text says it.
        how: what it was made of.
        source: set, and line of its file.
    """

    said: bool
    how: str
    source: str
    case: str
    question: str
    text: str
    statement: ExaminedStatement
    meant: tuple[str, ...]


class _Drawing:
    """A set on its month.

    Args:
        one: the set.
        scorer: reads and weighs its texts.
    """

    def __init__(self, one: TextSet, texts: Sequence[SetText], scorer: Scorer) -> None:
        self._one, self._texts, self._scorer = one, _thinned(one, texts), scorer
        self._stater = Stater.of(scorer.names)

    def read(self) -> Iterator[tuple[SetText, WeighedResponse]]:
        """Its texts with what they claim."""
        for start in range(0, len(self._texts), _BATCH):
            part = self._texts[start : start + _BATCH]
            rows = [text.unstored(number) for number, text in enumerate(part, 1)]
            yield from zip(part, self._scorer.weighed("", rows), strict=True)

    def claims(self) -> Iterator[Candidate]:
        """What convicts its faulty texts, what is read in any, and what that is made into."""
        for text, weighed in self.read():
            if not _is_sound(text):
                for told in dict.fromkeys(map(self._stater.statement, weighed.suspects)):
                    yield self._candidate(text, weighed, told, "convicts a faulty text", said=True)
            known = set(map(self._stater.statement, weighed.told))
            plain = [one for one in weighed.told if not one.claim.guards and not one.claim.unread]
            for one in plain:
                yield self._candidate(text, weighed, self._stater.statement(one), "as read", said=True)
                for how, other in _made(one, plain, weighed, self._scorer.names):
                    if (told := self._stater.statement(other)) not in known:
                        yield self._candidate(text, weighed, told, how, said=False)

    def misread(self, known: set[tuple[str, ExaminedStatement]], without: str) -> Iterator[Candidate]:
        """What is read only now, or convicts a sound text, with pieces taken out.

        Args:
            known: texts and statements that are read with all pieces.
        """
        for text, weighed in self.read():
            suspects = set(map(self._stater.statement, weighed.suspects)) if _is_sound(text) else set()
            for told in dict.fromkeys([*map(self._stater.statement, weighed.told), *suspects]):
                if told in suspects or (text.text, told) not in known:
                    yield self._candidate(text, weighed, told, f"read without {without}", said=False)

    def _candidate(
        self, text: SetText, weighed: WeighedResponse, told: ExaminedStatement, how: str, *, said: bool
    ) -> Candidate:
        source = f"{self._one.name}, line {text.source}"
        meant = self._stater.meant(weighed.asked)
        return Candidate(said, how, source, text.case, text.question, weighed.given.text, told, meant)


def _is_sound(text: SetText) -> bool:
    return bool(text.right) and not text.faulty


def _thinned(one: TextSet, texts: Sequence[SetText]) -> list[SetText]:
    """Texts of a set; of each wording one, whichever its hash says."""
    by_line: dict[int, list[SetText]] = {}
    for text in texts:
        by_line.setdefault(text.source, []).append(text)
    found = []
    for line, several in by_line.items():
        digest = hashlib.sha256(f"{one.name} {line}".encode()).digest()
        found.append(several[int.from_bytes(digest[:4], "big") % len(several)])
    return found


def _made(
    one: WeighedClaim, plain: Sequence[WeighedClaim], weighed: WeighedResponse, names: Names
) -> Iterator[tuple[str, WeighedClaim]]:
    """What a claim becomes by one fault of reading."""
    claim, triple = one.claim, one.cast.triple
    turned = claim._replace(negative=not claim.negative)
    yield ("negation dropped" if claim.negative else "negation added"), one._replace(claim=turned)
    if claim.negative:
        return
    for other in plain:
        dates = other.claim.days if claim.days and not triple.o and not other.cast.triple.o else None
        if dates and dates != claim.days and claim.amount is None and other.claim.amount is None:
            yield "a neighbour's date", one._replace(claim=claim._replace(days=dates))
    around = {end for each in weighed.told for t in each.claim.triples for end in (t.s, t.o)} | weighed.asked.entities
    for end in sorted(around & names.entities.keys() - {triple.s, triple.o}):
        if triple.s in names.entities and names.kinds([end]) & names.kinds([triple.s]):
            yield "another's", one._replace(cast=one.cast._replace(triple=triple._replace(s=end)))


def draw(folder: Path) -> Iterator[Candidate]:
    """All candidates of the sets of a folder, in its order."""
    sets = of_texts.load(folder)
    with (
        evidence.opened(state(), [folder / f"{name}.jsonl.gz" for name in sets.evidence]) as urls,
        evidence.months(urls) as months,
    ):
        whole.keep_parses(state())
        cases = {name: of_texts.cases(folder, sets, name) for name in sets.evidence}
        readers = whole.SetReaders(months, cases)
        judged = [
            (one, of_texts.placed(of_texts.texts(folder, one), cases[one.evidence])) for one in sets.sets if one.judged
        ]
        known = set()
        for one, texts in judged:
            drawing = _Drawing(one, texts, readers.scorer(one.evidence))
            yield from drawing.claims()
            stater = Stater.of(readers.scorer(one.evidence).names)
            known |= {(text.text, stater.statement(told)) for text, weighed in drawing.read() for told in weighed.told}
        every = of_pieces.every()
        for name, beginnings in WITHOUT.items():
            out = {piece: every[piece].silent for piece in every if piece.startswith(beginnings)}
            with of_pieces.replaced(out, every), readers.others():
                for one, texts in judged:
                    yield from _Drawing(one, texts, readers.scorer(one.evidence)).misread(known, name)


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        for found in draw(of_texts.FOLDER):
            line = found._asdict() | {"statement": found.statement._asdict()}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            file.flush()
