"""Cases of a frozen month, drawn evenly from the strata, as prompts of the production variant and a key beside them."""

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.prompts.contexts import AskedCase
from halluvault_tasks.benchmark.prompts.prompt import prompt_of
from halluvault_tasks.benchmark.prompts.variants import Variant
from halluvault_tasks.errors import UserError
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import benchmark_case, cases

TEMPLATE = "halluvault/two-turn"
"""The production prompt: explain in a few sentences, then say yes, no or don't know."""

CONTEXTS = ("closed-book", "with-evidence")


class DrawnCase(NamedTuple):
    """A case with what it is read by.

    Attributes:
        asked: what its prompts are made from.
        gold: yes or no.
        features: feature of difficulty → level (`Difficulty.features`).
        licence: what a No of its block rests on.
    """

    asked: AskedCase
    gold: str
    features: Mapping[str, str]
    licence: str

    @property
    def cell(self) -> tuple[str, ...]:
        """What the draw goes evenly over: suite, stratum, whether it is hard by design, and the answer."""
        return self.asked.suite, self.features["stratum"], self.features["design"], self.gold


def of_month(session: Session, snapshot: str, count: int, seed: int) -> list[DrawnCase]:
    """Cases of a month's headline, one of each fact, evenly from the cells as far as they reach.

    Args:
        session: open session; only read.
        snapshot: exact key of a month with a frozen benchmark.
        count: cases wanted.
        seed: another one draws others.

    Raises:
        UserError: the month's cases have no difficulty.
    """
    columns = (cases.c.id, cases.c.question, cases.c.suite, cases.c.group_id, benchmark_case.c.domain)
    query = (
        select(*columns, benchmark_case.c.premises, benchmark_case.c.fact, cases.c.gold, benchmark_case.c.licence)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot, benchmark_case.c.suite.in_(HEADLINE))
    )
    found = [
        DrawnCase(AskedCase(*row[:7]), row.gold, row.fact["difficulty"]["features"], row.licence)
        for row in session.execute(query)
        if "difficulty" in row.fact
    ]
    if not found:
        raise UserError(
            f"no case of {snapshot} has a difficulty: it was frozen before questions had one, or has no headline",
            "build a later month",
        )
    # Of each fact one wording, so that answers are independent.
    one_each = evenly(found, lambda one: one.asked.group_id, 1, seed)
    return _round_robin(one_each, lambda one: one.cell, count, seed)


def evenly(several: Iterable[DrawnCase], of: Callable[[DrawnCase], Hashable], most: int, seed: int) -> list[DrawnCase]:
    """At most so many of each, drawn by hash of the case, whatever else there is."""
    parts: dict[Hashable, list[DrawnCase]] = defaultdict(list)
    for one in sorted(several, key=lambda one: drawn(seed, one.asked.id)):
        parts[of(one)].append(one)
    return [one for some in parts.values() for one in some[:most]]


def _round_robin(
    several: Iterable[DrawnCase], of: Callable[[DrawnCase], tuple[str, ...]], count: int, seed: int
) -> list[DrawnCase]:
    """One of each cell in turn, so that a small cell is taken whole and the others share what is left."""
    parts: dict[tuple[str, ...], list[DrawnCase]] = defaultdict(list)
    for one in sorted(several, key=lambda one: drawn(seed, one.asked.id)):
        parts[of(one)].append(one)
    turns = [(turn, cell, one) for cell, some in parts.items() for turn, one in enumerate(some)]
    return [one for _, _, one in sorted(turns, key=lambda it: (it[0], drawn(seed, *it[1])))[:count]]


def conversation(one: DrawnCase, context: str, as_of: date) -> list[dict[str, Any]]:
    """The prompt as messages; an assistant's turn without content is the answerer's own."""
    made = prompt_of(Variant(TEMPLATE, "chat", context), one.asked, as_of)
    assert made is not None, one.asked.id
    messages: list[dict[str, Any]] = json.loads(made.text)
    return messages


def key_of(one: DrawnCase) -> dict[str, Any]:
    """What answers are read by; no answerer may see it."""
    return {
        "case": one.asked.id,
        "question": one.asked.question,
        "gold": one.gold,
        "suite": one.asked.suite,
        "domain": one.asked.domain,
        "licence": one.licence,
        **one.features,
        "evidence": " ".join(premise["sentence"] for premise in one.asked.premises) or one.asked.fact.get("found", ""),
    }
