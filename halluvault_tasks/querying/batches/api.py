"""One API's batches: files up and down, batches made, found, looked at and cancelled."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import orjson

from halluvault_tasks.querying import retry_policy
from halluvault_tasks.querying.batches.forms import FORMS, PAGE, NewBatch, RemoteBatch
from halluvault_tasks.querying.dialects.presets import ApiPreset, BatchTerms
from halluvault_tasks.querying.failures import ReplyBody, first_line, refused
from halluvault_tasks.querying.replies import Failure, UnknownShape
from halluvault_tasks.querying.retry_policy import Policy
from halluvault_tasks.querying.transport import Transport, parsed

_PAGES = 20
"""Of its list that are looked through for a batch of ours."""
_ABSENT = (404, 405, 501)
"""Of an API without such a list."""

_T = TypeVar("_T")


class BatchApi:
    """The batches of one key.

    Args:
        http: the way there.
        way: what is known about the API.
        terms: what it takes as a batch.
        route: of the model: chat or completions.
        policy: how patient to be with one request.
    """

    def __init__(self, http: Transport, way: ApiPreset, terms: BatchTerms, route: str, policy: Policy) -> None:
        self._http, self._path, self._policy = http, way.path, policy
        self._form, self._terms = FORMS[terms.form], terms
        self._random = Random()
        self._tried: set[str] = set()
        """Keys of the batches that were asked for, with whatever answer."""
        self.endpoint = f"{terms.path}/{'chat/completions' if route == 'chat' else 'completions'}"
        """What every line asks."""

    async def upload(self, name: str, file: Path) -> str:
        """Upload requests, and return the file's id."""

        async def once() -> ReplyBody:
            return await self._http.upload(f"{self._path}/files", {"purpose": "batch"}, name, file)

        return str(_object(await self.patiently(once), "id")["id"])

    async def make(self, key: str, file: str, model: str, window: str) -> RemoteBatch:
        """Make a batch of an uploaded file, once: where no answer says whether that was done, it is looked for."""
        new = NewBatch(file, self.endpoint, window or self._terms.window, key, model)

        async def once() -> RemoteBatch:
            if key in self._tried and (there := await self._sought(key)):
                return there
            self._tried.add(key)
            answer = await self._http.post(self._path + self._form.jobs, self._form.request(new))
            return self._form.read(_object(answer, "id"))

        return await self.patiently(once)

    async def find(self, key: str) -> RemoteBatch | None:
        """The batch with our key among the newest; None: there is none, or no list."""
        return await self.patiently(lambda: self._sought(key))

    async def listed(self) -> None:
        """Ask for the list of batches, and nothing else.

        Raises:
            Failure: it does not come.
        """
        await self.patiently(lambda: self._page("", 0))

    async def look(self, batch: str) -> RemoteBatch:
        """How far a batch is."""

        async def once() -> RemoteBatch:
            return self._form.read(_object(await self._got(f"{self._form.jobs}/{batch}"), "id"))

        return await self.patiently(once)

    async def cancel(self, batch: str) -> None:
        """Ask that nothing more of a batch be done."""
        await self._http.post(f"{self._path}{self._form.jobs}/{batch}/cancel", {})

    def lines(self, file: str) -> AsyncIterator[bytes]:
        """What a file holds, line by line.

        Raises:
            Failure: it does not come, or not whole.
        """
        return self._http.lines(f"{self._path}/files/{file}/content")

    def line(self, custom_id: str, body: Mapping[str, Any]) -> bytes:
        """A line of a file that is uploaded, without its end."""
        return orjson.dumps(self._form.line(custom_id, self.endpoint, body))

    async def patiently(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Make one request until it succeeds, as often as is worth it.

        Raises:
            Failure: the last one.
        """
        return await retry_policy.patiently(call, self._policy, self._random)

    async def _sought(self, key: str) -> RemoteBatch | None:
        last = ""
        for page in range(_PAGES):
            try:
                listed = await self._page(last, page)
            except Failure as failure:
                if failure.status in _ABSENT:
                    return None
                raise
            found = [self._form.read(one) for one in listed]
            # Where it was made twice after all, the older one has got further.
            if mine := [one for one in found if one.key == key]:
                return mine[-1]
            if len(found) < PAGE or found[-1].id == last:
                return None
            last = found[-1].id
        return None

    async def _page(self, last: str, page: int) -> list[Mapping[str, Any]]:
        listed = _object(await self._got(f"{self._form.jobs}?{self._form.listing(last, page)}"), "data")["data"]
        return [one for one in listed or () if isinstance(one, dict) and "id" in one]

    async def _got(self, path: str) -> ReplyBody:
        answer = await self._http.get(self._path + path)
        if answer.status != 200:
            raise refused(answer)
        return answer


def _object(answer: ReplyBody, needed: str) -> Mapping[str, Any]:
    """The JSON object of an answer.

    Raises:
        Failure: it is none, or lacks the field that is needed.
    """
    raw = parsed(answer.body)
    if not isinstance(raw, dict) or needed not in raw:
        raise UnknownShape(f"HTTP 200 without {needed!r}: {first_line(answer.body)!r}")
    return raw
