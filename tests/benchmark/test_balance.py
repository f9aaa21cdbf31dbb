from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence, cases_of
from halluvault_tasks.benchmark.cases.difficulty import Difficulty, FameLevel
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings, gold_of
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection.balance import Block, Cell, Shares, choose
from halluvault_tasks.benchmark.selection.caps import Caps

DOMAINS, KINDS = ("people", "culture"), ("inverse", "negation.polarity", "composite")
PROGRAM = ":- initialization(main, main).\nmain :- writeln(yes).\n"
PARAPHRASES = (Wording("paraphrase", "same", "p?", False), Wording("paraphrase_negated", "contradictory", "pn.", True))


def said(s: int, o: int) -> Wordings:
    """Wordings; the tenth is called like the first, so that different facts may read alike."""
    about = "-".join(str(1 if number == 10 else number) for number in (s, o))
    more = (Wording("paraphrase", "same", f"p {about}?", False),
            Wording("paraphrase_negated", "contradictory", f"p not {about}.", True))  # fmt: skip
    return Wordings(f"{about}?", about, f"not {about}.", more)


def candidate(kind: str, domain: str, s: int, o: int, *, truth: bool = True, both_ways: bool = False) -> Candidate:
    return Candidate(
        suite="relation",
        domain=domain,
        kind=kind,
        strand="a",
        identity=(kind, truth, s, o),
        pid=19,
        subject=s,
        object=o,
        entities=(s, o),
        truth=truth,
        wordings=said(s, o),
        source=None,
        converse=ConverseWordings(said(o, s), flips=True) if both_ways else None,
    )


@st.composite
def blocks(draw: st.DrawFn) -> list[Block]:
    """Quads and groups asked both ways round, in any mixture."""
    made: dict[tuple[object, ...], Block] = {}
    number = st.integers(1, 12)
    for _ in range(draw(st.integers(0, 40))):
        kind, domain = draw(st.sampled_from(KINDS)), draw(st.sampled_from(DOMAINS))
        a, b, c, d = draw(number), draw(number), draw(number), draw(number)
        what = draw(st.sampled_from(("quad", "both")))
        if what == "quad":
            pairs = ((a, b, True), (c, d, True), (a, d, False), (c, b, False))
            block = Block(tuple(candidate(kind, domain, s, o, truth=truth) for s, o, truth in pairs))
        else:
            block = Block((candidate(kind, domain, a, b, both_ways=True),))
        made[block.identity] = block
    return list(made.values())


WEIGHTS: dict[Cell, float] = {(domain, kind): 1 + n for domain in DOMAINS for n, kind in enumerate(KINDS)}


@settings(max_examples=150, deadline=None)
@given(
    blocks(), st.integers(0, 90), st.integers(0, 5), st.integers(1, 4), st.integers(1, 4),
    st.sampled_from((0.2, 0.5, 1)),
    st.frozensets(st.sampled_from([f"{s}-{o}?" for s in range(1, 13) for o in range(1, 13)]), max_size=40),
)  # fmt: skip
def test_the_laws_of_choice(
    some: list[Block], target: int, seed: int, subjects: int, objects: int, share: float, asked: frozenset[str]
) -> None:
    limits = {"seed": seed, "caps": Caps(subjects, objects), "shares": Shares(kind=share), "asked": asked}
    found = choose(some, WEIGHTS, target, **limits)
    assert found.cases <= target
    questions = [member.question for one in found.chosen for member in one.candidate.members(one.turn)]
    assert len({*questions, *asked}) == len(questions) + len(asked), "no question text stands twice"
    chosen = [one.candidate for one in found.chosen]
    assert len({frozenset((one.subject, one.object)) for one in chosen}) == len(chosen)
    assert max(Counter(one.subject for one in chosen).values(), default=0) <= subjects
    others = Counter(entity for one in chosen for entity in set(one.entities) - {one.subject})
    assert max(others.values(), default=0) <= objects
    kinds: Counter[str] = Counter()
    for one in found.chosen:
        kinds[one.candidate.kind] += one.size
    over = {f"kind {kind}" for kind, number in kinds.items() if number > share * found.cases}
    assert over == set(found.beyond), "a bound is of what there is, or what is beyond it is told"
    both_ways = Counter(qid for one in chosen if one.balanced for qid in one.entities)
    assert max(both_ways.values(), default=0) <= 1, "who stands where in one question tells nothing about another"
    # A block is whole: what is chosen of it is all of it.
    taken = Counter(one.block for one in found.chosen)
    whole = {block.identity: len(block.candidates) for block in some}
    first = {one.block: one.candidate.identity for one in reversed(found.chosen)}
    assert all(taken[block] == whole[identity] for block, identity in first.items())
    assert choose(list(reversed(some)), WEIGHTS, target, **limits) == found


