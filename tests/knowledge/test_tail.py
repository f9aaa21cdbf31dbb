"""Seeds that few know: bounded, drawn by number, alike from an endpoint and a dump, and there to stay."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import dump_pull, estimate, queries, snapshots, stages, tail
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains, Tail, load_domains
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from tests.knowledge.store import claim, labelled, serve, sitelinks

DAY = date(2026, 11, 20)
KNOWN = dict.fromkeys(range(1, 30), 40)
"""Item → its sitelinks: seeds anyway."""
CROWD = {10_000 + 7 * step: 1 + step % 9 for step in range(400)}
"""Members with 1 to 9, of whom 5 in 9 may be drawn."""
FEW = {qid for qid, links in CROWD.items() if links <= 5}


def people(limit: int = 30, **more: object) -> Domains:
    person = {
        "roots": [{"qid": "Q5"}],
        "sitelinks": 30,
        "properties": ["P19"],
        "tail": {"limit": limit, **more},
    }
    return Domains.model_validate({"common": [], "domains": {"people": person}})


def world(links: Mapping[int, int]) -> list[str]:
    lines = [claim(qid, 31, 5) + claim(qid, 19, 60) + labelled(qid, f"person {qid}") for qid in links]
    return lines + [sitelinks(qid, count) for qid, count in links.items()]


def seeds(session: Session, key: str) -> set[int]:
    of_month = (tables.entity.c.snapshot == key, tables.entity.c.seed)
    return set(session.scalars(select(tables.entity.c.qid).where(*of_month)))


def pull(session: Session, key: str, url: str, domains: Domains, source: str = "tail") -> snapshots.SnapshotRow:
    client = WikidataClient(url, sleep=lambda _: None)
    return stages.pull(session, key, client=client, domains=domains, source=source, as_of=DAY)


@given(st.integers(0, 99), st.lists(st.integers(1, 999_999), unique=True, max_size=60))
def test_an_ending_holds_those_who_come_first_in_the_draw(seed: int, qids: list[int]) -> None:
    longest, *others = tail.endings(seed)
    assert len(longest) == tail.LONGEST and all(longest.endswith(other) for other in others) and others[-1] == ""
    ordered = sorted(qids, key=lambda qid: tail.place(qid, seed))
    assert len({tail.place(qid, seed) for qid in qids}) == len(qids)
    for ending in (longest, *others):
        within = [qid for qid in qids if f"{qid:09d}".endswith(ending)]
        assert set(ordered[: len(within)]) == set(within)


def test_an_endpoint_and_a_dump_draw_the_same_up_to_the_limit(
    session: Session, faulty: Callable, tmp_path: Path
) -> None:
    lines, domains = world(KNOWN | CROWD), people(30)
    asked = pull(session, "2015-01", faulty(store=serve(lines)).url, domains)
    drawn = seeds(session, "2015-01") - set(KNOWN)
    assert len(drawn) == 30 and drawn <= FEW
    path = tmp_path / "crowd.nt"
    path.write_text("".join(lines), encoding="utf-8")
    read = dump_pull.pull(session, "2015-02", path=path, domains=domains, as_of=DAY)
    assert read.content_hash == asked.content_hash
    others = pull(session, "2015-03", faulty(store=serve(lines)).url, people(30, seed=2), "other").snapshot
    assert len(seeds(session, others) - set(KNOWN) - drawn) > 20
    everyone = pull(session, "2015-04", faulty(store=serve(lines)).url, people(5000), "everyone").snapshot
    assert seeds(session, everyone) == set(KNOWN) | FEW


def test_who_was_drawn_stays_whoever_comes_and_whatever_he_becomes(
    session: Session, faulty: Callable, tmp_path: Path
) -> None:
    pull(session, "2016-01", faulty(store=serve(world(KNOWN | CROWD))).url, people(30), "stay")
    drawn = sorted(seeds(session, "2016-01") - set(KNOWN))
    risen, famous, *same = drawn
    # Thrice as many again, one who is no longer of the few, one who is of the many, and one who has no page any more.
    gone = same.pop()
    newer = {10_001 + 2 * step: 1 for step in range(1200)}
    later = KNOWN | newer | CROWD | {risen: 8, famous: 60, gone: 0}
    pull(session, "2016-02", faulty(store=serve(world(later))).url, people(30), "stay")
    assert {risen, famous, *same} <= seeds(session, "2016-02")
    assert gone not in seeds(session, "2016-02")
    assert len(seeds(session, "2016-02") - set(KNOWN) - {famous}) == 30  # their places went to others
    path = tmp_path / "stay"
    path.write_text("".join(world(later)), encoding="utf-8")
    path = path.rename(tmp_path / "stay.nt")
    dump_pull.pull(session, "2016-03", path=path, domains=people(30), as_of=DAY, source="stay")
    assert seeds(session, "2016-03") == seeds(session, "2016-02")


def test_the_tail_of_a_class_too_large_for_the_service_is_asked_item_by_item(
    session: Session, faulty: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = tail.endings(1)[0]
    monkeypatch.setattr(tail, "LARGEST", 400_000)
    rare = {int(f"{step}{ending}"): 1 + step % 9 for step in range(1, 300)}
    lines = world(KNOWN | rare)
    parts = {queries.tail_seeds([5], "instance", (1, 5), part).text for part in tail.endings(1)}
    whole = pull(session, "2017-01", faulty(store=serve(lines)).url, people(50), "whole")
    client = faulty(lambda _, query: "heavy" if query in parts else None, store=serve(lines))
    part = pull(session, "2017-02", client.url, people(50), "part")
    assert part.content_hash == whole.content_hash
    assert len(seeds(session, "2017-02") - set(KNOWN)) == 50


def test_a_source_without_sitelinks_is_not_asked_for_a_tail(session: Session, faulty: Callable) -> None:
    lines = [claim(qid, 31, 5) + labelled(qid, f"person {qid}") for qid in (1, 2)]
    server = faulty(store=serve(lines))
    pull(session, "2018-01", server.url, people(30), "without")
    assert seeds(session, "2018-01") == {1, 2}
    assert not {queries.tail_seeds([5], "instance", (1, 5), part).text for part in tail.endings(1)} & set(
        server.queries
    )


def test_an_ending_is_digits_and_limits_are_in_order() -> None:
    with pytest.raises(ValueError, match="digits alone"):
        queries.tail_seeds([5], "instance", (1, 5), '7")) } #')
    for wrong in ((0, 5), (6, 5)):
        with pytest.raises(ValueError, match="give the fewest"):
            Tail(sitelinks=wrong, limit=9)


def test_the_plan_says_what_the_tail_costs(session: Session) -> None:
    domains = load_domains(REPOSITORY / "config" / "domains.yaml")
    steps = {step.step: step.requests for step in estimate.of(session, "2019-01", "planned tail", domains).steps}
    assert 0 < steps["tail"] < 1000
    bare = domains.model_copy(
        update={"domains": {name: one.model_copy(update={"tail": None}) for name, one in domains.domains.items()}}
    )
    without = {step.step: step.requests for step in estimate.of(session, "2019-01", "planned tail", bare).steps}
    assert without["tail"] == 0 and without["statements"] < steps["statements"]


def test_who_has_no_english_name_in_the_tail_does_not_stop_a_month(session: Session, faulty: Callable) -> None:
    nameless = [claim(qid, 31, 5) + sitelinks(qid, 1) for qid in range(100_000, 100_020)]
    pull(session, "2020-01", faulty(store=serve([*world(KNOWN), *nameless])).url, people(30), "nameless")
    figures = snapshots.notes(session, "2020-01")
    assert len(figures["complete"]["tail"]["people"]) == 20 and figures["gates"]["label_less"] == 0
