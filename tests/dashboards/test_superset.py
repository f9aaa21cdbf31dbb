"""Superset's dashboard: what its importer would refuse, and what its charts would not find; without Superset itself."""

from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import make_url
from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.results.columns import COLUMNS
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles

BUNDLE = REPOSITORY / "dashboards" / "superset"


def loaded(folder: str) -> dict[Path, dict[str, Any]]:
    return {path: yaml.safe_load(path.read_text()) for path in sorted((BUNDLE / folder).rglob("*.yaml"))}


def test_the_database_is_the_reader_with_no_password_and_no_mask_that_an_importer_would_ask_to_replace() -> None:
    (database,) = loaded("databases").values()
    url = make_url(database["sqlalchemy_uri"])
    assert (url.username, url.password) == (roles.READER, None)


def test_every_dataset_is_a_view_and_has_no_column_that_the_view_lacks_or_explains_otherwise(session: Session) -> None:
    views.install(session)
    columns = {(one.view, one.name) for one in views.columns(session)}
    session.rollback()
    (database,) = loaded("databases").values()
    for path, dataset in loaded("datasets").items():
        assert dataset["database_uuid"] == database["uuid"], path.name
        for column in dataset["columns"]:
            assert (f"{dataset['schema']}.{dataset['table_name']}", column["column_name"]) in columns, path.name
            assert column["description"] == COLUMNS[column["column_name"]], (path.name, column["column_name"])


def test_every_chart_has_its_dataset_and_the_dashboard_its_charts() -> None:
    datasets = {one["uuid"] for one in loaded("datasets").values()}
    charts = loaded("charts")
    assert {chart["dataset_uuid"] for chart in charts.values()} <= datasets
    (dashboard,) = loaded("dashboards").values()
    shown = {
        one["meta"]["uuid"]
        for one in dashboard["position"].values()
        if isinstance(one, dict) and one.get("type") == "CHART"
    }
    assert shown == {chart["uuid"] for chart in charts.values()}


def test_the_filter_by_an_oracle_of_yes_and_no_leaves_out_what_is_judged_by_another() -> None:
    """A suite with a judge of its own has other profiles: filtered by the headline's its chart would be empty."""
    own = {one["uuid"] for one in loaded("datasets").values() if one["table_name"] == "open_answers"}
    charts = {chart["uuid"] for chart in loaded("charts").values() if chart["dataset_uuid"] in own}
    (dashboard,) = loaded("dashboards").values()
    shown = [one["meta"] for one in dashboard["position"].values() if isinstance(one, dict) and "chartId" in str(one)]
    ids = {meta["chartId"] for meta in shown if meta.get("uuid") in charts}
    filters = dashboard["metadata"]["native_filter_configuration"]
    [profile] = [one for one in filters if one["targets"][0]["column"]["name"] == "profile"]
    assert ids
    assert ids <= set(profile["scope"]["excluded"])
