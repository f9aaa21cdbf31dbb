"""Formulas about two or three events of one story: how they are built, read back, and said in English.

| form | formula | asked |
|-|-|-|
| age | `F[0,w] (birth & F[30,w] event)` | Had X already turned thirty when … was first released? |
| | with the own death | Did X reach the age of thirty? |
| ages | `F[0,w] (birth & F[30,w] event) & F[0,w] (birth' & F[30,w] event')` | Had both X and Y already turned …? |
| young | `F[0,w] (birth & F[0,29] event) \\| …` | Was either X or Y still under thirty when …? |
| apart | `F[0,w] (birth & F[11,w] birth')` | Was X born more than ten years before Y? |
| same | `F[0,w] (birth & birth')`, `F[0,w] (death & death')` | Were X and Y born in the same year? |
| held | `F[0,w] (event & term)` | Was X Home Secretary when Y died? |
| after | `F[0,w] (event & N term)` | Was X Home Secretary in the year after Y died? |

The event is a birth, a death or a first release; `apart` is asked of each. No year is named: w is so wide that the
whole story lies within, and a century on either side, so that a date which somebody gets wrong does, too.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.kinds import KINDS
from halluvault_tasks.temporal.verbalise import Phrase, QueryWording

Form = Literal["age", "ages", "young", "apart", "same", "held", "after"]

TERMS = ("held", "after")
"""Forms about a term."""

NUMBERS = {
    5: "five", 10: "ten", 15: "fifteen", 20: "twenty", 25: "twenty-five", 30: "thirty", 40: "forty", 50: "fifty",
    60: "sixty", 70: "seventy", 80: "eighty", 90: "ninety",
}  # fmt: skip
"""Years that an age or a distance is compared with. All are multiples of five, by which `read` knows "at least" (30)
from "more than" (31)."""


class Story(NamedTuple):
    """What a formula asks.

    Args:
        form: see above.
        of: births that are asked about, of `apart` and `same` the earlier event, of terms the event that names a time.
        events: when that is, for each of them or for all; of `apart` and `same` the later event; the term.
        years: what is compared with, in years; 0 where nothing is.
    """

    form: Form
    of: tuple[str, ...]
    events: tuple[str, ...]
    years: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All its atoms."""
        return (*self.of, *self.events)

    @property
    def lived(self) -> bool:
        """Whether it is about the age that somebody came to."""
        return (
            self.form in ("age", "ages", "young") and self.of[0].partition("_")[2] == self.events[0].partition("_")[2]
        )


def build(story: Story, wide: int) -> f.Formula:
    """The formula of a story.

    Args:
        story: what is asked.
        wide: w, in years.
    """
    events = story.events * len(story.of) if len(story.events) == 1 else story.events
    pairs = [(f.Atom(birth), f.Atom(event)) for birth, event in zip(story.of, events, strict=True)]

    def met(least: int, most: int) -> list[f.Formula]:
        return [f.Finally(0, wide, f.And(birth, f.Finally(least, most, event))) for birth, event in pairs]

    match story.form:
        case "age":
            return met(story.years, wide)[0]
        case "ages":
            return f.And(*met(story.years, wide))
        case "young":
            return f.Or(*met(0, story.years - 1))
        case "apart":
            return met(story.years + 1, wide)[0]
        case "same":
            return f.Finally(0, wide, f.And(*pairs[0]))
        case "held":
            return f.Finally(0, wide, f.And(*pairs[0]))
        case "after":
            ((event, term),) = pairs
            return f.Finally(0, wide, f.And(event, f.Next(term)))


def read(formula: f.Formula) -> Story | None:
    """What a formula asks; None where it is of no such form."""
    match formula:
        case f.And(left=f.Finally() as left, right=f.Finally() as right):
            return _joined("ages", read(left), read(right))
        case f.Or(left=f.Finally() as left, right=f.Finally() as right):
            return _joined("young", _under(left), _under(right))
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Finally(first=least, arg=f.Atom(event)))):
            form: Form = "apart" if least % 5 else "age"
            return Story(form, (name,), (event,), least - least % 5)
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Next(arg=f.Atom(term)))):
            return Story("after", (name,), (term,))
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Atom(event))):
            return Story("held" if KINDS[event.partition("_")[0]].lasts else "same", (name,), (event,))
        case _:
            return None


