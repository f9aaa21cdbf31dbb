"""How like a name that a reply gives is to a known one: the same, a form of it, a part, or nothing of it.

People are named by surname with given names, initials, titles, in either order; everything else word by word, less
articles, legal forms and what the thing is ("city of"). Words compare as `spelling` has it.
"""

from collections.abc import Callable, Collection, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.open_answer import spelling
from halluvault_tasks.reading.open_answer.spelling import near, spelt_alike

Synonyms = Callable[[str, str], bool]
"""Whether two words are names of one thing: Torino, Turin."""


class NameLikeness(IntEnum):
    """From nothing to the same."""

    NONE = 0
    OTHER = 1
    """Of a person: the same but for a numeral, or for a second given name in full: Charles II, Charles III."""
    SHARED = 2
    """A distinctive word in common."""
    LONGER = 3
    """It holds the known name and more."""
    PART = 4
    """It is part of the known name, or its initials."""
    SURNAME = 5
    """It is a person's surname alone."""
    SPELT = 6
    """The known name, some of its words spelt or transliterated otherwise."""
    FORM = 7
    """A form of the known name: initials, fewer given names, words of another language for what it is."""
    SAME = 8


_ARTICLES = wordset("the a an")
TITLES = wordset(
    "sir dame lord lady dr doctor prof professor mr mrs ms miss king queen emperor empress tsar czar kaiser pope saint "
    "prince princess duke duchess count countess baron baroness general marshal admiral colonel captain major "
    "president chancellor senator governor judge justice rev reverend bishop archbishop cardinal sultan shah sheikh "
    "sri sr sra don monsieur madame mme herr frau prime minister dom maestro ayatollah imam rabbi"
)
_SUFFIXES = wordset("jr sr junior senior phd md esq obe cbe mbe kbe frs")
_GENERATIONS = {"jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr"}
_LEGAL = wordset(
    "inc incorporated ltd limited llc plc corp corporation company co gmbh ag sa spa srl nv bv ab oy as kk fc afc cf "
    "sc group holdings"
)
PARTICLES = wordset(
    "de del della da das di du dos van von der den la le el al bin ibn ben y e the of zu af av ter ten and"
)
_ALSO_GIVEN = wordset("al ben el")
_SETTLEMENTS = wordset("city town village municipality commune borough comune")
_SAME_WORDS = {
    "st": "saint", "ste": "saint", "sainte": "saint", "mt": "mount", "ft": "fort", "us": "usa",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8",
    "ninth": "9", "tenth": "10", "1st": "1", "2nd": "2", "3rd": "3", "one": "1", "two": "2", "three": "3", "four": "4",
    "five": "5",
}  # fmt: skip
_ROMAN = {
    "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "x": "10", "xi": "11",
    "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19",
    "xx": "20", "xxi": "21", "xxii": "22", "xxiii": "23",
}  # fmt: skip
_CLASS_WORDS: tuple[frozenset[str], ...] = (
    wordset("university universidad universidade universita universitat universite universitet universiteit"),
    wordset("polytechnic politecnico polytechnique politecnica politechnika polytechnikum"),
    wordset("technical technische technique tecnica tecnico technological technology"),
    wordset("institute institut instituto istituto"),
    wordset("academy academie akademie accademia academia akademia"),
    wordset("school ecole escuela scuola schule escola"),
    wordset("college colegio collegio"),
    wordset("conservatory conservatoire conservatorio konservatorium"),
    wordset("museum museo musee muzeum"),
    wordset("national nationale nacional nazionale"),
    wordset("royal royale real reale koninklijk"),
    wordset("state staatliche estatal statale"),
    wordset("higher superieure superiore superior"),
    wordset("normal normale"),
    wordset("free libre freie libera vrije"),
    wordset("music musique musica musik"),
    wordset("art arts arti kunste"),
    wordset("sciences science scienze wissenschaften ciencias"),
    wordset("catholic catholique cattolica catolica katholieke katholische"),
    wordset("church eglise chiesa kirche iglesia"),
    wordset("library bibliotheque biblioteca bibliothek"),
    wordset("theatre theater teatro"),
    wordset("hospital hopital ospedale"),
    wordset("observatory observatoire observatorio osservatorio observatorium sternwarte"),
)
"""Words of several languages for what a thing is, each set one word."""

_CLASS_OF = {word: place for place, several in enumerate(_CLASS_WORDS) for word in several}
_UNNEEDED = _CLASS_WORDS[0]
"""What a polytechnic need not be called."""

_ALONE, _ALIKE, _UNLIKE = 0.8, 0.7, 0.6
"""How near two spellings of a name of one word must be; and two words, to have anything to do with each other; and how
near two given names are not that are none of one another's."""


class _Person(NamedTuple):
    given: tuple[str, ...]
    surname: str
    generation: str


