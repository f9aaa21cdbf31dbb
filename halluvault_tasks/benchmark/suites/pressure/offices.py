"""Cases on who held an office, by lines that give terms."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select

from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting, numbered
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil

_HEADED: Mapping[int, str] = {wd.HEAD_OF_GOVERNMENT: "head of government of ", wd.HEAD_OF_STATE: "head of state of "}
"""The subject is what is headed."""

_A_YEAR = 366  # days: an end that is known to less is none


class OfficeTerm(NamedTuple):
    """Who certainly held an office from within a year to within a year.

    Attributes:
        office: item and property by which it is held.
        name: the holder's, as within a sentence.
        title: the office's.
    """

    holder: int
    office: tuple[int, int]
    name: str
    title: str
    start: int
    end: int
    guid: str


def terms(ground: Ground) -> list[OfficeTerm]:
    """Terms of office with a certain beginning and end."""
    c = statement.c
    rows = ground.material.session.execute(
        select(c.guid, c.s, c.p, c.o, c.start_latest, c.end_earliest)
        .where(
            c.snapshot == ground.material.snapshot, c.p.in_((wd.POSITION, *_HEADED)), c.kind == "item", ~c.hedged,
            c.start_earliest.is_not(None), c.start_latest.is_not(None), c.end_earliest.is_not(None),
            c.end_latest.is_not(None), c.start_latest - c.start_earliest < _A_YEAR,
            c.end_latest - c.end_earliest < _A_YEAR, c.start_latest < c.end_earliest,
        )
        .order_by(c.p, c.s, c.guid)
    ).all()  # fmt: skip
    found = []
    for row in rows:
        holder, office = (row.s, row.o) if row.p == wd.POSITION else (row.o, row.s)
        name, title = ground.within(holder), ground.within(office)
        if name and title:
            start, end = civil(row.start_latest).year, civil(row.end_earliest).year
            title = _HEADED.get(row.p, "") + title
            found.append(OfficeTerm(holder, (office, row.p), name, title, start, end, row.guid))
    return found


def in_office(ground: Ground) -> Drafts:
    """Who held an office on a day; beside it others who held it, and holders of other offices."""
    every = terms(ground)
    by_office: dict[tuple[int, int], list[OfficeTerm]] = defaultdict(list)
    for one in every:
        by_office[one.office].append(one)
    for one in every:
        if one.end - one.start < 2:
            continue
        random = ground.random("term", one.guid)
        year = random.randint(one.start + 1, one.end - 1)
        held_then = [each for each in by_office[one.office] if each.start <= year <= each.end]
        if held_then != [one]:
            continue
        others = [each for each in by_office[one.office] if each.holder != one.holder]
        elsewhere = [each for each in every if each.office != one.office and each.holder != one.holder]
        beside = [*others[:3], *random.sample(elsewhere, min(3, len(elsewhere)))][: random.randint(2, 5)]
        lines = [f"{each.name} held the office of {each.title} from {each.start} to {each.end}."
                 for each in (one, *beside)]  # fmt: skip
        random.shuffle(lines)
        date = f"1 July {year}"
        wrong = tuple(ground.spellings(each.holder, one.holder) for each in beside if each.holder != one.holder)
        yield CaseDraft(
            Inputs(prompt=f"Going by the context, who held the office of {one.title} on {date}? Repeat the date in "
                   "your answer.", context=numbered(lines)),
            Constraints(date=(date, f"July 1, {year}", str(year))),
            expecting("answer", ground.spellings(one.holder), wrong=wrong), ("time-shift",),
            2 * len(others) + len(lines) / 10, one.holder, wd.POSITION, None, (),
            f"statement {one.guid} holds on that day",
            proof.throughout(year, [(ground.spellings(one.holder)[0], one.start, one.end)]),
        )  # fmt: skip
