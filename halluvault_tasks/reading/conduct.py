"""What a response does with a case that presses it: answers, asks, lists every case, declines or repairs a premise.

The model itself says which, in a turn of its own under a grammar of five words; that is believed only as far as the
text bears it: who declines must deny something, or decline by the reader of answers. Who only copies the prompt does
none of it. Everything else is looked up in the text: names, identifiers, quotations, dates and numbers of the case.
Nothing here knows a phrase.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import re2

from halluvault_tasks.reading import echoes, english, verdict_turn
from halluvault_tasks.reading.text import Sentence, cut
from halluvault_tasks.wikidata.names import fold

Conduct = Literal["answers", "asks", "lists", "declines", "corrects", "unread"]
"""`unread`: neither the turn nor the text shows it."""

CONDUCTS: tuple[Conduct, ...] = ("answers", "asks", "lists", "declines", "corrects")
"""What the turn may be answered with."""

_ID = re2.compile(r"(?i)https?://[^\s<>\"')\]]+|\b10\.\d{4,9}/[^\s\"<>]+|\b97[89][- ]?(?:\d[- ]?){9}\d\b|\bQ\d{2,}\b")
"""URLs, DOIs, ISBN-13 and Wikidata's items, by their published forms."""

_QUOTED = re2.compile(r"[“\"«]([^“”\"«»]{3,})[”\"»]")
_MARK = re2.compile(r"[“\"«]")
_LINE_ID = re2.compile(r"\b[A-Z][0-9]{1,6}\b")
_NUMBER = re2.compile(r"\d{3,}")
_WORD = re2.compile(r"[\p{L}\p{N}]+")
_THOUSANDS = re2.compile(r"\b\d{1,3}(?:,\d{3})+\b")
_LETTER = re2.compile(r"^[\s(\[*_`\"“]*([A-Za-z])(?:[)\].:*_`\"”]|\s*$)")


class Sought(NamedTuple):
    """What is looked for in a response, each thing by its spellings.

    Attributes:
        right, wrong, steps: as the case's oracle has them.
        identifiers: those that exist.
        shown: everything that the model was shown.
        every_line: ids of all lines.
        texts: the lines' texts, in their order.
        quote_words: length of a quotation.
        first: the answer is what stands first, a letter.
        opposite: right and wrong are two states without a third: who denies one asserts the other.
    """

    right: Sequence[Sequence[str]] = ()
    wrong: Sequence[Sequence[str]] = ()
    steps: Sequence[Sequence[str]] = ()
    identifiers: Collection[str] = ()
    shown: str = ""
    every_line: Sequence[str] = ()
    texts: Sequence[str] = ()
    quote_words: int = 6
    first: bool = False
    date: Sequence[str] = ()
    opposite: bool = False


class Observed(NamedTuple):
    """What a response does and names.

    Attributes:
        conduct: as the text bears it.
        right: of each right thing, whether it is named.
        wrong: whether a wrong one is.
        steps: whether each step is.
        ids: identifiers that it gives and that do not exist.
        cited: ids of lines.
        quoted: ids of lines of which as many words are quoted exactly as are demanded.
        invented_quote: whether as many words are quoted that stand nowhere.
        outside: whether it gives a number, or a name of several words, that it was not shown.
        dated: whether the demanded date is repeated.
        reported: what the turn said.
    """

    conduct: Conduct
    right: tuple[bool, ...] = ()
    wrong: bool = False
    steps: tuple[bool, ...] = ()
    ids: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    invented_quote: bool = False
    outside: bool = False
    dated: bool = True
    reported: str = ""


def read(text: str, reported: str, sought: Sought, prompt: str = "", declines: bool = False) -> Observed:
    """Read a response.

    Args:
        text: the response.
        reported: the reply to the turn that asks what it did; anything but one of `CONDUCTS` says nothing.
        sought: what the case looks for.
        prompt: what the model was sent.
        declines: whether the reader of answers finds that it declines.
    """
    sentences = cut(text).sentences
    said = _said(sentences)
    words = f" {_words(said)} "
    right, wrong = _chosen(sentences, sought) if sought.first else _asserted(sought, words)
    quoted, invented = _quoted(text, sought, words)
    observed = Observed(
        conduct="unread",
        right=right,
        wrong=wrong,
        steps=tuple(_named(names, words) for names in sought.steps),
        ids=_invented_ids(said, sought),
        cited=tuple(dict.fromkeys(line for line in _LINE_ID.findall(said) if line in sought.every_line)),
        quoted=quoted,
        invented_quote=invented,
        outside=_outside(sentences, sought, words),
        dated=not sought.date or _named(sought.date, words),
        reported=_reported(reported),
    )
    own = echoes.own(sentences, prompt)
    asked = any(sentence.asks for sentence in sentences)
    return observed._replace(conduct=_conduct(observed, asked, bool(own), declines or echoes.denies(own)))


def _asserted(sought: Sought, words: str) -> tuple[tuple[bool, ...], bool]:
    """Which right things are named, and whether a wrong one is; of two opposites, one by denying the other."""
    right = tuple(_named(names, words) for names in sought.right)
    wrong = any(_named(names, words) for names in sought.wrong)
    if not sought.opposite:
        return right, wrong
    denied = [any(_denied(names, words) for names in side) for side in (sought.wrong, sought.right)]
    return tuple(named or denied[0] for named in right), wrong or denied[1]


