"""What the tests notice: small faults in the code that decides what is true, put in one at a time.

    .venv/bin/pip install -c constraints.txt cosmic-ray==8.7.0      # once; the project itself does not need it
    .venv/bin/python benchmarks/mutation.py --json mutation.json    # 30 mutants a part (CONTRIBUTING.md: how long)
    .venv/bin/python benchmarks/mutation.py --parts statistics --mutants 0      # all of one part
    .venv/bin/python benchmarks/mutation.py --parts temporal --files sets,mtl --mutants 0      # all of two of its files

A mutant that no test fails on has *survived*: either it means the same, or a claim is not tested. Mutants of Python are
those of cosmic-ray, one drawn for each place and kind of change; left out are annotations, which run nothing, tables at
a module's level (Wikidata's ids, which a test could only repeat), and `==` made `is`, which CPython takes for the same
with most values here. cosmic-ray knows no Prolog; its mutants are made here (`PROLOG`). All work is done on a copy of
the tree. A process that has loaded the libraries is forked for each mutant, so that a run costs its tests and no
imports; one that takes four times as long as without a mutant is stopped and counts as noticed.
"""

import argparse
import ast
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SEED, MUTANTS = 13, 30
OURS = re.compile(r"(halluvault\w*|tests|studies|conftest|test_.*|mtl_\w+|_pytest|pytest|pyswip|__main__)(\.|$)")
"""Not loaded before the fork: what is mutated or tested, and the Prolog engine, one a process."""


class Part(NamedTuple):
    """Code that decides, and the tests that hold it."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = (
    Part(
        "licence",
        tuple(
            f"halluvault_tasks/reasoning/{name}.py"
            for name in ("licence/__init__", "licence/difference", "licence/slot", "world/containment", "world/slots")
        ),
        tuple(f"tests/reasoning/test_{name}.py" for name in ("licence", "disjoint_places", "licence_dates")),
    ),
    Part(
        "temporal",
        (
            *(
                f"halluvault_tasks/temporal/{name}.py"
                for name in ("run_in_prolog", "encode", "formula", "sets", "timed")
            ),
            "prolog_rules/interval_sets.pl",
            "prolog_rules/mtl.pl",
        ),
        tuple(f"tests/temporal/test_{name}.py" for name in ("formula", "sets", "semantics", "programs", "history")),
    ),
    Part("verdicts", ("prolog_rules/verdict_table.pl",), ("tests/oracles/test_verdict_table.py",)),
    Part(
        "statistics",
        tuple(
            f"halluvault_tasks/statistics/{name}.py"
            for name in ("agreement", "comparisons", "density", "recapture", "shares")
        ),
        ("tests/statistics",),
    ),
)

PROLOG = (
    (r"=<", "<"), (r"(?<![=\\@<])<(?!=)", "=<"), (r">=", ">"), (r"(?<![-=])>(?!=)", ">="),
    (r"(?<!\\)==", r"\\=="), (r"\\==", "=="), (r"=:=", r"=\\="), (r"\\\+ ?", ""),
    (r"\bmax\(", "min("), (r"\bmin\(", "max("), (r"\+1\b", "-1"), (r"-1\b", "+1"), (r"(?<=\bis )(\w+)\+", r"\1-"),
    (r"(?<=\bis )(\w+)-", r"\1+"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\byes\b", "no"),
    (r"\bno\b", "yes"), (r"\binf\b", "sup"), (r"\bsup\b", "inf"), (r"!", "true"),
    (r"(?<=, )(-?)(\w+), (\w+)(?=, \w+\)[,.]$)", r"\1\3, \2"), (r"^ {4}[a-z]\w*\(.*\),$", "    true,"),
)  # fmt: skip
"""Pattern and replacement: comparisons, bounds, signs, truth values, ends, cuts, arguments swapped, goals left out."""


_NO_CODE = {":-": ".", "/*": "*/"}
"""How directives and comments begin and end."""


class Mutant(NamedTuple):
    """A file with one small fault."""

    file: str
    line: int
    what: str
    source: Callable[[], str]


def python_mutants(file: str, rng: random.Random) -> Iterator[Mutant]:
    """One mutant for each place and kind of change; kinds are cosmic-ray's."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    source = (ROOT / file).read_text()
    idle, nodes = list(_left_out(source)), list(ast_nodes(get_ast(source)))
    sites: dict[tuple[Any, str], list[tuple[str, int]]] = {}
    for name in operator_names():
        kind, _, change = name.partition("_")
        to_identity = change.endswith(("_Is", "_IsNot")) and not change.startswith("Is")
        if to_identity or kind.endswith(("VariableReplacer", "VariableInserter")):  # these two want names to be given
            continue
        positions = [at for node in nodes for at in get_operator(name)().mutation_positions(node)]
        for occurrence, (start, stop) in enumerate(positions):
            if not any(first <= start and stop <= last for first, last in idle):
                sites.setdefault((start, kind), []).append((name, occurrence))
    for (start, _), several in sorted(sites.items()):
        name, occurrence = rng.choice(several)
        yield Mutant(
            file, start[0], name.partition("/")[2], partial(mutate_code, source, get_operator(name)(), occurrence)
        )


