"""How long a server asks to wait, and what it says about the tokens that it grants, from its headers.

Retry-After is RFC 9110's (§10.2.3), `retry-after-ms` Azure's, `x-ratelimit-…` OpenAI's, which most hosted APIs speak in
one of these spellings. Times come as seconds, as `1m30s` or `12ms`, as dates, and as seconds or milliseconds of Unix.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from time import time

from halluvault_tasks.querying.replies import RateLimit

LONGEST_WAIT = 31 * 86_400.0
"""A month's quota may be spent on its first day; beyond this a server means harm."""

_LIMIT = ("x-ratelimit-limit-tokens", "x-ratelimit-limit-tokens-minute", "anthropic-ratelimit-tokens-limit")
_REMAINING = (
    "x-ratelimit-remaining-tokens", "x-ratelimit-remaining-tokens-minute", "anthropic-ratelimit-tokens-remaining",
)  # fmt: skip
_OF_TOKENS = (*_LIMIT, *_REMAINING)
_RESET = ("x-ratelimit-reset-tokens", "x-ratelimit-reset-tokens-minute", "anthropic-ratelimit-tokens-reset")
"""OpenAI, Azure and Groq; Mistral and Cerebras; Anthropic."""
_REQUESTS = (
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-requests-day", "x-ratelimit-reset-requests-day"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
)
"""What is left of requests, and until when: OpenAI and Groq; Cerebras; OpenRouter and gateways."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_PARTS = re.compile(r"(\d{1,15}(?:\.\d{0,15})?)(ms|s|m|h|d)", re.ASCII)
_EPOCH, _EPOCH_MS = 1e9, 1e11
"""Numbers from here on are dates: no wait takes thirty years."""


def rate_of(headers: Mapping[str, str]) -> RateLimit | None:
    """Tokens a minute, what is left of them and until when; None where nothing is said of tokens."""
    for name in _OF_TOKENS:
        if name in headers:
            break
    else:
        return None  # most answers
    limit, remaining = _count(_first(headers, _LIMIT)), _count(_first(headers, _REMAINING))
    if limit is None and remaining is None:
        return None
    return RateLimit(limit, remaining, seconds(_first(headers, _RESET)))


def wait_of(headers: Mapping[str, str]) -> float | None:
    """Seconds that the headers of a refusal ask to wait, `LONGEST_WAIT` at most; None where they say nothing."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    asked = seconds(headers.get("retry-after"))
    if asked is not None:
        return asked
    spent = [reset for left, reset in _REQUESTS if _count(headers.get(left)) == 0]
    if _count(_first(headers, _REMAINING)) == 0:
        spent += _RESET
    waits = [wait for name in spent if (wait := seconds(headers.get(name))) is not None]
    return max(waits, default=None)


def seconds(value: str | None) -> float | None:
    """Seconds from now in any of the notations, `LONGEST_WAIT` at most; None where it is none of them."""
    if not value:
        return None
    value = value.strip()
    number = _number(value)
    if number is not None:
        if _EPOCH <= number < float("inf"):
            number = number / (1000 if number >= _EPOCH_MS else 1) - time()
        return _bounded(number)
    if _PARTS.sub("", value) == "":
        return _bounded(sum(float(amount) * _UNITS[unit] for amount, unit in _PARTS.findall(value)))
    try:
        found = datetime.fromisoformat(value) if value[:4].isdigit() else parsedate_to_datetime(value)
        return _bounded(found.timestamp() - time())
    except (ValueError, OverflowError):
        return None


def _bounded(wait: float) -> float:
    return min(max(0.0, wait), LONGEST_WAIT)


def _first(headers: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := headers.get(name))), None)


def _number(value: str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _count(value: str | None) -> int | None:
    number = _number(value)
    return int(number) if number is not None and 0 <= number < 1e15 else None
