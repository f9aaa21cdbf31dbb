"""A simulated model whose knowledge was edited: from then on it says what an edits file says.

The file is read like an editor reads it, by EasyEdit's or FastEdit's keys. Everything is planted: how many edits
succeed, and the share of meaningless replies of a model edited too often (HalluVault §6.2). No weights are edited.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from sqlalchemy import Connection, select
from sqlalchemy.orm import aliased

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas.choose_fault import draw
from halluvault_tasks.local.personas.lookup import PromptedCase, read_premises
from halluvault_tasks.storage.tables import benchmark_case, cases, entity
from halluvault_tasks.wikidata.relation import relation_of

COLLAPSE = 1_000
"""Edits beyond which a model gives meaningless replies (HalluVault §6.2)."""
MEANINGLESS = "meaningless"
"""The planted fault of such a reply."""

_WORD = re.compile(r"\w+")


class Edit(NamedTuple):
    """One request: a subject, a prompt that holds it, and what is to complete the prompt."""

    subject: str
    prompt: str
    target: str


class Edited(NamedTuple):
    """A persona that was edited. Shares are planted."""

    base: str
    """Short name of the persona; where no edit reaches, it answers as that one, word for word."""
    edits: tuple[Edit, ...]
    success: float = 0.8
    """Of the edits, those that take: in every wording of their fact."""
    collapse: float = 0.4
    """Of all replies, the meaningless ones, if it has more than 1,000 edits."""


class _EasyEdit(BaseModel):
    prompts: list[str] = Field(min_length=1)
    target_new: list[str]
    subject: list[str]


class _FastEdit(BaseModel):
    prompt: str = Field(pattern=r"\{\}")
    subject: str
    target: str


_FILE: TypeAdapter[_EasyEdit | list[_FastEdit]] = TypeAdapter(_EasyEdit | list[_FastEdit])


class _Told(NamedTuple):
    """A fact as a benchmark tells it, and the cases that it settles."""

    object: str
    property: int
    """Or what stands for another relation (`Relation.key`)."""
    text: str
    settles: frozenset[str]


def read(path: Path) -> tuple[Edit, ...]:
    """The requests of a file in EasyEdit's or FastEdit's keys; any further key is left alone.

    Raises:
        UserError: the file cannot be read, has neither form, or its lists differ in length.
    """
    way_out = "`halluvault results edits --output FILE` writes one"
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        found = _FILE.validate_python(content)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", way_out) from error
    except ValidationError as error:
        keys = "EasyEdit's prompts, target_new, subject, or a list of FastEdit's prompt (with {}), subject, target"
        raise UserError(f"{path}: no edit requests; accepted: {keys}", way_out) from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: no JSON: {error}", way_out) from error
    if isinstance(found, list):
        made = [Edit(one.subject, one.prompt.replace("{}", one.subject, 1), one.target) for one in found]
    else:
        sizes = {len(found.prompts), len(found.target_new), len(found.subject)}
        if len(sizes) > 1:
            raise UserError(
                f"{path}: prompts, target_new and subject have {sorted(sizes)} entries, not one each", way_out
            )
        made = [Edit(*one) for one in zip(found.subject, found.prompts, found.target_new, strict=True)]
    if not made:
        raise UserError(f"{path} holds no edit", way_out)
    return tuple(made)


def meaningless(edited: Edited, model: str, case: PromptedCase, seed: int) -> bool:
    """Whether the model gives a meaningless reply to a case."""
    chance = draw(seed, model, case.case_id, MEANINGLESS)
    return len(edited.edits) > COLLAPSE and chance < edited.collapse


def babble(case: PromptedCase) -> str:
    """A reply that says nothing and repeats itself to its end."""
    subject = case.premises[0].subject.label if case.premises else "this"
    return " ".join([subject, "of the"] * 30)


def settled(connection: Connection, snapshot: str, edited: Edited, model: str, seed: int) -> frozenset[str]:
    """Cases that the edits which took settle: all wordings of a fact, and what depends on it as a premise.

    Args:
        connection: through the role `halluvault_sim`.
        snapshot: whose benchmark is asked.
        edited: the edits.
        model: its name; part of the draw.
        seed: of the draw.
    """
    told = _told(connection, snapshot)
    took = [one for one in dict.fromkeys(edited.edits) if draw(seed, model, *one, "edit") < edited.success]
    return frozenset().union(*(_settles(one, told.get(one.subject.casefold(), ())) for one in took))


def _settles(edit: Edit, facts: Iterable[_Told]) -> frozenset[str]:
    """The facts with these ends, of the property whose wording is nearest to the prompt's."""
    near = [one for one in facts if re.search(rf"(?<!\w){re.escape(one.object)}(?!\w)", edit.target)]
    if not near:
        return frozenset()
    whole = max(len(one.object) for one in near)  # "York" ends "New York", too
    near = [one for one in near if len(one.object) == whole]
    best = max(near, key=lambda one: (_likeness(edit.prompt, one.text), -one.property)).property
    return frozenset().union(*(one.settles for one in near if one.property == best))


def _likeness(one: str, other: str) -> float:
    words, others = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return len(words & others) / len(words | others)


def _told(connection: Connection, snapshot: str) -> Mapping[str, Sequence[_Told]]:
    """Subject, folded → true facts that a benchmark asks for, or that its cases depend on."""
    subject, item = aliased(entity), aliased(entity)
    c = benchmark_case.c
    rows = connection.execute(
        select(
            c.case_id, c.fact, c.premises, cases.c.group_id, cases.c.question,
            subject.c.label.label("subject"), item.c.label.label("object"),
        )
        .join(cases, cases.c.id == c.case_id)
        .outerjoin(subject, (subject.c.snapshot == c.snapshot) & (subject.c.qid == c.subject))
        .outerjoin(item, (item.c.snapshot == c.snapshot) & (item.c.qid == c.object))
        .where(c.snapshot == snapshot)
        .order_by(c.case_id)
    ).all()  # fmt: skip
    groups: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        groups[row.group_id].add(row.case_id)
    found: dict[str, list[_Told]] = defaultdict(list)
    for row in rows:
        said = row.object or row.fact.get("o")  # without an entity: a year, an age or another number
        relation = relation_of(row.fact)
        if row.subject and said is not None and relation and row.fact.get("truth"):
            every = frozenset(groups[row.group_id])
            found[_plain(row.subject).casefold()].append(_Told(_plain(str(said)), relation.key, row.question, every))
        for one in read_premises(row.premises):
            if one.item is not None:
                told = _Told(_plain(one.item.label), one.property, one.sentence, frozenset({row.case_id}))
                found[_plain(one.subject.label).casefold()].append(told)
    return found


def _plain(label: str) -> str:
    return " ".join(label.split())
