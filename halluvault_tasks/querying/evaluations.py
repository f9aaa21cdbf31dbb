"""Rows of models, of how they were seen to behave, and of evaluations with their keys."""

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import evaluation, model, model_check

if TYPE_CHECKING:  # whoever judges stored responses needs no HTTP
    from halluvault_tasks.querying.registry import Model
    from halluvault_tasks.querying.replies import Identity
    from halluvault_tasks.querying.verify import Behaviour

_ANSWER_ALONE = ("max_new_tokens", "seed", "truncate", "verdict_tokens")
"""Sampling parameters that change an answer, and not what a check looks for."""


def model_key(entry: "Model", identity: "Identity") -> str:
    """Key of a model's row."""
    return _key([entry.name, *_served(entry, identity).values()])


def model_row(session: Session, entry: "Model", identity: "Identity") -> None:
    """Make a model's row where it is missing."""
    row = {"id": model_key(entry, identity), "name": entry.name, **_served(entry, identity)}
    session.execute(insert(model).values(row).on_conflict_do_nothing())


def seen_before(session: Session, entry: "Model", model_id: str) -> "Behaviour | None":
    """What a model was seen to do by its route with its sampling; None where a replica of it was never asked."""
    from halluvault_tasks.querying.verify import Behaviour

    row = session.execute(
        select(model_check).where(
            model_check.c.id == _check_key(entry, model_id), model_check.c.base_urls.contains(list(entry.base_urls))
        )
    ).one_or_none()
    return None if row is None else Behaviour(*(getattr(row, name) for name in Behaviour._fields))


def keep_seen(session: Session, entry: "Model", model_id: str, behaviour: "Behaviour") -> None:
    """Keep what a model was seen to do, in the place of what was seen of fewer replicas."""
    values = {"base_urls": list(entry.base_urls), **behaviour._asdict()}
    values |= {"sends": dict(behaviour.sends), "thinking": dict(behaviour.thinking), "omit": list(behaviour.omit)}
    row = {"id": _check_key(entry, model_id), "model_id": model_id, "route": entry.route}
    statement = insert(model_check).values(row | values)
    session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=values))


def find(session: Session, evaluation_id: str) -> Row[Any]:
    """An evaluation's row, with its model's name and what served it (`served`, `model_sha`, `server_version`).

    Raises:
        UserError: there is none.
    """
    row = session.execute(
        select(evaluation, model.c.name, model.c.model_id.label("served"), model.c.model_sha, model.c.server_version)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.id == evaluation_id)
    ).one_or_none()
    if row is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    return row


def evaluation_row(
    session: Session, snapshot: str, entry: "Model", model_id: str, variant_id: str, behaviour: "Behaviour",
    samples: int = 1,
) -> str:  # fmt: skip
    """Key of an evaluation's row, which is made where it is missing.

    An existing one keeps its key, whatever it was made from; where its route was never recorded, it is
    the one that the registry says.
    """
    sampling = entry.parameters() | behaviour.parameters
    seen = {"route": entry.route, "template": behaviour.template, "decoding": behaviour.decoding}
    there = session.scalar(
        select(evaluation.c.id)
        .where(
            evaluation.c.snapshot == snapshot,
            evaluation.c.model_id == model_id,
            evaluation.c.variant_id == variant_id,
            evaluation.c.sampling == sampling,
            evaluation.c.samples == samples,
            or_(evaluation.c.route == entry.route, evaluation.c.route.is_(None)),
        )
        .order_by(evaluation.c.route.is_(None), evaluation.c.created_at, evaluation.c.id)
        .limit(1)
    )
    if there is not None:
        session.execute(update(evaluation).where(evaluation.c.id == there).values(seen))
        return str(there)
    # One sample is what all were that came before; their keys stay.
    key = _key([snapshot, model_id, variant_id, entry.route, sampling, *([samples] if samples > 1 else ())])
    row = {"id": key, "snapshot": snapshot, "model_id": model_id, "variant_id": variant_id, "sampling": sampling,
           "samples": samples}  # fmt: skip
    session.execute(insert(evaluation).values(row | seen).on_conflict_do_nothing())
    return key


def _served(entry: "Model", identity: "Identity") -> dict[str, str | None]:
    model_id, model_sha, version = identity
    return {"dialect": entry.dialect, "model_id": model_id, "model_sha": model_sha, "server_version": version}


def _check_key(entry: "Model", model_id: str) -> str:
    asked = {name: value for name, value in entry.parameters().items() if name not in _ANSWER_ALONE}
    if entry.thinking.off:
        asked["thinking"] = entry.thinking.model_dump(exclude_defaults=True)
    # What a client cannot say was not seen to be obeyed through it; the rows of before had one client alone.
    return _key([model_id, entry.route, asked, *(() if entry.client == "bulk" else (entry.client,))])


def _key(parts: Sequence[Any]) -> str:
    """First 16 hex digits of the sha256 of canonical JSON."""
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
