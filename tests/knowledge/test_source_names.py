"""What a source is called, so that its months are compared, and what is said when they are not."""

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import source_names, stages
from halluvault_tasks.storage import tables

DAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("wikidata-20261101-all.nt.gz", "wikidata-all"),
        ("wikidata-20261201-all.nt.gz", "wikidata-all"),
        ("wikidata-2026-11.ttl", "wikidata"),
        ("dump.2026.11.01.truthy.nt.bz2", "dump.truthy"),
        ("wikidata_202611_excerpt.nt", "wikidata_excerpt"),
        ("wikidata-merged.nt.gz", "wikidata-merged.nt.gz"),
        ("latest-all.nt.bz2", "latest-all.nt.bz2"),
        ("part-20269999.nt", "part-20269999.nt"),
        ("P2026.nt", "P2026.nt"),
    ],
)
def test_a_dump_is_named_without_its_date(session: Session, file: str, name: str) -> None:
    assert source_names.of_file(session, Path("/somewhere/2026-11") / file, "1850-11") == name


def test_a_file_that_is_named_by_a_date_alone_needs_a_name(session: Session) -> None:
    with pytest.raises(UserError, match=r"20261101\.nt\.gz is named by a date alone.* --name NAME"):
        source_names.of_file(session, Path("20261101.nt.gz"), "1850-11")


def test_a_month_that_was_pulled_under_the_whole_name_keeps_it(session: Session) -> None:
    stages.open_snapshot(session, "1851-11", source="dump-20261101.nt", as_of=DAY, live=False)
    assert source_names.of_file(session, Path("dump-20261101.nt"), "1851-11") == "dump-20261101.nt"
    assert source_names.of_file(session, Path("dump-20261101.nt"), "1851-12") == "dump"


@pytest.mark.parametrize("name", ["/data/wikidata.nt.gz", "data/wikidata", r"C:\\wikidata", "file:///data/wikidata.nt"])
def test_no_path_is_a_name(session: Session, name: str) -> None:
    with pytest.raises(UserError, match=r"is a path of this machine.*give a name that stays: wikidata"):
        stages.open_snapshot(session, "1852-11", source=name, as_of=DAY, live=False)


def test_a_month_of_another_source_than_the_earlier_ones_is_told(session: Session) -> None:
    assert "this is" not in source_names.alone(session, "1700-01", "anything"), "nothing is earlier"
    for month, source in (("1701-01", "first"), ("1701-02", "second")):
        stages.open_snapshot(session, month, source=source, as_of=DAY, live=False)
    session.execute(
        update(tables.snapshot).where(tables.snapshot.c.snapshot.in_(["1701-01", "1701-02"])).values(status="published")
    )
    try:
        told = "the earlier months come from first, second; this is third: compared with nothing"
        assert source_names.alone(session, "1701-03", "third") == told
        assert source_names.alone(session, "1701-03", "first") == ""
    finally:
        session.rollback()