def test_a_group_that_reads_like_another_is_passed_over_and_counted() -> None:
    pairs = ((1, 20), (10, 20), (3, 21))
    one, like, other = (candidate("inverse", "people", s, o, both_ways=True) for s, o in pairs)
    limits = {"seed": 1, "caps": Caps(9, 9)}
    found = choose([Block((one,)), Block((like,)), Block((other,))], WEIGHTS, 600, **limits)
    assert [len(found.chosen), found.repeated] == [2, 1]
    assert other in [each.candidate for each in found.chosen]
    elsewhere = choose([Block((one,)), Block((other,))], WEIGHTS, 600, **limits, asked={"not 1-20."})
    assert [each.candidate for each in elsewhere.chosen] == [other]
    assert elsewhere.repeated == 1


@given(blocks(), st.integers(0, 5))
def test_every_wording_of_a_balanced_block_is_as_often_a_yes_as_a_no(some: list[Block], seed: int) -> None:
    found = choose(some, WEIGHTS, 600, seed=seed, caps=Caps(99, 99))
    golds: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for one in found.chosen:
        for member in one.candidate.members(one.turn):
            wording = member.mutation.removeprefix("converse_").replace("converse", "original")
            golds[one.block, wording][gold_of(one.candidate.truth, member.opposed)] += 1
    assert all(counted["yes"] == counted["no"] for counted in golds.values())


@given(blocks(), st.integers(0, 5))
def test_what_is_short_is_counted_and_never_padded(some: list[Block], seed: int) -> None:
    found = choose(some, WEIGHTS, 600, seed=seed, caps=Caps(99, 99))
    assert len({one.candidate.identity for one in found.chosen}) == len(found.chosen)
    for cell, weight in WEIGHTS.items():
        supplied = sum(one.size for one in found.chosen if one.candidate.cell == cell)
        share = int(600 * weight / sum(WEIGHTS.values()))
        owed = found.shortfall[cell].cases if cell in found.shortfall else 0
        assert owed == (share - supplied if share - supplied > 2 else 0)


def test_cells_with_enough_facts_are_filled_by_their_weights() -> None:
    some = [
        Block((candidate(kind, "people", n * 10 + k, n * 10 + 5 + k, both_ways=True),))
        for n in range(200)
        for k, kind in enumerate(KINDS)
    ]
    found = choose(some, WEIGHTS, 360, seed=1, caps=Caps(9, 9))
    counted = Counter(one.candidate.kind for one in found.chosen)
    assert counted == {"inverse": 10, "negation.polarity": 20, "composite": 30}
    assert not {cell: owed for cell, owed in found.shortfall.items() if cell[0] == "people"}


def test_what_is_plentiful_does_not_take_the_place_of_what_is_missing() -> None:
    """A rule, a property and orders together stay within their shares of what there is in the end."""

    def made(strand: str, pid: int, first: int, *, order: bool = False) -> list[Block]:
        return [
            Block((candidate("composite", "people", n, n + 50_000, both_ways=True)._replace(
                strand=strand, pid=pid, order=order, identity=(strand, n)),))
            for n in range(first, first + 100)
        ]  # fmt: skip

    some = [*made("order:P569", 569, 0, order=True), *made("order:P570", 570, 100, order=True)]
    some += [block for n in range(90) for block in made(f"rule {n}", n, 200 + 100 * n)[:2]]
    shares = Shares(rule=0.1, property=0.1, orders=0.15)
    found = choose(some, {("people", "composite"): 1}, 6000, seed=1, caps=Caps(9, 9), shares=shares)
    rules: Counter[str] = Counter()
    for one in found.chosen:
        rules[one.candidate.strand] += one.size
    orders = sum(number for rule, number in rules.items() if rule.startswith("order"))
    assert 1080 < found.cases < 1290, "180 groups of six, and orders in proportion"
    assert 0.1 * found.cases < orders <= 0.15 * found.cases
    assert max(rules.values()) <= 0.1 * found.cases


