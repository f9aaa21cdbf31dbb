"""What answers to open questions amount to, each by a rule: right, less precise, wrong, unjudged, declined, unread."""

import json
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark.suites.open.fact import OpenFact, WantedDate, WantedNumber
from halluvault_tasks.cli import scoring
from halluvault_tasks.oracles import suites
from halluvault_tasks.oracles.replay_profile import ReasonedText
from halluvault_tasks.oracles.stages import score
from halluvault_tasks.oracles.suites import open as judge
from halluvault_tasks.oracles.suites import open_values
from halluvault_tasks.oracles.suites.open import OpenAnswer
from halluvault_tasks.oracles.suites.open_names import Snapshot
from halluvault_tasks.oracles.suites.open_outcome import AnswerStanding
from halluvault_tasks.reading.open_answer import known
from halluvault_tasks.reading.open_answer.known import KnownThings
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.results import suite_sheets
from halluvault_tasks.settings import settings as settings_of
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.times import julian_day_number
from tests.oracles.material import BORN, SNAPSHOT, fill

HUMAN, CITY, COUNTRY, UNIVERSITY, FILM, QUARTER = 5, 515, 6256, 3918, 11424, 123705
NAMES: dict[int, tuple[list[str], int]] = {
    1: (["Steven Spielberg"], HUMAN),
    2: (["George Lucas"], HUMAN),
    3: (["J. R. R. Tolkien", "John Ronald Reuel Tolkien"], HUMAN),
    4: (["Christopher Tolkien"], HUMAN),
    10: (["Turin", "Torino"], CITY),
    11: (["Milan"], CITY),
    12: (["Italy"], COUNTRY),
    13: (["France"], COUNTRY),
    14: (["Lingotto"], QUARTER),
    15: (["Paris"], CITY),
    16: (["Paris", "Paris, Texas"], CITY),
    17: (["Texas"], 35657),
    18: (["United States of America", "USA"], COUNTRY),
    20: (["Politecnico di Torino"], UNIVERSITY),
    21: (["University of Turin"], UNIVERSITY),
    22: (["University of Milan"], UNIVERSITY),
    30: (["Charles III"], HUMAN),
    31: (["Charles III of Spain"], HUMAN),
    40: (["Bosnia and Herzegovina"], COUNTRY),
    50: (["E.T. the Extra-Terrestrial", "E.T."], FILM),
    60: (["Mel Gibson"], HUMAN),
    61: (["Mel Gibson"], HUMAN),
}


def things() -> KnownThings:
    """A small world: Turin with its quarter, two towns called Paris, namesakes."""
    inside = {14: {10: 1}, 16: {17: 2}}
    countries = {10: {12: 3}, 11: {12: 4}, 15: {13: 5}, 16: {18: 6}, 17: {18: 7}, 20: {12: 8}}
    up: dict[int, set[int]] = {}
    for several in (inside, countries):
        for low, highs in several.items():
            up.setdefault(low, set()).update(highs)
    places = Containment(
        types={qid: frozenset({kind}) for qid, (_, kind) in NAMES.items()},
        up={low: frozenset(highs) for low, highs in up.items()},
        inside=inside,
        countries=countries,
        settled=frozenset({10, 11, 15, 16}),
    )
    rows = [
        SimpleNamespace(qid=qid, label=names[0], aliases=names[1:], types=[kind], description=None)
        for qid, (names, kind) in NAMES.items()
    ]
    return known.of_rows(rows, places)  # type: ignore[arg-type]


WORLD = things()
AUTHORS = frozenset({3, 4})


def snapshot(places: bool = False) -> Snapshot:
    def fill(items: Iterable[int]) -> frozenset[int]:
        return frozenset(items) & AUTHORS

    return Snapshot(lambda: WORLD, fill, places)


