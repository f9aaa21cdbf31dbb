"""A polite, distrustful client of a SPARQL endpoint: gap, retries, circuit breaker; it accepts only complete answers.

What one request does is in `transport`; what a body must be, in `answers`; what happens between requests is here.
"""

import logging
import re
import threading
import time
import urllib.parse
from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple

import tenacity
from SPARQLWrapper import __version__ as wrapper_version

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import queries, transport
from halluvault_tasks.knowledge.answer_failures import (
    NoResults,
    Spoiled,
    Throttled,
    TimedOut,
    TooMuch,
    Transient,
    Unreachable,
)
from halluvault_tasks.knowledge.counted_answers import VIRTUOSO, CountedAnswer, Row, read_results
from halluvault_tasks.knowledge.queries import SelectQuery
from halluvault_tasks.knowledge.transport import is_local
from halluvault_tasks.settings import Settings
from halluvault_tasks.untrusted import without_password

__all__ = ["CountedAnswer", "Row", "TimedOut", "TooMuch", "WikidataClient", "is_local", "read_results"]

_log = logging.getLogger(__name__)
_SUSPECT = (NoResults, Unreachable)
FAILINGS = {VIRTUOSO: "it moves dates before Christ by a year or a day, so that each of them becomes unknown"}
"""What is wrong with the answers of an engine."""
_BREAKER = 4
_RESTS = 5
_CONTACT = re.compile(r"\S+@\S+\.\S+|https?://\S+")
_WAY_OUT = "nothing is lost: run the same command again once it answers (`halluvault doctor` checks it)"


class ServiceLimits(NamedTuple):
    """What is asked of a service at most."""

    deadline: float = 75.0
    """Seconds for a whole response. The default leaves the public service's own minute some room."""
    most_bytes: int = transport.MOST_BYTES
    """Of a whole response, unpacked; more is asked for in halves."""
    gap: float | None = None
    """Least seconds between the end of one request and the start of the next; None: 1 for a public endpoint and 0 for
    a local one."""
    in_flight: int = 1
    """Requests at a time. The operators of Wikidata's service ask for one."""


LIMITS = ServiceLimits()
"""What a public service tolerates."""


def configured_limits(configured: Settings) -> ServiceLimits:
    """The limits that an installation sets."""
    return ServiceLimits(
        configured.sparql_deadline,
        configured.sparql_most_mb << 20,
        configured.sparql_gap,
        configured.sparql_in_flight,
    )


