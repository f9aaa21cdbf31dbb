"""Every table, one module per room; import them from here.

Conventions: `snapshot` is the key `YYYY-MM` (`.2` for a re-pull); `qid`, `s`, `o` are Wikidata item numbers
(Q42 is 42) and `pid`, `p` property numbers; `*_earliest`/`*_latest` are inclusive day numbers
(`wikidata.days`) and NULL where unbounded; `precision` is Wikidata's (11 day, 10 month, 9 year, 8 decade,
7 century). Tables marked *partitioned* are partitioned by snapshot; `storage.partitions` creates and drops them.
"""

from halluvault_tasks.storage.tables.base import BY_SNAPSHOT, metadata
from halluvault_tasks.storage.tables.benchmark import (
    benchmark_case,
    benchmark_change,
    benchmark_part,
    cases,
    core_case,
    generation,
    prompt,
    prompt_variant,
)
from halluvault_tasks.storage.tables.derived import (
    checked_negative,
    composable,
    counted_list,
    derivation_manifest,
    derived_fact,
    drawn_fact,
    foil,
    followed_foil,
    followed_month,
    relation,
    rule,
    shared_group,
    temporal_fact,
)
from halluvault_tasks.storage.tables.knowledge import (
    deprecated_value,
    entity,
    key_count,
    property,
    pull_batch,
    redirect,
    snapshot,
    statement,
    statement_change,
)
from halluvault_tasks.storage.tables.querying import (
    batch,
    batch_line,
    evaluation,
    lane,
    model,
    model_check,
    response,
)
from halluvault_tasks.storage.tables.results import (
    comparison,
    examination,
    examiner_trial,
    group_verdict,
    item_figure,
    mitigation_use,
    oracle_study,
    result,
    result_set,
    suite_label,
    verdict,
)
from halluvault_tasks.storage.tables.running import incident, lease, stage_run

SHARDED = (derived_fact, shared_group, drawn_fact)
"""Tables partitioned by snapshot, and once more by shard."""

PARTITIONED = (pull_batch, entity, statement, deprecated_value, redirect, statement_change, *SHARDED)
"""Tables partitioned by snapshot."""

__all__ = [
    "BY_SNAPSHOT",
    "PARTITIONED",
    "SHARDED",
    "batch",
    "batch_line",
    "benchmark_case",
    "benchmark_change",
    "benchmark_part",
    "cases",
    "checked_negative",
    "comparison",
    "composable",
    "core_case",
    "counted_list",
    "deprecated_value",
    "derivation_manifest",
    "derived_fact",
    "drawn_fact",
    "entity",
    "evaluation",
    "examination",
    "examiner_trial",
    "foil",
    "followed_foil",
    "followed_month",
    "generation",
    "group_verdict",
    "incident",
    "item_figure",
    "key_count",
    "lane",
    "lease",
    "metadata",
    "mitigation_use",
    "model",
    "model_check",
    "oracle_study",
    "prompt",
    "prompt_variant",
    "property",
    "pull_batch",
    "redirect",
    "relation",
    "response",
    "result",
    "result_set",
    "rule",
    "shared_group",
    "snapshot",
    "stage_run",
    "statement",
    "statement_change",
    "suite_label",
    "temporal_fact",
    "verdict",
]
