"""Arithmetic over years as sentences put it: order, membership of a window, counts. A small grammar, no list of them.

A clause is a row of years, windows ("from 1812 to 1870") and counts ("58 years") with words between them. Which words
compare, hold, deny or connect is known; a few unknown ones may stand where they cannot change what is compared.
Where something else may be meant (events, persons, two statements in one) nothing is read: only arithmetic convicts.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import year_words as lists
from halluvault_tasks.wikidata.names import fold

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_ERA = r"(?P<bc>\s*b\.?\s?c\.?(?:\s?e\.?)?(?![a-z]))?(?:\s*(?:a\.?d|c\.?e)\b\.?)?"
_TOKEN = re.compile(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\s+|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+|{_MONTH}\s+)?"
    rf"(?<!\d)(?<!\d[.,/])(?P<number>\d{{1,4}})(?![\d%]|[.,/]\d|st\b|nd\b|rd\b|th\b|s\b){_ERA}(?P<unit>(?:\s+|"
    rf"-)(?:calendar\s+|full\s+|whole\s+)?"
    r"(?:years?|yrs?)\b(?!\s+\d))?"
    r"|(?P<other>\d[\d.,/]*\w*)"
    r"|(?P<word>n't|[a-z]+(?:['-][a-z]+)*)"
    r"|(?P<sign><=|>=|!=|=>|->|\.\.+|[<>=≤≥≠∈∉→…–—−+:,;()\[\]?-])",
)
_INTERVAL = re.compile(r"\[\s*(\d{1,4})\s*[,;]\s*(\d{1,4})\s*\]")
_IF_YOU = re.compile(r"\b(?:if|when) (?:you|we|one|i) (?=subtract|take|count|go|start|add|deduct|move)")
_IF_WE = re.compile(
    r"\b(?:if|when|once|as soon as) (?:you|we|one|i) (?!assume|suppose|imagine|pretend|believe|accept|grant|say|"
    r"were|are|am|had|is|"
    r"recall|remember|trust|think|may|can|could)[a-z][a-z ']{2,60}, "
)
"""Leads that only say how one looks at it."""
_CONTRACTED = re.compile(r"\b(ca|wo|[a-z]{2,6})n't\b")

Kind = Literal["year", "count", "window", "other"]


class Element(NamedTuple):
    """A year, a number of years, or a window.

    Attributes:
        kind: what it is; `other` is a number that is none of these.
        first: the year or the count; the window's earlier end.
        last: the window's later end.
        sure: a count that says "years", a window that has more than "and" between its ends.
        before: what stands between the element before and this one.
        dated: a day or month of it is named.
    """

    kind: Kind
    first: int
    last: int
    sure: bool
    before: tuple[str, ...]
    dated: bool = False


_PHRASE = tuple((re.compile(rf"(?<![\w-])(?:{said})(?![\w-])"), meant) for said, meant in lists.PHRASES)


_SIGNS = {"<": "<", ">": ">", "≤": "<=", "≥": ">=", "<=": "<=", ">=": ">=", "=": "=", "≠": "!=", "!=": "!=", "=>": ">="}


def read(sentence: str) -> Iterator[bool]:
    """Whether each comparison of years, each window and each count in a sentence is right."""
    for clause in _clauses(sentence):
        yield from _read(clause)


# ---------------------------------------------------------------- what a clause is made of


def _clauses(sentence: str) -> Iterator[list[re.Match[str]]]:
    """Runs of tokens that may hold one statement; a bracket with two numbers is one of its own."""
    folded = _folded(sentence)
    tokens = list(_TOKEN.finditer(folded))
    clause: list[re.Match[str]] = []
    inside: list[re.Match[str]] | None = None
    for index, token in enumerate(tokens):
        said = token.group()
        if said in ("(", "[") and inside is None:
            inside = []
        elif said in (")", "]") and inside is not None:
            numbers = [one for one in inside if one["number"]]
            bare = len(numbers) == 2 and all(
                one["number"] or one.group() in (*lists.CONNECTS, ",", "and") for one in inside
            )
            if bare:
                clause += inside
            elif len(numbers) > 1:
                yield inside
            inside = None
        elif inside is not None:
            inside.append(token)
        elif said == ";" and _first_of_two(clause):
            clause.append(token)
        elif said in (";", "?") or (
            said in (",", "–", "—", ":") and index + 1 < len(tokens) and _begins(tokens, index + 1)
        ):
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause + (inside or [])


def _first_of_two(clause: Sequence[re.Match[str]]) -> bool:
    """ "1812 comes first; 1870 comes second": one statement."""
    return sum(bool(one["number"]) for one in clause) == 1 and any(one.group() == "first" for one in clause)


def _begins(tokens: Sequence[re.Match[str]], index: int) -> bool:
    word = tokens[index].group()
    if word == "which":  # "1812, which is before 1820": the same statement
        return index + 1 < len(tokens) and tokens[index + 1].group() in ("means", "makes", "shows", "gives")
    return word in lists.OPENS and not (
        word == "as" and index + 1 < len(tokens) and tokens[index + 1].group() == "seen"
    )


_NO_YEARS = re.compile(r"\bno (?=years? (?:at all )?(?:between|from|lie|pass|apart|separate)\b)")
"""A count: "there are no years between A and B"."""


def _folded(sentence: str) -> str:
    """Lower case with every capitalised word but the first of a clause marked as a name."""
    marked = re.sub(
        r"(?<=[a-z0-9,’'] )(?!(?:I|BC|AD|BCE|CE|B\.C|A\.D)\b|[A-Z][a-z]{2,8}\.? \d)[A-Z][\w’'-]*", "he", sentence
    )
    folded = _INTERVAL.sub(r" \1..\2 ", fold(marked.replace("∉", " not in ").replace("≠", "!=")).replace("’", "'"))
    folded = _IF_YOU.sub(" ", folded)
    folded = _NO_YEARS.sub("0 ", _IF_WE.sub(" ", folded))
    return _CONTRACTED.sub(lambda match: {"ca": "can", "wo": "will"}.get(match[1], match[1]) + " not", folded)


def _elements(clause: Sequence[re.Match[str]]) -> tuple[list[Element], tuple[str, ...]]:
    """The numbers of a clause with the words before each, and the words behind the last."""
    found: list[Element] = []
    between: list[str] = []
    for token in clause:
        if token["number"]:
            value = int(token["number"])
            count = bool(token["unit"]) or (value < 100 and not token["bc"] and between[-1:] != ["year"])
            if token["bc"]:
                value = 1 - value
            kind: Kind = "count" if count else "year"
            dated = token.start("number") > token.start()
            found.append(Element(kind, value, value, bool(token["unit"]), tuple(between), dated))
            between = []
        elif token["other"]:
            found.append(Element("other", 0, 0, False, tuple(between)))
            between = []
        else:
            between.append(token.group())
    return found, tuple(between)


def _windows(found: Sequence[Element]) -> list[Element]:
    """The elements with "1812 to 1870", "1812–1870" and "1812 and 1870" as one."""
    merged: list[Element] = []
    for one in found:
        last = merged[-1] if merged else None
        if last is not None and last.kind == one.kind == "year" and (joined := _connected(one.before)) is not None:
            low, high = sorted((last.first, one.first))
            merged[-1] = Element("window", low, high, joined, last.before)
        else:
            merged.append(one)
    return merged


def _connected(words: tuple[str, ...]) -> bool | None:
    """Whether words between two years make them a window for certain (True), perhaps ("and", ","), or not (None)."""
    if not words or not all(word in lists.CONNECTS or word in lists.MAY_CONNECT for word in words):
        return None
    if any(word in lists.CONNECTS for word in words):
        return True
    ends = any(word.startswith(("end", "clos", "finish", "conclud", "stop")) for word in words)
    return True if ends else False if words[0] == "and" and "last" not in words else None


# ---------------------------------------------------------------- what it says


def _read(clause: Sequence[re.Match[str]]) -> Iterator[bool]:
    numbers, tail = _elements(clause)
    if len(numbers) < 2 or any(one.kind == "other" for one in numbers):
        return
    found = list(_signs(numbers))
    if not found:
        found = list(_sums(numbers))
    if not found and not _doubtful(numbers, tail) and (pair := _former(numbers, tail)) is not None:
        found = [pair]
    if not found and not _doubtful(numbers, tail):
        found = list(_said(_windows(numbers), tail))
    untrue = (
        bool(tail)
        and tail[0] in ("is", "was")
        and any(word in lists.UNTRUE for word in tail[1:3])
        and "not" not in tail
    )
    yield from (one != untrue for one in found)


def _former(numbers: Sequence[Element], tail: tuple[str, ...]) -> bool | None:
    """ "Of 1812 and 1870, the former is earlier": which of two is said to be first."""
    if [one.kind for one in numbers] != ["year", "year"] or numbers[1].before != ("and",):
        return None
    told = set(tail[:8])
    which = {"former", "latter"} & told or ({"first", "second"} & set(tail[:4]) if "of" in numbers[0].before else set())
    early = bool(told & {"earlier", "before", "precedes", "sooner", "older", "earliest"} or told & {"first"} - which)
    late = bool(told & {"later", "after", "follows", "younger", "latest", "last"})
    if len(which) != 1 or not told & lists.VERBS or early == late:
        return None
    says = bool(which & {"former", "first"}) == early
    return (numbers[0].first < numbers[1].first) == (says != bool(_denials(tail) % 2))


def _doubtful(numbers: Sequence[Element], tail: tuple[str, ...]) -> bool:
    return any(word in lists.DOUBTS for one in numbers for word in one.before) or any(
        word in lists.DOUBTS for word in tail
    )


def _signs(numbers: Sequence[Element]) -> Iterator[bool]:
    """ "1812 < 1840 < 1870": every pair must hold, and "1870 - 1812 = 58" is none."""
    verdicts = []
    for left, right in itertools.pairwise(numbers):
        words = [word for word in right.before if word not in ("the", "year", "or", "equal", "to")]
        if len(words) == 1 and words[0] in _SIGNS and left.kind == right.kind == "year":
            sign = _SIGNS[words[0]]
            a, b = left.first, right.first
            verdicts.append({"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "=": a == b, "!=": a != b}[sign])
        elif any(word in ("-", "–", "−", "+", "minus", "plus") for word in words):
            return
    if verdicts:
        yield all(verdicts)


def _sums(numbers: Sequence[Element]) -> Iterator[bool]:
    """ "1870 - 1812 = 58", "1812 + 58 = 1870"."""
    for a, b, c in zip(numbers, numbers[1:], numbers[2:], strict=False):
        sign = [word for word in b.before if word not in ("the", "year", "years")]
        if not c.before or not all(word in lists.GIVES for word in c.before) or len(sign) != 1:
            continue
        if sign[0] in lists.MINUS and b.kind == "year" and a.kind == "year":
            if c.kind == "count" or "=" in c.before or set(c.before) & {"is", "equals", "makes", "gives", "leaves"}:
                yield abs(a.first - b.first) == c.first
        elif sign[0] in lists.MINUS and b.kind == "count" and c.kind == "year":
            yield a.first - b.first == c.first
        elif sign[0] in ("+", "plus") and c.kind == "year":
            yield a.first + b.first == c.first


def _said(row: Sequence[Element], tail: tuple[str, ...]) -> Iterator[bool]:
    index = 0
    while index < len(row):
        for width in (3, 2):
            part = row[index : index + width]
            if len(part) < width:
                continue
            behind = row[index + width].before if index + width < len(row) else tail
            verdict = _three(part, behind) if width == 3 else _two(part, behind)
            if verdict is not None:
                yield verdict
                index += width - 1
                break
        index += 1


def _two(part: Sequence[Element], behind: tuple[str, ...]) -> bool | None:
    a, b = part
    kinds = a.kind, b.kind
    if kinds == ("year", "window"):
        return _inside(a, b, behind)
    if kinds == ("window", "year"):
        return _holds(a, b, behind)
    if kinds in (("window", "count"), ("count", "window")):
        count, window = (b, a) if a.kind == "window" else (a, b)
        return _amounts(a, b.before, behind, window.last - window.first, count)
    if kinds == ("year", "year"):
        return _order(a, b, behind)
    return None


def _three(part: Sequence[Element], behind: tuple[str, ...]) -> bool | None:
    a, b, c = part
    kinds = a.kind, b.kind, c.kind
    if kinds == ("year", "count", "year"):
        words, where = _reduced(c.before), b.before
        if not _countable(b, (*_after_punctuation(where), *c.before), behind):
            return None
        if not b.sure and not set(where) & lists.DIFFERS:
            return None
        if denied := _denials(where) + _denials(words):
            return None if denied > 1 else abs(a.first - c.first) != b.first
        if "after" in words or (words[:1] == ("later",) and "than" in words):
            return a.first - c.first == b.first
        if "before" in words or (words[:1] == ("earlier",) and "than" in words):
            return c.first - a.first == b.first
        return abs(a.first - c.first) == b.first
    if kinds == ("count", "year", "year"):
        sure = a.sure or bool({"add", "adding", "adds"} & set(a.before[-3:]))
        if not sure or not _countable(a, (*b.before, *c.before), behind):
            return None
        return abs(b.first - c.first) == a.first
    if kinds == ("year", "year", "count"):
        words = (*a.before[-4:], *b.before)
        if not _countable(c, (*b.before, *c.before), behind):
            return None
        if not c.sure and not set(words) & lists.DIFFERS:
            return None
        if "by" in c.before or set(words) & lists.DIFFERS or set(words) & {"from", "to", "until", "between"}:
            return abs(a.first - b.first) == c.first
        return None
    if kinds == ("year", "year", "year"):  # "comes after 1812 and before 1870"
        rest = tuple(word for word in c.before if word not in ("and", "but", "yet", ","))
        first, second = _comparison(b.before), _comparison(rest)
        if first is None or second is None or not {"and", "but"} & set(c.before) or first.denied or second.denied:
            return None
        return _compared(first, a.first, b.first) and _compared(second, a.first, c.first)
    return None


def _countable(count: Element, words: Iterable[str], behind: tuple[str, ...]) -> bool:
    unknown = [word for word in words if word not in lists.COUNTS and word not in lists.NOT]
    approximate = set(count.before[-2:]) & lists.APPROXIMATE or (set(behind[:2]) & {"more", "or", "not"})
    return len(unknown) <= 1 and not any(word in lists.FORBIDDEN for word in unknown) and not approximate


def _amounts(
    first: Element, between: tuple[str, ...], behind: tuple[str, ...], years: int, count: Element
) -> bool | None:
    words = (*between, *(_after_punctuation(first.before) if first.kind == "count" else ()))
    if not _countable(count, words, behind):
        return None
    if not count.sure and not {*first.before, *between} & lists.DIFFERS:
        return None
    denied = _denials(between) + _denials(first.before[-4:])
    exact = {*first.before, *between, *behind} & (lists.DIFFERS | {"apart", "separate", "separates"})
    # Who counts both ends, or neither, counts one more or less.
    right = abs(years - count.first) <= (0 if exact else 1)
    return right != bool(denied % 2)


def _after_punctuation(words: Sequence[str]) -> tuple[str, ...]:
    for index in range(len(words) - 1, -1, -1):
        if words[index] in (",", ":", "–", "—", ";"):
            return tuple(words[index + 1 :])
    return tuple(words)


def _reduced(words: Sequence[str]) -> tuple[str, ...]:
    """The words with groups of them replaced by the known word that they stand for."""
    said = " ".join(words)
    for pattern, meant in _PHRASE:
        said = pattern.sub(meant, said)
    return tuple(said.split())


def _denials(words: Sequence[str]) -> int:
    denied = sum(word in lists.NOT for word in words)
    for word, following in itertools.pairwise(words):
        denied += word == "no" and following not in (",", ":", "–", "—", ";")
    return denied


def _framed(before: tuple[str, ...]) -> int:
    """Denials in front of the first year: "it is not the case that", "nor is"."""
    words = _reduced(_after_punctuation(before))
    return _denials(words) + sum(word in lists.UNTRUE for word in words)


class _Comparison(NamedTuple):
    """What words between two years compare; `limit` is before, after, from-on or up-to."""

    limit: str
    denied: bool


def _comparison(between: tuple[str, ...]) -> _Comparison | None:
    words = _reduced(between)
    places = [
        i
        for i, word in enumerate(words)
        if word in lists.BEFORE or word in lists.AFTER or word in ("from-on", "up-to", "beyond")
    ]
    if not places or len({_limit(words[i]) for i in places}) > 1:
        return None
    lead, rest = words[: places[0]], words[places[-1] + 1 :]
    if not _plain(lead) or not all(word in lists.FILL or word in lists.BEFORE or word in lists.AFTER for word in rest):
        return None
    return _Comparison(_limit(words[places[0]]), bool(_denials(words) % 2))


def _limit(word: str) -> str:
    if word in ("from-on", "up-to"):
        return word
    return "before" if word in lists.BEFORE else "after"


_PAST_VERB = re.compile(r"[a-z]{2,}ed|[a-z]{3,}ing|began|became|wrote|won|left|made|held|ran|rose|built|led|grew|went")


_PLACING = frozenset(
    re.findall(
        r"\w+",
        "during being lying falling coming sitting standing belonging landing located placed positioned situated",
    )
)


def _plain(words: Sequence[str]) -> bool:
    """Nothing that would make the year before belong to another statement: no second verb, no person, no "and"."""
    unknown = [word for word in words if word not in lists.VERBS and word not in lists.NOT and word not in lists.FILL]
    if len(unknown) > 6 or any(word in lists.FORBIDDEN for word in unknown):
        return False
    if "," in words and not any(word in lists.VERBS for word in words):
        return False
    return not any(_PAST_VERB.fullmatch(word) for word in unknown if word not in _PLACING)


def _compared(one: _Comparison, x: int, y: int) -> bool:
    holds = {"before": x < y, "after": x > y, "from-on": x >= y, "up-to": x <= y}[one.limit]
    return holds != one.denied


def _order(a: Element, b: Element, behind: tuple[str, ...]) -> bool | None:
    if a.first == b.first and (a.dated or b.dated):
        return None  # days decide it
    found = _comparison(b.before)
    if found is not None:
        denied = found.denied ^ bool(_framed(a.before) % 2)
        return _compared(found._replace(denied=denied), a.first, b.first)
    before = set(a.before[-4:])
    if before & {"compared", "relative", "against", "next"} and before & {"with", "to", "against"}:
        after = _comparison((*behind,))
        if after is not None and _plain([word for word in b.before if word != ","]):
            return _compared(after, b.first, a.first)
    if before & {"time", "when", "by", "once"} and set(b.before) <= _CAME and not _denials((*a.before, *behind)):
        told = set(behind)
        if told & {"ahead", "future", "come", "coming"} and told & {"still", "yet"}:
            return b.first > a.first
        if told & {"already", "long"} and told & {"past", "history", "over", "gone", "behind", "passed", "ended"}:
            return b.first < a.first
    return _sequence(a, b, behind)


_CAME = frozenset(
    re.findall(
        r"\w+|,",
        "came around round began begins begin started starts comes arrived arrives was is reached rolled , along",
    )
)


def _sequence(a: Element, b: Element, behind: tuple[str, ...]) -> bool | None:
    """ "1812 came first, 1820 later", "first came 1812, then 1820"."""
    lead, between, after = set(a.before[-4:]), set(b.before), set(behind)
    if not all(word in lists.SEQUENCE for word in (*b.before, *behind)) or _denials((*a.before, *b.before, *behind)):
        return None
    first = bool(lists.FIRST & between) or "first" in lead or ("earlier" in lead and "later" in between)
    second = bool((lists.SECOND | {"after", "follows"}) & after)
    second = second or bool({"then", "later", "next", "afterwards"} & between) or {"followed", "by"} <= between
    return a.first < b.first if first and second and "than" not in between | after else None


# ---------------------------------------------------------------- windows


def _inside(year: Element, window: Element, behind: tuple[str, ...]) -> bool | None:
    words = _reduced(window.before)
    compared = [
        i for i, word in enumerate(words) if (word in lists.BEFORE or word in lists.AFTER) and word not in ("past",)
    ]
    places = [i for i, word in enumerate(words) if word in lists.IN or word in lists.OUT or word == "excludes"]
    denied = (_denials(words) + _framed(year.before) + bool(set(behind[:3]) & {"false", "wrong"})) % 2 == 1
    if compared and not set(words) & {"between", "within", "inside", "outside"}:
        place = compared[0]
        rest = words[place + 1 :]
        if not _plain(words[:place]) or not all(word in lists.OF_A_WINDOW or word in lists.FILL for word in rest):
            return None
        earlier = words[place] in lists.BEFORE
        return (year.first < window.first if earlier else year.first > window.last) != denied
    if not places:
        return None
    place = places[0]
    lead, rest = words[:place], words[place + 1 :]
    known = all(
        word in lists.OF_A_WINDOW or word in lists.IN or word in lists.OUT or word in lists.FILL for word in rest
    )
    if not known or not _plain(lead) or not (window.sure or set(words) & lists.STRONG_IN):
        return None
    if words[place] in ("from", "in", "into") and not lead and not window.sure:
        return None
    named = {"years", "range", "period", "span", "window"}
    if words[place] == "from" and not (set(lead) & lists.VERBS and set(words) & named):
        return None
    outside = any(word in lists.OUT or word == "excludes" for word in words)
    return (window.first <= year.first <= window.last) != (outside != denied)


_ENCLOSES = frozenset(
    re.findall(
        r"\w+",
        "enclose encloses bracket brackets surround surrounds frame frames sandwich flank flanks envelop envelops",
    )
)
_BELONGS = frozenset(["belongs", "belong", "belonged", "contained", "covered", "included", "in"])


def _holds(window: Element, year: Element, behind: tuple[str, ...]) -> bool | None:
    words = _reduced(year.before)
    if behind[:1] == ("out",) and words and words[-1] in ("leave", "leaves", "left"):
        words, behind = (*words[:-1], "excludes"), behind[1:]
    if not all(word in lists.WINDOW_HOLDS for word in words):
        return None
    held = [word for word in words if word in lists.HOLDS or word in lists.OUT or word in ("excludes", "there")]
    told = _reduced(behind)
    denied = (_denials(words) + _framed(window.before) + (words[-1:] == ("no",))) % 2 == 1
    if not held:  # "from 1812 to 1870, 1840 is included": what is said stands behind
        if not told or not all(word in lists.WINDOW_HOLDS or word in lists.IN or word in lists.FILL for word in told):
            return None
        held = [
            word
            for word in told
            if word in _BELONGS or word in lists.HOLDS or word in lists.OUT or word in ("inside", "within", "excludes")
        ]
        if not held:
            return None
        denied ^= _denials(told) % 2 == 1
    if not (window.sure or set(window.before) & lists.STRONG_IN or set(held) & _ENCLOSES):
        return None
    if set(held) <= lists.LIES and not {*window.before, *told} & (lists.STRONG_IN | {"in"}):
        return None
    outside = any(word in lists.OUT or word == "excludes" for word in held) or bool(set(window.before[-5:]) & lists.OUT)
    return (window.first <= year.first <= window.last) != (outside != denied)
