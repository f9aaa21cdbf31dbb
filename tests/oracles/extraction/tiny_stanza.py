"""stanza's own English models in small: a directory of tokenizer, splitter, tagger and parser, trained in seconds."""

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

FIRST = ["Smith", "Anna", "Boris", "Clara", "Charles", "David", "Erik", "Fatima", "Georg", "Hanna"]
LAST = ["Alder", "Brook", "Chester", "Dickens", "Dunmore", "Eskar", "Falk"]
PLACES = ["Berlin", "Lutetia", "London", "Portsmouth", "Vindobona", "Norwick", "Salem", "Torun", "Ystad", "Zadar"]
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
SPLIT = """\
1	Anna	Anna	PROPN	NNP	_	4	nsubj	_	_
2-3	didn't	_	_	_	_	_	_	_	_
2	did	do	AUX	VBD	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	go	go	VERB	VB	_	0	root	_	_

"""
ALL = "--lang en --shorthand en_tiny --cpu --seed 7"
TOKENIZER = "--save_name tokenize.pt --steps 60 --eval_steps 60 --max_seqlen 100 --batch_size 8 --emb_dim 16"
TOKENIZER += " --hidden_dim 16 --dropout 0 --unit_dropout 0 --lr0 0.02"
SPLITTER = "--save_name mwt.pt --dict_only"
SMALL = "--hidden_dim 48 --deep_biaff_hidden_dim 32 --word_emb_dim 32 --transformed_dim 32 --tag_emb_dim 16"
PLAIN = "--no_char --no_pretrain --dropout 0 --word_dropout 0 --rec_dropout 0 --augment_nopunct 0 --num_layers 1"
SYNTAX = f"--batch_size 500 --no_second_optim {SMALL} {PLAIN}"
TAGGER = f"{SYNTAX} --save_name pos.pt --max_steps 40 --eval_interval 40 --lr 0.03 --composite_deep_biaff_hidden_dim 16"
PARSER = f"{SYNTAX} --save_name depparse.pt --max_steps 60 --eval_interval 60 --optim adam --lr 0.02"


def trained(work: Path) -> Path:
    """A directory that `stanza.Pipeline` loads English models from, as `stanza.download` leaves one.

    Args:
        work: an empty directory.
    """
    import torch
    from stanza.models import mwt_expander, parser, tagger, tokenizer

    _treebank(work / "train", 60, 5)
    _treebank(work / "dev", 20, 6)
    (work / "mwt.json").write_text("[]")
    (work / "mwt.conllu").write_text(SPLIT)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        tokenizer.main(_arguments(work, TOKENIZER, {
            "txt_file": "train.txt", "label_file": "train.labels", "dev_txt_file": "dev.txt",
            "dev_label_file": "dev.labels", "dev_conll_gold": "dev.conllu", "conll_file": "out.conllu",
            "mwt_json_file": "mwt.json",
        }))  # fmt: skip
        mwt_expander.main(
            _arguments(work, SPLITTER, dict.fromkeys(("train_file", "eval_file", "gold_file"), "mwt.conllu"))
        )
        for train, told in ((tagger, TAGGER), (parser, PARSER)):
            train.main(_arguments(work, told, {"train_file": "train.conllu", "eval_file": "dev.conllu"}))
    finally:
        torch.set_num_threads(threads)
    return _home(work)


def _home(work: Path) -> Path:
    kinds = ("tokenize", "mwt", "pos", "depparse")
    for kind in kinds:
        (work / "home" / "en" / kind).mkdir(parents=True)
        shutil.copy(work / f"{kind}.pt", work / "home" / "en" / kind / "tiny.pt")
    packages = {"default": dict.fromkeys(kinds, "tiny") | {"lemma": "identity"}}
    english = {"lang_name": "English", "packages": packages} | {kind: {"tiny": {}} for kind in kinds}
    (work / "home" / "resources.json").write_text(json.dumps({"en": english}))
    return work / "home"


def _arguments(work: Path, told: str, files: dict[str, str]) -> list[str]:
    paths = (word for name, file in files.items() for word in (f"--{name}", str(work / file)))
    return [*ALL.split(), *told.split(), *paths, "--save_dir", str(work)]


def _treebank(path: Path, sentences: int, seed: int) -> None:
    """Sentences as CoNLL-U, as text, and with a label for each character: 1 ends a word, 2 a sentence."""
    rng = random.Random(seed)
    words = {"F": FIRST, "L": LAST, "P": PLACES, "W": WORKS}
    drawn = [
        [(rng.choice(words.get(form, [form])), form, *rest) for form, *rest in tokens]
        for tokens in ([token.split(" ") for token in rng.choice(PATTERNS).split(";")] for _ in range(sentences))
    ]
    path.with_suffix(".conllu").write_text("".join(map(_conllu, drawn)))
    texts = [[word for word, *_ in tokens] for tokens in drawn]
    path.with_suffix(".txt").write_text("".join(f"{' '.join(one[:-1])}{one[-1]}\n\n" for one in texts))
    path.with_suffix(".labels").write_text("".join(f"{_labels(one)}\n\n" for one in texts))


def _conllu(tokens: Sequence[tuple[str, ...]]) -> str:
    rows = (
        "\t".join([str(place), word, "_", upos, TAGS.get(form, "NNP"), "_", head, relation, "_", "_"])
        for place, (word, form, upos, head, relation) in enumerate(tokens, 1)
    )
    return "\n".join(rows) + "\n\n"


def _labels(words: Sequence[str]) -> str:
    ends = ["0" * (len(word) - 1) + "1" for word in words[:-1]]
    return "0".join(ends) + "2"
