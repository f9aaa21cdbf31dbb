"""A reply to an open question, cut to what it names: lines, lists, what stands beside a name, names in a sentence."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import re2

from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.reading.english import NO, wordset
from halluvault_tasks.reading.lists import stop_words
from halluvault_tasks.reading.open_answer import spelling
from halluvault_tasks.wikidata.names import fold

MOST = 24
"""Names of one reply that are looked at; who gives more gives a list of guesses, and is counted."""

LONGEST = 20
"""Words of a name, beyond which it is none."""

_LOWER = wordset(
    "of the and or a an de del della delle dei da das dos di du des la le les los las el al e y i und von van der den "
    "ter ten zu zur am im in on at for to bin ibn abu af av och d l et s st nd rd th jr sr"
)
"""Words in small letters that stand in names."""

_BULLET = re2.compile(r"^\s*(?:[-*•·–—>#]+|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
_BRACKET = re2.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_ELSE = re2.compile(
    r"(?i)\s*(?:[(\[]|\s[-–—]+)\s*(?:or|maybe|perhaps|possibly|alternatively)\b[\s,:]*([^()\[\]]*\p{L}[^()\[\]]*)[)\]]?"
)
_DASH = re2.compile(r"\s+[-–—]+\s+|:\s+")
_LISTED = re2.compile(r"\s*;\s*|\s+(?:and/or|or|/|\||vs\.?|as well as|and also)\s+|\s*/\s*")
_JOINED = re2.compile(r"\s*,\s+(?:and|or|&)\s+|\s+(?:and|&|\+)\s+")
_WORD = re2.compile(r"[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’\-]|\.(?:\p{L}))*\.?")
_QUOTES = "\"'“”‘’«»„`*_ \t.,;:!"
_LEADING = re2.compile(
    r"(?i)^(?:(?:it|that|this|he|she|they)(?:'s| is| was| are| were)|by|in|on|name:|probably|likely|possibly|maybe"
    r"|perhaps|most likely|somewhere in|i (?:think|believe)(?: (?:that|it(?:'s| is| was)))*|i(?:'d| would) say)\s+"
)
_HEDGE = re2.compile(
    r"(?i)^(?:i(?:'m| am) (?:not|un)\s?(?:sure|certain|entirely sure|completely sure)"
    r"|i (?:do not|don't) (?:really )?know(?: for (?:sure|certain))?)[^,.;]*[,.;]\s*(?:but\s+)?"
)
_ASIDE = re2.compile(
    r"^(?:an?|the|who|which|where|also|now|then|formerly|former|born|died|known|namely|aged?|at|in|on|from|but"
    r"|with|as|since|until|because|directed|written|i\.e\.|e\.g\.)\b|^[^\p{Lu}\p{Lo}]*$"
)
_STYLE = re2.compile(
    r"(?i)^(?:\d+(?:st|nd|rd|th)\s|(?:(?:grand|arch|crown|holy roman)[ -]?)?(?:king|queen|emperor|empress|duke|duchess"
    r"|prince|princess|count|countess|earl|baron|baroness|viscount|marquess|marquis|margrave|landgrave|elector|tsar"
    r"|electress|tsarina|lord|lady|sultan|pope|bishop|president|prime minister|governor|senator|chancellor)\b)"
)
_POSSESSIVE = re2.compile(r"['’]s\b")
_FIRST_PERSON = re2.compile(
    r"(?i)\bi(?:['’]m| am|['’]d| would|['’]ve| have| do| can)?\s?(?:not|don['’]t|can['’]t|cannot)\b[^,.;]*"
)
_DEMONYM = re2.compile(r"(?:an|ish|ese|ench|utch|eek|iss|ic|aqi|eli|ani)$")
_AND = re2.compile(r"(?i)^(?:and|or|&)\s+")
_SUFFIX = re2.compile(r"(?i)^(?:jr|sr|phd|ph\.d|md|m\.d|esq|inc|ltd|llc|plc|corp|gmbh|[ivx]+|obe|cbe)\.?$")
_DONT_KNOW = re2.compile(
    r"\b(?:do not|don ?t|didn ?t|does not) know\b|\bunknown\b|\bunsure\b|\buncertain\b|^n a$|^idk$"
    r"|\bnot (?:sure|certain|known|available|aware|specified|found)\b"
    r"|\bno (?:idea|information|data|record|records|answer)\b"
    r"|\b(?:can ?not|can ?t|could not|couldn ?t|unable to) "
    r"(?:say|tell|determine|recall|remember|find|confirm|verify|identify)\b"
)
_REFUSAL = re2.compile(
    r"\b(?:can ?not|can ?t|will not|won ?t|unable to) (?:help|assist|answer|provide|comment|discuss)\b"
    r"|\bas an ai\b|\bsorry\b.*\b(?:can ?not|can ?t|unable)\b"
)
_DECLINED = 40
"""Words of a reply that may decline."""


class OpenReply(NamedTuple):
    """A reply, without markup and without the question.

    Attributes:
        kind: `repeated`: it says no more than the question did.
        text: what is left.
    """

    kind: Literal["text", "dont_know", "refusal", "repeated"]
    text: str


def heard(reply: str, question: str) -> OpenReply:
    """A reply as it is read.

    Args:
        reply: of the model, thoughts left out.
        question: that it answers.
    """
    said = verdict_turn.alone(reply)
    left = without_question(said, question)
    hedge = _HEDGE.match(left)
    if hedge and not declines(left, question):
        left = left[hedge.end() :]
    if left != said and not any(map(str.isalnum, left)):
        return OpenReply("repeated", "")
    return OpenReply(declines(left, question) or "text", left)


def without_question(said: str, question: str) -> str:
    """What stands beside the question, where a reply says it again."""
    for asked in (question, question.rstrip("?. ")):
        at = said.casefold().find(asked.casefold())
        # Casefolding lengthens a few letters, and then places are no longer the same.
        if at >= 0 and len(said.casefold()) == len(said):
            return f"{said[:at]} {said[at + len(asked) :]}".strip(" ?.\n\t\"'“”")
    return "" if spelling.words(said) == spelling.words(question) else said


def declines(said: str, question: str) -> Literal["", "dont_know", "refusal"]:
    """Whether a reply declines; who names something beside that answers after all."""
    words = spelling.words(said)
    plain = " ".join(words)
    known = asked_words(question) | {"ai"}
    for kind, pattern in (("refusal", _REFUSAL), ("dont_know", _DONT_KNOW)):
        found = pattern.search(plain) if len(words) <= _DECLINED else None
        if found and (len(words) == len(found[0].split()) or not any(names_in(said, known))):
            return kind  # type: ignore[return-value]
    return ""


def lines(said: str) -> list[str]:
    """The lines of a reply that answer: the first, and those after it that are no sentences."""
    each = [_BULLET.sub("", one).strip() for one in said.splitlines()]
    each = [one for one in each if any(map(str.isalnum, one))]
    return [one for at, one in enumerate(each) if at == 0 or not is_prose(one)]


def is_prose(text: str) -> bool:
    """Whether words in small letters stand in it that names do not have."""
    words = _WORD.findall(text)
    return any(word[0].islower() and word.rstrip(".") not in _LOWER for word in words)


def tidy(piece: str) -> str:
    """A name without quotation marks, stops and words of giving it: "It was"."""
    piece = piece.strip(_QUOTES)
    while found := _LEADING.match(piece):
        piece = piece[found.end() :].strip(_QUOTES)
    return piece


class WithAsides(NamedTuple):
    """A name and what stands beside it."""

    name: str
    brackets: tuple[str, ...]
    """In brackets: another name of it, or what it is."""


def without_brackets(piece: str) -> WithAsides:
    """A name without what stands in brackets and behind a dash or a colon."""
    brackets = tuple(tidy(one) for one in _BRACKET.findall(piece))
    name = _BRACKET.sub("", piece)
    dash = _DASH.search(name)
    if dash and any(map(str.isalnum, name[: dash.start()])):
        name = name[: dash.start()]
    return WithAsides(tidy(name), tuple(one for one in brackets if one))


def alternatives(piece: str) -> str:
    """A piece whose second guess stands beside the first and no longer in brackets: "Helsinki (or Berlin)"."""
    return str(_ELSE.sub(r" or \1", piece))


def listed(piece: str) -> list[str]:
    """What a list gives one beside the other, by semicolons, slashes and "or"."""
    return [one for one in map(tidy, _LISTED.split(piece)) if one]


def joined(piece: str) -> list[str]:
    """What "and" joins."""
    return [one for one in map(tidy, _JOINED.split(piece)) if one]


def by_commas(piece: str) -> list[str]:
    """What stands between commas, less what only tells more of what stands before.

    "A Canadian director", "Jr.", "King of England".
    """
    first, *others = [tidy(_AND.sub("", tidy(one))) for one in piece.split(",")]
    asides = (_SUFFIX, _ASIDE, _STYLE)
    return [
        first,
        *(one for one in others if one and not is_prose(one) and not any(form.match(one) for form in asides)),
    ]


def turned(piece: str) -> str:
    """ "Tolkien, John" as "John Tolkien"; empty where it is not written so."""
    parts = [one.strip() for one in piece.split(",")]
    return f"{parts[1]} {parts[0]}" if len(parts) == 2 and all(parts) else ""


def asked_words(question: str) -> set[str]:
    """The folded words of a question, "Jaws's" as Jaws, too."""
    return {*spelling.words(question), *spelling.words(_POSSESSIVE.sub("", question))}


def names_in(text: str, known: set[str]) -> Iterator[str]:
    """Names in a sentence: runs of words in capitals, less those that hold only words of the question.

    Args:
        text: of the reply.
        known: folded words of the question.
    """
    run: list[str] = []
    end, before, article = 0, "", False
    for found in _WORD.finditer(text):
        word = found[0]
        gap = text[end : found.start()]
        apart = bool(run) and (any(char not in " \"'“”’-" for char in gap) or (run[-1][-1] == "." and len(run[-1]) > 2))
        capital = word[0].isupper() or not (word[0].islower() or word[0].isdigit())
        small = word in _LOWER or word[0].isdigit()
        if apart or not (capital or (small and run)):
            yield from _named(run, known, article and word[0].islower() and not apart)
            run = []
        if capital or (small and run):
            article = before in ("the", "a", "an") if not run else article
            run.append(word)
        end, before = found.end(), word.lower()
    yield from _named(run, known, False)


def _named(run: list[str], known: set[str], noun: bool) -> Iterator[str]:
    """The name of a run, if it is one: no function words, nothing of the question, no "American" before a noun."""
    while run and (run[-1] in _LOWER or run[-1][0].isdigit()):
        run = run[:-1]
    while run and fold(run[0]).rstrip(".") in stop_words() and len(run[0].rstrip(".")) > 1:
        run = run[1:]
    words = spelling.words(" ".join(run))
    if len(words) == 1 and noun and _DEMONYM.search(words[0]):
        return
    if words and not all(word in known or word in _LOWER for word in words):
        yield " ".join(run).rstrip(".") if len(run[-1]) > 2 else " ".join(run)


def denies(text: str) -> bool:
    """Whether a sentence says what is not so; that who speaks is not sure says nothing of it."""
    text = _FIRST_PERSON.sub(" ", text)
    return not NO.isdisjoint(spelling.words(text)) or "n't" in text or "rather than" in text or "instead" in text
