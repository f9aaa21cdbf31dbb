"""Which of four came first, to be answered by a name."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, printed, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.holders import TIME
from halluvault_tasks.benchmark.suites.open.references import Reference, named
from halluvault_tasks.benchmark.wording.identifying_names import Named, names_alike
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.open_wording import FirstWording
from halluvault_tasks.benchmark.wording.sentences import date_text
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.single_slots import DatedValue
from halluvault_tasks.wikidata.days import civil, day_number

SEVERAL = 4
_SPAN = 25
"""Most years between the first and the last of them."""
_LEAST_APART = 3
"""Years between any two: sources differ by one or two on a first flight."""
_LOOKED_AT = 400
_SHORT = 4
"""Words of a name, at most, where four stand in a question."""


class _Dated(NamedTuple):
    one: Reference
    value: DatedValue
    year: int
    sort: str
    """What is compared with what: people of one trade."""


def find(ground: OpenGround, most: int) -> Iterator[OpenDraft]:
    """Questions for what came first.

    Args:
        ground: the month.
        most: questions of a property.
    """
    for p, wording in sorted(ground.wordings.first.items()):
        dated = list(_dated(ground, p, wording))
        for number, anchor in enumerate(dated):
            if number == most:
                break
            several = _others(ground, p, anchor, dated)
            if several and (draft := _draft(ground, p, wording, several)):
                yield draft


def _dated(ground: OpenGround, p: int, wording: FirstWording) -> Iterator[_Dated]:
    """Things with a short name and one year, in a seeded order."""
    index = ground.index
    for s in ground.ordered(ground.slots.subjects(p), "first", p):
        if not index.fits(s, wording.subject) or (value := ground.slots.year(p, s)) is None:
            continue
        one = named(ground, s, undated=True)
        if one is None or one.named.described or dates_itself(one.named) or len(one.named.bare.split()) > _SHORT:
            continue
        if "," in one.named.name or one.named.common or not ground.domain(s) or not _title(one.named):
            continue
        if wording.numbered and not _NUMBERED.search(one.named.bare):
            continue
        trade = index.entities[s].trade
        yield _Dated(one, value, civil(value.earliest).year, f"{ground.domain(s)} {trade}")


def _others(ground: OpenGround, p: int, anchor: _Dated, dated: list[_Dated]) -> list[_Dated]:
    """The anchor and three others of its sort, each of another year, in a seeded order."""
    chosen, years = [anchor], {anchor.year}
    near = [
        one for one in dated if one.sort == anchor.sort and one is not anchor and abs(one.year - anchor.year) <= _SPAN
    ]
    by_qid = {one.one.qid: one for one in near}
    for qid in ground.ordered(by_qid, "beside", p, anchor.one.qid)[:_LOOKED_AT]:
        one = by_qid[qid]
        fits = (
            max(abs(one.year - year) for year in years) <= _SPAN
            and min(abs(one.year - year) for year in years) >= _LEAST_APART
        )
        alike = any(names_alike(one.one.named.bare, other.one.named.bare) for other in chosen)
        if fits and not alike:
            chosen.append(one)
            years.add(one.year)
        if len(chosen) == SEVERAL:
            order = ground.ordered((each.one.qid for each in chosen), "order", p, anchor.one.qid)
            return sorted(chosen, key=lambda each: order.index(each.one.qid))
    return []


def _draft(ground: OpenGround, p: int, wording: FirstWording, several: list[_Dated]) -> OpenDraft | None:
    index, first = ground.index, min(several, key=lambda one: one.year)
    names = [_title(one.one.named) for one in several]
    listed = _listed(names)
    premises = [one.value.premise for one in several]
    told = [ground.told(premise, "{s} is dated {on}.") for premise in premises]
    gold = index.namer.plain(first.one.qid)
    return OpenDraft(
        domain=ground.domain(first.one.qid),
        kind=TIME,
        asks="which of four",
        way=f"P{p} first",
        identity=("first", p, *sorted(one.one.qid for one in several)),
        question=said(wording.question, s=Named(listed, _listed([one.one.named.bare for one in several]))),
        gold=gold,
        wanted=wanted_items(index, (first.one.qid,)),
        pid=p,
        subject=first.one.qid,
        object=None,
        named=tuple(one.one.qid for one in several),
        rests=frozenset((p,)),
        sids=tuple(premise.sid for premise in premises),
        told="; ".join(f"{index.namer.plain(one.one.qid)} {date_text(printed(one.value))}" for one in several) + ".",
        premises=tuple(told),
        facts=(
            *(open_answer.cited(one.guid, sentence["sentence"]) for one, sentence in zip(premises, told, strict=True)),
            *open_answer.first((one.one.qid, *_days(one)) for one in several),
            *open_answer.named(first.one.qid, gold),
        ),
        relation=f"order:P{p}",
        hops=SEVERAL,
        precision=Precision.YEAR,
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _days(one: _Dated) -> tuple[int, int]:
    """First and last day of its year."""
    return day_number(one.year, 1, 1), day_number(one.year, 12, 31)


_NUMBERED = re.compile(r"^\S+$|\d")
"""One word, or with a number: what is called "Double Star mission" wants an article."""
_MADE = re.compile(r"(.+'s) [^“]+(“.+”)")


def _title(name: Named) -> str:
    """A name as it stands among others: of a title who made it (Ridley Scott's “Alien”), without whom it is not told
    from others of that title; empty: it does not stand so."""
    made = _MADE.fullmatch(name.name)
    return f"{made[1]} {made[2]}" if made else "" if "“" in name.name else name.name
