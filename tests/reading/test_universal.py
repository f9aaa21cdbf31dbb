"""The reader over Universal Dependencies: trees written by hand after UD's guidelines, as no parser gave them."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.parser import Parse, Token, spacy_parser
from halluvault_tasks.reading.universal import clearnlp
from halluvault_tasks.wikidata.days import civil
from tests.reading.material import read, shown

GOLD = Path(__file__).parent / "data" / "universal.conllu"


class Gold:
    """The one tree of a sentence, of whose words the text that is parsed must consist."""

    name, identity = "stanza", "written by hand"

    def __init__(self, block: str) -> None:
        lines = block.split("\n")
        self.told = dict(one.removeprefix("# ").split(" = ", 1) for one in lines if one.startswith("#"))
        self._rows = [one.split("\t") for one in lines if not one.startswith("#")]
        self.asked = self.told["text"]
        self.claims = {one.strip() for one in self.told.get("claims", "").split(" ; ")} - {""}

    def parse(self, sentences: list[str]) -> list[Parse]:
        (self.asked,) = sentences
        return [clearnlp(tuple(self._tokens(self.asked)))]

    def _tokens(self, text: str):
        place = 0
        for index, (_, form, lemma, upos, xpos, _, head, relation, *_) in enumerate(self._rows):
            place = text.index(form, place)
            above = int(head) - 1 if head != "0" else index
            yield Token(form, lemma, upos, xpos, relation, above, place, place + len(form))
            place += len(form)
        assert not text[place:].strip()


TREES = [Gold(one) for one in GOLD.read_text(encoding="utf-8").strip().split("\n\n")]
NAMES = [re.sub(r"\[(.*?)\|.*?\]", r"\1", tree.told["text"]) for tree in TREES]
TERMS = {"start": "since", "end": "until", "point": "in"}


def _stated(text: str, parser) -> set[str]:
    """Unguarded claims, and the years of their terms."""
    claims = [one for one in read(text, parser=parser) if not one.guards]
    return {
        f"{shown(one)} {TERMS[one.which]} {civil(one.days.earliest).year}" if one.which else shown(one)
        for one in claims
    }


@pytest.mark.parametrize("tree", TREES, ids=NAMES)
def test_a_tree_of_universal_dependencies_is_read_as_what_it_states(tree):
    assert _stated(tree.told["text"], tree) == tree.claims
    assert _stated(tree.told["text"], None) == tree.claims, "spaCy's parse of the same sentence"


@pytest.mark.parametrize("tree", TREES, ids=NAMES)
def test_a_converted_tree_is_that_of_spacys_model_but_for_what_either_is_said_to_have_otherwise(tree):
    _stated(tree.told["text"], tree)  # masks names
    (ours,), (theirs,) = tree.parse([tree.asked]), spacy_parser().parse([tree.asked])
    differ = [
        one.text
        for one, other in zip(ours, theirs, strict=True)
        if (one.dep, one.head, one.lemma.casefold()) != (other.dep, other.head, other.lemma.casefold())
        and one.pos != "PUNCT"
    ]
    assert differ == tree.told.get("otherwise", "").split()


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
