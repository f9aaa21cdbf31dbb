"""Streams and bodies as servers send them, and what becomes of their parts."""

import json
import tracemalloc
from typing import Any

import pytest
from aiohttp import web

from halluvault_tasks.querying.dialects.hearing import Chunks, CompletionPrompt, reply_of
from halluvault_tasks.querying.dialects.terms import terms_of
from halluvault_tasks.querying.replies import UNSAID, Failure, FailureKind, Finish, RateLimit, Reply, UnknownShape
from tests.querying.test_client import GOOD, HUB, Make, openai, outcome, says, tgi

KEY = "hunter2-hunter2"
PLAIN = {"max_new_tokens": 9}


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})


NO = [chunk({"role": "assistant", "content": "N"}), chunk({"content": "o"}), chunk({}, "stop"), "[DONE]"]


def completion(message: Any, finish: Any = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def heard(body: Any, parameters: dict[str, Any] = PLAIN, guided: bool = False) -> Reply:
    return reply_of(body, {}, CompletionPrompt(terms_of(parameters), 9, guided, ()), 1)


@pytest.mark.parametrize("make", [openai(stream=True), openai(), tgi(completions=False, stream=True)])
@pytest.mark.parametrize("kind", ["text/event-stream", "application/json", "text/plain"])
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"data: {one}\n\n" for one in NO),
        "".join(f"data:{one}\n" for one in NO),
        "".join(f"data: {one}\r\n\r\n" for one in NO),
        ":\n\n" + "".join(f"id: 1\nevent: message\nretry: 5\ndata: {one}\n\n: PROCESSING\n\n" for one in NO),
        "\ufeffdata: \n\n" + "".join(f"data: {one}\n\ndata:\n\n" for one in NO),
        "data: " + chunk({"content": "No"}, "stop").replace("{", "{\ndata: ", 1) + "\n\n",
        json.dumps(completion({"content": "No"})),
        json.dumps(completion({"content": "No"}), indent=2),
        json.dumps([completion({"content": "No"})]),
    ],
    ids=["plain", "no blanks", "CRLF", "comments and names", "empty data", "two lines", "JSON", "pretty", "a list"],
)  # fmt: skip
def test_an_answer_is_read_by_what_it_is_whatever_its_label_and_framing(make: Make, kind: str, text: str) -> None:
    found = says(make, 200, text, kind)
    assert isinstance(found, Reply), found
    assert (found.text, found.finish_reason) == ("No", "stop")


def test_a_streams_parts_come_together_with_the_usage_after_them() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 6}}
    chunks = [
        chunk({"role": "assistant", "reasoning_content": "Yes? "}), chunk({"reasoning_content": "Hmm, no."}),
        chunk({"content": "N"}), chunk({"content": [{"type": "text", "text": "o."}]}), chunk({}, "stop"),
        json.dumps({"choices": [], "usage": usage}), "[DONE]",
    ]  # fmt: skip
    found = says(openai(stream=True), 200, "".join(f"data: {one}\n\n" for one in chunks), "text/event-stream")
    assert isinstance(found, Reply)
    assert found[:4] == ("No.", "stop", 7, 9)
    assert (found.thought, found.thought_tokens, found.thinks) == ("Yes? Hmm, no.", 6, "reasoning_content")


@pytest.mark.parametrize(
    ("last", "kind", "status"),
    [
        (json.dumps({"error": {"code": 402, "message": "no credits"}}), FailureKind.BARRED, 402),
        (json.dumps([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "x"}}]),
         FailureKind.OVERLOADED, 429),
        (chunk({"content": ""}, "error", error={"code": "server_error", "message": "gone"}),
         FailureKind.RETRYABLE, 500),
        (json.dumps({"choices": [{"delta": {}, "error": {"code": 502, "message": "x"}}]}), FailureKind.RETRYABLE, 502),
        (json.dumps({"error": "Model is overloaded", "error_type": "overloaded"}), FailureKind.OVERLOADED, 503),
        (chunk({}, "abort"), FailureKind.RETRYABLE, 200),
        (chunk({"content": " of "}), FailureKind.RETRYABLE, 200),
    ],
)  # fmt: skip
def test_a_stream_that_ends_in_an_error_is_no_answer_whatever_came_before(
    last: str, kind: FailureKind, status: int
) -> None:
    events = [chunk({"content": "Yes"}), last, "[DONE]"]
    found = says(openai(stream=True), 200, "".join(f"data: {one}\n\n" for one in events), "text/event-stream")
    assert isinstance(found, Failure) and (found.kind, found.status) == (kind, status)


