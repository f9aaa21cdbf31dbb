"""Judging speed and memory: `replay` and `paper/anchored` on responses of six points, beside the pairwise way.

The responses answer the bundled sample's cases: an answer and six points. Half of them say the case's proof in its own
words, half say something else of the same subjects; the rest of the points is invented. Names and relations there were
never seen, so that the phrase cache, which holds the benchmark's phrases alone, has none of them. The peer is the
published reference code's way, one Sentence-BERT call for each pair of phrases, on some of the same responses.
Limits: replay 100 responses/s, and 0.7 of what the parser alone does with the same texts, paper 30 responses/s; 0.5
GB at the peak of replay alone, which is judged first, 0.8 GB of both. Where other work shares the machine,
`replay_per_cpu_second` says what one core does by itself; so is the parser measured. The start is that of a scoring
process of `replay/syntax` alone, from the interpreter to its first verdict: limit 2.5 s, of a core, and of five the
quickest.

    .venv/bin/python benchmarks/scoring.py --json scoring.json
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import psutil
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.local.month import sample_month
from halluvault_tasks.oracles import anchored, asked, replay_profile, structure, suites
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.isolation import BATCH
from halluvault_tasks.oracles.published import Anchored, Published, ReadResponse
from halluvault_tasks.oracles.snapshot_view import SnapshotView
from halluvault_tasks.oracles.weighed import JudgeInput
from halluvault_tasks.reading import base
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.mentions import Finder
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.parser import SpacyParser
from halluvault_tasks.reading.snapshot import load_names
from halluvault_tasks.reading.text import cut
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import benchmark_case, cases

REPLAY, PAPER, BYTES, REPLAY_BYTES, START = 100.0, 30.0, 800_000_000, 500_000_000, 2.5
OF_PARSER = 0.7
POINTS = 6
SYLLABLES = ["ba", "do", "ke", "lin", "mor", "nu", "pra", "ris", "sol", "tan", "vel", "wyn", "zor"]
VERBS = [
    "apprenticed", "mentored", "succeeded", "financed", "sketched",
    "restored", "translated", "rivalled", "catalogued", "sheltered",
]  # fmt: skip

_FIRST_VERDICT = """
import sys, time
from halluvault_tasks.oracles import stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.oracles.unjudged import UnstoredText
from halluvault_tasks.storage import sessions
url, snapshot, case = sys.argv[1:]
with sessions.session(url) as session:
    scorer = Scorer(session, snapshot, SentenceBert(), wanted=["replay/syntax"])
    [row] = stages.judge([UnstoredText(case, 1, "Yes.")], scorer)
print(time.process_time())
"""


def _name(random: Random) -> str:
    return " ".join("".join(random.choices(SYLLABLES, k=3)).capitalize() for _ in range(2))


def _invented(random: Random) -> str:
    did, then = random.sample(VERBS, 2)
    return f"{_name(random)} {did} and later {then} {_name(random)} of {_name(random)}."


def response(row: Any, random: Random) -> str:
    """An answer to a case of the month, with six points that the case's proof and chance give."""
    points = [str(premise["sentence"]) for premise in row.premises][:POINTS]
    if random.random() < 0.5:
        points = [_reworded(premise, random) for premise in row.premises][:POINTS]
    points += [_invented(random) for _ in range(POINTS - len(points))]
    random.shuffle(points)
    answer = random.choice(["Yes.", "No."])
    return "\n".join([answer, *(f"{number}. {point}" for number, point in enumerate(points, 1))])


def _reworded(premise: Any, random: Random) -> str:
    did, then = random.sample(VERBS, 2)
    return f"{premise['subject']['label']} {did} and then {then} {_name(random)}."


def _pairwise(text: str, gold: structure.Structure, finder: Finder, embed: SentenceBert) -> None:
    """The reference code's way: each pair of phrases is encoded by a call of its own."""
    found = structure.build(anchored.triples([one.text for one in anchored.reasoning(cut(text))], finder))
    for said, held in ((found.nodes, gold.nodes), (found.edges, gold.edges)):
        for one in said:
            for other in held:
                np.dot(*embed([one, other]))


def _gold(row: Any, finder: Finder) -> structure.Structure:
    read = [anchored.triples([str(premise["sentence"])], finder) for premise in row.premises]
    return structure.build(anchored.gold(row.premises, read))


