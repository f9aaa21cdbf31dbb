"""Item statistics as tables for a terminal."""

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from halluvault_tasks.results.items.stages import ItemFigure, ItemStatistics
from halluvault_tasks.statistics.item_response import OF_DISCRIMINATION, OF_ITEMS
from halluvault_tasks.untrusted import visible

_HARDEST = 10
_PROPERTIES = 6
"""Hardest and easiest ones shown of each."""


def tables(found: ItemStatistics) -> list[Table]:
    """Strata, properties, models, and from `OF_ITEMS` models on the hardest questions."""
    of = found.of
    real = "simulated models, whose answers say nothing about any real one" if of.simulated else "models"
    head = f"{len(of.models)} {real}, {len(of.questions)} questions, {visible(of.variant)}"
    named = {
        scope: [one for one in found.figures if one.scope == scope] for scope in ("stratum", "property", "ability")
    }
    easy = {one.key: one for one in found.figures if one.scope == "easy"}
    strata = _table(f"Difficulty by stratum, in logits; 0 is the average question. {head}", "stratum", "all right")
    for one in _hardest_first(named["stratum"]):
        share = easy[one.key]
        strata.add_row(escape(one.key), str(one.questions), _interval(one), f"{100 * share.value:.0f} %")
    shown = _hardest_first(named["property"])
    title = "Difficulty by property, beside its stratum; 0 is the average property"
    properties = _table(title, "property")
    for one in [*shown[:_PROPERTIES], *shown[max(_PROPERTIES, len(shown) - _PROPERTIES) :]]:
        properties.add_row(escape(one.key), str(one.questions), _interval(one))
    models = _table("Ability of the models, in logits: at 0 the average question is answered rightly in 75 %", "model")
    for one in _hardest_first(named["ability"]):
        models.add_row(escape(visible(one.key)), str(one.questions), _interval(one))
    return [strata, properties, models, *_questions(found)]


def notes(found: ItemStatistics) -> list[str]:
    """What is said below: what everybody gets right, what was not read, who was left out, what too few models hide."""
    of, said = found.of, []
    easy = next(one for one in found.figures if one.scope == "easy" and not one.key)
    said.append(
        f"easy: all models are right on {easy.questions} of {len(of.questions)} questions "
        f"({100 * easy.value:.1f} %). They stay, with this weight."
    )
    counts = ", ".join(f"{what} {count}" for what, count in sorted(of.counts.items()) if count)
    said.append(f'answers: {counts}. "Don\'t know" counts as half right; unread and held ones do not count.')
    said += [f"left out: {visible(one.model)}, {one.why}" for one in of.left_out]
    if len(of.models) < OF_ITEMS:
        said.append(f"{len(of.models)} models: no difficulty of single questions below {OF_ITEMS}.")
    elif len(of.models) < OF_DISCRIMINATION:
        said.append(f"{len(of.models)} models: no discrimination of questions below {OF_DISCRIMINATION}.")
    return said


def _questions(found: ItemStatistics) -> list[Table]:
    items = _hardest_first([one for one in found.figures if one.scope == "item"])
    sharp = {one.key: one for one in found.figures if one.scope == "discrimination"}
    texts = {one.id: one.text for one in found.of.questions}
    if not items:
        return []
    table = Table("question", "difficulty [95 %]", *(["discrimination [95 %]"] if sharp else []), title="Hardest")
    for one in items[:_HARDEST]:
        more = [_interval(sharp[one.key])] if sharp else []
        table.add_row(escape(visible(texts[one.key])), _interval(one), *more)
    return [table]


def _table(title: str, what: str, *more: str) -> Table:
    return Table(what, "questions", "estimate [95 %]", *more, title=title)


def _hardest_first(found: Sequence[ItemFigure]) -> list[ItemFigure]:
    return sorted(found, key=lambda one: (-one.value, one.key))


def _interval(one: ItemFigure) -> str:
    return f"{one.value:+.2f} [{one.low:+.2f}, {one.high:+.2f}]"
