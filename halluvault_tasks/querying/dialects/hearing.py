"""From what an OpenAI-compatible server says to a `Reply`: a whole completion, to which the chunks of a stream add up.

The finish_reason decides: an answer ends by itself or at its limit; the API's own refusals are replies, whatever half
of a text came with them; anything else (`error`, `abort`, none at all) is asked again, since a part of an answer may
say the opposite of the whole. The one exception is a whole completion of a server that has no such field: what came is
all there is, cut if it has as many tokens as were allowed. A field that is there and null is no exception: so LMDeploy
marks what it aborted.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.querying.dialects.terms import RequestTerms
from halluvault_tasks.querying.failures import SHOWN, Filtered, error_within
from halluvault_tasks.querying.rates import rate_of
from halluvault_tasks.querying.replies import (
    UNSAID,
    Failure,
    FailureKind,
    Finish,
    Reply,
    UnknownShape,
    finish_of,
    storable,
)
from halluvault_tasks.querying.thoughts import FIELDS, PARTS, of_message
from halluvault_tasks.querying.transport import MOST_BYTES, too_long, whole

_KNOWN = frozenset({
    "role", "content", "refusal", "tool_calls", "tool_call_id", "function_call", "annotations", "audio", *FIELDS,
})  # fmt: skip
"""Fields of a message; with any other, and without a content, its text may be there."""
_OTHER_NAMES = ("done_reason", "native_finish_reason")
"""Of the finish_reason, where that is left out: Ollama's, and OpenRouter's for the provider's own."""
_DETAILS = ("completion_tokens_details", "output_tokens_details", "completion_token_details")


class CompletionPrompt(NamedTuple):
    """What a completion answers."""

    terms: RequestTerms
    most: int
    """New tokens that it could have."""
    guided: bool
    """Whether it was held to a grammar, which leaves no room for a thought begun in the prompt."""
    sent: Collection[str]
    """Names of the request's fields, for what an error refuses."""


def reply_of(raw: Any, headers: Mapping[str, str], asked: CompletionPrompt, total_ms: int) -> Reply:
    """The reply in a whole completion.

    Args:
        raw: parsed JSON.
        headers: of the answer.
        asked: what for.
        total_ms: from request to answer, as we measured it.

    Raises:
        Failure: it is none.
    """
    raw = _alone(raw)
    choice = _choice(raw, headers, asked.sent)
    text, thought, refusal, field = _parts(choice) if choice is not None else (None, None, None, "")
    if choice is None or text is None:
        raise UnknownShape(f"HTTP 200 without a text and a finish_reason: {_shown(raw)}")
    usage = raw.get("usage")
    prompt_tokens, generated, thought_tokens = _counts(usage, bool(text)) if isinstance(usage, dict) else (None,) * 3
    word = _word(choice, refusal, generated, asked.most)
    if finish_of(word) is Finish.REFUSED:
        refusal = refusal or word
    split = asked.terms.split(text, opened=not (asked.guided or thought))
    total = whole(headers.get("x-total-time"))
    return Reply(
        split.answer,
        storable(word),
        prompt_tokens,
        generated,
        whole(headers.get("x-queue-time")),
        whole(headers.get("x-inference-time")),
        total_ms if total is None else total,
        f"{thought}\n\n{split.thought}" if thought and split.thought else thought or split.thought,
        thought_tokens,
        refusal,
        field if thought else split.where,
        rate_of(headers),
    )


class Chunks:
    """A stream's chunks, put together.

    Args:
        sent: names of the request's fields.
        unkeyed: takes the server's API key out of a text that came in pieces.
    """

    def __init__(self, sent: Collection[str], unkeyed: Callable[[str], str]) -> None:
        self._sent, self._unkeyed = sent, unkeyed
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._refusals: list[str] = []
        self._field = ""
        self._finish: object = None
        self._usage: Mapping[str, Any] = {}
        self._size = 0
        self._whole: Any = None
        self.headers: Mapping[str, str] = {}
        """Of the answer."""

    def add(self, event: Any, headers: Mapping[str, str]) -> None:
        """Take in a chunk, or a whole completion that came in the place of a stream.

        Raises:
            Failure: it is an error, or more than an answer may have.
        """
        raw, self.headers = _alone(event), headers
        choice = _choice(raw, headers, self._sent)
        if choice is not None and ("delta" in choice or "text" in choice):
            self._take(choice)
        elif choice is not None or not isinstance(raw, dict):
            self._whole = raw
        usage = raw.get("usage") if isinstance(raw, dict) else None  # it may come beside the answer or behind it
        self._usage = usage if isinstance(usage, dict) and usage else self._usage

    def _take(self, choice: Mapping[str, Any]) -> None:
        text, thought, refusal, field = _parts(choice)
        for part, parts in ((text, self._texts), (thought, self._thoughts), (refusal, self._refusals)):
            if part:
                parts.append(part)
                self._size += len(part)
        self._field = self._field or field
        self._finish = choice.get("finish_reason") or self._finish
        if self._size > MOST_BYTES:
            raise too_long(200)

    def whole(self) -> Any:
        """The completion that they add up to.

        Raises:
            Failure: they end before its end.
        """
        if self._whole is not None:
            return self._whole
        text, thought, refusal = (
            self._unkeyed("".join(parts)) for parts in (self._texts, self._thoughts, self._refusals)
        )
        if not self._finish and not refusal:
            raise Failure(FailureKind.RETRYABLE, "the stream ended without a finish_reason", 200)
        message: dict[str, Any] = {"content": text, "refusal": refusal, self._field: thought}
        if self._field == PARTS:
            message["content"] = [{"type": "thinking", "thinking": thought}, {"type": "text", "text": text}]
        return {"choices": [{"message": message, "finish_reason": self._finish}], "usage": self._usage}


