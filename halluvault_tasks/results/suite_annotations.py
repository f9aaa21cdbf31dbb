"""Labels of a companion suite's texts: Yes or No with spans, by three people or more (HELMA §2.2).

Each labeller gets the same texts in a different order, without model or verdict. Labellers are admitted by their
agreement with a sheet known to be right; a text's label is the majority's among the admitted, and Fleiss' κ says how
far they agree. A tie has no label.
"""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results.annotation_sheets import inert
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, response, suite_label

YES, NO = "yes", "no"
HEADER = ("item", "asked", "text", "hallucination", "unverifiable", "non-factual", "irrelevant")
"""`hallucination` is Yes or No; the last three take the words at fault, several set apart by |."""

KINDS = HEADER[4:]
ADMITTED = 0.8
"""Share of a sheet that is known to be right on which a labeller must agree with it."""

LEAST_LABELLERS = 3


class TextToLabel(NamedTuple):
    """A text to label, and what it was written about. `key` says where it comes from and is not shown."""

    key: tuple[str, ...]
    asked: str
    text: str

    @property
    def id(self) -> str:
        """As a sheet names it; a letter first, since spreadsheets cut long numbers."""
        return "t" + hashlib.sha256("\0".join([*self.key, self.asked, self.text]).encode()).hexdigest()[:15]


class LabellerWord(NamedTuple):
    """One labeller's word on one text."""

    label: str
    spans: Mapping[str, tuple[str, ...]]


class Sheet(NamedTuple):
    """A sheet, read back; `faults` are rows that cannot be used, each with its place and why."""

    labeller: str
    labels: Mapping[str, LabellerWord]
    faults: tuple[str, ...]


class SheetAgreement(NamedTuple):
    """What several sheets say together.

    Attributes:
        admitted: labellers whose labels count.
        agreed: labeller → share of the known sheet on which he or she agrees with it; empty without one.
        labels: item → what most of the admitted say; ties are left out.
        ties: items without a majority.
        kappa: Fleiss' κ of the admitted on what all of them labelled; None with fewer than two, or one label alone.
        items: how many all of them labelled.
    """

    admitted: tuple[str, ...]
    agreed: Mapping[str, float]
    labels: Mapping[str, str]
    ties: int
    kappa: float | None
    items: int


def items(session: Session, snapshot: str, suite: str, count: int, seed: int) -> list[TextToLabel]:
    """Delivered responses of a suite, drawn by hash; of a suite with groups, group by group."""
    query = (
        select(response.c.evaluation_id, response.c.case_id, response.c.sample, response.c.text, cases.c.question,
               cases.c.group_id)
        .join(evaluation, evaluation.c.id == response.c.evaluation_id)
        .join(cases, cases.c.id == response.c.case_id)
        .join(
            benchmark_case,
            (benchmark_case.c.case_id == cases.c.id) & (benchmark_case.c.snapshot == evaluation.c.snapshot),
        )
        .where(evaluation.c.snapshot == snapshot, benchmark_case.c.suite == suite, response.c.status == "delivered")
    )  # fmt: skip
    rows = session.execute(query).all()
    if not rows:
        raise UserError(f"no model has answered the suite {suite} of {snapshot}", "`halluvault evaluate` asks one")

    def order(row: tuple[str, ...]) -> tuple[str, str]:
        return _hash(seed, row[0], row[5]), _hash(seed, *map(str, row[:3]))

    rows = sorted(rows, key=order)
    return [TextToLabel((row[0], row[1], str(row[2])), row.question, row.text or "") for row in rows[:count]]


def write(found: Sequence[TextToLabel], file: Path, labeller: str, seed: int) -> None:
    """Write a labeller's sheet, in an order of their own. Never over another file."""
    if file.exists():
        raise UserError(f"{file} exists already, and may hold somebody's work", "give another name")
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADER)
    for one in sorted(found, key=lambda one: _hash(seed, labeller, one.id)):
        writer.writerow([one.id, inert(one.asked), inert(one.text), "", "", "", ""])
    file.write_text(text.getvalue(), encoding="utf-8", newline="")


