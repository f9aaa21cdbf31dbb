"""Check a month's published figures without HalluVault: needs Python 3.11 and nothing else.

    python verify.py                    recompute every rate and index from the verdicts, and compare
    python verify.py --proofs 50        and replay so many proofs (needs SWI-Prolog's `swipl`)
    python verify.py --gold CASE=yes    what would change if that question's right answer were another

What it reads lies beside it: cases.jsonl (questions, right answers, proofs), verdicts.jsonl (what each answer was
judged to be), responses.jsonl (the answers), published.jsonl (the figures), export.json (checksums). Exit status 1 if
a figure differs, a file was changed, or a proof does not give its answer.
"""

import argparse
import hashlib
import json
import math
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

HERE = Path(__file__).parent
HALLUCINATIONS = ("error_knowledge", "error_inference", "both", "unattributed")
SILENT = ("dont_know", "refusal")
WRONG_COSTS, LEVEL, CLOSE = 3, 0.95, 1e-9


def main() -> int:
    """Check, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proofs", default=0, type=int, metavar="N", help="proofs to replay")
    parser.add_argument("--gold", metavar="CASE=ANSWER", help="what if this were the right answer")
    asked = parser.parse_args()
    cases = {case["case_id"]: case for case in lines("cases.jsonl")}
    judged = [Judged.of(verdict, cases[verdict["case_id"]]) for verdict in lines("verdicts.jsonl")]
    published = list(lines("published.jsonl"))
    if asked.gold:
        return what_if(asked.gold, cases, judged)
    faults = [*changed_files(), *different(published, judged), *wrong_proofs(cases, asked.proofs)]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else "everything agrees")
    return int(bool(faults))


def lines(name: str) -> Iterator[dict[str, Any]]:
    """Rows of a file of JSON lines."""
    with (HERE / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def changed_files() -> Iterator[str]:
    """Files whose checksum is not that of the manifest."""
    files = json.loads((HERE / "export.json").read_text(encoding="utf-8"))["files"]
    for name, digest in files.items():
        if hashlib.sha256((HERE / name).read_bytes()).hexdigest() != digest:
            yield f"{name} was changed after the export"
    print(f"files: {len(files)} checksums")


class Judged(NamedTuple):
    """An answer and what it was judged to be."""

    verdict: Mapping[str, Any]
    case: Mapping[str, Any]
    hallucinated: bool
    unread: bool
    silent: bool
    right: bool
    wrong: bool
    proved: bool

    @classmethod
    def of(cls, verdict: Mapping[str, Any], case: Mapping[str, Any]) -> "Judged":
        """The verdict beside its question."""
        return cls(
            verdict, case, verdict["category"] in HALLUCINATIONS, verdict["category"] == "unparseable",
            verdict["answer"] in SILENT, verdict["correct"] is True, verdict["correct"] is False,
            case["licence"] == "proved",
        )  # fmt: skip

    @property
    def worth(self) -> int:
        """In the index: right 1, silent 0, everything else −3."""
        refused_by_api = self.unread and self.verdict["sub_label"] == "api_refusal"
        return 1 if self.right else 0 if self.silent or refused_by_api else -WRONG_COSTS


Part = tuple[float, float]  # what one answer adds to a figure's numerator and denominator
SHARES: Mapping[str, Callable[[Judged], Part]] = {
    "hallucination_rate": lambda a: (a.hallucinated, 1),
    "band_high": lambda a: (a.hallucinated or a.verdict["category"] in ("unparseable", "review"), 1),
    "unread_share": lambda a: (a.unread, 1),
    "answered_share": lambda a: (not a.silent and not a.unread, 1),
    "rate_among_answered": lambda a: (a.hallucinated, not a.silent and not a.unread),
    "accuracy": lambda a: (a.right, 1),
    "accuracy_among_answered": lambda a: (a.right, not a.silent and not a.unread),
    "yes_rate": lambda a: (a.verdict["answer"] == "yes" and (a.right or a.wrong), a.right or a.wrong),
    "proved_rate": lambda a: (a.hallucinated and a.proved, a.proved),
    "proved_accuracy": lambda a: (a.right and a.proved, a.proved),
    "right_faulty": lambda a: (a.right and bool(a.verdict["reasoning_faulty"]), 1),
    "wrong_faulty": lambda a: (a.wrong and bool(a.verdict["reasoning_faulty"]), 1),
    "abstained": lambda a: (a.silent, 1),
    "unparseable": lambda a: (a.unread, 1),
}
MEANS: Mapping[str, Callable[[Judged], Part]] = {
    "index": lambda a: (a.worth, 1),
    "index_reasons": lambda a: (-WRONG_COSTS if a.right and a.verdict["reasoning_faulty"] else a.worth, 1),
}
OF_HEADLINE = ("hallucination_rate", "band_high", "proved_rate", "index", "index_reasons")
"""Not published where too much was not delivered or not read."""

SCOPES: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "model": lambda case: [""],
    "suite": lambda case: [""],
    "macro": lambda case: [""],
    "domain": lambda case: [case["domain"]],
    "rule": lambda case: [case["rule_kind"]],
    "kind": lambda case: [case["rule_kind"].partition(".")[0]],
    "cell": lambda case: [f"{case['domain']} × {case['rule_kind'].partition('.')[0]}"],
    "difficulty": lambda case: [f"{feature} × {level}" for feature, level in (case["difficulty"] or {}).items()],
}
"""Scope → the keys that a question's answer counts for."""
HEADLINE, WHOLE = ("relation", "temporal"), ("model", "suite")


