"""Licensed swaps: pairs of a right text and a false one, made without any model (the generator `licensed swaps`).

What makes the false member false is shown by the snapshot, pattern by pattern (HELMA §2.1): another value that the
licence refuses; a value of another type; the value of another slot; a container where the thing itself is asked; a true
sentence that the document does not hold. What cannot be shown makes no pair.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from sqlalchemy import func, literal, select

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.wording.lexicon import Entry
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog import terms
from halluvault_tasks.reasoning.grounds import Difference, Licence
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

Task = Literal["qa", "dialogue", "summary"]

PATTERNS: Mapping[Task, tuple[str, ...]] = {
    "qa": ("comprehension", "factualness", "specificity", "inference"),
    "dialogue": ("extrinsic-soft", "extrinsic-hard", "extrinsic-grouped"),
    "summary": ("factual", "non-factual", "intrinsic"),
}

LIFE_VERBS: Mapping[int, str] = {wd.BIRTHPLACE: "was born", wd.DEATHPLACE: "died"}
"""What happened in a place of life."""

_SAME_TIME = 50
"""Years between two births of people who are alike."""

_LOOKED_AT = 100
"""Other values that are looked at for a statement."""

_DOCUMENT = (3, 6)
"""Sentences of a document, least and most."""


_Premise = Mapping[str, Any]
"""A statement as `benchmark_case.premises` has it."""


class Swap(NamedTuple):
    """A pair of texts about one thing.

    Attributes:
        setting: question, dialogue history or document.
        right, false: the two members.
        knowledge: what decides it, in sentences; empty: the document does.
        premises: as `benchmark_case.premises` has them.
        why: what shows that the false member is false.
        facts: Prolog facts, from which the proof derives it.
        support: Prolog facts of what the right member says, and of what it rests on beside the premises.
    """

    task: Task
    pattern: str
    s: int
    p: int
    o: int
    other: int
    setting: str
    right: str
    false: str
    knowledge: str
    premises: tuple[_Premise, ...]
    why: str
    facts: tuple[str, ...]
    support: tuple[str, ...]

    @property
    def longer(self) -> int:
        """1: the false member is longer by words and by characters; -1: shorter by both; 0: neither."""
        words = len(self.false.split()) - len(self.right.split())
        characters = len(self.false) - len(self.right)
        return 1 if words > 0 < characters else -1 if words < 0 > characters else 0


class _Stated(NamedTuple):
    """A statement whose slot has one value, in words."""

    s: int
    p: int
    o: int
    entry: Entry
    premise: Mapping[str, Any]


class _Shown(NamedTuple):
    """That a member is false: `why` and `facts` of a `Swap`."""

    why: str
    facts: tuple[str, ...]


class Swaps:
    """All swaps of a snapshot.

    Args:
        material: the snapshot; only read.
        questions: property → open question, with `{s}`.
        seed: of every draw.
        most: statements of each property that are looked at.
    """

    def __init__(self, material: Material, questions: Mapping[int, str], seed: int, most: int) -> None:
        self._material, self._questions, self._seed = material, questions, seed
        self.dropped: Counter[Unasked] = Counter()
        self._told = worded(material, self._drawn(most))
        self._stated = list(self._single())
        objects: dict[int, set[int]] = defaultdict(set)
        for one in self._stated:
            objects[one.p].add(one.o)
        self._objects = {p: sorted(found) for p, found in objects.items()}
        self._by_slot = {(one.s, one.p): one for one in self._stated}

    def find(self, task: Task) -> Iterator[Swap]:
        """The swaps of one task, in a fixed order."""
        for one in self._stated:
            yield from getattr(self, f"_{task}")(one, None)

    def among(self, task: Task, s: int, p: int, others: Collection[int]) -> Iterator[Swap]:
        """The swaps of one statement that put one of these in the right value's place, whatever `find` drew."""
        if one := self._by_slot.get((s, p)):
            yield from getattr(self, f"_{task}")(one, others)

    def plainly(self, qid: int) -> bool:
        """Whether a name identifies without a description, which would tell the members apart by its looks."""
        named = self._material.index.namer.named(qid)
        return bool(named.name) and not named.described

    def said_of(self, qid: int) -> str:
        """A name as an answer says it."""
        name = self._material.index.namer.named(qid).name.rstrip(",")
        return name[:1].upper() + name[1:]

    @property
    def stated(self) -> Sequence[_Stated]:
        """Statements whose slot has one value, in words."""
        return self._stated

    def told(self, s: int) -> Sequence[Mapping[str, Any]]:
        """A subject's statements as premises with a sentence each."""
        return self._told.get(s, ())

    def worded(self, subjects: Sequence[int]) -> Mapping[int, Sequence[Mapping[str, Any]]]:
        """The same of any subjects, as far as they have words."""
        return worded(self._material, subjects)

    def others(self, one: _Stated) -> list[tuple[int, str]]:
        """Values that the licence refuses for a slot, each with why, in a drawn order."""
        return self._others(one, None)

    def said(self, one: _Stated, o: int) -> str:
        """The statement with another value, as a sentence."""
        return self._said(one, o)

    # ------------------------------------------------------------ what is stated

    def _drawn(self, most: int) -> list[int]:
        """Subjects of at most this many statements of each property, drawn by hash."""
        c = statement.c
        found: set[int] = set()
        for p in self._questions:
            order = func.md5(func.concat_ws(":", literal(str(self._seed)), c.p, c.s))
            query = select(c.s).where(c.snapshot == self._material.snapshot, c.p == p, c.kind == "item", ~c.hedged)
            found.update(self._material.session.scalars(query.order_by(order, c.sid).limit(most)))
        return sorted(found)

    def _single(self) -> Iterator[_Stated]:
        """Statements of the properties that are asked, whose slot has one value that the licence knows."""
        index, world = self._material.index, self._material.world
        for s in sorted(self._told):
            for premise in self._told[s]:
                p, o = premise["property"], premise["object"].get("qid")
                known = world.slots.known.get((p, s))
                if p not in self._questions or o is None:
                    continue
                if known is None or known.distinct != 1 or p not in world.slots.functional:
                    self.dropped[Hindrance.NO_SINGLE_VALUE()] += 1
                elif not (index.namer.named(s).name and self.plainly(o)):
                    self.dropped[Hindrance.AMBIGUOUS_NAME()] += 1
                elif entry := fitting(self._material.lexicon.properties.get(p, ()), s, o, index):
                    yield _Stated(s, p, o, entry, premise)

    # ------------------------------------------------------------ other values

    def _others(self, one: _Stated, among: Collection[int] | None) -> list[tuple[int, str]]:
        """Values that the licence refuses for a slot, each with why: of these, else of some in a drawn order."""
        found = []
        objects = self._objects[one.p]
        random = Random(f"{self._seed}:{one.s}:{one.p}")
        drawn = random.sample(objects, min(_LOOKED_AT, len(objects))) if among is None else sorted(among)
        for other in drawn:
            licence = license_no(self._material.world, one.p, one.s, other)
            if isinstance(licence, Licence) and self.plainly(other):
                found.append((other, licence.why))
        return found

    def _alike(self, p: int, one: int, other: int) -> bool:
        """Whether two values are highly similar: places of one country, people of one time; and of one type."""
        index, world = self._material.index, self._material.world
        mine, theirs = index.entities.get(one), index.entities.get(other)
        if not (mine and theirs and mine.direct & theirs.direct):
            return False
        if world.slots.functional[p].place:
            return bool(set(world.containment.countries.get(one, ())) & set(world.containment.countries.get(other, ())))
        born = index.years.get(one), index.years.get(other)
        return None not in born and abs(born[0] - born[1]) <= _SAME_TIME  # type: ignore[operator]

    # ------------------------------------------------------------ the tasks

    def _qa(self, one: _Stated, among: Collection[int] | None) -> Iterator[Swap]:
        index, world = self._material.index, self._material.world
        question = fill(self._questions[one.p], s=index.namer.named(one.s))
        knowledge, apart = one.premise["sentence"], _apart(one)

        def swap(pattern: str, other: int, why: str, facts_: tuple[str, ...], more: str = "") -> Swap:
            right, false = self.said_of(one.o), self.said_of(other)
            told = " ".join(filter(None, (knowledge, more)))
            return Swap("qa", pattern, one.s, one.p, one.o, other, question, right, false, told, (one.premise,), why,
                        facts_, _support([one.premise]))  # fmt: skip

        for other, why in self._others(one, among):
            yield swap("factualness", other, why, apart(other))
        for slot in self._questions:
            elsewhere = self._by_slot.get((one.s, slot))
            licence = elsewhere and slot != one.p and license_no(world, one.p, one.s, elsewhere.o)
            if (
                elsewhere
                and isinstance(licence, Licence)
                and world.slots.functional[slot].place == world.slots.functional[one.p].place
            ):
                why = f"{licence.why}; it is the value of P{slot}"
                yield swap("comprehension", elsewhere.o, why, apart(elsewhere.o), elsewhere.premise["sentence"])
        for container in sorted(world.containment.countries.get(one.o, ())):
            if one.o in world.containment.settled and self.plainly(container) and container != one.o:
                more = f"{index.namer.plain(one.o)} lies in {index.namer.named(container).name.rstrip(',')}."
                why = f"Q{container} contains Q{one.o}, which is asked for"
                facts_ = (f"stated({one.s}, {one.p}, {one.o}).", f"contains({container}, {one.o}).")
                yield swap("specificity", container, why, facts_, more)
                yield from self._inferred(one, container, more, among)

    def _inferred(self, one: _Stated, country: int, more: str, among: Collection[int] | None) -> Iterator[Swap]:
        """Two steps: today's country of a place of birth or death."""
        index, world = self._material.index, self._material.world
        verb = LIFE_VERBS.get(one.p)
        if verb is None:
            return
        asked = f"In which country of today does the place lie where {{s}} {verb}?"
        question = fill(asked, s=index.namer.named(one.s))
        countries = {each for of in world.containment.countries.values() for each in of}
        drawn = sorted(countries if among is None else countries & set(among))
        Random(f"{self._seed}:{one.s}:{verb}").shuffle(drawn)
        for other in drawn:
            if other == country or not self.plainly(other):
                continue
            found = different(world, country, other, False)
            if isinstance(found, Difference):
                contains = f"contains({country}, {one.o})."
                facts_ = (
                    f"stated({one.s}, {one.p}, {one.o}).", contains,
                    f"claimed_container({other}, {one.o}).", f"apart({country}, {other}).",
                )  # fmt: skip
                support = (f"says_within({one.s}, {one.p}, {country}).", contains)
                yield Swap("qa", "inference", one.s, one.p, country, other, question, self.said_of(country),
                           self.said_of(other), f"{one.premise['sentence']} {more}", (one.premise,),
                           f"Q{one.o} lies in Q{country} alone, and Q{other} is another country", facts_,
                           support)  # fmt: skip

    def _dialogue(self, one: _Stated, among: Collection[int] | None) -> Iterator[Swap]:
        index = self._material.index
        beside = [each for each in self._told[one.s] if each["property"] != one.p]
        if not beside:
            return
        opening = Random(f"{self._seed}:{one.s}").choice(beside)["sentence"]
        about, question = (
            fill(asked, s=index.namer.named(one.s)) for asked in ("What do you know about {s}?", self._questions[one.p])
        )
        history = f"[Human]: {about}\n[Assistant]: {opening}\n[Human]: {question}"
        apart = _apart(one)

        def swap(pattern: str, other: int, why: str, facts_: tuple[str, ...]) -> Swap:
            return Swap("dialogue", pattern, one.s, one.p, one.o, other, history, self._said(one, one.o),
                        self._said(one, other), one.premise["sentence"], (one.premise,), why, facts_,
                        _support([one.premise]))  # fmt: skip

        for other, why in self._others(one, among):
            pattern = "extrinsic-soft" if self._alike(one.p, one.o, other) else "extrinsic-hard"
            yield swap(pattern, other, why, apart(other))
        for p, objects in sorted(self._objects.items()):
            taken = objects if among is None else [each for each in objects if each in among]
            drawn = [each for each in taken if not index.fits(each, one.entry.object)]
            Random(f"{self._seed}:{one.s}:{p}:type").shuffle(drawn)
            for other in drawn:
                why = f"Q{other} is of no kind that P{one.p} takes"
                yield swap("extrinsic-grouped", other, why, (*_stated(one), f"clash({one.p}, {other})."))

    def _summary(self, one: _Stated, among: Collection[int] | None) -> Iterator[Swap]:
        every = [each for each in self._told[one.s] if each is not one.premise]
        sentences = list({each["sentence"]: each for each in every if each["property"] != one.p}.values())
        least, most = _DOCUMENT
        if len(sentences) < least + 1:
            return
        random = Random(f"{self._seed}:{one.s}:{one.p}:document")
        random.shuffle(sentences)
        held, left_out = sentences[: min(most, len(sentences) - 1)], sentences[min(most, len(sentences) - 1) :]
        told = [one.premise, *held[:-1]]
        first, second = one.premise["sentence"], told[1]["sentence"]
        apart = _apart(one)

        def swap(pattern: str, false: str, held: Sequence[_Premise], said: Sequence[_Premise], other: int,
                 shown: _Shown, more: Sequence[_Premise] = ()) -> Swap:  # fmt: skip
            document, right = (" ".join(each["sentence"] for each in several) for several in (held, said))
            return Swap("summary", pattern, one.s, one.p, one.o, other, document, right, false, "", (*held, *more),
                        *shown, _support(said, held))  # fmt: skip

        for other, why in self._others(one, among):
            yield swap("intrinsic", f"{self._said(one, other)} {second}", told, told[:2], other,
                       _Shown(why, apart(other)))  # fmt: skip
        # The slot is left out of the document, and the summary tells it wrongly.
        if len(told) > least:
            for other, why in self._others(one, among):
                yield swap("non-factual", f"{second} {self._said(one, other)}", told[1:] + held[-1:], told[1:3], other,
                           _Shown(why, apart(other)), [one.premise])  # fmt: skip
        told_of = {each["property"] for each in told}
        for each in left_out:
            if each["property"] in told_of:  # the document may say as much in other words
                continue
            facts_ = (f"stated({one.s}, {each['property']}, left_out).", f"untold({each['property']}).")
            shown = _Shown("it is stated, and the document does not hold it", facts_)
            yield swap("factual", f"{first} {each['sentence']}", told, told[:2], one.o, shown, [each])

    def _said(self, one: _Stated, o: int) -> str:
        index = self._material.index
        form = tensed(one.entry, one.s, one.o, index)
        return fill(form.statement, s=index.namer.named(one.s), o=index.namer.named(o))


def _stated(one: _Stated) -> tuple[str, ...]:
    return (f"stated({one.s}, {one.p}, {one.o}).", f"only_value({one.s}, {one.p}).")


def triple(premise: _Premise) -> str:
    """A statement's subject, property and value, as arguments of a Prolog fact."""
    o = premise["object"]
    said = terms.number(o["qid"]) if "qid" in o else terms.atom(o.get("date") or o["amount"])
    return f"{premise['subject']['qid']}, {premise['property']}, {said}"


def _support(said: Sequence[_Premise], held: Sequence[_Premise] = ()) -> tuple[str, ...]:
    """That a right member says these statements, of a document that holds those."""
    return (*(f"says({triple(one)})." for one in said), *(f"held({triple(one)})." for one in held))


def _apart(one: _Stated) -> Any:
    return lambda other: (*_stated(one), f"apart({one.o}, {other}).")
