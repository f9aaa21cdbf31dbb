"""Bytes to and from a model server: one request out, one whole body or event stream in, or one `Failure`.

Bulk work goes through aiohttp and not through huggingface_hub, because only aiohttp gives the server's timing headers,
an unbounded connection pool and a low cost per request (docs/querying.md has the figures). `hub` does the same through
that library. Retries are decided elsewhere (`retry_policy`). A request that is cancelled or times out closes its
connection, which tells the server that it may free the slot.
"""

import json
from collections.abc import AsyncIterator, Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, NamedTuple

import aiohttp
import orjson

from halluvault_tasks.querying.replies import Failure, Kind, storable

CONNECT_SECONDS = 5.0
INFO_SECONDS = 10.0
"""For an answer that needs no model. A server that does one thing at a time gives it between two others."""

# Servers send a keep-alive comment every 15 s, so three missed ones are a hang.
_SILENCE_SECONDS = 45.0
_SHOWN = 300
MOST_BYTES = 8 << 20
"""Of one answer, streamed or whole. A long one of a model has some thousands; beyond this a server means harm."""
_SHORTEST_KEY = 6
_LONGEST_WAIT = 86_400.0
_FATAL = frozenset({400, 401, 403, 404, 405, 413, 415, 422, 501})
FULL = frozenset({429, 503, 529})
"""Statuses of a server, or of a gateway before it, that is full."""
_NO_PLACE = b'"error_type":"overloaded"'
"""TGI's own words, when every permit is taken."""


class Body(NamedTuple):
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """The way to one base URL.

    Args:
        session: shared by all clients of a process; made with `TCPConnector(limit=0)`, since the number of open
            requests is bounded by the lane and not by the pool.
        base_url: without a slash at the end.
        timeout_seconds: for a whole request: the server's queue and its generation.
        token: API key, sent as a bearer token; empty for none.
    """

    def __init__(self, session: aiohttp.ClientSession, base_url: str, timeout_seconds: float, token: str = "") -> None:
        self.base_url = base_url
        self._session = session
        # A gateway may pack answers: they are unpacked piece by piece, and the cap counts what comes out.
        self._headers = {"Content-Type": "application/json"}
        self._key = token.encode() if len(token) >= _SHORTEST_KEY else b""
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._whole = aiohttp.ClientTimeout(total=timeout_seconds, sock_connect=CONNECT_SECONDS)
        self._streamed = aiohttp.ClientTimeout(
            total=timeout_seconds, sock_connect=CONNECT_SECONDS, sock_read=_SILENCE_SECONDS
        )

    async def get(self, path: str, seconds: float = INFO_SECONDS) -> Body:
        """`GET path`, with any status.

        Args:
            path: from the base URL on.
            seconds: for the whole answer.

        Raises:
            Failure: no whole answer came.
        """
        timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
        return await self._exchange("GET", path, None, timeout)

    async def post(self, path: str, payload: Mapping[str, Any]) -> Body:
        """`POST path` with a JSON body.

        Raises:
            Failure: no whole answer came, or it has another status than 200.
        """
        data = orjson.dumps(payload)
        answer = await self._exchange("POST", path, data, self._whole)
        if answer.status != 200:
            raise refused(answer)
        return answer

    async def events(self, path: str, payload: Mapping[str, Any]) -> AsyncIterator[Any]:
        """`POST path`, and each server-sent event's JSON until the stream ends; `[DONE]` is left out.

        Raises:
            Failure: the answer is no event stream, or breaks off.
        """
        data = orjson.dumps(payload)
        try:
            async with self._session.post(
                self.base_url + path, data=data, headers=self._headers, timeout=self._streamed, allow_redirects=False
            ) as answer:
                if answer.status != 200:
                    raise refused(Body(answer.status, answer.headers, await self._read(answer)))
                if answer.content_type != "text/event-stream":
                    body = await self._read(answer)
                    raise Failure(Kind.RETRYABLE, f"HTTP 200 with no event stream: {first_line(body)!r}", 200)
                async for line in _lines(answer.content):
                    # Some servers leave the space out; comments (keep-alives) begin with a colon.
                    if not line.startswith(b"data:"):
                        continue
                    event = self._without_key(line[5:].strip())
                    if event != b"[DONE]":
                        yield parsed(event)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._broken(error, path, self._streamed) from error

    async def _exchange(self, method: str, path: str, data: bytes | None, timeout: aiohttp.ClientTimeout) -> Body:
        try:
            async with self._session.request(
                method, self.base_url + path, data=data, headers=self._headers, timeout=timeout, allow_redirects=False
            ) as answer:
                return Body(answer.status, answer.headers, await self._read(answer))
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._broken(error, path, timeout) from error

    async def _read(self, answer: aiohttp.ClientResponse) -> bytes:
        """The whole body, at most `MOST_BYTES` of it in memory, with our key removed.

        Raises:
            Failure: it has more.
        """
        parts, size = [], 0
        async for part in answer.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                answer.close()
                raise too_long(answer.status)
        return self._without_key(b"".join(parts))

    def _without_key(self, body: bytes) -> bytes:
        """A server that echoes the key it was asked with must not bring it into rows, logs and views."""
        return body.replace(self._key, b"[key]") if self._key else body

    def _broken(self, error: BaseException, path: str, timeout: aiohttp.ClientTimeout) -> Failure:
        if isinstance(error, TimeoutError):
            seconds = timeout.total or 0.0
            if isinstance(error, aiohttp.SocketTimeoutError) and timeout.sock_read:
                seconds = timeout.sock_read
            return Failure(Kind.RETRYABLE, f"no answer within {seconds:g} s", timed_out=True)
        if isinstance(error, aiohttp.InvalidURL):
            return Failure(Kind.FATAL, f"{self.base_url + path!r} is not a URL")
        if isinstance(error, aiohttp.ClientConnectorError):
            return Failure(Kind.RETRYABLE, f"cannot connect: {error.os_error.strerror or error.os_error}")
        what = str(error) or type(error).__name__
        return Failure(Kind.RETRYABLE, storable(f"connection broke: {what[:_SHOWN]}"))


