"""What text-generation-inference's routes accept: its requests, field by field, in the router's own order.

Source: the published description of TGI 3.3 and what its router answers (research notes beside the project, §1).
"""

from collections.abc import Mapping
from typing import Any

from halluvault_tasks.local.simulator.json_reader import Reader
from halluvault_tasks.local.simulator.serde import (
    Anything,
    Field,
    ListOf,
    Maybe,
    Scalar,
    Shape,
    Struct,
    Unlike,
    Untagged,
)

_STRING, _BOOL, _F32 = Scalar("string"), Scalar("bool"), Scalar("f32")
_U32, _U64, _USIZE, _I32 = Scalar("u32"), Scalar("u64"), Scalar("usize"), Scalar("i32")
_STRINGS = ListOf(_STRING)
_OFF = Field(_BOOL, False)
_ANYTHING = Anything()
_OF_MESSAGE: Mapping[str, Shape] = {"role": _STRING, "name": Maybe(_STRING)}

_JSON_SCHEMA = Struct("JsonSchemaConfig", {"name": Field(Maybe(_STRING)), "schema": Field(Anything(), required=True)})
_GRAMMARS: Mapping[str, Shape] = {
    "json": Anything(), "json_object": Anything(), "regex": _STRING, "json_schema": _JSON_SCHEMA,
}  # fmt: skip


class GrammarShape:
    """`{"type": …, "value": …}`: an adjacently tagged enum; the typed value keeps this form."""

    def of(self, value: Any) -> dict[str, Any]:
        """With a value of its type's shape."""
        if type(value) is not dict or "value" not in value:
            raise Unlike
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in _GRAMMARS:
            raise Unlike
        return {"type": kind, "value": _GRAMMARS[kind].of(value["value"])}

    def read(self, reader: Reader) -> dict[str, Any]:
        """With a value of its type's shape."""
        if reader.peek() != 123:
            reader.mistyped("adjacently tagged enum GrammarType")
        with reader.whole(125):
            found: dict[str, Any] = {}
            early = False
            for key in reader.entries():
                if key in found:
                    raise reader.mistake(f"duplicate field `{key}`", None)
                reader.value_follows()
                with reader.inside(key):
                    if key == "type":
                        found[key] = self._kind(reader)
                    elif key == "value" and "type" in found:
                        found[key] = _GRAMMARS[found["type"]].read(reader)
                    elif key == "value":
                        found[key], early = reader.anything(), True
                    else:
                        reader.ignore()
            for name in ("type", "value"):
                if name not in found:
                    raise reader.mistake(f"missing field `{name}`", None)
            if early:
                try:
                    return self.of(found)
                except Unlike as unlike:
                    raise reader.mistake("missing field `schema`", None) from unlike
            return {name: found[name] for name in ("type", "value")}

    def _kind(self, reader: Reader) -> str:
        if reader.peek() != 34:
            reader.mistyped("variant of enum GrammarType")
        kind = reader.string()
        if kind not in _GRAMMARS:
            known = ", ".join(f"`{name}`" for name in _GRAMMARS)
            raise reader.mistake(f"unknown variant `{kind}`, expected one of {known}", reader.at)
        return kind


class MessageShape:
    """A message of a conversation, as `{"role", "content"}` with its text alone; images are links in the text."""

    def of(self, value: Any) -> dict[str, Any]:
        """A message."""
        if type(value) is not dict or type(value.get("role")) is not str or not isinstance(value.get("name", ""), str):
            raise Unlike
        return {"role": value["role"], "content": _content(value)}

    def read(self, reader: Reader) -> dict[str, Any]:
        """A message: what is not the role's is told of the whole."""
        if reader.peek() != 123:
            reader.mistyped("struct Message")
        with reader.whole(125):
            found: dict[str, Any] = {}
            for key in reader.entries():
                if key in ("role", "name") and key in found:
                    raise reader.mistake(f"duplicate field `{key}`", None)
                reader.value_follows()
                with reader.inside(key):
                    found[key] = _OF_MESSAGE.get(key, _ANYTHING).read(reader)
            if "role" not in found:
                raise reader.mistake("missing field `role`", None)
            try:
                return {"role": found["role"], "content": _content(found)}
            except Unlike as unlike:
                raise reader.mistake("data did not match any variant of untagged enum MessageBody", None) from unlike


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part(part) for part in content)
    if isinstance(message.get("tool_calls"), list):
        return ""
    raise Unlike


def _part(part: Any) -> str:
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return str(part["text"])
    link = part.get("image_url") if isinstance(part, dict) and part.get("type") == "image_url" else None
    if isinstance(link, dict) and isinstance(link.get("url"), str):
        return f"![]({link['url']})"
    raise Unlike


