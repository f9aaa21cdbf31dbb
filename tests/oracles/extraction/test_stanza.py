"""The real stanza pipeline on a tiny tagger and parser, trained here on generated CoNLL-U."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.extraction.base import UnreadPassage
from halluvault_tasks.oracles.extraction.stanza_pipeline import Stanza
from halluvault_tasks.reading.parser import Unparsed
from halluvault_tasks.reading.stanza_parser import StanzaParser
from tests.reading.material import stated

FIRST = ["Smith", "Anna", "Boris", "Clara", "David", "Erik", "Fatima", "Georg", "Hanna"]
LAST = ["Alder", "Brook", "Chester", "Dunmore", "Eskar", "Falk"]
PLACES = ["Berlin", "Lutetia", "Vindobona", "Norwick", "Salem", "Torun", "Ystad", "Zadar"]
WORKS = ["Dawn", "Ember", "Fable", "Garnet"]
PATTERNS = [
    "F PROPN 4 nsubj:pass;L PROPN 1 flat;was AUX 4 aux:pass;born VERB 0 root;in ADP 6 case;P PROPN 4 obl;"
    ". PUNCT 4 punct",
    "F PROPN 5 nsubj:pass;L PROPN 1 flat;was AUX 5 aux:pass;not PART 5 advmod;born VERB 0 root;in ADP 7 case;"
    "P PROPN 5 obl;. PUNCT 5 punct",
    "P PROPN 4 nsubj;is AUX 4 cop;the DET 4 det;capital NOUN 0 root;of ADP 6 case;P PROPN 4 nmod;. PUNCT 4 punct",
    "F PROPN 3 nsubj;L PROPN 1 flat;directed VERB 0 root;W PROPN 3 obj;. PUNCT 3 punct",
    "F PROPN 3 nsubj:pass;was AUX 3 aux:pass;born VERB 0 root;in ADP 5 case;P PROPN 3 obl;. PUNCT 3 punct",
    "F PROPN 4 nsubj:pass;was AUX 4 aux:pass;not PART 4 advmod;born VERB 0 root;in ADP 6 case;P PROPN 4 obl;"
    ". PUNCT 4 punct",
]
TAGS = {
    "was": "VBD", "is": "VBZ", "born": "VBN", "directed": "VBD", "in": "IN", "of": "IN", "the": "DT", "not": "RB",
    "capital": "NN", ".": ".",
}  # fmt: skip
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
            "\t".join([
                str(i),
                rng.choice(words.get(form, [form])),
                "_",
                upos,
                TAGS.get(form, "NNP"),
                "_",
                head,
                relation,
                "_",
                "_",
            ])
            for i, (form, upos, head, relation) in enumerate(tokens, start=1)
        ]
        blocks.append("\n".join(rows) + "\n\n")
    path.write_text("".join(blocks))


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StanzaParser]:
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
    options = {
        "processors": "tokenize,pos,lemma,depparse",
        "tokenize_pretokenized": True,
        "lemma_use_identity": True,
        "pos_model_path": str(folder / "tagger.pt"),
        "depparse_model_path": str(folder / "parser.pt"),
    }
    yield StanzaParser(str(folder), options)
    torch.set_num_threads(threads)


def test_the_real_pipeline_with_a_trained_tagger_and_parser_gives_triples(parser: StanzaParser) -> None:
    extract = Stanza(parser)
    # none of these three sentences stands in the training data: the pairs of names are new
    found = extract([
        ["Clara Falk was born in Zadar .", "Zadar is the capital of Salem ."],
        [],
        ["Erik Brook was not born in Torun .", "Georg Eskar directed Garnet ."],
    ])
    assert found == [
        [PhraseTriple("Clara Falk", "was born in", "Zadar"), PhraseTriple("Zadar", "is capital of", "Salem")],
        [],
        [PhraseTriple("Erik Brook", "was not born in", "Torun"), PhraseTriple("Georg Eskar", "directed", "Garnet")],
    ]


def test_one_line_is_one_sentence_whose_words_know_their_places_whatever_is_parsed_beside_it(
    parser: StanzaParser,
) -> None:
    texts = ["Clara was not born in Zadar .", "", "Zadar is the capital of Salem .", "Anna was born in\nTorun ."]
    several = parser.parse(texts)
    assert [(one.text, one.tag, one.pos, one.dep, one.head) for one in several[0]] == [
        ("Clara", "NNP", "PROPN", "nsubjpass", 3), ("was", "VBD", "AUX", "auxpass", 3), ("not", "RB", "PART", "neg", 3),
        ("born", "VBN", "VERB", "root", 3), ("in", "IN", "ADP", "prep", 3), ("Zadar", "NNP", "PROPN", "pobj", 4),
        (".", ".", "PUNCT", "punct", 3),
    ]  # fmt: skip
    assert [(one.text, one.dep) for one in several[2][:4]] == [
        ("Zadar", "nsubj"), ("is", "root"), ("the", "det"), ("capital", "attr"),
    ]  # fmt: skip
    assert several[1] == () and len(several[3]) == 6
    for text, parse in zip(texts, several, strict=True):
        assert [text[one.start : one.end] for one in parse] == [one.text for one in parse]
    alone = StanzaParser(parser._directory, parser._options)
    assert [alone.parse([text])[0] for text in reversed(texts)] == several[::-1]
    assert parser.identity == alone.identity and "sha256" in parser.identity


def test_the_reader_reads_claims_over_the_real_pipeline(parser: StanzaParser) -> None:
    said = "[Clara Falk|human] was born in [Zadar|place] .\n[Erik Brook|human] was not born in [Torun|place] ."
    assert stated(said, parser=parser) == {"P19(Clara Falk, Zadar)", "not P19(Erik Brook, Torun)"}


JOINED = """\
1	She	she	PRON	PRP	_	7	nsubj	_	start_char=0|end_char=3
2-3	didn't	_	_	_	_	_	_	_	start_char=4|end_char=10
2	did	do	AUX	VBD	_	7	aux	_	start_char=4|end_char=7
3	n't	not	PART	RB	_	7	advmod	_	start_char=7|end_char=10
4-5	gonna	_	_	_	_	_	_	_	start_char=11|end_char=16
4	going	go	VERB	VBG	_	7	aux	_	_
5	to	to	PART	TO	_	7	mark	_	_
6	not	not	PART	RB	_	7	advmod	_	start_char=17|end_char=20
7	go	go	VERB	VB	_	0	root	_	start_char=21|end_char=23