def _asked(row: Any, originals: dict[str, str]) -> asked.CaseToJudge:
    original = originals.get(row.group_id, "")
    return asked.case_of(row, "" if original == row.id else original)


def _peak() -> int:
    """Most bytes that this process has held at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _start(session: Session, snapshot: str, case: str) -> dict[str, float]:
    """Seconds until a new process has its first verdict, on the clock and of a core."""
    url = session.get_bind().engine.url.render_as_string(hide_password=False)
    found = []
    for _ in range(5):
        began = time.perf_counter()
        run = subprocess.run(
            [sys.executable, "-c", _FIRST_VERDICT, url, snapshot, case], check=True, capture_output=True, text=True
        )
        found.append((float(run.stdout), time.perf_counter() - began))
    cpu, seconds = (min(several) for several in zip(*found, strict=True))
    return {
        "start_cpu_seconds": round(cpu, 2),
        "start_seconds": round(seconds, 2),
        "start_of_limit": round(cpu / START, 2),
    }


def _facts_anew(session: Session, snapshot: str, order: Sequence[int]) -> float:
    """How many times as long it takes to read statements for each batch as ahead for many."""
    rules = active_rules(session, snapshot)
    batches = [order[start : start + 2 * BATCH] for start in range(0, min(len(order), 3000), 2 * BATCH)]
    kept = SnapshotView(session, snapshot, rules, (), order)
    seconds = []
    for view in (lambda: kept, lambda: SnapshotView(session, snapshot, rules, ())):
        began = time.perf_counter()
        for batch in batches:
            view().fetch(batch)
        seconds.append(time.perf_counter() - began)
    return seconds[1] / seconds[0]


class _Sent(NamedTuple):
    """Responses to a month's questions, and how both are read."""

    rows: Sequence[Any]
    """The month's cases."""
    picked: Sequence[Any]
    """The case of each response."""
    texts: Sequence[str]
    names: Names


class _Replayed(NamedTuple):
    """What the profile `replay` took."""

    readings: list[base.Reading]
    reading_seconds: float
    seconds: float
    cpu_seconds: float
    peak: int


def _replay(sent: _Sent, judge: replay_profile.Judge) -> _Replayed:
    originals = {row.group_id: row.id for row in sent.rows if row.mutation == "original"}
    reader = AnswerReader(judge.documents)
    readings: list[base.Reading] = []
    reading_seconds = 0.0
    began, worked = time.perf_counter(), time.process_time()
    for start in range(0, len(sent.picked), BATCH):  # as the stage does, so that both readers meet the same texts
        part = list(zip(sent.picked, sent.texts, strict=True))[start : start + BATCH]
        now = time.perf_counter()
        cases_of = [_asked(row, originals) for row, _ in part]
        read = reader.read([
            base.ReaderInput(text, one.question, one.s, one.entities)
            for (_, text), one in zip(part, cases_of, strict=True)
        ])
        reading_seconds += time.perf_counter() - now
        readings += read
        judge.judge([
            JudgeInput(one, text, reading, False) for one, (_, text), reading in zip(cases_of, part, read, strict=True)
        ])
    return _Replayed(readings, reading_seconds, time.perf_counter() - began, time.process_time() - worked, _peak())


def _parser_alone(texts: Sequence[str]) -> float:
    """CPU seconds that the parser takes for the sentences of the texts, in the batches of the stage."""
    parser = SpacyParser()
    parser.parse(["Charles Dickens was born in Portsmouth."])
    batches = [
        [sentence.text for text in texts[start : start + BATCH] for sentence in cut(text).sentences]
        for start in range(0, len(texts), BATCH)
    ]
    worked = time.process_time()
    for batch in batches:
        parser.parse(batch)
    return time.process_time() - worked


def _paper(sent: _Sent, readings: Sequence[base.Reading], embed: SentenceBert) -> tuple[int, float]:
    """Phrases that had to be embedded, and seconds, of the published method."""
    method = Published({row.id: row for row in sent.rows}, Anchored(sent.names), embed)
    began = time.perf_counter()
    phrases = 0
    for start in range(0, len(sent.picked), 500):
        answers = [(i, readings[i].answer) for i in range(start, min(start + 500, len(sent.picked)))]
        said = [ReadResponse(sent.picked[i].id, sent.texts[i], answer, answer.span) for i, answer in answers]
        phrases += method.judge(said).phrases
    return phrases, time.perf_counter() - began