def _left_out(source: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """From where to where: annotations, and tables."""
    tree = ast.parse(source)
    tables = [one.value for one in tree.body if isinstance(one, ast.Assign) and not isinstance(one.value, ast.Constant)]
    for node in ast.walk(tree):
        for part in (
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            node if node in tables else None,
        ):
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


def prolog_mutants(file: str, _: random.Random) -> Iterator[Mutant]:
    """Every change of `PROLOG` at every place but comments and the module's head."""
    source = (ROOT / file).read_text()
    lines, ends = source.split("\n"), ""
    for number, line in enumerate(lines):
        ends = ends or next((end for begin, end in _NO_CODE.items() if line.startswith(begin)), "")
        code = "" if ends else line.partition("%")[0].rstrip()
        if ends and line.rstrip().endswith(ends):
            ends = ""
        for pattern, replacement in PROLOG:
            for found in re.finditer(pattern, code):
                changed = code[: found.start()] + found.expand(replacement) + code[found.end() :]
                if changed != code:
                    yield Mutant(
                        file, number + 1, f"{code.strip()}  →  {changed.strip()}",
                        partial("\n".join, [*lines[:number], changed, *lines[number + 1 :]]),
                    )  # fmt: skip


def drawn(part: Part, seed: int, most: int, files: str = "") -> tuple[list[Mutant], int]:
    """Mutants of a part, or of some of its files only, and how many there are to draw from."""
    rng = random.Random(f"{seed}:{part.name}")
    listed = [
        one
        for file in part.files
        for one in (prolog_mutants if file.endswith(".pl") else python_mutants)(file, rng)
        if not files or Path(file).stem in files.split(",")  # after the draw, so that a file's mutants are the same
    ]
    return (rng.sample(listed, most) if most and most < len(listed) else listed), len(listed)


def copy_tree(folder: Path) -> None:
    """What git knows of, as it is in the working tree."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    for name in subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


def forked(folder: Path, tests: Sequence[str], seconds: float, after: Callable[[], None] = lambda: None) -> int | None:
    """pytest's exit code in a process of its own; None where it did not end in time."""
    child = os.fork()
    if not child:
        os.setsid()
        out = os.open(folder / "mutation.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        code = 3
        tempfile.tempdir = str(folder / ".scratch")  # a mutant that never ends fills it until it is stopped
        Path(tempfile.tempdir).mkdir(exist_ok=True, parents=True)
        try:
            import pytest
            from hypothesis import Phase, settings

            # That an example fails is enough: to look for a smaller one takes longer than all the tests.
            settings.register_profile("mutation", phases=(Phase.explicit, Phase.generate))
            settings.load_profile("mutation")
            os.chdir(folder)
            code = int(pytest.main(["-x", "-q", "-n0", "--hypothesis-seed=0", *tests]))
            after()
        finally:
            os._exit(code)
    try:
        return _ended(child, time.monotonic() + seconds)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        for left in (".hypothesis", ".scratch"):  # one mutant's examples tell nothing of another
            shutil.rmtree(folder / left, ignore_errors=True)


def _ended(child: int, until: float) -> int | None:
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def warm(folder: Path, part: Part) -> float:
    """Run the part's tests without a mutant, and load what they loaded; returns the seconds that they then take."""
    listed = folder / "loaded.json"
    for _ in range(2):
        begun = time.monotonic()
        if forked(folder, part.tests, 1200, lambda: listed.write_text(json.dumps(list(sys.modules)))) != 0:
            raise SystemExit(
                f"{part.name}: its tests do not pass without a mutant:\n{(folder / 'mutation.log').read_text()}"
            )
        for name in json.loads(listed.read_text()):
            if not OURS.match(name):
                with suppress(Exception):
                    importlib.import_module(name)
    return time.monotonic() - begun


def run(part: Part, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Put a part's mutants in, one by one."""
    chosen, of = drawn(part, options.seed, options.mutants, options.files)
    seconds, begun = warm(folder, part), time.monotonic()
    print(f"{part.name}: {len(chosen)} of {of} mutants, {seconds:.1f} s each at most to notice", flush=True)
    outcomes = {"killed": 0, "stopped": 0, "survived": 0}
    survivors = []
    for one in chosen:
        original, mutated = (folder / one.file).read_text(), one.source()
        (folder / one.file).write_text(mutated)
        code = forked(folder, part.tests, 4 * seconds + 10)
        (folder / one.file).write_text(original)
        outcome = "stopped" if code is None else "killed" if code else "survived"
        outcomes[outcome] += 1
        if outcome == "survived":
            before, after = (text.split("\n") for text in (original, mutated))
            was, now = next(((a.strip(), b.strip()) for a, b in zip(before, after, strict=False) if a != b), ("", ""))
            survivors.append({"file": one.file, "line": one.line, "what": one.what, "was": was, "now": now})
            print(f"  survived  {one.file}:{one.line}\n            {was}\n            {now}", flush=True)
    share = 1 - outcomes["survived"] / max(1, len(chosen))
    found = {"mutants": len(chosen), "of": of, **outcomes, "noticed": round(share, 4), "survivors": survivors}
    print(f"{part.name}: {share:.1%} of {len(chosen)} noticed, {time.monotonic() - begun:.0f} s", flush=True)
    return found


def main() -> None:
    """Print what survived and the share that was noticed, part by part."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--parts", default=",".join(part.name for part in PARTS), help="default: %(default)s")
    parser.add_argument("--files", default="", metavar="NAMES", help="of the parts' files only these, without endings")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="a part; 0: all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the draw (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found")
    options = parser.parse_args()
    sys.dont_write_bytecode = True  # a mutant of the same length, written in the same second, would not be compiled
    os.environ |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    named = {part.name: part for part in PARTS}
    if unknown := set(options.parts.split(",")) - set(named):
        parser.error(f"no part {min(unknown)!r}; there are: {', '.join(named)}")
    found: dict[str, Any] = {"seed": options.seed, "parts": {}}
    with tempfile.TemporaryDirectory(prefix="halluvault-mutation-") as name:
        folder = Path(name)
        copy_tree(folder)
        os.environ["PYTHONPATH"] = os.pathsep.join([name, str(folder / "plugins")])
        sys.path[:0] = [name, str(folder / "plugins")]
        for part in options.parts.split(","):
            found["parts"][part] = run(named[part], folder, options)
    total = sum(one["mutants"] for one in found["parts"].values())
    left = sum(one["survived"] for one in found["parts"].values())
    print(f"in all: {total - left} of {total} noticed ({1 - left / max(1, total):.1%}), {left} survived")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
