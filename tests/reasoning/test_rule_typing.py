"""Which rules may run: metadata proposes, figures gate, review disposes."""

from pathlib import Path

import pytest
from reasoning_worlds import RULES_FILE, SINGLE, SYMMETRIC, TRANSITIVE

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.kinds.base import PropertyMeta, Typing
from halluvault_tasks.reasoning.rule_typing.drafting import draft, number
from halluvault_tasks.reasoning.rule_typing.reviewed import load_reviewed
from halluvault_tasks.reasoning.rule_typing.support import ByClass, Proportion, Support, wilson

REVIEWED = load_reviewed(RULES_FILE)


def meta(pid: int, inverse: int | None = None, **values: object) -> PropertyMeta:
    base = PropertyMeta(pid, f"property {pid}", "wikibase-item", inverse, frozenset(), frozenset(), (), "source")
    return base._replace(**values)  # type: ignore[arg-type]


def typed(*properties: PropertyMeta, **figures: object) -> dict[str, tuple[str, str]]:
    """Rule name → (verdict, reason) on a snapshot with statements of every property given."""
    counts = dict.fromkeys([one.pid for one in properties], 1000)
    shown: dict[str, object] = {
        "items": counts,
        "values": counts,
        "symmetric": {},
        "single": {},
        "inverse": {},
        "types": {},
    }
    support = Support(**(shown | {"shows_ranks": True, "containment": 9} | figures))  # type: ignore[arg-type]
    typing = Typing({one.pid: one for one in properties}, REVIEWED, support, {})
    rules = number(draft(typing), typing)
    assert [rule.rule for rule in rules] == list(range(1, len(rules) + 1))
    return {rule.name: (rule.verdict, rule.reason) for rule in rules}


@pytest.mark.parametrize(
    ("pid", "classes", "share", "verdict"),
    [
        (9999, [SYMMETRIC], Proportion(95, 100), "active"),
        (9999, [SYMMETRIC], Proportion(94, 100), "candidate"),
        (9999, [SYMMETRIC], Proportion(3, 19), "candidate"),
        (26, [SYMMETRIC], Proportion(94, 100), "active"),
        (190, [], Proportion(54, 100), "active"),
        (47, [], Proportion(0, 0), "active"),
    ],
)
def test_a_missing_direction_speaks_against_symmetry_only_where_nobody_has_reviewed_it(
    pid: int, classes: list[int], share: Proportion, verdict: str
) -> None:
    found = typed(meta(pid, classes=frozenset(classes)), symmetric={pid: share})
    assert found[f"symmetric:P{pid}"][0] == verdict


def test_symmetric_without_review_is_no_rule_until_it_is_measured() -> None:
    unreviewed = meta(9999, 9999)
    assert typed(unreviewed, symmetric={9999: Proportion(3, 3)})["symmetric:P9999"][0] == "candidate"
    assert typed(unreviewed, symmetric={9999: Proportion(300, 301)})["symmetric:P9999"][0] == "active"


def test_what_no_property_says_from_its_other_end_is_left_to_a_property_once_there_is_one() -> None:
    assert typed(meta(57))["inverse:P57"] == ("active", REVIEWED.inverse.unnamed[57])
    assert typed(meta(57, 9999), meta(9999, 57))["inverse:P57"] == ("refused", "P9999 is its inverse")
    assert typed(meta(57, datatype="time"))["inverse:P57"][0] == "refused"


def test_inverse_runs_only_if_declared_both_ways_or_reviewed_and_never_against_the_types() -> None:
    both = typed(meta(36, 1376), meta(1376, 36))
    assert {both["inverse:P36:P1376"][0], both["inverse:P1376:P36"][0]} == {"active"}
    one_way = typed(meta(22, 40), meta(40, 8810), meta(21))
    assert one_way["inverse:P22:P40"][0] == "active"
    assert one_way["inverse:P40:P22"][0] == "active"  # by the sex of its subject alone, as somebody has reviewed
    assert typed(meta(9998, 9999), meta(9999))["inverse:P9999:P9998"][0] == "candidate"
    assert one_way["inverse:P40:P8810"][0] == "refused"
    assert typed(meta(170, 3342), meta(3342, 170))["inverse:P170:P3342"][0] == "refused"
    types = {(36, 1376): Proportion(40, 100)}
    assert typed(meta(36, 1376), meta(1376, 36), types=types)["inverse:P36:P1376"][0] == "refused"
    dates = typed(meta(36, 1376), meta(1376, 36, datatype="time"))
    assert dates["inverse:P36:P1376"][0] == "refused"