"""


def test_words_that_are_written_as_one_have_their_own_places_or_those_of_the_whole() -> None:
    from stanza.utils.conll import CoNLL

    parser = StanzaParser()
    parser.pipeline = SimpleNamespace(bulk_process=lambda texts: [CoNLL.conll2doc(input_str=JOINED) for _ in texts])
    (parse,) = parser.parse(["She didn't gonna not go"])
    assert [(one.text, one.start, one.end) for one in parse] == [
        ("She", 0, 3), ("did", 4, 7), ("n't", 7, 10), ("going", 11, 16), ("to", 11, 16), ("not", 17, 20),
        ("go", 21, 23),
    ]  # fmt: skip


class _Fails:
    """In place of a pipeline: it fails at some texts, and finds nothing in others."""

    def __init__(self, at: str) -> None:
        self._at = at

    def bulk_process(self, texts: list[str]) -> list[SimpleNamespace]:
        if any(self._at in text for text in texts):
            raise RuntimeError("the expanded size of the tensor (9) must match")
        return [SimpleNamespace(sentences=[]) for _ in texts]


def _failing(at: str) -> StanzaParser:
    parser = StanzaParser()
    parser.pipeline = _Fails(at)
    return parser


def test_a_passage_at_which_the_pipeline_fails_is_unread_and_the_others_are_read() -> None:
    reason = "RuntimeError: the expanded size of the tensor (9) must match"
    assert Stanza(_failing("odd"))([["A plain text."], ["An odd text."], []]) == [[], UnreadPassage(reason), []]
    with pytest.raises(Unparsed, match="the expanded size"):
        _failing("odd").parse(["An odd text."])


def test_a_pipeline_that_fails_at_the_known_sentence_ends_the_run() -> None:
    with pytest.raises(UserError, match="stanza does not read “Charles Dickens"):
        Stanza(_failing(""))([["A plain text."]])


def test_missing_models_are_named_with_the_way_to_fetch_them(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"stanza\.download"):
        Stanza(StanzaParser(str(tmp_path)))([["Paris is in France."]])


def test_the_published_english_models_read_a_sentence_they_were_not_made_for() -> None:
    try:
        parser = StanzaParser()
        found = Stanza(parser)([["Charles Dickens was born in Portsmouth.", "He wrote Bleak House."]])
    except UserError:
        pytest.skip("stanza's published English models are not on this machine")
    assert PhraseTriple("Charles Dickens", "was born in", "Portsmouth") in found[0]
    assert PhraseTriple("Charles Dickens", "wrote", "Bleak House") in found[0]
    said = "[Charles Dickens|human], who wrote [Bleak House|book], was not born in [Paris|place]."
    assert stated(said, parser=parser) == {"P50(Bleak House, Charles Dickens)", "not P19(Charles Dickens, Paris)"}
