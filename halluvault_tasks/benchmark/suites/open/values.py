"""The value of a slot, of something that is named or called by what it is to something else."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import (
    OpenDraft,
    Wanted,
    date_words,
    holds_answer,
    printed,
    wanted_date,
    wanted_items,
)
from halluvault_tasks.benchmark.suites.open.fact import WantedNumber
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.references import Reference, doubtful, kin_word, named, placed
from halluvault_tasks.benchmark.wording.articles import names_several
from halluvault_tasks.benchmark.wording.identifying_names import Named, tokens
from halluvault_tasks.benchmark.wording.leakage import dates_itself, gives_away
from halluvault_tasks.benchmark.wording.open_wording import Answer, OpenWording
from halluvault_tasks.benchmark.wording.sentences import date_text
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.times import DAY

DIRECT, COMPOSITE = "direct", "composite"
_PRESENT = re.compile(r"\b(?:is|does)\b")

_OF_ONE_DOMAIN = 3
"""Subjects that are looked at for a question."""


def find(ground: OpenGround, phrased: Iterable[Reference], most: int) -> Iterator[OpenDraft]:
    """Questions for the value of a slot.

    Args:
        ground: the month.
        phrased: what is called by its place in slots.
        most: questions in the same words and of one domain.
    """
    called: dict[int, list[Reference]] = {}
    for one in phrased:
        called.setdefault(one.qid, []).append(one)
    for p, wordings in sorted(ground.wordings.questions.items()):
        subjects = _of_each_domain(ground, p, most, _asked_twice(ground, p, called))
        for wording in (each for each in wordings if each.answer in _ANSWERS):
            dated = wording.answer in ("day", "year")
            plain = [it for s in subjects if (it := named(ground, s, undated=dated))]
            alone = (placed(ground, one) if wording.placed else one for one in plain)
            yield from _some(_asked(ground, p, wording, alone), most)
            ways: dict[tuple[int, ...], list[Reference]] = {}
            for s in subjects if wording.of_phrases else ():
                for one in called.get(s, ()):
                    ways.setdefault(one.path, []).append(one)
            for path, several in sorted(ways.items()):
                relation = _relation(*path, p)
                several.sort(key=lambda one: not ground.asked.has(relation, one.start))
                yield from _some(_asked(ground, p, wording, several), most)


def _relation(*path: int) -> str:
    return "/".join(f"P{step}" for step in path)


def _asked_twice(ground: OpenGround, p: int, called: Mapping[int, Sequence[Reference]]) -> set[int]:
    """Subjects of a property about whose slot yes/no questions are, by name or by what leads to them."""
    asked = ground.asked
    return {*asked.forwards.get(_relation(p), ())} | {
        qid for qid, several in called.items() if any(asked.has(_relation(*one.path, p), one.start) for one in several)
    }


def _of_each_domain(ground: OpenGround, p: int, most: int, first: Collection[int]) -> list[int]:
    """Subjects of a property in a seeded order, some more of each domain than are needed: not all have a name.

    Those in `first` come before the others.
    """
    taken: Counter[str] = Counter()
    chosen = []
    for s in ground.ordered(ground.slots.subjects(p), p, first=first):
        domain = ground.domain(s)
        if taken[domain] < _OF_ONE_DOMAIN * most:
            taken[domain] += 1
            chosen.append(s)
    return chosen


def _some(drafts: Iterable[OpenDraft], most: int) -> Iterator[OpenDraft]:
    taken: Counter[str] = Counter()
    for one in drafts:
        if taken[one.domain] < most:
            taken[one.domain] += 1
            yield one


def _asked(ground: OpenGround, p: int, wording: OpenWording, references: Iterable[Reference]) -> Iterator[OpenDraft]:
    for one in references:
        words = len(ground.index.namer.plain(one.qid).split())
        if not wording.least_words <= words <= wording.most_words or one.qid in wording.never:
            continue
        if not ground.index.fits(one.qid, wording.subject) or (wording.alone and names_several(one.named.bare)):
            continue
        draft = _draft(ground, p, wording, one)
        if draft is not None:
            yield draft


class _SlotAnswer(NamedTuple):
    """What a slot answers.

    Attributes:
        premise: the statement.
        said: the answer in the slot {o} or {on} of the statement.
        item: that is wanted; None: a date or a number is.
    """

    premise: Premise
    gold: str
    wanted: Wanted
    said: Mapping[str, Named | str]
    precision: Precision = Precision.NONE
    item: int | None = None


def _dated(ground: OpenGround, p: int, wording: OpenWording, one: Reference) -> _SlotAnswer | None:
    slots, by_day = ground.slots, wording.answer == "day"
    value = slots.day(p, one.qid) if by_day else slots.year(p, one.qid)
    if value is None or dates_itself(one.start_named) or (one.path and by_day):
        return None
    if not one.path and slots.day(p, one.qid) is not None and _by_day(ground, p, one.qid) is not by_day:
        return None  # one of the two is asked
    if wording.corroborated and not slots.corroborated(p, one.qid):
        return None
    precision = Precision.DAY if value.precision == DAY else Precision.YEAR
    said_ = {"on": date_text(printed(value))}
    return _SlotAnswer(value.premise, date_words(value), wanted_date(value), said_, precision)


def _by_day(ground: OpenGround, p: int, s: int) -> bool:
    """Whether of a date that is known to the day the day is asked for and not the year: of half of them."""
    return ground.ordered((s, 0), "day", p)[0] == s


def _number(ground: OpenGround, p: int, wording: OpenWording, one: Reference) -> _SlotAnswer | None:
    premise = ground.slots.number(p, one.qid)
    if premise is None:
        return None
    amount = int(premise.amount or 0)
    return _SlotAnswer(premise, str(amount), WantedNumber(low=amount, high=amount), {"o": str(amount)})


def _item(ground: OpenGround, p: int, wording: OpenWording, one: Reference) -> _SlotAnswer | None:
    index, premise = ground.index, ground.slots.item(p, one.qid)
    if premise is None or premise.o is None or premise.o == one.start:
        return None
    o, answer = premise.o, index.namer.named(premise.o)
    if doubtful(ground, o) or wording.says not in index.namer.plain(o) or _otherwise_says(ground, one, o):
        return None
    if not answer.name or not index.fits(o, wording.object) or _within_another(ground, wording, o):
        return None
    if gives_away(index, one.start, one.start_named, o, answer):
        return None
    plain = index.namer.plain(o)
    return _SlotAnswer(premise, plain, wanted_items(index, (o,)), {"o": Named(plain, plain)}, item=o)


_ANSWERS: Mapping[Answer, Callable[[OpenGround, int, OpenWording, Reference], _SlotAnswer | None]] = {
    "day": _dated,
    "year": _dated,
    "number": _number,
    "item": _item,
}
"""What a slot holds → how it answers; complete lists are asked elsewhere (`lists`)."""


def _otherwise_says(ground: OpenGround, one: Reference, o: int) -> bool:
    """Whether another name of what is asked about holds the answer: MTR, the Hong Kong metro."""
    entities, answer = ground.index.entities, tokens(ground.index.namer.plain(o))
    person = not entities[o].types.isdisjoint(ground.index.kind("human"))
    return not person and any(answer <= tokens(alias) for alias in entities[one.start].aliases)


def _within_another(ground: OpenGround, wording: OpenWording, o: int) -> bool:
    """Whether the answer lies in another thing of the kind that is asked for: Manhattan in New York City."""
    containers = ground.material.world.containment.inside.get(o, ())
    return bool(wording.object.any) and any(ground.index.fits(container, wording.object) for container in containers)


def _question(ground: OpenGround, p: int, wording: OpenWording, one: Reference, o: int | None) -> str:
    """The question; empty where there is none in good English."""
    kin = kin_word(ground, one, p)
    if p in wd.PARENTS and len(one.path) > 1:
        return ""
    if kin and one.before:
        return said(f"Who was the {kin} of {{s}}?", s=one.before)
    words = tensed(ground, wording, one.qid, o) if not one.path else wording.question
    return said(words, s=one.named) if words else ""


def tensed(ground: OpenGround, wording: OpenWording, s: int, o: int | None) -> str:
    """The question in the right tense; empty where nothing shows which that is."""
    if wording.of_living is None or ground.index.over(s) or (o is not None and ground.index.over(o)):
        return wording.question
    return "" if ground.index.maybe_over(s) else wording.of_living


def _draft(ground: OpenGround, p: int, wording: OpenWording, one: Reference) -> OpenDraft | None:
    answer = _ANSWERS[wording.answer](ground, p, wording, one)
    domain = ground.domain(one.start, one.qid)
    if answer is None or not domain:
        return None
    question = _question(ground, p, wording, one, answer.item)
    items = () if answer.item is None else (answer.item,)
    words = wording.question
    if ground.index.over(one.qid) and _PRESENT.search(words):
        return None
    twice = f" {one.start_named.bare.lower()} " in f" {words.lower()} "  # the moon Moon
    if not question or twice or holds_answer(ground.index, question, (one.start_named,), items):
        return None
    premise, path = answer.premise, (*one.path, p)
    told = ground.told(premise, wording.statement)
    relation = _relation(*path)
    return OpenDraft(
        domain=domain,
        kind=COMPOSITE if one.path else DIRECT,
        asks=wording.asks,
        way=f"{relation} {wording.answer}",
        identity=(wording.answer, *path, one.start),
        question=question,
        gold=answer.gold,
        wanted=answer.wanted,
        pid=p,
        subject=one.qid,
        object=answer.item,
        named=(one.start,),
        rests=frozenset(path),
        sids=(*one.sids, premise.sid),
        told=said(wording.statement, s=one.named, **answer.said),
        premises=(*one.told, told),
        facts=(
            *one.facts,
            *open_answer.stated(premise.guid, one.qid, p, answer.gold if answer.item is None else answer.item,
                                told["sentence"]),
            *(open_answer.named(answer.item, answer.gold) if answer.item is not None else ()),
            *open_answer.path(one.start, path),
        ),
        relation=relation,
        hops=len(path),
        bridged=bool(one.path),
        precision=answer.precision,
    )  # fmt: skip