def fact(wanted: Mapping[str, Any], relation: str = "P57") -> OpenFact:
    return OpenFact.model_validate({
        "asks": "who", "wanted": wanted, "licence": "proved", "relation": relation, "hops": 1, "difficulty": {},
        "told": "",
    })  # fmt: skip


def names(*qids: int) -> dict[str, Any]:
    return {"guide": "name", "items": [{"qid": qid, "names": NAMES[qid][0]} for qid in qids]}


def told(reply: str, *qids: int, question: str = "Who directed Jaws?", places: bool = False) -> tuple[str | None, str]:
    """Sub-label and rule."""
    found = judge.verdict_of(fact(names(*qids)), question, OpenAnswer(reply), snapshot(places))
    assert found["correct"] == {"right": True, "less precise": True, "wrong": False}.get(found["sub_label"])
    return found["sub_label"], found["detail"]["via"]


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Steven Spielberg", "right"),
        ("steven spielberg.", "right"),
        ("**Steven Spielberg**", "right"),
        ("Spielberg, Steven", "right"),
        ("Steven Allan Spielberg", "right"),
        ("Sir Steven Spielberg", "right"),
        ("Spielberg", "right"),
        ("It was directed by Steven Spielberg.", "right"),
        ("Steven Spielberg directed it, as far as I know.", "right"),
        ("Steven Spielberg (born 1946)", "right"),
        ("Steven Spielberg, an American director", "right"),
        ("Steven Spielberg, US film director", "right"),
        ("I think the answer is Steven Spielberg, but I am not completely sure.", "right"),
        ("Steven Spielberg – American director", "right"),
        ("Steven Spielberg\n\nHe is best known for E.T. and other films.", "right"),
        ("Стивен Спилберг", "right"),
        ("I'm not sure, but I think Steven Spielberg", "right"),
        ("It was directed by the American filmmaker Steven Spielberg.", "right"),
        ("It was directed by the American filmmaker George Lucas.", "wrong"),
        ("I'm sorry, but I can't", "abstained"),
        ("As an AI language model, I don't have", "abstained"),
        ("George Lucas", "wrong"),
        ("It was directed by George Lucas.", "wrong"),
        ("Steven Spielberg or George Lucas", "wrong"),
        ("Steven Spielberg; George Lucas", "wrong"),
        ("Steven Spielberg, George Lucas", "wrong"),
        ("1. George Lucas\n2. Steven Spielberg", "wrong"),
        ("Zebulon Quackenbush", "wrong"),
        ("Steven Spielberg did not direct it, George Lucas did", "unjudged"),
        ("Quackenbush", "unjudged"),
        ("Anne Spielberg", "unjudged"),
        ("黒澤明", "unjudged"),
        ("a famous man", "unjudged"),
        ("don't know", "abstained"),
        ("I cannot answer that question.", "abstained"),
        ("Who directed Jaws?", "question repeated"),
    ],
)
def test_a_person_is_named_in_many_ways(reply: str, label: str) -> None:
    assert told(reply, 1)[0] == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Turin", "right"),
        ("Torino", "right"),
        ("Turin, Italy", "right"),
        ("Turin (Torino), Italy", "right"),
        ("He was born in Turin, Italy.", "right"),
        ("City of Turin", "right"),
        ("Lingotto", "right"),
        ("Lingotto, Turin", "right"),
        ("Borgo Nuovissimo, Turin", "right"),
        ("Italy", "less precise"),
        ("Somewhere in Italy", "less precise"),
        ("Milan", "wrong"),
        ("Milan, Italy", "wrong"),
        ("He was born in Milan, Italy.", "wrong"),
        ("It was somewhere in the north of Italy.", "less precise"),
        ("Turin or Milan", "wrong"),
        ("France", "wrong"),
        ("Paris", "wrong"),
        ("Borgo Nuovissimo", "unjudged"),
        ("Borgo Nuovissimo, France", "wrong"),
        ("Borgo Nuovissimo, Italy", "unjudged"),
    ],
)
def test_a_place_may_be_named_by_what_it_lies_in_or_by_what_lies_in_it(reply: str, label: str) -> None:
    assert told(reply, 10, question="Where was Primo Levi born?", places=True)[0] == label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Turin (or Milan)", "wrong"),
        ("Milan (or Turin)", "wrong"),
        ("Turin [possibly Milan]", "wrong"),
        ("Turin – or perhaps Milan", "wrong"),
        ("Turin (Milan)", "unjudged"),
        ("Milan (Turin)", "unjudged"),
        ("Turin (or simply Torino)", "right"),
        ("Torino (Turin)", "right"),
        ("Turin (maybe)", "right"),
        ("Turin (probably in Italy)", "right"),
        ("Turin (Italy)", "right"),
        ("Augusta Taurinorum (Turin)", "right"),
    ],
)
def test_a_second_guess_in_brackets_is_a_guess_and_another_name_there_is_one(reply: str, label: str) -> None:
    assert told(reply, 10, question="Where was Primo Levi born?", places=True)[0] == label


