"""Formulas about two or three events of one story: how they are built, read back, and said in English.

| form | formula | asked |
|-|-|-|
| age | `F[0,w] (birth & F[30,w] event)` | Had X already turned thirty when … was first released? |
| ages | `F[0,w] (birth & F[30,w] event) & F[0,w] (birth' & F[30,w] event)` | Had both X and Y already turned …? |
| young | `F[0,w] (birth & F[0,29] event) \\| …` | Was either X or Y still under thirty when …? |
| older | `F[0,w] (birth & F[11,w] birth')` | Was X born more than ten years before Y? |
| outlived | `F[0,w] (death & F[11,w] death')` | Did Y outlive X by more than ten years? |
| same | `F[0,w] (birth & birth')`, `F[0,w] (death & death')` | Were X and Y born in the same year? |

The event is a birth, a death or a first release. No year is named: w is so wide that the whole story lies within, and a
century on either side, so that a date which somebody gets wrong does, too.
"""

from typing import Literal, NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.verbalise import Phrase, Wording

Form = Literal["age", "ages", "young", "older", "outlived", "same"]

NUMBERS = {
    5: "five", 10: "ten", 15: "fifteen", 20: "twenty", 25: "twenty-five", 30: "thirty", 40: "forty", 50: "fifty",
    60: "sixty", 70: "seventy", 80: "eighty",
}  # fmt: skip
"""Years that an age or a distance is compared with. All are multiples of five, by which `read` knows "at least" (30)
from "more than" (31)."""


class Story(NamedTuple):
    """What a formula asks.

    Args:
        form: see above.
        of: births or deaths that are asked about.
        event: atom of when that is; of `older`, `outlived` and `same` the other one.
        years: what is compared with, in years; 0 where nothing is.
    """

    form: Form
    of: tuple[str, ...]
    event: str
    years: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """All its atoms."""
        return (*self.of, self.event)


def build(story: Story, wide: int) -> f.Formula:
    """The formula of a story.

    Args:
        story: what is asked.
        wide: w, in years.
    """
    event = f.Atom(story.event)
    first, *others = map(f.Atom, story.of)

    def met(one: f.Atom, least: int, most: int) -> f.Formula:
        return f.Finally(0, wide, f.And(one, f.Finally(least, most, event)))

    match story.form:
        case "age":
            return met(first, story.years, wide)
        case "ages":
            return f.And(met(first, story.years, wide), met(others[0], story.years, wide))
        case "young":
            return f.Or(met(first, 0, story.years - 1), met(others[0], 0, story.years - 1))
        case "older" | "outlived":
            return met(first, story.years + 1, wide)
        case "same":
            return f.Finally(0, wide, f.And(first, event))


def read(formula: f.Formula) -> Story | None:
    """What a formula asks; None where it is of no such form."""
    match formula:
        case f.And(left=f.Finally() as left, right=f.Finally() as right):
            return _joined("ages", read(left), read(right))
        case f.Or(left=f.Finally() as left, right=f.Finally() as right):
            return _joined("young", _under(left), _under(right))
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Finally(first=least, arg=f.Atom(event)))):
            if least % 5 == 0:
                return Story("age", (name,), event, least)
            form: Form = "outlived" if name.startswith("death_") else "older"
            return Story(form, (name,), event, least - 1)
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Atom(event))):
            return Story("same", (name,), event)
        case _:
            return None


def _under(formula: f.Finally) -> Story | None:
    match formula:
        case f.Finally(first=0, arg=f.And(left=f.Atom(name), right=f.Finally(first=0, last=most, arg=f.Atom(event)))):
            return Story("young", (name,), event, most + 1)
        case _:
            return None


def _joined(form: Form, one: Story | None, other: Story | None) -> Story | None:
    if one is None or other is None or one[2:] != other[2:]:
        return None
    return Story(form, (*one.of, *other.of), one.event, one.years)


def worded(story: Story, phrases: dict[str, Phrase]) -> Wording:
    """The English of a story. Its denial is what people say instead: who had not turned thirty was still under thirty.

    Args:
        story: what is asked.
        phrases: of each of its atoms.
    """
    one, *others = (phrases[name].subject for name in story.of)
    event, number = phrases[story.event], NUMBERS.get(story.years, "")
    when, other = f"when {event.subject} {event.predicate}", event.subject
    match story.form:
        case "age":
            yes, no = ("Had", one, f"already turned {number} {when}"), ("Was", one, f"still under {number} {when}")
        case "ages":
            yes = ("Had", f"both {one} and {others[0]}", f"already turned {number} {when}")
            no = ("Was", f"either {one} or {others[0]}", f"still under {number} {when}")
        case "young":
            yes = ("Was", f"either {one} or {others[0]}", f"still under {number} {when}")
            no = ("Had", f"both {one} and {others[0]}", f"already turned {number} {when}")
        case "older":
            yes, no = (("Was", one, f"born {than} than {number} years before {other}") for than in ("more", "less"))
        case "outlived":
            yes, no = (("Did", other, f"outlive {one} by {than} than {number} years") for than in ("more", "less"))
        case "same":
            verb = ("Were", "born") if event.base == "born" else ("Did", "die")
            yes, no = ((verb[0], f"{one} and {other}", f"{verb[1]} in {which}") for which in _YEARS)
    return Wording(_asked(*yes), _said(*yes), _said(*no), opposite=_asked(*no))


_YEARS = ("the same year", "different years")
_PAST = {"outlive": "outlived", "die": "died"}


def _asked(auxiliary: str, subject: str, rest: str) -> str:
    return f"{auxiliary} {subject} {rest}?"


def _said(auxiliary: str, subject: str, rest: str) -> str:
    if auxiliary == "Did":
        verb, _, object_ = rest.partition(" ")
        return f"{subject} {_PAST[verb]} {object_}."
    return f"{subject} {auxiliary.lower()} {rest}."
