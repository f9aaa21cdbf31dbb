"""What a sentence speaks of: entities by name, demonyms, other names, dates and numbers; and the sentence with plain
words in their place.

A parser that was trained on news stumbles over titles and rare names. So it is given `Anna won the Oscar for Hamlet`
instead of what was written: parses do not depend on which names stand in a sentence, nor does what is read.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Literal, NamedTuple

import re2

from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import DateInterval, TextSpan
from halluvault_tasks.reading.dates import DateOrNumber
from halluvault_tasks.reading.lists import stop_words
from halluvault_tasks.reading.names import Names, words
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.text import Sentence

MentionKind = Literal["entity", "demonym", "name", "date", "number"]

_STAND_INS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (frozenset(["human", "character"]), ("Smith", "Johnson", "Miller", "Davis", "Wilson", "Taylor")),
    (frozenset(["place", "country", "territory", "state"]), ("Berlin", "Madrid", "Vienna", "London", "Rome", "Moscow")),
    (
        frozenset(["work", "screen", "book", "recording", "creation", "software", "series", "screen_or_disc"]),
        ("Hamlet", "Macbeth", "Othello", "Faust", "Carmen", "Tosca"),
    ),
    (frozenset(["position"]), ("Chairman", "Treasurer", "Secretary")),
    (frozenset(["honour", "award"]), ("Oscar", "Grammy", "Emmy")),
    (frozenset(["event", "conflict", "competition"]), ("Wimbledon", "Eurovision")),
    (frozenset(["language"]), ("Latin", "Greek")),
    (
        frozenset(["organisation", "body", "team", "party", "school", "legislature", "musical_group"]),
        ("Siemens", "Google", "Toyota", "Sony", "Nokia", "Intel"),
    ),
    (frozenset(), ("Saturn", "Neptune", "Mercury", "Uranus")),
)
"""Names that stand in for others of a kind; the first kind that fits."""

_FIXED: dict[MentionKind, str] = {"date": "1950", "demonym": "French", "number": ""}
_COUNTRY = frozenset(["place", "country"])
ROLES = frozenset(["occupation", "position"])
"""Kinds of what stands before a name and is no part of it."""

_MOST = 40
"""Mentions of a sentence that are read."""

_TITLE = 80
"""Characters of a quotation that may be a title."""


class Mention(NamedTuple):
    """Something that a sentence names.

    Attributes:
        span: in the sentence, without quotation marks.
        text: the label, where exactly one entity bears the name; a date's one wording; else as written.
        kind: `name`: written like one, but no entity's; `demonym`: `Japanese` for Japan.
        qids: who bears it.
        kinds: what all of these are.
        quantity: of a date or number.
        longer: the name as written holds more than the names that are known.
    """

    span: TextSpan
    text: str
    kind: MentionKind
    qids: tuple[int, ...] = ()
    kinds: frozenset[str] = frozenset()
    quantity: DateOrNumber | None = None
    longer: bool = False

    @property
    def qid(self) -> int:
        """The one who bears it; 0 where nobody or several do."""
        return self.qids[0] if len(self.qids) == 1 else 0

    @property
    def days(self) -> DateInterval | None:
        """Of a date."""
        return self.quantity.days if self.quantity else None

    @property
    def amount(self) -> Decimal | None:
        """Of a number."""
        return self.quantity.amount if self.quantity else None

    def may_be(self, other: "Mention") -> bool:
        """Whether what is said of another may be said of it: they share a kind, or it is not known what it is."""
        same = bool(self.qids) and self.qids == other.qids
        return self.kind in ("entity", "name") and not same and (not self.kinds or bool(self.kinds & other.kinds))

    @property
    def entity(self) -> int:
        """`qid` of a name that is the entity's own."""
        return self.qid if self.kind == "entity" else 0


