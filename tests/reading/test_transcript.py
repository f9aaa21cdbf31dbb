"""A listing of claims counts as far as the response's own sentences hold it; nothing else of it reaches a verdict."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.base import Claim, ReaderInput
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.reading.transcript import material
from halluvault_tasks.reading.transcript.reader import TranscriptReader
from tests.reading.material import book, file

ADA, LONDON, PARIS, BYRON = 1, 2, 3, 4
ENTITIES = [
    EntityName(ADA, "Ada Lovelace", (), frozenset(["human"])),
    EntityName(BYRON, "Lord Byron", (), frozenset(["human"])),
    EntityName(LONDON, "London", (), frozenset(["place"])),
    EntityName(PARIS, "Paris", (), frozenset(["place"])),
]
RELATIONS = {"place of birth": 19, "place of death": 20, "father": 22, "residence": 551}
TEXT = "Ada Lovelace was born in London. She died in Paris in 1852. Lord Byron was her father."
SYNTAX = SyntaxReader(Names(ENTITIES), book(), predicates.demonyms(file()), spacy_parser())
READER = TranscriptReader(SYNTAX, RELATIONS)


def response(text: str = TEXT, transcript: str | None = None) -> ReaderInput:
    return ReaderInput(
        text, "Was Ada Lovelace born in London?", topic=ADA, context=frozenset([ADA]), transcript=transcript
    )


def entry(sentence: int, subject: str, relation: str, other: str, **more: Any) -> dict[str, Any]:
    shared = {"denied": False, "start": "", "end": ""}
    return {"sentence": sentence, "subject": subject, "relation": relation, "object": other, **shared, **more}


def listing(*claims: dict[str, Any]) -> str:
    return json.dumps({"answer": "yes", "claims": list(claims)})


BORN = entry(1, "Ada Lovelace", "place of birth", "London")


def read(transcript: str | None, text: str = TEXT) -> list[Claim]:
    return list(READER.read([response(text, transcript)])[0].claims)


def counts(transcript: str, text: str = TEXT) -> tuple[int, int, dict[str, int]]:
    found = READER.listed(response(text, transcript), SYNTAX.read([response(text)])[0].claims)
    return found.listed, found.kept, dict(found.dropped)


def test_what_parse_and_listing_both_read_has_both_readers_and_no_inexactness() -> None:
    [claim] = [one for one in read(listing(BORN)) if one.subject == "Ada Lovelace" and one.object == "London"]
    assert claim.readers == ("syntax", "transcript") and "inexact" not in claim.guards
    assert [(one.p, one.s, one.o) for one in claim.triples] == [(19, ADA, LONDON)]


def test_what_a_listing_alone_reads_convicts_nobody() -> None:
    lived = entry(2, "Paris", "residence", "1852")
    [claim] = [one for one in read(listing(lived)) if "transcript" in one.readers]
    assert claim.guards == ("inexact",) and claim.readers == ("transcript",)


@pytest.mark.parametrize("differs", [{"denied": True}, {"relation": "residence"}, {"relation": "other"}])
def test_a_listing_that_differs_leaves_the_parse_as_it_was(differs: dict[str, Any]) -> None:
    plain = read(None)
    together = read(listing({**BORN, **differs}))
    assert together[: len(plain)] == plain
    assert all(one.guards == ("inexact",) for one in together[len(plain) :])


def test_a_pronoun_stands_for_whom_syntax_resolves_it_to_and_for_nobody_else() -> None:
    assert counts(listing(entry(2, "Ada Lovelace", "place of death", "Paris"))) == (1, 1, {})
    assert counts(listing(entry(2, "Lord Byron", "place of death", "Paris"))) == (1, 0, {"not in its sentence": 1})
    assert counts(listing(entry(3, "London", "father", "Lord Byron"))) == (1, 0, {"not in its sentence": 1})


def test_dates_of_a_listing_are_those_of_its_sentence() -> None:
    dated = entry(2, "Ada Lovelace", "place of death", "Paris", end="1852")
    assert {one.which for one in read(listing(dated)) if "transcript" in one.readers} >= {"end"}
    assert counts(listing({**dated, "end": "1853"})) == (1, 0, {"no date": 1})
    assert counts(listing({**dated, "end": "Paris"})) == (1, 0, {"no date": 1})


NONE = [
    ("", "no JSON"), ("Yes, she was born in London.", "no JSON"), ('{"answer": "yes", "claims": [', "no JSON"),
    ("[" * 1500, "no JSON"), ("[]", "another form"), ("null", "another form"), ('"yes"', "another form"),
    ('{"verdict": "yes"}', "another form"), ('{"answer": "yes", "claims": [1]}', "another form"),
    (json.dumps({"answer": "yes", "claims": [{**BORN, "proof": "none"}]}), "another form"),
    (json.dumps({"answer": "yes", "claims": [{**BORN, "sentence": "1"}]}), "another form"),
    (json.dumps({"answer": "yes", "claims": [{**BORN, "denied": 0}]}), "another form"),
    (listing(*[BORN] * 200), "too long"), ("x" * 100_000, "too long"), ('{"a":' * 100_000, "too long"),
]  # fmt: skip


@pytest.mark.parametrize(("transcript", "why"), NONE)
def test_a_transcript_that_is_none_is_dropped_whole_and_counted(transcript: str, why: str) -> None:
    assert counts(transcript) == (0, 0, {why: 1})
    assert read(transcript) == read(None)


ENTRIES = [
    (entry(0, "Ada Lovelace", "place of birth", "London"), "no such sentence"),
    (entry(4, "Ada Lovelace", "place of birth", "London"), "no such sentence"),
    (entry(-1, "Ada Lovelace", "place of birth", "London"), "no such sentence"),
    (entry(1, "Ada Lovelace", "place of birth", "Paris"), "not in its sentence"),
    (entry(1, "Charles Babbage", "place of birth", "London"), "not in its sentence"),
    (entry(1, "", "place of birth", "London"), "not in its sentence"),
    (entry(1, "Ada Lovelace", "was born in", "London"), "unknown relation"),
    (entry(1, "Ada Lovelace", "P19", "London"), "unknown relation"),
    (entry(1, "London", "place of birth", "London"), "both ends alike"),
]


@pytest.mark.parametrize(("one", "why"), ENTRIES)
def test_an_entry_that_names_what_is_not_there_is_dropped_and_the_others_stay(one: dict[str, Any], why: str) -> None:
    assert counts(listing(one, BORN)) == (2, 1, {why: 1})
    assert read(listing(one, BORN)) == read(listing(BORN))


def test_of_more_entries_than_the_grammar_allows_the_first_are_read() -> None:
    assert counts(listing(*[BORN] * 10)) == (10, material.MOST_CLAIMS, {"too long": 10 - material.MOST_CLAIMS})


def test_an_empty_answer_has_nothing_to_list_and_no_grammar() -> None:
    for text in ("", "Yes.", "…", "She was."):
        found = READER.material(response(text))
        assert material.schema(found) is None
        assert read(listing(BORN), text) == read(None, text)


def test_a_grammar_is_made_for_the_response_and_allows_what_its_reader_takes() -> None:
    schema = material.schema(READER.material(response()))
    assert schema is not None
    jsonschema.Draft202012Validator.check_schema(schema)
    fits = jsonschema.Draft202012Validator(schema).is_valid
    assert fits(json.loads(listing(BORN, entry(2, "Lord Byron", "other", "1852", end="1852"))))
    for other, why in ENTRIES:
        if why not in ("not in its sentence", "both ends alike") or other["subject"] in ("", "Charles Babbage"):
            assert not fits(json.loads(listing(other))), why
    assert not fits(json.loads(listing(*[BORN] * 7)))
    request = material.request(READER.material(response()))
    assert "2. She died in Paris in 1852." in request


_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=9)
_KEYS = st.sampled_from(["answer", "claims", *BORN])
_VALUES = st.recursive(
    _LEAVES, lambda kids: st.lists(kids, max_size=3) | st.dictionaries(_KEYS, kids, max_size=8), max_leaves=12
)


@settings(max_examples=150, deadline=None)
@given(_VALUES)
def test_no_json_breaks_the_reader_and_only_what_sentences_hold_is_kept(value: Any) -> None:
    listed, kept, dropped = counts(json.dumps(value))
    assert 0 <= kept <= listed and (listed > 0 or sum(dropped.values()) <= 1)
