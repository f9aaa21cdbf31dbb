"""Which predicates state which property: `config/predicates.yaml`, the lexicon's sentences, Wikidata's labels.

Each wording is parsed like the text that is read and becomes a path between its two ends in the graph of predicates
and arguments (`syntax.graph`); all paths stand in one trie. A wording without a content word is refused.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from halluvault_tasks.benchmark.wording.forms import EndKinds
from halluvault_tasks.benchmark.wording.lexicon import Entry, Lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.mentions import stand_ins
from halluvault_tasks.reading.parser import Parser
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.paths import Path as Steps
from halluvault_tasks.reading.syntax.paths import between
from halluvault_tasks.reading.syntax.polarity import denied
from halluvault_tasks.reading.syntax.sharing import THEME
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import WrittenPid, WrittenQid
from halluvault_tasks.wikidata.relation import Kind, Predicate, Relation, kind_of

_SLOT = re.compile(r"\{(s|o|on|year)(?::\w+)?\}")
_TURNED = {"{s}": "{o}", "{o}": "{s}"}
_CHOICE = re.compile(r"\w+(?:\|\w+)+")
_CONTENT = frozenset(["NOUN", "VERB", "ADJ", "PROPN"])
_EMPTY = wordset("be have do one thing someone something somebody anyone man woman person least type taxon")
_STRICT_ADVERBS = frozenset(["directly", "immediately"])
_DATE = "1950"


_DATES = ("date of {}", "year of {}", "{} date", "{} year")

NUMBER = "number"
"""Kind of what is no item."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StatedProperty(_Strict):
    """How one property is stated."""

    subject: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    ages: tuple[str, ...] = ()
    is_: bool = Field(default=False, alias="is")
    symmetric: bool = False
    term: bool = False

    @field_validator("says", "ages")
    @classmethod
    def _has_slots(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for one in value:
            if sorted(_SLOT.findall(one)) not in (["o", "s"], ["on", "s"], ["s", "year"]):
                raise ValueError(f"{one!r} must have {{s}} and {{o}}, {{on}} or {{year}} once each")
        return value


class Predicates(_Strict):
    """The file `config/predicates.yaml`."""

    kinds: dict[str, tuple[WrittenQid, ...]]
    synonyms: dict[str, tuple[str, ...]] = {}
    demonyms: dict[WrittenQid, Annotated[tuple[str, ...], Field(min_length=2)]] = {}
    """Name, then demonyms."""

    properties: dict[WrittenPid, StatedProperty]


def load(path: Path) -> Predicates:
    """Read and check the file.

    Raises:
        UserError: names the line, property and field of each fault.
    """
    return yaml_files.load(path, Predicates)


def demonyms(file: Predicates) -> dict[str, tuple[int, ...]]:
    """A demonym and the entities it means."""
    found: dict[str, tuple[int, ...]] = {}
    for qid, (_, *several) in file.demonyms.items():
        for one in several:
            found[one] = (*found.get(one, ()), qid)
    return found


def countries(file: Predicates) -> dict[str, int]:
    """The names of what has demonyms."""
    return {name: qid for qid, (name, *_) in file.demonyms.items()}


class Kinds(NamedTuple):
    """What an end must be: of one of `any`, of none of `none`."""

    any: frozenset[str] = frozenset()
    none: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str]) -> "Kinds":
        """From names of kinds, `!` before those that are excluded."""
        names = list(names)
        return cls(
            frozenset(one for one in names if not one.startswith("!")),
            frozenset(one[1:] for one in names if one.startswith("!")),
        )

    def fit(self, kinds: frozenset[str]) -> bool:
        """Whether something of these kinds may be the end."""
        return (not self.any or bool(self.any & kinds)) and not self.none & kinds


class Pattern(NamedTuple):
    """A property that a path may state.

    Attributes:
        p: what is stated.
        subject: what the end must be that the path starts from.
        object: what the other end must be.
        dated: the path leads to a date.
        negative: who says it denies the property ("born outside Paris").
        words: content words beside the path that must stand in the clause.
    """

    p: Predicate
    subject: Kinds
    object: Kinds
    dated: bool = False
    negative: bool = False
    words: frozenset[str] = frozenset()


class Node:
    """A node of the trie: the steps that lead on, and the patterns that end here."""

    __slots__ = ("ends", "steps")

    def __init__(self) -> None:
        self.steps: dict[str, Node] = {}
        self.ends: list[Pattern] = []


class PredicateWording(NamedTuple):
    """A clause that states a property, before it is parsed."""

    p: Predicate
    text: str
    subject: Kinds
    object: Kinds
    denies: bool = False
    """The clause is the property's negation."""
    optional: bool = False
    """It is nobody's fault if it cannot be compiled: a sentence of the lexicon, or a label."""


