"""The real stanza pipeline over a directory of tiny models, trained here on generated text."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.extraction.base import UnreadPassage
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza
from tests.oracles.extraction import tiny_stanza


def test_the_real_pipeline_over_trained_models_gives_triples_and_names_itself(tmp_path: Path) -> None:
    extract = Stanza(str(tiny_stanza.trained(tmp_path)))
    # none of these sentences stands in the training data: the pairs of names are new
    found = extract([
        ["Clara Falk was born in Zadar.", "Zadar is the capital of Salem."],
        [],
        ["Erik Brook was not born in Torun.", "Georg Eskar directed Garnet."],
    ])
    assert found == [
        [PhraseTriple("Clara Falk", "was born in", "Zadar"), PhraseTriple("Zadar", "is capital of", "Salem")],
        [],
        [PhraseTriple("Erik Brook", "was not born in", "Torun"), PhraseTriple("Georg Eskar", "directed", "Garnet")],
    ]
    assert "sha256" in extract.provenance()["tool"] and "reads 1 triples" in extract.check()


class _Fails:
    """In place of a pipeline: it fails at some texts, and finds nothing in others."""

    def __init__(self, at: str) -> None:
        self._at = at

    def bulk_process(self, texts: list[str]) -> list[SimpleNamespace]:
        if any(self._at in text for text in texts):
            raise RuntimeError("the expanded size of the tensor (9) must match")
        return [SimpleNamespace(sentences=[]) for _ in texts]


def _failing(at: str) -> Stanza:
    extract = Stanza()
    extract.pipeline = _Fails(at)
    return extract


def test_a_passage_at_which_the_pipeline_fails_is_unread_and_the_others_are_read() -> None:
    reason = "RuntimeError: the expanded size of the tensor (9) must match"
    assert _failing("odd")([["A plain text."], ["An odd text."], []]) == [[], UnreadPassage(reason), []]


def test_a_pipeline_that_fails_at_the_known_sentence_ends_the_run() -> None:
    with pytest.raises(UserError, match="stanza does not read “Charles Dickens"):
        _failing("")([["A plain text."]])


def test_missing_models_are_named_with_the_way_to_fetch_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"stanza\.download"):
        Stanza(str(tmp_path))([["Paris is in France."]])


def test_the_published_english_models_read_a_sentence_they_were_not_made_for() -> None:
    try:
        found = Stanza()([["Charles Dickens was born in Portsmouth.", "He wrote Bleak House."]])
    except UserError:
        pytest.skip("stanza's published English models are not on this machine")
    assert PhraseTriple("Charles Dickens", "was born in", "Portsmouth") in found[0]
    assert PhraseTriple("Charles Dickens", "wrote", "Bleak House") in found[0]
