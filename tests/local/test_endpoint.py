import gzip
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pyoxigraph
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import demo, endpoint, rdf, sample
from halluvault_tasks.local.sample import CHECKED
from halluvault_tasks.wikidata.iris import PREFIXES

WD, WDT = PREFIXES["wd"], PREFIXES["wdt"]
CAESAR = f"SELECT ?d WHERE {{ <{WD}Q1048> <{WDT}P570> ?d }}"


@pytest.fixture(scope="module")
def server() -> Iterator[endpoint.Endpoint]:
    running = endpoint.Endpoint(endpoint.load_sample(CHECKED), 0)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def fetch(url: str, data: bytes | None = None, **headers: str) -> tuple[int, str, bytes]:
    request = urllib.request.Request(url, data, {key.replace("_", "-"): value for key, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.headers["Content-Type"], response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read()


def select(server: endpoint.Endpoint, body: str) -> list[dict]:
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    answer = server.answer(prefixes + body)
    assert answer.status == 200, answer.body
    return [
        {name: cell["value"].rsplit("/", 1)[-1] for name, cell in row.items()}
        for row in json.loads(answer.body)["results"]["bindings"]
    ]


def test_get_and_both_kinds_of_post_give_the_same_answer(server: endpoint.Endpoint) -> None:
    query = urllib.parse.urlencode({"query": CAESAR})
    by_get = fetch(f"{server.url}?{query}")
    assert by_get[:2] == (200, "application/sparql-results+json")
    (row,) = json.loads(by_get[2])["results"]["bindings"]
    assert row["d"]["value"] == "-0043-03-13T00:00:00Z"
    assert fetch(server.url, query.encode(), Content_Type="application/x-www-form-urlencoded") == by_get
    assert fetch(server.url, CAESAR.encode(), Content_Type="application/sparql-query") == by_get


@pytest.mark.parametrize(
    ("accept", "start"),
    [
        ("application/sparql-results+xml", b"<?xml"),
        ("text/csv", b"d\r\n"),
        ("text/tab-separated-values", b"?d\n"),
    ],
)
def test_results_come_in_the_form_asked_for(server: endpoint.Endpoint, accept: str, start: bytes) -> None:
    status, kind, body = fetch(f"{server.url}?{urllib.parse.urlencode({'query': CAESAR})}", Accept=accept)
    assert (status, kind) == (200, accept) and body.startswith(start)


def test_ask_and_construct_are_answered(server: endpoint.Endpoint) -> None:
    assert json.loads(server.answer("ASK { ?s ?p ?o }").body)["boolean"] is True
    graph = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ VALUES ?s {{ <{WD}Q1048> }} ?s ?p ?o }}"
    lines = server.answer(graph)
    assert lines.kind == "application/n-triples" and lines.body.count(b"\n") > 10
    assert server.answer(graph, "text/turtle;q=0.9, text/csv").kind == "text/turtle"


def test_health_says_what_is_served(server: endpoint.Endpoint) -> None:
    status, _, body = fetch(server.url.removesuffix("/sparql") + "/health")
    said = json.loads(body)
    assert status == 200 and said["status"] == "ok"
    assert (said["source"], said["as_of"]) == ("checked-sample", "2026-11-20")
    assert said["triples"] == server.served.triples > 20_000