def test_a_bound_that_would_cost_most_questions_is_told_and_the_others_hold() -> None:
    """Two kinds alone: none of them stays below 30 %, and the orders do all the same."""
    some = [
        Block((
            candidate(kind, "people", n, n + 5000, both_ways=True)._replace(order=n < 60, strand=f"rule {n}", pid=n),
        ))
        for kind, first in (("composite", 0), ("inverse", 200))
        for n in range(first, first + 200)
    ]
    weights = {("people", "composite"): 1, ("people", "inverse"): 1}
    found = choose(some, weights, 6000, seed=1, caps=Caps(9, 9), shares=Shares(kind=0.3, orders=0.1))
    assert set(found.beyond) == {"kind composite", "kind inverse"}
    assert 0 < sum(one.size for one in found.chosen if one.candidate.order) <= 0.1 * found.cases


def test_questions_are_given_up_to_come_nearer_to_the_bounds_and_no_more_of_them_than_may_be() -> None:
    """Of two rules one is plentiful and one is scarce: fewer of the one, all of the other."""
    some = [
        Block((candidate("composite", "people", n, n + 5000, both_ways=True)._replace(strand=strand, pid=n),))
        for strand, first, last in (("plenty", 0, 400), ("scarce", 400, 440))
        for n in range(first, last)
    ]
    weights = {("people", "composite"): 1}
    whole, less = (
        choose(some, weights, 2000, seed=1, caps=Caps(9, 9), shares=Shares(rule=0.3, given_up=given_up))
        for given_up in (0.0, 0.35)
    )
    assert 0.65 * whole.cases <= less.cases < 0.75 * whole.cases
    assert less.beyond["rule plenty"] < whole.beyond["rule plenty"]
    assert sum(one.candidate.strand == "scarce" for one in less.chosen) == 40


def test_the_search_for_how_many_questions_a_small_suite_gives_up_ends() -> None:
    some = [Block((candidate("composite", "people", n, n + 50, both_ways=True),)) for n in range(9)]
    weights = {("people", "composite"): 1}
    found = choose(some, weights, 20, seed=1, caps=Caps(9, 9), shares=Shares(rule=0.3, given_up=0.35))
    assert found.cases == 6, "one group, which a smaller target would have no room for"


def test_the_unknown_are_asked_about_as_often_as_the_known() -> None:
    some = [
        Block((
            candidate("inverse", "people", n, n + 5000, both_ways=True)._replace(
                difficulty=Difficulty(FameLevel.LEAST if n < 20 else FameLevel.BEST)
            ),
        ))
        for n in range(500)
    ]
    found = choose(some, {("people", "inverse"): 1}, 240, seed=1, caps=Caps(9, 9))
    assert Counter(one.candidate.stratum for one in found.chosen) == {FameLevel.LEAST: 20, FameLevel.BEST: 20}


def test_a_cell_without_weight_gets_nothing() -> None:
    one = Block((candidate("inverse", "people", 1, 2, both_ways=True),))
    assert choose([one], {("people", "inverse"): 0}, 10, seed=1, caps=Caps(9, 9)).chosen == []


def test_a_shortfall_is_told_by_wording_and_answer() -> None:
    found = choose([], {("people", "inverse"): 1}, 600, seed=1, caps=Caps(9, 9))
    assert found.shortfall["people", "inverse"] == (200, 200, 100, 100)


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_ids_tell_different_parts_apart_and_are_stable(one: list[str], other: list[str]) -> None:
    assert (content_id(*one) == content_id(*other)) == (one == other)
    assert len(content_id(*one)) == 16


def test_a_case_id_is_what_it_was() -> None:
    assert content_id("Was Charles Dickens born in Portsmouth?", "yes", "00ff", "original") == "ba1ab5d115af8982"


def test_opposed_wordings_turn_the_proof_round_and_nothing_else() -> None:
    candidate = Candidate("relation", "people", "inverse", "a", (1,), 19, 1, 2, (1, 2), True,
                          Wordings("q?", "s.", "n.", PARAPHRASES), None)  # fmt: skip
    made = cases_of(candidate, 1, Evidence({"truth": True}, [], PROGRAM))
    assert [(case.mutation, case.gold) for case in made] == [
        ("original", "yes"), ("negated", "no"), ("paraphrase_negated", "no"),
    ]  # fmt: skip
    assert made[0].proof == PROGRAM
    assert "turned(yes, no)." in made[1].proof == made[2].proof