def different(published: Sequence[Mapping[str, Any]], judged: Sequence[Judged]) -> Iterator[str]:
    """Published figures that the verdicts do not give."""
    parts: dict[tuple[str, str, str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        suite = one.case["suite"]
        for board in (suite, "headline") if suite in HEADLINE else (suite,):
            for scope, keys_of in SCOPES.items():
                for key in keys_of(one.case):
                    parts[one.verdict["evaluation_id"], board, scope, key].append(one)
    planned = {place(row): row["n"] for row in published if row["metric"] == "delivered"}
    planned |= {(one, suite, "macro", ""): n for (one, suite, scope, _), n in planned.items() if scope in WHOLE}
    checked, left_out = 0, set()
    for row in published:
        metric, mine = row["metric"], parts[place(row)]
        if row["scope"] not in SCOPES or (metric not in SHARES and metric not in MEANS):
            left_out.add(metric)
            continue
        checked += 1
        found = figure(metric, mine, row["scope"] == "macro")
        if metric in OF_HEADLINE and without_rate(mine, planned[place(row)]):
            found = None
        told = None if row["value"] is None else CheckedFigure(row["value"], row["low"], row["high"])
        if not same(found, told):
            where = f"{row['model']}, {row['suite']}, {row['scope']} {row['key']}".rstrip()
            yield f"{metric} of {where}: published {told}, recomputed {found}"
    print(f"figures: {checked} recomputed with their intervals; left out: {', '.join(sorted(left_out)) or 'none'}")


def place(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Whose figure it is."""
    return row["evaluation_id"], row["suite"], row["scope"], row["key"]


class CheckedFigure(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float | None
    high: float | None


def same(found: CheckedFigure | None, told: CheckedFigure | None) -> bool:
    """Whether two figures agree in value and both ends."""
    if found is None or told is None:
        return found is told
    ends = zip(found, told, strict=True)
    return all(a is b if a is None or b is None else math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) for a, b in ends)


def without_rate(answers: Sequence[Judged], planned: int) -> bool:
    """More than 1 % were not delivered, or in more than 10 % of those delivered no verdict could be read."""
    delivered, unread = len(answers), sum(one.unread for one in answers)
    return not delivered or planned - delivered > 0.01 * planned or unread > 0.1 * delivered


def figure(metric: str, answers: Sequence[Judged], macro: bool = False) -> CheckedFigure | None:
    """A metric over answers, its interval clustered by fact: wordings of one fact are not independent.

    With `macro` the mean over suite, domain and rule, each equal.
    """
    add = SHARES.get(metric) or MEANS[metric]
    cell_of = "{suite} {domain} {rule_kind}" if macro else ""
    added = [(one.case, cell_of.format_map(one.case), *add(one)) for one in answers]
    cells: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for _, cell, hits, of in added:
        cells[cell][0] += hits
        cells[cell][1] += of
    share = {cell: hits / of for cell, (hits, of) in cells.items() if of}
    if not share:
        return None
    apart: dict[str, float] = defaultdict(float)
    for case, cell, hits, of in added:
        if of:
            apart[case["group_id"]] += (hits - share[cell] * of) / cells[cell][1] / len(share)
    value, count, total = sum(share.values()) / len(share), len(apart), sum(of for _, of in cells.values())
    variance = count / (count - 1) * sum(one * one for one in apart.values()) if count > 1 else math.inf
    if metric in MEANS:
        half = t_quantile(count - 1) * math.sqrt(variance) if count > 1 else math.nan
        ends = (max(-WRONG_COSTS, value - half), min(1.0, value + half)) if count > 1 else (None, None)
        return CheckedFigure(value, *ends)
    plain = value * (1 - value) / total
    if plain <= 1e-15 or math.isinf(variance):
        return CheckedFigure(value, *wilson(value, count, NormalDist().inv_cdf((1 + LEVEL) / 2)))
    return CheckedFigure(value, *wilson(value, total / max(variance / plain, 1.0), t_quantile(count - 1)))


def wilson(share: float, size: float, z: float) -> tuple[float, float]:
    """Wilson's score interval."""
    scale = 1 + z * z / size
    centre = (share + z * z / (2 * size)) / scale
    half = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / scale
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


@cache
def t_quantile(freedom: int) -> float:
    """Student's two-sided 95 % quantile, by halving the interval in which its tail has the right weight."""
    low, high = 0.0, 1e4
    for _ in range(100):
        middle = (low + high) / 2
        # P(|T| > t) is the regularised incomplete beta function at freedom / (freedom + t²).
        if beta(freedom / 2, 0.5, freedom / (freedom + middle * middle)) > 1 - LEVEL:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by Lentz's continued fraction."""
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 300):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / (1 + step * d), 1 + step / c
            result *= c * d
    return front * result


def wrong_proofs(cases: Mapping[str, Mapping[str, Any]], wanted: int) -> Iterator[str]:
    """Proofs that swipl does not take to the right answer."""
    proved = [case for case in cases.values() if case["proof"] and case["gold"] in ("yes", "no")]
    if wanted and not shutil.which("swipl"):
        yield "proofs: none replayed, SWI-Prolog's `swipl` is not here"
        return
    for case in (chosen := proved[:wanted]):
        with tempfile.NamedTemporaryFile("w", suffix=".pl", encoding="utf-8") as file:
            file.write(case["proof"])
            file.flush()
            said = replayed(file.name)
        if said != case["gold"]:
            yield f"proof of {case['case_id']}: it says {said!r}, the right answer is told to be {case['gold']}"
    print(f"proofs: {len(chosen)} of {len(proved)} replayed")


def replayed(path: str) -> str:
    """What a proof says."""
    try:
        done = subprocess.run(["swipl", path], cwd=HERE, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "nothing within a minute"
    return (done.stdout.decode().strip().splitlines() or [done.stderr.decode(errors="replace").strip()])[-1]


def what_if(told: str, cases: Mapping[str, Mapping[str, Any]], judged: Sequence[Judged]) -> int:
    """Print whose answers would be right or wrong, were a question's right answer another."""
    case_id, _, gold = told.partition("=")
    if gold not in ("yes", "no") or case_id not in cases or cases[case_id]["gold"] not in ("yes", "no"):
        print(f"--gold {told!r}: give an id of cases.jsonl and yes or no, as in {judged[0].case['case_id']}=yes")
        return 2
    print(f"{cases[case_id]['question']} Told to be {cases[case_id]['gold']}; suppose {gold}.")
    for one in judged:
        said, now = one.verdict, "right" if one.right else "wrong"
        if said["case_id"] == case_id and said["answer"] in ("yes", "no"):
            then = "right" if said["answer"] == gold else "wrong"
            print(f"  {said['model']} said {said['answer']}: {now} ({said['category']}), would be {then}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
