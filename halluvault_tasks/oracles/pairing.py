"""One sentence with its mentions: which property joins which two of them, and whether it is affirmed or denied."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from halluvault_tasks.oracles import gaps
from halluvault_tasks.oracles.frames import BARE_NOUNS
from halluvault_tasks.oracles.gaps import Gap
from halluvault_tasks.oracles.mentions import Mention
from halluvault_tasks.oracles.phrasebook import Meaning, Phrasebook, Source, term_key
from halluvault_tasks.oracles.wordings import Tokens
from halluvault_tasks.oracles.words import APPOSITIONS, HARMLESS, KIN, PREPOSITIONS

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


_BY_PRONOUN = re.compile(
    r"^(?P<lead>.*?)\b(?P<word>he|she|it|they|his|her|its|"
    r"their)\b\s*",
    re.IGNORECASE | re.DOTALL,
)
_POSSESSIVE = frozenset(["his", "her", "its", "their"])
_TO = frozenset(["to", "until", "till", "and", "through"])
_DASH = re.compile(
    r"^\s*(?:–|—|-|to|until|till|through|and(?: ended| finished)?(?: in| on)?)\s*(?:the\s+year\s+)?$", re.IGNORECASE
)
_SPAN_LEAD = re.compile(
    r"(?:\b(?:from|between)\s*(?:the\s+years?\s+)?|\(\s*(?:b(?:orn|\.)?\s+)?|"
    r",\s*)$",
    re.IGNORECASE,
)


_EMPTY = frozenset(["be", "hav", "in", "on", "of", "to", "by", "for", "with", "from", "as", "'s", "and"])
"""Words that mean a property only where nothing else stands beside them."""

_MOST_UNKNOWN = 1
"""Words between two mentions that no pattern has, and which do not keep the others from saying what they say."""

_WHERE = re.compile(r"\bwhere\b\s*(?P<lead>(?:[\w’']+\s+){0,4})$", re.IGNORECASE)
_PIED = re.compile(
    r"\b(?P<word>in|at|on|to|into|from|around|by|under|with|of|after|as|for|within)\s+(?:which|whom)\s*(?:both\s*)?$",
    re.IGNORECASE,
)
_THAT = re.compile(r"\b(?:that|which|whom|who|what)\s*(?:the\s*)?$", re.IGNORECASE)
_NOUN_ONLY = re.compile(
    r"^\W*(?:is|was|are|were|remains|became|isn['’]t|wasn['’]t)\s+(?:not\s+|never\s+)?(?:\w+ly\s+)?(?:the|"
    r"an?|one)\s+(?:[\w-]+\s+){1,4}(?:the\s+)?$",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"^[\s,\"”’“]*(?:that|did|was|had|has)?[\s,\"”’“]*(?:the\s+)?[“\"]?$", re.IGNORECASE)
_THE_ONE = re.compile(
    r"\b(?:what|who|whoever|where|(?:\w+ )?(?:in which|by whom|that|which|who|where))\s*(?:the\s*)?$", re.IGNORECASE
)
_THE_ONE_WHO = re.compile(
    r"\b(?:what|whoever|who|(?:the|a|an|one)\s+(?:[\w-]+\s+){1,3}(?:that|which|who))\s+(?P<tail>[^,]{2,80})$",
    re.IGNORECASE,
)
_THE_ONES = re.compile(
    r"\b(?:those\s+|the\s+ones\s+|the\s+(?:[\w-]+\s+){1,3}?)(?P<tail>\w{3,}(?:ing|ed|wn|"
    r"en)(?:\s+\w+){0,2}(?:\s+the)?\s*)$",
    re.IGNORECASE,
)
_NO_ONES = re.compile(
    r"\b(?:no|an?|some|any)\s+[\w-]+\s+(?:(?:that|which|who)\s+)?(?P<tail>\w{3,}\s+(?:\w+\s+){0,3})(?:the\s+)?$",
    re.IGNORECASE,
)
_THAT_AGAIN = re.compile(r"^\W*(?:and\s+)?(?:that|which|who)\b", re.IGNORECASE)
_SOME_THING = re.compile(r"\b(?:an?|one|no|some|any|not|same)\s+(?:[\w-]+\s+){1,5}", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:the|an?|those|one)\s+(?:(?!(?:is|was|are|were)\b)[\w-]+\s+){1,3}?"
    r"(?:\w{3,}ing|(?:that|which|who)\s+(?!(?:the|an?)\s+$)(?:\w+\s+){0,4}\w+|"
    r"\w{3,}(?:ing|ed|wn|en|ght|ilt)\s+(?:by|around|in|into|with|under|after|from|for|at|on))\s+(?:the\s+)?[“\"]?$",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\bwh(?:ich|om|ere|o|at)\s*(?:the\s*)?$", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:who|whom|whose|which|that|where|when|while|because|someone|somebody|anyone|those)\b", re.IGNORECASE
)
_FINITE = re.compile(
    r"\s*(?:\w+ly\s+|later\s+|then\s+)*(?:was|is|were|are|had|has|did|does|became|went|never|not|"
    r"died)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
_SO_CALLED = re.compile(
    r"\bthe\s+(?:[\w-]+\s+){1,3}(?:known\s+as|called|named|by\s+the\s+name\s+of|that\s+(?:is|"
    r"we\s+call))\s*(?:the\s*)?$",
    re.IGNORECASE,
)
_IN_COMMAS = re.compile(r"[,–—][^,–—]{1,90}[,–—]")
_LABEL = re.compile(
    r"^\W*(?:the\s+)?(?P<noun>[\w-]+(?:\s+[\w-]+){0,3})\s*[*_]*:[*_]*\s*(?:the\s+|an?\s+)?[\"“‘']?$", re.IGNORECASE
)
_SUCH_A_CLAIM = re.compile(
    r"\b(?:claim|statement|idea|notion|belief|assertion|suggestion|view|premise|assumption|proposition|"
    r"theory|thought)"
    r"\s+that\b",
    re.IGNORECASE,
)
_THAT_FIRST = re.compile(r"^\W*that\s", re.IGNORECASE)
_JUDGED = frozenset([
    "be",
    "true",
    "correct",
    "accurat",
    "right",
    "hold",
    "stand",
    "case",
    "cas",
    "fact",
    "simpl",
    "it",
    "up",
])
_HAVE = frozenset(
    [
        "count", "number", "list", "includ", "nam", "boast", "claim", "featur", "rank", "see", "hold", "keep",
        "recognis", "recogniz", "regard", "honour", "credit", "cit", "record", "call", "giv", "describ", "identify",
        "acknowledg", "remember", "show", "display", "register", "celebrat", "use", "us",
    ]
)  # fmt: skip
"""Verbs that say no more than "have" where "as its NOUN", "among its NOUNS" follows."""

_AS = (("as",), ("among",), ("for",))

_TURNING = PREPOSITIONS | frozenset(
    [
        "about", "against", "despit", "over", "under", "lik", "unlik", "beyond", "off", "out", "away", "up", "down",
        "past", "toward", "towards", "alongsid", "besid", "besides", "except", "per", "via", "versus", "than",
    ]
)  # fmt: skip
"""Stems of words that no reading may leave out."""

_HANGING = frozenset(
    (word,) for word in ("of", "near", "by", "with", "from", "about", "behind", "under", "opposit", "against", "besid")
)
"""What stands before a noun that is not the head of its phrase."""

_BEFORE_FRONT = frozenset(["it", "be", "and", "back", "right", "ther", "her", "just", "precisely"])
"""What may stand before the preposition of an object that was moved to the front."""

_NO_SUBJECT = re.compile(
    r"\b(?:unlike|like|besides|except(?:\s+for)?|apart\s+from|aside\s+from|in\s+contrast\s+to|"
    r"compared\s+(?:to|with)|contrary\s+to|"
    r"instead\s+of|rather\s+than|regardless\s+of|despite|thanks\s+to)\s+(?:the\s+)?[“\"]?$",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"^\W*(?:(?:and|but|while|whereas|though|although)\s+)?(?:nobody|no\s+one|none|someone|somebody|others|"
    r"people|everyone|everybody|"
    r"many|some|few|most)\s+(?!of\b)",
    re.IGNORECASE,
)
_OWNED = re.compile(r"^[\"”]?(?:['’]s\b|(?<=s)['’](?=\s))")

_THROUGH = {
    (61, 19): -61019, (50, 19): -50019, (57, 19): -57019, (138, 19): -138019, (397, 397): -397397,
    (19, 17): -19131, (19, 131): -19131, (19, 276): -19131, (19, 361): -19131,
    (20, 17): -20131, (20, 131): -20131, (20, 276): -20131, (20, 361): -20131,
    (22, 22): -22025, (22, 25): -22025, (25, 22): -22025, (25, 25): -22025,
}  # fmt: skip
"""Two properties, one after the other → the relation that they make."""
_THIRDS = frozenset(
    [
        "anybody", "anyon", "astronomer", "author", "body", "chemist", "director", "filmmaker", "individual",
        "inventor", "man", "moon", "nativ", "novelist", "object", "parent", "person", "physicist", "planet",
        "researcher", "scientist", "somebody", "someon", "someth", "anyth", "star", "thing", "woman", "world", "writer",
    ]
)  # fmt: skip
"""Stems of words for a third thing that has no name."""

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
        self._gaps = [_label(raw) or gaps.read(raw[-400:]) for raw in self._raw]
        self._verb: Tokens = ()
        self._verb_negative = False
        self._last: Joined | None = None
        self._verb_subject = 0
        self._taken: set[int] = set()

    def read(self) -> Iterator[Joined]:
        """Everything that the sentence says of two of its mentions, in order."""
        verdict = self._verdict()
        for joined in self._said():
            if verdict is None:
                yield joined._replace(hedged=True)
            else:
                yield joined._replace(negative=joined.negative != verdict)

    def _verdict(self) -> bool | None:
        """Whether what is said is called false behind it ("The claim that … is a myth"); None if left open."""
        reported = _SUCH_A_CLAIM.search(self._raw[0])
        if not (reported or _THAT_FIRST.match(self._raw[0])) or len(self._raw) < 2:
            return False
        last = self._gaps[-1]
        if last.tokens and set(last.tokens) <= _JUDGED and not last.hedged:
            return bool(last.negations % 2)
        return None if reported else False

    def _said(self) -> Iterator[Joined]:
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
        own = _pronoun(raw)
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
        possessive = self._gaps[head + 1].tokens[:1] == ("'s",)
        order = [j - 1] if j - 1 == head or gap.relative else [head, j - 1] if gap.link else [j - 1, head]
        if gap.link and possessive and gap is plain:  # "X's father was Y and was born in": what follows is said of Y
            order = [j - 1]
        best = None
        if _OTHER_SUBJECT.match(raw):
            order = []
        for i in dict.fromkeys(i for i in order if self.mentions[i].kind not in ("date", "number")):
            if _NO_SUBJECT.search(self._raw[i]):
                continue
            before = self._gaps[i] if i == j - 1 else Gap(())
            found: Joined | None = None
            if i == j - 1 and _NOUN_ONLY.match(raw) and self._after(j).tokens:  # "Y is one of the firms X owns"
                found = self._turned(i, j)
            for one in self._alternatives(gap, plain, raw) if found is None else ():
                other = self._matched(self._book.relations, before, one, self._after(j), i, j)
                if other and (found is None or (found.source == "cue" and other.source != "cue")):
                    found = other
                if found and found.source != "cue":
                    break
            if (found is None or found.source == "cue") and i == j - 1:
                found = self._shared(i, j) or self._composed(i, j) or self._turned(i, j) or found
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

    def _alternatives(self, gap: Gap, plain: Gap, raw: str) -> Iterator[Gap]:
        """The words between, without the pronoun, as they are, without what is in commas, and the last verb."""
        if plain is not gap and plain.tokens[:1] == ("'s",):  # "'s birthplace, it is"
            yield plain
        yield gap
        if plain is not gap:  # "opened his eyes in"
            yield plain
        if "," in raw or "–" in raw or "—" in raw:
            short = raw[-400:]
            for _ in range(3):
                shorter = _IN_COMMAS.sub(" ", short, count=1)
                if shorter == short:
                    break
                short = shorter
                yield gaps.read(short)._replace(hedged=plain.hedged)
        for match in islice(_AND.finditer(raw[-400:]), 3):
            if _SUBORDINATE.search(raw[-400:], 0, match.start()):
                break
            last = gaps.read(raw[-400:][match.end() :])
            own = _FINITE.match(raw[-400:], match.end())
            yield last._replace(hedged=plain.hedged, negations=last.negations if own else plain.negations)
        if called := _SO_CALLED.search(raw):
            yield gaps.read(raw[: called.start()])._replace(hedged=plain.hedged)

    def _after(self, j: int) -> Gap:
        """The words behind a mention, or behind the last of those listed with it."""
        while j + 2 < len(self._gaps) and not self._gaps[j + 1].tokens and self._gaps[j + 1].link:
            j += 1
        return self._gaps[j + 1]

    # ------------------------------------------------------------------ turned round

    def _turned(self, i: int, j: int) -> Joined | None:
        """ "In Y X was born", "Y, where X was born", "what X discovered is Y", "the one who discovered Y is X"."""
        raw, after, before, gap = self._raw[j], self._after(j), self._gaps[i], self._gaps[j]
        lead = gaps.strip_appositions(before.tokens)
        tails: list[tuple[Tokens, str]] = []  # of j, which stands before its verb
        within: Tokens = ()
        if pied := _PIED.search(raw):
            word = pied["word"].casefold()
            word = {"at": "in", "within": "in"}.get(word, word)
            tails = [(after.tokens, one) for one in (("in", "on") if word in ("in", "on") else (word,))]
        elif where := _WHERE.search(raw):
            tails = [(after.tokens, "in"), (after.tokens, "on")]
            within = gaps.read(where["lead"]).tokens
        elif (_THAT.search(raw) and not _NOTHING.match(raw)) or _NOUN_ONLY.match(raw):
            tails = [(after.tokens, "")]
        fronted = (
            bool(lead) and lead[-1] in PREPOSITIONS and not set(lead[:-1]) - _BEFORE_FRONT - HARMLESS - APPOSITIONS
        )
        if not tails and fronted and _NOTHING.match(raw):
            tails = [(after.tokens, lead[-1])]
        for tokens, preposition in tails:
            if found := self._by_tail(tokens, preposition, j, i, before, gap, after, within=within):
                return found
        if _NOTHING.match(raw) and "," in raw and after.tokens and before.tokens and i == 0:  # "Born in Y, X …"
            for key in (before.tokens, lead):
                if found := self._by_tail(key, "", j, i, before, gap, Gap(()), whole=True):
                    return found
        straight: list[tuple[Tokens, str, bool]] = (
            [
                (after.tokens[: after.tokens.index("it")], "", gap.tokens == ("hav",))  # "X has Y circling it"
            ]
            if "it" in after.tokens
            else []
        )
        if fronted and gap.tokens:  # "In Y was born X"
            straight.append((gap.tokens, lead[-1], not _WHICH.search(self._raw[i])))
        for tokens, preposition, possible in straight:
            if possible and (found := self._by_tail(tokens, preposition, j, i, before, gap, Gap(()), whole=True)):
                return found
        if _THE_ONE.search(self._raw[i]):  # "where X was born is Y", "the bodies into which X is divided include Y"
            pied = _PIED.search(self._raw[i])
            word = pied["word"].casefold() if pied else ""
            for one in (gap, *(gaps.read(raw[link.end() :]) for link in islice(_AND.finditer(raw), 3))):
                if len(one.tokens) < 2 or one.tokens[-1] not in ("be", "includ"):
                    continue
                for preposition in (word, "", "in", "on") if word in ("", "in", "on", "at") else (word,):
                    if found := self._by_tail(one.tokens[:-1], preposition, i, j, before, gap, Gap(()), whole=True):
                        return found
        match = _THE_ONE_WHO.search(self._raw[i]) or _THE_ONES.search(self._raw[i])
        if match and gap.tokens in (("be",), ("includ",)):  # "the one who discovered Y was X"
            return self._by_tail(gaps.read(match["tail"]).tokens, "", j, i, before, gap, Gap(()), whole=True)
        return None

    def _shared(self, i: int, j: int) -> Joined | None:
        """ "X orbits the same body as Y", "X and Y orbit the same body", "the same person discovered X and Y"."""
        before, gap, after = self._gaps[i], self._gaps[j], self._after(j)
        joined = gap.link and not gap.tokens
        places = [(gap.tokens, True, gap.tokens[-1:] in (("as",), ("with",)))]
        places += [(after.tokens, True, joined), (before.tokens, False, joined)]
        relative = _PIED.search(self._raw[i]) or _WHERE.search(self._raw[i]) or _THAT.search(self._raw[i])
        if (
            joined and relative and after.tokens and _SOME_THING.search(self._raw[i])
        ):  # "a school at which X and Y studied"
            for prepositions in ("in", "on", "by", "around", "to", ""):
                for tail in self._book.tails.get(after.tokens, ()):
                    p = -tail.meaning.p
                    if (
                        tail.preposition == prepositions
                        and tail.meaning.first_is_subject
                        and p < 0
                        and p in self._book.words
                    ) and self._fits(p, self.mentions[i], self.mentions[j]):
                        denied = before.negations + gap.negations + after.negations
                        return Joined(((p, i, j),), bool(denied % 2), before.hedged or after.hedged, "alias")
        for tokens, first_is_subject, possible in places:
            if not possible or ("same" not in tokens and "sam" not in tokens):
                continue
            at = tokens.index("sam" if "sam" in tokens else "same")
            if first_is_subject:
                verb, rest = tokens[:at], [one for one in tokens[at + 1 : at + 4] if one not in ("as", "with")]
            else:
                size = 1 if len(tokens) > at + 2 else 0
                verb, rest = tokens[at + 1 + size :], list(tokens[at + 1 : at + 1 + size])
            for p in dict.fromkeys(
                -one.p
                for one in self._book.relations.get(verb, ())
                if one.p > 0 and -one.p in self._book.words and one.first_is_subject == first_is_subject
                if not one.before and not one.after
            ):
                if not set(rest[:1]) <= self._book.words[p] or not rest:
                    continue
                if self._fits(p, self.mentions[i], self.mentions[j]):
                    denied = before.negations * (i == 0) + gap.negations + after.negations * (tokens is after.tokens)
                    return Joined(((p, i, j),), bool(denied % 2), before.hedged or gap.hedged or after.hedged, "alias")
        return None

    def _composed(self, i: int, j: int) -> Joined | None:
        """What is said of two things through a third that has no name: "X was found by someone born in Y"."""
        before, gap, after = self._gaps[i], self._gaps[j], self._after(j)
        said = gap.tokens
        ways: list[tuple[set[int], set[int], set[int], int]] = []  # of X to the third, of it to Y, of Y to it
        for at in range(1, len(said) - 1):
            if said[at] in _THIRDS:
                first = self._of_subject(said[:at])
                ways.append((first, self._of_subject(said[at + 1 :]), self._of_object(said[at + 1 :]), 0))
        if _OWNED.match(self._raw[j + 1]):  # "Y is the father of X's father"
            for at in range(2, min(5, len(after.tokens) + 1)):
                mine, on = self._of_subject((*after.tokens[:at], "be")), self._of_object(said)
                found = [_THROUGH[p, q] for p in sorted(mine) for q in sorted(on) if (p, q) in _THROUGH]
                if meanings := tuple((p, j, i) for p in found if self._fits(p, self.mentions[j], self.mentions[i])):
                    denied = before.negations * (i == 0) + gap.negations
                    return Joined(meanings, bool(denied % 2), before.hedged or gap.hedged, "alias")
            return None
        match = _THE_ONE_WHO.search(self._raw[i]) or _THE_ONES.search(self._raw[i])
        first = self._of_object(gaps.read(match["tail"]).tokens) if match else set()
        if (other := _NO_ONES.search(self._raw[i])) and _THAT_AGAIN.match(self._raw[j]):
            # "there is no body revolving around Y that is circled by X"
            on = self._of_subject(gaps.read(other["tail"]).tokens)
            found = [_THROUGH[p, q] for p in sorted(self._of_object(said)) for q in sorted(on) if (p, q) in _THROUGH]
            meanings = tuple((p, j, i) for p in found if self._fits(p, self.mentions[j], self.mentions[i]))
            if meanings:
                denied = before.negations * (i == 0) + gap.negations
                return Joined(meanings, bool(denied % 2), before.hedged or gap.hedged, "alias")
        for length in range(2, min(5, len(before.tokens) + 1)):
            first |= self._book.heads.get(before.tokens[-length:], frozenset())
        if first:
            on = self._of_haver(after.tokens) if said == ("hav",) else self._of_subject(said)
            ways.append((first, on, self._of_object(said), 0))
        for at in range(2, len(said)) if said[:1] == ("'s",) else ():
            first = self._of_subject((*said[:at], "be"))
            ways.append((first, self._of_subject(said[at:]), self._of_object(said[at:]), 0))
        if _THE_ONE.search(self._raw[i]):
            pied = _PIED.search(self._raw[i])
            word = pied["word"].casefold() if pied else ""
            where = ("in",) if _WHERE.search(self._raw[i]) or word in ("in", "at") else (word,) if word else ()
            for at in range(1, len(said)):
                first = self._of_subject((*said[:at], *where))
                on = self._of_subject(said[at:])
                if said[at:] in (("be", "in"), ("lie", "in"), ("be", "part", "of")):
                    on = on | {131}
                ways.append((first, on, self._of_object(said[at:]), 0))
                if said[at:] in (("be",), ("be", "sam"), ("be", "same")):
                    ways.append((first, set(), self._of_subject(after.tokens), 1))
        if _THAT.search(self._raw[j]) and after.tokens:
            theirs = (
                self._of_subject(after.tokens) | self._of_subject(after.tokens[:1]) | self._of_subject(after.tokens[:2])
            )
            for at in range(1, len(said)):
                ways.append((self._of_subject(said[:at]), set(), theirs, 1))
        for mine, on, theirs, behind in ways:
            found = [_THROUGH[p, q] for p in sorted(mine) for q in sorted(on) if (p, q) in _THROUGH]
            found += [-p for p in sorted(mine & theirs) if -p in self._book.words]
            meanings = tuple((p, i, j) for p in found if self._fits(p, self.mentions[i], self.mentions[j]))
            if meanings:
                denied = before.negations * (i == 0) + gap.negations + after.negations * behind
                hedged = before.hedged or gap.hedged or after.hedged
                return Joined(meanings, bool(denied % 2), hedged, "alias")
        return None

    def _of_subject(self, words: Tokens) -> set[int]:
        """Properties p with "X WORDS Y" for p(X, Y)."""
        return self._meant(words, True)

    def _of_haver(self, after: Tokens) -> set[int]:
        """Properties p with "X has Y as NOUN" for p(X, Y)."""
        return {
            one.p
            for one in self._book.meanings(self._book.relations, ("hav",), (), {after[:1]})
            if one.first_is_subject
            and one.p > 0
            and not one.before
            and one.after
            and after[: len(one.after)] == one.after
        }

    def _of_object(self, words: Tokens) -> set[int]:
        """Properties p with "X WORDS Y" for p(Y, X)."""
        return self._meant(words, False)

    def _meant(self, words: Tokens, first_is_subject: bool) -> set[int]:
        if not set(words) - _EMPTY:
            return set()
        return (
            {
                one.p
                for one in self._book.relations.get(words, ())
                if one.first_is_subject == first_is_subject and one.p > 0 and not one.before and not one.after
            }
            or (  # "found or devised"
                self._meant(words[:1], first_is_subject) & self._meant(words[1:], first_is_subject)
                if len(words) == 2
                else set()
            )
        )

    def _by_tail(
        self,
        tokens: Tokens,
        preposition: str,
        a: int,
        b: int,
        before: Gap,
        gap: Gap,
        after: Gap,
        whole: bool = False,
        within: Tokens = (),
    ) -> Joined | None:
        """What a verb says of its subject a and of b, its object or the object of a preposition that was moved."""
        for length in range(min(len(tokens), 8), len(tokens) - 1 if whole else 0, -1):
            found = tuple(
                dict.fromkeys(
                    (tail.meaning.p, *((a, b) if tail.meaning.first_is_subject else (b, a)))
                    for tail in self._book.tails.get(tokens[:length], ())
                    if tail.preposition == preposition and tail.meaning.before == within
                )
            )
            meanings = tuple((p, s, o) for p, s, o in found if self._fits(p, self.mentions[s], self.mentions[o]))
            if meanings:
                denied = before.negations + gap.negations + (after.negations if not whole else 0)
                hedged = before.hedged or gap.hedged or after.hedged
                return Joined(meanings, bool(denied % 2), hedged, "alias")
        return None

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
        # "a biographer of X was born in", "the body orbited by X is": the verb's subject is another
        inside = not gap.relative and (
            (before.tokens[-1:] == ("of",) and not _stands_for(before.tokens)) or bool(_WITHIN.search(self._raw[i]))
        )
        owned = bool(_OWNED.match(self._raw[j + 1])) and self.mentions[j].kind != "date"
        modifying = [token for token in before.tokens if token not in APPOSITIONS and token not in HARMLESS]
        if self._raw[i].rstrip(' "“‘').endswith((",", ":")):
            modifying = []
        ends = ({before.tokens, gaps.strip_appositions(before.tokens)}, self._after_words(after))
        for form in self._forms(gap.tokens, after.tokens):
            for one in self._book.meanings(table, form, *ends):
                if inside and not one.before:
                    continue
                if owned and one.after[:1] != ("'s",):
                    continue  # "the father of X's father"
                if form == ("be",) and not one.before and set(modifying) - self._book.words.get(one.p, frozenset()):
                    continue  # "the capital near X is Y" says nothing of X itself
                if not one.after and form == ("hav",) and (after.tokens[:1] in _AS or "it" in after.tokens[:4]):
                    continue  # what it has it as is not said by any wording known
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
            if relative or owned or (inside and not before.tokens):
                return None
            return self._by_cue(before, gap, after, i, j)
        negations = gap.negations + frame + (before.negations if best[0].before and i > 0 and not framed else 0)
        negations += after.negations if best[0].after else 0
        hedged = gap.hedged or self._gaps[0].hedged or before.hedged or (after.hedged and j + 1 == len(self.mentions))
        meanings = tuple(dict.fromkeys((one.p, i, j) if one.first_is_subject else (one.p, j, i) for one in best))
        source: Source = "lexicon" if any(one.source == "lexicon" for one in best) else "alias"
        unknown = [
            token
            for token in gap.tokens
            if token not in self._book.vocabulary and token not in APPOSITIONS and token not in HARMLESS
        ]
        if len(unknown) > _MOST_UNKNOWN and len(matched) < len(gap.tokens):
            source = "cue"  # so many words of its own may turn what the others mean
        return Joined(meanings, bool(negations % 2), hedged, source)

    def _after_words(self, after: Gap) -> set[Tokens]:
        first = {after.tokens[:1], (gaps.reduce(after.tokens, self._book.vocabulary, 2) or ())[:1]}
        return first | {("as",)} if first & {("among",), ("for",)} else first

    def _forms(self, tokens: Tokens, after: Tokens = ()) -> Iterator[Tokens]:
        if len(tokens) == 1 and tokens[0] in _HAVE and after[:1] in _AS:
            yield ("hav",)
        yield tokens
        if tokens[:1] == ("'s",):
            yield tokens[1:]
        if "becom" in tokens:
            tokens = tuple("be" if token == "becom" else token for token in tokens)
            yield tokens
        stripped = gaps.strip_appositions(tokens)
        if stripped != tokens:
            yield stripped
        plain = tuple(token for token in tokens if token not in HARMLESS)
        others = KIN | _THIRDS
        if plain != tokens and set(plain) - _EMPTY:
            yield plain
            again = gaps.strip_appositions(plain)
            if again != plain and set(again) - _EMPTY:
                yield again
        unknown = [token for token in tokens if token not in self._book.vocabulary and token not in HARMLESS]
        if unknown and (tokens[0] in unknown or set(unknown) & _TURNING):
            return  # an unknown verb or preposition: "sued the developer of", "was written about"
        reduced = gaps.reduce(tokens, self._book.vocabulary)
        if reduced is not None and set(tokens[:-1]) & others - set(reduced):
            return  # who or what is left out may be whom the verb speaks of
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
            if have[: -len(one.before)][-1:] in _HANGING:
                return False  # "the city near the capital of X", "the mother of the author of X"
        if one.after and (one.after[0] == "as" or after.tokens[: len(one.after)] != one.after):
            for have in (after.tokens, gaps.reduce(after.tokens, self._book.vocabulary, 2) or ()):
                if one.after[0] == "as" and have[:1] in (("among",), ("for",)):
                    have = ("as", *have[1:])
                if have[: len(one.after)] == one.after:
                    following = have[len(one.after) : len(one.after) + 1]
                    return (
                        one.after[0] != "as"
                        or not following
                        or not set(following) - _EMPTY - PREPOSITIONS - self._book.nouns.get(one.p, frozenset())
                    )
                plain = tuple(token for token in have if token not in HARMLESS)
                if plain[: len(one.after)] == one.after:
                    return True
            return False
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
        sure = len(meanings) == 1 and self._understood(meanings[0][0], before, gap, after, i, j)
        return Joined(tuple(meanings), bool(negations % 2), hedged, "alias" if sure else "cue")

    def _understood(self, p: int, before: Gap, gap: Gap, after: Gap, i: int, j: int) -> bool:
        """Whether a clause with a telling word has no word in it that another relation or a third thing might need.

        The kinds of the two ends fix which is the subject, so that the order of the words does not matter.
        """
        if any(one.kind in ("entity", "name") for k, one in enumerate(self.mentions) if k not in (i, j)):
            return False
        if not any(p in self._book.cues.get(token, ()) for token in (*before.tokens, *gap.tokens)):
            return False
        if before.tokens[-1:] == ("of",) and not any(p in self._book.cues.get(token, ()) for token in before.tokens):
            return False
        nouns, words = self._book.nouns.get(p, frozenset()), self._book.words.get(p, frozenset())
        for here, following in zip(gap.tokens, (*gap.tokens[1:], ""), strict=True):
            if here == "'s" and following not in nouns:
                return False
        return not any(
            token in KIN
            or token in _TURNING - words - _EMPTY
            or not (token in words or token in HARMLESS or token in APPOSITIONS)
            for token in (*before.tokens, *gap.tokens, *after.tokens)
            if token not in _EMPTY
        )

    # ------------------------------------------------------------------ dates

    def _date(self, head: int, j: int) -> Iterator[Joined]:
        gap, raw = self._gaps[j], self._raw[j]
        own = _pronoun(raw)
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


def _label(raw: str) -> Gap | None:
    """ "Birthplace: Y" or "father" behind a name, as a label or the cell of a table is: "its NOUN is"."""
    match = _LABEL.match(raw)
    words = gaps.read(match["noun"] if match else raw).tokens if match or len(raw) < 24 else ()
    if not words or words[0] in ("be", "hav", "'s"):
        return None
    if match and words[-1] not in PREPOSITIONS:
        return gaps.read("'s " + match["noun"])
    return (
        Gap(("'s", *words))
        if words[0] in BARE_NOUNS and raw.strip(' |"').casefold() in (words[0], words[0] + "e")
        else None
    )


def _stands_for(before: Tokens) -> bool:
    """ "the city of X", "the life of X": nothing else than X is spoken of."""
    return not gaps.strip_appositions(before) or before[-2:-1] in (
        ("name",),
        ("cas",),
        ("body",),
        ("lif",),
        ("element",),
    )


_NEW_CLAUSE = re.compile(r"[,;:.–—]|\b(?:and|but|while|where|when|as|since|because|that|so)\b", re.IGNORECASE)


def _pronoun(raw: str) -> re.Match[str] | None:
    """A pronoun that begins a clause between two mentions; "did not have its place in" is one clause, and has none."""
    own = _BY_PRONOUN.match(raw)
    if own and own["word"].casefold() in _POSSESSIVE and own["lead"].strip() and not _NEW_CLAUSE.search(own["lead"]):
        return None
    return own
