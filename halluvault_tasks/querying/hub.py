"""`client: hub`: answers asked for and read by huggingface_hub, the maintained client of text-generation-inference.

The library builds each request of `/generate` and `/v1/chat/completions` and reads the answer. We only carry it, by
the rules that hold for every model server's answer: a body is read up to `MOST_BYTES`, no redirect is followed, a
status other than 200 is a `Failure` before the library sees it (it would take a refusal's words for parameters to omit
from then on, for all servers), no key is sent but the server's own, and a request ends after its time. What the library
cannot do (identify a server, its template, count tokens) goes through our own transport.

How it is carried: `AsyncInferenceClient` of version 2.4 takes neither an HTTP client nor a transport, and makes its own
by the one factory that the whole process has (`set_async_client_factory`), which downloads use, too. It does so in one
method, once per instance. That method is overridden, so that each request has an instance and a carrier of its own, and
nothing of the process is changed. It is a private method: a library that renames it is noticed by every test here.
"""

import asyncio
import copy
import json
import ssl
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

import aiohttp
import httpx2
import huggingface_hub

from halluvault_tasks.querying.failures import ReplyBody, first_line, refused
from halluvault_tasks.querying.replies import Failure, FailureKind, UnknownShape, storable
from halluvault_tasks.querying.transport import (
    CONNECT_SECONDS,
    MOST_BYTES,
    Address,
    Transport,
    fields_of,
    parsed,
    too_long,
)

