"""What a listing of a response's claims may be made of: its sentences, the names and dates in them, known relations.

The grammar is made for the response, so that a model can invent nothing: everything that it may name is enumerated.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.mentions import Finder, Mention, MentionKind
from halluvault_tasks.reading.text import Sentence, cut

OTHER = "other"
"""The relation that is none of those known."""

ANSWERS = ("yes", "no", "don't know")

MOST_CLAIMS = 6
"""That a listing may have: the small model that was tried fills any list to its end."""

_UNREAD = ("head", "code", "heading")
_MOST_SENTENCES = 20
_MOST_NAMES = 40


class TranscriptLine(NamedTuple):
    """A sentence that claims may be listed of.

    Attributes:
        number: its place among all sentences of the response, from 0.
        mentions: what it names, by the words that stand there.
    """

    number: int
    sentence: Sentence
    mentions: Mapping[str, Mention]


class TranscriptMaterial(NamedTuple):
    """A response's lines, and the relations by name.

    Attributes:
        relations: name → property.
    """

    lines: tuple[TranscriptLine, ...]
    relations: Mapping[str, int]

    def said(self, *kinds: MentionKind) -> list[str]:
        """What is named, of some kinds, in order of appearance."""
        found = (words for line in self.lines for words, one in line.mentions.items() if one.kind in kinds)
        return list(dict.fromkeys(found))[:_MOST_NAMES]


def of(given: ReaderInput, finder: Finder, relations: Mapping[str, int]) -> TranscriptMaterial:
    """The material of a response, as the reader `syntax` links its names.

    Args:
        given: the response.
        finder: of the snapshot's names.
        relations: name → property.
    """
    known = set(given.context) | ({given.topic} if given.topic else set())
    lines: list[TranscriptLine] = []
    for number, sentence in enumerate(cut(given.text).sentences):
        if sentence.kind in _UNREAD or sentence.loop or len(lines) == _MOST_SENTENCES:
            continue
        mentions = finder.find(sentence, known, given.topic)
        known |= {one.entity for one in mentions} - {0}
        if any(character.isalpha() for character in sentence.text):
            lines.append(TranscriptLine(number, sentence, {sentence.text[slice(*one.span)]: one for one in mentions}))
    return TranscriptMaterial(tuple(lines), relations)


def schema(material: TranscriptMaterial) -> dict[str, Any] | None:
    """The grammar for a response, or None where it names too little to claim anything of it."""
    names, dates = material.said("entity", "name", "demonym"), ["", *material.said("date")]
    objects = material.said(*get_args(MentionKind))
    if not names or len(objects) < 2:
        return None
    claim = {
        "sentence": {"type": "integer", "enum": [place for place, _ in enumerate(material.lines, 1)]},
        "subject": {"type": "string", "enum": names},
        "relation": {"type": "string", "enum": [*sorted(material.relations), OTHER]},
        "object": {"type": "string", "enum": objects},
        "denied": {"type": "boolean"},
        "start": {"type": "string", "enum": dates},
        "end": {"type": "string", "enum": dates},
    }
    listed = {"type": "object", "properties": claim, "required": list(claim), "additionalProperties": False}
    whole = {
        "answer": {"type": "string", "enum": list(ANSWERS)},
        "claims": {"type": "array", "maxItems": MOST_CLAIMS, "items": listed},
    }
    return {"type": "object", "properties": whole, "required": list(whole), "additionalProperties": False}


def request(material: TranscriptMaterial) -> str:
    """What a model is asked for: its own sentences, numbered, and what the fields mean. They are data to it."""
    lines = "\n".join(f"{place}. {line.sentence.text}" for place, line in enumerate(material.lines, 1))
    return (
        "List what these sentences claim, as JSON. Do not correct them and add nothing.\n"
        f"{lines}\n"
        '"answer" is what they answer to the question. Each entry of "claims" has the "sentence" (its number), '
        '"subject", "relation" and "object" as that sentence names them, "denied" (true where the sentence says that '
        'it is not so), and "start" and "end" (dates between which it holds, empty where none is given).'
    )
