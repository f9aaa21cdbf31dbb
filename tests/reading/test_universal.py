"""The reader over Universal Dependencies: trees written by hand after UD's guidelines, as no parser gave them."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.universal import clearnlp
from halluvault_tasks.wikidata.days import civil
from tests.reading.material import read, shown

GOLD = (Path(__file__).parent / "data" / "universal.conllu").read_text(encoding="utf-8")


class Gold:
    """The one tree of a sentence, on whose words the text that is parsed must consist."""

    name, identity = "stanza", "written by hand"

    def __init__(self, rows: list[list[str]]) -> None:
        self._rows = rows

    def parse(self, sentences: list[str]) -> list[Parse]:
        return [clearnlp(tuple(self._tokens(one))) for one in sentences]

    def _tokens(self, text: str):
        place = 0
        for index, (_, form, lemma, upos, xpos, _, head, relation, *_) in enumerate(self._rows):
            place = text.index(form, place)
            yield Token(
                form, lemma, upos, xpos, relation, int(head) - 1 if head != "0" else index, place, place + len(form)
            )
            place += len(form)
        assert not text[place:].strip()


def _sentences():
    for block in GOLD.strip().split("\n\n"):
        text, claims, *rows = block.split("\n")
        yield pytest.param(
            text.removeprefix("# text = "),
            {one.strip() for one in claims.removeprefix("# claims = ").split(" ; ")},
            [row.split("\t") for row in rows],
            id=re.sub(r"\[(.*?)\|.*?\]", r"\1", text.removeprefix("# text = ")),
        )


TERMS = {"start": "since", "end": "until", "point": "in"}


def _stated(text: str, parser) -> set[str]:
    """Unguarded claims, and the years of their terms."""
    claims = [one for one in read(text, parser=parser) if not one.guards]
    return {
        f"{shown(one)} {TERMS[one.which]} {civil(one.days.earliest).year}" if one.which else shown(one)
        for one in claims
    }


@pytest.mark.parametrize(("text", "claims", "rows"), _sentences())
def test_a_tree_of_universal_dependencies_is_read_as_what_it_states(text, claims, rows):
    assert _stated(text, Gold(rows)) == claims


def test_spacy_parses_of_the_same_sentences_state_the_same():
    differ = [text for text, claims, _ in (one.values for one in _sentences()) if _stated(text, None) != claims]
    assert differ == []


RELATIONS = (
    "nsubj nsubj:pass obj obl obl:agent nmod nmod:poss conj cc acl acl:relcl advcl cop case mark fixed flat appos "
    "xcomp ccomp expl root dep x"
)

WORDS = ["a", "by", "such", "as", "there", "not", "from", "it"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_tree_however_wrong_becomes_one_without_circles_over_the_same_words(data):
    size = data.draw(st.integers(1, 9))
    words = tuple(
        Token(
            text, text, data.draw(st.sampled_from(["NOUN", "VERB", "PROPN", "ADP", "AUX", "NUM", "X"])),
            data.draw(st.sampled_from(["NN", "VBN", "VBG", "IN", "WP", "CD", ""])),
            data.draw(st.sampled_from(RELATIONS.split())), data.draw(st.integers(-2, size + 1)), 2 * at, 2 * at + 1,
        )
        for at in range(size) for text in [data.draw(st.sampled_from(WORDS))]
    )  # fmt: skip
    made = clearnlp(words)
    assert [(one.text, one.start, one.end) for one in made] == [(one.text, one.start, one.end) for one in words]
    for index in range(size):
        above = index
        for _ in range(size):
            above = made[above].head
        assert made[above].head == above
