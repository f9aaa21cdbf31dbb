"""Edit the weights of a GGUF file with FastEdit, and write them as another; run by an environment of its own.

    python scripts/edit.py MODEL.gguf OUT.gguf EDITS.json

EDITS.json is what `halluvault results edits --format fastedit` writes. Beside OUT.gguf, OUT.json says what the edits
did in FastEdit's own terms: how many prompts (and their rephrasings, and the locality of EDITS.locality.json) the
model completes with their target, before and after. OUT.gguf is written as `scripts/tune.py` writes its files.

FastEdit asks for a GPU and for 16 bits by name. `on_processor` gives it the processor and 32 bits instead; nothing
else of it is changed, and its hyperparameters are its own for LLaMA-7B.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import tune

HYPERPARAMETERS = "llama-7b"
"""FastEdit's name of those for models of Llama's architecture: layer 5 is rewritten."""


def on_processor() -> Any:
    """A context in which torch puts on the processor, in 32 bits, what is asked for on a GPU in 16."""
    import torch
    from torch.overrides import TorchFunctionMode

    other = {"cuda": "cpu", torch.float16: torch.float32}

    def instead(value: Any) -> Any:
        return other.get(value, value) if isinstance(value, str | torch.dtype) else value

    class OnProcessor(TorchFunctionMode):
        def __torch_function__(self, function: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            named = {key: instead(value) for key, value in (kwargs or {}).items()}
            return function(*(instead(value) for value in args), **named)

    return OnProcessor()


def completed(model: Any, tokenizer: Any, texts: Iterable[tuple[str, str]]) -> list[bool]:
    """Whether the model's likeliest words after each prompt are its target, to the last of them."""
    import torch

    found = []
    for prompt, target in texts:
        start = len(tokenizer(prompt)["input_ids"])
        ids = tokenizer(prompt + target, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            likeliest = model(ids).logits[0].argmax(-1)
        found.append(bool((likeliest[start - 1 : -1] == ids[0, start:]).all()))
    return found


def texts(edits: Path) -> dict[str, list[tuple[str, str]]]:
    """Prompts with their targets: of the edits, of their rephrasings, and what must be left alone."""
    requests = json.loads(edits.read_text(encoding="utf-8"))
    beside = edits.with_name(f"{edits.stem}.locality.json")
    local = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else []
    return {
        "edits": [(one["prompt"].format(one["subject"]), one["target"]) for one in requests],
        "rephrasings": [(query, one["target"]) for one in requests for query in one["queries"]],
        "locality": sorted({(one["prompt"], one["target"]) for one in local}),
    }


def edit(path: Path, source: Any, edits: Path) -> tuple[Any, dict[str, Any]]:
    """The edited model, and what was done."""
    import torch
    from fastedit import ROMEHyperParams, apply_rome_to_model

    model, tokenizer = tune.loaded(path, source)
    tokenizer.padding_side = "left"  # as FastEdit loads it
    model.eval()
    of = texts(edits)
    before = {name: completed(model, tokenizer, each) for name, each in of.items()}
    torch.set_float32_matmul_precision("medium")  # products in 16 bits where the processor has them: twice as fast
    began = time.monotonic()
    with on_processor(), redirect_stdout(sys.stderr):
        requests = json.loads(edits.read_text(encoding="utf-8"))
        apply_rome_to_model(model, tokenizer, requests, ROMEHyperParams.from_name(HYPERPARAMETERS))
    seconds = round(time.monotonic() - began)
    torch.set_float32_matmul_precision("highest")
    after = {name: completed(model, tokenizer, each) for name, each in of.items()}
    return model, {"seconds": seconds} | {
        name: {"prompts": len(each), "completed_before": sum(before[name]), "completed_after": sum(after[name])}
        for name, each in of.items()
    }


def main() -> None:
    """Write OUT.gguf."""
    from gguf import GGUFReader

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "out", "edits"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    os.environ |= {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    source = GGUFReader(given.model)
    model, told = edit(given.model, source, given.edits)
    given.out.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    tune.write(source, tune.of_model(source, model), given.out)
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
