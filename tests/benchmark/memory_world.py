"""A world of invented countries and capitals on top of the small one: enough pairs for every k."""

from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage import tables

COUNTRIES = 36
STATE, CITY = 3624078, 515
_FIRST = ("Ka", "Bo", "Di", "Fu", "Ge", "Ho")
_LAST = ("landia", "mark", "quay", "stan", "via", "rora")


def names() -> list[tuple[str, str]]:
    """(country, capital), no two of which begin alike."""
    return [(f"{one}{two}", f"Xy{two[::-1]}{one.lower()}".capitalize()) for one in _FIRST for two in _LAST]


def add_countries(session: Session, snapshot: str) -> None:
    """Countries with a capital each; the first two share theirs, the third has two, so neither is a pair."""
    rows: list[dict[str, Any]] = []
    known: list[dict[str, Any]] = []
    for number, (country, capital) in enumerate(names()):
        known.append({"qid": 70_000 + number, "label": country, "types": [STATE], "sitelinks": 5 + number})
        known.append({"qid": 80_000 + number, "label": capital, "types": [CITY], "sitelinks": 5 + number})
        rows.append({"s": 70_000 + number, "o": 80_000 + number})
    rows[1]["o"] = 80_000
    rows.append({"s": 70_002, "o": 80_001})
    last = session.scalar(select(func.max(tables.statement.c.sid)).where(tables.statement.c.snapshot == snapshot)) or 0
    session.execute(
        insert(tables.entity),
        [{"snapshot": snapshot, "description": None, "domain": "geography", "seed": True, **one} for one in known],
    )
    session.execute(
        insert(tables.statement),
        [
            {"snapshot": snapshot, "sid": last + place, "guid": f"Q{row['s']}-{place}", "p": 36, "kind": "item",
             "rank": "normal", "hedged": False, "unknown_qualifiers": [], "absent_qualifiers": [], **row}
            for place, row in enumerate(rows, 1)
        ],
    )  # fmt: skip
    session.commit()