async def _lines(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    """Lines of a stream, of any length (the reader's own `readline` refuses long ones)."""
    rest, size = b"", 0
    async for chunk in content.iter_any():
        size += len(chunk)
        if size > MOST_BYTES:
            raise too_long(200)
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.strip()
    if rest:
        yield rest.strip()


def too_long(status: int) -> Failure:
    """Of an answer that continues beyond `MOST_BYTES`."""
    return Failure(Kind.RETRYABLE, f"HTTP {status} with an answer of more than {MOST_BYTES >> 20} MB", status)


def refused(answer: Body) -> Failure:
    """Classify a status. Bodies are a server's JSON, a web framework's plain text or a proxy's page."""
    status = answer.status
    reason = f"HTTP {status}: {said(answer.body)}"
    wait = _retry_after(answer.headers.get("Retry-After"))
    if status in FULL:
        return Failure(Kind.OVERLOADED, reason, status, wait, no_place=_NO_PLACE in answer.body)
    if status in _FATAL or 200 <= status < 400:
        return Failure(Kind.FATAL, reason, status)
    return Failure(Kind.RETRYABLE, reason, status, wait)


def parsed(body: bytes) -> Any:
    """The JSON of a body that came with status 200.

    Raises:
        Failure: it is no JSON: a page of a proxy, or a body cut short.
    """
    try:
        return orjson.loads(body)
    except ValueError:
        pass
    try:
        return json.loads(body)  # takes what is no JSON to the letter, as half a surrogate pair, and costs three times
    except (ValueError, RecursionError) as error:
        raise Failure(Kind.RETRYABLE, f"HTTP 200 with a body that is not JSON: {first_line(body)!r}", 200) from error


def said(body: bytes) -> str:
    """What an error body says, in the shapes seen in the wild: {error}, {error: {message}}, {detail}, text."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return first_line(body) or "(empty body)"
    if isinstance(raw, dict):
        text = raw.get("error", raw.get("detail", raw.get("message")))
        if isinstance(text, dict):
            text = text.get("message")
        if isinstance(text, str):
            return storable(" ".join(text.split())[:_SHOWN])
    return first_line(body)


def first_line(body: bytes) -> str:
    """The first line of any body, short enough for a message."""
    lines = body[: 8 * _SHOWN].decode("utf-8", "replace").strip().splitlines()
    return storable(lines[0][:_SHOWN]) if lines else ""


def whole(value: object) -> int | None:
    """A count or a time in milliseconds from JSON or a header; None if it is not one."""
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 2**31 else None


def _retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header (RFC 9110 §10.2.3: delay or date), a day at most; None where unreadable."""
    if not value:
        return None
    try:
        return min(max(0.0, float(value)), _LONGEST_WAIT)
    except ValueError:
        pass
    try:
        return min(max(0.0, parsedate_to_datetime(value).timestamp() - time()), _LONGEST_WAIT)
    except (ValueError, OverflowError):
        return None