def is_error(raw: Mapping[str, Any]) -> bool:
    """Whether a body of status 200 is an error: it says so, or speaks as one in the place of an answer."""
    if raw.get("error"):
        return True
    if raw.get("choices") or "generated_text" in raw:
        return False
    base = raw.get("base_resp")  # MiniMax
    refuses = isinstance(base, dict) and base.get("status_code") not in (None, 0)
    speaks = "message" in raw and ("code" in raw or "type" in raw)
    return bool(refuses or raw.get("object") == "error" or raw.get("detail") or raw.get("error_type") or speaks)


def no_answer(word: object) -> Failure:
    """Of a finish_reason that no answer ends with."""
    return Failure(
        FailureKind.RETRYABLE, f"it ended with finish_reason {storable(str(word)[:60])!r}, which is no answer", 200
    )


def refusal_of(filtered: Filtered, total_ms: int) -> Reply:
    """The reply of an API that refuses a prompt by a status of its own: nothing but its refusal."""
    return Reply("", "content_filter", None, None, None, None, total_ms, refusal=filtered.words)


def _alone(raw: Any) -> Any:
    """What some gateways put into a list."""
    return raw[0] if isinstance(raw, list) and len(raw) == 1 else raw


def _choice(raw: Any, headers: Mapping[str, str], sent: Collection[str]) -> Mapping[str, Any] | None:
    """The choice that answers: the first by its index, wherever it stands; None where there is none.

    Raises:
        Failure: it is an error.
    """
    if not isinstance(raw, dict):
        return None
    if is_error(raw):
        raise error_within(raw, headers, sent)
    choices = raw.get("choices")
    several = [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
    if not several:
        return None
    first: Mapping[str, Any] = several[0]
    if len(several) > 1:
        first = next((one for one in several if one.get("index") in (0, None)), first)
    if first.get("error"):
        raise error_within(first["error"], headers, sent)
    return first


def _parts(choice: Mapping[str, Any]) -> tuple[str | None, str | None, str | None, str]:
    """Text, thought and refusal of a choice, and the field of the thought; no text: a shape that is not known."""
    message = choice["delta"] if "delta" in choice else choice.get("message")
    if isinstance(message, dict):
        text, thought, refusal, field = of_message(message)
        if text is None and not message.get("content") and _KNOWN.issuperset(message):
            text = ""  # it says nothing
        return text, thought, refusal, field
    text = choice.get("text")
    return text if isinstance(text, str) else None, None, None, ""


def _word(choice: Mapping[str, Any], refusal: str | None, generated: int | None, most: int) -> str:
    """The finish_reason; ours where the server has no such field.

    Raises:
        Failure: it is no answer's, or the server left it empty.
    """
    word = choice.get("finish_reason") or next((one for name in _OTHER_NAMES if (one := choice.get(name))), None)
    if refusal:
        return word if isinstance(word, str) and finish_of(word) else "refusal"
    if word:
        if isinstance(word, str) and finish_of(word):
            return word
        raise no_answer(word)
    if "finish_reason" in choice:
        raise Failure(FailureKind.RETRYABLE, "HTTP 200 without a finish_reason, as of an answer that was aborted", 200)
    return "length" if generated is not None and generated >= most else UNSAID


def _counts(usage: Mapping[str, Any], has_text: bool) -> tuple[int | None, int | None, int | None]:
    """Tokens of the prompt, generated in all, and of the thought; a server that says 0 of everything does not count."""
    prompt, generated = whole(usage.get("prompt_tokens")), whole(usage.get("completion_tokens"))
    thought = whole(usage.get("reasoning_tokens"))
    for name in _DETAILS:
        if isinstance(details := usage.get(name), dict):
            thought = whole(details.get("reasoning_tokens"))
    total = whole(usage.get("total_tokens"))
    if prompt and total and generated is not None and total > prompt + generated:
        # Gemini's OpenAI route and xAI leave thoughts out of completion_tokens, and in the total.
        thought = total - prompt - generated if thought is None else thought
        generated = total - prompt
    return prompt or None, None if generated == 0 and has_text else generated, thought


def _shown(raw: Any) -> str:
    return storable(repr(raw)[:SHOWN])
