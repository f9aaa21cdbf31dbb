"""The verdict turn: what a model says when it is asked for nothing but yes, no or don't know.

Under a grammar of three words that is all that can come. Elsewhere a reply is cleaned as every response is (`letters`,
`wrappers`, `markup`) and then read strictly: one of the three, alone, labelled or before a stop, and nothing after it
that takes it back. What is no such reply is no verdict, whatever it may mean.
"""

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Answer, AnswerKind, TextSpan
from halluvault_tasks.reading.letters import Placed, after, placed
from halluvault_tasks.reading.markup import FENCE, RULE, PlainText, within_limit, without_markup
from halluvault_tasks.reading.wrappers import unescaped, unwrapped

WORDS: dict[str, AnswerKind] = {"yes": "yes", "no": "no", "don't know": "dont_know"}
"""What the grammar allows."""

_AROUND = rf"[\s\"'‘“*_(\[#>•·{FENCE}]"
_NOUN = r"(?:answer|verdict|response|reply|conclusion|judge?ment|decision|result|output|assistant)"
_LABEL = re2.compile(
    rf"(?i)\A{_AROUND}*-?{_AROUND}*(?:(?:so|thus|therefore|hence)\b,?\s+)?(?:(?:my|the|our|your)\s+)?"
    rf"(?:(?:final|short|overall|correct|direct|right)[\s_-]+)?"
    rf"(?:{_NOUN}(?:\s+to\s+(?:the|this|that|your)\s+question)?[\"'*_\s]*"
    r"(?:(?:is|would be)\b\s*[:,]?|[:=→–—-]+>?[*_]*|\n)|a\s*[:=])"
)
_VERDICT = re2.compile(
    rf"(?is)\A{_AROUND}*-?{_AROUND}*"
    r"(yes|no|(?:i\s+)?(?:(?:really|honestly|just)\s+)?(?:do\s+not|do\s?n['’‘]?t)[\s_]+know"
    r"(?:\s+the\s+answer(?:\s+to\s+(?:the|this|that|your)\s+question)?|\s+for\s+(?:sure|certain))?)"
    rf"[\"'‘’”*_)\]{FENCE}]*(?:\s*\z|(?:\s*[.,;:!\n(–—…]|\s+-\s)(.*))"
)
_SENTENCE = re2.compile(r"[^.!;\n]+")
_NAME = re2.compile(r"[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*")
"""A word, or a name such as a JSON key."""
_WORD = re2.compile(r"\p{L}+(?:['’]\p{L}+)?")
_ELLIPTIC = re2.compile(
    r"(?i)\s*(?:i|it|he|she|they|that|this|there|you|we)\s+"
    r"(?:is|was|are|were|am|do|does|did|has|have|had|will|would|can|could)\s*[.!]\s*"
)
"""No answer but an affirmation: "No, it is." """
_POLAR, _BACK = frozenset(["yes", "no"]), english.CORRECT | {"or", "but", "however", "rather", "sorry", "oops"}
_NESTED = 8
"""Layers of JSON in JSON that are looked through."""
_ELSE = _POLAR | {"know"}
_OWN = {"yes": "yes", "no": "no", "dont_know": "know"}
_NEVER = english.NO - english.DENIES


def read(text: str) -> Answer:
    """The verdict that a reply to the second turn gives; anything else than one of the three is `unparseable`."""
    whole = placed(within_limit(text))
    said = _cleaned(whole)
    behind = 0
    while label := _LABEL.match(said.text[behind:]):
        behind += label.end()
    match = _VERDICT.match(said.text[behind:])
    kind = WORDS.get(match[1].casefold(), "dont_know") if match else None
    # What is struck out, or stands in a comment or a tag's name, is gone by now, and was said all the same.
    other = _named(whole) - {_OWN.get(kind or "")}
    if match is None or kind is None or other or _takes_back(kind, match[2] or ""):
        return Answer("unparseable", TextSpan(0, 0))
    start, end = (behind + place for place in match.span(1))
    return Answer(kind, TextSpan(said.places[start], after(said.places[end - 1], said.wide)), "verdict turn")


def _named(text: Placed) -> set[str]:
    """Which verdicts a text holds in any place and form, through JSON in JSON."""
    found: set[str] = set()
    for _ in range(_NESTED):
        found |= _ELSE.intersection(_NAME.findall(text.text.casefold()))
        if "\\" not in text.text:
            break
        text = unescaped(text)
    return found


def word(text: str) -> str:
    """The one word that a reply consists of, in small letters; of any other reply something else."""
    return _cleaned(placed(within_limit(text))).text.strip(f" .!\n*_`\"'{FENCE}").casefold()


def alone(text: str) -> str:
    """What a reply says, without markup, what wraps it and what calls it an answer; its letters in one form."""
    return _cleaned(placed(within_limit(text))).text.replace(FENCE, " ").replace(RULE, " ").strip()


def _cleaned(text: Placed) -> PlainText:
    """A reply without what wraps it and what calls it an answer, in any order."""
    inner = unwrapped(text)
    while label := _LABEL.match(inner.text):
        inner = unwrapped(inner.part(label.end(), len(inner.text)))
    return without_markup(inner)


def _takes_back(kind: AnswerKind, rest: str) -> bool:
    """Whether what stands behind a verdict may say something else than it does."""
    words = [_WORD.findall(one.casefold().replace("’", "'")) for one in _SENTENCE.findall(rest)]
    said = {word for each in words for word in each}
    if "?" in rest or not said.isdisjoint(_POLAR | _BACK):
        return True
    if kind == "dont_know":
        return False
    if "know" in said:
        return True
    return any(_opposes(kind, each) for each in words) or (kind == "no" and bool(_ELLIPTIC.fullmatch(rest)))


def _opposes(kind: AnswerKind, words: list[str]) -> bool:
    """Whether a sentence denies a yes, or affirms a no: "not" behind a no repeats it, and a second one does not."""
    denials = sum(word in _NEVER or word.endswith("n't") for word in words)
    wrong, right = not english.FALSE.isdisjoint(words), not english.TRUE.isdisjoint(words)
    if kind == "yes":
        return bool(denials) or wrong
    return denials > 1 or (wrong and bool(denials)) or (right and not denials)
