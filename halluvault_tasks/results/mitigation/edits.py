"""Edit requests in the tools' own documented keys: EasyEdit's `BaseEditor.edit`, FastEdit's data file."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.errors import UserError
from halluvault_tasks.results.mitigation.completions import Completion, completion
from halluvault_tasks.results.mitigation.facts import TrueFact
from halluvault_tasks.storage.tables import mitigation_use

Format = Literal["easyedit", "fastedit"]

COLLAPSE = 1_000
"""Edits of one model beyond which it tends to give meaningless responses (HalluVault §6.2)."""

_SUFFIX = "-edited"


class EditRequest(NamedTuple):
    """One edit.

    Attributes:
        made: prompt and target.
        locality: a completion that the model had right and must keep; None where there is none.
    """

    made: Completion
    locality: Completion | None


def requests(
    material: Material, wrong: Sequence[TrueFact], right: Sequence[TrueFact], limit: int, seed: int
) -> list[EditRequest]:
    """At most so many edits, one for each subject and property, each with something that it must leave alone.

    Args:
        material: the snapshot.
        wrong: facts that the model had wrong, each subject and property once.
        right: facts that it had right.
        limit: most edits.
        seed: of the draws of locality.

    Raises:
        UserError: the lexicon completes no fact.
    """
    made = [found for one in wrong if (found := completion(material, one)) is not None][:limit]
    if not made:
        raise UserError(
            f"none of {len(wrong)} facts ends a sentence of the lexicon with its object",
            "give other --facts, or a month",
        )
    touched = {one.fact.s for one in made}
    apart = [one for one in right if one.s not in touched and not (one.item and one.o in touched)]
    kept = [found for one in apart if (found := completion(material, one)) is not None]
    Random(seed).shuffle(kept)
    return [EditRequest(one, kept[place % len(kept)] if kept else None) for place, one in enumerate(made)]


def easyedit(made: Sequence[EditRequest]) -> dict[str, Any]:
    """Keyword arguments of EasyEdit's `BaseEditor.edit`: `editor.edit(**json.load(file))`.

    `ground_truth` is what the model said instead; where it only said yes or no, the end-of-text token that EasyEdit
    itself puts in for none. Where the model had nothing right, `locality_inputs`, which is optional, is left out: an
    edit is not what it must leave alone.
    """
    local = [one.locality for one in made if one.locality is not None]
    beside = {"prompt": [one.prompt for one in local], "ground_truth": [one.target for one in local]}
    keys: dict[str, Any] = {
        "prompts": [one.made.prompt for one in made],
        "target_new": [one.made.target for one in made],
        "ground_truth": [one.made.fact.said or "<|endoftext|>" for one in made],
        "subject": [one.made.subject for one in made],
        "rephrase_prompts": [one.made.rephrasings[0] for one in made],
    }
    return {**keys, "locality_inputs": {"neighborhood": beside}} if len(local) == len(made) else keys


def fastedit(made: Sequence[EditRequest]) -> list[dict[str, Any]]:
    """FastEdit's data: four keys, the subject's place in the prompt as `{}`.

    FastEdit joins prompt and target as they stand, where EasyEdit puts a space between them: so it is the target's.
    """
    return [
        {
            "prompt": one.made.prompt.replace("{", "").replace("}", "").replace(one.made.subject, "{}", 1),
            "subject": one.made.subject, "target": f" {one.made.target}", "queries": list(one.made.rephrasings),
        }
        for one in made
    ]  # fmt: skip


def write(made: Sequence[EditRequest], form: Format, output: Path) -> list[Path]:
    """Write the requests; for FastEdit, whose format has no place for it, locality beside them."""
    output.parent.mkdir(parents=True, exist_ok=True)
    written = [output]
    content: Any = easyedit(made) if form == "easyedit" else fastedit(made)
    _put(output, content)
    if form == "fastedit":
        side = output.with_name(f"{output.stem}.locality.json")
        _put(side, [{"prompt": each.prompt, "target": f" {each.target}"} for one in made if (each := one.locality)])
        written.append(side)
    return written


def _put(path: Path, content: Any) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def lineage(model: str, edited_from: Mapping[str, str]) -> list[str]:
    """A model, the one that it is after edits, and so on: whose edits its weights have.

    Args:
        model: name.
        edited_from: model → the one before edits; `NAME-edited` is one of NAME where nothing else is said.

    Raises:
        UserError: it comes from itself.
    """
    found = [model]
    while base := edited_from.get(found[-1]) or _unedited(found[-1]):
        if base in found:
            raise UserError(
                f"{model} is edited from itself: {' ← '.join([*found, base])}", "correct edited_from in models.yaml"
            )
        found.append(base)
    return found


def _unedited(model: str) -> str:
    stem = model.removesuffix(_SUFFIX)
    return stem if stem != model else ""


def counted(session: Session, models: Sequence[str]) -> int:
    """Edits that were requested of these models so far: of each a subject and property once."""
    c = mitigation_use.c
    each = select(c.model, c.subject, c.property).where(c.model.in_(models), c.kind == "edit").distinct().subquery()
    return session.scalar(select(func.count()).select_from(each)) or 0


def added(session: Session, model: str, made: Sequence[EditRequest]) -> int:
    """How many of these were not requested of the model before."""
    c = mitigation_use.c
    rows = session.execute(select(c.subject, c.property).where(c.model == model, c.kind == "edit").distinct())
    known = {(row.subject, row.property) for row in rows}
    return sum((one.made.fact.s, one.made.fact.relation.key) not in known for one in made)


def record(session: Session, model: str, snapshot: str, made: Sequence[EditRequest]) -> None:
    """Remember what was requested, and what it must leave alone. Idempotent; commits."""
    rows = [_row(model, snapshot, "edit", one.made.fact) for one in made]
    rows += [_row(model, snapshot, "locality", one.locality.fact) for one in made if one.locality]
    if rows:
        session.execute(insert(mitigation_use).on_conflict_do_nothing(), rows)
    session.commit()


def _row(model: str, snapshot: str, kind: str, fact: TrueFact, split: str = "") -> dict[str, Any]:
    return {
        "model": model, "snapshot": snapshot, "kind": kind, "case_id": fact.case_id, "group_id": fact.group,
        "subject": fact.s, "property": fact.relation.key, "split": split,
    }  # fmt: skip
