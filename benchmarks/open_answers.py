"""Judging open answers: speed, and verdicts on names whose bearers are known, in many forms.

*Scored*: every open question of a month is answered by an explanation of its evidence, seven in ten rightly, and
scored as `halluvault score` does it, stored rows and all. The peer is the parser alone on the same explanations in the
same run: what no judge that reads them can do without. Limit: 500 answers/s. What a process reads of the month once,
before the first answer, stands beside.

*Links*: facts with one value are drawn from a month, evenly over properties. Each is answered by every name of its
value; by names with the title, order, sentence, brackets and markup that people put around them; by each alias while
the case does not know it, as where Wikidata lacks it; by names of other values of the same property, alone and beside
the right one; by the last word of a person's name. What a verdict should be is then known.

    .venv/bin/python benchmarks/open_answers.py --json open_answers.json
"""

import argparse
import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import psutil
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts import store, variants
from halluvault_tasks.benchmark.suites.open.fact import NAME, OpenFact, WantedItem, WantedNames
from halluvault_tasks.local.month import sample_month
from halluvault_tasks.oracles import stages
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.oracles.isolation import BATCH
from halluvault_tasks.oracles.suites import open as judge
from halluvault_tasks.oracles.unjudged import JudgingLane
from halluvault_tasks.reading.parser import SpacyParser
from halluvault_tasks.reading.text import cut
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import (
    benchmark_case,
    cases,
    entity,
    evaluation,
    model,
    prompt,
    response,
    statement,
    verdict,
)
from halluvault_tasks.wikidata import properties as wd

LIMIT = 500.0
RIGHT = 0.7
EVALUATION = "benchmark of open answers"
VARIANT = variants.parse("open/two-turn/chat/closed-book")
PROPERTIES = (
    wd.DIRECTOR, wd.AUTHOR, wd.COMPOSER, wd.PERFORMER, wd.FATHER, wd.DISCOVERER, wd.FOUNDER, wd.HEAD_OF_GOVERNMENT,
    wd.BIRTHPLACE, wd.DEATHPLACE, wd.CAPITAL, wd.HEADQUARTERS, wd.EDUCATED_AT, wd.DEVELOPER, wd.MANUFACTURER,
)  # fmt: skip
HUMAN = 5


class Answered(NamedTuple):
    """A question, its answer and what it is an example of."""

    variant: str
    wanted: str
    said: str
    case: Any


def facts(session: Session, snapshot: str, random: Random, each: int) -> Iterator[tuple[int, int, int, list[int]]]:
    """Property, subject, its one value, and other values of the property."""
    st = statement.c
    for p in PROPERTIES:
        of: dict[int, set[int]] = defaultdict(set)
        rows = select(st.s, st.o).where(st.snapshot == snapshot, st.p == p, st.kind == "item").order_by(st.s, st.o)
        for s, o in session.execute(rows):
            of[s].add(o)
        sole = [(s, next(iter(values))) for s, values in of.items() if len(values) == 1]
        others = sorted({o for _, o in sole})
        for s, o in random.sample(sole, min(each, len(sole))):
            yield p, s, o, random.sample(others, min(3, len(others)))


def answers(session: Session, snapshot: str, seed: int, each: int) -> list[Answered]:
    """Answers to a month's facts, in many forms."""
    random = Random(seed)
    rows = session.execute(select(entity).where(entity.c.snapshot == snapshot, entity.c.label.is_not(None))).all()
    things = {row.qid: row for row in rows}
    made: list[Answered] = []
    for p, s, o, others in facts(session, snapshot, random, each):
        if s in things and o in things:
            made += _of_fact(things, p, s, o, [other for other in others if other in things and other != o])
    random.shuffle(made)
    return made


