"""The batches of a hosted API: files, the batches made of them, and what each comes to.

OpenAI's shape, or Mistral's (`ServerManner.batches`). Each line is answered by the model as a request of its own is.
What may go wrong between two such servers is played by whoever holds the desk (`BatchDesk.before`, `after`, `spoils`).
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.parser import BytesParser
from email.policy import HTTP
from time import time
from typing import Any

from halluvault_tasks.local.simulator.replies import EventStream, WholeAnswer, as_json, dumps
from halluvault_tasks.local.simulator.wire import Incoming

MOST_BYTES = 200_000_000
"""Of a file of requests."""

_AT_ONCE = 32
_OF_MISTRAL: Mapping[str, str] = {
    "validating": "QUEUED",
    "in_progress": "RUNNING",
    "completed": "SUCCESS",
    "failed": "FAILED",
    "expired": "TIMEOUT_EXCEEDED",
    "cancelled": "CANCELLED",
}

LineAnswer = Callable[[Incoming], Awaitable[WholeAnswer | EventStream]]
"""What the model's API answers to one request."""
Hook = Callable[[str, int], WholeAnswer | None]
"""A step (`upload`, `make`, `list`, `look`, `cancel`, `content`) and how often it was asked for → an answer instead."""


class SimulatedBatch:
    """One batch.

    Args:
        id: the API's.
        file: id of its requests.
        asked: its requests.
        metadata: as given.
    """

    def __init__(self, id: str, file: str, asked: Sequence[Mapping[str, Any]], metadata: Mapping[str, str]) -> None:
        self.id, self.file, self.asked, self.metadata = id, file, asked, metadata
        self.created = int(time())
        self.status = "validating"
        self.answers: list[bytes] = []
        self.errors: list[bytes] = []
        self.completed = self.failed = 0
        self.why = ""


def _nothing(_step: str, _count: int) -> WholeAnswer | None:
    return None


