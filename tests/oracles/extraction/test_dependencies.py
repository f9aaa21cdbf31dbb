"""Gold CoNLL-U documents, loaded with stanza itself: `# triples` of each sentence was written by hand."""

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.oracles.extraction import dependencies

GOLD = Path(__file__).parent / "data" / "gold.conllu"


WANTED = [
    line.partition("=")[2].strip()
    for line in GOLD.read_text(encoding="utf-8").splitlines()
    if line.startswith("# triples")
]


@cache
def _sentences() -> list[tuple[list, str]]:
    """Words, and what "she" stands for, of each sentence."""
    from stanza.utils.conll import CoNLL  # brings torch, which only the worker that runs these tests needs

    found, subject = [], ""
    for sentence in CoNLL.conll2doc(str(GOLD)).sentences:
        found.append((sentence.words, subject))
        subject = dependencies.Tree(sentence.words, subject).topic() or subject
    assert len(found) == len(WANTED)
    return found


@pytest.mark.parametrize(("at", "wanted"), enumerate(WANTED))
def test_a_gold_parse_gives_exactly_the_triples_written_for_it(at: int, wanted: str) -> None:
    words, subject = _sentences()[at]
    expected = {tuple(part.strip() for part in one.split("|")) for one in wanted.split(" ; ") if one}
    assert {tuple(triple) for triple in dependencies.Tree(words, subject).triples()} == expected


def test_a_pronoun_stands_for_the_subject_of_the_sentence_before() -> None:
    passage = [words for (words, _), wanted in zip(_sentences(), WANTED, strict=True) if "Greta" in wanted]
    assert ("Greta Gerwig", "directed", "film") in dependencies.triples(passage)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_tree_however_wrong_gives_triples_of_its_own_words(data: st.DataObject) -> None:
    """A parser's tree over hostile text may be anything: cycles, missing heads, unknown relations."""
    size = data.draw(st.integers(1, 8))
    relations = ["nsubj", "obj", "obl", "conj", "acl:relcl", "cop", "case", "nmod", "root", "appos", "xcomp", "x"]
    words = [
        SimpleNamespace(
            id=i,
            text=data.draw(st.sampled_from(["a", "she", "not", "Z", "which", "1999", "of"])),
            lemma=None,
            upos=data.draw(st.sampled_from(["NOUN", "VERB", "PROPN", "PRON", None])),
            head=data.draw(st.integers(0, size + 1)),
            deprel=data.draw(st.sampled_from([*relations, None])),
        )
        for i in range(1, size + 1)
    ]
    said = {word.text for word in words}
    for triple in dependencies.triples([words]):
        assert set(triple.subject.split()) <= said
