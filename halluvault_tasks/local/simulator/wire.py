"""From a request's bytes to typed fields, refused in the words of the web framework below the imitated server.

Source: the behaviour of axum 0.7 and serde_json under TGI 3.3's router (research notes beside the project, §1). These
refusals are plain text, and they come before anything else is looked at.
"""

import json
from typing import Any

from halluvault_tasks.local.simulator.json_reader import Wrong
from halluvault_tasks.local.simulator.serde import Shape, Unlike, deserialize

MAX_BODY_BYTES = 2_000_000
"""axum's limit; a larger body is refused with 413."""

_MOST_BRACKETS = 127
"""A body with more may be nested more deeply than serde_json goes, which only the reader finds out."""


class Refusal(Exception):
    """A request that the server answers with an error.

    Args:
        status: HTTP status.
        message: the body's text, or the `error` of a JSON body.
        error_type: TGI's error type; None for the plain text of the web framework below it.
        metric: the label under which TGI counts the failure; empty where it does not.
    """

    def __init__(self, status: int, message: str, error_type: str | None, metric: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.error_type = error_type
        self.metric = metric or (error_type if error_type in ("validation", "overloaded", "generation") else "") or ""


def decode(body: bytes, content_type: str, shape: Shape) -> Any:
    """Read a request's body as a typed value.

    Args:
        body: at most one byte more than `MAX_BODY_BYTES`.
        content_type: the header as sent.
        shape: what it must be.

    Raises:
        Refusal: 415, 413, 400 or 422 with the web framework's plain text.
    """
    media = content_type.split(";")[0].strip().lower()
    if media != "application/json" and not (media.startswith("application/") and media.endswith("+json")):
        raise Refusal(415, "Expected request with `Content-Type: application/json`", None)
    if len(body) > MAX_BODY_BYTES:
        raise Refusal(413, "Failed to buffer the request body: length limit exceeded", None)
    try:
        return shape.of(_parsed(body))
    except (Unlike, ValueError, RecursionError):
        pass
    try:
        return deserialize(body, shape)
    except Wrong as wrong:
        start = "parse the request body as JSON" if wrong.syntax else "deserialize the JSON body into the target type"
        raise Refusal(400 if wrong.syntax else 422, f"Failed to {start}: {wrong.told(body)}", None) from wrong


def _parsed(body: bytes) -> Any:
    """The body as Python reads it, where it and serde are sure to read alike."""
    if body.count(b"{") + body.count(b"[") > _MOST_BRACKETS:
        raise Unlike
    value = json.loads(body.decode("utf-8"), object_pairs_hook=_without_twins, parse_constant=_no_constant)
    if b"\\u" in body:
        json.dumps(value, ensure_ascii=False).encode()  # Python lets half a surrogate pair through
    return value


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unlike  # a duplicate key: to a struct that is an error, elsewhere none
    return found


def _no_constant(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's extensions, no JSON
