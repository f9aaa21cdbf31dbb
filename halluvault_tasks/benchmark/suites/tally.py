"""The counts that are stored with a part."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.selection.balance import Owed, negative
from halluvault_tasks.benchmark.selection.blind_gate import Baseline


def tally_of(
    cases: Sequence[Case],
    *,
    dropped: Mapping[str, int],
    shortfall: Mapping[tuple[str, str], Owed],
    blind: Iterable[Baseline],
    first_month: bool,
) -> dict[str, Any]:
    """The counts that are stored with a part.

    Args:
        cases: all of them.
        dropped: reason → facts that could not be asked about.
        shortfall: cell → cases that its quota lacks, by polarity of wording and answer.
        blind: what rules without knowledge score.
        first_month: no earlier published snapshot of the source confirms what is asked (semantics.md §3.4).
    """
    by_cell: dict[str, dict[str, Counter[str]]] = {}
    for case in cases:
        by_cell.setdefault(case.domain, {}).setdefault(case.rule_kind, Counter())[case.gold] += 1
    polarity: dict[str, dict[str, dict[str, Counter[str]]]] = {}
    for case in cases:
        # The wrong values of a property are the other half of its true ones: balance is that of both together.
        rule = case.rule_kind.partition(".")[0]
        wording = "negated" if negative(case.mutation) else "affirmative"
        by_rule = polarity.setdefault(case.domain, {}).setdefault(rule, {})
        by_rule.setdefault(wording, Counter())[case.gold] += 1
    return {
        "first_month": first_month,
        "cases": len(cases),
        "groups": len({case.group_id for case in cases}),
        "by_domain": dict(sorted(Counter(case.domain for case in cases).items())),
        "by_kind": dict(sorted(Counter(case.rule_kind for case in cases).items())),
        "by_mutation": dict(sorted(Counter(case.mutation for case in cases).items())),
        "gold": dict(sorted(Counter(case.gold for case in cases).items())),
        "gold_of_originals": dict(sorted(Counter(case.gold for case in cases if case.mutation == "original").items())),
        "cells": {
            domain: {kind: dict(sorted(golds.items())) for kind, golds in sorted(kinds.items())}
            for domain, kinds in sorted(by_cell.items())
        },
        "by_polarity": {
            domain: {
                rule: {wording: dict(sorted(golds.items())) for wording, golds in sorted(wordings.items())}
                for rule, wordings in sorted(rules.items())
            }
            for domain, rules in sorted(polarity.items())
        },
        "baselines": [one.as_json() for one in blind],
        "shortfall": {f"{domain}/{kind}": owed._asdict() for (domain, kind), owed in sorted(shortfall.items())},
        "dropped": dict(sorted(dropped.items())),
    }
