"""A reply that is to be names separated by commas and nothing else: which names, or that it is no such list."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from halluvault_tasks.reading.names import folded
from halluvault_tasks.reading.parser import Parse, Parser
from halluvault_tasks.reading.text import cut
from halluvault_tasks.wikidata.names import fold

_AROUND = " \t*_`\"'“”‘’.:"
"""Markup, quotation marks and the full stop around a name."""

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
"""Penn Treebank's tags of finite verbs and modals."""

_LONGEST_NAME = 100
"""Characters; a longer stretch between commas is no name."""


class ReplyList(NamedTuple):
    """What a reply lists.

    Attributes:
        form: `list`: names alone; `other`: anything else; `empty`: nothing.
        names: of a list, in order: for each name what it is known as, or "" for one that is not known.
        mentions: whether a known name stands anywhere in the reply.
    """

    form: Literal["list", "other", "empty"]
    names: tuple[str, ...] = ()
    mentions: bool = False


def read(reply: str, known: Mapping[str, str]) -> ReplyList:
    """Read a reply.

    Args:
        reply: as it came.
        known: name as `key` folds it → what it is known as.
    """
    sentences = cut(reply).sentences
    if not sentences:
        return ReplyList("empty")
    start, end = sentences[0].span().start, sentences[-1].span().end
    said = f" {_words(reply[start:end])} "
    mentions = any(f" {_words(name)} " in said for name in known)
    one_line = len({one.block for one in sentences}) == 1 and sentences[0].kind in ("prose", "point")
    parts = [key(part) for part in reply[start:end].split(",")] if one_line else []
    if not parts or not all(0 < len(part) <= _LONGEST_NAME for part in parts):
        return ReplyList("other", mentions=mentions)
    names = tuple(known.get(part, "") for part in parts)
    # Of names that are not known, what a colon, a semicolon or a further sentence sets apart is no name by commas.
    if "" in names and (len(sentences) > 1 or any(mark in reply[start:end] for mark in ":;")):
        return ReplyList("other", mentions=mentions)
    # "The capital is Paris": the name is there, and not alone.
    alone = not any(
        not name and any(f" {_words(one)} " in f" {_words(part)} " for one in known)
        for name, part in zip(names, parts, strict=True)
    )
    return ReplyList("list", names, mentions) if alone else ReplyList("other", mentions=mentions)


def states(reply: str, parser: Parser) -> bool:
    """Whether a reply says something: a finite verb with its subject. A name has none, but for a few titles."""
    texts = [one.text for one in cut(reply).sentences]
    return any(
        token.dep in _SUBJECTS and parse[token.head].tag in _FINITE | {"VBN", "VBG"} and _finite(parse, token.head)
        for parse in parser.parse(texts)
        for token in parse
    )


def _finite(parse: Parse, verb: int) -> bool:
    return parse[verb].tag in _FINITE or any(one.head == verb and one.tag in _FINITE for one in parse)


def key(name: str) -> str:
    """A name as lists are compared by it: folded, without what stands around it."""
    return fold(name.strip(_AROUND)).strip(_AROUND)


def _words(text: str) -> str:
    return " ".join(folded(text))
