"""What a hosted API answers: a reply's parts where its manner puts them, whole or token by token."""

from collections.abc import Callable, Mapping
from time import time
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.generation import DraftSequence, Fate
from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.model import GenerationResult, SimulatedModel
from halluvault_tasks.local.simulator.protocol import GenerationRequest
from halluvault_tasks.local.simulator.replies import event

_REFUSAL = "I'm sorry, but I can't help with that."


class Fated(NamedTuple):
    """How a reply comes."""

    fate: Fate | None = None
    """None: generated to its end."""
    thinks: bool = True
    refusal: str | None = None
    """The message's field of that name, whose content is null then."""
    is_error: bool = False
    """It is no reply, but an error of status 400."""


FATES: Mapping[str, Fated] = {
    "": Fated(),
    "refused": Fated(Fate(0.0, "stop"), thinks=False, refusal=_REFUSAL),
    "refused_400": Fated(is_error=True),
    "refused_bare": Fated(Fate(0.0, "content_filter"), thinks=False),
    "filtered": Fated(Fate(0.5, "content_filter")),
    "silent": Fated(Fate(0.0, "stop")),
    "failed": Fated(Fate(0.5, "error")),
    "aborted": Fated(Fate(0.5, "abort")),
}
"""`ServerManner.fate` → how it comes."""


class HostedRequest(NamedTuple):
    """A request to the API."""

    request: GenerationRequest
    stream: bool
    usage: bool
    """Asked for behind a stream."""
    fated: Fated


class ReplyForm(NamedTuple):
    """How a route shows a reply."""

    object: str
    chunk: str
    """`object` of a stream's events."""
    choice: Callable[[ServerManner, Fated, str | None, str | None], dict[str, Any]]
    """(manner, how it comes, thought held apart, answer) → fields of a choice; None: nothing of it here."""
    delta: str
    """What a stream calls the message."""


def _chat_choice(manner: ServerManner, fated: Fated, thought: str | None, answer: str | None) -> dict[str, Any]:
    if fated.refusal is not None:
        return {"message": {"role": "assistant", "content": None, "refusal": fated.refusal}}
    return {"message": {"role": "assistant", **_PLACES[manner.apart](manner, thought, answer)}}


def _text_choice(_manner: ServerManner, _fated: Fated, _thought: str | None, answer: str | None) -> dict[str, Any]:
    return {"text": answer or ""}


chat = ReplyForm("chat.completion", "chat.completion.chunk", _chat_choice, "delta")
completion = ReplyForm("text_completion", "text_completion", _text_choice, "")


def _in_text(manner: ServerManner, thought: str | None, answer: str | None) -> dict[str, Any]:
    """The answer alone; null where there is a thought elsewhere and no answer."""
    if answer is None or (not answer and thought is not None):
        return {"content": None}
    return {"content": [{"type": "text", "text": answer}] if manner.parts else answer}


_Place = Callable[[ServerManner, str | None, str | None], dict[str, Any]]


def _in_field(name: str, shape: Callable[[str], object] = str) -> _Place:
    def shown(manner: ServerManner, thought: str | None, answer: str | None) -> dict[str, Any]:
        told = {} if thought is None else {name: shape(thought)}
        return _in_text(manner, thought, answer) | told

    return shown


def _in_parts(_manner: ServerManner, thought: str | None, answer: str | None) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    if thought:
        parts.append({"type": "thinking", "thinking": [{"type": "text", "text": thought}]})
    if answer:
        parts.append({"type": "text", "text": answer})
    return {"content": parts}


_PLACES: Mapping[str, _Place] = {
    **dict.fromkeys(("", "hidden"), _in_text),
    **{name: _in_field(name) for name in ("reasoning_content", "reasoning", "thinking")},
    "reasoning_details": _in_field(
        "reasoning_details", lambda text: [{"type": "reasoning.text", "text": text, "index": 0}]
    ),
    "thinking_blocks": _in_field("thinking_blocks", lambda text: [{"type": "thinking", "thinking": text}]),
    "parts": _in_parts,
}
"""`ServerManner.apart` → fields of a message with thought and answer."""


def whole(model: SimulatedModel, asked: HostedRequest, form: ReplyForm, generated: GenerationResult) -> dict[str, Any]:
    """The body of a reply that comes at once."""
    draft, manner = generated.draft, model.manner
    texts = ["" if token.special else token.text for token in draft.tokens]
    apart = draft.thought if manner.apart else 0
    answer = _without_stop("".join(texts[apart:]), generated)
    choice = form.choice(manner, asked.fated, "".join(texts[:apart]) if apart else None, answer)
    body = {**_head(model, form.object), "choices": [{"index": 0, **choice, "finish_reason": _finish(draft)}]}
    return body | ({"usage": _usage(manner, generated)} if manner.counts else {})


def chunks(
    model: SimulatedModel, asked: HostedRequest, form: ReplyForm
) -> Callable[[GenerationResult, int], list[bytes]]:
    """What shows a sequence token by token."""
    manner, head = model.manner, _head(model, form.chunk)

    def shown(generated: GenerationResult, position: int) -> list[bytes]:
        draft = generated.draft
        token, last = draft.tokens[position], position + 1 == len(draft.tokens)
        text = "" if token.special else token.text
        apart = manner.apart and position < draft.thought
        choice = form.choice(manner, asked.fated, text if apart else None, None if apart else text)
        if form.delta:
            choice = {form.delta: choice["message"]}
        choice = {"index": 0, **choice, "finish_reason": _finish(draft) if last else None}
        found = [event({**head, "choices": [choice]})]
        if last:
            model.account.spend(len(draft.tokens))
            if asked.usage and manner.counts:
                found.append(event({**head, "choices": [], "usage": _usage(manner, generated)}))
        return found

    return shown


def _without_stop(answer: str, generated: GenerationResult) -> str:
    """These APIs leave out the stop sequence that ended a text."""
    if generated.draft.finish_reason == "stop_sequence":
        for stop in generated.request.parameters.stop:
            answer = answer.partition(stop)[0] if stop else answer
    return answer


def _finish(draft: DraftSequence) -> str:
    return {"eos_token": "stop", "stop_sequence": "stop"}.get(draft.finish_reason, draft.finish_reason)


def _usage(manner: ServerManner, generated: GenerationResult) -> dict[str, Any]:
    read = min(manner.context or generated.input_tokens, generated.input_tokens)
    written = len(generated.draft.tokens)
    found: dict[str, Any] = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    if generated.draft.thought:
        found["completion_tokens_details"] = {"reasoning_tokens": generated.draft.thought}
    return found


def _head(model: SimulatedModel, kind: str) -> dict[str, Any]:
    return {"id": "simulated", "object": kind, "created": int(time()), "model": model.model_id}
