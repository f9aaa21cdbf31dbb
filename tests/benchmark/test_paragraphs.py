"""Documents of the suite memory_external that are worded from a subject's statements."""

from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.memory_external import make as external
from halluvault_tasks.benchmark.suites.memory_external.settings import MemoryExternal
from halluvault_tasks.benchmark.suites.paragraphs import cited, worded
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.local import postgres
from halluvault_tasks.reasoning.case_proofs.label import document
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from tests.benchmark.conftest import replay
from tests.conftest import SAMPLE_MONTH, copied

EVERY, WANTED = 1000, 60
TALKED_OF = 937
_MORE = """
INSERT INTO statement (snapshot, sid, guid, s, p, o, kind, earliest, latest, precision, rank, hedged,
    unknown_qualifiers, absent_qualifiers)
SELECT snapshot, 10000000 + row_number() OVER (), 'more ' || p, :s, p, o, kind, earliest, latest, precision, rank,
    hedged, unknown_qualifiers, absent_qualifiers
FROM (
    SELECT DISTINCT ON (p) * FROM statement
    WHERE snapshot = :m AND NOT hedged AND start_earliest IS NULL AND end_latest IS NULL
        AND s IN (SELECT qid FROM entity WHERE snapshot = :m AND 5 = ANY (types))
        AND p NOT IN (SELECT p FROM statement WHERE snapshot = :m AND s = :s)
    ORDER BY p, sid
) AS other
"""
"""One value of each property that other people have, whoever they are."""


@pytest.fixture(scope="module")
def material(postgres_server: postgres.PostgresServer, sample_template: str) -> Iterator[Material]:
    """The bundled sample's month, in which of one person more is stated than a paragraph may hold."""
    with copied(postgres_server, sample_template) as url, sessions.session(url) as session:
        session.execute(text(_MORE), {"m": SAMPLE_MONTH, "s": TALKED_OF})
        lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
        yield Material(session, snapshots.get(session, SAMPLE_MONTH), lexicon)


def paragraphs(material: Material, wanted: int = WANTED, seed: int = 1) -> tuple[list[external.Document], Counter[str]]:
    dropped: Counter[str] = Counter()
    return external._paragraphs(material, MemoryExternal(documents=wanted), seed, dropped), dropped


def test_a_paragraph_is_four_to_eight_sentences_about_its_subject_one_of_each_property(material: Material) -> None:
    found, dropped = paragraphs(material, EVERY)
    assert len(found) == len({one.subject for one in found}) > WANTED
    sizes = Counter(len(one.premises) for one in found)
    assert set(sizes) <= set(range(4, 9)) and sizes[4] and sizes[8], "both ends are reached"
    told = worded(material, [one.subject for one in found if one.subject])
    longer = 0
    for one in found:
        assert one.text == " ".join(premise["sentence"] for premise in one.premises)
        properties = [premise["property"] for premise in one.premises]
        assert len(set(properties)) == len(properties)
        assert {premise["subject"]["qid"] for premise in one.premises} == {one.subject}
        if one.subject == TALKED_OF:
            longer = len({premise["property"] for premise in told[TALKED_OF]})
    assert longer > 8, "of whom more is stated eight sentences are told"
    assert dropped[Hindrance.FEW_STATEMENTS()] > 0


def test_what_a_paragraph_says_is_stated_without_a_doubt(material: Material) -> None:
    stated = {
        row.guid: row
        for row in material.session.execute(
            text("SELECT guid, s, p, hedged FROM statement WHERE snapshot = :m"), {"m": SAMPLE_MONTH}
        )
    }
    found, _ = paragraphs(material)
    for one in found:
        for premise in one.premises:
            row = stated[premise["guid"]]
            assert (row.s, row.p, row.hedged) == (one.subject, premise["property"], False)


def test_the_seed_decides_which_paragraphs_are_told_and_a_smaller_part_begins_like_a_larger(
    material: Material, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found, _ = paragraphs(material)
    assert paragraphs(material)[0] == found
    assert paragraphs(material, 7)[0] == found[:7]
    other = paragraphs(material, seed=2)[0]
    assert {one.subject for one in other} != {one.subject for one in found}
    proof = document(found[0].text, map(cited, found[0].premises))
    assert replay(proof, tmp_path_factory.mktemp("proof")) == found[0].text
    assert all(str(premise["guid"]) in proof for premise in found[0].premises)
