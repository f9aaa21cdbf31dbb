import json
from collections.abc import Callable

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import queries
from halluvault_tasks.knowledge.answers import Broken, Spoiled, TimedOut, read_results
from halluvault_tasks.knowledge.client import WikidataClient, is_local

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
    with pytest.raises(Spoiled, match=r"no complete SPARQL result.*though the service is well"):
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
    with pytest.raises(Broken, match=r"counted|without the count"):
        read_results(json.dumps(document).encode(), QUERY)


@pytest.mark.parametrize(("fault", "word"), [("html", "text/html"), ("forbidden", "403")])
def test_what_no_patience_can_mend_is_refused_at_once(faulty: Callable, fault: str, word: str) -> None:
    server = faulty(lambda _n, _q: fault)
    with pytest.raises(UserError, match=word):
        WikidataClient(server.url, sleep=lambda _: None).select(QUERY)
    assert len(server.queries) == 1


def test_a_bad_query_is_refused_with_the_services_own_words(faulty: Callable) -> None:
    with pytest.raises(UserError, match="refuses the query"):
        WikidataClient(faulty().url, sleep=lambda _: None).select(queries.Query("SELECT WHERE {"))


def test_the_deadline_counts_the_whole_answer_not_each_read(faulty: Callable) -> None:
    server = faulty()
    ticks = iter(range(0, 10_000, 50))  # every look at the clock is 50 s later
    with pytest.raises(TimedOut, match="75 s"):
        WikidataClient(server.url, deadline=75, clock=lambda: float(next(ticks)), sleep=lambda _: None).select(
            queries.entities(range(1, 5000))
        )


def test_requests_keep_their_distance(faulty: Callable) -> None:
    slept: list[float] = []
    client = WikidataClient(faulty().url, gap=1.5, clock=lambda: 100.0, sleep=slept.append)
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
