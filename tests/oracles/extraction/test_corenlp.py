"""Our CoreNLP client against a loopback server; tests/peers/test_corenlp.py asks the real one."""

import json
import socket
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple
from halluvault_tasks.oracles.extraction.base import KNOWN, UnreadPassage
from halluvault_tasks.oracles.extraction.corenlp import AT_A_TIME, LONGEST, CoreNlp, requests
from halluvault_tasks.oracles.extraction.corenlp_server import parse
from tests.oracles.extraction.loopback import FAULTS, POISON, Fault, Loopback, loopback

SECONDS = {"silence": 0.5}


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


def test_sentences_come_back_as_triples_and_each_is_a_line_of_its_own(server: Loopback) -> None:
    found = CoreNlp(server.url)([["Dickens lived in Kent.", "Kent is in\nEngland\u2028today"], [], ["A is B"]])
    assert found == [
        [PhraseTriple("Dickens", "lived in", "Kent"), PhraseTriple("Kent", "is in england", "today")],
        [],
        [PhraseTriple("A", "is", "B")],
    ]
    assert ("Dickens lived in Kent.\nKent is in England today") in [text for text, _ in server.asked]
    assert {properties["ssplit.eolonly"] for _, properties in server.asked} == {"true"}
    assert all("openie" in properties["annotators"] for _, properties in server.asked)


def test_connections_stay_open_and_no_more_than_four_passages_are_in_work(server: Loopback) -> None:
    assert len(CoreNlp(server.url)([[f"Number {n} is read."] for n in range(60)])) == 60
    assert len(server.asked) == 61
    assert server.connections <= AT_A_TIME
    assert server.most_at_once <= AT_A_TIME


def test_the_cap_on_triples_ends_the_asking(server: Loopback) -> None:
    [found] = CoreNlp(server.url)([[f"Sentence{n} says word{n}" for n in range(3_000)]])
    assert not isinstance(found, UnreadPassage)
    assert len(found) == MAX_TRIPLES
    assert found[-1] == PhraseTriple("Sentence199", "says", "word199")
    assert len(server.asked) == 3, "the known sentence and two of some twenty requests"


@given(st.lists(st.text(max_size=60) | st.text("ab ", max_size=9_000), max_size=12))
def test_requests_hold_every_word_in_order_and_are_never_too_long(passage: list[str]) -> None:
    made = list(requests(passage))
    assert all(0 < len(text) <= LONGEST for text in made)
    readable = [character for text in passage for character in text if character.isalnum()]
    assert [c for text in made for c in text if c.isalnum()] == readable


def test_a_proof_and_a_response_that_repeats_it_in_other_quotation_marks_are_sent_alike() -> None:
    proof = "The father of Bellini’s “Norma” is ‘Pollione’."
    assert list(requests([proof])) == list(requests(["The father of Bellini's \"Norma\" is 'Pollione'."]))


def test_a_request_is_cut_between_sentences(server: Loopback) -> None:
    sentences = [f"Sentence {n} " + "is long " * 60 + "." for n in range(20)]
    made = list(requests(sentences))
    assert len(made) > 2
    assert [line for text in made for line in text.split("\n")] == sentences


@pytest.mark.parametrize(
    ("text", "span", "gloss", "expected"),
    [
        ("Kazuo 😀 lives in Nagasaki", (4, 5), "Nagasaki", "Nagasaki"),
        ("Hewlett - Packard makes printers", (0, 3), "Hewlett Packard", "Hewlett - Packard"),
        ("the “ Aliens ” sequel", (1, 4), "-LRB- Aliens -RRB-", "“ Aliens ”"),
        ("nothing is there", (2, 2), "an implied end", "an implied end"),
        ("nothing is there", (1, 9), "an implied end", "an implied end"),
    ],
)
def test_a_phrase_is_the_text_between_its_tokens_offsets(
    text: str, span: tuple[int, int], gloss: str, expected: str
) -> None:
    assert _one(text, gloss, (1, 2), "x", span)[2] == expected


@pytest.mark.parametrize(
    ("text", "span", "gloss", "expected"),
    [
        ("Dickens was born in Portsmouth on 7 May", (1, 3), "was born on", "was born on"),
        ("Dickens was born in Portsmouth", (1, 4), "was born in", "was born in"),
        ("Kirby won the Volpi Cup for it", (1, 5), "won Volpi Cup for", "won the volpi cup for"),
        ("Rome in Italy", (1, 2), "is in", "is in"),
    ],
)
def test_a_relation_keeps_what_the_reader_adds_from_elsewhere(
    text: str, span: tuple[int, int], gloss: str, expected: str
) -> None:
    assert _one(text, "x", span, gloss, (0, 1))[1] == expected


def _one(text: str, gloss: str, span: tuple[int, int], relation: str, object_span: tuple[int, int]) -> PhraseTriple:
    tokens, start = [], 0
    for word in text.split(" "):
        length = len(word.encode("utf-16-le")) // 2
        tokens.append({"characterOffsetBegin": start, "characterOffsetEnd": start + length})
        start += length + 1
    said = {"subject": "s", "subjectSpan": [0, 1], "relation": relation, "relationSpan": span, "object": gloss,
            "objectSpan": object_span}  # fmt: skip
    body = json.dumps({"sentences": [{"tokens": tokens, "openie": [said]}]}).encode()
    return parse(body, text)[0]


