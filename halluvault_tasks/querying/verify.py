"""A server's behaviour, found by testing: does it have a template, think, take the likeliest token, obey a grammar.

What a server says about itself proves none of these. TGI's CPU backend samples where its GPU backend is greedy, and
checks a grammar without obeying it, all with status 200. So each is tested in a way that only the true behaviour can
pass, on every replica, through the route that will be used.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import servers, thinking
from halluvault_tasks.querying.probe import Probe
from halluvault_tasks.querying.registry import Model, ModelServer
from halluvault_tasks.querying.replies import ChatTemplate, Failure, Grammar, JsonForm, Reply

GREEDY = "greedy"
NOT_BITWISE = "greedy, not bitwise repeatable"
"""The same at first and another text later on, as rounding in batches of different sizes brings it on a GPU."""
UNKNOWN = "unknown"
SAMPLES = "samples"
_ORDER = (GREEDY, NOT_BITWISE, UNKNOWN, SAMPLES)

_OPEN_QUESTIONS = ("Tell how a bicycle is built.", "Describe a morning at a fish market.")
"""The second one is for models that have next to nothing to say to the first."""
_IN_SHORT = " Answer in one sentence."
"""Said where there is room for thoughts, and so for an answer of any length."""
_FIRST_LOOK = 256
"""New tokens for an answer of one word; who goes on beyond them may be thinking."""
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
_FEW_ATTEMPTS = 2
"""For what a server may fail with because it does not support it."""


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
    """Where its thoughts stood (`Reply.thinks`); empty: none were seen, or it was told not to think."""
    thinking: Mapping[str, Any] = {}
    """`parameters["thinking"]` of its evaluations: room for thoughts, or what keeps it from thinking."""
    omit: Sequence[str] = ()
    """Fields of a request that are left out, those that the server refuses by name among them."""
    limit_field: str = ""
    """What the limit of new tokens is called there; empty: as usual."""
    advice: str = ""
    """What people should look at before it is asked; empty where nothing is."""

    @property
    def parameters(self) -> dict[str, Any]:
        """What identifies an evaluation beside the entry's own parameters: only what differs from silence."""
        found = {"thinking": dict(self.thinking), "omit": list(self.omit), "limit_field": self.limit_field}
        return dict(self.sends) | {name: value for name, value in found.items() if value}

    @property
    def guided(self) -> str:
        """Which grammars are obeyed, in words; `unguided` unless both kinds are."""
        if self.guided_regex and self.guided_json:
            return "guided"
        half = "regex" if self.guided_regex else "JSON" if self.guided_json else ""
        return f"unguided (only {half} is obeyed)" if half else "unguided"


async def observe(
    http: servers.Http, entry: Model, home: ModelServer, found: servers.Identified, token: servers.TokenOf
) -> Behaviour:
    """Ask every replica of a model, all at once.

    Args:
        http: of the process.
        entry: the model, asked with its own sampling parameters by its own route.
        home: its server.
        found: who the replicas say they are.
        token: where API keys come from.

    Raises:
        UserError: it cannot be asked by this route, answers nothing that can be read, thinks although models.yaml says
            off, or samples although it says greedy; `Unavailable` where a replica does not answer.
    """
    key = token(entry)
    replicas = [
        _Replica(entry, Probe(http, entry, home, url, key), info.likeliest, found.limits.max_total_tokens)
        for url, info in zip(entry.base_urls, found.replicas, strict=True)
    ]
    return _together(entry, await asyncio.gather(*(replica.observe() for replica in replicas)))


def warnings(entry: Model, behaviour: Behaviour) -> list[str]:
    """What should be said aloud before such a model is asked."""
    said = []
    if entry.route == "chat" and behaviour.template is False:
        said.append("route is chat, but the server has no chat template; for a base model set `route: completions`")
    if entry.route == "completions" and behaviour.template:
        said.append(
            "route is completions, but the server has a chat template; an instruct model should be asked with "
            "`route: chat`"
        )
    if behaviour.decoding == NOT_BITWISE:
        said.append(f"greedy, but not bitwise repeatable: {behaviour.seen}")
    if behaviour.decoding == UNKNOWN:
        said.append(f"it could not be determined whether it is greedy: {behaviour.seen}")
    if refused := [name for name in behaviour.omit if name not in entry.parameters().get("omit", ())]:
        sampled = "; without a temperature it samples, and results say so" if "temperature" in refused else ""
        said.append(f"the server refuses {', '.join(refused)}, so it is asked without{sampled}")
    if behaviour.advice:
        said.append(behaviour.advice)
    return [f"{entry.name}: {one}" for one in said]


