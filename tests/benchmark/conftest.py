"""A small world written straight into the tables, derived by the real rules: every kind of question comes out of it."""

import os
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.stages import BenchmarkCounts, build
from halluvault_tasks.benchmark.suites.registry import OPEN, QUESTIONS
from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, settled_dates, type_rules
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import create_partitions, drop_partitions
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.snapshot_keys import parse_key

CONFIG = REPOSITORY / "config"
PROLOG = REPOSITORY / "prolog_rules"

HUMAN, CITY, STATE, REGION, FILM, WAR, PLANET, STAR, DISEASE, OFFICE = (
    5, 515, 3624078, 56061, 11424, 198, 634, 523, 12136, 4164871,
)  # fmt: skip

HOSTILE = {
    301: "Robert'); DROP TABLE cases; --",
    302: "<script>alert('x')</script>",
    303: "halt. :- initialization(main, main).",
    304: "O'Brien \\+ % ' \" {s} {question} $(rm)",
    305: "“Quoted”, he said",
    306: "two\nlines\x0bmore",
}
"""Labels of films that would like to be code or markup."""

ENTITIES: dict[int, tuple[str | None, str | None, tuple[str, ...], tuple[int, ...], str | None]] = {
    1001: ("United Kingdom", "country in north-west Europe", ("UK",), (STATE,), "geography"),
    1002: ("Germany", "country in central Europe", (), (STATE,), "geography"),
    1003: ("Netherlands", "country in western Europe", ("Holland",), (STATE,), "geography"),
    1011: ("England", "part of the United Kingdom", (), (REGION,), "geography"),
    1012: ("Bavaria", "state in Germany", (), (REGION,), "geography"),
    1013: ("South Holland", "province", (), (REGION,), "geography"),
    1014: ("Scotland", "northern part of the United Kingdom", (), (REGION,), "geography"),
    1026: ("Glasgow", "port on the Clyde", (), (CITY,), "geography"),
    1021: ("Portsmouth", "port in Hampshire", (), (CITY,), "geography"),
    1022: ("London", "largest town of England", (), (CITY,), "geography"),
    1023: ("Munich", "town on the Isar", (), (CITY,), "geography"),
    1024: ("Delft", "town in the Low Countries", (), (CITY,), "geography"),
    1025: ("Washington, D.C.", "seat of a government", (), (CITY,), "geography"),
    2001: ("Charles Dickens", "English writer", (), (HUMAN,), "people"),
    2002: ("Johannes Vermeer", "Dutch painter", (), (HUMAN,), "people"),
    2003: ("Queen Ada", "ruler", (), (HUMAN,), "people"),
    2004: ("King Bert", "ruler", (), (HUMAN,), "people"),
    2005: ("Prince Carl", "ruler", (), (HUMAN,), "people"),
    2006: ("Princess Dora", "ruler", (), (HUMAN,), "people"),
    2007: ("Max Müller", "philologist", (), (HUMAN,), "people"),
    2008: ("Albert, Prince Consort", "husband of a queen", (), (HUMAN,), "people"),
    2009: ("MAX MULLER", "photographer", (), (HUMAN,), "people"),
    2010: (None, "somebody", (), (HUMAN,), "people"),
    2011: ("Jane Director", "film director", (), (HUMAN,), "culture"),
    2012: ("Walter Lowland", "Scottish writer", (), (HUMAN,), "people"),
    2013: ("Flora North", "ruler", (), (HUMAN,), "people"),
    2014: ("Emma Hill", "painter", (), (HUMAN,), "people"),
    2101: ("President of Utopia", "office", (), (OFFICE,), None),
    2102: ("writer", "occupation", (), (12737077,), None),
    3001: ("Up", "1975 American film", (), (FILM,), "culture"),
    3002: ("Down", "1981 American film", (), (FILM,), "culture"),
    4001: ("influenza", "infection", (), (DISEASE,), "health"),
    4002: ("viral disease", None, (), (DISEASE,), "health"),
    4003: ("disease of the body", None, (), (DISEASE,), "health"),
    5001: ("Sun", "star", (), (STAR,), "natural_science"),
    5002: ("Mars", "planet", (), (PLANET,), "natural_science"),
    5003: ("Phobos", "moon", (), (2537,), "natural_science"),
    5101: ("argentine", "element", (), (11344,), "natural_science"),
    5102: ("borax", "element", (), (11344,), "natural_science"),
    6001: ("First Utopian War", "war", (), (WAR,), "history"),
    6002: ("Second Utopian War", "war", (), (WAR,), "history"),
    **{qid: (label, "1975 American film", (), (FILM,), "culture") for qid, label in HOSTILE.items()},
}
STATEMENTS: tuple[tuple[int, int, int], ...] = (
    (1011, 131, 1001), (1012, 131, 1002), (1013, 131, 1003),
    (1014, 131, 1001), (1014, 17, 1001), (1026, 131, 1014), (1026, 17, 1001),
    (2012, 19, 1026), (2012, 20, 1026), (2013, 19, 1026),
    (1021, 131, 1011), (1022, 131, 1011), (1023, 131, 1012), (1024, 131, 1013),
    (1021, 17, 1001), (1022, 17, 1001), (1023, 17, 1002), (1024, 17, 1003), (1011, 17, 1001), (1012, 17, 1002),
    (1013, 17, 1003),
    (1001, 36, 1022), (1002, 47, 1003),
    (2001, 19, 1021), (2001, 20, 1022), (2002, 19, 1024), (2002, 20, 1024), (2003, 19, 1022), (2004, 19, 1023),
    (2005, 19, 1022), (2006, 19, 1023), (2007, 19, 1023), (2008, 20, 1025), (2010, 19, 1021), (2011, 19, 1021),
    (2005, 22, 2004), (2005, 25, 2003), (2006, 22, 2004), (2006, 25, 2003), (2003, 22, 2008), (2003, 26, 2004),
    (2005, 3373, 2006), (2001, 106, 2102),
    (3001, 57, 2011), (3002, 57, 2011), *((qid, p, 2011) for qid in HOSTILE for p in (57, 161)),
    (4001, 279, 4002), (4002, 279, 4003), (5002, 397, 5001), (5003, 397, 5002),
    (6002, 155, 6001),
)  # fmt: skip
DATES: tuple[tuple[int, int, int], ...] = (
    (2012, 569, 1815), (2012, 570, 1868), (2013, 569, 1951), (2014, 569, 1823),
    (2001, 569, 1812), (2001, 570, 1870), (2002, 569, 1632), (2002, 570, 1675), (2003, 569, 1950), (2004, 569, 1948),
    (2008, 569, 1819), (2008, 570, 1861), (6001, 580, 1801), (6001, 582, 1810), (6002, 580, 1830), (6002, 582, 1841),
    (3001, 577, 1989), (3002, 577, 1994), (2005, 569, 1970), (2006, 569, 1972),
)  # fmt: skip
DATED = frozenset({569, 570, 577, 580, 582})
TRANSITIVE, SYMMETRIC, SINGLE = 18_647_515, 18_647_518, 19_474_404
INVERSES = {22: 40, 36: 1376, 1376: 36, 155: 156, 156: 155, 397: 398, 398: 397, 26: 26, 47: 47, 3373: 3373}


