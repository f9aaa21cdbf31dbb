"""What a response claims: pairs of linked entities, dates and numbers with the properties that may join them."""

import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import zip_longest
from typing import NamedTuple

from halluvault_tasks.benchmark.entity_index import EntityIndex
from halluvault_tasks.benchmark.lexicon import Ends
from halluvault_tasks.oracles import dates, gaps, mentions
from halluvault_tasks.oracles.dates import Days
from halluvault_tasks.oracles.mentions import Mention, Names
from halluvault_tasks.oracles.pairing import Joined, Sentence
from halluvault_tasks.oracles.phrasebook import Phrasebook, Source
from halluvault_tasks.oracles.units import Unit, units
from halluvault_tasks.reading.base import Span

MAX_CLAIMS = 200
_MAX_MENTIONS = 16
_MAX_SENTENCE = 2_000
_HUMAN = frozenset([5, 15_632_617, 95_074])
_OF_PEOPLE = frozenset([569, 570])
_DATES = frozenset([569, 570, 571, 576, 577, 580, 582, 585, 1619])
_NUMBERS = frozenset([1086])

_PRONOUN = re.compile(
    r"\W*(?P<word>he|she|it(?!\s+(?:is|was|isn['’]t|wasn['’]t)\b[^.;]{0,60}?\b(?:that|who|which|where)\b)"
    r"(?!\s+(?:\w+ly\s+|also\s+|then\s+|thus\s+)?(?:follows|seems|appears|turns\s+out|means|happens|"
    r"stands\s+to|makes\s+sense|"
    r"can|must|may|should|has\s+been|remains|goes\s+without)\b)|they|his|her|its|their|the latter|the former|"
    r"this (?:person|man|woman|film|book|city|town|place|country|work|series|event|organi[sz]ation|"
    r"river|body))\b(?:['’]s\b)?",
    re.IGNORECASE,
)
_OF_A_PERSON = frozenset(["he", "she", "his", "her", "this person", "this man", "this woman"])
_POSSESSIVE = frozenset(["his", "her", "its", "their"])
_CONTINENT, _TAXON = frozenset([5107]), frozenset([16_521])
_STATE = frozenset([6256, 3_624_078, 3_024_240, 7275, 48_349, 1_520_223, 15_634_554])
_INSTITUTION = frozenset([43_229, 3918, 4_830_453, 33_506, 2_385_804, 5341_295, 7278])
_SUBJECTS = {171: _TAXON}
_OBJECTS = {30: _CONTINENT, 17: _STATE, 27: _STATE, 495: _STATE, 171: _TAXON}
"""Classes that an end must be of beyond what the lexicon asks, so that "is in" does not mean everything."""
_NO_OBJECTS = dict.fromkeys((19, 20, 36, 740, 551), _INSTITUTION)

_APPOSED = re.compile(r"[\"”’']?\s*,[\"”’']?\s+(?:the\s+|an?\s+)?")
_VERB_FORM = re.compile(
    r"(?:counts|counted|works|worked|plays|played|stars|starred|classes|classed|groups|grouped|orders|states)"
)
"""Verbs that are spelt like nouns which say what a thing is."""
_FRONTED = re.compile(r"[\"”’']?,[\"“‘']?\s+(?:the\s+)?[\"“‘']?", re.IGNORECASE)
_FINITE = re.compile(
    r"[\"”’']?,?\s+(?:is|was|were|are|has|had|became|went|made|wrote|won|\w+ed|"
    r"\w+s)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(
    r"(?:[\w,]+\s+){0,3}?(?:the|an?|what|who|where|one|next|right|directly|immediately)\b", re.IGNORECASE
)
_GOES_ON = re.compile(r"[\"”’']?,?\s+(?:is|was|were|are|has|had|became|\w+ed|\w+s)\b", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?:can|did|does|do|will|would|could|may|might|must|has|had|have|is|was|are|were)\b", re.IGNORECASE
)
_QUOTES = "\"'“‘’ \t"


class Reading(NamedTuple):
    """One property that a claim may mean; an end that is not linked to exactly one entity is 0."""

    p: int
    s: int
    o: int


