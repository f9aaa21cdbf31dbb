"""How well the core places models held out, and how long item statistics take, on simulated models.

    .venv/bin/python benchmarks/items.py --json items.json

Models, questions and answers are simulated, and say nothing about any real model: abilities from a coin's to one that
is right on nearly everything, planted effects of strata, properties, facts and questions, questions that divide models
more and less sharply, and for each model a leaning of its own in each stratum and property, which no item model knows.
Some models were asked everything; 300 questions are chosen by their answers; models held out are scored by these alone
and compared with what they get on all questions. Two models are separated by the whole where the difference of their
shares, clustered by fact, is beyond 1.96 standard errors; a pair is reversed significantly where the core separates it
the other way round, p adjusted after Holm over all pairs. Wanted: RMSE at most 1.5 points, 95 % of the separated
pairs in the same order, none significantly reversed. Below 30 models the core is drawn by strata alone.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from halluvault_tasks.statistics import comparisons, core_sample, item_response, seeds
from halluvault_tasks.statistics.core_sample import CoreScore, Estimator, QuestionStrata
from halluvault_tasks.statistics.item_response import Answers
from halluvault_tasks.statistics.shares import NORMAL, Floats

CORE, HELD_OUT, GROUP, STRATA, PROPERTIES, KINDS = 300, 100, 4, 6, 60, 6
LIMITS = {"rmse_points": 1.5, "same_order": 0.95, "reversed": 0, "fit_seconds": 60.0}


class Month(NamedTuple):
    """Simulated questions and models.

    Attributes:
        right: (questions, models) 1 or 0.
        answers: how the first models stand in `Answers`, without the rest.
        cells: of the core's strata.
    """

    right: Floats
    answers: Answers
    cells: Any


def month(questions: int, models: int, held_out: int, seed: int) -> Month:
    """A month in which `models` were asked everything, and others come after."""
    random = np.random.default_rng(seed)
    facts, all_models = questions // GROUP, models + held_out
    groups = np.repeat(np.arange(facts), GROUP)
    stratum, kind = random.integers(0, STRATA, facts)[groups], random.integers(0, KINDS, facts)[groups]
    weights = 1 / np.arange(1, PROPERTIES + 1) ** 0.7
    of = random.choice(PROPERTIES, facts, p=weights / weights.sum())[groups]
    difficulty = (
        np.linspace(-2.5, 2.5, STRATA)[stratum]
        + random.normal(0, 0.4, KINDS)[kind]
        + random.normal(0, 0.6, PROPERTIES)[of]
        + random.normal(0, 0.9, facts)[groups]
        + random.normal(0, 0.9, questions)
    )
    ability = random.normal(0.7, 1.5, all_models)
    leaning = random.normal(0, 0.3, (STRATA, all_models))[stratum] + random.normal(0, 0.3, (PROPERTIES, all_models))[of]
    slope = np.exp(random.normal(0, 0.35, questions))[:, None]
    chances = item_response.chance(slope * (ability + leaning - difficulty[:, None]))
    right = (random.random(chances.shape) < chances).astype(float)
    gold = np.where(np.arange(questions) % 2, "yes", "no")
    answers = Answers(
        right[:, :models],
        np.stack([stratum, STRATA + kind], axis=1),
        of,
        groups,
        [*(f"stratum: {n}" for n in range(STRATA)), *(f"kind: {n}" for n in range(KINDS))],
        [f"P{n}" for n in range(PROPERTIES)],
    )
    return Month(right, answers, core_sample.cells_of(stratum.astype(str), gold))


def placed(questions: int, models: int, seed: int, n: int = CORE) -> dict[str, Any]:
    """How well the core does where so many models were asked everything."""
    simulated = month(questions, models, HELD_OUT, seed)
    answers = simulated.answers
    began, cpu = time.perf_counter(), time.process_time()
    fitted = item_response.fit(answers)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    estimator = Estimator(fitted, answers)
    part = QuestionStrata(simulated.cells, answers.groups, [seeds.drawn(1, str(item)) for item in range(questions)])
    drawn = core_sample.drawn(part, n)
    chosen = estimator.choose(part, n) if core_sample.informative(answers) else drawn
    off = estimator.misfit(drawn)
    new = simulated.right[:, models:]
    scores = []
    for column in new.T:
        asked = np.full(questions, np.nan)
        asked[chosen] = column[chosen]
        scores.append(estimator.score(asked, off))
    return {
        "questions": questions, "models": models, "seed": seed, "core": len(chosen),
        "fit_seconds": round(seconds, 1), "fit_cpu_seconds": round(cpu_seconds, 1),
        **agreement(scores, new, answers.groups),
        "rmse_points_of_a_plain_sample": _plain(new, n, seed),
    }  # fmt: skip


def agreement(scores: list[CoreScore], right: Floats, groups: Any) -> dict[str, Any]:
    """Estimated scores against what the models get on all questions."""
    whole, value = right.mean(axis=0), np.array([one.value for one in scores])
    error = np.array([(one.high - one.low) / (2 * NORMAL) for one in scores])
    one, other = np.triu_indices(len(scores), 1)
    totals = np.zeros((groups.max() + 1, right.shape[1]))
    np.add.at(totals, groups, right)
    apart = totals[:, one] - totals[:, other]
    truth = whole[one] - whole[other]
    deviation = np.sqrt(((apart - apart.mean(axis=0)) ** 2).sum(axis=0)) / len(right)
    separated = np.abs(truth) > NORMAL * deviation
    found = value[one] - value[other]
    same = np.sign(found) == np.sign(truth)
    p = 2 * norm.sf(np.abs(found) / np.hypot(error[one], error[other]))
    sure = np.array(comparisons.holm(p.tolist())) <= 0.05
    return {
        "rmse_points": round(100 * float(np.sqrt(np.mean((value - whole) ** 2))), 2),
        "interval_holds": round(float(np.mean([a.low <= b <= a.high for a, b in zip(scores, whole, strict=True)])), 3),
        "whole_from": round(100 * float(whole.min()), 1), "whole_to": round(100 * float(whole.max()), 1),
        "pairs": len(one), "separated": int(separated.sum()),
        "same_order": round(float(same[separated].mean()), 4),
        "reversed": int((separated & sure & ~same).sum()),
    }  # fmt: skip


def _plain(right: Floats, n: int, seed: int) -> float:
    drawn = np.random.default_rng(seed).permutation(len(right))[:n]
    return round(100 * float(np.sqrt(np.mean((right[drawn].mean(axis=0) - right.mean(axis=0)) ** 2))), 2)


def main() -> None:
    """Measure, and print a line for each number of models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--questions", type=int, default=7000)
    parser.add_argument("--models", type=int, nargs="*", default=[3, 10, 30, 100, 300])
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    chosen = parser.parse_args()
    rows = []
    for models in chosen.models:
        for seed in chosen.seeds:
            rows.append(placed(chosen.questions, models, seed))
            print(rows[-1], flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"simulated": True, "limits": LIMITS, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
