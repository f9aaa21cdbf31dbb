"""What a refusal by a SPARQL service means: wait, ask for less, ask again, or tell a person.

The line that people see has the service's own reason (`reasons`), the status and the way out.
"""

import time
import urllib.error
from email.message import Message
from email.utils import parsedate_to_datetime

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import excess
from halluvault_tasks.knowledge.answer_failures import ServerFault, Throttled
from halluvault_tasks.knowledge.progress import duration
from halluvault_tasks.knowledge.reasons import line, reason

_LONGEST_WAIT = 900.0
_YEAR = 366 * 86_400.0


def of_status(endpoint: str, error: urllib.error.HTTPError, body: bytes, query: str) -> Exception:
    """The exception to raise for an HTTP status other than 200.

    Args:
        endpoint: as it may be shown.
        error: status and headers.
        body: of the refusal, unpacked.
        query: what was asked.
    """
    status, after, why = error.code, retry_after(error.headers), reason(body, query)
    because = f": {why}" if why else ""
    # QLever says 429 of a query that it cancels; where a 429 or 503 says when to come back, it is no such thing.
    told_to_wait = status in {429, 503} and after is not None
    if much := None if told_to_wait else excess.of_status(status, body, query):
        return much.error(f"HTTP {status}, {much.what}{because}")
    if status == 429 or told_to_wait:
        return _throttled(endpoint, status, after, because)
    if status >= 500 and status != 501:  # 501: no such method there, and so no SPARQL, now or later
        return ServerFault(f"HTTP {status}{because}")
    if status == 400:
        return UserError(f"{endpoint} refuses the query{because}")
    return UserError(f"{endpoint} answers HTTP {status} {line(error.reason)}{because}", _way_out(status, after, why))


def _throttled(endpoint: str, status: int, after: float | None, because: str) -> Exception:
    if after is not None and after > _LONGEST_WAIT:
        return Unavailable(
            f"{endpoint} asks to wait {duration(after)} (HTTP {status}){because}",
            "nothing is lost: run the same command again after that",
        )
    return Throttled(f"HTTP {status}, too many requests{because}", after)


def _way_out(status: int, after: float | None, why: str) -> str:
    if status == 403 and after is not None:
        until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(time.time() + min(after, _YEAR)))
        return f"that ends in {duration(after)}, at {until}: nothing is lost, run the same command again then"
    if status == 403 and "banned" in why.lower():
        return "nothing is lost: run the same command again when the ban has ended, with a longer --gap"
    if status == 403:
        return "often the User-Agent names no contact: set HALLUVAULT_CONTACT"
    if status in {404, 405, 501}:
        return "is this the URL of the SPARQL endpoint, such as https://query.wikidata.org/sparql?"
    return ""


def retry_after(headers: Message | None) -> float | None:
    """Seconds of a Retry-After header, given as a number or a date (RFC 9110 §10.2.3); None without one."""
    value = headers.get("Retry-After") if headers else None
    if headers is None or value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except ValueError:
        return 60.0  # unreadable: a careful minute
    try:
        # By the service's own clock, where it tells it.
        now = parsedate_to_datetime(headers.get("Date", "")).timestamp()
    except ValueError:
        now = time.time()
    return max(0.0, until - now)