def _of_fact(things: dict[int, Any], p: int, s: int, o: int, others: list[int]) -> Iterator[Answered]:
    label, aliases = things[o].label, sorted({*things[o].aliases} - {things[o].label})
    question = f"What is the value of P{p} for {things[s].label}?"

    def case(names: list[str]) -> Any:
        wanted = WantedNames(items=(WantedItem(qid=o, names=tuple(names)),))
        fact = OpenFact(
            asks="what", wanted=wanted, licence="proved", relation=f"P{p}", hops=1, difficulty={}, told=question
        )
        return SimpleNamespace(question=question, fact=fact.model_dump(mode="json"))

    whole = case([label, *aliases])
    for name in (label, *aliases):
        yield Answered("a name of it", "right", name, whole)
    for form in (
        "It is {}.",
        "**{}**",
        "Answer: {}",
        "{} (as far as I know)",
        '{{"name": "{}"}}',
        "I think it was {}.",
    ):
        yield Answered("in a sentence or markup", "right", form.format(label), whole)
    for alias in aliases:
        yield Answered("an alias that the case does not know", "right", alias, case([label]))
    plain = "," not in label and " of " not in label
    if HUMAN in things[o].types and plain and len(words := label.split()) > 1:
        yield Answered("order and titles of a person", "right", f"{words[-1]}, {' '.join(words[:-1])}", whole)
        yield Answered("order and titles of a person", "right", f"Sir {label}", whole)
        yield Answered(
            "given names as initials", "right", " ".join([*(f"{one[0]}." for one in words[:-1]), words[-1]]), whole
        )
        yield Answered("a surname alone", "right", words[-1], whole)
    for other in others:
        yield Answered("a name of another value", "wrong", things[other].label, whole)
        yield Answered("right beside wrong", "wrong", f"{label} or {things[other].label}", whole)


def _judged(session: Session, snapshot: str, part: list[Answered]) -> list[str]:
    batch = [(HeardResponse(str(at), 1, one.said), one.case) for at, one in enumerate(part)]
    return [str(each[0]["sub_label"]) for each in judge.verdicts(session, snapshot, batch)]


def scored(session: Session, snapshot: str, seed: int, copies: int) -> dict[str, Any]:
    """Speed of scoring explained answers as production does it, and of the parser alone on the explanations."""
    texts = _respond(session, snapshot, Random(seed), copies)
    try:
        began, worked = time.perf_counter(), time.process_time()
        shared = stages.Shared()
        judge.load(session, snapshot)
        shared.scorer(JudgingLane(session, snapshot, EVALUATION))
        read = {"read_once_seconds": _since(began), "read_once_cpu_seconds": _worked(worked)}
        began, worked = time.perf_counter(), time.process_time()
        counts = stages.score(session, EVALUATION, shared=shared)
        seconds, cpu = time.perf_counter() - began, time.process_time() - worked
    finally:
        _remove(session)
    sentences = [one.text for text in texts for one in cut(text).sentences]
    parser = SpacyParser()
    parser.parse(sentences[:BATCH])
    worked = time.process_time()
    parser.parse(sentences)
    peer = time.process_time() - worked
    return read | {
        "answers": counts.judged,
        "sentences": len(sentences),
        "answers_per_second": round(counts.judged / seconds, 1),
        "of_limit": round(counts.judged / seconds / LIMIT, 2),
        "answers_per_cpu_second": round(counts.judged / cpu, 1),
        "parser_alone_per_cpu_second": round(counts.judged / peer, 1),
        "of_parser_alone": round(cpu / peer, 2),
    }


def _since(began: float) -> float:
    return round(time.perf_counter() - began, 1)


def _worked(began: float) -> float:
    return round(time.process_time() - began, 1)


