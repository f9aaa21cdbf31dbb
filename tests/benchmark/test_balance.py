from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.benchmark.balance import Caps, Cell, choose
from halluvault_tasks.benchmark.cases import Candidate, Evidence, cases_of, content_id, gold_of, members
from halluvault_tasks.benchmark.wording import Wordings

DOMAINS, KINDS = ("people", "culture"), ("inverse", "negation.value", "composite")
PROGRAM = ":- initialization(main, main).\nmain :- writeln(yes).\n"


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    made = {}
    for _ in range(draw(st.integers(0, 40))):
        kind = draw(st.sampled_from(KINDS))
        s, o = draw(st.integers(1, 12)), draw(st.integers(1, 12))
        pair = ("Is it so?", "It is not so.") if draw(st.booleans()) else (None, None)
        one = Candidate(
            suite="relation",
            domain=draw(st.sampled_from(DOMAINS)),
            kind=kind,
            strand=draw(st.sampled_from("abc")),
            identity=(kind, s, o),
            pid=19,
            subject=s,
            object=o,
            entities=(s, o),
            truth=kind != "negation.value",
            wordings=Wordings(f"{s}-{o}?", "s", f"not {s}-{o}.", *pair),
            source=None,
        )
        made[one.identity] = one
    return list(made.values())


WEIGHTS: dict[Cell, float] = {(domain, kind): 1 + n for domain in DOMAINS for n, kind in enumerate(KINDS)}


@settings(max_examples=150, deadline=None)
@given(candidates(), st.integers(0, 60), st.integers(0, 5), st.integers(1, 4), st.integers(1, 4))
def test_the_laws_of_choice(some: list[Candidate], target: int, seed: int, subjects: int, objects: int) -> None:
    caps = Caps(subjects, objects)
    found = choose(some, WEIGHTS, target, seed=seed, caps=caps, paraphrase=True)
    assert found.cases <= target
    chosen = [one.candidate for one in found.chosen]
    assert len({one.group for one in chosen}) == len(chosen)
    assert len({frozenset((one.subject, one.object)) for one in chosen}) == len(chosen)
    assert max(Counter(one.subject for one in chosen).values(), default=0) <= subjects
    others = Counter(entity for one in chosen for entity in set(one.entities) - {one.subject})
    assert max(others.values(), default=0) <= objects
    golds: dict[Cell, Counter[str]] = {}
    for one in found.chosen:
        for member in members(one.candidate.wordings, one.paraphrase):
            golds.setdefault(one.candidate.cell, Counter())[gold_of(one.candidate.truth, member.opposed)] += 1
    assert all(abs(counted["yes"] - counted["no"]) <= 1 for counted in golds.values())
    again = choose(list(reversed(some)), WEIGHTS, target, seed=seed, caps=caps, paraphrase=True)
    assert again == found


@given(candidates(), st.integers(0, 5))
def test_what_is_short_is_counted_and_never_padded(some: list[Candidate], seed: int) -> None:
    found = choose(some, WEIGHTS, 600, seed=seed, caps=Caps(99, 99), paraphrase=False)
    assert found.cases == 2 * len({frozenset((one.subject, one.object)) for one in some})
    for cell, weight in WEIGHTS.items():
        supplied = sum(one.size for one in found.chosen if one.candidate.cell == cell)
        share = int(600 * weight / sum(WEIGHTS.values()))
        assert found.shortfall.get(cell, 0) == (share - supplied if share - supplied > 2 else 0)


def test_cells_with_enough_facts_are_filled_by_their_weights() -> None:
    some = [
        Candidate("relation", "people", kind, "a", (kind, n), 19, n * 10 + k, n * 10 + 5 + k, (), True,
                  Wordings("q?", "s.", "n.", None, None), None)
        for n in range(200) for k, kind in enumerate(KINDS)
    ]  # fmt: skip
    found = choose(some, WEIGHTS, 240, seed=1, caps=Caps(9, 9), paraphrase=True)
    counted = Counter(one.candidate.kind for one in found.chosen)
    assert counted == {"inverse": 20, "negation.value": 40, "composite": 60}
    assert not {cell: owed for cell, owed in found.shortfall.items() if cell[0] == "people"}


def test_true_and_false_bases_alternate_where_a_cell_has_both() -> None:
    some = [
        Candidate("temporal", "people", "F", "a", (n,), 569, n, None, (n,), n % 4 == 0,
                  Wordings("q?", "s.", "n.", None, None), None)
        for n in range(400)
    ]  # fmt: skip
    found = choose(some, {("people", "F"): 1}, 101, seed=3, caps=Caps(1, 1), paraphrase=True)
    counted = Counter(one.candidate.truth for one in found.chosen)
    assert counted == {True: 25, False: 25}


def test_a_cell_without_weight_gets_nothing() -> None:
    one = Candidate("relation", "people", "inverse", "a", (1,), 19, 1, 2, (1, 2), True,
                    Wordings("q?", "s.", "n.", None, None), None)  # fmt: skip
    assert choose([one], {("people", "inverse"): 0}, 10, seed=1, caps=Caps(9, 9), paraphrase=True).chosen == []


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_ids_tell_different_parts_apart_and_are_stable(one: list[str], other: list[str]) -> None:
    assert (content_id(*one) == content_id(*other)) == (one == other)
    assert len(content_id(*one)) == 16


def test_a_case_id_is_what_it_was() -> None:
    assert content_id("Was Charles Dickens born in Portsmouth?", "yes", "00ff", "original") == "ba1ab5d115af8982"


def test_opposed_wordings_turn_the_proof_round_and_nothing_else() -> None:
    candidate = Candidate("relation", "people", "inverse", "a", (1,), 19, 1, 2, (1, 2), True,
                          Wordings("q?", "s.", "n.", "p?", "pn."), None)  # fmt: skip
    made = cases_of(candidate, "opposed", Evidence({"truth": True}, [], PROGRAM))
    assert [(case.mutation, case.gold) for case in made] == [
        ("original", "yes"), ("negated", "no"), ("paraphrase_negated", "no"),
    ]  # fmt: skip
    assert made[0].proof == PROGRAM
    assert "turned(yes, no)." in made[1].proof == made[2].proof


def test_a_comment_that_spells_the_start_of_a_program_does_not_confuse_it() -> None:
    program = f"% :- initialization(main, main).\n{PROGRAM}"
    candidate = Candidate("relation", "people", "inverse", "a", (1,), 19, 1, 2, (1, 2), True,
                          Wordings("q?", "s.", "n.", None, None), None)  # fmt: skip
    negated = cases_of(candidate, "", Evidence({"truth": True}, [], program))[1]
    assert negated.proof.startswith("% :- initialization(main, main).\n:- initialization(asked, main).")
