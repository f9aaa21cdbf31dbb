"""Ad-hoc calls through huggingface_hub, the maintained client of text-generation-inference.

For one question at a time: `halluvault models check`, which thereby also checks that the bulk transport and the library
read the same server alike. The library's traps are stepped around here: it would send the
operator's own Hugging Face token to the server, wait for ever, ask for the full text on `/`, and refuse even
127.0.0.1 in its offline mode.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import httpx2
import huggingface_hub
from huggingface_hub.errors import HfHubHTTPError, InferenceTimeoutError
from huggingface_hub.utils._http import default_client_factory

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.dialect_openai import chat_fields
from halluvault_tasks.querying.registry import Model, Server
from halluvault_tasks.querying.replies import Failure, Kind
from halluvault_tasks.querying.retries import A_MOMENT, patiently
from halluvault_tasks.querying.transport import FULL


class HubAnswer(NamedTuple):
    """One answer to one question."""

    text: str
    finish_reason: str
    generated_tokens: int


def ask(
    entry: Model, home: Server, question: str, served_as: str, token: str = "", sends: Mapping[str, Any] = {}
) -> HubAnswer:
    """Ask one question of a model's first replica; while it or a gateway before it is full, ask again.

    Args:
        entry: a model; its route decides between `text_generation` (TGI, raw) and `chat_completion`.
        home: its server.
        question: the prompt.
        served_as: name that the chat route knows the model by.
        token: API key of the server; empty sends none.
        sends: sampling parameters without which the model would not be greedy (`verify.Behaviour`).

    Raises:
        UserError: the server did not answer it; says what it said.
    """
    base_url = entry.base_urls[0]

    async def once() -> HubAnswer:
        return _ask(entry, home, question, served_as, token, sends)

    try:
        return asyncio.run(patiently(once, A_MOMENT, Random()))
    except Failure as failure:
        raise UserError(
            f"{base_url} did not answer one question: {failure.reason}",
            "read the server's log; `curl` its /health, and its /info or /v1/models",
        ) from failure


def _ask(entry: Model, home: Server, question: str, served_as: str, token: str, sends: Mapping[str, Any]) -> HubAnswer:
    base_url = entry.base_urls[0]
    parameters = entry.sampling.parameters() | dict(sends)
    with _plain_transport(home.timeout_seconds, token):
        # The library falls back to the operator's token when none is given, so a word that is no token is given;
        # the transport then sets or removes the header.
        given: dict[str, Any] = {"token": token or "none", "timeout": home.timeout_seconds}
        try:
            if entry.dialect == "tgi" and entry.route == "completions":
                client = huggingface_hub.InferenceClient(base_url=f"{base_url}/generate", **given)
                return _generated(client.text_generation(question, details=True, return_full_text=False, **parameters))
            client = huggingface_hub.InferenceClient(base_url=f"{base_url}/v1", **given)
            fields = chat_fields(parameters)
            extra = {name: value for name, value in fields.items() if name in parameters.get("extra", {})}
            plain = {name: value for name, value in fields.items() if name not in extra}
            messages = [{"role": "user", "content": question}]
            return _chatted(client.chat_completion(messages, model=served_as, extra_body=extra or None, **plain))
        except (HfHubHTTPError, InferenceTimeoutError, httpx2.HTTPError, json.JSONDecodeError) as error:
            said = str(error).strip().splitlines()
            full = isinstance(error, HfHubHTTPError) and error.response.status_code in FULL
            kind = Kind.OVERLOADED if full else Kind.FATAL
            raise Failure(kind, f"{type(error).__name__}: {said[0] if said else 'no message'}") from error


def _generated(output: Any) -> HubAnswer:
    details = output.details
    return HubAnswer(
        output.generated_text, details.finish_reason if details else "", details.generated_tokens if details else 0
    )


def _chatted(output: Any) -> HubAnswer:
    choice = output.choices[0]
    return HubAnswer(choice.message.content or "", choice.finish_reason, output.usage.completion_tokens)


@contextmanager
def _plain_transport(timeout_seconds: float, token: str) -> Iterator[None]:
    """A client without the library's offline check, for as long as one call."""

    def without_token(request: httpx2.Request) -> None:
        if not token:
            request.headers.pop("authorization", None)

    def factory() -> httpx2.Client:
        return httpx2.Client(event_hooks={"request": [without_token]}, timeout=timeout_seconds)

    huggingface_hub.set_client_factory(factory)
    try:
        yield
    finally:
        huggingface_hub.set_client_factory(default_client_factory)
