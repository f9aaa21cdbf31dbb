"""Seeded faults of the local endpoint, off unless asked for: those of Wikidata's service and the network.

Which fault a request gets depends on the seed, the query and how often that query was asked before, never on the order
in which requests arrive: a pull with faults can be repeated exactly.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from halluvault_tasks.errors import UserError

PASSING = {
    "throttled": "429 with Retry-After",
    "failed": "500",
    "heavy": "500 with the service's TimeoutException: the query is too much for it",
    "truncated": "200, the answer cut in the middle and ending in the service's Java stack trace",
    "short": "200, the answer cut in the middle, nothing to show it but the syntax",
    "cut": "the connection closed before the promised length is there",
    "reset": "the connection reset before any byte",
    "drip": "the whole answer, so slowly that it takes `drip` seconds",
    "dropped": "200, some rows silently missing (JSON answers that have rows; otherwise no fault)",
    "html": "200 with a web page",
    "invalid": "200 with bytes that are no UTF-8",
}
"""Faults drawn when none is named, each by what it looks like to the client."""
LASTING = {"forbidden": "403, as to a client without a proper User-Agent"}
"""Faults that come only when named: asking again cannot help."""
KINDS = (*PASSING, *LASTING)

TRACE = (
    b"SPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n"
    b"\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)\n"
    b"\tat com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)\n"
)
"""How Wikidata's service says that it gave up, before the first byte or in the middle of an answer."""

_ACCEPTED = (
    f"accepted: rate=SHARE (0 to 1), kinds=KIND+KIND with KIND one of {', '.join(KINDS)}, seed=N, retry_after=S, drip=S"
)


class Picker(Protocol):
    """Decides which requests go wrong."""

    retry_after: int
    """Seconds that a 429 asks to wait."""
    drip: float
    """Seconds that a slow answer takes."""

    def pick(self, query: str, headers: Mapping[str, str]) -> str:
        """The fault of one request, or an empty string."""


class EndpointFaults(NamedTuple):
    """What share of requests goes wrong, and how."""

    rate: float = 0.0
    kinds: tuple[str, ...] = tuple(PASSING)
    """Drawn evenly."""
    seed: int = 0
    retry_after: int = 1
    """Seconds that a 429 asks to wait."""
    drip: float = 90.0
    """Seconds that a slow answer takes."""


class FaultDraws:
    """Draws the faults that a setting describes."""

    def __init__(self, faults: EndpointFaults) -> None:
        self.faults = faults
        self.retry_after, self.drip = faults.retry_after, faults.drip
        self._asked: Counter[bytes] = Counter()

    def pick(self, query: str, headers: Mapping[str, str]) -> str:
        """The fault of one request, or an empty string; counts how often the query came."""
        if not self.faults.rate:
            return ""
        key = hashlib.sha256(query.encode()).digest()
        before = self._asked[key]
        self._asked[key] += 1
        draw = hashlib.sha256(f"{self.faults.seed}:{before}:".encode() + key).digest()
        if int.from_bytes(draw[:8]) >= self.faults.rate * 2**64:
            return ""
        return self.faults.kinds[int.from_bytes(draw[8:16]) % len(self.faults.kinds)]


def parse(text: str, base: EndpointFaults | None = None) -> EndpointFaults:
    """Read `rate=0.1,kinds=throttled+reset,seed=7,retry_after=1,drip=90`, each part optional.

    Args:
        text: the setting; empty changes nothing.
        base: what holds for parts not given; None takes the defaults.

    Raises:
        UserError: a part is none of these.
    """
    found = base or EndpointFaults()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = part.partition("=")
        try:
            found = _with(found, name, value)
        except ValueError as error:
            raise UserError(f"faults have {part!r}; {_ACCEPTED}", "for example rate=0.1,kinds=reset,seed=7") from error
    return found


def _with(faults: EndpointFaults, name: str, value: str) -> EndpointFaults:
    if name == "rate" and 0 <= (rate := float(value)) <= 1:
        return faults._replace(rate=rate)
    if name == "kinds" and (kinds := tuple(value.split("+"))) and set(kinds) <= set(KINDS):
        return faults._replace(kinds=kinds)
    if name == "seed":
        return faults._replace(seed=int(value))
    if name == "retry_after" and (seconds := int(value)) >= 0:
        return faults._replace(retry_after=seconds)
    if name == "drip" and 0 <= (drip := float(value)) < float("inf"):
        return faults._replace(drip=drip)
    raise ValueError(value)


def dropped(body: bytes, seed: bytes) -> bytes:
    """A JSON answer with about a tenth of its rows missing, at least one; unchanged where there is none to miss."""
    try:
        answer = json.loads(body)
        rows = answer["results"]["bindings"]
    except (ValueError, KeyError):
        return body
    keep = [row for number, row in enumerate(rows) if hashlib.sha256(seed + str(number).encode()).digest()[0] >= 26]
    answer["results"]["bindings"] = keep if len(keep) < len(rows) else rows[:-1]
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() if rows else body


def invalid(body: bytes) -> bytes:
    """A body with bytes in the middle that no UTF-8 has."""
    middle = len(body) // 2
    return body[:middle] + b"\xff\xfe\xc3" + body[middle:]
