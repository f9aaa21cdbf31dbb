"""The OpenAI routes as text-generation-inference serves them: how they read a request, and what they answer.

Source: TGI 3.3's router (research notes beside the project, §1). The peculiarities that a client has to know are kept:
an absent temperature samples, 0 is greedy; `presence_penalty` becomes a repetition penalty; a model other than `tgi` is
taken for an adapter and echoed; errors inside a stream always say 422.
"""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.generation import DraftSequence
from halluvault_tasks.local.simulator.protocol import GenerationRequest, ServerLimits
from halluvault_tasks.local.simulator.shapes import ChatRequest, CompletionRequest
from halluvault_tasks.local.simulator.tokens import pieces
from halluvault_tasks.local.simulator.wire import RequestRefusal

FINGERPRINT = "3.3.6-dev0-simulated"


class OpenAiRequest(NamedTuple):
    """A request to one of the OpenAI routes."""

    requests: tuple[GenerationRequest, ...]
    """One for each prompt."""
    stream: bool
    model: str | None
    """As given, to be echoed."""
    include_usage: bool = False


def read_chat(p: ChatRequest, style: str) -> OpenAiRequest:
    """A chat request, its conversation put through the template.

    Args:
        p: as sent.
        style: of the model's template (`TEMPLATES`).

    Raises:
        Refusal: `template_error`.
    """
    parameters = p.parameters(
        # Twice as odd as it looks: so the router converts it, from OpenAI's scale to its own.
        repetition_penalty=None if p.presence_penalty is None else p.presence_penalty + 2.0,
        grammar=p.response_format,
    )
    messages = [message.model_dump() for message in p.messages]
    request = GenerationRequest(template(messages, style), parameters, conversation.canonical(messages))
    usage = p.stream_options is not None and p.stream_options.include_usage
    return OpenAiRequest((request,), p.stream, p.model, usage)


def read_completion(p: CompletionRequest, limits: ServerLimits) -> OpenAiRequest:
    """A completion request.

    Raises:
        Refusal: a suffix; too many prompts.
    """
    if p.suffix is not None:
        text = "Suffix is not supported and can be achieved by preprocessing the prompt."
        raise RequestRefusal(422, text, "suffix not supported")
    if len(p.prompt) > limits.max_client_batch_size:
        text = f"Number of prompts exceeds the maximum allowed batch size of {limits.max_client_batch_size}"
        raise RequestRefusal(422, text, "batch size exceeded")
    parameters = p.parameters(repetition_penalty=p.repetition_penalty)
    return OpenAiRequest(tuple(GenerationRequest(prompt, parameters) for prompt in p.prompt), p.stream, p.model)


TEMPLATES = ("chatml", "alternating", "none")
"""chatml takes any roles in any order, as most models' do; alternating refuses turns that do not alternate; none is a
base model, which has no template."""


def template(messages: Sequence[conversation.Message], style: str = TEMPLATES[0]) -> str:
    """The conversation as the model reads it.

    Raises:
        Refusal: `template_error` where there is no template, or the turns do not alternate as it wants.
    """
    if style == "none":
        raise RequestRefusal(422, "Template error: template not found", "template_error")
    turns = [each for each in messages if each["role"] != "system"]
    odd = not turns or any(each["role"] != ("assistant" if n % 2 else "user") for n, each in enumerate(turns))
    if style == "alternating" and odd:
        text = "Conversation roles must alternate user/assistant/user/assistant/..."
        raise RequestRefusal(422, f"Template error: invalid operation: {text}", "template_error")
    shown = "".join(f"<|im_start|>{each['role']}\n{each['content']}<|im_end|>\n" for each in messages)
    return f"{shown}<|im_start|>assistant\n"


def chat_completion(model: str, draft: DraftSequence, prompt: str) -> dict[str, Any]:
    """The answer of `/v1/chat/completions`."""
    message = {"role": "assistant", "content": draft.text}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(draft)}
    return {"object": "chat.completion", **_head(model), "choices": [choice], "usage": usage([draft], [prompt])}


def chat_chunk(model: str, draft: DraftSequence, position: int) -> dict[str, Any]:
    """One token of a streamed chat."""
    token = draft.tokens[position]
    last = position + 1 == len(draft.tokens)
    delta = {"role": "assistant", "content": "" if token.special else token.text}
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": _finish(draft) if last else None}
    return {"object": "chat.completion.chunk", **_head(model), "choices": [choice], "usage": None}


def usage_chunk(model: str, draft: DraftSequence, prompt: str) -> dict[str, Any]:
    """The chunk after the last one where usage was asked for."""
    return {"object": "chat.completion.chunk", **_head(model), "choices": [], "usage": usage([draft], [prompt])}


def completion(model: str, drafts: Sequence[tuple[int, DraftSequence]], prompts: Sequence[str]) -> dict[str, Any]:
    """The answer of `/v1/completions`: choices in the order in which they were ready."""
    choices = [
        {"index": index, "text": draft.text, "logprobs": None, "finish_reason": _finish(draft)}
        for index, draft in drafts
    ]
    counts = usage([draft for _index, draft in drafts], prompts)
    return {"object": "text_completion", **_head(model), "choices": choices, "usage": counts}


def completion_chunk(model: str, index: int, draft: DraftSequence, position: int, prompt: str) -> dict[str, Any]:
    """One token of a streamed completion; only the last has a reason, raw, and usage."""
    last = position + 1 == len(draft.tokens)
    choice = {
        "index": index,
        "text": draft.tokens[position].text,
        "logprobs": None,
        "finish_reason": draft.finish_reason if last else "",
    }
    chunk = {"object": "text_completion", **_head(model), "choices": [choice]}
    return {**chunk, "usage": usage([draft], [prompt])} if last else chunk


def usage(drafts: Sequence[DraftSequence], prompts: Sequence[str]) -> dict[str, int]:
    """Tokens of prompts and answers."""
    before, after = sum(len(pieces(prompt)) for prompt in prompts), sum(len(draft.tokens) for draft in drafts)
    return {"prompt_tokens": before, "completion_tokens": after, "total_tokens": before + after}


def stream_error(refusal: RequestRefusal) -> dict[str, Any]:
    """An error inside a stream of these routes: always 422, whatever it was."""
    return {"error": {"message": refusal.message, "http_status_code": 422}}


def _head(model: str) -> dict[str, Any]:
    return {"id": "", "created": int(time.time()), "model": model, "system_fingerprint": FINGERPRINT}


def _finish(draft: DraftSequence) -> str:
    return "stop" if draft.finish_reason == "eos_token" else draft.finish_reason
