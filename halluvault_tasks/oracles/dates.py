"""Dates and numbers in English text, each brought to one wording, so that equal ones are equal strings."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.times import MONTH_NAMES

_MONTH = rf"(?P<month>{'|'.join(MONTH_NAMES)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
_ERA = r"(?:\s*(?P<era>BCE?|B\.C\.(?:E\.)?|CE|C\.E\.|AD|A\.D\.)(?![\w]))?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_DAY}(?:\s+of)?\s+{_MONTH},?\s+(?P<year>\d{{1,4}})\b{_ERA}",
        rf"\b{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{1,4}})\b{_ERA}",
        rf"\b{_MONTH},?\s+(?:of\s+)?(?P<year>\d{{3,4}})\b{_ERA}",
        r"(?<![\w-])(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})\b",
        r"\b(?P<century>\d{1,2})(?:st|nd|rd|th)[ -]century\b" + _ERA,
        r"\b(?P<decade>\d{3}0)s\b",
        r"\b(?P<year>\d{1,4})\s*(?P<era>BCE?|B\.C\.(?:E\.)?)(?!\w)",
        r"\b(?:AD|A\.D\.)\s*(?P<year>\d{1,4})\b",
        r"(?<![\d.,/$€£-])\b(?P<year>1\d{3}|20\d{2})\b(?!\d|[/%]|[.,]\d)" + _ERA,
        r"(?<=\bin )(?P<year>\d{3})\b" + _ERA,
        r"(?<=\byear )(?P<year>\d{1,4})\b" + _ERA,
    )
)
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.,-])\d{1,15}(?:\.\d{1,9})?(?![\w,]*\d)\b")
_SCALE = re.compile(r"\s+(thousand|million|billion)\b", re.IGNORECASE)
_ZEROS = {"thousand": 3, "million": 6, "billion": 9}


class Quantity(NamedTuple):
    """A date or number found in a text.

    Attributes:
        start: first character.
        end: end, exclusive.
        phrase: its one wording: "7 February 1812", "February 1812", "44 BC", "1840s", "19th century", "8848.86".
        is_date: else a plain number.
    """

    start: int
    end: int
    phrase: str
    is_date: bool


def date_phrase(year: int, month: int = 0, day: int = 0) -> str:
    """Wording of a date; `year` is astronomical (0 is 1 BC), month or day 0 are unknown."""
    shown = f"{1 - year} BC" if year <= 0 else str(year)
    if not 1 <= month <= 12:
        return shown
    return f"{day} {MONTH_NAMES[month - 1]} {shown}" if day else f"{MONTH_NAMES[month - 1]} {shown}"


def iso_phrase(iso: str, precision: int) -> str:
    """Wording of `[-]YYYY-MM-DD` at Wikidata's precision (11 day … 7 century); what is no such date stays itself."""
    match = re.fullmatch(r"([+-]?)(\d{1,6})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*)?", iso)
    if not match:
        return iso
    year = int(match.group(2)) * (-1 if match.group(1) == "-" else 1)
    month, day = int(match.group(3) or 0), int(match.group(4) or 0)
    if precision >= 11:
        return date_phrase(year, month, day)
    if precision == 10:
        return date_phrase(year, month)
    if precision == 8 and year > 0:
        return f"{year // 10 * 10}s"
    if precision == 7:
        number = (year - 1) // 100 + 1 if year > 0 else -year // 100 + 1
        return f"{number}{_ordinal(number)} century" + ("" if year > 0 else " BC")
    return date_phrase(year)


def _ordinal(number: int) -> str:
    return "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def find(text: str) -> Iterator[Quantity]:
    """Every date and number of a text, overlapping readings included: the caller keeps the longest."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            phrase = _phrase(match.groupdict())
            if phrase:
                yield Quantity(match.start(), match.end(), phrase, True)
    for match in _NUMBER.finditer(text):
        value, end = match.group().replace(",", ""), match.end()
        if scale := _SCALE.match(text, end):
            whole, _, fraction = value.partition(".")
            zeros = _ZEROS[scale.group(1).lower()]
            value, end = (whole + fraction[:zeros].ljust(zeros, "0")).lstrip("0") or "0", scale.end()
        yield Quantity(match.start(), end, value, False)


def _phrase(found: dict[str, str | None]) -> str:
    before = (found.get("era") or "").upper().replace(".", "").startswith("BC")
    if century := found.get("century"):
        return f"{int(century)}{_ordinal(int(century))} century" + (" BC" if before else "")
    if decade := found.get("decade"):
        return f"{decade}s"
    year = int(found["year"] or 0)
    month = int(found.get("number") or 0)
    if name := found.get("month"):
        month = next(number for number, full in enumerate(MONTH_NAMES, 1) if full.startswith(name.rstrip(".")[:3]))
    day = int(found.get("day") or 0)
    if day > 31 or month > 12:
        return ""
    return date_phrase(1 - year if before else year, month, day)


_WORDED = re.compile(
    r"(?:(?:(?P<day>\d{1,2}) )?(?P<month>[A-Z][a-z]+) )?(?P<year>\d{1,4})(?P<bc> BC)?|(?P<decade>\d{3,4})s|"
    r"(?P<century>\d{1,2})(?:st|nd|rd|th) century(?P<before> BC)?"
)


class Days(NamedTuple):
    """An interval of day numbers (`wikidata.days`), inclusive, and Wikidata's precision of it."""

    earliest: int
    latest: int
    precision: int


def bounds(phrase: str) -> Days | None:
    """The days that a date's one wording may mean; None for what is no such wording, or no day of any calendar."""
    match = _WORDED.fullmatch(phrase)
    if not match:
        return None
    if decade := match["decade"]:
        return Days(day_number(int(decade)), day_number(int(decade) + 10) - 1, 8)
    if century := match["century"]:
        first = 1 - 100 * int(century) if match["before"] else 100 * (int(century) - 1) + 1
        return Days(day_number(first), day_number(first + 100) - 1, 7)
    year = 1 - int(match["year"]) if match["bc"] else int(match["year"])
    if not match["month"]:
        return Days(day_number(year), day_number(year + 1) - 1, 9)
    if match["month"] not in MONTH_NAMES:
        return None
    month = MONTH_NAMES.index(match["month"]) + 1
    after = day_number(year + month // 12, month % 12 + 1)
    if not match["day"]:
        return Days(day_number(year, month), after - 1, 10)
    day = day_number(year, month, int(match["day"]))
    return Days(day, day, 11) if day < after else None
