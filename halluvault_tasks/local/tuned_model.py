"""The small real model tuned on what it got wrong in the demo's month, asked again, and compared with itself.

Both are served by the same server from files written by the same script, `scripts/tune.py`, in a virtualenv of its own
(`scripts/tuned-model.sh`). What an earlier run left is not done again.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.freeze import parts
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import demo, processes, real_model, sample
from halluvault_tasks.local.month import Month, sample_month
from halluvault_tasks.local.real_model import RealModel
from halluvault_tasks.local.supervisor import Supervisor
from halluvault_tasks.oracles import decision
from halluvault_tasks.oracles import stages as oracles
from halluvault_tasks.querying import sample as sampling
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.results.mitigation import gains, preferences
from halluvault_tasks.results.mitigation.facts import Evaluation
from halluvault_tasks.results.mitigation.gains import Gain
from halluvault_tasks.settings import REPOSITORY, SHARE

NAME = f"{real_model.NAME}-tuned"
"""Registry name of what it became."""

SEED, SHARE_TO_TRAIN = 20260101, 0.7
"""As `halluvault results preferences` splits."""

_SIZE = "demo"
_NEW_TOKENS = 96
"""Half of what `make real-model` allows: the time of asking goes with it, and that of training."""

_SCRIPT = REPOSITORY / "scripts" / "tune.py"


class Workshop(NamedTuple):
    """Where the model is tuned."""

    state: Path
    """State directory."""
    trainer: Path
    """Interpreter that has TRL."""
    model: RealModel
    """Server, and the weights as their package carries them."""
    questions: int
    """To ask, about; 0 means all of the month."""

    def weights(self, name: str) -> Path:
        """GGUF file of a registry name."""
        return self.state / f"{name}.gguf"


@contextmanager
def month(state: Path) -> Iterator[Month]:
    """The demo's month, of the bundled sample of Wikidata, on a Postgres of its own and without Airflow."""
    with sample_month(
        state, config_dir=demo.CONFIG, prolog_dir=SHARE / "prolog_rules", size=_SIZE, folder=sample.FOLDER
    ) as made:
        parts.publish(made.session, made.snapshot)
        yield made


def asked(of: Month, shop: Workshop, name: str) -> Evaluation:
    """Serve a model, ask it what it was not asked yet, and judge it.

    Raises:
        UserError: its server does not come up, or goes away.
    """
    variant = config.default_variant(demo.CONFIG, _SIZE)
    with _served(shop, name) as url:
        registry = load_models(real_model.register(shop.state, url, name, _NEW_TOKENS), {})
        part = sampling.part(of.session, of.snapshot, shop.questions)
        only = querying.Only((name,), part=part)
        [planned] = querying.plan_default(of.session, of.snapshot, variant, registry=registry, only=only)
        if planned.missing:
            querying.query_shard(of.session, planned.evaluation_id, registry=registry, part=part)
    oracles.score(of.session, planned.evaluation_id)
    return Evaluation(planned.evaluation_id, variant, decision.VERSION)


def exported(of: Month, shop: Workshop, before: Evaluation) -> Path:
    """What the model had wrong as preference pairs; the folder with `train.jsonl` and `test.jsonl`.

    Made once: what more is asked later is neither trained on nor held out.
    """
    folder = shop.state / "pairs"
    if not (folder / "test.jsonl").exists():
        split = preferences.split(preferences.pairs(of.session, before, of.snapshot), SHARE_TO_TRAIN, SEED)
        preferences.record(of.session, real_model.NAME, of.snapshot, split)
        preferences.write(split, folder)
    return folder


def write_weights(shop: Workshop, name: str, pairs: Path | None = None) -> None:
    """Write the weights that a name is served by, in 8 bits, tuned where pairs are given; nothing where they are there.

    Raises:
        UserError: the trainer failed.
    """
    weights = shop.weights(name)
    if weights.exists():
        return
    command = [shop.trainer, _SCRIPT, shop.model.weights, weights, *(("--pairs", pairs) if pairs else ())]
    done = subprocess.run([str(word) for word in command], check=False)
    if done.returncode:
        raise UserError(
            f"{_SCRIPT.name} ended with {done.returncode}", "the reason is above; `make tuned-model` resumes"
        )


def compared(of: Month, before: Evaluation, after: Evaluation) -> list[Gain]:
    """The rows of `halluvault results edited`."""
    both = [gains.outcomes(of.session, each, of.snapshot) for each in (before, after)]
    return gains.edited(of.session, real_model.NAME, *both)


@contextmanager
def _served(shop: Workshop, name: str) -> Iterator[str]:
    pids, command = shop.state / "pids", shop.model._replace(weights=shop.weights(name)).command()
    try:
        yield demo.serve(shop.state, Supervisor(pids), {real_model.SERVER: command})[real_model.SERVER]
    finally:
        for child in processes.recorded(pids):
            if child.name == real_model.SERVER:
                processes.stop(child, pids)
