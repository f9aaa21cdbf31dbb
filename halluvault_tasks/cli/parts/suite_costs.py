"""What a companion suite would cost in a month: drawn as a build would draw it, and not written."""

import json
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.prompts import templates, variants
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.companion_suite import Writing
from halluvault_tasks.benchmark.suites.registry import COMPANIONS
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.settings import settings


class Cost(NamedTuple):
    """What a suite would cost in a month.

    Attributes:
        cases: at most, where something is yet to be written.
        prompts: of one model: every case in every variant that it has a prompt in, at every temperature, times samples.
        case_bytes: of its rows.
        writing: before that; None where nothing is to be written.
    """

    cases: int
    prompts: int
    case_bytes: int
    writing: Writing | None


def of(session: Session, snapshot: str, name: str) -> Cost:
    """The cost of a suite.

    Raises:
        PartRefused: the month has nothing to ask there.
    """
    configured = config.load(settings().config_dir, settings().benchmark_size)
    material = Material(session, snapshots.get(session, snapshot), configured.lexicon)
    suite = COMPANIONS[name]
    part = suite.configured(configured)
    writing = None
    try:
        made = suite.make(material, part, frozenset(), None)
    except UserError:
        # Something is not stored, and nobody is asked.
        unwritten = suite.unwritten(material, part)
        if unwritten is None:
            raise
        made, writing = unwritten
    cases, asked = made.cases, made.statistics.asked
    needed = [templates.needs(variants.parse(variant).template) for variant in (*suite.variants, *asked.variants)]
    prompts = asked.replies * sum(texts <= set(case.fact) for texts in needed for case in cases)
    size = sum(len(case.question) + len(case.proof) + len(json.dumps([case.fact, case.premises])) for case in cases)
    return Cost(len(cases), prompts, size, writing)
