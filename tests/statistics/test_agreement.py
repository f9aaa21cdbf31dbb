"""Krippendorff's α by his own examples."""

import pytest

from halluvault_tasks.statistics import agreement


def test_alpha_is_krippendorffs_and_undefined_where_nothing_can_differ() -> None:
    # Krippendorff (2011), the nominal example of two observers and ten units: α = 0.095.
    first, second = "0100000010", "1110010000"
    units = {number: list(pair) for number, pair in enumerate(zip(first, second, strict=True))}
    assert agreement.nominal(units).alpha == pytest.approx(0.095, abs=5e-4)
    alone = agreement.nominal({1: ["a"], 2: ["b"]})
    assert "one annotator" in alone.why
    assert (alone.units, alone.labels) == (0, 0)
    assert "all labels are the same" in agreement.nominal({1: ["a", "a"]}).why


def test_alpha_is_that_of_four_observers_with_gaps() -> None:
    # Krippendorff (2011), the nominal example C: twelve units, of which one has a single label; α = 0.743.
    said = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    units = {unit: [row[unit] for row in said if row[unit] != "."] for unit in range(12)}
    found = agreement.nominal(units)
    assert found.alpha == pytest.approx(0.743, abs=5e-4)
    assert (found.units, found.labels) == (11, 40)


def test_kappa_is_agreement_beyond_chance_and_undefined_where_all_labels_are_the_same() -> None:
    # Of 50 both say yes to 20 and no to 15, one alone to 5 and to 10: agreed 0.7, by chance ½·0.6 + ½·0.4 = 0.5.
    pairs = [("yes", "yes")] * 20 + [("no", "no")] * 15 + [("yes", "no")] * 5 + [("no", "yes")] * 10
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    assert agreement.cohen(left, right) == pytest.approx(0.4)
    assert agreement.cohen(["yes", "yes"], ["yes", "yes"]) is None
