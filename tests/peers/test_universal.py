"""`replay/stanza` over Universal Dependencies that nobody here wrote: CoreNLP parses in place of stanza's models.

Floors stand a little under the figures of docs/oracle-study.md, which `--log-cli-level=INFO` prints.
"""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.local import postgres
from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.measure import answers, claims, labelled, readers, responses
from halluvault_tasks.settings import settings
from tests.conftest import SAMPLE_MONTH, copied
from tests.peers import corenlp
from tests.peers.corenlp_parser import CoreNlpParser

_log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def files(shared_data: Path) -> Path:
    return shared_data / "real-answers"


@pytest.fixture(scope="module")
def parser() -> Iterator[CoreNlpParser]:
    with corenlp.running() as url:
        yield CoreNlpParser(url)


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.PostgresServer, demo_template: str) -> Iterator[str]:
    """The bundled sample's month."""
    with copied(postgres_server, demo_template) as url:
        yield url


def test_claims_of_real_sentences_are_read_nearly_as_over_spacys_parse(files: Path, parser: CoreNlpParser) -> None:
    config = settings().config_dir
    both = [files / "sentences-labelled.jsonl", files / "facts-labelled.jsonl"]
    found = claims.measure(readers.labelled_sentences(both, config), readers.claims(config, parser))
    _log.info(found)
    assert found.recall and found.precision
    assert found.recall.value >= 0.9 and found.precision.value >= 0.96


def test_answers_to_real_questions_are_read_nearly_as_over_spacys_parse(files: Path, parser: CoreNlpParser) -> None:
    lines = labelled.read([files / "yes-no-labelled.jsonl"], labelled.LabelledAnswer)
    found = answers.measure(lines, partial(readers.answers, parser=parser))
    _log.info(found)
    assert found.accuracy and found.accuracy.value >= 0.95
    for label, other in (("yes", "no"), ("no", "yes")):
        assert not found.confusion[label].get(other)


class _Extractor:
    """Parses, and reads no triples."""

    name = "stanza"

    def __init__(self, parser: CoreNlpParser) -> None:
        self.parser = parser

    def __call__(self, passages: Sequence[Sequence[str]]) -> list[list[PhraseTriple]]:
        return [[] for _ in passages]


def test_labelled_responses_are_judged_by_a_profile_of_its_own(
    session: Session, files: Path, parser: CoreNlpParser
) -> None:
    lines = labelled.read([files / "responses-labelled.jsonl"], labelled.LabelledResponse)
    cases = labelled.read([files / "response-cases.jsonl"], labelled.LabelledCase)
    judge = readers.judge(
        session, SAMPLE_MONTH, cases, "replay/stanza", embed=SentenceBert(), extractor=_Extractor(parser)
    )
    found = responses.measure(lines, judge)
    _log.info(found)
    assert found.judged == len(lines) and found.claims
    assert found.precision and found.precision.value == 1
    assert found.recall and found.recall.value >= 0.55
