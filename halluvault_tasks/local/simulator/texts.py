"""Answers without a database: a pure function of model, prompt and sampling seed, for benchmarks and storms.

To check that a response is bit-equal to what a server sent, compute `answer` again and compare.
"""

import hashlib
from collections.abc import Callable

from halluvault_tasks.local.simulator.conversation import key

_OPENINGS = ("Yes, that is right.", "No, that is not right.", "I don't know the answer.")
_WORDS = (
    "river", "bridge", "letter", "garden", "market", "window", "harbour", "Émile", "castle", "winter", "Zürich",
    "music", "village", "captain", "library", "painter", "railway", "island", "mountain", "treaty", "museum",
    "sailor", "Besançon", "orchard", "physics", "journal", "theatre", "kingdom", "doctor", "meadow", "lantern",
    "voyage",
)  # fmt: skip


def answer(model: str, prompt: str, seed: int | None) -> str:
    """What a synthetic model writes, about 20 tokens.

    Args:
        model: its name, `simulated/NAME`.
        prompt: the text it was sent, or a conversation in canonical JSON; what counts is its `conversation.key`.
        seed: the sampling seed, or None when greedy.

    Returns:
        An opening that answers yes, no or that it does not know, and a sentence of 8 words drawn from the digest.
    """
    asked = f"{model}\0{seed}\0{key(prompt)}".encode("utf-8", "surrogatepass")
    drawn = hashlib.blake2b(asked, digest_size=9).digest()
    words = " ".join(_WORDS[byte & 31] for byte in drawn[1:])
    return f"{_OPENINGS[drawn[0] % 3]} The {words}."


_SHORT = tuple(word for word in _WORDS if len(word) <= 6)


def of_length(least: int, most: int) -> Callable[[str, str, int | None], str]:
    """A writer of answers that have so many tokens, the end token among them, evenly drawn for each prompt.

    Args:
        least: tokens, at least 2.
        most: tokens.
    """

    def written(model: str, prompt: str, seed: int | None) -> str:
        asked = f"{model}\0{seed}\0{key(prompt)}".encode("utf-8", "surrogatepass")
        drawn = int.from_bytes(hashlib.blake2b(asked, digest_size=8).digest())
        words = least + drawn % (most - least + 1) - 1
        return " ".join(_SHORT[(drawn + 7 * place) % len(_SHORT)] for place in range(words))

    return written
