"""What servers of the OpenAI protocol do not agree on: how a grammar is asked for, a template found, tokens counted."""

from collections.abc import Mapping
from typing import Any

from halluvault_tasks.querying.dialects.presets import ApiPreset
from halluvault_tasks.querying.replies import ChatMessage, ChatTemplate, Failure, FailureKind, Grammar
from halluvault_tasks.querying.transport import Transport, parsed, whole


def turn(words: str) -> list[ChatMessage]:
    """A conversation of one user's turn."""
    return [{"role": "user", "content": words}]


class ServerWords:
    """The words of a server that is no text-generation-inference.

    Args:
        http: the way to it.
        api: what is known about it.
    """

    def __init__(self, http: Transport, api: ApiPreset) -> None:
        self._http, self._api = http, api

    def guided(self, grammar: Grammar, completions: bool = False) -> dict[str, Any]:
        """The fields that make it obey a grammar: OpenAI's or llama.cpp's for JSON, its own for a regular expression.

        Raises:
            Failure: it has no such field.
        """
        if grammar.kind == "regex":
            if not self._api.regex:
                raise Failure(FailureKind.FATAL, "this API takes no regular expression")
            value: Any = grammar.value
            for name in reversed(self._api.regex):
                value = {name: value}
            return dict(value)
        if grammar.form == "json_object":
            return {"response_format": {"type": "json_object", "schema": grammar.value}}
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": grammar.value}}}

    async def template(self, asked: Mapping[str, Any]) -> ChatTemplate:
        """Whether a turn has more tokens in the chat route than raw.

        More tokens come from a template, be it the model's own or one that the server falls back to.

        Args:
            asked: fields of a request for one token.

        Raises:
            Failure: it does not answer now.
        """
        if self._api.hosted:
            return ChatTemplate(None, "a hosted API does not say")
        words = "Tell how a bicycle is built."
        try:
            chat = await self._prompt_tokens("chat/completions", {**asked, "messages": turn(words)})
        except Failure as failure:
            if failure.kind.passes:
                raise
            lacks = failure.status in (400, 422) and "template" in failure.reason.lower()
            return ChatTemplate(False if lacks else None, failure.reason, refuses=lacks)
        try:
            raw = await self._prompt_tokens("completions", {**asked, "prompt": words})
        except Failure as failure:
            if failure.kind.passes:
                raise
            return ChatTemplate(None, f"no {self._api.path}/completions to compare with: {failure.reason}")
        if chat is None or raw is None:
            return ChatTemplate(None, "the server counts no prompt tokens")
        return ChatTemplate(chat > raw, f"a turn of {raw} tokens raw has {chat} in the chat route")

    async def count(self, model: str, asked: str | list[ChatMessage]) -> int | None:
        """Tokens of a raw text or of a conversation; None where it cannot say.

        Raises:
            Failure: it is full, which says nothing.
        """
        way = self._api.counting
        field = "" if way is None else way.text if isinstance(asked, str) else way.turns
        if way is None or not field:
            return None
        found = await self._asked(way.path, {"model": model, field: asked})
        counted = found.get(way.found) if isinstance(found, Mapping) else None
        return len(counted) if isinstance(counted, list) else whole(counted)

    async def _asked(self, path: str, payload: Mapping[str, Any]) -> Any:
        """What it says to a side question; None where it does not take it."""
        try:
            return parsed((await self._http.post(path, payload)).body)
        except Failure as failure:
            if failure.kind is FailureKind.OVERLOADED:
                raise
            return None

    async def _prompt_tokens(self, route: str, payload: Mapping[str, Any]) -> int | None:
        raw = parsed((await self._http.post(f"{self._api.path}/{route}", payload)).body)
        usage = raw.get("usage") if isinstance(raw, dict) else None
        return whole(usage.get("prompt_tokens")) if isinstance(usage, dict) else None