def _begin(session: Session, snapshot: str) -> None:
    """An empty frozen snapshot in place of whatever stood there."""
    drop_partitions(session, snapshot)
    for table in (tables.rule, tables.derivation_manifest, tables.property, tables.temporal_fact, tables.prompt):
        session.execute(delete(table).where(table.c.snapshot == snapshot))
    for table in (tables.benchmark_case, tables.benchmark_part, tables.snapshot):
        session.execute(delete(table).where(table.c.snapshot == snapshot))
    create_partitions(session, snapshot)
    key = parse_key(snapshot)
    session.execute(
        insert(tables.snapshot).values(
            snapshot=snapshot,
            month=key.month,
            revision=key.revision or 1,
            as_of=date(2026, 10, 31),
            source="written by hand",
            status="frozen",
        )
    )


def write_world(
    session: Session, snapshot: str, labels: Mapping[int, str | None] | None = None, *, dated: bool = True
) -> None:
    """Write the world as a frozen snapshot; `labels` replaces some names, undated it has no dates at all."""
    _begin(session, snapshot)
    rows: list[dict[str, Any]] = [{"s": s, "p": p, "kind": "item", "o": o} for s, p, o in STATEMENTS]
    rows += [
        {"s": s, "p": p, "kind": "time", "earliest": day_number(y), "latest": day_number(y, 12, 31), "precision": 9}
        for s, p, y in (DATES if dated else ())
    ]
    term = {"start_earliest": day_number(1990, 1, 20), "start_latest": day_number(1990, 1, 20)}
    term |= {"end_earliest": day_number(1998, 5, 1), "end_latest": day_number(1998, 5, 31)}
    rows.append({"s": 2003, "p": 39, "kind": "item", "o": 2101, **(term if dated else {})})
    rows += [{"s": s, "p": 1086, "kind": "quantity", "amount": number} for s, number in ((5101, 47), (5102, 48))]
    rows.sort(key=lambda row: (row["p"], row["s"], row.get("o") or 0))
    columns = [column.name for column in tables.statement.c if column.name not in {"snapshot", "sid", "guid"}]
    defaults = {"rank": "normal", "hedged": False, "unknown_qualifiers": [], "absent_qualifiers": []}
    copy_rows(
        session,
        tables.statement,
        ["snapshot", "sid", "guid", *columns],
        (
            [snapshot, sid, f"Q{row['s']}-{sid:08x}", *(row.get(name, defaults.get(name)) for name in columns)]
            for sid, row in enumerate(rows, 1)
        ),
    )
    copy_rows(
        session,
        tables.entity,
        ["snapshot", "qid", "label", "description", "aliases", "types", "domain", "seed"],
        (
            [snapshot, qid, (labels or {}).get(qid, label), about, list(aliases), list(types), domain, True]
            for qid, (label, about, aliases, types, domain) in sorted(ENTITIES.items())
        ),
    )
    for pid in sorted({row["p"] for row in rows}):
        classes = [TRANSITIVE] * (pid in {131, 171, 279}) + [SYMMETRIC] * (pid in {26, 47, 3373})
        session.execute(
            insert(tables.property).values(
                snapshot=snapshot,
                pid=pid,
                label=f"property {pid}",
                datatype="quantity" if pid == 1086 else "time" if pid in DATED else "wikibase-item",
                inverse=INVERSES.get(pid),
                classes=classes,
                constraints=[SINGLE] * (pid in {19, 20, 22, 25, 397, 569, 570, 1086}),
                separators=[],
                origin="source",
            )
        )
    session.commit()


