"""One model over many months, and two models on the very same questions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from rich.markup import escape
from rich.table import Table
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.results import headlines, joins, page_words
from halluvault_tasks.results.read import HallucinationRate, ProvedPart
from halluvault_tasks.results.show import below, percent, told
from halluvault_tasks.statistics import comparisons, shares
from halluvault_tasks.storage.tables import cases, evaluation, model, verdict
from halluvault_tasks.untrusted import visible


class ModelPair(NamedTuple):
    """How two models did on one question."""

    group: str
    """Metamorphic group of the question: what varies between facts varies here."""
    errs: bool
    """Whether the model hallucinated."""
    baseline_errs: bool


class MonthDifference(NamedTuple):
    """Rate of a model less the baseline's, on the questions that both were judged on.

    Attributes:
        pairs: such questions, samples counted apart.
        only_model: of these, where it alone errs.
        only_baseline: of these, where the baseline alone errs.
        difference: (only_model - only_baseline) / pairs.
        low: lower end of its 95 % interval, clustered by group; -1 where one group says nothing of others.
        high: upper end.
        p_value: cluster sign-flip test: how likely so great a difference is if both err alike.
    """

    pairs: int
    only_model: int
    only_baseline: int
    difference: float
    low: float
    high: float
    p_value: float


def over(session: Session, keys: Sequence[str], models: Sequence[str]) -> Table:
    """One line for each model, prompt and month, by the headline profile.

    Args:
        session: open session; it is only read.
        keys: exact snapshot keys.
        models: registry names.
    """
    table = Table("model", "month", "prompt", "delivered", "answered", "accuracy", "hallucination rate")
    rows = session.execute(
        text(
            "SELECT model, snapshot, prompt, delivered, planned, answered_share, accuracy, hallucination_rate,"
            " rate_low, rate_high, no_rate_reason, api_refused, proved_rate, proved_low, proved_high,"
            " proved_delivered, proved_accuracy FROM results_by_model"
            " WHERE profile = :profile AND snapshot = ANY(:keys) AND model = ANY(:models)"
            " ORDER BY model, prompt, snapshot, evaluation_id"
        ),
        {"profile": profiles.HEADLINE, "keys": list(keys), "models": list(models)},
    )
    for row in rows:
        part = ProvedPart(row.proved_rate, row.proved_low, row.proved_high, row.proved_delivered, row.proved_accuracy)
        rate = HallucinationRate(row.hallucination_rate, row.rate_low, row.rate_high, None, row.no_rate_reason, part)
        table.add_row(
            escape(row.model), row.snapshot, escape(row.prompt), f"{row.delivered}/{row.planned}",
            percent(row.answered_share), percent(row.accuracy),
            told(rate, below(row.api_refused, row.delivered)),
        )  # fmt: skip
    return table


def require_asked(session: Session, keys: Sequence[str], baseline: str) -> None:
    """See that a model was asked in one of these months.

    Raises:
        UserError: it was not; says which were.
    """
    query = select(model.c.name).join(evaluation, evaluation.c.model_id == model.c.id)
    known = session.scalars(query.where(evaluation.c.snapshot.in_(keys)).distinct().order_by(model.c.name)).all()
    if baseline not in known:
        raise UserError(
            f"--baseline {baseline!r} was not asked in {', '.join(keys)}; asked were: {', '.join(known) or 'none'}",
            "name one of them, or evaluate it first",
        )


def against(session: Session, keys: Sequence[str], models: Sequence[str], baseline: str) -> Table:
    """Each model compared with the baseline, month by month and over all in which both have a headline.

    Raises:
        UserError: the baseline has no verdict in these months.
    """
    theirs = _errors(session, keys, baseline)
    if not theirs:
        raise UserError(
            f"--baseline {baseline!r} has no verdict in {', '.join(keys)}",
            f"halluvault evaluate --model {baseline} --snapshots {keys[0]}..{keys[-1]}",
        )
    table = Table(
        "model", "month", "both judged", "it alone errs", "baseline alone errs", "difference", "p",
        title=f"Held against {escape(baseline)}, question by question, over the suites {' and '.join(HEADLINE)}",
    )  # fmt: skip
    silent = {(one.model, one.snapshot): one.why for one in headlines.of_models(session, keys, [*models, baseline])}
    for name in models:
        if name == baseline:
            continue
        mine, every = _errors(session, keys, name), []
        for month in keys:
            mute = [f"{who} has no rate, {silent[who, month]}" for who in (name, baseline) if (who, month) in silent]
            if mute:
                why = escape(visible(page_words.dash("; ".join(mute))))
                table.add_row(escape(name), month, "–", "–", "–", why, "–")
                continue
            pairs = [
                ModelPair(group, errs, theirs[key][1])
                for key, (group, errs) in mine.items()
                if key[0] == month and key in theirs
            ]
            every += pairs
            _add(table, name, month, pairs)
        if len(keys) > 1:
            _add(table, name, "all", every)
    return table


def _add(table: Table, name: str, month: str, pairs: Sequence[ModelPair]) -> None:
    found = compare(pairs)
    if found is None:
        table.add_row(escape(name), month, "0", "–", "–", "–", "–")
        return
    points = f"{100 * found.difference:+.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}] points"
    counts = map(str, (found.pairs, found.only_model, found.only_baseline))
    table.add_row(escape(name), month, *counts, points, page_words.p_value(found.p_value))


def compare(pairs: Sequence[ModelPair]) -> MonthDifference | None:
    """The paired difference of two rates; None without pairs."""
    mine = sum(pair.errs and not pair.baseline_errs for pair in pairs)
    theirs = sum(pair.baseline_errs and not pair.errs for pair in pairs)
    groups = shares.codes([pair.group for pair in pairs])
    found = comparisons.paired(groups, np.array([float(pair.errs) - pair.baseline_errs for pair in pairs]))
    if found is None:
        return None
    return MonthDifference(len(pairs), mine, theirs, found.difference, found.low, found.high, found.p)


def _errors(session: Session, keys: Sequence[str], name: str) -> dict[tuple[str, str, str, int], tuple[str, bool]]:
    """(month, prompt variant, case, sample) → its group, and whether the model's newest evaluation errs there."""
    rows = session.execute(
        select(
            evaluation.c.snapshot,
            evaluation.c.variant_id,
            verdict.c.case_id,
            verdict.c.sample,
            cases.c.group_id,
            verdict.c.category,
        )
        .select_from(joins.asked(verdict))
        .where(
            model.c.name == name,
            evaluation.c.snapshot.in_(list(keys)),
            verdict.c.profile == profiles.HEADLINE,
            verdict.c.profile_version == profiles.CURRENT[profiles.HEADLINE],
            cases.c.suite.in_(HEADLINE),  # a suite beside the headline is no part of a pooled comparison
        )
        .order_by(evaluation.c.created_at, evaluation.c.id)
    )
    found = {}
    for row in rows:
        key = (row.snapshot, row.variant_id, row.case_id, row.sample)
        found[key] = (row.group_id, row.category in CONVICTING)
    return found
