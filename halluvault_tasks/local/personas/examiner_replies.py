"""What a simulated model answers a cross-examiner's question: planted, and literal.

It finds that a text says a statement where the names and numbers of the statement stand in it; that a text denies one,
where there is also a word of denial. Asked the other way round it answers the opposite. It knows no grammar of English,
so its figures say nothing about any real examiner.
"""

import json
import re

_ASKED = re.compile(
    r"<<<\n(?P<text>.*)\n>>>\n\nDoes the text (?P<verb>say|deny) that (?P<statement>.*?)"
    r"(?P<open>, or leave that open)?\? It does not matter",
    re.DOTALL,
)
_MARK = re.compile(r"[A-Z][\w'’-]*|\d+")
_DENIAL = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)


def reply(prompt: str) -> str:
    """Yes or no to a cross-examiner's question; empty for any other prompt.

    Args:
        prompt: the text that was sent, or the conversation as JSON.
    """
    if "Does the text" not in prompt:
        return ""
    asked = _ASKED.search(json.loads(prompt)[-1]["content"] if prompt.startswith("[") else prompt)
    if asked is None:
        return ""
    text = asked["text"]
    stands = all(mark in text for mark in _MARK.findall(asked["statement"]))
    # Asked the other way round, the verb is the other one.
    denied = (asked["verb"] == "deny") != bool(asked["open"])
    found = stands and (not denied or bool(_DENIAL.search(text)))
    return "yes" if found != bool(asked["open"]) else "no"
