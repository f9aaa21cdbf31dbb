"""Errors of hosted APIs and of servers like vLLM: what is refused, and in whose shape it is told."""

from collections.abc import Callable, Mapping
from typing import Any

from halluvault_tasks.local.simulator.replies import Headers, WholeAnswer, as_json
from halluvault_tasks.local.simulator.wire import RequestRefusal

_TOMORROW_SECONDS = 43_200

_STATUSES: Mapping[int, int] = {422: 400, 424: 500}
"""What the model refuses in the words of TGI's router has the statuses of these APIs."""
_GOOGLES: Mapping[int, str] = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 402: "FAILED_PRECONDITION", 404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
}  # fmt: skip


class ApiError(RequestRefusal):
    """A request that such an API answers with an error.

    Args:
        status: HTTP status.
        message: for people.
        code: for programs.
        param: the field of the request that is to blame.
        headers: of the answer.
        detail: further fields of the error.
    """

    def __init__(
        self,
        status: int,
        message: str,
        code: str | None = None,
        param: str | None = None,
        headers: Headers = (),
        detail: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, message, code)
        self.param = param
        self.headers = headers
        self.detail = detail or {}


def no_such_route() -> ApiError:
    """Also for a path or a query string that is not this API's."""
    return ApiError(404, "Resource not found", "404")


def no_key() -> ApiError:
    """The key is missing or another's."""
    return ApiError(401, "Incorrect API key provided.", "invalid_api_key")


def no_such_model(name: str) -> ApiError:
    """The request names a model that is not served here."""
    return ApiError(404, f"The model `{name}` does not exist or you do not have access to it.", "model_not_found",
                    "model")  # fmt: skip


def too_long(length: int, asked: int) -> ApiError:
    """Prompt and limit of new tokens are more than the model takes."""
    text = f"This model's maximum context length is {length} tokens. However, you requested {asked} tokens."
    return ApiError(400, f"{text} Please reduce the length of the messages or completion.", "context_length_exceeded",
                    "messages")  # fmt: skip


def refused_field(name: str) -> ApiError:
    """The API takes no such field, or of a temperature one value alone."""
    if name == "temperature":
        text = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is "
        return ApiError(400, f"{text}supported.", "unsupported_value", name)
    instead = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
    text = f"Unsupported parameter: '{name}' is not supported with this model.{instead}"
    return ApiError(400, text, "unsupported_parameter", name)


def filtered() -> ApiError:
    """The prompt was refused by a filter, in Azure's words."""
    text = "The response was filtered due to the prompt triggering the content management policy."
    inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}}
    return ApiError(400, text, "content_filter", "prompt", detail={"innererror": inner})


def too_fast(headers: Headers, seconds: float) -> ApiError:
    """More requests or tokens than are granted in a minute."""
    wait = (("retry-after", str(max(1, round(seconds)))), ("retry-after-ms", str(round(1000 * seconds))))
    text = f"Rate limit reached. Please try again in {seconds:.3f}s."
    return ApiError(429, text, "rate_limit_exceeded", headers=(*headers, *wait))


SPENT: Mapping[str, Callable[[], ApiError]] = {
    "402": lambda: ApiError(402, "Insufficient credits. Add more to continue.", "insufficient_credits"),
    "insufficient_quota": lambda: ApiError(
        429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"
    ),
    "tomorrow": lambda: ApiError(
        429,
        "Rate limit reached for requests per day.",
        "rate_limit_exceeded",
        headers=(("retry-after", str(_TOMORROW_SECONDS)),),
    ),
}
"""`ServerManner.spent` → what is said once the quota is used up."""


def _openai(error: ApiError) -> object:
    # Of insufficient_quota type and code are the same word.
    kinds = {400: "invalid_request_error", 401: "invalid_request_error", 404: "invalid_request_error", 429: "requests"}
    kind = "insufficient_quota" if error.error_type == "insufficient_quota" else kinds.get(error.status, "server_error")
    told = {"message": error.message, "type": kind, "param": error.param, "code": error.error_type}
    return {"error": {**told, **error.detail}}


def _vllm(error: ApiError) -> object:
    kind = "NotFoundError" if error.status == 404 else "BadRequestError"
    return {"error": {"message": error.message, "type": kind, "param": error.param, "code": error.status}}


def _mistral(error: ApiError) -> object:
    if error.param is None or error.error_type != "unsupported_parameter":
        return {"object": "error", "message": error.message, "type": error.error_type, "param": error.param,
                "code": None}  # fmt: skip
    told = {"type": "extra_forbidden", "loc": ["body", error.param], "msg": "Extra inputs are not permitted"}
    return {"object": "error", "message": {"detail": [told]}, "type": "invalid_request_error", "param": None}


def _gemini(error: ApiError) -> object:
    text = error.message
    if error.error_type == "unsupported_parameter":
        text = f'Invalid JSON payload received. Unknown name "{error.param}": Cannot find field.'
    return [{"error": {"code": error.status, "message": text, "status": _GOOGLES.get(error.status, "INTERNAL")}}]


def _openrouter(error: ApiError) -> object:
    return {"error": {"code": error.status, "message": error.message}}


SHAPES: Mapping[str, Callable[[ApiError], object]] = {
    "openai": _openai, "vllm": _vllm, "mistral": _mistral, "gemini": _gemini, "openrouter": _openrouter,
}  # fmt: skip
"""`ServerManner.errors` → the body of an error."""


def told(refusal: RequestRefusal, shape: str) -> WholeAnswer:
    """The answer to a request that cannot be served."""
    error = _as_api_error(refusal)
    status = 422 if shape == "mistral" and error.error_type == "unsupported_parameter" else error.status
    return as_json(status, SHAPES[shape](error), error.headers)


def body_of(refusal: RequestRefusal, shape: str) -> object:
    """The same inside a stream."""
    return SHAPES[shape](_as_api_error(refusal))


def _as_api_error(refusal: RequestRefusal) -> ApiError:
    if isinstance(refusal, ApiError):
        return refusal
    return ApiError(_STATUSES.get(refusal.status, refusal.status), refusal.message, refusal.error_type)
