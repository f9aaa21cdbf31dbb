"""The effect of mitigating prompts in a month, for the page: the same model and cases with and without, paired."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.results.mitigation import gains
from halluvault_tasks.results.mitigation.facts import Evaluation
from halluvault_tasks.results.mitigation.gains import Gain

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


class Row(NamedTuple):
    """A mitigation of a model.

    Attributes:
        every: all cases asked again.
        failed: those that had failed asked again, the others as they were.
    """

    model: str
    simulated: bool
    mitigation: str
    against: str
    every: Gain
    failed: Gain


def table(session: Session, snapshot: str) -> list[Row]:
    """Every mitigated evaluation of a month whose plain one exists, over the headline's cases, by model."""
    found = session.execute(_ASKED, {"snapshot": snapshot, "profile": replay_profile.PROFILE}).all()
    by = {(row.model, row.route, row.template, row.form, row.context): row for row in found}
    made: list[Row] = []
    for (model, route, template, form, context), row in by.items():
        bases: Sequence[tuple[str, str]] = [(PROMPTS[template], context)] if template in PROMPTS else []
        if context == _EVIDENCE:
            bases = [*bases, (template, _NONE)]
        for base, without in bases:
            plain = by.get((model, route, base, form, without))
            if plain is None:
                continue
            before, after = (
                gains.outcomes(session, Evaluation(one.evaluation_id, one.variant, one.profile_version), snapshot)
                for one in (plain, row)
            )
            if set(before) & set(after):
                every, failed = gains.gains(before, after)[0], gains.gains(before, after, retried=True)[0]
                made.append(Row(model, row.simulated, row.variant, plain.variant, every, failed))
    return made