# ------------------------------------------------------------------ the error walk


@pytest.mark.parametrize("name", FAULTS)
def test_a_server_that_reads_nothing_ends_the_run_with_one_line(server: Loopback, name: str) -> None:
    server.fault = FAULTS[name]
    with pytest.raises(UserError) as caught:
        CoreNlp(server.url, SECONDS.get(name, 30))([["Dickens lived in Kent."]])
    message = str(caught.value)
    assert f"the CoreNLP server at {server.url} does not read “{KNOWN}”" in message
    assert "\n" not in message
    assert caught.value.way_out
    assert [text for text, _ in server.asked] == [KNOWN], "no response was tried"


@pytest.mark.parametrize("name", FAULTS)
def test_one_text_that_is_refused_is_unread_and_the_others_are_read(server: Loopback, name: str) -> None:
    server.fault, server.only = FAULTS[name], POISON
    passages = [["Dickens lived in Kent."], ["A is B.", f"A {POISON} kills."], ["A is B."]]
    found = CoreNlp(server.url, SECONDS.get(name, 30))(passages)
    assert found[0] == [PhraseTriple("Dickens", "lived in", "Kent")]
    assert found[2] == [PhraseTriple("A", "is", "B")]
    assert isinstance(found[1], UnreadPassage)
    assert found[1].reason and "\n" not in found[1].reason
    assert [text for text, _ in server.asked].count(KNOWN) == 2, "asked again after the refusal"


def test_a_server_that_finds_no_triple_in_the_known_sentence_does_not_read(server: Loopback) -> None:
    server.fault = Fault(200, b'{"sentences": [{"tokens": [], "openie": []}]}')
    with pytest.raises(UserError, match="it finds no triple in it"):
        CoreNlp(server.url)([["A is B."]])


def test_a_server_that_fails_in_mid_run_ends_it(server: Loopback) -> None:
    extract = CoreNlp(server.url)
    assert extract([["A is B."]]) == [[PhraseTriple("A", "is", "B")]]
    server.fault = FAULTS["password"]
    with pytest.raises(UserError, match="HTTP 401"):
        extract([["A is B."]])


def test_every_recorded_refusal_of_the_real_server_ends_the_run(server: Loopback, shared_data: Path) -> None:
    refused = 0
    for file in sorted((shared_data / "corenlp").glob("error_*.json")):
        response = json.loads(file.read_text())["response"]
        if response["status"] == 200:
            continue
        server.fault = Fault(response["status"], response["body_text"].encode())
        with pytest.raises(UserError, match=f"HTTP {response['status']}"):
            CoreNlp(server.url)([["A is B."]])
        refused += 1
    assert refused


def test_recorded_replies_are_read_as_the_text_has_them(shared_data: Path) -> None:
    read = 0
    for file in sorted((shared_data / "corenlp").glob("json_*.json")):
        recorded = json.loads(file.read_text())
        text, body = recorded["request"]["body_utf8"], recorded["response"]["body_json"]
        listed = parse(json.dumps(body).encode(), text)
        assert len(listed) == sum(len(sentence["openie"]) for sentence in body["sentences"])
        for triple in listed:
            read += 1
            assert triple.subject in text, file.name
            assert triple.object in text, file.name
    assert read


def test_a_server_that_is_away_is_named_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UserError, match=f"no CoreNLP server answers at http://127.0.0.1:{port}"):
        CoreNlp(f"http://127.0.0.1:{port}")([["A is B"]])


@pytest.mark.parametrize(
    "url", ["127.0.0.1:9000", "localhost:9000", "localhost", "", "http://", "ftp://host", "http://["]
)
def test_a_url_without_http_is_refused_before_anything_is_asked(url: str) -> None:
    with pytest.raises(UserError, match="must begin with http:// or https://") as caught:
        CoreNlp(url)
    assert repr(url) in str(caught.value)


def test_a_password_of_the_url_is_sent_and_never_shown(server: Loopback) -> None:
    with pytest.raises(UserError, match="…@127") as caught:
        CoreNlp("reader:secret@127.0.0.1:9000")
    assert "secret" not in str(caught.value)
    for url in ("http://reader:hunt/hunter2@127.0.0.1:9000", "reader:hunt@hunter2/x@127.0.0.1"):
        with pytest.raises(UserError, match="…@127") as caught:
            CoreNlp(url)
        assert "hunt" not in str(caught.value)
    extract = CoreNlp(server.url.replace("http://", "http://reader:secret@"))
    assert "Stanford CoreNLP 4.5.7" in extract.check()
    assert server.authorised == {"Basic " + b64encode(b"reader:secret").decode()}
    server.fault = FAULTS["password"]
    with pytest.raises(UserError) as caught:
        extract([["A is B."]])
    assert "secret" not in str(caught.value)
    assert extract.provenance()["tool"] == "Stanford CoreNLP 4.5.7"
