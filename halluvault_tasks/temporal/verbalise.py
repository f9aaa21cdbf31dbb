"""The English of a temporal query: what a person would say, in fixed wordings (semantics.md §2.7), or none at all.

A name never comes from here. The caller passes one `Phrase` an atom, made for the atom's kind (`kinds`), as a lexicon
words it: a film "was first released", a book "was first published".

Years, months and days stand as absolute ones (`UnitWords`), years BC where they are; months and days before AD 1000
have no wording. What nobody would say gives None: a window inside a window, "next" of anything but events, two things
of which something else is said, until where its first bound is below 2 (then the strict and the usual reading of
"until" differ), a point that is asked to last, a point within years that are no decade. What the wordings leave open
("between", "throughout", "either") is asked about only where every reading gives one answer (`readings`).
"""

import re
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.units import Granularity, UnitWords, unit_words


class Phrase(NamedTuple):
    """How an atom is said.

    Args:
        subject: with its article, as inside a sentence: `the Victorian era`, `Charles Dickens`.
        predicate: finite past: `was in progress`, `held the position of President of the United States`.
        auxiliary: for the question, `Was`, `Were` or `Did`; with `base` it replaces the predicate's verb.
        base: what follows the subject in a question: `in progress`, `hold the position of …`.
        point: it happens in one moment (took place, was born) rather than lasts.
        still: it is known to have begun before the one unit that is asked about.
        paraphrase: another word for `base`, where people have one.
        fills: it is asked about as having held all through a unit, or at no time in it (`terms`).
        over: what has happened by the time when it no longer holds, where people say that: `had died`.
        again: auxiliary and base of the same question in other words: a battle took place, and was fought.
    """

    subject: str
    predicate: str
    auxiliary: str
    base: str
    point: bool = False
    still: bool = False
    paraphrase: str = ""
    over: str = ""
    fills: bool = False
    again: tuple[str, str] | None = None


class QueryWording(NamedTuple):
    """A query in English, as question and as statements to judge. Every text ends with its punctuation.

    Args:
        question: asked.
        statement: the same as a statement.
        negated_statement: its denial; empty where that is nothing that a person would say ("was not born between …").
        paraphrase: the question in other words; empty where there are none with the same one reading.
        opposite: where the query is a denial, the question whether what it denies is so; else empty.
        denies: whether question, statement and paraphrase deny the query, which itself is such a denial.
    """

    question: str
    statement: str
    negated_statement: str
    paraphrase: str = ""
    opposite: str = ""
    denies: bool = False


class _Words(NamedTuple):
    """What a clause is made of beside the formula."""

    phrases: Mapping[str, Phrase]
    unit: UnitWords


class _Clause(NamedTuple):
    """A clause without capital and full stop, its denial (empty: nobody would say it), and its question."""

    says: str
    denies: str
    asks: str
    paraphrase: str = ""
    opposite: str = ""
    turned: bool = False
    """It says the opposite of what it stands for, because nobody would say that."""


def question(
    formula: f.Formula, at: int, phrases: Mapping[str, Phrase], granularity: Granularity = Granularity.YEAR
) -> QueryWording | None:
    """Word a query.

    Args:
        formula: what is asked.
        at: the unit t (astronomical year, month or day number).
        phrases: by atom name.
        granularity: the unit of the formula's windows.

    Returns:
        The wording, or None where there is none that a person would say, or a phrase is missing. It has one reading
        where all of `readings.others` give the same answer.
    """
    words = _Words(phrases, unit_words(granularity))
    if not words.unit.sayable(at) or any(name not in phrases for name in f.atoms(formula)):
        return None
    clause = _clause(formula, at, words)
    if clause is None:
        return None
    denied = _sentence(clause.denies) if clause.denies else ""
    return QueryWording(clause.asks, _sentence(clause.says), denied, clause.paraphrase, clause.opposite, clause.turned)


_OPENINGS = ("the ", "a ", "an ", "there ", "both ", "either ", "neither ", "from ")


def _sentence(clause: str) -> str:
    # Only our own words get a capital: a name such as iPhone keeps its first letter.
    return (clause[0].upper() + clause[1:] if clause.startswith(_OPENINGS) else clause) + "."


def _denied(clause: _Clause | None) -> _Clause | None:
    """Something negated is a statement to judge: a negative question is answered differently in other languages."""
    if clause is None:
        return None
    if not clause.denies:
        return clause._replace(turned=not clause.turned)
    asked = _sentence(clause.denies).replace("“", "‘").replace("”", "’")
    return _Clause(clause.denies, clause.says, f"Is this statement true? “{asked}”", opposite=clause.asks)