def test_a_name_of_two_is_right_if_one_is_wanted_and_nothing_tells_them_apart() -> None:
    asked = "Where was he born?"
    assert told("Paris", 15, question=asked, places=True)[0] == "right"
    assert told("Paris, France", 15, question=asked, places=True)[0] == "right"
    assert told("Paris, Texas", 15, question=asked, places=True)[0] != "right"
    assert told("Paris", 16, question=asked, places=True)[0] == "right"
    assert told("Mel Gibson", 60)[0] == "right"


def test_a_surname_is_right_where_only_one_who_may_fill_the_slot_bears_it() -> None:
    assert told("Spielberg", 1) == ("right", "surname")
    assert told("Tolkien", 3) == ("unjudged", "a surname of several")


def test_a_ruler_is_named_without_the_realm_and_a_site_without_what_the_question_calls_it() -> None:
    assert told("Charles III", 31) == ("right", "short form")
    assert told("King Charles III", 31)[0] == told("Charles III, King of Spain", 31)[0] == "right"
    assert told("Charles III of Spain", 30)[0] != "right"
    assert told("Charles II", 31)[0] == told("Charles IV of Spain", 31)[0] == "wrong"
    school = "At which university was she educated?"
    assert told("Turin", 21, question=school) == ("right", "short form")
    assert told("Turin", 21, question="Where was she educated?")[0] == "unjudged"


def test_a_first_name_in_common_is_not_another_persons_name() -> None:
    assert told("Steven Quackenbush", 1)[0] == "unjudged"
    assert told("Georgina Quackenbush", 1)[0] == "wrong"
    assert told("Steven Spielberg Jr.", 1) == ("right", "spelling")


def test_to_say_again_what_the_question_names_answers_nothing() -> None:
    asked = "Which present-day country has Turin as its capital?"
    assert told("Turin", 12, question=asked, places=True) == ("unjudged", "what the question names")
    assert told("Turin, of all towns, is the capital of France.", 12, question=asked, places=True)[0] == "wrong"
    assert told("Turin, of all towns, is the capital of Italy.", 12, question=asked, places=True)[0] == "right"
    assert told("Milan", 12, question=asked, places=True)[0] == "right"


def test_one_of_those_that_a_question_offers_is_named_in_a_sentence() -> None:
    asked = "Which of these came first: Turin or Milan?"
    assert told("Turin came first.", 10, question=asked)[0] == "right"
    assert told("Milan came first.", 10, question=asked)[0] == "wrong"


def test_an_institution_in_another_language_is_right_and_its_neighbours_are_wrong() -> None:
    asked = "At which school was he educated?"
    assert told("Polytechnic University of Turin", 20, question=asked) == ("right", "form")
    assert told("Politecnico di Torino, Turin, Italy", 20, question=asked)[0] == "right"
    assert told("University of Milan", 21, question=asked)[0] == "wrong"
    assert told("University of Turin", 20, question=asked)[0] != "right"
    assert told("Some School (Torino College), Italy", 20, question=asked)[0] == "unjudged"
    assert told("Some Polytechnic", 20, question=asked)[0] == "unjudged"


