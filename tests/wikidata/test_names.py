"""Folding of names: one everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.wikidata.names import fold


def test_case_diacritics_and_spacing_do_not_tell_names_apart():
    assert {fold(name) for name in ("Łódź", "LODZ", "lódz", " Łódź  ")} == {"lodz"}
    assert fold("Søren\tKierkegaard") == fold("Soren Kierkegaard")
    assert fold("Æthelstan") == fold("AETHELSTAN")


def test_other_letters_do():
    assert fold("Paris") != fold("Pâtis")


@given(st.text())
def test_folding_twice_changes_nothing_more(text):
    assert fold(fold(text)) == fold(text)
