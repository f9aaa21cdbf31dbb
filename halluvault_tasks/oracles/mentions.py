"""What a sentence speaks of: the snapshot's entities by label or alias, other names, dates and numbers.

Matching is by whole tokens after folding, longest first. A name that is written with a capital links only to text
that is; a word that names relations ("capital", "member") never links in lower case; labels of under four letters
or made of function words link only when written exactly alike, inside a sentence (semantics.md section 3.4).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

import ahocorasick
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import dates
from halluvault_tasks.storage.tables import entity, property, statement
from halluvault_tasks.wikidata.names import fold

_HUMAN = 5  # Q5

MIN_ALIAS = 4
"""Aliases of fewer letters never link."""

FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been but by did do does for from had has have he her hers him his how i if in is it its "
        "me my no not of on one or our she so that the their them then there these they this those to up us was we "
        "were what when where which who whom whose will with you your",
    )
)

_TOKEN = re.compile(r"\w+")
_CAPITALISED = re.compile(
    r"\b[A-Z][\w’'-]*(?:(?:\s+(?:of|the|de|la|le|von|van|der|den|du|da|di|del|al|for|and(?=\s+[A-Z])))?\s+[A-Z][\w’'-]*){0,8}"
)
_QUOTED = re.compile(r"[“\"]([^”\"\n]{2,80})[”\"]")
_VERB_AFTER = re.compile(r"\s+(?:is|was|are|were|has|had|became|lies|died|wrote|won|played|served|began|ended)\b")


class EntityName(NamedTuple):
    """An entity and its names."""

    qid: int
    label: str
    aliases: Sequence[str]
    person: bool = False
    """A human being, of whom a surname alone may speak."""


class Mention(NamedTuple):
    """Something named in a text.

    Attributes:
        start: first character.
        end: end, exclusive.
        phrase: label of the entity when exactly one bears the name, one wording of a date or number, else the text.
        kind: entity, name (capitalised or quoted, not in the snapshot), date or number.
        qids: entities that bear the name; empty unless `kind` is entity.
    """

    start: int
    end: int
    phrase: str
    kind: Literal["entity", "name", "date", "number"]
    qids: tuple[int, ...] = ()


class _Name(NamedTuple):
    qids: tuple[int, ...]
    proper: bool
    exact: str
    """Only this spelling links; empty for any."""


class Names:
    """The names of a snapshot's entities, found all at once (Aho-Corasick over folded words).

    Args:
        entities: in any order.
        relation_words: folded words that name relations and so never link in lower case.
    """

    def __init__(self, entities: Iterable[EntityName], relation_words: frozenset[str] = frozenset()) -> None:
        self._names: dict[str, _Name] = {}
        self._surnames: dict[str, tuple[int, ...]] = {}
        self.labels: dict[int, str] = {}
        self._relation_words = relation_words
        for qid, label, aliases, person in sorted(entities):
            self.labels[qid] = label
            self._add(label, qid, short_allowed=True)
            for short in _shortened(label):
                self._add(short, qid, short_allowed=False)
            if label[:1].islower() and len(label) > MIN_ALIAS:
                self._add(_plural(label), qid, short_allowed=False)  # "violins are string instruments"
            for alias in sorted(set(aliases)):
                self._add(alias, qid, short_allowed=False)
            if person and (surname := _surname(label)):
                self._surnames[surname] = (*self._surnames.get(surname, ()), qid)
        self._automaton = ahocorasick.Automaton()
        for key in self._names:
            self._automaton.add_word(f" {key} ", key)
        self._automaton.make_automaton()

    def _add(self, name: str, qid: int, short_allowed: bool) -> None:
        tokens = [fold(token) for token in _TOKEN.findall(name)]
        key = " ".join(tokens)
        letters = sum(character.isalnum() for character in key)
        if not tokens or (letters < MIN_ALIAS and not short_allowed):
            return
        delicate = letters < MIN_ALIAS or all(token in FUNCTION_WORDS for token in tokens)
        proper = name[:1].isupper()
        known = self._names.get(key)
        if known:
            merged = known.qids if qid in known.qids else tuple(sorted((*known.qids, qid)))
            self._names[key] = _Name(merged, known.proper and proper, known.exact)
        else:
            self._names[key] = _Name((qid,), proper, name if delicate else "")

    def find(self, text: str, context: Collection[int] = ()) -> Iterator[Mention]:
        """Mentions of entities, left to right, longest first, not overlapping.

        Args:
            text: any.
            context: entities that are spoken of: a surname alone, or a name that several bear, means the one of them
                that is among these.
        """
        matches = list(_TOKEN.finditer(text))
        if not matches or not self._names:
            return
        folded = [fold(match.group()) for match in matches]
        begins = list(accumulate((len(word) + 1 for word in folded), initial=0))
        position = {begin: index for index, begin in enumerate(begins)}
        found: dict[int, list[tuple[int, str]]] = {}
        for last, key in self._automaton.iter(f" {' '.join(folded)} "):
            first = position.get(last - len(key) - 1)
            if first is not None:
                found.setdefault(first, []).append((key.count(" ") + 1, key))
        index = 0
        while index < len(matches):
            step = 1
            for length, key in sorted(found.get(index, ()), reverse=True):
                name = self._names[key]
                start, end = matches[index].start(), matches[index + length - 1].end()
                if self._links(
                    name, text[start:end], length, index == 0, bool(context and set(name.qids) & set(context))
                ):
                    yield self._mention(start, end, text, name.qids, context)
                    step = length
                    break
            else:
                surname = (
                    self._surnames.get(folded[index], ()) if context and matches[index].group()[0].isupper() else ()
                )
                if meant := [qid for qid in surname if qid in context]:
                    yield self._mention(*matches[index].span(), text, tuple(meant), context)
            index += step

    def _mention(self, start: int, end: int, text: str, qids: tuple[int, ...], context: Collection[int]) -> Mention:
        if len(qids) > 1 and len(meant := [qid for qid in qids if qid in context]) == 1:
            qids = (meant[0],)
        phrase = self.labels[qids[0]] if len(qids) == 1 else text[start:end]
        return Mention(start, end, phrase, "entity", qids)

    def _links(self, name: _Name, surface: str, tokens: int, first: bool, spoken: bool) -> bool:
        if name.exact:
            return surface == name.exact and surface[:1].isupper() and (spoken or not first)
        if name.proper and surface[:1].islower():
            return False
        if surface.isdigit():
            return spoken  # "1984" is a year, unless the novel is what is spoken of
        return spoken or not (tokens == 1 and surface[:1].islower() and fold(surface) in self._relation_words)


_NUMERAL = re.compile(r"[IVX]+|\d+|Jr|Sr|the")


def _surname(label: str) -> str:
    """The folded last word of a person's name; empty for a name of one word and where that is a number or a title."""
    words = label.split(",")[0].split()
    if len(words) < 2 or "of" in words or "the" in words or _NUMERAL.fullmatch(words[-1].rstrip(".")):
        return ""
    tokens = _TOKEN.findall(words[-1])
    return fold(tokens[-1]) if len(tokens) == 1 and len(tokens[0]) >= MIN_ALIAS else ""


