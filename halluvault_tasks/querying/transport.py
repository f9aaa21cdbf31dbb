"""Bytes to and from a model server: one request out, one whole body or event stream in, or one `Failure`.

Bulk work goes through aiohttp and not through huggingface_hub, because only aiohttp gives the server's timing headers,
an unbounded connection pool and a low cost per request (docs/querying.md has the figures). `hub` does the same through
that library. What an error means is said by `failures`; retries are decided elsewhere (`retry_policy`). A request that
is cancelled or times out closes its connection, which tells the server that it may free the slot.

An answer is read by what it is: some servers answer `stream: true` with one JSON body, and some label a stream as JSON
or text.
"""

import json
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import aiohttp
import orjson

from halluvault_tasks.querying.failures import ReplyBody, first_line, refused
from halluvault_tasks.querying.replies import Failure, FailureKind, storable

CONNECT_SECONDS = 5.0
INFO_SECONDS = 10.0
"""For an answer that needs no model. A server that does one thing at a time gives it between two others."""

# Servers send a keep-alive comment every 15 s, so three missed ones are a hang.
_SILENCE_SECONDS = 45.0
_SHOWN = 300
MOST_BYTES = 8 << 20
"""Of a whole answer, of an event and of what a stream says. A long answer has some thousands; beyond this a server
means harm."""
_MOST_STREAMED = 16 * MOST_BYTES
"""Of a stream, which repeats some hundred bytes around each token: 32,000 of them come to `MOST_BYTES`."""
_MOST_IN_A_FILE = 4 << 30
"""Of a file that is read line by line: 50,000 answers with long thoughts have less."""
_FILE_SECONDS = 3600.0
"""For a whole file, up or down."""
_SHORTEST_KEY = 6
_DONE = (200, 201)
_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
"""What a line of an event stream begins with (WHATWG HTML §9.2)."""
_BOM = b"\xef\xbb\xbf"


class Address(NamedTuple):
    """What every request to a server has beside its path.

    Attributes:
        query: appended to every URL.
        header: carries the key; `Authorization` as a bearer token, any other as it is.
    """

    query: Mapping[str, str] = {}
    header: str = "Authorization"

    def headers(self, token: str) -> dict[str, str]:
        """The header with the key; none where there is no key."""
        if not token:
            return {}
        return {self.header: f"Bearer {token}" if self.header.lower() == "authorization" else token}

    def url(self, base: str, path: str) -> str:
        """A whole URL."""
        joint = "&" if "?" in path else "?"
        return base + path + (f"{joint}{urlencode(self.query)}" if self.query else "")


