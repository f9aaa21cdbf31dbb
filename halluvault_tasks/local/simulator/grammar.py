"""Generation under a grammar: text that fits a JSON schema or a regular expression, as guided decoding gives it.

The form is right, the content is meaningless: strings are words of what was asked, numbers are small. What is drawn
depends on the seed alone, so that the same request gets the same text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing.exceptions import Unresolvable

from halluvault_tasks.local.simulator.protocol import invalid
from halluvault_tasks.local.simulator.shapes import GrammarType
from halluvault_tasks.local.simulator.wire import RequestRefusal

_MAX_REPEATS = 12
"""Of something that may be repeated without end; a model stops, too."""
_ATTEMPTS = 8
_WORDS = ("the", "a", "of", "in")
_PRINTABLE = tuple(range(32, 127))


def schema_of(grammar: GrammarType) -> dict[str, Any] | None:
    """The JSON schema of a grammar, or None where it is a regular expression.

    Raises:
        Refusal: 422 `validation`, as the router says it: no JSON, no schema, no `properties`.
    """
    value = grammar.value
    if grammar.type == "regex":
        return None  # whether it parses is the shard's business, which compiles it
    if grammar.type == "json_schema":
        value = value["schema"]
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise invalid(f"grammar is not valid: {error}") from error
    if not isinstance(value, dict):
        raise invalid("grammar is not supported")
    try:
        Draft202012Validator.check_schema(value)
    except SchemaError as error:
        raise invalid(f"grammar is not valid: {error.message}") from error
    if "properties" not in value:
        raise invalid("grammar is not valid: Grammar must have a 'properties' field")
    return value


def write(grammar: GrammarType, asked: str, seed: str, said: str = "") -> str:
    """A text that fits the grammar: the model's own where that does, or where a schema takes it as a value.

    Args:
        grammar: as sent; `schema_of` has found it valid.
        asked: the prompt, whose words fill strings.
        seed: what the choice depends on, besides the prompt.
        said: what the model would say without a grammar.

    Raises:
        Refusal: 422 `validation`: a grammar that refers to nothing, contradicts itself or asks for what only a
            real server's compiler knows; 424 `generation`: no regular expression. So whatever is written fits.
    """
    random = Random(f"{seed}:{asked}")
    schema = schema_of(grammar)
    words = [word for word in re.findall(r"\w+", asked) if word.isprintable()] or list(_WORDS)
    try:
        if schema is None and re.fullmatch(grammar.value, said):
            return said
        # Look-arounds and the like are not built in, but tried again for.
        for _attempt in range(_ATTEMPTS):
            if schema is None:
                text = _matching(_parser.parse(grammar.value), random, {})
                if re.fullmatch(grammar.value, text):
                    return text
            else:
                value = _Writer(schema, words, random, said).value(schema, 0)
                if Draft202012Validator(schema).is_valid(value):
                    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except re.error as error:
        # The router lets it pass; the shard fails over it.
        raise RequestRefusal(424, f"Request failed during generation: Server error: {error}", "generation") from error
    except (LookupError, TypeError, ValueError, RecursionError, Unresolvable) as error:
        raise invalid(f"grammar is not valid: {error}") from error
    raise invalid("grammar is not valid: nothing that this server can write fits it")


class _Writer:
    """Values for one schema."""

    def __init__(self, root: Mapping[str, Any], words: Sequence[str], random: Random, said: str) -> None:
        self._root = root
        self._words = words
        self._random = random
        self._said = said

    def value(self, schema: Any, depth: int) -> Any:
        """A value that fits; `depth` keeps recursive schemas finite."""
        if schema is True or schema == {}:
            return self._text(1)
        if not isinstance(schema, dict):
            return None
        if "$ref" in schema:
            return self.value(self._resolve(schema["$ref"]), depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._said if self._said in schema["enum"] else self._random.choice(schema["enum"])
        for name in ("anyOf", "oneOf"):
            if options := schema.get(name):
                # Deep down the last is taken: by custom the simplest, `null` in most.
                option = options[-1] if depth > 8 else self._random.choice(options)
                return self.value(option, depth + 1)
        if "allOf" in schema:
            merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
            for part in schema["allOf"]:
                found = self._resolve(part["$ref"]) if "$ref" in part else part
                properties = {**merged.get("properties", {}), **found.get("properties", {})}
                required = [*merged.get("required", []), *found.get("required", [])]
                merged = {**merged, **found, "properties": properties, "required": required}
            return self.value(merged, depth + 1)
        kind = schema.get("type", "object" if "properties" in schema else "array" if "items" in schema else "string")
        if isinstance(kind, list):
            kind = self._random.choice(kind) if depth <= 8 else kind[-1]
        return self._typed(kind, schema, depth)

    def _typed(self, kind: str, schema: Mapping[str, Any], depth: int) -> Any:
        match kind:
            case "object":
                required = schema.get("required", ())
                return {
                    name: self.value(each, depth + 1)
                    for name, each in schema.get("properties", {}).items()
                    if name in required or (depth <= 4 and self._random.random() < 0.8)
                }
            case "array":
                return self._array(schema, depth)
            case "integer" | "number":
                return self._number(schema, kind == "integer")
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
        if pattern := schema.get("pattern", "").removeprefix("^").removesuffix("$"):
            return (
                self._said if re.fullmatch(pattern, self._said) else _matching(_parser.parse(pattern), self._random, {})
            )
        text = self._text(self._random.randint(1, 4))
        text = text[: schema.get("maxLength", len(text))]
        return text + "." * (schema.get("minLength", 0) - len(text))

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        fixed = [self.value(each, depth + 1) for each in schema.get("prefixItems", ())]
        least = schema.get("minItems", 0)
        most = schema.get("maxItems", max(least, 3))
        count = least if depth > 4 else self._random.randint(least, max(least, min(most, least + 3)))
        items = schema.get("items", True)
        if items is False:
            return fixed
        more = [self.value(items, depth + 1) for _ in range(max(0, count - len(fixed)))]
        return fixed + more

    def _number(self, schema: Mapping[str, Any], whole: bool) -> float | int:
        low = schema.get("minimum", schema.get("exclusiveMinimum", None))
        high = schema.get("maximum", schema.get("exclusiveMaximum", None))
        low = low if low is not None else (min(0, high) if high is not None else 0)
        high = high if high is not None else low + 100
        step = schema.get("multipleOf", 1 if whole else 0.25)
        first = int(-(-low // step)) + (schema.get("exclusiveMinimum") == low)
        last = int(high // step) - (schema.get("exclusiveMaximum") == high)
        drawn = self._random.randint(first, max(first, last)) * step
        return int(drawn) if whole else drawn

    def _text(self, count: int) -> str:
        start = self._random.randrange(len(self._words))
        return " ".join(self._words[start : start + count])

    def _resolve(self, reference: str) -> Any:
        found: Any = self._root
        for part in reference.removeprefix("#").strip("/").split("/"):
            if part:
                found = found[part.replace("~1", "/").replace("~0", "~")]
        return found


def _matching(tree: Any, random: Random, groups: dict[int, str]) -> str:
    """A text that a parsed regular expression matches whole."""
    return "".join(_part(operation, argument, random, groups) for operation, argument in tree)


def _part(operation: Any, argument: Any, random: Random, groups: dict[int, str]) -> str:
    if operation is sre.LITERAL:
        return chr(argument)
    if operation is sre.NOT_LITERAL:
        return chr(random.choice([code for code in _PRINTABLE if code != argument]))
    if operation is sre.ANY:
        return chr(random.choice(_PRINTABLE))
    if operation is sre.IN:
        return chr(random.choice(_codes(argument)))
    if operation is sre.BRANCH:
        return _matching(random.choice(argument[1]), random, groups)
    if operation is sre.SUBPATTERN:
        text = _matching(argument[3], random, groups)
        if argument[0] is not None:
            groups[argument[0]] = text
        return text
    if operation is sre.GROUPREF:
        return groups.get(argument, "")
    if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, most, tree = argument
        count = random.randint(least, max(least, min(most, least + _MAX_REPEATS)))
        return "".join(_matching(tree, random, groups) for _ in range(count))
    return ""  # anchors and look-arounds add no text


def _codes(items: Any) -> list[int]:
    codes: set[int] = set()
    wanted = True
    for operation, argument in items:
        if operation is sre.NEGATE:
            wanted = False
        elif operation is sre.LITERAL:
            codes.add(argument)
        elif operation is sre.RANGE:
            codes.update(range(argument[0], min(argument[1], argument[0] + 500) + 1))
        elif operation is sre.CATEGORY:
            codes.update(code for code in _PRINTABLE if re.match(_CATEGORIES[argument], chr(code)))
    return sorted(codes if wanted else set(_PRINTABLE) - codes) or [32]


_CATEGORIES: Mapping[Any, str] = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
