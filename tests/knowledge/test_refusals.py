"""What a service says when it cannot: its reason in one line, and the right thing done about it."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import excess, queries, reasons
from halluvault_tasks.knowledge.answer_failures import Cut, ServerFault, TimedOut, TooMuch, Transient
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.counted_answers import read_results
from halluvault_tasks.knowledge.queries import SelectQuery
from halluvault_tasks.knowledge.transport import fetch
from halluvault_tasks.wikidata.times import parse
from tests.knowledge.replies import reply, replying, results
from tests.require import require

GUIDS = [f"Q{number}-0cc191b0-5d87-328d-05ec-7a2c1f5da264" for number in range(1000)]
LONG = queries.qualifiers(GUIDS)
X = {"x": {"type": "literal", "value": "1"}}
WELL = reply("200 OK", results(X, total=1), "Content-Type: application/sparql-results+json")

TRACE = """java.util.concurrent.ExecutionException: java.util.concurrent.ExecutionException: org.example.Failed: no
\tat java.base/java.util.concurrent.FutureTask.report(FutureTask.java:122)
Caused by: java.lang.RuntimeException: java.util.concurrent.ExecutionException: org.example.engine.{cause}
\tat org.example.engine.Query.check(Query.java:832)
\t... 3 more
"""
QUOTA = "429 Too Many Requests"
ECHO = f"SPARQL-QUERY: queryStr={LONG.text}\n"
TIMED_OUT = TRACE.replace("{cause}", "QueryTimeoutException: Query deadline is expired.")
MALFORMED = TRACE.replace("{cause}", 'MalformedQueryException: Encountered "}" at line 1, column 25.\nExpected: "("')


def ask(url: str, query: SelectQuery = LONG, **more: object) -> None:
    WikidataClient(url, sleep=lambda _: None, **more).select(query)


def refused(answer: bytes, query: SelectQuery = LONG) -> str:
    """The line that a person sees, for a service that always answers so."""
    with replying(answer) as service:
        with pytest.raises(UserError) as caught:
            ask(service.url, query)
        assert len(str(caught.value)) < 700 and str(caught.value).isprintable()
        return str(caught.value).replace(service.host, "HOST")


@pytest.mark.parametrize("packed", [False, True])
def test_a_time_out_that_stands_after_a_long_echo_is_one(packed: bool) -> None:
    body = ECHO + TIMED_OUT
    assert body.index("Timeout") > 60_000
    with replying(reply("500 Server Error", body, packed=packed)) as service:
        with pytest.raises(TimedOut, match=r"QueryTimeoutException: Query deadline is expired\.$") as caught:
            ask(service.url)
        assert len(service.asked) == 1 and "queryStr" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("500 Server Error", "java.util.concurrent.TimeoutException\n\tat java.util.concurrent.FutureTask.get(F.java)"),
        ("503 Service Unavailable", "Query timed out"),
        ("500 SPARQL Request Failed", "Virtuoso 42000 Error The estimated execution time 4401 (sec) exceeds the limit"),
        ("500 SPARQL Request Failed", "Virtuoso S1T00 Error SR171: Transaction timed out"),
        ("429 Too Many Requests", '{"exception": "Operation timed out.", "query": "SELECT", "status": "ERROR"}'),
        ("503 Service Unavailable", "Query evaluation error: Query evaluation took too long"),
        ("504 Gateway Time-out", "<html><head><title>504 Gateway Time-out</title></head><body></body></html>"),
        ("524 A Timeout Occurred", "<html><head><title>x.example | 524: A timeout occurred</title></head></html>"),
        (QUOTA, '{"exception": "query was cancelled", "status": "ERROR"}'),
        (QUOTA, '{"exception": "Operation was manually cancelled.", "query": "SELECT", "time": {"total": 30012}}'),
        (QUOTA, '{"exception": "Cancelled", "status": "ERROR"}'),
        (QUOTA, '{"title": "Too Many Requests", "detail": "The execution was aborted after 60 s"}'),
        (QUOTA, "<html><title>429 Too Many Requests</title><h1>429 Too Many Requests</h1><p>Query killed</p></html>"),
        (QUOTA, '{"error": {"message": "deadline exceeded while evaluating"}}'),
        ("500 Server Error", "Query interrupted: execution time exceeded query timeout 300000ms"),
        ("500 Server Error", '{"code": "TimeLimitExceededException", "detailedMessage": "could not be completed"}'),
        ("500 Server Error", TRACE.replace("{cause}", "QueryCancelledException")),
        ("500 Server Error", "XDMP-EXTIME: Time limit exceeded"),
        ("503 Service Unavailable", "The query was stopped: its time budget is exhausted, please try again later"),
    ],
)
def test_every_engines_word_for_time_is_up_asks_for_less(status: str, body: str) -> None:
    with replying(reply(status, body)) as service:
        with pytest.raises(TimedOut):
            ask(service.url)
        assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("status", "body", "what"),
    [
        ("500 Server Error", '{"exception": "Tried to allocate 12.5 GB, but only 1.2 GB were available."}', "memory"),
        ("500 Server Error", TRACE.replace("{cause}", "MemoryManagerOutOfMemory"), "memory"),
        ("500 Server Error", "java.lang.OutOfMemoryError: Java heap space", "memory"),
        ("500 Server Error", "java.lang.OutOfMemoryError: GC overhead limit exceeded", "memory"),
        ("500 SPARQL Request Failed", "Virtuoso 42000 Error The memory pool size limit of 200000000 bytes", "memory"),
        ("500 Server Error", "Insufficient free Heap Memory 102Mb for group by and distinct", "memory"),
        ("500 Server Error", '{"code": "MemoryLimitExceededException", "detailedMessage": "less busy"}', "memory"),
        ("500 Server Error", "terminate called after throwing an instance of 'std::bad_alloc'", "memory"),
        ("500 Server Error", "exceeded the maximum allowed memory of 4.00 GB", "memory"),
        (QUOTA, '{"exception": "The query was cancelled as it needs more than its memory limit of 5 GB"}', "timed out"),
        ("500 Server Error", "java.lang.StackOverflowError", "too long"),
        ("500 SPARQL Request Failed", "Virtuoso 37000 Error SQ199: Maximum size of a code vector exceeded", "too long"),
        ("400 Bad Request", "The query text is too long (max 200000 characters)", "too long"),
        ("500 Server Error", "Query terminated: result size exceeds 100000 rows", "timed out"),
        ("500 Server Error", "the result exceeds 100000 rows", "too much"),
        ("414 URI Too Long", "", "too long"),
    ],
)
def test_a_query_that_takes_too_much_is_asked_in_parts_at_once(status: str, body: str, what: str) -> None:
    with replying(reply(status, body)) as service:
        with pytest.raises(TooMuch, match=what):
            ask(service.url)
        assert len(service.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Too Many Requests",
        "<html><head><title>429 Too Many Requests</title></head><body><h1>Too Many Requests</h1></body></html>",
        '{"error": "Rate limit exceeded: your processing time limit is 60 seconds a minute"}',
        '{"message": "Your query was cancelled since you have sent too many requests"}',
        "too many concurrent queries, query cancelled; try again later",
        "Request timed out while waiting for a free slot",
        "Throttled: 5 requests per second",
        "Query aborted: the server is shutting down",
        "Request quota exhausted",
    ],
)
def test_an_overload_is_waited_for_whatever_else_is_said(body: str) -> None:
    with replying(reply(QUOTA, body), WELL) as service:
        ask(service.url, queries.probe())
        assert len(service.asked) == 2


@pytest.mark.parametrize(
    "body",
    [
        "HikariPool-1 - Connection is not available, request timed out after 30000ms.",
        "org.apache.http.conn.ConnectTimeoutException: connect timed out",
        "Transaction aborted: deadlock",
        "The service is restarting; your query was terminated",
        "java.lang.RuntimeException: maximum reached",
        "request aborted: client disconnected",
    ],
)
def test_trouble_that_passes_is_met_once_more(body: str) -> None:
    with replying(reply("503 Service Unavailable", body), WELL) as service:
        ask(service.url, queries.probe())
        assert len(service.asked) == 2


def test_the_echo_of_a_query_says_nothing() -> None:
    for query in (LONG, queries.probe(), queries.statements([1], [19]), queries.times([1], [569])):
        for body in (
            query.text,
            json.dumps({"exception": "fault", "query": query.text}),
            f"at x.y(Z.java)\n{query.text}",
        ):
            assert excess.of_refusal(body.encode()) is None


@pytest.mark.parametrize("hostile", ["query " * 60_000, "memory " * 60_000, "time " * 80_000, "query. 1" * 50_000])
def test_a_refusal_of_any_words_is_weighed_in_linear_time(hostile: str) -> None:
    assert excess.of_refusal(hostile.encode()) is None


def test_each_fault_of_a_query_service_that_was_met_is_told_apart(shared_data: Path) -> None:
    require((shared_data / "servers").is_dir(), "../shared/data/servers is not on this machine")
    seen = 0
    for file in sorted((shared_data / "servers").glob("sparql-*.json")):
        given = json.loads(file.read_text(encoding="utf-8"))["given"]
        if "json" in given:
            seen += 1
            with replying(reply(f"{given['status']} Some", json.dumps(given["json"]))) as service:
                with pytest.raises(TooMuch):
                    ask(service.url)
                assert len(service.asked) == 1
    assert seen > 0


QLEVER = "!!!!>># An error has occurred while exporting the query result. The error message was:\n"


@pytest.mark.parametrize(
    "end",
    [
        TIMED_OUT,
        "##  Query cancelled due to timeout during execution   ##",
        f"{QLEVER}Operation timed out.",
        f"{QLEVER}query was cancelled",
        f"{QLEVER}Tried to allocate 2.1 GB, but only 1 GB were available.",
        "java.lang.OutOfMemoryError: Java heap space",
    ],
)
def test_a_time_out_in_the_middle_of_an_answer_is_one(end: str) -> None:
    whole = results(*[{"x": {"type": "literal", "value": str(number)}} for number in range(5000)], total=5000)
    for body in (whole[:-3000] + end, whole + end):
        with replying(reply("200 OK", body, "Content-Type: application/json")) as service:
            with pytest.raises(TooMuch, match="gave up in the middle"):
                ask(service.url)
            assert len(service.asked) == 1


def test_an_error_with_http_200_is_weighed_as_one() -> None:
    said = reply("200 OK", '{"exception": "Operation timed out.", "status": "ERROR"}', "Content-Type: application/json")
    with replying(said) as service, pytest.raises(TimedOut, match="though with HTTP 200"):
        ask(service.url)


def test_a_film_called_time_out_is_no_time_out() -> None:
    film = results({"x": {"type": "literal", "value": "Time Out (TimeoutException)"}}, total=1)
    whole = film[:-2] + " " * 70_000
    with replying(reply("200 OK", whole), WELL) as service:
        ask(service.url, queries.probe())
        assert len(service.asked) == 2  # it was cut, not late: asked again


@pytest.mark.parametrize(
    ("cause", "error"),
    [
        ("UnsupportedOperationException: unknown function: http://x/f", ServerFault),
        ("SocketException: reset", ServerFault),
    ],
)
def test_a_fault_is_told_from_a_time_out(cause: str, error: type[Transient]) -> None:
    body = ECHO + TRACE.replace("{cause}", cause)
    with replying(reply("500 Server Error", body)) as service, pytest.raises(error, match=cause):
        fetch(service.url, LONG.text, agent="test", deadline=10, clock=lambda: 0.0)


def test_the_reason_is_the_innermost_cause_whatever_its_class_is_called_and_wherever_the_body_breaks_off() -> None:
    # A Blazegraph that ran out of memory; its class says neither Exception nor Error.
    trace = TRACE.replace("org.example.engine.{cause}", "com.bigdata.sector.MemoryManagerOutOfMemory")
    assert reasons.reason((ECHO + trace).encode(), LONG.text) == "MemoryManagerOutOfMemory"
    whole = reply("500 Server Error", ECHO + TRACE.replace("{cause}", "Worn: out\n"))
    for cut in (whole[:-20], whole.replace(b"Content-Length: ", b"Content-Length: 9")):
        with replying(cut) as service, pytest.raises(ServerFault, match=r"HTTP 500: Worn: out$"):
            fetch(service.url, LONG.text, agent="test", deadline=10, clock=lambda: 0.0)


def test_a_page_of_a_gateway_that_cannot_connect_is_no_time_out() -> None:
    said = "upstream connect error or disconnect/reset before headers. reset reason: connection timeout"
    with replying(reply("503 Service Unavailable", said), WELL) as service:
        ask(service.url, queries.probe())
        assert len(service.asked) == 2


def test_the_rows_limit_of_a_service_asks_for_less_at_once() -> None:
    short = reply("200 OK", results(*[X] * 10), "X-SPARQL-MaxRows: 10", "Content-Type: application/json")
    with replying(short) as service:
        with pytest.raises(Cut, match="no more than 10 rows"):
            ask(service.url, queries.probe())
        assert len(service.asked) == 1
    whole = reply("200 OK", results(X, total=1), "X-SPARQL-MaxRows: 2", "Content-Type: application/json")
    with replying(whole) as service:  # as many rows as the limit, and all that there are
        ask(service.url, queries.probe())


def test_a_header_that_says_the_answer_is_partial_is_believed() -> None:
    partial = reply(
        "200 OK", results(X, total=1), "X-SQL-State: S1TAT", "X-SQL-Message: RC...: Returning incomplete results"
    )
    with replying(partial) as service, pytest.raises(TimedOut, match="Returning incomplete results"):
        ask(service.url, queries.probe())


def test_a_query_that_a_gateway_finds_too_long_is_halved() -> None:
    with replying(reply("413 Request Entity Too Large", "too long")) as service, pytest.raises(TooMuch):
        ask(service.url)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("body", "why"),
    [
        (ECHO + MALFORMED, 'MalformedQueryException: Encountered "}" at line 1, column 25.'),
        (
            "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error at '}'\n\nSPARQL query:\n"
            f"define sql:big-data-const 0 {LONG.text}",
            "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error at '}'",
        ),
        ('Parse error: Encountered " "}" "} "" at line 1.\n', 'Parse error: Encountered " "}" "} "" at line 1.'),
        ('{"error": {"message": "bad \\u001b[2J query"}, "query": "SELECT"}', "bad  [2J query"),
    ],
)
def test_a_bad_query_is_refused_with_the_reason_and_not_the_echo(body: str, why: str, packed: bool) -> None:
    assert refused(reply("400 Bad Request", body, packed=packed)) == f"http://HOST/sparql refuses the query: {why}"


NO_NAMESPACE = "DatasetNotFoundException: namespace=nosuch"
BANNED = """<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>
<title>Error 403 {said}</title>
</head>
<body><h2>HTTP ERROR 403</h2>
<p>Problem accessing /bigdata/namespace/wdq/sparql. Reason:
<pre>    {said}</pre></p><hr><a href="http://eclipse.org/jetty">Powered by Jetty:// 9.4.12.v20180830</a><hr/>

