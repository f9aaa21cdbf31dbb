"""A server's behaviour, found by testing: whether it has a template, takes the likeliest token, and obeys a grammar.

What a server says about itself proves none of these. TGI's CPU backend samples where its GPU backend is greedy, and
checks a grammar without obeying it, all with status 200. So each is tested in a way that only the true behaviour can
pass, on every replica, through the route that will be used.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.registry import Model, Server
from halluvault_tasks.querying.replies import Client, Failure, Grammar, JsonForm, Reply
from halluvault_tasks.querying.retry_policy import Policy, patiently

_T = TypeVar("_T")

GREEDY = "greedy"
NOT_BITWISE = "greedy, not bitwise repeatable"
"""The same at first and another text later on, as rounding in batches of different sizes brings it on a GPU."""
UNKNOWN = "unknown"
SAMPLES = "samples"
_ORDER = (GREEDY, NOT_BITWISE, UNKNOWN, SAMPLES)

_OPEN_QUESTIONS = ("Tell how a bicycle is built.", "Describe a morning at a fish market.")
"""The second one is for models that have next to nothing to say to the first."""
_NEW_TOKENS = 48
_FIRST_TOKENS = 16
_SEEDS = (11, 23, 47)
_WORD = "quorvexil"
"""Nothing but a grammar brings it."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [_WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}
_LONGEST_SECONDS = 300.0
_GRAMMAR_ATTEMPTS = 2


class Behaviour(NamedTuple):
    """What a model's replicas were seen to do, the least that all of them do."""

    template: bool | None
    """Whether they have a chat template; None where there is no way to tell."""
    decoding: str
    """`GREEDY`, `NOT_BITWISE`, `UNKNOWN` (answers too short to tell) or `SAMPLES`."""
    sends: Mapping[str, Any]
    """Sampling parameters without which it would not be greedy; empty for a server that is so by silence."""
    guided_regex: bool
    guided_json: bool
    seen: str
    """What that depends on, for people."""
    json_form: JsonForm = "json_schema"
    """How to send it a JSON schema, if it obeys one."""
    thinks: str = ""
    """Where its thoughts stood (`Reply.thinks`); empty: none were seen."""

    @property
    def guided(self) -> str:
        """Which grammars are obeyed, in words; `unguided` unless both kinds are."""
        if self.guided_regex and self.guided_json:
            return "guided"
        half = "regex" if self.guided_regex else "JSON" if self.guided_json else ""
        return f"unguided (only {half} is obeyed)" if half else "unguided"


async def observe(
    http: servers.Http, entry: Model, home: Server, found: servers.Identified, token: servers.TokenOf
) -> Behaviour:
    """Ask every replica of a model, all at once.

    Args:
        http: of the process.
        entry: the model, asked with its own sampling parameters by its own route.
        home: its server.
        found: who the replicas say they are.
        token: where API keys come from.

    Raises:
        UserError: it cannot be asked by this route, or samples although the registry says greedy; `Unavailable` where a
            replica does not answer.
    """
    key = token(entry)
    replicas = [
        _Replica(http, entry, home, url, key, info.likeliest)
        for url, info in zip(entry.base_urls, found.replicas, strict=True)
    ]
    several = await asyncio.gather(*(replica.observe() for replica in replicas))
    for url, each in zip(entry.base_urls, several, strict=True):
        if each.sends != several[0].sends:
            raise UserError(
                f"{entry.name}: {url} and {entry.base_urls[0]} need different parameters to be greedy: "
                f"{dict(each.sends)} and {dict(several[0].sends)}",
                "replicas must run the same backend; give the other one its own entry",
            )
    return _together(several)


def warnings(entry: Model, behaviour: Behaviour) -> list[str]:
    """What should be said aloud before such a model is asked."""
    said = []
    if entry.route == "chat" and behaviour.template is False:
        said.append(f"{entry.name}: route is chat, but the server has no chat template; for a base model set "
                    "`route: completions`")  # fmt: skip
    if entry.route == "completions" and behaviour.template:
        said.append(f"{entry.name}: route is completions, but the server has a chat template; an instruct model "
                    "should be asked with `route: chat`")  # fmt: skip
    if behaviour.decoding == NOT_BITWISE:
        said.append(f"{entry.name}: greedy, but not bitwise repeatable: {behaviour.seen}")
    if behaviour.decoding == UNKNOWN:
        said.append(f"{entry.name}: it could not be determined whether it is greedy: {behaviour.seen}")
    return said


