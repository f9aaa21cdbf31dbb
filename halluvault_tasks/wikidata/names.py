"""Names folded alike everywhere: what differs only in case, diacritics or spacing looks the same to a reader."""

import unicodedata

_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
"""Letters that Unicode does not decompose, and what an English keyboard writes for them."""


def fold(text: str) -> str:
    """Lower case without diacritics, single spaces: `Łódź`, `LODZ` and `lódz` all become `lodz`. Idempotent."""
    if text.isascii():  # nothing to decompose
        return " ".join(text.casefold().split())
    base = _without_marks(text.casefold()).translate(_LETTERS)
    return " ".join(_without_marks(base.casefold()).split())


def _without_marks(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
