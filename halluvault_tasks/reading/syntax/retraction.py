"""What a text takes back: "No, wait.", "Correction: …", "That is wrong.", "… – scratch that."."""

from itertools import pairwise

from halluvault_tasks.reading import english
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.names import words
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.rules import rule

_CORRECTS = (english.CORRECT - {"actually"}) | {"sorry", "scratch"}
_FALSE = english.FALSE | {"mistaken"}
_WRONG = _FALSE | {"mistake", "error"}
_CONCLUDES = wordset("so thus hence therefore consequently")
_OPENING = 4
"""Words in which a text that corrects itself says so."""

_SHORT = 5
"""Words of a verdict that stands alone: "Verdict: false."."""


@rule(
    "claims.retracted",
    "Ann Lee was born in 1950. That is wrong.",
    "Ann Lee was born in 1950. That is right.",
    otherwise=False,
)
def takes_back(text: str, parse: Parse, names: bool) -> bool:
    """Whether a sentence takes back the one before it.

    Args:
        text: the whole line that it stands in, with a label such as "Correction:".
        parse: of the sentence.
        names: whether it names anybody or anything.
    """
    if any(word.folded in _CORRECTS for word in words(text)[:_OPENING]):
        return True
    lemmas = [word.lemma.casefold() for word in parse]
    if names or not _CONCLUDES.isdisjoint(lemmas):
        return False
    denies = any(word.dep == "neg" for word in parse)
    rated = bool(_FALSE.intersection(lemmas)) if not denies else bool(english.TRUE.intersection(lemmas))
    points = any(word.dep.startswith("nsubj") and word.lemma.casefold() in english.POINTING for word in parse)
    said = [word for word in parse if word.pos not in ("PUNCT", "SPACE")]
    alone = len(said) <= _SHORT and not any(word.dep.startswith("nsubj") for word in parse)
    return rated and (points or alone)


@rule(
    "claims.retracted_within",
    "Ann Lee was born in 1950, but that is wrong.",
    "Ann Lee was born in 1950, and that is right.",
    otherwise=0,
)
def taken_back(parse: Parse) -> int:
    """Up to which character a sentence takes back itself: "in Leipzig – no, scratch that"; 0 if it does not."""
    for before, word in pairwise(parse):
        if before.lemma.casefold() in ("scratch", "strike") and word.lemma.casefold() in english.POINTING:
            return before.start
    for word in parse:  # "in Leipzig, but that is wrong"
        if word.start and word.dep.startswith("nsubj") and word.lemma.casefold() in english.POINTING:
            clause = [one for one in parse if one.head == word.head]
            lemmas = {one.lemma.casefold() for one in clause}
            denies = any(one.dep == "neg" for one in clause)
            if lemmas & (english.TRUE if denies else _WRONG):
                return word.start
    return 0