def test_transitive_needs_class_and_review_and_refusals_win() -> None:
    classed = frozenset({TRANSITIVE})
    found = typed(meta(131, classes=classed), meta(279), meta(361, classes=classed), meta(9999, classes=classed))
    verdicts = {name: found[name][0] for name in found if name.startswith("transitive")}
    assert verdicts == {
        "transitive:P131": "active",
        "transitive:P279": "candidate",
        "transitive:P361": "refused",
        "transitive:P9999": "candidate",
    }


@pytest.mark.parametrize(
    ("pid", "share", "changes", "figures", "verdict"),
    [
        (19, Proportion(30, 30), {}, {}, "active"),
        (19, Proportion(3000, 3000), {}, {}, "active"),
        (19, Proportion(190, 200), {}, {}, "refused"),
        (19, Proportion(20, 30), {}, {}, "refused"),
        (19, Proportion(3000, 3000), {"constraints": frozenset()}, {}, "refused"),
        (19, Proportion(3000, 3000), {"separators": (585,)}, {}, "refused"),
        (403, Proportion(199, 199), {}, {}, "candidate"),
        (403, Proportion(3000, 3000), {}, {}, "active"),
        (403, Proportion(3000, 3000), {}, {"shows_ranks": False}, "candidate"),
        (19, Proportion(30, 30), {}, {"shows_ranks": False}, "active"),
        (403, Proportion(200, 205), {}, {}, "refused"),
    ],
)
def test_functional_needs_review_constraint_no_separator_and_the_figures(
    pid: int, share: Proportion, changes: dict[str, object], figures: dict[str, object], verdict: str
) -> None:
    one = meta(pid, **({"constraints": frozenset({SINGLE})} | changes))  # type: ignore[arg-type]
    assert typed(one, single={pid: share}, **figures)[f"negation.value:P{pid}"][0] == verdict


def test_a_snapshot_without_containment_says_so_in_the_rule() -> None:
    one = meta(19, constraints=frozenset({SINGLE}))
    assert "no containment" in typed(one, single={19: Proportion(9, 9)}, containment=0)["negation.value:P19"][1]


def test_every_reviewed_entry_has_its_line_of_reasoning() -> None:
    tables = (
        "time_bound",
        "symmetric",
        "transitive_refused",
        "asymmetric",
        "irreflexive",
        "share",
        "not_asked",
    )
    reasons = [reason for table in tables for reason in getattr(REVIEWED, table).values()]
    reasons += [one.reason for one in (*REVIEWED.functional.values(), *REVIEWED.composite, *REVIEWED.composite_refused)]
    inverse = REVIEWED.inverse
    reasons += [one.reason for one in (*inverse.one_way, *inverse.by_sex, *inverse.refused)]
    reasons += [one.reason for one in REVIEWED.transitive.values()]
    assert all(len(reason) > 10 for reason in reasons)
    assert not set(REVIEWED.transitive) & set(REVIEWED.transitive_refused)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("transitive: [", "line 2"),
        ("transitive: {P131: a, P131: b}", "is duplicated"),
        ("transitive: {X131: a}", "X131"),
        ("transitiv: {P131: a}", "transitiv"),
        ("composite: [{chain: [P1, 'P2*', P3], concludes: P4, reason: r}]", "repeat"),
        ("composite: [{chain: [P1, P2], concludes: nothing, reason: r}]", "nothing"),
        ("relations: {a: {id: 5, label: x}}", "relations.a.id"),
    ],
)
def test_a_faulty_list_is_refused_with_the_place_of_the_fault(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(content)
    with pytest.raises(UserError, match=says):
        load_reviewed(file)


def test_wilson_bounds_are_those_of_the_published_formula() -> None:
    # Wilson (1927) at 95 %: 10 of 10 → 0.7225, 1; 194 of 200 → 0.9361, 0.9862.
    assert wilson(10, 10) == (pytest.approx(0.7225, abs=1e-4), pytest.approx(1.0))
    assert wilson(194, 200) == (pytest.approx(0.9361, abs=1e-4), pytest.approx(0.9862, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("pid", "credited", "verdict"),
    [
        (57, Proportion(292, 292), "active"),
        (57, Proportion(3, 3), "active"),
        (57, Proportion(0, 0), "active"),
        (57, Proportion(180, 200), "refused"),
        (50, Proportion(292, 292), "active"),
        (50, Proportion(199, 199), "candidate"),
        (50, Proportion(196, 200), "candidate"),
        (50, Proportion(180, 200), "refused"),
    ],
)
def test_that_what_is_credited_to_one_has_one_is_measured_on_the_snapshot(
    pid: int, credited: Proportion, verdict: str
) -> None:
    kinds = {pid: ByClass(credited=credited)}
    assert typed(meta(pid), kinds=kinds)[f"negation.value:P{pid}"][0] == verdict
