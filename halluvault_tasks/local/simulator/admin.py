"""Changing a simulated server while it serves: an application of its own, on a loopback port of its own.

    GET  /models                      state of every model: identity, faults, requests, running, waiting
    PUT  /models/NAME/faults          body: as `--faults`; an empty body ends them
    PUT  /models/NAME/revision        body: the new revision; an empty body makes the sha null
    GET  /models/NAME/sent            what left the server whole, as JSON lines (where no --record file is written)

It never shares a port with the simulated routes, so nothing there can tell a simulated server from a real one by it.
"""

import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.http_faults import parse
from halluvault_tasks.local.simulator.model import SimulatedModel

_Message = MutableMapping[str, Any]


class AdminApp:
    """The ASGI application of the administration port.

    Args:
        models: those that may be changed.
    """

    def __init__(self, models: Sequence[SimulatedModel]) -> None:
        self._models = {model.name: model for model in models}

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break
        status, text = self._answer(scope["method"], scope["path"], body.decode(errors="replace").strip())
        headers = [(b"content-length", str(len(text.encode())).encode()), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": text.encode()})

    def _answer(self, method: str, path: str, body: str) -> tuple[int, str]:
        match method, path.strip("/").split("/"):
            case "GET", ["health"]:
                return 200, ""
            case "GET", ["models"]:
                return 200, json.dumps({name: _state(model) for name, model in self._models.items()})
            case "GET", ["models", name, "sent"] if name in self._models:
                return 200, "".join(json.dumps(sent._asdict()) + "\n" for sent in self._models[name].kept)
            case "PUT", ["models", name, what] if name in self._models:
                model = self._models[name]
                if what == "faults":
                    try:
                        model.faults = parse(body)
                    except UserError as error:
                        return 422, json.dumps({"error": str(error)})
                    return 200, json.dumps(_state(model))
                if what == "revision":
                    model.revision = body or None
                    return 200, json.dumps(_state(model))
        return 404, json.dumps({"error": f"no {method} {path}; see python -m halluvault_tasks.local.simulator --help"})


def _state(model: SimulatedModel) -> dict[str, Any]:
    return {
        "model_id": model.model_id,
        "model_sha": model.model_sha,
        "requests": model.requests,
        **{name.removeprefix("tgi_"): value for name, value in model.gauges.items()},
        "faults": [rule._asdict() for rule in model.faults.rules],
    }
