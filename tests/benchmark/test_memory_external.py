"""External memory consistency: rephrasings kept by BERTScore, and a density that finds answers that stray."""

import csv
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.memory_external import make as external
from halluvault_tasks.benchmark.suites.memory_external.fact import ExternalFact
from halluvault_tasks.benchmark.suites.memory_external.settings import MemoryExternal
from halluvault_tasks.benchmark.wording.generations import AS_REGISTERED
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import asking
from halluvault_tasks.querying import stages as querying
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.results import page_suites, suite_annotations, views
from halluvault_tasks.results import stages as results
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.statistics import density
from halluvault_tasks.storage import roles, sessions
from tests import papers
from tests.conftest import simulators
from tests.querying import support
from tests.typed import typed

MONTH = "2055-03"
MODEL = "overconfident"
DOCUMENTS = 60


def documents() -> Iterator[dict[str, str]]:
    """Invented lives; each its own names and years, none of the small world's."""
    towns = ("Arlen", "Brookmere", "Caldon", "Derrow", "Eastfold", "Fenwick Ford", "Garroway", "Holm Sound")
    trades = ("glassmaker", "surveyor", "organist", "botanist", "printer", "clockmaker", "ferryman")
    works = ("a map of the northern coast", "a book of hymns", "an herbal", "a tower clock", "a stone bridge")
    for number in range(DOCUMENTS):
        first, last = ("Ines", "Marten", "Ovid", "Petra", "Quill")[number % 5], ("Vane", "Rusk", "Thorn")[number % 3]
        name = f"{first} {last}{number}"
        year = 1700 + 3 * number
        yield {
            "id": name,
            "text": f"{name} was born in {towns[number % 8]} in {year}. {name} was a {trades[number % 7]}. "
            f"{name} made {works[number % 5]} in {year + 31}. "
            f"In {towns[(3 * number + 1) % 8]} a street bears the name. "
            f"{name} died in {towns[(number + 4) % 8]} in {year + 66}.",
        }


@pytest.fixture(scope="module")
def server(database_url: str) -> Iterator[tuple[str, str]]:
    with sessions.session(database_url) as session:
        roles.grant(session, ())
        session.commit()
    url = simulators(database_url)
    with serving([SimulatedModel(MODEL, Personas(sessions.engine(url)).answer)]) as address:
        yield address, url
    sessions.engine(url).dispose()


