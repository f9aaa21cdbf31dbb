"""What the kinds of rules promise together: one list, and the same conclusion by derivation, by proof and by replay."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reasoning_worlds import PROLOG_DIR

from halluvault_tasks.errors import UserError
from halluvault_tasks.prolog.terms import term as written
from halluvault_tasks.reasoning import kinds
from halluvault_tasks.reasoning.proving.argument import ShownFact, argue, frame
from halluvault_tasks.reasoning.proving.statements import path_up
from halluvault_tasks.reasoning.proving.words import Labels
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Rule
from halluvault_tasks.wikidata.relation import Relation

P, Q = 131, 19
STATEMENTS = {"statements": {"P131": 9, "P19": 9}, "time_bound": []}
WORDLESS = Labels({}, {})


class World(NamedTuple):
    """Statements of two properties: (s, o) → statement id."""

    p: Mapping[tuple[int, int], int]
    q: Mapping[tuple[int, int], int]

    def premise(self, sid: int) -> Premise:
        for property_, pairs in ((P, self.p), (Q, self.q)):
            for (s, o), at in pairs.items():
                if at == sid:
                    return Premise(sid, "", s, property_, o, "item", None, None, None, None)
        raise AssertionError(f"no statement {sid}")


def rule(number: int, kind: str, premises: tuple[int, ...], conclusion: Relation, **support: Any) -> Rule:
    return Rule(number, f"{kind}:test", kinds.named(kind), premises, conclusion, "", STATEMENTS | support, "active", "")


RULES: Sequence[Rule] = (
    rule(1, "symmetric", (P,), Relation.of(P)),
    rule(2, "inverse", (P,), Relation.of(150)),
    rule(3, "transitive", (P,), Relation.of(P)),
    rule(4, "chain", (Q, P), Relation.chain(Q, P), chain=["P19", "P131"]),
    rule(5, "chain, climbing", (Q, P), Relation.chain(P, Q), chain=["P19", "P131*"]),
    rule(6, "share", (Q, Q), Relation.share(Q), cap=16),
    rule(8, "inverse, unnamed", (Q,), Relation.inverse(Q)),
    rule(7, "chain", (Q, P, P, P), Relation.chain(Q, P, P, P), chain=["P19", "P131", "P131", "P131"]),
)
"""One of each kind that Prolog runs on statements alone; what is licensed beforehand has tests of its own."""

places = st.integers(1, 6)
containment = st.frozensets(st.tuples(places, places), max_size=10)
births = st.frozensets(st.tuples(st.integers(5, 10), places), max_size=10)
"""Some of those born are places themselves, so that a way up may lead through its own subject."""


def swipl(directory: Path, *arguments: str) -> str:
    ran = subprocess.run(
        ["swipl", *arguments], cwd=directory, check=True, timeout=60, capture_output=True, text=True
    )  # fmt: skip
    return ran.stdout


def derived(directory: Path, world: World) -> list[DerivedFact]:
    """What derivation.pl makes of the world by all rules."""
    facts = f":- dynamic([p{P}/3, s{P}/3, p{Q}/3, s{Q}/3]).\n"
    for letter in "ps":
        for property_, statements in ((P, world.p), (Q, world.q)):
            facts += "".join(f"{letter}{property_}({s},{o},{sid}).\n" for (s, o), sid in statements.items())
    (directory / "facts.pl").write_text(facts)
    bodies = {one.rule: body.term for one in RULES if (body := one.kind.body(one))}
    (directory / "rules.pl").write_text("".join(f"rule({one.rule}, 0, {bodies[one.rule]}).\n" for one in RULES))
    goal = "load_facts('facts.pl'), load_facts('rules.pl'), derive('rows', 'groups', 'manifest')"
    swipl(directory, "-g", goal, "-t", "halt", str(PROLOG_DIR / "derivation.pl"))
    return list(map(fact_of, (directory / "rows").read_text().splitlines()))


def fact_of(line: str) -> DerivedFact:
    number, _, s, o, evidence, via, _, _ = line.split("\t")
    conclusion = next(one.conclusion for one in RULES if one.rule == int(number))
    sids = tuple(map(int, evidence.strip("{}").split(",")))
    return DerivedFact(int(number), conclusion, int(s), int(o), sids, int(via) if via else None)


def statements(world: World, facts: Sequence[DerivedFact]) -> Iterator[tuple[DerivedFact, Rule, list[Premise]]]:
    """Each fact with the statements that it rests on."""
    of = {one.rule: one for one in RULES}
    rows = {(fact.rule, fact.s, fact.o): fact for fact in facts}
    for fact in facts:
        path = path_up(fact, rows)
        sids = (world.p[path.first], *path.sids) if path.first else path.sids
        yield fact, of[fact.rule], [world.premise(sid) for sid in sids]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(containment, births)
def test_what_a_kind_derives_its_proof_shows_and_its_replay_concludes_from_the_same_statements(
    stated: frozenset[tuple[int, int]], others: frozenset[tuple[int, int]]
) -> None:
    world = World(
        {pair: sid for sid, pair in enumerate(sorted(stated), 1)},
        {pair: sid for sid, pair in enumerate(sorted(others), 101)},
    )
    with TemporaryDirectory() as name:
        directory = Path(name)
        facts = derived(directory, world)
        asks, items = [], sorted({term for one in RULES if (term := one.kind.replay(one))})
        for number, (fact, by, premises) in enumerate(statements(world, facts), 1):
            argument = argue(ShownFact(fact, tuple(premises)), {by.rule: by}, WORDLESS)
            text = frame(argument, "test").partition("main :-")[0]
            (directory / f"proof{number}.pl").write_text(f":- module(proof{number}, []).\n{text}")
            asks.append(
                f"use_module(proof{number}), ( proof{number}:answer(A{number}) -> true ; A{number} = unproven )"
            )
            items.append(f"case({number}, {written(fact.relation.predicate)}, {fact.s}, {fact.o}).")
            items += [f"says({number}, {one.p}, {one.s}, {one.o})." for one in premises]
        (directory / "items.pl").write_text("\n".join(items) + "\n")
        names = ", ".join(f"A{n}" for n in range(1, len(facts) + 1))
        swi = ", ".join([*asks, f"forall(member(A, [{names}]), (write(A), nl))"])
        (directory / "ask.pl").write_text(f"run :- {swi}.\n")
        proved = swipl(directory, "-q", "-g", "run", "-t", "halt", "ask.pl").split()
        goal = (
            f"replay:load_items('items.pl'), forall(between(1, {len(facts)}, N), "
            "(replay:answer(N, said, A), write(A), nl))"
        )
        replayed = swipl(directory, "-q", "-g", goal, "-t", "halt", str(PROLOG_DIR / "replay.pl")).split()
    assert proved == ["yes"] * len(facts)
    assert replayed == ["yes"] * len(facts), [fact for fact, said in zip(facts, replayed, strict=True) if said != "yes"]


def test_every_kind_stands_once_and_is_found_by_the_name_that_its_rules_keep() -> None:
    names = [kind.name for kind in kinds.KINDS]
    assert len(set(names)) == len(names)
    assert [kinds.named(name) for name in names] == list(kinds.KINDS)
    papers = ("symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value")
    assert (*papers, "drawn") == kinds.FAMILIES


def test_a_kind_that_nobody_knows_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UserError, match="'no such kind' is no kind of rule; there are: symmetric, inverse"):
        kinds.named("no such kind")