def _under(formula: f.Finally) -> Story | None:
    match formula:
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Finally(first=0, last=most, arg=f.Atom(event)))):
            return Story("young", (name,), (event,), most + 1)
        case _:
            return None


def _joined(form: Form, left: Story | None, right: Story | None) -> Story | None:
    if left is None or right is None or (left.form, left.years) != (right.form, right.years):
        return None
    return Story(form, left.of + right.of, tuple(dict.fromkeys(left.events + right.events)), left.years)


def worded(story: Story, phrases: Mapping[str, Phrase]) -> QueryWording:
    """The English of a story. Its denial is what people say instead: who had not turned thirty was still under thirty.

    Args:
        story: what is asked.
        phrases: of each of its atoms.
    """
    if story.form in TERMS:
        return _during(story, phrases[story.of[0]], phrases[story.events[0]])
    first, event = phrases[story.of[0]].subject, phrases[story.events[0]]
    number, dies = NUMBERS.get(story.years, ""), event.base == "die"
    match story.form:
        case "age" | "ages":
            yes, no = _ages(story, phrases, number)
        case "young":
            no, yes = _ages(story, phrases, number)
        case "apart" if dies:
            yes, no = (
                _Sentence("Did", event.subject, f"outlive {first} by {than} than {number} years") for than in _THAN
            )
        case "apart":
            yes, no = (
                _Sentence("Was", first, f"{event.base} {than} than {number} years before {event.subject}")
                for than in _THAN
            )
        case _:
            auxiliary = "Did" if dies else "Were"
            yes, no = (
                _Sentence(auxiliary, f"{first} and {event.subject}", f"{event.base} in {years}") for years in _YEARS
            )
    return QueryWording(yes.asked, yes.stated, no.stated, opposite=no.asked)


def _during(story: Story, event: Phrase, term: Phrase) -> QueryWording:
    """That a term was going on when something happened, or in the year that followed."""
    happened = f"{event.subject} {event.predicate}"
    when = f"when {happened}" if story.form == "held" else f"in the year after {happened}"
    return QueryWording(
        f"{term.auxiliary} {term.subject} {term.base} {when}?",
        f"{term.subject} {term.predicate} {when}.",
        f"{term.subject} {term.auxiliary.lower()} not {term.base} {when}.",
        paraphrase=f"{when[0].upper()}{when[1:]}, {term.auxiliary.lower()} {term.subject} {term.base}?",
    )


def _ages(story: Story, phrases: Mapping[str, Phrase], number: str) -> tuple["_Sentence", "_Sentence"]:
    """That all had turned so many years, and that not all had."""
    names = [phrases[name].subject for name in story.of]
    both, either = (f"both {' and '.join(names)}", f"either {' or '.join(names)}") if len(names) > 1 else names * 2
    if story.lived:
        return (
            _Sentence("Did", both, f"reach the age of {number}"),
            _Sentence("Did", either, f"die before turning {number}"),
        )
    event = phrases[story.events[0]]
    when = f"when {event.subject} {event.predicate}"
    return (
        _Sentence("Had", both, f"already turned {number} {when}"),
        _Sentence("Was", either, f"still under {number} {when}"),
    )


_THAN = ("more", "less")
_YEARS = ("the same year", "different years")
_PAST = {"outlive": "outlived", "die": "died", "reach": "reached"}


class _Sentence(NamedTuple):
    """A question in the order of its words, from which its statement is made."""

    auxiliary: str
    subject: str
    rest: str

    @property
    def asked(self) -> str:
        return f"{self.auxiliary} {self.subject} {self.rest}?"

    @property
    def stated(self) -> str:
        # As a statement "either" sounds as if the speaker did not know which of them.
        subject = re.sub("^either (.*) or ", r"at least one of \1 and ", self.subject)
        if self.auxiliary == "Did":
            verb, _, object_ = self.rest.partition(" ")
            return f"{subject} {_PAST[verb]} {object_}."
        return f"{subject} {self.auxiliary.lower()} {self.rest}."
