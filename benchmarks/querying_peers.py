"""The peers' half of `querying.py`: runs in their own environment and asks as each of them does by itself.

    python querying_peers.py lm_eval|inspect BASE_URL PROMPTS.json CONCURRENCY NEW_TOKENS

lm-evaluation-harness is measured on `generate_until` alone, its asking without task, metric and report; inspect_ai on
`eval` with nothing but `generate()`, which writes its log as ours writes its rows. Start-up and imports are left out.
"""

import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Ask, and print count, seconds and CPU seconds as one line of JSON."""
    name, base, prompts, concurrency, tokens = sys.argv[1:]
    texts = json.loads(Path(prompts).read_text())
    run = {"lm_eval": lm_eval, "inspect": inspect}[name](base, texts, int(concurrency), int(tokens))
    began, cpu = time.perf_counter(), time.process_time()
    answered = run()
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(json.dumps({"count": len(texts), "seconds": seconds, "cpu": cpu, "delivered": answered}))


def lm_eval(base, texts, concurrency, tokens):
    """`local-completions`, as `lm_eval --model local-completions` makes it."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.openai_completions import LocalCompletionsAPI

    model = LocalCompletionsAPI(
        model="tgi",
        base_url=f"{base}/v1/completions",
        tokenizer_backend=None,
        tokenized_requests=False,
        num_concurrent=concurrency,
        batch_size=1,
        max_retries=5,
    )
    asked = {"until": ["\n\n\n\n"], "max_gen_toks": tokens, "temperature": 0.0, "do_sample": False}
    requests = [Instance(request_type="generate_until", doc={}, arguments=(text, dict(asked)), idx=0) for text in texts]
    return lambda: sum(bool(answer) for answer in model.generate_until(requests, disable_tqdm=True))


def inspect(base, texts, concurrency, tokens):
    """`openai-api`, its provider for compatible servers, with no solver but `generate`."""
    import os

    os.environ["SIM_API_KEY"], os.environ["SIM_BASE_URL"] = "none", f"{base}/v1"
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.solver import generate

    task = Task(dataset=MemoryDataset([Sample(input=text) for text in texts]), solver=generate())

    def run():
        [log] = eval(
            task,
            model="openai-api/sim/tgi",
            max_connections=concurrency,
            max_samples=concurrency,
            max_tokens=tokens,
            temperature=0.0,
            display="none",
            log_dir="logs",
        )
        return sum(bool(sample.output.completion) for sample in log.samples or ())

    return run


if __name__ == "__main__":
    main()