@pytest.fixture(scope="module")
def suites_dir(config_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = shutil.copytree(config_dir, tmp_path_factory.mktemp("external") / "config")
    (directory / "documents.jsonl").write_text("\n".join(map(json.dumps, documents())), encoding="utf-8")
    content = yaml.safe_load((REPOSITORY / "config" / "suites.yaml").read_text(encoding="utf-8"))
    content["memory_external"] |= {
        "rephraser": f"simulated/{MODEL}", "documents": DOCUMENTS, "rephrasings": 3, "file": "documents.jsonl",
    }  # fmt: skip
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return directory


def registry(address: str) -> Registry:
    found = support.registry(address, name=f"simulated/{MODEL}")
    models = [one.model_copy(update={"base_urls": (f"{address}/{MODEL}",)}) for one in found.models]
    return found.model_copy(update={"models": tuple(models)})


@pytest.fixture
def month(
    session: Session,
    write: Callable[[str], None],
    derive: Callable[[str], None],
    suites_dir: Path,
    server: tuple[str, str],
) -> str:
    if MONTH not in part_lookup.months(session):
        write(MONTH)
        derive(MONTH)
        ask = partial(asking.ask, registry(server[0]))
        stages.build(
            session, MONTH, config_dir=suites_dir, size="all", only=["memory_external"],
            ask=lambda model, prompts, manner=AS_REGISTERED: ask(model, prompts, manner=manner),
        )  # fmt: skip
        part_lookup.publish(session, MONTH, ["memory_external"])
    return MONTH


def asked(session: Session) -> list[tuple[reading.CaseView, ExternalFact]]:
    found = reading.every(session, MONTH, ["memory_external"])
    return [(case, ExternalFact.model_validate(case.fact)) for case in found]


def test_each_document_is_said_in_as_many_ways_which_say_the_same(
    session: Session, month: str, suites_dir: Path
) -> None:
    found = asked(session)
    times = Counter(fact.document for _, fact in found)
    assert set(times.values()) == {3}
    assert len(times) >= 45
    assert len({case.question for case, _ in found}) == len(found)
    assert all(fact.similarity >= 0.73 and case.question != fact.text for case, fact in found)
    [part] = part_lookup.of_month(session, month, ["memory_external"])
    assert part.statistics.dropped[Hindrance.UNLIKE_TEXT()] > 10, "texts about something else"
    calibrated = part.statistics.own["threshold"]
    assert calibrated["other_documents_95_percent"] < calibrated["recalibrated"] < calibrated["paraphrases_5_percent"]
    # Built anew from what is stored: nobody is asked, and the bytes are the same.
    again = stages.build(session, month, config_dir=suites_dir, size="all", only=["memory_external"])
    assert [one.content_hash for one in again.parts] == [part.content_hash]


def test_planted_answers_that_leave_the_document_are_told_from_the_others(
    session: Session,
    server: tuple[str, str],
    database_url: str,
    month: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    [planned] = querying.plan_default(session, month, "halluvault/plain", registry=registry(server[0])).evaluations
    assert planned.total == len(asked(session))
    querying.query_shard(session, planned.evaluation_id, registry=registry(server[0]))
    judging.score(session, planned.evaluation_id)
    views.install(session)
    results.summarise(session, planned.evaluation_id)
    session.commit()
    figure = text("SELECT key, metric, value, low, high, n FROM results_v1.metrics WHERE suite = 'memory_external'"
                  " AND is_current AND (scope, metric) IN (('documents', :metric), ('document', :metric))")  # fmt: skip
    assert session.execute(figure, {"metric": "auroc"}).one().value is None, "without labels nothing is told"
    session.rollback()

    found = {one.id: one for one in suite_annotations.items(session, month, "memory_external", 10_000, 1)}
    with sessions.session(server[1]) as simulation:
        rows = simulation.execute(text("SELECT case_id, fault FROM simulation.planted"))
        planted = dict(tuple(row) for row in rows)
    sheets = [sheet(tmp_path / f"{name}.csv", found, planted, off) for name, off in (("a", 0), ("b", 9), ("c", 7))]
    agreement = suite_annotations.agree(sheets)
    assert agreement.kappa is not None
    assert 0.5 < agreement.kappa < 1
    wrong = {one.key[1] for one in found.values() if agreement.labels[one.id] == "yes"}
    assert wrong == {case for case, fault in planted.items() if fault == "off_document"}, "what most say is planted"
    of_month = ("--snapshot", f"{month}.1")
    files = (str(tmp_path / f"{one.labeller}.csv") for one in sheets)
    for words in (
        ("oracle", "label", "votes", *files, "--suite", "memory_external", "--keep", *of_month),
        ("results", "summarise", *of_month),  # as the first one says
    ):
        done = typed(*words, HALLUVAULT_DATABASE_URL=database_url)
        assert done.returncode == 0, done.stderr
        assert words[0] == "results" or "`halluvault results summarise`" in done.stderr
    values = {
        row.metric: row
        for row in session.execute(
            text("SELECT metric, value, low, high, n FROM results_v1.metrics WHERE suite = 'memory_external'"
                 " AND is_current AND scope = 'documents'")
        )
    }  # fmt: skip
    record_property("figures", repr({name: (row.value, row.low, row.high) for name, row in values.items()}))
    assert values["auroc"].low >= 0.9
    assert values["auroc"].value > values["auroc_length"].high, "length alone tells less"
    assert values["external_hallucination"].low <= values["labelled_hallucinations"].value
    assert values["external_hallucination"].high >= values["labelled_hallucinations"].value
    assert "memory_external" in page_suites.suites(session, month)

    record_property("one name or year swapped", repr(_told_of_a_swapped_name(session, planted)))
    assert [count > 0 for count in papers.rows(session, "External memory consistency")] == [True] * 3


def _told_of_a_swapped_name(session: Session, planted: dict[str, str]) -> density.Area:
    """How well one wrong name or year alone is told: printed, without a target."""
    bad = {fact.document for case, fact in asked(session) if planted[case.id] == "swapped_name"}
    points = {
        (row.key, row.metric): row.value
        for row in session.execute(
            text("SELECT key, metric, value FROM results_v1.metrics WHERE suite = 'memory_external' AND is_current"
                 " AND scope = 'document'")
        )
    }  # fmt: skip
    strayed = {fact.document for case, fact in asked(session) if planted[case.id] == "off_document"}
    others = sorted({key for key, _ in points} - strayed)
    plane = np.array([[points[one, "consistency"], points[one, "relevance"]] for one in others])
    wrong = np.array([one in bad for one in others])
    told = density.cross_fit(plane, wrong, folds=2)
    assert told is not None
    return density.area(told.scores, wrong)


def sheet(
    file: Path, found: dict[str, suite_annotations.TextToLabel], planted: dict[str, str], slip: int
) -> suite_annotations.Sheet:
    """A labeller's sheet, filled in with what was planted; every `slip`-th row the wrong way round."""
    suite_annotations.write(list(found.values()), file, file.stem, 1)
    rows = list(csv.DictReader(file.open(encoding="utf-8", newline="")))
    # Each slips on rows of its own.
    ranked = {item: at for at, item in enumerate(sorted(found))}
    for row in rows:
        bad = planted[found[row["item"]].key[1]] == "off_document"
        at = ranked[row["item"]]
        row["hallucination"] = "Yes" if bad != bool(slip and at % 63 == slip) else "No"
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, suite_annotations.HEADER)
        writer.writeheader()
        writer.writerows(rows)
    read = suite_annotations.read(file, found)
    assert not read.faults
    return read


def test_labellers_are_admitted_by_a_known_sheet_and_a_tie_has_no_label() -> None:
    def labels(name: str, said: str) -> suite_annotations.Sheet:
        each = {
            str(at): suite_annotations.LabellerWord({"y": "yes", "n": "no"}[one], {}) for at, one in enumerate(said)
        }
        return suite_annotations.Sheet(name, each, ())

    gold = labels("gold", "yynny")
    found = suite_annotations.agree([labels("a", "yynnyn"), labels("b", "yynnyy"), labels("c", "nnyyny")], gold)
    assert found.admitted == ("a", "b")
    assert found.agreed == {"a": 1.0, "b": 1.0, "c": 0.0}
    assert (found.ties, found.items) == (1, 6)
    # Fleiss 1971, table 1's formula by hand: P = 5/6, P_e = (7/12)^2 + (5/12)^2.
    expected = (5 / 6 - ((7 / 12) ** 2 + (5 / 12) ** 2)) / (1 - ((7 / 12) ** 2 + (5 / 12) ** 2))
    assert found.kappa == pytest.approx(expected)


def test_a_file_of_documents_stands_for_itself_and_an_empty_one_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "documents.jsonl"
    file.write_text(
        json.dumps({"id": 1, "text": "A  b."}) + "\n" + json.dumps({"id": 2, "text": " "}), encoding="utf-8"
    )
    dropped: Counter[str] = Counter()
    settings = MemoryExternal(file=str(file))
    assert [(one.title, one.text) for one in external._of_file(settings, dropped)] == [("1", "A b.")]
    assert dropped == {Hindrance.EMPTY_DOCUMENT(): 1}
    file.write_text('{"id": 1}', encoding="utf-8")
    with pytest.raises(UserError, match=r"line 1: KeyError\('text'\)"):
        external._of_file(settings, dropped)


def test_a_suite_without_a_document_is_refused_and_says_what_was_dropped(
    session: Session, make_world: Callable[..., str], suites_dir: Path, tmp_path: Path
) -> None:
    directory = shutil.copytree(suites_dir, tmp_path / "config")
    (directory / "documents.jsonl").write_text(json.dumps({"id": "a", "text": " "}), encoding="utf-8")
    with pytest.raises(UserError, match=r"no document to summarise \(\{'document: empty': 1\}\)") as refused:
        stages.build(session, make_world("2055-04"), config_dir=directory, size="all", only=["memory_external"])
    assert "memory_external.file" in refused.value.way_out