def read(file: Path, known: Mapping[str, TextToLabel]) -> Sheet:
    """Read a sheet back; its name is the labeller's.

    Raises:
        UserError: it is no sheet.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read: {error}", "give a sheet of `halluvault oracle label texts`") from error
    if not rows or not {"item", "hallucination"} <= set(rows[0]):
        raise UserError(f"{file} is not a sheet: its columns must be {', '.join(HEADER)}", "write a new one")
    labels: dict[str, LabellerWord] = {}
    faults = []
    for number, row in enumerate(rows, 2):
        said, item = (row["hallucination"] or "").strip().casefold(), (row["item"] or "").strip()
        if item not in known:
            faults.append(f"{file}, row {number}: no such text: {item!r}")
        elif said not in (YES, NO):
            faults.append(f"{file}, row {number}: hallucination is {said!r}; it must be Yes or No")
        else:
            spans = {kind: tuple(_spans(row.get(kind) or "")) for kind in KINDS}
            absent = [span for each in spans.values() for span in each if span not in inert(known[item].text)]
            faults += [f"{file}, row {number}: the text does not contain the span {span!r}" for span in absent]
            labels[item] = LabellerWord(said, spans)
    return Sheet(file.stem, labels, tuple(faults))


def agree(sheets: Sequence[Sheet], gold: Sheet | None = None) -> SheetAgreement:
    """What most say, and how far they agree.

    Args:
        sheets: one of each labeller.
        gold: a sheet that is known to be right, some of whose texts all were given; None: everybody is admitted.
    """
    agreed: dict[str, float] = {}
    if gold is not None:
        for one in sheets:
            both = set(one.labels) & set(gold.labels)
            same = sum(one.labels[item].label == gold.labels[item].label for item in both)
            agreed[one.labeller] = same / len(both) if both else 0.0
    admitted = [one for one in sheets if gold is None or agreed[one.labeller] >= ADMITTED]
    votes: dict[str, Counter[str]] = {}
    for one in admitted:
        for item, label in one.labels.items():
            votes.setdefault(item, Counter())[label.label] += 1
    labels = {item: max(said, key=said.__getitem__) for item, said in votes.items() if said[YES] != said[NO]}
    shared = sorted(item for item, said in votes.items() if said.total() == len(admitted))
    return SheetAgreement(
        tuple(one.labeller for one in admitted), agreed, labels, len(votes) - len(labels), _kappa(admitted, shared),
        len(shared),
    )  # fmt: skip


def keep(session: Session, found: Mapping[str, TextToLabel], sheets: Sequence[Sheet], agreement: SheetAgreement) -> int:
    """Store the labels of admitted labellers, in place of what these said before; returns how many. Does not commit."""
    rows = [
        {
            "evaluation_id": found[item].key[0], "case_id": found[item].key[1], "sample": int(found[item].key[2]),
            "labeller": one.labeller, "label": label.label,
            "spans": {kind: list(spans) for kind, spans in label.spans.items() if spans},
        }
        for one in sheets if one.labeller in agreement.admitted
        for item, label in one.labels.items()
    ]  # fmt: skip
    c = suite_label.c
    for row in rows:
        session.execute(
            delete(suite_label).where(
                *(c[name] == row[name] for name in ("evaluation_id", "case_id", "sample", "labeller"))
            )
        )
    if rows:
        session.execute(insert(suite_label), rows)
    return len(rows)


def votes(session: Session, evaluation_id: str) -> dict[str, str]:
    """Case → what most labellers say of the first response to it; ties are left out."""
    c = suite_label.c
    said: dict[str, Counter[str]] = {}
    for case_id, label in session.execute(
        select(c.case_id, c.label).where(c.evaluation_id == evaluation_id, c.sample == 1)
    ):
        said.setdefault(case_id, Counter())[label] += 1
    return {case: max(each, key=each.__getitem__) for case, each in said.items() if each[YES] != each[NO]}


def _kappa(sheets: Sequence[Sheet], shared: Sequence[str]) -> float | None:
    if len(sheets) < 2 or not shared:
        return None
    from statsmodels.stats.inter_rater import (  # brings pandas: only where labels are counted
        aggregate_raters,
        fleiss_kappa,
    )

    table, _ = aggregate_raters(np.array([[one.labels[item].label == YES for one in sheets] for item in shared]))
    if table.shape[1] < 2:
        return None
    return float(fleiss_kappa(table))


def _spans(text: str) -> list[str]:
    return [span.strip() for span in text.split("|") if span.strip()]


def _hash(*parts: object) -> str:
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()
