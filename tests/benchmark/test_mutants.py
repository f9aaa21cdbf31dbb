"""Metamorphic groups: which wordings a fact is asked in, and what each must answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.mutants import ConverseWordings, Member, gold_of, members, worded_as
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings


def wordings(a: str, b: str, *, antonym: str = "", inverse: bool = False) -> Wordings:
    name = "inverse" if inverse else "paraphrase"
    return Wordings(
        f"is {a} after {b}",
        f"{a} after {b}",
        f"{a} not after {b}",
        (
            Wording(name, "same", f"is {b} before {a}", False),
            Wording(f"{name}_negated", "contradictory", f"{b} not before {a}", True),
            Wording("statement", "same", f"true: {a} after {b}", False),
        ),
        Wording("antonym", antonym, f"is {a} other than after {b}", True) if antonym else None,
    )


def asked(found: list[Member], truth: bool) -> dict[str, tuple[str, str]]:
    assert len({one.mutation for one in found}) == len(found)
    return {one.mutation: (one.relation, gold_of(truth, one.opposed)) for one in found}


def test_a_group_has_original_negated_and_a_paraphrase() -> None:
    assert asked(members(wordings("a", "b"), True, None, 0), True) == {
        "original": ("same", "yes"), "negated": ("contradictory", "no"), "paraphrase": ("same", "yes"),
    }  # fmt: skip


def test_what_is_not_asked_denied_has_no_wording_that_denies() -> None:
    plain = wordings("a", "b")._replace(negated="")
    assert asked(members(plain, True, None, 0), True) == {
        "original": ("same", "yes"), "paraphrase": ("same", "yes"), "statement": ("same", "yes"),
    }  # fmt: skip
    turned = ConverseWordings(wordings("b", "a", inverse=True)._replace(negated=""), flips=True)
    inverse = wordings("a", "b", inverse=True)._replace(negated="")
    assert asked(members(inverse, True, turned, 0), True) == {
        "original": ("same", "yes"), "inverse": ("same", "yes"),
        "converse": ("converse", "no"), "contrary": ("contrary", "no"),
    }  # fmt: skip


def test_affirmative_wordings_of_what_is_denied_answer_the_other_way() -> None:
    denial = wordings("a", "b")._replace(negated="", denies=True)
    assert {gold for _, gold in asked(members(denial, True, None, 0), True).values()} == {"no"}


def test_turns_take_every_paraphrase_in_turn() -> None:
    third = [members(wordings("a", "b"), True, None, turn)[2].mutation for turn in range(4)]
    assert third == ["paraphrase", "paraphrase_negated", "statement", "paraphrase"]


def test_a_relation_that_runs_one_way_is_asked_both_ways_round() -> None:
    turned = ConverseWordings(wordings("b", "a", inverse=True), flips=True)
    assert asked(members(wordings("a", "b", inverse=True), True, turned, 0), True) == {
        "original": ("same", "yes"),
        "negated": ("contradictory", "no"),
        "inverse": ("same", "yes"),
        "converse": ("converse", "no"),
        "converse_negated": ("converse", "yes"),
        "contrary": ("contrary", "no"),
    }


@pytest.mark.parametrize("inverse", [True, False])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_what_is_turned_round_is_worded_as_what_it_turns(inverse: bool, turn: int) -> None:
    turned = ConverseWordings(wordings("Y", "X", inverse=inverse), flips=True)
    asked = {one.mutation: one.question for one in members(wordings("X", "Y", inverse=inverse), True, turned, turn)}
    exchanged = str.maketrans("XY", "YX")
    for mutation, question in asked.items():
        like = worded_as(mutation)
        assert question == (asked[like] if like == mutation else asked[like].translate(exchanged))


def test_a_contrary_is_not_asked_where_the_original_is_no() -> None:
    turned = ConverseWordings(wordings("b", "a", inverse=True), flips=True)
    found = asked(members(wordings("a", "b", inverse=True), False, turned, 0), False)
    assert "contrary" not in {relation for relation, _ in found.values()}
    assert found["converse"] == ("converse", "yes")
    assert found["converse_inverse"] == ("converse", "yes")
    contrary = members(wordings("a", "b", antonym="contrary"), False, None, 0)
    assert "antonym" not in asked(contrary, False)


@pytest.mark.parametrize(("truth", "gold"), [(True, "no"), (False, "yes")])
def test_an_antonym_that_contradicts_turns_the_answer_round(truth: bool, gold: str) -> None:
    found = asked(members(wordings("a", "b", antonym="contradictory"), truth, None, 0), truth)
    assert found["antonym"] == ("contradictory", gold)


def test_a_symmetric_relation_keeps_its_answer() -> None:
    turned = ConverseWordings(wordings("b", "a"), flips=False)
    assert asked(members(wordings("a", "b"), True, turned, 0), True)["converse"] == ("converse", "yes")


@given(st.booleans(), st.integers(0, 20), st.booleans())
def test_declared_relations_and_answers_agree(truth: bool, turn: int, inverse: bool) -> None:
    turned = ConverseWordings(wordings("b", "a", inverse=inverse), flips=True)
    found = asked(members(wordings("a", "b", antonym="contradictory", inverse=inverse), truth, turned, turn), truth)
    original = found["original"][1]
    for mutation, (relation, gold) in found.items():
        if relation == "same":
            assert gold == original
        elif relation == "contradictory":
            assert gold != original
        elif relation == "contrary":
            assert (original, gold) == ("yes", "no")
        else:
            assert relation == "converse"
            assert (gold != original) == (not mutation.endswith("negated"))
