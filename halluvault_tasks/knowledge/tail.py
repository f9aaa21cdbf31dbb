"""Seeds that few know: a draw from the members of each root that have few sitelinks.

Who is drawn depends on an item's number and the configured seed alone. The last digits of a number are as good as a
hash (people and programs make items one after the other, whatever they are), and any engine of SPARQL can ask for them:
so of a class of a hundred thousand the service sends a thousandth. Of two candidates that one comes first whose digits,
from the last on, agree with the seed's for longer; beyond that, the lower one.

What was drawn for the last published month of the same source stays while it has a sitelink, whoever may have come
before it since, and whatever else it has become.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import Protocol

from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.config import Root, Tail

LARGEST = 150_000_000
"""No item of Wikidata has a higher number yet: where a class is too large even for its thousandth, candidates are
counted up to here."""
LONGEST = 3
"""Digits of the first ending that is asked for: a thousandth."""
_DIGITS = 9
_LENGTHS = (LONGEST, 1, 0)
"""Of the endings, one inside the other: a thousandth, a tenth, everything. A root that fills its share with the first
is asked no more."""

Members = Callable[[Sequence[int], str, str], Mapping[int, int]]
"""(classes, mode, ending) → their members with few sitelinks whose number ends so, each with its sitelinks."""


class _Drawn(Protocol):
    @property
    def qid(self) -> int: ...


def endings(seed: int) -> tuple[str, ...]:
    """The endings that are asked for in turn, each part of the next."""
    digits = f"{_offset(seed):0{_DIGITS}d}"
    return tuple(digits[_DIGITS - length :] for length in _LENGTHS)


def place(qid: int, seed: int) -> str:
    """Where an item stands in the draw: sorts as text."""
    return f"{(qid - _offset(seed)) % 10**_DIGITS:0{_DIGITS}d}"[::-1]


def _offset(seed: int) -> int:
    digest = hashlib.sha256(f"tail {seed}".encode()).digest()
    return int.from_bytes(digest) % int(10**_DIGITS)


def candidates(ending: str) -> list[int]:
    """Every number that an item may have and that ends so, ascending; the ending is not empty."""
    numbers = range(int(ending), LARGEST, 10 ** len(ending))
    return [qid for qid in numbers if qid and str(qid).endswith(ending)]


def draw(tail: Tail, roots: Sequence[tuple[Root, Sequence[int]]], members: Members) -> dict[int, int]:
    """Candidates of a domain with their sitelinks: from each root the first of the draw, in equal shares.

    Args:
        tail: the settings.
        roots: each with its classes, closed downward.
        members: asks the source.
    """
    share = ceil(tail.limit / max(1, len(roots)))
    drawn: dict[int, int] = {}
    for root, classes in roots:
        found: dict[int, int] = {}
        for ending in endings(tail.seed):
            for mode in root.modes:
                found |= members(classes, mode, ending)
            if len(found) >= share:
                break
        drawn |= {qid: found[qid] for qid in sorted(found, key=lambda qid: place(qid, tail.seed))[:share]}
    return drawn


def settled(
    tail: Tail, drawn: Mapping[int, int], kept: Mapping[int, int], head: Iterable[_Drawn]
) -> list[tuple[int, int]]:
    """(item, sitelinks) of a domain's tail, ascending: what is kept first, then the first of the draw, to the limit.

    Args:
        tail: the settings.
        drawn: this month's candidates with their sitelinks.
        kept: what was drawn before and has sitelinks, with their number.
        head: seeds of the domain that are so anyway.
    """
    without = {seed.qid for seed in head}

    def ordered(of: Mapping[int, int]) -> list[int]:
        return sorted(of.keys() - without, key=lambda qid: place(qid, tail.seed))

    stay = ordered(kept)
    chosen = [*stay, *(qid for qid in ordered(drawn) if qid not in kept)][: tail.limit]
    return sorted((qid, kept.get(qid) or drawn[qid]) for qid in chosen)


def before(session: Session, snapshot: str) -> dict[str, list[int]]:
    """Domain → what was drawn for the last published month of the same source; empty where there is none."""
    earlier = snapshots.predecessor(session, snapshots.get(session, snapshot))
    noted = snapshots.notes(session, earlier.snapshot).get("complete", {}) if earlier else {}
    return {domain: list(items) for domain, items in noted.get("tail", {}).items()}
