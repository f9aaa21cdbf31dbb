"""Letters in whatever form they come: names are linked, answers are read, and spans stand in the response as stored."""

import csv
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.local import sample
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.letters import placed
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.text import cut
from halluvault_tasks.wikidata.names import fold
from tests.reading.material import read as claims
from tests.reading.material import shown
from tests.reading.wrapping import bold, full_width


def labels() -> list[str]:
    """The names of the bundled sample that have other letters than English has."""
    with (sample.CHECKED / "entities.tsv").open(encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [name for row in rows for name in (row["label"], *row["aliases"].split("|")) if not name.isascii()]


def decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def test_the_sample_has_names_with_marks() -> None:
    assert {"Irène Joliot-Curie", "Zürich"} <= set(labels())


@pytest.mark.parametrize("form", [str, decomposed, full_width, bold, lambda name: decomposed(full_width(name))])
@pytest.mark.parametrize("label", [*labels(), "Bogotá", "Émile Zola", "Lê Đức Thọ", "N̈irvana", "Hawaiʻi"])
def test_a_name_is_linked_in_every_form_of_its_letters(label: str, form) -> None:
    said = f"No. In truth {form(label)} is meant."
    sentence = cut(said).sentences[-1]
    names = Names([EntityName(7, label)])
    (found,) = names.find(sentence.text)
    assert found.qids == (7,)
    start, end = sentence.span(*found.span)
    assert said[start:end] == form(label)


def test_claims_and_answers_do_not_depend_on_how_letters_are_composed() -> None:
    text = "No. [Irène Joliot-Curie|human] was born in [Orléans|place] and died in [Bogotá|place]."
    composed, apart = claims(text), claims(decomposed(text))
    assert [shown(one) for one in apart] == [shown(one) for one in composed] != []
    plain = decomposed(text).replace("[", "").replace("|human]", "").replace("|place]", "")
    assert {decomposed("Orléans"), decomposed("Bogotá")} <= {
        plain[slice(*one.span)].rpartition(" in ")[2] for one in apart
    }
    asked = "Was Irène Joliot-Curie born in Orléans?"
    said = ReaderInput(decomposed("Irène Joliot-Curie was born in Orléans."), asked)
    (reading,) = AnswerReader(spacy_parser()).read([said])
    assert reading.answer.kind == "yes"
    assert reading.answer.span == (0, len(said.text))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ｙｅｓ．", "Yes."), ("𝐍𝐨", "No"), ("𝗡𝗼", "No"), ("ⓨⓔⓢ", "yes"), ("１９５５", "1955"), ("donʼt", "don't"),
        ("isn´t", "isn't"), ("He`s", "He's"), ("N\u200bo", "No"), ("no\u00adw", "now"), ("a\u00a0b", "a b"),
        ("№ 5", "№ 5"), ("10²", "10²"), ("e\u0323\u0302", "ệ"), ("q\u0301", "q"), ("\u0301", ""), ("ℹ No", "  No"),
        ("Hawaiʻi", "Hawaiʻi"),
    ],
)  # fmt: skip
def test_a_letter_is_read_as_the_plain_one_and_what_means_something_else_stays(written: str, read: str) -> None:
    assert placed(written).text == read


@given(st.text(max_size=80))
def test_every_letter_keeps_its_place_and_none_is_made_up(text: str) -> None:
    found = placed(text)
    assert len(found.at) == len(found.text)
    assert list(found.at) == sorted(found.at)
    for letter, place in zip(found.text, found.at, strict=True):
        if letter.isalnum():
            width = dict(found.wide).get(place, 1)
            assert fold(letter) in fold(text[place : place + width])