@pytest.mark.parametrize(
    "last", [chunk({}, "content_filter"), chunk({"refusal": "I cannot."}, "stop"),
             json.dumps({"error": {"code": "content_filter", "message": "filtered"}})],
)  # fmt: skip
def test_a_stream_that_the_api_ends_is_a_refusal(last: str) -> None:
    text = "".join(f"data: {one}\n\n" for one in (chunk({"content": "Yes"}), last))
    found = says(openai(stream=True), 200, text, "text/event-stream")
    assert isinstance(found, Reply) and found.finish is Finish.REFUSED and not found.is_answer


def test_a_key_in_pieces_is_taken_out_of_the_whole() -> None:
    pieces = [chunk({"content": f"no {KEY[:5]}"}), chunk({"content": f"{KEY[5:]}"}), chunk({}, "stop")]
    found = says(
        openai(stream=True, token=KEY), 200, "".join(f"data: {one}\n\n" for one in pieces), "text/event-stream"
    )
    assert isinstance(found, Reply) and found.text == "no [key]"


@pytest.mark.parametrize(
    "body",
    [{"choices": []}, {"choices": None}, {"id": "x", "output": "no"}, "no", 5, completion(None),
     completion({"text": "no"}), completion({"content": 5})],
)  # fmt: skip
def test_a_shape_that_nobody_knows_says_so_with_its_beginning(body: Any) -> None:
    for make in (openai(), tgi(completions=False), *HUB[1:]):
        found = says(make, 200, json.dumps(body))
        assert isinstance(found, UnknownShape) and found.kind is FailureKind.RETRYABLE and found.status == 200
    assert isinstance(says(tgi(), 200, json.dumps(body)), UnknownShape)


@pytest.mark.parametrize("word", ["error", "abort", "cancelled", "insufficient_system_resource", "", None])
def test_a_finish_reason_that_ends_no_answer_is_asked_again(word: str | None) -> None:
    for make in (openai(), tgi(completions=False), *HUB[1:]):
        found = says(make, 200, json.dumps(completion({"content": "Yes"}, word)))
        assert isinstance(found, Failure) and found.kind is FailureKind.RETRYABLE
    found = says(tgi(), 200, GOOD.replace('"eos_token"', json.dumps(word or "abort")))
    assert isinstance(found, Failure) and found.kind is FailureKind.RETRYABLE


@pytest.mark.parametrize(
    ("word", "finish"),
    [("STOP", Finish.STOP), ("MAX_TOKENS", Finish.LENGTH), ("SAFETY", Finish.REFUSED), ("model_length", Finish.LENGTH),
     ("content_filter: PROHIBITED_CONTENT", Finish.REFUSED)],
)  # fmt: skip
def test_a_finish_reason_is_known_in_every_spelling(word: str, finish: Finish) -> None:
    assert heard(completion({"content": "Yes"}, word)).finish is finish


def test_a_server_without_a_finish_reason_is_believed_as_far_as_its_count_allows() -> None:
    body = {"choices": [{"message": {"content": "Yes"}}]}
    assert heard(body).finish_reason == UNSAID and heard(body).finish is Finish.STOP
    assert heard(body | {"usage": {"prompt_tokens": 5, "completion_tokens": 9}}).finish is Finish.LENGTH
    assert heard({"choices": [{"message": {"content": "Yes"}, "done_reason": "length"}]}).finish is Finish.LENGTH


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 20, "completion_tokens": 151, "total_tokens": 553}, (20, 533, 382)),
        ({"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 35,
          "completion_tokens_details": {"reasoning_tokens": 10}}, (20, 15, 10)),
        ({"prompt_tokens": 20, "completion_tokens": 15, "total_tokens": 35, "reasoning_tokens": 10}, (20, 15, 10)),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, (None, None, None)),
        ({"prompt_tokens": "x", "completion_tokens": True}, (None, None, None)),
        (None, (None, None, None)),
    ],
)  # fmt: skip
def test_thought_tokens_are_counted_however_a_server_counts_them(usage: Any, counts: tuple[int | None, ...]) -> None:
    found = heard(completion({"content": "No"}, usage=usage))
    assert (found.prompt_tokens, found.generated_tokens, found.thought_tokens) == counts


