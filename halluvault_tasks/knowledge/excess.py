"""Whether a service refuses a query for what it takes (time, memory, length), told by all that it says.

Engines give one status many meanings: QLever says 429 of a query that it cancelled, Virtuoso 500 of one that it expects
to be long, Blazegraph 500 of whatever goes wrong. So the words decide, all of them together: those on what a query
takes count only where none says that the service has no room just now, is being shut down or loses its connections.
"""

import json
import re
from typing import NamedTuple

from halluvault_tasks.knowledge.answer_failures import TimedOut, TooMuch
from halluvault_tasks.knowledge.reasons import Page

_MOST = 1 << 16
"""Characters that are weighed, at either end of what was said."""
_TAIL = 1 << 16
"""Bytes at the end of an answer that may be the service's word; more than a stack trace has."""


class Excess(NamedTuple):
    """One way in which a query can be too much for a service; each is one object."""

    what: str
    """In words for people."""
    words: re.Pattern[str]
    """What tells of it."""
    statuses: frozenset[int] = frozenset()
    """HTTP statuses that mean it, whatever is said beside them."""
    error: type[TooMuch] = TooMuch
    """What it raises."""


_GAP = r"(?:[^.\n]|\.\d){0,60}?"
"""Up to some words of the same sentence; no names of classes, whose parts have a dot between them."""
_ASKED = r"(?:quer(?:y|ies)|operation|execution|evaluation|request|computation|processing|statement|transaction|thread)"
_ENDED = r"(?:cancel|abort|interrupt|terminat|kill|stopp)\w*"


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


LENGTH = Excess(
    "the query is too long or asks for too much",
    _any(
        rf"\b{_ASKED}{_GAP}\btoo (?:large|long|big|complex)\b",
        rf"\b(?:result|answer|response|output){_GAP}\b(?:too (?:large|long|big|many)|exceed|limit)",
        r"\btoo many (?:results|rows|triples|bindings|solutions|values|joins|patterns|variables|expressions)",
        rf"(?:exceed|maxim)\w*{_GAP}\b(?:rows|results|triples|bindings|lines of code|row length|result size)",
        rf"\bbody{_GAP}\b(?:limit|exceed|too (?:large|long|big))",
        r"code vector exceeded",
        r"\bstack ?overflow",
    ),
    statuses=frozenset((413, 414)),
)
MEMORY = Excess(
    "the query needs more memory than the service gives it",
    _any(
        r"out[ -]?of[ -]?memory",
        rf"memory{_GAP}(?:limit|exceed|exhaust|insufficient|reached|cancel)",
        rf"(?:insufficient|not enough|no more|lack of|low on|exceed\w*|exhaust\w*|limit\w*)\b{_GAP}"
        r"\b(?:memory|heap|ram)\b",
        r"heap space|gc overhead|bad[_ ]?alloc|mem(?:ory)?cancel",
        r"tried to allocate|(?:cannot|can't|could not|unable to|failed to) allocate",
        rf"allocation{_GAP}(?:fail|exceed)",
    ),
)
TIME = Excess(
    "the query timed out on the service",
    _any(
        r"(?<!connect)(?<!connect[ -])(?<!connection)(?<!connection[ -])time(?:[ds]?[ -]?out)",
        r"estimated execution time|too long (?:to|for)\b|\b(?:took|takes|taking|ran|runs|running) (?:for )?too long",
        rf"\b(?:time|deadline|duration|budget)\b{_GAP}(?:exceed|expire|elapsed|exhaust|is up|ran out|reached)",
        r"timelimit\w*exceed",
        rf"exceed\w*{_GAP}\b(?:time|deadline|seconds|minutes)\b",
        r"\bextime\b",
        rf"{_ASKED}{_GAP}\b{_ENDED}|\b{_ENDED}{_GAP}\b{_ASKED}|query{_ENDED}",
    ),
    statuses=frozenset((408, 504, 524)),  # 524 is Cloudflare's 504
    error=TimedOut,
)
_KINDS = (TIME, MEMORY, LENGTH)

