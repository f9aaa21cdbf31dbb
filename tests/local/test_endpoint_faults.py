"""The endpoint's workers, its deadline and its planted faults, as a client on the wire sees them."""

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack

import psutil
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import endpoint, endpoint_faults, processes
from halluvault_tasks.local.endpoint_store import negotiate
from halluvault_tasks.local.sample import CHECKED
from tests.knowledge.conftest import serving as running

EVERYTHING = "SELECT * { ?s ?p ?o } LIMIT 500"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
SERVICE = "SELECT * {{ SERVICE <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}"


@pytest.fixture(scope="module")
def served() -> endpoint.Served:
    return endpoint.load_sample(CHECKED)


def serving(served: endpoint.Served, **more: object) -> AbstractContextManager[endpoint.Endpoint]:
    return running(endpoint.Endpoint(served, 0, **more))


@pytest.fixture
def serve(served: endpoint.Served) -> Iterator[Callable[..., endpoint.Endpoint]]:
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(serving(served, **more))


def drawn(text: str) -> endpoint_faults.FaultDraws:
    return endpoint_faults.FaultDraws(endpoint_faults.parse(text))


def ask(server: endpoint.Endpoint, query: str = EVERYTHING, path: str = "") -> tuple[int, Mapping[str, str], bytes]:
    url = path or f"{server.url}?{urllib.parse.urlencode({'query': query})}"
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def family(server: endpoint.Endpoint) -> list[psutil.Process]:
    """The server's process that starts workers, and its workers: other children of the test's process come and go."""
    nursery = psutil.Process(server.pool._nursery)
    return [nursery, *nursery.children(recursive=True)]


def switch(server: endpoint.Endpoint, text: str | None) -> dict:
    url = server.url.removesuffix("/sparql") + "/faults"
    data, method = (text.encode(), "POST") if text is not None else (None, "DELETE")
    with urllib.request.urlopen(urllib.request.Request(url, data, method=method), timeout=30) as response:
        return json.load(response)


def test_a_query_beyond_its_deadline_is_ended_and_the_next_one_answered(serve: Callable) -> None:
    server = serve(workers=1, deadline=0.2)
    status, _, body = ask(server, ENDLESS)
    assert status == 500 and b"java.util.concurrent.TimeoutException" in body
    assert server.health()["timeouts"] == 1
    server.pool.deadline = 30.0
    assert ask(server)[0] == 200
    # The one that was at it is gone: nothing goes on in the background.
    assert len(family(server)) == 2


def test_a_long_query_does_not_keep_another_waiting(served: endpoint.Served) -> None:
    ends: list[int] = []
    with serving(served, workers=2) as server:
        thread = threading.Thread(target=lambda: ends.append(ask(server, ENDLESS)[0]))
        thread.start()
        assert ask(server)[0] == 200
        assert not ends
    thread.join()
    assert ends == [500]  # the closing server ended it


def test_a_worker_that_is_killed_costs_one_answer_and_no_more(serve: Callable) -> None:
    server = serve(workers=1)
    assert ask(server)[0] == 200
    (worker,) = server.pool._idle
    psutil.Process(worker.pid).kill()
    assert ask(server)[0] == 500
    assert ask(server)[0] == 200


