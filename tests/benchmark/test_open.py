"""Open questions: what is asked has one answer, which the question does not hold, and a proof prints it."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.export.formats import export
from halluvault_tasks.benchmark.export.reading import CaseView
from halluvault_tasks.benchmark.freeze import changes, part_lookup
from halluvault_tasks.benchmark.prompts import store
from halluvault_tasks.benchmark.prompts.variants import parse
from halluvault_tasks.benchmark.suites.open import blind, choosing
from halluvault_tasks.benchmark.suites.open.choosing import Ceilings
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft
from halluvault_tasks.benchmark.suites.open.fact import OpenFact, WantedItem, WantedNames, WantedNumber
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import conversation
from halluvault_tasks.reasoning.sole_holders import CertainTerm, Seat
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.partitions import drop_partitions
from halluvault_tasks.wikidata.calendars import plain_day
from halluvault_tasks.wikidata.days import civil, day_number

DICKENS, VERMEER = 2001, 2002
LONDON, MUNICH = 1022, 1023


def add(session: Session, month: str, s: int, p: int, **value: Any) -> None:
    """A further statement of a month; with `o`, `earliest` and the like, or `hedged`."""
    last = session.scalar(select(func.max(tables.statement.c.sid)).where(tables.statement.c.snapshot == month)) or 0
    kind = "item" if "o" in value else "time"
    session.execute(
        insert(tables.statement).values(
            snapshot=month, sid=last + 1, guid=f"Q{s}-further-{last}", s=s, p=p, kind=kind,
            **{"rank": "normal", "hedged": False, "unknown_qualifiers": [], "absent_qualifiers": [], **value},
        )
    )  # fmt: skip
    session.commit()


def on(year: int, month: int, day: int) -> dict[str, int]:
    """A day as a value."""
    number = day_number(year, month, day)
    return {"earliest": number, "latest": number, "precision": 11}


@pytest.fixture
def written(session: Session, write: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """The small world under a key, of which nothing stays: what any month states counts in all of them."""
    months: list[str] = []

    def put(month: str) -> None:
        months.append(month)
        write(month)

    yield put
    for month in months:
        drop_partitions(session, month)
    session.commit()


@pytest.fixture
def built(
    session: Session, written: Callable[[str], None], derive: Callable[[str], None], config_dir: Path
) -> Callable[..., list[CaseView]]:
    """The open questions of the small world under a key, with what is added to it before it is derived."""

    def build(month: str, *more: Callable[[str], None]) -> list[CaseView]:
        written(month)
        for change in more:
            change(month)
        derive(month)
        stages.build(session, month, config_dir=config_dir, size="all", only=["open"])
        return list(reading.every(session, month, ["open"]))

    return build


def fact(case: CaseView) -> OpenFact:
    """What a case is about, checked against the interface."""
    return OpenFact.model_validate(case.fact)


def about(cases: Iterable[CaseView], relation: str) -> dict[str, str]:
    """Question → answer of what rests on a relation."""
    return {case.question: case.gold for case in cases if case.fact["relation"] == relation}


def test_every_slot_that_is_asked_about_has_one_value_at_any_rank_in_any_month_and_its_proof_prints_it(
    session: Session, built: Callable[..., list[CaseView]], replayed: Callable[[str], str]
) -> None:
    cases = built("2058-01")
    assert {case.rule_kind for case in cases} >= {"direct", "composite"}
    assert {fact(case).asks for case in cases} >= {"who", "where", "which year", "which city"}
    several = text("SELECT count(DISTINCT (o, earliest, latest, amount)) FROM statement WHERE s = :s AND p = :p")
    columns = ("property", "subject", "object")
    rows = session.execute(
        select(tables.benchmark_case.c.case_id, *(tables.benchmark_case.c[name] for name in columns)).where(
            tables.benchmark_case.c.snapshot == "2058-01"
        )
    ).all()
    ends = {row.case_id: row for row in rows}
    for case in cases:
        if case.fact["relation"] != "P569/P570" and "P17" not in case.fact["relation"]:
            slot = {"s": ends[case.id].subject, "p": ends[case.id].property}
            assert session.scalar(several, slot) == 1, case.question
        assert replayed(case.proof) == case.gold, case.question
        assert len(case.question.split()) <= 25
        wanted = fact(case).wanted
        names = [name for item in wanted.items for name in item.names] if isinstance(wanted, WantedNames) else []
        assert not any(re.search(rf"\b{re.escape(name)}\b", case.question) for name in names), case.question


@pytest.mark.parametrize(
    ("what", "relation", "spoilt"),
    [
        ({"s": DICKENS, "p": 19, "o": LONDON}, "P19", "Charles Dickens"),
        ({"s": DICKENS, "p": 19, "o": LONDON, "rank": "preferred"}, "P19", "Charles Dickens"),
        ({"s": DICKENS, "p": 19, "o": LONDON, "hedged": True}, "P19", "Charles Dickens"),
        ({"s": DICKENS, "p": 569, **on(1813, 6, 1)}, "P569", "Charles Dickens"),
    ],
)
def test_a_second_value_at_any_rank_leaves_nothing_to_ask(
    session: Session, built: Callable[..., list[CaseView]], what: dict[str, Any], relation: str, spoilt: str
) -> None:
    before, after = (
        about(built("2058-02", *more), relation) for more in ((), (lambda month: add(session, month, **what),))
    )
    gone = set(before) - set(after)
    assert gone, before
    assert all(spoilt in question for question in gone), gone


def test_a_deprecated_value_and_a_value_of_another_month_count_as_well(
    session: Session, built: Callable[..., list[CaseView]], written: Callable[[str], None]
) -> None:
    def deprecate(month: str) -> None:
        session.execute(
            insert(tables.deprecated_value).values(snapshot=month, guid="Q2002-old", s=VERMEER, p=19, o=LONDON)
        )
        session.commit()

    written("2057-12")
    session.execute(
        update(tables.statement)
        .where(tables.statement.c.snapshot == "2057-12", tables.statement.c.s == DICKENS, tables.statement.c.p == 19)
        .values(o=MUNICH)
    )
    session.commit()
    asked = about(built("2058-03", deprecate), "P19")
    assert asked
    assert not any("Dickens" in question or "Vermeer" in question for question in asked)


def test_a_day_is_asked_where_it_is_undisputed_and_else_the_year(
    session: Session, built: Callable[..., list[CaseView]]
) -> None:
    def date_lives(month: str) -> None:
        for s, day in ((2013, (1951, 6, 3)), (2005, (1970, 1, 1)), (2006, (1972, 4, 8))):
            where = (tables.statement.c.snapshot == month, tables.statement.c.s == s, tables.statement.c.p == 569)
            session.execute(update(tables.statement).where(*where).values(**on(*day)))
        session.commit()

    cases = built("2058-04", date_lives)
    asked = about(cases, "P569")
    days = {question: gold for question, gold in asked.items() if question.startswith("On what date")}
    assert set(days.values()) <= {"3 June 1951", "8 April 1972"}
    assert days or "1951" in asked.values()
    assert not any("Carl" in question for question in days), "a stated 1 January may be any day of its year"
    for case in cases:
        wanted = fact(case).wanted
        if not isinstance(wanted, WantedNames | WantedNumber) and case.gold in ("3 June 1951", "8 April 1972"):
            assert (wanted.precision, wanted.earliest) == (11, wanted.latest)


def test_a_question_stays_while_its_fact_does_and_a_changed_fact_is_another_case(
    session: Session, built: Callable[..., list[CaseView]]
) -> None:
    first = built("2059-01")
    part_lookup.publish(session, "2059-01", ["open"])
    session.commit()

    def move(month: str) -> None:
        where = (tables.statement.c.snapshot == month, tables.statement.c.s == 2011, tables.statement.c.p == 19)
        session.execute(update(tables.statement).where(*where).values(o=LONDON))
        session.commit()

    second = built("2059-02", move)
    stays = {case.id for case in first} & {case.id for case in second}
    lost = [case.question for case in first if case.id not in stays]
    assert stays
    assert all("Jane Director" in question or "birthplace" in question for question in lost), lost
    change = tables.benchmark_change.c
    reasons = set(
        session.scalars(select(change.reason).where(change.snapshot == "2059-02", change.change == "retired"))
    )
    assert reasons <= changes.IN_THE_SOURCE


def test_a_prompt_asks_for_the_form_that_its_case_wants(session: Session, built: Callable[..., list[CaseView]]) -> None:
    cases = {case.id: case for case in built("2058-06")}
    for name, turns in (("open/two-turn", 2), ("open/confidence", 3)):
        variant = parse(name)
        assert store.add(session, "2058-06", variant).there == len(cases)
        for case_id, prompt in session.execute(
            select(tables.prompt.c.case_id, tables.prompt.c.text).where(
                tables.prompt.c.snapshot == "2058-06", tables.prompt.c.variant_id == variant.id
            )
        ):
            asked = [turn for turn in conversation.turns_of(prompt) if turn.role == "user"]
            guide = fact(cases[case_id]).wanted.guide
            assert [turn.guide for turn in asked] == ["free", guide, "confidence"][:turns]
            assert cases[case_id].question in (asked[0].content or "")
            assert f"Answer with the {guide} alone" in (asked[1].content or "")
    assert {fact(case).wanted.guide for case in cases.values()} == {"name", "date", "number"}


def test_a_month_whose_answers_can_be_guessed_is_refused(
    session: Session, make_world: Callable[..., str], config_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = shutil.copytree(config_dir, tmp_path / "config")
    quotas = yaml.safe_load((own / "benchmark.yaml").read_text(encoding="utf-8"))
    quotas["guess_limit"], quotas["sizes"]["all"]["blind_ends"] = 0.05, True
    (own / "benchmark.yaml").write_text(yaml.safe_dump(quotas), encoding="utf-8")
    monkeypatch.setitem(blind.RULES, blind.FIRST_NAMED, lambda drafts: [True] * len(drafts))  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"gives its answers away: the blind rule 'first named' is right in 100.0 %"):
        stages.build(session, make_world("2058-07"), config_dir=own, size="all", only=["open"])


def test_a_part_is_exported_as_data(session: Session, built: Callable[..., list[CaseView]], tmp_path: Path) -> None:
    cases = built("2058-09")
    written = export(session, "2058-09", "jsonl", tmp_path / "data", REPOSITORY / "prolog_rules", ["open"])
    rows = [json.loads(line) for line in (written.folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["answer"] for row in rows} == {case.gold for case in cases}
    assert f"{len(cases)} questions in" in (written.folder / "README.md").read_text(encoding="utf-8")


def draft(number: int, gold: str, way: str, domain: str, kind: str) -> OpenDraft:
    """A question about an item of this number."""
    return OpenDraft(
        domain=domain, kind=kind, asks="who", way=way, identity=(way, number), question=f"Who is {number} of {way}?",
        gold=gold, wanted=WantedNames(items=(WantedItem(qid=1, names=(gold,)),)), pid=1, subject=number, object=None,
        named=(number,), rests=frozenset(), sids=(number,), told="", premises=(), facts=(),
    )  # fmt: skip


DRAFTS = st.lists(
    st.builds(
        draft, st.integers(1, 60), st.sampled_from("ABCDE"), st.sampled_from(["x", "y", "z"]),
        st.sampled_from(["people", "culture"]), st.sampled_from(["direct", "time"]),
    ),
    max_size=60,
)  # fmt: skip


@given(DRAFTS, st.integers(1, 40), st.randoms(use_true_random=False))
def test_what_is_chosen_keeps_the_ceilings_and_depends_on_no_order(
    drafts: list[OpenDraft], target: int, random: Any
) -> None:
    ceilings = Ceilings(answer=6, same=2, way=8, entity=2)
    chosen = choosing.choose(drafts, target, ceilings, (), 1)
    assert len(chosen) <= target
    assert len({one.group for one in chosen}) == len({one.question for one in chosen}) == len(chosen)
    for key, most in (
        (lambda one: one.gold, 6), (lambda one: (one.way, one.gold), 2), (lambda one: one.way, 8),
        (lambda one: one.subject, 2), (lambda one: one.sids, 1),
    ):  # fmt: skip
        keys = [key(one) for one in chosen]
        assert all(keys.count(each) <= most for each in keys)
    by_group = {one.group: one for one in drafts}
    shuffled = list(by_group.values())
    random.shuffle(shuffled)
    assert choosing.choose(shuffled, target, ceilings, (), 1) == choosing.choose(
        list(by_group.values()), target, ceilings, (), 1
    )


@given(DRAFTS, st.integers(1, 40))
def test_what_stood_is_chosen_first(drafts: list[OpenDraft], target: int) -> None:
    ceilings = Ceilings(answer=100, same=100, way=100, entity=100)
    before = choosing.choose(drafts[: len(drafts) // 2], target, ceilings, (), 1)
    after = choosing.choose(drafts, target, ceilings, {one.group for one in before}, 1)
    assert {one.group for one in before} <= {one.group for one in after}


TERMS = st.lists(
    st.builds(
        lambda holder, first, length: CertainTerm(holder, holder, first, first + length, False, True),
        st.integers(1, 4), st.integers(0, 400), st.integers(0, 300),
    ),
    max_size=5,
)  # fmt: skip


@given(TERMS, st.integers(0, 700))
def test_a_holder_is_told_where_one_term_alone_holds_the_day_far_from_its_ends(
    terms: list[CertainTerm], day: int
) -> None:
    held = [term for term in terms if term.first <= day <= term.last]
    alone = held[0] if len(held) == 1 and min(day - held[0].first, held[0].last - day) >= 31 else None
    assert Seat(39, 1, terms).holder(day, day) is alone


@given(st.integers(day_number(1000), day_number(2030)), st.booleans(), st.sets(st.sampled_from([30, 142, 159])))
def test_a_day_is_plain_where_everybody_counts_it_alike(day: int, julian: bool, countries: set[int]) -> None:
    plain, date = plain_day(day, julian, countries), civil(day)
    if date.year > 1923 and not julian:
        assert plain == ((date.month, date.day) != (1, 1))
    if 1582 < date.year <= 1752:
        assert not plain
    if plain and 1752 < date.year <= 1922:
        assert not julian
        assert countries
        assert 159 not in countries, "Russia counted otherwise"


def test_facts_are_stored_as_the_interface_has_them(built: Callable[..., list[CaseView]]) -> None:
    for case in built("2058-08"):
        assert fact(case).model_dump(mode="json") == json.loads(json.dumps(case.fact))
        assert fact(case).licence == case.licence
        assert (case.mutation, case.relation) == ("original", "same")
