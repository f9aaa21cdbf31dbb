"""What others wrote, made fit to be shown, logged or stored: model output, labels, what a server said.

It may hold terminal codes, characters that turn the reading direction, or a key that a server echoes.
"""

import re
from collections.abc import Iterable

# C0 and C1 but tab and newline; marks, embeddings, overrides and isolates of direction; line and paragraph separators.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_HIDDEN = "[key]"
_SHORTEST = 6
"""A shorter key would hide half of what is said; nobody's key is that short."""
# What a header or a URL shows of any key.
_KEYS = re.compile(
    r"(?i)(\bbearer\s+)[\w.~+/=-]{6,}"
    r"|(\b(?:authorization|x-api-key|api[_-]?key|access[_-]?token|password)[\"']?\s*[:=]\s*[\"']?(?:(?:basic|bearer)\s+)?)[^\s\"',;&}]{6,}"
    r"|(//[^/\s:@]*:)[^/\s@]+(?=@)"
    r"|\b()(?:hf_|sk-|gh[pousr]_|xox[bap]-)[\w-]{16,}"
)


def visible(text: str) -> str:
    """The text with control and bidirectional characters escaped as `\\u202e`; tabs and newlines stay."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def shown(value: object) -> object:
    """What a template puts in: text made visible, and everything else, markup of our own included, as it is."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def scrubbed(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without keys.

    Args:
        text: what a server said, or an error that quotes it.
        secrets: keys that are known, such as the one that the server was asked with; however it wraps them, they go.
    """
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, _HIDDEN)
    return _KEYS.sub(lambda found: "".join(kept for kept in found.groups() if kept) + _HIDDEN, text)
