import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.oracles import anchored
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple, gold
from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.mentions import Finder
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.text import cut
from tests.oracles.material import BORN, BORN_ON

NAMES = Finder(Names(
    [
        EntityName(1, "Charles Dickens", ["Dickens", "Boz"]),
        EntityName(2, "Portsmouth", []),
        EntityName(3, "France", []),
        EntityName(4, "Paris", []),
        EntityName(5, "capital city", ["capital"]),
        EntityName(6, "It", []),
        EntityName(7, "film director", []),
        EntityName(8, "Oliver Twist", []),
        EntityName(9, "James Cameron", []),
        EntityName(10, "Reading", []),
        EntityName(11, "Springfield", []),
        EntityName(12, "Springfield", []),
        EntityName(13, "1812 Overture", []),
    ],
), {})  # fmt: skip


def triples(text: str, finder: Finder, answer: TextSpan | None = None) -> list[PhraseTriple]:
    return anchored.triples([one.text for one in anchored.reasoning(cut(text), answer)], finder)


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        (
            "Charles Dickens was born in Portsmouth on 7 February 1812.",
            [("Charles Dickens", "was born in", "Portsmouth"), ("Charles Dickens", "was born", "7 February 1812")],
        ),
        ("Dickens was born in London.", [("Charles Dickens", "was born in", "London")]),
        ("The birthplace of Charles Dickens is Landport.", [("Charles Dickens", "birthplace of", "Landport")]),
        ("Paris is the capital of France.", [("Paris", "is the capital of", "France")]),
        (
            "James Cameron directed Titanic, which was released in December 1997.",
            [("James Cameron", "directed", "Titanic"), ("Titanic", "was released", "December 1997")],
        ),
        (
            "Dickens’s novel “Oliver Twist” appeared from 1837 to 1839.",
            [
                ("Charles Dickens", "novel", "Oliver Twist"),
                ("Charles Dickens", "appeared", "1837"),
                ("Charles Dickens", "appeared", "1839"),
            ],
        ),
        ("James Cameron is a famous film director.", [("James Cameron", "is a famous", "film director")]),
        ("Paris is a large town.", [("Paris", "is", "large town")]),
        ("James Cameron and Dickens are siblings.", [("James Cameron", "are siblings", "Charles Dickens")]),
        ("He likes reading.", []),
        ("Charles Dickens wrote the 1812 Overture.", [("Charles Dickens", "wrote", "1812 Overture")]),
        ("**Paris** lies in **France**.", [("Paris", "lies in", "France")]),
        (
            "Among the children of Dickens is Plorn.",
            [("Charles Dickens", "among the children of", "Plorn")],
        ),
        ("It is well documented that Paris lies in France.", [("Paris", "lies in", "France")]),
        ("The film director “James Cameron” lives in Paris.", [("James Cameron", "lives in", "Paris")]),
    ],
)
def test_a_point_becomes_triples(point: str, expected: list[tuple[str, str, str]]) -> None:
    assert triples(f"Yes.\n1. {point}", NAMES) == [PhraseTriple(*each) for each in expected]


def test_this_and_an_empty_it_are_no_subject() -> None:
    text = "Yes.\n1. Paris lies in France. This is generally accepted.\n2. It is known that Dickens died in Portsmouth."
    found = [PhraseTriple("Paris", "lies in", "France"), PhraseTriple("Charles Dickens", "died in", "Portsmouth")]
    assert triples(text, NAMES) == found


def test_he_is_the_subject_of_the_point_before() -> None:
    found = triples("No.\n- Charles Dickens was born in Portsmouth.\n- He died in 1870.", NAMES)
    assert found[1] == PhraseTriple("Charles Dickens", "died", "1870")


def test_the_conclusion_is_no_reasoning_unless_it_is_all_there_is() -> None:
    text = "Yes, Charles Dickens was born in Portsmouth. James Cameron was born in Paris."
    assert triples(text, NAMES, TextSpan(0, 3)) == [PhraseTriple("James Cameron", "was born in", "Paris")]
    assert triples(text[:44], NAMES, TextSpan(0, 3)) == [PhraseTriple("Charles Dickens", "was born in", "Portsmouth")]
    assert triples("Yes.", NAMES, TextSpan(0, 3)) == []


def test_short_lowercase_and_shared_names_do_not_link() -> None:
    text = "It was reading in Springfield with Boz. See It."
    linked = [(one.text, one.kind) for each in text.split(". ") for one in anchored.mentions(each, NAMES)]
    assert linked == [("Springfield", "entity"), ("Boz", "name"), ("It", "entity")]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("7 February 1812", "7 February 1812"),
        ("on the 7th of February, 1812", "7 February 1812"),
        ("February 7, 1812", "7 February 1812"),
        ("1812-02-07", "7 February 1812"),
        ("Feb. 1812", "February 1812"),
        ("in 1812", "1812"),
        ("15 March 44 BC", "15 March 44 BC"),
        ("44 B.C.", "44 BC"),
        ("the 1840s", "1840s"),
        ("the 19th century", "19th century"),
        ("8,848.86 metres", "8848.86"),
        ("1.5 million people", "1500000"),
        ("79 protons", "79"),
    ],
)
def test_equal_dates_and_numbers_have_one_wording(text: str, phrase: str) -> None:
    (found,) = anchored.mentions(text, NAMES)
    assert found.text == phrase


@pytest.mark.parametrize(
    ("iso", "precision", "phrase"),
    [
        ("1812-02-07", 11, "7 February 1812"),
        ("1812-02-01", 10, "February 1812"),
        ("1812-01-01", 9, "1812"),
        ("-0043-03-15", 11, "15 March 44 BC"),
        ("0000-01-01", 9, "1 BC"),
        ("1840-01-01", 8, "1840s"),
        ("1850-01-01", 7, "19th century"),
        ("-0043-01-01", 7, "1st century BC"),
        ("Boo", 9, "Boo"),
    ],
)
def test_gold_dates_are_worded_as_those_of_a_response(iso: str, precision: int, phrase: str) -> None:
    found = dates.of_iso(iso, precision)
    assert (found.text if found else iso) == phrase


def test_both_sides_are_read_alike() -> None:
    office = BORN_ON | {
        "relation": "took office as Mayor of Paris",
        "sentence": "Charles Dickens took office as mayor of Paris on 7 February 1812.",
    }
    for premise in (BORN, BORN_ON, office):
        assert triples(f"Yes.\n1. {premise['sentence']}", NAMES) == gold(
            [premise], [anchored.triples([premise["sentence"]], NAMES)]
        )


def test_a_premise_that_its_sentence_does_not_show_keeps_its_stored_triple() -> None:
    odd = BORN | {"sentence": "It happened there."}
    assert gold([odd], [anchored.triples([odd["sentence"]], NAMES)]) == [
        PhraseTriple("Charles Dickens", "was born in", "Portsmouth")
    ]


@pytest.mark.parametrize(
    "piece", ["Paris ", "A b ", "(", '"', "1. Paris is Paris France. ", "12 ", "1,", "\0\x01\xff", "A", "<b>Paris</b> ",
              "born(paris). :- halt. ", "It is ", "Of the of The ", "1812-02-07 "]
)  # fmt: skip
def test_a_megabyte_of_anything_gives_few_triples(piece: str) -> None:
    assert len(triples(piece * (1_000_000 // len(piece)), NAMES)) <= MAX_TRIPLES


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for triple in triples(text, NAMES):
        assert triple.subject
        assert triple.object
