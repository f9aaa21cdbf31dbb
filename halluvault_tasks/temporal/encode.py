"""From formulas to Prolog: one readable predicate per sub-formula, named after it, in the papers' style.

The papers' encoding (Drowzee §3.4, figure 11) queries one set of intervals; ours has two, because dates are uncertain,
and its operators are the predicates of `prolog_rules/mtl.pl`. Event names enter as quoted atoms and comments only;
predicate names are made of ASCII letters, digits and underscores and begin with an operator's word.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from halluvault_tasks.prolog.clauses import clauses
from halluvault_tasks.prolog.terms import atom, comment, number
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.timed import Point, Row, Timed

_LONGEST_NAME = 60
_WRITTEN_OUT = 4  # depth up to which a rule's comment is the whole formula
LIBRARY = ("interval_sets.pl", "mtl.pl")
"""The files of `prolog_rules/` that a program needs."""


def _begin(value: int | None) -> str:
    return "inf" if value is None else number(value)


def _end(value: int | None) -> str:
    return "sup" if value is None else number(value)


def _rows(rows: Iterable[Row]) -> str:
    written = [
        f"point({number(row.first)}, {number(row.last)})"
        if isinstance(row, Point)
        else f"span({_begin(row.s1)}, {_end(row.s2)}, {_begin(row.e1)}, {_end(row.e2)})"
        for row in rows
    ]
    return f"[{', '.join(written)}]"


def occurs(known: Timed) -> str:
    """An event's dates as a term: `occurs(Name, Rows, Scope, Settled)`, the arguments of `mtl:occurs/6` in between."""
    return f"occurs({_dates(known)})"


def _dates(known: Timed) -> str:
    within = known.open_within
    if within is None:
        scope = "closed"
    elif known.others:
        scope = f"exclusive({_begin(within.first)}, {_end(within.last)}, {_rows(known.others)})"
    else:
        scope = f"open({_begin(within.first)}, {_end(within.last)})"
    limit = known.cutoff
    settled = "settled" if limit is None else f"unsettled({number(limit.complete)}, {number(limit.recorded)})"
    return f"{atom(known.name)}, {_rows(known.rows)}, {scope}, {settled}"


