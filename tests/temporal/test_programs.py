"""The Prolog program of a formula: saved and run by `swipl` alone, hostile names, the size of its rules."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from mtl_histories import DICKENS, NAMES, WINDOW, exact_histories, exactly, formulas, member, one

from halluvault_tasks.errors import UserError
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.encode import Encoder, library, program, require_known
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.sets import contains, to_json
from halluvault_tasks.temporal.timed import Span, Timed


@settings(max_examples=6, deadline=None)
@given(formulas(3), exact_histories)
def test_a_saved_program_run_by_swipl_gives_the_same_sets(
    engine: Engine, prolog_dir: Path, tmp_path_factory: pytest.TempPathFactory, formula: f.Formula,
    terms: dict[str, list[tuple[int, int]]],
) -> None:  # fmt: skip
    history = {name: exactly(name, spans) for name, spans in terms.items()}
    found = one(engine, formula, history)
    file = tmp_path_factory.mktemp("saved") / "program.pl"
    file.write_text(program(formula, history, library(prolog_dir)), encoding="utf-8")
    ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stderr == ""
    certain, possible = (member(line) for line in ran.stdout.splitlines())
    for t in WINDOW:
        assert certain(t) == contains(found.certain, t)
        assert possible(t) == contains(found.possible, t)


@pytest.mark.parametrize(("at", "expected"), [(1816, "no\n"), (1817, "yes\n")])
def test_a_saved_query_prints_its_answer_alone(prolog_dir: Path, tmp_path: Path, at: int, expected: str) -> None:
    file = tmp_path / "query.pl"
    file.write_text(program(parse("dickens U[10,20] victorian"), DICKENS, library(prolog_dir), at), encoding="utf-8")
    ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == expected
    assert "1817-1861" in ran.stderr


def test_each_rule_of_a_saved_program_says_in_a_comment_which_formula_it_is() -> None:
    rules = program(parse("F[0,40] (dickens & !victorian)"), DICKENS, "").split("\n\n")
    shown = {rule.splitlines()[1].partition("(")[0]: rule.splitlines()[0] for rule in rules if "(W, S) :-" in rule}
    assert shown == {
        "holds_dickens": "% dickens",
        "holds_victorian": "% victorian",
        "not_victorian": "% !victorian",
        "both_dickens_not_victorian": "% dickens & !victorian",
        "finally_0_40_both_dickens_not_victorian": "% F[0,40] (dickens & !victorian)",
    }


HOSTILE = [
    "x'), halt, atom('",
    "\\",
    "a\\'b",
    "line\nbreak :- halt.",
    ":- initialization(halt).",
    "*/ halt. /*",
    "~w~n",
    "%s",
    "日本語 (にほん) 👩‍🚀 عربي",
    "is",
    "[]",
    "{}",
    "W",
    "\r\ttab",
    '"',
]


def test_names_never_become_code(engine: Engine, prolog_dir: Path, tmp_path: Path) -> None:
    history = {name: Timed(name, (Span(n, n, n, n),), note=name) for n, name in enumerate(HOSTILE)}
    found = list(evaluate(engine, [Query(f.Atom(name), n) for n, name in enumerate(HOSTILE)], history))
    assert [one.answer for one in found] == [True] * len(HOSTILE)
    assert [to_json(one.certain) for one in found] == [[[n, n]] for n in range(len(HOSTILE))]
    every: f.Formula = f.Atom(HOSTILE[0])
    for name in HOSTILE[1:]:
        every = f.Or(every, f.Atom(name))
    file = tmp_path / "hostile.pl"
    file.write_text(program(every, history, library(prolog_dir)), encoding="utf-8", newline="")
    ran = subprocess.run(["swipl", str(file)], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.splitlines()[0].split() == ["certain", f"[0-{len(HOSTILE) - 1}]"]
    assert ran.stderr == ""


def test_different_events_with_the_same_letters_stay_apart(engine: Engine) -> None:
    history = {name: Timed(name, (Span(n, n, n, n),)) for n, name in enumerate(["a b", "a-b", "a_b"])}
    found = list(evaluate(engine, [Query(f.Atom(name)) for name in history], history))
    assert [to_json(one.certain) for one in found] == [[[0, 0]], [[1, 1]], [[2, 2]]]


def test_an_unknown_event_is_named(engine: Engine) -> None:
    with pytest.raises(UserError, match="unknown event 'waterloo'; known: 'dickens', 'victorian'"):
        one(engine, f.Atom("waterloo"), DICKENS)


def test_an_unknown_event_is_answered_with_five_that_are_known() -> None:
    def complaint(count: int) -> str:
        with pytest.raises(UserError) as caught:
            require_known("x", {name: exactly(name, []) for name in "abcdefg"[:count]})
        return str(caught.value)

    assert complaint(0).endswith("known: none")
    assert complaint(5).endswith("known: 'a', 'b', 'c', 'd', 'e'")
    assert complaint(6).endswith(" and 1 more")
    assert complaint(7).endswith("known: 'a', 'b', 'c', 'd', 'e' and 2 more")


def test_a_predicate_is_named_after_its_formula() -> None:
    names = ("p", "q", "the  (long) war", "日本")
    encoder = Encoder({name: exactly(name, []) for name in names})
    asked = [
        "p", "!p", "N p", "p & q", "p | q", "F[0,3] p", "G[1,3] p", "p U[0,2] q", "!N p", '"the  (long) war"', '"日本"',
    ]  # fmt: skip
    assert [encoder.predicate(parse(text)) for text in asked] == [
        "holds_p", "not_p", "next_p", "both_p_q", "either_p_q", "finally_0_3_p", "globally_1_3_p", "until_0_2_p_q",
        "not_next_p", "holds_the_long_war", "holds_event",
    ]  # fmt: skip


def test_long_names_are_cut_and_stay_apart() -> None:
    fits = "x" * (60 - len("holds_"))
    long = [fits, fits + "x", fits + "y"]
    encoder = Encoder({name: exactly(name, []) for name in long})
    names = [encoder.predicate(f.Atom(name)) for name in long]
    assert names[0] == f"holds_{fits}"
    assert len({*names}) == 3
    assert all(name.startswith("holds_xxx") and len(name) < 40 for name in names[1:])


def test_a_deep_rules_comment_shows_its_operands_predicates() -> None:
    encoder = Encoder({name: exactly(name, []) for name in NAMES})
    deep = "!N !N p"
    for text in (f"N {deep}", f"F[1,2] {deep}", f"q U[3,4] {deep}", f"{deep} & q"):
        encoder.predicate(parse(text))
    shown = {rule.splitlines()[0] for rule in encoder.rules}
    below = "not_next_not_next_p"
    assert shown == {
        "% p", "% N p", "% !N p", "% N !N p", f"% {deep}", "% q",
        f"% N {below}", f"% F[1,2] {below}", f"% holds_q U[3,4] {below}", f"% {below} & holds_q",
    }  # fmt: skip


def test_a_saved_program_says_what_it_is_and_how_to_run_it() -> None:
    history, formula = {"p": exactly("p", [(1, 2)])}, parse("N p")
    run = "% Run: swipl THIS_FILE"
    assert program(formula, history, "", title="A title").splitlines()[:3] == ["% A title", "% N p", run]
    assert program(formula, history, "", at=0).splitlines()[:2] == ["% N p at 0", run]


def test_a_saved_program_has_the_clauses_of_the_library_alone(prolog_dir: Path, tmp_path: Path) -> None:
    text = library(prolog_dir)
    lines = text.splitlines()
    heads = ["% From prolog_rules/interval_sets.pl", "% From prolog_rules/mtl.pl"]
    assert [line for line in lines if "%" in line or "*/" in line] == heads
    assert not [line for line in lines if line.startswith(":- ") and "meta_predicate" not in line]
    assert "\n\n\n" not in text
    with pytest.raises(UserError, match=r"no Prolog file interval_sets\.pl"):
        library(tmp_path)


def test_a_subformula_shared_between_queries_has_one_rule() -> None:
    history = {name: exactly(name, [(1, 2)]) for name in NAMES}
    encoder = Encoder(history)
    first, second = (encoder.predicate(parse(text)) for text in ("N (p & q) | r", "F[0,3] (p & q) & N (p & q)"))
    heads = [rule.splitlines()[1].partition("(")[0] for rule in encoder.rules]
    assert heads == [
        "holds_p", "holds_q", "both_p_q", "next_both_p_q", "holds_r", first, "finally_0_3_both_p_q", second,
    ]  # fmt: skip


def test_rules_grow_evenly_with_the_formula() -> None:
    """Twice the operators make twice the text: no rule repeats what its operands say."""
    history = {name: exactly(name, [(1, 2)]) for name in NAMES}

    def size(depth: int) -> int:
        encoder = Encoder(history)
        encoder.predicate(parse("F[0,3] !" * (depth // 2) + "p"))
        assert len(encoder.rules) == depth + 1
        return sum(map(len, encoder.rules))

    assert size(200) < 2.2 * size(100)


def test_one_run_leaves_no_rule_for_the_next(engine: Engine) -> None:
    first = {"p": exactly("p", [(1, 2)])}
    second = {"p": exactly("p", [(5, 6)])}
    assert to_json(one(engine, parse("N p"), first).certain) == [[0, 1]]
    assert to_json(one(engine, parse("N p"), second).certain) == [[4, 5]]


@pytest.mark.parametrize("name", ["interval_sets", "mtl"])
def test_the_prolog_passes_its_own_tests_in_swipl_alone(prolog_dir: Path, name: str) -> None:
    file = prolog_dir / "tests" / f"{name}.plt"
    ran = subprocess.run(
        ["swipl", "-g", "run_tests", "-t", "halt(1)", str(file)], capture_output=True, text=True, timeout=60, input=""
    )
    said = ran.stdout + ran.stderr
    assert "passed" in said, said
    assert "failed" not in said, said
    assert "choicepoint" not in said, "an operation that has one answer looks for another"
