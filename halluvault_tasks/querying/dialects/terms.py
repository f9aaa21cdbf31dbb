"""An evaluation's sampling parameters as fields of a request, and as what is to be made of the answer.

The names are TGI's. Three more keys say how a server or a model differs, and stand there only where one does: `omit`,
fields that are never sent; `limit_field`, how the limit of new tokens is called; `thinking`, how the model thinks:
`budget` (tokens above every limit), `fields` (of every chat request), `suffix` (behind the last user's message),
`start` and `end` (marks of its thoughts), `format` and `in_prompt` (a mark that the template puts into the prompt).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from halluvault_tasks.querying.replies import ChatMessage
from halluvault_tasks.querying.thoughts import Format, Split, split

LIMIT = "max_tokens"
_NOT_TGIS = frozenset({"thinking", "omit", "limit_field", "extra", "verdict_tokens"})


class RequestTerms(NamedTuple):
    """What a request says, and how its answer is read."""

    limit: int
    """New tokens of an answer, without those of a thought."""
    fields: Mapping[str, Any]
    """Of an OpenAI request."""
    generation: Mapping[str, Any]
    """TGI's `parameters`."""
    limit_field: str = LIMIT
    omit: frozenset[str] = frozenset()
    budget: int = 0
    suffix: str = ""
    own: Format | None = None
    opened: str = ""

    def most(self, tokens: int | None, patience: int) -> int:
        """New tokens that one reply may have, thoughts included: `tokens` or the usual ones, so many times."""
        return ((self.limit if tokens is None else tokens) + self.budget) * patience

    def varied(self, limit_field: str, most: int, seed: int | None) -> dict[str, int]:
        """The fields that end one reply earlier or later than the others, and that draw it otherwise."""
        given = {limit_field: most} if most != self.limit + self.budget else {}
        if seed is not None:
            given["seed"] = seed
        return _without(given, self.omit) if self.omit else given

    def turns(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        """A conversation as it is sent: with the words that switch thinking off or on, if there are any."""
        if not self.suffix or messages[-1]["role"] != "user":
            return messages
        last = messages[-1]
        return [*messages[:-1], {"role": last["role"], "content": last["content"] + self.suffix}]

    def split(self, text: str, opened: bool = True) -> Split:
        """Thought and answer in a text; `opened`: whether it may begin inside a thought."""
        return split(text, self.own, self.opened if opened else "")


def terms_of(parameters: Mapping[str, Any]) -> RequestTerms:
    """Read an evaluation's parameters (`registry.Model.parameters`)."""
    thinking = parameters.get("thinking", {})
    budget = int(thinking.get("budget", 0))
    limit_field = parameters.get("limit_field", LIMIT)
    omit = frozenset(parameters.get("omit", ()))
    own = Format("own", thinking.get("start", ""), thinking["end"], "models.yaml") if thinking.get("end") else None
    generation = {name: value for name, value in parameters.items() if name not in _NOT_TGIS}
    generation["max_new_tokens"] = parameters["max_new_tokens"] + budget
    fields = {
        limit_field: parameters["max_new_tokens"] + budget,
        **_chat_fields(parameters),
        **thinking.get("fields", {}),
    }
    return RequestTerms(
        parameters["max_new_tokens"],
        _without(fields, omit),
        {**_without(generation, omit), "details": True, "return_full_text": False},
        limit_field,
        omit,
        budget,
        thinking.get("suffix", ""),
        own,
        thinking.get("format", "think") if thinking.get("in_prompt") else "",
    )


def _chat_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Sampling in OpenAI's names: greedy is `temperature: 0`, said aloud; `do_sample` alone is temperature 1."""
    fields: dict[str, Any] = {"temperature": parameters.get("temperature", 1.0 if parameters.get("do_sample") else 0)}
    for name in ("top_p", "seed", "stop", "frequency_penalty"):
        if name in parameters:
            fields[name] = parameters[name]
    return fields | dict(parameters.get("extra", {}))


def _without(fields: Mapping[str, Any], omit: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in omit}