def _respond(session: Session, snapshot: str, random: Random, copies: int) -> list[str]:
    """Store an answer to every open question, so many times, each with an explanation; the explanations."""
    store.add(session, snapshot, VARIANT, [NAME])
    case = benchmark_case.c
    query = select(cases, case.fact, case.premises).join(benchmark_case, case.case_id == cases.c.id)
    rows = session.execute(query.where(case.snapshot == snapshot, case.suite == NAME).order_by(cases.c.id)).all()
    golds: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        golds[row.fact["wanted"]["guide"]].append(row.gold)
    prompts = dict(
        session
        .execute(select(prompt.c.case_id, prompt.c.text).where(
            prompt.c.snapshot == snapshot, prompt.c.variant_id == VARIANT.id
        ))
        .all()
    )  # fmt: skip
    texts, responses = [], []
    for sample in range(1, copies + 1):
        for row in rows:
            said = row.gold if random.random() < RIGHT else random.choice(golds[row.fact["wanted"]["guide"]])
            told = [one["sentence"].replace(row.gold, said) for one in row.premises][:4] or [row.fact["told"]]
            texts.append(" ".join([*told, *([] if any(said in one for one in told) else [f"So it is {said}."])]))
            asked = [turn for turn in json.loads(prompts[row.id]) if turn["role"] == "user"]
            turns = [
                {"role": role, "content": content}
                for turn, reply in zip(asked, (texts[-1], said), strict=True)
                for role, content in (("user", turn["content"]), ("assistant", reply))
            ]
            key = {"evaluation_id": EVALUATION, "case_id": row.id, "sample": sample, "status": "delivered"}
            responses.append(key | {"text": said, "transcript": turns, "attempts": 1, "finish_reason": "stop"})
    session.execute(insert(model).values(id=EVALUATION, name="benchmark", dialect="openai", model_id="benchmark"))
    session.execute(insert(evaluation).values(
        id=EVALUATION, snapshot=snapshot, model_id=EVALUATION, variant_id=VARIANT.id, sampling={}, samples=copies
    ))  # fmt: skip
    session.execute(insert(response), responses)
    session.commit()
    return texts


def _remove(session: Session) -> None:
    session.rollback()
    for table in (verdict, response):
        session.execute(delete(table).where(table.c.evaluation_id == EVALUATION))
    session.execute(delete(evaluation).where(evaluation.c.id == EVALUATION))
    session.execute(delete(model).where(model.c.id == EVALUATION))
    session.commit()


def linked(session: Session, snapshot: str, seed: int, each: int, shown: int) -> dict[str, Any]:
    """Speed of the links alone, and verdicts by variant."""
    said = answers(session, snapshot, seed, each)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[str, list[str]] = defaultdict(list)
    began, worked = time.perf_counter(), time.process_time()
    for start in range(0, len(said), BATCH):
        batch = said[start : start + BATCH]
        for one, label in zip(batch, _judged(session, snapshot, batch), strict=True):
            found[one.variant][label] += 1
            if label not in (one.wanted, "unjudged"):
                names = one.case.fact["wanted"]["items"][0]["names"]
                examples[f"{one.variant}: {label}"].append(f"{names[0]} ← {one.said}")
    seconds, cpu = time.perf_counter() - began, time.process_time() - worked
    return {
        "answers": len(said),
        "answers_per_second": round(len(said) / seconds, 1),
        "answers_per_cpu_second": round(len(said) / cpu, 1),
        "verdicts": {variant: dict(counts.most_common()) for variant, counts in sorted(found.items())},
        "examples": {name: sorted(set(several))[:shown] for name, several in sorted(examples.items())},
    }


def figures(session: Session, snapshot: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Rates, ratios and verdicts."""
    return {
        "cores": psutil.cpu_count(),
        "load": [round(value, 1) for value in psutil.getloadavg()],
        "scored": scored(session, snapshot, arguments.seed, arguments.copies),
        "links": linked(session, snapshot, arguments.seed, arguments.facts, arguments.examples),
    }


@contextmanager
def _month(arguments: argparse.Namespace, state: Path) -> Iterator[tuple[Session, str]]:
    if arguments.database:
        with sessions.session(arguments.database) as session:
            yield session, arguments.snapshot
        return
    with sample_month(state, config_dir=settings().config_dir, prolog_dir=settings().prolog_dir) as month:
        yield month


def main() -> None:
    """Judge the answers and print rates, ratios to limit and peer, and verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--facts", type=int, default=250, help="of each property, at most")
    parser.add_argument("--copies", type=int, default=1, help="explained answers to each open question")
    parser.add_argument("--examples", type=int, default=8, help="shown of each kind of odd verdict")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--database",
        default="",
        help="URL of a database with a month; an evaluation is made there for the time (default: the sample's)",
    )
    parser.add_argument("--snapshot", default="", help="its key")
    parser.add_argument(
        "--state", type=Path, help="keep the sample's month here (default: a directory that is removed)"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, _month(arguments, arguments.state or Path(scratch)) as month:
        found = figures(*month, arguments)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
