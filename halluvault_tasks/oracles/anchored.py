"""The extractor `anchored`: knowledge points to triples, anchored at entities, names, dates and numbers.

The relation of two mentions is the words between them. A further mention of the sentence hangs on the first one,
or, after "which" or "who", on the one before. No model is needed and nothing is guessed: a sentence that names
fewer than two things gives a triple only if it says what the one thing is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.english import POLAR
from halluvault_tasks.reading.lists import stop_words
from halluvault_tasks.reading.mentions import Finder, Mention, apart
from halluvault_tasks.reading.names import run, words
from halluvault_tasks.reading.text import Sentence, Text, alone
from halluvault_tasks.wikidata.names import fold

NAME = "anchored"
MAX_TRIPLES = 200
"""Triples read from one response: more knowledge points than a prompt asks for a hundred times over."""
_MAX_MENTIONS = 12

# "It is well known that …" and "This is generally accepted." speak of no thing
_PRONOUN = re.compile(
    r"\W*(?:he|she|it(?!\s+(?:is|was)(?:\s+\w+){0,4}\s+that\b)|they|his|her|its|their|the latter|the former)\b",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’ \t"
_RELATIVE = re.compile(r"\b(?:which|who|whom|whose|that|where)\b", re.IGNORECASE)
_IS = re.compile(
    r"\s*,?\s*(?P<relation>(?:is|was|are|were|became)(?:\s+not)?)\s+(?:an?\s+|the\s+)?(?P<rest>[^.;,]{2,80})"
)
_PREFIX = re.compile(
    r"(?:^|[,:;]\s*|\bthat\s+)(?:(?:the|a|an|one\s+of\s+the)\s+)?(?P<words>(?:[\w’'-]+\s+){0,5}of)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_POSSESSIVE = re.compile(r"^\s*['’](?:s\b)?")
_LEADING = re.compile(r"^(?:(?:the|a|an|and|also|that|which|who|then|both|including)\s+)+")
_TRAILING = re.compile(r"(?:\s+(?:the|a|an|his|her|its|their))+$")
_TIME_WORD = re.compile(
    r"(?:\s+|^)(?:in|on|at|during|from|since|until|till|to|by|around|about|the|year|and|of|as|for)$"
)
_GLUE = frozenset(re.findall(r"\w+", "and or in on at of from to until till by as for with during the a an s"))
_COPULA = frozenset(["is", "was", "are", "were"])


class PhraseTriple(NamedTuple):
    """Subject, relation and object as phrases; the relation is folded and may be empty (an apposition)."""

    subject: str
    relation: str
    object: str


def relation_phrase(words: str, before_date: bool = False) -> str:
    """The one wording of a relation: folded, without articles at its ends; before a date without "in", "on" …

    Both sides of every comparison pass through here.
    """
    phrase = _EDGES.sub("", _POSSESSIVE.sub(" ", fold(words.replace("*", " ").replace("_", " "))))
    phrase = _TRAILING.sub("", _LEADING.sub("", phrase))
    while before_date and (shorter := _TIME_WORD.sub("", phrase)) != phrase:
        phrase = shorter
    return phrase.strip()


def gold(
    premises: Sequence[Mapping[str, Any]], extracted: Sequence[Sequence[PhraseTriple]], *, partial: bool = False
) -> list[PhraseTriple]:
    """The triples of a case's proof, from `benchmark_case.premises`.

    Each premise's sentence is read as a response would be, so that both sides have the same phrases
    (semantics.md section 4.1); where the reading misses its subject or object, the stored triple stands.

    Args:
        premises: as stored.
        extracted: what the extractor reads in each premise's sentence.
        partial: a reading stands even where it misses an end, and the stored triple only where there is none: whoever
            reads several triples in a sentence, with phrases of its own, is else convicted for repeating the proof.
    """
    found: dict[PhraseTriple, None] = {}
    for premise, read in zip(premises, extracted, strict=True):
        stored = _premise(premise)
        phrases = {fold(phrase) for triple in read for phrase in (triple.subject, triple.object)}
        stands = bool(read) if partial else {fold(stored.subject), fold(stored.object)} <= phrases
        found.update(dict.fromkeys(read if stands else [stored]))
    return list(found)


def _premise(premise: Mapping[str, Any]) -> PhraseTriple:
    value = premise["object"]
    if "date" in value:
        found = dates.of_iso(str(value["date"]), int(value.get("precision") or 11))
        phrase = found.text if found else str(value["date"])
    elif "amount" in value:
        phrase = str(value["amount"]).lstrip("+")
    else:
        phrase = str(value.get("label") or value.get("text") or "")
    return PhraseTriple(
        str(premise["subject"]["label"]), relation_phrase(str(premise["relation"]), "date" in value), phrase
    )


def triples(sentences: Sequence[str], finder: Finder) -> list[PhraseTriple]:
    """Distinct triples of sentences in order of appearance, at most `MAX_TRIPLES`.

    A pronoun at the start of one stands for the subject of the one before.
    """
    found: dict[PhraseTriple, None] = {}
    subject: Mention | None = None
    for text in sentences:
        seen = mentions(text, finder)[:_MAX_MENTIONS]
        if subject and (pronoun := _PRONOUN.match(text)) and (not seen or seen[0].span.start > 0):
            seen = [subject._replace(span=TextSpan(0, pronoun.end())), *seen]
        for triple in _sentence(text, seen):
            found.setdefault(triple)
        if seen and seen[0].kind in ("entity", "name"):
            subject = seen[0]
        if len(found) >= MAX_TRIPLES:
            break
    return list(found)[:MAX_TRIPLES]


def reasoning(text: Text, answer: TextSpan | None = None) -> list[Sentence]:
    """The sentences that argue: those of the list points, else all but the answer's, unless it is all there is."""
    told = [one for one in text.sentences if not (one.loop or one.kind in ("code", "heading", "head"))]
    if listed := [one for one in told if one.kind == "point"]:
        return listed
    argued = [one for one in told if not one.text.endswith("?")]
    return [one for one in argued if not (answer and one.span().meets(answer))] or argued


