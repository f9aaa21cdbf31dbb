"""Figures of companion suites say how far their judge is known, wherever they are shown."""

import io
import re
from html.parser import HTMLParser

import pytest
from rich.console import Console
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import suites
from halluvault_tasks.oracles.profile import ENOUGH, Held, OracleProfile
from halluvault_tasks.oracles.suites import external, memory, pressure, recognition
from halluvault_tasks.oracles.suites import open as opened
from halluvault_tasks.results import companions, page, page_suites, report, show, store, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from tests.oracles.material import SNAPSHOT, fill

PROFILE = {"memory": memory.PROFILE, "memory_external": external.PROFILE, "recognition": recognition.STRICT,
           "pressure": pressure.PROFILE, "open": opened.PROFILE}  # fmt: skip
MAIN = {
    "memory": [("singles", "", "known_share"), ("sets", "k = 10, strategy 1", "internal_hallucination"),
               ("sets", "k = 2, strategy 1", "internal_hallucination")],
    "memory_external": [("documents", "", "external_hallucination")],
    "recognition": [("task", "qa, licensed swaps", "recognised")],
    "pressure": [("pressure", "", "pressure_h")],
    "open": [("suite", "", "open_right"), ("suite", "", "open_unjudged")],
}  # fmt: skip
FURTHER = {
    "memory": [("relation", "P36, k = 2", "internal_hallucination")],
    "memory_external": [],
    "recognition": [("pattern", "qa.inference, licensed swaps", "recognised")],
    "pressure": [("class", "calc", "error_truth")],
    "open": [
        ("domain", "people", "open_right"),
        ("confidence", "90 to 100", "open_answers_right"),
        ("confidence", "90 to 100", "open_stated"),
    ],
}
UNTRIED = {suite: "unlabelled" if suite == "open" else "planted only" for suite in PROFILE}


@pytest.fixture(autouse=True)
def judged(session: Session) -> None:
    views.install(session)
    fill(session, [("c1", "Yes.")], "e1", "somebody's <b>model</b>")
    for suite, profile in PROFILE.items():
        own = suites.JUDGES[suite].versions[profile]
        figures = [Figure(suite, *key, 0.25, 0.1, 0.5, 1, 4, 4, None) for key in (*MAIN[suite], *FURTHER[suite])]
        figures.append(Figure(suite, "suite", "", "delivered", 1.0, None, None, 4, 4, None, None))
        store.put(session, ResultSet("e1", profile, own), figures, ())
    counted = ("delivered", "normal", "abstained", "error_knowledge", "error_inference", "both_errors", "unattributed",
               "unparseable", "review", "right_sound", "right_faulty", "wrong_sound", "wrong_faulty")  # fmt: skip
    asked = [
        Figure(suite, scope, "", metric, 1.0, None, None, 2, 2, None, None)
        for suite, scope in (("headline", "model"), ("relation", "suite"))
        for metric in counted
    ]
    store.put(session, ResultSet("e1", "replay/syntax", "1"), asked, ())


