"""What others wrote, made fit to be shown, logged or stored: model output, labels, what a server said.

It may hold terminal codes, characters that turn the reading direction, or a key that a server echoes. What people set
may hold a key, too: a password in a URL, or the key itself where its name belongs.
"""

import re
from collections.abc import Iterable

# C0 and C1 but tab and newline; marks, embeddings, overrides and isolates of direction; line and paragraph separators.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_HIDDEN = "[key]"
_SHORTEST = 6
"""A shorter key would hide half of what is said; nobody's key is that short."""
_PREFIX = (
    r"(?:hf_|sk-|sk_|gsk_|csk-|pplx-|xai-|nvapi-|gh[pousr]_|github_pat_|glpat-|xox[abpr]-|tgp_v1_|r8_|AIza|AKIA|ASIA"
    r"|eyJ)"
)
"""How the keys of known services begin."""
# What a header, a URL or libpq's list of options shows of any key. What is looked for is bounded, since a server's text
# may hold a hundred thousand beginnings of it.
_KEYS = re.compile(
    r"(?i:(\bbearer\s{1,9})[\w.~+/=-]{6,})"
    r"|(?i:((?:pass(?:word|wd)|secret|api[_-]?key|(?:\b|_)(?:pass|pwd|token))\s{0,9}=\s{0,9})"
    r"(?:'(?:[^'\\]|\\.){0,250}'|\"(?:[^\"\\]|\\.){0,250}\"|[^\s\"',;&}]+))"
    r"|(?i:(\b(?:authorization|x-api-key|api[_-]?key|access[_-]?token|password)[\"']?\s*[:=]\s*[\"']?"
    r"(?:(?:basic|bearer)\s+)?)[^\s\"',;&}]{6,})"
    # A password may hold any of `@ / ? #` as it is, so that all up to the last @ may belong to it.
    r"|(//[^/\s:@?#\"']{0,250}:)[^\s\"'<>]{1,250}(?=@)"
    rf"|(?<![A-Za-z0-9])(){_PREFIX}[\w.-]{{16,}}"
)
_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//")
_SECRET_FIELD = re.compile(r"(?i)([?&;][^=&;#]*(?:pass|pwd|secret|token|key|sig|auth|credential)[^=&;#]*=)[^&;#]+")
_KEY_ALONE = re.compile(rf"{_PREFIX}[\w.-]*[A-Za-z0-9]{{8}}")
_LONGEST_WORD = 32
_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_SWITCH = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
"""Between two kinds of characters, but for a capital that begins a word."""


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


def without_password(url: str) -> str:
    """A URL as it may be shown: user, password and keys in its query are `…`.

    Args:
        url: nothing but a URL. A password may hold `@ / ? #` that should be percent-escaped, so that everything up to
            the last @ is hidden; what has neither a scheme nor a colon before its @ is no URL, and stays.
    """
    scheme = _SCHEME.match(url)
    start = scheme[0] if scheme else ""
    before, at, rest = url[len(start) :].rpartition("@")
    if at and (scheme or ":" in before):
        before = "…"
    return _SECRET_FIELD.sub(r"\1…", f"{start}{before}{at}{rest}")


def looks_like_key(text: str) -> bool:
    """Whether a text that should be a name is rather a key: it begins like one, or is a long mix of all characters."""
    if _KEY_ALONE.match(text):
        return True
    return any(_is_mixed(run) for run in _RUN.findall(text))


def _is_mixed(run: str) -> bool:
    # A random text has digits in several places, and changes between small letters, capitals and digits at every third
    # character or so; words do neither, and a name of 32 characters has an underscore.
    return len(run) >= _LONGEST_WORD or len(re.findall("[0-9]+", run)) > 1 or len(_SWITCH.findall(run)) > len(run) // 4
