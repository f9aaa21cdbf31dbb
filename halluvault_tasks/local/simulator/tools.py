"""Tools in a chat, as the imitated router takes them: a forced call is generation under the function's own schema.

Left to itself (`auto`, `none` or no choice) a simulated model calls nothing and answers; forced to call (`required`,
or one function by name) it gives arguments that fit the schema and mean nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.wire import Refusal, mistyped, spoken


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


def forced(tools: Sequence[Any] | None, choice: object, place: str) -> Call | None:
    """The function that a chat forces the model to call, or None.

    Args:
        tools: as sent.
        choice: `tool_choice` as sent: none, `auto`, `none`, `required`, a name, or an object with a function's name.
        place: where the body ended.

    Raises:
        Refusal: plain text for what is no tool; `tool_error` for a function that no tool has.
    """
    functions = {}
    for position, tool in enumerate(tools or ()):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            missing = "type" if isinstance(tool, dict) and "type" not in tool else "function"
            what = f"missing field `{missing}`" if isinstance(tool, dict) else f"invalid type: {spoken(tool)}"
            raise mistyped(f"tools[{position}]: ", what, place)
        functions[function["name"]] = function.get("parameters", function.get("arguments"))
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
