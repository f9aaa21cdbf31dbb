"""People, works and twin places on top of the small world: enough for every class of pressure case."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number

HUMAN, FILM, REGION, ELEMENT = 5, 11424, 56061, 11344
CITIES = (1021, 1022, 1023, 1024)
PEOPLE = 24
ALIKE_BY_DESCRIPTION = ("Xaver Plumbrook", "Yolanda Crewsmith")
"""Two people of one description; no word of their names is the other's."""
_FIRST = ("Adam", "Berta", "Carol", "Dirk", "Emil", "Frida")
_LAST = ("Quillson", "Ravenel", "Stormer", "Tannick")
_ELEMENTS = ("brontium", "calvium", "dorium", "elysium", "fluvium", "gallenium")
_TITLES = ("Amber", "Brass", "Copper", "Dusty", "Early", "Faded", "Golden", "Hidden", "Idle", "Jolly", "Keen", "Lost")


def configured(config_dir: Path, target: Path, **settings: Any) -> Path:
    """A copy of the configuration with the suite on, and with these of its settings."""
    directory = shutil.copytree(config_dir, target)
    content = yaml.safe_load((REPOSITORY / "config" / "suites.yaml").read_text(encoding="utf-8"))
    content["pressure"] |= {"enabled": True, **settings}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return directory


def build(
    session: Session, month: str, config_dir: Path, write: Callable[[str], None], derive: Callable[[str], None]
) -> None:
    """The month with its people and its published pressure tests; nothing where it is there."""
    if month in part_lookup.months(session):
        return
    write(month)
    as_of = session.scalar(select(tables.snapshot.c.as_of).where(tables.snapshot.c.snapshot == month))
    assert as_of
    add_people(session, month, as_of.year)
    derive(month)
    stages.build(session, month, config_dir=config_dir, size="all", only=["pressure"])
    part_lookup.publish(session, month, ["pressure"])


def add_people(session: Session, snapshot: str, as_of: int) -> None:
    """Everybody was born and died in one of four cities, in a year of their own, and held an office for a time.

    Args:
        session: open session; committed.
        snapshot: of the small world.
        as_of: its year, for events that are recent.
    """
    known: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for n in range(PEOPLE):
        person = 90_000 + n
        # Three words: a snapshot so small would take every name of two for a common one.
        label = f"{_FIRST[n % 6]} {_TITLES[n % 12]} {_LAST[n // 6]}"
        known.append({"qid": person, "label": label, "types": [HUMAN], "sitelinks": 3 + n, "domain": "people"})
        half = 2 * (n // 12)  # who have two words in common come from two countries
        rows += [
            {"s": person, "p": 19, "o": CITIES[(n + half) % 4]},
            {"s": person, "p": 20, "o": CITIES[(n + half + 2) % 4]},
            _dated(person, 569, 1800 + 3 * n),
            _dated(person, 570, 1860 + 4 * n),
            {"s": person, "p": 106, "o": 2102},
            {"s": person, "p": 551, "o": CITIES[(n + 1) % 4]},
            {"s": person, "p": 108, "o": 1003},
        ]
    for n, word in enumerate(_TITLES):
        film = 91_000 + n
        known.append({"qid": film, "label": f"{word} Harbour {_LAST[n % 4]}", "types": [FILM], "sitelinks": 9,
                      "domain": "culture"})  # fmt: skip
        rows += [{"s": film, "p": 57, "o": 90_000 + n}, _dated(film, 577, as_of - 1)]
    for n, label in enumerate(ALIKE_BY_DESCRIPTION):
        singer = 93_000 + n
        known.append({"qid": singer, "label": label, "description": "English singer", "types": [HUMAN], "sitelinks": 5,
                      "domain": "people"})  # fmt: skip
        known.append(known[-1] | {"qid": singer + 100, "description": "Dutch painter"})  # so that a name needs one
        rows += [{"s": singer, "p": 19, "o": CITIES[2 * n]}, _dated(singer, 569, 1900 + 9 * n)]
    for n in range(8):
        twin = 92_000 + n
        known.append({"qid": twin, "label": f"Twin{'abcd'[n // 2]}ham", "description": f"place number {n}",
                      "types": [REGION], "sitelinks": 4, "domain": None})  # fmt: skip
        rows.append({"s": twin, "p": 131, "o": (1011, 1012)[n % 2]})
    for n, label in enumerate(_ELEMENTS):
        known.append({
            "qid": 94_000 + n, "label": label, "types": [ELEMENT], "sitelinks": 9, "domain": "natural_science",
        })  # fmt: skip
        rows.append({"s": 94_000 + n, "p": 1086, "kind": "quantity", "amount": 7 + 6 * n})
    last = session.scalar(select(func.max(tables.statement.c.sid)).where(tables.statement.c.snapshot == snapshot)) or 0
    blank = dict.fromkeys(("o", "earliest", "latest", "precision", "amount"))
    session.execute(
        insert(tables.entity), [{"snapshot": snapshot, "description": None, "seed": True, **one} for one in known]
    )
    session.execute(
        insert(tables.statement),
        [
            {"snapshot": snapshot, "sid": last + place, "guid": f"Q{row['s']}-{place}", "kind": "item",
             "rank": "normal", "hedged": False, "unknown_qualifiers": [], "absent_qualifiers": [], **blank, **row}
            for place, row in enumerate(rows, 1)
        ],
    )  # fmt: skip
    session.commit()


def _dated(s: int, p: int, year: int) -> dict[str, Any]:
    day = day_number(year, 6, 1)
    return {"s": s, "p": p, "kind": "time", "earliest": day, "latest": day, "precision": 11}
