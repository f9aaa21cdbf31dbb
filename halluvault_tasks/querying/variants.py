"""Which of a benchmark's prompt variants an evaluation asks."""

from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.preflight import Extremes
from halluvault_tasks.storage.tables import benchmark, prompt, prompt_variant
from halluvault_tasks.wikidata.keys import parse_key


class Chosen(NamedTuple):
    """A prompt variant of a benchmark."""

    id: str
    chat: bool
    """Whether its prompts are conversations."""


def find(session: Session, snapshot: str, wanted: str) -> Chosen:
    """The prompt variant to ask.

    Args:
        session: open session.
        snapshot: exact key of a benchmark.
        wanted: its id, or TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT; empty for the halluvault template where
            the benchmark has it, else the one that it has.

    Raises:
        UserError: there is no such benchmark or variant; names those that exist.
    """
    benchmarks = session.scalars(select(benchmark.c.snapshot)).all()
    if snapshot not in benchmarks:
        # By month and number of the pull: as text, the tenth pull would stand before the second.
        known = sorted(benchmarks, key=lambda key: (parse_key(key).month, parse_key(key).revision or 1))
        raise UserError(
            f"no benchmark for snapshot {snapshot!r}; there are: {', '.join(known) or 'none'}",
            "`halluvault benchmark build` makes one",
        )
    rows = session.execute(
        select(prompt_variant)
        .where(prompt_variant.c.id.in_(select(prompt.c.variant_id).where(prompt.c.snapshot == snapshot).distinct()))
        .order_by(prompt_variant.c.version.desc(), prompt_variant.c.id)
    ).all()
    # A bare template means its plain, closed-book form where there is one.
    rows = sorted(rows, key=lambda row: (row.form != "plain", row.context != "closed-book"))
    names = [wanted] if wanted else ["halluvault", *(row.template for row in rows)]
    for name in names:
        for row in rows:
            spelled = f"{row.template}/{row.form}/{row.context}"
            if name == row.id or spelled == name or spelled.startswith(f"{name}/"):
                return Chosen(str(row.id), row.form == "chat")
    shown = ", ".join(f"{row.template}/{row.form}/{row.context} ({row.id}, version {row.version})" for row in rows)
    raise UserError(
        f"no prompt variant {wanted!r} for {snapshot}; there are: {shown}"
        if rows
        else f"the benchmark of {snapshot} has no prompts",
        "give one of these names or ids, or build the benchmark with such a variant",
    )


def extremes(session: Session, snapshot: str, variant_id: str, chat: bool) -> Extremes:
    """The shortest and the longest prompt of a benchmark in one variant."""
    mine = select(prompt.c.case_id, prompt.c.text).where(
        prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id
    )
    shortest = session.execute(mine.order_by(func.length(prompt.c.text), prompt.c.case_id).limit(1)).one()
    longest = session.execute(mine.order_by(func.length(prompt.c.text).desc(), prompt.c.case_id).limit(1)).one()
    return Extremes(shortest.text, longest.text, longest.case_id, chat)
