"""Prolog's conclusions against brute force on random small worlds, cycles and loops included."""

import subprocess
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reasoning_worlds import PROLOG_DIR

Edges = dict[tuple[int, int], int]
Row = tuple[int, int, tuple[int, ...], int | None]
"""Subject, object, evidence, and what else the row notes: an item, a reason's code or a finding's number."""

edges = st.frozensets(st.tuples(st.integers(1, 7), st.integers(1, 7)), max_size=16)
RANDOM = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def derive(relations: dict[str, Edges], bodies: list[str], more: str = "") -> dict[int, list[Row]]:
    """Rule number (1… in the order of the bodies) → rows."""
    facts = "".join(f":- dynamic({name}/3).\n" for name in relations)
    for name, pairs in relations.items():
        facts += "".join(f"{name}({s},{o},{sid}).\n" for (s, o), sid in sorted(pairs.items()))
    rules = "".join(f"rule({at}, 9, {body}).\n" for at, body in enumerate(bodies, 1))
    with TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "facts.pl").write_text(facts + more)
        (directory / "rules.pl").write_text(rules)
        goal = "load_facts('facts.pl'), load_facts('rules.pl'), derive('rows', 'groups', 'manifest')"
        subprocess.run(
            ["swipl", "-g", goal, "-t", "halt", str(PROLOG_DIR / "derivation.pl")],
            cwd=directory,
            check=True,
            timeout=60,
            capture_output=True,
        )
        manifest = (directory / "manifest").read_text().splitlines()
        found: dict[int, list[Row]] = defaultdict(list)
        for line in (directory / "rows").read_text().splitlines():
            rule, relation, s, o, evidence, via, reason, finding = line.split("\t")
            assert relation == "9"
            sids = tuple(map(int, filter(None, evidence.strip("{}").split(","))))
            note = via or finding or reason
            found[int(rule)].append((int(s), int(o), sids, int(note) if note else None))
        written = {
            int(rule): int(count)
            for what, rule, *rest in (m.split() for m in manifest)
            if what == "rows"
            for count in rest[:1]
        }
        assert {rule: count for rule, count in written.items() if count} == {r: len(rows) for r, rows in found.items()}
        assert manifest[-1] == f"end {sum(map(len, found.values()))}"
    return found


def numbered(pairs: frozenset[tuple[int, int]], start: int = 1) -> Edges:
    return {pair: sid for sid, pair in enumerate(sorted(pairs), start)}


def distances(pairs: Edges, start: int) -> dict[int, int]:
    steps, frontier, found = 0, {start}, {start: 0}
    while frontier:
        steps += 1
        frontier = {o for s, o in pairs if s in frontier and o not in found}
        found |= dict.fromkeys(frontier, steps)
    return found


@RANDOM
@given(edges)
def test_the_closure_is_whole_with_least_evidence_and_cycles_end(pairs: frozenset[tuple[int, int]]) -> None:
    relation = numbered(pairs)
    rows = derive({"p1": relation}, ["transitive(p1, inf)"])[1]
    expected = []
    for s in sorted({s for s, _ in relation}):
        away = distances(relation, s)
        for o, steps in away.items():
            if steps >= 2:
                before = min(b for b in away if away[b] == steps - 1 and (b, o) in relation)
                expected.append((s, o, (relation[before, o],), before))
    assert sorted(rows) == sorted(expected)


@RANDOM
@given(edges, edges, edges)
def test_from_both_ends_meets_where_nesting_is_licensed_with_least_evidence(
    lies: frozenset[tuple[int, int]], has: frozenset[tuple[int, int]], nested: frozenset[tuple[int, int]]
) -> None:
    first, second = numbered(lies), numbered(has, 100)
    licensed = ":- dynamic(nested/3).\n" + "".join(f"nested(1,{unit},{upper}).\n" for unit, upper in sorted(nested))
    rows = derive({"p1": first, "p2": second}, ["from_both_ends(p1, p2, 1)"], licensed)[1]
    ways: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for (s, middle), one in first.items():
        for (o, unit), other in second.items():
            if unit == middle and (unit, o) in nested and o != s and (s, o) not in first:
                ways[s, o].append((one, other))
    assert sorted(rows) == sorted((s, o, min(several), None) for (s, o), several in ways.items())


@RANDOM
@given(edges)
def test_symmetric_gives_the_missing_direction_and_inverse_every_one(pairs: frozenset[tuple[int, int]]) -> None:
    relation = numbered(pairs)
    found = derive({"p1": relation}, ["symmetric(p1)", "inverse(p1)"])
    assert sorted(found[1]) == sorted(
        (o, s, (e,), None) for (s, o), e in relation.items() if s != o and (o, s) not in relation
    )
    assert sorted(found[2]) == sorted((o, s, (e,), None) for (s, o), e in relation.items())


@RANDOM
@given(edges, edges, edges)
def test_chains_conclude_once_with_their_least_witnesses(
    first: frozenset[tuple[int, int]], second: frozenset[tuple[int, int]], third: frozenset[tuple[int, int]]
) -> None:
    a, b, c = numbered(first), numbered(second, 100), numbered(third, 200)
    found = derive({"p1": a, "p2": b, "p3": c}, ["chain([p1, p2])", "chain([p1, p2, p3])", "then_up(p1, p2)"])
    two: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    three: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for (s, m), e1 in a.items():
        for (n, o), e2 in b.items():
            if m == n:
                two[s, o].append((e1, e2))
                for (k, end), e3 in c.items():
                    if k == o:
                        three[s, end].append((e1, e2, e3))
    assert sorted(found[1]) == sorted((*so, min(ways), None) for so, ways in two.items() if so[0] != so[1])
    assert sorted(found[2]) == sorted((*so, min(ways), None) for so, ways in three.items() if so[0] != so[1])
    up = set()
    for s in {s for s, _ in a}:
        starts = {o for x, o in a if x == s}
        other = {pair: sid for pair, sid in b.items() if s not in pair or pair[0] in starts}  # no way through s itself
        up |= {(s, o) for start in starts for o in distances(other, start) if o not in starts and o != s}
    assert {(s, o) for s, o, *_ in found[3]} == up
    assert len(found[3]) == len(up)
    by_sid = {sid: pair for pair, sid in (a | {}).items()} | {sid: pair for pair, sid in b.items()}
    for s, o, (e1, e2), via in found[3]:
        assert by_sid[e1][0] == s
        assert by_sid[e2] == (via, o)
        assert o in distances(b, by_sid[e1][1])


