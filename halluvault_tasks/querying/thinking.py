"""Whether a model thinks before it answers, what it is then given, and how it is told not to.

`verify` asks; what is asked for, tried and concluded is here. How thoughts are told from answers: `thoughts`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.dialects.openai import RESERVED
from halluvault_tasks.querying.replies import Finish, Reply
from halluvault_tasks.untrusted import visible

BUDGET = 4096
"""Tokens of thought on top of every limit, where models.yaml gives no number and the server has the room."""

KNOWN = "Was Charles Dickens born in Portsmouth? Answer yes or no."
"""A question of which everybody knows the answer."""

_IN_PROMPT = ", start in the prompt"
_SHOWN = 80


class Thinking(BaseModel):
    """`thinking` of a model in models.yaml; by default found out, and given room."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    budget: int | None = Field(default=None, ge=1, le=1_000_000)
    """Tokens of thought on top of every limit of new tokens."""
    start: str = ""
    """Mark before a thought in the text, of a format that `thoughts.FORMATS` lacks; empty: it stands in the prompt."""
    end: str = ""
    """Mark behind it."""
    off: bool | str | dict[str, Any] = False
    """True: be told not to think, in the first of `WAYS` that works; or the words behind the prompt, or the fields of
    the request, that do it."""

    @field_validator("off")
    @classmethod
    def _free_fields(cls, off: bool | str | dict[str, Any]) -> bool | str | dict[str, Any]:
        if isinstance(off, dict) and (taken := sorted(RESERVED & set(off))):
            raise ValueError(f"{taken[0]!r} is not free: it is set from the other fields, or never sent")
        return off

    @model_validator(mode="after")
    def _consistent(self) -> "Thinking":
        if self.start and not self.end:
            raise ValueError("thinking.start needs thinking.end, the mark behind the thought")
        if self.off and self.budget is not None:
            raise ValueError("thinking.off and thinking.budget exclude each other")
        return self

    def parameters(self) -> dict[str, Any]:
        """What is known of it before the model was asked; empty for `auto` and `off`."""
        return self.model_dump(exclude_defaults=True, exclude={"off"})


def written(value: object) -> object:
    """`thinking` as YAML reads it, as fields of `Thinking`.

    Raises:
        ValueError: it has no such form.
    """
    if value is None or value == "auto":
        return {}
    if value is False or value == "off":  # a bare `off` is YAML's word for false
        return {"off": True}
    if isinstance(value, dict):
        return {"off" if name is False else name: one for name, one in value.items()}
    if isinstance(value, Thinking):
        return value
    raise ValueError("must be auto, off or {budget: N, start: …, end: …, off: …}; to let it think, leave it at auto")


class ThinkingSwitch(NamedTuple):
    """How a server or a model is told not to think.

    Attributes:
        known: who takes it.
        fields: of every request.
        suffix: words behind the last user's message.
    """

    known: str
    fields: Mapping[str, Any] = {}
    suffix: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """As `parameters["thinking"]` has it."""
        return ({"fields": dict(self.fields)} if self.fields else {}) | ({"suffix": self.suffix} if self.suffix else {})

    def __str__(self) -> str:
        if self.suffix:
            return repr(self.suffix)
        return ", ".join(f"{name}={one}" if isinstance(one, str) else name for name, one in self.fields.items())


