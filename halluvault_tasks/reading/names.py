"""Names of a snapshot's entities, found in text all at once (Aho-Corasick over folded words).

Matching is by whole words after folding, longest first. A name that is written with a capital links only to text that
is; labels of under four letters or made of function words link only when written exactly alike, inside a sentence
(semantics.md section 3.4). What several bear means the one that is spoken of, or stays ambiguous.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import ahocorasick

from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.letters import composed
from halluvault_tasks.reading.lists import stop_words
from halluvault_tasks.wikidata.names import fold

MIN_ALIAS = 4
"""Aliases of fewer letters never link."""

UNTYPED = "untyped"
"""Kind of an entity of which nothing says what it is: it may be of any."""

_PARTICLES = wordset("de del da di du van von der den la le el al bin ibn y")
_JOINTS = (", ", " of ", " in ", " at ", " for ", " by ")
_BETWEEN = frozenset(" \"'-.’")


class EntityName(NamedTuple):
    """An entity, its names and what it is.

    Attributes:
        kinds: names of the kinds that it is of (config/lexicon.yaml and config/predicates.yaml).
        nouns: words that say what it is, in lower case (`film`, `city`): labels of its classes.
    """

    qid: int
    label: str
    aliases: Sequence[str] = ()
    kinds: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()


class NamedEntity(NamedTuple):
    """A name in a text and who bears it.

    Attributes:
        parts: where the name is a label made of two other names ("Bishop of Bath"): these, so that a parser may see
            how they are joined.
        longer: it holds more than the names that are known: "Quincy" of "John Quincy Adams", for John Adams.
    """

    span: TextSpan
    qids: tuple[int, ...]
    parts: tuple["NamedEntity", ...] = ()
    longer: bool = False


class _Name(NamedTuple):
    qids: tuple[int, ...]
    proper: bool
    exact: str
    """Only this spelling links; empty for any."""


class LetterRun(NamedTuple):
    """A run of letters and digits."""

    start: int
    end: int
    folded: str
    capital: bool


class Names:
    """The names of all entities that a response may speak of.

    Args:
        entities: in any order.
    """

    def __init__(self, entities: Iterable[EntityName]) -> None:
        self.entities: dict[int, EntityName] = {}
        self._names: dict[str, _Name] = {}
        self._last: dict[str, tuple[int, ...]] = {}
        for entity in map(_composed, sorted(entities)):
            self.entities[entity.qid] = entity
            self._add(entity.label, entity.qid, short_allowed=True)
            for name in sorted(set(entity.aliases)):
                self._add(name, entity.qid, short_allowed=False)
            if "human" in entity.kinds and (surname := _surname(entity.label)):
                self._last[surname] = (*self._last.get(surname, ()), entity.qid)
        self._automaton = ahocorasick.Automaton()
        for key in self._names:
            self._automaton.add_word(f" {key} ", key)
        self._automaton.make_automaton()

    def label(self, qid: int) -> str:
        """The label of an entity."""
        return self.entities[qid].label

    def kinds(self, qids: Iterable[int]) -> frozenset[str]:
        """What all bearers of a name are."""
        each = [self.entities[qid].kinds for qid in qids]
        return frozenset.intersection(*each) if each else frozenset()

    def _add(self, name: str, qid: int, short_allowed: bool) -> None:
        folded = [word.folded for word in words(name)]
        key = " ".join(folded)
        letters = sum(character.isalnum() for character in key)
        if not folded or (letters < MIN_ALIAS and not short_allowed):
            return
        delicate = letters < MIN_ALIAS or all(word in stop_words() for word in folded)
        proper = name[:1].isupper()
        for form in (key, *_plural(key, proper)):
            known = self._names.get(form)
            if known:
                bearers = tuple(sorted({*known.qids, qid}))
                self._names[form] = _Name(bearers, known.proper and proper, known.exact)
            else:
                self._names[form] = _Name((qid,), proper, name if delicate else "")

    def find(self, text: str, context: Collection[int] = (), topic: int = 0) -> Iterator[NamedEntity]:
        """Names in a text, left to right, longest first, not overlapping.

        Args:
            text: a sentence.
            context: entities that are spoken of: a surname alone, a longer form of a name, and a name that several
                bear mean the one of them that is among these.
            topic: one of them of whom the given name alone speaks.
        """
        said = words(text)
        if not said:
            return
        known = self._known(said)
        index = 0
        while index < len(said):
            length, qids, named = self._name_at(text, said, index, known, context, topic)
            if length:
                span = TextSpan(said[index].start, said[index + length - 1].end)
                parts = self._parts(text, said, index, length, known, context) if named and length > 1 else ()
                more = not named and length > 1 and self._is_longer(qids, said[index : index + length])
                yield NamedEntity(span, self._meant(qids, context), parts, more)
            index += length or 1

    def _known(self, said: Sequence[LetterRun]) -> dict[int, list[tuple[int, str]]]:
        """Known names by the number of the word with which they begin, each with its length in words."""
        begins = list(accumulate((len(word.folded) + 1 for word in said), initial=0))
        position = {begin: index for index, begin in enumerate(begins)}
        found: dict[int, list[tuple[int, str]]] = {}
        for last, key in self._automaton.iter(f" {' '.join(word.folded for word in said)} ") if self._names else ():
            first = position.get(last - len(key) - 1)
            if first is not None:
                found.setdefault(first, []).append((key.count(" ") + 1, key))
        return found

    def _name_at(
        self, text: str, said: Sequence[LetterRun], index: int, known: dict[int, list[tuple[int, str]]],
        context: Collection[int], topic: int,
    ) -> tuple[int, tuple[int, ...], bool]:  # fmt: skip
        """The name that begins at a word: its length, 0 for none, who bears it, and whether it is one of the known."""
        length, qids = self._longest(text, said, index, known.get(index, ()), context)
        proper = length - (said[index].folded == "the")
        if any(
            self._longest(text, said, later, known.get(later, ()), context)[0] > proper
            for later in range(index + 1, index + length)
        ):  # "The North" of "The North African Campaign", "The Pacific" of "The Pacific War"
            length, qids = 0, ()
        if not length:
            return (*self._person(text, said, index, context, topic), False) if said[index].capital else (0, (), False)
        alone = qids == (topic,) and "human" in self.kinds(qids) and (index == 0 or said[index - 1].folded != "the")
        if alone and length > 1 and index + length not in known and run(text, said, index) == length + 1:
            return length + 1, qids, False  # "Ray Charles Robinson"; no band of his, as after "the"
        return length, qids, True

    def _parts(
        self, text: str, said: Sequence[LetterRun], index: int, length: int, found: dict[int, list[tuple[int, str]]],
        context: Collection[int],
    ) -> tuple[NamedEntity, ...]:  # fmt: skip
        """The names at a label's beginning and at its end, if it is made of two."""
        if not any(
            self.entities[qid].label == text[said[index].start : said[index + length - 1].end]
            for qid in self._names[" ".join(word.folded for word in said[index : index + length])].qids
        ):
            return ()
        made: list[NamedEntity] = []
        for first in range(index, index + length):
            inside = [one for one in found.get(first, ()) if first + one[0] <= index + length and one[0] < length]
            size, qids = self._longest(text, said, first, inside, context)
            last = first + size == index + length
            if size and ((first == index and not last) or (made and last)):
                if made and not text[made[0].span.end : said[first].start].startswith(_JOINTS):
                    return ()
                made.append(
                    NamedEntity(TextSpan(said[first].start, said[first + size - 1].end), self._meant(qids, context))
                )
                if last:
                    return tuple(made)
            elif first == index:
                return ()
        return ()

    def _longest(
        self,
        text: str,
        said: Sequence[LetterRun],
        index: int,
        found: Iterable[tuple[int, str]],
        context: Collection[int],
    ) -> tuple[int, tuple[int, ...]]:
        for length, key in sorted(found, reverse=True):
            name = self._names[key]
            surface = text[said[index].start : said[index + length - 1].end]
            spoken = any(qid in context for qid in name.qids)
            if self._links(name, surface, index == 0, spoken):
                return length, name.qids
        return 0, ()

    def _links(self, name: _Name, surface: str, first: bool, spoken: bool) -> bool:
        if name.exact:
            return surface == name.exact and surface[:1].isupper() and (spoken or not first)
        if name.proper and surface[:1].islower():
            return False
        return spoken or not surface.isdigit()  # "1984" is a year, unless the novel is what is spoken of

    def _person(
        self, text: str, said: Sequence[LetterRun], index: int, context: Collection[int], topic: int
    ) -> tuple[int, tuple[int, ...]]:
        """A person who is spoken of: by surname, by a longer form of the name, or, if the topic, by given name."""
        longest = run(text, said, index)
        for length in range(longest, 0, -1):
            if meant := tuple(qid for qid in self._last.get(said[index + length - 1].folded, ()) if qid in context):
                written = [word.folded for word in said[index : index + length]]
                called = '"' in text[said[index].start : said[index + length - 1].end]
                longer = tuple(qid for qid in meant if _is_form(written, self.entities[qid].label, called))
                if longer or (length == 1 and text[said[index].start - 1 : said[index].start] != "-"):
                    return length, longer or meant
        entity = self.entities.get(topic)
        if longest == 1 and entity and "human" in entity.kinds and said[index].folded in _given(entity.label):
            return 1, (topic,)
        return 0, ()

    def _is_longer(self, qids: Collection[int], said: Collection[LetterRun]) -> bool:
        known = [part for qid in qids for part in folded(self.label(qid))]
        extra = (one.folded for one in said if one.folded not in _PARTICLES)
        return any(not any(one.startswith(part[: len(one)]) for part in known if part[0] == one[0]) for one in extra)

    def _meant(self, qids: tuple[int, ...], context: Collection[int]) -> tuple[int, ...]:
        meant = [qid for qid in qids if qid in context]
        return (meant[0],) if len(qids) > 1 and len(meant) == 1 else qids