class BatchDesk:
    """What one model's API has of files and batches, in memory.

    Args:
        path: of the API.
        shape: whose batches it has; empty: none.
    """

    def __init__(self, path: str, shape: str) -> None:
        self._path, self._jobs, self._shape = path, "/batch/jobs" if shape == "mistral" else "/batches", shape
        self._tasks: set[asyncio.Task[None]] = set()
        self._counts: dict[str, int] = {}
        self.files: dict[str, bytes] = {}
        self.batches: list[SimulatedBatch] = []
        self.before: Hook = _nothing
        """An answer in place of doing what was asked."""
        self.after: Hook = _nothing
        """An answer in place of the true one, once it was done."""
        self.spoils: Callable[[int, list[bytes]], list[bytes]] = lambda _number, lines: lines
        """Number of a batch, from 0, and the lines of its answers → the lines that its file has."""
        self.ends: Callable[[int], tuple[str, int]] = lambda _number: ("completed", -1)
        """Number of a batch → how it ends (`in_progress`: never), and after how many requests; −1: all."""

    def step(self, method: str, route: str) -> str:
        """What a request is about; empty: nothing that this desk does."""
        if not self._shape or not route.startswith(self._path):
            return ""
        parts = route.removeprefix(self._path)
        jobs = parts.startswith(self._jobs)
        if parts == "/files":
            return "upload" if method == "POST" else ""
        if parts.startswith("/files/") and parts.endswith("/content"):
            return "content"
        if parts == self._jobs:
            return "make" if method == "POST" else "list"
        return "" if not jobs else "cancel" if parts.endswith("/cancel") else "look"

    async def respond(self, step: str, asked: Incoming, answer: LineAnswer) -> WholeAnswer:
        """Answer a request of this step."""
        count = self._counts[step] = self._counts.get(step, 0) + 1
        if instead := self.before(step, count):
            return instead
        done = getattr(self, f"_{step}")(asked, answer)
        return self.after(step, count) or done

    def _upload(self, asked: Incoming, _answer: LineAnswer) -> WholeAnswer:
        head = f"Content-Type: {asked.content_type}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + asked.body)
        parts = {str(part.get_param("name", header="content-disposition")): part for part in form.iter_parts()}
        content = parts["file"].get_payload(decode=True) if "file" in parts else None
        if not isinstance(content, bytes) or str(parts["purpose"].get_payload()).strip() != "batch":
            return _error(400, "A file and the purpose `batch` are needed.")
        id = f"file-{len(self.files) + 1}"
        self.files[id] = content
        return as_json(200, {"id": id, "object": "file", "bytes": len(content), "purpose": "batch"})

    def _make(self, asked: Incoming, answer: LineAnswer) -> WholeAnswer:
        raw = json.loads(asked.body)
        file = raw["input_files"][0] if self._shape == "mistral" else raw["input_file_id"]
        if file not in self.files:
            return _error(400, f"No such File object: {file}")
        lines = [json.loads(line) for line in self.files[file].splitlines()]
        made = SimulatedBatch(f"batch-{len(self.batches) + 1}", file, lines, raw.get("metadata") or {})
        self.batches.append(made)
        # One after the other, as this server is one process; none waits for its client.
        task = asyncio.create_task(self._run(len(self.batches) - 1, made, raw["endpoint"], raw.get("model"), answer))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return as_json(200, self._shown(made))

    def _list(self, asked: Incoming, _answer: LineAnswer) -> WholeAnswer:
        newest = self.batches[::-1]
        most = int(asked.query.get("limit") or asked.query.get("page_size") or 20)
        ids = [one.id for one in newest]
        start = ids.index(last) + 1 if (last := asked.query.get("after")) in ids else 0
        start += most * int(asked.query.get("page") or 0)
        found = [self._shown(one) for one in newest[start : start + most]]
        return as_json(200, {"object": "list", "data": found})

    def _look(self, asked: Incoming, _answer: LineAnswer) -> WholeAnswer:
        found = self._known(asked.route)
        return as_json(200, self._shown(found)) if found else _error(404, "No such batch.")

    def _cancel(self, asked: Incoming, _answer: LineAnswer) -> WholeAnswer:
        found = self._known(asked.route.removesuffix("/cancel"))
        if found is None:
            return _error(404, "No such batch.")
        found.status = "cancelled"
        return as_json(200, self._shown(found))

    def _content(self, asked: Incoming, _answer: LineAnswer) -> WholeAnswer:
        content = self.files.get(asked.route.removeprefix(f"{self._path}/files/").removesuffix("/content"))
        if content is None:
            return _error(404, "No such File object.")
        return WholeAnswer(200, content, "application/jsonl")

    def _known(self, route: str) -> SimulatedBatch | None:
        id = route.rpartition("/")[2]
        return next((one for one in self.batches if one.id == id), None)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.result()  # what went wrong with it is seen

    async def _run(
        self, number: int, made: SimulatedBatch, endpoint: str, model: str | None, answer: LineAnswer
    ) -> None:
        """Answer a batch's requests, as many as are answered before it ends."""
        made.status = "in_progress"
        how, most = self.ends(number)
        asked = made.asked if most < 0 else made.asked[:most]
        route, room = self._path + endpoint[endpoint.index("/", 1) :], asyncio.Semaphore(_AT_ONCE)

        async def one(line: Mapping[str, Any]) -> None:
            body = dumps({"model": model, **line["body"]} if model else line["body"])
            async with room:
                found = await answer(Incoming("POST", route, "application/json", body))
            if isinstance(found, EventStream) or found.fault:
                made.errors.append(_line(line, None, {"code": "request_timeout", "message": "The model timed out."}))
                made.failed += 1
                return
            response = {"status_code": found.status, "request_id": "r", "body": json.loads(found.body)}
            (made.answers if found.status == 200 else made.errors).append(_line(line, response, None))
            made.completed += found.status == 200
            made.failed += found.status != 200

        await asyncio.gather(*map(one, asked))
        if made.status != "in_progress":  # cancelled meanwhile
            how = made.status
        code = {"expired": "batch_expired", "cancelled": "batch_cancelled"}.get(how)
        for line in made.asked[len(asked) :] if code else ():
            words = "This request could not be executed before the completion window expired."
            made.errors.append(_line(line, None, {"code": code, "message": words}))
        made.why = "Enqueued token limit reached." if how == "failed" else ""
        self.files[f"{made.id}-answers"] = b"".join(self.spoils(number, made.answers))
        self.files[f"{made.id}-errors"] = b"".join(made.errors)
        made.status = how

    def _shown(self, one: SimulatedBatch) -> dict[str, Any]:
        over = one.status not in ("validating", "in_progress", "failed")
        names = [
            f"{one.id}-answers" if over and one.answers else None,
            f"{one.id}-errors" if over and one.errors else None,
        ]
        if self._shape == "mistral":
            return {
                "id": one.id, "object": "batch", "status": _OF_MISTRAL[one.status], "input_files": [one.file],
                "output_file": names[0], "error_file": names[1], "metadata": one.metadata,
                "total_requests": len(one.asked), "succeeded_requests": one.completed, "failed_requests": one.failed,
                "errors": [{"message": one.why, "count": 1}] if one.why else [],
            }  # fmt: skip
        return {
            "id": one.id, "object": "batch", "status": one.status, "input_file_id": one.file,
            "created_at": one.created, "output_file_id": names[0], "error_file_id": names[1],
            "metadata": one.metadata or None,
            "errors": {"object": "list", "data": [{"code": "invalid", "message": one.why}]} if one.why else None,
            "request_counts": {"total": len(one.asked), "completed": one.completed, "failed": one.failed},
        }  # fmt: skip


def _line(asked: Mapping[str, Any], response: Any, error: Any) -> bytes:
    return dumps({"id": "r", "custom_id": asked["custom_id"], "response": response, "error": error}) + b"\n"


def _error(status: int, words: str) -> WholeAnswer:
    return as_json(status, {"error": {"message": words, "type": "invalid_request_error", "code": None}})
