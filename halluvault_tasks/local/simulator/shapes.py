"""What text-generation-inference's routes accept, field by field, named as its router names them.

Source: the published description of TGI 3.3 and what its router answers (research notes beside the project, §1). What
no client of ours sends (tools, best_of, log probabilities, adapters) is ignored like any unknown field.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

_U32 = Annotated[int, Field(ge=0, le=2**32 - 1)]
_U64 = Annotated[int, Field(ge=0, le=2**64 - 1)]
_I32 = Annotated[int, Field(ge=-(2**31), le=2**31 - 1)]
_F32 = Annotated[float, Field(allow_inf_nan=False)]


class Shape(BaseModel):
    """An object of a request; fields that it does not know are ignored."""

    model_config = ConfigDict(strict=True, frozen=True)


class GrammarType(Shape):
    """`{"type": …, "value": …}`."""

    type: Literal["json", "json_object", "regex", "json_schema"]
    value: Any

    @model_validator(mode="after")
    def _of_its_type(self) -> "GrammarType":
        if self.type == "regex" and not isinstance(self.value, str):
            raise PydanticCustomError("value", "invalid type, expected a string")
        if self.type == "json_schema" and not (isinstance(self.value, dict) and "schema" in self.value):
            raise PydanticCustomError("value", "missing field `schema`")
        return self


def _text(content: object) -> str:
    """The text of a message; of parts, their texts, with images as links."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_text_of_part(part) for part in content)
    raise PydanticCustomError("variant", "data did not match any variant of untagged enum MessageBody")


def _text_of_part(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    said = part.get(kind) if isinstance(part, dict) and kind in ("text", "image_url") else None
    if kind == "text" and isinstance(said, str):
        return said
    if isinstance(said, dict) and isinstance(said.get("url"), str):
        return f"![]({said['url']})"
    return _text(None)


class ConversationMessage(Shape):
    """A message of a conversation."""

    role: str
    content: Annotated[str, BeforeValidator(_text)] = Field(default=None, validate_default=True)


class GenerateParameters(Shape):
    """How to generate; None where TGI has no default."""

    temperature: _F32 | None = None
    repetition_penalty: _F32 | None = None
    frequency_penalty: _F32 | None = None
    top_k: _I32 | None = None
    top_p: _F32 | None = None
    typical_p: _F32 | None = None
    do_sample: bool = False
    max_new_tokens: _U32 | None = None
    return_full_text: bool | None = None
    stop: tuple[str, ...] = ()
    truncate: _U64 | None = None
    details: bool = False
    seed: _U64 | None = None
    grammar: GrammarType | None = None


_ABSENT = GenerateParameters(do_sample=True)
"""What stands for parameters that are not sent at all: then TGI samples, and with `{}` it does not."""


class GenerateRequest(Shape):
    """Of `/generate`, `/generate_stream` and `/tokenize`."""

    inputs: str
    parameters: GenerateParameters = _ABSENT


class CompatGenerateRequest(GenerateRequest):
    """Of `/`."""

    stream: bool = False


class StreamOptions(Shape):
    """What a stream tells beside its tokens."""

    include_usage: bool


def _all_of(prompt: object) -> object:
    return [prompt] if isinstance(prompt, str) else prompt


class _OpenAiRequest(Shape):
    """What both OpenAI routes take."""

    model: str | None = None
    frequency_penalty: _F32 | None = None
    max_tokens: _U32 | None = None
    stop: tuple[str, ...] | None = None
    stream: bool = False
    seed: _U64 | None = None
    temperature: _F32 | None = None
    top_p: _F32 | None = None

    def parameters(self, **further: Any) -> GenerateParameters:
        """As TGI converts them: an absent temperature samples, and 0 is greedy."""
        greedy = self.temperature == 0
        return GenerateParameters(
            temperature=None if greedy else self.temperature,
            do_sample=not greedy,
            top_p=self.top_p,
            frequency_penalty=self.frequency_penalty,
            max_new_tokens=self.max_tokens,
            stop=self.stop or (),
            seed=self.seed,
            details=True,
            **further,
        )


class ChatRequest(_OpenAiRequest):
    """Of `/v1/chat/completions` and `/chat_tokenize`."""

    messages: list[ConversationMessage]
    max_tokens: _U32 | None = Field(default=None, validation_alias=AliasChoices("max_tokens", "max_completion_tokens"))
    presence_penalty: _F32 | None = None
    response_format: GrammarType | None = None
    stream_options: StreamOptions | None = None


class CompletionRequest(_OpenAiRequest):
    """Of `/v1/completions`."""

    prompt: Annotated[list[str], BeforeValidator(_all_of), Field(min_length=1)]
    suffix: str | None = None
    repetition_penalty: _F32 | None = None


_FOUND: Mapping[type, str] = {
    type(None): "null", bool: "boolean", int: "integer", float: "floating point", str: "string", list: "sequence",
    dict: "map",
}  # fmt: skip

_WORDS: Mapping[str, str] = {
    "missing": "missing field `{field}`",
    "string_type": "invalid type: {found}, expected a string",
    "bool_type": "invalid type: {found}, expected a boolean",
    "int_type": "invalid type: {found}, expected a number",
    "float_type": "invalid type: {found}, expected a number",
    "finite_number": "number out of range",
    "greater_than_equal": "invalid value: {found}, expected a number",
    "less_than_equal": "invalid value: {found}, expected a number",
    "list_type": "invalid type: {found}, expected a sequence",
    "tuple_type": "invalid type: {found}, expected a sequence",
    "model_type": "invalid type: {found}, expected struct {class_name}",
    "literal_error": "unknown variant `{value}`, expected one of {expected}",
}
"""Pydantic's kind of error → the router's words, which also name the value, and the place in the body's bytes."""


def wrong(error: Mapping[str, Any]) -> str:
    """What is wrong with a body, as TGI's router says it: the path, and the kind of mistake.

    Args:
        error: one of pydantic's.
    """
    kind, place, value = error["type"], list(error["loc"]), error["input"]
    given = {
        "found": _FOUND.get(type(value), "map"),
        "value": value,
        "field": place[-1] if place else "",
        **{name: str(each).replace("'", "`").replace(" or ", ", ") for name, each in error.get("ctx", {}).items()},
    }
    said = _WORDS[kind].format(**given) if kind in _WORDS else error["msg"]
    if kind in ("missing", "variant"):
        del place[-1:]  # told of the object, not of its field
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")
    return f"{path}: {said}" if path else said
