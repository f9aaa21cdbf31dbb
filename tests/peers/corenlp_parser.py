"""Universal Dependencies of a real Stanford CoreNLP server as the reader's parser, in place of stanza's models."""

import json
from collections.abc import Iterator, Sequence
from urllib.parse import quote
from urllib.request import Request, urlopen

from halluvault_tasks.reading.parser import KeepingParser, Parse, Token
from halluvault_tasks.reading.universal import clearnlp

_ASKED = {
    "annotators": "tokenize,ssplit,pos,lemma,depparse", "outputFormat": "json", "ssplit.eolonly": "true",
}  # fmt: skip
_MOST = 50

_POS = {
    "CC": "CCONJ", "CD": "NUM", "DT": "DET", "EX": "PRON", "IN": "ADP", "MD": "AUX", "PDT": "DET", "POS": "PART",
    "PRP": "PRON", "PRP$": "PRON", "RP": "ADP", "TO": "PART", "UH": "INTJ", "WDT": "PRON", "WP": "PRON", "WP$": "PRON",
    "WRB": "ADV", "FW": "X", "AFX": "X", "LS": "X", "ADD": "X", "GW": "X", "SYM": "SYM", "$": "SYM",
}  # fmt: skip
_OPEN = {"NNP": "PROPN", "NN": "NOUN", "VB": "VERB", "JJ": "ADJ", "RB": "ADV"}


class CoreNlpParser(KeepingParser):
    """Parses one line as one sentence."""

    name = "stanza"

    def __init__(self, url: str) -> None:
        super().__init__()
        self.identity = "Stanford CoreNLP, depparse"
        self._url = f"{url}/?properties={quote(json.dumps(_ASKED))}"

    def _parsed(self, sentences: Sequence[str]) -> Iterator[Parse]:
        lines = [" ".join(one.splitlines()) if one.strip() else "" for one in sentences]
        for start in range(0, len(lines), _MOST):
            yield from self._asked(lines[start : start + _MOST])

    def _asked(self, lines: Sequence[str]) -> Iterator[Parse]:
        request = Request(self._url, data="\n".join(lines).encode(), method="POST")
        with urlopen(request, timeout=300) as reply:
            found = json.load(reply)["sentences"]
        place = 0
        for line in lines:
            # Offsets count UTF-16 units of the whole text
            width = len(line.encode("utf-16-le")) // 2
            inside = [one for one in found if place <= one["tokens"][0]["characterOffsetBegin"] < place + width]
            yield clearnlp(tuple(_tokens(inside, line, place)))
            place += width + 1


def _tokens(sentences: Sequence[dict], line: str, place: int) -> Iterator[Token]:
    units = [index for index, character in enumerate(line) for _ in range(1 + (character > "\uffff"))] + [len(line)]
    before = 0
    for sentence in sentences:
        above = {one["dependent"]: one for one in sentence["basicDependencies"]}
        for token in sentence["tokens"]:
            tie = above[token["index"]]
            head = tie["governor"] or token["index"]
            start, end = (units[token[f"characterOffset{side}"] - place] for side in ("Begin", "End"))
            tag, dep = token["pos"], tie["dep"]
            yield Token(line[start:end], token["lemma"], _pos(tag, dep), tag, dep, before + head - 1, start, end)
        before += len(sentence["tokens"])


def _pos(tag: str, dep: str) -> str:
    if tag[:2] == "VB":
        return "AUX" if dep.partition(":")[0] in ("aux", "cop") else "VERB"
    if tag == "DT" and dep.partition(":")[0] != "det":
        return "PRON"
    if tag == "IN" and dep == "mark":
        return "SCONJ"
    return _POS.get(tag) or next((pos for start, pos in _OPEN.items() if tag.startswith(start)), "PUNCT")