class Masked(NamedTuple):
    """A sentence for the parser.

    Attributes:
        text: with stand-ins for names and dates.
        mentions: in order of appearance.
        spans: where each of them stands in `text`.
        shifts: (place in `text`, place in the sentence) where either begins anew, ascending.
    """

    text: str
    mentions: tuple[Mention, ...]
    spans: tuple[TextSpan, ...]
    shifts: tuple[tuple[int, int], ...]

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Numbers of mentions next to each other; what is made of others stands aside."""
        single = [
            number for number, span in enumerate(self.spans)
            if not any(one != span and span.start <= one.start and one.end <= span.end for one in self.spans)
        ]  # fmt: skip
        yield from pairwise(sorted(single, key=lambda number: self.spans[number]))

    def masked(self, place: int) -> int:
        """The place in `text` of a place in the sentence."""
        masked, written = next(one for one in reversed(self.shifts) if one[1] <= place)
        return masked + place - written

    def original(self, place: int) -> int:
        """The place in the sentence of a place in `text`."""
        masked, written = self.shifts[bisect_right(self.shifts, (place, 1 << 30)) - 1]
        return written + place - masked


_RECKONED, _RECKONS = re2.compile(r"(?:[<>≤≥≠+]|\d\s*=)\s*$"), re2.compile(r"\s*(?:[<>≤≥≠+]|=\s*\d)")
"""Before and behind a number that is reckoned with: "(1952 < 1955)" dates nothing."""


class Finder:
    """Finds mentions in sentences.

    Args:
        names: the entities' names.
        demonyms: a demonym (`Japanese`) and the entities it means, more than one where it is ambiguous.
    """

    def __init__(self, names: Names, demonyms: Mapping[str, tuple[int, ...]]) -> None:
        self._names = names
        self._demonyms = {
            tuple(word.folded for word in words(name)): tuple(qid for qid in qids if qid in names.entities)
            for name, qids in demonyms.items()
        }
        self._first = frozenset(words_of[0] for words_of in self._demonyms)

    def topic(self, qid: int) -> Mention | None:
        """An entity as if it were named; None where it has no name here."""
        entity = self._names.entities.get(qid)
        return Mention(TextSpan(0, 0), entity.label, "entity", (qid,), entity.kinds) if entity else None

    def find(self, sentence: Sentence, context: Collection[int] = (), topic: int = 0) -> list[Mention]:
        """Mentions of a sentence, longest first where they overlap, in order of appearance.

        A name that is made of two others comes beside them.
        """
        text = sentence.text
        found: list[Mention] = []
        whole: list[Mention] = []
        for one in self._names.find(text, context, topic):
            parts = one.parts or (one,)
            found += [self._entity(text, part.span, part.qids)._replace(longer=part.longer) for part in parts]
            whole += [self._entity(text, one.span, one.qids)] if one.parts else []
        found += self._demonyms_in(text)
        found += [
            Mention(one.span, one.text, "date" if one.days else "number", quantity=one)
            for one in dates.find(text)
            if not (_RECKONED.search(text[: one.span.start]) or _RECKONS.match(text[one.span.end :]))
        ]
        found += [
            Mention(quote, text[quote.start : quote.end], "name")
            for quote in (TextSpan(one.start, len(text[: one.end].rstrip(" ,.;"))) for one in sentence.quotes)
            if _is_title(text, quote)
        ]
        return sorted([*_whole_names(text, apart(found), {topic, *context}), *whole])[:_MOST]

    def _entity(self, text: str, span: TextSpan, qids: tuple[int, ...]) -> Mention:
        label = self._names.label(qids[0]) if len(qids) == 1 else text[span.start : span.end]
        return Mention(span, label, "entity", qids, self._names.kinds(qids))

    def _demonyms_in(self, text: str) -> list[Mention]:
        said = words(text)
        found = []
        for index, word in enumerate(said):
            if word.capital and word.folded in self._first:
                for length in (3, 2, 1):
                    key = tuple(one.folded for one in said[index : index + length])
                    if len(key) == length and key in self._demonyms:
                        span = TextSpan(word.start, said[index + length - 1].end)
                        meant = self._entity(text, span, self._demonyms[key])
                        found.append(meant._replace(kind="demonym", kinds=_COUNTRY))
                        break
        return found


def _whole_names(text: str, found: Sequence[Mention], spoken: Collection[int]) -> list[Mention]:
    """Two names side by side are one that is not known, unless one is spoken of: "Henrietta Maria" is no asteroid."""
    made: list[Mention] = []
    for one in found:
        last = made[-1] if made else None
        bare = last and all(_is_bare_name(text, each) and each.entity not in spoken for each in (last, one))
        if last and bare and text[last.span.end : one.span.start] == " ":
            span = TextSpan(last.span.start, one.span.end)
            made[-1] = Mention(span, text[span.start : span.end], "name")
        else:
            made.append(one)
    return made


@rule(
    "claims.joined_name",
    "[Henrietta|asteroid] [Maria|asteroid] was born in 1609.",
    "[Henrietta|human] was born in 1609.",
    otherwise=False,
)
def _is_bare_name(text: str, one: Mention) -> bool:
    return one.kind in ("entity", "name") and text[one.span.start].isupper() and not one.kinds & ROLES


_RANK = {"entity": 0, "demonym": 1, "date": 2, "number": 3, "name": 4}


def apart(found: Iterable[Mention], last: Callable[[Mention], bool] = lambda _: False) -> list[Mention]:
    """Mentions that do not overlap, in order of appearance: the longest, and those that are `last` after the others."""
    chosen: list[Mention] = []
    for mention in sorted(found, key=lambda m: (last(m), m.span.start - m.span.end, _RANK[m.kind], m.span)):
        if not any(mention.span.meets(one.span) for one in chosen):
            chosen.append(mention)
    return sorted(chosen)


LEADER = "Smith"


class Lead(NamedTuple):
    """What a line is read with instead of its first words: `Capital: Paris` as "Smith's capital is Paris".

    Attributes:
        end: of the words that are replaced.
        text: what stands there instead; `LEADER` comes first, for the subject.
        subject: what the line is about.
    """

    end: int
    text: str
    subject: Mention


def stand_ins(kinds: frozenset[str]) -> tuple[str, ...]:
    """Names that stand in for what is of these kinds."""
    return next(names for several, names in _STAND_INS if not several or several & kinds)


def mask(sentence: Sentence, mentions: list[Mention], lead: Lead | None = None) -> Masked:
    """Put stand-ins for names and dates; what is written in lower case stays."""
    text = sentence.text
    edits = _edits(sentence, mentions)
    if lead:
        edits = [(0, lead.end, lead.text, -1), *(edit for edit in edits if edit[0] >= lead.end)]
    pieces: list[str] = []
    shifts: list[tuple[int, int]] = [(0, 0)]
    spans: dict[int, TextSpan] = {}
    length = position = 0
    for start, end, new, number in edits:
        if start < position:  # inside the one before
            continue
        pieces += [text[position:start], new]
        length += start - position
        shifts += [(length, start), (length + len(new), end)]
        if number >= 0:
            spans[number] = TextSpan(length, length + len(new))
        length += len(new)
        position = end
    made = Masked("".join([*pieces, text[position:]]), tuple(mentions), (), tuple(shifts))
    for number, mention in enumerate(mentions):
        if number not in spans:
            spans[number] = TextSpan(made.masked(mention.span.start), made.masked(mention.span.end))
    ordered = tuple(spans[number] for number in range(len(mentions)))
    if lead:
        return made._replace(mentions=(lead.subject, *mentions), spans=(TextSpan(0, len(LEADER)), *ordered))
    return made._replace(spans=ordered)


def _edits(sentence: Sentence, mentions: list[Mention]) -> list[tuple[int, int, str, int]]:
    """Start, end, what stands there instead, and of which mention; in order, none inside another."""
    text, quotes = sentence.text, {quote.start: quote for quote in sentence.quotes}
    used: dict[str, int] = {}
    found: list[tuple[int, int, str, int]] = []
    for number, mention in enumerate(mentions):
        start, end = mention.span
        if any(start <= one.span.start and one.span.end <= end and one is not mention for one in mentions):
            continue  # its parts stand for it
        if mention.kind == "date" and text[start - 2 : start] == " (" and text[end : end + 1] == ")":  # "Hamlet (1603)"
            found.append((start - 2, end + 1, "", number))
            continue
        quote = quotes.get(start)
        whole = quote is not None and not text[end : quote.end].strip(" ,.;")
        if stand_in := _stand_in(mention, text, whole, used):
            stop = text[end : end + 2] in (".,", ".)", ".;")  # "born in Danvers, Mass., she"
            found.append((start - whole, end + stop, stand_in, number))
            if quote and whole and end <= quote.end:  # "Golden Globe" award may be one name
                found.append((quote.end, quote.end + 1, "", -1))
    parts = _parts(text)
    found += [
        (start, end, new, -1) for start, end, new in parts if all(end <= one[0] or start >= one[1] for one in found)
    ]
    return sorted(found)


_PARTS = re2.compile(r"[Cc]o-|-in-law|step-|half-|guest-|re-|at least one | \([A-Z]{2,7}\)")
_JOINED = {"-in-law": "inlaw", "step-": "step", "half-": "half", "re-": "re", "at least one ": "a "}


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    """What no parser should part from its noun: `co-founder` founds, a `mother-in-law` is no mother; `(ICC)` goes."""
    for match in _PARTS.finditer(text):
        yield *match.span(), _JOINED.get(match.group(), "")


def _stand_in(mention: Mention, text: str, quoted: bool, used: dict[str, int]) -> str:
    if mention.kind in _FIXED:
        return _FIXED[mention.kind]
    written = text[mention.span.start : mention.span.end]
    begins = written[:1].isupper() and not any(character.isalnum() for character in text[: mention.span.start])
    common = "occupation" in mention.kinds and mention.text[:1].islower()
    if written[:1].islower() or (begins and common):  # "Critics claim that": no name, and "claim" no noun
        noun = common and written[:3].casefold() == mention.text[:3] and not written.endswith("ing")
        made = "dancers" if written.endswith(("s", "men")) and not written.endswith("ss") else "dancer"
        return (made.capitalize() if begins else made) if noun else ""
    kinds = mention.kinds or (frozenset(["work"]) if quoted else mention.kinds)
    names = stand_ins(kinds)
    used[names[0]] = used.get(names[0], -1) + 1
    return names[used[names[0]] % len(names)]


def _is_title(text: str, quote: TextSpan) -> bool:
    inner = text[quote.start : quote.end]
    said = words(inner)
    small = [one for one in said if not one.capital and one.folded not in stop_words() and not one.folded.isdigit()]
    plain = 0 < len(inner) <= _TITLE and not inner.endswith("?")
    return plain and bool(said) and said[0].capital and (not small or len(said) <= 3)