class Claim(NamedTuple):
    """What a stretch of a response asserts.

    Attributes:
        start: first character in the response.
        end: end, exclusive.
        text: the stretch.
        readings: what it may mean; all of them have the same two ends.
        subject: the subject's name.
        object: the object's name, date or number as said.
        negative: it is denied.
        hedged: said with a doubt.
        source: how the property was recognised; `unread` where it was not (property 0).
        days: the date, where the object is one or the claim dates a term.
        amount: the number, where the object is one.
        which: start, end or point, where the claim dates a term.
    """

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]
    subject: str
    object: str
    negative: bool
    hedged: bool
    source: Source
    days: Days | None = None
    amount: Decimal | None = None
    which: str = ""

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Equal for claims that say the same."""
        return self.readings, self.negative, self.days, self.amount, self.which, self.subject, self.object


class Reader:
    """Reads claims out of responses; one for all responses on a snapshot.

    Args:
        names: the snapshot's names.
        book: wordings of properties.
        kinds: what kinds its entities are of.
        symmetric: properties that hold both ways.
    """

    def __init__(self, names: Names, book: Phrasebook, kinds: EntityIndex, symmetric: Collection[int] = ()) -> None:
        self._names, self._book, self._kinds = names, book, kinds
        self._symmetric = frozenset(symmetric)
        self._focus: frozenset[int] = frozenset()
        self._context: frozenset[int] = frozenset()
        self._concluded: tuple[Span, ...] = ()
        self._joined: dict[tuple[int, int, int], bool] = {}

    def read(
        self,
        response: str,
        context: Collection[int] = (),
        topic: int = 0,
        focus: Collection[int] = (),
        concluded: Collection[Span] = (),
    ) -> list[Claim]:
        """Distinct claims in order of appearance, retracted ones left out.

        Args:
            response: whatever it holds; only its first `sentences.LIMIT` characters are read.
            context: entities that question and proof speak of.
            topic: the question's subject, for clauses without one.
            focus: properties that the question is about: their two ends are accepted the wrong way round, too.
            concluded: stretches that conclude or reckon: what is not understood there claims nothing.
        """
        self._focus, self._context = frozenset(focus), frozenset(context)
        self._concluded = tuple(concluded)
        known = set(context)
        found: dict[tuple[object, ...], Claim] = {}
        subject: Mention | None = None
        if topic in self._names.labels:
            subject = Mention(0, 0, self._names.labels[topic], "entity", (topic,))
        spoken: list[Mention] = []
        for unit in units(response):
            placed, claims = self._understood(unit, known, subject, spoken)
            known |= {one.qids[0] for one in placed if len(one.qids) == 1}
            for claim in claims:
                if claim.key not in found or (found[claim.key].hedged and not claim.hedged):
                    found[claim.key] = claim
            people = [one for one in placed if one.kind in ("entity", "name")]
            if people:
                subject = people[0]
                spoken = [*people[::-1], *spoken][:12]
            if len(found) >= MAX_CLAIMS:
                break
        return list(found.values())[:MAX_CLAIMS]

    def _understood(
        self, unit: Unit, known: Collection[int], subject: Mention | None, spoken: Sequence[Mention]
    ) -> tuple[list[Mention], list[Claim]]:
        """What a stretch names and claims, in the first of its wordings that is understood."""
        best: tuple[list[Mention], list[Claim]] | None = None
        for wording in (unit.text, *unit.others):
            text = wording[:_MAX_SENTENCE]
            seen = _named_once(text, mentions.find(text, self._names, known))[:_MAX_MENTIONS]
            text, seen = self._without_descriptions(text, seen)
            text, placed = self._with_subject(text, seen, subject, spoken)
            joined = Sentence(text, placed, self._book, self._fits, self._symmetric).read()
            claims = [claim for one in joined if (claim := self._claim(unit, placed, one))]
            if any(claim.source != "cue" for claim in claims):
                return placed, claims
            if best is None or (claims and not best[1]):
                best = placed, claims
        assert best is not None
        placed, claims = best
        if not claims and len(placed) > 1 and not self._concludes(unit):
            claims = [claim for claim in (_unread(unit, placed),) if claim]
        return best[0], claims

    def _concludes(self, unit: Unit) -> bool:
        return any(one.start < unit.end and unit.start < one.end for one in self._concluded)

    def _without_descriptions(self, text: str, seen: list[Mention]) -> tuple[str, list[Mention]]:
        """ "“King Kong”, the 2005 film by Peter Jackson,": what stands behind a name to identify it claims nothing."""
        for mention in seen:
            known = self._kinds.entities.get(mention.qids[0]) if len(mention.qids) == 1 else None
            if known is None or not known.description:
                continue
            match = _APPOSED.match(text, mention.end)
            if match and text[match.end() :].casefold().startswith(known.description.casefold()):
                end = match.end() + len(known.description)
                end += text[end : end + 1] == ","
                text = text[: mention.end] + " " * (end - mention.end) + text[end:]
                seen = [one for one in seen if one.end <= mention.end or one.start >= end]
        return text, seen

    def _with_subject(
        self, text: str, seen: list[Mention], subject: Mention | None, spoken: Sequence[Mention]
    ) -> tuple[str, list[Mention]]:
        """The sentence with what a pronoun in front, or a missing subject, stands for as its first mention."""
        if subject is None or not seen:
            return text, seen
        match = _PRONOUN.match(text)
        if match and seen[0].start >= match.end():
            word = match["word"].casefold()
            person = word in _OF_A_PERSON
            told = [one for one in (subject, *spoken) if person == bool(self._human(one)) or word in ("they", "their")]
            chosen = told[0] if told else subject
            rest = ("’s " if word in _POSSESSIVE else "") + text[match.end() :]
            moved = len(rest) - len(text)
            placed = [one._replace(start=one.start + moved, end=one.end + moved) for one in seen]
            return rest, [chosen._replace(start=0, end=0), *placed]
        lead = text[: seen[0].start].strip(" \t\"“‘'(-–—")
        if (
            len(seen) > 1
            and _FRONTED.fullmatch(text, seen[0].end, seen[1].start)
            and _FINITE.match(text, seen[1].end)
            and seen[1].kind in ("entity", "name")
        ):
            return text, seen  # "Born in Y, X was …" has a subject of its own
        if len(seen) > 1 and _OWN_SUBJECT.match(lead) and _GOES_ON.match(text, seen[0].end):
            return text, seen  # "The next one after X was Y"
        if lead and self._begins_clause(lead) and seen[0].qids != subject.qids:
            return text, [subject._replace(start=0, end=0), *seen]
        return text, seen

    def _begins_clause(self, lead: str) -> bool:
        """ "Born in …", "Birthplace: …": words that join a missing subject to what follows."""
        tokens = gaps.read(lead).tokens
        bare = gaps.strip_prepositions(tokens)
        stripped = gaps.strip_appositions(tokens)
        tables = (self._book.relations, self._book.dates)
        return (
            bool(tokens)
            and tokens[-1] != "of"
            and any(
                any(not one.before and not one.after and one.first_is_subject for one in table.get(form, ()))
                for table in tables
                for form in (tokens, bare, stripped)
                if form and form != ("be",)
            )
        )

    def _human(self, mention: Mention) -> bool:
        known = self._kinds.entities.get(mention.qids[0]) if len(mention.qids) == 1 else None
        return bool(known and known.classes & _HUMAN)

    # ------------------------------------------------------------------ kinds

    def _fits(self, p: int, s: Mention, o: Mention) -> bool:
        if s.kind in ("date", "number"):
            return False
        if o.kind == "date":
            return p in _DATES and self._dated(p, s)
        if o.kind == "number":
            return p in _NUMBERS and any(self._fitting(p, s))
        if p in _DATES or p in _NUMBERS:
            return False
        return s.phrase != o.phrase and bool(self._pairs(p, s, o) or (p in self._focus and self._pairs(p, o, s)))

    def _dated(self, p: int, s: Mention) -> bool:
        known = self._kinds.entities.get(s.qids[0]) if len(s.qids) == 1 else None
        return known is None or not known.classes or (bool(known.classes & _HUMAN) == (p in _OF_PEOPLE))

    def _candidates(self, mention: Mention) -> tuple[int, ...]:
        return mention.qids or (0,)

    def _fitting(self, p: int, s: Mention) -> Iterator[int]:
        for qid in self._candidates(s):
            if any(self._is(qid, entry.subject) for entry in self._book.entries.get(p, ())):
                yield qid

    def _pairs(self, p: int, s: Mention, o: Mention) -> list[tuple[int, int]]:
        return [
            (a, b)
            for a in self._candidates(s)[:6]
            for b in self._candidates(o)[:6]
            if self._joins(p, a, b) and (a != b or not a)
        ]

    def _joins(self, p: int, a: int, b: int) -> bool:
        if p in self._focus and a in self._context and b in self._context:
            return True  # the proof itself joins such things, whatever kinds the lexicon asks about
        key = (p, a, b)
        if key not in self._joined:
            if len(self._joined) > 200_000:
                self._joined.clear()
            entries = self._book.entries.get(p, ())
            self._joined[key] = (
                self._of(a, _SUBJECTS.get(p))
                and self._of(b, _OBJECTS.get(p))
                and not (p in _NO_OBJECTS and b and self._of(b, _NO_OBJECTS[p]) and self._known(b))
                and any(self._is(a, entry.subject) and self._is(b, entry.object) for entry in entries)
            )
        return self._joined[key]

    def _known(self, qid: int) -> bool:
        known = self._kinds.entities.get(qid)
        return bool(known and known.classes)

    def _of(self, qid: int, classes: frozenset[int] | None) -> bool:
        known = self._kinds.entities.get(qid)
        return classes is None or known is None or not known.classes or bool(known.classes & classes)

    def _is(self, qid: int, ends: Ends) -> bool:
        known = self._kinds.entities.get(qid)
        return known is None or not known.classes or self._kinds.fits(qid, ends)

    # ------------------------------------------------------------------ claims

    def _claim(self, unit: Unit, placed: Sequence[Mention], joined: Joined) -> Claim | None:
        readings = []
        for p, s, o in joined.meanings:
            subject, other = placed[s], placed[o]
            if other.kind in ("date", "number"):
                qids = list(self._fitting(p, subject)) if other.kind == "number" else list(self._candidates(subject))
                readings.append(Reading(p, qids[0] if len(qids) == 1 else 0, 0))
            else:
                pairs = self._pairs(p, subject, other) or [(a, b) for b, a in self._pairs(p, other, subject)]
                one = len({a for a, _ in pairs}), len({b for _, b in pairs})
                readings.append(Reading(p, pairs[0][0] if one[0] == 1 else 0, pairs[0][1] if one[1] == 1 else 0))
        _, s, o = joined.meanings[0]
        dated = placed[joined.date] if joined.date >= 0 else placed[o] if placed[o].kind == "date" else None
        days = dates.bounds(dated.phrase) if dated else None
        if dated and days is None:
            return None
        amount = _number(placed[o].phrase) if placed[o].kind == "number" else None
        text = unit.text.strip()
        shown = placed[o].phrase if joined.date < 0 else f"{placed[o].phrase}, {placed[joined.date].phrase}"
        return Claim(
            unit.start, unit.end, text, tuple(dict.fromkeys(readings)), placed[s].phrase, shown, joined.negative,
            joined.hedged or unit.doubted, joined.source, days, amount, joined.which,
        )  # fmt: skip


def _unread(unit: Unit, placed: Sequence[Mention]) -> Claim | None:
    """A sentence that names two things in words that mean no property known here: it claims something all the same."""
    subject = next((one for one in placed if one.kind in ("entity", "name")), None)
    if subject is None:
        return None
    other = next(one for one in (*placed[::-1],) if one is not subject)
    reading = Reading(0, subject.qids[0] if len(subject.qids) == 1 else 0, other.qids[0] if len(other.qids) == 1 else 0)
    return Claim(
        unit.start, unit.end, unit.text.strip(), (reading,), subject.phrase, other.phrase, False, False, "unread"
    )


def _number(phrase: str) -> Decimal | None:
    try:
        return Decimal(phrase)
    except InvalidOperation:
        return None


def _named_once(text: str, seen: list[Mention]) -> list[Mention]:
    """ "the film “Aliens”", "the German city of Trier": a word that says what the name behind it is names nothing."""
    return [
        mention
        for mention, after in zip_longest(seen, seen[1:])
        if not (after and mention.kind == "entity" and _describes(text[mention.end : after.start]))
    ]


def _describes(between: str) -> bool:
    if not between.strip(_QUOTES):
        return True
    if _VERB_FORM.fullmatch(between.strip().casefold()):
        return False
    gap = gaps.read(between)
    if gap.negations or _AUXILIARY.search(between):
        return False
    return bool(gap.tokens) and "," not in between and not gap.link and not gaps.strip_appositions(gap.tokens)