def _clause(formula: f.Formula, at: int, words: _Words) -> _Clause | None:
    match formula:
        case f.Atom() | f.And() | f.Or():
            return _in_unit(formula, words.unit.name(at), words)
        case f.Next():
            # The unit itself: "1903, the year after 1902" is nothing that a person would say.
            return _within(formula.arg, words, lambda inner: _in_unit(inner, words.unit.name(at + 1), words))
        case f.Not():
            return _denied(_clause(formula.arg, at, words))
        case f.Finally() | f.Globally() if formula.first == formula.last:
            name = words.unit.name(at + formula.first)
            return _within(formula.arg, words, lambda inner: _in_unit(inner, name, words))
        case f.Finally():
            window = (at + formula.first, at + formula.last)
            if isinstance(formula.arg, f.Not):
                return _denied(_in_every(formula.arg.arg, *window, words))
            return _in_some(formula.arg, *window, words)
        case f.Globally():
            window = (at + formula.first, at + formula.last)
            if isinstance(formula.arg, f.Not):
                return _denied(_in_some(formula.arg.arg, *window, words))
            return _in_every(formula.arg, *window, words)
        case f.Until():
            return _until(formula, at, words)


def _within(formula: f.Formula, words: _Words, worded: Callable[[f.Formula], _Clause | None]) -> _Clause | None:
    """What is said of a formula, or the denial of what is said of the one that it denies."""
    return _denied(_within(formula.arg, words, worded)) if isinstance(formula, f.Not) else worded(formula)


class _Assertion(NamedTuple):
    """An event or state, or two of which the same is said."""

    says: str
    """Subject and predicate."""
    denies: str
    asks: str
    point: bool
    fills: bool = False
    both: bool = False
    """Of two states, each for itself: when in a unit they held is left open, so that they have to fill it."""


def _assertion(formula: f.Formula, words: _Words) -> _Assertion | None:
    if isinstance(formula, f.Atom):
        it = words.phrases[formula.name]
        over = re.match(r"(was|were) still |still ", it.predicate) if it.still else None
        if over:
            not_ = f"{it.subject} {over[1] + ' ' if over[1] else ''}no longer {it.predicate[over.end() :]}"
        else:
            not_ = f"{it.subject} {it.auxiliary.lower()} not {it.base}"
        return _Assertion(
            f"{it.subject} {it.predicate}", not_, f"{it.auxiliary} {it.subject} {it.base}", it.point, it.fills
        )
    if isinstance(formula, f.And | f.Or) and isinstance(formula.left, f.Atom) and isinstance(formula.right, f.Atom):
        left, right = words.phrases[formula.left.name], words.phrases[formula.right.name]
        # Two things of which something else is said have no sentence that is read in one breath.
        if left[1:] == right[1:] and left.subject != right.subject and left.auxiliary != "Were":
            return _two(left, right, either=isinstance(formula, f.Or))
    return None


def _two(left: Phrase, right: Phrase, *, either: bool) -> _Assertion | None:
    if any(re.search(r" (?:and|or) ", each.subject) for each in (left, right)):
        return None
    if either:
        pair = f"{left.subject} or {right.subject}"
        none = f"neither {left.subject} nor {right.subject} {left.predicate}"
        return _Assertion(
            f"either {pair} {left.predicate}", none, f"{left.auxiliary} either {pair} {left.base}", left.point
        )
    pair = f"{left.subject} and {right.subject}"
    auxiliary = left.auxiliary.replace("Was", "Were")
    predicate = re.sub(r"^was\b", "were", left.predicate)
    asks = f"{auxiliary} both {pair} {left.base}"
    return _Assertion(
        f"both {pair} {predicate}", f"{pair} {auxiliary.lower()} not both {left.base}", asks, left.point, both=True
    )


def _in_unit(formula: f.Formula, name: str, words: _Words) -> _Clause | None:
    """A clause about one unit."""
    stilled = words._replace(phrases={each: _stilled(words.phrases[each]) for each in f.atoms(formula)})
    it = _assertion(formula, stilled)
    if it is None:
        return None
    if all(phrase.still for phrase in stilled.phrases.values()):
        return _still(formula, it, name, stilled)
    there = f"{words.unit.on} {name}"
    if it.point or it.both:
        return _at_once(formula, it, name, words)
    if it.fills:
        fronted = f"{_large(there)}, {_small(it.asks)}?" if words.unit.granularity is Granularity.YEAR else ""
        return _Clause(f"{it.says} {there}", f"{it.denies} {there}", f"{it.asks} {there}?", fronted)
    some, ever = f"at some time {there}", f"at any time {there}"
    return _Clause(f"{it.says} {some}", f"{it.denies} {ever}", f"{it.asks} {ever}?", f"{it.asks} at any point {there}?")


def _still(formula: f.Formula, it: _Assertion, name: str, words: _Words) -> _Clause:
    """That what had begun still lasted; the phrases of the words say so."""
    there = f"{words.unit.on} {name}"
    paraphrased = {
        each: phrase._replace(base=f"still {phrase.paraphrase}")
        for each, phrase in words.phrases.items()
        if phrase.paraphrase
    }
    again = _assertion(formula, words._replace(phrases={**words.phrases, **paraphrased}))
    late = f"{again.asks} {there}?" if paraphrased and again else f"{it.asks} as late as {name}?"
    denies = f"{it.denies} {there}"
    if isinstance(formula, f.Atom) and (over := words.phrases[formula.name].over):
        # The unit of the end itself is not asked about, so that "by" may or may not mean all of it. By the month
        # nobody says so: "Leibniz had died by January 1716".
        yearly = words.unit.granularity is Granularity.YEAR
        denies = f"{words.phrases[formula.name].subject} {over} by {name}" if yearly else ""
    return _Clause(f"{it.says} {there}", "" if it.both else denies, f"{it.asks} {there}?", late)


