import json
import socket
import threading
from collections.abc import Callable
from email.message import Message

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import queries, refusals
from halluvault_tasks.knowledge.answer_failures import BrokenAnswer, Spoiled, TimedOut
from halluvault_tasks.knowledge.client import ServiceLimits, WikidataClient, is_local
from halluvault_tasks.knowledge.counted_answers import read_results
from halluvault_tasks.knowledge.prefetch import Ahead
from halluvault_tasks.local import endpoint
from tests.knowledge.conftest import serving
from tests.knowledge.replies import reply, replying

QUERY = queries.seeds([5], "instance", 0)


def test_an_answer_is_whole_and_the_query_travels_urlencoded(faulty: Callable) -> None:
    server = faulty()
    answer = WikidataClient(server.url).select(QUERY)
    assert server.queries == [QUERY.text]
    rows = json.loads(answer.body)["results"]["bindings"]
    (total,) = [row["total"]["value"] for row in rows if "total" in row]
    assert [row for row in rows if "total" not in row] == answer.rows and int(total) == len(answer.rows)
    assert len(answer.rows) > 100
    (agent,) = server.agents
    assert agent.startswith("HalluVault/") and "SPARQLWrapper/2" in agent


@pytest.mark.parametrize("fault", ["failed", "short", "cut", "reset", "invalid", "dropped"])
def test_a_passing_fault_is_met_once_more_and_loses_no_row(faulty: Callable, fault: str) -> None:
    whole = WikidataClient(faulty().url).select(QUERY).rows
    server = faulty(lambda n, _: fault if n <= 2 else None)
    slept: list[float] = []
    client = WikidataClient(server.url, sleep=slept.append)
    assert client.select(QUERY).rows == whole
    assert client.requests == len(server.queries) == 3
    assert slept == [1.0, 2.0]


def test_retry_after_is_obeyed_to_the_second(faulty: Callable) -> None:
    server = faulty(lambda n, _: "throttled" if n == 1 else None)
    slept: list[float] = []
    WikidataClient(server.url, sleep=slept.append).select(QUERY)
    assert slept == [7.0]


@pytest.mark.parametrize("fault", ["truncated", "heavy"])
def test_a_query_that_times_out_is_never_repeated_unchanged(faulty: Callable, fault: str) -> None:
    server = faulty(lambda _n, _q: fault)
    with pytest.raises(TimedOut):
        WikidataClient(server.url, sleep=lambda _: None).select(QUERY)
    assert len(server.queries) == 1


@pytest.mark.parametrize("fault", ["failed", "short", "reset", "throttled"])
def test_a_lasting_fault_ends_in_one_line_that_names_the_endpoint(faulty: Callable, fault: str) -> None:
    server = faulty(lambda _n, _q: fault)
    slept: list[float] = []
    with pytest.raises(UserError) as caught:
        WikidataClient(server.url, attempts=3, rest=100, sleep=slept.append).select(QUERY)
    assert server.url in caught.value.message and "still fails" in caught.value.message
    # After four failures in a row it rests, five times, each twice as long, and asks only the least there is.
    rests = [wait for wait in slept if wait >= 100]
    assert rests == ([] if fault == "throttled" else [100, 200, 400, 800, 1600])
    assert set(server.queries[3:]) <= {queries.probe().text}
    assert len(server.queries) == (3 if fault == "throttled" else 9)


def test_a_query_whose_answer_stays_broken_is_blamed_only_when_the_service_is_well(faulty: Callable) -> None:
    server = faulty(lambda _, query: "invalid" if query == QUERY.text else None)
    with pytest.raises(Spoiled, match=r"not a complete SPARQL result.*though the service is well"):
        WikidataClient(server.url, attempts=3, sleep=lambda _: None).select(QUERY)
    assert server.queries == [QUERY.text] * 3 + [queries.probe().text]


def test_a_circuit_that_opened_closes_when_the_service_answers_again(faulty: Callable) -> None:
    server = faulty(lambda n, _: "failed" if n <= 5 else None)
    slept: list[float] = []
    client = WikidataClient(server.url, rest=100, sleep=slept.append)
    assert len(client.select(QUERY).rows) > 100
    assert slept == [1.0, 2.0, 4.0, 8.0, 100.0, 200.0]
    assert server.queries == [QUERY.text] * 4 + [queries.probe().text] * 2 + [QUERY.text]