class WikidataClient:
    """Asks a few queries at a time, by default one; every answer it returns is whole.

    Four failed requests in a row open the circuit: nothing is asked for `rest` seconds, then one tiny query; while
    that fails, the rest doubles, five times, and then the run gives up. A service that is down or overloaded is
    thereby left in peace, and no batch is blamed for it.

    Args:
        endpoint: URL of a SPARQL 1.1 Protocol endpoint.
        contact: mail address or page of the operator, sent in the User-Agent; required unless the endpoint is local.
        limits: what is asked of the service at most.
        attempts: how often a transient failure is met before the query itself is suspected.
        rest: seconds of the first rest; None means 60 for a public endpoint and 1 for a local one.
        sleep: waits that many seconds.
        clock: monotonic seconds.

    Raises:
        UserError: the URL is not http(s) or holds a password, or a public endpoint is used without a contact.
    """

    def __init__(
        self,
        endpoint: str,
        contact: str = "",
        *,
        limits: ServiceLimits = LIMITS,
        attempts: int = 6,
        rest: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        _require_address(endpoint)
        self.endpoint = without_password(endpoint)
        """Its URL, as it may be shown and stored: without a key in its query."""
        self.local = is_local(endpoint)
        if not self.local and not _CONTACT.search(contact):
            raise UserError(
                f"contact {contact!r} is neither an email address nor a web page, and {endpoint} is a public service",
                "set HALLUVAULT_CONTACT: Wikimedia's user-agent policy asks who runs this",
            )
        if any(ord(char) < 32 or ord(char) > 126 for char in contact):
            raise UserError(f"contact {contact!r} must be plain ASCII: it is sent in a header")
        self.agent = f"HalluVault/{version('halluvault')} ({contact or 'local'}) SPARQLWrapper/{wrapper_version}"
        self.gap = (0.0 if self.local else 1.0) if limits.gap is None else limits.gap
        self.in_flight = max(1, limits.in_flight)
        self.requests = 0
        """Sent so far, failed ones and probes included."""
        self.waited = 0.0
        """Seconds spent on gaps, back-off and rests."""
        self.engine = ""
        """What answers, where that matters (`counted_answers.VIRTUOSO`); else, and before the first answer, empty."""
        self._address = endpoint
        self._rest = (1.0 if self.local else 60.0) if rest is None else rest
        self._limits = limits
        self._sleep = sleep
        self._clock = clock
        self._attempts = attempts
        self._ended: float | None = None
        self._failures = 0
        self._answered = False
        self._slots = threading.BoundedSemaphore(self.in_flight)
        self._lock = threading.Lock()

    def select(self, query: SelectQuery) -> CountedAnswer:
        """Ask one SELECT query and return its whole answer.

        Raises:
            TooMuch: ask for less: it takes too long, or its answer stays broken while the service is well.
            UserError: refused; names the endpoint and what it said.
            Unavailable: the service is not there, or not well.
        """
        with self._slots:
            try:
                return self._retrying(query)
            except (Throttled, Unreachable) as error:
                raise self._unavailable(error) from error
            except Transient as error:
                if isinstance(error, NoResults) and not self._answered:
                    raise UserError(
                        str(error), "is this the URL of the SPARQL endpoint, such as https://query.wikidata.org/sparql?"
                    ) from error
                self._require_well(error)
                raise Spoiled(f"{error}, {self._attempts} times, though the service is well") from error

    def probe(self) -> None:
        """Ask the least there is: is it the service, or the batch?  Tells `engine`, too.

        Raises:
            Unavailable: the service does not answer even that.
        """
        with self._slots:
            self._require_well(None)

    def breathe(self) -> None:
        """Leave the service in peace for one rest."""
        self._pause(self._rest)

    def _retrying(self, query: SelectQuery, *survived: type[Exception]) -> CountedAnswer:
        retrying = tenacity.Retrying(
            stop=self._is_enough,
            wait=_wait,
            retry=tenacity.retry_if_exception_type((Transient, *survived)),
            sleep=self._pause,
            before_sleep=_say,
            reraise=True,
        )
        answer = retrying(self._once, query)
        return answer._replace(requests=retrying.statistics["attempt_number"])

    def _is_enough(self, state: tenacity.RetryCallState) -> bool:
        """Whether to stop: sooner while everything points to a wrong URL."""
        error = state.outcome.exception() if state.outcome else None
        most = min(3, self._attempts) if isinstance(error, _SUSPECT) and not self._answered else self._attempts
        return state.attempt_number >= most

    def _once(self, query: SelectQuery, guarded: bool = True) -> CountedAnswer:
        if guarded and self._failures >= _BREAKER:
            self._recover()
        with self._lock:
            wait = 0.0 if self._ended is None else self._ended + self.gap - self._clock()
            self.requests += 1
        if wait > 0:
            self._pause(wait)
        start = self._clock()
        try:
            reply = transport.fetch(
                self._address,
                query.text,
                agent=self.agent,
                deadline=self._limits.deadline,
                clock=self._clock,
                most_bytes=self._limits.most_bytes,
            )
            rows = read_results(reply.body, query, reply.most)
        except (Transient, TooMuch):
            self._failures += 1
            raise
        finally:
            self._ended = self._clock()
        self._failures, self._answered = 0, True
        if reply.engine and not self.engine:
            self.engine = reply.engine
            _log.warning("%s is %s: %s", self.endpoint, self.engine, FAILINGS[self.engine])
        return CountedAnswer(reply.body, rows, self._ended - start, engine=reply.engine)

    def _recover(self) -> None:
        """Leave the service in peace until it answers a tiny query again."""
        for number in range(_RESTS):
            rest = self._rest * 2**number
            _log.warning(
                "%d requests failed in a row: asking nothing of %s for %.0f s", self._failures, self.endpoint, rest
            )
            self._pause(rest)
            try:
                self._once(queries.probe(), guarded=False)
            except (Transient, TooMuch) as error:
                last = error
            else:
                return
        raise self._unavailable(last)

    def _require_well(self, cause: Exception | None) -> None:
        try:
            self._retrying(queries.probe(), TooMuch)
        except (Transient, TooMuch) as error:
            raise self._unavailable(cause or error) from error

    def _unavailable(self, error: Exception) -> Unavailable:
        tried = "fails" if self._attempts == 1 else "still fails after several attempts"
        return Unavailable(f"SPARQL endpoint {self.endpoint} {tried}: {error}", _WAY_OUT)

    def _pause(self, seconds: float) -> None:
        self.waited += seconds
        self._sleep(seconds)


def _require_address(endpoint: str) -> None:
    shown = without_password(endpoint)
    try:
        parts = urllib.parse.urlsplit(endpoint)
        well = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:  # of the port, or of a bracket
        well = False
    if "@" in endpoint:
        raise UserError(
            f"SPARQL endpoint {shown!r} holds a user and password, which are not sent and would be stored as its name",
            "take them out; a proxy of your own can add them",
        )
    if not well:
        raise UserError(
            f"SPARQL endpoint {shown!r} is not an http:// or https:// URL",
            "set HALLUVAULT_SPARQL_ENDPOINT, for example to https://query.wikidata.org/sparql",
        )


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, Throttled) and error.seconds is not None:
        return max(1.0, error.seconds)
    return float(min(60.0, 2.0 ** (state.attempt_number - 1)))


def _say(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    wait = state.next_action.sleep if state.next_action else 0.0
    _log.warning("SPARQL attempt %d failed: %s; next in %.0f s", state.attempt_number, error, wait)