class Book:
    """All wordings, compiled.

    Attributes:
        relations: what some wording states.
        terms: properties whose statements the clause may date.
        symmetric: properties that hold both ways.
        nouns: names of properties.
        root: of the trie of paths.

    Args:
        predicates: the reviewed file.
        lexicon: the questions' sentences; its orders, shared values and derived relations are read as well.
        parser: that parses texts, too.
        labels: property → Wikidata's own label and aliases.

    Raises:
        UserError: a wording of the file has no content word, or no path joins its ends.
    """

    def __init__(
        self, predicates: Predicates, lexicon: Lexicon, parser: Parser, labels: Mapping[int, Iterable[str]] = {}
    ) -> None:
        self.properties = predicates.properties
        self.terms = frozenset(pid for pid, one in predicates.properties.items() if one.term)
        self.symmetric = frozenset(pid for pid, one in predicates.properties.items() if one.symmetric)
        self.synonyms = {word: head for head, words in predicates.synonyms.items() for word in words}
        self.types = {pid: (Kinds.of(one.subject), Kinds.of(one.object)) for pid, one in predicates.properties.items()}
        self.is_a = {pid: types for pid, types in self.types.items() if predicates.properties[pid].is_}
        self.nouns: dict[str, set[int]] = {}
        self.root = Node()
        wordings = list(dict.fromkeys([*self._reviewed(), *self._lexicon(lexicon), *self._labels(labels)]))
        self.relations = frozenset(one.p for one in wordings)
        parses = parser.parse([_filled(one) for one in wordings])
        for wording, parse in zip(wordings, parses, strict=True):
            self._compile(wording, Graph(parse, self.synonyms))

    # ------------------------------------------------------------------ wordings

    def _reviewed(self) -> Iterator[PredicateWording]:
        for pid, stated in self.properties.items():
            subject, other = self.types[pid]
            for text in stated.says:
                for one in _alternatives(text):
                    yield PredicateWording(pid, one, subject, other)
            yield from (PredicateWording(pid, one, subject, Kinds(frozenset([NUMBER]))) for one in stated.ages)
            for noun in stated.nouns:
                yield from self._noun(pid, noun, subject, other, dated=not stated.object)
                for one in _DATES if not stated.object and " " not in noun else ():  # "year of birth", "release date"
                    yield from self._noun(pid, one.format(noun), subject, other, dated=True, optional=True)

    def _noun(
        self, pid: int, noun: str, subject: Kinds, other: Kinds, dated: bool, optional: bool = False
    ) -> Iterator[PredicateWording]:
        self.nouns.setdefault(noun.casefold(), set()).add(pid)
        if dated:
            yield PredicateWording(pid, f"{{s}}'s {noun} was {{on}}", subject, other, optional=optional)
            yield PredicateWording(pid, f"{{s}}'s {noun} is {{year}}", subject, other, optional=optional)
        else:
            yield PredicateWording(pid, f"{{o}} is the {noun} of {{s}}", subject, other, optional=optional)
        if dated or "place" in other.any:  # "her birthdate of 1815", "her birthplace of London"
            yield PredicateWording(
                pid, f"{{s}}'s {noun} of {{{'year' if dated else 'o'}}}", subject, other, optional=True
            )
        if "place" in other.any:
            yield PredicateWording(pid, f"{{s}}'s {noun} lies in {{o}}", subject, other, optional=True)

    def _lexicon(self, lexicon: Lexicon) -> Iterator[PredicateWording]:
        relations: list[tuple[Predicate, list[Entry]]] = [
            *lexicon.properties.items(), *lexicon.relations.items(),
            *((Relation.share(pid), entries) for pid, entries in lexicon.shared.items()),
            *((Relation.order(pid), entries) for pid, entries in lexicon.orders.items()),
        ]  # fmt: skip
        for p, entries in relations:
            for entry in entries:
                typed = None if isinstance(p, Relation) else self.types.get(p)
                subject, other = typed or (_ends(entry.subject), _ends(entry.object))
                for text, denies in _sentences(entry):
                    yield PredicateWording(p, text, subject, other, denies, optional=True)
        for pid, entries in lexicon.inverses.items():  # what they say is the property, from its other end
            for entry in entries:
                subject, other = self.types.get(pid) or (_ends(entry.object), _ends(entry.subject))
                for text, denies in _sentences(entry):
                    turned = _SLOT.sub(lambda slot: _TURNED.get(slot[0], slot[0]), text)
                    yield PredicateWording(pid, turned, subject, other, denies, optional=True)
        for pid, terms in lexicon.dates.items():
            for term in terms:
                subject = self.types[pid][0] if pid in self.types else _ends(term.subject)
                yield PredicateWording(pid, term.statement.rstrip("."), subject, Kinds(), optional=True)

    def _labels(self, labels: Mapping[int, Iterable[str]]) -> Iterator[PredicateWording]:
        for pid, names in labels.items():
            subject, other = self.types.get(pid, (Kinds(), Kinds()))
            if pid not in self.types:
                continue
            for name in names:
                last = name.rpartition(" ")[2]
                if last in ("of", "by", "in", "at", "on", "from", "to", "with", "as"):
                    yield PredicateWording(pid, f"{{s}} was {name} {{o}}", subject, other, optional=True)
                elif " " in name or not name.endswith("s"):
                    dated = not self.properties[pid].object
                    yield from self._noun(pid, name, subject, other, dated, optional=True)

    # ------------------------------------------------------------------ compiling

    def _compile(self, wording: PredicateWording, graph: Graph) -> None:
        first, second = (_position(graph, name) for name in _names(wording))
        found = between(graph, first, second) if first >= 0 and second >= 0 else None
        if found is None:
            if not wording.optional:
                raise UserError(f"no path joins the ends of {wording.text!r}", "word it as a plain clause")
            return
        words = _beside(graph, found, {first, second}) - _optional(wording, graph)
        content = words | {graph.lemmas[one] for one in found.predicates}
        if not content - _EMPTY:
            if not wording.optional:
                raise UserError(
                    f"{wording.text!r} has no content word", "a preposition or `be` alone states no property"
                )
            return
        dated = "{on}" in wording.text or "{year}" in wording.text
        steps = (*found.steps[:-1], TIME.get(found.steps[-1], found.steps[-1])) if dated else found.steps
        negative = denied(graph, found, words)
        if wording.denies and not negative:
            return  # what denies it stands elsewhere: "nobody took part in …"
        negative = negative != wording.denies
        pattern = Pattern(wording.p, wording.subject, wording.object, dated, negative, words)
        self._enter(steps, pattern)
        ordered = kind_of(wording.p) is Kind.ORDER
        if (dated or ordered) and "human" not in wording.subject.any:
            if steps[0].startswith("obj^"):
                self._enter((THEME + steps[0].removeprefix("obj"), *steps[1:]), pattern)
            elif steps[-1] == "obj":
                self._enter((*steps[:-1], THEME), pattern)

    def _enter(self, steps: Iterable[str], pattern: Pattern) -> None:
        node = self.root
        for step in steps:
            node = node.steps.setdefault(step, Node())
        if not any(one._replace(words=pattern.words) == pattern and one.words <= pattern.words for one in node.ends):
            node.ends.append(pattern)


