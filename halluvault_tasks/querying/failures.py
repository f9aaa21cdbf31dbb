"""What an error means for the next step: the one place where statuses, codes and words become a `Failure`.

The status says most of it. Where one status means several things, the body's codes decide, then its words: a 429 may
be a full server or an empty account, a 400 a prompt too long, a parameter that the model does not take, or a content
filter, whose refusal is an answer of the API and no failure at all (`Filtered`).
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import orjson
import re2

from halluvault_tasks.querying import error_words as known
from halluvault_tasks.querying.error_bodies import ErrorReport, told
from halluvault_tasks.querying.rates import rate_of, wait_of
from halluvault_tasks.querying.replies import Failure, FailureKind, storable

SHOWN = 300
"""Characters of a server's words in a message."""

FULL = frozenset({429, 498, 503, 529})
"""Statuses of a server, or of a gateway before it, that is full; 498 is Groq's."""
_BARRED = frozenset({401, 402, 403, 404, 405, 407, 410, 501})
_FATAL = frozenset({400, 406, 411, 413, 414, 415, 422, 431, 451})
_PARAMETERS = frozenset({400, 404, 422})
"""Statuses that come with a refused parameter; 404 is OpenRouter's, where no provider takes it."""
_FILTERS = frozenset({400, 403, 406, 422, 451})
"""Statuses by which an API refuses what a prompt says."""
_NO_PLACE = b'"error_type":"overloaded"'
"""TGI's own words, when every permit is taken."""
_AN_ERROR = 500
"""For an error that says nothing of its kind: asked again."""
_NO_PARAMETERS = frozenset({
    "messages", "prompt", "input", "inputs", "model", "content", "input_tokens", "parameters", "query", "body",
})  # fmt: skip
"""What a body may name as `param`, and what could not be left out."""


class ReplyBody(NamedTuple):
    """A whole answer of a server."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Filtered(Failure):
    """The API refuses what a prompt says: its answer, as far as there is one.

    Args:
        reason: one line for people.
        status: HTTP status, or the one that the body states.
        words: what the API said.
    """

    def __init__(self, reason: str, status: int, words: str) -> None:
        super().__init__(FailureKind.FATAL, reason, status)
        self.words = words


def refused(answer: ReplyBody, sent: Collection[str] = ()) -> Failure:
    """What an answer with another status than 200 means.

    Args:
        answer: of any server, gateway or proxy.
        sent: names of the fields that the request had.
    """
    try:
        raw = orjson.loads(answer.body)
    except ValueError:
        raw = None
    # A proxy's page is no word of the API, whatever it says about blocked requests.
    found = told(raw) if isinstance(raw, (dict, list)) else ErrorReport(first_line(answer.body), frozenset())
    words = found.words[:SHOWN] or first_line(answer.body) or "(empty body)"
    failure = _meant(answer.status, found, answer.headers, sent, f"HTTP {answer.status}: {words}", raw is not None)
    failure.no_place = failure.kind is FailureKind.OVERLOADED and _NO_PLACE in answer.body
    return failure


def error_within(raw: Any, headers: Mapping[str, str], sent: Collection[str] = ()) -> Failure:
    """What an error means that came with status 200: the same as with the status that it states, in digits or words.

    Args:
        raw: parsed JSON of a body, or of an event of a stream.
        headers: of the answer.
        sent: names of the fields that the request had.
    """
    found = told(raw)
    words = found.words[:SHOWN] or storable(repr(raw)[:SHOWN])
    status = found.status or _status_of(found)
    failure = _meant(status, found, headers, sent, f"HTTP 200 with an error ({status}): {words}", True)
    failure.no_place = bool(known.TGI_FULL.search(found.words))
    return failure


def first_line(body: bytes) -> str:
    """The first line of any body, short enough for a message."""
    lines = body[: 8 * SHOWN].decode("utf-8", "replace").strip().splitlines()
    return storable(lines[0][:SHOWN]) if lines else ""


def _status_of(found: ErrorReport) -> int:
    if found.codes & known.FILTER_CODES or known.TGI_FATAL.search(found.words):
        return 400
    if known.TGI_FULL.search(found.words):
        return 503
    return next((known.STATUSES[code] for code in sorted(found.codes) if code in known.STATUSES), _AN_ERROR)


def _meant(
    status: int, found: ErrorReport, headers: Mapping[str, str], sent: Collection[str], reason: str, of_api: bool
) -> Failure:
    filters = found.flagged or found.codes & known.FILTER_CODES or known.FILTER_WORDS.search(found.words)
    if of_api and status in _FILTERS and filters:
        return Filtered(reason, status, found.words[:SHOWN] or "content_filter")
    header = wait_of(headers)
    wait = found.wait if header is None else header
    kind, param = _kind(status, found, wait, sent)
    failure = Failure(kind, reason, status, wait if kind.passes else None, param=param)
    failure.rate = rate_of(headers)
    return failure


def _kind(status: int, found: ErrorReport, wait: float | None, sent: Collection[str]) -> tuple[FailureKind, str]:
    """What it means, and the parameter that it refuses."""
    if _is_spent(status, found, wait):
        return FailureKind.BARRED, ""
    if status in FULL or (status in (402, 403) and wait is not None):
        return FailureKind.OVERLOADED, ""
    long = found.codes & known.LONG_CODES or known.LONG_WORDS.search(found.words)
    if long and (status in _FATAL or status == 500):
        return FailureKind.FATAL, ""
    if status in _PARAMETERS and (param := _parameter(found, sent)):
        return FailureKind.BARRED, param
    no_model = found.codes & known.MODEL_CODES or known.MODEL_WORDS.search(found.words)
    if status in _BARRED or (status in _FATAL and no_model):
        return FailureKind.BARRED, ""
    return (FailureKind.FATAL if status in _FATAL or 200 <= status < 400 else FailureKind.RETRYABLE), ""


def _is_spent(status: int, found: ErrorReport, wait: float | None) -> bool:
    """Whether there is no money, or no quota that comes back by itself."""
    if found.codes & known.SPENT_CODES or known.SPENT_WORDS.search(found.words):
        return status != 402 or wait is None
    if known.QUOTA_WORDS.search(found.words):
        words = found.words
        if wait is None and not found.codes & known.QUOTA_OF_A_MINUTE:
            return True
        return bool(known.NOTHING_GRANTED.search(words) and not known.SOMETHING_GRANTED.search(words))
    return status == 402 and wait is None


def _parameter(found: ErrorReport, sent: Collection[str]) -> str:
    """The field of the request that an error refuses; empty where it is about something else."""
    if found.param:
        name = found.param.partition(".")[0].partition("[")[0]
        return "" if name.lower() in _NO_PARAMETERS else name[:60]
    if not known.REFUSES.search(found.words):
        return ""
    places = {name: _place(name, found.words) for name in sent if name not in _NO_PARAMETERS}
    named = [name for name, place in places.items() if place >= 0]
    return min(named, key=places.__getitem__, default="")


def _place(name: str, words: str) -> int:
    """Where a message names a field; −1: nowhere."""
    found = re2.search(rf"(?:^|[^\w.])({re2.escape(name)})(?:\W|$)", words)
    return int(found.start(1)) if found else -1
