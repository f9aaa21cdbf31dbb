"""What a companion suite would cost in a month: drawn as a build would draw it, and not written."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.prompts import templates, variants
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites import registry as registry_of
from halluvault_tasks.benchmark.suites.companions import Generator, MemoryExternal
from halluvault_tasks.benchmark.suites.recognition import members as recognition
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.settings import settings

_DOCUMENT_BYTES = 6000
"""Of a document's rephrasing with its fact, premises and proof."""
_TEXTS_OF_A_SEED = 4
"""Two that may be false, and where both are, the choice between them in both orders (`suites.sampled`)."""


class Writing(NamedTuple):
    """What a served model has yet to write before the suite can be built.

    Attributes:
        model: registry name; empty where suites.yaml names none.
        texts: at most.
    """

    model: str
    texts: int


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
    writing: Writing | None = None


def of(session: Session, snapshot: str, name: str) -> Cost:
    """The cost of a suite.

    Raises:
        PartRefused: the month has nothing to ask there.
    """
    configured = config.load(settings().config_dir, settings().benchmark_size)
    material = Material(session, snapshots.get(session, snapshot), configured.lexicon)
    (wanted,) = registry_of.chosen([name])
    part = wanted.configured(configured)
    own, writing = part.own, None
    try:
        made = wanted.make(material, part, frozenset(), None)
        cases: Sequence[Case] = made.cases
    except UserError:
        # Something is not stored, and nobody is asked: the cost is that of everything being kept that is to be written.
        if isinstance(own, MemoryExternal):
            return _documents(own)
        generator: Generator | None = getattr(own, "generator", None)
        if generator is None:
            raise
        alone = part._replace(own=own.model_copy(update={"generator": None}))
        made = wanted.make(material, alone, frozenset(), None)
        cases = [*made.cases, *_like(made.cases, 2 * generator.pairs * len(PATTERNS))]
        writing = Writing(generator.model, _TEXTS_OF_A_SEED * generator.seeds * generator.pairs * len(PATTERNS))
    needed = [
        templates.needs(variants.parse(variant).template)
        for variant in (*wanted.variants, *made.counts.get("further_variants", ()))
    ]
    asked = sum(texts <= set(case.fact) for texts in needed for case in cases)
    samples = made.counts.get("samples", 1)
    prompts = asked * sum(samples if warmth else 1 for warmth in made.counts.get("temperatures", (None,)))
    size = sum(len(case.question) + len(case.proof) + len(json.dumps([case.fact, case.premises])) for case in cases)
    return Cost(len(cases), prompts, size, writing)


def _like(cases: Sequence[Case], wanted: int) -> list[Case]:
    """As many members of pairs, each as long and asked in as many ways as those that are drawn."""
    drawn = [case for case in cases if case.fact["generator"] == recognition.GENERATOR and case.gold in ("yes", "no")]
    return list(islice(cycle(drawn), wanted))


def _documents(own: MemoryExternal) -> Cost:
    """As if every document were there, with every rephrasing."""
    cases = own.documents * own.rephrasings
    writing = Writing(own.rephraser or "", own.documents * own.tries)
    return Cost(cases, cases * len(own.temperatures), cases * _DOCUMENT_BYTES, writing)
