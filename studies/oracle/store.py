"""Runs of the study in table `oracle_study`, and the hash by which an oracle version is known."""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

import halluvault_tasks
from halluvault_tasks.reading.parser import PINNED
from halluvault_tasks.storage.tables import oracle_study
from studies.oracle.planting import PARTS, PartName

_CONFIGURED = ("lexicon.yaml", "predicates.yaml", "rules.yaml")


class Study(NamedTuple):
    """One run, as table `oracle_study` keeps it."""

    snapshot: str
    part: PartName
    oracle_hash: str
    plan_hash: str
    seed: int
    responses: int
    figures: dict[str, Any]
    ran_at: datetime | None
    repeated: bool
    """Whether these are figures of an earlier run of the same oracle version."""


def oracle_hash(config_dir: Path, prolog_dir: Path, embedding: str) -> str:
    """sha256 over everything a verdict depends on beside the snapshot.

    That is the code that reads and judges, the licence and rules it asks, the word lists in the
    configuration, the hand-written Prolog, the parser, and the embedding model's name.
    """
    package = Path(halluvault_tasks.__file__).resolve().parent
    files = [
        *(package / "oracles").rglob("*.py"),
        *(package / "reading").rglob("*.py"),
        *(package / "reasoning").rglob("*.py"),
        *prolog_dir.rglob("*.pl"),
        *(config_dir / name for name in _CONFIGURED),
    ]
    digest = hashlib.sha256(f"{embedding}\0{PINNED}".encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def stored(session: Session, part: PartName, hash_: str) -> Study | None:
    """The earliest run of a part by an oracle version, if there was one."""
    row = session.execute(
        select(oracle_study)
        .where(oracle_study.c.part == part, oracle_study.c.oracle_hash == hash_)
        .order_by(oracle_study.c.ran_at, oracle_study.c.plan_hash)
        .limit(1)
    ).one_or_none()
    return None if row is None else Study(**row._mapping, repeated=True)


def kept(session: Session, version: str = "") -> list[Study]:
    """Stored runs of one oracle version, one of each part: the first of the kept-back part, the newest of the others.

    Args:
        session: open session.
        version: first digits of the hash; empty takes the version that ran last.
    """
    c = oracle_study.c
    query = (
        select(oracle_study).where(c.oracle_hash.startswith(version, autoescape=True)).order_by(c.ran_at, c.plan_hash)
    )
    rows = session.execute(query).all()
    rows = [row for row in rows if row.oracle_hash == rows[-1].oracle_hash]
    found: dict[str, Study] = {}
    for row in rows:
        if row.part != "kept_back" or row.part not in found:
            found[row.part] = Study(**row._mapping, repeated=True)
    return [found[part] for part in PARTS if part in found]


def keep(session: Session, study: Study) -> None:
    """Store a run; one that is stored already stays as it is. Commits."""
    values = {name: getattr(study, name) for name in Study._fields if name not in ("ran_at", "repeated")}
    session.execute(insert(oracle_study).values(values).on_conflict_do_nothing())
    session.commit()
