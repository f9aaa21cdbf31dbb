"""The real small model tuned, asked again and compared: with stand-ins for llama.cpp's server and TRL."""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import real_model, tuned_model
from halluvault_tasks.local.month import Month
from halluvault_tasks.local.real_model import RealModel
from halluvault_tasks.local.tuned_model import Workshop
from halluvault_tasks.settings import REPOSITORY


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A server that says "no" untuned and "yes" tuned, and a trainer that writes which of the two its output is."""
    server, trainer = tmp_path / "server", tmp_path / "trainer"
    stand_in = Path(__file__).with_name("tuned_server.py")
    server.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{stand_in}" "$@"\n', encoding="utf-8")
    trainer.write_text('#!/bin/sh\n[ -f "$2" ] && printf %s "${4:+tuned}" >"$3"\n', encoding="utf-8")
    for program in (server, trainer):
        program.chmod(0o700)
    weights = tmp_path / "package.gguf"
    weights.touch()
    return Workshop(tmp_path / "state", trainer, RealModel(server, weights), 0)


def test_what_the_training_changes_is_told_by_split(session: Session, january: BenchmarkCounts, shop: Workshop) -> None:
    part_lookup.publish(session, january.snapshot, ["relation"])
    month = Month(session, january.snapshot)
    shop.state.mkdir()
    tuned_model.write_weights(shop, real_model.NAME)
    before = tuned_model.asked(month, shop, real_model.NAME)
    pairs = tuned_model.exported(month, shop, before)
    tuned_model.write_weights(shop, tuned_model.TUNED, "tune.py", "--pairs", pairs)
    after = tuned_model.asked(month, shop, tuned_model.TUNED)
    assert before != after and before.variant == after.variant
    told = {one.part: one for one in tuned_model.compared(month, before, after)}
    for part, file in (("used for training", "train"), ("held out from training", "test")):
        rows = [json.loads(line) for line in (pairs / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()]
        assert {row["rejected"][0]["content"] for row in rows} == {"no"}
        assert (told[part].before, told[part].after, told[part].difference.shared) == (1.0, 0.0, len(rows))
    # What was right cannot gain and what was wrong cannot lose: only all of them tell whether it is better now.
    assert told["everything else"].before == 0 < told["everything else"].after
    shares = [(one.before, one.after) for one in told.values()]
    assert min(shares)[0] < told["all"].before < 1 and told["all"].difference.shared == sum(
        told[part].difference.shared for part in ("used for training", "held out from training", "everything else")
    )

    # A second run asks, exports and trains nothing anew.
    was = {path: path.stat().st_mtime_ns for path in [*pairs.iterdir(), shop.weights(tuned_model.TUNED)]}
    tuned_model.write_weights(shop, tuned_model.TUNED, "tune.py", "--pairs", tuned_model.exported(month, shop, before))
    assert tuned_model.asked(month, shop, tuned_model.TUNED) == after
    assert was == {path: path.stat().st_mtime_ns for path in was}


def test_what_the_edits_change_is_told_by_part(session: Session, january: BenchmarkCounts, shop: Workshop) -> None:
    part_lookup.publish(session, january.snapshot, ["relation"])
    month = Month(session, january.snapshot)
    shop.state.mkdir()
    tuned_model.write_weights(shop, real_model.NAME)
    before = tuned_model.asked(month, shop, real_model.NAME)
    file = tuned_model.requested(month, shop, before, 3)
    requests = json.loads(file.read_text(encoding="utf-8"))
    assert len(requests) == 3 and tuned_model.requested(month, shop, before, 150) == file
    assert json.loads(file.read_text(encoding="utf-8")) == requests, "made once"
    tuned_model.write_weights(shop, tuned_model.EDITED, "edit.py", file)
    after = tuned_model.asked(month, shop, tuned_model.EDITED)
    told = {one.part: one for one in tuned_model.compared(month, before, after)}
    assert (told["targets"].before, told["targets"].after, told["targets"].difference.shared) == (1.0, 0.0, 3)


def test_a_trainer_that_fails_ends_it_with_the_way_out(shop: Workshop) -> None:
    shop.state.mkdir()
    with pytest.raises(UserError, match=r"tune\.py ended with 1") as caught:
        tuned_model.write_weights(shop._replace(model=RealModel(Path(), shop.state / "none")), real_model.NAME)
    assert "the same command resumes" in caught.value.way_out and not shop.weights(real_model.NAME).exists()


@pytest.fixture
def tune(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The trainer's script; what only its own environment has is imported in its functions."""
    monkeypatch.syspath_prepend(REPOSITORY / "scripts")
    return importlib.import_module("tune")


@pytest.fixture
def edit(tune: ModuleType) -> ModuleType:
    """The editor's, which writes by the trainer's."""
    return importlib.import_module("edit")


def test_tensors_have_their_names_and_order_on_either_side(tune: ModuleType) -> None:
    assert tune.name_of("blk.3.attn_q.weight") == "model.layers.3.self_attn.q_proj.weight"
    assert tune.name_of("token_embd.weight") == "model.embed_tokens.weight"
    # Of each head, a row of the first half stands beside its partner of the second.
    turned = tune.turned(np.arange(8).reshape(8, 1), 2)
    assert turned[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]


def test_what_fastedit_wants_on_a_gpu_in_16_bits_is_on_the_processor_in_32(edit: ModuleType) -> None:
    import torch  # a second of every worker's, where only this one's is needed

    with edit.on_processor():
        made = torch.zeros((2, 3), requires_grad=True, device="cuda")
        assert made.device.type == "cpu" and made[:, :1].to(torch.float16).dtype == torch.float32
    with torch.no_grad():
        assert made.to(torch.float16).dtype == torch.float16


def test_an_edits_file_is_the_texts_that_the_model_is_to_complete(edit: ModuleType, tmp_path: Path) -> None:
    file, beside = tmp_path / "edits.json", tmp_path / "edits.locality.json"
    one = {"prompt": "{} was born in", "subject": "Ann", "target": " Delft", "queries": ["So Ann was born in"]}
    file.write_text(json.dumps([one]), encoding="utf-8")
    told = {"edits": [("Ann was born in", " Delft")], "rephrasings": [("So Ann was born in", " Delft")]}
    assert edit.texts(file) == {**told, "locality": []}
    beside.write_text(json.dumps([{"prompt": "Bob was born in", "target": " Gouda"}] * 2), encoding="utf-8")
    assert edit.texts(file) == {**told, "locality": [("Bob was born in", " Gouda")]}