def test_all_of_a_complete_list_are_wanted_and_none_besides() -> None:
    assert told("Steven Spielberg; George Lucas", 1, 2)[0] == "right"
    assert told("George Lucas and Steven Spielberg", 1, 2)[0] == "right"
    assert told("- Steven Spielberg\n- George Lucas", 1, 2)[0] == "right"
    assert told("Steven Spielberg", 1, 2) == ("wrong", "incomplete")
    assert told("Steven Spielberg, George Lucas, Mel Gibson", 1, 2) == ("wrong", "by number")
    assert told("Steven Spielberg, George Lucas, and Mel Gibson", 1, 2, 60)[0] == "right"
    assert told("Bosnia and Herzegovina; Italy", 12, 40)[0] == "right"


@pytest.mark.parametrize(
    "reply",
    [
        "; ".join(f"Bob{chr(97 + n % 26)} Smith{chr(97 + n // 26)}son" for n in range(200)),
        ", ".join([*(f"Bob{chr(97 + n % 26)} Smith{chr(97 + n // 26)}son" for n in range(199)), "Steven Spielberg"]),
        "\n".join(f"{n}. Name{n} Surname{n}" for n in range(200)),
    ],
)
def test_two_hundred_names_are_wrong_by_number(reply: str) -> None:
    assert told(reply, 1)[0] == "wrong"


@pytest.mark.parametrize(
    "reply", ["Turin " * 1400, "Turin, " * 1100, "A" * 8000, "A; " * 2600, "(" * 8000, "I " * 4000]
)
def test_long_replies_have_a_verdict(reply: str) -> None:
    assert told(reply, 1)[0] in {"unjudged", "wrong", None}


@pytest.mark.parametrize("reply", ["", "...", "<think>Steven Spielberg</think>", "🇮🇹", "<|im_end|>"])
def test_what_says_nothing_is_no_answer(reply: str) -> None:
    found = judge.verdict_of(
        fact(names(1)), "Who directed Jaws?", OpenAnswer("" if "think" in reply else reply), snapshot()
    )
    assert (found["answer"], found["category"], found["correct"]) == ("unparseable", "unparseable", None)


@given(st.text(max_size=400))
@settings(max_examples=100)
def test_any_text_has_a_verdict(reply: str) -> None:
    for qids in ((1,), (10,), (1, 2)):
        found = judge.verdict_of(fact(names(*qids)), "Who directed Jaws?", OpenAnswer(reply), snapshot(qids == (10,)))
        assert found["category"] in {"normal", "unattributed", "review", "unparseable"}
        assert found["sub_label"] != "right" or found["correct"]
        json.dumps(found["detail"])


# ------------------------------------------------------------------ dates and numbers


def day(year: int, month: int, day_: int, julian: bool = False) -> WantedDate:
    number = (julian_day_number if julian else day_number)(year, month, day_)
    return WantedDate(earliest=number, latest=number, precision=11, julian=julian)


def dated(reply: str, wanted: WantedDate, question: str = "On which day was he born?") -> AnswerStanding:
    return open_values.date(reply, question, wanted).standing


EINSTEIN = day(1879, 3, 14)


