"""Speed and exactness of temporal queries, beside a brute-force evaluator and the package metric-temporal-logic.

    .venv/bin/python benchmarks/temporal.py --json temporal.json
    .venv/bin/python benchmarks/temporal.py --parts disagreements --formulas 100000        # the nightly run
    .venv/bin/python benchmarks/temporal.py --parts speed --package-python OTHER_VENV/bin/python

`speed` sends queries of depth 2 over 1,000 events through `halluvault temporal check`, files in and JSON lines out;
start-up is what the same command takes for one query, and is subtracted. The brute-force evaluator
(`tests/temporal/mtl_definition.py`) answers the same queries at their one time point, and, for like with like, at
every year of the timeline, since `check` says for all of them. metric-temporal-logic lives in an environment of its own
(`python3 -m venv X && X/bin/pip install metric-temporal-logic`); it takes no uncertain dates and its until is another
one, so it gets the queries without U.
"""

import argparse
import gc
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "temporal"))

from mtl_definition import World, holds, random_formula, random_rows, random_terms, truths, world_of, worlds  # noqa: E402

from halluvault_tasks.prolog.engine import Engine  # noqa: E402
from halluvault_tasks.temporal import formula as f  # noqa: E402
from halluvault_tasks.temporal.generate import TemporalConfig, generate  # noqa: E402
from halluvault_tasks.temporal.history import History, HistoryAtom  # noqa: E402
from halluvault_tasks.temporal.kinds import RUN  # noqa: E402
from halluvault_tasks.temporal.run_in_prolog import Evaluated, Query, evaluate, open_engine  # noqa: E402
from halluvault_tasks.temporal.sets import contains  # noqa: E402
from halluvault_tasks.temporal.timed import Cutoff, Span, Timed, span, timed  # noqa: E402
from halluvault_tasks.temporal.units import Granularity, parse_date  # noqa: E402
from halluvault_tasks.wikidata.days import civil, day_number  # noqa: E402

EVENTS, FIRST_YEAR, LAST_YEAR, WIDEST = 1_000, 1_000, 2_000, 60
WINDOW = range(-26, 27)
SEED = 20260101

# Runs in the package's own environment: formulas and signals as JSON in, seconds and answers out.
PACKAGE = """
import json, sys, time
import mtl
asked = json.load(sys.stdin)
answers = []
begun = time.process_time()
for text, data, at in asked:
    answers.append(bool(mtl.parse(text)(data, time=at, dt=1, quantitative=False)))
print(json.dumps({"cpu_seconds": time.process_time() - begun, "answers": answers}))
"""


