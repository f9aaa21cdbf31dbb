"""The foils that a part asks about, as rows, so that every fact that is asked is one."""

import hashlib
import json
from collections.abc import Collection, Mapping

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.storage.tables import foil as foil_table
from halluvault_tasks.wikidata.relation import Relation


def store(session: Session, snapshot: str, foils: Collection[Foil | StatementFoil]) -> None:
    """Store foils of a snapshot that it has not yet; commits nothing.

    The same false fact is one row, whichever parts ask it and however often.

    Args:
        session: open session, in the transaction that writes the part.
        snapshot: key.
        foils: drawn on it.
    """
    ids = relation_ids(session, {foil.relation for foil in foils})
    rows = {foil_id(foil): _row(snapshot, foil, ids) for foil in foils}
    if rows:  # in one order, so that two parts that are written at once wait for each other in no circle
        session.execute(insert(foil_table).on_conflict_do_nothing(), [rows[key] for key in sorted(rows)])


def foil_id(foil: Foil | StatementFoil) -> str:
    """First 16 hex digits of sha256 over relation, subject, item and number as JSON."""
    content = json.dumps([str(foil.relation), foil.s, foil.o, foil.value])
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _row(snapshot: str, foil: Foil | StatementFoil, ids: Mapping[Relation, int]) -> dict[str, object]:
    return {
        "snapshot": snapshot,
        "id": foil_id(foil),
        "relation": ids[foil.relation],
        "s": foil.s,
        "o": foil.o,
        "value": foil.value,
        "how": foil.how,
        "reason": int(foil.licence.reason),
        "evidence": list(foil.evidence),
    }
