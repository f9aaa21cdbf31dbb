"""The OpenAI routes of the simulated server: shapes, traps, streams, and whom a conversation means."""

import json
from collections.abc import Iterator

import pytest

from halluvault_tasks.local.simulator import conversation, texts
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.server import serving
from tests.local.simulated import TEXT, Got, ask, echo

CHAT, PLAIN = "/echo/v1/chat/completions", "/echo/v1/completions"
STRICT, BASE = "/strict/v1/chat/completions", "/base/v1/chat/completions"


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    small = ServerLimits(max_input_tokens=1024, max_total_tokens=2048)
    models = [
        SimulatedModel("echo", echo, limits=small),
        SimulatedModel("full", echo, limits=small._replace(max_concurrent_requests=0)),
        SimulatedModel("strict", echo, template="alternating"),
        SimulatedModel("base", echo, template="none"),
        SimulatedModel("synthetic", texts.answer, blocking=False),
        SimulatedModel("says", lambda model, prompt, seed: prompt),
    ]
    with serving(models) as base:
        yield base


def chat(url: str, **body: object) -> Got:
    return ask(url, CHAT, {"messages": user("hello"), "temperature": 0, **body})


def test_a_chat_answers_in_one_choice_with_usage(url: str) -> None:
    got = chat(url)
    [choice] = got["choices"]
    assert choice == {
        "index": 0, "message": {"role": "assistant", "content": TEXT}, "logprobs": None, "finish_reason": "stop",
    }  # fmt: skip
    assert (got["object"], got["id"], got["model"]) == ("chat.completion", "", "simulated/echo")
    usage = got["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert got.headers["x-prompt-tokens"] == str(usage["prompt_tokens"])
    assert got.headers["x-generated-tokens"] == str(usage["completion_tokens"])


@pytest.mark.parametrize(("body", "reason"), [({"max_tokens": 3}, "length"), ({"stop": ["key"]}, "stop_sequence")])
def test_a_chat_ends_for_the_reason_that_it_names(url: str, body: dict[str, object], reason: str) -> None:
    assert chat(url, **body)["choices"][0]["finish_reason"] == reason
    assert chat(url, stream=True, **body).events[-2]["choices"][0]["finish_reason"] == reason


def test_an_absent_temperature_samples_and_zero_is_greedy(url: str) -> None:
    assert ask(url, CHAT, {"messages": user("hello"), "seed": 5})["choices"][0]["message"]["content"] == f"{TEXT} 5"
    assert chat(url, seed=5)["choices"][0]["message"]["content"] == TEXT


def test_a_model_other_than_tgi_is_taken_for_an_adapter_and_echoed(url: str) -> None:
    assert chat(url, model="somebody/else")["model"] == "somebody/else"
    assert chat(url, model="tgi")["model"] == "simulated/echo"


def test_a_presence_penalty_becomes_a_repetition_penalty(url: str) -> None:
    assert chat(url, presence_penalty=-2.0)["error"].endswith("`repetition_penalty` must be strictly positive")


def test_a_streamed_chat_is_the_chat_and_ends_with_done(url: str) -> None:
    got = chat(url, stream=True)
    assert (got.status, got.headers["content-type"]) == (200, "text/event-stream")
    *chunks, done = got.events
    assert done == "[DONE]"
    assert "".join(chunk["choices"][0]["delta"]["content"] for chunk in chunks) == TEXT
    reasons = [chunk["choices"][0]["finish_reason"] for chunk in chunks]
    assert set(reasons[:-1]) == {None} and reasons[-1] == "stop"
    assert all(chunk["usage"] is None for chunk in chunks)


def test_usage_in_a_stream_is_a_chunk_without_choices(url: str) -> None:
    *_, last, usage, done = chat(url, stream=True, stream_options={"include_usage": True}).events
    assert (done, usage["choices"]) == ("[DONE]", [])
    assert last["choices"][0]["finish_reason"] == "stop"
    assert usage["usage"] == chat(url)["usage"]


def test_errors_inside_a_stream_always_say_422(url: str) -> None:
    body = {"messages": user("hello"), "stream": True, "temperature": 0}
    got = ask(url, "/full/v1/chat/completions", body)
    assert got.status == 200
    assert got.events == [{"error": {"message": "Model is overloaded", "http_status_code": 422}}, "[DONE]"]
    assert ask(url, "/full/v1/chat/completions", {**body, "stream": False}).status == 429


@pytest.mark.parametrize(
    ("path", "body", "error", "kind"),
    [
        (STRICT, {"messages": [*user("a"), *user("b")]}, "Template error: invalid operation", "template_error"),
        (STRICT, {"messages": []}, "Template error: invalid operation", "template_error"),
        (BASE, {"messages": user("a")}, "Template error: template not found", "template_error"),
        (PLAIN, {"prompt": "a", "suffix": "b"}, "Suffix is not supported", "suffix not supported"),
        (
            PLAIN,
            {"prompt": ["a"] * 5},
            "Number of prompts exceeds the maximum allowed batch size of 4",
            "batch size exceeded",
        ),
    ],
)
def test_a_request_that_cannot_be_served_names_its_kind(
    url: str, path: str, body: object, error: str, kind: str
) -> None:
    got = ask(url, path, body)
    assert got.status == 422
    assert got["error"].startswith(error) and got["error_type"] == kind


def test_several_prompts_make_several_choices_with_their_index(url: str) -> None:
    prompts = ["one", "two", "three"]
    got = ask(url, "/says/v1/completions", {"prompt": prompts, "temperature": 0})
    assert got["object"] == "text_completion"
    assert {choice["index"]: choice["text"] for choice in got["choices"]} == dict(enumerate(prompts))
    assert {choice["finish_reason"] for choice in got["choices"]} == {"stop"}
    assert got.headers["x-compute-time"] is None


def test_streamed_completions_give_the_raw_reason_and_usage_at_their_end(url: str) -> None:
    *chunks, done = ask(
        url, "/says/v1/completions", {"prompt": ["one", "two"], "temperature": 0, "stream": True}
    ).events
    assert done == "[DONE]"
    for index, text in enumerate(("one", "two")):
        mine = [chunk for chunk in chunks if chunk["choices"][0]["index"] == index]
        assert [chunk["choices"][0]["finish_reason"] for chunk in mine] == ["", "eos_token"]
        assert mine[0]["choices"][0]["text"] == text
        assert "usage" not in mine[0] and mine[-1]["usage"]["completion_tokens"] == 2


def test_one_failure_fails_all_prompts_of_a_request(url: str) -> None:
    assert ask(url, PLAIN, {"prompt": ["a", ""]})["error"].endswith("`inputs` cannot be empty")


def test_a_single_user_message_gets_what_its_text_gets(url: str) -> None:
    question = "Was Émile born in Besançon?"
    body = {"messages": user(question), "temperature": 0}
    spoken = ask(url, "/synthetic/v1/chat/completions", body)["choices"][0]["message"]["content"]
    generated = ask(url, "/synthetic/generate", {"inputs": question, "parameters": {}})["generated_text"]
    assert spoken == generated == texts.answer("simulated/synthetic", question, None)


def test_the_models_own_turns_do_not_change_its_answer(url: str) -> None:
    said = []
    for own in ("Understood.", "Very well."):
        messages = [*user("Think of Émile."), {"role": "assistant", "content": own}, *user("Was he born?")]
        got = ask(url, "/synthetic/v1/chat/completions", {"messages": messages, "temperature": 0})
        said.append(got["choices"][0]["message"]["content"])
    assert said[0] == said[1]


def test_a_conversation_is_looked_up_with_the_models_turns_put_back_to_null() -> None:
    asked = '[{"role":"user","content":"Ä"},{"role":"assistant","content":null},{"role":"user","content":"b"}]'
    messages = json.loads(asked)
    messages[1]["content"] = "whatever it said"
    received = conversation.canonical(messages)
    assert conversation.key(received) == conversation.key(asked) == asked
    assert set(conversation.digests(asked)) < set(conversation.digests(received))
    assert conversation.key(conversation.canonical(user("b"))) == "b"
    assert set(conversation.digests("b")) < set(conversation.digests(conversation.canonical(user("b"))))


@pytest.mark.parametrize("text", ["", "[]", '[{"role":1}]', '[{"role":"user"', '[{"role":"user","content":"a","x":1}]'])
def test_what_is_no_conversation_is_plain_text(text: str) -> None:
    assert conversation.key(text) == text


def test_tokens_of_a_conversation_are_those_of_its_template(url: str) -> None:
    got = ask(url, "/echo/chat_tokenize", {"messages": user("hello world")})
    assert "".join(token["text"] for token in got["tokenize_response"]) == got["templated_text"]
    assert len(got["tokenize_response"]) == chat(url, messages=user("hello world"))["usage"]["prompt_tokens"]