@pytest.mark.parametrize(
    ("reply", "standing"),
    [
        ("14 March 1879", AnswerStanding.RIGHT),
        ("March 14, 1879", AnswerStanding.RIGHT),
        ("14/03/1879", AnswerStanding.RIGHT),
        ("He was born on 14 March 1879.", AnswerStanding.RIGHT),
        ("March 1879", AnswerStanding.LESS_PRECISE),
        ("1879", AnswerStanding.LESS_PRECISE),
        ("the 1870s", AnswerStanding.LESS_PRECISE),
        ("19th century", AnswerStanding.LESS_PRECISE),
        ("c. 1880", AnswerStanding.LESS_PRECISE),
        ("14 March", AnswerStanding.LESS_PRECISE),
        ("15 March 1879", AnswerStanding.UNJUDGED),
        ("2 March 1879", AnswerStanding.UNJUDGED),
        ("before 1900", AnswerStanding.UNJUDGED),
        ("in his youth", AnswerStanding.UNJUDGED),
        ("16 March 1879", AnswerStanding.WRONG),
        ("14 March 1880", AnswerStanding.WRONG),
        ("1881", AnswerStanding.WRONG),
        ("18th century", AnswerStanding.WRONG),
        ("c. 1920", AnswerStanding.WRONG),
        ("14 March 1879 or 14 March 1880", AnswerStanding.WRONG),
        ("30 February 1879", AnswerStanding.WRONG),
        ("15 April", AnswerStanding.WRONG),
    ],
)
def test_a_date_is_right_at_its_precision_and_wrong_outside_it(reply: str, standing: AnswerStanding) -> None:
    assert dated(reply, EINSTEIN) is standing


def test_a_date_of_digits_is_right_if_one_of_its_readings_is() -> None:
    assert dated("03/04/1900", day(1900, 4, 3)) is dated("03/04/1900", day(1900, 3, 4)) is AnswerStanding.RIGHT
    assert dated("03/04/1900", day(1900, 5, 3)) is AnswerStanding.WRONG


def test_a_day_printed_in_the_julian_calendar_is_right_in_either() -> None:
    wanted = day(1828, 8, 28, julian=True)
    assert dated("28 August 1828", wanted) is dated("9 September 1828", wanted) is AnswerStanding.RIGHT
    assert dated("1 September 1828", wanted) is AnswerStanding.WRONG
    # One that is printed in the other is not shown to be wrong in the Julian one.
    assert dated("28 August 1828", day(1828, 9, 9)) is AnswerStanding.UNJUDGED


def test_of_a_known_day_the_year_or_month_alone_is_right_where_it_is_asked_for() -> None:
    asked = "In which year was Mimas discovered?"
    year = WantedDate(earliest=day_number(1789, 9, 17), latest=day_number(1789, 9, 17), precision=9)
    assert dated("1789", year, asked) is dated("17 September 1789", year, asked) is AnswerStanding.RIGHT
    assert dated("1790", year, asked) is AnswerStanding.WRONG
    assert dated("the 1780s", year, asked) is AnswerStanding.LESS_PRECISE
    month = year.model_copy(update={"precision": 10})
    assert dated("September 1789", month, asked) is AnswerStanding.RIGHT
    assert dated("1789", month, asked) is AnswerStanding.LESS_PRECISE


def test_years_before_christ_and_months_and_a_year_that_the_question_gives() -> None:
    caesar = day(-43, 3, 15, julian=True)
    assert dated("15 March 44 BC", caesar) is AnswerStanding.RIGHT
    assert dated("44 BC", caesar) is AnswerStanding.LESS_PRECISE
    assert dated("44", caesar) is AnswerStanding.WRONG
    month = WantedDate(earliest=day_number(1912, 4), latest=day_number(1912, 5) - 1, precision=10)
    assert dated("15 April 1912", month) is AnswerStanding.RIGHT
    assert dated("April", month, "In which month of 1912 did it sink?") is AnswerStanding.RIGHT
    assert dated("April", month) is AnswerStanding.LESS_PRECISE
    assert dated("May", month, "In which month of 1912 did it sink?") is AnswerStanding.WRONG


