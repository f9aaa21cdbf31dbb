"""The OpenAI-compatible protocol, as vLLM, SGLang, llama.cpp, transformers, hosted APIs and TGI's `/v1` speak it.

They agree on little: what is said in fields of a request stands in `terms`, what comes back is read by `hearing`, and
what only some have is known from a preset (`presets`) or asked (`words`). `model` and `temperature` are always sent
(TGI samples without a temperature, `transformers serve` refuses a missing model), unless the registry leaves the latter
out; `presence_penalty` never (TGI turns even 0 into a repetition penalty of 2).
"""

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any

from halluvault_tasks.querying import weights
from halluvault_tasks.querying.dialects.hearing import Chunks, CompletionPrompt, refusal_of, reply_of
from halluvault_tasks.querying.dialects.presets import PLAIN, ApiPreset
from halluvault_tasks.querying.dialects.terms import terms_of
from halluvault_tasks.querying.dialects.tgi_words import CHAT_MODEL, ON_CHAT, ON_COMPLETIONS, ON_V1, TgiWords, info_of
from halluvault_tasks.querying.dialects.words import ServerWords, turn
from halluvault_tasks.querying.failures import Filtered, ReplyBody, first_line, refused
from halluvault_tasks.querying.replies import (
    ChatMessage,
    ChatTemplate,
    Failure,
    FailureKind,
    Grammar,
    Identity,
    Reply,
    ServerInfo,
    storable,
)
from halluvault_tasks.querying.transport import INFO_SECONDS, Transport, events_in, parsed, whole

RESERVED = frozenset({
    "model",
    "messages",
    "prompt",
    "stream",
    "stream_options",
    "temperature",
    "max_tokens",
    "presence_penalty",
    "n",
})
"""Fields of a request that a registry's `extra` may not set."""

_NOT_THERE = (403, 404, 405, 501)
"""A server that has no such route, or none for this key."""
_GEMINIS = "models/"
"""Before each name in Gemini's list, which knows them without it, too."""
_CONTEXT = ("max_model_len", "context_length", "max_context_length", "context_window")
"""vLLM and SGLang; OpenRouter; Mistral; Groq."""