@pytest.mark.parametrize(
    ("path", "data", "kind", "status"),
    [
        ("/sparql?query=SELECT", None, "", 400),
        ("/sparql", None, "", 400),
        ("/sparql?query=ASK{}&query=ASK{}", None, "", 400),
        ("/elsewhere", None, "", 404),
        ("/sparql", b"{}", "application/json", 415),
        ("/sparql", b"query=%FF%FE", "application/x-www-form-urlencoded", 400),
        ("/sparql", b"ASK{} # \xff", "application/sparql-query", 400),
        ("/sparql?query=ASK%7B%7D%FF", None, "", 400),
        ("/sparql?default-graph-uri=http%3A%2F%2Fx%2F", b"ASK{}", "application/sparql-query", 400),
        ("/sparql", b"update=CLEAR+ALL", "application/x-www-form-urlencoded", 403),
        ("/elsewhere", b"ASK{}", "application/sparql-query", 404),
        ("/faults", b"rate=2", "text/plain", 400),
        ("/sparql?query=SELECT*%7BFILTER(%3Chttp%3A%2F%2Fx%2Ff%3E(1))%7D", None, "", 500),
    ],
)
def test_a_request_it_cannot_answer_is_refused_in_one_line(
    server: endpoint.Endpoint, path: str, data: bytes | None, kind: str, status: int
) -> None:
    found, _, body = fetch(server.url.removesuffix("/sparql") + path, data, **({"Content_Type": kind} if kind else {}))
    assert found == status
    assert body.count(b"Traceback") == 0 and body.strip()


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", {}, 411),
        ("POST", {"Content-Length": "many"}, 411),
        ("POST", {"Content-Length": str(1 << 40), "Content-Type": "application/sparql-query"}, 413),
        ("DELETE", {}, 405),
        ("PUT", {"Content-Length": "0"}, 501),
    ],
)
def test_a_request_of_the_wrong_make_is_refused_before_its_body_is_read(
    server: endpoint.Endpoint, method: str, headers: dict[str, str], status: int
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    connection.putrequest(method, "/sparql")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == status
    connection.close()


def test_truthy_triples_are_those_of_best_rank(server: endpoint.Endpoint) -> None:
    # Louis Armstrong: 4 August 1901, and 4 July 1900, deprecated.
    truthy = select(server, "SELECT ?d WHERE { wd:Q1779 wdt:P569 ?d }")
    assert [row["d"] for row in truthy] == ["1901-08-04T00:00:00Z"]
    ranks = select(server, "SELECT ?d ?r WHERE { wd:Q1779 p:P569 ?st . ?st ps:P569 ?d ; wikibase:rank ?r }")
    assert {(row["d"][:4], row["r"]) for row in ranks} == {
        ("1901", "ontology#PreferredRank"),
        ("1900", "ontology#DeprecatedRank"),
    }


def test_preferred_statements_hide_normal_ones_from_the_truthy_ones_only() -> None:
    def row(text: str, rank: str) -> sample.Statement:
        return sample.Statement("geography", 1, 36, int(text[1:]), rank, (), text)

    loaded = sample.Sample(
        date(2026, 1, 1), (), (), (row("Q2", "normal"), row("Q3", "preferred"), row("Q4", "deprecated"))
    )
    lines = "".join(rdf.n_triples(loaded))
    assert lines.count("/prop/direct/P36>") == 1 and f"<{WDT}P36> <{WD}Q3>" in lines
    assert lines.count("/prop/statement/P36>") == 3


def test_unknown_and_no_value_have_wikidatas_shape(server: endpoint.Endpoint) -> None:
    (unknown,) = select(server, "SELECT ?v WHERE { wd:Q1845 p:P50/ps:P50 ?v }")
    assert select(server, "SELECT ?v WHERE { wd:Q1845 wdt:P50 ?v }") == [unknown]
    raw = json.loads(server.answer(f"SELECT ?v WHERE {{ <{WD}Q1845> <{WDT}P50> ?v }}").body)
    assert "/.well-known/genid/" in raw["results"]["bindings"][0]["v"]["value"]
    assert select(server, "SELECT ?st WHERE { wd:Q255 p:P26 ?st . ?st a wdno:P26 . wd:Q255 a wdno:P26 }")
    assert select(server, "SELECT ?v WHERE { wd:Q255 p:P26/ps:P26 ?v }") == []


def test_value_nodes_carry_precision_and_calendar(server: endpoint.Endpoint) -> None:
    (row,) = select(
        server,
        """SELECT ?t ?n ?c WHERE { wd:Q1048 p:P570/psv:P570 ?v .
        ?v wikibase:timeValue ?t ; wikibase:timePrecision ?n ; wikibase:timeCalendarModel ?c }""",
    )
    assert row == {"t": "-0043-03-13T00:00:00Z", "n": "11", "c": "Q1985786"}


def test_properties_carry_metadata_and_separators(server: endpoint.Endpoint) -> None:
    (row,) = select(
        server, "SELECT ?t ?i ?c WHERE { wd:P36 wikibase:propertyType ?t ; wdt:P1696 ?i ; wikibase:claim ?c }"
    )
    assert row == {"t": "ontology#WikibaseItem", "i": "P1376", "c": "P36"}
    separators = select(server, "SELECT ?s WHERE { wd:P36 p:P2302 ?st . ?st ps:P2302 wd:Q52060874 ; pq:P4155 ?s }")
    assert {row["s"] for row in separators} == {"P580", "P582"}


def test_the_sample_gives_the_same_triples_on_every_run() -> None:
    first, second = (list(rdf.n_triples(sample.load(sample.CHECKED))) for _ in range(2))
    assert first == second
    assert len(set(rdf.statement_names(sample.load(sample.CHECKED).statements))) == len(
        sample.load(sample.CHECKED).statements
    )


@pytest.mark.parametrize("text", ["1812-2-7", "Q", "193", "=x", "", "Q42 ", "18xxx", "'; DROP"])
def test_a_value_of_no_known_form_is_named_with_its_place(text: str) -> None:
    with pytest.raises(UserError, match=r"statements\.tsv, line 7"):
        sample.value(text, "statements.tsv, line 7")


def test_a_date_before_the_reform_is_julian_unless_it_says_otherwise() -> None:
    assert sample.value("1066-10-14", "").calendar == 1_985_786
    assert sample.value("1582-10-15", "").calendar == 1_985_727
    assert sample.value("1616-04-23 J", "").calendar == 1_985_786
    assert sample.value("1500-01-01 G", "").calendar == 1_985_727


def write(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


TRIPLE = f'<{WD}Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Universe"@en .\n'
STATED = (
    "<http://www.wikidata.org> <http://schema.org/dateModified> "
    '"2026-10-31T23:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n'
)


@pytest.mark.parametrize("name", ["a.nt", "a.nt.gz", "a.ttl", "a.ttl.gz"])
def test_a_file_is_served_with_its_stated_date(tmp_path: Path, name: str) -> None:
    served = endpoint.load_file(write(tmp_path / name, TRIPLE + STATED))
    assert (served.source, served.triples, served.as_of) == (name, 2, date(2026, 10, 31))
    assert len(list(served.store.quads_for_pattern(pyoxigraph.NamedNode(WD + "Q1"), None, None))) == 1


def test_the_demo_dates_a_file_by_what_it_states_and_else_says_that_it_guessed(tmp_path: Path) -> None:
    os.utime(write(tmp_path / "silent.nt", TRIPLE), (86_400 * 365, 86_400 * 365))
    write(tmp_path / "stated.nt", TRIPLE + STATED)
    found = {}
    for name in ("silent", "stated"):
        running = endpoint.Endpoint(endpoint.load_file(tmp_path / f"{name}.nt"), 0)
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        found[name] = demo._dated(tmp_path / f"{name}.nt", running.url)
        running.shutdown()
        thread.join()
        running.server_close()
    assert found == {"silent": (date(1971, 1, 1), False), "stated": (date(2026, 10, 31), True)}


def test_a_file_that_is_cut_missing_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot load"):
        endpoint.load_file(write(tmp_path / "cut.nt", TRIPLE + TRIPLE[:60]))
    whole = write(tmp_path / "whole.nt.gz", TRIPLE * 500)
    (tmp_path / "half.nt.gz").write_bytes(whole.read_bytes()[:-20])
    with pytest.raises(UserError, match="cannot load"):
        endpoint.load_file(tmp_path / "half.nt.gz")
    with pytest.raises(UserError, match="cannot load"):
        endpoint.load_file(tmp_path / "nowhere.nt")
    with pytest.raises(UserError, match=r"ends in none of \.nt"):
        endpoint.load_file(write(tmp_path / "table.csv", ""))


def test_a_taken_port_is_one_line_and_status_2(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        source = write(tmp_path / "a.nt", TRIPLE)
        command = [
            sys.executable,
            "-m",
            "halluvault_tasks.local.endpoint",
            "--port",
            str(port),
            "--source",
            str(source),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert f"port {port} for the SPARQL endpoint is in use" in done.stderr
    assert done.stderr.strip().count("\n") == 0
