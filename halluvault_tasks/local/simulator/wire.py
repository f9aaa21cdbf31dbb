"""From a request's bytes to typed fields, refused in the words of the web framework below the imitated server.

Source: the behaviour of axum 0.7 and serde_json under TGI 3.3's router (research notes beside the project, §1). These
refusals are plain text, and they come before anything else is looked at.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from halluvault_tasks.local.simulator.shapes import Shape, wrong

MAX_BODY_BYTES = 2_000_000
"""axum's limit; a larger body is refused with 413."""

_Fields = TypeVar("_Fields", bound=Shape)


class Incoming(NamedTuple):
    """A request as it came."""

    method: str
    route: str
    """The path below the model's, `/` at least."""
    content_type: str
    body: bytes
    """At most one byte more than `MAX_BODY_BYTES`, but for a file of a batch."""
    has_key: bool = True
    """Whether it carries the server's key, where there is one."""
    query: Mapping[str, str] = {}


class RequestRefusal(Exception):
    """A request that the server answers with an error.

    Args:
        status: HTTP status.
        message: the body's text, or the `error` of a JSON body.
        error_type: TGI's error type; None for the plain text of the web framework below it.
    """

    def __init__(self, status: int, message: str, error_type: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.error_type = error_type


def decode(body: bytes, content_type: str, shape: type[_Fields]) -> _Fields:
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
        raise RequestRefusal(415, "Expected request with `Content-Type: application/json`", None)
    if len(body) > MAX_BODY_BYTES:
        raise RequestRefusal(413, "Failed to buffer the request body: length limit exceeded", None)
    try:
        return shape.model_validate_json(body)
    except ValidationError as found:
        error = found.errors(include_url=False)[0]
        if error["type"] == "json_invalid":
            text = f"Failed to parse the request body as JSON: {error['ctx']['error']}"
            raise RequestRefusal(400, text, None) from found
        text = f"Failed to deserialize the JSON body into the target type: {wrong(error)}"
        raise RequestRefusal(422, text, None) from found
