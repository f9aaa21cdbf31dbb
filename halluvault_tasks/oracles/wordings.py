"""Clauses with slots and choices, taken apart into the words before, between and behind their two ends."""

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from halluvault_tasks.oracles import gaps

Tokens = tuple[str, ...]

SLOT = re.compile(r"\{(s|o|on)(?::[a-z]+)?\}")
SLOT_CHOSEN = re.compile(r"\[[^\]]*\{")

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


def expanded(clause: str) -> Iterator[str]:
    """Every clause that one with choices ("[a|b]") stands for."""
    match = _CHOICE.search(clause)
    if not match:
        yield " ".join(clause.split())
        return
    for choice in match[1].split("|"):
        yield from expanded(clause[: match.start()] + choice + clause[match.end() :])


class Apart(NamedTuple):
    """A clause taken apart at its two slots."""

    before: Tokens
    first: str
    between: Tokens
    second: str
    after: Tokens


def taken_apart(pattern: str) -> Iterator[Apart]:
    """Every clause that a pattern stands for; its three parts are read apart, so their choices do not multiply."""
    parts = SLOT.split(pattern.rstrip(".").replace("“", " ").replace("”", " "))
    if SLOT_CHOSEN.search(pattern):
        for clause in expanded(pattern):
            yield from taken_apart(clause)
        return
    befores, betweens, afters = (tuple(dict.fromkeys(_token_forms(part))) for part in parts[::2])
    for before, between, after in product(befores, betweens, afters):
        yield Apart(before, parts[1], between, parts[3], after)


def _token_forms(part: str) -> Iterator[Tokens]:
    """The words of every clause that a part with choices stands for.

    Its pieces are read one by one and put together; where that gives other words than reading the whole, as three
    clauses tell, every clause is read whole.
    """
    choices = [piece[1:-1].split("|") if piece[:1] == "[" else [piece] for piece in _CHOSEN.split(part) if piece]
    if prod(map(len, choices)) > _WHOLE:
        read = [[gaps.read(choice).tokens for choice in listed] for listed in choices]
        for pick in (0, 1, -1):
            whole = "".join(listed[pick % len(listed)] for listed in choices)
            pieces = gaps.merged([token for listed in read for token in listed[pick % len(listed)]])
            if gaps.read(whole).tokens != tuple(pieces):
                break
        else:
            for picked in product(*read):
                yield tuple(gaps.merged([token for piece in picked for token in piece]))
            return
    for clause in expanded(part):
        yield gaps.read(clause).tokens


_CHOSEN = re.compile(r"(\[[^\[\]]*\])")
_WHOLE = 4
"""Clauses that are read whole rather than piece by piece."""