def _plural(label: str) -> str:
    """The plural of a common noun, by the usual spelling."""
    if label.endswith(("s", "x", "ch", "sh")):
        return label + "es"
    return label[:-1] + "ies" if label.endswith("y") and label[-2:-1] not in "aeiou" else label + "s"


def _shortened(label: str) -> Iterator[str]:
    """The label without its article, and without a bracket behind it."""
    if label.startswith(("The ", "the ")):
        yield label[4:]
    bare, bracket, _ = label.partition(" (")
    if bracket:
        yield bare


def load_names(session: Session, snapshot: str, also: Collection[int] = ()) -> Names:
    """Names of the entities that a response may speak of.

    Those are the labelled entities of a domain, the values of properties other than "instance of" (P31) and
    "subclass of" (P279), and `also`: a mere class ("river", "city") is a word, not a name.

    Args:
        session: open session.
        snapshot: exact key.
        also: QIDs that the benchmark cites.
    """
    values = select(statement.c.o).where(
        statement.c.snapshot == snapshot, statement.c.kind == "item", statement.c.p.not_in([31, 279])
    )
    rows = session.execute(
        select(entity.c.qid, entity.c.label, entity.c.aliases, entity.c.types)
        .where(
            entity.c.snapshot == snapshot,
            entity.c.label.is_not(None),
            or_(entity.c.seed, entity.c.domain.is_not(None), entity.c.qid.in_(values), entity.c.qid.in_(sorted(also))),
        )
        .order_by(entity.c.qid)
    )
    labels = session.scalars(select(property.c.label).where(property.c.snapshot == snapshot))
    words = {fold(token) for label in labels for token in _TOKEN.findall(label)}
    return Names((EntityName(row.qid, row.label, row.aliases, _HUMAN in row.types) for row in rows), frozenset(words))


def find(text: str, names: Names, context: Collection[int] = ()) -> list[Mention]:
    """All mentions of one sentence, longest first where they overlap, in order of appearance."""
    found = list(names.find(text, context))
    found += [
        Mention(quantity.start, quantity.end, quantity.phrase, "date" if quantity.is_date else "number")
        for quantity in dates.find(text)
    ]
    linked = [(mention.start, mention.end) for mention in found if mention.kind == "entity"]
    found += [mention for mention in _other_names(text) if (mention.start, mention.end) not in linked]
    rank = {"entity": 0, "date": 1, "number": 2, "name": 3}
    chosen: list[Mention] = []
    # The longest reading wins; an entity inside a longer capitalised run loses to the run only if that is no mere
    # sequence of linked names, which the order below settles: entities and dates first, then what they leave free.
    for mention in sorted(found, key=lambda m: (rank[m.kind] == 3, m.start - m.end, rank[m.kind], m.start)):
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return sorted(chosen)


def _other_names(text: str) -> Iterator[Mention]:
    for match in _QUOTED.finditer(text):
        yield Mention(match.start(1), match.end(1), match.group(1).strip(), "name")
    opening = len(text) - len(text.lstrip("\"'“‘( "))
    for match in _CAPITALISED.finditer(text):
        start, phrase = match.start(), match.group()
        first, _, rest = phrase.partition(" ")
        if start == opening and (
            fold(first) in FUNCTION_WORDS or (not rest and not _VERB_AFTER.match(text, match.end()))
        ):
            if not rest or not rest[0].isupper():
                continue
            start, phrase = start + len(first) + 1, rest
        phrase = re.sub(r"[’']s?$", "", phrase)
        if fold(phrase) not in FUNCTION_WORDS:
            yield Mention(start, start + len(phrase), phrase, "name")