def derived_world(
    session: Session,
    snapshot: str,
    scratch: Path,
    labels: Mapping[int, str | None] | None = None,
    *,
    dated: bool = True,
) -> str:
    """Write the world under a key and derive everything from it."""
    write_world(session, snapshot, labels, dated=dated)
    derive_world(session, snapshot, scratch)
    return snapshot


def derive_world(session: Session, snapshot: str, scratch: Path) -> None:
    """Derive everything from a world that is written."""
    type_rules(session, snapshot, rules_file=CONFIG / "rules.yaml")
    derive_shard(session, snapshot, prolog_dir=PROLOG, scratch=scratch)
    check_derivation(session, snapshot, shards=1)
    settled = settled_dates(session, snapshot)
    derive_temporal(session, snapshot, config=TemporalConfig(count=240), prolog_dir=PROLOG, settled=settled)


@pytest.fixture
def make_world(session: Session, tmp_path: Path) -> Callable[..., str]:
    """`derived_world` under a key of the caller's choice."""
    return lambda snapshot, labels=None, dated=True: derived_world(session, snapshot, tmp_path, labels, dated=dated)


@pytest.fixture
def write(session: Session) -> Callable[[str], None]:
    """`write_world`: the world under a key, nothing derived from it."""
    return lambda snapshot: write_world(session, snapshot)


@pytest.fixture
def derive(session: Session, tmp_path: Path) -> Callable[[str], None]:
    """`derive_world`: everything from a world that is written."""
    return lambda snapshot: derive_world(session, snapshot, tmp_path)


@pytest.fixture(scope="module")
def config_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real lexicon with quotas, `all`, that take whatever the small world has."""
    directory = tmp_path_factory.mktemp("config")
    (directory / "lexicon.yaml").write_text((CONFIG / "lexicon.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    quotas = yaml.safe_load((CONFIG / "benchmark.yaml").read_text(encoding="utf-8"))
    quotas["sizes"]["all"] = {
        **dict.fromkeys(QUESTIONS, 400), **dict.fromkeys(OPEN, 4000), "temporal": 30, "candidates_per_rule": 100,
        "bounds": {"relation": [{"feature": "cell", "at_least": 0.001}]},
    }  # fmt: skip
    quotas["suites"] = ["relation", "temporal"]
    for name in ("variants", "default_variant"):
        quotas[name]["all"] = quotas[name]["full"]
    quotas["renewal"] = 0  # what goes has a cause
    quotas["guess_limit"] = 1
    quotas["blind_limit"] = 1  # so small a world is there for its variety
    quotas["subject_cap"] = quotas["object_cap"] = quotas["fact_cap"] = 40
    (directory / "benchmark.yaml").write_text(yaml.safe_dump(quotas), encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def january(database_url: str, config_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> BenchmarkCounts:
    """The frozen benchmark of the small world, snapshot 2040-01; tests only read it."""
    with sessions.session(database_url) as session:
        derived_world(session, "2040-01", tmp_path_factory.mktemp("scratch"))
        return build(session, "2040-01", config_dir=config_dir, size="all")


def replay(proof: str, directory: Path) -> str:
    """What `swipl FILE` prints for a proof."""
    file = directory / "proof.pl"
    file.write_text(proof, encoding="utf-8")
    run = subprocess.run(
        ["swipl", str(file)], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "HALLUVAULT_PROLOG_DIR": str(PROLOG)},
    )  # fmt: skip
    return run.stdout.strip()


@pytest.fixture
def replayed(tmp_path: Path) -> Callable[[str], str]:
    """Run a proof as a stranger would."""
    return lambda proof: replay(proof, tmp_path)


@pytest.fixture
def years() -> dict[tuple[int, int], int]:
    """(item, property) → year."""
    return {(s, p): year for s, p, year in DATES}


@pytest.fixture
def hostile_labels() -> dict[int, str]:
    """Item → label, of the films that would like to be code or markup."""
    return HOSTILE