def plain_clauses(says: Iterable[str], slot: str) -> Iterator[str]:
    """Wordings with a slot, each in its first alternative: what a person would say."""
    for text in says:
        if f"{{{slot}}}" in text:
            yield next(_alternatives(text)).replace("(", "").replace(")", "")


def _alternatives(text: str) -> Iterator[str]:
    """ "born in|at {o}" as two wordings."""
    match = _CHOICE.search(text)
    if not match:
        yield text
        return
    for one in match[0].split("|"):
        yield from _alternatives(text[: match.start()] + one + text[match.end() :])


TIME = {
    "in": "@", "on": "@", "at": "@", "during": "@", "mod": "@", "around": "@", "circa": "@", "of": "@",
    "self": "@", "from": "@from", "since": "@from", "to": "@to", "until": "@to", "till": "@to", "through": "@to",
    "between": "@between",
}  # fmt: skip
"""Roles of dates: prepositions that say the same of them are one."""


def _ends(ends: EndKinds) -> Kinds:
    return Kinds(frozenset(ends.any), frozenset(ends.none))


def _sentences(entry: Entry) -> Iterator[tuple[str, bool]]:
    """Clauses of the lexicon and whether they deny what is asked."""
    form = entry.past or entry.open  # tenses have the same lemmas
    assert form
    yield form.statement.rstrip("."), False
    yield form.negated.rstrip("."), True
    for _, one in form.others():
        if one.negated:
            yield one.negated.rstrip("."), True


def _names(wording: PredicateWording) -> tuple[str, str]:
    subject, other = _stand_in(wording.subject, 0), _stand_in(wording.object, 1)
    return subject, _DATE if "{on}" in wording.text or "{year}" in wording.text else other


def _stand_in(kinds: Kinds, number: int) -> str:
    return "16" if NUMBER in kinds.any else stand_ins(kinds.any)[number]


def _filled(wording: PredicateWording) -> str:
    subject, other = _names(wording)
    dated = re.sub(r"\b(from|until|since) \{on\}", r"\1 {year}", wording.text)
    values = {"s": subject, "o": other, "on": f"in {_DATE}", "year": _DATE}
    text = _SLOT.sub(lambda match: values[match[1]], dated).translate(_DROPPED).replace("at least one ", "a ")
    return f"{text}."


_DROPPED = str.maketrans("", "", "“”()")


def _position(graph: Graph, name: str) -> int:
    return next((index for index, word in enumerate(graph.parse) if word.text == name), -1)


def _optional(wording: PredicateWording, graph: Graph) -> set[str]:
    """Lemmas of the words in brackets, which only make the wording a clause."""
    inside = {word for group in re.findall(r"\(([^)]*)\)", wording.text) for word in group.split()}
    return {graph.lemmas[index] for index, word in enumerate(graph.parse) if word.text in inside}


def _beside(graph: Graph, path: Steps, ends: set[int]) -> frozenset[str]:
    """Content words of a wording that do not stand on its path."""
    on_path = {*path.predicates, *ends}
    return frozenset(
        graph.lemmas[index]
        for index, word in enumerate(graph.parse)
        if index not in on_path
        and (word.pos in _CONTENT or word.lemma in _STRICT_ADVERBS)
        and graph.lemmas[index] not in _EMPTY
        and word.dep not in ("aux", "auxpass", "prt", "neg")
        and word.pos != "AUX"
    )