WAYS: tuple[ThinkingSwitch, ...] = (
    ThinkingSwitch(
        "vLLM, SGLang and llama.cpp, by the template of Qwen3, GLM, SmolLM3, Gemma 4; of DeepSeek V3.1, Granite",
        {"chat_template_kwargs": {"enable_thinking": False, "thinking": False}},
    ),
    ThinkingSwitch("OpenAI from GPT-5.1, Gemini, Ollama, Mistral, Groq", {"reasoning_effort": "none"}),
    ThinkingSwitch("DeepSeek, Z.ai, Moonshot, Volcengine", {"thinking": {"type": "disabled"}}),
    ThinkingSwitch("OpenRouter", {"reasoning": {"enabled": False}}),
    ThinkingSwitch("Alibaba's Model Studio, SiliconFlow", {"enable_thinking": False}),
    ThinkingSwitch("Gemini's OpenAI route", {"extra_body": {"google": {"thinking_config": {"thinking_budget": 0}}}}),
    ThinkingSwitch("Vertex AI", {"google": {"thinking_config": {"thinking_budget": 0}}}),
    ThinkingSwitch("llama.cpp", {"thinking_budget_tokens": 0}),
    ThinkingSwitch("gateways before Ollama", {"think": False}),
    ThinkingSwitch("Mistral, for Magistral", {"prompt_mode": None}),
    ThinkingSwitch("Qwen3, Nemotron Nano 2", suffix="/no_think"),
    ThinkingSwitch("GLM-4.5", suffix="/nothink"),
    ThinkingSwitch("OpenAI's GPT-5, Vertex AI: so little that none is left", {"reasoning_effort": "minimal"}),
)
"""Tried in this order. A server that does not know a field ignores it or refuses it; either is seen."""


def ways(off: bool | str | Mapping[str, Any]) -> Sequence[ThinkingSwitch]:
    """What to try for `Thinking.off`."""
    if isinstance(off, str):
        return (ThinkingSwitch("models.yaml", suffix=off),)
    return (ThinkingSwitch("models.yaml", off),) if isinstance(off, Mapping) else WAYS if off else ()


