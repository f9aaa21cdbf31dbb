"""Dates and numbers in English text, at the precision at which they are said."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple

import re2

from halluvault_tasks.reading.base import DateInterval, TextSpan
from halluvault_tasks.wikidata.days import day_number, year_text
from halluvault_tasks.wikidata.times import CENTURY, DAY, DECADE, MONTH, MONTH_NAMES, YEAR

_MONTHS = "|".join(MONTH_NAMES) + "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
_ERA = r"(?:\s?(?:BCE?|B\.C\.(?:E\.)?|CE|C\.E\.|AD|A\.D\.))?"
_TH = r"(?:st|nd|rd|th)?"
_CENTURIES = re2.compile(r"[\w-]+").findall(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
)
"""In order."""

_NUMBER = re2.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,9})?")
_ISO = re2.compile(r"[+-]?(\d{1,6})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*)?")
_ENDS_BEFORE_CHRIST = re2.compile(r"\s?(?:to|and|until|till|[-–—])\s?\d{1,4}\s?(?:BCE?\b|B\.C\.)")
"""After a year, which then is before Christ, too: "from 218 to 201 BC"."""
_DIGITS = re2.compile(r"\d+")
_SCALES = {"thousand": 3, "million": 6, "billion": 9}


class DateOrNumber(NamedTuple):
    """A date, a span of years or a number.

    Attributes:
        span: in the text; without a word such as "in" before it.
        text: a date's one wording (`7 February 1812`, `44 BC`, `1840s`), else as written.
        days: the date, or a span's beginning; None for a number.
        until: a span's end.
        amount: the number.
    """

    span: TextSpan
    text: str
    days: DateInterval | None = None
    until: DateInterval | None = None
    amount: Decimal | None = None


def find(text: str) -> list[DateOrNumber]:
    """Dates and numbers in order, none inside another."""
    found = [date for date in _dates(text) if date]
    numbers = (one for one in _numbers(text) if not any(one.span.meets(date.span) for date in found))
    return sorted([*found, *numbers], key=lambda one: one.span)


def _dates(text: str) -> Iterator[DateOrNumber | None]:
    for match in _DATE.finditer(text):
        kind = match.lastindex
        start, end = match.span(kind)
        if text[end : end + 1].isalnum() or (text[end : end + 1] in "%/.," and text[end + 1 : end + 2].isdigit()):
            continue
        said = text[start:end]
        read = _FORMS[kind - 1][1]
        if read is _year and not _before_christ(said) and _ENDS_BEFORE_CHRIST.match(text[end : end + 20]):
            said += " BC"
        yield read(TextSpan(start, end), said)


def _numbers(text: str) -> Iterator[DateOrNumber]:
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start] if start else " ", text[end : end + 1] or " "
        if (
            before.isalnum()
            or before in ".,-"
            or after.isalnum()
            or (after in ".," and text[end + 1 : end + 2].isdigit())
        ):
            continue
        value = Decimal(match.group().replace(",", ""))
        scale, *_ = text[end : end + 10].split(maxsplit=1) or [""]
        if zeros := _SCALES.get(scale.rstrip(".,").casefold()):
            value, end = value.scaleb(zeros), end + 1 + len(scale.rstrip(".,"))
        yield DateOrNumber(TextSpan(start, end), text[start:end], amount=value)


def _before_christ(text: str) -> bool:
    return "B" in text and "BC" in text.replace(".", "")


def _year_of(digits: str, text: str) -> int:
    return 1 - int(digits) if _before_christ(text) else int(digits)


def _day(span: TextSpan, text: str) -> DateOrNumber | None:
    day, year = _DIGITS.findall(text)[:2]
    return dated(span, _year_of(year, text), _month_of(text), int(day))


def _month(span: TextSpan, text: str) -> DateOrNumber | None:
    return dated(span, _year_of(_DIGITS.findall(text)[0], text), _month_of(text))


def _month_of(text: str) -> int:
    return next(number for number, name in enumerate(MONTH_NAMES, 1) if name[:3] in text)


def _century(span: TextSpan, text: str) -> DateOrNumber | None:
    digits = _DIGITS.findall(text)
    word = text.casefold().replace("-century", " century").split()[0]
    number = int(digits[0]) if digits else _CENTURIES.index(word) + 1
    first = 1 - 100 * number if _before_christ(text) else 100 * (number - 1) + 1
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    shown = f"{number}{ending} century{' BC' if _before_christ(text) else ''}"
    return DateOrNumber(span, shown, DateInterval(day_number(first), day_number(first + 100) - 1, CENTURY))


def _decade(span: TextSpan, text: str) -> DateOrNumber | None:
    year = int(text[:4])
    return DateOrNumber(span, f"{year}s", DateInterval(day_number(year), day_number(year + 10) - 1, DECADE))


def _range(span: TextSpan, text: str) -> DateOrNumber | None:
    first, *last = _DIGITS.findall(text)
    begun = dated(span, _year_of(first, text))
    if not begun or not last:
        return begun
    full = last[0] if len(last[0]) >= len(first) or _before_christ(text) else first[: -len(last[0])] + last[0]
    ended = dated(span, _year_of(full, text))
    if not ended or not ended.days or not begun.days or ended.days.earliest < begun.days.earliest:
        return begun
    return begun._replace(text=text, until=ended.days)


def _interval(span: TextSpan, text: str) -> DateOrNumber | None:
    """ "in 1436 to 1440": some time in these years."""
    first, last = (dated(span, int(year)) for year in _DIGITS.findall(text))
    if not (first and last and first.days and last.days) or last.days.earliest < first.days.earliest:
        return None
    digits = text[text.index(first.text) :]
    return DateOrNumber(
        TextSpan(span.end - len(digits), span.end), digits, DateInterval(first.days.earliest, last.days.latest, YEAR)
    )


def _year(span: TextSpan, text: str) -> DateOrNumber | None:
    digits = _DIGITS.search(text)
    assert digits
    return dated(TextSpan(span.start + digits.start(), span.end), _year_of(digits.group(), text))


_FORMS: tuple[tuple[str, Callable[[TextSpan, str], DateOrNumber | None]], ...] = (
    (rf"\d{{1,2}}{_TH}(?: of)? (?:{_MONTHS})\.?,? \d{{1,4}}{_ERA}", _day),
    (rf"(?:{_MONTHS})\.? \d{{1,2}}{_TH},? (?:of )?\d{{3,4}}{_ERA}", _day),
    (rf"(?:{_MONTHS})\.?,? (?:of )?\d{{3,4}}{_ERA}", _month),
    (r"\d{4}-\d{2}-\d{2}", lambda span, text: dated(span, *map(int, text.split("-")))),
    (rf"(?:\d{{1,2}}{_TH}|(?i:{'|'.join(_CENTURIES)}))[ -][Cc]entur(?:y|ies){_ERA}", _century),
    (r"\d{3}0'?s", _decade),
    (r"(?:A\.?D\.? )\d{1,4}|\d{1,4}(?:[-–—]\d{1,4})?\s?(?:BCE?|B\.C\.(?:E\.)?|CE|C\.E\.|AD|A\.D\.)", _range),
    (r"(?:in|between|during) (?:the years )?(?:1\d{3}|20\d{2}) (?:to|and|or) (?:1\d{3}|20\d{2})", _interval),
    (r"(?:1\d{3}|20\d{2})(?:\s?[-–—]\s?|/)(?:1\d{3}|20\d{2}|\d{2}|present|now)", _range),
    (
        rf"(?:in|of|year|since|until|till|from|to|by) (?:the year )?\d{{3}}\b{_ERA}|(?i:year) \d{{1,4}}\b{_ERA}"
        r"|1\d{3}|20\d{2}",
        _year,
    ),
)
_DATE = re2.compile("(?:^|[^\\p{L}\\p{N}.,/$€£-])(?:" + "|".join(f"({form})" for form, _ in _FORMS) + ")")


def of_iso(text: str, precision: int) -> DateOrNumber | None:
    """A date as Wikidata writes it, `[-]YYYY-MM-DD`, at its precision (11 day … 7 century); None for anything else."""
    match = _ISO.fullmatch(text)
    if not match:
        return None
    year = int(match[1]) * (-1 if text.startswith("-") else 1)
    span = TextSpan(0, len(text))
    if precision == DECADE and year > 0:
        return _decade(span, f"{year // 10 * 10}s")
    if precision == CENTURY:
        number = (year - 1) // 100 + 1 if year > 0 else -year // 100 + 1
        return _century(span, f"{number}th century{'' if year > 0 else ' BC'}")
    return dated(
        span, year, int(match[2] or 0) if precision >= MONTH else 0, int(match[3] or 0) if precision >= DAY else 0
    )


def dated(span: TextSpan, year: int, month: int = 0, day: int = 0) -> DateOrNumber | None:
    """A date; `year` is astronomical (0 is 1 BC), month and day 0 are unknown. None where no calendar has it."""
    shown = year_text(year)
    if not month:
        return DateOrNumber(span, shown, DateInterval(day_number(year), day_number(year + 1) - 1, YEAR))
    if month > 12:
        return None
    following = day_number(year + month // 12, month % 12 + 1)
    shown = f"{MONTH_NAMES[month - 1]} {shown}"
    if not day:
        return DateOrNumber(span, shown, DateInterval(day_number(year, month), following - 1, MONTH))
    number = day_number(year, month, day)
    return DateOrNumber(span, f"{day} {shown}", DateInterval(number, number, DAY)) if number < following else None
