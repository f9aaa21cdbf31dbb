"""llama-cpp-python's server as far as its answers were recorded (0.3.36): it takes no `json_schema`, but a schema."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.querying.loopback import JsonHandler, listening

Says = Callable[[Sequence[Mapping[str, str]], Mapping[str, Any] | None], str]
"""(messages, schema or None) → the reply."""


@contextmanager
def serving(says: Says, name: str = "/weights/small.gguf", obeys: bool = True) -> Iterator[tuple[str, list[Any]]]:
    """Its address and the bodies of all chat requests so far.

    Args:
        says: what the model says.
        name: as `/v1/models` lists it.
        obeys: whether a schema is handed on to `says`; else it is accepted and ignored.
    """
    bodies: list[Any] = []

    class Handler(JsonHandler):
        def do_GET(self) -> None:
            found = {"object": "list", "data": [{"id": name, "object": "model"}]}
            self.send(200 if self.path == "/v1/models" else 404, found)

        def do_POST(self) -> None:
            body = self.body()
            if self.path != "/v1/chat/completions":
                self.send(200, {"choices": [{"index": 0, "text": "", "finish_reason": "length"}],
                                 "usage": {"prompt_tokens": 6, "completion_tokens": 1}})  # fmt: skip
                return
            bodies.append(body)
            asked = body.get("response_format") or {"type": "text"}
            if asked["type"] not in ("text", "json_object"):
                self.send(500, {"error": {"message": "1 validation error: Input should be 'text' or 'json_object'"}})
                return
            words = says(body["messages"], asked.get("schema") if obeys else None).split(" ")
            most = body.get("max_tokens") or len(words)
            reply = {"message": {"role": "assistant", "content": " ".join(words[:most])}, "index": 0}
            reply["finish_reason"] = "length" if len(words) > most else "stop"
            usage = {"prompt_tokens": 20, "completion_tokens": min(most, len(words))}
            self.send(200, {"choices": [reply], "usage": usage})

    with listening(Handler) as url:
        yield url, bodies


def first(schema: Any) -> Any:
    """The least value that a schema of these tests allows: first words of enumerations, no items of lists."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: first(one) for name, one in schema["properties"].items()}
    return {"array": [], "boolean": False}.get(schema.get("type"), "")
