"""An open question before it is chosen: what it asks, what it wants, and what shows that nothing else is right."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.difficulty import Difficulty, Precision
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.suites.open.asked_twice import AskedSlots
from halluvault_tasks.benchmark.suites.open.fact import (
    NAME,
    OpenFact,
    WantedDate,
    WantedItem,
    WantedNames,
    WantedNumber,
)
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named, names_alike, tokens
from halluvault_tasks.benchmark.wording.sentences import Date, date_text
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.single_slots import DatedValue
from halluvault_tasks.wikidata.times import DAY

Wanted = WantedNames | WantedDate | WantedNumber


class OpenDraft(NamedTuple):
    """An open question before it is chosen.

    Attributes:
        domain: of what it names.
        kind: direct, inverse, composite, transitive or time.
        asks: as `OpenFact.asks`.
        way: the pattern of its words: what is asked alike.
        identity: what makes it the same question next month, whatever is right then.
        pid, subject, object: the fact that it turns on, as a yes/no question on it has them.
        named: items that the question names.
        rests: properties of the statements that it rests on.
        sids: those statements.
        facts: the same for a proof.
        paired: the month asks about the same slot with yes and no, so that the two can be held against each other.
    """

    domain: str
    kind: str
    asks: str
    way: str
    identity: tuple[object, ...]
    question: str
    gold: str
    wanted: Wanted
    pid: int
    subject: int
    object: int | None
    named: tuple[int, ...]
    rests: frozenset[int]
    sids: tuple[int, ...]
    told: str
    premises: tuple[Mapping[str, Any], ...]
    facts: Facts
    relation: str = ""
    formula: str = ""
    licence: LicenceKind = LicenceKind.PROVED
    hops: int = 1
    bridged: bool = False
    precision: Precision = Precision.NONE
    difficulty: Difficulty = Difficulty()
    paired: bool = False

    @property
    def group(self) -> str:
        """Id of the fact that it asks."""
        return content_id(NAME, *self.identity)

    def is_asked_in(self, asked: AskedSlots) -> bool:
        """Whether yes/no questions are about its slot, from the same end."""
        (start, *more) = self.named
        turned = not self.bridged and start != self.subject
        return not more and start in (asked.backwards if turned else asked.forwards).get(self.relation, ())

    @property
    def items(self) -> set[int]:
        """Everything that it names or is about."""
        return {*self.named, self.subject, *(() if self.object is None else (self.object,))}

    @property
    def cell(self) -> tuple[str, str]:
        """Domain and kind."""
        return self.domain, self.kind

    def case(self) -> Case:
        """As a case."""
        fact = OpenFact(
            asks=self.asks,
            wanted=self.wanted,
            licence="list" if self.licence is LicenceKind.LIST else "proved",
            relation=self.relation,
            formula=self.formula,
            hops=self.hops,
            difficulty=self.difficulty.as_json(),
            told=self.told,
        )
        return Case(
            id=content_id(self.question, self.gold, self.group, "original"),
            question=self.question,
            gold=self.gold,
            group_id=self.group,
            mutation="original",
            relation="same",
            suite=NAME,
            domain=self.domain,
            rule_kind=self.kind,
            property=self.pid,
            subject=self.subject,
            object=self.object,
            fact=fact.model_dump(mode="json"),
            premises=[dict(one) for one in self.premises],
            proof=open_answer.answer(self.facts),
            licence=self.licence,
        )


def wanted_items(index: EntityIndex, items: Iterable[int]) -> WantedNames:
    """Items by all their names."""
    entities = index.entities

    def names(qid: int) -> tuple[str, ...]:
        label = index.namer.plain(qid)
        said = index.namer.named(qid)
        return tuple(dict.fromkeys((label, *((said.name,) if said.name and not said.described else ()),
                                    *entities[qid].aliases)))  # fmt: skip

    return WantedNames(items=tuple(WantedItem(qid=qid, names=names(qid)) for qid in items))


def date_words(value: DatedValue) -> str:
    """A day or a year as people write it: "14 March 1879", "1879"."""
    return date_text(printed(value)).partition(" ")[2]


def printed(value: DatedValue) -> Date:
    """A date as it is printed, in its own calendar."""
    premise = value.premise
    julian = None if premise.julian is None else premise.p in premise.julian
    return Date(value.earliest, value.precision, julian if value.precision == DAY else None)


def wanted_date(value: DatedValue) -> WantedDate:
    """A day or a year."""
    return WantedDate(
        earliest=value.earliest, latest=value.latest, precision=value.precision, julian=value.julian
    )  # fmt: skip


_CAPITAL = re.compile(r"\b[A-Z]")


def holds_answer(index: EntityIndex, question: str, said: Iterable[Named], items: Iterable[int]) -> bool:
    """Whether a question holds its answer: a whole name of it, or what begins as a place's name does."""
    words = tokens(question)
    names = [named.name for named in said]
    for qid in items:
        known = index.entities[qid]
        labels = [one for one in (known.label or "", *known.aliases) if tokens(one)]
        if any(tokens(one) <= words for one in labels):
            return True
        person = bool(known.types & _humans(index))
        if not person and any(names_alike(known.label or "", name) for name in names):
            return True
        if person and len(tokens(known.label or "") & words) > 1:
            return True
    return False


def hints_at_country(said: Iterable[Named]) -> bool:
    """Whether a description says of which country something is: "the French painter"."""
    return any(named.described and _CAPITAL.search(named.name.replace(named.bare, "")) for named in said)


def _humans(index: EntityIndex) -> frozenset[int]:
    return index.kind("human")
