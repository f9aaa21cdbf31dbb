"""How right the profile `replay/syntax` was on the sets of texts that come with this version: rows of `oracle_trust`.

`halluvault oracle measure all --keep` writes them into the package, and whoever scores stores them.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.oracles.measure.responses import VerdictFigures
from halluvault_tasks.storage.tables import oracle_study

FILE = Path(__file__).with_name("measured.jsonl")
"""A set a line."""

SETS = "studies/texts"
"""In the place of a month: the sets are of several."""

OF_MODELS = (
    "as 7-8B models", "small model sample", "small model demo", "small model whole 1", "small model whole 2",
)  # fmt: skip
"""Sets of real answers with enough hallucinations in them to tell how many the judge finds."""


def write(found: Sequence[VerdictFigures], file: Path = FILE) -> None:
    """Keep what was measured with this version."""
    lines = (json.dumps(_kept(one), ensure_ascii=False) for one in found if one.judged)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def store(session: Session, file: Path = FILE) -> int:
    """Store what comes with the package, where it is not stored; commits nothing.

    Returns:
        Rows that were stored.
    """
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    stored = session.execute(insert(oracle_study).on_conflict_do_nothing().returning(oracle_study.c.part), rows)
    return len(stored.all())


def _kept(one: VerdictFigures) -> dict[str, Any]:
    """A set's figures in the shape of the study's reports, as a row of `oracle_study`."""
    faulty, sound = one.right_faulty_found, one.sound_convicted
    convicted = [each.hits for each in (faulty, sound) if each]
    told: dict[str, Any] = {"profile": replay_profile.PROFILE, "version": replay_profile.VERSION}
    told["all"] = _figures(one.judged, one.precision, one.recall, sound)
    if faulty:
        of = faulty.of + (sound.of if sound else 0)
        told["right_answer"] = _figures(of, share(faulty.hits, sum(convicted)), faulty, sound)
    figures = {"reports": [told]}
    digest = hashlib.sha256(json.dumps(figures, sort_keys=True).encode()).hexdigest()
    return {
        "snapshot": SETS, "part": one.name, "oracle_hash": replay_profile.VERSION, "plan_hash": digest, "seed": 0,
        "responses": one.n, "figures": figures,
    }  # fmt: skip


def _figures(responses: int, *shares: HitShare | None) -> dict[str, Any]:
    named = zip(("precision", "recall", "sound_convicted"), shares, strict=True)
    return {"responses": responses} | {
        name: {"rate": each.value, "low": each.low, "high": each.high} for name, each in named if each
    }