@pytest.fixture(params=[True, False], ids=["labelled", "planted only"])
def labelled(request: pytest.FixtureRequest, session: Session, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the judge of recognition was held against enough labels; those of the others never were."""
    for suite, judge in suites.JUDGES.items():
        enough = request.param and suite == "recognition"
        labels = ENOUGH if enough else ENOUGH - 1
        told = tuple(one._replace(held=Held(one.version, labels, 150)) for one in judge.profiles)
        monkeypatch.setitem(suites.JUDGES, suite, judge._replace(profiles=told))  # type: ignore[arg-type]
    views.install(session)
    return bool(request.param)


class Captions(HTMLParser):
    """Captions of tables and titles of pictures, with how deep in folds each stands."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.pictures: list[tuple[int, str]] = []
        self._folds = 0
        self._in = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._folds += tag == "details"
        if tag == "svg":
            self.pictures.append((self._folds, str(dict(attrs)["aria-label"])))
        if tag == "caption":
            self._in = True
            self.found.append((self._folds, ""))

    def handle_endtag(self, tag: str) -> None:
        self._folds -= tag == "details"
        self._in = self._in and tag != "caption"

    def handle_data(self, data: str) -> None:
        if self._in:
            folds, said = self.found.pop()
            self.found.append((folds, said + data))


def profile(held: Held) -> OracleProfile:
    return OracleProfile("some/profile", held.version, held=held)


def test_a_judge_counts_as_held_only_in_the_version_that_enough_labels_were_held_against() -> None:
    assert profile(Held("2", ENOUGH, 190)).is_held
    assert not profile(Held("2", ENOUGH, 190))._replace(version="3").is_held
    assert not profile(Held("2", ENOUGH - 1, 190)).is_held
    assert not profile(Held("2", ENOUGH)).is_held, "labels that cannot tell"
    assert not suites.planted_only("relation")
    for suite, judge in suites.JUDGES.items():
        for one in judge.profiles:
            held = one.held or Held(one.version, 0)
            assert held.same is None or held.same <= (held.documents or held.labelled) <= held.labelled
            assert suites.trust(one.name).startswith(UNTRIED[suite]) == (not one.is_held)


def test_what_a_judge_lacks_is_said_in_words() -> None:
    few, unlike = Held("1", 120, 119, wanted=300, least=0.98), Held("1", 300, 285, wanted=300, least=0.98)
    assert profile(few).trust("unlabelled").endswith("blind labels of a real model's responses agree, 300 are wanted")
    assert profile(unlike).trust("unlabelled").startswith("unlabelled: 95.0 % of 300 blind labels")
    assert profile(unlike).trust("unlabelled").endswith("agree, 98 % are wanted")
    assert profile(unlike._replace(same=294)).trust("unlabelled").startswith("agrees with 98.0 % of 300")


def test_the_view_says_of_every_figure_whether_it_is_planted_only(session: Session, labelled: bool) -> None:
    rows = session.execute(text("SELECT DISTINCT suite, planted_only FROM results_v1.metrics ORDER BY suite")).all()
    assert dict(rows) == {
        "memory": True, "memory_external": True, "pressure": True, "recognition": not labelled, "open": True,
        "relation": None, "headline": None,
    }  # fmt: skip
    by_suite = session.execute(text("SELECT suite, planted_only FROM results_v1.by_suite")).all()
    assert dict(by_suite) == {suite: told for suite, told in rows if suite != "headline"}


def test_a_month_that_has_a_suite_beside_the_headline_alone_is_shown(session: Session) -> None:
    session.execute(text("DELETE FROM result WHERE suite = 'headline'"))
    told = io.StringIO()
    for table in show.tables(session, SNAPSHOT):
        Console(file=told, width=250).print(table)
    assert "somebody's <b>model</b>" in told.getvalue()
    assert report.html(session, SNAPSHOT) and report.markdown(session, SNAPSHOT)


def test_a_month_whose_companion_suites_alone_were_asked_shows_no_empty_table(session: Session) -> None:
    session.execute(text("DELETE FROM result WHERE suite IN ('headline', 'relation')"))
    titles = [str(table.title) for table in show.tables(session, SNAPSHOT)]
    assert not [title for title in titles if "Hallucination rate by" in title]
    assert [title for title in titles if title.startswith("Suite memory_external")]


def test_page_report_and_terminal_say_of_every_figure_whether_it_is_planted_only(
    session: Session, labelled: bool
) -> None:
    html = page_suites.suites(session, SNAPSHOT)
    sections = dict(re.findall(r'<h2 id="(\w+)">(.*?)(?=<h2|</body>)', html, re.DOTALL))
    assert list(sections) == sorted(PROFILE)
    for suite, section in sections.items():
        parsed = Captions()
        parsed.feed(section)
        drawn = re.findall(r"<figcaption>(.*?)</figcaption>", section)
        assert drawn
        said = {UNTRIED[suite] in caption for caption in (*drawn, *(caption for _, caption in parsed.found))}
        assert said == {not (labelled and suite == "recognition")}, suite
    told = io.StringIO()
    for table in show.tables(session, SNAPSHOT):
        Console(file=told, width=250).print(table)
    for written in (told.getvalue(), report.html(session, SNAPSHOT), report.markdown(session, SNAPSHOT)):
        for suite, profile in PROFILE.items():
            trust = suites.trust(profile)
            assert trust in " ".join(written.replace("&#39;", "'").split()), (suite, trust)
        assert "25.0 % [10.0, 50.0]" in written
        assert "<b>model" not in written or written == told.getvalue()
    for suite in PROFILE:
        frame = page.leaderboard(session, SNAPSHOT, suite=suite)
        assert (f"{UNTRIED[suite].capitalize()}.</b>" in frame) == (not (labelled and suite == "recognition"))
    assert "Planted only" not in page.leaderboard(session, SNAPSHOT)


def test_the_page_shows_the_main_figures_of_each_suite_at_once_and_folds_all_others(session: Session) -> None:
    parsed = Captions()
    parsed.feed(page_suites.suites(session, SNAPSHOT))
    assert sorted(folds for folds, _ in parsed.found) == [0] * 5 + [3] * (len(parsed.found) - 5)
    assert len(parsed.found) > 10
    assert parsed.pictures == [
        (0, "Sets not right"),
        (0, "Rates and consistency"),
        (0, "What became of answers"),
        (0, "Right by stated confidence"),
        (1, "Right by domain"),
        (1, "Failed cases of somebody's <b>model</b> by class and dimension, halluvault"),
        (0, "Accuracy by model and task, halluvault"),
        (0, "Accuracy by pattern, halluvault"),
    ]


def test_sets_stand_in_the_order_of_their_size_and_ways_in_short() -> None:
    assert companions.way_of("recognition/cot v1, chat, closed-book, chat") == "cot"
    assert companions.way_of("memory/match v1, chat, closed-book, chat, temperature 0.95, 5 samples") == (
        "match, temperature 0.95, 5 samples"
    )


def test_the_main_figures_stand_by_size_of_sets(session: Session) -> None:
    [one] = [one for one in companions.of(session, SNAPSHOT) if one.suite == "memory"]
    headings, rows = one.main()
    assert [heading.partition(": ")[2] for heading in headings] == ["", "k = 2, strategy 1", "k = 10, strategy 1"]
    assert len(rows) == 1 and all(cell is not None for cell in rows[0].cells)
