"""What ends the questions to a model at once, since no waiting mends it: the message, and the way out."""

from datetime import UTC, datetime, timedelta

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.replies import Failure, UnknownShape

AGAIN = "check it with `halluvault models check`, then run the same command again: only what is missing is asked"

_WAYS_OUT = {
    401: "correct its API key (token_env or token_connection in models.yaml)",
    402: "fill up its account",
    403: "correct its API key (token_env or token_connection in models.yaml), or what the key may do",
    404: "correct base_urls, api and served_as in models.yaml",
    429: "raise the quota of its account, or wait until it is renewed",
}
"""Status of what bars every request → what to do."""

_SHORTEST_OUTAGE = 60.0


class Barred(UserError):
    """The server will answer nothing, however often it is asked, until a person acts or a far-off time has come."""


def barred(model: str, url: str, failure: Failure) -> Barred:
    """What ends a lane, and what to do about it.

    Args:
        model: registry name.
        url: of the replica.
        failure: what it says to every request.
    """
    if isinstance(failure, UnknownShape):
        why = "answers in a shape that is not known"
    else:
        why = "refuses a parameter" if failure.param else "answers nothing before somebody acts"
    return Barred(f"{model} {why} at {url}: {failure.reason}", f"{way_out(failure)}; {AGAIN}")


def way_out(failure: Failure) -> str:
    """What to do about a failure that no waiting mends."""
    if isinstance(failure, UnknownShape):
        return "correct `dialect` and `api` in models.yaml"
    if failure.param:
        return f"leave it out: `api: {{omit: [{failure.param}]}}` in models.yaml"
    return _WAYS_OUT.get(failure.status, "correct its entry in models.yaml, or fix the server")


def longest_wait(outage_seconds: float) -> float:
    """Seconds that a server may ask to wait before that ends the questions to it: a minute, even where no outage is."""
    return max(outage_seconds, _SHORTEST_OUTAGE)


def not_before(model: str, url: str, failure: Failure, outage_seconds: float) -> Barred | None:
    """What says until when, where a server asks to be left alone for longer than anybody should wait; else None.

    Args:
        model: registry name.
        url: of the replica.
        failure: what it says.
        outage_seconds: how long it would be waited for.
    """
    seconds = failure.retry_after or 0.0
    if seconds <= longest_wait(outage_seconds):
        return None
    until = datetime.now(UTC) + timedelta(seconds=seconds)
    return Barred(
        f"{model} at {url} is not to be asked again before {until:%Y-%m-%d %H:%M} UTC: {failure.reason}",
        "run the same command again then: only what is missing is asked",
    )
