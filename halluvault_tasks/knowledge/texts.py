"""Labels, aliases and text values as a snapshot stores them: without invisible characters.

Sources do not agree on these. Blazegraph, the engine of Wikidata's query service, keys its strings by their collation
weights, so that two which differ only in characters without weight are one string to it, spelt like whichever came
first. Without these characters all sources give the same.

Dropped are controls other than white space, Unicode's Default_Ignorable_Code_Point (direction marks, zero-width spaces,
soft hyphens, variation selectors, tags …) and annotation anchors. Kept, although Blazegraph ignores them, are the
joiners U+200C and U+200D, which carry meaning in Persian, Hindi and emoji, and visible marks (cantillation, Koranic
signs, the tatweel). The fillers that stand for a letter (Hangul, Khmer) have a weight.
"""

import re
import unicodedata

from sqlalchemy import ColumnElement, func

VERSION = 2
"""Of the normaliser: what a snapshot's rows are made by. A snapshot without one was made by 1, which left texts be."""

_WITHOUT_WEIGHT = (
    (0x00, 0x08),
    (0x0E, 0x1F),
    (0x7F, 0x84),
    (0x86, 0x9F),
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""First and last code point of each range that is left out."""

_CLASS = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _WITHOUT_WEIGHT)
# Python's and Postgres's regular expressions write these alike.
_INVISIBLE = re.compile(f"[{_CLASS}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text without characters that have no weight, composed (NFC); idempotent.

    Half a surrogate pair, which Postgres cannot hold, becomes U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", text)))


def cleaned(column: ColumnElement[str]) -> ColumnElement[str]:
    """What `clean` makes of a column's text, in SQL."""
    return func.normalize(func.regexp_replace(column, f"[{_CLASS}]", "", "g"))
