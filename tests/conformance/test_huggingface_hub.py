"""huggingface_hub's own clients, written against real TGI servers, read every answer of the simulated one."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from huggingface_hub import AsyncInferenceClient, InferenceClient
from huggingface_hub.errors import GenerationError, IncompleteGenerationError, OverloadedError, ValidationError
from huggingface_hub.inference._generated.types import TextGenerationInputGrammarType

from halluvault_tasks.local.simulator import texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.http_faults import parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from tests.local.simulated import TEXT

SCHEMA = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}
MESSAGES = [{"role": "user", "content": "hello"}]


def client(url: str) -> InferenceClient:
    # Without a token of its own it would send this machine's to the server.
    return InferenceClient(base_url=url, token="none", timeout=20)


def test_it_reads_an_answer_with_its_details(url: str) -> None:
    output = client(f"{url}/echo/generate").text_generation(
        "hello", details=True, max_new_tokens=400, return_full_text=False
    )
    assert output.generated_text == TEXT
    assert output.details is not None and output.details.finish_reason == "eos_token"
    assert output.details.generated_tokens == len(output.details.tokens)
    assert output.details.prefill == []


def test_at_the_root_it_gets_the_full_text_unless_it_says_otherwise(url: str) -> None:
    assert client(f"{url}/echo").text_generation("hello ") == "hello " + TEXT
    assert client(f"{url}/echo").text_generation("hello ", return_full_text=False) == TEXT


def test_it_reads_a_stream(url: str) -> None:
    # A client that nobody holds any more closes its streams.
    with client(f"{url}/echo") as hub:
        chunks = list(hub.text_generation("hello", stream=True, details=True, return_full_text=False))
    assert chunks[-1].generated_text == TEXT
    assert chunks[-1].details is not None and chunks[-1].details.input_length == 1
    assert "".join(chunk.token.text for chunk in chunks if not chunk.token.special) == TEXT


def test_it_reads_a_chat_and_its_stream(url: str) -> None:
    hub = client(f"{url}/echo/v1")
    whole = hub.chat_completion(MESSAGES, model="tgi", temperature=0, max_tokens=400)
    assert whole.choices[0].message.content == TEXT
    assert whole.choices[0].finish_reason == "stop"
    chunks = list(hub.chat_completion(MESSAGES, model="tgi", temperature=0, stream=True, max_tokens=400))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == TEXT
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_it_gets_what_its_grammar_asks_for(url: str) -> None:
    grammar = TextGenerationInputGrammarType(type="json", value=SCHEMA)
    text = client(f"{url}/echo/generate").text_generation("hello", grammar=grammar, max_new_tokens=100)
    assert isinstance(json.loads(text)["year"], int)
    # Whatever the server, it puts OpenAI's form into TGI's own.
    wanted: Any = {"type": "json_schema", "json_schema": {"name": "year", "schema": SCHEMA}}
    spoken = client(f"{url}/echo/v1").chat_completion(MESSAGES, model="tgi", temperature=0, response_format=wanted)
    assert isinstance(json.loads(spoken.choices[0].message.content or "")["year"], int)


def test_it_knows_our_errors_for_its_own(url: str) -> None:
    with pytest.raises(ValidationError, match="temperature"):
        client(f"{url}/echo/generate").text_generation("hello", temperature=0.0)
    with pytest.raises(OverloadedError):
        client(f"{url}/full/generate").text_generation("hello")
    with client(f"{url}/full") as hub, pytest.raises(OverloadedError):
        list(hub.text_generation("hello", stream=True))
    with client(f"{url}/echo") as hub, pytest.raises(ValidationError):
        list(hub.text_generation("hello", temperature=0.0, stream=True))


@pytest.mark.parametrize(
    ("kind", "error"), [("generation", GenerationError), ("incomplete", IncompleteGenerationError)]
)
def test_it_knows_a_failed_generation(kind: str, error: type[Exception]) -> None:
    model = SimulatedModel("m", texts.answer, faults=parse(f"{kind}=1"), pacing=Pacing(latency_seconds=0.0))
    with serving([model]) as url, pytest.raises(error):
        client(f"{url}/m/generate").text_generation("hello")


def test_it_takes_a_stream_without_an_end_for_whole() -> None:
    model = SimulatedModel("m", texts.answer, faults=parse("short=1"))
    with serving([model]) as url, client(f"{url}/m") as hub:
        chunks = list(hub.text_generation("hello", stream=True, details=True))
    # Why the bulk path does not go through it: nothing tells this from an answer.
    assert chunks and chunks[-1].generated_text is None


def test_it_reads_the_endpoints_info_and_health(url: str) -> None:
    hub = InferenceClient(provider="hf-inference", api_key="none", timeout=20)
    info = hub.get_endpoint_info(model=f"{url}/echo")
    assert (info["model_id"], info["max_concurrent_requests"]) == ("simulated/echo", 128)
    assert hub.health_check(model=f"{url}/echo") is True


def test_the_asynchronous_client_reads_the_same(url: str) -> None:
    async def both() -> tuple[str, str]:
        hub = AsyncInferenceClient(base_url=f"{url}/echo/generate", token="none", timeout=20)
        chat = AsyncInferenceClient(base_url=f"{url}/echo/v1", token="none", timeout=20)
        text = await hub.text_generation("hello", max_new_tokens=400)
        parts = []
        stream = await chat.chat_completion(MESSAGES, model="tgi", temperature=0, stream=True, max_tokens=400)
        async for chunk in stream:
            parts.append(chunk.choices[0].delta.content or "")
        await hub.close()
        await chat.close()
        return text, "".join(parts)

    assert asyncio.run(both()) == (TEXT, TEXT)


def test_offline_it_does_not_even_ask_this_machine(url: str) -> None:
    code = f"""
from huggingface_hub import InferenceClient
InferenceClient(base_url={url + "/echo/generate"!r}, token="none").text_generation("hello")
"""
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "OfflineModeIsEnabled" in done.stderr
