"""The wordings of every property that may be asked about: `config/lexicon.yaml`, checked when it is loaded.

A property without an entry is never asked about. Raw property labels are unusable as English (of 1,711 item
properties 307 end in a preposition, 57 contain a slash or comma), so each entry has whole sentences with slots,
written and read one by one (by a language model; no person has reviewed them).
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from halluvault_tasks.benchmark.wording.forms import NEGATION, EndKinds, Form, Strict, as_list, slots_of, states
from halluvault_tasks.benchmark.wording.open_wording import OpenSection
from halluvault_tasks.temporal.kinds import KINDS
from halluvault_tasks.wikidata import yaml_files
from halluvault_tasks.wikidata.ids import WrittenPid, WrittenQid, WrittenRelation
from halluvault_tasks.wikidata.relation import Kind, Relation


def _atom_kind(name: str) -> str:
    if name not in KINDS:
        raise ValueError(f"{name!r} is no kind of temporal atom; there are {', '.join(sorted(KINDS))}")
    return name


_WHENEVER = re.compile(r"\b(?:ever|never)\b")
"""Words that leave open when it was so."""

WrittenAtomKind = Annotated[str, AfterValidator(_atom_kind)]


class PresentForm(Form):
    """The plain present of what is time-bound, for an end of which one value alone was ever stated, without an end.

    Nobody asks whether Lansing has ever been the capital of Michigan, or says that it never was.
    """

    of: Literal["s", "o"]
    """The end that has the one value."""

    by: WrittenPid
    """The property whose value that is."""

    turned: WrittenPid = 0
    """The property that says so from the other end, if there is one."""

    never: dict[WrittenQid, str] = Field(default_factory=dict)
    """Of which there are several, whatever is stated."""


class Entry(Strict):
    """The wording of one property, or of one use of it."""

    label: str
    """For readers of the file; never in a question."""

    category: Literal["noun", "passive", "active"]
    """Grammatical category of the relation (HalluVault, table 1)."""

    relation: str
    """Phrase between subject and object in a premise triple."""

    subject: EndKinds = EndKinds()
    object: EndKinds = EndKinds()
    past: Form | None = None
    """For what is over."""

    open: Form | None = None
    """For what may go on: present, or "has ever"."""

    standing: PresentForm | None = None
    """Instead of `open`, for what stands."""

    past_when: Literal["subject", "object", "any", "both"] = "any"
    """Whose certain end makes the past form right. With one form only, that form is always right."""

    presupposes: tuple[Literal["dead:s", "dead:o", "ended:s", "ended:o"], ...] = ()
    """What a question takes for granted, and so must be certain (semantics.md §3.2)."""

    time_bound: bool = False
    """Asked only with "ever" (semantics.md §3.3), or as `standing`: no proof of a "No" covers all time."""

    ask_no: bool = True
    """Whether a question may be asked of whose base it is proved that it is false. What a list or a measure licenses
    (semantics.md §1.10) is licensed in these words."""

    ask: bool = True
    """False: worded as a premise only; `reason` says why."""

    ask_checked: bool = True
    """Whether what people found to be false is asked."""

    converse: Literal["keeps", "flips", "none"] = "none"
    """What turning the relation round does to the answer: a symmetric relation keeps it, one that runs one way
    (config/rules.yaml, `asymmetric`) flips it, of any other nothing is known."""

    exclusive: bool = False
    """There is exactly one true value, so that another one, where the licence allows it, is a contrary."""

    of_one: bool = False
    """Its object has it of one subject alone, where the licence allows it: a moon has one planet."""

    apart: bool = False
    """Two places are shown to lie apart, so that one is not in the other (semantics.md §1.3)."""

    dated: bool = False
    """Asked only where the statement says since when or until when: "has worked for" may mean a lecture."""

    over: bool = False
    """Asked only where the statement has an end, or one of its two ends is over: nobody asks of a couple whether they
    were "ever" married."""

    recall: bool = True
    """Whether it is asked in the suite recall, without anything false beside it."""

    alike: bool = False
    """Both ends must be of one type: else what they are tells which way round is true."""

    most: int | None = None
    """Most values of the property that are stated of the one whose property it is: where many are, some have another
    part in it than the words say."""

    one_each: bool = False
    """The words take for granted that there is one value: of what two things share each has one ("directed by the same
    person"), of a chain its subject has one first step ("the director of the film was born in")."""

    reason: str = ""

    @model_validator(mode="after")
    def _has_forms(self) -> "Entry":
        if not (self.past or self.open):
            raise ValueError("needs the form `past` or `open`")
        if not self.ask and not self.reason:
            raise ValueError("`ask: false` needs a `reason`")
        shown = self.exclusive or self.of_one or self.apart or self.converse == "flips"
        if self.ask_no and not self.time_bound and not shown:
            raise ValueError(
                "`ask_no` needs `exclusive`, `of_one` or `apart: true`, or `converse: flips`: nothing else shows that "
                "it is false"
            )
        return self

    @model_validator(mode="after")
    def _opposites(self) -> "Entry":
        for form in filter(None, (self.past, self.open)):
            if form.antonym and form.antonym.relation == "contradictory" and not self.exclusive:
                raise ValueError(f"{form.antonym.question!r} contradicts only where `exclusive: true`")
            if form.inverse and form.antonym and form.antonym.relation == "contrary":
                raise ValueError("give the contrary as `inverse` or as `antonym`, not both")
        return self

    @model_validator(mode="after")
    def _whether_ever(self) -> "Entry":
        if not self.time_bound:
            return self
        for sentence in (each for form in filter(None, (self.past, self.open)) for each in form.sentences()):
            asked = sentence.endswith("?") or NEGATION.search(sentence)
            if asked and not _WHENEVER.search(sentence):
                raise ValueError(f"{sentence!r} is time-bound and must say ever or never")
        # What is proved to be false is false at `as_of`; that it never was is more (semantics.md §1.7, §3.3). Other
        # licences are of the very words that are asked (§1.10).
        if self.ask_no:
            raise ValueError("a time-bound property asks whether something ever was: it needs `ask_no: false`")
        return self


Entries = Annotated[list[Entry], BeforeValidator(as_list)]


class BridgeWording(Strict):
    """Phrase that identifies a person by a work that he or she alone made."""

    phrase: str
    """With the slot {o}: "the director of {o}"."""

    possessive: str = ""
    """The same before a short name: "{o}'s father"; of Elisabeth of Bavaria the phrase is said."""

    work: EndKinds = EndKinds()
    """What the work must be: films have one director, series do not."""

    @field_validator("phrase", "possessive")
    @classmethod
    def _has_slot(cls, value: str) -> str:
        if value and slots_of(value) != ["o"]:
            raise ValueError(f"{value!r} must have the slot {{o}} once and no other")
        return value


class Trade(Strict):
    """What somebody may be called by who has no description: "the physicist Max Born"."""

    said: str
    occupations: tuple[WrittenQid, ...] = Field(min_length=1)
    """Items of it (P106)."""

    spoken_by: tuple[WrittenPid, ...] = ()
    """Properties whose statements show that somebody is known for it."""


class DateWording(Strict):
    """A dated premise: `{on}` becomes "on 7 February 1812", "in February 1812" or "in 1812"."""

    relation: str
    statement: str
    subject: EndKinds = EndKinds()

    @field_validator("statement")
    @classmethod
    def _has_slots(cls, value: str) -> str:
        if not {"s", "on"} <= set(slots_of(value)):
            raise ValueError(f"{value!r} must have the slots {{s}} and {{on}}")
        return states(value)


class Terms(Strict):
    """Sentences for the dates that qualify a statement: P580, P582 and P585."""

    start: DateWording | None = None
    end: DateWording | None = None
    point: DateWording | None = None


class Said(Strict):
    """How an event or state of one kind is said (`temporal.verbalise.Phrase`)."""

    predicate: str
    """Finite past: "was in progress"."""

    auxiliary: Literal["Was", "Did"]
    base: str
    """What follows the subject in a question: "in progress"."""

    paraphrase: str = ""
    """Another word for `base`, where people have one: "living" for "alive"."""

    over: str = ""
    """What has happened by the time when it no longer holds, where people say that: "had died"."""

    subject: EndKinds = EndKinds()


class Title(Strict):
    """What who heads a country is called there."""

    title: str
    """Without an article: "Prime Minister of Denmark"."""

    began: str = "took over"
    """What somebody did who became it."""

    never: dict[WrittenQid, str] = Field(default_factory=dict)
    """Heads who were called otherwise, and are not asked about as such."""


def _as_title(value: object) -> object:
    return {"title": value} if isinstance(value, str) else value


Titles = dict[WrittenQid, Annotated[Title, BeforeValidator(_as_title)]]


class Lexicon(Strict):
    """The whole file."""

    kinds: dict[str, tuple[WrittenQid, ...]]
    """Name → classes; an entity is of a kind if a type of it, or a superclass in the snapshot, is listed."""

    nouns: dict[WrittenQid, str]
    """Class → the noun that introduces a quoted title: the film “Up”."""

    mass: tuple[WrittenQid, ...] = ()
    """Classes whose members' common names take no article."""

    sorts: dict[WrittenQid, str] = Field(default_factory=dict)
    """Class → what stands before a name that something else bears, too: the moon Io, the city of Miami."""

    trades: tuple[Trade, ...] = ()
    """What people without a description are called by; of several that nothing speaks of, the first."""

    adjectives: dict[WrittenQid, str] = Field(default_factory=dict)
    """Country → how what lies in it is called: the US city of Wheeling."""

    names: dict[WrittenQid, str] = Field(default_factory=dict)
    """Entities whose name in a sentence a person wrote down."""

    properties: dict[WrittenPid, Entries]
    not_asked: dict[WrittenPid, str] = Field(default_factory=dict)
    """Properties of config/domains.yaml that have no wording, and why."""

    relations: dict[WrittenRelation, Entries] = Field(default_factory=dict)
    """Relations without a property, written as in rules.yaml (`P22/P25`)."""

    shared: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """Composites of what two subjects share, by property."""

    orders: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """Composites of two dates: which of two of a kind came first, by the property of the date."""

    inverses: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """Properties read from their object, where Wikidata has no property for that: `{s}` is the object."""

    bridges: dict[WrittenPid, BridgeWording] = Field(default_factory=dict)
    """What calls a person by a work, by the property that joins them."""

    years: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """The year of a date that a thing has one of; `{o}` is the year."""

    ages: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """The age of the subject at a date, by its property; `{o}` is the number of years."""

    countries: dict[WrittenPid, Entries] = Field(default_factory=dict)
    """The country of a settlement today, by the property that says so."""

    dates: dict[WrittenPid, Annotated[list[DateWording], BeforeValidator(as_list)]] = Field(default_factory=dict)
    """Properties whose value is a date, as premises; the first that fits the subject."""

    terms: dict[WrittenPid, Terms] = Field(default_factory=dict)
    """Properties whose statements are dated by qualifiers, as premises."""

    atoms: dict[WrittenAtomKind, Annotated[list[Said], BeforeValidator(as_list)]] = Field(default_factory=dict)
    """Kind of temporal atom (`temporal.kinds`), by name → its phrases: the first that fits, or another for the like."""

    titles: dict[WrittenPid, Titles] = Field(default_factory=dict)
    """Headships (P35, P6) by country; one without is asked about as in `atoms`."""

    open: OpenSection = OpenSection()
    """Questions of the suite open."""

    @model_validator(mode="after")
    def _asked_or_not(self) -> "Lexicon":
        if twice := sorted(set(self.not_asked) & set(self.properties)):
            raise ValueError(f"P{twice[0]} is in `properties` and in `not_asked`")
        return self

    @model_validator(mode="after")
    def _kinds_exist(self) -> "Lexicon":
        for where, end in self._ends():
            for kind in (*end.any, *end.none):
                if kind not in self.kinds:
                    raise ValueError(f"{where}: kind {kind!r} is not in `kinds` ({', '.join(sorted(self.kinds))})")
        return self

    def _ends(self) -> Iterator[tuple[str, EndKinds]]:
        """What stands at an end of something that is said, with its place in the file."""
        sections: dict[str, dict[int, list[Entry]]] = {name: getattr(self, name) for name in _OF_ENTRIES}
        wording = [(f"{name}.P{pid}", entries) for name, by in sections.items() for pid, entries in by.items()]
        wording += [(f"relations.{relation}", entries) for relation, entries in self.relations.items()]
        yield from ((where, end) for where, entries in wording for one in entries for end in (one.subject, one.object))
        yield from ((f"bridges.P{pid}", bridge.work) for pid, bridge in self.bridges.items())
        yield from ((f"dates.P{pid}", term.subject) for pid, terms in self.dates.items() for term in terms)
        yield from self.open.ends()
        yield from ((f"atoms.{kind}", phrase.subject) for kind, phrases in self.atoms.items() for phrase in phrases)


_OF_ENTRIES = ("properties", "shared", "orders", "inverses", "years", "ages", "countries")


def entries_for(lexicon: Lexicon, relation: Relation) -> list[Entry]:
    """The wordings of a relation."""
    if relation.kind is Kind.CHAIN:
        return lexicon.relations.get(relation, [])
    of = {
        Kind.PROPERTY: lexicon.properties,
        Kind.SHARE: lexicon.shared,
        Kind.ORDER: lexicon.orders,
        Kind.INVERSE: lexicon.inverses,
    }[relation.kind]
    return of.get(relation.properties[0], [])


def load_lexicon(path: Path) -> Lexicon:
    """Read and check the lexicon.

    Raises:
        UserError: names the line, property and field of each fault.
    """
    return yaml_files.load(path, Lexicon)
