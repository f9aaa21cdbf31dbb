"""Asking simulated servers from tests: a plain HTTP client, events read off the wire, and models that echo."""

import http.client
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.record import Sent

TEXT = "Yes, that is right.\nThe key knowledge points are:\n1. Émile was born in Besançon. 2. \U0001f642"


def echo(model: str, prompt: str, seed: int | None) -> str:
    return TEXT if seed is None else f"{TEXT} {seed}"


def echoes() -> list[SimulatedModel]:
    """One that answers, one that is full, and one whose server knows neither sha nor pipeline tag."""
    small = ServerLimits(max_input_tokens=1024, max_total_tokens=2048)
    return [
        SimulatedModel("echo", echo, limits=small),
        SimulatedModel("full", echo, limits=small._replace(max_concurrent_requests=0)),
        SimulatedModel("local", echo, revision=None),
    ]


def recorded(path: Path) -> list[Sent]:
    """What a server recorded; a last line that a kill cut short is left out."""
    sent = []
    for line in path.read_text(encoding="utf-8", errors="surrogatepass").splitlines():
        try:
            sent.append(Sent(**json.loads(line)))
        except ValueError:
            continue
    return sent


async def freed(http: aiohttp.ClientSession, url: str) -> int:
    """The status of an invalid request once it gets as far as validation: a slot is free then."""
    while True:
        async with http.post(url, json={"inputs": ""}) as found:
            if found.status != 429:
                return found.status


class Got(dict[str, Any]):
    """A reply: its JSON object (a list under `list`), with status, headers and bytes."""

    status: int
    headers: Any
    raw: bytes

    @property
    def events(self) -> list[Any]:
        """The data of server-sent events; `[DONE]` as text."""
        found = []
        for block in self.raw.decode().split("\n\n"):
            if block.startswith("data: "):
                data = block.removeprefix("data: ")
                found.append(data if data == "[DONE]" else json.loads(data))
        return found


def ask(
    url: str,
    path: str,
    body: object = None,
    *,
    raw: bytes | None = None,
    kind: str = "application/json",
    key: str = "",
    method: str | None = None,
    **others: str,
) -> Got:
    """One request on a connection of its own; a status of failure is a reply like any other."""
    data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
    headers = {**others, **({"Content-Type": kind} if data is not None else {})}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, found, content = answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        status, found, content = error.code, error.headers, error.read()
    try:
        parsed = json.loads(content)
    except ValueError:
        parsed = {}
    got = Got(parsed if isinstance(parsed, dict) else {"list": parsed})
    got.status, got.headers, got.raw = status, found, content
    return got


def connection(url: str) -> http.client.HTTPConnection:
    """A connection that is kept alive."""
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
