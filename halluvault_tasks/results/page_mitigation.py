"""What mitigation changed in a month, for the page: the same cases with and without, paired.

Prompts are compared in one model. An edited or tuned model is another one, and the database does not know which it
was made of: one whose name is that of a model with requests and `-edited` or `-tuned` is taken for made of it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Row as Found
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import panels
from halluvault_tasks.results.mitigation import gains
from halluvault_tasks.results.mitigation.facts import HeadlineEvaluation
from halluvault_tasks.results.mitigation.gains import CaseOutcome, Gain
from halluvault_tasks.results.page_pictures import Picture
from halluvault_tasks.results.panels import Mark

PROMPTS: Mapping[str, str] = {
    "halluvault/system": "halluvault/two-turn", "halluvault/self-check": "halluvault/two-turn",
}  # fmt: skip
"""Template → the one that it is compared with."""

_EVIDENCE, _NONE = "with-evidence", "closed-book"

_ASKED = text("""
SELECT s.evaluation_id, s.model, s.variant, s.route, s.profile_version, s.simulated, v.template, v.form, v.context
FROM results_v1._set s
JOIN evaluation e ON e.id = s.evaluation_id
JOIN prompt_variant v ON v.id = e.variant_id
WHERE s.snapshot = :snapshot AND s.profile = :profile AND s.is_current AND s.is_newest
ORDER BY s.model, s.variant
""")


_CHANGED = re.compile(r"(.+)-(edited|tuned)(\W.*)?")
_USED = text("SELECT DISTINCT model FROM mitigation_use ORDER BY model")
_ALL, _FAILED = "all asked again", "only failed ones asked again"


class MitigationRow(NamedTuple):
    """A mitigating prompt of a model.

    Attributes:
        name, base: it and what it is compared with, in short.
        every: all cases asked again.
        failed: those that had failed asked again, the others as they were.
    """

    model: str
    simulated: bool
    name: str
    base: str
    mitigation: str
    against: str
    every: Gain
    failed: Gain


class Changed(NamedTuple):
    """An edited or tuned model beside the one that it was made of.

    Attributes:
        way: how both were asked, in short.
        gains: over all first, then by what its requests were made of.
    """

    model: str
    simulated: bool
    made_of: str
    way: str
    variant: str
    gains: Sequence[Gain]


class Mitigation(NamedTuple):
    """What mitigation changed in a month."""

    prompts: Sequence[MitigationRow]
    changed: Sequence[Changed]

    @property
    def simulated(self) -> set[str]:
        """Models among them that are simulated."""
        prompted = {row.model for row in self.prompts if row.simulated}
        return prompted | {row.model for row in self.changed if row.simulated}

    @property
    def pictures(self) -> list[Picture]:
        """Gains: of each prompt by model, and of each changed model by what was asked."""
        return [*_of_prompts(self.prompts), *map(_of_changed, self.changed)]


def of(session: Session, snapshot: str) -> Mitigation:
    """Every mitigated evaluation of a month whose plain one exists, over the headline's cases, by model."""
    found = session.execute(_ASKED, {"snapshot": snapshot, "profile": profiles.HEADLINE}).all()

    @cache
    def outcomes(row: Found[Any]) -> dict[str, CaseOutcome]:
        return gains.outcomes(
            session, HeadlineEvaluation(row.evaluation_id, row.variant, row.profile_version), snapshot
        )

    by = {(row.model, row.route, row.template, row.form, row.context): row for row in found}
    prompts: list[MitigationRow] = []
    changed: list[Changed] = []
    used = set(session.scalars(_USED))
    for (model, route, template, form, context), row in by.items():
        bases: Sequence[tuple[str, str]] = [(PROMPTS[template], context)] if template in PROMPTS else []
        if context == _EVIDENCE:
            bases = [*bases, (template, _NONE)]
        for base, without in bases:
            plain = by.get((model, route, base, form, without))
            if plain is not None and set(outcomes(plain)) & set(outcomes(row)):
                every = gains.gains(outcomes(plain), outcomes(row))[0]
                failed = gains.gains(outcomes(plain), outcomes(row), retried=True)[0]
                name = f"evidence ({_short(base)})" if base == template else _short(template)
                prompts.append(
                    MitigationRow(model, row.simulated, name, _short(base), row.variant, plain.variant, every, failed)
                )
        made_of = _CHANGED.fullmatch(model)
        before = by.get((made_of[1], route, template, form, context)) if made_of and made_of[1] in used else None
        if made_of and before is not None:
            try:
                parts = gains.edited(session, made_of[1], outcomes(before), outcomes(row))
            except UserError:  # none of what was requested is among the shared cases
                continue
            way = _short(template) if context == _NONE else f"{_short(template)}, {context}"
            # What was chosen because it was wrong can only get better: it is not what is read first.
            parts.sort(key=lambda gain: gain.part != "all")
            changed.append(Changed(model, row.simulated, made_of[1], way, row.variant, parts))
    return Mitigation(prompts, changed)


def _short(template: str) -> str:
    return {"halluvault/system": "system prompt"}.get(template) or template.rpartition("/")[2]


def _of_prompts(rows: Sequence[MitigationRow]) -> list[Picture]:
    """A picture for each prompt, models row by row, all on one axis."""
    by: dict[str, dict[str, dict[str, Mark]]] = {}
    for row in rows:
        series = by.setdefault(row.name, {_ALL: {}, _FAILED: {}})
        series[_ALL][row.model], series[_FAILED][row.model] = _mark(row.every), _mark(row.failed)
    axis = panels.differences({f"{name} {way}": marks for name, of in by.items() for way, marks in of.items()})
    return [_picture(f"Change by {name}, in points", series, axis) for name, series in by.items()]


def _of_changed(one: Changed) -> Picture:
    series = {"": {gain.part: _mark(gain) for gain in one.gains}}
    return _picture(f"Change of {one.model}, in points", series, panels.differences(series))


def _picture(heading: str, series: panels.Series, axis: panels.Axis) -> Picture:
    names = list(dict.fromkeys(name for marks in series.values() for name in marks))
    return Picture(heading, panels.rows(series, names, heading, axis))


def _mark(gain: Gain) -> Mark:
    found = gain.difference
    return Mark(found.difference, found.low, found.high)
