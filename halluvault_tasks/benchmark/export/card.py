"""The data card of an export: where it comes from, what is in it, what it is not, and how to run it."""

from halluvault_tasks.benchmark.export.about import About
from halluvault_tasks.benchmark.export.tasks import task_name, template
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, PartStatistics


def card(about: About, to: str) -> str:
    """The card as Markdown; for `hf` with the header by which `load_dataset` finds its files."""
    statistics = about.statistics
    parts = [_header(about) if to == "hf" else "", f"# HalluVault benchmark {about.snapshot}\n"]
    what = "questions" if statistics.gold.get(OPEN) else "yes/no questions"
    parts.append(
        f"{statistics.cases} {what} in {statistics.groups} metamorphic groups, each decided by Wikidata as "
        f"of {about.as_of.isoformat()}, with the answer, the statements that decide it, and a proof that runs in "
        "SWI-Prolog. Made by HalluVault; facts from Wikidata (CC0 1.0).\n"
    )
    parts.append(_provenance(about))
    parts.append(_make_up(statistics))
    if to in {"jsonl", "parquet", "hf"}:
        parts.append(f"## Columns\n\n{template('columns.md')}")
    parts.append(_limits(statistics))
    parts.append(_run(about, to))
    return "\n".join(part for part in parts if part)


def _header(about: About) -> str:
    cases = about.statistics.cases
    size = next(name for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (10**9, "10K<n<100K")) if cases < limit)
    return f"""\
---
pretty_name: HalluVault {about.snapshot}
language:
- en
license: cc0-1.0
task_categories:
- question-answering
- text-classification
tags:
- factuality
- hallucination
- metamorphic-testing
- wikidata
size_categories:
- {size}
configs:
- config_name: cases
  default: true
  data_files:
  - split: test
    path: cases/test.parquet
- config_name: prompts
  data_files:
  - split: test
    path: prompts/test.parquet
---
"""


def _provenance(about: About) -> str:
    lines = [
        f"| part `{one.suite}` | content `{one.content_hash}` (sha256 over case ids and proofs), "
        f"configuration `{one.config_hash}`, seed {one.seed} |"
        for one in about.parts
    ]
    lines += [f"| prompts `{one.slug}` | {one.prompts} |" for one in about.variants]
    told = "\n".join(lines)
    return f"""\
| | |
|-|-|
| snapshot | {about.snapshot}, as of {about.as_of.isoformat()} |
| source | `{about.source.replace("`", "'").replace("|", " ")}` |
{told}
"""


def _make_up(statistics: PartStatistics) -> str:
    lines = ["## What is in it", "", "| domain | cases | yes | no |", "|-|-:|-:|-:|"]
    for domain, kinds in sorted(statistics.cells.items()):
        yes, no, other = (sum(golds.get(gold, 0) for golds in kinds.values()) for gold in ("yes", "no", OPEN))
        lines.append(f"| {domain} | {yes + no + other} | {yes} | {no} |")
    lines += ["", "| rule or operator | cases |", "|-|-:|"]
    lines += [
        f"| `{str(kind).replace('|', chr(92) + '|')}` | {number} |"
        for kind, number in sorted(statistics.by_kind.items())
    ]
    lines += ["", "| licence | cases |", "|-|-:|"]
    lines += [f"| {licence} | {number} |" for licence, number in statistics.licences.items()]
    lines += ["", "| wording | cases |", "|-|-:|"]
    lines += [f"| {mutation} | {number} |" for mutation, number in sorted(statistics.by_mutation.items())]
    return "\n".join(lines) + "\n"


def _limits(statistics: PartStatistics) -> str:
    said = [
        "## What to know before using it",
        "",
        "- Cases of a group are wordings of one fact: they are not independent. Cluster standard errors by `group`.",
        "- Wikidata is an open world: a question has the answer No only where it is proved, where a list is complete, "
        "or where a class of false facts was measured to be seldom wrong (column `licence`). A figure over all of "
        "them belongs beside that of the proved part. Facts of properties for "
        "which nothing can be shown to be false are in the suite `recall` alone, where always saying yes is right for "
        "every affirmative question.",
    ]
    if asked := sum(statistics.gold.get(gold, 0) for gold in ("yes", "no")):
        said.append(
            "- Beside accuracy report how many questions were answered, and how often with yes: always saying yes is "
            f"right in {statistics.gold.get('yes', 0)} of {asked} cases."
        )
    if statistics.gold.get(OPEN):
        said.append(
            "- Open questions have no floor by guessing: report right, wrong and don't know, and what could not be "
            "judged, apart."
        )
    if statistics.first_month:
        said.append(
            "- First month: no earlier snapshot of this source confirms its statements, names and descriptions, so "
            "slips and vandalism of the day may be in it."
        )
    return "\n".join(said) + "\n"


def _run(about: About, to: str) -> str:
    plain = [variant for variant in about.variants if variant.form == "plain"]
    tasks = [task_name(about, variant) for variant in plain]
    values = {
        "@TASKS@": ", ".join(f"`{task}`" for task in tasks),
        "@TASK@": tasks[0] if tasks else "",
        "@VARIANTS@": ", ".join(f"`{variant.slug}`" for variant in about.variants),
        "@VARIANT@": about.variants[0].slug if about.variants else "",
    }
    if to not in {"hf", "lm-eval", "inspect"}:
        return ""
    text = template(f"run-{to}.md")
    for slot, value in values.items():
        text = text.replace(slot, value)
    return text
