"""A listing as a model sent it, checked against the response: what it names must stand in the sentence that it names.

A model's listing is data. What is no JSON, too long, or names what is not there is dropped and counted, and nothing of
it reaches a verdict; its `answer` never replaces the text's.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from halluvault_tasks.reading.base import Claim, ClaimTriple
from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.transcript.material import MOST_CLAIMS, OTHER, TranscriptLine, TranscriptMaterial

Dropped = Literal["no JSON", "another form", "too long", "no such sentence", "not in its sentence", "unknown relation",
                  "both ends alike", "no date"]  # fmt: skip

_TIMES = 10
"""A listing of more than so many times the response's length is no listing of it."""

_LEAST = 2_000
"""Characters that any listing may have: a short answer's names and braces are longer than itself."""

_PRONOUNS = frozenset(["he", "she", "it", "they", "his", "her", "its", "their", "him", "them", "this", "that", "who"])


class _Claim(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    sentence: int
    subject: str = Field(max_length=500)
    relation: str = Field(max_length=200)
    object: str = Field(max_length=500)
    denied: bool
    start: str = Field(max_length=100)
    end: str = Field(max_length=100)


class _Listing(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    answer: str = Field(max_length=50)
    claims: list[_Claim]


class ListingRest(NamedTuple):
    """What is left of a listing.

    Attributes:
        claims: those that hold, guarded as `inexact`: alone they convict nobody.
        listed: how many there were.
        dropped: why the others were dropped; of a whole listing that is none, one.
    """

    claims: tuple[Claim, ...]
    listed: int
    dropped: Mapping[Dropped, int]

    @property
    def kept(self) -> int:
        """Of those listed how many hold."""
        return self.listed - sum(self.dropped.values()) if self.listed else 0


def read(
    text: str, response: str, material: TranscriptMaterial, resolved: Mapping[int, Collection[str]], reader: str
) -> ListingRest:
    """Read a listing.

    Args:
        text: as it came.
        response: what it is a listing of.
        material: of the response.
        resolved: number of a sentence → labels that a pronoun in it stands for, as `syntax` resolves them.
        reader: who reads so: `transcript` or `llm:NAME`.
    """
    if len(text) > max(_LEAST, _TIMES * len(response)):
        return ListingRest((), 0, {"too long": 1})
    try:
        found = _Listing.model_validate(json.loads(text))
    except ValidationError:
        return ListingRest((), 0, {"another form": 1})
    except (ValueError, RecursionError):
        return ListingRest((), 0, {"no JSON": 1})
    claims: dict[tuple[object, ...], Claim] = {}
    dropped: Counter[Dropped] = Counter()
    for one in found.claims[:MOST_CLAIMS]:
        made = _checked(one, material, resolved, reader)
        if isinstance(made, str):
            dropped[made] += 1
        else:
            claims |= {claim: claim for claim in made}
    if more := len(found.claims) - MOST_CLAIMS:
        dropped["too long"] += max(0, more)
    return ListingRest(tuple(claims.values()), len(found.claims), +dropped)


def _checked(
    one: _Claim, material: TranscriptMaterial, resolved: Mapping[int, Collection[str]], reader: str
) -> tuple[Claim, ...] | Dropped:
    if not 1 <= one.sentence <= len(material.lines):
        return "no such sentence"
    if one.relation != OTHER and one.relation not in material.relations:
        return "unknown relation"
    line = material.lines[one.sentence - 1]
    subject, other = _subject(one.subject, line, material, resolved), line.mentions.get(one.object)
    if subject is None or other is None:
        return "not in its sentence"
    if subject.qids == other.qids != () or one.subject == one.object:
        return "both ends alike"
    ends = [line.mentions.get(date) if date else None for date in (one.start, one.end)]
    if any(date and not (end and end.days) for date, end in zip((one.start, one.end), ends, strict=True)):
        return "no date"
    return tuple(_made(one, line, subject, other, ends, material, reader))


def _subject(
    words: str, line: TranscriptLine, material: TranscriptMaterial, resolved: Mapping[int, Collection[str]]
) -> Mention | None:
    """Who a subject is: named in the sentence, or elsewhere and meant here by a pronoun, as `syntax` resolves it."""
    if found := line.mentions.get(words):
        return found
    named = next((one.mentions[words] for one in material.lines if words in one.mentions), None)
    said = {word.strip(".,;:!?\"'()").casefold() for word in line.sentence.text.split()}
    if named is None or not said & _PRONOUNS:
        return None
    return named if named.text in resolved.get(line.number, ()) else None


def _made(
    one: _Claim,
    line: TranscriptLine,
    subject: Mention,
    other: Mention,
    ends: list[Mention | None],
    material: TranscriptMaterial,
    reader: str,
) -> Iterator[Claim]:
    triple = ClaimTriple(material.relations.get(one.relation, 0), subject.qid, other.qid)
    claim = Claim(
        line.sentence.span(), line.number, (triple,), subject.text, other.text, one.denied, ("inexact",), (reader,),
        other.days, other.amount,
    )  # fmt: skip
    yield claim
    if other.quantity is None:
        for which, end in zip(("start", "end"), ends, strict=True):
            if end is not None and end.quantity is not None:
                yield claim._replace(days=end.days, which=which)  # type: ignore[arg-type]
