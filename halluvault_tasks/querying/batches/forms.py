"""How the batches of hosted APIs differ, each registered once by the name that a preset gives (`BatchTerms.form`).

Sources, November 2026: OpenAI's API reference (batches, files; Azure's and Groq's are the same under other paths),
Mistral's (batch jobs). Anthropic's Message Batches belong to another dialect, which nothing here speaks; Gemini takes
files through its own API alone, OpenRouter's batch is one JSON body; vLLM's `run-batch` reads a file and serves no API.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from halluvault_tasks.querying.replies import storable
from halluvault_tasks.querying.transport import whole

KEY = "halluvault"
"""Name in a batch's metadata of our own key for it."""


class BatchStage(Enum):
    """What is to be done about a batch."""

    RUNNING = "running"
    """Ask again later."""
    OVER = "over"
    """Collect what it has: all, or, of one that expired, a part."""
    CANCELLED = "cancelled"
    """By somebody: collect what it has, and ask nothing more before a person says so."""
    FAILED = "failed"
    """It was refused as a whole."""


_STAGES: Mapping[str, BatchStage] = {
    "completed": BatchStage.OVER,
    "expired": BatchStage.OVER,
    "cancelled": BatchStage.CANCELLED,
    "failed": BatchStage.FAILED,
}
"""Status in OpenAI's words; any other one is of a batch that runs (validating, in_progress, finalizing, cancelling)."""


class RemoteBatch(NamedTuple):
    """A batch as its API reports it."""

    id: str
    status: str
    """In OpenAI's words."""
    files: tuple[str, ...] = ()
    """Ids of what it has to give: answers, then errors."""
    completed: int = 0
    failed: int = 0
    why: str = ""
    """Of one that failed; one line for people."""
    key: str = ""
    """Ours, from its metadata; empty: it is not ours."""

    @property
    def stage(self) -> BatchStage:
        """What is to be done about it."""
        return _STAGES.get(self.status, BatchStage.RUNNING)


class NewBatch(NamedTuple):
    """What a batch is made of."""

    file: str
    endpoint: str
    window: str
    key: str
    model: str


class BatchForm(NamedTuple):
    """One API's batches."""

    jobs: str
    """Where they are, below the API's path."""
    listing: Callable[[str, int], str]
    """Id of the last one seen (empty at first) and number of the page → the query for the next page, newest first."""
    request: Callable[[NewBatch], dict[str, Any]]
    """What makes one."""
    read: Callable[[Mapping[str, Any]], RemoteBatch]
    """What is said of one."""
    line: Callable[[str, str, Mapping[str, Any]], dict[str, Any]]
    """A request's id, endpoint and body → a line of the file."""


PAGE = 100
"""Batches of a page."""


def _words(raw: Any) -> str:
    """The messages of a list of errors, in one line."""
    listed = raw.get("data") if isinstance(raw, Mapping) else raw
    several = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    told = (f"{one.get('message') or one.get('code') or one}" for one in several[:3])
    return storable(" ".join("; ".join(dict.fromkeys(told)).split()))[:300]


def _key(raw: Mapping[str, Any]) -> str:
    metadata = raw.get("metadata")
    found = metadata.get(KEY) if isinstance(metadata, Mapping) else None
    return found if isinstance(found, str) else ""


def _ids(*found: object) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str) and one)


def _openai(raw: Mapping[str, Any]) -> RemoteBatch:
    counts = raw.get("request_counts")
    counts = counts if isinstance(counts, Mapping) else {}
    return RemoteBatch(
        str(raw["id"]),
        storable(str(raw.get("status"))[:40]),
        _ids(raw.get("output_file_id"), raw.get("error_file_id")),
        whole(counts.get("completed")) or 0,
        whole(counts.get("failed")) or 0,
        _words(raw.get("errors")),
        _key(raw),
    )


def _openai_request(new: NewBatch) -> dict[str, Any]:
    return {
        "input_file_id": new.file,
        "endpoint": new.endpoint,
        "completion_window": new.window,
        "metadata": {KEY: new.key},
    }


def _openai_line(custom_id: str, endpoint: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return {"custom_id": custom_id, "method": "POST", "url": endpoint, "body": body}


_OF_MISTRAL: Mapping[str, str] = {
    "QUEUED": "validating",
    "RUNNING": "in_progress",
    "SUCCESS": "completed",
    "FAILED": "failed",
    "TIMEOUT_EXCEEDED": "expired",
    "CANCELLATION_REQUESTED": "cancelling",
    "CANCELLED": "cancelled",
}


def _mistral(raw: Mapping[str, Any]) -> RemoteBatch:
    status = str(raw.get("status"))
    return RemoteBatch(
        str(raw["id"]),
        _OF_MISTRAL.get(status, storable(status[:40])),
        _ids(raw.get("output_file"), raw.get("error_file")),
        whole(raw.get("succeeded_requests")) or 0,
        whole(raw.get("failed_requests")) or 0,
        _words(raw.get("errors")),
        _key(raw),
    )


def _mistral_request(new: NewBatch) -> dict[str, Any]:
    hours = int(new.window[:-1]) * (24 if new.window.endswith("d") else 1)
    return {
        "input_files": [new.file],
        "endpoint": new.endpoint,
        "model": new.model,
        "timeout_hours": hours,
        "metadata": {KEY: new.key},
    }


FORMS: Mapping[str, BatchForm] = {
    "openai": BatchForm(
        "/batches",
        lambda last, _page: f"limit={PAGE}" + (f"&after={last}" if last else ""),
        _openai_request,
        _openai,
        _openai_line,
    ),
    "mistral": BatchForm(
        "/batch/jobs",
        lambda _last, page: f"page_size={PAGE}&page={page}",
        _mistral_request,
        _mistral,
        lambda custom_id, _endpoint, body: {"custom_id": custom_id, "body": body},
    ),
}
"""By the name that presets give."""
