"""What public servers really send (../shared/data/servers), through every client: an answer, a refusal or a failure."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import web

from halluvault_tasks.querying.replies import Failure, FailureKind, Finish, Reply
from tests.querying.test_client import Make, openai, outcome, tgi

CLIENTS = {
    "openai": openai(), "openai-stream": openai(stream=True), "openai-hub": openai(client="hub"),
    "tgi-chat": tgi(completions=False), "tgi-chat-stream": tgi(completions=False, stream=True),
}  # fmt: skip


class Meant(NamedTuple):
    """What a shape means: a reply's parts, or a failure's kind with what it names."""

    text: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    thinks: str = ""
    kind: FailureKind | None = None
    param: str = ""
    said: str = ""


STOP, LENGTH, REFUSED = Finish.STOP, Finish.LENGTH, Finish.REFUSED
MEANT = {
    "finish-1-error": Meant(kind=FailureKind.RETRYABLE, said="'error'"),
    "finish-3-content-filter": Meant("Yes", REFUSED, "content_filter"),
    "finish-5-error-in-stream": Meant(kind=FailureKind.RETRYABLE, said="'error'"),
    "limit-1-402": Meant(kind=FailureKind.BARRED, said="the account is empty"),
    "limit-3-429-tomorrow": Meant(kind=FailureKind.OVERLOADED, said="daily limit"),
    "limit-5-200-error": Meant(kind=FailureKind.FATAL, said="prompt is too long for this model"),
    "limit-7-once-401-403-404": Meant(kind=FailureKind.BARRED, said="one moment"),
    "param-1-max-tokens": Meant(kind=FailureKind.BARRED, param="max_tokens"),
    "param-3-temperature": Meant(kind=FailureKind.BARRED, param="temperature"),
    "param-5-stop": Meant(kind=FailureKind.BARRED, param="stop"),
    "refuse-1-field": Meant("", REFUSED, "I cannot help with this one."),
    "refuse-3-filter-400": Meant("", REFUSED, "this prompt was filtered"),
    "reply-1-index-null": Meant("no", STOP),
    "stream-1-empty-data": Meant("no", STOP),
    "stream-3-whole-json": Meant("no", STOP),
    "think-01-null-at-planning": Meant("", LENGTH, thinks="reasoning_content"),
    "think-03-null-under-grammar": Meant("", LENGTH, thinks="reasoning_content"),
    "think-05-answer-in-reasoning-field": Meant("", STOP, thinks="reasoning_content"),
    "think-07-text-parts-only": Meant("no", STOP),
    "think-09-tag-in-verdict-turn": Meant("No", STOP, thinks="think"),
    "think-11-bracket": Meant("No. The records say otherwise.", STOP, thinks="bracket"),
    "think-13-lozenge": Meant("No. The records say otherwise.", STOP, thinks="lozenge"),
    "think-15-harmony-stripped": Meant("No. The records say otherwise.", STOP, thinks="harmony, stripped"),
    "think-17-begin-of-thought": Meant("No. The records say otherwise.", STOP, thinks="open thoughts"),
    "think-19-long-without-start": Meant(
        "No. The records say otherwise.", STOP, thinks="think, start in the prompt"
    ),
    "think-21-stop-in-thought": Meant("", STOP, thinks="reasoning_content"),
    "usage-1-truncated": Meant("no", STOP),
}  # fmt: skip


def shape(folder: Path, name: str) -> dict[str, Any]:
    given = json.loads((folder / "servers" / f"{name}.json").read_text(encoding="utf-8"))["given"]
    if "T" in given:  # a thought that the file only describes
        message = given["reply"]["json"]["choices"][0]["message"]
        thought = (given["T"] * 200)[:12_000]
        message["content"] = message["content"].replace("(T repeated to 12,000 characters)", thought)
    return given  # type: ignore[no-any-return]


def answered(make: Make, given: dict[str, Any]) -> object:
    """What a client makes of a server that answers every question as the shape says."""

    async def handler(request: web.Request) -> web.Response:
        if request.method == "GET":
            return web.Response(status=404)
        if lines := given.get("stream"):
            return web.Response(text="\n\n".join(lines) + "\n\n", content_type="text/event-stream")
        reply = given["reply"]
        text = reply["text"] if "text" in reply else json.dumps(reply["json"])
        return web.Response(
            status=reply["status"], text=text, content_type="application/json", headers=reply.get("headers", {})
        )

    return outcome(make, handler)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", MEANT)
def test_what_a_server_sends_is_read_as_what_it_means(shared_data: Path, name: str, client: str) -> None:
    given, meant = shape(shared_data, name), MEANT[name]
    if client == "openai-hub" and "stream" in given:
        pytest.skip("huggingface_hub is asked for no streams")
    found = answered(CLIENTS[client], given)
    if meant.kind is not None:
        assert isinstance(found, Failure)
        assert (found.kind, found.param) == (meant.kind, meant.param) and meant.said in found.reason
        return
    assert isinstance(found, Reply), found
    assert (found.text, found.finish, found.refusal) == (meant.text, meant.finish, meant.refusal)
    assert found.thinks == meant.thinks and bool(found.thought) == bool(meant.thinks)


def test_a_wait_until_tomorrow_is_kept_whole(shared_data: Path) -> None:
    found = answered(openai(), shape(shared_data, "limit-3-429-tomorrow"))
    assert isinstance(found, Failure) and found.retry_after == 43_200


def test_a_server_that_says_zero_of_every_count_does_not_count(shared_data: Path) -> None:
    found = answered(openai(), shape(shared_data, "think-05-answer-in-reasoning-field"))
    assert isinstance(found, Reply) and found.prompt_tokens is None


def test_an_error_inside_a_200_is_classed_by_the_code_inside(shared_data: Path) -> None:
    given = shape(shared_data, "limit-5-200-error")
    error = given["reply"]["json"]["error"]
    for code, kind in (
        (400, FailureKind.FATAL),
        (402, FailureKind.BARRED),
        (502, FailureKind.RETRYABLE),
        ("429", FailureKind.OVERLOADED),
    ):
        found = answered(openai(), {"reply": {"status": 200, "json": {"error": error | {"code": code}}}})
        assert isinstance(found, Failure) and (found.kind, found.status) == (kind, int(code))
