"""Tools in a chat, as the imitated router takes them: a forced call is generation under the function's own schema.

Unless forced (`auto`, `none` or no choice) a simulated model calls nothing and answers; forced to call (`required`, or
one function by name) it gives arguments that fit the schema and mean nothing.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.wire import Refusal


class Call(NamedTuple):
    """A function that has to be called."""

    name: str
    grammar: Mapping[str, Any]

    def shown(self, arguments: str) -> dict[str, Any]:
        """The message of an answer that calls it."""
        function = {"description": None, "name": self.name, "arguments": arguments}
        return {"role": "assistant", "tool_calls": [{"id": "0", "type": "function", "function": function}]}

    def delta(self, text: str, first: bool) -> dict[str, Any]:
        """A part of its arguments in a stream; only the first names the function."""
        function = {"name": self.name if first else None, "arguments": text}
        call = {"index": 0, "id": "0", "type": "function", "function": function}
        return {"role": "assistant", "tool_calls": [call]}


_TOOL_PROMPT = (
    "Given the functions available, please respond with a JSON for a function call with its proper arguments that best "
    "answers the given prompt. Respond in the format {name: function name, parameters: dictionary of argument name and "
    "its value}.Do not use variables."
)
"""The router's own; it counts as part of the prompt."""


def in_prompt(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] | None, prompt: str | None
) -> Sequence[Mapping[str, Any]]:
    """The conversation with its tools told at the end of the last message, as to a template that knows none."""
    if not tools or not messages:
        return messages
    told = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    content = f"{messages[-1]['content']}\n---\n{_TOOL_PROMPT if prompt is None else prompt}\n{told}"
    return [*messages[:-1], {**messages[-1], "content": content}]


def forced(tools: Sequence[Mapping[str, Any]] | None, choice: object) -> Call | None:
    """The function that a chat forces the model to call, or None.

    Args:
        tools: fields of each tool.
        choice: `tool_choice` as sent: none, `auto`, `none`, `required`, a name, or an object with a function's name.

    Raises:
        Refusal: `tool_error` for a function that no tool has.
    """
    functions = {tool["function"]["name"]: tool["function"]["arguments"] for tool in tools or ()}
    if isinstance(choice, dict):
        named = choice.get("function")
        choice = named.get("name") if isinstance(named, dict) else choice.get("name")
    if not functions or choice in (None, "auto", "none") or not isinstance(choice, str):
        return None
    name = next(iter(functions)) if choice == "required" else choice
    if name not in functions:
        raise Refusal(422, f"Tool error: Tool with name {name} not found", "tool_error")
    found = functions[name]
    schema: dict[str, Any] = found if isinstance(found, dict) else {}
    return Call(name, {"type": "json", "value": {"type": "object", "properties": {}, **schema}})