class Transport:
    """The way to one base URL.

    Args:
        session: shared by all clients of a process; made with `TCPConnector(limit=0)`, since the number of open
            requests is bounded by the lane and not by the pool.
        base_url: without a slash at the end.
        timeout_seconds: for a whole request: the server's queue and its generation.
        token: API key; empty for none.
        address: how the key is sent, and what else belongs to every URL.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base_url: str,
        timeout_seconds: float,
        token: str = "",
        address: Address = Address(),
    ) -> None:
        self.base_url = base_url
        self._session = session
        self._address = address
        # A gateway may pack answers: they are unpacked piece by piece, and the cap counts what comes out.
        self._own = address.headers(token)
        self._headers = {"Content-Type": "application/json"} | self._own
        self._key = token.encode() if len(token) >= _SHORTEST_KEY else b""
        self._whole = aiohttp.ClientTimeout(total=timeout_seconds, sock_connect=CONNECT_SECONDS)
        self._streamed = aiohttp.ClientTimeout(
            total=timeout_seconds, sock_connect=CONNECT_SECONDS, sock_read=_SILENCE_SECONDS
        )
        self._of_file = aiohttp.ClientTimeout(
            total=_FILE_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=timeout_seconds
        )

    async def get(self, path: str, seconds: float = INFO_SECONDS) -> ReplyBody:
        """`GET path`, with any status.

        Args:
            path: from the base URL on.
            seconds: for the whole answer.

        Raises:
            Failure: no whole answer came.
        """
        timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS)
        return await self._exchange("GET", path, None, timeout)

    async def post(self, path: str, payload: Mapping[str, Any]) -> ReplyBody:
        """`POST path` with a JSON body.

        Raises:
            Failure: no whole answer came, or it has another status than 200 (or 201, of what was made).
        """
        data = orjson.dumps(payload)
        answer = await self._exchange("POST", path, data, self._whole)
        if answer.status not in _DONE:
            raise refused(answer, fields_of(payload))
        return answer

    async def upload(self, path: str, fields: Mapping[str, str], name: str, file: Path) -> ReplyBody:
        """`POST path` with a file as a form.

        Args:
            path: from the base URL on.
            fields: the form's other fields.
            name: of the file, for the server.
            file: what it holds.

        Raises:
            Failure: no whole answer came, or it has another status than 200.
        """
        with file.open("rb") as content:
            form = aiohttp.FormData(dict(fields))
            form.add_field("file", content, filename=name, content_type="application/jsonl")
            answer = await self._exchange("POST", path, form, self._of_file, self._own)
        if answer.status not in _DONE:
            raise refused(answer, fields)
        return answer

    async def lines(self, path: str) -> AsyncIterator[bytes]:
        """`GET path`: the lines of a file, without blank ones and our key.

        Raises:
            Failure: it does not come, or not whole, or has more than anybody can have meant.
        """
        url = self._address.url(self.base_url, path)
        try:
            async with self._session.get(
                url, headers=self._own, timeout=self._of_file, allow_redirects=False
            ) as answer:
                if answer.status != 200:
                    raise refused(ReplyBody(answer.status, answer.headers, await self._read(answer)))
                async for line in _lines(answer.content, b"", _MOST_IN_A_FILE):
                    if line:
                        yield self.without_key(line)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._broken(error, path, self._of_file) from error

    async def events(self, path: str, payload: Mapping[str, Any]) -> AsyncIterator[tuple[Any, Mapping[str, str]]]:
        """`POST path`, and each server-sent event's JSON with the answer's headers, until the stream ends.

        `[DONE]` is left out. A JSON body in place of a stream comes as one event.

        Raises:
            Failure: the answer is no event stream, or breaks off.
        """
        data = orjson.dumps(payload)
        try:
            async with self._session.post(
                self._address.url(self.base_url, path),
                data=data, headers=self._headers, timeout=self._streamed, allow_redirects=False,
            ) as answer:  # fmt: skip
                if answer.status != 200:
                    body = ReplyBody(answer.status, answer.headers, await self._read(answer))
                    raise refused(body, fields_of(payload))
                beginning = await _beginning(answer.content)
                if not _is_stream(beginning, answer.content_type):
                    for event in events_in(await self._read(answer, beginning)):
                        yield event, answer.headers
                    return
                reader = _EventReader()
                async for line in _lines(answer.content, beginning):
                    for event in reader.read(self.without_key(line)):
                        yield event, answer.headers
                for event in reader.end():
                    yield event, answer.headers
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._broken(error, path, self._streamed) from error

    async def _exchange(
        self,
        method: str,
        path: str,
        data: bytes | aiohttp.FormData | None,
        timeout: aiohttp.ClientTimeout,
        headers: Mapping[str, str] | None = None,
    ) -> ReplyBody:
        url, headers = self._address.url(self.base_url, path), self._headers if headers is None else headers
        try:
            async with self._session.request(
                method, url, data=data, headers=headers, timeout=timeout, allow_redirects=False
            ) as answer:
                return ReplyBody(answer.status, answer.headers, await self._read(answer))
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._broken(error, path, timeout) from error

    async def _read(self, answer: aiohttp.ClientResponse, beginning: bytes = b"") -> bytes:
        """The whole body, at most `MOST_BYTES` of it in memory, with our key removed.

        Raises:
            Failure: it has more.
        """
        parts, size = [beginning], len(beginning)
        async for part in answer.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                answer.close()
                raise too_long(answer.status)
        return self.without_key(b"".join(parts))

    def without_key(self, body: bytes) -> bytes:
        """A server that echoes the key it was asked with must not bring it into rows, logs and views."""
        return body.replace(self._key, b"[key]") if self._key else body

    def unkeyed(self, text: str) -> str:
        """The same of a text that came in pieces, in each of which there may be a part of it."""
        return text.replace(self._key.decode(), "[key]") if self._key else text

    def _broken(self, error: BaseException, path: str, timeout: aiohttp.ClientTimeout) -> Failure:
        if isinstance(error, TimeoutError):
            seconds = timeout.total or 0.0
            if isinstance(error, aiohttp.SocketTimeoutError) and timeout.sock_read:
                seconds = timeout.sock_read
            return Failure(FailureKind.RETRYABLE, f"no answer within {seconds:g} s", timed_out=True)
        if isinstance(error, aiohttp.InvalidURL):
            return Failure(FailureKind.FATAL, f"{self.base_url + path!r} is not a URL")
        if isinstance(error, aiohttp.ClientConnectorError):
            return Failure(FailureKind.RETRYABLE, f"cannot connect: {error.os_error.strerror or error.os_error}")
        what = str(error) or type(error).__name__
        return Failure(FailureKind.RETRYABLE, storable(f"connection broke: {what[:_SHOWN]}"))


def fields_of(payload: Mapping[str, Any]) -> Collection[str]:
    """Names of a request's fields: of TGI's own, of its parameters."""
    parameters = payload.get("parameters")
    return parameters if isinstance(parameters, Mapping) else payload


class _EventReader:
    """Lines of an event stream to the JSON of its events.

    An event ends at a blank line; servers that leave those out end it with its line. One that needs several lines is
    put together.
    """

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0

    def read(self, line: bytes) -> Iterator[Any]:
        """The event that this line completes, if it does."""
        if not line:
            yield from self.end()
        if not line.startswith(b"data:"):
            return  # a comment (a keep-alive), an event's name or number
        data = line[5:].strip()
        if not data or data == b"[DONE]":
            return
        try:
            found = None if self._held else loads(data)
        except (ValueError, RecursionError):
            found = None
        if found is None:
            self._hold(data)
        else:
            yield found

    def end(self) -> Iterator[Any]:
        """The event that is put together, if there is one."""
        held, self._held, self._size = self._held, [], 0
        if held:
            yield parsed(b"\n".join(held))

    def _hold(self, data: bytes) -> None:
        self._held.append(data)
        self._size += len(data)
        if self._size > MOST_BYTES:
            raise too_long(200)


def events_in(body: bytes) -> list[Any]:
    """The JSON of a whole body, as one event; or all events of a stream that came in place of it.

    Raises:
        Failure: it is neither.
    """
    start = body[:64].removeprefix(_BOM).lstrip()
    if not start.startswith(_FIELDS):
        return [parsed(body)]
    reader = _EventReader()
    found = [event for line in body.removeprefix(_BOM).splitlines() for event in reader.read(line.strip())]
    return found + list(reader.end())


async def _beginning(content: aiohttp.StreamReader) -> bytes:
    """As much of a body as tells a stream from JSON."""
    start = b""
    while len(start.removeprefix(_BOM).lstrip()) < 8:
        part = await content.readany()
        if not part:
            break
        start += part
        if len(start) > MOST_BYTES:
            raise too_long(200)
    return start


def _is_stream(beginning: bytes, label: str) -> bool:
    start = beginning.removeprefix(_BOM).lstrip()
    if start[:1] in (b"{", b"["):
        return False
    return start.startswith(_FIELDS) or label == "text/event-stream"


async def _lines(content: aiohttp.StreamReader, beginning: bytes, most: int = _MOST_STREAMED) -> AsyncIterator[bytes]:
    """Lines of a stream, of any length (the reader's own `readline` refuses long ones)."""
    *whole, rest = beginning.removeprefix(_BOM).split(b"\n")
    for line in whole:
        yield line.strip()
    size = len(beginning)
    async for chunk in content.iter_any():
        size += len(chunk)
        if size > most or len(rest) > MOST_BYTES:
            raise too_long(200)
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.strip()
    if rest:
        yield rest.strip()


def too_long(status: int) -> Failure:
    """Of an answer that continues beyond `MOST_BYTES`."""
    return Failure(FailureKind.RETRYABLE, f"HTTP {status} with an answer of more than {MOST_BYTES >> 20} MB", status)


def loads(data: bytes) -> Any:
    """JSON, also where it is none to the letter, as half a surrogate pair; a second look costs three times as much.

    Raises:
        ValueError, RecursionError: it is no JSON.
    """
    try:
        return orjson.loads(data)
    except ValueError:
        return json.loads(data)


def parsed(body: bytes) -> Any:
    """The JSON of a body that came with status 200.

    Raises:
        Failure: it is no JSON: a page of a proxy, or a body cut short.
    """
    try:
        return loads(body)
    except (ValueError, RecursionError) as error:
        raise Failure(
            FailureKind.RETRYABLE, f"HTTP 200 with a body that is not JSON: {first_line(body)!r}", 200
        ) from error


def whole(value: object) -> int | None:
    """A count or a time in milliseconds from JSON or a header; None if it is not one."""
    if value is None:
        return None
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:  # the common ones first
        return int(value)
    if type(value) is int:
        return value if 0 <= value < 2**31 else None
    if isinstance(value, bool) or not isinstance(value, (float, str)):
        return None
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 2**31 else None
