"""Ready tasks for lm-evaluation-harness and inspect_ai.

Both come with their data and a scorer of their own, which tells yes, no and no answer apart (a refusal is no wrong
answer) and knows which cases belong together. The scorer reads the beginning of a reply, where the prompts ask for the
answer; the reasoning is judged by `halluvault score`, not here. An open question's answer is compared with the texts
that the case accepts (`accepted`), letter case and marks at its ends aside: links are followed by `halluvault score`.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import about as facts
from halluvault_tasks.benchmark.export.about import About, Row
from halluvault_tasks.benchmark.export.folder import Folder
from halluvault_tasks.benchmark.export.reading import VariantView
from halluvault_tasks.benchmark.suites.open import accepted
from halluvault_tasks.benchmark.suites.open.fact import NAME as OPEN
from halluvault_tasks.benchmark.suites.open.fact import OpenFact
from halluvault_tasks.errors import UserError


def template(name: str) -> str:
    """A file of this package that is written out unchanged."""
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


def task_name(about: About, variant: VariantView | None = None) -> str:
    """The name under which lm-eval finds a task: letters, digits and underscores."""
    parts = ["halluvault", about.snapshot, *([variant.slug] if variant else [])]
    return "_".join(parts).replace("-", "_").replace(".", "_")


def hashes(about: About) -> str:
    """The content hashes of what is exported, on one line."""
    return ", ".join(f"{suite} {digest}" for suite, digest in about.content_hashes.items())


def _doc(one: Row) -> dict[str, Any]:
    case = one.case
    return {
        "id": case.id,
        "prompt": one.text,
        "question": case.question,
        "answer": case.gold,
        "group": case.group_id,
        "mutation": case.mutation,
        "suite": case.suite,
        "domain": case.domain,
        "rule": case.rule_kind,
        "licence": case.licence,
        "accepted": accepted.texts(OpenFact.model_validate(case.fact)) if case.suite == OPEN else [],
    }


def lm_eval(session: Session, about: About, folder: Folder) -> None:
    """A task for each plain variant: the harness has one turn, and applies a chat template itself if told to.

    Raises:
        UserError: the benchmark has no plain variant.
    """
    plain = [variant for variant in about.variants if variant.form == "plain"]
    if not plain and set(about.suites) == {OPEN}:
        raise UserError(
            f"open questions are asked in two turns, and lm-eval has one: {OPEN} of {about.snapshot} is no task of it",
            "export it as a task of inspect: --to inspect",
        )
    if not plain:
        raise UserError(
            f"the benchmark of {about.snapshot} has no plain prompts, and lm-eval knows no others",
            f"halluvault benchmark prompts --variant drowzee/plain --snapshots {about.snapshot}",
        )
    for variant in plain:
        folder.lines(f"{variant.slug}.jsonl", map(_doc, facts.prompts(session, about, variant)))
        content = template("lm_eval_task.yaml")
        for slot, value in (
            ("@TASK@", task_name(about, variant)),
            ("@VARIANT@", variant.slug),
            ("@SNAPSHOT@", about.snapshot),
            ("@CONTENT_HASH@", hashes(about)),
        ):
            content = content.replace(slot, value)
        folder.text(f"{task_name(about, variant)}.yaml", content)
    folder.text("utils.py", template("lm_eval_utils.txt"))


def inspect(session: Session, about: About, folder: Folder) -> None:
    """One task whose parameter names the variant; chats of several turns are played as the benchmark intends."""
    for variant in about.variants:
        folder.lines(f"{variant.slug}.jsonl", _samples(session, about, variant))
    names = json.dumps([variant.slug for variant in about.variants])
    content = template("inspect_task.txt").replace("@VARIANTS@", names)
    folder.text("halluvault_task.py", content.replace("@CONTENT_HASH@", hashes(about)))


def _samples(session: Session, about: About, variant: VariantView) -> Iterator[dict[str, Any]]:
    for one in facts.prompts(session, about, variant):
        doc = _doc(one)
        text = doc.pop("prompt")
        doc["messages"] = json.loads(text) if variant.form == "chat" else [{"role": "user", "content": text}]
        yield doc
