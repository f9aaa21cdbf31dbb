"""Alerts of a judged month, and their way to a mail server, a web hook and Slack's, all of them local sinks."""

import json
import logging
import socketserver
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results import alerts, comparing, views
from halluvault_tasks.results.alerts import Alert, Channel
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import incidents, tables
from tests.dags.conftest import Sink, serving
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, judge_anew, publish, summarise_any_version
from tests.results.test_comparing import LATER, copy_month

HOSTILE = "evil <script>{{ 7 * 7 }}</script> & co"
RULES = alerts.load(REPOSITORY / "config" / "alerts.yaml").alerts


def test_a_month_is_judged_by_the_file_and_each_alert_is_told_once(session: Session) -> None:
    views.install(session)
    summarise(session, evaluation_of(session, evaluation="e1", name="real/one"))
    publish(session)
    copy_month(session)
    worse = tables.verdict.c.evaluation_id == "e9", tables.verdict.c.correct.is_not(None)
    session.execute(update(tables.verdict).where(*worse).values(category="both"))
    session.execute(update(tables.verdict).where(tables.verdict.c.evaluation_id == "e9").values(profile_version="9"))
    session.execute(text("INSERT INTO model (id, name, dialect, model_id, model_sha) SELECT 'm9', name, dialect,"
                         " model_id, 'another' FROM model WHERE id = 'm-e1'"))  # fmt: skip
    session.execute(update(tables.evaluation).where(tables.evaluation.c.id == "e9").values(model_id="m9"))
    session.commit()
    for evaluation in ("e1", "e9"):
        summarise_any_version(session, evaluation)
    publish(session, LATER)
    comparing.compare(session, LATER)
    incidents.record(session, "gate_failed", "refresh", "a gate failed", "look", LATER)
    of_two_versions = alerts.judge(session, LATER, RULES)
    assert {one.kind for one in of_two_versions} == {"identity_changed", "oracle_changed", "gate_failed"}, (
        "what two versions of a judge made of the answers is no rise"
    )
    judge_anew(session, "e1", "9")
    comparing.compare(session, LATER)
    found = alerts.judge(session, LATER, RULES)
    assert {one.kind for one in found} == {"rate_rose", "identity_changed", "gate_failed"}
    strict = alerts.Rules(coverage_below=alerts.CoverageBelow(delivered=0.9, answered=0.99))
    assert ["answered" in one.message for one in alerts.judge(session, LATER, strict)] == [True]
    strict = alerts.Rules(coverage_below=alerts.CoverageBelow(delivered=1.0))
    assert ["398 of 400 responses delivered" in one.message for one in alerts.judge(session, SNAPSHOT, strict)] == [
        True
    ]
    rose = next(one for one in found if one.kind == "rate_rose")
    assert rose.message.startswith("real/one: hallucination rate +")
    assert alerts.judge(session, SNAPSHOT, RULES) == []
    assert alerts.untold(session, LATER, found) == found
    assert alerts.untold(session, LATER, found) == []
    shown = session.scalars(text("SELECT kind FROM results_v1.incidents WHERE starts_with(kind, 'alert_')")).all()
    assert len(shown) == len(found)


@pytest.fixture
def mail() -> Iterator[Sink]:
    sink = Sink()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 sink\r\n")
            while line := self.rfile.readline():
                word = line[:4].upper()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    body = b""
                    while (more := self.rfile.readline()) != b".\r\n":
                        body += more
                    sink.bodies.append(body.decode())
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
                if word == b"QUIT":
                    return

    with socketserver.TCPServer(("127.0.0.1", 0), Handler) as server:
        sink.port = server.server_address[1]
        with serving(server):
            yield sink


def test_alerts_reach_mail_web_hook_and_slack_as_text_and_a_dead_channel_stops_nobody(
    airflow_home: Path, web: Sink, mail: Sink, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from halluvault_airflow.notify import deliver

    connections = {
        "MAIL": {"conn_type": "smtp", "host": "127.0.0.1", "port": mail.port,
                 "extra": {"disable_ssl": True, "disable_tls": True}},
        "HOOK": {"conn_type": "http", "host": "127.0.0.1", "port": web.port, "schema": "http"},
        "CHAT": {"conn_type": "slackwebhook", "host": f"http://127.0.0.1:{web.port}/services", "password": "T/B/x"},
        "DEAD": {"conn_type": "http", "host": "127.0.0.1", "port": 9, "schema": "http"},
    }  # fmt: skip
    for name, connection in connections.items():
        monkeypatch.setenv(f"AIRFLOW_CONN_{name}", json.dumps(connection))
    channels = [
        Channel(kind="webhook", connection="dead"),
        Channel(kind="email", connection="mail", to=("ops@example.org",), sender="h@example.org"),
        Channel(kind="webhook", connection="hook"),
        Channel(kind="slack", connection="chat"),
        Channel(kind="webhook", connection="nowhere"),
    ]
    with caplog.at_level(logging.ERROR):
        told = deliver(channels, SNAPSHOT, [Alert("rate_rose", HOSTILE, "look")])
    assert told == 3, caplog.text
    (message,) = [message_from_string(body) for body in mail.bodies]
    assert message["To"] == "ops@example.org"
    html = "".join(part.get_payload(decode=True).decode() for part in message.walk() if not part.is_multipart())
    assert "evil &lt;script&gt;{{ 7 * 7 }}" in html, "neither markup nor a template"
    hook, chat = (json.loads(body) for body in web.bodies)
    assert hook == {"snapshot": SNAPSHOT, "alerts": [{"kind": "rate_rose", "message": HOSTILE, "way_out": "look"}]}
    assert "evil &lt;script&gt;{{ 7 * 7 }}" in chat["text"]
    assert deliver(channels, SNAPSHOT, []) == 0
    assert len(web.bodies) == 2, "no alert, no message"


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("alerts: {rate_rises: {}}", "rate_rises"),
        ("alerts: {rate_rose: {p: 2}}", "rate_rose"),
        ("channels: [{kind: pigeon, connection: x}]", "pigeon"),
        ("channels: [{kind: email, connection: x}]", "an e-mail needs recipients"),
    ],
)
def test_a_wrong_line_of_the_file_is_named(tmp_path: Path, content: str, named: str) -> None:
    path = tmp_path / "alerts.yaml"
    path.write_text(content)
    with pytest.raises(UserError, match=named):
        alerts.load(path)
    assert alerts.load(tmp_path / "missing.yaml").channels == ()