class _Replica:
    """One replica while it is asked."""

    def __init__(self, entry: Model, probe: Probe, likeliest: Mapping[str, Any], total: int | None) -> None:
        self._entry, self._probe, self._likeliest = entry, probe, likeliest
        self._chat = entry.route == "chat"
        self._first_look = _FIRST_LOOK if total is None else max(_FIRST_TOKENS, min(_FIRST_LOOK, total // 2))
        self._room = thinking.room(total, entry.sampling.max_new_tokens)
        # A text to continue is what a model without a template has something to say to.
        self._known = thinking.KNOWN if self._chat else f"Question: {thinking.KNOWN}\nAnswer:"

    async def observe(self) -> Behaviour:
        probe = self._probe
        template = await self._template()
        known = await self._look()
        if self._entry.thinking.off and thinking.thinks(known):
            known = await self._switched_off()
        await self._speaks(known)
        if template.present is None and (probe.omit or probe.limit_field):
            template = await self._template()  # what was refused then is left out now
        decoding, sends, seen = await self._decoding()
        form = await self._json_form()
        regex = await self._obeys(Grammar("regex", _WORD), lambda text: text.strip() == _WORD)
        where = thinking.where(probe.replies)
        return Behaviour(
            template.present,
            decoding,
            sends,
            regex,
            form is not None,
            f"{seen}; template: {template.seen}",
            form or "json_schema",
            where,
            probe.thinking | thinking.in_prompt(probe.replies),
            tuple(sorted(probe.omit)),
            probe.limit_field,
            await self._advice(known, where),
        )

    async def _template(self) -> ChatTemplate:
        template = await self._probe.template()
        if self._chat and template.refuses:
            raise UserError(
                f"{self._entry.name}: route is chat, but {self._probe.url} has no chat template ({template.seen})",
                "set `route: completions` if this is a base model; else start the server with the model's template "
                "(TGI: --tokenizer-config-path FILE)",
            )
        return template

    async def _look(self) -> Reply:
        """The answer to the question that everybody can answer, with room for thoughts once there are any."""
        probe, given = self._probe, dict(self._probe.thinking)
        reply = await probe.ask(self._known, self._first_look, seed=_SEEDS[0], stop=True)
        thinks = thinking.thinks(reply)
        # What goes on may be a thought that the template begins. A base model goes on, too, and has no template.
        if not (thinks or (self._chat and thinking.goes_on(reply))) or not self._makes_room():
            return reply
        if thinks and thinking.readable(reply):
            return reply
        try:
            longer = await probe.tried(self._known, self._first_look, seed=_SEEDS[0], stop=True, attempts=1)
        except Failure as failure:
            if thinks:
                raise probe.fault(failure) from failure
            longer = reply  # so much is not to be had here, and nothing says that it thinks
        else:
            probe.replies.append(longer)
        if not thinks and not thinking.thinks(longer):
            probe.thinking = given
        return longer

    def _makes_room(self) -> bool:
        """Whether there is now room for thoughts, and was none before."""
        if "budget" in self._probe.thinking or not self._room:
            return False
        self._probe.thinking = self._probe.thinking | {"budget": self._room}
        return True

    async def _switched_off(self) -> Reply:
        """Find what keeps it from thinking, and go on with that."""
        probe, given = self._probe, self._entry.thinking.parameters()
        tried = []
        for way in thinking.ways(self._entry.thinking.off):
            probe.thinking = given | way.parameters
            try:
                reply = await probe.tried(self._known, self._first_look, stop=True, attempts=_FEW_ATTEMPTS)
            except Failure as failure:
                tried.append(f"{way} ({failure.reason})")
                if failure.kind.passes:
                    # Unless it was going down, which says nothing about the way: then this fails, too.
                    probe.thinking = given
                    await probe.ask(self._known, _FIRST_TOKENS)
                continue
            if thinking.answers_at_once(reply):
                probe.replies = [reply]
                return reply
            tried.append(str(way))
        raise UserError(
            f"{self._entry.name}: models.yaml says `thinking: off`, but {probe.url} thinks all the same; tried: "
            f"{'; '.join(tried)}",
            "start the server without thinking; or leave `thinking` out, if the model answers behind its thoughts",
        )

    async def _speaks(self, known: Reply) -> None:
        """Raise if nothing that it says can be read."""
        replies = [known]
        for question in _OPEN_QUESTIONS:
            if thinking.readable(replies[-1]):
                return
            replies.append(await self._probe.ask(self._open(question), _NEW_TOKENS, stop=True))
        if not thinking.readable(replies[-1]):
            raise thinking.says_nothing(
                self._entry.name, self._probe.url, replies, self._entry.sampling.stop, self._entry.thinking
            )

    async def _advice(self, known: Reply, where: str) -> str:
        if where and self._entry.thinking.off:
            return f"models.yaml says `thinking: off`, but it thought about an open question ({where}), and has room"
        if not self._chat or not thinking.unknown_format(known, known):
            return ""
        return thinking.unknown_format(known, await self._probe.ask(_OPEN_QUESTIONS[0], self._first_look))

    def _open(self, question: str) -> str:
        return question + _IN_SHORT if "budget" in self._probe.thinking else question

    async def _json_form(self) -> JsonForm | None:
        """How to send it a JSON schema so that it obeys; None if no way is known."""
        for form in self._entry.json_forms:
            if await self._obeys(Grammar("json", _SCHEMA, form), _is_the_object):
                return form
        return None

    async def _decoding(self) -> tuple[str, Mapping[str, Any], str]:
        probe = self._probe
        if not self._entry.greedy:
            return SAMPLES, {}, "the registry says so"
        if "temperature" in probe.omit:
            return SAMPLES, {}, "the server takes no temperature"
        decoding, seen = await self._repeats()
        if decoding != GREEDY and self._likeliest:
            # Only here: to a server that is greedy by silence these would say: sample, with ties drawn by lot.
            probe.sends = self._likeliest
            decoding, seen = await self._repeats()
        if decoding == SAMPLES:
            raise UserError(
                f"{self._entry.name}: the registry says greedy, but {probe.url} samples: {seen}",
                "write `sampling: {do_sample: true}` to continue, and results say `samples`; or start the server so "
                "that it takes the likeliest token",
            )
        return decoding, probe.sends, seen

    async def _repeats(self) -> tuple[str, str]:
        """Whether the same is thought and said three times in a row, whatever the seed."""
        for question in _OPEN_QUESTIONS:
            asked = self._open(question)
            replies = [await self._probe.ask(asked, _NEW_TOKENS, seed=seed) for seed in _SEEDS]
            if any(map(thinking.thinks, replies)) and self._makes_room():
                return await self._repeats()  # it thinks about some questions alone
            texts = set(map(_whole, replies))
            if len(texts) > 1:
                beginning = await self._probe.ask(asked, _FIRST_TOKENS, seed=_SEEDS[0], roomy=False)
                first = _whole(beginning).rstrip("\ufffd")
                seen = f"{question!r} brought {len(texts)} texts in {len(_SEEDS)} asks"
                if first and all(text.startswith(first) for text in texts):
                    return NOT_BITWISE, f"{seen}, alike in their first {_FIRST_TOKENS} tokens"
                return SAMPLES, f"{seen}, different within {_FIRST_TOKENS} tokens"
            if _length(replies[0]) >= _FIRST_TOKENS:
                return GREEDY, f"{question!r} brought one text in {len(_SEEDS)} asks"
        return UNKNOWN, f"open questions brought fewer than {_FIRST_TOKENS} tokens"

    async def _obeys(self, grammar: Grammar, fits: Callable[[str], bool]) -> bool:
        asked = self._open(_OPEN_QUESTIONS[0])
        for last in (False, True):
            try:
                reply = await self._probe.tried(asked, _NEW_TOKENS, grammar=grammar, attempts=_FEW_ATTEMPTS)
            except Failure as failure:
                if last or not failure.kind.passes:
                    return False  # it does not support it, or fails with it: nothing may depend on it
                # Unless it was going down, which says nothing about grammars: then this fails too.
                await self._probe.ask(_OPEN_QUESTIONS[0], _FIRST_TOKENS, seed=_SEEDS[0], roomy=False)
            else:
                break
        return fits(reply.text)


def _together(entry: Model, several: Sequence[Behaviour]) -> Behaviour:
    """What all replicas do.

    Raises:
        UserError: they cannot be asked alike.
    """
    first = several[0]
    # One that was not seen to think may think about other questions.
    thoughts = next((each.thinking for each in several if each.thinking), {})
    for url, each in zip(entry.base_urls, several, strict=True):
        if each.sends != first.sends:
            raise UserError(
                f"{entry.name}: {url} and {entry.base_urls[0]} need different parameters to be greedy: "
                f"{dict(each.sends)} and {dict(first.sends)}",
                "replicas must run the same backend; give the other one its own entry",
            )
        if each.limit_field != first.limit_field or (each.thinking and each.thinking != thoughts):
            raise UserError(
                f"{entry.name}: {url} and other replicas must be asked differently: {each.parameters} and "
                f"{first._replace(thinking=thoughts).parameters}",
                "replicas must run the same server with the same options; give the other one its own entry",
            )
    templates = {each.template for each in several}
    worst = max(several, key=lambda each: _ORDER.index(each.decoding))
    return Behaviour(
        False if False in templates else None if None in templates else True,
        worst.decoding,
        first.sends,
        all(each.guided_regex for each in several),
        all(each.guided_json and each.json_form == first.json_form for each in several),
        worst.seen,
        first.json_form,
        next((each.thinks for each in several if each.thinks), ""),
        thoughts,
        tuple(sorted({name for each in several for name in each.omit})),
        first.limit_field,
        next((each.advice for each in several if each.advice), ""),
    )


def _whole(reply: Reply) -> str:
    """All that was generated, as far as it was shown."""
    return f"{reply.thought or ''}\n{reply.text}".strip()


def _length(reply: Reply) -> int:
    """Tokens of a reply; its words, where the server does not count."""
    return len(_whole(reply).split()) if reply.generated_tokens is None else reply.generated_tokens


def _is_the_object(text: str) -> bool:
    try:
        return bool(json.loads(text) == {"word": _WORD})
    except ValueError:
        return False
