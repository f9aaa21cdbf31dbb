"""What a sentence stands behind: which of its clauses are asserted, doubted, somebody else's, or taken back.

A clause under a verb of saying or thinking asserts nothing where the speaker is another or a former self, unless it is
called right; nor does one that is judged false, in its own sentence or in the next one. Whoever adds a doubt, before,
behind or in brackets, asserts nothing either. Frames that assert ("as everyone knows") are blanked, so that their words
are not taken for the claim's. Offsets stay.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import stance_words as said

Back = Literal["", "void", "doubt"]


class Stance(NamedTuple):
    """How a sentence stands to what it says.

    Attributes:
        text: the sentence, as long as it was, with everything blank that it does not assert.
        doubted: what it says is doubted.
        back: what it does to the sentence before: nothing, takes it back, doubts it.
    """

    text: str
    doubted: bool = False
    back: Back = ""


@lru_cache(maxsize=4_096)  # claims, conclusions and steps ask of the same sentences
def read(sentence: str, *, first: bool = False) -> Stance:
    """The stance of one sentence.

    Args:
        sentence: a sentence or line, without list mark.
        first: it opens the response: "False: …" answers there and takes nothing back.
    """
    numbered = said.NUMBERED.match(sentence)
    text, back, doubted = _blanked(sentence, 0, numbered.end()) if numbered else sentence, "", False
    if not _names(text) and len(text.split()) <= _REMARK and (back := _back(_probe(text))):
        return Stance(text, False, back)
    if not first and (label := said.VOID_LABEL.match(text)):
        return Stance(_turned(text, label.end()), False, "")
    lead = said.BACK.match(_probe(text))
    led = said.LED.match(_probe(text))
    if led and not first and not lead and _judged(led["said"]) and not _MENDS.search(led["said"]):
        return Stance(_turned(text, led.end()), False, "")
    of_question = lead and (said.OF_THE_QUESTION.search(lead.group()) or said.CONCLUDES.match(lead.group()))
    if lead and not first and not of_question and _judged(lead.group()) and not _GOES_ON.match(text, lead.end()):
        back = "void"
        text = _blanked(text, 0, lead.end())
    for marker in said.VOID_BRACKET.finditer(text):
        text = _blanked(text, 0, marker.end())
    text = _behind(text)
    text = _before(text)
    frame = said.ASSERTS.match(_probe(text))
    if frame and not said.DOUBT.search(frame.group()):
        text = _blanked(text, 0, frame.end())
    if said.DOUBT.search(_frames(text)) or said.DOUBT_ANYWHERE.search(text):
        doubted = True
    return Stance(text, doubted, back)  # type: ignore[arg-type]


_NAMED = re.compile(r"\b(?!I\b|I'|OK\b)[A-Z]|\d|[“\"]")
"""Something is named: a frame alone ("That was wrong.") names nothing."""


def _names(text: str) -> bool:
    """Whether anything is named behind the first word."""
    return bool(_NAMED.search(text, len(text) - len(text.lstrip(" \t\"'“‘(*–—-")) + 1))


def _probe(text: str) -> str:
    """The sentence with its first word and "I" in lower case, so that what is still written large is a name."""
    begin = len(text) - len(text.lstrip(" \t\"'“‘(*–—-"))
    if text[begin + 1 : begin + 2].islower() or text[begin : begin + 2] == "A ":
        text = text[: begin + 1].lower() + text[begin + 1 :]
    return _I.sub("i", text)


_MENDS = re.compile(r"\b(?:to\s+correct|correction|corrected|instead|truth|fact|actually|right|reality)\b")
"""What comes is put in place of what was wrong."""

_CLAUSE = re.compile(r"\bthat\s+(?!is\b|was\b|one\b|part\b|bit\b|back\b|out\b|would\b)\w+\s+\w+\s+\w+")
_REMARK = 16
"""Words of a sentence that only judges another; a longer one speaks of things that are written small."""

_GOES_ON = re.compile(r"\s*(?:that|as|which|who|if|to)\b")
_I = re.compile(r"\bI\b")


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _judged(frame: str) -> bool:
    """Whether words that name nothing call something false."""
    return bool(said.FALSE.search(said.NOT_FALSE.sub(" ", frame)))


def _back(text: str) -> Back:
    """What a sentence that names nothing does to the one before it."""
    if said.CONCLUDES.match(text) or said.OF_THE_QUESTION.search(text):
        return ""
    if said.BACK_ALONE.match(text) and _judged(text) and not _CLAUSE.search(text):
        return "void"
    return "doubt" if said.BACK_DOUBT.search(text) else ""


def _behind(text: str) -> str:
    """Blanks what stands before "…, which is false", "…; I reject that", "… – no, scratch that"."""
    if said.CONCLUDES.match(text):
        return text
    end = 0
    for match in said.BEHIND.finditer(_probe(text)):
        if _judged(match.group()) and not said.OF_THE_QUESTION.search(match.group()):
            end = match.end()
    return _blanked(text, 0, end)


def _before(text: str) -> str:
    """Blanks clauses that are another's, a former self's, or rejected beforehand, and frames that are no claims."""
    contrary = said.CONTRARY.match(text)
    if contrary:
        return _blanked(text, 0, contrary.end())
    nominal = said.NOTION.search(text)
    if nominal and _judged(nominal["judged"]):
        if said.UNTRUE.fullmatch(nominal["judged"]):  # "the claim that … is false" says that it is not so
            begin = nominal.start("said")
            text = _blanked(_blanked(text, 0, begin), nominal.start("judged"), nominal.end())
            return text[: begin - 4] + "not " + text[begin:]
        return _blanked(text, nominal.start(), nominal.end())
    match = said.VOID.search(text)
    if match and not (said.ENDORSED.search(text) or said.ENDORSED.search(match.group())):
        return text[: match.start()] + _turned(text[match.start() :], match.end() - match.start())
    if match:
        return _blanked(text, match.start(), match.end())
    frame = said.FRAME.match(_probe(text))
    if frame and not said.ENDORSED.search(frame["said"]) and not said.ASSERTS.match(_probe(text)):
        attributed = said.ATTRIBUTED.search(frame["said"]) and not said.COMMITTED.search(frame["said"])
        if attributed or (_judged(frame["said"]) and not said.DENIES.fullmatch(frame["said"])):
            return _turned(text, frame.end())
        if said.INFERS.match(frame["said"]) and not said.DOUBT.search(frame["said"]):
            return _blanked(text, 0, frame.end())
    return text


def _turned(text: str, begin: int) -> str:
    """Blanks a clause that is not asserted, up to where the sentence turns to what is."""
    turn = said.TURN.search(text, begin)
    return _blanked(text, 0, turn.end()) if turn and turn.end() < len(text) else " " * len(text)


def _frames(text: str) -> str:
    """The stretches between marks that name nothing: words about what is said, not what is said."""
    parts = re.split(r"[,;:()–—?!.\n]|\bthat\b| - ", text)
    return " | ".join(
        part for part in parts if part.strip() and not (_names(part) if part is parts[0] else _NAMED.search(part))
    )
