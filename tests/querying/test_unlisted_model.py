"""A server that lists no model, as `transformers serve` over a local directory, is asked by the name it was given."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from halluvault_tasks.local.simulator.server import in_thread
from halluvault_tasks.querying.dialects.openai import OpenAiClient
from halluvault_tasks.querying.replies import Failure, Identity
from halluvault_tasks.querying.transport import Transport


async def _lists_nothing(scope: Any, receive: Any, send: Any) -> None:
    known = scope["path"] == "/v1/models"
    body = json.dumps({"object": "list", "data": []} if known else {"detail": "Not Found"}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200 if known else 404, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _identity(url: str, served_as: str) -> Identity:
    async with aiohttp.ClientSession() as session:
        client = OpenAiClient(Transport(session, url, 20.0), {"max_new_tokens": 5}, model=served_as)
        return (await client.info()).identity


def test_a_server_that_lists_no_model_is_asked_by_the_name_it_was_given() -> None:
    with in_thread(_lists_nothing) as url:  # type: ignore[arg-type]
        assert asyncio.run(_identity(url, "/models/mine")) == Identity("/models/mine", None, None)
        with pytest.raises(Failure, match="lists no model"):
            asyncio.run(_identity(url, ""))