def mentions(text: str, finder: Finder) -> list[Mention]:
    """All mentions of a sentence, longest first where they overlap, in order of appearance.

    A lower-case word that is some entity's name is a word like any other. A demonym is the entity, and a number's text
    is its value.
    """
    found: list[Mention] = []
    for one in finder.find(alone(text)):
        surface = text[slice(*one.span)]
        amount = one.quantity.amount if one.quantity else None
        if one.kind == "entity" and surface.islower() and " " not in surface:
            continue
        kind = "entity" if one.kind == "demonym" else one.kind
        found.append(one._replace(kind=kind, text=one.text if amount is None else f"{amount.normalize():f}"))
    return apart([*found, *_capitalised(text)], lambda one: one.kind == "name")


def _capitalised(text: str) -> Iterator[Mention]:
    """Names that no entity bears: words with capitals, and the particles between them."""
    said = words(text)
    never = stop_words() | POLAR  # they begin no name, whatever their first letter
    index = 0
    while index < len(said):
        length = run(text, said, index) if said[index].capital and said[index].folded not in never else 0
        if length:
            span = TextSpan(said[index].start, said[index + length - 1].end)
            yield Mention(span, text[slice(*span)], "name")
        index += length or 1


def _sentence(sentence: str, seen: list[Mention]) -> list[PhraseTriple]:
    # "the film “Aliens”": a word directly before a name says what it is and names nothing itself
    seen = [
        mention
        for mention, after in zip_longest(seen, seen[1:])
        if not (after and mention.kind == "entity" and not sentence[mention.span.end : after.span.start].strip(_QUOTES))
    ]
    if len(seen) < 2:
        return _definition(sentence, seen[0]) if seen else []
    head = seen[0]
    found: list[PhraseTriple] = []
    verb = ""
    for before, mention in pairwise(seen):
        between = sentence[before.span.end : mention.span.start]
        subject = before if _RELATIVE.search(between) and before is not head else head
        relation = relation_phrase(between, mention.kind == "date")
        if relation == "and" and len(seen) == 2:
            relation = relation_phrase(sentence[mention.span.end :])  # "A and B are siblings"
        if before is head:
            if relation in _COPULA and (prefix := _PREFIX.search(sentence[: head.span.start])):
                relation = relation_phrase(prefix.group("words"))
            verb = relation
        elif set(relation.split()) <= _GLUE:
            # "was born in Portsmouth on 7 February 1812": the second object continues the first one's verb
            relation = relation_phrase(_TIME_WORD.sub("", verb) + " " + relation, mention.kind == "date")
        else:
            verb = relation
        if fold(subject.text) != fold(mention.text):
            found.append(PhraseTriple(subject.text, relation, mention.text))
    return found


def _definition(sentence: str, only: Mention) -> list[PhraseTriple]:
    match = _IS.match(sentence, only.span.end)
    if not match or only.kind in ("date", "number"):
        return []
    return [PhraseTriple(only.text, fold(match.group("relation")), match.group("rest").strip())]
