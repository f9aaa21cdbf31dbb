"""Dates and numbers as answers: right, less precise, wrong or unjudged (semantics.md §4.6)."""

from collections.abc import Sequence

from halluvault_tasks.benchmark.suites.open.fact import WantedDate, WantedNumber
from halluvault_tasks.oracles.suites.open_outcome import AnswerStanding, OpenOutcome
from halluvault_tasks.reading.base import DateInterval
from halluvault_tasks.reading.open_answer import counting, dating
from halluvault_tasks.reading.open_answer.counting import NumberInReply
from halluvault_tasks.reading.open_answer.dating import DateInReply
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.times import DAY, YEAR, julian_date

_BOTH_CALENDARS = range(1582, 1924)
"""Years in which one country wrote dates of one calendar, and another of the other."""


def date(said: str, question: str, wanted: WantedDate) -> OpenOutcome:
    """How the dates of a reply stand to the one that is wanted.

    Args:
        said: the reply, without the question.
        question: its dates are no answer, and its year is that of a date without one.
        wanted: what is right.
    """
    wanted = _asked_for(wanted)
    year = civil(wanted.earliest).year
    asked = {one.text for one in dating.find(question)}
    given = any(str(abs(year)) == text for text in asked)
    every = dating.find(said, year)
    dates = [one for one in every if one.text not in asked] or every
    if not dates:
        return OpenOutcome(AnswerStanding.UNJUDGED, None, "no date")
    each = [_standing(one, wanted, given) for one in dates]
    shown = "; ".join(dict.fromkeys(one.shown for one in dates))
    worst = max(each)
    several = len({one.shown for one in dates}) > 1
    return OpenOutcome(worst[0], shown, f"{worst[1]}, of several" if several else worst[1])


def _asked_for(wanted: WantedDate) -> WantedDate:
    """What is wanted as an interval of its unit: the year of a day, where the year is asked for."""
    if wanted.precision == DAY:
        return wanted
    # A day of either calendar's year is right where the two differ.
    read = (civil, julian_date) if wanted.julian else (civil,)
    firsts, lasts = ([one(day) for one in read] for day in (wanted.earliest, wanted.latest))
    if wanted.precision == YEAR:
        earliest, latest = day_number(min(firsts).year), day_number(max(lasts).year + 1) - 1
    else:
        last = max(lasts)
        earliest = day_number(*min(firsts)[:2])
        latest = day_number(last.year + last.month // 12, last.month % 12 + 1) - 1
    return wanted.model_copy(update={"earliest": earliest, "latest": latest})


def _standing(said: DateInReply, wanted: WantedDate, given: bool) -> tuple[AnswerStanding, str]:
    if said.bounded:
        return AnswerStanding.UNJUDGED, "a bound"
    if not said.readings and not said.julian:
        return AnswerStanding.WRONG, "no calendar has that day"
    ways = [*said.readings, *(said.julian if wanted.julian or not said.readings else ())]
    if _is_within(ways, wanted):
        if said.year or given:
            return AnswerStanding.RIGHT, "date"
        return AnswerStanding.LESS_PRECISE, "no year"
    if any(way.earliest <= wanted.earliest and wanted.latest <= way.latest for way in ways):
        return AnswerStanding.LESS_PRECISE, "precision"
    if any(
        way.earliest <= wanted.latest + _margin(way) and wanted.earliest - _margin(way) <= way.latest for way in ways
    ):
        return AnswerStanding.UNJUDGED, "a day apart" if ways[0].precision == DAY else "overlaps"
    if _in_the_other_calendar(said.julian, wanted):
        return AnswerStanding.UNJUDGED, "the other calendar"
    return AnswerStanding.WRONG, "another date"


def _margin(way: DateInterval) -> int:
    """What is claimed to the day convicts from two days on (semantics.md §1.8)."""
    return 1 if way.precision == DAY else 0


def _in_the_other_calendar(ways: Sequence[DateInterval], wanted: WantedDate) -> bool:
    """Whether a day, taken for one of the Julian calendar, is the one that is wanted."""
    return civil(wanted.earliest).year in _BOTH_CALENDARS and _is_within(ways, wanted)


def _is_within(ways: Sequence[DateInterval], wanted: WantedDate) -> bool:
    return any(wanted.earliest <= way.earliest and way.latest <= wanted.latest for way in ways)


def number(said: str, wanted: WantedNumber) -> OpenOutcome:
    """How the numbers of a reply stand to the one that is wanted."""
    numbers = counting.find(said)
    values = list(dict.fromkeys(one.value for one in numbers))
    if not values:
        return OpenOutcome(AnswerStanding.UNJUDGED, None, "no number")
    shown = values[0] if len(values) == 1 else "; ".join(f"{value:g}" for value in values)
    standing, via = _of_numbers(numbers, values, wanted)
    return OpenOutcome(standing, shown, via)


def _of_numbers(
    numbers: Sequence[NumberInReply], values: Sequence[float], wanted: WantedNumber
) -> tuple[AnswerStanding, str]:
    if len(values) == 2 and all(one.bounded for one in numbers):
        within = values[0] <= wanted.low and wanted.high <= values[1]
        return AnswerStanding.LESS_PRECISE if within else AnswerStanding.WRONG, "a span"
    if any(one.bounded for one in numbers) or not all(map(float.is_integer, values)):
        return AnswerStanding.UNJUDGED, "a bound, or no whole number"
    if not all(wanted.low <= value <= wanted.high for value in values):
        return AnswerStanding.WRONG, "another number" if len(values) == 1 else "another number, of several"
    if any(one.about for one in numbers):
        return AnswerStanding.LESS_PRECISE, "about"
    return AnswerStanding.RIGHT, "number"
