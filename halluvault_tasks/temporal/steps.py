"""Formulas as the numbered steps that Prolog runs many at a time (`prolog_rules/mtl_run.pl`).

A saved proof has a readable predicate per sub-formula (`encode`); here the same sub-formulas are a term each, and an
operand is a number.
"""

from collections.abc import Mapping

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.encode import occurs, require_known
from halluvault_tasks.temporal.parsing import build
from halluvault_tasks.temporal.timed import Timed

_TERMS = {
    "!": "negation(%d)", "N": "next(%d)", "&": "both(%d,%d)", "|": "either(%d,%d)",
    "F": "finally(%d,%d,%d)", "G": "globally(%d,%d,%d)", "U": "until(%d,%d,%d,%d)",
}  # fmt: skip


class Steps:
    """Collects queries, their sub-formulas numbered from 1; one that is met twice has one number. A `Builder`.

    Args:
        history: the atoms' dates, by name.
    """

    def __init__(self, history: Mapping[str, Timed]) -> None:
        self._history = history
        self._atoms: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._depths = [0]  # of step 0, which is none
        self._queries: list[str] = []

    def __len__(self) -> int:
        """Queries so far."""
        return len(self._queries)

    def ask(self, formula: str | f.Formula, at: int | None) -> None:
        """Add a query.

        Args:
            formula: text or tree.
            at: the time point; None asks for its sets alone.

        Raises:
            FormulaError: the text cannot be read, or an event is unknown; of a text with the column.
        """
        step = build(formula, self) if isinstance(formula, str) else self._of(formula)
        self._queries.append(f"query({step}).\n" if at is None else f"query({step},{number(at)}).\n")

    def program(self) -> str:
        """What `mtl_run:run_program/2` reads."""
        return "".join([f"steps({len(self._numbers)}).\n", *self._numbers, *self._queries])

    def atom(self, name: str) -> int:
        """Number of an event.

        Raises:
            FormulaError: there is none of that name.
        """
        if step := self._atoms.get(name):
            return step
        step = self._atoms[name] = self._add(f"{occurs(require_known(name, self._history))}.\n", 0)
        return step

    def apply(self, symbol: str, window: tuple[int, ...], operands: tuple[int, ...]) -> int:
        """Number of what an operator makes of its operands.

        Raises:
            FormulaError: it nests too deep.
        """
        line = f"{_TERMS[symbol] % (window + operands)}.\n"
        if step := self._numbers.get(line):
            return step
        depth = self._depths[operands[0]]
        if len(operands) == 2:
            depth = max(depth, self._depths[operands[1]])
        return self._add(line, f.deeper(depth))

    def _add(self, line: str, depth: int) -> int:
        self._depths.append(depth)
        step = self._numbers[line] = len(self._numbers) + 1
        return step

    def _of(self, formula: f.Formula) -> int:
        return f.fold(
            formula,
            lambda one: self.atom(one.name),
            lambda node, operands: self.apply(f.symbol(node), f.window(node), operands),
        )