def room(total: int | None, new: int) -> int:
    """Tokens of thought that `auto` gives: `BUDGET`, or half of what the answer leaves of a smaller context.

    Args:
        total: of prompt and new tokens; None where the server does not say.
        new: tokens of the answer.
    """
    return BUDGET if total is None else max(0, min(BUDGET, (total - new) // 2))


HIDDEN = "unseen: kept back by the API, or in marks that nobody knows"
"""Where the thoughts of a model stand whose tokens alone are told of."""


def thinks(reply: Reply) -> bool:
    """Whether a thought came, or was kept back: its tokens were counted, or they left none for an answer."""
    return bool(reply.thought) or bool(reply.thought_tokens) or (reply.finish is Finish.LENGTH and not reply.text)


def goes_on(reply: Reply) -> bool:
    """Whether it was cut, and so may be the beginning of a thought whose start stands in the prompt."""
    return reply.finish is Finish.LENGTH


def answers_at_once(reply: Reply) -> bool:
    """Whether the answer is there, whole, and no thought."""
    return not thinks(reply) and reply.finish is Finish.STOP and readable(reply)


def where(replies: Sequence[Reply]) -> str:
    """Where the thoughts stood; empty where there were none."""
    thought = [reply.thinks or HIDDEN for reply in replies if thinks(reply)]
    return next(iter(thought), "")


def in_prompt(replies: Sequence[Reply]) -> dict[str, Any]:
    """What a client must know where a chat template begins the thought: then text without an end is all thought.

    A model that also answered at once is one whose template does not.
    """
    whole = [reply.thinks for reply in replies if reply.finish is Finish.STOP and (reply.text or thinks(reply))]
    if not whole or not all(each.endswith(_IN_PROMPT) for each in whole):
        return {}
    return {"in_prompt": True, "format": whole[0].removesuffix(_IN_PROMPT)}


_MARKUP = re.compile(r"<\|[^|<>]{1,40}\|>|</?s>|\W|_")


def readable(reply: Reply) -> bool:
    """Whether it says a word: neither silent nor refused, nor of special tokens and marks alone."""
    return reply.is_answer and bool(_MARKUP.sub("", reply.text))


def shown(reply: Reply) -> str:
    """A reply in a line: its answer, what the API said instead, or how its thought begins."""
    if reply.refusal is not None:
        return f"refused by the API: {_cut(reply.refusal)}"
    cut = ", cut off" if reply.finish is Finish.LENGTH else ""
    if not reply.text.strip() and reply.thought:
        return f"nothing but a thought{cut}: {_cut(reply.thought)}"
    return f"{_cut(reply.text)}{cut}"


def says_nothing(name: str, url: str, replies: Sequence[Reply], stop: Sequence[str], given: Thinking) -> UserError:
    """Why a model cannot be asked of which nothing can be read, with what it said.

    Args:
        name: of the model.
        url: of its replica.
        replies: all that were asked for.
        stop: the stop sequences at which they ended.
        given: what models.yaml says of its thoughts.
    """
    if all(reply.refusal is not None for reply in replies):
        way_out = "its API refuses harmless questions: look at its filters and at what the key may ask"
    elif any(reply.cut_in_thought for reply in replies):
        way_out = f"give it more room, as with `thinking: {{budget: {4 * BUDGET}}}`, or write `thinking: off`"
    elif stop and any(reply.finish is Finish.STOP for reply in replies):
        way_out = f"remove sampling.stop from its entry if one of {list(stop)} occurs before an answer"
    elif given.end and any(reply.thinks.startswith("own") for reply in replies):
        way_out = f"correct `thinking: {{end: {given.end}}}`, which occurs in none of these replies"
    elif any(reply.thought for reply in replies):
        way_out = (
            "try `thinking: off`; if that does not help, more room will not either: start the server without its "
            "reasoning parser, which keeps the answer, too"
        )
    else:
        way_out = "look at the server's log and at its chat template; a base model needs `route: completions`"
    said = "; ".join(shown(reply) for reply in replies)
    return UserError(f"{name}: {url} answers no open question so that anything can be read: {said}", way_out)


_TAG = re.compile(
    r"<\|?/?[\w:.\- ]{1,40}\|?>|\[/?(?!YES\]|NO\])[A-Z_]{2,40}\]|◁/?[\w:.\- ]{1,40}▷|〈/?[\w:.\- ]{1,40}〉"
)


def unknown_format(reply: Reply, other: Reply) -> str:
    """Advice for models.yaml where an answer to `KNOWN` ends right and begins otherwise; else empty.

    Args:
        reply: to `KNOWN`.
        other: to another question, since marks are what recurs.
    """
    lines = _lines(reply.text)
    if len(lines) < 2 or not _is_yes(lines[-1]) or _is_yes(lines[0]):
        return ""
    start, end = _marks(reply.text.strip(), lines[:-1], other.text)
    marks = (f'start: "{start}", ' if start else "") + f'end: "{end}"'
    return (
        f"its reply to {KNOWN!r} ends right and begins otherwise: {_cut(reply.text)}; if it begins with a thought, "
        f"write `thinking: {{{marks}}}` into its entry in models.yaml"
    )


def _marks(text: str, before: Sequence[str], other: str) -> tuple[str, str]:
    """What may stand before and behind the thought: tags, else short lines, that recur; else placeholders.

    Args:
        text: of the reply.
        before: its lines but the last one.
        other: text of the other reply.
    """
    tags = [tag for tag in _TAG.findall(text) if tag in other]
    again = set(_lines(other))
    # Of lines the last one before the answer, as a thought's own may recur.
    found = tags or [line for line in before if line in again and len(line) <= 40 and not line.endswith((".", ","))]
    opens = found[0] if found and text.startswith(found[0]) else ""
    # What closes the answer recurs, too.
    closing = [mark for mark in found if mark != opens and not text.endswith(mark)]
    if opens and not closing:
        opens, closing = "", [opens]
    return (opens, closing[0 if tags else -1]) if closing else ("…", "…")


def _lines(text: str) -> list[str]:
    """Lines with words in them; a tag ends a line."""
    return [line.strip() for line in _TAG.sub("\n", text).splitlines() if re.search(r"\w", line)]


def _is_yes(line: str) -> bool:
    words = re.findall(r"\w+", line.lower())
    return "yes" in words and "no" not in words


def _cut(text: str) -> str:
    line = visible(" ".join(text.split()))
    return repr(line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…")
