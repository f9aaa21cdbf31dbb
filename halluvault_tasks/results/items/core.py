"""The core of a month: few questions by which a new model is placed among those that were asked all of them.

It is chosen once, by strata and by what the models asked so far have shown of the questions, and stored: whoever is
asked it later is asked the same.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.markup import escape
from rich.table import Table
from sqlalchemy import Row, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import figures
from halluvault_tasks.results.headlines import NoHeadline
from halluvault_tasks.results.items import gathered
from halluvault_tasks.results.items.gathered import AnsweredColumn, GatheredAnswers, Question
from halluvault_tasks.statistics import core_sample, item_response, seeds
from halluvault_tasks.statistics.core_sample import CoreScore, Estimator, QuestionStrata
from halluvault_tasks.statistics.shares import codes
from halluvault_tasks.storage.tables import core_case
from halluvault_tasks.untrusted import visible

SEED = 1
_STRATUM = "stratum"
"""Feature of design that a core is spread over, with the rule's kind and the right answer."""


class Core(NamedTuple):
    """Questions of a core.

    Attributes:
        cases: their ids.
        models: how many models' answers chose them; 0: chosen by strata alone.
    """

    cases: frozenset[str]
    models: int


class PlacedModel(NamedTuple):
    """A model's share of right answers on the whole month: as it is, or as its answers to the core let expect.

    Attributes:
        model: its name.
        right: right yes/no answers, of all questions; None where too much of the core was not read.
        low, high: of its 95 % interval; None where it was asked everything.
        unread: share of the core's questions of which no answer could be read.
        evaluation: of a model that was asked the core.
    """

    model: str
    right: float | None
    low: float | None = None
    high: float | None = None
    unread: float = 0.0
    evaluation: str = ""


def core(session: Session, snapshot: str, n: int) -> Core:
    """The core of a month, chosen now if it was not before. Commits.

    Args:
        session: open session.
        snapshot: exact key of a month with published questions.
        n: questions wanted.

    Raises:
        UserError: the month has no published questions of the headline.
    """
    rows = session.execute(
        select(core_case.c.case_id, core_case.c.models).where(core_case.c.snapshot == snapshot, core_case.c.n == n)
    ).all()
    if rows:
        return Core(frozenset(row.case_id for row in rows), rows[0].models)
    made = _chosen(session, snapshot, n)
    session.execute(
        insert(core_case),
        [{"snapshot": snapshot, "n": n, "case_id": case, "models": made.models} for case in sorted(made.cases)],
    )
    session.commit()
    return made


def _chosen(session: Session, snapshot: str, n: int) -> Core:
    of = gathered.questions(session, snapshot)
    if not of:
        raise UserError(
            f"{snapshot} has no published questions of {' or '.join(figures.HEADLINE_SUITES)}",
            f"halluvault benchmark publish --snapshot {snapshot}",
        )
    part, models = strata(of), 0
    places = core_sample.drawn(part, n)
    for variant in gathered.variants(session, snapshot)[:1]:
        asked = gathered.gathered(session, snapshot, variant)
        if core_sample.informative(asked.answers):
            models = asked.answers.models
            places = Estimator(item_response.fit(asked.answers), asked.answers).choose(part, n)
    return Core(frozenset(of[place].id for place in places), models)


def strata(of: Sequence[Question]) -> QuestionStrata:
    """What a core is spread over."""
    stratum = [one.features.get(_STRATUM, gathered.UNGRADED) for one in of]
    cells = core_sample.cells_of(stratum, [one.kind for one in of], [one.gold for one in of])
    return QuestionStrata(cells, codes([one.group for one in of]), [seeds.drawn(SEED, one.id) for one in of])


def placed(session: Session, snapshot: str, evaluations: Sequence[str], chosen: Core) -> list[PlacedModel]:
    """Models that were asked the core among those that were asked everything, best first.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        evaluations: judged on the core, of one variant.
        chosen: the core.

    Raises:
        UserError: no model was asked everything, so that there is nothing to place one by.
    """
    found: list[PlacedModel] = []
    for row in gathered.named(session, evaluations):
        whole = gathered.gathered(session, snapshot, row.variant, without=row.model)
        if not whole.models:
            raise UserError(
                f"no other model was asked all questions of {snapshot} as {row.variant}",
                f"halluvault evaluate --model OTHER --snapshot {snapshot}",
            )
        estimator = Estimator(item_response.fit(whole.answers), whole.answers)
        mine = [number for number, one in enumerate(whole.questions) if one.id in chosen.cases]
        place = {whole.questions[question].id: number for number, question in enumerate(mine)}
        column = gathered.column(session, row.evaluation_id, profiles.CURRENT[profiles.HEADLINE], place)
        right = np.full(len(whole.questions), np.nan)
        right[mine] = column.right
        score = estimator.score(right, estimator.misfit(core_sample.drawn(strata(whole.questions), len(mine))))
        found.append(_less_open(row, score, column))
        beside = {one.model for one in found}
        found += [one for one in _asked_all(whole) if one.model not in beside]
    return sorted(found, key=lambda one: (-(one.right or 0.0), one.model))


def _less_open(row: Row[Any], score: CoreScore, column: AnsweredColumn) -> PlacedModel:
    """A share of right answers, in which "don't know" is none; None where too little was read (semantics.md §4.4)."""
    came = column.became.total()
    unread = (column.became["unread"] + len(column.right) - came) / len(column.right)
    if unread > figures.MAX_UNREAD:
        return PlacedModel(row.model, None, unread=unread, evaluation=row.evaluation_id)
    read = column.right[~np.isnan(column.right)]
    half = item_response.DONT_KNOW * float(np.mean(read == item_response.DONT_KNOW))
    expected, low, high = (max(0.0, end - half) for end in score)
    return PlacedModel(row.model, expected, low, high, unread, row.evaluation_id)


def without(found: Sequence[PlacedModel], snapshot: str) -> list[NoHeadline]:
    """Those of which too little was read."""
    return [
        NoHeadline(one.evaluation, one.model, snapshot, f"{100 * one.unread:.1f} % unread")
        for one in found
        if one.right is None
    ]


def _asked_all(of: GatheredAnswers) -> list[PlacedModel]:
    shares = [float(np.mean(column == 1.0)) for column in of.answers.right.T]
    return [PlacedModel(model, share) for model, share in zip(of.models, shares, strict=True)]


def table(found: Sequence[PlacedModel], chosen: Core, of: int) -> Table:
    """To print."""
    by = f"by what {chosen.models} models have shown of them" if chosen.models else "by strata alone"
    made = Table(
        "model", "right, of all questions", "asked",
        title=f"On a core of {len(chosen.cases)} of {of} questions, chosen {by}: an estimate, and no month's result",
    )  # fmt: skip
    for one in found:
        unread = f", {100 * one.unread:.1f} % unread" if one.unread else ""
        if one.right is None:
            made.add_row(escape(visible(one.model)), "–", f"core{unread}")
        elif one.low is None or one.high is None:
            made.add_row(escape(visible(one.model)), f"{100 * one.right:.1f} %", "all")
        else:
            interval = f"{100 * one.right:.1f} % [{100 * one.low:.1f}, {100 * one.high:.1f}]"
            made.add_row(escape(visible(one.model)), interval, f"core{unread}")
    return made
