"""Whole numbers as replies give them, in digits or words, and how sure a reply says that it is."""

from typing import NamedTuple

import re2

from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.reading.english import wordset

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = dict(zip(_ONES, range(20), strict=True)) | dict(zip(_TENS, range(20, 100, 10), strict=True))
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_OTHERS = {"dozen": 12, "none": 0, "once": 1, "twice": 2, "couple": 2}
_TOKEN = re2.compile(r"\d{1,3}(?:[,\x{00A0} ]\d{3})+\b|\d+(?:\.\d+)?|[\p{L}]+")
_AFTER = re2.compile(r"^\s*(?:full |whole |complete )?([\p{L}]+)")
_ABOUT = wordset("about around approximately roughly circa almost nearly some approx c ca")
_BOUND = wordset("over under least most below above than fewer less between")
_UNITS = wordset("month months day days week weeks hour hours")
_SURE = re2.compile(r"(-?\d+(?:\.\d+)?)\s*(%|percent|/\s*(?:100|10)\b|out of (?:100|10)\b)?")


class NumberInReply(NamedTuple):
    """A number in a reply; `about` where it is only said to be near, or to be a bound."""

    text: str
    value: float
    about: bool = False
    bounded: bool = False


def find(text: str) -> list[NumberInReply]:
    """Numbers of a reply, in order; "42 years and 3 months" is 42."""
    found: list[NumberInReply] = []
    tokens = list(_TOKEN.finditer(text.replace("-", " ")))
    at = 0
    while at < len(tokens):
        value, length = _value([one[0].casefold() for one in tokens[at : at + 12]])
        if value is None:
            at += 1
            continue
        before = {one[0].casefold() for one in tokens[max(0, at - 3) : at]}
        unit = _AFTER.match(text[tokens[at + length - 1].end() :])
        if not (found and unit and unit[1].casefold() in _UNITS):
            written = text[tokens[at].start() : tokens[at + length - 1].end()]
            found.append(NumberInReply(written, value, not before.isdisjoint(_ABOUT), not before.isdisjoint(_BOUND)))
        at += length
    return found


def _value(words: list[str]) -> tuple[float | None, int]:
    """The number that words begin with, and how many of them are its."""
    if words[0][0].isdigit():
        digits = words[0].replace(",", "").replace(" ", "").replace("\u00a0", "")
        value = float(digits)
        if len(words) > 1 and words[1] in _SCALES:
            return value * _SCALES[words[1]], 2
        return value, 1
    return _in_words(words)


def _in_words(words: list[str]) -> tuple[float | None, int]:
    """The number that words begin with, as `_value`: "a hundred and five"."""
    total = part = length = 0
    begun = False
    for at, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True)):
        if word == "a" and (following in _SCALES or following in _OTHERS):
            part, begun = part + (following in _SCALES), True
            continue
        if word == "and" and length and following in _SMALL:
            continue
        if word in _SMALL or word in _OTHERS:
            part += _SMALL.get(word, _OTHERS.get(word, 0))
        elif word in _SCALES and (part or begun or at == 0):
            part = max(part, 1) * _SCALES[word]
            total, part = (total + part, 0) if _SCALES[word] >= 1000 else (total, part)
        else:
            break
        length, begun = at + 1, True
    return (float(total + part), length) if length else (None, 0)


def confidence(reply: str) -> float | None:
    """How sure a reply says that it is, from 0 to 100; None where it does not say one number of that range.

    A share ("0.85") is taken by the hundred, and "9/10" and "9 out of 10" likewise.
    """
    said = _SURE.findall(verdict_turn.alone(reply))
    values = {_hundredths(number, unit) for number, unit in said}
    value = values.pop() if len(values) == 1 else None
    return value if value is not None and 0 <= value <= 100 else None


def _hundredths(number: str, unit: str) -> float:
    value = float(number)
    tenth = unit.endswith("10") and not unit.endswith("100")
    share = not unit and "." in number and value <= 1
    return 10 * value if tenth else 100 * value if share else value
