"""One sentence with its mentions: which property joins which two of them, and whether it is affirmed or denied."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.oracles import gaps
from halluvault_tasks.oracles.gaps import Gap
from halluvault_tasks.oracles.mentions import Mention
from halluvault_tasks.oracles.phrasebook import Meaning, Phrasebook, Source, Tokens, term_key
from halluvault_tasks.oracles.words import APPOSITIONS

Fits = Callable[[int, Mention, Mention], bool]
"""Whether a property can join a subject and an object of these kinds."""


class Joined(NamedTuple):
    """Two mentions and what joins them.

    Attributes:
        meanings: (property, subject's index, object's index), alternatives.
        date: index of the date of a term ("took office as X on D"), else -1.
        which: start, end or point, of a term.
    """

    meanings: tuple[tuple[int, int, int], ...]
    negative: bool
    hedged: bool
    source: Source
    date: int = -1
    which: str = ""


_BY_PRONOUN = re.compile(r"^(?P<lead>.*?)\b(?P<word>he|she|it|they|his|her|its|their)\b\s*", re.IGNORECASE | re.DOTALL)
_POSSESSIVE = frozenset(["his", "her", "its", "their"])
_TO = frozenset(["to", "until", "till", "and", "through"])
_DASH = re.compile(
    r"^\s*(?:–|—|-|to|until|till|through|and(?: ended| finished)?(?: in| on)?)\s*(?:the\s+year\s+)?$", re.IGNORECASE
)
_SPAN_LEAD = re.compile(r"(?:\b(?:from|between)\s*(?:the\s+years?\s+)?|\(\s*(?:b(?:orn|\.)?\s+)?|,\s*)$", re.IGNORECASE)


_EMPTY = frozenset(["be", "hav", "in", "on", "of", "to", "by", "for", "with", "from", "as", "'s", "and"])
"""Words that mean a property only where nothing else stands beside them."""

_MOST_UNKNOWN = 1
"""Words between two mentions that no pattern has, and which do not keep the others from saying what they say."""

_OBJECT_RELATIVE = re.compile(r"\b(?:that|which|whom|where)\s*(?:the\s*)?$", re.IGNORECASE)


class Sentence:
    """A sentence taken apart.

    Args:
        text: the sentence.
        mentions: what it names, in order, not overlapping.
        book: wordings of properties.
        fits: which property can join which kinds.
        symmetric: properties that hold both ways.
        subject: what an omitted subject or a possessive pronoun in front stands for.
    """

    def __init__(
        self, text: str, mentions: Sequence[Mention], book: Phrasebook, fits: Fits, symmetric: Collection[int]
    ) -> None:
        self.mentions = mentions
        self._book, self._fits, self._symmetric = book, fits, symmetric
        edges = [0, *(end for mention in mentions for end in (mention.start, mention.end)), len(text)]
        self._raw = [text[edges[i] : max(edges[i], edges[i + 1])] for i in range(0, len(edges), 2)]
        self._gaps = [gaps.read(raw[-400:]) for raw in self._raw]
        self._verb: Tokens = ()
        self._verb_negative = False
        self._last: Joined | None = None
        self._verb_subject = 0
        self._taken: set[int] = set()

    def read(self) -> Iterator[Joined]:
        """Everything that the sentence says of two of its mentions, in order."""
        if len(self.mentions) < 2:
            return
        head = next((i for i, one in enumerate(self.mentions) if one.kind in ("entity", "name")), None)
        if head is None:
            return
        if head > 0 and self.mentions[0].kind == "date":
            yield from self._leading_date(head)
        for j in range(head + 1, len(self.mentions)):
            mention = self.mentions[j]
            if mention.kind == "date":
                yield from self._date(head, j)
            else:
                yield from self._object(head, j)

    # ------------------------------------------------------------------ things

    def _object(self, head: int, j: int) -> Iterator[Joined]:
        plain, raw = self._gaps[j], self._raw[j]
        gap = plain
        own = _BY_PRONOUN.match(raw)
        if own and j - 1 > head - 1:
            rest = raw[own.end() :]
            gap = gaps.read(("'s " if own["word"].casefold() in _POSSESSIVE else "") + rest)
            gap = gap._replace(link=True)
            if j - 1 == head and not gaps.read(own["lead"]).tokens and not own["lead"].strip(" ,"):
                gap = gap._replace(link=False)
        bare = gaps.strip_prepositions(gap.tokens)
        if not bare and self._last is not None and (joined := self._carried(gap, j)):
            yield joined
            return
        order = [j - 1] if j - 1 == head or gap.relative else [head, j - 1] if gap.link else [j - 1, head]
        best = None
        for i in dict.fromkeys(i for i in order if self.mentions[i].kind not in ("date", "number")):
            before = self._gaps[i] if i == j - 1 else Gap(())
            found = self._matched(self._book.relations, before, gap, self._gaps[j + 1], i, j)
            if plain is not gap and (found is None or found.source == "cue"):  # "opened his eyes in"
                found = self._matched(self._book.relations, before, plain, self._gaps[j + 1], i, j) or found
            if found and (best is None or found.source != "cue"):
                best = found
                self._verb_subject = i
                if found.source != "cue":
                    break
        if bare:
            self._verb, self._verb_negative = bare, bool(gap.negations % 2)
        if best:
            self._last = best
            yield from self._with_others(best, j)
        elif bare:
            self._last = None

    def _carried(self, gap: Gap, j: int) -> Joined | None:
        """ "… in A, B and C", "… in A, not in B", "was born on D in A": the verb before goes on."""
        last = self._last
        assert last is not None
        if not gap.tokens and not (gap.link or gap.negations):
            return None
        negative = last.negative
        if gap.negations:
            negative = not last.negative if last.negative == self._verb_negative or not last.negative else last.negative
            negative = True if not last.negative else negative
        elif gap.contrast and last.negative:
            negative = False
        if gap.tokens:
            i = self._verb_subject
            found = self._matched(
                self._book.relations, Gap(()), Gap((*self._verb, *gap.tokens)), self._gaps[j + 1], i, j
            )
            if found:
                self._last = found._replace(negative=negative, hedged=found.hedged or gap.hedged)
                return self._last
        previous = last.meanings[0]
        if self.mentions[previous[2]].kind == "date" or j - 1 not in (previous[1], previous[2]):
            return None
        if previous[2] == j - 1:
            meanings = tuple(
                (p, s, j) for p, s, _ in last.meanings if self._fits(p, self.mentions[s], self.mentions[j])
            )
        else:
            meanings = tuple(
                (p, j, o) for p, _, o in last.meanings if self._fits(p, self.mentions[j], self.mentions[o])
            )
        if not meanings:
            return None
        self._last = Joined(meanings, negative, last.hedged or gap.hedged, last.source)
        return self._last

    def _with_others(self, joined: Joined, j: int) -> Iterator[Joined]:
        """The pair, and for "A and B were born in C" the pair of A and C too."""
        yield joined
        i = first = min(joined.meanings[0][1:])
        self._taken.add(j)
        while i > 0 and i - 1 not in self._taken and self._gaps[i].link and not self._gaps[i].tokens:
            i -= 1
            if self.mentions[i].kind != "entity":
                break
            swapped = [
                (p, *(i if end == first else end for end in (s, o))) for p, s, o in joined.meanings if first in (s, o)
            ]
            meanings = tuple((p, s, o) for p, s, o in swapped if self._fits(p, self.mentions[s], self.mentions[o]))
            if meanings:
                yield joined._replace(meanings=meanings)

    def _matched(
        self, table: dict[Tokens, list[Meaning]], before: Gap, gap: Gap, after: Gap, i: int, j: int
    ) -> Joined | None:
        best: list[Meaning] = []
        weight = -1
        # "X is the category that Y falls into": what joins them stands behind Y
        relative = j == i + 1 and _OBJECT_RELATIVE.search(self._raw[j]) and after.tokens
        matched: Tokens = ()
        for form in self._forms(gap.tokens):
            for one in table.get(form, ()):
                if (one.before and not before.tokens) or (not after.tokens if one.after else relative):
                    continue
                if len(one.before) + len(one.after) < weight or not self._surrounded(one, before, after):
                    continue
                s, o = (i, j) if one.first_is_subject else (j, i)
                if not self._fits(one.p, self.mentions[s], self.mentions[o]):
                    continue
                if len(one.before) + len(one.after) > weight:
                    best, weight = [], len(one.before) + len(one.after)
                best.append(one)
            if best:
                matched = form
                break
        # What denies the whole ("it is not true that", "neither A nor") stands before the first of joined subjects.
        framed = all(one.link and not one.tokens for one in self._gaps[1 : i + 1])
        frame = self._gaps[0].negations if framed else 0
        if not best:
            return None if relative else self._by_cue(before, gap, after, i, j)
        negations = gap.negations + frame + (before.negations if best[0].before and i > 0 and not framed else 0)
        negations += after.negations if best[0].after else 0
        hedged = gap.hedged or self._gaps[0].hedged or before.hedged or (after.hedged and j + 1 == len(self.mentions))
        meanings = tuple(dict.fromkeys((one.p, i, j) if one.first_is_subject else (one.p, j, i) for one in best))
        source: Source = "lexicon" if any(one.source == "lexicon" for one in best) else "alias"
        unknown = [token for token in gap.tokens if token not in self._book.vocabulary and token not in APPOSITIONS]
        if len(unknown) > _MOST_UNKNOWN and len(matched) < len(gap.tokens):
            source = "cue"  # so many words of its own may turn what the others mean
        return Joined(meanings, bool(negations % 2), hedged, source)

    def _forms(self, tokens: Tokens) -> Iterator[Tokens]:
        yield tokens
        if tokens[:1] == ("'s",):
            yield tokens[1:]
        stripped = gaps.strip_appositions(tokens)
        if stripped != tokens:
            yield stripped
        reduced = gaps.reduce(tokens, self._book.vocabulary)
        if reduced is not None and reduced != tokens and set(reduced) - _EMPTY:
            yield reduced
            again = gaps.strip_appositions(reduced)
            if again != reduced and set(again) - _EMPTY:
                yield again

    def _surrounded(self, one: Meaning, before: Gap, after: Gap) -> bool:
        if one.before:
            have = before.tokens
            if have[-len(one.before) :] != one.before:
                have = gaps.strip_appositions(have)
                if have[-len(one.before) :] != one.before:
                    return False
        if one.after and after.tokens[: len(one.after)] != one.after:
            have = gaps.reduce(after.tokens, self._book.vocabulary, 2) or ()
            return have[: len(one.after)] == one.after
        return True

    def _by_cue(self, before: Gap, gap: Gap, after: Gap, i: int, j: int) -> Joined | None:
        """A word that only one property has, between ends that its kinds put in one order."""
        around = (
            *gap.tokens,
            *(before.tokens if i == 0 or before.tokens else ()),
            *(after.tokens if j + 1 == len(self.mentions) else ()),
        )
        pids = sorted({pid for token in around for pid in self._book.cues.get(token, ())})
        meanings = []
        for p in pids:
            forward = self._fits(p, self.mentions[i], self.mentions[j])
            backward = self._fits(p, self.mentions[j], self.mentions[i])
            if forward and (not backward or p in self._symmetric):
                meanings.append((p, i, j))
            elif backward and not forward:
                meanings.append((p, j, i))
        if not meanings:
            return None
        negations = (
            gap.negations
            + (self._gaps[0].negations if i == 0 else before.negations)
            + after.negations * (j + 1 == len(self.mentions))
        )
        hedged = any(one.hedged for one in (self._gaps[0], before, gap, after))
        return Joined(tuple(meanings), bool(negations % 2), hedged, "cue")

    # ------------------------------------------------------------------ dates

    def _date(self, head: int, j: int) -> Iterator[Joined]:
        gap, raw = self._gaps[j], self._raw[j]
        own = _BY_PRONOUN.match(raw)
        if own and j - 1 > head - 1:
            gap = gaps.read(("'s " if own["word"].casefold() in _POSSESSIVE else "") + raw[own.end() :])._replace(
                link=True
            )
        bare = gaps.strip_prepositions(gap.tokens)
        if j > 1 and self.mentions[j - 1].kind == "date" and _DASH.match(raw):
            yield from self._span_end(head, j)
            return
        negative = bool((gap.negations + self._gaps[0].negations * (not bare or j - 1 == head)) % 2)
        hedged = gap.hedged or self._gaps[0].hedged
        previous = self.mentions[j - 1]
        if previous.kind == "entity" and j - 1 != head and (term := self._term(gap, j, negative, hedged)):
            yield term
            return
        if self._span_starts(j):
            return
        verb = bare or self._verb
        order = [j - 1, head] if gap.relative or j - 1 == head or (bare and not gap.link) else [head, j - 1]
        for i in dict.fromkeys(i for i in order if self.mentions[i].kind in ("entity", "name")):
            before = self._gaps[i] if i == j - 1 else Gap(())
            found = self._matched(self._book.dates, before, Gap(verb), self._gaps[j + 1], i, j)
            if (found is None or found.source == "cue") and (own_verb := gaps.strip_prepositions(self._gaps[j].tokens)):
                found = self._matched(self._book.dates, before, Gap(own_verb), self._gaps[j + 1], i, j)
            if found and found.source != "cue":
                if not bare:
                    negative = negative or self._verb_negative
                self._last = found._replace(negative=negative, hedged=hedged)
                self._verb_subject = i
                yield self._last
                break
        if bare:
            self._verb, self._verb_negative = bare, bool(gap.negations % 2)

    def _leading_date(self, head: int) -> Iterator[Joined]:
        """ "In 1812, Charles Dickens was born …": the date belongs to the verb behind the subject."""
        if gaps.strip_prepositions(self._gaps[head].tokens):
            for j in range(1, head + 1):  # "1812 saw the birth of Charles Dickens", "1812 is the year of his birth"
                found = self._matched(self._book.dates, self._gaps[0], self._gaps[j], self._gaps[j + 1], j - 1, j)
                if found and found.source != "cue":
                    yield found
            return
        verb = gaps.strip_prepositions(self._gaps[head + 1].tokens)
        if verb:
            gap = self._gaps[head + 1]
            found = self._matched(self._book.dates, Gap(()), Gap(verb), Gap(()), head, 0)
            if found and found.source != "cue":
                yield found._replace(negative=bool((gap.negations + self._gaps[0].negations) % 2))

    def _span_starts(self, j: int) -> bool:
        """ "from 1995 to 2001", "(1812–1870)": both are read at the second date."""
        follows = j + 1 < len(self.mentions) and self.mentions[j + 1].kind == "date" and _DASH.match(self._raw[j + 1])
        return bool(follows and _SPAN_LEAD.search(self._raw[j]))

    def _span_end(self, head: int, j: int) -> Iterator[Joined]:
        lead = self._gaps[j - 1]
        verb = gaps.strip_prepositions(lead.tokens)
        bracket = self._raw[j - 1].rstrip().endswith("(") or self._raw[j - 1].strip() == ","
        hedged = lead.hedged or self._gaps[0].hedged
        i = j - 2 if j > 1 and self.mentions[j - 2].kind in ("entity", "name") and (bracket or j - 2 == head) else head
        if self._last and self._last.which == "start" and self._last.date == j - 1:
            yield self._last._replace(date=j, which="end")
            return
        pairs = self._book.spans.get(verb or self._verb) or self._book.spans.get(
            gaps.reduce(verb, self._book.vocabulary) or ()
        )
        if not pairs and bracket and not verb and i == j - 2:
            pairs = [(569, 570), (580, 582), (571, 576)]  # "Charles Dickens (1812–1870)"
        negative = bool(lead.negations % 2)
        starts = tuple(
            (start, i, j - 1) for start, _ in pairs or () if self._fits(start, self.mentions[i], self.mentions[j - 1])
        )
        ends = tuple((end, i, j) for _, end in pairs or () if self._fits(end, self.mentions[i], self.mentions[j]))
        if starts and ends and not negative:
            yield Joined(starts, False, hedged, "alias")
            yield Joined(ends, False, hedged, "alias")

    def _term(self, gap: Gap, j: int, negative: bool, hedged: bool) -> Joined | None:
        """ "took office as X on D": a date of what was said just before."""
        last = self._last
        terms = self._book.terms.get(term_key(self._gaps[j - 1].tokens, gap.tokens), ())
        wanted = {(term.p, term.which) for term in terms}
        for p, s, o in last.meanings if last else ():
            which = next((which for which in ("start", "end", "point") if (p, which) in wanted), "")
            if last and which and max(s, o) == j - 1:
                joined = Joined(((p, s, o),), negative or last.negative, hedged or last.hedged, "alias", j, which)
                self._last = joined
                return joined
        for term in terms:
            i = self._verb_subject
            if self._fits(term.p, self.mentions[i], self.mentions[j - 1]):
                self._last = Joined(((term.p, i, j - 1),), negative, hedged, "alias", j, term.which)
                return self._last
        return None
