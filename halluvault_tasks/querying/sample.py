"""A representative sample of a month's questions, to ask first if the whole month takes long.

Facts are drawn, so that all wordings of a fact are asked or none, stratified by suite, domain and rule kind. The draw
depends on the facts alone: a larger sample contains every smaller one, and models and months share what they can.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.querying.store import missing
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, model, response

SEED = 1


def part(session: Session, snapshot: str, count: int) -> frozenset[str]:
    """The cases of a month that a run with this many questions asks; empty, meaning all, if `count` is 0."""
    return drawn(session, snapshot, count) if count else frozenset()


def asked(session: Session, snapshot: str, models: Sequence[str], part: frozenset[str]) -> list[str]:
    """Evaluations of a month in which these models (registry names) were asked all of a part, the oldest first."""
    among = select(evaluation.c.id).join(model, model.c.id == evaluation.c.model_id)
    there = select(response.c.case_id).where(response.c.evaluation_id == evaluation.c.id, response.c.case_id.in_(part))
    found = session.scalars(
        among.where(evaluation.c.snapshot == snapshot, model.c.name.in_(models), there.exists()).order_by(
            evaluation.c.created_at, evaluation.c.id
        )
    ).all()
    open_prompts = {one: missing(one, snapshot, part=part).subquery() for one in found}
    return [one for one in found if not session.scalar(select(func.count()).select_from(open_prompts[one]))]


def drawn(session: Session, snapshot: str, count: int, seed: int = SEED) -> frozenset[str]:
    """Case ids of at most `count` questions, but of one fact at least.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a month with a published part.
        count: questions wanted, at least 1.
        seed: another one draws others.
    """
    rows = session.execute(
        select(
            cases.c.group_id, cases.c.id, benchmark_case.c.suite, benchmark_case.c.domain, benchmark_case.c.rule_kind
        )
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot, cases.c.id.in_(part_lookup.asked(snapshot)))
    )
    facts: dict[str, list[str]] = defaultdict(list)
    stratum: dict[str, tuple[str, ...]] = {}
    for row in rows:
        facts[row.group_id].append(row.id)
        place = (row.suite, row.domain, row.rule_kind)
        stratum[row.group_id] = min(stratum.get(row.group_id, place), place)
    taken: list[str] = []
    for group in in_order(stratum, seed):
        if taken and len(taken) + len(facts[group]) > count:
            break
        taken += facts[group]
    return frozenset(taken)


def in_order(stratum: dict[str, tuple[str, ...]], seed: int) -> list[str]:
    """All facts, so that every first part has the same share of each stratum, to within one fact of it.

    Args:
        stratum: fact → where it belongs.
        seed: of the draw.
    """
    members: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for group, place in stratum.items():
        members[place].append(group)
    keyed = []
    for place, groups in members.items():
        # Spread evenly from a start of its own: a small stratum is as likely to come early as any fact of a large one.
        start = _draw(seed, *place)
        for rank, group in enumerate(sorted(groups, key=lambda one: (_draw(seed, one), one))):
            keyed.append(((rank + start) / len(groups), group))
    return [group for _, group in sorted(keyed)]


def _draw(seed: int, *names: str) -> Fraction:
    """A number from 0 to 1 that the names decide, the same on every machine."""
    digest = hashlib.sha256("\x1f".join([str(seed), *names]).encode()).digest()
    return Fraction(int.from_bytes(digest[:8]), 2**64)
