"""Paragraphs about a subject: its statements as sentences of the lexicon."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from halluvault_tasks.benchmark.cases.hindrances import Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.premises import premise_item
from halluvault_tasks.reasoning.case_proofs.program import Cited
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.storage.tables import statement


def worded(material: Material, subjects: Sequence[int]) -> dict[int, list[Mapping[str, Any]]]:
    """Subject → its statements as premises with a sentence each, as far as they have words and are stable."""
    found: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    columns = ("sid", "guid", "s", "p", "o", "kind", "earliest", "latest", "precision", "amount", "julian")
    rows = material.session.execute(
        select(*(statement.c[name] for name in columns))
        .where(statement.c.snapshot == material.snapshot, statement.c.s.in_(subjects), ~statement.c.hedged)
        .order_by(statement.c.sid)
    ).all()
    index, stability = material.index, material.stability
    stability.ask(row.sid for row in rows)
    for row in rows:
        named = {row.s, row.o} - {None}
        if not named <= set(index.entities) or not stability.named(named) or not stability.stated((row.sid,)):
            continue
        premise = premise_item(Premise(*row), index, material.lexicon)
        if not isinstance(premise, Unasked):
            found[row.s].append(premise)
    return found


def cited(premise: Mapping[str, Any]) -> Cited:
    """A premise as proofs cite it."""
    o = premise["object"]
    value = o["qid"] if "qid" in o else o.get("date") or o["amount"]
    return Cited(premise["guid"], premise["subject"]["qid"], premise["property"], value, premise["sentence"])
