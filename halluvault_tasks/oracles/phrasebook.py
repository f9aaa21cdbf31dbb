"""Which words between (before, behind) two mentions mean which property: lexicon, reviewed phrases, Wikidata's labels.

`config/phrases.yaml` is what people edit; the lexicon's sentences and the snapshot's property labels are read besides.
Everything is compiled into tables keyed by the words between the mentions, so that reading a response costs a few
look-ups for each pair of mentions.
"""

import gc
import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, field_validator

from halluvault_tasks.benchmark.lexicon import Entry, Lexicon, load_lexicon
from halluvault_tasks.oracles import gaps
from halluvault_tasks.oracles.frames import (
    VERBS,
    date_patterns,
    deed_patterns,
    filled,
    frames,
    noun_patterns,
    other_voice,
    shared_patterns,
)
from halluvault_tasks.oracles.wordings import SLOT, SLOT_CHOSEN, Tokens, expanded, taken_apart
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import Pid
from halluvault_tasks.wikidata.relation import Relation

Source = Literal["lexicon", "alias", "cue", "unread"]

_PREPOSITIONAL = re.compile(r"\b(?:in|by|of|after|on|at|with|to|from|as|for|next to)$")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Wording(_Strict):
    """How one property is said."""

    nouns: tuple[str, ...] = ()
    """ "The NOUN of {s} is {o}"."""

    converse_nouns: tuple[str, ...] = ()
    """ "The NOUN of {o} is {s}"."""

    deeds: tuple[str, ...] = ()
    """ "The DEED of {s} was the work of {o}": discovery, development."""

    says: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()

    @field_validator("says")
    @classmethod
    def _has_slots(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for one in value:
            for clause in expanded(one) if SLOT_CHOSEN.search(one) else (one,):
                if sorted(SLOT.findall(clause)) not in (["o", "s"], ["on", "s"]):
                    raise ValueError(f"{clause!r} must have {{s}} and {{o}} (or {{on}}) once each")
        return value


class SpanWording(_Strict):
    """Verbs that stand before "from … to …"."""

    start: Pid
    end: Pid
    says: tuple[str, ...]


TermWording = dict[Literal["start", "end", "point"], tuple[str, ...]]


class Phrases(_Strict):
    """The file `config/phrases.yaml`."""

    properties: dict[Pid, Wording]
    dates: dict[Pid, Wording]
    spans: tuple[SpanWording, ...] = ()
    terms: dict[Pid, TermWording] = {}
    relations: dict[int, Wording] = {}
    shared: dict[Pid, Wording] = {}
    orders: dict[Pid, Wording] = {}


class Meaning(NamedTuple):
    """A property, the words that must surround the mentions, and which mention is its subject."""

    p: int
    first_is_subject: bool
    before: Tokens
    after: Tokens
    source: Source


class Term(NamedTuple):
    """Which date of a term (start, end or point) a wording gives."""

    p: int
    which: str


class Phrasebook:
    """The compiled tables.

    Args:
        phrases: reviewed phrases.
        lexicon: the questions' sentences.
        labels: property → its names in the snapshot.
    """

    def __init__(self, phrases: Phrases, lexicon: Lexicon, labels: Mapping[int, Iterable[str]] = {}) -> None:
        self.relations: dict[Tokens, list[Meaning]] = defaultdict(list)
        self.dates: dict[Tokens, list[Meaning]] = defaultdict(list)
        self.terms: dict[tuple[Tokens, Tokens], list[Term]] = defaultdict(list)
        self.spans: dict[Tokens, list[tuple[int, int]]] = defaultdict(list)
        self.cues: dict[str, frozenset[int]] = {}
        self._known: set[tuple[bool, Tokens, Meaning]] = set()
        self.entries: dict[int, tuple[Entry, ...]] = {pid: tuple(found) for pid, found in lexicon.properties.items()}
        self.entries |= {number: tuple(found) for number, found in lexicon.relations.items()}
        self.entries |= {-pid: tuple(found) for pid, found in lexicon.shared.items()}
        self.entries |= {Relation.order(pid).key: tuple(found) for pid, found in lexicon.orders.items()}
        self._read_lexicon(lexicon)
        for pid, wording in (*phrases.properties.items(), *phrases.relations.items()):
            self._read_wording(self.relations, pid, wording)
        for pid in _PLACED & phrases.properties.keys():
            for other in sorted(_PLACED & phrases.properties.keys() - {pid}):
                clauses = tuple(one for one in phrases.properties[other].says if "countr" not in one)
                self._read_wording(self.relations, pid, Wording(says=clauses))
        for pid, wording in phrases.dates.items():
            self._read_wording(self.dates, pid, wording)
        for pid, other in (*_BOUNDS, *((two, one) for one, two in _BOUNDS)):
            self._read_wording(self.dates, pid, phrases.dates.get(other, Wording()))
        for pid, wording in phrases.shared.items():
            says = (*wording.says, *shared_patterns(wording.nouns))
            turned = (one.replace("{s} and {o} ", "{s} ") + " as {o}" for one in wording.says if "the same" in one)
            says += tuple(one for one in turned if one.startswith("{s} "))
            self._read_wording(self.relations, -pid, Wording(says=says))
        for pid in lexicon.orders:
            self._read_order(pid, phrases.dates.get(pid, Wording()))
            self._read_wording(self.relations, Relation.order(pid).key, phrases.orders.get(pid, Wording()))
        for pid, names in labels.items():
            if pid in self.entries:
                for name in names:
                    self._read_label(pid, name)
        for span in phrases.spans:
            for verb in span.says:
                self.spans[_bare(gaps.read(verb).tokens)].append((span.start, span.end))
        for pid, wordings in phrases.terms.items():
            for which, says in wordings.items():
                for one in says:
                    self._read_term(pid, which, one)
        cues = defaultdict(set)
        for pid, wording in phrases.properties.items():
            for word in wording.cues:
                cues[gaps.stem(word)].add(pid)
        self.cues = {word: frozenset(pids) for word, pids in cues.items()}
        self.tails = _tails(self.relations)
        self.heads = _heads(self.relations)
        self.words: dict[int, frozenset[str]] = _words(self.relations)
        self.nouns: dict[int, frozenset[str]] = {
            pid: frozenset(token for noun in wording.nouns for token in gaps.read(noun).tokens)
            for pid, wording in phrases.properties.items()
        }
        meanings = [one for table in (self.relations, self.dates) for found in table.items() for one in found[1]]
        self.vocabulary = frozenset(
            token for key in (*self.relations, *self.dates) for token in key
        ) | frozenset(token for one in meanings for token in (*one.before, *one.after))  # fmt: skip

        self._known.clear()
        self._narrowed: dict[tuple[bool, Tokens], dict[tuple[Tokens, Tokens], list[Meaning]]] = {}

    def meanings(
        self, table: dict[Tokens, list[Meaning]], between: Tokens, before: Iterable[Tokens], after: Iterable[Tokens]
    ) -> Iterable[Meaning]:
        """Meanings of the words between two mentions, of those that need words around them only the likely ones.

        Args:
            table: `relations` or `dates`.
            between: the words between.
            before: what may count as the words before the first mention, in several readings.
            after: first words behind the second mention, each a tuple of one word or of none.
        """
        found = table.get(between, ())
        if len(found) < _MANY:
            return found
        key = (table is self.dates, between)
        if key not in self._narrowed:
            by_ends: dict[tuple[Tokens, Tokens], list[Meaning]] = defaultdict(list)
            for one in found:
                by_ends[one.before, one.after[:1]].append(one)
            self._narrowed[key] = dict(by_ends)
        ends = self._narrowed[key]
        firsts = {words[start:] for words in (*before, ()) for start in range(len(words) + 1)}
        lasts = {(), *after}
        return [one for b in sorted(firsts) for a in sorted(lasts) for one in ends.get((b, a), ())]

    def _read_lexicon(self, lexicon: Lexicon) -> None:
        for pid, entries in self.entries.items():
            for entry in entries:
                self._add(self.relations, pid, f"{{s}} {entry.relation} {{o}}", "lexicon")
                for form in filter(None, (entry.past, entry.open)):
                    self._add(self.relations, pid, form.statement, "lexicon")
                    for _, other in form.others():
                        # Its negation without the negating word is a statement; its question is none.
                        self._add(self.relations, pid, other.negated, "lexicon")
        for pid, terms in lexicon.dates.items():
            for term in terms:
                self._add(self.dates, pid, term.statement, "lexicon")
        for pid, dated in lexicon.terms.items():
            for which in ("start", "end", "point"):
                if worded := getattr(dated, which):
                    self._read_term(pid, which, worded.statement)

    def _read_wording(self, table: dict[Tokens, list[Meaning]], pid: int, wording: Wording) -> None:
        for one in wording.says:
            self._add(table, pid, one, "alias")
            for other in other_voice(one) if table is self.relations else ():
                self._add(table, pid, other, "alias")
        for noun in wording.nouns:
            self._add_noun(table, pid, noun_patterns, noun)
            if table is self.dates:
                self._add_noun(table, pid, date_patterns, noun)
        for noun in wording.deeds:
            self._add_noun(table, pid, deed_patterns, noun)
        for noun in wording.converse_nouns:
            self._add_noun(table, pid, noun_patterns, noun, turned=True)

    def _add_noun(
        self, table: dict[Tokens, list[Meaning]], pid: int, patterns: Callable[[str], Iterator[str]], noun: str,
        turned: bool = False,
    ) -> None:  # fmt: skip
        """All frames of a noun; turned, they say it of the other end."""
        tokens = gaps.read(noun).tokens
        for one in frames(patterns, noun in VERBS):
            first = {"s": "o", "o": "s"}[one.first] if turned else one.first
            before, between, after = (filled(part, tokens) for part in (one.before, one.between, one.after))
            self._keep(table, pid, first, _bare(between) if one.second == "on" else between, before, after, "alias")

    def _read_order(self, pid: int, wording: Wording) -> None:
        """ "{s} died {on}" gives "{s} died before {o}" and "{o} died after {s}"."""
        before = Relation.order(pid).key
        for one in wording.says:
            if one.startswith("{s}") and one.endswith("{on}"):
                said = one[3:-4]
                self._add(self.relations, before, f"{{s}} {said} before {{o}}", "alias")
                self._add(self.relations, before, f"{{o}} {said} after {{s}}", "alias")
                if pid == 571:
                    there = "[exist|be there|be around|be in existence]"
                    self._add(self.relations, before, f"{{s}} {there} [when|before] {{o}} {said}", "alias")

        for noun in wording.nouns:
            verbs = "[have|get|find|make|see|meet|reach|come to]"
            self._add(self.relations, before, f"{{s}} {verbs} {noun} before {{o}}", "alias")
            self._add(self.relations, before, f"{{o}} {verbs} {noun} after {{s}}", "alias")
            that = f"[the {noun} of|that of|]"
            self._add(
                self.relations,
                before,
                f"the {noun} of {{s}} [be|come|fall|lie|] before {that} {{o}}",
                "alias",
            )
            self._add(
                self.relations,
                before,
                f"the {noun} of {{o}} [be|come|fall|lie|] after {that} {{s}}",
                "alias",
            )
            self._add(
                self.relations,
                before,
                f"the {noun} of {{s}} [precede|predate|antedate] {that} {{o}}",
                "alias",
            )
            self._add(
                self.relations,
                before,
                f"{{s}} 's {noun} [be|come|fall|lie|] before {that} {{o}}",
                "alias",
            )
            self._add(
                self.relations,
                before,
                f"{{o}} 's {noun} [be|come|fall|lie|] after {that} {{s}}",
                "alias",
            )
            self._add(
                self.relations,
                before,
                f"{{s}} 's {noun} [precede|predate|antedate] {that} {{o}}",
                "alias",
            )
            yours = f"{{o}} 's [{noun}|]"
            self._add(self.relations, before, f"{{s}} 's {noun} [be|come|fall|lie|] before {yours}", "alias")
            self._add(self.relations, before, f"{{s}} 's {noun} [precede|predate|antedate] {yours}", "alias")
            self._add(
                self.relations,
                before,
                f"{{s}} have [an|the] [earlier|older] {noun} than {{o}}",
                "alias",
            )

    def _read_label(self, pid: int, name: str) -> None:
        if _PREPOSITIONAL.search(name) or any(one.category == "active" for one in self.entries[pid]):
            for pattern in (f"{{s}} {name} {{o}}", f"{{s}} be {name} {{o}}"):
                self._add(self.relations, pid, pattern, "alias")
        else:
            self._add_noun(self.relations, pid, noun_patterns, name)

    def _add(self, table: dict[Tokens, list[Meaning]], pid: int, pattern: str, source: Source) -> None:
        for before, first, between, second, after in taken_apart(pattern):
            self._keep(table, pid, first, _bare(between) if second == "on" else between, before, after, source)

    def _keep(
        self, table: dict[Tokens, list[Meaning]], pid: int, first: str, between: Tokens, before: Tokens, after: Tokens,
        source: Source,
    ) -> None:  # fmt: skip
        if not between and not {*before, *after} - {"be", "it", "com"}:
            return
        meanings = [(between, Meaning(pid, first == "s", before, after, source))]
        if between[:1] == ("be",) and len(between) > 1 and not before:
            meanings.append((between[1:], Meaning(pid, first == "s", (), after, source)))
        for key, meaning in meanings:
            known = (table is self.dates, key, meaning)
            if known not in self._known:
                self._known.add(known)
                table[key].append(meaning)

    def _read_term(self, pid: int, which: str, pattern: str) -> None:
        parts = SLOT.split(pattern)
        if [parts[1], parts[3], parts[5]] == ["s", "o", "on"] and not gaps.read(parts[0]).tokens:
            key = (gaps.read(parts[2]).tokens, _kept(gaps.read(parts[4]).tokens))
            self.terms[key].append(Term(pid, which))


_PLACED = frozenset([17, 131, 276])
"""Country, administrative unit, location: what says one of a thing may mean each of the others."""

_BOUNDS = ((571, 580), (576, 582))
"""What begins and what comes into being are said alike, and what ends and what is dissolved."""

_MANY = 40
"""Meanings of one key from which they are looked up by the words around them."""

_SPAN_WORDS = frozenset(["from", "until", "till", "since", "between"])


def _kept(tokens: Tokens) -> Tokens:
    """The words before a date, of its prepositions only those that say which end it is."""
    return (*gaps.strip_prepositions(tokens), *(token for token in tokens[-1:] if token in _SPAN_WORDS))


def _bare(tokens: Tokens) -> Tokens:
    return gaps.strip_prepositions(tokens)


def term_key(between: Tokens, before_date: Tokens) -> tuple[Tokens, Tokens]:
    """Key of `Phrasebook.terms` for the words between the two ends and those before the date."""
    return between, _kept(before_date)


class Tail(NamedTuple):
    """What stands behind a subject whose object was moved to the front, and the preposition that went with it."""

    meaning: Meaning
    preposition: str


_MOVABLE = frozenset(["in", "on", "to", "into", "from", "around", "by", "under", "with", "of", "after", "as", "for"])
_BUT_TAILS = frozenset(["be", "hav", "do", "in", "on", "of", "to", "by", "for", "with", "from", "as", "and", "it"])


def _tails(relations: Mapping[Tokens, Iterable[Meaning]]) -> dict[Tokens, list[Tail]]:
    found: dict[Tokens, list[Tail]] = defaultdict(list)
    for key, meanings in relations.items():
        if not set(key) - _BUT_TAILS:
            continue
        for one in meanings:
            if not one.after:
                if key[0] != "'s":
                    found[key].append(Tail(one, ""))
                if key[-1] in _MOVABLE and set(key[:-1]) - _BUT_TAILS:
                    found[key[:-1]].append(Tail(one, key[-1]))
    return dict(found)


def _heads(relations: Mapping[Tokens, Iterable[Meaning]]) -> dict[Tokens, frozenset[int]]:
    """ "The NOUN of", from which "{s} is {o}" goes on → the properties that it names the object of."""
    found: dict[Tokens, set[int]] = defaultdict(set)
    for one in relations.get(("be",), ()):
        if one.before and not one.after and one.first_is_subject and one.p > 0:
            found[one.before].add(one.p)
    return {key: frozenset(pids) for key, pids in found.items()}


def _words(relations: Mapping[Tokens, Iterable[Meaning]]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for key, meanings in relations.items():
        for one in meanings:
            found[one.p].update(key, one.before, one.after)
    return {pid: frozenset(tokens) for pid, tokens in found.items()}


def load(config_dir: Path, labels: Mapping[int, Iterable[str]] = {}) -> Phrasebook:
    """Read and compile `phrases.yaml` and `lexicon.yaml`; the same files are compiled once in a process.

    Raises:
        UserError: a file is missing or faulty; names the property.
    """
    files = tuple((path, _digest(path)) for path in (config_dir / "phrases.yaml", config_dir / "lexicon.yaml"))
    return _compiled(files, tuple((pid, tuple(names)) for pid, names in labels.items()))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@lru_cache(maxsize=2)
def _compiled(files: tuple[tuple[Path, str], ...], labels: tuple[tuple[int, tuple[str, ...]], ...]) -> Phrasebook:
    (path, _), (lexicon, _) = files
    phrases = yaml_files.load(path, Phrases)
    collecting = gc.isenabled()
    gc.disable()  # a million small tuples and no cycle: looking for garbage among them costs a third of the time
    try:
        return Phrasebook(phrases, load_lexicon(lexicon), dict(labels))
    finally:
        if collecting:
            gc.enable()
