"""Ad-hoc calls through huggingface_hub, the maintained client of text-generation-inference.

For one question at a time: `halluvault models check`. The library's traps are stepped around here: it would send the
operator's own Hugging Face token to the server, wait for ever, ask for the full text on `/`, and refuse even
127.0.0.1 in its offline mode.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx2
import huggingface_hub
from huggingface_hub.errors import HfHubHTTPError, InferenceTimeoutError
from huggingface_hub.utils._http import default_client_factory

from halluvault_tasks.errors import UserError


class HubAnswer(NamedTuple):
    """One answer to one question."""

    text: str
    finish_reason: str
    generated_tokens: int


def ask(
    base_url: str, question: str, parameters: Mapping[str, Any], timeout_seconds: float, token: str = ""
) -> HubAnswer:
    """Ask one question through `InferenceClient.text_generation`.

    Args:
        base_url: of the model, without a slash at the end.
        question: the prompt.
        parameters: TGI's parameters, by the names that both sides share.
        timeout_seconds: for the whole request.
        token: API key of the server; empty sends none.

    Raises:
        UserError: the server did not answer it; says what it said.
    """
    with _plain_transport(timeout_seconds, token):
        # The library falls back to the operator's token when none is given, so a word that is no token is given;
        # the transport then sets or removes the header.
        client = huggingface_hub.InferenceClient(
            base_url=f"{base_url}/generate", token=token or "none", timeout=timeout_seconds
        )
        try:
            output = client.text_generation(question, details=True, return_full_text=False, **parameters)
        except (HfHubHTTPError, InferenceTimeoutError, httpx2.HTTPError, json.JSONDecodeError) as error:
            said = str(error).strip().splitlines()
            raise UserError(
                f"{base_url} did not answer one question: {type(error).__name__}: {said[0] if said else 'no message'}",
                "read the server's log; `curl` its /health and /info",
            ) from error
    details = output.details
    return HubAnswer(
        output.generated_text, details.finish_reason if details else "", details.generated_tokens if details else 0
    )


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