def _at_once(formula: f.Formula, it: _Assertion, name: str, words: _Words) -> _Clause:
    """What happened in one moment of the unit, or lasted all through it."""
    there, paraphrase = f"{words.unit.on} {name}", ""
    # "Was 1942 the year in which …" is nothing that a person would say.
    if isinstance(formula, f.Atom) and (again := words.phrases[formula.name].again):
        auxiliary, base = again
        paraphrase = f"{auxiliary} {words.phrases[formula.name].subject} {base} {there}?"
    # Nobody has the one day in mind that is denied: "Liam Neeson was not born on 30 May 1952".
    denies = "" if words.unit.granularity is Granularity.DAY else f"{it.denies} {there}"
    return _Clause(f"{it.says} {there}", denies, f"{it.asks} {there}?", paraphrase)


def _stilled(phrase: Phrase) -> Phrase:
    """For a state that had begun by then: was still alive, still existed."""
    if not phrase.still:
        return phrase
    predicate = re.sub(r"^((?:was|were) )?", r"\1still ", phrase.predicate)
    return phrase._replace(predicate=predicate, base=f"still {phrase.base}")


def _in_some(formula: f.Formula, first: int, last: int, words: _Words) -> _Clause | None:
    it = _assertion(formula, words)
    if it is None or it.both:  # that both did leaves open whether at the same time
        return None
    # Neither "was not born between 1719 and 1743" nor "was not born in the 1720s" is asked: a denial of a window is
    # what strangers found stilted.
    if it.point and words.unit.granularity is Granularity.YEAR:
        # Nor "during the 1940s", which is said of what lasts, nor "was it in the 1940s that …".
        decade = words.unit.decade(first, last)
        return _Clause(f"{it.says} in {decade}", "", f"{it.asks} in {decade}?") if decade else None
    if (year := words.unit.whole_year(first, last)) and it.fills:
        return _Clause(
            f"{it.says} at some time in {year}",
            f"{it.denies} at any time in {year}",
            f"{it.asks} at any time in {year}?",
            f"{it.asks} at any point in {year}?",
        )
    between = "between {} and {}".format(*words.unit.span(first, last))
    if it.point:
        return _Clause(f"{it.says} {between}", "", f"{it.asks} {between}?", f"{it.asks} sometime {between}?")
    return _Clause(
        f"{it.says} at some time {between}",
        f"{it.denies} at any time {between}" if it.fills else "",
        f"{it.asks} at any time {between}?",
        f"{it.asks} at any point {between}?",
    )


def _in_every(formula: f.Formula, first: int, last: int, words: _Words) -> _Clause | None:
    it = _assertion(formula, words)
    if it is None or it.point or isinstance(formula, f.Or):  # what happens once does not happen year after year
        return None
    if (year := words.unit.whole_year(first, last)) and it.fills:
        return _Clause(
            f"{it.says} throughout {year}",
            f"{it.says} for only part of {year}",
            f"{it.asks} throughout {year}?",
            f"{it.asks} for the whole of {year}?",
        )
    begin, end = words.unit.span(first, last)
    period = f"throughout the period from {begin} to {end}"
    every = (
        f"for the entire period from {begin} to {end}"
        if it.fills
        else f"in every {words.unit.noun} from {begin} to {end}"
    )
    return _Clause(
        f"{it.says} {period}",
        "" if it.fills else f"there was a time between {begin} and {end} when {it.denies}",
        f"{it.asks} {period}?",
        f"{it.asks} {every}?",
    )


def _until(formula: f.Until, at: int, words: _Words) -> _Clause | None:
    """Of a term that is asked about from a unit that another's, or its own, fills."""
    if formula.first < 2 or not isinstance(formula.left, f.Atom) or not isinstance(formula.right, f.Atom):
        return None
    state, event = words.phrases[formula.left.name], words.phrases[formula.right.name]
    if not state.fills or not event.point:
        return None
    it = _assertion(formula.left, words)
    assert it is not None
    time = f"from {words.unit.name(at)} until {event.subject} {event.predicate}"
    # By what is said, not in turn, so that neither makes too much of a suite and each stays what it is.
    ways = _THROUGHOUT if zlib.crc32(it.says.encode()) % 2 else _WITHOUT_A_BREAK
    lasted, again = (f"{way} {time}" for way in ways)
    # Whatever denies it has a second "when" or "only part of" in it, at which strangers stumbled.
    return _Clause(f"{it.says} {lasted}", "", f"{it.asks} {lasted}?", f"{it.asks} {again}?")


_THROUGHOUT = ("throughout the period", "for the entire period")
_WITHOUT_A_BREAK = ("without a break", "continuously")
"""What says that something lasted all the time, in a question and once more in other words. Strangers found clumsy
"from … until …, … the whole time"."""


def _large(text: str) -> str:
    return text[0].upper() + text[1:]


def _small(text: str) -> str:
    return text[0].lower() + text[1:]
