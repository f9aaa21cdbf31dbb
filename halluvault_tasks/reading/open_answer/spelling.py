"""When two words are one word of a name, spelt or transliterated otherwise.

Letters of another script are first written in Latin ones, as Unidecode's tables have them. Two spellings are one word
where the letters that languages write one sound with are the same, consonant by consonant: Tchaikovsky, Chaykovskiy;
Mohamed, Muhammad. Short words have too few consonants to tell by and must be the same.
"""

import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby

from text_unidecode import unidecode

from halluvault_tasks.wikidata.names import fold

_LEAST = 5
"""Letters of a word that may be spelt otherwise."""

_LEAST_CONSONANTS = 3
_SOUNDS_ALIKE, _LOOKS_ALIKE, _LONG = 0.6, 0.87, 8
"""How near the letters must be, too, where the consonants are the same; and in words so long, whatever they are."""

_SOUNDS: tuple[tuple[str, str], ...] = (
    ("tsch", "c"), ("tch", "c"), ("sch", "s"), ("sh", "s"), ("ch", "c"), ("dzh", "j"), ("dj", "j"), ("zh", "j"),
    ("kh", "h"), ("ph", "f"), ("th", "t"), ("dh", "d"), ("gh", "g"), ("bh", "b"), ("ck", "k"), ("qu", "kv"),
    ("q", "k"), ("x", "ks"), ("w", "v"), ("ff", "v"), ("tz", "z"), ("ts", "z"), ("y", "i"), ("j", "i"), ("c", "k"),
)  # fmt: skip
"""What several languages write for one sound, and one letter for it; in this order."""

_VOWELS = "aeiou"


def latin(text: str) -> str:
    """A text in Latin letters; what is in them already stays."""
    return text if text.isascii() else "".join(char if _is_latin(char) else unidecode(char) for char in text)


def foreign(text: str) -> bool:
    """Whether most of its letters are of another script."""
    letters = [char for char in text if char.isalpha()]
    return sum(not _is_latin(char) for char in letters) * 2 > len(letters)


@lru_cache(maxsize=4096)
def _is_latin(char: str) -> bool:
    return char.isascii() or not char.isalpha() or "LATIN" in unicodedata.name(char, "LATIN")


@lru_cache(maxsize=65536)
def sounds(word: str) -> str:
    """The consonants of a folded word, one letter a sound, with the first letter whatever it is."""
    for written, one in _SOUNDS:
        word = word.replace(written, one)
    word = _once(word)
    consonants = word[:1] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
    return _once(consonants)


def _once(word: str) -> str:
    """A word with doubled letters once."""
    return "".join(letter for letter, _ in groupby(word))


def spelt_alike(one: str, other: str) -> bool:
    """Whether two folded words are one, transliterated or spelt in two ways."""
    if one == other:
        return True
    if min(len(one), len(other)) < _LEAST or one.isdigit() or other.isdigit():
        return False
    mine, theirs = sounds(one), sounds(other)
    if mine == theirs and len(mine) >= _LEAST_CONSONANTS:
        return near(one, other) >= _SOUNDS_ALIKE
    return min(len(one), len(other)) >= _LONG and near(one, other) >= _LOOKS_ALIKE


def one_vowel_apart(one: str, other: str) -> bool:
    """Whether two folded words are the same but for a vowel: Sophia, Sophie; too little for a name by itself."""
    if one[:1] != other[:1] or len(one) != len(other) or len(one) < _LEAST:
        return False
    apart = [letters for letters in zip(one, other, strict=True) if letters[0] != letters[1]]
    return len(apart) == 1 and {*apart[0]} <= {*_VOWELS}


@lru_cache(maxsize=65536)
def near(one: str, other: str) -> float:
    """How much of two words is the same, from 0 to 1 (Ratcliff and Obershelp)."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def words(text: str) -> list[str]:
    """The words of a name as names are compared by them: Latin letters, folded, `&` as and."""
    plain = fold(latin(text).replace("&", " and ").replace("'", "").replace("’", ""))
    return "".join(char if char.isalnum() else " " for char in plain).split()