_PASSING = _any(
    # No room just now.
    r"too many (?:requests|queries|connections|concurrent|clients|users|sessions)|rate[ -]?limit|throttl|slow down",
    r"(?<!memory )(?<!time )\bquota|\b(?:requests|queries) (?:per|a) |\boverload|queue (?:is )?full|\bbanned\b",
    rf"\bconcurrent (?:quer|request|connection|user|client){_GAP}",
    # Going down, or trouble between the two of us.
    r"shut(?:ting)?[ -]?down|\brestart|\bmaintenance|deadlock|\bstart(?:ing|s) up",
    r"connect(?:ion)?[ -]?tim|waiting for (?:a |an )?(?:\w+ )?(?:connection|slot|worker)",
    r"connection (?:is |was )?(?:not available|closed|reset|refused|lost|aborted)|client (?:disconnect|closed|abort)",
)
_BARE = re.compile(rf"\W*(?:\w+ )?(?:was |has been )?{_ENDED}\W*", re.IGNORECASE)
"""A message that is nothing else."""
_STATUS = re.compile(
    r"(?i)\W*(?:error|http)?\W*\d{0,3}\W*"
    r"(?:too many requests|service (?:temporarily )?unavailable|internal server error)\W*"
)
"""The status in words, which pages and JSON repeat."""
_FRAME = re.compile(r"(?m)^\s*at [\w.$/<>]+\(.*$")
_AT_THE_END = re.compile(
    rb"TimeoutException|Query(?:Cancelled|Interrupted)Exception|OutOfMemory|Query cancelled due to timeout"
    rb"|(?:Query|Operation) (?:timed out|was (?:manually )?cancelled)"
)
_TRAILER = b"!!!!>># An error has occurred"
"""What QLever writes before its word on an answer that it cannot end."""


def of_status(status: int, body: bytes, query: str) -> Excess | None:
    """The kind of excess that a refusal tells of, by its status or by its words."""
    if said := next((kind for kind in _KINDS if status in kind.statuses), None):
        return said
    much = of_refusal(body, query) if status in {400, 429} or status >= 500 else None
    # A query that is too long may be called a bad one; what takes time or memory is not.
    return much if status != 400 or much is LENGTH else None


def of_refusal(body: bytes, query: str = "") -> Excess | None:
    """The kind of excess that the body of a refusal tells of; None where it tells of none.

    Args:
        body: unpacked.
        query: what was asked, whose echo says nothing.
    """
    text = body.decode("utf-8", "replace").replace("\r\n", "\n")
    if query:
        text = text.replace(query.strip(), "")
    lines = [line for line in _lines(text) if not _STATUS.fullmatch(line)]
    message = _FRAME.sub("", "\n".join(lines))
    if len(message) > 2 * _MOST:
        message = f"{message[:_MOST]}\n{message[-_MOST:]}"
    if _PASSING.search(message):
        return None
    if any(_BARE.fullmatch(line) for line in lines):
        return TIME
    return next((kind for kind in _KINDS if kind.words.search(message)), None)


def of_answer(body: bytes) -> Excess | None:
    """The kind of excess that an answer ends with which began well; None where it ends with no such word.

    Blazegraph writes its stack trace into the middle of a string, Fuseki a remark after a clean end, QLever both. Only
    the end is looked at, and only for these words: what comes before is data, and a film may be called Time Out.
    """
    tail = body[-_TAIL:]
    _, marked, word = tail.rpartition(_TRAILER)
    if marked:
        return of_refusal(word)
    return TIME if _AT_THE_END.search(tail) else None


def _lines(text: str) -> list[str]:
    start = text.lstrip()[:2000].lower()
    if start.startswith("{"):
        try:
            return _strings(json.loads(text))
        except (ValueError, RecursionError):
            return text.splitlines()
    if start.startswith("<") and "<html" in start:
        page = Page.of(text)
        return [page.title, *page.texts]
    return text.splitlines()


def _strings(value: object) -> list[str]:
    """Every text in a JSON value but the echo of the query, a line each."""
    if isinstance(value, str):
        return value.splitlines()
    if isinstance(value, dict):
        value = [part for key, part in value.items() if key != "query"]
    return [line for part in value for line in _strings(part)] if isinstance(value, list) else []
