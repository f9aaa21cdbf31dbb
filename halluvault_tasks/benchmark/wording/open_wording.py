"""Wordings of questions that want a name, a date or a number: section `open` of `config/lexicon.yaml`."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from halluvault_tasks.benchmark.wording.forms import NEGATION, EndKinds, Strict, slots_of, states
from halluvault_tasks.wikidata.ids import WrittenPid, WrittenQid, WrittenRelation

Answer = Literal["item", "items", "count", "number", "day", "year"]
"""What is wanted: the one item of a slot, all items of a complete list or their number, its number, day or year."""


def _has(*slots: str) -> AfterValidator:
    def check(text: str) -> str:
        if sorted(slots_of(text)) != sorted(slots):
            raise ValueError(f"{text!r} must have the slots {', '.join(f'{{{slot}}}' for slot in slots)} once each")
        return text

    return AfterValidator(check)


def _asks_of(*slots: str) -> AfterValidator:
    has = _has(*slots)

    def check(text: str) -> str:
        has.func(text)  # type: ignore[call-arg]
        if not text.endswith(("?", "separated by semicolons.")):
            raise ValueError(f"{text!r} must ask: end in a question mark")
        if NEGATION.search(text):
            raise ValueError(f"{text!r} is negated")
        return text

    return AfterValidator(check)


AskedOfSubject = Annotated[str, _asks_of("s")]
AskedOfSeat = Annotated[str, _asks_of("o", "on")]
AskedOfMoment = Annotated[str, _asks_of("s", "o", "on")]
AskedOfTermSince = Annotated[str, _asks_of("s", "o", "on", "he")]
AskedOfBoth = Annotated[str, _asks_of("s", "o")]


class OpenWording(Strict):
    """A question for the value of a property."""

    asks: str
    """What for, in a word or two that people read: who, where, which day."""
    answer: Answer
    question: AskedOfSubject
    of_living: AskedOfSubject | None = None
    """The question of somebody who is alive, as far as is known."""
    says: str = ""
    """A word that the answer's name must hold, where the question says what it is."""
    least_words: int = Field(default=1, ge=1)
    """Words of the subject's label: there are several albums of a short title."""
    most_words: int = Field(default=1000, ge=1)
    """The same, at most: what is called by a number was not named when it was found."""
    one: AskedOfSubject | None = None
    """Of `items`: the question where there is one alone."""
    most: int = Field(default=4, ge=1)
    """Of `items`: how many names anybody is asked to list."""
    statement: str
    """The fact: with {s} and {o}, or {s} and {on}."""
    subject: EndKinds = EndKinds()
    object: EndKinds = EndKinds()
    corroborated: bool = False
    """Whether a date must be stated to the day, or more than once: bare years of releases are often announcements."""
    alone: bool = False
    """Whether the subject's label must name one thing: Van Allen Probes were two."""
    placed: bool = False
    """Whether a region is told by its country unless it is well known: there are two La Riojas."""
    of_phrases: bool = True
    """Whether it is asked of what is called by its place in a slot, too."""
    never: dict[WrittenQid, str] = Field(default_factory=dict)
    """Subjects that have several values, whatever is stated."""

    @model_validator(mode="after")
    def _fits_its_answer(self) -> "OpenWording":
        other = "on" if self.answer in ("day", "year") else "o"
        if sorted(slots_of(self.statement)) != sorted(("s", other)):
            raise ValueError(f"{self.statement!r} must have the slots {{s}} and {{{other}}} once each")
        if (self.answer == "items") != (self.one is not None):
            raise ValueError("`one` is given with `answer: items`, and with it alone")
        return self

    @field_validator("statement")
    @classmethod
    def _states(cls, value: str) -> str:
        return states(value)


class SingleReason(Strict):
    """Why a subject has one value of a property that no rule of the month calls functional."""

    reason: str
    by_nature: bool = False
    """Else the month must show it (`reasoning.single_slots`)."""


class SlotPhrase(Strict):
    """What calls something by its place in the one slot of something else."""

    phrase: str
    possessive: str = ""
    """The same before a short name: "{s}'s father"."""
    subject: EndKinds = EndKinds()

    @field_validator("phrase", "possessive")
    @classmethod
    def _has_slot(cls, value: str) -> str:
        if value and slots_of(value) != ["s"]:
            raise ValueError(f"{value!r} must have the slot {{s}} once and no other")
        return value


