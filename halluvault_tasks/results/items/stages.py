"""The stage of item statistics: from a month's answers to the rows of `item_figure`.

Recomputed and replaced in one transaction, so a killed or repeated run leaves the same rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results.figures import HEADLINE
from halluvault_tasks.results.items import gathered
from halluvault_tasks.results.items.gathered import GatheredAnswers
from halluvault_tasks.statistics import item_response
from halluvault_tasks.statistics.item_response import OF_ITEMS, Answers, Effect, Ints, ItemModel
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import item_figure


class ItemFigure(NamedTuple):
    """A row of table `item_figure` without its month and variant."""

    scope: str
    key: str
    value: float
    low: float | None
    high: float | None
    questions: int


class ItemStatistics(NamedTuple):
    """What one run gave.

    Attributes:
        of: the answers behind it.
        figures: the rows.
    """

    of: GatheredAnswers
    figures: Sequence[ItemFigure]


def measure(session: Session, snapshot: str, variant: str = "") -> ItemStatistics:
    """Fit the item model to a month's answers and store its figures. Commits.

    Args:
        session: open session.
        snapshot: exact key.
        variant: prompt and route; empty: those in which most models were asked.

    Raises:
        UserError: no model is left, or none was asked in this variant.
    """
    known = gathered.variants(session, snapshot)
    if variant and variant not in known:
        raise UserError(f"no model of {snapshot} is judged in {variant!r}", f"one of: {'; '.join(known) or 'none'}")
    if not known:
        raise UserError(f"no model is judged on {snapshot}", f"halluvault evaluate --snapshot {snapshot}")
    with runs.stage(session, snapshot, "items") as summary:
        of = gathered.gathered(session, snapshot, variant or known[0])
        if not of.models:
            why = "; ".join(f"{one.model}: {one.why}" for one in of.left_out)
            raise UserError(f"no model's answers count ({why})", "ask another one: halluvault evaluate --model NAME")
        made = [*figures(of, item_response.fit(of.answers))]
        mine = {"snapshot": snapshot, "variant": of.variant, "suite": HEADLINE}
        session.execute(delete(item_figure).where(*(item_figure.c[name] == value for name, value in mine.items())))
        beside = {**mine, "models": len(of.models), "simulated": of.simulated}
        session.execute(insert(item_figure), [{**beside, **one._asdict()} for one in made])
        session.commit()
        summary |= {"models": len(of.models), "questions": len(of.questions), "rows": len(made)}
    return ItemStatistics(of, made)


def figures(of: GatheredAnswers, model: ItemModel) -> Iterator[ItemFigure]:
    """Every figure; of single items only from `OF_ITEMS` models on."""
    answers = of.answers
    yield from _effects("stratum", model.strata, answers.strata)
    yield from _effects("property", model.properties, answers.properties)
    for name, effect in zip(of.models, model.abilities, strict=True):
        yield ItemFigure("ability", name, *effect, len(of.questions))
    for what, width in model.widths._asdict().items():
        yield ItemFigure("width", what, width, None, None, len(of.questions))
    total = of.counts.total()
    for what, count in sorted(of.counts.items()):
        yield ItemFigure("answers", what, count / total, None, None, len(of.questions))
    yield ItemFigure("easy", "", float(answers.easy.mean()), None, None, int(answers.easy.sum()))
    yield from _easy(answers)
    if len(of.models) >= OF_ITEMS:
        yield from _items("item", of, model.difficulties)
        yield from _items("discrimination", of, model.discriminations)


def _effects(scope: str, effects: Mapping[str, Effect], places: Ints) -> Iterator[ItemFigure]:
    sizes = np.bincount(places.ravel()).tolist()
    for size, (name, effect) in zip(sizes, effects.items(), strict=True):
        yield ItemFigure(scope, name, effect.value, effect.low, effect.high, size)


def _easy(answers: Answers) -> Iterator[ItemFigure]:
    """What share of each stratum everybody gets right."""
    everybody = answers.easy
    for place, name in enumerate(answers.stratum_names):
        easy = everybody[(answers.strata == place).any(axis=1)]
        yield ItemFigure("easy", name, float(easy.mean()), None, None, int(easy.sum()))


def _items(scope: str, of: GatheredAnswers, effects: Sequence[Effect]) -> Iterator[ItemFigure]:
    for question, effect in zip(of.questions, effects, strict=False):
        yield ItemFigure(scope, question.id, *effect, 1)
