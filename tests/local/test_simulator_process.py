"""The simulated server as a process: warm before it listens, drained when told to end, changed only from loopback."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from halluvault_tasks.local import processes
from halluvault_tasks.local.simulator import texts
from halluvault_tasks.local.simulator.admin import AdminApp
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.http_faults import parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import Limits
from halluvault_tasks.local.simulator.record import Record, read
from halluvault_tasks.local.simulator.server import in_thread, serving
from tests.local.simulated import Got, ask

BODY = {"inputs": "hello", "parameters": {}}


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "halluvault_tasks.local.simulator", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)


@contextmanager
def started(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = processes.free_port()
    command = [
        sys.executable, "-m", "halluvault_tasks.local.simulator", "--port", str(port), "--models", "m", "--synthetic",
        *arguments,
    ]  # fmt: skip
    child = subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.PIPE)
    try:
        yield child, f"http://127.0.0.1:{port}"
    finally:
        child.kill()
        child.wait()


def listening(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(url.rsplit(":", 1)[1]))) == 0


def until_up(child: subprocess.Popen[bytes], url: str) -> None:
    while not listening(url):
        assert child.poll() is None, child.stderr and child.stderr.read().decode()
        time.sleep(0.02)


def test_a_server_listens_only_when_warm_and_finishes_what_runs_when_it_is_ended(tmp_path: Path) -> None:
    record = tmp_path / "sent.jsonl"
    began = time.monotonic()
    with started("--warm-up", "0.5", "--latency-ms", "700", "--record", str(record)) as (child, url):
        until_up(child, url)
        assert time.monotonic() - began > 0.5
        got: list[Got] = []
        asking = threading.Thread(target=lambda: got.append(ask(url, "/m/generate", BODY)))
        asking.start()
        while "tgi_batch_current_size 1" not in ask(url, "/m/metrics").raw.decode():
            pass
        child.send_signal(signal.SIGTERM)
        asking.join()
        assert child.wait(timeout=20) == 0
        assert got[0]["generated_text"] == texts.answer("simulated/m", "hello", None)
        assert not listening(url)
    [sent] = read(record)
    assert (sent.prompt, sent.text, sent.route) == ("hello", got[0]["generated_text"], "/generate")


def test_a_record_cut_off_by_a_kill_can_be_read(tmp_path: Path) -> None:
    record = Record(tmp_path / "sent.jsonl")
    with serving([SimulatedModel("m", texts.answer, blocking=False, record=record)]) as url:
        for number in range(3):
            ask(url, "/m/generate", {"inputs": str(number), "parameters": {}})
    whole = (tmp_path / "sent.jsonl").read_text()
    (tmp_path / "sent.jsonl").write_text(whole[:-20])
    assert [sent.prompt for sent in read(tmp_path / "sent.jsonl")] == ["0", "1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--models", "nobody"), "no persona 'nobody'"),
        (("--models", ","), "--models is empty"),
        (("--models", "m", "--synthetic", "--faults", "rest=1"), "--faults has 'rest=1'"),
        (("--models", "m", "--synthetic", "--api-key-env", "NOT_SET_ANYWHERE"), "'NOT_SET_ANYWHERE', which is not set"),
    ],
)
def test_a_wrong_option_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = run("--port", str(processes.free_port()), *arguments)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_help_teaches_every_fault_and_the_administration() -> None:
    shown = run("--help").stdout
    for word in ("midstream", "hang_after_headers", "mix", "/models/NAME/revision", "--latency-ms"):
        assert word in shown


GUARDED = ("/", "/generate", "/generate_stream", "/v1/chat/completions", "/v1/completions", "/tokenize",
           "/invocations", "/vertex")  # fmt: skip


def test_a_key_is_asked_for_where_a_server_with_a_key_asks() -> None:
    with serving([SimulatedModel("m", texts.answer)], api_key="sesame") as url:
        for route in GUARDED:
            for key in ("", "Sesame"):
                got = ask(url, f"/m{route}", raw=b"{", key=key)
                assert (got.status, got.raw) == (401, b"")
            assert ask(url, f"/m{route}", raw=b"{", key="sesame").status == 400
        for route in ("/", "/health", "/ping", "/info", "/metrics", "/v1/models"):
            assert ask(url, f"/m{route}").status == 200
        body = {"messages": [{"role": "user", "content": "x"}]}
        assert ask(url, "/m/chat_tokenize", body).status == 200


def test_faults_and_identity_change_while_it_serves_and_only_from_a_port_of_their_own() -> None:
    model = SimulatedModel("m", texts.answer, blocking=False, record=Record())
    with serving([model]) as url, in_thread(AdminApp([model])) as admin:
        first = ask(url, "/m/info")["model_sha"]
        assert ask(admin, "/models/m/revision", raw=b"2", method="PUT")["model_sha"] != first
        assert ask(url, "/m/info")["model_sha"] != first
        ask(admin, "/models/m/revision", raw=b"", method="PUT")
        local = ask(url, "/m/info")
        assert (local["model_sha"], local["model_pipeline_tag"]) == (None, None)
        assert ask(admin, "/models/m/faults", raw=b"incomplete=1", method="PUT")["faults"][0]["kind"] == "incomplete"
        assert ask(url, "/m/generate", BODY).status == 500
        assert ask(admin, "/models/m/faults", raw=b"nothing=1", method="PUT").status == 422
        ask(admin, "/models/m/faults", raw=b"", method="PUT")
        assert ask(url, "/m/generate", BODY).status == 200
        assert ask(admin, "/models")["m"]["requests"] == 2
        [sent] = ask(admin, "/models/m/sent").raw.decode().splitlines()
        assert json.loads(sent)["prompt"] == "hello"
        assert ask(url, "/models").status == 404
        assert ask(admin, "/m/info").status == 404


def test_the_administration_listens_on_loopback_whatever_the_host() -> None:
    port = processes.free_port()
    with started("--host", "0.0.0.0", "--admin-port", str(port)) as (child, url):
        until_up(child, url)
        assert ask(f"http://127.0.0.1:{port}", "/models")["m"]["model_id"] == "simulated/m"
        for where, reached in ((port, False), (int(url.rsplit(":", 1)[1]), True)):
            with socket.socket() as probe:
                assert (probe.connect_ex(("127.0.0.2", where)) == 0) is reached


def test_metrics_agree_with_the_traffic() -> None:
    model = SimulatedModel("m", texts.answer, limits=Limits(max_concurrent_requests=1), blocking=False,
                           pacing=Pacing(latency_seconds=0.0), faults=parse("incomplete=#7"))  # fmt: skip
    with serving([model]) as url:
        for number in range(5):
            ask(url, "/m/generate", {"inputs": f"number {number}", "parameters": {}})
        ask(url, "/m/generate", {"inputs": ""})
        ask(url, "/m/generate", BODY)
        ask(url, "/m/v1/completions", {"prompt": ["a", "b"], "temperature": 0})
        shown = ask(url, "/m/metrics").raw.decode()
    lines = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert lines["tgi_request_count"] == "8"
    assert lines["tgi_request_success"] == "5"
    failures = {name: value for name, value in lines.items() if name.startswith("tgi_request_failure")}
    # Of two prompts in one request the second finds no permit, and the first is dropped with it.
    assert failures == {
        'tgi_request_failure{err="dropped"}': "1",
        'tgi_request_failure{err="incomplete"}': "1",
        'tgi_request_failure{err="overloaded"}': "1",
        'tgi_request_failure{err="validation"}': "1",
    }
    assert lines["tgi_request_duration_count"] == "5" == lines['tgi_request_duration_bucket{le="+Inf"}']
    assert float(lines["tgi_request_input_length_sum"]) >= 10
    assert (lines["tgi_queue_size"], lines["tgi_batch_current_size"]) == ("0", "0")
    buckets = [int(value) for name, value in lines.items() if name.startswith("tgi_request_duration_bucket")]
    assert buckets == sorted(buckets)


def test_metrics_count_every_forward_pass_of_the_batch() -> None:
    with serving([SimulatedModel("m", texts.answer, blocking=False)]) as url:
        details = ask(url, "/m/generate", {"inputs": "hello", "parameters": {"details": True}})["details"]
        shown = ask(url, "/m/metrics").raw.decode()
    lines = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert lines['tgi_batch_inference_count{method="prefill"}'] == "1" == lines["tgi_batch_next_size_count"]
    # The prefill gives the first token, each decoding step one more.
    assert int(lines['tgi_batch_inference_count{method="decode"}']) == details["generated_tokens"] - 1


def test_health_and_info_of_a_model_stand_below_its_name() -> None:
    with serving([SimulatedModel("m", texts.answer)]) as url:
        assert ask(url, "/health").status == 200
        assert ask(url, "/nobody/health").status == 404
        assert ask(url, "/m/generate").status == 405
        assert ask(url, "/m/info", {}).status == 405
