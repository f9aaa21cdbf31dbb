"""Train a tiny Llama on pairs of prompt and answer, from nothing, for a stated time; run by an environment of its own.

    python tiny_model.py PAIRS.jsonl OUT --seconds 60

OUT becomes a model directory that `transformers serve` can serve: tokenizer (byte-level BPE, learnt here), chat
template, weights. Loss is taken on the answers alone. Prints one line of JSON: parameters, vocabulary, steps, losses.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

CONTEXT = 768
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tokenizer_of(texts: list[str]) -> PreTrainedTokenizerFast:
    """A byte-level BPE of 1,536 pieces, learnt from the texts."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = ["<s>", "</s>", "<pad>", "<|user|>", "<|assistant|>", "<|system|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=1536, special_tokens=special, initial_alphabet=alphabet)
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="</s>", pad_token="<pad>", model_max_length=CONTEXT
    )
    wrapped.chat_template = TEMPLATE
    return wrapped


def train(pairs: list[dict[str, str]], out: Path, seconds: float) -> dict[str, object]:
    """Train and save."""
    random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tokenizer = tokenizer_of([pair["prompt"] + pair["answer"] for pair in pairs])
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=96, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=CONTEXT, bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, tie_word_embeddings=True,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    examples = []
    for pair in pairs:
        asked = tokenizer(f"<s><|user|>{pair['prompt']}</s><|assistant|>", add_special_tokens=False).input_ids
        said = tokenizer(f"{pair['answer']}</s>", add_special_tokens=False).input_ids
        examples.append((asked, (asked + said)[:CONTEXT]))
    ends, losses = time.monotonic() + seconds, []
    model.train()
    while time.monotonic() < ends:
        batch = random.sample(examples, min(8, len(examples)))
        longest = max(len(ids) for _asked, ids in batch)
        ids = torch.full((len(batch), longest), tokenizer.pad_token_id)
        labels = torch.full((len(batch), longest), -100)
        mask = torch.zeros((len(batch), longest), dtype=torch.long)
        for row, (asked, whole) in enumerate(batch):
            ids[row, : len(whole)] = torch.tensor(whole)
            mask[row, : len(whole)] = 1
            labels[row, len(asked) : len(whole)] = torch.tensor(whole[len(asked) :])
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    model.eval()
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "vocabulary": len(tokenizer),
        "steps": len(losses),
        "first_loss": round(losses[0], 3),
        "last_loss": round(sum(losses[-5:]) / len(losses[-5:]), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    pairs = [json.loads(line) for line in options.pairs.read_text().splitlines()]
    sys.stdout.write(json.dumps(train(pairs, options.out, options.seconds)) + "\n")


main()
