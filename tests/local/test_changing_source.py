"""The rehearsed year's source: a pure function of the sample and a seed, each kind of change as it says."""

from collections.abc import Sequence

import pytest

from benchmarks import changing_source as source
from benchmarks.changing_source import ChangeKind, FalseFact, SourceState
from halluvault_tasks.local import rdf, sample
from halluvault_tasks.local.sample import Sample

FIRST, SEED = "2025-11", 3


@pytest.fixture(scope="module")
def whole() -> Sample:
    return sample.load(sample.CHECKED)


@pytest.fixture(scope="module")
def begun(whole: Sample) -> SourceState:
    return source.beginning(whole, FIRST, seed=SEED)


def after(state: SourceState, *kinds: ChangeKind) -> tuple[SourceState, int]:
    changed, told = source.following(state, 2, seed=SEED, as_of=source.last_day("2025-12"), kinds=kinds)
    return changed, sum(told.values())


def year(state: SourceState) -> Sequence[Sample]:
    found = [state.sample]
    for number in range(2, 13):
        day = source.last_day(source.month_of(FIRST, number))
        state, _ = source.following(state, number, seed=SEED, as_of=day)
        found.append(state.sample)
    return found


def test_the_same_seed_makes_the_same_year_and_another_another(whole: Sample, begun: SourceState) -> None:
    assert year(begun) == year(source.beginning(whole, FIRST, seed=SEED))
    assert source.beginning(whole, FIRST, seed=SEED + 1) != begun


def test_every_month_of_a_year_can_be_served(begun: SourceState) -> None:
    months = year(begun)
    assert [one.as_of.strftime("%Y-%m") for one in months] == [source.month_of(FIRST, n) for n in range(1, 13)]
    assert all(any(rdf.n_triples(one)) for one in months)
    assert len({hash(one.statements) for one in months}) == len(months)


def test_a_month_changes_few_statements_and_loses_none_but_those_it_tells(begun: SourceState) -> None:
    for kind in source.ORDINARY:
        changed, told = after(begun, kind)
        assert 0 < told < 0.01 * len(begun.sample.statements), kind.name
        gone = len(begun.sample.statements) - len(changed.sample.statements)
        assert gone == {"deleted": told, "added": -told}.get(kind.name, 0), kind.name


def test_what_is_added_is_what_the_whole_sample_says(whole: Sample, begun: SourceState) -> None:
    changed, _ = after(begun, source.ORDINARY[1])
    assert set(changed.sample.statements) - set(begun.sample.statements) <= set(whole.statements)


def test_a_twin_is_merged_into_the_item_of_its_name(begun: SourceState) -> None:
    changed, told = after(begun, source.MERGED)
    (redirect,) = set(changed.sample.redirects) - set(begun.sample.redirects)
    labels = {one.qid: one.label for one in begun.sample.entities}
    assert told == 1 and labels[redirect.old] == labels[redirect.new]
    assert len(changed.sample.statements) == len(begun.sample.statements)
    assert redirect.old not in {one.subject for one in changed.sample.statements}


def test_what_is_retyped_keeps_its_class_and_gets_one_more(begun: SourceState) -> None:
    changed, told = after(begun, source.RETYPED_CLASS)
    pairs = list(zip(begun.sample.entities, changed.sample.entities, strict=True))
    other = [(old, new) for old, new in pairs if old != new]
    assert len(other) == told == source.RETYPED
    assert all(set(old.types) < set(new.types) for old, new in other)


def test_what_a_benchmark_denied_is_stated_once(begun: SourceState) -> None:
    one = next(row for row in begun.sample.statements if isinstance(row.value, int))
    other = next(row for row in begun.sample.statements if isinstance(row.value, int) and row.value != one.value)
    assert isinstance(other.value, int)
    denied = FalseFact(one.subject, one.property, other.value)
    changed, told = after(begun._replace(refuted=(denied,)), source.REFUTED)
    (new,) = changed.sample.statements[len(begun.sample.statements) :]
    assert (told, new.subject, new.property, new.value) == (1, *denied) and changed.refuted == ()


def test_months_are_counted_over_the_turn_of_the_year() -> None:
    assert [source.month_of(FIRST, n) for n in (1, 2, 3, 0)] == ["2025-11", "2025-12", "2026-01", "2025-10"]
    assert str(source.last_day("2024-02")) == "2024-02-29"
