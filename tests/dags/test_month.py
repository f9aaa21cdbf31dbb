"""The month of a run comes from one rule, and from nowhere else."""

from datetime import UTC, datetime

import pytest
from halluvault_airflow import month

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata.snapshot_keys import parse_key

OCTOBER, NOVEMBER = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)


def test_the_parameter_wins_over_the_partition_and_the_interval() -> None:
    assert month.resolve({"snapshot": "2026-08.2"}, "2026-09", OCTOBER, NOVEMBER) == "2026-08.2"


def test_the_partition_key_wins_over_the_interval() -> None:
    assert month.resolve({"snapshot": ""}, "2026-09", OCTOBER, NOVEMBER) == "2026-09"


def test_the_interval_names_the_month_it_starts_in() -> None:
    assert month.resolve({}, None, OCTOBER, NOVEMBER) == "2026-10"


def test_an_empty_interval_names_no_month() -> None:
    with pytest.raises(UserError):
        month.resolve({}, None, NOVEMBER, NOVEMBER)


def test_without_a_month_the_error_names_all_three_places() -> None:
    with pytest.raises(UserError) as caught:
        month.of_context({"params": {"snapshot": None}})
    for word in ("params.snapshot", "partition key", "data interval", "YYYY-MM"):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "key", ["2026-13", "2026-1", "2026-10.0", "26-10", "2026-10-01", "2026 -10", " ", "x' OR 1", 202610]
)
def test_what_is_no_month_is_refused_and_quoted(key: object) -> None:
    with pytest.raises(UserError, match="not a month") as caught:
        month.resolve({"snapshot": key}, None, None, None)
    assert repr(key) in str(caught.value)


@pytest.mark.parametrize("key", ["2026-10", " 2026-10", "2026-10.2\n"])
def test_blanks_around_a_month_are_dropped_wherever_it_stands_as_in_every_other_key(key: str) -> None:
    for found in (month.resolve({"snapshot": key}, None, None, None), month.resolve({}, key, None, None)):
        assert found == key.strip()
        assert parse_key(found) == parse_key(key)


def test_a_context_without_interval_keys_is_fine() -> None:
    assert month.of_context({"params": {}, "partition_key": "2026-10"}) == "2026-10"
