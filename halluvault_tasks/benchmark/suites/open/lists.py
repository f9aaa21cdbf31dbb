"""Complete lists: every object of a slot, or how many there are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, Wanted, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.fact import WantedNumber
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.suites.open.values import DIRECT
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.open_wording import OpenWording
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.world.lists import CompleteList
from halluvault_tasks.wikidata import properties as wd

_OF_PEOPLE = frozenset((wd.SPOUSE, wd.CHILD))
"""Of which a living person may get more."""


class _ListAnswer(NamedTuple):
    """What a list answers: its names, or how many they are."""

    pattern: str
    gold: str
    wanted: Wanted
    shown: Facts


def find(ground: OpenGround) -> Iterator[OpenDraft]:
    """Questions that a complete list answers."""
    lists = ground.material.world.lists.of
    worded = {
        p: found
        for p, several in ground.wordings.questions.items()
        if (found := [each for each in several if each.answer in ("items", "count")])
    }
    wanted = {slot: one for slot, one in sorted(lists.items()) if slot[0] in worded}
    known = ground.statements(sid for one in wanted.values() for sid in one.values.values())
    for (p, s), complete in wanted.items():
        for wording in worded[p] if _may_be_asked(ground, p, s, complete) else ():
            draft = _draft(ground, p, s, complete, wording, known)
            if draft is not None:
                yield draft


def _may_be_asked(ground: OpenGround, p: int, s: int, complete: CompleteList) -> bool:
    """Whether the list is of everything that the property has, for good, and of things with a name."""
    entities = ground.index.entities
    whole = not complete.only and (p not in _OF_PEOPLE or ground.index.over(s))
    return whole and all(o in entities and entities[o].label for o in complete.values)


def _draft(
    ground: OpenGround, p: int, s: int, complete: CompleteList, wording: OpenWording, known: Mapping[int, Premise]
) -> OpenDraft | None:
    index, one, items = ground.index, named(ground, s, undated=False), sorted(complete.values)
    domain = ground.domain(s, *items)
    if one is None or not domain or not index.fits(s, wording.subject):
        return None
    answer = _names(ground, p, s, items, wording) if wording.answer == "items" else _number(p, s, items, wording)
    if answer is None or not all(index.fits(o, wording.object) for o in items):
        return None
    question = said(answer.pattern, s=one.named)
    if wording.answer == "items" and holds_answer(index, question, (one.named,), items):
        return None
    premises = [known[complete.values[o]] for o in items]
    told = [ground.told(premise, wording.statement) for premise in premises]
    facts = [
        fact
        for premise, sentence, o in zip(premises, told, items, strict=True)
        for fact in (
            *open_answer.stated(premise.guid, s, p, o, sentence["sentence"]),
            *open_answer.named(o, index.namer.plain(o)),
        )
    ]
    return OpenDraft(
        domain=domain,
        kind=DIRECT,
        asks=wording.asks,
        way=f"P{p} {wording.answer}{' of one' if answer.pattern == wording.one else ''}",
        identity=(wording.answer, p, s),
        question=question,
        gold=answer.gold,
        wanted=answer.wanted,
        pid=p,
        subject=s,
        object=items[0] if len(items) == 1 else None,
        named=(s,),
        rests=frozenset((p,)),
        sids=tuple(premise.sid for premise in premises),
        told=said(wording.statement, s=one.named, o=_listed([index.namer.plain(o) for o in items])),
        premises=tuple(told),
        facts=(*facts, *answer.shown),
        relation=f"P{p}",
        licence=LicenceKind.LIST,
        hops=len(items),
    )


def _names(ground: OpenGround, p: int, s: int, items: Sequence[int], wording: OpenWording) -> _ListAnswer | None:
    namer = ground.index.namer
    if len(items) > wording.most or not all(namer.named(o).name for o in items):
        return None
    pattern = wording.one if wording.one and len(items) == 1 else wording.question
    gold = "; ".join(map(namer.plain, items))
    return _ListAnswer(pattern, gold, wanted_items(ground.index, items), open_answer.whole(s, p))


def _number(p: int, s: int, items: Sequence[int], wording: OpenWording) -> _ListAnswer:
    number = len(items)
    wanted = WantedNumber(low=number, high=number)
    return _ListAnswer(wording.question, str(number), wanted, open_answer.how_many(s, p))


def _listed(names: Sequence[str]) -> Named:
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return Named(listed, listed)
