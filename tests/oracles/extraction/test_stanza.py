"""The real stanza pipeline on a tiny tagger and parser, trained here on generated CoNLL-U."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.extraction.base import Unread
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza

FIRST = ["Anna", "Boris", "Clara", "David", "Erik", "Fatima", "Georg", "Hanna"]
LAST = ["Alder", "Brook", "Chester", "Dunmore", "Eskar", "Falk"]
PLACES = ["Lutetia", "Vindobona", "Norwick", "Salem", "Torun", "Ystad", "Zadar"]
WORKS = ["Dawn", "Ember", "Fable", "Garnet"]
PATTERNS = [
    "F PROPN 4 nsubj:pass;L PROPN 1 flat;was AUX 4 aux:pass;born VERB 0 root;in ADP 6 case;P PROPN 4 obl;"
    ". PUNCT 4 punct",
    "F PROPN 5 nsubj:pass;L PROPN 1 flat;was AUX 5 aux:pass;not PART 5 advmod;born VERB 0 root;in ADP 7 case;"
    "P PROPN 5 obl;. PUNCT 5 punct",
    "P PROPN 4 nsubj;is AUX 4 cop;the DET 4 det;capital NOUN 0 root;of ADP 6 case;P PROPN 4 nmod;. PUNCT 4 punct",
    "F PROPN 3 nsubj;L PROPN 1 flat;directed VERB 0 root;W PROPN 3 obj;. PUNCT 3 punct",
]
SMALL = "--hidden_dim 48 --deep_biaff_hidden_dim 32 --word_emb_dim 32 --transformed_dim 32 --tag_emb_dim 16"
PLAIN = "--no_char --no_pretrain --dropout 0 --word_dropout 0 --rec_dropout 0 --augment_nopunct 0 --num_layers 1"
COMMON = f"--lang en --shorthand en_tiny --cpu --seed 7 --batch_size 500 --no_second_optim {SMALL} {PLAIN}"
TAGGER = "--save_name tagger.pt --max_steps 40 --eval_interval 40 --lr 0.03 --composite_deep_biaff_hidden_dim 16"
PARSER = "--save_name parser.pt --max_steps 60 --eval_interval 60 --optim adam --lr 0.02"


def _treebank(path: Path, sentences: int, seed: int) -> None:
    rng = random.Random(seed)
    words = {"F": FIRST, "L": LAST, "P": PLACES, "W": WORKS}
    blocks = []
    for _ in range(sentences):
        tokens = [token.split(" ") for token in rng.choice(PATTERNS).split(";")]
        rows = [
            "\t".join([str(i), rng.choice(words.get(form, [form])), "_", upos, "_", "_", head, relation, "_", "_"])
            for i, (form, upos, head, relation) in enumerate(tokens, start=1)
        ]
        blocks.append("\n".join(rows) + "\n\n")
    path.write_text("".join(blocks))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    import torch
    from stanza.models import parser, tagger

    folder = tmp_path_factory.mktemp("stanza")
    _treebank(folder / "train.conllu", 60, 5)
    _treebank(folder / "dev.conllu", 20, 6)
    common = [
        *COMMON.split(),
        *["--train_file", str(folder / "train.conllu"), "--eval_file", str(folder / "dev.conllu")],
        *["--save_dir", str(folder)],
    ]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    tagger.main([*common, *TAGGER.split()])
    parser.main([*common, *PARSER.split()])
    (folder / "resources.json").write_text(json.dumps({"en": {"lang_name": "English", "packages": {}}}))
    yield folder
    torch.set_num_threads(threads)


def test_the_real_pipeline_with_a_trained_tagger_and_parser_gives_triples(models: Path) -> None:
    extract = Stanza(
        str(models),
        {
            "processors": "tokenize,pos,lemma,depparse",
            "tokenize_pretokenized": True,
            "lemma_use_identity": True,
            "pos_model_path": str(models / "tagger.pt"),
            "depparse_model_path": str(models / "parser.pt"),
        },
    )
    # none of these three sentences stands in the training data: the pairs of names are new
    found = extract([
        ["Clara Falk was born in Zadar .", "Zadar is the capital of Salem ."],
        [],
        ["Erik Brook was not born in Torun .", "Georg Eskar directed Garnet ."],
    ])
    assert found == [
        [Triple("Clara Falk", "was born in", "Zadar"), Triple("Zadar", "is capital of", "Salem")],
        [],
        [Triple("Erik Brook", "was not born in", "Torun"), Triple("Georg Eskar", "directed", "Garnet")],
    ]


class _Failing(Stanza):
    """The walk of `Stanza` over a pipeline that fails at some texts."""

    def __init__(self, fails_at: str) -> None:
        super().__init__()
        self._fails_at = fails_at
        self._pipeline = self

    def bulk_process(self, texts: list[str]) -> list[SimpleNamespace]:
        if any(self._fails_at in text for text in texts):
            raise RuntimeError("the expanded size of the tensor (9) must match")
        return [SimpleNamespace(sentences=[]) for _ in texts]


def test_a_passage_at_which_the_pipeline_fails_is_unread_and_the_others_are_read() -> None:
    reason = "RuntimeError: the expanded size of the tensor (9) must match"
    assert _Failing("odd")([["A plain text."], ["An odd text."], []]) == [[], Unread(reason), []]


def test_a_pipeline_that_fails_at_the_known_sentence_ends_the_run() -> None:
    with pytest.raises(UserError, match="stanza does not read “Charles Dickens"):
        _Failing("")([["A plain text."]])


def test_missing_models_are_named_with_the_way_to_fetch_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"stanza\.download"):
        Stanza(str(tmp_path))([["Paris is in France."]])


def test_the_published_english_models_read_a_sentence_they_were_not_made_for() -> None:
    try:
        found = Stanza()([["Charles Dickens was born in Portsmouth.", "He wrote Bleak House."]])
    except UserError:
        pytest.skip("stanza's published English models are not on this machine")
    assert Triple("Charles Dickens", "was born in", "Portsmouth") in found[0]
    assert Triple("Charles Dickens", "wrote", "Bleak House") in found[0]
