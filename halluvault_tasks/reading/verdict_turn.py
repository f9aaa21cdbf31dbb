"""The verdict turn: what a model says when it is asked for nothing but yes, no or don't know.

Under a grammar of three words that is all that can come. A server without grammars gives at most eight free tokens,
which are read strictly: one of the three, alone or before a stop, and nothing that takes it back. Servers that know
JSON grammars alone wrap the word: `{"verdict": "no"}`.
"""

import json

import re2

from halluvault_tasks.reading.base import Answer, AnswerKind, Span

WORDS: dict[str, AnswerKind] = {"yes": "yes", "no": "no", "don't know": "dont_know"}
"""What the grammar allows."""

_VERDICT = re2.compile(
    r"(?is)^[\s\"'“‘*_(]*(?:(?:final )?(?:answer|verdict)[\s*_]*[:=][\s\"'“‘*_(]*)?"
    r"(yes|no|(?:i )?(?:do not|don['’]t) know)[\"'”’*_)]*(?:\s*$|[.,;:!\n](.*))",
)
_AGAIN = re2.compile(r"(?i)\b(?:yes|no|not|n['’]t|know|or|but)\b|\?")


def read(text: str) -> Answer:
    """The verdict that a reply to the second turn gives; anything else than one of the three is `unparseable`."""
    match = _VERDICT.match(unwrapped(text[:200], "verdict"))
    if not match or _AGAIN.search(match[2] or ""):
        return Answer("unparseable", Span(0, 0))
    said = match[1].casefold()
    kind = WORDS.get(said, "dont_know")
    start = text.find(match[1])
    span = Span(start, start + len(match[1])) if start >= 0 else Span(0, 0)  # JSON may escape the apostrophe
    return Answer(kind, span, "verdict turn")


def unwrapped(text: str, name: str) -> str:
    """What a JSON object gives for a name that is all it holds; any other text as it is."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return text
    word = said.get(name)
    return word if isinstance(word, str) and said.keys() == {name} else text
