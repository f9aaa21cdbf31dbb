"""One vocabulary of properties: each is named once, and nothing else makes one from a number."""

import ast
import csv
import re
import subprocess
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata import properties as wd

SOURCE = REPOSITORY / "halluvault_tasks" / "wikidata" / "properties.py"
LINE = re.compile(r"^([A-Z_]+) = Pid\((\d+)\)  # (.+)$", re.MULTILINE)
NAMED = [(name, int(number), label) for name, number, label in LINE.findall(SOURCE.read_text(encoding="utf-8"))]
"""Name, number and label, as the module has them."""

PIDS = frozenset(number for _, number, _ in NAMED)

# What ran once is never rewritten. `reading` and `results` still write a dozen numbers of their own.
ELSEWHERE = [":!tests", ":!*/migrations/versions/*", ":!halluvault_tasks/reading", ":!halluvault_tasks/results"]

MODULES = [
    path
    for name in subprocess.run(
        ["git", "ls-files", "*.py", *ELSEWHERE], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    if (path := REPOSITORY / name).is_file() and path != SOURCE
]

ABOUT_PROPERTIES = frozenset({"p", "q", "pid", "property", "property_", "prop"})
"""Names of variables, fields and arguments that hold a property."""

SAID_TO_PEOPLE = frozenset({"help", "comment"})
"""Arguments with examples for people: `--property P36`."""

IN_TEXT = re.compile(r"\bP[1-9]\d*\b")
IN_SQL = re.compile(r"\bp\s*(?:=|<>|!=|(?:NOT\s+)?IN)\s*\(?\s*[1-9]")


MEANS_MORE = frozenset({102, 105, 127, 403, 800})
"""Numbers that are a length of an axis, an age, the last of ASCII, a status of HTTP and a number of steps as well."""


class Numbers(NamedTuple):
    """Which expressions of a module write a property as a number."""

    constants: dict[str, int]
    """Name → number, of what the module calls by a name of its own."""

    @classmethod
    def of(cls, tree: ast.Module) -> "Numbers":
        found: dict[str, int] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    pairs = [(target, node.value)]
                    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                        pairs = list(zip(target.elts, node.value.elts, strict=False))
                    found |= {name.id: cls({})(value) for name, value in pairs if isinstance(name, ast.Name)}
        return cls({name: value for name, value in found.items() if value})

    def __call__(self, node: ast.expr) -> int:
        """The property that an expression writes as a number, or minus that number; 0 where it writes none."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            node = node.operand
        if isinstance(node, ast.Name):
            return self.constants.get(node.id, 0)
        found = node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0
        return found if found in PIDS else 0

    def are_properties(self, nodes: Sequence[ast.expr]) -> bool:
        """Whether what is written as numbers among several expressions are properties, all of it.

        One below 100 may be anything (20 is often a count), and so may what has another meaning.
        """
        written = [
            self(node)
            for node in nodes
            if isinstance(node, ast.UnaryOp) or (isinstance(node, ast.Constant) and type(node.value) is int)
        ]
        sure = any(one >= 100 and one not in MEANS_MORE for one in written)
        return bool(written) and all(written) and (sure or len(written) > 1)

    def compared(self, about: ast.expr, other: ast.expr) -> bool:
        """Whether a property is compared with numbers."""
        name = about.id if isinstance(about, ast.Name) else about.attr if isinstance(about, ast.Attribute) else ""
        several = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
        return name in ABOUT_PROPERTIES and any(map(self, several))

    def make(self, node: ast.AST) -> bool:
        """Whether a node makes a property from a number."""
        match node:
            case ast.Call(func=ast.Name(id="Pid") | ast.Attribute(attr="Pid"), args=[ast.Constant()]):
                return True
            case ast.Call(func=ast.Attribute(value=about, attr="in_" | "not_in"), args=[several]):
                return self.compared(about, several)
            case ast.Call(args=arguments, keywords=keywords):
                return any(self.are_properties([one]) for one in arguments) or any(
                    one.arg in ABOUT_PROPERTIES and self(one.value) for one in keywords
                )
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return self.are_properties(elements)
            case ast.Dict(keys=keys, values=values):
                return self.are_properties([key for key in keys if key]) or self.are_properties(values)
            case ast.Assign(value=value) | ast.Subscript(slice=value):
                return self.are_properties([value])
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[right]):
                return self.compared(left, right) or self.compared(right, left)
        return False


def literals(tree: ast.Module) -> Iterator[int]:
    """Lines on which a module makes a property from a number or writes one into a text that machines read."""
    numbers, for_people = Numbers.of(tree), set[int]()
    for node in ast.walk(tree):
        texts: list[ast.AST] = []
        if isinstance(node, ast.Expr):  # a docstring
            texts = [node.value]
        elif isinstance(node, ast.Call):
            texts = [one.value for one in node.keywords if one.arg in SAID_TO_PEOPLE]
            raised = node.func.id if isinstance(node.func, ast.Name) else ""
            texts += node.args if raised.endswith("Error") else []
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):
            for_people |= {id(inner) for text in texts for inner in ast.walk(text)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in for_people:
            if IN_TEXT.search(node.value) or IN_SQL.search(node.value):
                yield node.lineno
        elif numbers.make(node):
            yield getattr(node, "lineno", 0)


def test_each_property_stands_once_under_one_name() -> None:
    assert len(PIDS) == len({name for name, _, _ in NAMED}) == len(NAMED) > 90
    assert [number for _, number, _ in NAMED] == sorted(PIDS)
    assert {name for name, value in vars(wd).items() if isinstance(value, int)} == {name for name, _, _ in NAMED}


def labels_in(path: Path) -> dict[int, str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {
            int(row["pid"][1:]): row["label"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        }


def test_a_label_is_wikidatas(shared_data: Path) -> None:
    told = labels_in(shared_data / "properties.tsv")
    assert [(name, told[number]) for name, number, _ in NAMED] == [(name, label) for name, _, label in NAMED]


def test_a_label_is_the_one_of_the_bundled_sample() -> None:
    told = labels_in(REPOSITORY / "halluvault_tasks" / "local" / "sample" / "properties.tsv")
    both = [(number, label) for _, number, label in NAMED if number in told]
    assert len(both) > 60
    assert both == [(number, told[number]) for number, _ in both]


def test_what_is_named_is_needed() -> None:
    """A name that only a set of the module has is needed if the set is."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    used = set(re.findall(r"\bwd\.([A-Za-z_]+)", text))
    sets = {target.id: node for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body for target in targets(node)}
    reached, found = set[str](), used & sets.keys()
    while found:
        reached |= found
        inner = chain.from_iterable(ast.walk(sets[name]) for name in found)
        found = {node.id for node in inner if isinstance(node, ast.Name) and node.id in sets} - reached
    assert sets.keys() - reached == set()


def targets(node: ast.stmt) -> list[ast.Name]:
    named = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [one for one in named if isinstance(one, ast.Name)]


@pytest.mark.parametrize(
    ("line", "members"),
    [
        (r"u<K>\(S, O, Sid\) .*", wd.COMPOSED),
        (r"sex\(Sex, O, Sid\) .*", (wd.SEX,)),
    ],
)
def test_the_rules_in_prolog_are_told_the_same_sets(line: str, members: tuple[int, ...]) -> None:
    text = (REPOSITORY / "prolog_rules" / "derivation.pl").read_text(encoding="utf-8")
    found = re.search(line, text)
    assert found is not None
    assert {int(one[1:]) for one in IN_TEXT.findall(found[0])} == set(members)


def test_no_rule_in_prolog_names_a_property_in_its_clauses() -> None:
    for path in sorted((REPOSITORY / "prolog_rules").glob("*.pl")):
        clauses = re.sub(r"(?s:/\*.*?\*/)|%.*", "", path.read_text(encoding="utf-8"))
        written = {int(one) for one in re.findall(r"(?<![\w.])\d+(?!\w)", clauses)}
        assert {one for one in written & PIDS if one >= 100} == set(), path.name


@pytest.mark.parametrize(
    "source",
    [
        "DEATH, DISSOLVED = 570, 576",
        "PRESENT = frozenset({36, 17})",
        "MAKERS = (50, DIRECTOR, 170)",
        "SHARED = {-22, -25}",
        "KINDS = {19: 'was born', 20: 'died'}",
        "VIA = {'instance': 31, 'subclass': 279}",
        "OFFICE = 39\nfound = row.p == OFFICE",
        "found = statement.c.p.in_((22, 25))",
        "found = row.property in {106, 279}",
        "found = facts.above(place, 131)",
        "found = items.get(131, 0)",
        "found = present[131]",
        "found = spoken(p=20)",
        "found = Pid(5)",
        "found = 'SELECT s FROM statement WHERE p = 20'",
        "found = f'SELECT s FROM {table} WHERE st.p IN (19, 20)'",
        "found = 'wdt:P31'",
    ],
)
def test_a_number_for_a_property_is_seen(source: str) -> None:
    assert list(literals(ast.parse(source))) != []


@pytest.mark.parametrize(
    "source",
    [
        '"""Births (P569)."""',
        "found = typer.Option(help='such as P36')",
        "raise UserError(f'{said} is no property like P36')",
        "found = [row for row in rows if row.p == wd.BIRTH]",
        "LOOKED_AT = 40",
        "DISTANCES = (5, 10, 15, 20)",
        "found = range(20)",
        "raise Refused(403, 'only from this machine')",
    ],
)
def test_other_numbers_and_what_people_read_are_none(source: str) -> None:
    assert list(literals(ast.parse(source))) == []


def test_no_other_module_makes_a_property_from_a_number() -> None:
    assert len(MODULES) > 300, "git lists the modules"
    found = {
        f"{path.relative_to(REPOSITORY)}:{line}"
        for path in MODULES
        for line in literals(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(), "name it in wikidata/properties.py"
