"""Sentences with marked names, and what the reader makes of them."""

import re
from functools import cache
from pathlib import Path

from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.reading.base import Claim, ReaderInput
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.predicates import Book
from halluvault_tasks.reading.syntax.reader import SyntaxReader

CONFIG = Path(__file__).parents[2] / "config"
JAPAN, NORWAY, CANADA = 17, 20, 16
_COUNTRIES = (EntityName(JAPAN, "Japan"), EntityName(NORWAY, "Norway"), EntityName(CANADA, "Canada"))
_MARKED = re.compile(r"\[([^|\]]+)\|([\w,]+)\]")


@cache
def lexicon():
    return load_lexicon(CONFIG / "lexicon.yaml")


@cache
def file():
    return predicates.load(CONFIG / "predicates.yaml")


@cache
def book() -> Book:
    return Book(file(), lexicon(), spacy_parser())


def read(
    text: str,
    topic: str = "",
    topic_kinds: str = "human",
    focus: frozenset[int] = frozenset(),
) -> list[Claim]:
    """Claims of a text in which names are marked with their kinds: `[Tolkien|human] was born in [Bloemfontein|place]`.

    Args:
        text: with marks, which the reader does not see.
        topic: what the question is about; its first mention need not be marked.
        topic_kinds: its kinds.
        focus: relations that the question is about; it then speaks of everything that is named.
    """
    named = {topic: topic_kinds} if topic else {}
    named |= dict(_MARKED.findall(text))
    place = frozenset(["country", "place", "territory", "state"])
    entities = [one._replace(kinds=place) for one in _COUNTRIES if one.label not in named]
    for number, (name, kinds) in enumerate(named.items(), 10**6):
        qid = next((one.qid for one in _COUNTRIES if one.label == name), number)
        several = frozenset(kinds.split(",")) | (place if "country" in kinds else frozenset())
        entities.append(EntityName(qid, name, (), several, frozenset([name]) if not name else frozenset(several)))
    reader = SyntaxReader(Names(entities), book(), predicates.demonyms(file()), spacy_parser())
    asked = 10**6 if topic else 0
    plain = _MARKED.sub(r"\1", text)
    context = frozenset([asked] if topic else []) | (frozenset(one.qid for one in entities) if focus else frozenset())
    (reading,) = reader.read([ReaderInput(plain, "", topic=asked, context=context, focus=focus)])
    return list(reading.claims)


def stated(text: str, topic: str = "", topic_kinds: str = "human") -> set[str]:
    """Unguarded claims as `P19(Tolkien, Bloemfontein)`, denied ones with `not` before them; dates of terms left out."""
    return {shown(one) for one in read(text, topic, topic_kinds) if not one.which and not one.guards}


def shown(claim: Claim) -> str:
    """A claim as text; of several properties that it may mean, all, by number."""
    properties = "/".join(f"P{p}" for p in sorted({one.p for one in claim.triples}))
    return f"{'not ' if claim.negative else ''}{properties}({claim.subject}, {claim.object})"
