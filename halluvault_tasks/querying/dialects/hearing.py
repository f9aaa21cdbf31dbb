"""From what an OpenAI-compatible server says to a `Reply`: one whole completion, or the chunks of a stream.

The finish_reason decides: an answer ends by itself or at its limit; the API's own refusals are replies, whatever half
of a text came with them; anything else (`error`, `abort`, none at all) is asked again, since a part of an answer may
say the opposite of the whole. The one exception is a whole completion of a server that has no such field: what came is
all there is, cut if it has as many tokens as were allowed. A field that is there and null is no exception: so LMDeploy
marks what it aborted.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import orjson

from halluvault_tasks.querying.dialects.terms import Terms
from halluvault_tasks.querying.failures import Filtered, error_within, first_line
from halluvault_tasks.querying.rates import rate_of
from halluvault_tasks.querying.replies import (
    UNSAID,
    Failure,
    Finish,
    Kind,
    Reply,
    UnknownShape,
    finish_of,
    storable,
)
from halluvault_tasks.querying.thoughts import FIELDS, of_message
from halluvault_tasks.querying.transport import MOST_BYTES, too_long, whole

_KNOWN = frozenset({
    "role", "content", "refusal", "tool_calls", "tool_call_id", "function_call", "annotations", "audio", *FIELDS,
})  # fmt: skip
"""Fields of a message; with any other, and without a content, its text may be there."""
_DETAILS = ("completion_tokens_details", "output_tokens_details", "completion_token_details")


class Heard:
    """What was heard of one reply so far.

    Args:
        sent: names of the fields that the request had, for what an error refuses.
        unkeyed: takes the server's API key out of a text that came in pieces.
    """

    def __init__(self, sent: Collection[str], unkeyed: Callable[[str], str] = lambda text: text) -> None:
        self._sent, self._unkeyed = sent, unkeyed
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._refusals: list[str] = []
        self._field = ""
        self._finish: object = None
        self._has_finish = self._readable = False
        self._usage: Mapping[str, Any] = {}
        self._pieces = self._events = self._size = 0
        self._first: Any = None
        self._headers: Mapping[str, str] = {}

    def add(self, event: Any, headers: Mapping[str, str]) -> None:
        """Take in a whole completion or a chunk.

        Raises:
            Failure: it is an error, or more than an answer may have.
        """
        raw = event[0] if isinstance(event, list) and len(event) == 1 else event
        if not self._events:
            self._first, self._headers = raw, headers
        self._events += 1
        if not isinstance(raw, Mapping):
            return
        if is_error(raw):
            raise error_within(raw, headers, self._sent)
        usage = raw.get("usage")
        if isinstance(usage, Mapping) and usage:
            self._usage = usage
        choice = _ours(raw.get("choices"))
        if choice is not None:
            if choice.get("error"):
                raise error_within(choice["error"], headers, self._sent)
            self._take(choice)

    def _take(self, choice: Mapping[str, Any]) -> None:
        """Take in one choice: a message, a part of one, or the text of a raw completion."""
        self._has_finish |= "finish_reason" in choice
        self._finish = choice.get("finish_reason") or self._finish
        message = choice["delta"] if "delta" in choice else choice.get("message")
        if isinstance(message, Mapping):
            self._pieces += "delta" in choice
            text, thought, refusal, field = of_message(message)
            # One that says nothing has no content, or only fields that are known to hold none.
            self._readable |= text is not None or (not message.get("content") and _KNOWN.issuperset(message))
            self._thoughts += [thought] if thought else []
            self._refusals += [refusal] if refusal else []
            self._field = self._field or field
        else:
            text, thought = choice.get("text"), None
            text = text if isinstance(text, str) else None
            self._readable |= text is not None
        self._texts += [text] if text else []
        self._size += len(text or "") + len(thought or "")
        if self._size > MOST_BYTES:
            raise too_long(200)

    def reply(self, terms: Terms, most: int, guided: bool, total_ms: int) -> Reply:
        """The reply, once all of it was heard.

        Args:
            terms: on which it was asked for.
            most: new tokens that it could have.
            guided: whether it was held to a grammar, which leaves no room for a thought begun in the prompt.
            total_ms: from request to answer, as we measured it.

        Raises:
            Failure: it is no answer.
        """
        if not self._readable:
            raise UnknownShape(f"HTTP 200 without a text and a finish_reason: {self._shown()!r}")
        text, thought, refusal = (
            self._unkeyed("".join(parts)) if self._events > 1 else "".join(parts)
            for parts in (self._texts, self._thoughts, self._refusals)
        )
        prompt_tokens, generated, thought_tokens = _counts(self._usage, bool(text))
        word = self._word(generated, most, bool(refusal))
        finish = finish_of(word)
        if finish is None and not refusal:
            raise no_answer(word)
        split = terms.split(text, opened=not guided and not thought)
        thoughts = [one for one in (thought, split.thought) if one]
        start = ", start in the prompt" if split.in_prompt else ""
        headers = self._headers
        total = whole(headers.get("x-total-time"))
        return Reply(
            split.answer,
            storable(word),
            prompt_tokens,
            generated,
            whole(headers.get("x-queue-time")),
            whole(headers.get("x-inference-time")),
            total_ms if total is None else total,
            "\n\n".join(thoughts) or None,
            thought_tokens,
            (refusal or word) if refusal or finish is Finish.REFUSED else None,
            self._field if thought else (split.format + start if split.thought else ""),
            rate_of(headers),
        )

    def _word(self, generated: int | None, most: int, refusal: bool) -> str:
        """The finish_reason; ours where the server has no such field."""
        if isinstance(self._finish, str) and self._finish:
            return self._finish
        if refusal:
            return "refusal"
        if self._pieces:
            raise Failure(Kind.RETRYABLE, "the stream ended without a finish_reason", 200)
        if self._has_finish or self._events > 1:
            raise Failure(Kind.RETRYABLE, f"HTTP 200 without a finish_reason: {self._shown()!r}", 200)
        return "length" if generated is not None and generated >= most else UNSAID

    def _shown(self) -> str:
        try:
            return first_line(orjson.dumps(self._first))
        except (TypeError, ValueError):
            return first_line(repr(self._first).encode("utf-8", "replace"))


def is_error(raw: Mapping[str, Any]) -> bool:
    """Whether a body of status 200 is an error: it says so, or speaks as one in the place of an answer."""
    if raw.get("error"):
        return True
    if raw.get("choices") or "generated_text" in raw:
        return False
    base = raw.get("base_resp")  # MiniMax
    refuses = isinstance(base, Mapping) and base.get("status_code") not in (None, 0)
    speaks = "message" in raw and ("code" in raw or "type" in raw)
    return bool(refuses or raw.get("object") == "error" or raw.get("detail") or raw.get("error_type") or speaks)


def no_answer(word: str) -> Failure:
    """Of a finish_reason that no answer ends with."""
    return Failure(Kind.RETRYABLE, f"it ended with finish_reason {storable(word[:60])!r}, which is no answer", 200)


def refusal_of(filtered: Filtered, total_ms: int) -> Reply:
    """The reply of an API that refuses a prompt by a status of its own: nothing but its refusal."""
    return Reply("", "content_filter", None, None, None, None, total_ms, refusal=filtered.words)


def _ours(choices: object) -> Mapping[str, Any] | None:
    """The choice that answers: the first by its index, wherever it stands."""
    several = [one for one in choices if isinstance(one, Mapping)] if isinstance(choices, list) else []
    if len(several) < 2:
        return several[0] if several else None
    return next((one for one in several if one.get("index") in (0, None)), several[0])


def _counts(usage: Mapping[str, Any], has_text: bool) -> tuple[int | None, int | None, int | None]:
    """Tokens of the prompt, generated in all, and of the thought; a server that says 0 of everything does not count."""
    prompt, generated = whole(usage.get("prompt_tokens")), whole(usage.get("completion_tokens"))
    details = next((usage[name] for name in _DETAILS if isinstance(usage.get(name), Mapping)), usage)
    thought = whole(details.get("reasoning_tokens"))
    total = whole(usage.get("total_tokens"))
    if prompt and total and generated is not None and total > prompt + generated:
        # Gemini's OpenAI route and xAI leave thoughts out of completion_tokens, and in the total.
        thought = total - prompt - generated if thought is None else thought
        generated = total - prompt
    return prompt or None, None if generated == 0 and has_text else generated, thought
