"""stanza's CoreNLP client against a loopback server that speaks its protocol buffers."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from stanza.protobuf import Document, writeToDelimitedString

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import Triple
from halluvault_tasks.oracles.extraction.corenlp import CoreNlp


class _Server(BaseHTTPRequestHandler):
    """Answers each line `subject|relation|object` with that triple, and refuses a text with POISON in it."""

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        properties = parse_qs(urlsplit(self.path).query)["properties"][0]
        self.server.asked.append((text, properties))  # type: ignore[attr-defined]
        if "POISON" in text:
            self._send(500, b"edu.stanford.nlp.util.RuntimeInterruptedException")
            return
        document = Document(text=text)
        for line in text.splitlines():
            sentence = document.sentence.add(tokenOffsetBegin=0, tokenOffsetEnd=1)
            subject, relation, object_ = line.split("|")
            sentence.openieTriple.add(subject=subject, relation=relation, object=object_, confidence=1.0)
        stream = writeToDelimitedString(document)
        self._send(200, stream.getvalue() if hasattr(stream, "getvalue") else stream)

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    listening.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield listening
    listening.shutdown()
    listening.server_close()


def _url(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


def test_openie_triples_come_back_through_stanzas_own_client(server: ThreadingHTTPServer) -> None:
    found = CoreNlp(_url(server))([["Dickens|was born in|Portsmouth", "It|is in|England"], [], ["A|is|B"]])
    assert found == [
        [Triple("Dickens", "was born in", "Portsmouth"), Triple("It", "is in", "England")],
        [],
        [Triple("A", "is", "B")],
    ]
    text, properties = server.asked[0]  # type: ignore[attr-defined]
    assert text == "Dickens|was born in|Portsmouth\nIt|is in|England"
    asked = json.loads(properties.replace("'", '"'))
    assert "openie" in asked["annotators"] and asked["outputFormat"] == "serialized"


def test_a_sentence_that_the_server_refuses_loses_no_other(server: ThreadingHTTPServer) -> None:
    assert CoreNlp(_url(server))([["A|is|B", "POISON", "C|is|D"]]) == [[Triple("A", "is", "B"), Triple("C", "is", "D")]]


def test_a_server_that_is_away_is_named_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UserError, match=f"no CoreNLP server answers at http://127.0.0.1:{port}"):
        CoreNlp(f"http://127.0.0.1:{port}")([["A|is|B"]])