def _composed(entity: EntityName) -> EntityName:
    """An entity whose names are written as texts are read."""
    return entity._replace(label=composed(entity.label), aliases=[composed(alias) for alias in entity.aliases])


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[LetterRun, ...]:
    """The words of a text; linear, and without a pattern. A sentence's are asked for several times in a row."""
    found = []
    start = -1
    for index, character in enumerate(f"{text} "):
        if character.isalnum():
            start = index if start < 0 else start
        elif start >= 0:
            word = text[start:index]
            found.append(LetterRun(start, index, fold(word), word[0].isupper()))
            start = -1
    return tuple(found)


def folded(text: str) -> list[str]:
    """The words of a text as names are compared by them."""
    return "".join(char if char.isalnum() else " " for char in fold(text)).split()


def run(text: str, said: Sequence[LetterRun], index: int) -> int:
    """How many words from here on are written like one person's name."""
    length = 1
    for before, word in zip(said[index:], said[index + 1 : index + 8], strict=False):
        between = text[before.end : word.start]
        if not (word.capital or word.folded in _PARTICLES) or len(between) > 2 or not set(between) <= _BETWEEN:
            break
        length += 1
    while length > 1 and not said[index + length - 1].capital:
        length -= 1
    return length


def _is_form(written: Sequence[str], label: str, called: bool) -> bool:
    """Whether words that end in a surname are a form of the name: "Robert A. De Niro", "R. De Niro", "De Niro".

    The name itself behind a word is another's, or no name ("Perhaps Tom Berg"), but for one that is `called` so, in
    quotation marks.
    """
    own, first = folded(_bare(label)), written[0]
    tail = own[-len(written) :] == list(written)
    whole = list(written)[-len(own) :] == own
    if len(written) < 2 or tail or whole:
        return len(written) > 1 and (tail or called)
    return first in own[:-1] or own[0] in written or (1 in (len(first), len(own[0])) and first[0] == own[0][0])


def _given(label: str) -> frozenset[str]:
    said = words(_bare(label))
    return frozenset(word.folded for word in said[:-1] or said)


def _surname(label: str) -> str:
    """The folded last word of a person's name; empty for a name of one word and where that is a number or a title."""
    said = words(_bare(label))
    if len(said) < 2 or any(word.folded in ("of", "the") for word in said):
        return ""
    last = said[-1].folded
    numeral = not set(last) - set("ivx") or last in ("jr", "sr")
    return "" if len(last) < 3 or last.isdigit() or numeral else last


def _bare(label: str) -> str:
    return label.partition(" (")[0].partition(",")[0]


def _plural(key: str, proper: bool) -> Iterator[str]:
    """The plural of a common noun, by the usual spelling: "violins are string instruments"."""
    if proper or len(key) <= MIN_ALIAS:
        return
    if key.endswith(("s", "x", "ch", "sh")):
        yield key + "es"
    elif key.endswith("man"):
        yield key[:-2] + "en"
    else:
        yield key[:-1] + "ies" if key.endswith("y") and key[-2] not in "aeiou" else key + "s"
