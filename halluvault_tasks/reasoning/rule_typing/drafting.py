"""Every kind's rules of a snapshot, collected and numbered; which verdict a rule gets, its kind decides (`kinds`).

Metadata proposes, figures filter, review decides (semantics.md §1). A rule is *active* (runs), *candidate* (sound as
far as is known, but this snapshot cannot confirm it) or *refused*; the reason says why.
"""

from collections.abc import Sequence

from halluvault_tasks.reasoning.kinds import FAMILIES, KINDS
from halluvault_tasks.reasoning.kinds.base import Draft, Typing
from halluvault_tasks.reasoning.records import Rule


def draft(typing: Typing) -> list[Draft]:
    """Every rule that metadata or review proposes and whose premises occur in the snapshot, in no order."""
    drafts = (draft for kind in KINDS for draft in kind.drafts(typing))
    return [draft for draft in drafts if all(typing.support.values.get(p) for p in draft.premises)]


def number(drafts: Sequence[Draft], typing: Typing) -> list[Rule]:
    """Give the rules their numbers 1… by kind and name, and the figures that every rule has."""
    reviewed, support = typing.reviewed, typing.support
    ordered = sorted(drafts, key=lambda draft: (FAMILIES.index(draft.kind.family), len(draft.name), draft.name))
    return [
        Rule(
            rule=place,
            name=draft.name,
            kind=draft.kind,
            premises=draft.premises,
            conclusion=draft.conclusion,
            origin=draft.origin,
            support={
                **draft.support,
                "statements": {f"P{p}": support.values.get(p, 0) for p in sorted(set(draft.premises))},
                "time_bound": sorted(p for p in set(draft.premises) if p in reviewed.time_bound),
                "dated": sorted(p for p in set(draft.premises) if p in support.dated),
            },
            verdict=draft.verdict,
            reason=draft.reason,
        )
        for place, draft in enumerate(ordered, 1)
    ]