def meets(members: list[int], one: int, other: int, cap: int) -> bool:
    """Whether a group pairs two of its members: all of a small group, the near ones in the circle of a large one."""
    apart = abs(members.index(one) - members.index(other))
    return len(members) <= cap + 1 or min(apart, len(members) - apart) <= cap // 2


@RANDOM
@given(edges, st.integers(2, 6))
def test_shared_objects_give_every_pair_or_an_even_part_of_a_large_group(
    pairs: frozenset[tuple[int, int]], cap: int
) -> None:
    relation = numbered(pairs)
    groups: dict[int, list[int]] = defaultdict(list)
    for s, o in sorted(relation):
        groups[o].append(s)
    rows = derive({"p1": relation}, [f"share(p1, {cap})"])[1]
    assert len({(s, o) for s, o, *_ in rows}) == len(rows)
    least: dict[tuple[int, int], int] = {}
    for shared, members in sorted(groups.items()):
        for pair in combinations(members, 2):
            if meets(members, *pair, cap):
                least.setdefault(pair, shared)
    for s, o, evidence, _ in rows:
        assert s < o
        assert (relation[s, least[s, o]], relation[o, least[s, o]]) == evidence
    assert {(s, o) for s, o, *_ in rows} == set(least)


def test_in_a_hub_every_member_meets_the_same_number_of_others() -> None:
    hub = numbered(frozenset((s, 99) for s in range(1, 1001)))
    rows = derive({"p1": hub}, ["share(p1, 16)"])[1]
    met = Counter(end for s, o, *_ in rows for end in (s, o))
    assert set(met.values()) == {16}
    assert len(met) == 1000


@RANDOM
@given(
    edges,
    st.frozensets(st.integers(1, 7)),
    st.frozensets(st.tuples(st.integers(1, 7), st.integers(1, 7))),
    st.frozensets(st.integers(0, 9)),
)
def test_converses_need_names_and_never_meet_what_was_ever_seen_or_is_young(
    pairs: frozenset[tuple[int, int]],
    named: frozenset[int],
    seen: frozenset[tuple[int, int]],
    places: frozenset[int],
) -> None:
    relation = numbered(pairs)
    young = {sid for at, sid in enumerate(sorted(relation.values())) if at in places}
    more = "".join(f"named({one}).\n" for one in sorted(named))
    more += "".join(f"seen(1,{s},{o}).\n" for s, o in sorted(seen))
    more += "".join(f"young(1,{sid}).\n" for sid in sorted(young))
    found = derive({"p1": relation}, ["converse(p1, 1, 4)"], more)
    assert sorted(found[1]) == sorted(
        (o, s, (e,), 4)
        for (s, o), e in relation.items()
        if s != o and e not in young and {s, o} <= named and (o, s) not in seen and s not in distances(relation, o)
    )


def test_wrong_values_are_dealt_evenly_and_never_where_they_were_seen() -> None:
    relation = numbered(frozenset((s, 90) for s in range(1, 30)))  # v1 holds named subjects of one value alone
    more = "seen(1,5,91).\nalternatives(1, 90, v(91, 92, 93, 94, 95), r(1, 1, 2, 3, 3)).\n"
    rows = derive({"v1": relation}, ["wrong_value(v1, 1, 2)"], more)[1]
    assert {s for s, *_ in rows} == set(range(1, 30))
    assert (5, 91) not in {(s, o) for s, o, *_ in rows}
    uses = Counter(o for _, o, *_ in rows)
    assert max(uses.values()) - min(uses.values()) <= 2
    assert max(Counter(s for s, *_ in rows).values()) == 2
    assert {reason for _, o, _, reason in rows if o == 93} == {2}


@RANDOM
@given(
    st.frozensets(st.tuples(st.integers(1, 12), st.integers(20, 23)), min_size=8, max_size=40), st.sampled_from([2, 4])
)
def test_a_pair_that_any_group_makes_comes_once_even_if_a_capped_group_shares_it_first(
    pairs: frozenset[tuple[int, int]], cap: int
) -> None:
    groups: dict[int, list[int]] = defaultdict(list)
    for s, o in sorted(pairs):
        groups[o].append(s)
    expected: set[tuple[int, int]] = set()
    for members in groups.values():
        count = len(members)
        expected |= {
            (members[i], members[j])
            for i, j in combinations(range(count), 2)
            if count <= cap + 1 or min(j - i, count - (j - i)) <= cap // 2
        }
    rows = derive({"p1": numbered(pairs)}, [f"share(p1, {cap})"])[1]
    assert Counter((s, o) for s, o, *_ in rows) == Counter(expected)


def test_a_row_keeps_as_many_statements_as_its_rule_rests_on() -> None:
    line = {(n, n + 1): 100 + n for n in range(1, 6)}
    rows = derive({"p1": line}, [f"chain([{', '.join(['p1'] * 5)}])"])[1]
    assert rows == [(1, 6, (101, 102, 103, 104, 105), None)]