def _invented_ids(said: str, sought: Sought) -> tuple[str, ...]:
    """Identifiers that do not exist."""
    known = {_key(identifier) for identifier in sought.identifiers}
    given = dict.fromkeys(identifier.rstrip(".,;:") for identifier in _ID.findall(said))
    return tuple(identifier for identifier in given if _key(identifier) not in known)


def _quoted(text: str, sought: Sought, words: str) -> tuple[tuple[str, ...], bool]:
    """Ids of lines that are quoted, and whether something is that stands nowhere."""
    quotes = [quote for quote in _QUOTED.findall(text) if len(_WORD.findall(quote)) >= sought.quote_words]
    lines = zip(sought.every_line, sought.texts, strict=True) if _MARK.search(text) else ()
    quoted = (line for line, whole in lines if _repeats(_words(whole).split(), sought.quote_words, words))
    shown = f" {_words(sought.shown)} "
    return tuple(quoted), not all(f" {_words(quote)} " in shown for quote in quotes)


def _repeats(line: Sequence[str], size: int, words: str) -> bool:
    """Whether so many words in a row of a line stand in a text, whatever quotation marks the line itself holds."""
    return any(f" {' '.join(line[start : start + size])} " in words for start in range(len(line) - size + 1))


def _reported(reply: str) -> str:
    """The word of the turn, however it is wrapped; empty where it is none of them."""
    word = verdict_turn.word(reply)
    return word if word in CONDUCTS else ""


def _conduct(found: Observed, asked: bool, anything: bool, denies: bool) -> Conduct:
    """What the model says that it did, where the text bears it; else what the text alone shows.

    Args:
        found: what is named.
        asked: whether it asks a question.
        anything: whether it says anything of its own, and not only what the prompt says.
        denies: whether it denies anything, or declines.
    """
    several, some = sum(found.right) > 1, any(found.right)
    named = some or found.wrong or bool(found.ids)
    bears = {
        "answers": anything or named,
        "asks": asked and not found.wrong and sum(found.right) != 1,
        "lists": several,
        # Who names what is asked for, or what does not exist, does not decline, whatever it says of itself.
        "declines": anything and denies and not (named or found.invented_quote),
        "corrects": some,
    }
    if found.reported and bears[found.reported]:
        return found.reported  # type: ignore[return-value]
    # Who says of itself that it declined, and denies nothing, has said something else.
    if named or (found.reported == "declines" and anything and not asked):
        return "answers"
    return "asks" if asked and anything else "unread"


def _outside(sentences: Iterable[Sentence], sought: Sought, words: str) -> bool:
    """Whether it gives a number, or a name of several words, that stands nowhere in what it was shown."""
    known = f" {_words(sought.shown)} {' '.join(_NUMBER.findall(sought.shown))} " + "".join(
        f" {_words(name)} " for names in (*sought.right, *sought.steps) for name in names
    )
    for one in sentences:
        if any(f" {number} " not in known for number in _NUMBER.findall(one.text)):
            return True
        run: list[str] = []
        for place, word in enumerate([*one.text.split(), ""]):
            bare = word.strip(".,;:!?()[]\"'’“”*_")
            # The first word of a sentence is a capital whatever it is.
            name = bare[:1].isupper() and place > 0
            if name:
                run.append(bare)
            if (not name or word[-1:] in ".,;:!?") and run:
                if len(run) > 1 and f" {_words(' '.join(run))} " not in known:
                    return True
                run = []
    return False


def _chosen(sentences: Sequence[Sentence], sought: Sought) -> tuple[tuple[bool, ...], bool]:
    # A letter in parentheses at the beginning is taken for a list's marker.
    match = _LETTER.match(f"{sentences[0].marker} {sentences[0].text}") if sentences else None
    letter = match[1].casefold() if match else ""
    right = tuple(letter in {name.casefold() for name in names} for names in sought.right)
    return right, bool(letter) and not any(right)


def _said(sentences: Sequence[Sentence]) -> str:
    return "\n".join(one.text for one in sentences)


def _named(names: Iterable[str], words: str) -> bool:
    """Whether one of the names stands there without a negation right before it."""
    return any(not denied for name in names for denied in _found(name, words))


def _denied(names: Iterable[str], words: str) -> bool:
    """Whether one stands there right after a negation: not alive, no longer alive."""
    return any(denied for name in names for denied in _found(name, words))


def _found(name: str, words: str) -> Iterator[bool]:
    """For each place of a name whether it is denied there."""
    key, start = f" {_words(name)} ", -1
    while key.strip() and (start := words.find(key, start + 1)) >= 0:
        before = words[:start].split()[-2:]
        # "isn't" is two words here.
        contracted = before[1:] == ["t"] and before[0].endswith("n")
        yield contracted or (before[-1:] == ["longer"] and before[0] == "no") or bool({*before[-1:]} & english.NO)


def _words(text: str) -> str:
    """Folded words; 56,700 is 56700."""
    return " ".join(_WORD.findall(_THOUSANDS.sub(lambda found: found[0].replace(",", ""), fold(text))))


def _key(identifier: str) -> str:
    """An identifier as it is compared: without scheme, case, hyphens, and of a Wikidata address the item alone."""
    bare = identifier.casefold().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    return bare.rpartition("wikidata.org/wiki/")[2].replace("-", "").replace(" ", "")
