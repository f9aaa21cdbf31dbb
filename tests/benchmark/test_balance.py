import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence, TemporalFactId, cases_of
from halluvault_tasks.benchmark.cases.difficulty import Difficulty, FameLevel
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings, gold_of
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection import grid, stood
from halluvault_tasks.benchmark.selection.balance import Block, Cell, Design, Selection, choose
from halluvault_tasks.benchmark.selection.bounds import ShareBound
from halluvault_tasks.benchmark.selection.caps import Caps
from halluvault_tasks.benchmark.selection.features import FEATURES, FactGroup, family, readers
from halluvault_tasks.benchmark.selection.grid import CellCount, CellPool, CellSupply
from halluvault_tasks.reasoning.grounds import LicenceKind

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
        source=TemporalFactId("none is looked at"),
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
MANY = Caps(99, 99, 99)


def design(target: int, *bounds: ShareBound, **other: Any) -> Design:
    return Design(**{"weights": WEIGHTS, "target": target, "caps": MANY, "seed": 1, "bounds": bounds, **other})


def counted(found: Selection, feature: str) -> Counter[str]:
    """Value → cases."""
    return Counter(
        FEATURES[feature](one.candidate, member) for one in found.chosen for member in one.candidate.members(one.turn)
    )


BOUNDS = st.lists(
    st.one_of(
        st.builds(ShareBound, st.sampled_from(("kind", "domain", "cell")), st.just(()),
                  st.sampled_from((0.0, 0.1, 0.3)), st.sampled_from((0.3, 0.5, 1.0))),
        st.builds(ShareBound, st.just("shape"), st.just(()), at_most=st.sampled_from((0.2, 0.5))),
    ),
    max_size=4,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(
    blocks(), st.integers(0, 90), st.integers(0, 5), st.builds(Caps, *(st.integers(1, 4),) * 3), BOUNDS,
    st.integers(0, 40),
    st.frozensets(st.sampled_from([f"{s}-{o}?" for s in range(1, 13) for o in range(1, 13)]), max_size=40),
)  # fmt: skip
def test_the_laws_of_choice(
    some: list[Block], target: int, seed: int, caps: Caps, bounds: list[ShareBound], least: int, asked: frozenset[str]
) -> None:
    wanted = design(target, *bounds, seed=seed, caps=caps, least=least)
    found = choose(some, wanted, asked=asked)
    assert found.cases <= target
    questions = [member.question for one in found.chosen for member in one.candidate.members(one.turn)]
    assert len({*questions, *asked}) == len(questions) + len(asked), "no question text stands twice"
    chosen = [one.candidate for one in found.chosen]
    assert len({frozenset((one.subject, one.object)) for one in chosen}) == len(chosen)
    assert max(Counter(one.subject for one in chosen).values(), default=0) <= caps.subject
    assert max(Counter((one.subject, one.about) for one in chosen).values(), default=0) <= caps.fact
    others = Counter(entity for one in chosen for entity in set(one.entities) - {one.subject})
    assert max(others.values(), default=0) <= caps.object
    told = {(one.feature, one.value) for one in found.standings if not one.held}
    for bound in bounds:
        for value, number in counted(found, bound.feature).items():
            if number > bound.at_most * found.cases:
                assert (bound.feature, value) in told, "a ceiling is of what there is, or what is beyond it is told"
                assert found.cases <= least, "and only where the suite is no larger than it must be"
    for one in found.standings:
        assert one.share == counted(found, one.feature)[one.value] / max(1, found.cases)
    both_ways = Counter(qid for one in chosen if one.balanced for qid in one.entities)
    assert max(both_ways.values(), default=0) <= 1, "who stands where in one question tells nothing about another"
    # A block is whole: what is chosen of it is all of it.
    taken: dict[int, list[Candidate]] = defaultdict(list)
    for one in found.chosen:
        taken[one.block].append(one.candidate)
    assert all(Block(tuple(whole)) in some for whole in taken.values())
    assert choose(list(reversed(some)), wanted, asked=asked) == found


def test_a_group_that_reads_like_another_is_passed_over_and_counted() -> None:
    pairs = ((1, 20), (10, 20), (3, 21))
    one, like, other = (candidate("inverse", "people", s, o, both_ways=True) for s, o in pairs)
    found = choose([Block((one,)), Block((like,)), Block((other,))], design(600))
    assert [len(found.chosen), found.repeated] == [2, 1]
    assert other in [each.candidate for each in found.chosen]
    elsewhere = choose([Block((one,)), Block((other,))], design(600), asked={"not 1-20."})
    assert [each.candidate for each in elsewhere.chosen] == [other]
    assert elsewhere.repeated == 1


@given(blocks(), st.integers(0, 5))
def test_every_wording_of_a_balanced_block_is_as_often_a_yes_as_a_no(some: list[Block], seed: int) -> None:
    found = choose(some, design(600, seed=seed))
    golds: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for one in found.chosen:
        for member in one.candidate.members(one.turn):
            wording = member.mutation.removeprefix("converse_").replace("converse", "original")
            golds[one.block, wording][gold_of(one.candidate.truth, member.opposed)] += 1
    assert all(counted["yes"] == counted["no"] for counted in golds.values())


def test_a_cell_without_foils_says_what_refused_them() -> None:
    cell = CellCount("health", "negation", 0, 18, CellSupply(900, 0, 400), {}, {}, {"P2176": "1 of 124 foils hold"})
    assert str(cell).endswith("beside the true ones (P2176: 1 of 124 foils hold)")
    assert CellCount.read(cell.as_json()) == cell


@given(blocks(), st.integers(0, 5))
def test_what_is_short_is_named_by_cell_with_what_there_was_and_never_padded(some: list[Block], seed: int) -> None:
    floor = ShareBound("cell", at_least=0.1)
    found = choose(some, design(600, floor, seed=seed))
    assert len({one.candidate.identity for one in found.chosen}) == len(found.chosen)
    pool = CellPool.of([one for block in some for one in block.candidates], {})
    cells = grid.of(found, WEIGHTS, pool)
    assert [(one.domain, one.kind) for one in cells] == sorted({(domain, family(kind)) for domain, kind in WEIGHTS})
    for one in cells:
        assert one.cases == counted(found, "cell")[f"{one.domain}/{one.kind}"]
        assert one.missing == max(0, math.ceil(0.1 * found.cases) - one.cases)
        there = {
            each.identity: each
            for block in some
            for each in block.candidates
            if (each.domain, family(each.kind)) == (one.domain, one.kind)
        }
        assert one.supply == (
            sum(each.truth for each in there.values()),
            sum(not each.truth for each in there.values()),
            len({each.subject for each in there.values()}),
        )
        assert one.cases or not one.supply.facts or one.passed_over


def many(kind: str, numbers: Iterable[int], **changed: Any) -> list[Block]:
    """Groups asked both ways round, each about two things of its own."""
    return [
        Block((candidate(kind, "people", n, n + 50_000, both_ways=True)._replace(identity=(kind, n), **changed),))
        for n in numbers
    ]


def test_kinds_with_enough_facts_are_filled_by_their_weights() -> None:
    some = [block for k, kind in enumerate(KINDS) for block in many(kind, range(k * 200, k * 200 + 200))]
    found = choose(some, design(360))
    assert Counter(one.candidate.kind for one in found.chosen) == {
        "inverse": 10, "negation.polarity": 20, "composite": 30,
    }  # fmt: skip


def test_what_is_plentiful_does_not_take_the_place_of_what_is_missing() -> None:
    """A rule and a property stay within their shares of what there is in the end."""
    some = [
        *many("composite", range(100), strand="a", pid=569),
        *many("composite", range(100, 200), strand="b", pid=569),
    ]
    some += [block for n in range(90) for block in many("composite", (200 + 2 * n, 201 + 2 * n), strand=f"{n}", pid=n)]
    bounds = (ShareBound("rule", at_most=0.1), ShareBound("property", at_most=0.15))
    found = choose(some, design(6000, *bounds))
    assert 1150 < found.cases < 1290, "180 groups of six, and of the others in proportion"
    assert 0.13 * found.cases < counted(found, "property")["P569"] <= 0.15 * found.cases
    assert max(counted(found, "rule").values()) <= 0.1 * found.cases
    assert all(one.held for one in found.standings)


def test_a_suite_is_made_no_smaller_than_its_least_and_what_is_beyond_a_ceiling_then_is_told() -> None:
    """Two kinds alone: none of them stays below 30 %, and the properties do all the same."""
    some = [
        *many("composite", range(60), pid=1), *many("inverse", range(100, 160), pid=1),
        *(block for n in range(200, 400) for block in many("composite", (n,), pid=n)),
        *(block for n in range(400, 600) for block in many("inverse", (n,), pid=n)),
    ]  # fmt: skip
    bounds = (ShareBound("kind", at_most=0.3), ShareBound("property", at_most=0.1))
    found = choose(some, design(6000, *bounds, least=600))
    assert {(one.feature, one.value) for one in found.standings if not one.held} >= {
        ("kind", "composite"), ("kind", "inverse"),
    }  # fmt: skip
    assert 588 <= found.cases <= 600
    assert counted(found, "property")["P1"] <= 0.2 * found.cases, "raised as the ceiling of kinds is, and no further"
    assert choose(some, design(6000, *bounds)).cases == 0, "without a least nothing is kept that is beyond"


def test_a_few_cases_that_lack_of_the_least_size_do_not_make_the_suite_small() -> None:
    """Groups of six make 996 of 1,000, of which a ceiling for 1,000 is too much; 2,000 are there within it."""
    some = [
        *many("composite", range(200), pid=1),
        *(block for n in range(200, 400) for block in many("inverse", (n,), pid=n)),
    ]
    found = choose(some, design(2000, ShareBound("property", at_most=0.42), least=1000))
    assert found.cases > 1900
    assert all(one.held for one in found.standings)


def test_a_suite_grows_no_further_than_the_floors_reach_that_its_least_size_has() -> None:
    """Sixty cases of a scarce kind are a tenth of 600; of health there is none at any size."""
    some = [*many("inverse", range(10)), *many("composite", range(10, 300))]
    floors = (ShareBound("kind", ("inverse",), at_least=0.1), ShareBound("domain", ("health",), at_least=0.1))
    assert 500 < choose(some, design(1500, *floors, least=300)).cases <= 600
    assert choose(some, design(1500, *floors)).cases == 1500, "without a least size what lacks is told alone"


def test_what_is_scarce_comes_first_so_that_nothing_plentiful_takes_its_names() -> None:
    """Everything is about five subjects, each in one group only, and the scarce kind gets its floor all the same."""
    plenty = many("composite", range(1, 6))
    scarce = [
        Block((one._replace(kind="inverse", identity=("inverse", one.subject)),))
        for block in plenty[:2]
        for one in block.candidates
    ]
    found = choose([*plenty, *scarce], design(60, ShareBound("kind", ("inverse",), at_least=0.2)))
    assert Counter(one.candidate.kind for one in found.chosen) == {"inverse": 2, "composite": 3}


def test_a_group_of_facts_is_bounded_by_what_they_rest_on() -> None:
    lives = FactGroup((569, 570), beside=(57,))
    resting = [candidate("composite", "people", 1, 2)._replace(rests=frozenset(on)) for on in
               ((569,), (57, 570), (57,), (22, 569), ())]  # fmt: skip
    assert [lives.has(one) for one in resting] == [True, True, False, False, False]
    some = [*many("composite", range(100), rests=frozenset({569})), *many("composite", range(100, 130))]
    found = choose(some, design(900, ShareBound("lives", at_most=0.4), features=readers({"lives": lives})))
    assert [sum(lives.has(one.candidate) is not has for one in found.chosen) for has in (True, False)] == [30, 20]


def test_one_fact_is_not_asked_in_many_copies() -> None:
    some = [Block((candidate("composite", "people", 1, n, both_ways=True),)) for n in range(20, 30)]
    one, *others = choose(some, design(600, caps=Caps(9, 9, 1))).chosen
    assert one.candidate.subject == 1 and not others


def apart(some: list[Block], known: set[tuple[object, ...]]) -> list[Block]:
    """The blocks that share no fact with those before them."""
    found = []
    for block in some:
        identities = {one.identity for one in block.candidates}
        if known.isdisjoint(identities):
            found.append(block)
            known |= identities
    return found


@settings(max_examples=40, deadline=None)
@given(blocks(), blocks(), st.data())
def test_what_stood_stays_whatever_comes_and_goes(some: list[Block], others: list[Block], data: st.DataObject) -> None:
    wanted = design(90, caps=Caps(3, 3, 3))
    known: set[tuple[object, ...]] = set()  # a fact is in one block, whatever it could be paired with
    some, others = apart(some, known), apart(others, known)
    first = choose(some, wanted)
    wordings = {
        (one.candidate.group, each.mutation) for one in first.chosen for each in one.candidate.members(one.turn)
    }
    gone = data.draw(st.sets(st.sampled_from(some))) if some else set()
    left = [block for block in some if block not in gone]
    found = choose(left + others, wanted, stood=wordings)
    groups = {one.candidate.group for one in first.chosen}
    whole = [block for block in left if groups.issuperset(one.group for one in block.candidates)]
    assert {one.group for block in whole for one in block.candidates} <= {one.candidate.group for one in found.chosen}


def test_what_stood_does_not_go_so_that_fewer_keep_a_floor() -> None:
    """Of sixty cases of a scarce kind, a tenth of the suite, six are gone: the others stay, all of them."""
    some = [*many("inverse", range(10)), *many("composite", range(10, 300))]
    wanted = design(1500, ShareBound("kind", ("inverse",), at_least=0.1), least=300)
    first = choose(some, wanted)
    wordings = {
        (one.candidate.group, each.mutation) for one in first.chosen for each in one.candidate.members(one.turn)
    }
    found = choose(some[1:], wanted, stood=wordings)
    left = {one.candidate.group for one in first.chosen} - {one.group for one in some[0].candidates}
    assert left <= {one.candidate.group for one in found.chosen}
    assert found.cases < 1.05 * first.cases, "and the suite does not grow away from its floor"


def test_what_two_rested_on_is_that_of_the_block_in_which_both_stood() -> None:
    one, two, other, new = (candidate("composite", "people", n, n + 10) for n in range(4))
    before = stood.Stood(
        blocks={one.group: 1, two.group: 1, other.group: 2},
        licences={1: LicenceKind.MEASURED, 2: LicenceKind.PROVED},
    )
    assert before.one_block(one, two) is LicenceKind.MEASURED
    assert before.one_block(one, other) is None and before.one_block(one, new) is None


def test_a_ceiling_is_a_tenth_higher_for_what_stood_and_nothing_is_added_beyond_it() -> None:
    some = [*many("composite", range(40)), *many("inverse", range(40, 100))]
    bound = ShareBound("kind", ("composite",), at_most=0.4)
    wordings = {(one.group, each.mutation) for block in some for one in block.candidates for each in one.members(0)}
    wordings |= {(one.group, each.mutation) for block in some for one in block.candidates for each in one.members(1)}
    assert counted(choose(some, design(900, bound)), "kind")["composite"] == 240
    fewer = some[:40] + some[44:]  # 40 of 96 groups: 41.7 %
    assert counted(choose(fewer, design(900, bound), stood=wordings), "kind")["composite"] == 240
    assert counted(choose(fewer, design(900, bound)), "kind")["composite"] == 222


def test_a_twentieth_is_renewed_each_month_another_one_and_none_when_it_is_pulled_again() -> None:
    *renewed, again = [
        {n for n in range(2000) if stood.renewed(("fact", n), month, seed=1, share=0.05)}
        for month in ("2050-01", "2050-02", "2050-01.2")
    ]
    assert again == renewed[0]
    assert all(70 < len(one) < 130 for one in renewed) and len(renewed[0] & renewed[1]) < 20


def test_the_unknown_are_asked_about_as_often_as_the_known() -> None:
    some = [
        *many("inverse", range(20), difficulty=Difficulty(FameLevel.LEAST)),
        *many("inverse", range(20, 500), difficulty=Difficulty(FameLevel.BEST)),
    ]
    found = choose(some, design(240))
    assert Counter(one.candidate.stratum for one in found.chosen) == {FameLevel.LEAST: 20, FameLevel.BEST: 20}


def test_a_cell_without_weight_gets_nothing() -> None:
    one = Block((candidate("inverse", "people", 1, 2, both_ways=True),))
    assert choose([one], design(10, weights={("people", "inverse"): 0})).chosen == []


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
