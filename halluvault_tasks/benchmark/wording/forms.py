"""A sentence pattern of the lexicon, checked: slots, one negation where there may be one, no word of possibility."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

SLOT = re.compile(r"\{([a-z]+)(?::([a-z]+))?\}")
_STYLES = {"a", "bare", "the"}
_KNOWN_SLOTS = {"s", "o", "on", "he"}
_MODAL = re.compile(
    r"\b(can|could|may|might|possibl[ey]|possibility|perhaps|maybe|likely|probabl[ey])\b", re.IGNORECASE
)
NEGATION = re.compile(r"\b(not|never|no|none|neither|nor|nobody|without)\b|n't\b", re.IGNORECASE)
_DOUBLE = re.compile(
    r"\b(outside|unable|impossible|fails?|failed|unrelated|other than|different from)\b", re.IGNORECASE
)


def slots_of(text: str) -> list[str]:
    """The slots of a pattern, in order; a ValueError names what is no slot."""
    slots = []
    for name, style in SLOT.findall(text):
        if name not in _KNOWN_SLOTS:
            raise ValueError(f"slot {{{name}}} of {text!r} is unknown; the slots are {', '.join(sorted(_KNOWN_SLOTS))}")
        if style and style not in _STYLES:
            raise ValueError(
                f"slot {{{name}:{style}}} has no style {style!r}; the styles are {', '.join(sorted(_STYLES))}"
            )
        slots.append(name)
    if re.sub(SLOT, "", text).count("{") or re.sub(SLOT, "", text).count("}"):
        raise ValueError(f"{text!r} has a brace that is not a slot; slots look like {{s}} or {{o:a}}")
    return slots


def _both_slots(text: str) -> str:
    if sorted(slots_of(text)) != ["o", "s"]:
        raise ValueError(f"{text!r} must have the slots {{s}} and {{o}} once each")
    if _MODAL.search(text):
        raise ValueError(f"{text!r} has a word of possibility, which makes everything true")
    return text


def _one_negation(text: str) -> str:
    if len(NEGATION.findall(text)) + len(_DOUBLE.findall(text)) != 1:
        raise ValueError(f"{text!r} must be negated by exactly one word (not, never, no)")
    return text


def _no_negation(text: str) -> str:
    if NEGATION.search(text):
        raise ValueError(f"{text!r} is negated; only the negated form may be")
    return text


def _asks(text: str) -> str:
    if not text.endswith("?"):
        raise ValueError(f"{text!r} must end in a question mark")
    return text


def states(text: str) -> str:
    """The pattern, which must be a statement."""
    if not text.endswith("."):
        raise ValueError(f"{text!r} must end in a full stop")
    return text


def _no_hidden_negation(text: str) -> str:
    if _DOUBLE.search(text):
        raise ValueError(f"{text!r} hides a negation; only an antonym may")
    return text


def as_list(value: object) -> object:
    """A single entry as a list of one."""
    return value if isinstance(value, list) else [value]


Asked = Annotated[str, AfterValidator(_both_slots), AfterValidator(_no_negation), AfterValidator(_asks)]
Question = Annotated[Asked, AfterValidator(_no_hidden_negation)]
Statement = Annotated[str, AfterValidator(_both_slots), AfterValidator(_no_negation), AfterValidator(states)]
Negated = Annotated[str, AfterValidator(_both_slots), AfterValidator(_one_negation), AfterValidator(states)]


class Strict(BaseModel):
    """A part of the file in which an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Paraphrase(Strict):
    """Another wording of the same proposition, with its negation where a person would say that."""

    question: Question
    negated: Negated | None = None
    ask: bool = True
    """Whether it is asked; else it words edit requests alone ("was born in the year 1812")."""


class Antonym(Strict):
    """A question that means the opposite without a word of negation: "Was S born outside O?"."""

    question: Asked
    relation: Literal["contradictory", "contrary"]
    """To the form's own question. Contradictory needs exactly one true value, known (semantics.md §3.1)."""


class Form(Strict):
    """One tense of a property: whole sentences with the slots {s} and {o}."""

    question: Question
    statement: Statement
    negated: Negated
    ask: bool = True
    """Whether it is asked at all; else it words premises alone."""

    ask_negated: bool = True
    """Whether the denial is asked, too; what it says is read in answers all the same."""

    paraphrase: Annotated[tuple[Paraphrase, ...], BeforeValidator(as_list)] = ()
    """Other wordings of the same proposition, one or several."""

    inverse: Paraphrase | None = None
    """The proposition from its other end, in the words of the inverse relation: is S a parent of O."""

    antonym: Antonym | None = None

    def others(self) -> Iterator[tuple[str, Paraphrase]]:
        """Name and sentences of every other wording."""
        for number, one in enumerate(self.paraphrase, 1):
            yield ("paraphrase" if number == 1 else f"paraphrase{number}"), one
        if self.inverse:
            yield "inverse", self.inverse

    def sentences(self) -> Iterator[str]:
        """Every sentence of the form."""
        yield from (self.question, self.statement, self.negated)
        for _, one in self.others():
            yield one.question
            if one.negated:
                yield one.negated
        if self.antonym:
            yield self.antonym.question


class EndKinds(Strict):
    """What an end of the relation must be: of one of the kinds in `any`, of none in `none`, named by no `no_head` or
    `no_label`."""

    any: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    named: bool = False
    """Whether its label must contain a proper name: "President of France" is one office, "fellow" is not."""

    head: tuple[str, ...] = ()
    """Nouns of which a label must be about one: the Battle of Britain was fought, the Fall of Saigon was not."""

    no_head: tuple[str, ...] = ()
    """Nouns that a label may not be about: a member of something holds a seat, not an office."""

    no_label: tuple[str, ...] = ()
    """Labels, in small letters, that say too little: everybody dies of disease or of something else."""

    least_words: int = 1
    """Words of its label, at least: there are several television series of a short title."""

    begun_from: int | None = None
    """Year in which it must have begun, or later, as far as is known."""

    over_from: int | None = None
    """Year in which it must have ended, or later, as far as is known."""
