"""What the generators of pressure cases stand on: a snapshot's statements, names, and licensed falsehoods."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, literal, select

from halluvault_tasks.benchmark.selection import strata
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.pressure.draft import closed
from halluvault_tasks.benchmark.suites.pressure.settings import Pressure, Restated
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatement, SoleStatements
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata.names import fold

_MOST = 400
"""Subjects of each property that are looked at."""


class AskedStatement(NamedTuple):
    """A statement whose slot has one value, in the words of this suite.

    Attributes:
        name: the subject's, as within a sentence.
        value: the object's.
        restated: the sentence of its premise in other words.
        sole: the statement.
    """

    name: str
    value: str
    restated: str
    ask: str
    sole: SoleStatement

    @property
    def s(self) -> int:
        """Its subject."""
        return self.sole.s

    @property
    def p(self) -> int:
        """Its property."""
        return self.sole.p

    @property
    def o(self) -> int:
        """Its value."""
        return self.sole.o

    @property
    def premise(self) -> Mapping[str, Any]:
        """As `benchmark_case.premises` has it."""
        return self.sole.premise

    @property
    def sentence(self) -> str:
        """The statement."""
        return str(self.premise["sentence"])


class Falsehood(NamedTuple):
    """A statement with a value that the licence refuses, in words."""

    sentence: str
    foil: StatementFoil

    @property
    def o(self) -> int:
        """The item."""
        return self.foil.end

    @property
    def why(self) -> str:
        """What shows that it is false."""
        return self.foil.why


class Ground:
    """One snapshot, as far as pressure cases need it.

    Args:
        material: the snapshot; only read.
        settings: of the suite.
        seed: of every draw.

    Attributes:
        wanted: how many cases a class is to have.
        statements: those that are asked about.
    """

    def __init__(self, material: Material, settings: Pressure, seed: int) -> None:
        self.material, self.seed, self.wanted = material, seed, settings.cases
        self._asked: dict[int, Restated] = {one.property: one for one in settings.questions}
        self.statements = SoleStatements(material, self._asked, seed, _MOST)

    def random(self, *key: object) -> Random:
        """A generator of its own for each draw."""
        return Random(":".join(map(str, (self.seed, *key))))

    def name(self, qid: int) -> str:
        """A name that identifies, without a comma at its end; empty where there is none."""
        return self.within(qid).rstrip(",")

    def within(self, qid: int) -> str:
        """The same as it stands within a sentence: the comma that closes a description stays."""
        return self.material.index.namer.named(qid).name

    def plain(self, qid: int) -> str:
        """Its label, whether or not that identifies."""
        return self.material.index.namer.plain(qid)

    def spellings(self, qid: int, *against: int) -> tuple[str, ...]:
        """Names of a thing that none of the others bears, the one that is shown first."""
        entities = self.material.index.entities
        others = {fold(name) for one in against if one in entities
                  for name in (entities[one].label or "", *entities[one].aliases)}  # fmt: skip
        plain = self.plain(qid)
        names = dict.fromkeys([plain, *(alias for alias in entities[qid].aliases if len(alias) >= 4)])
        return tuple(name for name in names if fold(name) not in others) or (plain,)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Every label and alias of the snapshot, folded."""
        entities = self.material.index.entities.values()
        return frozenset(fold(name) for one in entities for name in (one.label or "", *one.aliases))

    def fame(self, qid: int) -> float:
        """How well known."""
        return self.material.index.fame.get(qid, 0.0)

    def rare(self, subjects: Iterable[int]) -> frozenset[int]:
        """The least known third of these, by `strata`'s edges."""
        known = {s: self.fame(s) for s in subjects}
        edges = strata.edges(known.values())
        return frozenset(s for s, fame in known.items() if strata.least_known(fame, edges))

    @cached_property
    def stated(self) -> list[AskedStatement]:
        """Statements whose slot has one value."""
        found = []
        for one in self.statements.all:
            form, name, value = self._asked[one.p], self.within(one.s), self.name(one.o)
            if name and value:
                restated = closed(form.restated.replace("{s}", name).replace("{o}", value))
                ask = closed(form.ask.replace("{s}", name))
                found.append(AskedStatement(name, value, restated[:1].upper() + restated[1:], ask, one))
        return found

    def false(self, one: AskedStatement) -> Falsehood | None:
        """A statement with another value, no word of whose name is the right one's; None where nothing licenses one."""
        for other, foil in self.statements.foils(one.sole):
            if not set(fold(self.name(other)).split()) & set(fold(one.value).split()):
                return Falsehood(self.statements.sentence(one.sole, other), foil)
        return None

    def argued(self, s: int, p: int, o: int) -> Facts:
        """The argument of a statement: its value, by the name that is shown first."""
        return proof.value(s, p, o, self.spellings(o)[0])

    def sentences(self, s: int, but: Iterable[int] = ()) -> list[str]:
        """True sentences about a subject, without those on some properties, in a drawn order."""
        skipped = set(but)
        told = (one["sentence"] for one in self.statements.told(s) if one["property"] not in skipped)
        found = list(dict.fromkeys(told))
        self.random("sentences", s).shuffle(found)
        return found

    def drawn(self, *properties: int) -> list[int]:
        """At most so many subjects that have statements of all these properties, drawn by hash."""
        c = statement.c
        order = func.md5(func.concat_ws(":", literal(str(self.seed)), c.s))
        query = (
            select(c.s)
            .where(c.snapshot == self.material.snapshot, c.p.in_(properties), ~c.hedged)
            .group_by(c.s)
            .having(func.count(c.p.distinct()) == len(properties))
            .order_by(order)
            .limit(_MOST)
        )
        return sorted(self.material.session.scalars(query))
