"""Dates as replies give them: every usual form, at the precision at which it is said, in either calendar.

A date of digits alone may have two readings (3.4.1879), and one of a time in which both calendars were in use is
written in either; each reading is an interval of day numbers (`wikidata.days`).
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import re2

from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import DateInterval
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.times import CENTURY, DAY, MONTH, MONTH_NAMES, YEAR, julian_day_number

_MONTH = r"(?i:" + "|".join(f"{name}|{name[:3]}" for name in MONTH_NAMES) + r"|sept)\b\.?"
_TH = r"(?:st|nd|rd|th)?"
_ERA = r"(\s?(?:BCE?|B\.\s?C\.(?:\s?E\.)?))?(?:\s?(?:AD|A\.\s?D\.|CE|C\.\s?E\.))?"
_DAY_FIRST = re2.compile(
    rf"\b(\d{{1,2}}){_TH}(?:\s+day)?(?:\s+of)?[\s-]+({_MONTH})(?:\s+of)?,?[\s-]+(?:AD\s)?(\d{{1,4}})\b{_ERA}"
)
_MONTH_FIRST = re2.compile(
    rf"\b({_MONTH})[\s-]+(?:the\s+)?(\d{{1,2}}){_TH}(?:\s*,\s*|\s+(?:of\s+)?|-)(?:AD\s)?(\d{{1,4}})\b{_ERA}"
)
_YEAR_FIRST = re2.compile(rf"\b(\d{{3,4}}),?[\s-]+({_MONTH})[\s-]+(\d{{1,2}}){_TH}\b")
_YEAR_THEN_MONTH = re2.compile(rf"\b(\d{{4}}),?[\s-]+({_MONTH})")
_MONTH_OF_YEAR = re2.compile(rf"\b({_MONTH})(?:\s+of)?,?[\s-]+(?:AD\s)?(\d{{1,4}})\b{_ERA}")
_NO_YEAR = re2.compile(rf"\b(?:(\d{{1,2}}){_TH}(?:\s+of)?\s+({_MONTH})|({_MONTH})\s+(?:the\s+)?(\d{{1,2}}){_TH}\b)")
_MONTH_ALONE = re2.compile(rf"\b({_MONTH})")
_DIGITS = re2.compile(r"(?:^|[^\d./-])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?[./-]\s?(\d{4})\b")
_DIGITS_YEAR_FIRST = re2.compile(r"(?:^|[^\d./-])(\d{4})([./-])(\d{1,2})[./-](\d{1,2})\b")
_DIGITS_MONTH = re2.compile(r"^\s*(?:(\d{1,2})[./](\d{4})|(\d{4})[-/](\d{1,2}))\s*$")
_EAST_ASIAN = re2.compile(r"(\d{1,4})\s?年(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?)?")
_HUNDREDS = re2.compile(r"^(\d{1,2})00'?s$")
_BARE = re2.compile(rf"^(?:(?:in|year|the year|AD|A\.D\.)\s+)*(\d{{1,4}}){_ERA}$")
_ABOUT = re2.compile(
    r"(?i)(?:\bcirca|\bca?\.|\babout|\baround|\bapproximately|\broughly|\bapprox\.?|~|\bc)\s*(?:the year\s*)?$"
)
_BOUNDED = re2.compile(
    r"(?i)\b(?:before|after|by|until|since|from|prior to|(?:no )?(?:later|earlier) than)\s*(?:the year\s*)?$"
)
_BETWEEN = re2.compile(r"(?i)\b(?:between|from)\s+(\d{3,4})\s+(?:and|to|until)\s+(\d{3,4})\b")
_WIDE = 10
"""Years either way that "about" leaves open."""
_LONGEST_SPAN = 40
"""Years of a span, beyond which it dates a life, and no event."""


class DateInReply(NamedTuple):
    """A date in a reply.

    Attributes:
        text: as written.
        readings: what it may mean, in the Gregorian calendar; empty: no calendar has such a day.
        julian: the same, read as the Julian calendar's.
        year: whether it says a year; else its readings lie in the year that was given.
        bounded: "before 1500": no date.
    """

    text: str
    readings: tuple[DateInterval, ...]
    julian: tuple[DateInterval, ...] = ()
    year: bool = True
    bounded: bool = False

    @property
    def shown(self) -> str:
        """The first reading, as ISO writes it at its precision; the words where there is none."""
        if not self.readings or self.readings[0].precision < YEAR:
            return self.text
        first = self.readings[0]
        year, month, day = civil(first.earliest)
        written = f"{'-' if year < 0 else ''}{abs(year):04d}"
        if first.precision >= MONTH:
            written += f"-{month:02d}"
        return f"{written}-{day:02d}" if first.precision >= DAY else written


def find(text: str, year: int | None = None) -> list[DateInReply]:
    """Dates of a reply, in order.

    Args:
        text: of a reply.
        year: astronomical; the one that a date without a year is of.
    """
    found: list[tuple[int, DateInReply]] = []
    left = text
    for at, end, one in _written(text):
        if left[at:end].strip():
            found.append((at, one))
            left = left[:at] + " " * (end - at) + left[end:]
    bare = _BARE.match(left.strip(" .,;\"'"))
    if not found and bare:
        return [_in_year(int(bare[1]), bool(bare[2]), bare[0])]
    if not found and (month := _DIGITS_MONTH.match(left)):
        numbers = [int(one) for one in (month[2] or month[3], month[1] or month[4])]
        return [_date(month[0].strip(), *numbers)]
    for between in _BETWEEN.finditer(left):
        first, last = int(between[1]), int(between[2])
        if first <= last:
            interval = DateInterval(day_number(first), day_number(last + 1) - 1, CENTURY)
            found.append((between.start(), DateInReply(between[0], (interval,))))
            left = left[: between.start()] + " " * len(between[0]) + left[between.end() :]
    found += [(one.span.start, _coarse(left, one)) for one in dates.find(left) if one.days]
    if not found and year is not None:
        found = list(_yearless(left, year))
    return [one for _, one in sorted(found, key=lambda each: each[0])]


def _written(text: str) -> Iterator[tuple[int, int, DateInReply]]:
    """Start and end of days and months, and what they say."""
    for match in _EAST_ASIAN.finditer(text):
        yield *match.span(), _date(match[0], int(match[1]), int(match[2] or 0), int(match[3] or 0))
    for match in _YEAR_FIRST.finditer(text):
        yield *match.span(), _date(match[0], int(match[1]), _month(match[2]), int(match[3]))
    for match in _DAY_FIRST.finditer(text):
        yield *match.span(), _date(match[0], _year(match[3], match[4]), _month(match[2]), int(match[1]))
    for match in _MONTH_FIRST.finditer(text):
        yield *match.span(), _date(match[0], _year(match[3], match[4]), _month(match[1]), int(match[2]))
    for match in _DIGITS_YEAR_FIRST.finditer(text):
        yield match.start(1), match.end(), _date(match[0].strip(), int(match[1]), int(match[3]), int(match[4]))
    for match in _DIGITS.finditer(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        ways = [_date(match[0], year, second, first), _date(match[0], year, first, second)]
        ways = ways[:1] if match[2] == "." else ways
        yield match.start(1), match.end(), _either(text[match.start(1) : match.end()], ways)
    for match in _YEAR_THEN_MONTH.finditer(text):
        yield *match.span(), _date(match[0], int(match[1]), _month(match[2]))
    for match in _MONTH_OF_YEAR.finditer(text):
        if len(match[2]) < 3 and not match[3]:  # "February 30"
            continue
        yield *match.span(), _date(match[0], _year(match[2], match[3]), _month(match[1]))


def _either(text: str, ways: list[DateInReply]) -> DateInReply:
    readings = dict.fromkeys(one for way in ways for one in way.readings)
    julian = dict.fromkeys(one for way in ways for one in way.julian)
    return DateInReply(text, tuple(readings), tuple(julian))


def _yearless(text: str, year: int) -> Iterator[tuple[int, DateInReply]]:
    for match in _NO_YEAR.finditer(text):
        day, month = (match[1], match[2]) if match[1] else (match[4], match[3])
        yield match.start(), _date(match[0], year, _month(month), int(day))._replace(year=False)
        return
    for match in _MONTH_ALONE.finditer(text):
        yield match.start(), _date(match[0], year, _month(match[1]))._replace(year=False)
        return


def _coarse(text: str, one: dates.DateOrNumber) -> DateInReply:
    """A year, decade, century or span, as `reading.dates` finds it."""
    assert one.days is not None
    before = text[max(0, one.span.start - 30) : one.span.start]
    earliest, latest, precision = one.days
    if one.until is not None:
        latest, precision = one.until.latest, CENTURY
        if latest - earliest > _LONGEST_SPAN * 366:
            return DateInReply(one.text, (), bounded=True)
    if _BOUNDED.search(before):
        return DateInReply(one.text, (), bounded=True)
    if _ABOUT.search(before) and precision == YEAR:
        wide = round(_WIDE * 365.25)
        return DateInReply(f"about {one.text}", (DateInterval(earliest - wide, latest + wide, CENTURY),))
    readings = [DateInterval(earliest, latest, precision)]
    if hundreds := _HUNDREDS.match(one.text):  # ten years of them, or all hundred
        first = 100 * int(hundreds[1])
        readings.append(DateInterval(day_number(first), day_number(first + 100) - 1, CENTURY))
    if precision == CENTURY and one.until is None:  # 1800 is of the 19th century to some
        readings = [DateInterval(earliest - 366, latest, precision)]
    return DateInReply(one.text, tuple(readings))


def _in_year(number: int, before_christ: bool, text: str) -> DateInReply:
    return _date(text, 1 - number if before_christ else number)


def _year(digits: str, era: str | None) -> int:
    return 1 - int(digits) if era else int(digits)


def _month(word: str) -> int:
    return next(number for number, name in enumerate(MONTH_NAMES, 1) if word[:3].casefold() == name[:3].casefold())


def _date(text: str, year: int, month: int = 0, day: int = 0) -> DateInReply:
    """A date of each calendar; none where neither has it."""
    if not month:
        whole = DateInterval(day_number(year), day_number(year + 1) - 1, YEAR)
        return DateInReply(text, (whole,))
    if not 1 <= month <= 12 or not 0 <= day <= 31:
        return DateInReply(text, ())
    return DateInReply(
        text,
        tuple(_interval(day_number, year, month, day)),
        tuple(_interval(julian_day_number, year, month, day)),
    )


def _interval(count: Callable[[int, int, int], int], year: int, month: int, day: int) -> Iterator[DateInterval]:
    first, following = count(year, month, 1), count(year + month // 12, month % 12 + 1, 1)
    if not day:
        yield DateInterval(first, following - 1, MONTH)
    elif first + day <= following:
        yield DateInterval(first + day - 1, first + day - 1, DAY)