_NAMED = frozenset({"frequency_penalty", "max_tokens", "response_format", "seed", "stop", "temperature", "top_p"})
"""Fields of a chat request that the library has an argument for; the others are its `extra_body`."""
_CHAT = "/chat/completions"
_NO_TOKEN = "none"
"""Given where a server has no key: without any, the library sends the operator's own for Hugging Face."""
_OTHER_SHAPE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the library raises on a body of another shape than it expects."""


class Wire:
    """Connections of the library's requests in one event loop, without a limit, since lanes bound themselves."""

    def __init__(self) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._inner = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False, limits=limits)

    async def carry(self, request: httpx2.Request) -> ReplyBody:
        """One request, and its whole answer, of any status.

        Raises:
            Failure: none came.
        """
        # The whole request has its own limit (`HubTransport.post`): an answer may take long before its first byte.
        request.extensions = {**request.extensions, "timeout": {"connect": CONNECT_SECONDS}}
        try:
            answer = await self._inner.handle_async_request(request)
            try:
                return ReplyBody(answer.status_code, answer.headers, await _whole(answer))
            finally:
                await answer.aclose()
        except httpx2.TimeoutException as error:
            raise Failure(FailureKind.RETRYABLE, f"no answer within {CONNECT_SECONDS:g} s", timed_out=True) from error
        except httpx2.RequestError as error:
            what = "cannot connect" if isinstance(error, httpx2.ConnectError) else "connection broke"
            said = str(error) or type(error).__name__
            raise Failure(FailureKind.RETRYABLE, storable(f"{what}: {said[:300]}")) from error

    async def close(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


class _Carrier:
    """What the library posts one request through.

    Args:
        way: where it goes.
        payload: what it says, in our words.
    """

    def __init__(self, way: "HubTransport", payload: Mapping[str, Any]) -> None:
        self._way, self._payload = way, payload
        self.heard: ReplyBody | None = None

    async def post(self, url: str, *, json: Any, headers: Mapping[str, str], **_: Any) -> httpx2.Response:
        """The library's request to our address, with our key.

        Raises:
            Failure: another status than 200 came, or nothing.
        """
        own = {name: value for name, value in headers.items() if name.lower() != "authorization"}
        # Nothing packed: the library would unpack it without a limit.
        own |= self._way.own_headers | {"Accept-Encoding": "identity"}
        request = httpx2.Request("POST", self._way.own_url(url), json=json, headers=own)
        answer = await self._way.wire.carry(request)
        self.heard = answer = answer._replace(body=self._way.without_key(answer.body))
        if answer.status != 200:
            raise refused(answer, fields_of(self._payload))
        kind = {"Content-Type": "application/json"}
        return httpx2.Response(200, content=answer.body, headers=kind, request=request)


class _Library(huggingface_hub.AsyncInferenceClient):
    """The library's client with a carrier in the place of what it would make by the factory of the process."""

    carrier: _Carrier

    async def _get_async_client(self) -> Any:
        return self.carrier

    def by(self, carrier: _Carrier) -> "_Library":
        """A client for one request."""
        found = copy.copy(self)
        found.carrier = carrier
        return found


class HubTransport(Transport):
    """The way to one base URL, on which the library asks what it has a call for.

    Args:
        wire: connections of the library's requests.
        session: those of our own, for everything else.
        base_url: without a slash at the end.
        timeout_seconds: for a whole request.
        token: API key of the server; empty for none.
        address: how the key is sent, and what else belongs to every URL.
    """

    def __init__(
        self,
        wire: Wire,
        session: aiohttp.ClientSession,
        base_url: str,
        timeout_seconds: float,
        token: str = "",
        address: Address = Address(),
    ) -> None:
        super().__init__(session, base_url, timeout_seconds, token, address)
        self.wire, self.own_headers = wire, address.headers(token)
        self._seconds = timeout_seconds
        # It asks at any URL: ours is put in its place (`own_url`).
        self._library = _Library(base_url=f"{base_url}/generate", token=_NO_TOKEN)

    def own_url(self, url: str) -> str:
        """The library's URL with what belongs to every URL here."""
        return self._address.url(url, "")

    async def post(self, path: str, payload: Mapping[str, Any]) -> ReplyBody:
        """The answer as the library read it, written down again, with the headers that came with it.

        Raises:
            Failure: no whole answer came, or one that the library cannot read.
        """
        asks = path == "/generate" or path.endswith(_CHAT)
        if not asks:
            return await super().post(path, payload)
        carrier = _Carrier(self, payload)
        library = self._library.by(carrier)
        try:
            async with asyncio.timeout(self._seconds):
                if path == "/generate":
                    read = await library.text_generation(payload["inputs"], **payload["parameters"])
                else:
                    library.model = self.base_url + path
                    read = await _chatted(library, payload)
                written = json.dumps(_said(read))
        except TimeoutError as error:
            raise Failure(FailureKind.RETRYABLE, f"no answer within {self._seconds:g} s", timed_out=True) from error
        except _OTHER_SHAPE as error:
            if carrier.heard is None:
                raise
            return _unread(carrier.heard, error)
        assert carrier.heard is not None
        return ReplyBody(200, carrier.heard.headers, written.encode())


async def _chatted(library: _Library, payload: Mapping[str, Any]) -> Any:
    form = payload.get("response_format")
    if form is not None and form.get("type") == "json_schema":
        # The library puts it into TGI's words for any server, where others ignore it.
        raise Failure(FailureKind.FATAL, "huggingface_hub cannot send OpenAI's json_schema")
    named = {name: value for name, value in payload.items() if name in _NAMED}
    extra = {name: value for name, value in payload.items() if name not in _NAMED | {"model", "messages"}}
    return await library.chat_completion(payload["messages"], model=payload["model"], extra_body=extra or None, **named)


def _unread(answer: ReplyBody, error: Exception) -> ReplyBody:
    """An answer of status 200 that the library cannot read: an error, which our readers know, or another shape.

    Raises:
        Failure: it is no JSON, or none of an error.
    """
    if isinstance(raw := parsed(answer.body), dict) and raw.get("error"):
        return answer
    raise UnknownShape(f"HTTP 200 without what huggingface_hub reads: {first_line(answer.body)!r}") from error


async def _whole(answer: httpx2.Response) -> bytes:
    """The body of an answer, unpacked piece by piece, of which no more than `MOST_BYTES` are kept.

    Raises:
        Failure: it has more.
    """
    parts, size = [], 0
    async for part in answer.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise too_long(answer.status_code)
    return b"".join(parts)


def _said(read: Any) -> Any:
    """What the library read, without the fields that it adds as None for all that a server left out.

    What it has no field for it makes attributes, and not values of its dict. A finish_reason stays: one that is null is
    no answer's.
    """
    if is_dataclass(read):
        read = vars(read)
    if isinstance(read, dict):
        return {name: _said(value) for name, value in read.items() if value is not None or name == "finish_reason"}
    return [_said(value) for value in read] if isinstance(read, list) else read