@pytest.mark.parametrize(
    ("reply", "standing"),
    [
        ("12", AnswerStanding.RIGHT),
        ("twelve", AnswerStanding.RIGHT),
        ("12 years", AnswerStanding.RIGHT),
        ("13", AnswerStanding.RIGHT),
        ("12 years and 3 months", AnswerStanding.RIGHT),
        ("about 12", AnswerStanding.LESS_PRECISE),
        ("between 10 and 15", AnswerStanding.LESS_PRECISE),
        ("between 20 and 25", AnswerStanding.WRONG),
        ("14", AnswerStanding.WRONG),
        ("12 or 40", AnswerStanding.WRONG),
        ("at least 3", AnswerStanding.UNJUDGED),
        ("12.5", AnswerStanding.UNJUDGED),
        ("many", AnswerStanding.UNJUDGED),
    ],
)
def test_a_number_is_right_within_what_the_statements_leave_open(reply: str, standing: AnswerStanding) -> None:
    assert open_values.number(reply, WantedNumber(low=12, high=13)).standing is standing


# ------------------------------------------------------------------ as responses come


def placed(session: Session) -> None:
    """The case `o1` of the suite, in place of all others."""
    fill(session, [("c1", "")])
    part = {"snapshot": SNAPSHOT, "suite": "open"}
    frozen = {"seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}, "published": True}
    session.execute(upsert(tables.benchmark_part).on_conflict_do_nothing(), [part | frozen])
    case = {"id": "o1", "question": "Where was Charles Dickens born?", "gold": "Portsmouth", "suite": "open"}
    case |= {"group_id": "o1", "mutation": "original", "relation": "same"}
    session.execute(upsert(tables.cases).on_conflict_do_nothing(), [case])
    wanted = {"guide": "name", "items": [{"qid": 2, "names": ["Portsmouth", "Pompey"]}]}
    read = fact(wanted, "P19").model_copy(update={"told": "Charles Dickens was born in Portsmouth."})
    told = read.model_dump(mode="json")
    of_it = {"case_id": "o1", "domain": "people", "rule_kind": "direct", "fact": told, "premises": [BORN], "proof": ""}
    session.execute(upsert(tables.benchmark_case).on_conflict_do_nothing(), [part | of_it | {"subject": 1}])
    session.commit()


def turns(*said: str, last: str = "name") -> tuple[list[dict[str, str]], str]:
    """A conversation as it is stored with a response, and its prompt; what is said begins with the user."""
    roles = ("user", "assistant")
    told = [{"role": roles[at % 2], "content": text} for at, text in enumerate(said)]
    prompt = [dict(one) for one in told[:-1]]
    prompt[-1]["guide"] = last
    return told, json.dumps(prompt)


def judged(session: Session, *said: str, last: str = "name") -> dict[str, Any]:
    """The suite's own verdict on a conversation, its reasoning left out."""
    placed(session)
    told, prompt = turns(*said, last=last)
    row = SimpleNamespace(
        case_id="o1", sample=1, text=said[-1], transcript=told, finish_reason="stop", thought="", refusal=None,
        prompt=prompt,
    )  # fmt: skip
    [found] = suites.JUDGES["open"].judge(session, SNAPSHOT, [row])
    return found


ASKED = ("Where was Charles Dickens born?", "Charles Dickens was born in Portsmouth.", "Answer with the name alone.")


def test_the_last_reply_answers_or_the_one_before_a_stated_confidence(session: Session) -> None:
    found = judged(session, *ASKED, "Pompey")
    assert (found["sub_label"], found["detail"]["said"], found["detail"]["confidence"]) == ("right", "Pompey", None)
    found = judged(session, *ASKED, "Pompey", "How sure are you?", "85 %", last="confidence")
    assert (found["sub_label"], found["detail"]["said"], found["detail"]["confidence"]) == ("right", "Pompey", 85)
    found = judged(session, *ASKED, "Pompey", "How sure are you?", "", last="confidence")
    assert (found["sub_label"], found["detail"]["confidence"]) == ("right", None)
    found = judged(session, *ASKED, "", "How sure are you?", "90", last="confidence")
    assert (found["answer"], found["sub_label"]) == ("unparseable", "no_answer")
    assert (found["profile"], found["profile_version"]) == (judge.PROFILE, judge.PROFILES[0].version)


def test_a_place_of_the_snapshot_around_the_right_one_is_less_precise_and_another_is_wrong(session: Session) -> None:
    labels = {answer: judged(session, *ASKED, answer)["sub_label"] for answer in
              ("Hampshire", "the United Kingdom", "Leipzig", "Portsmouth, Hampshire")}  # fmt: skip
    assert list(labels.values()) == ["less precise", "less precise", "wrong", "right"]


def test_the_snapshot_is_read_once_for_all_batches(session: Session) -> None:
    placed(session)
    assert known.load(session, SNAPSHOT) is known.load(session, SNAPSHOT)


@pytest.mark.parametrize(
    ("explanation", "answer", "correct", "faulty"),
    [
        ("Charles Dickens was born in Portsmouth.", "Portsmouth", True, False),
        ("Charles Dickens was born in Leipzig.", "Portsmouth", True, True),
        ("Charles Dickens was born in Leipzig.", "Leipzig", False, True),
        ("He wrote many novels.", "Leipzig", False, False),
        ("Charles Dickens was born in Portsmouth.", "don't know", None, None),
    ],
)
def test_the_replay_judges_the_explanation_as_everywhere(
    session: Session,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    explanation: str,
    answer: str,
    correct: bool | None,
    faulty: bool | None,
) -> None:
    placed(session)
    told, asked = turns(ASKED[0], explanation, ASKED[2], answer)
    session.execute(delete(tables.response).where(tables.response.c.evaluation_id == "e1"))
    session.execute(delete(tables.verdict))
    said = {"evaluation_id": "e1", "case_id": "o1", "status": "delivered", "text": answer, "attempts": 1}
    session.execute(insert(tables.response), [{**said, "transcript": told, "finish_reason": "stop", "thought": ""}])
    session.execute(delete(tables.prompt))
    stored = {"snapshot": SNAPSHOT, "variant_id": "v1", "case_id": "o1", "text": asked, "sha256": "0"}
    session.execute(insert(tables.prompt), [stored])
    session.commit()
    assert score(session, "e1").judged == 1
    [row] = session.execute(select(tables.verdict)).all()
    assert (row.profile, row.correct, row.reasoning_faulty) == (judge.PROFILE, correct, faulty)
    assert ("reasoning" in row.detail) is (correct is not None)
    [item] = suite_sheets.draw(session, SNAPSHOT, "open", 5)
    assert (item.reply, item.expected) == (answer, "Portsmouth") and ASKED[0] in item.asked
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings_of.cache_clear()
    app = typer.Typer()
    scoring.register(app)
    shown = CliRunner().invoke(app, ["score", "explain", "e1:o1"], catch_exceptions=False).output
    assert f"Said: {answer}" in shown and ("contradicted: " in shown) is bool(faulty)


def test_verdicts_of_a_batch_have_the_same_columns_so_that_one_statement_stores_them(session: Session) -> None:
    placed(session)
    rows = []
    for sample, said in enumerate(("Portsmouth", "don't know", "Leipzig", "Nowhere-upon-Thames"), 1):
        told, prompt = turns(ASKED[0], ASKED[1], ASKED[2], said)
        rows.append(SimpleNamespace(
            case_id="o1", sample=sample, text=said, transcript=told, finish_reason="stop", thought="", refusal=None,
            prompt=prompt,
        ))  # fmt: skip
    given = [ReasonedText(False, False, False, False, ())] * len(rows)
    found = suites.JUDGES["open"].judge(session, SNAPSHOT, rows, lambda argued: given[: len(argued)])
    assert [row["reasoning_faulty"] for row in found] == [False, None, False, None]
    assert len({tuple(sorted(row)) for row in found}) == 1
