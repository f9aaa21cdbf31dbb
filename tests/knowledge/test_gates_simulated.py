"""A few months of `benchmarks/gates.py`: nothing is held back for chance, and what is planted is."""

from benchmarks.gates import SIZES, Size, run


def test_ordinary_months_pass_and_planted_causes_do_not() -> None:
    small = {kind: Size(40, size.largest) for kind, size in SIZES.items()}
    found = run(18, seed=5, rho=0.01, plants_each=4, sizes=small)
    assert (found.months, found.stopped, found.held) == (18, 0, 0)
    assert found.worst > 0.05, "bulk edits are among them"
    assert {name: caught for name, (caught, of) in found.caught.items() if caught < of} == {}
    assert found.leaks["a property that leaks 4.5% a month"] == (5, 5)
