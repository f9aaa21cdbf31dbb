"""YAML text into content, and the tree that knows the lines; whatever is no plain data is refused with its place.

Libyaml reads YAML 1.1: `no`, `off` and `2026-01-01` without quotes are no texts. Anchors, aliases and merge keys are
read, but may not multiply what is there without bound, nor may anything be nested without bound.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import yaml
from yaml.constructor import ConstructorError
from yaml.reader import Reader

_DEEPEST = 40
_SHOWN = 60
"""Characters of a wrong value."""
_MOST_REPEATED = 100_000
"""Values that aliases may add to those that are written."""
_MERGE = "tag:yaml.org,2002:merge"
_KINDS = {"bool": "true or false", "null": "nothing", "timestamp": "a date", "int": "a number", "float": "a number"}
"""What a plain scalar is read as, by the end of its tag."""


class NotYaml(Exception):
    """A text that is no YAML, or not of the plain kind that is taken.

    Args:
        what: what is wrong, in one line.
        line: where, counted from 1; 0 if that is unknown.
        column: likewise.
    """

    def __init__(self, what: str, line: int, column: int) -> None:
        super().__init__(what)
        self.line, self.column = line, column


class ReadAs(NamedTuple):
    """A plain scalar that YAML reads as something else than text."""

    text: str
    """As it is written."""
    kind: str


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """libyaml's safe loader where PyYAML has it, ten times as fast; every fault of a value has its place."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, KeyError, AttributeError, TypeError, OverflowError) as error:
            # A 13th month, a number of 5,000 digits, `!!int x`.
            kind = _KINDS.get(_ending(node.tag), "such a value")
            raise ConstructorError(None, None, f"{_quoted(node)} cannot be read as {kind}", node.start_mark) from error


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    keys: set[Any] = set()
    for key_node, _ in node.value:
        if key_node.tag == _MERGE:
            continue
        if not isinstance(key_node, yaml.ScalarNode):
            raise ConstructorError(
                None,
                None,
                "a list or mapping stands where a key must be; a text that begins with { or [, such as a template's "
                "{{ … }}, needs quotes",
                key_node.start_mark,
            )
        key = loader.construct_object(key_node, deep=True)
        if key in keys:
            raise ConstructorError(None, None, f"the key {_quoted(key_node)} is duplicated", key_node.start_mark)
        keys.add(key)
    mapping: dict[Any, Any] = loader.construct_mapping(node, deep=True)
    return mapping


def _no_such_tag(_loader: Any, node: yaml.Node) -> Any:
    tag = node.tag.replace("tag:yaml.org,2002:", "!!")
    raise ConstructorError(None, None, f"the tag {tag[:60]!r} is not taken: write the value itself", node.start_mark)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_Loader.add_constructor("tag:yaml.org,2002:value", yaml.SafeLoader.construct_scalar)  # an `=` alone
_Loader.add_constructor(None, _no_such_tag)


def parsed(text: str) -> tuple[yaml.Node | None, Any]:
    """The tree and the content of a text; both None where it is empty.

    Raises:
        NotYaml: it is no YAML, or holds what is not taken.
    """
    if unprintable := Reader.NON_PRINTABLE.search(text):
        before = text[: unprintable.start()]
        what = f"the character U+{ord(unprintable[0]):04X} is not allowed in a text"
        raise NotYaml(what, before.count("\n") + 1, len(before) - before.rfind("\n"))
    loader = None
    try:
        written = _count(text)
        loader = _Loader(text)
        tree = loader.get_single_node()
        if tree is not None and _size(tree, {}) > written + _MOST_REPEATED:
            raise _refused("its aliases repeat too much of it", tree.start_mark)
        return tree, loader.construct_document(tree) if tree else None
    except yaml.MarkedYAMLError as error:
        raise _refused(_problem(error, text), error.problem_mark or error.context_mark) from error
    except yaml.YAMLError as error:
        raise NotYaml(" ".join(str(error).split()), 0, 0) from error
    finally:
        if loader is not None:
            loader.dispose()


def line(tree: yaml.Node | None, location: Sequence[int | str]) -> int:
    """Line of the innermost node on the way to `location`, counted from 1."""
    number = 1
    for where, _ in _way(tree, location):
        number = where.start_mark.line + 1
    return number


def read_as(tree: yaml.Node | None, location: Sequence[int | str]) -> ReadAs | None:
    """How the scalar at `location` is written, if without quotes and read as something else than text."""
    node = [tree, *(node for _, node in _way(tree, location))][-1]
    kind = _KINDS.get(_ending(node.tag)) if isinstance(node, yaml.ScalarNode) and not node.style else None
    if node is None or kind is None:
        return None
    if kind == _KINDS["bool"]:
        kind = str(yaml.SafeLoader.bool_values[node.value.lower()]).lower()
    return ReadAs(node.value or "left empty", kind)


def _way(tree: yaml.Node | None, location: Sequence[int | str]) -> Iterator[tuple[yaml.Node, yaml.Node]]:
    """For each step to `location` that the tree has: the node that stands for the step, and the one it leads to."""
    node = tree
    for part in location:
        if isinstance(node, yaml.MappingNode):
            # What comes from a merge key stands before what is written there.
            pairs = [pair for pair in node.value if pair[0].value == str(part)]
            if not pairs:
                return
            key, node = pairs[-1]
            yield key, node
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            yield node, node
        else:
            return


def _count(text: str) -> int:
    """How many values are written; in libyaml's own parser, since what nests without end would end the process."""
    depth = count = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise _refused(f"it is nested more than {_DEEPEST} deep", event.start_mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        count += isinstance(event, yaml.CollectionStartEvent | yaml.ScalarEvent)
    return count


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for, with those of aliases wherever they are repeated."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = 0
        pairs = isinstance(node, yaml.MappingNode)
        known[id(node)] = 1 + sum(_size(each, known) for entry in node.value for each in (entry if pairs else (entry,)))
    if not known[id(node)]:
        raise _refused("an alias stands within what it repeats", node.start_mark)
    return known[id(node)]


def _refused(what: str, mark: Any) -> NotYaml:
    return NotYaml(what, mark.line + 1, mark.column + 1) if mark else NotYaml(what, 0, 0)


def _problem(error: yaml.MarkedYAMLError, text: str) -> str:
    problem = str(error.problem)
    if "cannot start any token" in problem and error.problem_mark:
        lines = text.splitlines()
        at, column = error.problem_mark.line, error.problem_mark.column
        start = lines[at][column : column + 1] if at < len(lines) else ""
        if start == "\t":
            return "a tab, where YAML takes blanks alone"
        return f"a text that begins with {start} needs quotes"
    return f"{error.context}, {problem}" if error.context else problem


def _ending(tag: str) -> str:
    return tag.rpartition(":")[2]


def _quoted(node: yaml.Node) -> str:
    written = str(node.value)
    return repr(written if len(written) <= _SHOWN else f"{written[:_SHOWN]}…")