class _Replica:
    """One replica while it is asked."""

    def __init__(
        self, http: servers.Http, entry: Model, home: Server, url: str, key: str, likeliest: Mapping[str, Any]
    ) -> None:
        self._http, self._entry, self._home, self._url, self._key = http, entry, home, url, key
        self._likeliest = likeliest
        self._policy = Policy(home.attempts, min(home.deadline_seconds, _LONGEST_SECONDS))

    async def observe(self) -> Behaviour:
        template = await self._asked(self._client({}).template)
        if self._entry.route == "chat" and template.refuses:
            raise UserError(
                f"{self._entry.name}: route is chat, but {self._url} has no chat template ({template.seen})",
                "set `route: completions` if this is a base model; else start the server with the model's template "
                "(TGI: --tokenizer-config-path FILE)",
            )
        decoding, sends, seen = await self._decoding()
        form = await self._json_form(sends)
        return Behaviour(
            template.present,
            decoding,
            sends,
            await self._obeys(Grammar("regex", _WORD), sends, lambda text: text.strip() == _WORD),
            form is not None,
            f"{seen}; template: {template.seen}",
            form or "json_schema",
        )

    async def _json_form(self, sends: Mapping[str, Any]) -> JsonForm | None:
        """How to send it a JSON schema so that it obeys; None if no way is known."""
        for form in self._entry.json_forms:
            if await self._obeys(Grammar("json", _SCHEMA, form), sends, _is_the_object):
                return form
        return None

    async def _decoding(self) -> tuple[str, Mapping[str, Any], str]:
        if not self._entry.greedy:
            return SAMPLES, {}, "the registry says so"
        sends: Mapping[str, Any] = {}
        decoding, seen = await self._repeats(sends)
        if decoding != GREEDY and self._likeliest:
            # Only here: to a server that is greedy by silence these would say: sample, with ties drawn by lot.
            sends = self._likeliest
            decoding, seen = await self._repeats(sends)
        if decoding == SAMPLES:
            raise UserError(
                f"{self._entry.name}: the registry says greedy, but {self._url} samples: {seen}",
                "write `sampling: {do_sample: true}` to continue, and results say `samples`; or start the server so "
                "that it takes the likeliest token",
            )
        return decoding, sends, seen

    async def _repeats(self, sends: Mapping[str, Any]) -> tuple[str, str]:
        """Whether the same is said three times in a row, whatever the seed."""
        for question in _OPEN_QUESTIONS:
            replies = [await self._said(question, sends, seed, _NEW_TOKENS) for seed in _SEEDS]
            texts = {reply.text for reply in replies}
            if len(texts) > 1:
                first = (await self._said(question, sends, _SEEDS[0], _FIRST_TOKENS)).text.rstrip("\ufffd")
                seen = f"{question!r} brought {len(texts)} texts in {len(_SEEDS)} asks"
                if first and all(text.startswith(first) for text in texts):
                    return NOT_BITWISE, f"{seen}, alike in their first {_FIRST_TOKENS} tokens"
                return SAMPLES, f"{seen}, different within {_FIRST_TOKENS} tokens"
            if _length(replies[0]) >= _FIRST_TOKENS:
                return GREEDY, f"{question!r} brought one text in {len(_SEEDS)} asks"
        return UNKNOWN, f"open questions brought fewer than {_FIRST_TOKENS} tokens"

    async def _said(self, question: str, sends: Mapping[str, Any], seed: int, tokens: int) -> Reply:
        asked = self._client({**sends, "seed": seed, "max_new_tokens": tokens})
        return await self._asked(lambda: asked.complete(question))

    async def _obeys(self, grammar: Grammar, sends: Mapping[str, Any], fits: Callable[[str], bool]) -> bool:
        asked = self._client({**sends, "max_new_tokens": _NEW_TOKENS})
        policy = self._policy._replace(attempts=_GRAMMAR_ATTEMPTS)
        for last in (False, True):
            try:
                reply = await patiently(lambda: asked.complete(_OPEN_QUESTIONS[0], grammar), policy, Random(0))
            except Failure as failure:
                if last or not failure.kind.passes:
                    return False  # it does not support it, or fails with it: nothing may depend on it
                # Unless it was going down, which says nothing about grammars: then this fails too.
                await self._said(_OPEN_QUESTIONS[0], sends, _SEEDS[0], _FIRST_TOKENS)
            else:
                break
        return fits(reply.text)

    async def _asked(self, call: Callable[[], Awaitable[_T]]) -> _T:
        try:
            return await patiently(call, self._policy, Random(0))
        except Failure as failure:
            kind = Unavailable if failure.kind.passes else UserError
            raise kind(
                f"{self._entry.name}: {self._url} does not answer an open question: {failure.reason}",
                "correct its entry in models.yaml, or fix the server; `halluvault models check` asks it",
            ) from failure

    def _client(self, other: Mapping[str, Any]) -> Client:
        given = {name: value for name, value in self._entry.parameters().items() if name != "stop"}
        return servers.client(self._http, self._entry, self._home, self._url, given | dict(other), self._key)


def _together(several: Sequence[Behaviour]) -> Behaviour:
    templates = {each.template for each in several}
    worst = max(several, key=lambda each: _ORDER.index(each.decoding))
    form = several[0].json_form
    return Behaviour(
        False if False in templates else None if None in templates else True,
        worst.decoding,
        several[0].sends,
        all(each.guided_regex for each in several),
        all(each.guided_json and each.json_form == form for each in several),
        worst.seen,
        form,
    )


def _length(reply: Reply) -> int:
    """Tokens of a reply; its words, where the server does not count."""
    return len(reply.text.split()) if reply.generated_tokens is None else reply.generated_tokens


def _is_the_object(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"word": _WORD})
    except ValueError:
        return False
