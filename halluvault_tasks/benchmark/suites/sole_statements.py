"""Statements whose slot has one value, in words, and the false values beside them: what companion suites ask about."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import func, literal, select

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.wording.lexicon import Entry
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning.foils import beside_statement
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.sole_values import has_one_item
from halluvault_tasks.storage.tables import statement

StoredPremise = Mapping[str, Any]
"""A statement as `benchmark_case.premises` has it."""

_LOOKED_AT = 100
"""Other values that are looked at for a statement."""


class SoleStatement(NamedTuple):
    """A statement whose slot has one value, in words.

    Attributes:
        entry: its wording in the lexicon.
        premise: the statement.
    """

    s: int
    p: int
    o: int
    entry: Entry
    premise: StoredPremise


class SoleStatements:
    """All of them in a snapshot, of some properties.

    Args:
        material: the snapshot; only read.
        properties: that are asked about.
        seed: of every draw.
        most: statements of each property that are looked at.

    Attributes:
        all: in a fixed order.
        dropped: why other statements are none: reason → statements.
    """

    def __init__(self, material: Material, properties: Collection[int], seed: int, most: int) -> None:
        self.material, self.seed = material, seed
        self.dropped: Counter[Unasked] = Counter()
        self._properties = properties
        self._told = worded(material, self._drawn(most))
        self.all: Sequence[SoleStatement] = list(self._single())
        values: dict[int, set[int]] = defaultdict(set)
        for one in self.all:
            values[one.p].add(one.o)
        self.values: Mapping[int, Sequence[int]] = {p: sorted(of) for p, of in sorted(values.items())}
        self._by_slot = {(one.s, one.p): one for one in self.all}

    def of(self, s: int, p: int) -> SoleStatement | None:
        """The statement of a slot."""
        return self._by_slot.get((s, p))

    def told(self, s: int) -> Sequence[StoredPremise]:
        """A subject's statements as premises with a sentence each."""
        return self._told.get(s, ())

    def plainly(self, qid: int) -> bool:
        """Whether a name identifies without a description, which would tell texts apart by its looks."""
        named = self.material.index.namer.named(qid)
        return bool(named.name) and not named.described

    def answer(self, qid: int) -> str:
        """A name as an answer says it."""
        name = self.material.index.namer.named(qid).name.rstrip(",")
        return name[:1].upper() + name[1:]

    def sentence(self, one: SoleStatement, o: int) -> str:
        """The statement with any value, in the tense of the right one, as a sentence."""
        index = self.material.index
        form = tensed(one.entry, one.s, one.o, index)
        return fill(form.statement, s=index.namer.named(one.s), o=index.namer.named(o))

    def foils(self, one: SoleStatement, among: Collection[int] | None = None) -> Iterator[tuple[int, StatementFoil]]:
        """Items that the slot does not have, each with the foil: of these, else of some in a drawn order."""
        values = self.values[one.p]
        random = Random(f"{self.seed}:{one.s}:{one.p}")
        drawn = random.sample(values, min(_LOOKED_AT, len(values))) if among is None else sorted(among)
        for other in drawn:
            foil = beside_statement.item(self.material.world, one.p, one.s, other)
            if not isinstance(foil, Refusal) and self.plainly(other):
                yield other, foil

    def _drawn(self, most: int) -> list[int]:
        """Subjects of at most this many statements of each property, drawn by hash."""
        c = statement.c
        subjects: set[int] = set()
        for p in self._properties:
            order = func.md5(func.concat_ws(":", literal(str(self.seed)), c.p, c.s))
            query = select(c.s).where(c.snapshot == self.material.snapshot, c.p == p, c.kind == "item", ~c.hedged)
            subjects.update(self.material.session.scalars(query.order_by(order, c.sid).limit(most)))
        return sorted(subjects)

    def _single(self) -> Iterator[SoleStatement]:
        index = self.material.index
        for s in sorted(self._told):
            for premise in self._told[s]:
                p, o = premise["property"], premise["object"].get("qid")
                if p not in self._properties or o is None:
                    continue
                if not has_one_item(self.material.world, p, s):
                    self.dropped[Hindrance.NO_SINGLE_VALUE()] += 1
                elif not (index.namer.named(s).name and self.plainly(o)):
                    self.dropped[Hindrance.AMBIGUOUS_NAME()] += 1
                elif entry := fitting(self.material.lexicon.properties.get(p, ()), s, o, index):
                    yield SoleStatement(s, p, o, entry, premise)
