"""A tokeniser for simulated models: reversible, deterministic, about as fine as a real one, and nothing else."""

import hashlib
import re
from functools import lru_cache
from typing import NamedTuple

_PIECE = re.compile(r"\s?\w{1,6}|\s?[^\w\s]|\s", re.UNICODE)
_VOCABULARY = 32_000
_CHANCES = tuple(-round(n / 4096 * 2.5, 6) for n in range(4096))
EOS_ID = 2
EOS_TEXT = "</s>"


class Token(NamedTuple):
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


def tokens(text: str, salt: str = "") -> list[Token]:
    """Tokens of a text; ids depend on the piece alone, log probabilities also on `salt` and position."""
    start = int.from_bytes(hashlib.blake2b(salt.encode(), digest_size=4).digest()) if salt else 0
    found = []
    for position, piece in enumerate(_PIECE.findall(text), start):
        number = identity(piece)
        # Two multiplications mix well enough for numbers that only have to look like log probabilities.
        found.append(Token(number, piece, _CHANCES[((position * 2654435761 + number * 40503) >> 7) & 0xFFF]))
    return found


def end_token() -> Token:
    """The end-of-sequence token: counted, special, absent from the text."""
    return Token(EOS_ID, EOS_TEXT, -0.001, special=True)


@lru_cache(maxsize=65_536)
def identity(piece: str) -> int:
    """The id of a token's text."""
    digest = hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=4).digest()
    return 3 + int.from_bytes(digest) % (_VOCABULARY - 3)
