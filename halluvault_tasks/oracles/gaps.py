"""The words between two mentions, brought to one form: tense, number, articles, adverbs and negation taken out.

Patterns (`phrasebook`) and responses pass through the same function, so all that counts is that two wordings of one
relation come out alike, not that the stems are a linguist's.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from halluvault_tasks.oracles.sentences import fold

_TOKEN = re.compile(r"[’']s\b|s[’'](?=\s)|n[’']t\b|[a-z0-9]+(?:-[a-z]+)*|[:;()–—]|,")
_CONTRACTED = re.compile(r"\b(ca|wo|does|do|did|is|was|are|were|has|had|have|could|would|should)n[’']t\b")

_NEGATIONS = frozenset(["not", "never", "no", "neither", "nor", "none", "without", "cannot", "nowhere", "nobody"])
_UNTRUTHS = frozenset(["false", "untrue", "incorrect", "wrong", "mistaken", "myth", "inaccurate", "misconception"])
_HEDGES = frozenset(
    [
        "may", "might", "could", "possibly", "perhaps", "maybe", "probably", "likely", "reportedly", "allegedly",
        "supposedly", "presumably", "apparently", "seemingly", "rumoured", "rumored", "unsure", "uncertain", "guess",
        "suspect", "unconfirmed", "disputed", "unclear", "doubt", "conceivably", "purportedly", "arguably",
    ]
)  # fmt: skip
_DROPPED = frozenset(
    [
        "a", "an", "the", "do", "does", "did", "also", "indeed", "actually", "originally", "famously", "first", "now",
        "today", "currently", "formerly", "then", "later", "only", "just", "very", "well", "officially", "historically",
        "ever", "once", "once", "still", "already", "both", "too", "again", "really", "truly", "certainly", "definitely",
        "exactly", "precisely", "simply", "clearly", "who", "which", "that", "this", "these", "those", "there", "so",
        "thus", "hence", "therefore", "moreover", "furthermore", "namely", "directly", "itself", "himself", "herself",
        "each", "other", "always", "however", "generally", "commonly", "eventually", "finally", "together", "been_",
        "rather", "quite", "whole", "entire", "entirely", "own", "his", "her", "their", "its", "one", "some", "can",
        "will", "would", "shall", "must", "used_", "longer", "considered", "known", "well-known", "famous", "fact",
        "biologically", "astronomically", "administratively", "geographically", "initially", "publicly", "back",
        "present-day", "modern", "modern-day", "contemporary", "todays", "today's", "long", "wider", "broader", "larger", "bigger", "general", "overarching", "particular",
        "specific", "straight", "right", "immediately", "automatically", "definition", "him", "whole", "ago", "previously",
        "subsequently", "jointly", "solely", "personally", "largely", "mainly", "partly", "least", "every", "all",
    ]
) - {"every", "all", "partly", "least"}  # fmt: skip
_IRREGULAR = {
    "am": "be", "is": "be", "was": "be", "are": "be", "were": "be", "been": "be", "being": "be", "be": "be",
    "remained": "be", "remains": "be", "remain": "be", "has": "have", "had": "have", "having": "have", "have": "have",
    "wrote": "write", "written": "write", "writing": "write", "began": "begin", "begun": "begin", "lay": "lie",
    "lies": "lie", "lain": "lie", "lying": "lie", "lie": "lie", "died": "die", "dies": "die", "dying": "die",
    "die": "die", "dead": "dead", "born": "born", "borne": "born", "won": "win", "gave": "give", "given": "give",
    "took": "take", "taken": "take", "came": "come", "children": "child", "became": "become", "made": "make",
    "held": "hold", "led": "lead", "ran": "run", "sang": "sing", "sung": "sing", "saw": "see", "seen": "see",
    "went": "go", "gone": "go", "goes": "go", "left": "leave", "built": "build", "fought": "fight", "taught": "teach",
    "stood": "stand", "sat": "sit", "fell": "fall", "fallen": "fall", "bore": "bear", "got": "get", "gets": "get",
    "kept": "keep", "met": "meet", "found": "found", "spoke": "speak", "spoken": "speak", "broke": "break",
    "broken": "break", "drew": "draw", "drawn": "draw", "lost": "lose", "owed": "owe", "tied": "tie", "ties": "tie",
    "laid": "lay_", "lays": "lay_", "wives": "wife", "wed": "wed", "wedded": "wed", "forms": "form", "grew": "grow",
    "grown": "grow", "bodies": "body", "cities": "city", "controlled": "control", "cancelled": "cancel",
    "canceled": "cancel", "rose": "rise", "arose": "arise", "arisen": "arise", "sworn": "swear", "swore": "swear",
    "beget": "beget", "begot": "beget", "sired": "sire", "put": "put", "ended": "end", "ending": "end", "series": "series",
    "led": "lead", "spent": "spend", "lent": "lend", "sprang": "spring", "knew": "know", "its": "its", "this": "this",
    "his": "his", "us": "us", "as": "as", "us": "us", "bred": "breed", "hung": "hang", "hangs": "hang", "fed": "feed",
    "shown": "show", "showed": "show", "chose": "choose", "chosen": "choose", "flew": "fly", "woven": "weave",
    "passed": "pass", "governed": "govern", "buried": "bury", "interred": "inter", "inter": "inter", "succumbed": "succumb",
    "headquarters": "headquarters", "premiered": "premiere", "thesis": "thesis", "relations": "relations",
    "neighbours": "neighbour", "neighbors": "neighbour", "neighbor": "neighbour", "programmed": "program",
    "programme": "program", "honored": "honour", "honors": "honour", "honor": "honour", "belonged": "belong",
    "theatre": "theater", "theatres": "theater", "theaters": "theater", "cinemas": "cinema", "dated": "date",
}  # fmt: skip
_PARTICIPLE = re.compile(
    r"(?:ed|born|written|made|held|won|given|taken|seen|sung|run|led|found|taught|stood|lain|come|"
    r"become|gone|been|known|shown|built|fought|begun|left|kept|met|laid|spoken|worn|borne|had|grown|put)$"
)
_LINKS = frozenset(["and", "or", "but", ",", ";", "as", "well"])
PREPOSITIONS = frozenset(
    ["in", "on", "at", "of", "to", "by", "from", "during", "around", "about", "circa", "since", "until", "till", "year",
     "for", "before", "after", "between", "through", "into", "near", "with", "late", "early", "month", "day", "date",
     "as", "back"]
)  # fmt: skip

APPOSITIONS = frozenset(
    """city town village municipality county state country kingdom republic province region district borough capital_
    film movie novel book series painting album song river lake sea ocean mountain island composer writer poet painter
    king queen emperor prince princess pope taxon genus family order class phylum species type element planet star moon
    university company band actor actress politician scientist physicist mathematician philosopher chemist singer
    musician artist american british english french german italian russian european ancient historic great famous
    television video game tv opera play symphony piece work museum language nation area territory commune parish
    category concept sport disease condition drug substance satellite dwarf asteroid comet galaxy group organisation
    organization institution team club magazine newspaper person man woman duke count earl lord sir dr saint st""".split()
)
"""Nouns and adjectives that only say what the thing named next is: "the English town of Portsmouth"."""


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
_BEFORE = re.compile(
    r"\b(?:earlier|sooner|longer ago|further back(?: in time)?|further) than\b|\b(?:prior to|ahead of|in advance of)\b"
)
_AFTER = re.compile(r"\b(?:later|more recently|less long ago) than\b|\bsubsequent to\b")
_POLITE = re.compile(
    r"\bit (?:may|might|could|can) (?:also )?be (?:added|noted|mentioned|said|remarked|recalled|worth noting) that\b"
)
_HEDGED_PHRASE = re.compile(
    r"\b(?:it is (?:said|believed|thought|possible|rumou?red)|some (?:say|sources|believe)|i(?: a|['’])m not (?:sure|certain|"
    r"entirely)|not (?:entirely )?(?:sure|certain)|as far as i (?:know|recall|remember)|if i (?:recall|remember)|"
    r"i (?:think|believe|guess|suppose|seem to (?:recall|remember))|to my knowledge|there is (?:some )?(?:evidence|debate)|"
    r"is (?:said|believed|thought|reported|rumou?red|assumed) to|may have|might have|could have)\b"
)


def stem(word: str) -> str:
    """A word without its ending: "directed", "directs" and "direct" are one."""
    if word in _IRREGULAR:
        base = _IRREGULAR[word]
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
    folded = _AFTER.sub(" after ", _BEFORE.sub(" before ", _POLITE.sub(" ", folded)))
    hedged = bool(_HEDGED_PHRASE.search(folded))
    contrast = bool(_CONTRAST.search(folded))
    words = _TOKEN.findall(_INSTEAD.sub(" not ", folded).replace("today's", "todays"))
    negations = 0
    kept: list[str] = []
    for position, word in enumerate(words):
        if word in _NEGATIONS or word == "n't" or word in _UNTRUTHS:
            paired = word == "nor" and "neither" in words[:position]
            negations += not paired and not (word == "no" and words[position + 1 : position + 2] == ["doubt"])
        elif word in _HEDGES:
            hedged = hedged or not (word == "doubt" and "no" in words[max(0, position - 1) : position])
        elif word in ("'s", "s'"):
            kept.append("'s")
        elif word in _DROPPED or word in ":()–—" or (word in ("or", "nor") and kept):
            continue
        elif word in ("has", "had", "have", "having") and _participle_follows(words, position):
            continue
        else:
            kept.append(stem(word))
    hedged = hedged or ("longer" in words and "no" in words)  # what is no longer so may have been so
    link = bool(kept) and kept[0] in _LINKS
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
        if word in _DROPPED or word in _NEGATIONS or word in _HEDGES:
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
        if token == "as" and found and found[-1] in _BE_AS:
            found[-1] = "be"
        elif token == "be" and found and found[-1] in ("be", "hav"):
            found[-1] = "be"
        else:
            found.append(_SAME.get(token, token))
        if len(found) > 1 and found[-1] == found[-2] == "be":
            found.pop()
    return found


_SAME = {"at": "in", "within": "in", "insid": "in", "upon": "on", "onto": "on", "sort": "kind", "typ": "kind",
         "variety": "kind", "constitut": "be", "represent": "be", "amongst": "among", "lad": "lady", "hom": "home"}  # fmt: skip
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
