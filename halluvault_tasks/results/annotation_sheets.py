"""Sheets for blind double annotation: which responses people are shown, in which order, and what they filled in.

A sheet names neither model nor verdict nor, for simulated models, what was planted. Both annotators get the same
responses, each in a different order. A response is named by a hash of its key, so that nobody can look it up.
"""

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results import joins
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, model, response

CATEGORIES = ("normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable")
"""What an annotator may fill in; the meanings are in docs/oracle-study.md."""

SEED = 20261121
"""Of the choice of responses unless another is given."""

HEADER = ("item", "question", "right_answer", "known_facts", "response", "category", "note")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Key(NamedTuple):
    """A response."""

    evaluation_id: str
    case_id: str
    sample: int


class Shown(NamedTuple):
    """One row of a sheet, and what it hides."""

    item: str
    key: Key
    group: str
    """Metamorphic group of its case."""

    domain: str
    kind: str
    """Of the rule that its case depends on."""

    model: str
    question: str
    gold: str
    facts: tuple[str, ...]
    text: str
    served: str
    """Model id as the server reported it."""

    @property
    def real(self) -> bool:
        """Whether a real model wrote it."""
        return not joins.simulated(self.served)


class AnnotatorSheet(NamedTuple):
    """One annotator's sheet, read back."""

    file: str
    by_item: dict[str, str]
    faults: list[str]
    """Rows that cannot be used, each with its place and why."""


def item_of(key: Key) -> str:
    """The name of a response on a sheet."""
    # A letter first: spreadsheets read 16 digits as a number and lose the last ones.
    return "r" + hashlib.sha256(":".join(map(str, key)).encode()).hexdigest()[:15]


def choose(session: Session, snapshot: str, *, count: int, seed: int, models: Sequence[str] = ()) -> list[Shown]:
    """Responses to annotate: as many of each domain as can be, there of each model and rule kind, by hash.

    Of a metamorphic group and model there is one at most. By domain, since the papers set their thresholds on thirty
    responses of each.

    Args:
        session: open session.
        snapshot: whose responses.
        count: how many.
        seed: of the choice.
        models: registry names; all if empty.

    Raises:
        UserError: there are no delivered responses, or a model without any.
    """
    found = everything(session, snapshot)
    known = sorted({shown.model for shown in found})
    if unknown := sorted(set(models) - set(known)):
        raise UserError(
            f"no responses of {', '.join(map(repr, unknown))} for {snapshot}; there are: {', '.join(known) or 'none'}",
            "`halluvault query run` asks a model",
        )
    if not found:
        raise UserError(f"no model has answered for {snapshot}", "`halluvault query run` asks a model")
    domains: dict[str, dict[tuple[str, str], dict[str, Shown]]] = defaultdict(lambda: defaultdict(dict))
    for shown in sorted(found, key=lambda one: _order(seed, one.item)):
        if not models or shown.model in models:
            domains[shown.domain][shown.model, shown.kind].setdefault(shown.group, shown)
    each = [
        _in_turn([list(groups.values()) for _, groups in sorted(cells.items())]) for _, cells in sorted(domains.items())
    ]
    return _in_turn(each)[:count]


def _in_turn(lists: Iterable[Sequence[Shown]]) -> list[Shown]:
    """The first of each list, then the second of each, and so on."""
    return [one for turn in zip_longest(*lists) for one in turn if one is not None]


def everything(session: Session, snapshot: str) -> list[Shown]:
    """All delivered responses of a snapshot's evaluations, by key."""
    rows = session.execute(
        select(
            response.c.evaluation_id,
            response.c.case_id,
            response.c.sample,
            response.c.text,
            model.c.name,
            model.c.model_id,
            cases.c.question,
            cases.c.gold,
            cases.c.group_id,
            benchmark_case.c.domain,
            benchmark_case.c.rule_kind,
            benchmark_case.c.premises,
        )
        .select_from(
            joins.asked(response).join(
                benchmark_case,
                (benchmark_case.c.case_id == response.c.case_id) & (benchmark_case.c.snapshot == evaluation.c.snapshot),
            )
        )
        .where(evaluation.c.snapshot == snapshot, response.c.status == "delivered")
        .order_by(response.c.evaluation_id, response.c.case_id, response.c.sample)
    )
    found = []
    for row in rows:
        key = Key(row.evaluation_id, row.case_id, row.sample)
        facts = tuple(str(premise["sentence"]) for premise in row.premises)
        text = row.text or ""
        shown = Shown(
            item_of(key), key, row.group_id, row.domain, row.rule_kind, row.name, row.question, row.gold, facts, text,
            row.model_id,
        )  # fmt: skip
        found.append(shown)
    return found


def write_sheet(shown: Iterable[Shown], path: Path, annotator: str, seed: int) -> None:
    """Write one annotator's sheet: UTF-8, comma separated, in an order of the annotator's own."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for one in sorted(shown, key=lambda one: _order(seed, annotator, one.item)):
            cells = (one.item, one.question, one.gold, "\n".join(one.facts), one.text, "", "")
            writer.writerow([inert(cell) for cell in cells])


def read_sheet(path: Path, known: Mapping[str, Shown]) -> AnnotatorSheet:
    """Read a filled-in sheet; rows left empty are no fault, they are only not labelled.

    Args:
        path: the file, as a spreadsheet saves it: commas or semicolons.
        known: item → response, of the snapshot the sheet was made from.

    Raises:
        UserError: the file is missing, is no text, or lacks a column.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read as UTF-8 text: {error}", "save the sheet as CSV in UTF-8") from error
    delimiter = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    if missing := [name for name in ("item", "category") if name not in (rows.fieldnames or ())]:
        raise UserError(
            f"{path} has no column {' and no column '.join(missing)}; a sheet has {', '.join(HEADER)}",
            "`halluvault oracle label sheet` writes one; keep its first line",
        )
    by_item: dict[str, str] = {}
    faults: list[str] = []
    for row in rows:
        where = f"{path.name}, line {rows.line_num}"
        item, said = (row["item"] or "").strip(), (row["category"] or "").strip().lower().replace(" ", "_")
        if not said:
            continue
        if item not in known:
            faults.append(f"{where}: there is no response {item!r} in this month")
        elif said not in CATEGORIES:
            faults.append(f"{where}: {said!r} is not a category; the categories are {', '.join(CATEGORIES)}")
        elif item in by_item:
            faults.append(f"{where}: {item} is labelled a second time")
        else:
            by_item[item] = said
    return AnnotatorSheet(path.name, by_item, faults)


def inert(cell: str) -> str:
    """A cell that no spreadsheet runs: responses are hostile, and "=cmd(…)" is a formula there."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _order(*parts: object) -> str:
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()