class OpenAiClient:
    """One replica of one model behind an OpenAI-compatible server.

    Args:
        http: the way to its base URL, which does not have the API's path.
        parameters: as `registry.Model.parameters` gives them.
        model: name the server knows the model by; empty asks the list of models, which must then have one alone.
        completions: send a plain prompt raw to `/completions` instead of as one user's turn.
        stream: ask for a stream of tokens, so that a hung server is noticed by its silence.
        api: what is known about the server.
    """

    def __init__(
        self,
        http: Transport,
        parameters: Mapping[str, Any],
        model: str = "",
        completions: bool = False,
        stream: bool = False,
        api: ApiPreset = PLAIN,
    ) -> None:
        self.base_url = http.base_url
        self._http = http
        self._terms = terms_of(parameters)
        self._wanted = model
        self._model = model
        self._completions = completions
        self._stream = stream
        self._api = api
        self._may_be_tgi = api.info
        self._words: ServerWords | None = None if api.info else ServerWords(http, api)
        self._believed: ServerInfo | None = None

    async def complete(
        self, prompt: str, grammar: Grammar | None = None, *, seed: int | None = None, patience: int = 1
    ) -> Reply:
        """One user's turn, or `POST /completions`."""
        if not self._completions:
            return await self.chat(turn(prompt), grammar, seed=seed, patience=patience)
        most = self._terms.most(None, patience)
        payload = {"model": self._model or await self._name(), "prompt": prompt, **self._fields(most, seed)}
        if grammar is not None:
            payload |= (await self._speak()).guided(grammar, completions=True)
        return await self._asked("/completions", payload, most, grammar is not None)

    async def chat(
        self, messages: list[ChatMessage], grammar: Grammar | None = None, tokens: int | None = None, *,
        seed: int | None = None, patience: int = 1,
    ) -> Reply:  # fmt: skip
        """`POST /chat/completions`."""
        terms = self._terms
        most = terms.most(tokens, patience)
        name = self._model or await self._name()
        payload = {"model": name, "messages": terms.turns(messages), **self._fields(most, seed)}
        if grammar is not None:
            payload |= (await self._speak()).guided(grammar)
        return await self._asked("/chat/completions", payload, most, grammar is not None)

    async def info(self, seconds: float = INFO_SECONDS) -> ServerInfo:
        """`GET /models` for the model's name, and `/info` (TGI) or a version where there is one.

        A hosted API is believed to serve what was once found there: its list says no more than names.
        """
        if self._believed is not None:
            return self._believed
        if self._may_be_tgi:
            answer = await self._http.get("/info", seconds)
            if answer.status >= 500 or answer.status == 429:
                raise refused(answer)  # ill, which says nothing about what it is
            reads = ON_COMPLETIONS if self._completions else ON_CHAT
            found = info_of(answer.body, ON_V1, reads) if answer.status == 200 else None
            self._may_be_tgi = found is not None
            self._words = (TgiWords if found else ServerWords)(self._http, self._api)
            if found:
                self._model = self._wanted or CHAT_MODEL
                return found
        listed = await self._listed(seconds)
        self._believed = listed if self._api.hosted else None
        return listed

    async def healthy(self) -> bool:
        """Whether `/health` answers 200 or, if there is none, the list of models does; where there is neither, True."""
        asked = [] if self._api.hosted else ["/health"]
        asked += [f"{self._api.path}/models"] if self._api.lists else []
        try:
            for path in asked:
                status = (await self._http.get(path)).status
                if status not in _NOT_THERE:
                    return status == 200
        except Failure:
            return False
        return True  # a question will tell

    async def template(self) -> ChatTemplate:
        """`/chat_tokenize` of a TGI; elsewhere whether a turn has more tokens in the chat route than raw."""
        words = await self._speak()
        return await words.template({"model": await self._name(), **self._fields(1, None)})

    async def count_tokens(self, asked: str | list[ChatMessage]) -> int | None:
        """`/chat_tokenize` and `/tokenize` of a TGI, its own way of a known server; None elsewhere."""
        asked = turn(asked) if isinstance(asked, str) and not self._completions else asked
        try:
            return await (await self._speak()).count(await self._name(), asked)
        except Failure as failure:
            if failure.kind is FailureKind.OVERLOADED:
                raise
            return None

    def _fields(self, most: int, seed: int | None) -> Mapping[str, Any]:
        terms = self._terms
        varied = terms.varied(terms.limit_field, most, seed)
        return {**terms.fields, **varied} if varied else terms.fields

    async def _asked(self, route: str, payload: dict[str, Any], most: int, guided: bool) -> Reply:
        """Ask, and read what comes; a refusal by the API is a reply."""
        path, began = self._api.path + route, monotonic()
        asked = CompletionPrompt(self._terms, most, guided, payload)
        try:
            if self._stream:
                raw, headers = await self._streamed(path, payload)
            else:
                answer = await self._http.post(path, payload)
                raw, headers = self._in_one(answer, payload), answer.headers
            return reply_of(raw, headers, asked, _since(began))
        except Filtered as filtered:
            return refusal_of(filtered, _since(began))

    async def _streamed(self, path: str, payload: dict[str, Any]) -> tuple[Any, Mapping[str, str]]:
        """The completion that a stream adds up to, and the answer's headers."""
        payload["stream"] = True
        if "stream_options" not in self._terms.omit:
            payload["stream_options"] = {"include_usage": True}
        chunks = Chunks(payload, self._http.unkeyed)
        async for event, headers in self._http.events(path, payload):
            chunks.add(event, headers)
        return chunks.whole(), chunks.headers

    def _in_one(self, answer: ReplyBody, payload: Mapping[str, Any]) -> Any:
        """The completion in a body, be it whole or a stream that nobody asked for."""
        events = events_in(answer.body)
        if len(events) == 1:
            return events[0]
        chunks = Chunks(payload, self._http.unkeyed)
        for event in events:
            chunks.add(event, answer.headers)
        return chunks.whole()

    async def _speak(self) -> ServerWords:
        """The words of the server, which depend on what it is."""
        if self._words is None:
            await self.info()
        assert self._words is not None
        return self._words

    async def _name(self) -> str:
        if not self._model:
            await self.info()
        return self._model

    async def _listed(self, seconds: float) -> ServerInfo:
        """What the list of models says; `served_as` where there is none."""
        path = f"{self._api.path}/models"
        if not self._api.lists:  # asked nothing, it says nothing wrong; a question will tell
            return ServerInfo(await self._identity(self._wanted, None, seconds))
        answer = await self._http.get(path, seconds)
        if answer.status in _NOT_THERE and self._wanted:
            return ServerInfo(await self._identity(self._wanted, None, seconds))
        if answer.status != 200:
            raise refused(answer)
        listed = _names_in(parsed(answer.body))
        if not self._wanted and len(listed) != 1:
            several = f"several models; `served_as` must name one of: {_some(listed)}"
            what = several if listed else f"no model: {first_line(answer.body)!r}"
            raise Failure(FailureKind.BARRED, f"{path} lists {what}", 200)
        name = self._model = self._wanted or next(iter(listed))
        entry = listed.get(name.removeprefix(_GEMINIS))
        if entry is None:
            # `transformers serve` over a local directory lists nothing, others leave out adapters and deployments.
            if listed and not await self._serves(name):
                raise Failure(FailureKind.BARRED, f"no model {name!r} in {path}; there are: {_some(listed)}", 200)
            return ServerInfo(await self._identity(name, None, seconds))
        root = entry.get("root")
        return ServerInfo(
            await self._identity(name, root if isinstance(root, str) and root != name else None, seconds),
            max_total_tokens=next((found for key in _CONTEXT if (found := whole(entry.get(key)))), None),
        )

    async def _serves(self, name: str) -> bool:
        """Whether a model that is not listed is served all the same: asked for one token, the server gives it."""
        asked: dict[str, Any] = {"prompt": "Hi"} if self._completions else {"messages": turn("Hi")}
        route = "completions" if self._completions else "chat/completions"
        try:
            await self._http.post(f"{self._api.path}/{route}", {"model": name, **asked, **self._fields(1, None)})
        except Failure as failure:
            if failure.kind.passes:
                raise
            return failure.kind is FailureKind.FATAL or bool(failure.param)
        return True

    async def _identity(self, name: str, root: str | None, seconds: float) -> Identity:
        """Identity of a model named by a bare path, with the weights' sha256: other weights may be there tomorrow."""
        if self._api.hosted:
            return Identity(storable(name), None, None)
        sha = await asyncio.to_thread(weights.sha256_of, root or name, self.base_url)
        return Identity(storable(name), sha or (storable(root) if root else None), await self._version(seconds))

    async def _version(self, seconds: float) -> str | None:
        where = self._api.version
        if where is None:
            return None
        answer = await self._http.get(where.path, seconds)
        if answer.status >= 500 or answer.status == 429:
            raise refused(answer)  # not to be taken for a server without a version, which would be another identity
        try:
            found = parsed(answer.body).get(where.field) if answer.status == 200 else None
        except (Failure, AttributeError):
            return None
        return storable(found) if isinstance(found, str) else None


def _names_in(raw: Any) -> dict[str, Mapping[str, Any]]:
    """What a list of models has, by name."""
    entries = raw.get("data") if isinstance(raw, dict) else None
    return {
        entry["id"].removeprefix(_GEMINIS): entry
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict) and isinstance(entry.get("id"), str)
    }


def _some(listed: Mapping[str, Any]) -> str:
    return ", ".join(sorted(listed)[:10])


def _since(began: float) -> int:
    return round((monotonic() - began) * 1000)