OPENED = PLAIN | {"thinking": {"in_prompt": True, "format": "think"}}


def test_a_thought_begun_in_the_prompt_has_no_answer_until_it_ends() -> None:
    cut = heard(completion({"content": "Yes? Hmm"}, "length"), OPENED)
    assert (cut.text, cut.thought, cut.cut_in_thought) == ("", "Yes? Hmm", True)
    assert cut.thinks == "think, start in the prompt"
    whole = heard(completion({"content": "Yes? Hmm</think>No"}), OPENED)
    assert (whole.text, whole.thought) == ("No", "Yes? Hmm")


def test_a_grammar_and_a_field_for_thoughts_leave_no_thought_in_the_text() -> None:
    assert heard(completion({"content": "no"}), OPENED, guided=True).text == "no"
    fielded = heard(completion({"content": "No.", "reasoning": "Hmm"}), OPENED)
    assert (fielded.text, fielded.thought, fielded.thinks) == ("No.", "Hmm", "reasoning")


def test_marks_that_models_yaml_gives_go_before_those_that_are_known() -> None:
    own = PLAIN | {"thinking": {"start": "{{", "end": "}}"}}
    found = heard(completion({"content": "{{Yes?}} No"}), own)
    assert (found.text, found.thought, found.thinks) == ("No", "Yes?", "own")


def test_what_a_model_needs_is_said_in_every_request_and_what_is_left_out_in_none() -> None:
    asked: list[dict[str, Any]] = []

    async def handler(request: web.Request) -> web.Response:
        asked.append({name: value for name, value in (await request.json()).items() if name != "stream"})
        return web.json_response(completion({"content": "no"}) | json.loads(GOOD))

    thinking = {"budget": 100, "fields": {"chat_template_kwargs": {"enable_thinking": False}}, "suffix": " /no_think"}
    given = {"max_new_tokens": 9, "do_sample": False, "seed": 3, "thinking": thinking, "verdict_tokens": 4}
    varied = given | {"omit": ["seed", "temperature"], "limit_field": "max_completion_tokens"}
    turns: list[Any] = [{"role": "user", "content": "a"}]
    fields = {"chat_template_kwargs": {"enable_thinking": False}}
    said = {"messages": [{"role": "user", "content": "a /no_think"}], **fields}
    for make, model in ((openai(), "m"), (openai(client="hub"), "m"), (tgi(completions=False), "tgi")):
        outcome(make, handler, lambda client: client.chat(turns, tokens=2, seed=5, patience=2), varied)
        assert asked.pop() == {"model": model, "max_completion_tokens": 204, **said}
        outcome(make, handler, lambda client: client.chat(turns, seed=5), given)
        assert asked.pop() == {"model": model, "max_tokens": 109, "temperature": 0, "seed": 5, **said}
    for make in (tgi(), tgi(client="hub")):
        outcome(make, handler, lambda client: client.complete("a", seed=5, patience=2), given)
        sent = {"max_new_tokens": 218, "do_sample": False, "seed": 5, "details": True, "return_full_text": False}
        assert asked.pop() == {"inputs": "a", "parameters": sent}


def test_tokens_a_minute_come_with_every_reply() -> None:
    headers = {"x-ratelimit-limit-tokens": "1000", "x-ratelimit-remaining-tokens": "10"}
    for make, text in ((openai(), json.dumps(completion({"content": "no"}))), (tgi(), GOOD)):
        found = says(make, 200, text, **headers)
        assert isinstance(found, Reply) and found.rate == RateLimit(1000, 10, None)


def test_a_thought_of_32000_tokens_takes_memory_linear_in_one_response() -> None:
    def peak(tokens: int) -> int:
        chunks = Chunks((), str)
        tracemalloc.start()
        for _ in range(tokens):
            chunks.add(json.loads(chunk({"reasoning_content": " token"})), {})
        chunks.add(json.loads(chunk({"content": "No"}, "stop")), {})
        found = heard(chunks.whole())
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(found.thought or "") == 6 * tokens
        return used

    assert peak(32_000) < 12 * peak(4_000)
