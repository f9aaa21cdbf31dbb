"""Hosted APIs and known servers on loopback, as documentation and public reports have them (`presets.yaml`: which)."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from tests.querying import llamacpp
from tests.querying.loopback import JsonHandler, listening

KEY = "k3y-of-the-host"
LONG = (
    "A bicycle is built from a frame, two wheels, a chain, a saddle and a bar to steer it by, all put together by hand."
)


def openai_refuses(name: str) -> dict[str, Any]:
    words = f"Unsupported parameter: '{name}' is not supported with this model."
    return {
        "error": {"message": words, "type": "invalid_request_error", "param": name, "code": "unsupported_parameter"}
    }


def gemini_refuses(name: str) -> list[Any]:
    words = f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
    return [{"error": {"code": 400, "message": words, "status": "INVALID_ARGUMENT"}}]


def mistral_refuses(name: str) -> dict[str, Any]:
    fault = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}
    return {"object": "error", "message": {"detail": [fault]}, "type": "invalid_request_error", "param": None}


class Host(NamedTuple):
    """One API.

    Attributes:
        path: of the API.
        name: model that it serves.
        listed: ids of its list; None: no such route.
        others: further GET routes, with what they say.
        header: carries the key.
        query: parameters that every URL needs.
        refuses: fields that it does not take, with status and body.
        obeys: whether it obeys `json_schema`.
        usage: whether it counts tokens, and thoughts among them.
    """

    path: str
    name: str
    listed: tuple[str, ...] | None
    others: Mapping[str, Any] = {}
    header: str = "Authorization"
    query: Mapping[str, str] = {}
    refuses: Mapping[str, tuple[int, Any]] = {}
    obeys: bool = True
    headers: Mapping[str, str] = {}


_REASONING = {name: (400, openai_refuses(name)) for name in ("max_tokens", "temperature", "structured_outputs")}
_RATE = {"x-ratelimit-limit-tokens": "160000", "x-ratelimit-remaining-tokens": "159000"}

HOSTS: Mapping[str, Host] = {
    "openai": Host("/v1", "gpt-5-mini", ("gpt-4o", "gpt-5-mini"), refuses=_REASONING, headers=_RATE),
    "azure": Host("/openai/v1", "my-deployment", ("gpt-4o",), header="api-key", refuses=_REASONING, headers=_RATE),
    "gemini": Host(
        "/v1beta/openai", "gemini-3.8-flash", ("models/gemini-3.8-flash",),
        refuses={name: (400, gemini_refuses(name)) for name in ("seed", "frequency_penalty")},
    ),
    "openrouter": Host("/api/v1", "qwen/qwen3-8b:free", ("qwen/qwen3-8b", "openai/gpt-4o")),
    "mistral": Host(
        "/v1", "magistral-small", ("magistral-small",),
        refuses={name: (422, mistral_refuses(name)) for name in ("seed", "max_completion_tokens")},
    ),
    "groq": Host("/openai/v1", "openai/gpt-oss-20b", ("openai/gpt-oss-20b",), headers=_RATE),
    "vllm": Host("/v1", "Qwen/Qwen3-8B", ("Qwen/Qwen3-8B",), {"/version": {"version": "0.33.0"}, "/health": {}}),
    "sglang": Host("/v1", "Qwen/Qwen3-8B", ("Qwen/Qwen3-8B",), {"/server_info": {"version": "0.5.23"}, "/health": {}}),
    "ollama": Host("/v1", "gemma4:26b", ("gemma4:26b",), {"/api/version": {"version": "0.40.12"}}),
    "llama.cpp": Host("/v1", "q.gguf", ("q.gguf",), {"/props": {"build_info": "b8681"}, "/health": {"status": "ok"}}),
}  # fmt: skip


@contextmanager
def serving(host: Host) -> Iterator[tuple[str, list[Any]]]:
    """Its address, and the bodies of all that it was asked."""
    bodies: list[Any] = []

    class Handler(JsonHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == f"{host.path}/models" and host.listed is not None:
                self._tell(*self._fault() or (200, {"data": [{"id": each, "object": "model"} for each in host.listed]}))
            else:
                self._tell(200 if path in host.others else 404, host.others.get(path, {"detail": "Not Found"}))

        def do_POST(self) -> None:
            body = self.body()
            if urlsplit(self.path).path != f"{host.path}/chat/completions":
                self._tell(404, {"detail": "Not Found"})
                return
            refused = next((host.refuses[name] for name in body if name in host.refuses), None)
            unknown = (404, {"error": {"message": f"The model `{body['model']}` does not exist."}})
            fault = self._fault() or refused or (unknown if body["model"] != host.name else None)
            bodies.append(body)
            self._tell(*fault or (200, _completion(body, host)))

        def _tell(self, status: int, value: object) -> None:
            self.send(status, value, host.headers)

        def _fault(self) -> tuple[int, Any] | None:
            if self.headers[host.header] != (f"Bearer {KEY}" if host.header == "Authorization" else KEY):
                return 401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
            asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
            return None if asked == host.query else (404, {"error": {"code": "404", "message": "Resource not found"}})

    with listening(Handler) as url:
        yield url, bodies


def _completion(body: Any, host: Host) -> dict[str, Any]:
    """Yes to a question of yes or no, else something about bicycles; under a schema the least that it allows."""
    form = body.get("response_format") or {}
    question = body["messages"][-1]["content"]
    said = "Yes." if "yes or no" in question else LONG
    if form.get("type") == "json_schema" and host.obeys:
        said = json.dumps(llamacpp.first(form["json_schema"]["schema"]))
    words = said.split(" ")
    most = body.get("max_tokens") or body.get("max_completion_tokens") or len(words)
    message = {"role": "assistant", "content": " ".join(words[:most]), "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "length" if len(words) > most else "stop"}
    count = min(most, len(words))
    prompt = len(question.split()) + 8
    usage = {"prompt_tokens": prompt, "completion_tokens": count, "total_tokens": prompt + count}
    return {"id": "c", "object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}
