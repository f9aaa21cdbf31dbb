"""The value of a slot, of something that is named or called by what it is to something else."""

from collections import Counter
from collections.abc import Iterable, Iterator

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import (
    OpenDraft,
    Wanted,
    WantedNumber,
    date_words,
    holds_answer,
    printed,
    wanted_date,
    wanted_items,
)
from halluvault_tasks.benchmark.suites.open.ground import Ground, said
from halluvault_tasks.benchmark.suites.open.references import Reference, named
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself, gives_away
from halluvault_tasks.benchmark.wording.open_wording import OpenWording
from halluvault_tasks.benchmark.wording.sentences import date_text
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata.times import DAY

DIRECT, COMPOSITE = "direct", "composite"

_OF_ONE_DOMAIN = 3
"""Subjects that are looked at for a question."""


def find(ground: Ground, phrased: Iterable[Reference], most: int) -> Iterator[OpenDraft]:
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
        subjects = _of_each_domain(ground, p, most)
        for wording in wordings:
            dated = wording.answer in ("day", "year")
            plain = (named(ground, s, undated=dated) for s in subjects)
            yield from _some(_asked(ground, p, wording, (one for one in plain if one)), most)
            ways: dict[tuple[int, ...], list[Reference]] = {}
            for s in subjects if wording.of_phrases else ():
                for one in called.get(s, ()):
                    ways.setdefault(one.path, []).append(one)
            for _, several in sorted(ways.items()):
                yield from _some(_asked(ground, p, wording, several), most)


def _of_each_domain(ground: Ground, p: int, most: int) -> list[int]:
    """Subjects of a property in a seeded order, some more of each domain than are needed: not all have a name."""
    taken: Counter[str] = Counter()
    chosen = []
    for s in ground.ordered(ground.slots.subjects(p), p):
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


def _asked(ground: Ground, p: int, wording: OpenWording, references: Iterable[Reference]) -> Iterator[OpenDraft]:
    for one in references:
        if one.qid in wording.never or not ground.index.fits(one.qid, wording.subject):
            continue
        draft = _dated(ground, p, wording, one) if wording.answer in ("day", "year") else _valued(ground, p, wording, one)
        if draft is not None:
            yield draft


def _dated(ground: Ground, p: int, wording: OpenWording, one: Reference) -> OpenDraft | None:
    slots = ground.slots
    value = slots.day(p, one.qid) if wording.answer == "day" else slots.year(p, one.qid)
    if value is None or dates_itself(one.start_named) or (one.path and wording.answer == "day"):
        return None
    if wording.answer == "year" and not one.path and slots.day(p, one.qid) is not None and _either(ground, p, one.qid):
        return None  # its day is asked, or else its year
    precision = Precision.DAY if value.precision == DAY else Precision.YEAR
    return _draft(
        ground, p, wording, one, value.premise, date_words(value), wanted_date(value),
        on=date_text(printed(value)), precision=precision,
    )  # fmt: skip


def _either(ground: Ground, p: int, s: int) -> bool:
    """Of dates that are known to the day: whether it is the day that is asked for, which half of them are."""
    return ground.ordered((s, 0), "day", p)[0] == s


def _valued(ground: Ground, p: int, wording: OpenWording, one: Reference) -> OpenDraft | None:
    index, number = ground.index, wording.answer == "number"
    premise = ground.slots.number(p, one.qid) if number else ground.slots.item(p, one.qid)
    if wording.answer not in ("item", "number") or premise is None:
        return None
    if number:
        amount = int(premise.amount or 0)
        wanted: Wanted = WantedNumber(low=amount, high=amount)
        return _draft(ground, p, wording, one, premise, str(amount), wanted, o=str(amount))
    o = premise.o or 0
    answer = index.namer.named(o)
    if not answer.name or not index.fits(o, wording.object) or o == one.start:
        return None
    if gives_away(index, one.start, one.start_named, o, answer):
        return None
    return _draft(
        ground, p, wording, one, premise, index.namer.plain(o), wanted_items(index, (o,)), o=answer, items=(o,)
    )  # fmt: skip


def _draft(
    ground: Ground,
    p: int,
    wording: OpenWording,
    one: Reference,
    premise: Premise,
    gold: str,
    wanted: Wanted,
    *,
    precision: Precision = Precision.NONE,
    items: tuple[int, ...] = (),
    **answer: Named | str,
) -> OpenDraft | None:
    question = said(wording.question, s=one.named)
    if holds_answer(ground.index, question, (one.start_named,), items):
        return None
    domain = ground.domain(one.start, one.qid)
    if not domain:
        return None
    told = ground.told(premise, wording.statement)
    path = (*one.path, p)
    value = premise.o if premise.o is not None else gold
    return OpenDraft(
        domain=domain,
        kind=COMPOSITE if one.path else DIRECT,
        asks=wording.asks,
        way=f"{'/'.join(f'P{step}' for step in path)} {wording.answer}",
        identity=(wording.answer, *path, one.start),
        question=question,
        gold=gold,
        wanted=wanted,
        pid=p,
        subject=one.qid,
        object=premise.o,
        named=(one.start,),
        rests=frozenset(path),
        sids=(*one.sids, premise.sid),
        told=said(wording.statement, s=one.named, **answer),
        premises=(*one.told, told),
        facts=(
            *one.facts,
            *open_answer.stated(premise.guid, one.qid, p, value, told["sentence"]),
            *(open_answer.named(premise.o, gold) if premise.o is not None else ()),
            *open_answer.path(one.start, path),
        ),
        relation="/".join(f"P{step}" for step in path),
        hops=len(path),
        bridged=bool(one.path),
        precision=precision,
    )  # fmt: skip
