"""Complete lists: every object of a slot, or how many there are."""

from collections.abc import Iterator, Mapping

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.fact import WantedNumber
from halluvault_tasks.benchmark.suites.open.ground import Ground, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.suites.open.values import DIRECT
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.open_wording import OpenWording
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.world.lists import CompleteList
from halluvault_tasks.wikidata import properties as wd

_MOST_NAMES = 4
"""That anybody is asked to list."""


def find(ground: Ground) -> Iterator[OpenDraft]:
    """Questions that a complete list answers."""
    lists = ground.material.world.lists.of
    worded = {p: several for p, several in ground.wordings.questions.items() if any(map(_of_list, several))}
    wanted = {slot: one for slot, one in sorted(lists.items()) if slot[0] in worded}
    known = ground.statements(sid for one in wanted.values() for sid in one.values.values())
    for (p, s), complete in wanted.items():
        for wording in filter(_of_list, worded[p]):
            draft = _draft(ground, p, s, complete, wording, known)
            if draft is not None:
                yield draft


def _of_list(wording: OpenWording) -> bool:
    return wording.answer in ("items", "count")


def _draft(
    ground: Ground, p: int, s: int, complete: CompleteList, wording: OpenWording, known: Mapping[int, Premise]
) -> OpenDraft | None:
    index, one, items = ground.index, named(ground, s, undated=False), sorted(complete.values)
    if one is None or complete.only or not index.fits(s, wording.subject) or (p in _OF_PEOPLE and not index.over(s)):
        return None
    whole = wording.answer == "items"
    names = [index.namer.named(o) for o in items]
    if whole and (len(items) > _MOST_NAMES or not all(name.name for name in names)):
        return None
    if not all(index.fits(o, wording.object) and index.entities[o].label for o in items):
        return None
    pattern = wording.one if whole and wording.one and len(items) == 1 else wording.question
    question = said(pattern, s=one.named)
    if whole and holds_answer(index, question, (one.named,), items):
        return None
    gold = "; ".join(map(index.namer.plain, items)) if whole else str(len(items))
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
    domain = ground.domain(s, *items)
    if not domain:
        return None
    return OpenDraft(
        domain=domain,
        kind=DIRECT,
        asks=wording.asks,
        way=f"P{p} {wording.answer}{' of one' if pattern == wording.one else ''}",
        identity=(wording.answer, p, s),
        question=question,
        gold=gold,
        wanted=wanted_items(index, items) if whole else WantedNumber(low=len(items), high=len(items)),
        pid=p,
        subject=s,
        object=items[0] if len(items) == 1 else None,
        named=(s,),
        rests=frozenset((p,)),
        sids=tuple(premise.sid for premise in premises),
        told=said(wording.statement, s=one.named, o=Named(_listed(names), "")),
        premises=tuple(told),
        facts=(*facts, *(open_answer.whole(s, p) if whole else open_answer.how_many(s, p))),
        relation=f"P{p}",
        licence=LicenceKind.LIST,
        hops=len(items),
    )


def _listed(names: list[Named]) -> str:
    said_ = [name.name.rstrip(",") or name.bare for name in names]
    return said_[0] if len(said_) == 1 else f"{', '.join(said_[:-1])} and {said_[-1]}"


_OF_PEOPLE = frozenset((wd.SPOUSE, wd.CHILD))
"""Of which a living person may get more."""
