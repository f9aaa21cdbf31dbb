"""The reviewed phrases: what they say, that they cannot be turned round, and what is wrong with a faulty file."""

from pathlib import Path

import pytest
import yaml

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import gaps, phrasebook
from halluvault_tasks.oracles.phrasebook import Phrasebook
from halluvault_tasks.oracles.wordings import expanded
from halluvault_tasks.settings import REPOSITORY

CONFIG = REPOSITORY / "config"


@pytest.fixture(scope="module")
def book() -> Phrasebook:
    return phrasebook.load(CONFIG)


@pytest.mark.parametrize(
    ("words", "tokens", "negations"),
    [
        (" was born in the English town of ", ("be", "born", "in", "english", "town", "of"), 0),
        (" has never been within the territory of ", ("be", "in", "territory", "of"), 1),
        ("’s birthplace is ", ("'s", "birthplac", "be"), 0),
        (" did not direct ", ("direct",), 1),
        (" neither wrote nor directed ", ("writ", "direct"), 1),
        (" counts as a kind of ", ("be", "kind", "of"), 0),
        (", who died in ", ("die", "in"), 0),
    ],
)
def test_wordings_that_differ_in_tense_and_articles_come_out_alike(
    words: str, tokens: tuple[str, ...], negations: int
) -> None:
    found = gaps.read(words)
    assert (found.tokens, found.negations) == (tokens, negations)


@pytest.mark.parametrize("words", [" may have been born in ", " was reportedly born in ", " was probably born in "])
def test_a_doubt_is_heard(words: str) -> None:
    assert gaps.read(words).hedged
    assert not gaps.read(
        words.replace("may have been", "was").replace("reportedly ", "").replace("probably ", "")
    ).hedged


def test_choices_stand_for_every_clause() -> None:
    assert list(expanded("{s} [die|pass away] [in|at] {o}")) == [
        "{s} die in {o}", "{s} die at {o}", "{s} pass away in {o}", "{s} pass away at {o}",
    ]  # fmt: skip


def test_every_property_that_is_asked_about_has_words(book: Phrasebook) -> None:
    said = {one.p for found in book.relations.values() for one in found}
    assert {pid for pid, entries in book.entries.items() if any(entry.ask for entry in entries)} <= said


def test_no_wording_means_a_property_both_ways_round_unless_it_is_symmetric(book: Phrasebook) -> None:
    symmetric = {26, 47, 190, 530, 3373}
    for key, meanings in book.relations.items():
        ways: dict[tuple[object, ...], set[bool]] = {}
        for one in meanings:
            ways.setdefault((one.p, one.before, one.after), set()).add(one.first_is_subject)
        for (p, *_), directions in ways.items():
            assert p in symmetric or p < 0 or len(directions) == 1, (key, p)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"properties": {"P19": {"says": ["{s} be born"]}}}, "properties.P19"),
        ({"properties": {"19": {"says": []}}}, "properties"),
        ({"properties": {"P19": {"verbs": []}}}, "properties.P19"),
    ],
)
def test_a_faulty_file_is_named_with_its_property(tmp_path: Path, change: dict[str, object], named: str) -> None:
    (tmp_path / "phrases.yaml").write_text(yaml.safe_dump({"properties": {}, "dates": {}} | change))
    (tmp_path / "lexicon.yaml").write_text((CONFIG / "lexicon.yaml").read_text())
    with pytest.raises(UserError, match=named.split(".")[0]):
        phrasebook.load(tmp_path)
