"""Sentences: slots filled with names, commas and capitals set right, statements to judge."""

import re
from functools import lru_cache
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.wording.articles import indefinite
from halluvault_tasks.benchmark.wording.forms import SLOT, Form
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.wikidata.days import Civil, civil, year_text
from halluvault_tasks.wikidata.times import DAY, MONTH, MONTH_NAMES, YEAR, julian_date

_JULIAN_UNTIL = 1582  # the year up to which Wikidata takes a date for Julian (ShowCalendarModelDecider)


FRAME = "Is this statement true? "
"""The lead-in of a statement to judge."""


def judge(statement: str) -> str:
    """A statement to judge: negative interrogatives are read differently in different languages (semantics.md §3.1)."""
    quoted = statement.replace("“", "‘").replace("”", "’")
    return f"{FRAME}“{quoted}”"


def fill(pattern: str, **names: Named | str) -> str:
    """Fill a pattern's slots.

    Args:
        pattern: text with slots `{s}`, `{o:a}` …
        names: by slot; a string stands as it is.

    Returns:
        The sentence, its first letter a capital, commas of appositions closed only where text follows.
    """

    literals, slots = _parts(pattern)
    said = [literals[0]]
    for literal, (slot, style) in zip(literals[1:], slots, strict=True):
        name = names[slot]
        said.append(name if isinstance(name, str) else keep_first(_styled(name, style), common=name.common))
        said.append(literal)
    return tidy("".join(said))


@lru_cache(4096)
def _parts(pattern: str) -> tuple[tuple[str, ...], tuple[tuple[str, str | None], ...]]:
    """The text around a pattern's slots, and the slots with their styles: parsed once for all fillings."""
    slots = tuple((match[1], match[2]) for match in SLOT.finditer(pattern))
    return tuple(SLOT.sub("\0", pattern).split("\0")), slots


_KEEP = "\u2060"  # word joiner: marks a first letter that no sentence may turn into a capital


def keep_first(name: str, *, common: bool) -> str:
    """Mark a proper name that begins with a lower-case letter (macOS), so that `tidy` leaves it alone."""
    own = not common and name[:1].islower() and not name.startswith(("the ", "an ", "a "))
    return f"{_KEEP}{name}" if own else name


def _styled(name: Named, style: str | None) -> str:
    if not name.described:
        if style == "a" and name.common and not name.mass:
            return indefinite(name.bare)
        if style == "the" and name.common and not name.mass:
            return f"the {name.bare}"
        if style == "bare":
            return name.bare
    return name.name


def tidy(sentence: str) -> str:
    """Close appositions (`X, the poet,?` → `X, the poet?`), set the capital, drop `keep_first`'s marks."""
    text = re.sub(r",(?=\s*[?.,;’”(])", "", sentence) if "," in sentence else sentence
    text = re.sub(r"\.\.$", ".", text) if ".." in text else text
    if text[:1].islower():
        text = text[:1].upper() + text[1:]
    return text.replace(_KEEP, "")


_LONG_STEM = re.compile(r"\b[^\W\d_]{4,6}")
_JOINED = re.compile(r"\{[so][^}]*\} and (?:the taxon “)?\{[so]")


def blurred(pattern: str, s: Named, o: Named) -> bool:
    """Whether a pattern joins the names by "and" while one holds an "and" itself: X and Bosnia and Herzegovina."""
    return (" and " in s.name or " and " in o.name) and bool(_JOINED.search(pattern))


_VERB_FIRST = re.compile(r"(?:^|(?<=[a-z] ))(Was|Is|Has|Does|was|is|has|does)(?= \{([so])[^}]*\})")
_VERB_LAST = re.compile(r"(?<=\{([so])\}) (was|is|has|does)\b")
_SINGULAR_VERB = re.compile(r"\{([so])\} (?!was\b|is\b|has\b|does\b|this\b)[a-z]+s\b")
_PLURAL = {
    "Was": "Were",
    "Is": "Are",
    "Has": "Have",
    "Does": "Do",
    "was": "were",
    "is": "are",
    "has": "have",
    "does": "do",
}


def agreeing(pattern: str, **names: Named | str) -> str | None:
    """The pattern with its finite verb in the plural where the name beside it is one; None where no rule does it."""

    def plural(slot: str) -> bool:
        name = names[slot]
        return not isinstance(name, str) and name.plural

    if not any(map(plural, names)):
        return pattern
    if any(plural(match[1]) for match in _SINGULAR_VERB.finditer(pattern)):
        return None
    pattern = _VERB_FIRST.sub(lambda m: _PLURAL[m[1]] if plural(m[2]) else m[1], pattern)
    return _VERB_LAST.sub(lambda m: f" {_PLURAL[m[2]]}" if plural(m[1]) else m[0], pattern)


