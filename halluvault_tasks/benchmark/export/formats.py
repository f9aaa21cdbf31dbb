"""One function for each format: what it writes into the folder."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.case import told
from halluvault_tasks.benchmark.export import about as facts
from halluvault_tasks.benchmark.export import card, tasks
from halluvault_tasks.benchmark.export.about import About
from halluvault_tasks.benchmark.export.folder import Folder, duckdb
from halluvault_tasks.benchmark.export.reading import CaseView
from halluvault_tasks.errors import UserError
from halluvault_tasks.temporal.encode import LIBRARY

_WITH_PROOFS = ("jsonl", "parquet", "hf")
_LAYOUT = 3  # of the folders; a changed name or column is a new one


class Written(NamedTuple):
    """What an export wrote."""

    folder: Path
    cases: int
    files: tuple[str, ...]


def export(
    session: Session, snapshot: str, to: str, target: Path, prolog_dir: Path, suites: Collection[str] = ()
) -> Written:
    """Write a frozen benchmark as a folder, with the prompts that it has now.

    Args:
        session: open session.
        snapshot: exact key.
        to: one of `FORMATS`.
        target: the folder; an earlier export there is replaced.
        prolog_dir: the hand-written Prolog, whose operators go along with temporal proofs.
        suites: only these parts; empty: those of the headline.

    Raises:
        UserError: unknown format, no benchmark, no such part, a target that holds something else, or a library that is
            missing.
    """
    if to not in FORMATS:
        raise UserError(f"format {to!r} is unknown; the formats are {', '.join(FORMATS)}", "give one of them as --to")
    about = facts.about(session, snapshot, suites)
    with Folder(target) as folder:
        FORMATS[to](session, about, folder)
        folder.text("README.md", card.card(about, to))
        for name in LIBRARY if to in _WITH_PROOFS and "temporal" in about.suites else ():
            folder.text(f"prolog_rules/{name}", (prolog_dir / name).read_text(encoding="utf-8"))
        files = folder.close(
            {"layout": _LAYOUT, "format": to, "snapshot": snapshot, "content_hash": about.content_hashes,
             "cases": about.statistics.cases}
        )  # fmt: skip
    return Written(target, about.statistics.cases, tuple(files))


def row(case: CaseView) -> dict[str, Any]:
    """A case as flat columns: nested values are JSON text, so that every reader gets the same types."""
    return {
        "id": case.id,
        "question": case.question,
        "answer": case.gold,
        "group": case.group_id,
        "mutation": case.mutation,
        "relation": case.relation,
        "suite": case.suite,
        "domain": case.domain,
        "rule": case.rule_kind,
        "licence": case.licence,
        "evidence": told(case.premises, case.fact),
        "premises": json.dumps(case.premises, ensure_ascii=False, sort_keys=True),
        "fact": json.dumps(case.fact, ensure_ascii=False, sort_keys=True),
        "proof": case.proof,
    }


def _prompts(session: Session, about: About) -> Iterator[dict[str, Any]]:
    for variant in about.variants:
        for one in facts.prompts(session, about, variant):
            yield {
                "variant": variant.slug,
                "template": variant.template,
                "version": variant.version,
                "form": variant.form,
                "context": variant.context,
                "id": one.case.id,
                "text": one.text,
            }


def _jsonl(session: Session, about: About, folder: Folder) -> None:
    folder.lines("cases.jsonl", (row(case) for case in facts.cases(session, about)))
    folder.lines("prompts.jsonl", _prompts(session, about))


def _parquet(session: Session, about: About, folder: Folder) -> None:
    _tables(session, about, folder, "cases.parquet", "prompts.parquet")


def _hf(session: Session, about: About, folder: Folder) -> None:
    # The names that the data card's header points to; `load_dataset(FOLDER)` finds them by it.
    _tables(session, about, folder, "cases/test.parquet", "prompts/test.parquet")


_CASE_TYPES = {
    name: "VARCHAR[]" if name == "evidence" else "VARCHAR"
    for name in (
        "id", "question", "answer", "group", "mutation", "relation", "suite", "domain", "rule", "licence", "evidence",
        "premises", "fact", "proof",
    )
}  # fmt: skip
_PROMPT_TYPES = {
    name: "INTEGER" if name == "version" else "VARCHAR"
    for name in ("variant", "template", "version", "form", "context", "id", "text")
}


def _tables(session: Session, about: About, folder: Folder, cases: str, prompts: str) -> None:
    connect = duckdb().connect
    for name, types, rows in (
        (cases, _CASE_TYPES, (row(case) for case in facts.cases(session, about))),
        (prompts, _PROMPT_TYPES, _prompts(session, about)),
    ):
        lines = f"{name}.jsonl"
        folder.lines(lines, rows)
        # One thread: row groups, and so the bytes, come in the order of the rows.
        with connect(config={"threads": 1}) as connection:
            found = connection.read_json(str(folder.path(lines)), format="newline_delimited", columns=types)
            found.write_parquet(str(folder.path(name)), compression="zstd")
        folder.path(lines).unlink()


FORMATS: Mapping[str, Callable[[Session, About, Folder], None]] = {
    "jsonl": _jsonl,
    "parquet": _parquet,
    "hf": _hf,
    "lm-eval": tasks.lm_eval,
    "inspect": tasks.inspect,
}
"""Format → what writes it."""
