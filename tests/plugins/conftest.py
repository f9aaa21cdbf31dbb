"""One benchmark with one hostile case, as rows, and Airflow's API server with the plugin in it."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from halluvault_tasks.results import store, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions, tables

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

HOSTILE = '<script>alert(\'x\')</script>" onmouseover="alert(1)" {{ 7 * 7 }} \u202egnp.exe'
ESCAPED = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&#34; onmouseover=&#34;alert(1)&#34; {{ 7 * 7 }}"


PREMISE = {
    "sid": 1,
    "guid": HOSTILE,
    "subject": {"qid": 1, "label": HOSTILE},
    "property": 19,
    "relation": "was born in",
    "object": {"qid": 2, "label": "Bonn"},
    "sentence": f"{HOSTILE} was born in Bonn.",
}
MONTH = "2026-10"


def _benchmark(session: Session) -> None:
    month = {"snapshot": MONTH, "month": MONTH, "revision": 1, "as_of": date(2026, 10, 31)}
    session.execute(insert(tables.snapshot).values(**month, source=HOSTILE, status="published"))
    part = {"snapshot": MONTH, "suite": "relation"}
    frozen = {"seed": 1, "config_hash": "c", "content_hash": "b", "counts": {}, "published": True}
    session.execute(insert(tables.benchmark_part).values(**part, **frozen))
    cases = [
        {"id": "c1", "question": f"Was {HOSTILE} born in Bonn?", "gold": "yes", "mutation": "original"},
        {"id": "c2", "question": f"Was {HOSTILE} not born in Bonn?", "gold": "no", "mutation": "negated"},
    ]
    group = {"group_id": "g", "relation": "same", "suite": "relation"}
    session.execute(insert(tables.cases), [{**row, **group} for row in cases])
    fact = {"domain": "people", "rule_kind": "inverse", "fact": {"rule": HOSTILE, "truth": True}}
    proof = {"premises": [PREMISE], "proof": f"% {HOSTILE}\n:- writeln(yes)."}
    session.execute(insert(tables.benchmark_case), [{**part, "case_id": row["id"], **fact, **proof} for row in cases])


def _evaluation(session: Session) -> None:
    variant = {"id": "v1", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}
    session.execute(insert(tables.prompt_variant).values(**variant))
    model = {"id": "m1", "name": "simulated/careful", "dialect": "tgi", "model_id": f"simulated/{HOSTILE}"}
    session.execute(insert(tables.model).values(**model))
    evaluation = {"id": "e1", "snapshot": MONTH, "model_id": "m1", "variant_id": "v1", "sampling": {}}
    session.execute(insert(tables.evaluation).values(**evaluation))
    told = {"evaluation_id": "e1", "case_id": "c1", "sample": 1}
    answered = {**told, "status": "delivered", "text": f"No. {HOSTILE}", "attempts": 1}
    dead = {**told, "case_id": "c2", "status": "dead", "attempts": 5, "error": f"HTTP 500 {HOSTILE}"}
    for response in (answered, dead):
        session.execute(insert(tables.response).values(**response))
    profile = {"profile": "paper/anchored", "profile_version": "1"}
    judged = {"answer": "no", "correct": False, "category": "error_knowledge", "sub_label": HOSTILE}
    similar = {"edge_similarity": 0.25, "node_similarity": 0.5, "detail": {}}
    session.execute(insert(tables.verdict).values(**told, **profile, **judged, **similar))


def fill(session: Session) -> None:
    """Rows of every kind that the page shows; each text that others write is hostile."""
    _benchmark(session)
    _evaluation(session)
    hits = {"delivered": (1, 2), "hallucination_rate": (1, 1), "error_knowledge": (1, 1), "wrong_faulty": (1, 1)}
    figures = [
        Figure("headline", scope, key, metric, of[0] / of[1], 0.2, 1.0, *of, 1, None)
        for scope, key in (("model", ""), ("domain", "people"), ("rule", "inverse"), ("macro", ""))
        for metric, of in hits.items()
    ]
    store.put(session, ResultSet("e1", "paper/anchored", "1"), figures, ())
    failed = {"kind": "task_failed", "where": "halluvault_refresh.complete r1", "message": HOSTILE, "way_out": HOSTILE}
    session.execute(insert(tables.incident).values(snapshot=MONTH, **failed))


@pytest.fixture(scope="module")
def filled_url(database_url: str) -> str:
    with sessions.session(database_url) as session:
        views.install(session)
        fill(session)
        session.commit()
    return database_url


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Point the page at a database."""

    def configure(url: str) -> None:
        monkeypatch.setenv("HALLUVAULT_DATABASE_URL", url)
        settings.cache_clear()

    settings.cache_clear()
    yield configure
    settings.cache_clear()


@pytest.fixture(scope="session")
def client(airflow_home: Path) -> Iterator["TestClient"]:
    from airflow.api_fastapi.app import create_app
    from fastapi.testclient import TestClient

    with TestClient(create_app(apps="core")) as client:
        yield client


@pytest.fixture(scope="session")
def viewer(client: "TestClient") -> dict[str, str]:
    """Headers of somebody who may only look."""
    from airflow.api_fastapi.app import get_auth_manager
    from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser

    token = get_auth_manager().generate_jwt(SimpleAuthManagerUser(username="v", role="viewer"))
    return {"Authorization": f"Bearer {token}"}
