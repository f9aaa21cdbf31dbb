"""Seeded faults of a simulated server, off unless asked for: what real servers and the proxies before them do.

Which fault befalls a request depends on the seed, the model, the prompt and how often that prompt was asked before,
never on the order in which requests arrive.
"""

import hashlib
from collections import Counter
from typing import NamedTuple

from halluvault_tasks.errors import UserError

KINDS = ("overloaded", "generation", "incomplete", "unavailable", "reset", "drop", "truncated", "html", "slow")
"""overloaded 429; generation 424; incomplete 500; unavailable 503 with Retry-After and a proxy's page; reset RST
before any byte; drop RST inside the body; truncated JSON that ends early with a right length; html a page with
status 200; slow adds `slow_seconds`."""


class Faults(NamedTuple):
    """Which share of requests fails, and how."""

    rates: tuple[tuple[str, float], ...] = ()
    """(kind, share) pairs; shares sum to at most 1."""
    seed: int = 0
    slow_seconds: float = 1.0
    poison: str = ""
    """A prompt that contains this text fails every time with 424; empty for none."""

    def pick(self, model: str, prompt: str, before: int) -> str:
        """The fault of one request, or an empty string.

        Args:
            model: the simulated model's name.
            prompt: its `inputs`.
            before: how often this prompt was asked before.
        """
        if self.poison and self.poison in prompt:
            return "generation"
        if not self.rates:
            return ""
        key = f"{self.seed}:{model}:{before}:{prompt}".encode("utf-8", "surrogatepass")
        draw = int.from_bytes(hashlib.sha256(key).digest()[:8]) / 2**64
        for kind, share in self.rates:
            if draw < share:
                return kind
            draw -= share
        return ""


def parse(text: str) -> Faults:
    """Read `--faults`: `overloaded=0.1,reset=0.05,seed=7,slow_seconds=0.5,poison=TEXT`.

    Raises:
        UserError: an unknown kind or a share that is no number from 0 to 1.
    """
    rates: list[tuple[str, float]] = []
    found = Faults()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = part.partition("=")
        if name == "poison":
            found = found._replace(poison=value)
            continue
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if name == "seed" and number >= 0:
            found = found._replace(seed=int(number))
        elif name == "slow_seconds" and number >= 0:
            found = found._replace(slow_seconds=number)
        elif name in KINDS and 0 <= number <= 1:
            rates.append((name, number))
        else:
            raise UserError(
                f"--faults has {part!r}; accepted: KIND=SHARE with KIND one of {', '.join(KINDS)} and SHARE 0 to 1, "
                "seed=N, slow_seconds=S, poison=TEXT",
                "for instance --faults overloaded=0.1,reset=0.05,seed=7",
            )
    if sum(share for _kind, share in rates) > 1:
        raise UserError(f"--faults shares sum to {sum(share for _k, share in rates):g}", "keep the sum at most 1")
    return found._replace(rates=tuple(rates))


class Asked:
    """How often each prompt was asked, by digest."""

    def __init__(self) -> None:
        self._counts: Counter[bytes] = Counter()

    def before(self, prompt: str) -> int:
        """How often it was asked before; counts this time."""
        key = hashlib.blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        self._counts[key] += 1
        return self._counts[key] - 1
