"""A masked sentence's parse with the words that stand-ins took the place of, as the sentence was written."""

import re2

from halluvault_tasks.reading.mentions import Masked
from halluvault_tasks.reading.parser import Parse, Token

_PIECE = re2.compile(r"[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*\.?|\S")


def restored(text: str, masked: Masked, parse: Parse) -> Parse:
    """The parse of a sentence as it was written: a stand-in becomes the words of the name, joined as compounds.

    Args:
        text: the sentence.
        masked: what was parsed.
        parse: of it.
    """
    stood: dict[int, tuple[int, int]] = {}
    for mention, span in zip(masked.mentions, masked.spans, strict=True):
        said = text[mention.span.start : mention.span.end]
        if span.end > span.start and masked.text[span.start : span.end] != said:
            stood[span.start] = mention.span
    made: list[Token] = []
    place: dict[int, int] = {}
    heads: list[tuple[int, int]] = []  # new token, old head; or a piece's own head
    for index, word in enumerate(parse):
        if word.start not in stood:
            start, end = masked.original(word.start), masked.original(word.end)
            place[index] = len(made)
            heads.append((0, word.head))
            made.append(word._replace(text=text[start:end], start=start, end=end))
            continue
        first, last = stood[word.start]
        if text[first - 1 : first] == '"' and text[last : last + 1] == '"':
            first, last = first - 1, last + 1
        pieces = [(found.start() + first, found.end() + first) for found in _PIECE.finditer(text[first:last])]
        lead = max((number for number, (a, _) in enumerate(pieces) if text[a].isalnum()), default=len(pieces) - 1)
        place[index] = len(made) + lead
        for number, (start, end) in enumerate(pieces):
            said = text[start:end]
            if number == lead:
                plain = said.casefold() if said.islower() else said
                made.append(word._replace(text=said, lemma=_lemma(plain, word), start=start, end=end))
                heads.append((0, word.head))
                continue
            heads.append((1, place[index]))
            if not said[0].isalnum():
                pos, tag, dep = "PUNCT", said, "punct"
            elif said.isdecimal():
                pos, tag, dep = "NUM", "CD", "nummod"
            elif said[0].isupper() or word.pos == "PROPN":
                pos, tag, dep = "PROPN", "NNP", "compound"
            else:
                pos, tag, dep = word.pos, word.tag, "compound"
            made.append(Token(said, said, pos, tag, dep, 0, start, end))
    return tuple(
        word._replace(head=head if own else place[head]) for word, (own, head) in zip(made, heads, strict=True)
    )


def _lemma(said: str, word: Token) -> str:
    if word.pos == "PROPN" or said[:1].isupper() or said[:1].isdecimal():
        return said
    return said.removesuffix("s") if word.tag == "NNS" else said
