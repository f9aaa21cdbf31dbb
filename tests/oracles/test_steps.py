"""Steps over years: what is right is right, what is wrong is wrong, in any words; what dates things is no step."""

import re

import pytest

from halluvault_tasks.oracles import steps, years

BEFORE = """
{a} falls before {b}.|{b} is later than {a}.|{a} was ahead of {b} on the calendar.|Check: {a} < {b}.|{b} follows {a}.
The year {a} came round sooner than the year {b}.|The year {a} comes before {b}.|{a} precedes {b}.|{a} predates {b}.
{b} is preceded by {a}.|{a} is followed by {b}.|{a} lies further back in time than {b}.|{b} is more recent than {a}.
On a timeline, {a} sits to the left of {b}.|{a} came first, {b} later.|First came {a}, then {b}.|{b} comes after {a}.
{a} is the earlier year, {b} the later one.|{a} had already passed by {b}.|{b} was still to come in {a}.
Compared with {b}, {a} is earlier.|As a year, {a} is smaller than {b}.
We know that {a} occurs earlier in time than {b}.
"""
BEFORE += """Of the two years {a} and {b}, the former is earlier.|When {b} began, {a} was already history.
If we put the dates in order, {a} comes first and {b} comes after it.|We reach {a} before we reach {b}."""
NOT_BEFORE = """
{a} does not fall before {b}.|{b} is not later than {a}.|{a} was not ahead of {b} on the calendar.|Check: {a} > {b}.
The year {a} came round no sooner than the year {b}.|It is not the case that {a} precedes {b}.
{a} is no earlier than {b}.
{a} cannot be placed before {b}.|{a} doesn't come before {b}.|{a} is by no means earlier than {b}.
Nor is {a} before {b}.
"""
NOT_BEFORE += """There is no way that {a} comes before {b}.|On no calendar does {a} come before {b}."""
INSIDE = """
{n} is inside the span running from {a} to {b}.|{n} sits between {a} and {b}.|Check: {n} in {a}..{b}.|{a} ≤ {n} ≤ {b}.
The year {n} belongs to the years from {a} to {b}.|{n} falls right within {a} to {b}.
The years {a} to {b} include {n}.
The interval [{a}, {b}] contains {n}.|{n} ∈ [{a}, {b}].|{n} is at least {a} and at most {b}.
Between {a} and {b} lies {n}.
{n} comes after {a} and before {b}.|{n} is contained in the interval starting at {a} and ending at {b}.
{n} fits inside {a}–{b}.
"""
INSIDE += """If we take the range {a} to {b}, then {n} belongs to it.|The years {a} and {b} bracket {n}.
If you count from {a} to {b}, you will pass {n} along the way.|Check the window {a}–{b}: {n} is inside it."""
OUTSIDE = """
{n} is not inside the span running from {a} to {b}.|{n} sits nowhere between {a} and {b}.|Check: {n} not in {a}..{b}.
The year {n} does not belong to the years from {a} to {b}.|{n} falls outside {a} to {b}.|{n} ∉ [{a}, {b}].
The range {a}–{b} leaves out {n}.|{n} cannot be found between {a} and {b}.|The years from {a} to {b} exclude {n}.
"""
OUTSIDE += """{n} has no place between {a} and {b}.|The years {a} to {b} leave {n} out.
The year {n} fails the condition of lying in the range from {a} to {b}."""
COUNT = """
Between {a} and {b} there are {n} years.|Count it: {a} to {b} makes {n} years.|{b} - {a} = {n}.|{a} + {n} = {b}.
From the year {a} until the year {b}, {n} years went by.|{b} minus {a} is {n}.|{a} to {b}: {n} years.
{a} and {b} are {n} years apart.|{b} is {n} years after {a}.|{n} years after {a} comes {b}.
{b} follows {a} by {n} years.
Subtracting {a} from {b} gives {n}.|A {n}-year gap separates {a} and {b}.|It took {n} years to get from {a} to {b}.
If you subtract {a} from {b}, you get {n}.|Counting {n} years on from {a} brings us to {b}.
"""
SETS = [
    (BEFORE, (1812, 1870, 0), (1870, 1812, 0)),
    (NOT_BEFORE, (1870, 1812, 0), (1812, 1870, 0)),
    (INSIDE, (1812, 1870, 1840), (1812, 1870, 1900)),
    (OUTSIDE, (1812, 1870, 1900), (1812, 1870, 1840)),
    (COUNT, (1812, 1870, 58), (1812, 1870, 69)),
]


@pytest.mark.parametrize(
    ("frame", "right", "wrong"),
    [(frame, right, wrong) for listed, right, wrong in SETS for frame in re.split(r"\||\n", listed.strip())],
)
def test_arithmetic_alone_decides_a_step(frame: str, right: tuple[int, int, int], wrong: tuple[int, int, int]) -> None:
    for numbers, truth in ((right, True), (wrong, False)):
        assert list(years.read(frame.format(**dict(zip("abn", numbers, strict=True))))) == [truth]


@pytest.mark.parametrize(
    "text",
    [
        "Born in 1812, died after 1870.",
        "Charles Dickens was born in 1812 and, after his father's arrest in 1824, worked in a warehouse.",
        "Polk, elected in 1844, was in office from 1845 to 1849.",
        "He served from 1841 to 1845 after losing in 1840.",
        "From 1939 to 1945 he was in office for 3 years.",
        "In 1812 the war began; before 1820 it ended.",
        "It existed from 1922 to 1991 and was not around in 2000.",
        "If 1870 were before 1812, the statement would be wrong.",
        "The city had 1200 inhabitants in 1850 and 3000 in 1900.",
        "He wrote 15 novels between 1836 and 1870.",
        "Perhaps 1870 is before 1812.",
        "Is 1870 before 1812?",
        "1812 is about 30 years before 1870.",
        "1 September 1939 is later than 31 August 1939.",
        "Some say that 1812 is after 1870, but that is wrong.",
        "I first wrote that 1812 is after 1870. That was wrong.",
        "1812 is after 1870 – no, wait, before.",
        "The claim that 1812 is later than 1870 is wrong.",
        "1812 > 1870 is false.",
        "1812 is not only after 1800 but also before 1870.",
        "It ran from 1995 to 2001, and 1990 is not in that range.",
        "Yale (1701) is younger than Harvard (1636).",
        "Aliens does not follow directly after Alien.",
    ],
)
def test_what_dates_things_or_doubts_is_no_false_step(text: str) -> None:
    assert all(step.kind != "false" for step in steps.read(text))


def test_a_count_with_both_ends_is_no_error() -> None:
    assert list(years.read("From 1995 to 2001 there are 7 years.")) == [True]
    assert list(years.read("2001 - 1995 = 7.")) == [False]


def test_no_years_between_two_are_none() -> None:
    assert list(years.read("There are no years between 1815 and 1852.")) == [False]
    assert list(years.read("There are no years between 1815 and 1815.")) == [True]
