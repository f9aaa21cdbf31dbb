"""What hides ideas: a function with too many ways through it, a name that two classes share or that names nothing.

(Many parameters: PLR0913 in pyproject.toml.)
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from halluvault_tasks.settings import REPOSITORY

PACKAGE = REPOSITORY / "halluvault_tasks"
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
    if "versions" not in path.parts  # migrations: what ran once is never rewritten
}
Function = ast.FunctionDef | ast.AsyncFunctionDef

MOST_WAYS = 20
COUNTED = (
    "wikidata", "storage", "prolog", "knowledge", "reasoning", "temporal", "benchmark", "reading", "oracles",
)  # fmt: skip
NAMED_BY_NOUNS = ("wikidata", "storage", "prolog", "knowledge", "temporal")
NO_NOUNS = {"one", "found", "said", "several"}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def ways(function: Function) -> int:
    """Ways through a function: its cyclomatic complexity as radon counts it, conditions too; closures count apart."""
    count, waiting = 1, list[ast.AST](function.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                continue
            case ast.Assert():
                count += 1
                continue
            case ast.If() | ast.IfExp():
                count += 1
            case ast.For() | ast.AsyncFor() | ast.While():
                count += 1 + bool(node.orelse)
            case ast.Try():
                count += len(node.handlers) + bool(node.orelse)
            case ast.BoolOp():
                count += len(node.values) - 1
            case ast.comprehension():
                count += 1 + len(node.ifs)
            case ast.Match():
                rest = any(
                    isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None for case in node.cases
                )
                count += max(0, len(node.cases) - rest)
        waiting.extend(ast.iter_child_nodes(node))
    return count


def test_no_function_has_more_than_twenty_ways_through_it() -> None:
    long = {
        f"{path.relative_to(PACKAGE)} {node.name}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, Function) and room(path) in COUNTED and ways(node) > MOST_WAYS
    }
    assert len(TREES) > 300, "the modules are there"
    assert long == set(), "part it by its ideas"


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return 1", 1),
        ("if a and (b or c): pass", 4),
        ("return [x for x in y if x if z] or (a if b else c)", 6),
        ("for x in y: pass\nelse: pass", 3),
        ("try: pass\nexcept A: pass\nexcept B: pass\nelse: pass", 4),
        ("match x:\n case 1: pass\n case 2: pass\n case _: pass", 3),
        ("assert a and b", 2),
        ("def g():\n  if a: pass", 1),
    ],
)
def test_ways_are_counted_as_radon_counts_them(body: str, count: int) -> None:
    (function,) = ast.parse("def f():\n" + "\n".join(f"  {line}" for line in body.splitlines())).body
    assert isinstance(function, ast.FunctionDef) and ways(function) == count


def test_no_two_public_classes_share_a_name() -> None:
    holders: dict[str, set[str]] = defaultdict(set)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                holders[node.name].add(str(path.relative_to(PACKAGE)))
    shared = {name: sorted(paths) for name, paths in holders.items() if len(paths) > 1}
    assert shared == {}, "name each by its noun"


def public_names(tree: ast.Module) -> Iterator[str]:
    """Names that others use: functions, their parameters, fields and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("_"):
                yield name
                yield from (each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
            case ast.ClassDef():
                yield from (
                    each.target.id
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                )
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                yield attribute


def test_public_names_are_nouns_of_the_domain() -> None:
    vague = {
        (str(path.relative_to(PACKAGE)), name)
        for path, tree in TREES.items()
        if room(path) in NAMED_BY_NOUNS
        for name in (path.stem, *public_names(tree))
        if name in NO_NOUNS
    }
    assert vague == set(), "say what it is"
