"""The decision table in Prolog against the page it was written from (semantics.md section 4.2), row by row."""

import itertools
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from halluvault_tasks.settings import REPOSITORY

PROLOG = REPOSITORY / "prolog_rules"
ANSWERS = ("yes", "no", "dont_know", "refusal", "contradictory", "unparseable")
REPLAYS = ("yes", "no", "undetermined", "inconsistent")
SHAPES = ("direct", "bare", "argued")
OTHER = {"yes": "no", "no": "yes"}


class Seen(NamedTuple):
    """One combination of the table's inputs."""

    a: str
    g: str
    kx: bool
    sx: bool
    cx: bool
    u: bool
    own: str
    fill: str
    shape: str
    base: bool
    measured: bool


def every() -> list[Seen]:
    flags = (False, True)
    return [
        Seen(*one)
        for one in itertools.product(
            ANSWERS, ("yes", "no"), flags, flags, flags, flags, REPLAYS, REPLAYS, SHAPES, flags, flags
        )
    ]


def by_the_page(s: Seen) -> tuple[str, str]:
    """Row and category, written down anew from the page: conditions in its order, nothing shared with Prolog."""
    right = s.a == s.g
    against = OTHER.get(s.a)
    rows = [
        ("0a", s.a in ("dont_know", "refusal"), "normal"),
        ("0b", s.a == "unparseable", "unparseable"),
        ("0c", s.a == "contradictory", "both" if s.kx else "error_inference"),
        ("1", not s.kx and not s.sx and not s.u and s.own == OTHER[s.g], "review"),
        ("R1", right and s.kx and (s.sx or s.cx or s.fill in (against, "inconsistent")), "both"),
        ("R2", right and s.kx, "error_knowledge"),
        ("R3", right and not s.kx and (s.sx or s.cx), "error_inference"),
        ("R4", right, "normal"),
        ("W1", s.kx and (s.sx or s.fill in (s.g, "inconsistent")), "both"),
        ("W2", s.kx and s.fill in (s.a, "undetermined"), "error_knowledge"),
        ("W3", not s.kx and s.sx, "error_inference"),
        ("W4", not s.kx and s.own == s.g, "error_inference"),
        ("W5", not s.kx and s.u and s.fill == s.a and not s.measured, "error_knowledge"),
        ("W6", s.shape == "direct", "error_knowledge"),
        ("W7", True, "unattributed"),
    ]
    row, _, category = next(one for one in rows if one[1])
    return row, category


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[Seen, tuple[str, str, str]]:
    """What Prolog says of every combination, in one run."""
    scratch = tmp_path_factory.mktemp("table")
    program, combinations = scratch / "ask.pl", every()
    lines = [
        f"ask({number}, {s.a}, {s.g}, seen({', '.join(str(flag).lower() for flag in (s.kx, s.sx, s.cx, s.u))}, "
        f"{s.own}, {s.fill}, {s.shape}, {str(s.base).lower()}, {str(s.measured).lower()}))."
        for number, s in enumerate(combinations)
    ]
    program.write_text(
        f":- use_module('{PROLOG / 'verdict_table'}').\n" + "\n".join(lines) + "\n"
        ":- forall(ask(N, A, G, S), ( findall(R-C-L, verdict(A, G, S, R, C, L), [R-C-L]),"
        " format('~d\\t~a\\t~a\\t~a~n', [N, R, C, L]) )), halt.\n"
    )
    done = subprocess.run(["swipl", str(program)], capture_output=True, text=True, check=True, timeout=120)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {combinations[int(number)]: (row, category, label) for number, row, category, label in rows}


def test_the_table_is_total_and_says_what_the_page_says(table: dict[Seen, tuple[str, str, str]]) -> None:
    assert len(table) == len(every()) == 36_864
    assert {seen: found[:2] for seen, found in table.items()} == {seen: by_the_page(seen) for seen in every()}


def test_no_right_answer_is_convicted_without_an_error_in_it(table: dict[Seen, tuple[str, str, str]]) -> None:
    for seen, (_, category, _) in table.items():
        if seen.a == seen.g and not (seen.kx or seen.sx or seen.cx):
            assert category in ("normal", "review")


def test_no_wrong_yes_or_no_is_normal(table: dict[Seen, tuple[str, str, str]]) -> None:
    assert all(found[1] != "normal" for seen, found in table.items() if OTHER.get(seen.a) == seen.g)


def test_sound_needs_a_proof_and_polarity_the_same_models_right_answer(
    table: dict[Seen, tuple[str, str, str]],
) -> None:
    for seen, (row, _, label) in table.items():
        if row == "R4":
            assert (label == "sound") == (seen.own == seen.a)
        if row == "W4":
            assert (label == "polarity") == seen.base


def test_a_measured_gold_convicts_no_premise_by_what_would_follow_from_it(
    table: dict[Seen, tuple[str, str, str]],
) -> None:
    for seen, found in table.items():
        if seen.measured:
            proved = table[seen._replace(measured=False)]
            assert found[0] in ("W6", "W7") if proved[0] == "W5" else found == proved


@pytest.mark.parametrize("name", ["verdict_table", "replay"])
def test_the_prolog_unit_tests_pass(name: str) -> None:
    file = Path(PROLOG) / "tests" / f"{name}.plt"
    done = subprocess.run(
        ["swipl", "-g", "run_tests", "-t", "halt", str(file)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout + done.stderr