def _by_pairs(sent: _Sent, number: int, embed: SentenceBert) -> float:
    """Seconds a response of the first `number`, judged the reference code's way."""
    peer = list(zip(sent.picked, sent.texts, strict=True))[:number]
    gold = {row.id: _gold(row, Finder(sent.names, {})) for row, _ in peer}
    began = time.perf_counter()
    for row, text in peer:
        _pairwise(text, gold[row.id], Finder(sent.names, {}), embed)
    return (time.perf_counter() - began) / number


def _figures(session: Session, snapshot: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Rates and ratios on the sample's month."""
    chosen, random = settings(), Random(1)
    rows = session.execute(
        select(cases, benchmark_case)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot, benchmark_case.c.suite.not_in(suites.JUDGES))
        .order_by(cases.c.id)
    ).all()
    # In the order of the cases, as the stage reads them.
    picked = sorted(random.choices(rows, k=arguments.responses), key=lambda row: row.id)
    texts = [response(row, random) for row in picked]
    sent = _Sent(rows, picked, texts, load_names(session, snapshot, chosen.config_dir))
    cited = list(dict.fromkeys(qid for row in rows for qid in sorted(asked.case_of(row, "").entities)))
    judge = replay_profile.Judge(
        session,
        snapshot,
        config_dir=chosen.config_dir,
        prolog_dir=chosen.prolog_dir,
        names=sent.names,
        expected=cited,
    )
    replayed = _replay(sent, judge)
    parser_seconds = _parser_alone(texts)
    embed = SentenceBert(chosen.embedding_model)
    embed(["warm"])
    phrases, paper_seconds = _paper(sent, replayed.readings, embed)
    pairwise_seconds = _by_pairs(sent, arguments.pairwise, embed)
    peak = _peak()
    return {
        "cores": psutil.cpu_count(),
        "load": [round(value, 1) for value in psutil.getloadavg()],
        "responses": len(picked),
        "cases": len(rows),
        "knowledge_points": POINTS,
        "unseen_phrases": phrases,
        **_start(session, snapshot, rows[0].id),
        "replay_per_second": round(len(picked) / replayed.seconds, 1),
        "replay_of_limit": round(len(picked) / replayed.seconds / REPLAY, 2),
        "replay_per_cpu_second": round(len(picked) / replayed.cpu_seconds, 1),
        "parser_per_cpu_second": round(len(picked) / parser_seconds, 1),
        "replay_of_parser": round(parser_seconds / replayed.cpu_seconds, 2),
        "of_parser_of_limit": round(parser_seconds / replayed.cpu_seconds / OF_PARSER, 2),
        "answers_read_per_second": round(len(picked) / replayed.reading_seconds, 1),
        "facts_anew_over_ahead": round(_facts_anew(session, snapshot, cited), 1),
        "paper_per_second": round(len(picked) / paper_seconds, 1),
        "paper_of_limit": round(len(picked) / paper_seconds / PAPER, 2),
        "milliseconds_a_phrase": round(paper_seconds / max(1, phrases) * 1000, 2),
        "pairwise_per_second": round(1 / pairwise_seconds, 2),
        "paper_over_pairwise": round(len(picked) / paper_seconds * pairwise_seconds, 1),
        "replay_peak_rss_bytes": replayed.peak,
        "replay_bytes_of_limit": round(replayed.peak / REPLAY_BYTES, 2),
        "peak_rss_bytes": peak,
        "bytes_of_limit": round(peak / BYTES, 2),
    }


def main() -> None:
    """Judge the responses by each profile and print rates, ratios to the limits and to the peer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--responses", type=int, default=2000)
    parser.add_argument("--pairwise", type=int, default=20, help="responses judged the peer's way")
    parser.add_argument(
        "--state", type=Path, help="keep the sample's month here (default: a directory that is removed)"
    )
    arguments = parser.parse_args()
    chosen = settings()
    with tempfile.TemporaryDirectory() as scratch:
        state = arguments.state or Path(scratch)
        with sample_month(state, config_dir=chosen.config_dir, prolog_dir=chosen.prolog_dir) as (session, snapshot):
            figures = _figures(session, snapshot, arguments)
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
