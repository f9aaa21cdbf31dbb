"""What text-generation-inference says about itself at `/info`; its own protocol and its `/v1` routes both read it."""

from halluvault_tasks.querying.replies import Failure, Identity, ServerInfo, storable
from halluvault_tasks.querying.transport import parsed, whole

CHAT_MODEL = "tgi"
"""The one model name that TGI's `/v1` routes do not take for an adapter (an unknown one is silently the base model)."""


def info_of(body: bytes) -> ServerInfo | None:
    """Identity and limits, read leniently (versions 2 and 3 differ, a local model has no sha); None if no TGI's."""
    try:
        raw = parsed(body)
    except Failure:
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("model_id"), str):
        return None
    return ServerInfo(
        Identity(storable(raw["model_id"]), _text(raw.get("model_sha")), _text(raw.get("version"))),
        whole(raw.get("max_concurrent_requests")),
        whole(raw.get("max_input_tokens", raw.get("max_input_length"))),
        whole(raw.get("max_total_tokens")),
    )


def _text(value: object) -> str | None:
    return storable(value) if isinstance(value, str) else None
