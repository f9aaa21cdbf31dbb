"""A tokeniser for simulated models: reversible, deterministic, about as fine as a real one, and nothing else."""

import hashlib
import re
from functools import lru_cache
from typing import NamedTuple

_PIECE = re.compile(r"\s?\w{1,6}|\s?[^\w\s]|\s", re.UNICODE)
_VOCABULARY = 32_000
EOS_ID = 2
EOS_TEXT = "</s>"


class GeneratedToken(NamedTuple):
    """One token; the texts of a response's tokens, specials apart, join to its text."""

    id: int
    text: str
    logprob: float
    special: bool = False

    def shown(self) -> dict[str, object]:
        """The object of TGI's `tokens` list."""
        return {"id": self.id, "text": self.text, "logprob": self.logprob, "special": self.special}


def pieces(text: str) -> list[str]:
    """Cut a text into token texts; joined they are the text again."""
    return _PIECE.findall(text)


def tokens(text: str, salt: str = "") -> list[GeneratedToken]:
    """Tokens of a text; ids depend on the piece alone, log probabilities on `salt` and position."""
    start = int.from_bytes(hashlib.blake2b(salt.encode(), digest_size=4).digest()) if salt else 0
    # A multiplication mixes well enough for numbers that only have to look like log probabilities.
    return [
        _token(piece, (position * 2654435761 >> 7) & 0xFF) for position, piece in enumerate(_PIECE.findall(text), start)
    ]


def end_token() -> GeneratedToken:
    """The end-of-sequence token: counted, special, absent from the text."""
    return GeneratedToken(EOS_ID, EOS_TEXT, -0.001, special=True)


@lru_cache(maxsize=65_536)
def identity(piece: str) -> int:
    """The id of a token's text."""
    digest = hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=4).digest()
    return 3 + int.from_bytes(digest) % (_VOCABULARY - 3)


@lru_cache(maxsize=65_536)
def _token(piece: str, chance: int) -> GeneratedToken:
    return GeneratedToken(identity(piece), piece, -round(chance / 256 * 2.5, 6))
