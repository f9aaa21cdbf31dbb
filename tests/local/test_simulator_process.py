"""The simulated server as a process: its options, its end, its key, and what may change while it serves."""

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
from halluvault_tasks.local.simulator import http_faults, texts
from halluvault_tasks.local.simulator.http_faults import parse
from halluvault_tasks.local.simulator.manner import bundled
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.record import Record
from halluvault_tasks.local.simulator.server import serving
from tests.local.simulated import Got, ask, recorded

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


def test_a_server_that_is_ended_finishes_what_runs(tmp_path: Path) -> None:
    record = tmp_path / "sent.jsonl"
    with started("--latency-ms", "700", "--max-concurrent-requests", "1", "--record", str(record)) as (child, url):
        until_up(child, url)
        got: list[Got] = []
        asking = threading.Thread(target=lambda: got.append(ask(url, "/m/generate", BODY)))
        asking.start()
        while ask(url, "/m/generate", {"inputs": ""}).status != 429:
            pass
        child.send_signal(signal.SIGTERM)
        asking.join()
        assert child.wait(timeout=20) == 0
        assert got[0]["generated_text"] == texts.answer("simulated/m", "hello", None)
        assert not listening(url)
    [sent] = recorded(record)
    assert (sent.prompt, sent.text, sent.route) == ("hello", got[0]["generated_text"], "/generate")


def test_a_record_cut_off_by_a_kill_can_be_read(tmp_path: Path) -> None:
    record = Record(tmp_path / "sent.jsonl")
    with serving([SimulatedModel("m", texts.answer, blocking=False, record=record)]) as url:
        for number in range(3):
            ask(url, "/m/generate", {"inputs": str(number), "parameters": {}})
    whole = (tmp_path / "sent.jsonl").read_text()
    (tmp_path / "sent.jsonl").write_text(whole[:-20])
    assert [sent.prompt for sent in recorded(tmp_path / "sent.jsonl")] == ["0", "1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--models", "nobody"), "no persona 'nobody'"),
        (("--models", ","), "--models is empty"),
        (("--models", "m", "--synthetic", "--faults", "rest=1"), "--faults has 'rest=1'"),
        (("--models", "m", "--synthetic", "--manner", "m:think,thik=1"), "no such field; there are: about, "),
        (("--models", "m", "--synthetic", "--api-key-env", "NOT_SET_ANYWHERE"), "'NOT_SET_ANYWHERE', which is not set"),
    ],
)
def test_a_wrong_option_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = run("--port", str(processes.free_port()), *arguments)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_help_teaches_every_fault_and_manner() -> None:
    shown = run("--help").stdout
    for word in (*http_faults.KINDS, *bundled(), "mix", "--latency-ms"):
        assert word in shown


def test_every_model_of_a_server_has_the_manner_that_it_is_given() -> None:
    with started("--models", "m,n", "--manner", "think,thought_tokens=9", "--manner", "n:parts") as (child, url):
        until_up(child, url)
        body = {"messages": [{"role": "user", "content": "hello"}], "temperature": 0}
        said = [ask(url, f"/{name}/v1/chat/completions", body)["choices"][0]["message"]["content"] for name in "mn"]
    assert said[0].startswith("<think>") and said[0].endswith(texts.answer("simulated/m", "hello", None))
    assert said[1] == [{"type": "text", "text": texts.answer("simulated/n", "hello", None)}]


GUARDED = ("/", "/generate", "/generate_stream", "/v1/chat/completions", "/v1/completions", "/tokenize")


def test_a_key_is_asked_for_where_a_server_with_a_key_asks() -> None:
    with serving([SimulatedModel("m", texts.answer)], api_key="sesame") as url:
        for route in GUARDED:
            for key in ("", "Sesame"):
                got = ask(url, f"/m{route}", raw=b"{", key=key)
                assert (got.status, got.raw) == (401, b"")
            assert ask(url, f"/m{route}", raw=b"{", key="sesame").status == 400
        for route in ("/", "/health", "/info", "/v1/models"):
            assert ask(url, f"/m{route}").status == 200
        body = {"messages": [{"role": "user", "content": "x"}]}
        assert ask(url, "/m/chat_tokenize", body).status == 200


def test_faults_and_identity_may_change_while_it_serves() -> None:
    model = SimulatedModel("m", texts.answer, blocking=False)
    with serving([model]) as url:
        first = ask(url, "/m/info")["model_sha"]
        model.revision = "2"
        assert ask(url, "/m/info")["model_sha"] != first
        model.revision = None
        local = ask(url, "/m/info")
        assert (local["model_sha"], local["model_pipeline_tag"]) == (None, None)
        model.faults = parse("incomplete=1")
        assert ask(url, "/m/generate", BODY).status == 500
        model.faults = parse("")
        assert ask(url, "/m/generate", BODY).status == 200


def test_health_and_info_of_a_model_stand_below_its_name() -> None:
    with serving([SimulatedModel("m", texts.answer)]) as url:
        assert ask(url, "/health").status == 200
        assert ask(url, "/nobody/health").status == 404
        assert ask(url, "/m/generate").status == 405
        assert ask(url, "/m/info", {}).status == 405
