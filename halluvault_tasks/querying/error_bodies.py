"""What the body of an error says, whoever sent it.

No two providers agree: `{error: {message, type, param, code}}`, `{error, error_type}`, `{detail}` as text or as
pydantic's list, `{message: {detail: […]}}`, `[{error: …}]`, and one provider's body inside another's. So the whole body
is walked, level by level, and the first message counts.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from halluvault_tasks.querying.error_words import folded
from halluvault_tasks.querying.rates import LONGEST_WAIT, seconds
from halluvault_tasks.querying.replies import storable

_SHOWN, _READ = 300, 2400
"""Characters of a code, and of a message."""
_DEEPEST, _MOST_NODES = 8, 400
_WORDS = ("message", "msg", "detail", "error", "status_msg", "error_msg", "error_message")
_CODES = ("code", "type", "error_type", "status", "error_code", "errorcode", "status_code", "statuscode", "reason",
          "limit_source")  # fmt: skip
_WAITS = frozenset({"retrydelay", "retry_after", "retry_after_seconds"})
_ECHOES = frozenset({"input", "ctx", "url", "headers", "messages", "prompt", "flagged_input", "request", "body"})
"""What repeats our request."""
_FLAGS = frozenset({"flagged_input", "content_filter_result", "content_filter_results", "contentfilter"})
"""Beside which only a filter speaks: OpenRouter, Azure, Zhipu."""
_NOTHING = "provider returned error"
"""OpenRouter's message where the provider's own stands in `raw`."""
_TRY_AGAIN = re.compile(
    r"(?:try again|retry) in (?:about )?((?:\d{1,9}(?:\.\d{1,12})?(?:ms|[smhd]) ?)+|\d{1,9}(?:\.\d{1,12})?)"
    r" ?(second|minute)?",
    re.IGNORECASE,
)


class ErrorReport(NamedTuple):
    """What an error body says."""

    words: str
    """Its message, in one line."""
    codes: frozenset[str]
    """Codes, types and states in words, folded (`folded`)."""
    status: int = 0
    """A status of HTTP that the body itself states; 0: none."""
    param: str = ""
    """The field of the request that it names as such."""
    wait: float | None = None
    """Seconds that it asks to wait."""
    flagged: bool = False
    """Whether it reports what a content filter found."""


def told(raw: Any) -> ErrorReport:
    """Read the parsed JSON of an error."""
    found = list(_walked(raw))
    at, complaint = _located(raw)
    messages = (text for text in _under(found, _WORDS, str) if text.lower() != _NOTHING)
    words = " ".join(next(messages, complaint)[:_READ].split())
    if at and at not in words:
        words = f"{at}: {words}"
    codes = _under(found, _CODES, (str, int))
    waits = (seconds(str(value)) for value in _under(found, _WAITS, (str, int, float)))
    return ErrorReport(
        storable(words),
        frozenset(folded(str(code)[:_SHOWN]) for code in codes if not _status(code)),
        next(filter(None, map(_status, codes)), 0),
        next(iter(_under(found, ("param",), str)), at),
        next((wait for wait in waits if wait is not None), _asked_to_wait(words)),
        any(map(_speaks, _under(found, _FLAGS, object))),
    )


def _under(found: Sequence[tuple[str, Any]], names: Collection[str], kind: Any) -> list[Any]:
    """Values of one kind under any of the names, in their order."""
    return [value for name, value in found if name in names and isinstance(value, kind)]


def _walked(raw: Any) -> Iterator[tuple[str, Any]]:
    """Names, in small letters, and values of a body, level by level; what repeats our request is left out."""
    level: list[tuple[str, Any]] = [("", raw)]
    left = _MOST_NODES
    for _ in range(_DEEPEST):
        below: list[tuple[str, Any]] = []
        for name, value in level:
            left -= 1
            if left < 0:
                return
            yield name, value
            if name in _ECHOES:
                continue
            if isinstance(value, Mapping):
                below += [(str(key).lower(), inner) for key, inner in value.items()]
            elif isinstance(value, list):
                below += [(name, inner) for inner in value[:_MOST_NODES]]
            elif name == "raw" and isinstance(value, str):
                below.append(("error", _json_in(value)))
        level = below


def _json_in(text: str) -> Any:
    """A body within a body, as gateways hand on a provider's; the text itself where it is none."""
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def _located(raw: Any) -> tuple[str, str]:
    """The first field that pydantic complains of (`loc`), and its complaint."""
    for _, value in _walked(raw):
        place = value.get("loc") if isinstance(value, Mapping) else None
        if isinstance(place, Sequence) and not isinstance(place, str):
            steps = [str(step) for step in place if step not in ("body", "query")]
            complaint = value.get("msg")
            return ".".join(steps)[:_SHOWN], complaint if isinstance(complaint, str) else ""
    return "", ""


def _status(value: Any) -> int:
    """A status of HTTP, as number or in digits; 0 if it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return 0
    return number if 300 <= number < 600 else 0


def _speaks(value: Any) -> bool:
    """Whether a filter's finding says that something was found."""
    if isinstance(value, Mapping) and any(isinstance(one, Mapping) for one in value.values()):
        return any(isinstance(one, Mapping) and one.get("filtered") is True for one in value.values())
    return bool(value)


def _asked_to_wait(words: str) -> float | None:
    """`Please try again in 7m12.5s.`, as Groq, OpenAI and Gemini say it in words alone."""
    found = _TRY_AGAIN.search(words)
    if not found:
        return None
    amount, unit = found.group(1).replace(" ", ""), (found.group(2) or "").lower()
    wait = seconds(amount)
    return None if wait is None else min(wait * (60 if unit == "minute" else 1), LONGEST_WAIT)
