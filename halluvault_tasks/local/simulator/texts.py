"""Answers without a database: a pure function of model, prompt and sampling seed, for benchmarks and storms.

Whoever checks that a response is bit-equal to what a server sent computes `answer` again and compares.
"""

import hashlib

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
