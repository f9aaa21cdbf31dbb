"""Airflow's plugin of HalluVault: the results page behind Airflow's own login.

Airflow finds it by the entry point `airflow.plugins`. What the page shows is in `halluvault_tasks.results.page`; this
module only adds routes, login and database access.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, ClassVar

from airflow.api_fastapi.auth.managers.models.resource_details import AccessView
from airflow.api_fastapi.core_api.security import requires_access_view
from airflow.plugins_manager import AirflowPlugin
from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from halluvault_airflow import notes
from halluvault_airflow.links import ResultsLink
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import page, page_cases, page_suites

log = logging.getLogger(__name__)

TEXT = r"^[^\x00-\x1f\x7f]*$"
"""What a parameter may be: Postgres takes no NUL, and no name here has a control character."""

HEADERS = {
    "Content-Security-Policy": page.CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def _database_url() -> str:
    """Airflow's connection `halluvault_db`, else HALLUVAULT_DATABASE_URL.

    Unlike a task, the API server may read Airflow's own database, and has no supervisor to ask instead.
    """
    from airflow.exceptions import AirflowNotFoundException
    from airflow.models.connection import Connection

    from halluvault_tasks.settings import settings
    from halluvault_tasks.storage.connections import CONNECTION_ID, url_of

    try:
        connection = Connection.get_connection_from_secrets(CONNECTION_ID)
    except AirflowNotFoundException:
        return settings().require_database()
    return url_of(connection)


@contextmanager
def _read_only() -> Iterator[Session]:
    """A session whose transaction Postgres itself refuses to let write."""
    from halluvault_tasks.storage import sessions

    with sessions.session(_database_url()) as session:
        session.execute(text("SET TRANSACTION READ ONLY"))
        session.execute(text("SET LOCAL statement_timeout = '30s'"))
        yield session


def _answer(html: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(html, status_code=status, headers=HEADERS)


def _explained(error: Exception) -> HTMLResponse:
    if isinstance(error, UserError):
        return _answer(page.message("No results database", error.message, error.way_out), 503)
    log.error("the results page could not read the database: %s", error)
    return _answer(
        page.message(
            "The results database cannot be read",
            "It answered, but not with HalluVault's tables and views.",
            "run `halluvault db upgrade`; the API server's log has the database's own words",
        ),
        503,
    )


# A sub-application is open to everybody unless it says otherwise.
app = FastAPI(
    title="HalluVault",
    dependencies=[Depends(requires_access_view(AccessView.PLUGINS))],
    docs_url=None,
    redoc_url=None,
    openapi_url=None,
)


@app.exception_handler(RequestValidationError)
def unreadable(_: Request, error: RequestValidationError) -> HTMLResponse:
    """A parameter that cannot be meant: a page that names it, as for every other failure."""
    named = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in error.errors())
    return _answer(page.message("This address cannot be read", named, "follow the page's own links"), 400)


Snapshot = Annotated[str, Query(max_length=20, pattern=TEXT)]
Profile = Annotated[str, Query(max_length=100, pattern=TEXT)]
Name = Annotated[str, Query(max_length=200, pattern=TEXT)]


def _filter(  # noqa: PLR0913 (FastAPI: its parameters are the address's)
    domain: Profile = "",
    rule: Profile = "",
    licence: Profile = "",
    model: Name = "",
    other: Name = "",
    search: Name = "",
    wrong: Annotated[str, Query(pattern="^1?$")] = "",
    after: Profile = "",
) -> page_cases.Filter:
    return page_cases.Filter(domain, rule, licence, model, other, search, bool(wrong), after)


def _page(make: Callable[[Session], str | None], missing: str = "") -> HTMLResponse:
    """A page, or one that says why there is none."""
    try:
        with _read_only() as session:
            html = make(session)
    except (UserError, DBAPIError) as error:
        return _explained(error)
    return _answer(page.message("No such case", missing), 404) if html is None else _answer(html)


@app.get("/", response_class=HTMLResponse)
def leaderboard(snapshot: Snapshot = "", profile: Profile = "", suite: Profile = "") -> HTMLResponse:
    """Who is best, rates of a month with intervals, the trend, and what belongs beside every rate."""
    return _page(lambda session: page.leaderboard(session, snapshot, profile, suite))


@app.get("/where", response_class=HTMLResponse)
def where(snapshot: Snapshot = "", profile: Profile = "", suite: Profile = "", model: Name = "") -> HTMLResponse:
    """Where models err."""
    return _page(lambda session: page.where(session, snapshot, profile, suite, model))


@app.get("/compare", response_class=HTMLResponse)
def compare(snapshot: Snapshot = "", profile: Profile = "", suite: Profile = "") -> HTMLResponse:
    """Every two models of a month, in words."""
    return _page(lambda session: page.compare(session, snapshot, profile, suite))


@app.get("/month", response_class=HTMLResponse)
def month(snapshot: Snapshot = "", profile: Profile = "", suite: Profile = "") -> HTMLResponse:
    """What changed, retired questions, lanes, incidents."""
    return _page(lambda session: page.month(session, snapshot, profile, suite))


@app.get("/suites", response_class=HTMLResponse)
def suites(snapshot: Snapshot = "", profile: Profile = "", suite: Profile = "") -> HTMLResponse:
    """The companion suites' own figures."""
    return _page(lambda session: page_suites.suites(session, snapshot, profile, suite))


@app.get("/cases", response_class=HTMLResponse)
def cases(
    only: Annotated[page_cases.Filter, Depends(_filter)],
    snapshot: Snapshot = "",
    profile: Profile = "",
    suite: Profile = "",
) -> HTMLResponse:
    """Questions of a month, filtered and searched."""
    return _page(lambda session: page_cases.cases(session, snapshot, profile, suite, only))


@app.get("/case", response_class=HTMLResponse)
def case(
    case_id: Annotated[str, Query(alias="id", max_length=64, pattern=TEXT)],
    only: Annotated[page_cases.Filter, Depends(_filter)],
    snapshot: Snapshot = "",
    profile: Profile = "",
    suite: Profile = "",
) -> HTMLResponse:
    """One case: question, gold, premises, proof, responses and verdicts."""
    return _page(
        lambda session: page_cases.case(session, case_id, snapshot, profile, suite, only),
        f"No benchmark has a case {case_id!r}.",
    )


class HalluVaultPlugin(AirflowPlugin):
    """Puts the page under Browse, in an iframe of Airflow's own frame, a link to it on `report`, and notes on runs."""

    name = "halluvault"
    fastapi_apps: ClassVar = [{"app": app, "url_prefix": "/halluvault", "name": "HalluVault"}]
    external_views: ClassVar = [
        {
            "name": "HalluVault",
            "href": "halluvault/",
            "destination": "nav",
            "url_route": "halluvault",
            "category": "browse",
        }
    ]
    # The DAG gives it to its task; here it is listed among what the plugin brings.
    operator_extra_links: ClassVar = [ResultsLink()]
    listeners: ClassVar = [notes]
