"""A thin transport to text-generation-inference: one request in, one answer or one classified failure out.

Bulk work goes through here and not through huggingface_hub, because only here are the server's timing headers
visible and the connection pool unbounded; the library is used for ad-hoc calls (`querying.hub`) and as a
conformance check of both ends. Retries are decided elsewhere (`querying.retries`).
"""

import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import Enum
from time import time
from typing import Any, NamedTuple

import aiohttp

_CONNECT_SECONDS = 5.0
_INFO_SECONDS = 10.0
_SHOWN = 300
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_FATAL = frozenset({400, 401, 403, 404, 405, 413, 415, 422})


class Kind(Enum):
    """What a failure means for the next step."""

    OVERLOADED = "overloaded"
    """429: the server is sound and full; wait, and do not count it."""
    RETRYABLE = "retryable"
    """The request may succeed unchanged: 5xx, a failed batch (424), a reset, a body cut short, a proxy's page."""
    FATAL = "fatal"
    """The request will never succeed unchanged: validation, a wrong URL, a missing key."""


class Failure(Exception):
    """One request that brought no answer.

    Args:
        kind: what it means for the next step.
        reason: one line for people: status and what the body said, or what happened to the connection.
        status: HTTP status, 0 when no answer arrived.
        retry_after: seconds that the server (or a proxy) asked to wait.
    """

    def __init__(self, kind: Kind, reason: str, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.status = status
        self.retry_after = retry_after


class Reply(NamedTuple):
    """One generated answer, as the server sent it."""

    text: str
    finish_reason: str
    """length, eos_token or stop_sequence."""
    prompt_tokens: int | None
    generated_tokens: int | None
    queue_ms: int | None
    inference_ms: int | None
    total_ms: int | None


class ServerInfo(NamedTuple):
    """What `/info` says. Read leniently: versions 2 and 3 differ, and a local model has no sha."""

    model_id: str
    model_sha: str | None
    version: str | None
    max_concurrent_requests: int | None
    max_input_tokens: int | None
    max_total_tokens: int | None

    @property
    def identity(self) -> tuple[str, str | None, str | None]:
        """What must not change under a run: model_id, model_sha, server version."""
        return (self.model_id, self.model_sha, self.version)


def storable(text: str) -> str:
    """The text as Postgres can keep it: NUL and unpaired surrogates become U+FFFD, nothing else changes."""
    return _UNSTORABLE.sub("\ufffd", text)


class TgiClient:
    """One replica of one model behind a base URL.

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
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout = aiohttp.ClientTimeout(total=timeout_seconds, sock_connect=_CONNECT_SECONDS)

    async def generate(self, prompt: str, parameters: Mapping[str, Any]) -> Reply:
        """Ask once through `POST /generate`.

        Args:
            prompt: sent as `inputs`, unchanged.
            parameters: TGI's `parameters`; `details` is added, and `return_full_text` is switched off.

        Raises:
            Failure: any other outcome than one whole answer.
        """
        payload = {
            "inputs": prompt,
            # Always explicit: TGI samples when `parameters` is absent and is greedy when it is {}.
            "parameters": {**parameters, "details": True, "return_full_text": False},
        }
        status, headers, body = await self._exchange("POST", "/generate", self._timeout, payload)
        if status != 200:
            raise _refused(status, headers, body)
        return _reply(headers, body)

    async def info(self) -> ServerInfo:
        """Ask `GET /info`: identity and limits.

        Raises:
            Failure: no answer, or one that is no TGI's.
        """
        status, headers, body = await self._exchange("GET", "/info", aiohttp.ClientTimeout(total=_INFO_SECONDS))
        if status != 200:
            raise _refused(status, headers, body)
        try:
            raw = json.loads(body)
            model_id = raw["model_id"]
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(Kind.FATAL, f"/info is no TGI's: {_first_line(body)!r}", status) from error
        return ServerInfo(
            model_id=storable(str(model_id)),
            model_sha=_text(raw.get("model_sha")),
            version=_text(raw.get("version")),
            max_concurrent_requests=_whole(raw.get("max_concurrent_requests")),
            max_input_tokens=_whole(raw.get("max_input_tokens", raw.get("max_input_length"))),
            max_total_tokens=_whole(raw.get("max_total_tokens")),
        )

    async def healthy(self) -> bool:
        """Whether `GET /health` answers 200."""
        try:
            status, _headers, _body = await self._exchange("GET", "/health", aiohttp.ClientTimeout(total=_INFO_SECONDS))
        except Failure:
            return False
        return status == 200

    async def _exchange(
        self, method: str, path: str, timeout: aiohttp.ClientTimeout, payload: Mapping[str, Any] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        try:
            async with self._session.request(
                method,
                self.base_url + path,
                json=payload,
                headers=self._headers,
                timeout=timeout,
                allow_redirects=False,
            ) as answer:
                return answer.status, answer.headers, await answer.read()
        except TimeoutError as error:
            raise Failure(Kind.RETRYABLE, f"no answer within {timeout.total:g} s") from error
        except aiohttp.InvalidURL as error:
            raise Failure(Kind.FATAL, f"{self.base_url + path!r} is no URL") from error
        except aiohttp.ClientConnectorError as error:
            raise Failure(Kind.RETRYABLE, f"cannot connect: {error.os_error.strerror or error.os_error}") from error
        except (aiohttp.ClientError, OSError) as error:
            what = str(error) or type(error).__name__
            raise Failure(Kind.RETRYABLE, f"connection broke: {what[:_SHOWN]}") from error


def _refused(status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """Classify a status. Bodies are TGI's JSON, axum's plain text or a proxy's page: all end in one line."""
    reason = f"HTTP {status}: {_said(body)}"
    wait = _retry_after(headers.get("Retry-After"))
    if status == 429:
        return Failure(Kind.OVERLOADED, reason, status, wait)
    if status in _FATAL or 300 <= status < 400:
        return Failure(Kind.FATAL, reason, status)
    return Failure(Kind.RETRYABLE, reason, status, wait)


def _reply(headers: Mapping[str, str], body: bytes) -> Reply:
    try:
        raw = json.loads(body)
    except ValueError as error:
        raise Failure(Kind.RETRYABLE, f"HTTP 200 with a body that is no JSON: {_first_line(body)!r}", 200) from error
    if isinstance(raw, list) and len(raw) == 1:
        raw = raw[0]  # some gateways route /generate to TGI's `/`, which answers with a list
    details = raw.get("details") if isinstance(raw, dict) else None
    text = raw.get("generated_text") if isinstance(raw, dict) else None
    finish = details.get("finish_reason") if isinstance(details, dict) else None
    if not isinstance(text, str) or not isinstance(finish, str):
        raise Failure(Kind.RETRYABLE, f"HTTP 200 without generated_text and details: {_first_line(body)!r}", 200)
    assert isinstance(details, dict)
    return Reply(
        text=text,
        finish_reason=storable(finish),
        prompt_tokens=_whole(headers.get("x-prompt-tokens")),
        generated_tokens=_whole(details.get("generated_tokens")),
        queue_ms=_whole(headers.get("x-queue-time")),
        inference_ms=_whole(headers.get("x-inference-time")),
        total_ms=_whole(headers.get("x-total-time")),
    )


def _said(body: bytes) -> str:
    """What an error body says, in the shapes seen in the wild: {error}, {error: {message}}, {detail}, text."""
    try:
        raw = json.loads(body)
    except ValueError:
        return _first_line(body) or "(empty body)"
    if isinstance(raw, dict):
        said = raw.get("error", raw.get("detail"))
        if isinstance(said, dict):
            said = said.get("message")
        if isinstance(said, str):
            return storable(said[:_SHOWN])
    return _first_line(body)


def _first_line(body: bytes) -> str:
    lines = body.decode("utf-8", "replace").strip().splitlines()
    return storable(lines[0][:_SHOWN]) if lines else ""


def _retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header (RFC 9110 §10.2.3: delay or date); None where unreadable."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < 2**31 else None


def _text(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None