class DerivedWording(Strict):
    """A question for what several statements give, the country of a place or an age, or for the other end of one."""

    asks: str
    question: AskedOfSubject
    statement: str
    subject: EndKinds = EndKinds()
    """Of what is named."""
    object: EndKinds = EndKinds()
    never: dict[WrittenQid, str] = Field(default_factory=dict)
    """Answers that are not asked for, and why."""
    plain: dict[WrittenQid, str] = Field(default_factory=dict)
    """Answers that are not asked for of what is named itself, and why."""
    after: dict[WrittenPid, AskedOfBoth] = Field(default_factory=dict)
    """The question where a place is that of a slot, by its property; {s} is whose slot it is. {o} stands for "country",
    or for "present-day country" where the country may have been another one then."""
    steady: dict[WrittenQid, int] = Field(default_factory=dict)
    """Country → the year since which what lies in it has lain in it, and was called so."""


class HolderWording(Strict):
    """A question for what somebody was at the head of, of which nothing else is stated that they were."""

    asks: str
    heads: str
    """With what the names of such offices begin."""
    question: AskedOfSubject
    statement: str
    object: EndKinds = EndKinds()


class TermWording(Strict):
    """Questions about who held something, of which one holds it at a time; {on} is a day or a year."""

    who: AskedOfSeat
    statement: str
    years: AskedOfTermSince | None = None
    """How many full years a term lasted; {on} is the year in which it began, {he} its holder."""
    when: AskedOfMoment | None = None
    """Who held it when something happened; {on} is `MomentWording.said`."""


class MomentWording(Strict):
    """What happened once, as the time at which somebody held something."""

    said: str
    """What follows the name: "was born"."""
    statement: str
    subject: EndKinds = EndKinds()


class FirstWording(Strict):
    """Which of several came first; {s} is their names."""

    question: AskedOfSubject
    numbered: bool = False
    """Whether they are called by one word or with a number, so that no name needs an article."""
    subject: EndKinds = EndKinds()


class OpenSection(Strict):
    """Section `open`."""

    questions: dict[WrittenPid, list[OpenWording]] = Field(default_factory=dict)
    single: dict[WrittenPid, SingleReason] = Field(default_factory=dict)
    phrases: dict[WrittenPid, SlotPhrase] = Field(default_factory=dict)
    kin: dict[WrittenRelation, str] = Field(default_factory=dict)
    """Chain of parents → the word for it: grandfather."""
    unclear: dict[WrittenQid, str] = Field(default_factory=dict)
    """What is neither asked about under its name nor asked for, and why."""
    inverse: dict[WrittenPid, DerivedWording] = Field(default_factory=dict)
    """Questions for the subject of a property whose object {s} is."""
    governed: HolderWording | None = None
    headed: tuple[HolderWording, ...] = ()
    """Of which country somebody was at the head, by what that is called there."""
    areas: dict[WrittenQid, DerivedWording] = Field(default_factory=dict)
    """By their class."""
    country: DerivedWording | None = None
    age: DerivedWording | None = None
    terms: dict[WrittenPid, TermWording] = Field(default_factory=dict)
    pronouns: dict[WrittenQid, Literal["he", "she"]] = Field(default_factory=dict)
    """By sex."""
    moments: dict[WrittenPid, MomentWording] = Field(default_factory=dict)
    first: dict[WrittenPid, FirstWording] = Field(default_factory=dict)

    def ends(self) -> list[tuple[str, EndKinds]]:
        """Kinds of ends, each with its place in the file."""
        asked = [(f"open.questions.P{p}", one) for p, several in self.questions.items() for one in several]
        return [
            *((where, end) for where, one in asked for end in (one.subject, one.object)),
            *((f"open.phrases.P{p}", one.subject) for p, one in self.phrases.items()),
            *((f"open.moments.P{p}", one.subject) for p, one in self.moments.items()),
            *((f"open.first.P{p}", one.subject) for p, one in self.first.items()),
        ]
