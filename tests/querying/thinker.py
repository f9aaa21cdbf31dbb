"""An OpenAI-compatible server on loopback with a model that is always right, and thinks before it says so."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from tests.querying.loopback import JsonHandler, listening

THOUGHT = "Well, no? At first sight not, hmm. Let me think again of all that I know about it. " * 3
SENTENCE = "A frame of steel tubes carries two wheels with spokes, pedals that turn a chain, a saddle and a handlebar."


class Style(NamedTuple):
    """How a server shows what its model thinks.

    Attributes:
        start: before the thought, in the text; what a template puts into the prompt is not among it.
        end: behind it, in the text.
        field: of the message that holds it, instead; `parts` for a list of parts, `hidden` for nowhere.
        after: behind the answer, in the text.
    """

    start: str = ""
    end: str = ""
    field: str = ""
    after: str = ""


class Model(NamedTuple):
    """What it does.

    Attributes:
        style: how its thoughts are shown.
        thought: what it thinks; empty: nothing.
        grammar: `behind` its thought, from the `first` token on, or `never` obeyed.
        off: whether a request keeps it from thinking.
        refuses: fields that the API refuses by name.
        says: its answer to a prompt.
        counts: what it says of the prompt's tokens; None: as many as there are words.
        total: tokens of prompt and answer at most, as `/v1/models` states it.
        most: new tokens that a request may ask for.
    """

    style: Style = Style("<think>", "</think>")
    thought: str = THOUGHT
    grammar: str = "never"
    off: Callable[[Mapping[str, Any]], bool] = lambda body: False
    refuses: Sequence[str] = ()
    says: Callable[[str], str] = lambda prompt: "Yes." if "yes or no" in prompt else SENTENCE
    counts: int | None = None
    total: int | None = None
    most: int = 10**9


Answers = Callable[[Mapping[str, Any]], tuple[int, Any]]
"""The body of a request → status and JSON of the answer."""


@contextmanager
def serving(model: Model) -> Iterator[tuple[str, list[Any]]]:
    """Its address, and the bodies of all requests for an answer so far."""
    with answering(partial(_answer, model), model.total) as found:
        yield found


@contextmanager
def answering(answers: Answers, total: int | None = None) -> Iterator[tuple[str, list[Any]]]:
    """A server that answers each request for an answer so; `total` is the context that it states."""
    bodies: list[Any] = []

    class Handler(JsonHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65_536  # head and body in one packet

        def do_GET(self) -> None:
            entry = {"id": "thinker", "object": "model", "max_model_len": total}
            found = {"object": "list", "data": [entry]}
            self.send(200 if self.path.partition("?")[0].endswith("/models") else 404, found)

        def do_POST(self) -> None:
            body = self.body()
            if not self.path.partition("?")[0].endswith("/chat/completions"):
                self.send(404, {"error": {"message": "no such route"}})
                return
            bodies.append(body)
            self.send(*answers(body))

    with listening(Handler) as url:
        yield url, bodies


def _answer(model: Model, body: Mapping[str, Any]) -> tuple[int, Any]:
    refused = next((name for name in model.refuses if name in body), "")
    limits = [name for name in ("max_tokens", "max_completion_tokens") if body.get(name, 0) > model.most]
    if refused := refused or "".join(limits):
        code = "unsupported_value" if refused == "temperature" else "unsupported_parameter"
        return 400, {"error": {"message": f"{refused} is not taken here", "param": refused, "code": code}}
    return 200, completion(model, body)


def completion(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """What it answers."""
    asked = "\n".join(message["content"] for message in body["messages"])
    form = body.get("response_format", {}).get("json_schema", {}).get("schema") or {}
    pattern = body.get("structured_outputs", {}).get("regex")
    held = model.grammar != "never" and bool(form or pattern)
    answer = (_obeying(form, pattern) if held else model.says(body["messages"][-1]["content"])).split(" ")
    thinks = model.thought and not model.off(body) and not (held and model.grammar == "first")
    thought = model.thought.split(" ") if thinks else []
    most = body.get("max_tokens", body.get("max_completion_tokens", 10**9))
    cut = len(thought) + len(answer) > most
    words = [*thought, *answer][:most]
    seen, said = " ".join(words[: len(thought)]), " ".join(words[len(thought) :])
    for stop in body.get("stop", ()):
        if stop in seen:
            seen, said, cut = seen.partition(stop)[0], "", False
    message = _message(model.style, seen if thinks else None, said, ended=len(words) > len(thought))
    usage: dict[str, Any] = {"prompt_tokens": model.counts or len(asked.split()), "completion_tokens": len(words)}
    if model.style.field == "hidden" and thinks:
        usage["completion_tokens_details"] = {"reasoning_tokens": len(seen.split(" "))}
    choice = {"index": 0, "message": message, "finish_reason": "length" if cut else "stop"}
    return {"object": "chat.completion", "model": "thinker", "choices": [choice], "usage": usage}


def _message(style: Style, thought: str | None, said: str, ended: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    if thought is None:
        return message | {"content": said}
    if style.field == "parts":
        parts = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]
        return message | {"content": [*parts, *([{"type": "text", "text": said}] if ended else [])]}
    if style.field:
        shown = {} if style.field == "hidden" else {style.field: thought}
        return message | {"content": said or None} | shown
    return message | {"content": f"{style.start}{thought}" + (f"{style.end}{said}{style.after}" if ended else "")}


def _obeying(schema: Mapping[str, Any], pattern: str | None) -> str:
    if pattern is not None:
        return pattern.strip("()").split("|")[0]
    return json.dumps({name: one["enum"][0] for name, one in schema["properties"].items()})
