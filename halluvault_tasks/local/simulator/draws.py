"""Numbers that depend on what they are drawn for, and not on the order in which it comes."""

import hashlib
from collections import Counter


def share(*parts: object) -> float:
    """A number from 0 to 1 that depends on the parts alone."""
    key = ":".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:8]) / 2**64


class PromptDraws:
    """How often each prompt was asked, by digest."""

    def __init__(self) -> None:
        self._counts: Counter[bytes] = Counter()

    def before(self, prompt: str) -> int:
        """How often it was asked before; counts this time."""
        key = hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self._counts[key] += 1
        return self._counts[key] - 1