def speed(arguments: argparse.Namespace) -> dict[str, Any]:
    """`temporal check` end to end, beside brute force and the package."""
    rng = random.Random(SEED)
    names = [f"event_{n}" for n in range(EVENTS)]
    terms = {name: [(s, s + rng.randint(0, 80))] for name in names for s in [rng.randint(FIRST_YEAR, LAST_YEAR)]}
    asked = [
        Query(random_formula(rng, 2, names, WIDEST), rng.randint(FIRST_YEAR, LAST_YEAR))
        for _ in range(arguments.queries)
    ]
    with tempfile.TemporaryDirectory(prefix="halluvault-benchmark-") as directory:
        events, queries = Path(directory, "events.csv"), Path(directory, "queries.jsonl")
        rows = [f"{name},{s:04d},{e:04d}\n" for name, [(s, e)] in terms.items()]
        events.write_text("name,start,end\n" + "".join(rows), encoding="utf-8")
        lines = [json.dumps({"id": n, "formula": f.text(q.formula), "at": q.at}) + "\n" for n, q in enumerate(asked)]
        runs = []
        for _ in range(arguments.repeat):
            start_up, whole = (_check(events, queries, several) for several in (lines[:1], lines))
            runs.append((whole["wall"] - start_up["wall"], whole["cpu"] - start_up["cpu"], whole, start_up))
    runs.sort(key=lambda run: run[1])
    wall, cpu, whole, start_up = runs[len(runs) // 2]
    answers = [json.loads(line)["answer"] for line in whole["output"].splitlines()]
    world = world_of(terms)
    some = asked[: arguments.brute]
    brute_seconds, brute_answers = _cpu(_at_their_points, some, world)
    few = asked[: max(1, arguments.brute // 200)]
    everywhere, _ = _cpu(_everywhere, few, FIRST_YEAR, LAST_YEAR, world)
    ours = len(asked) / cpu
    found = {
        "queries": len(asked), "events": EVENTS, "depth": 2,
        "start_up_wall_seconds": round(start_up["wall"], 2),
        "wall_seconds": round(wall, 2), "cpu_seconds": round(cpu, 2),
        "formulas_per_wall_second": round(len(asked) / wall), "formulas_per_cpu_second": round(ours),
        "all_runs_per_cpu_second": [round(len(asked) / run[1]) for run in runs],
        "brute_force_one_point_per_cpu_second": round(len(some) / brute_seconds),
        "brute_force_whole_timeline_per_cpu_second": round(len(few) / everywhere, 1),
        "times_brute_force_whole_timeline": round(ours * everywhere / len(few)),
        "disagreements_with_brute_force": sum(a != b for a, b in zip(answers, brute_answers, strict=False)),
    }  # fmt: skip
    if arguments.package_python:
        found["package"] = _package(arguments.package_python, asked, terms, answers, arguments.package_queries, ours)
    return found


def _check(events: Path, queries: Path, lines: Sequence[str]) -> dict[str, Any]:
    queries.write_text("".join(lines), encoding="utf-8")
    command = [
        Path(sys.executable).with_name("halluvault"),
        "temporal",
        "check",
        "--events",
        events,
        "--queries",
        queries,
    ]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "output": ran.stdout}


def _package(
    python: Path, asked: Sequence[Query], terms: dict[str, list[tuple[int, int]]], answers: Sequence[Any], most: int,
    ours: float,
) -> dict[str, Any]:  # fmt: skip
    chosen = list(islice((n for n, query in enumerate(asked) if "U" not in f.operators(query.formula)), most))
    sent = []
    for n in chosen:
        query = asked[n]
        data = {}
        for name in f.atoms(query.formula):
            [(s, e)] = terms[name]
            # A step function with its steps at the years, known from long before the timeline.
            data[name] = [(-10_000, False), (s, True), (e + 1, False)]
        sent.append((_package_text(query.formula), data, query.at))
    ran = subprocess.run([python, "-c", PACKAGE], input=json.dumps(sent), capture_output=True, text=True, check=True)
    said = json.loads(ran.stdout)
    differs = [n for n, answer in zip(chosen, said["answers"], strict=True) if answer != answers[n]]
    rate = len(chosen) / said["cpu_seconds"]
    world = world_of(terms)
    right = sum(answers[n] is holds(asked[n].formula, asked[n].at or 0, world) for n in differs)
    main = Counter(f.symbol(asked[n].formula) for n in differs)
    return {
        "queries_without_until": len(chosen), "formulas_per_cpu_second": round(rate, 1),
        "times_package": round(ours / rate, 1), "answers_that_differ": len(differs), "by_main_operator": dict(main),
        "of_those_as_the_definition_says": {"ours": right, "package": len(differs) - right},
        "examples": [f"{f.text(asked[n].formula)} at {asked[n].at}: ours {answers[n]}" for n in differs[:3]],
    }  # fmt: skip


def _package_text(node: f.Formula) -> str:
    """A formula in the package's syntax."""
    parts = [_package_text(child) for child in f.children(node)]
    match node:
        case f.Atom():
            return node.name
        case f.Not():
            return f"(~{parts[0]})"
        case f.Next():
            return f"(X {parts[0]})"
        case f.Finally() | f.Globally():
            return f"({f.symbol(node)}[{node.first},{node.last}] {parts[0]})"
        case _:
            return f"({parts[0]} {f.symbol(node)} {parts[1]})"


def growth(arguments: argparse.Namespace) -> dict[str, Any]:
    """CPU time per query against formula size, number of intervals, and length of the timeline."""
    engine = open_engine(ROOT / "prolog_rules")
    few = {name: Timed(name, (Span(s, s, s + 40, s + 40),)) for n in range(8) for name, s in [(f"e{n}", 1800 + 9 * n)]}

    def once(queries: Sequence[Query], history: dict[str, Timed]) -> float:
        return min(_cpu(_answered, engine, queries, history)[0] for _ in range(3))

    def chain(size: int, seed: int) -> f.Formula:
        own = random.Random(seed)
        formula: f.Formula = f.Atom("e0")
        for _ in range(size // 2):  # two operators and one atom a step
            formula = own.choice((f.And, f.Or))(
                f.Not(formula), f.Finally(0, own.randint(0, 5), f.Atom(f"e{own.randrange(8)}"))
            )
        return formula

    sizes = {}
    for size in (8, 16, 32, 64, 128):
        queries = [Query(chain(size, n), 1850) for n in range(200)]
        sizes[size] = round(once(queries, few) / len(queries) * 1e6 / size, 2)
    intervals = {}
    for count in (1_000, 10_000, 100_000, 1_000_000):
        rows = tuple(Span(3 * n, 3 * n, 3 * n + 1, 3 * n + 1) for n in range(count))
        history = {"many": Timed("many", rows), "one": Timed("one", (Span(0, 0, 3 * count, 3 * count),))}
        intervals[count] = round(
            once([Query(f.And(f.Not(f.Atom("many")), f.Atom("one")), 7)], history) / count * 1e6, 2
        )
        gc.collect()
    lengths, brute = {}, {}
    for scale in (1, 100, 10_000, 1_000_000):
        history = {
            name: Timed(name, tuple(Span(s * scale, s * scale, e * scale, e * scale) for s, e in several))
            for name, several in random_terms(random.Random(1), ("p", "q", "r")).items()
        }
        own = random.Random(2)
        queries = [Query(_scaled(random_formula(own, 2, ("p", "q", "r")), scale), scale) for _ in range(2_000)]
        lengths[scale * 40] = round(once(queries, history) / len(queries) * 1e6, 1)
        if scale <= 100:
            world = world_of({name: [(row.s1, row.e2) for row in one.rows] for name, one in history.items()})
            seconds, _ = _cpu(_everywhere, queries[:40], -20 * scale, 20 * scale, world)
            brute[scale * 40] = round(seconds / 40 * 1e6, 1)
    return {
        "microseconds_per_operator_by_formula_size": sizes,
        "microseconds_per_interval_by_number_of_intervals": intervals,
        "microseconds_per_query_by_timeline_length_in_units": lengths,
        "the_same_by_brute_force": brute,
    }


def _scaled(node: f.Formula, by: int) -> f.Formula:
    parts = [_scaled(child, by) for child in f.children(node)]
    match node:
        case f.Atom():
            return node
        case f.Finally() | f.Globally() | f.Until():
            return type(node)(node.first * by, node.last * by, *parts)
        case _:
            return type(node)(*parts)


def enumeration(arguments: argparse.Namespace) -> dict[str, Any]:
    """What share of queries is decided by bounds, by completions only, and not at all, by granularity."""
    engine = open_engine(ROOT / "prolog_rules")
    found = {}
    for granularity in Granularity:
        rng = random.Random(SEED)
        dates = {f"event_{n}": (_date(rng, day), _date(rng, day + rng.randint(400, 14_000)))
                 for n in range(300) for day in [rng.randint(day_number(1700), day_number(1980))]}  # fmt: skip
        history, edges = {}, {}
        for name, (start, end) in dates.items():
            row = span(parse_date(start), parse_date(end), granularity)
            history[name] = timed(name, (row,))
            edges[name] = row
        # Three events that lie side by side in time and meet again within the formula, as questions about them do.
        names = sorted(history, key=lambda name: edges[name].s1)
        queries = []
        for _ in range(arguments.enumerated):
            first = rng.randrange(len(names) - 2)
            formula = random_formula(rng, rng.randint(1, 4), names[first : first + 3], 24)
            row = edges[rng.choice(f.atoms(formula))]
            queries.append(Query(formula, rng.choice(row) + rng.randint(-24, 3)))
        seconds, answers = _cpu(_answered, engine, queries, history)
        how = Counter(one.how for one in answers)
        decided = len(queries) - how["-"]
        found[str(granularity)] = {
            "queries": len(queries),
            "undecided": round(how["-"] / len(queries), 5),
            "decided_only_by_enumeration": round(how["completions"] / len(queries), 5),
            "of_the_decided": round(how["completions"] / decided, 5),
            "per_cpu_second": round(len(queries) / seconds),
        }
    return found


def _date(rng: random.Random, day: int) -> str:
    """A date of mixed precision, in the shares that dates in an encyclopedia have: mostly days, some years."""
    when = civil(day)
    shown = rng.choices((1, 2, 3), (3, 1, 6))[0]
    return f"{when.year:04d}-{when.month:02d}-{when.day:02d}"[: {1: 4, 2: 7, 3: 10}[shown]]


def generation(arguments: argparse.Namespace) -> dict[str, Any]:
    """Seconds to generate and answer 1,800 balanced questions over a thousand dated items of five domains."""
    rng = random.Random(SEED)
    engine = open_engine(ROOT / "prolog_rules")
    limit = Cutoff(2025, 2024)
    atoms = {}
    for n in range(EVENTS):
        day = rng.randint(day_number(1500), day_number(1990))
        begin = parse_date(_date(rng, day))
        row = span(begin, parse_date(_date(rng, day + rng.randint(400, 20_000))), Granularity.YEAR)
        name = RUN.of(n)
        domain = ("culture", "history", "people", "society", "technology")[n % 5]
        atoms[name] = HistoryAtom(timed(name, (row,), limit=limit), RUN, n, None, (2 * n, 2 * n + 1), domain)
    history = History(atoms, limit, Granularity.YEAR)
    begun = time.perf_counter()
    seconds, batch = _cpu(generate, history, engine, TemporalConfig(count=1_840, depth=4))
    return {
        "facts": len(batch.queries), "true": sum(query.truth for query in batch.queries),
        "wall_seconds": round(time.perf_counter() - begun, 2), "cpu_seconds": round(seconds, 2),
        "formulas_tried": batch.candidates,
        "by_depth": dict(sorted(Counter(query.formula.depth for query in batch.queries).items())),
        "by_operator": dict(sorted(Counter(f.symbol(q.formula) or "atom" for q in batch.queries).items())),
    }  # fmt: skip


def disagreements(arguments: argparse.Namespace) -> dict[str, Any]:
    """Random formulas of depth at most 4 against the definition, exact dates at 53 points and uncertain ones at one."""
    engine = open_engine(ROOT / "prolog_rules")
    rng = random.Random(SEED)
    names = ("p", "q", "r")
    wrong: list[str] = []
    depths: Counter[int] = Counter()
    done = uncertain = 0
    how: Counter[str] = Counter()
    while done < arguments.formulas:
        terms = random_terms(rng, names)
        world = world_of(terms)
        history = {name: Timed(name, tuple(Span(s, s, e, e) for s, e in several)) for name, several in terms.items()}
        asked = [random_formula(rng, rng.randint(0, 4), names) for _ in range(min(500, arguments.formulas - done))]
        for formula, found in zip(asked, evaluate(engine, map(Query, asked), history), strict=True):
            depths[formula.depth] += 1
            expected = truths(formula, WINDOW[0], WINDOW[-1], world)
            if found.certain != found.possible or [contains(found.certain, t) for t in WINDOW] != expected:
                wrong.append(f"{f.text(formula)} over {terms}")
        done += len(asked)
    while uncertain < arguments.formulas // 10:
        rows = random_rows(rng, names[:2])
        every = list(islice(worlds(rows), 501))
        if len(every) > 500:
            continue
        history = {name: Timed(name, tuple(several)) for name, several in rows.items()}
        asked_at = [
            Query(random_formula(rng, rng.randint(0, 4), names[:2], 5), rng.randint(-14, 12)) for _ in range(20)
        ]
        for query, found in zip(asked_at, evaluate(engine, asked_at, history), strict=True):
            at = query.at or 0
            seen = {truths(query.formula, at, at, one)[0] for one in every}
            how[found.how] += 1
            if found.answer != (seen.pop() if len(seen) == 1 else None):
                wrong.append(f"{f.text(query.formula)} at {at} over {rows}")
        uncertain += len(asked_at)
    return {
        "formulas": done, "points": done * len(WINDOW), "uncertain_queries": uncertain, "decided_by": dict(how),
        "by_depth": dict(sorted(depths.items())), "disagreements": len(wrong), "examples": wrong[:5],
    }  # fmt: skip


def _at_their_points(queries: Sequence[Query], world: World) -> list[bool]:
    return [holds(query.formula, query.at or 0, world) for query in queries]


def _everywhere(queries: Sequence[Query], first: int, last: int, world: World) -> list[list[bool]]:
    return [truths(query.formula, first, last, world) for query in queries]


def _answered(engine: Engine, queries: Sequence[Query], history: dict[str, Timed]) -> list[Evaluated]:
    return list(evaluate(engine, queries, history))


def _cpu(work: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """CPU seconds of a call, and what it gives."""
    begun = time.process_time()
    found = work(*arguments)
    return time.process_time() - begun, found


PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "speed": speed, "growth": growth, "enumeration": enumeration, "generation": generation,
    "disagreements": disagreements,
}  # fmt: skip


def main() -> None:
    """Run the parts asked for and print their figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="default: all")
    parser.add_argument("--queries", type=int, default=100_000, help="queries sent through `temporal check`")
    parser.add_argument("--repeat", type=int, default=3, help="runs of `temporal check`; the median counts")
    parser.add_argument("--brute", type=int, default=100_000, help="queries that brute force answers too")
    parser.add_argument("--package-python", type=Path, help="interpreter that has metric-temporal-logic")
    parser.add_argument("--package-queries", type=int, default=2_000, help="queries that the package answers too")
    parser.add_argument("--enumerated", type=int, default=5_000, help="queries a granularity for `enumeration`")
    parser.add_argument("--formulas", type=int, default=5_000, help="random formulas for `disagreements`")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
    for name in arguments.parts:
        print(f"{name} …", file=sys.stderr)
        figures[name] = PARTS[name](arguments)
        figures[name]["load_after"] = round(os.getloadavg()[0], 1)
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
