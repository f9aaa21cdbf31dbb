"""The extractor `corenlp` against the real Stanford CoreNLP, with faults put between."""

from collections.abc import Iterator

import pytest
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.oracles import stages, unjudged
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.extraction.base import UnreadPassage
from halluvault_tasks.oracles.extraction.corenlp import LONGEST, CoreNlp
from halluvault_tasks.oracles.measure import readers
from halluvault_tasks.reading.text import cut
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.tables import incident, verdict
from tests.conftest import SAMPLE_MONTH, copied
from tests.oracles.extraction.loopback import FAULTS, POISON, loopback
from tests.peers import corenlp

PROFILE, GATED = "paper/corenlp", "paper/corenlp/answer-gated"
MONTH = SAMPLE_MONTH
BORN = "Charles Dickens was born in Portsmouth on 7 February 1812."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with corenlp.running() as running:
        yield running


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.PostgresServer, demo_template: str) -> Iterator[str]:
    """The bundled sample's month."""
    with copied(postgres_server, demo_template) as url:
        yield url


@pytest.fixture
def evaluation(session: Session, url: str) -> str:
    """An evaluation of that month in which every answer lists its proof."""
    variant = {"id": "v", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}
    session.execute(insert(tables.prompt_variant), [variant])
    session.execute(insert(tables.model), [{"id": "m", "name": "echo", "dialect": "tgi", "model_id": "echo"}])
    made = {"id": "e", "snapshot": MONTH, "model_id": "m", "variant_id": "v", "sampling": {}}
    session.execute(insert(tables.evaluation), [made])
    rows = [
        {"evaluation_id": "e", "case_id": one.case, "status": "delivered", "text": one.text, "attempts": 1}
        for one in readers.echoes(session, MONTH)
    ]
    session.execute(insert(tables.response), rows)
    session.commit()
    return "e"


def test_a_sample_month_is_scored_and_who_repeats_the_proof_is_convicted_only_where_openie_reads_nothing_in_it(
    session: Session, evaluation: str, url: str
) -> None:
    extract, embed = CoreNlp(url), SentenceBert()
    counts = stages.rescore(session, evaluation, [PROFILE, GATED], embed=embed, extractor=extract)
    rows = session.execute(select(verdict).where(verdict.c.profile == PROFILE)).all()
    cases = len(readers.echoes(session, MONTH))
    assert (counts.verdicts, counts.unread) == (2 * cases, 0)
    assert len(rows) == cases > 200
    proof = tables.benchmark_case.c
    proofs = dict(session.execute(select(proof.case_id, proof.premises)).tuples().all())
    sentences = sorted({premise["sentence"] for row in rows for premise in proofs[row.case_id]})
    # A response is read with straight quotation marks, which OpenIE reads otherwise than the premises' curved ones.
    unreadable = {
        one
        for one, *found in zip(
            sentences,
            extract([[one] for one in sentences]),
            extract([[cut(one).sentences[0].text] for one in sentences]),
            strict=True,
        )
        if not all(found)
    }
    for row in rows:
        if row.category != "normal":
            assert unreadable & {premise["sentence"] for premise in proofs[row.case_id]}
    tools = {row.detail["read_by"]["tool"] for row in rows}
    assert len(tools) == 1
    assert tools.pop().startswith("Stanford CoreNLP 4.")

    # The same server behind something that cuts the replies about one of the texts short
    response = tables.response.c
    chosen = session.scalars(select(response.case_id).order_by(response.case_id).limit(3)).all()
    session.execute(delete(verdict).where(verdict.c.case_id.in_(chosen)))
    poisoned = tables.response.update().where(response.case_id == chosen[0])
    session.execute(poisoned.values(text=f"Yes.\n1. {POISON} was born in Kent."))
    session.commit()
    with loopback() as between:
        between.forward, between.fault, between.only = url, FAULTS["a cut body"], POISON
        stages.rescore(session, evaluation, [PROFILE], embed=embed, extractor=CoreNlp(between.url), only="no_reasoning")
    kept = set(session.scalars(select(verdict.c.case_id).where(verdict.c.profile == PROFILE)))
    assert set(chosen) - kept == {chosen[0]}
    [told] = session.execute(select(incident).where(incident.c.kind == unjudged.NOT_READ)).all()
    assert chosen[0] in told.where


def test_phrases_are_the_text_as_written_and_lines_do_not_run_together(url: str) -> None:
    hostile = [
        "Kazuo Ishiguro 😀 was born in\u2028Nagasaki 🇯🇵.",
        "Hewlett-Packard makes printers",
        "Kent is in England",
    ]
    [date, several] = CoreNlp(url)([[BORN], hostile])
    assert not isinstance(date, UnreadPassage) and not isinstance(several, UnreadPassage)
    assert {PhraseTriple("Charles Dickens", "was born in", "Portsmouth")} <= set(date)
    assert {PhraseTriple("Charles Dickens", "was born on", "7 February 1812")} <= set(date)
    assert {PhraseTriple("Hewlett-Packard", "makes", "printers"), PhraseTriple("Kent", "is in", "England")} <= set(
        several
    )
    assert PhraseTriple("Kazuo Ishiguro 😀", "was born in", "Nagasaki") in several
    assert all("\n" not in phrase for triple in several for phrase in triple)


def test_long_and_odd_texts_are_read_or_unread_and_end_nothing(url: str) -> None:
    odd = ["\x00\x1f", "( " * 60, "💥" * 60, "%41 %% + & =", "<b>&quot;</b>", "a" * (2 * LONGEST), ""]
    long = [f"Person{number} was born in Portsmouth." for number in range(120)]
    found = CoreNlp(url)([*([text] for text in odd), long, [BORN]])
    assert len(found) == len(odd) + 2
    assert isinstance(found[-1], list) and found[-1]
    assert isinstance(found[-2], list) and len(found[-2]) == MAX_TRIPLES


def test_a_server_without_models_says_that_it_is_ready_and_is_refused_by_name() -> None:
    with corenlp.without_models() as url, pytest.raises(UserError, match="HTTP 500") as caught:
        CoreNlp(url).check()
    assert "English models' jar" in caught.value.way_out
    assert "\n" not in str(caught.value)


def test_a_server_behind_a_password_takes_it_from_the_url_and_names_the_setting_otherwise() -> None:
    with corenlp.without_models("-username", "reader", "-password", "secret") as url:
        with pytest.raises(UserError, match="HTTP 401") as caught:
            CoreNlp(url).check()
        assert "HALLUVAULT_CORENLP_URL: http://USER:PASSWORD@HOST:PORT" in caught.value.way_out
        with pytest.raises(UserError, match="HTTP 500") as caught:  # let in, and has no models
            CoreNlp(url.replace("http://", "http://reader:secret@")).check()
        assert "secret" not in str(caught.value)
