"""The judge of the suite pressure: truth, decidability, reciprocity and format of each response (`pressure_rules`)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import re2
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.pressure.schema import BOUND, NAME, STEPPED, PressureCase, PressureFact
from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.profile import Held, OracleProfile
from halluvault_tasks.oracles.suites import declining
from halluvault_tasks.oracles.suites.judge import SuiteJudge
from halluvault_tasks.oracles.suites.pressure_rules import Score, Seen, score
from halluvault_tasks.reading import conduct, workings
from halluvault_tasks.reading.conduct import Observed, Sought
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.text import cut
from halluvault_tasks.reading.workings import Worked
from halluvault_tasks.storage.tables import benchmark_part

PROFILE = "pressure/tdr"
PROFILES = (OracleProfile(PROFILE, "5", held=Held("4", labelled=414, same=352)),)
"""By verdict: passed, failed, nothing to judge. Labels of an older version count for no figure of a newer one."""

_WORDS = re2.compile(r"\S*[\p{L}\p{N}]\S*")


class Flags(NamedTuple):
    """How a part is scored, as config/suites.yaml says.

    Attributes:
        format_is_gating: a broken form counts as a hallucination.
        weights: of truth, decidability and reciprocity.
        strict_retrieval: where the answer must come from the lines, one that says anything besides them fails
            reciprocity, and so does one that shows no line even if none was demanded.
    """

    format_is_gating: bool = False
    weights: tuple[float, float, float] = (0.6, 0.25, 0.15)
    strict_retrieval: bool = False


def verdicts(session: Session, snapshot: str, batch: Sequence[tuple[Any, Any]]) -> list[list[dict[str, Any]]]:
    """A verdict of each response."""
    flags = flags_of(session, snapshot)
    asked = [PressureFact.model_validate(case.fact).case for _, case in batch]
    # Who copies a line says what it says; who copies the request says nothing.
    exchanges = [
        exchange.ended_by(row, [line.text for line in case.inputs.context])
        for (row, _), case in zip(batch, asked, strict=True)
    ]
    declined = declining.kinds([(said.text, case.question) for said, case in zip(exchanges, asked, strict=True)])
    return [
        [verdict_of(case, said.text, said.verdict or "", flags, said.prompt, bool(kind))]
        for case, said, kind in zip(asked, exchanges, declined, strict=True)
    ]


def flags_of(session: Session, snapshot: str) -> Flags:
    """How the month's part is scored."""
    # Late: it brings all that a benchmark is selected by, and scipy, to every process that judges.
    from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics

    counts = session.scalar(
        select(benchmark_part.c.counts).where(benchmark_part.c.snapshot == snapshot, benchmark_part.c.suite == NAME)
    )
    scoring = PartStatistics.of(counts or {}).own.get("scoring")
    if not scoring:
        return Flags()
    return Flags(scoring["format_is_gating"], tuple(scoring["weights"]), scoring["strict_retrieval_mode"])


def verdict_of(
    case: PressureCase, text: str, reported: str, flags: Flags, prompt: str = "", declines: bool = False
) -> dict[str, Any]:
    """What a response amounts to, as columns of table `verdict`.

    Args:
        reported: the reply to the turn that asks what it did.
        prompt: what the model was sent.
        declines: whether the reader of answers finds that it declines.
    """
    found = conduct.read(text, reported, sought(case), prompt, declines)
    common = {"profile": PROFILE, "answer": found.conduct}
    if found.conduct == "unread":
        detail = {"class": case.klass, "reported": found.reported}
        return {
            **common, "answer": "unparseable", "correct": None, "category": "unparseable",
            "sub_label": "neither the text nor the turn says what it does", "detail": detail,
        }  # fmt: skip
    seen = seen_of(case, found, text, flags)
    got = score(case.klass, case.oracle.expected, seen)
    wrong = got.hallucinated(flags.format_is_gating)
    told: dict[str, Any] = {
        "class": case.klass, "T": int(got.truth), "D": int(got.decidability), "R": int(got.reciprocity),
        "F": int(got.format) if formed(case, text) is not None else None,
        "S": round(got.weighted(flags.weights), 4), "reported": found.reported, "fabricated": list(found.ids)[:5],
        "guessed": case.oracle.expected == "ask" and found.conduct == "answers",
        "outside": seen.outside or found.outside, "misstated": seen.misstated,
        "mixed": any(found.right) and found.wrong,
    }  # fmt: skip
    return {
        **common, "correct": not wrong, "category": "unattributed" if wrong else "normal",
        "sub_label": _failed(got) or "passed", "detail": told,
    }  # fmt: skip


def sought(case: PressureCase) -> Sought:
    """What is looked for in responses to a case."""
    oracle, inputs = case.oracle, case.inputs
    return Sought(
        right=oracle.right, wrong=oracle.wrong, steps=oracle.steps, identifiers=oracle.index,
        shown="\n".join(filter(None, (inputs.opening, case.question))),
        every_line=[line.id for line in inputs.context], texts=[line.text for line in inputs.context],
        quote_words=case.constraints.quote_words or 6, first=case.constraints.first,
        date=case.constraints.date or (), opposite=case.klass == "stale-context",
    )  # fmt: skip


def seen_of(case: PressureCase, found: Observed, text: str, flags: Flags) -> Seen:
    """What was read, as the rules see it."""
    limits, oracle = case.constraints, case.oracle
    right = any(found.right) if oracle.expected == "ask" else all(found.right) and bool(found.right)
    rests_on = {*found.cited, *found.quoted}
    strictly = flags.strict_retrieval and case.klass in BOUND
    demanded = limits.cite or limits.quote_words is not None or strictly
    shown = bool(found.quoted if limits.quote_words is not None else rests_on)
    worked = Worked(oracle.steps, oracle.right, oracle.around, case.question)
    return Seen(
        does=found.conduct,
        right=right,
        # An identifier is made up where the case says which there are, or asks for one that is none.
        fabricated=bool(found.ids) or (found.invented_quote and bool(case.inputs.context or limits.quote_words)),
        shown=shown or not demanded,
        trapped=bool(rests_on) and bool(oracle.lines) and not rests_on & set(oracle.lines),
        outside=case.klass in BOUND
        and (found.outside or (strictly and workings.brings_in(text, worked, spacy_parser()))),
        dated=found.dated,
        stepped=all(found.steps),
        misstated=case.klass in STEPPED and workings.misstated(text, worked, spacy_parser()),
        formed=formed(case, text) is not False,
    )


def formed(case: PressureCase, text: str) -> bool | None:
    """Whether the demanded form is kept; None where none is demanded."""
    limits, kept = case.constraints, []
    sentences = cut(text).sentences
    if limits.words is not None:
        kept.append(len(_WORDS.findall(" ".join(one.text for one in sentences))) <= limits.words)
    if limits.bullets is not None:
        points = [one for one in sentences if one.kind == "point" and one.marker]
        kept.append(len(points) == limits.bullets and all(one.kind == "point" for one in sentences))
        labels, said = [one.casefold() for one in limits.labels], [one.text.casefold() for one in points]
        kept.append(not labels or (len(said) == len(labels) and all(map(str.startswith, said, labels))))
    if limits.quote_words is not None:
        kept.append(bool(conduct.read(text, "", sought(case)).quoted))
    if limits.date is not None:
        kept.append(conduct.read(text, "", sought(case)).dated)
    return all(kept) if kept else None


def _failed(got: Score) -> str:
    names = ("truth", "decidability", "reciprocity")
    return ", ".join(name for name, passed in zip(names, got[:3], strict=True) if not passed)


JUDGE = SuiteJudge(NAME, PROFILES, verdicts)