</body>
</html>
""".replace("{said}", "You have been banned until 2026-11-23T02:42:25.612Z, please respect throttling headers.")


def test_a_ban_is_told_in_its_own_words_with_its_end() -> None:
    told = refused(reply("403 Forbidden", BANNED))
    assert "HTTP 403 Forbidden: You have been banned until 2026-11-23T02:42:25.612Z, please respect" in told
    assert "run the same command again when the ban has ended" in told and "<" not in told
    dated = refused(reply("403 Forbidden", "blocked", "Retry-After: 7200"))
    assert re.search(r"HTTP 403 Forbidden: blocked → that ends in 2 h 00 min, at \d{4}-\d\d-\d\d \d\d:\d\d UTC", dated)
    for strange in ("9" * 30, "²", "-1", "soon"):
        assert "blocked" in refused(reply("403 Forbidden", "blocked", f"Retry-After: {strange}"))


def test_a_403_of_a_policy_is_told_in_its_own_words() -> None:
    policy = "<html><title>Error</title><p>Please set a user-agent and respect our robot policy.</p></html>"
    told = refused(reply("403 Forbidden", policy))
    assert "HTTP 403 Forbidden: Please set a user-agent and respect our robot policy." in told
    assert "HALLUVAULT_CONTACT" in told


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (reply("404 Not Found", ECHO + TRACE.replace("{cause}", NO_NAMESPACE)), NO_NAMESPACE),
        (
            reply("404 Not Found", "<html><p>Problem accessing /sparq. Reason:<pre> Not here</pre></p></html>"),
            ": Not here",
        ),
        (reply("405 Method Not Allowed", "Not writable."), "Method Not Allowed: Not writable."),
        (
            reply("501 Unsupported method ('POST')", "<html><title>Error</title><p>Message: no POST here.</p></html>"),
            "Message: no POST here.",
        ),
        (reply("404 Not Found", b"\x1f\x8bno gzip", "Content-Encoding: gzip"), "HTTP 404 Not Found"),
        (reply("401 Unauthorized"), "HTTP 401 Unauthorized"),
    ],
)
def test_a_wrong_address_is_told_with_what_the_service_says(answer: bytes, why: str) -> None:
    told = refused(answer)
    assert why in told and "queryStr" not in told
    assert "401" in told or "is this the URL of the SPARQL endpoint" in told


@pytest.mark.parametrize(
    "answer",
    [
        reply(
            "200 OK", "<!DOCTYPE html><html><head><title>The Workbench</title></head></html>", "Content-Type: text/html"
        ),
        reply("200 OK", '{"message": "hello"}', "Content-Type: application/json"),
        reply("200 OK", "hello", "Content-Type: text/plain"),
    ],
)
def test_a_page_or_another_api_is_no_endpoint(answer: bytes) -> None:
    told = refused(answer)
    assert "is this the URL of the SPARQL endpoint" in told
    assert ('a page called "The Workbench"' in told) or "hello" in told


@pytest.mark.parametrize("code", ["301 Moved Permanently", "302 Found", "303 See Other"])
def test_a_query_is_never_turned_into_a_get(code: str) -> None:
    with replying(reply(code, "", "Location: /elsewhere"), WELL) as service:
        with pytest.raises(UserError, match=r"sends queries on to http://127\.0\.0\.1:\d+/elsewhere \(HTTP 30\d\)"):
            ask(service.url)
        assert [asked.method for asked in service.asked] == ["POST"]


@pytest.mark.parametrize("code", ["307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_redirect_that_keeps_the_query_is_followed_on_the_same_host_alone(code: str) -> None:
    with replying(reply(code, "", "Location: /elsewhere"), WELL) as service:
        ask(service.url, queries.probe())
        first, second = service.asked
        assert (second.method, second.path, second.body) == ("POST", "/elsewhere", first.body)
    with replying(reply(code, "", "Location: http://elsewhere.example/sparql")) as service:
        with pytest.raises(UserError, match=r"sends queries on to http://elsewhere\.example/sparql"):
            ask(service.url)
        assert len(service.asked) == 1
    with replying(reply(code, "", "Location: /sparql")) as service:  # in a circle
        with pytest.raises(UserError, match="HTTP 30"):
            ask(service.url)
        assert len(service.asked) < 20


@pytest.mark.parametrize("header", ["Retry-After: 0", "Retry-After: Sat, 21 Nov 2020 00:00:00 GMT"])
def test_come_back_at_once_means_in_a_second(header: str) -> None:
    slept: list[float] = []
    with replying(reply("429 Too Many Requests", "", header), WELL) as service:
        WikidataClient(service.url, sleep=slept.append).select(queries.probe())
    assert slept == [1.0]


def test_a_long_wait_is_told_with_the_reason() -> None:
    busy = reply("429 Too Many Requests", "the night shift", "Retry-After: 86400")
    told = pytest.raises(Unavailable, match=r"asks to wait 24 h 00 min \(HTTP 429\): the night shift")
    with replying(busy) as service, told:
        ask(service.url)


@pytest.mark.parametrize("mark", ["Server: Virtuoso/07.20.3229 (Linux)", ""])
def test_virtuoso_is_known_by_its_header_or_by_its_own_kind_of_literal(mark: str) -> None:
    body = results(X, total=1, kind="literal" if mark else "typed-literal")
    with replying(reply("200 OK", body, *filter(None, [mark]))) as service:
        client = WikidataClient(service.url)
        assert client.engine == ""
        client.probe()
        assert client.engine == "Virtuoso"
    with replying(WELL) as service:
        client = WikidataClient(service.url)
        client.probe()
        assert client.engine == ""


def test_a_refusal_is_read_to_its_end_but_no_further_than_a_megabyte() -> None:
    far = reply("500 Server Error", "x" * 900_000 + TIMED_OUT, packed=True)
    with replying(far) as service, pytest.raises(TimedOut):
        ask(service.url)
    bomb = reply("500 Server Error", "x" * 50_000_000, packed=True)
    with replying(bomb) as service, pytest.raises(ServerFault) as caught:
        fetch(service.url, "SELECT", agent="test", deadline=10, clock=lambda: 0.0)
    assert len(str(caught.value)) < 400


def test_a_long_chain_of_classes_takes_no_time_and_a_reason_stays_a_line() -> None:
    for hostile in (
        "a.Error: " * 100_000,
        "a." * 400_000 + "Error",
        "<" * 500_000,
        "<html>" + "<!-" * 300_000,
        "{" * 500_000,
    ):
        assert len(reasons.reason(hostile.encode())) <= 310


def test_the_probe_is_the_least_there_is_and_counts_itself() -> None:
    assert "BIND(1 AS ?x)" in queries.probe().text and "VALUES" not in queries.probe().text


# ---------------------------------------------------------------- what a real Blazegraph said, word for word


@pytest.fixture(scope="module")
def recorded(shared_data: Path) -> Path:
    require((shared_data / "blazegraph").is_dir(), "../shared/data/blazegraph is not on this machine")
    return shared_data / "blazegraph"


def test_every_recorded_refusal_is_one_readable_line_without_the_query(recorded: Path) -> None:
    seen = 0
    for file in sorted(recorded.glob("*.http")):
        head, _, body = file.read_bytes().partition(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 200"):
            continue
        seen += 1
        asked = re.search(rb"queryStr=(.*?)\njava", body, re.DOTALL)
        query = asked[1].decode() if asked else "SELECT ?x WHERE { ?x ?y ?z }"
        with replying(file.read_bytes()) as service, pytest.raises((UserError, TooMuch, Transient)) as caught:
            fetch(service.url, query, agent="test", deadline=10, clock=lambda: 0.0)
        said = str(caught.value)
        assert isinstance(caught.value, TimedOut) == ("timeout" in file.name), (file.name, said)
        assert len(said) < 500 and said.isprintable() and "queryStr" not in said and "PREFIX" not in said, said
    assert seen > 5


def test_every_recorded_answer_is_read_whole_or_not_at_all(recorded: Path) -> None:
    seen: Counter[bool] = Counter()
    for file in sorted(recorded.glob("*-200.http")):
        whole = not re.search("timeout|killed|short", file.name)
        with replying(file.read_bytes()) as service:
            try:
                got = fetch(service.url, "SELECT", agent="test", deadline=10, clock=lambda: 0.0)
                read_results(got.body, SelectQuery("SELECT"), got.most)
                read = True
            except (TooMuch, Transient):
                read = False
        assert read == whole, file.name
        seen[whole] += 1
    assert min(seen[True], seen[False]) > 0, "of either kind something was recorded"


def test_every_recorded_date_is_read(recorded: Path) -> None:
    seen = 0
    for file in sorted(recorded.glob("select-*-200.http")):
        for row in json.loads(file.read_bytes().partition(b"\r\n\r\n")[2])["results"]["bindings"]:
            if row.get("t", {}).get("datatype", "").endswith("dateTime"):
                seen += 1
                assert parse(row["t"]["value"]) is not None, (file.name, row)
    assert seen > 3