@pytest.mark.parametrize("rows", ["dropped", "added", "uncounted"])
def test_an_answer_with_other_rows_than_the_service_counted_never_gets_in(faulty: Callable, rows: str) -> None:
    answer = WikidataClient(faulty().url).select(QUERY)
    document = json.loads(answer.body)
    bindings = document["results"]["bindings"]
    if rows == "dropped":
        bindings.remove(answer.rows[0])
    elif rows == "added":
        bindings.append(answer.rows[0] | {"s": {"type": "uri", "value": "http://www.wikidata.org/entity/Q999999999"}})
    else:
        document["results"]["bindings"] = answer.rows
    with pytest.raises(BrokenAnswer, match=r"counted|without the count"):
        read_results(json.dumps(document).encode(), QUERY)


def test_what_no_patience_can_mend_is_refused_at_once(faulty: Callable) -> None:
    server = faulty(lambda _n, _q: "forbidden")
    with pytest.raises(UserError, match="403"):
        WikidataClient(server.url, sleep=lambda _: None).select(QUERY)
    assert len(server.queries) == 1


def test_a_page_instead_of_results_is_a_wrong_url_unless_the_service_has_answered_before(faulty: Callable) -> None:
    server = faulty(lambda _n, _q: "html")
    with pytest.raises(UserError, match=r"text/html.*is this the URL of the SPARQL endpoint"):
        WikidataClient(server.url, sleep=lambda _: None).select(QUERY)
    assert len(server.queries) == 3
    maintained = faulty(lambda n, _: "html" if 2 <= n <= 5 else None)
    client = WikidataClient(maintained.url, sleep=lambda _: None)
    assert client.select(QUERY).rows == client.select(QUERY).rows


def test_a_bad_query_is_refused_with_the_services_own_words(faulty: Callable) -> None:
    with pytest.raises(UserError, match="refuses the query"):
        WikidataClient(faulty().url, sleep=lambda _: None).select(queries.SelectQuery("SELECT WHERE {"))


def test_the_deadline_counts_the_whole_answer_not_each_read(faulty: Callable) -> None:
    server = faulty()
    ticks = iter(range(0, 10_000, 50))  # every look at the clock is 50 s later
    with pytest.raises(TimedOut, match="75 s"):
        WikidataClient(
            server.url, limits=ServiceLimits(75), clock=lambda: float(next(ticks)), sleep=lambda _: None
        ).select(queries.entities(range(1, 5000)))


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://u:hunter2@127.0.0.1:9/sparql",
        "https://u:hunter2@hunter2@query.example.org/sparql",
        "http://u:hun/ter2?#@hunter2@127.0.0.1:9/sparql",
        "http://hunter2@127.0.0.1/sparql",
    ],
)
def test_an_endpoint_with_a_password_is_refused_without_it(endpoint: str) -> None:
    with pytest.raises(UserError, match="holds a user and password, which are not sent") as caught:
        WikidataClient(endpoint, "ops@example.org")
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize(
    "endpoint", ["http://[::1/sparql", "http://h:port/sparql", "http://h:99999/sparql", "http:///x"]
)
def test_an_address_that_cannot_be_read_is_one_line(endpoint: str) -> None:
    with pytest.raises(UserError, match="is not an http:// or https:// URL"):
        WikidataClient(endpoint, "ops@example.org")


def test_a_key_in_an_endpoints_query_is_sent_and_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    for answer in (
        reply("404 Not Found", "no"),
        reply("301 Moved", "", "Location: /x?key=hunter2"),
        reply("200 OK", "x"),
    ):
        with replying(answer) as service:
            client = WikidataClient(f"{service.url}?api-key=hunter2&x=1", sleep=lambda _: None)
            with pytest.raises(UserError) as caught:
                client.select(QUERY)
            assert service.asked[0].path == "/sparql?api-key=hunter2&x=1"
        assert client.endpoint.endswith("/sparql?api-key=…&x=1")
        assert "hunter2" not in str(caught.value) and "hunter2" not in caplog.text


def test_requests_keep_their_distance(faulty: Callable) -> None:
    slept: list[float] = []
    client = WikidataClient(faulty().url, limits=ServiceLimits(gap=1.5), clock=lambda: 100.0, sleep=slept.append)
    client.select(QUERY)
    client.select(QUERY)
    assert slept == [1.5]


def test_nothing_listening_is_a_refusal_that_says_so() -> None:
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9/sparql still fails"):
        WikidataClient("http://127.0.0.1:9/sparql", attempts=2, sleep=lambda _: None).select(QUERY)


@pytest.mark.parametrize("contact", ["", "me", "   "])
def test_a_public_endpoint_needs_a_contact(contact: str) -> None:
    with pytest.raises(UserError, match="HALLUVAULT_CONTACT"):
        WikidataClient("https://query.wikidata.org/sparql", contact)