@lru_cache(maxsize=65536)
def key(name: str) -> tuple[str, ...]:
    """The words that a name is looked up by: less articles and legal forms, letters joined, numerals as digits."""
    said: list[str] = []
    letters = ""
    for word in [*spelling.words(name), ""]:
        if len(word) == 1 and word.isalpha():
            letters += word
            continue
        said += [letters] if letters else []
        letters = ""
        said += [word] if word else []
    while len(said) > 1 and said[0] in _ARTICLES:
        said = said[1:]
    while len(said) > 1 and said[-1] in _LEGAL:
        said = said[:-1]
    # The first word is no numeral: "X", "Vi".
    return tuple(_SAME_WORDS.get(word, _ROMAN.get(word, word) if at else word) for at, word in enumerate(said))


@lru_cache(maxsize=65536)
def bare(name: str) -> tuple[str, ...]:
    """`key` without what may stand before a name: a person's titles, "city of"."""
    said = key(name)
    if len(said) > 2 and said[0] in _SETTLEMENTS and said[1] in ("of", "di", "de"):
        return said[2:]
    while len(said) > 1 and said[0] in TITLES:
        said = said[1:]
    return said


def _no_synonyms(one: str, other: str) -> bool:
    return False


def like(
    said: str,
    known: str,
    person: bool,
    common: Collection[str] = frozenset(),
    synonyms: Synonyms = _no_synonyms,
) -> NameLikeness:
    """How like a name in a reply is to a known one.

    Args:
        said: as written.
        known: label or alias.
        person: whether the known name is a person's.
        common: words that many names hold.
        synonyms: of words in names that are no person's.
    """
    mine, theirs = key(said), key(known)
    if not mine or not theirs:
        return NameLikeness.NONE
    if _equal(mine, theirs) or _equal(bare(said), theirs):
        return NameLikeness.SAME
    if person and (found := _of_person(said, known)) is not None:
        return found
    if not person and _spelt(mine, theirs):
        return NameLikeness.SPELT
    if not person and _translated(mine, theirs, synonyms):
        return NameLikeness.FORM
    return _by_words(mine, theirs, common)


def _of_person(said: str, known: str) -> NameLikeness | None:
    """How like two names of people are; None: neither titles, numerals nor surnames tell."""
    # "Cheadle" is not all of "Don Cheadle", whatever a don is.
    if len(bare(known)) > 1 and _equal(bare(said), bare(known)):
        return NameLikeness.SAME
    return NameLikeness.OTHER if _differ_in_numeral(said, known) else _person(said, known)


def _by_words(mine: Sequence[str], theirs: Sequence[str], common: Collection[str]) -> NameLikeness:
    """How like two names are by the words that they have in common."""
    here, there = set(mine) - _ARTICLES, set(theirs) - _ARTICLES
    if here < there or _initials(mine, theirs) or _initials(theirs, mine):
        return NameLikeness.PART
    if there < here:
        return NameLikeness.LONGER
    return NameLikeness.SHARED if shares(mine, theirs, common) else NameLikeness.NONE


