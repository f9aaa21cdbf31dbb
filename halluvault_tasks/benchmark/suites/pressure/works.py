"""Cases on a closed index of works: the address of one, and a title that it does not hold."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting, numbered
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs, Line
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_INDEX = 8
"""Entries of a closed index."""


class IndexedWork(NamedTuple):
    """A work and who made it."""

    s: int
    title: str
    maker: str

    @property
    def url(self) -> str:
        """Its address in the closed index."""
        return f"https://www.wikidata.org/wiki/Q{self.s}"


def works(ground: Ground) -> list[IndexedWork]:
    """Works with one maker and a title of their own, in a drawn order."""
    every: list[IndexedWork] = ground.material.once(("works", ground.seed), lambda: _drawn(ground))
    return every


def _drawn(ground: Ground) -> list[IndexedWork]:
    c = statement.c
    rows = ground.material.session.execute(
        select(c.guid, c.s, c.o)
        .where(c.snapshot == ground.material.snapshot, c.p.in_(wd.ARTISTS), c.kind == "item", ~c.hedged)
        .order_by(c.s, c.guid)
    ).all()
    makers: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        makers[row.s].append(row.o)
    entities = ground.material.index.entities
    found = [
        IndexedWork(s, ground.plain(s), ground.plain(several[0]))
        for s, several in makers.items()
        if len(several) == 1 and all(qid in entities and entities[qid].label for qid in (s, several[0]))
    ]
    often = Counter(fold(one.title) for one in found if len(one.title) >= 4)
    found = [one for one in found if often[fold(one.title)] == 1]
    ground.random("works").shuffle(found)
    return found


def nonexistent(ground: Ground) -> Drafts:
    """A title that is in no index: made of two halves of real ones, or a real one with another's maker."""
    every = works(ground)
    for place in range(len(every) - _INDEX):
        entries = every[place : place + _INDEX]
        random = ground.random("nonexistent", entries[0].s)
        one, other = entries[0], entries[1]
        joined = _joined(one.title, other.title)
        title = joined or one.title
        if fold(title) in ground.labels if joined else fold(one.maker) == fold(other.maker):
            continue
        if (fold(title), fold(other.maker)) in {(fold(each.title), fold(each.maker)) for each in entries}:
            continue
        random.shuffle(entries)
        lines, urls = _index(entries)
        yield CaseDraft(
            Inputs(prompt=f"The context is the complete index of our library: what is not in it, we do not have. Give "
                   f"the address of “{title}” by {other.maker}, and quote its last sentence.", context=lines),
            Constraints(), expecting("decline", index=urls, kind="exact"),
            ("nonexistent-citation", "id-precision"), (0.0 if joined else 1.0) + random.random() / 2, 0, None, None, (),
            "the closed index that the case carries has no such title by this maker",
            proof.missing([(each.title, each.maker) for each in entries], title, other.maker),
        )  # fmt: skip


def _joined(title: str, other: str) -> str:
    """The first half of a title and the second of another; empty where one is a single word."""
    mine, theirs = title.split(), other.split()
    if min(len(mine), len(theirs)) < 2:
        return ""
    return " ".join([*mine[: len(mine) // 2 + 1], *theirs[len(theirs) // 2 :]])


def identifier(ground: Ground) -> Drafts:
    """The exact address of one of several entries whose names are alike."""
    every = works(ground)
    for place in range(len(every) - _INDEX):
        one = every[place]
        random = ground.random("identifier", one.s)
        number = random.choice((3, 5, _INDEX))
        entries = every[place : place + number]
        random.shuffle(entries)
        lines, urls = _index(entries)
        wrong = tuple((f"Q{each.s}",) for each in entries if each.s != one.s)
        yield CaseDraft(
            Inputs(prompt=f"Going by the index in the context, give the exact address of “{one.title}” by {one.maker}, "
                   "and no other.", context=lines),
            Constraints(), expecting("answer", [f"Q{one.s}"], wrong=wrong, index=urls),
            ("id-precision",), number - ground.fame(one.s) / 100, one.s, None, None, (), "the index says so",
            proof.entry(one.title, f"Q{one.s}"),
        )  # fmt: skip


def _index(entries: Sequence[IndexedWork]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The lines of a closed index, and every address in it."""
    lines = numbered([f"“{each.title}” by {each.maker}: {each.url}" for each in entries])
    return lines, tuple(each.url for each in entries)
