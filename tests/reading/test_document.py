"""A response is cut once, its names found once, each of its sentences parsed once; and what each clause is to it."""

from collections.abc import Sequence

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.clauses import clauses
from halluvault_tasks.reading.document import DocumentParser
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import Parse, spacy_parser
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from tests.reading.material import book

ANN, ROME = EntityName(1, "Ann Lee", (), frozenset(["human"])), EntityName(2, "Rome", (), frozenset(["place"]))
SAID = ReaderInput(
    "No. Ann Lee was born in Rome on 3 May 1950, and wrote “Under the Hill” there.",
    "Was Ann Lee born in Oslo?", 1, frozenset([1]),
)  # fmt: skip


class _Watched:
    identity = spacy_parser().identity

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parse(self, sentences: Sequence[str]) -> list[Parse]:
        self.asked += sentences
        return spacy_parser().parse(sentences)


def test_answers_and_claims_are_read_from_one_parse_of_each_sentence() -> None:
    watched = _Watched()
    claims = SyntaxReader(Names((ANN, ROME)), book(), {}, watched)
    answers = AnswerReader(claims.documents)
    (reading,) = answers.read([SAID])
    assert reading.answer.kind == "no" and reading.document is not None
    assert {one.object for one in claims.claims(SAID, reading.document)} >= {"Rome", "3 May 1950"}
    assert len(watched.asked) == len(set(watched.asked)) == 3, "the question and two sentences"
    assert not any("Lee" in text for text in watched.asked), "plain words stand for names"


def test_what_answers_are_read_from_has_the_words_as_they_were_written() -> None:
    claims = SyntaxReader(Names((ANN, ROME)), book(), {}, spacy_parser())
    (document,) = claims.documents.documents([SAID])
    sentence = document.sentences[1]
    text = sentence.heard.sentence.text
    assert [word.text for word in sentence.parse] == [text[word.start : word.end] for word in sentence.parse]
    assert {"Ann", "Lee", "3", "May", "1950", "Under", "Hill", '"'} <= {word.text for word in sentence.parse}
    assert all(0 <= word.head < len(sentence.parse) for word in sentence.parse)


def test_a_no_in_a_title_denies_nothing() -> None:
    given = ReaderInput("“No Mercy” was made by Zen Studios.", "Was “No Mercy” made by Zen Studios?")
    (reading,) = AnswerReader(DocumentParser(spacy_parser())).read([given])
    assert reading.answer.kind == "yes"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Smith was born in Berlin.", "asserted"),
        ("Smith was not born in Berlin.", "asserted"),
        ("If Smith was born in Berlin, he is German.", "supposed"),
        ("Had Smith been born in Berlin, he would be German.", "supposed"),
        ("Smith was perhaps born in Berlin.", "hedged"),
        ("Smith seems to have been born in Berlin.", "hedged"),
        ("Johnson claimed that Smith was born in Berlin.", "attributed"),
        ("According to his brother, Smith was born in Berlin.", "attributed"),
        ("According to records, Smith was born in Berlin.", "asserted"),
        ("The rumor that Smith was born in Berlin was spread.", "attributed"),
    ],
)
def test_a_clause_is_asserted_supposed_hedged_or_attributed_in_one_place(text: str, modality: str) -> None:
    (parse,) = spacy_parser().parse([text])
    born = next(place for place, word in enumerate(parse) if word.text == "Berlin")
    assert next(clause.modality for clause in clauses(parse) if born in clause.words) == modality


def test_a_question_asks_and_a_quotation_quotes() -> None:
    (parse,) = spacy_parser().parse(["Smith was born in Berlin."])
    assert {clause.modality for clause in clauses(parse, asks=True)} == {"asked"}
    assert {clause.modality for clause in clauses(parse, range(len(parse)))} == {"quoted"}