def _equal(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if mine == theirs or "".join(mine) == "".join(theirs):
        return True
    return len(mine) > 1 and sorted(mine) == sorted(theirs)


def _spelt(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if len(mine) != len(theirs) or not all(map(spelt_alike, mine, theirs)):
        return False
    # One word alone has nothing beside it that is the same.
    return len(mine) > 1 or near(mine[0], theirs[0]) >= _ALONE


def _translated(mine: Sequence[str], theirs: Sequence[str], synonyms: Synonyms) -> bool:
    """Whether two names differ in the language of what the thing is, alone: "Universidad de Chile"."""
    left = [word for word in mine if word not in PARTICLES]
    classes = 0
    for word in theirs:
        if word in PARTICLES:
            continue
        same = next((one for one in left if _one_word(one, word, synonyms)), None)
        if same is None:
            return False
        left.remove(same)
        classes += word in _CLASS_OF
    own = any(word not in _CLASS_OF and word not in PARTICLES for word in theirs)
    return own and classes > 0 and all(word in _UNNEEDED for word in left)


def _one_word(one: str, word: str, synonyms: Synonyms) -> bool:
    if word in _CLASS_OF:
        return _CLASS_OF.get(one) == _CLASS_OF[word]
    return one == word or synonyms(one, word)


def _initials(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether a word may be the initials of a name: MIT, VW, NYC."""
    letters = [word[0] for word in long if word not in PARTICLES]
    one = short[0]
    if len(short) > 1 or len(long) < 2 or not 1 < len(one) <= 6 or [one[0]] != letters[:1]:
        return False
    rest = iter("".join(letters))
    return all(letter in rest for letter in one)


def without_realm(name: str) -> tuple[str, ...]:
    """The key of what a ruler or noble is called in short, "Henry VIII"; empty where that is one bare name."""
    short = key(name.partition(",")[0].partition(" of ")[0])
    return short if len(short) > 1 else ()


def is_full(name: str) -> bool:
    """Whether a person's name is a given name and a surname, and nothing that only rulers and saints are called by."""
    said = spelling.words(name)
    return (
        len(said) > 1
        and "of" not in said
        and "the" not in said
        and not any(word in _ROMAN or word.isdigit() for word in said)
    )


def shares(mine: Sequence[str], theirs: Sequence[str], common: Collection[str]) -> bool:
    """Whether two names have a distinctive word in common, however spelt."""
    own = [word for word in mine if word not in common and word not in PARTICLES] or mine
    return any(_word_shared(one, other) for one in own for other in theirs)


def _word_shared(one: str, other: str) -> bool:
    if spelt_alike(one, other):
        return True
    if min(len(one), len(other)) < 4:
        return False
    return one[:5] == other[:5] or near(one, other) >= _ALIKE


def _parsed(name: str) -> _Person:
    said = [word for word in spelling.words(name) if word]
    while len(said) > 1 and (said[0] in TITLES or said[0] in _ARTICLES):
        said = said[1:]
    generation = ""
    while len(said) > 1 and (said[-1] in _SUFFIXES or said[-1] in _ROMAN or said[-1].isdigit()):
        generation = generation or _GENERATIONS.get(said[-1], _ROMAN.get(said[-1], said[-1]))
        said = said[:-1]
    given = tuple(word for word in said[:-1] if word not in PARTICLES or (len(said) == 2 and word in _ALSO_GIVEN))
    return _Person(given, said[-1] if said else "", "" if generation in _SUFFIXES - {"jr", "sr"} else generation)


def _person(said: str, known: str) -> NameLikeness | None:
    """How like two names of people are, as far as surname and given names tell; None: the surnames differ."""
    mine, theirs = _parsed(said), _parsed(known)
    if not mine.surname or not theirs.surname:
        return None
    if not spelt_alike(mine.surname, theirs.surname):
        # Who marries, or writes, may have two surnames and one first name.
        first = mine.given[:1] and theirs.given[:1] and spelt_alike(mine.given[0], theirs.given[0])
        return NameLikeness.SHARED if first and not set(key(said)) < set(key(known)) else None
    if mine.generation != theirs.generation and (theirs.generation or not mine.given):
        return NameLikeness.OTHER if mine.generation else NameLikeness.PART
    return _person_of(mine, theirs)


def _differ_in_numeral(said: str, known: str) -> bool:
    """Whether two rulers' names in short are the same but for the numeral."""
    mine, theirs = bare(" ".join(without_realm(said))), bare(" ".join(without_realm(known)))
    numbers = [[word for word in one if word.isdigit()] for one in (mine, theirs)]
    names = [[word for word in one if not word.isdigit()] for one in (mine, theirs)]
    return bool(names[0]) and names[0] == names[1] and all(numbers) and numbers[0] != numbers[1]


def _person_of(mine: _Person, theirs: _Person) -> NameLikeness:
    """How like two names with one surname are, by the given names."""
    if not mine.given:
        return NameLikeness.SURNAME if theirs.given else NameLikeness.SPELT
    if not theirs.given:
        return NameLikeness.LONGER
    short, long = sorted((_spelled_out(mine.given, theirs.given), _spelled_out(theirs.given, mine.given)), key=len)
    if not _in_order(short, long):
        return NameLikeness.OTHER if _are_apart(short, long) else NameLikeness.SHARED
    # "R. Tolkien" may be anybody's; the first name's initial, or a name in full, is somebody's.
    if all(len(word) == 1 for word in short) and short[0][0] != long[0][0]:
        return NameLikeness.SHARED
    in_full = len(short) == len(long) and not any(len(word) == 1 for word in (*short, *long))
    return NameLikeness.SPELT if in_full else NameLikeness.FORM


def _are_apart(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether given names, all in full, are alike in the first alone."""
    if len(short) < 2 or any(len(word) == 1 for word in (*short, *long)) or not spelt_alike(short[0], long[0]):
        return False
    return all(near(one, other) < _UNLIKE for one in short[1:] for other in long[1:])


def _spelled_out(given: Sequence[str], other: Sequence[str]) -> list[str]:
    """Given names, "JRR" as three letters where the other name's begin with these."""
    found: list[str] = []
    for word in given:
        initials = 1 < len(word) <= 4 and word not in other and len(other) >= len(word)
        as_letters = initials and [one[0] for one in other[: len(word)]] == list(word)
        found += list(word) if as_letters else [word]
    return found


def _in_order(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(any(_fits(word, one) for one in rest) for word in short)


def _fits(one: str, other: str) -> bool:
    if 1 in (len(one), len(other)):
        return one[0] == other[0]
    return spelt_alike(one, other) or spelling.one_vowel_apart(one, other)