def test_a_contact_stands_in_the_user_agent_and_a_public_endpoint_gets_a_gap() -> None:
    client = WikidataClient("https://query.wikidata.org/sparql", "ops@example.org")
    assert "(ops@example.org)" in client.agent
    assert client.gap == 1.0


def test_an_endpoint_that_is_no_url_is_refused() -> None:
    with pytest.raises(UserError, match="'wikidata'"):
        WikidataClient("wikidata")


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("http://127.0.0.1:7878/sparql", True),
        ("http://localhost/sparql", True),
        ("bundled-sample", True),
        ("wikidata.nt.gz", True),
        ("https://query.wikidata.org/sparql", False),
        ("http://127.evil.example/sparql", False),
        ("http://localhost.example.org/", False),
        ("http://sparql:7878/sparql", True),
        ("http://10.1.2.3/sparql", True),
        ("http://[::1]:7878/sparql", True),
        ("https://91.198.174.192/sparql", False),
    ],
)
def test_only_our_own_machines_are_local(name: str, local: bool) -> None:
    assert is_local(name) is local


class Slow:
    """A service that answers the headers, or a little more, and then nothing until it is told to end."""

    def __init__(self, sent: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sent = sent
        self._end = threading.Event()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/sparql"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            connection.recv(1 << 16)
            # One byte at a time, well within any socket's timeout, and never the last one.
            for byte in self._sent:
                connection.sendall(bytes([byte]))
                if self._end.wait(0.02):
                    return
            self._end.wait()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self._listener.close()


@pytest.mark.parametrize(
    "sent",
    [b"", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 9999, b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + b"{" * 9999],
)
def test_a_service_that_drips_is_left_at_the_deadline(sent: bytes) -> None:
    slow = Slow(sent)
    try:
        with pytest.raises(TimedOut, match=r"no complete answer within 0\.3 s"):
            WikidataClient(slow.url, limits=ServiceLimits(0.3), sleep=lambda _: None).select(QUERY)
    finally:
        slow.close()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "Sat, 21 Nov 2026 00:02:00 GMT", "Date": "Sat, 21 Nov 2026 00:00:30 GMT"}, 90.0),
        ({"Retry-After": "Sat, 21 Nov 2026 00:00:00 GMT", "Date": "Sat, 21 Nov 2026 00:00:30 GMT"}, 0.0),
        ({"Retry-After": "soon"}, 60.0),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: dict[str, str], seconds: float | None) -> None:
    message = Message()
    for name, value in header.items():
        message[name] = value
    assert refusals.retry_after(message) == seconds


def test_no_more_requests_are_in_flight_than_allowed(sample_store: endpoint.Served) -> None:
    open_now, most = [0], [0]
    lock = threading.Lock()

    class Counting(endpoint.Endpoint):
        def answer(self, query: str, accept: str = "") -> endpoint.QueryAnswer:
            with lock:
                open_now[0] += 1
                most[0] = max(most[0], open_now[0])
            try:
                return super().answer(query, accept)
            finally:
                with lock:
                    open_now[0] -= 1

    with serving(Counting(sample_store, 0)) as server:
        for allowed in (1, 2):
            most[0] = 0
            client = WikidataClient(server.url, limits=ServiceLimits(in_flight=allowed))
            wanted = [queries.seeds([5], "instance", number) for number in range(12)]
            ahead = Ahead(client, wanted)
            answers = [ahead.take() for _ in wanted]
            assert not list(ahead.close())
            assert all(answer.rows for answer in answers) and most[0] <= allowed


def test_nothing_more_is_asked_in_advance_of_a_service_that_refused(faulty: Callable) -> None:
    server = faulty(lambda *_: "forbidden")
    wanted = [queries.seeds([5], "instance", number) for number in range(9)]
    ahead = Ahead(WikidataClient(server.url), wanted)
    with pytest.raises(UserError, match="403"):
        ahead.take()
    assert not list(ahead.close()) and server.queries == [wanted[0].text]


def test_what_came_for_nobody_is_handed_over_and_nothing_more_is_asked(faulty: Callable) -> None:
    server = faulty()
    wanted = [queries.seeds([5], "instance", number) for number in range(9)]
    ahead = Ahead(WikidataClient(server.url), wanted)
    ahead.take()
    late = dict(ahead.close())
    assert late and set(late) <= set(wanted[1:4])
    assert {query.text for query in late} <= set(server.queries)
    asked = len(server.queries)
    assert asked <= 4
