"""The words between two mentions, brought to one form: tense, number, articles, adverbs and negation taken out.

Patterns (`phrasebook`) and responses pass through the same function, so all that counts is that two wordings of one
relation come out alike, not that the stems are a linguist's.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from halluvault_tasks.oracles.sentences import fold
from halluvault_tasks.oracles.words import APPOSITIONS, DROPPED, HEDGES, IRREGULAR, NEGATIONS, PREPOSITIONS, UNTRUTHS

_TOKEN = re.compile(r"[’']s\b|s[’'](?=\s)|n[’']t\b|[a-z0-9]+(?:-[a-z]+)*|[:;()–—]|,")
_CONTRACTED = re.compile(r"\b(ca|wo|does|do|did|is|was|are|were|has|had|have|could|would|should)n[’']t\b")

_PARTICIPLE = re.compile(
    r"(?:ed|born|written|made|held|won|given|taken|seen|sung|run|led|found|taught|stood|lain|come|"
    r"become|gone|been|known|shown|built|fought|begun|left|kept|met|laid|spoken|worn|borne|had|grown|put)$"
)
_LINKS = frozenset(["and", "or", "but", ",", ";", "as", "well"])


class Gap(NamedTuple):
    """A stretch of words in its one form.

    Attributes:
        tokens: stems, in order.
        negations: words of denial that were taken out.
        hedged: a word of doubt is in it.
        link: it begins with "and", "but", a comma …, which is not among the tokens.
        contrast: that word is "but", or "instead", "rather than" stands in it.
        relative: "which", "who", "where" stands first: the mention before is spoken of.
    """

    tokens: tuple[str, ...]
    negations: int = 0
    hedged: bool = False
    link: bool = False
    contrast: bool = False
    relative: bool = False


_RELATIVE = re.compile(r"^\W*(?:and\s+)?(?:which|who|whom|whose|where|itself)\b")
_CONTRAST = re.compile(r"\b(?:instead of|rather than|as opposed to|but)\b")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|as opposed to)\b")
_THOSE_WHO = re.compile(
    r"\b(?:is|was|are|were) (?:among (?:those|the people|the ones)|"
    r"(?:one of )?the (?:ones?|person|people|man|woman|company|team)|"
    r"one of (?:those|the people)|someone|somebody|a (?:person|man|woman)) (?:who|that|which)\b"
)
_BEFORE = re.compile(
    r"\b(?:earlier|sooner|longer ago|further back(?: in time)?|further) than\b|\b(?:prior to|ahead of|in advance of)\b"
)
_AFTER = re.compile(r"\b(?:later|more recently|less long ago) than\b|\bsubsequent to\b")
_POLITE = re.compile(
    r"\bit (?:may|might|could|can) (?:also )?be (?:added|noted|mentioned|said|remarked|recalled|worth noting) that\b"
)
_HEDGED_PHRASE = re.compile(
    r"\b(?:it is (?:said|believed|thought|possible|rumou?red)|some (?:say|sources|believe)|"
    r"i(?: a|['’])m not (?:sure|certain|"
    r"entirely)|not (?:entirely )?(?:sure|certain)|as far as i (?:know|recall|remember)|if i (?:recall|remember)|"
    r"i (?:think|believe|guess|suppose|seem to (?:recall|remember))|to my knowledge|"
    r"there is (?:some )?(?:evidence|debate)|"
    r"is (?:said|believed|thought|reported|rumou?red|assumed) to|may have|might have|could have)\b"
)


def stem(word: str) -> str:
    """A word without its ending: "directed", "directs" and "direct" are one."""
    if word in IRREGULAR:
        base = IRREGULAR[word]
    elif len(word) > 4 and word.endswith(("ies", "ied")):
        base = word[:-3] + "y"
    elif len(word) > 5 and word.endswith("ing"):
        base = _single(word[:-3])
    elif len(word) > 4 and word.endswith("ed"):
        base = _single(word[:-2])
    elif len(word) > 4 and word.endswith("es") and word[-3] in "sxzo":
        base = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        base = word[:-1]
    else:
        base = word
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


def _single(base: str) -> str:
    doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsfzeo"
    return base[:-1] if doubled else base


@lru_cache(maxsize=65_536)
def read(text: str) -> Gap:
    """The one form of a stretch of text."""
    folded = fold(text).replace("’", "'")
    folded = _CONTRACTED.sub(lambda match: {"ca": "can", "wo": "will"}.get(match[1], match[1]) + " not", folded)
    relative = bool(_RELATIVE.match(folded))
    folded = _THOSE_WHO.sub(" ", folded)
    folded = _AFTER.sub(" after ", _BEFORE.sub(" before ", _POLITE.sub(" ", folded)))
    hedged = bool(_HEDGED_PHRASE.search(folded))
    contrast = bool(_CONTRAST.search(folded))
    words = _TOKEN.findall(_INSTEAD.sub(" not ", folded).replace("today's", "todays"))
    negations = 0
    kept: list[str] = []
    for position, word in enumerate(words):
        if word in NEGATIONS or word == "n't" or word in UNTRUTHS:
            paired = word == "nor" and "neither" in words[:position]
            negations += not paired and not (word == "no" and words[position + 1 : position + 2] == ["doubt"])
        elif word in HEDGES:
            hedged = hedged or not (word == "doubt" and "no" in words[max(0, position - 1) : position])
        elif word in ("'s", "s'"):
            kept.append("'s")
        elif (
            word in DROPPED
            or word in ":()–—"
            or (word in ("or", "nor") and kept)
            or (word in ("has", "had", "have", "having") and _participle_follows(words, position))
        ):
            continue
        else:
            kept.append(stem(word))
    hedged = hedged or ("longer" in words and "no" in words)  # what is no longer so may have been so
    link = (bool(kept) and kept[0] in _LINKS) or words[:1] == ["nor"]
    while kept and kept[0] in (*_LINKS,) and kept[0] != "as":
        kept.pop(0)
    while kept and kept[-1] in (",", ";"):
        kept.pop()
    return Gap(
        tuple(_merged([token for token in kept if token not in (",", ";")])),
        negations,
        hedged,
        link,
        contrast,
        relative,
    )


def _participle_follows(words: Sequence[str], position: int) -> bool:
    for word in words[position + 1 : position + 4]:
        if word in DROPPED or word in NEGATIONS or word in HEDGES:
            continue
        return bool(_PARTICIPLE.search(word)) and word != "had"
    return False


_BE_AS = frozenset([
    "count",
    "rank",
    "qualify",
    "serv",
    "act",
    "function",
    "regard",
    "class",
    "classify",
    "see",
    "figur",
])


def _merged(tokens: list[str]) -> list[str]:
    """ "be be" (is known to be), "have be" (has been), "counts as" and "is regarded as" are one "be"."""
    found: list[str] = []
    for token in tokens:
        if (token == "as" and found and found[-1] in _BE_AS) or (
            token == "be" and found and found[-1] in ("be", "hav")
        ):
            found[-1] = "be"
        else:
            found.append(_SAME.get(token, token))
        if len(found) > 1 and found[-1] == found[-2] == "be":
            found.pop()
    return found


_SAME = {"at": "in", "within": "in", "insid": "in", "upon": "on", "onto": "on", "sort": "kind", "typ": "kind",
         "variety": "kind", "constitut": "be", "represent": "be", "amongst": "among"}  # fmt: skip
"""Words that the patterns take for one."""


def strip_appositions(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words without those that only say what comes next is: "be born in town of" is "be born in"."""
    end = len(tokens)
    while end:
        if tokens[end - 1] in APPOSITIONS:
            end -= 1
        elif end > 1 and tokens[end - 1] == "of" and tokens[end - 2] in APPOSITIONS:
            end -= 2
        else:
            break
    return tuple(tokens[:end])


def strip_prepositions(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words without the prepositions at their end: what stands before a date."""
    end = len(tokens)
    while end and tokens[end - 1] in PREPOSITIONS:
        end -= 1
    return tuple(tokens[:end])


def reduce(tokens: Sequence[str], vocabulary: Collection[str], most: int = 4) -> tuple[str, ...] | None:
    """The words that any pattern has; None where more than `most` others stand among them."""
    kept = tuple(token for token in tokens if token in vocabulary)
    return kept if len(tokens) - len(kept) <= most else None
