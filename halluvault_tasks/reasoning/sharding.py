"""Which shard derives which rule."""

from collections.abc import Iterable

from halluvault_tasks.reasoning.records import Rule


def shard_of(rules: Iterable[Rule], shards: int) -> dict[int, int]:
    """Rule number → shard, the work spread evenly (largest first).

    All rules that deny or draw go to one shard: whoever licenses one has read the whole snapshot for it.
    """
    bundles: dict[int, list[Rule]] = {}
    for rule in rules:
        alone = rule.kind.truth and not rule.kind.draws
        bundles.setdefault(rule.rule if alone else 0, []).append(rule)
    loads = [0] * shards
    placed: dict[int, int] = {}
    weights = {key: sum(rule.kind.weight(rule) for rule in bundle) for key, bundle in bundles.items()}
    for key in sorted(bundles, key=lambda bundle: (-weights[bundle], bundle)):
        shard = loads.index(min(loads))
        loads[shard] += weights[key]
        placed.update((rule.rule, shard) for rule in bundles[key])
    return placed