def test_a_closed_server_leaves_no_process_and_frees_its_port(served: endpoint.Served) -> None:
    with serving(served) as server, serving(served) as other:
        assert ask(server)[0] == ask(other)[0] == 200
        port = server.server_address[1]
        processes_of_both = family(server) + family(other)
    assert len(processes_of_both) == 4
    assert psutil.wait_procs(processes_of_both, timeout=30)[1] == []
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_an_endpoint_that_is_killed_takes_its_workers_with_it() -> None:
    port = processes.free_port()
    command = [sys.executable, "-m", "halluvault_tasks.local.endpoint", "--sample", "checked", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None and b"triples at" in server.stderr.readline()
        url = f"http://127.0.0.1:{port}/sparql?query=ASK%7B%7D"
        with urllib.request.urlopen(url, timeout=30) as response:
            assert json.load(response)["boolean"] is True
        family = psutil.Process(server.pid).children(recursive=True)
        assert len(family) == 2  # the one that starts workers, and a worker
        server.kill()
        assert psutil.wait_procs(family, timeout=30)[1] == []


def test_a_query_cannot_make_the_endpoint_call_another_machine(serve: Callable) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        status, _, body = ask(serve(), SERVICE.format(port=listener.getsockname()[1]))
        assert status == 500 and b"Traceback" not in body
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_its_own_time_is_told_with_every_answer_and_summed_up(serve: Callable) -> None:
    server = serve()
    told = [re.fullmatch(r"query;dur=([\d.]+), cpu;dur=([\d.]+)", ask(server)[1]["Server-Timing"]) for _ in range(3)]
    said = server.health()
    assert said["queries"] == 3
    for number, name in ((1, "busy_seconds"), (2, "cpu_seconds")):
        total = sum(float(one[number]) for one in told) / 1000
        assert 0 < total == pytest.approx(said[name], abs=1e-5)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/html, application/xml;q=0.9, */*;q=0.8", "application/xml"),
        ("text/csv;q=0.5, text/tab-separated-values;q=0.6", "text/tab-separated-values"),
        ("text/*", "text/csv"),
        ("TEXT/CSV", "text/csv"),
        ("application/sparql-results+json;q=0, text/csv;q=0.1", "text/csv"),
        ("image/png", None),
        ("text/csv;q=nonsense", None),
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(accept: str, kind: str | None) -> None:
    offered = ("application/sparql-results+json", "application/xml", "text/csv", "text/tab-separated-values")
    assert negotiate(accept, offered) == kind


def test_a_form_that_is_not_there_is_406_and_head_sends_no_body(serve: Callable) -> None:
    server = serve()
    request = urllib.request.Request(f"{server.url}?query=ASK%7B%7D", headers={"Accept": "image/png"})
    with pytest.raises(urllib.error.HTTPError, match="406"):
        urllib.request.urlopen(request, timeout=30)
    request = urllib.request.Request(f"{server.url}?query=ASK%7B%7D", method="HEAD")
    with urllib.request.urlopen(request, timeout=30) as response:
        assert response.status == 200 and int(response.headers["Content-Length"]) > 0 and response.read() == b""


def test_each_fault_looks_to_the_client_as_it_is_described(serve: Callable) -> None:
    server = serve(faults=drawn("rate=1,retry_after=7,drip=0"))
    whole = json.loads(server.answer(EVERYTHING).body)["results"]["bindings"]
    seen: dict[str, object] = {}
    for kind in endpoint_faults.KINDS:
        switch(server, f"rate=1,kinds={kind},retry_after=7,drip=0")
        try:
            status, headers, body = ask(server)
            seen[kind] = status
        except (OSError, http.client.HTTPException) as error:
            seen[kind] = type(getattr(error, "reason", error)).__name__
            continue
        if kind == "throttled":
            assert headers["Retry-After"] == "7"
        elif kind in {"heavy", "truncated"}:
            assert body.endswith(endpoint_faults.TRACE)
        elif kind == "html":
            assert headers["Content-Type"] == "text/html" and b"<title>" in body
        elif kind == "invalid":
            with pytest.raises(UnicodeDecodeError):
                body.decode()
        elif kind == "dropped":
            less = json.loads(body)["results"]["bindings"]
            assert len(whole) * 0.7 < len(less) < len(whole) and all(row in whole for row in less)
        elif kind == "drip":
            assert json.loads(body)["results"]["bindings"] == whole
        if kind in {"truncated", "short"}:
            with pytest.raises(json.JSONDecodeError):
                json.loads(body)
    assert seen == {
        "throttled": 429, "failed": 500, "heavy": 500, "truncated": 200, "short": 200, "cut": "IncompleteRead",
        "reset": "ConnectionResetError", "drip": 200, "dropped": 200, "html": 200, "invalid": 200, "forbidden": 403,
    }  # fmt: skip
    assert server.health()["faults"] == dict.fromkeys(endpoint_faults.KINDS, 1)


def test_a_drip_ends_when_the_server_does(served: endpoint.Served) -> None:
    with serving(served, faults=drawn("rate=1,kinds=drip,drip=100000")) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=30)
        connection.request("GET", "/sparql?query=SELECT*%7B%3Fs%3Fp%3Fo%7DLIMIT%209")
        response = connection.getresponse()
        assert response.read1(1)
        server.closing.set()
    with pytest.raises(http.client.IncompleteRead):
        response.read()


def test_faults_are_drawn_evenly_and_the_same_in_every_order() -> None:
    queries = [f"ASK {{ ?s ?p {n} }}" for n in range(4000)]
    first, second = drawn("rate=0.25,seed=5"), drawn("rate=0.25,seed=5")
    forward = {query: first.pick(query, {}) for query in queries}
    assert forward == {query: second.pick(query, {}) for query in reversed(queries)}
    counts = Counter(forward.values())
    assert set(counts) == {"", *endpoint_faults.PASSING}
    assert counts[""] == pytest.approx(3000, abs=120)
    assert all(count == pytest.approx(1000 / 11, abs=40) for kind, count in counts.items() if kind)
    # A repetition is drawn anew, and another seed draws otherwise.
    assert {query: first.pick(query, {}) for query in queries} != forward
    assert {query: drawn("rate=0.25,seed=6").pick(query, {}) for query in queries[:200]} != dict(
        list(forward.items())[:200]
    )


def test_faults_are_switched_while_it_runs(serve: Callable) -> None:
    server = serve()
    assert ask(server)[0] == 200
    assert switch(server, "rate=1,kinds=failed,seed=3")["kinds"] == ["failed"]
    assert ask(server)[0] == 500
    assert json.loads(ask(server, path=server.url.removesuffix("/sparql") + "/faults")[2])["seed"] == 3
    assert switch(server, None)["rate"] == 0
    assert ask(server)[0] == 200


def test_only_this_machine_may_switch_faults(serve: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    finish = server.finish_request
    monkeypatch.setattr(server, "finish_request", lambda request, _: finish(request, ("192.0.2.7", 1)))
    assert ask(server)[0] == 200
    for text in ("rate=1", None):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            switch(server, text)
    assert ask(server)[0] == 200


@pytest.mark.parametrize(
    "text", ["rate=2", "rate=x", "kinds=flood", "kinds=", "seed=x", "drip=-1", "drip=inf", "when=1"]
)
def test_a_setting_of_no_known_form_is_named(text: str) -> None:
    with pytest.raises(UserError, match=r"faults have '.*'; accepted: rate=SHARE"):
        endpoint_faults.parse(text)


def test_the_help_names_every_fault_and_a_wrong_one_is_status_2() -> None:
    command = [sys.executable, "-m", "halluvault_tasks.local.endpoint"]
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout
    assert all(kind in shown for kind in endpoint_faults.KINDS)
    done = subprocess.run([*command, "--sample", "--faults", "rate=9"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "'rate=9'" in done.stderr and "Traceback" not in done.stderr
