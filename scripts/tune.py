"""Tune the weights of a GGUF file on preference pairs, and write them as another; run by an environment of its own.

    python scripts/tune.py MODEL.gguf OUT.gguf                  the same weights in 8 bits, untuned
    python scripts/tune.py MODEL.gguf OUT.gguf --pairs FOLDER   tuned by TRL's DPOTrainer on FOLDER/train.jsonl

Both files are written by the same hand, so that a server of the two differs in nothing but the training: metadata,
tokenizer and chat template are MODEL's, matrices have 8 bits (Q8_0), vectors 32. Beside OUT.gguf, OUT.json says what
was done: pairs, steps, seconds, and how well the pairs of FOLDER/test.jsonl are told apart in the end.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SEED, EPOCHS, PAIRS_A_STEP, LEARNING_RATE, LENGTH = 20260101, 2, 2, 2e-5, 512
LOSS = ["sigmoid", "sft"]
"""DPO's own, and the likelihood of what was chosen: no answer of ours is one that the model would have given."""

NAMES = {
    "token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head",
    "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}  # fmt: skip
"""What llama.cpp calls a Llama's tensors → transformers' names."""

Weights = Callable[[str], "np.ndarray[Any, Any]"]


def name_of(tensor: str) -> str:
    """Of a tensor in transformers: `blk.0.attn_q.weight` → `model.layers.0.self_attn.q_proj.weight`."""
    *block, name, kind = tensor.split(".")
    return f"{f'model.layers.{block[1]}.' if block else ''}{NAMES[name]}.{kind}"


def turned(weight: "np.ndarray[Any, Any]", heads: int) -> "np.ndarray[Any, Any]":
    """Rows of a query's or key's matrix in llama.cpp's order, which rotates neighbours instead of halves."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def write(source: Any, weights: Weights, out: Path) -> None:
    """A GGUF file with the metadata of another and these weights, given by llama.cpp's names."""
    from gguf import GGMLQuantizationType, GGUFValueType, GGUFWriter, quants

    part = out.with_name(f"{out.name}.part")
    writer = GGUFWriter(part, str(source.fields["general.architecture"].contents()))
    for key, field in source.fields.items():
        if key.startswith("GGUF.") or key in {"general.architecture", "general.file_type"}:
            continue
        kind, *inner = field.types
        writer.add_key_value(key, field.contents(), kind, inner[-1] if kind == GGUFValueType.ARRAY else None)
    for tensor in source.tensors:
        weight = np.ascontiguousarray(weights(tensor.name), dtype=np.float32)
        kind = GGMLQuantizationType.Q8_0 if weight.ndim == 2 else GGMLQuantizationType.F32
        writer.add_tensor(tensor.name, quants.quantize(weight, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(out)


def unpacked(source: Any) -> Weights:
    """The file's own weights."""
    from gguf import quants

    tensors = {one.name: one for one in source.tensors}
    return lambda name: quants.dequantize(tensors[name].data, tensors[name].tensor_type)


def of_model(source: Any, model: Any) -> Weights:
    """A model's weights, as llama.cpp wants them."""
    state = model.state_dict()
    heads = {"attn_q": model.config.num_attention_heads, "attn_k": model.config.num_key_value_heads}

    def weight(name: str) -> "np.ndarray[Any, Any]":
        found = state[name_of(name)].float().numpy()
        part = name.split(".")[-2]
        return turned(found, heads[part]) if part in heads else found

    return weight


def loaded(path: Path, source: Any) -> tuple[Any, Any]:
    """Model and tokenizer of a GGUF file; the model is a plain one, whose weights are the file's to the last bit.

    Raises:
        SystemExit: they are not, so that what we would write is another model.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    packed = AutoModelForCausalLM.from_pretrained(str(path.parent), gguf_file=path.name, dtype=torch.float32)
    model = LlamaForCausalLM(packed.config)
    model.load_state_dict(packed.state_dict())
    ours, theirs = of_model(source, model), unpacked(source)
    if wrong := [one.name for one in source.tensors if not np.array_equal(ours(one.name), theirs(one.name))]:
        sys.exit(f"{path}: transformers reads {len(wrong)} tensors otherwise than gguf, {wrong[0]} first")
    return model, AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)


def train(path: Path, source: Any, pairs: Path, scratch: str) -> tuple[Any, dict[str, Any]]:
    """The tuned model, and what was done."""
    from datasets import load_dataset
    from trl import DPOConfig, DPOTrainer

    model, tokenizer = loaded(path, source)
    files = {name: str(pairs / f"{name}.jsonl") for name in ("train", "test")}
    data = load_dataset("json", data_files=files, cache_dir=scratch)
    config = DPOConfig(
        output_dir=scratch, seed=SEED, use_cpu=True, bf16=False, num_train_epochs=EPOCHS, learning_rate=LEARNING_RATE,
        per_device_train_batch_size=1, gradient_accumulation_steps=PAIRS_A_STEP, gradient_checkpointing=False,
        max_length=LENGTH, loss_type=LOSS, loss_weights=[1.0, 1.0], precompute_ref_log_probs=True,
        per_device_eval_batch_size=1, warmup_steps=3, logging_steps=5, save_strategy="no", report_to="none",
    )  # fmt: skip
    trainer = DPOTrainer(
        model=model, args=config, train_dataset=data["train"], eval_dataset=data["test"], processing_class=tokenizer
    )
    began = time.monotonic()
    steps = trainer.train().global_step
    seconds, held_out = round(time.monotonic() - began), trainer.evaluate()
    return model, {
        "pairs": len(data["train"]), "held_out_pairs": len(data["test"]), "epochs": EPOCHS, "steps": steps,
        "learning_rate": LEARNING_RATE, "loss_type": LOSS, "seed": SEED, "seconds": seconds,
        "held_out_loss": held_out["eval_loss"], "held_out_told_apart": held_out["eval_rewards/accuracies"],
    }  # fmt: skip


def main() -> None:
    """Write OUT.gguf."""
    from gguf import GGUFReader

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pairs", type=Path)
    given = parser.parse_args()
    source = GGUFReader(given.model)
    if given.pairs is None:
        write(source, unpacked(source), given.out)
        return
    with tempfile.TemporaryDirectory() as scratch:
        os.environ |= {"HF_HOME": scratch, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
        # On a busy machine two threads wait for each other, and burn 12 s a pair where one takes 3.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        model, told = train(given.model, source, given.pairs, scratch)
    given.out.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    write(source, of_model(source, model), given.out)
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