def words(form: Form, s: Named, o: Named) -> Wordings | None:
    """Every wording of a lexicon form for two named entities; None where the names blur the question."""
    if _repetitive(form, s, o):
        return None
    question, statement, negated = (
        _sentence(pattern, s, o) for pattern in (form.question, form.statement, form.negated)
    )
    if question is None or statement is None or negated is None:
        return None
    more = _others(form, s, o)
    # "S has been a poet" is no more than "ever" says; where there are other words they are the better ones.
    if not more or not re.search(r"\bever\b", form.question):
        more.append(Wording("statement", "same", judge(statement), False))
    antonym = _sentence(form.antonym.question, s, o) if form.antonym else None
    opposite = Wording("antonym", form.antonym.relation, antonym, True) if form.antonym and antonym else None
    return Wordings(question, statement, judge(negated) if form.ask_negated else "", tuple(more), opposite)


_LONG = 3  # words of a description: "the British actress"


def _repetitive(form: Form, s: Named, o: Named) -> bool:
    """Whether descriptions say again what is said, or both ends need one: "S, the actor, and O, the English actor,"."""
    if all(name.described and len(name.name.split()) - len(name.bare.split()) >= _LONG for name in (s, o)):
        return True
    added = [name.name.replace(name.bare, "") for name in (s, o) if name.described]
    if len(added) > len(set(added)):
        return True
    stems = {stem for text in added for stem in _LONG_STEM.findall(text)}
    # "had Richmond, the capital city of Virginia, as its capital", "directed by X, the director".
    return not stems.isdisjoint(_LONG_STEM.findall(SLOT.sub("", form.statement)))


def _sentence(pattern: str, s: Named, o: Named) -> str | None:
    """The pattern filled, its verb agreeing; None where the names do not go with it."""
    # "has served as President, the head of …": an apposition has no place where the bare name is wanted.
    if any(style and {"s": s, "o": o}[slot].described for slot, style in SLOT.findall(pattern)):
        return None
    agreed = None if blurred(pattern, s, o) else agreeing(pattern, s=s, o=o)
    return None if agreed is None else fill(agreed, s=s, o=o)


def _others(form: Form, s: Named, o: Named) -> list[Wording]:
    """The form's further wordings, each with its denial, as far as the names go with them."""
    more = []
    for mutation, other in form.others():
        asked = _sentence(other.question, s, o) if other.ask else None
        denied = _sentence(other.negated, s, o) if other.negated else ""
        if asked is None or denied is None:
            continue
        more.append(Wording(mutation, "same", asked, False))
        if denied:
            more.append(Wording(f"{mutation}_negated", "contradictory", judge(denied), True))
    return more


class Date(NamedTuple):
    """A date as the source states it.

    Attributes:
        earliest: day number of the first possible day.
        precision: Wikidata's (11 day, 10 month, 9 year, 8 decade, 7 century).
        julian: whether it is of the Julian calendar; None: a month that kept no calendars, then Gregorian.
    """

    earliest: int
    precision: int
    julian: bool | None = None

    @property
    def civil(self) -> Civil:
        """Year, month and day in its own calendar; a bare year is a name, the same in both."""
        return julian_date(self.earliest) if self.julian and self.precision >= MONTH else civil(self.earliest)

    @property
    def calendar(self) -> str:
        """The calendar's name where it is not the one that Wikidata takes for granted: Julian up to 1582."""
        if self.julian is None or self.precision < MONTH or self.julian == (self.civil.year <= _JULIAN_UNTIL):
            return ""
        return "Julian" if self.julian else "Gregorian"


def date_text(on: Date) -> str:
    """A date with its preposition, as precise as it is known: "on 7 February 1812", "in 1812", "in the 1810s".

    It stands in its own calendar as on Wikidata, which is named where it is not that of the time: "on 25 December 1642
    (Julian calendar)". Wikidata names it between 1581 and 1929 wherever the day or the month is known.
    """
    date, precision = on.civil, on.precision
    named = f" ({on.calendar} calendar)" if on.calendar else ""
    if precision >= DAY:
        return f"on {date.day} {MONTH_NAMES[date.month - 1]} {year_text(date.year)}{named}"
    if precision == MONTH:
        return f"in {MONTH_NAMES[date.month - 1]} {year_text(date.year)}{named}"
    if precision == YEAR:
        return f"in {year_text(date.year)}"
    if precision == 8 and date.year > 0:
        return f"in the {date.year // 10 * 10}s"
    return f"around {year_text(date.year)}"


def iso_date(on: Date) -> str:
    """A date in its own calendar as `1812-02-07`, `1812-02` or `1812`; years before 1 are astronomical (`-0043`)."""
    date, precision = on.civil, on.precision
    sign = "-" if date.year < 0 else ""
    parts = [f"{sign}{abs(date.year):04d}", f"{date.month:02d}", f"{date.day:02d}"]
    return "-".join(parts[: 3 if precision >= DAY else 2 if precision == MONTH else 1])
