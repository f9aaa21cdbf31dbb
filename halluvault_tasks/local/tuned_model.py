"""The small real model tuned or edited where it was wrong in the demo's month, asked again, and compared with itself.

Both are served by the same server from files written by `scripts/tune.py` or `edit.py`, in a virtualenv of their own
(`scripts/tuned-model.sh`). What an earlier run left is not done again.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.local import demo, processes, real_model, sample
from halluvault_tasks.local.month import Month, sample_month
from halluvault_tasks.local.real_model import RealModel
from halluvault_tasks.local.supervisor import Supervisor
from halluvault_tasks.oracles import profiles
from halluvault_tasks.oracles import stages as oracles
from halluvault_tasks.querying import sample as sampling
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.results.mitigation import edits, facts, gains, preferences
from halluvault_tasks.results.mitigation.facts import HeadlineEvaluation
from halluvault_tasks.results.mitigation.gains import Gain
from halluvault_tasks.settings import REPOSITORY, SHARE

TUNED, EDITED = f"{real_model.NAME}-tuned", f"{real_model.NAME}-edited"
"""Registry names of what it became."""

SEED, SHARE_TO_TRAIN = 20260101, 0.7
"""As `halluvault results preferences` splits."""

_SIZE = "demo"
_NEW_TOKENS = 96
"""Half of what `make real-model` allows: the time of asking goes with it, and that of training."""

_SCRIPTS = REPOSITORY / "scripts"


class Workshop(NamedTuple):
    """Where the model is tuned or edited."""

    state: Path
    """State directory."""
    trainer: Path
    """Interpreter that has TRL and FastEdit."""
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
        part_lookup.publish(made.session, made.snapshot)
        yield made


def asked(of: Month, shop: Workshop, name: str) -> HeadlineEvaluation:
    """Serve a model, ask it what it was not asked yet, and judge it.

    Raises:
        UserError: its server does not come up, or goes away.
    """
    variant = config.default_variant(demo.CONFIG, _SIZE)
    with _served(shop, name) as url:
        registry = load_models(real_model.register(shop.state, url, name, _NEW_TOKENS), {})
        part = sampling.part(of.session, of.snapshot, shop.questions)
        only = querying.Only((name,), part=part)
        [planned] = querying.plan_default(of.session, of.snapshot, variant, registry=registry, only=only).evaluations
        if planned.missing:
            querying.query_shard(of.session, planned.evaluation_id, registry=registry, part=part)
    oracles.score(of.session, planned.evaluation_id)
    return HeadlineEvaluation(planned.evaluation_id, variant, profiles.LEADING.version)


def exported(of: Month, shop: Workshop, before: HeadlineEvaluation) -> Path:
    """What the model had wrong as preference pairs; the folder with `train.jsonl` and `test.jsonl`.

    Made once: what more is asked later is neither trained on nor held out.
    """
    folder = shop.state / "pairs"
    if not (folder / "test.jsonl").exists():
        split = preferences.split(preferences.pairs(of.session, before, of.snapshot), SHARE_TO_TRAIN, SEED)
        preferences.record(of.session, real_model.NAME, of.snapshot, split)
        preferences.write(split, folder)
    return folder


def requested(of: Month, shop: Workshop, before: HeadlineEvaluation, limit: int) -> Path:
    """What the model had wrong as FastEdit's edit requests; the file, beside which locality stands. Made once."""
    file = shop.state / "edits.json"
    if not file.exists():
        lexicon = config.load(demo.CONFIG, _SIZE).lexicon
        material = Material(of.session, snapshots.get(of.session, of.snapshot), lexicon)
        wrong = facts.wrong(of.session, before, of.snapshot, "derived")
        right = facts.right(of.session, before, of.snapshot)
        made = edits.requests(material, wrong, right, limit, SEED)
        edits.record(of.session, real_model.NAME, of.snapshot, made)
        edits.write(made, "fastedit", file)
    return file


def write_weights(shop: Workshop, name: str, script: str = "tune.py", *given: str | Path) -> None:
    """Write the weights that a name is served by, in 8 bits, unless they are there; unchanged where nothing is given.

    Raises:
        UserError: the script failed.
    """
    weights = shop.weights(name)
    if weights.exists():
        return
    command = [shop.trainer, _SCRIPTS / script, shop.model.weights, weights, *given]
    done = subprocess.run([str(word) for word in command], check=False)
    if done.returncode:
        raise UserError(f"{script} ended with {done.returncode}", "the reason is above; the same command resumes")


def compared(of: Month, before: HeadlineEvaluation, after: HeadlineEvaluation) -> list[Gain]:
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