class Encoder:
    """Collects the rules of formulas over one history; a sub-formula met twice has one predicate.

    Args:
        history: the atoms' dates, by name.
    """

    def __init__(self, history: Mapping[str, Timed]) -> None:
        self._history = history
        # By operator, window and operands' predicates: two trees are equal just if these are, and unlike hashing the
        # trees themselves, looking them up costs the same at any depth.
        self._names: dict[tuple[object, ...], str] = {}
        self._used: set[str] = set()
        self.rules: list[str] = []
        """Comment and rule of each sub-formula, operands first."""

    def predicate(self, formula: f.Formula) -> str:
        """Name of a formula's predicate; its rules are added where they are missing.

        Raises:
            UserError: the formula mentions an unknown event.
        """
        return f.fold(formula, self._atom, self._applied)

    def _atom(self, node: f.Atom) -> str:
        key = (f.Atom, node.name)
        if key in self._names:
            return self._names[key]
        known = require_known(node.name, self._history)
        note = f": {known.note}" if known.note else ""
        return self._add(key, node, (), f"occurs(W, {_dates(known)}, S)", f.text(node) + note)

    def _applied(self, node: f.Formula, operands: tuple[str, ...]) -> str:
        key = (type(node), *f.window(node), *operands)
        if key in self._names:
            return self._names[key]
        called = [f"{operand}(W, S{n})" for n, operand in enumerate(operands, 1)]
        return self._add(key, node, operands, ",\n    ".join([*called, _operator(node)]), _shown(node, operands))

    def _add(self, key: tuple[object, ...], node: f.Formula, operands: tuple[str, ...], body: str, lead: str) -> str:
        name = self._unused(_wanted_name(node, operands))
        self._names[key] = name
        self._used.add(name)
        self.rules.append(f"{comment(lead)}\n{name}(W, S) :-\n    {body}.\n")
        return name

    def _unused(self, wanted: str) -> str:
        if len(wanted) <= _LONGEST_NAME and wanted not in self._used:
            return wanted
        stem = wanted[: _LONGEST_NAME // 2].rstrip("_")
        return f"{stem}__{len(self._names)}"


def _shown(node: f.Formula, operands: tuple[str, ...]) -> str:
    """The formula's text; above a few levels its operands stand as their predicates, so that programs grow evenly."""
    if node.depth <= _WRITTEN_OUT:
        return f.text(node)
    stand_ins = [f.Atom(operand) for operand in operands]
    if isinstance(node, f.Finally | f.Globally | f.Until):
        return f.text(type(node)(node.first, node.last, *stand_ins))
    return f.text(type(node)(*stand_ins))  # type: ignore[arg-type]


def _wanted_name(node: f.Formula, operands: tuple[str, ...]) -> str:
    short = "_".join(operand.removeprefix("holds_") for operand in operands)
    match node:
        case f.Atom():
            return f"holds_{re.sub(r'[^A-Za-z0-9]+', '_', node.name).strip('_') or 'event'}"
        case f.Not():
            return f"not_{short}"
        case f.Next():
            return f"next_{short}"
        case f.And():
            return f"both_{short}"
        case f.Or():
            return f"either_{short}"
        case f.Finally():
            return f"finally_{node.first}_{node.last}_{short}"
        case f.Globally():
            return f"globally_{node.first}_{node.last}_{short}"
        case f.Until():
            return f"until_{node.first}_{node.last}_{short}"


def _operator(node: f.Formula) -> str:
    match node:
        case f.Not():
            return "negation(S1, S)"
        case f.Next():
            return "next(S1, S)"
        case f.And():
            return "both(S1, S2, S)"
        case f.Or():
            return "either(S1, S2, S)"
        case f.Finally():
            return f"finally({number(node.first)}, {number(node.last)}, S1, S)"
        case f.Globally():
            return f"globally({number(node.first)}, {number(node.last)}, S1, S)"
        case f.Until():
            return f"until({number(node.first)}, {number(node.last)}, S1, S2, S)"
        case _:
            raise TypeError(f"{node!r} is no operator")


def require_known(name: str, history: Mapping[str, Timed]) -> Timed:
    """The dates of an event.

    Raises:
        FormulaError: no event has that name; names some that exist. Without a column.
    """
    if name not in history:
        some = ", ".join(repr(known) for known in sorted(history)[:5]) or "none"
        more = f" and {len(history) - 5} more" if len(history) > 5 else ""
        raise f.FormulaError(f"unknown event {name[:60]!r}; known: {some}{more}")
    return history[name]


def library(prolog_dir: Path) -> str:
    """The interval algebra and the operators as plain clauses, to stand in a saved program.

    Comments, module headers and imports are left out; the full text is in `prolog_rules/`.

    Raises:
        UserError: `prolog_dir` does not hold them.
    """
    return "\n".join(clauses(prolog_dir, name) for name in LIBRARY)


def reference(prolog_dir: Path) -> str:
    """Lines by which a stored proof loads the operators from `prolog_rules/`, instead of repeating them.

    The digest is of the clauses alone, so that a comment more in `prolog_rules/` changes no proof.

    Raises:
        UserError: `prolog_dir` does not hold them.
    """
    digest = hashlib.sha256(library(prolog_dir).encode()).hexdigest()
    return f"""\
% The operators: prolog_rules/mtl.pl and interval_sets.pl (sha256 of their clauses: {digest[:16]}), looked for in
% HALLUVAULT_PROLOG_DIR, in the current directory and beside this file.
:- multifile user:file_search_path/2.
user:file_search_path(prolog_rules, Directory) :- getenv('HALLUVAULT_PROLOG_DIR', Directory).
user:file_search_path(prolog_rules, prolog_rules).
user:file_search_path(prolog_rules, Directory) :-
    prolog_load_context(directory, Here),
    atom_concat(Here, '/prolog_rules', Directory).
:- use_module(prolog_rules(mtl)).
"""


def program(
    formula: f.Formula, history: Mapping[str, Timed], library_text: str, at: int | None = None, title: str = ""
) -> str:
    """A program: `swipl FILE` prints `yes`, `no` or `undecided`.

    Args:
        formula: what is asked.
        history: the atoms' dates, by name.
        library_text: what `library` gives, to stand alone, or `reference`, to need `prolog_rules/`.
        at: the time point; without it the program prints the two interval sets instead.
        title: first line, as a comment.

    Returns:
        Prolog text. With a time point the sets go to standard error, so that standard output is the answer alone.

    Raises:
        UserError: the formula mentions an unknown event.
    """
    encoder = Encoder(history)
    goal = encoder.predicate(formula)
    if at is None:
        asked, main = f.text(formula), f"print_sets({goal})"
    else:
        least, greatest = f.horizon(formula)
        asked = f"{f.text(formula)} at {at}"
        main = f"print_answer({goal}, {number(at)}, {number(least)}, {number(greatest)})"
    head = [comment(title)] if title else []
    head += [comment(asked), "% Run: swipl THIS_FILE", "", ":- initialization(main, main).", "", f"main :- {main}.", ""]
    return "\n".join([*head, *encoder.rules, library_text])


def citing(program_text: str, sentences: Mapping[str, str]) -> str:
    """A program under the statements that its dates are from: sentence → their id."""
    cited = [comment(f"{sentence} [{guid}]") for sentence, guid in sentences.items()]
    return "\n".join(["% From the statements", *cited, "", program_text])
