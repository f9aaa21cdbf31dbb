"""Rates on a sample of a month's questions (`querying.sample`): printed, not stored beside those of whole months."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rich.markup import escape
from rich.table import Table
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import figures, tally
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.headlines import NoHeadline
from halluvault_tasks.results.page_words import NO_RATE
from halluvault_tasks.results.read import HallucinationRate, ProvedPart
from halluvault_tasks.results.show import below, interval, percent, told
from halluvault_tasks.results.tally import TallyCell
from halluvault_tasks.storage.tables import benchmark_case, evaluation, model, prompt, response


class SampledRates(NamedTuple):
    """Rates on a part of a month.

    Attributes:
        table: to print.
        without: the evaluations that have no rate there.
    """

    table: Table
    without: list[NoHeadline]


def estimate(session: Session, evaluation_ids: Sequence[str], part: Collection[str], of: int) -> SampledRates:
    """One line for each evaluation: what was asked and came back, and the rates of those in the headline's suites.

    Args:
        session: open session; it is only read.
        evaluation_ids: of one month, judged.
        part: case ids.
        of: questions of the whole month.
    """
    made = Table(
        "model", "asked", "delivered", "in the headline", "answered", "accuracy", "hallucination rate",
        title=f"On {len(part)} of {of} questions, drawn by strata: an estimate, and no month's result; "
        f"rates over the headline's suites, {' and '.join(figures.HEADLINE_SUITES)}",
    )  # fmt: skip
    without = []
    for evaluation_id in evaluation_ids:
        row = session.execute(
            select(evaluation.c.snapshot, evaluation.c.variant_id, model.c.name)
            .join(model, model.c.id == evaluation.c.model_id)
            .where(evaluation.c.id == evaluation_id)
        ).one()
        planned = _planned(session, row.snapshot, row.variant_id, part)
        found = rates(session, evaluation_id, row.snapshot, planned, part)
        if not found:  # nothing of it is the headline's
            made.add_row(escape(row.name), *map(str, (*_asked(session, evaluation_id, part), 0)), "–", "–", "–")
            continue
        judged, headline = found["delivered"].hits or 0, found["hallucination_rate"]
        of_proved = found["proved_rate"]
        whole = _rate(headline)._replace(
            proved=ProvedPart(
                of_proved.value, of_proved.low, of_proved.high, of_proved.n, found["proved_accuracy"].value
            )
        )
        rate = told(whole, below(found["api_refused"].hits, judged))
        counts = (*_asked(session, evaluation_id, part), judged)
        answered, accuracy = percent(found["answered_share"].value), interval(_rate(found["accuracy"]))
        made.add_row(escape(row.name), *map(str, counts), answered, accuracy, rate)
        if headline.no_rate_reason:
            without.append(NoHeadline(evaluation_id, row.name, row.snapshot, headline.no_rate_reason))
    if without:
        made.caption, made.caption_justify = NO_RATE, "left"
    return SampledRates(made, without)


def _asked(session: Session, evaluation_id: str, part: Collection[str]) -> tuple[int, int]:
    """Prompts of a part that were asked, and how many of them were answered: the others ended as dead letters."""
    asked, delivered = session.execute(
        select(func.count(), func.count().filter(response.c.status == "delivered")).where(
            response.c.evaluation_id == evaluation_id, response.c.case_id.in_(sorted(part))
        )
    ).one()
    return asked, delivered


def rates(
    session: Session, evaluation_id: str, snapshot: str, planned: Counter[TallyCell], part: Collection[str]
) -> dict[str, Figure]:
    """Metric → the headline's figure on a part; empty where none of it belongs to the headline."""
    judged = tally.of_evaluation(session, evaluation_id, snapshot, part)
    mine = judged.get((profiles.HEADLINE, profiles.CURRENT[profiles.HEADLINE]), tally.EMPTY)
    return {one.metric: one for one in figures.of_tally(mine, planned) if one.scope == "model"}


def _planned(session: Session, snapshot: str, variant_id: str, part: Collection[str]) -> Counter[TallyCell]:
    cell = (benchmark_case.c.suite, benchmark_case.c.domain, benchmark_case.c.rule_kind)
    rows = session.execute(
        select(*cell, func.count())
        .join(prompt, (prompt.c.case_id == benchmark_case.c.case_id) & (prompt.c.snapshot == benchmark_case.c.snapshot))
        .where(
            benchmark_case.c.snapshot == snapshot,
            prompt.c.variant_id == variant_id,
            benchmark_case.c.case_id.in_(sorted(part)),
        )
        .group_by(*cell)
    )
    return Counter({TallyCell(*names): count for *names, count in rows})


def _rate(found: Figure) -> HallucinationRate:
    return HallucinationRate(found.value, found.low, found.high, None, found.no_rate_reason)