class PromptShape:
    """One text or several."""

    def of(self, value: Any) -> list[str]:
        """Always a list."""
        prompts = [value] if type(value) is str else value
        if type(prompts) is not list or not all(type(prompt) is str for prompt in prompts):
            raise Unlike("data did not match any variant of untagged enum PromptDeserializer")
        if not prompts:
            raise Unlike("Empty array detected. Do not use an empty array for the prompt.")
        return prompts

    def read(self, reader: Reader) -> list[str]:
        """Always a list."""
        found: list[str] = Untagged("PromptDeserializer", (self,)).read(reader)
        return found


PARAMETERS = Struct("GenerateParameters", {
    "best_of": Field(Maybe(_USIZE)),
    "temperature": Field(Maybe(_F32)),
    "repetition_penalty": Field(Maybe(_F32)),
    "frequency_penalty": Field(Maybe(_F32)),
    "top_k": Field(Maybe(_I32)),
    "top_p": Field(Maybe(_F32)),
    "typical_p": Field(Maybe(_F32)),
    "do_sample": _OFF,
    "max_new_tokens": Field(Maybe(_U32)),
    "return_full_text": Field(Maybe(_BOOL)),
    "stop": Field(_STRINGS, ()),
    "truncate": Field(Maybe(_USIZE)),
    "watermark": _OFF,
    "details": _OFF,
    "decoder_input_details": _OFF,
    "seed": Field(Maybe(_U64)),
    "top_n_tokens": Field(Maybe(_U32)),
    "grammar": Field(Maybe(GrammarShape())),
    "adapter_id": Field(Maybe(_STRING)),
})  # fmt: skip

DEFAULTS: Mapping[str, Any] = {name: field.default for name, field in PARAMETERS.fields.items()}
ABSENT: Mapping[str, Any] = {**DEFAULTS, "do_sample": True}
"""What stands for parameters that are not sent at all: then TGI samples, and with `{}` it does not."""

GENERATE = Struct("GenerateRequest", {"inputs": Field(_STRING, required=True), "parameters": Field(PARAMETERS, ABSENT)})
COMPAT = Struct("CompatGenerateRequest", {**GENERATE.fields, "stream": _OFF})

_FUNCTION = Struct("FunctionDefinition", {
    "description": Field(Maybe(_STRING)),
    "name": Field(_STRING, required=True),
    "arguments": Field(Anything(), required=True, alias="parameters"),
})  # fmt: skip
_TOOL = Struct("Tool", {"type": Field(_STRING, required=True), "function": Field(_FUNCTION, required=True)})

CHAT = Struct("ChatRequest", {
    "model": Field(Maybe(_STRING)),
    "messages": Field(ListOf(MessageShape()), required=True),
    "frequency_penalty": Field(Maybe(_F32)),
    "logit_bias": Field(Maybe(ListOf(_F32))),
    "logprobs": Field(Maybe(_BOOL)),
    "top_logprobs": Field(Maybe(_U32)),
    "max_tokens": Field(Maybe(_U32), alias="max_completion_tokens"),
    "n": Field(Maybe(_U32)),
    "presence_penalty": Field(Maybe(_F32)),
    "stop": Field(Maybe(_STRINGS)),
    "stream": _OFF,
    "seed": Field(Maybe(_U64)),
    "temperature": Field(Maybe(_F32)),
    "top_p": Field(Maybe(_F32)),
    "tools": Field(Maybe(ListOf(_TOOL))),
    "tool_prompt": Field(Maybe(_STRING)),
    "tool_choice": Field(Anything()),
    "response_format": Field(Maybe(GrammarShape())),
    "guideline": Field(Maybe(_STRING)),
    "stream_options": Field(Maybe(Struct("StreamOptions", {"include_usage": Field(_BOOL, required=True)}))),
})  # fmt: skip

COMPLETION = Struct("CompletionRequest", {
    "model": Field(Maybe(_STRING)),
    "prompt": Field(PromptShape(), required=True),
    "max_tokens": Field(Maybe(_U32)),
    "temperature": Field(Maybe(_F32)),
    "top_p": Field(Maybe(_F32)),
    "stream": _OFF,
    "seed": Field(Maybe(_U64)),
    "suffix": Field(Maybe(_STRING)),
    "repetition_penalty": Field(Maybe(_F32)),
    "frequency_penalty": Field(Maybe(_F32)),
    "stop": Field(Maybe(_STRINGS)),
})  # fmt: skip

SAGEMAKER = Untagged("SagemakerRequest", (COMPAT, CHAT, COMPLETION))

_VERTEX_PARAMETERS = Struct("VertexParameters", {name: PARAMETERS.fields[name] for name in ("max_new_tokens", "seed")})
_VERTEX_GENERATE = Struct(
    "GenerateVertexInstance",
    {"inputs": Field(_STRING, required=True), "parameters": Field(Maybe(_VERTEX_PARAMETERS))},
)
VERTEX = Struct(
    "VertexRequest",
    {"instances": Field(ListOf(Untagged("VertexInstance", (_VERTEX_GENERATE, CHAT))), required=True)},
)
