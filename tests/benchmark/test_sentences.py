"""What the lexicon says, word for word, for the real file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.config import load
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.lexicon import entries_for
from halluvault_tasks.benchmark.wording.sentences import Date, date_text, fill, iso_date, judge, tidy, words
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation

LEXICON = load(REPOSITORY / "config", "demo").lexicon


def proper(name: str, bare: str = "") -> Named:
    return Named(name, bare or name)


def common(noun: str, mass: bool = False) -> Named:
    return Named(noun, noun, common=True, mass=mass)


UP, MONA = proper("the film “Up”", "Up"), proper("the painting “Mona Lisa”", "Mona Lisa")
NETHERLANDS = proper("the Netherlands", "Netherlands")


@pytest.mark.parametrize(
    ("relation", "form", "s", "o", "question", "negated"),
    [
        (19, "past", proper("Charles Dickens"), proper("Portsmouth"),
         "Was Charles Dickens born in Portsmouth?", ""),
        (20, "past", proper("Vermeer"), NETHERLANDS,
         "Did Vermeer die in the Netherlands?", ""),
        (119, "past", proper("Karl Marx"), proper("Highgate Cemetery"),
         "Was Karl Marx buried in Highgate Cemetery?", "Karl Marx was not buried in Highgate Cemetery."),
        (22, "past", proper("Edward VII"), proper("Albert, Prince Consort,"),
         "Was Albert, Prince Consort, the father of Edward VII?",
         "Albert, Prince Consort, was not the father of Edward VII."),
        (40, "open", proper("Ann"), proper("Albert, Prince Consort,"),
         "Is Albert, Prince Consort, a child of Ann?",
         "Albert, Prince Consort, is not a child of Ann."),
        (26, "open", proper("Ann"), proper("Albert, Prince Consort,"),
         "Has Albert, Prince Consort, ever been married to Ann?",
         ""),
        (26, "past", proper("Ann"), proper("Ben"),
         "Was Ann ever married to Ben?", ""),
        (69, "past", proper("Ann"), proper("the University of Oxford"),
         "Was Ann educated at the University of Oxford?", ""),
        (106, "past", proper("Ann"), common("actor"), "Was Ann ever an actor?", "Ann was never an actor."),
        (39, "open", proper("Ann"), proper("the President of France", "President of France"),
         "Has Ann ever been President of France?",
         "Ann has never been President of France."),
        (166, "past", proper("Ann"), proper("the Copley Medal"),
         "Was Ann ever awarded the Copley Medal?", "Ann was never awarded the Copley Medal."),
        (184, "past", proper("Ann"), proper("Ben"),
         "Was Ben a doctoral advisor or teacher of Ann?", "Ben was not a doctoral advisor or teacher of Ann."),
        (50, "past", proper("the novel “Emma”"), proper("Jane Austen"),
         "Was the novel “Emma” written by Jane Austen?", "The novel “Emma” was not written by Jane Austen."),
        (57, "past", UP, proper("Pete Docter"),
         "Was the film “Up” directed by Pete Docter?", ""),
        (161, "open", UP, proper("Ed Asner"),
         "Is Ed Asner in the cast of the film “Up”?", ""),
        (144, "open", UP, proper("the novel “Emma”"),
         "Is the film “Up” based on the novel “Emma”?", "The film “Up” is not based on the novel “Emma”."),
        (155, "past", proper("the 1964 Summer Olympics"), proper("the 1960 Summer Olympics"),
         "Did the 1964 Summer Olympics come directly after the 1960 Summer Olympics?",
         "The 1964 Summer Olympics did not come directly after the 1960 Summer Olympics."),
        (138, "open", common("curium", mass=True), proper("Marie Curie"),
         "Is curium named after Marie Curie?", "Curium is not named after Marie Curie."),
        (61, "past", common("radium", mass=True), proper("Marie Curie"),
         "Is Marie Curie credited with discovering radium?",
         "Marie Curie is not credited with discovering radium."),
        (36, "open", NETHERLANDS, proper("Amsterdam"),
         "Has Amsterdam ever been the capital of the Netherlands?",
         "Amsterdam has never been the capital of the Netherlands."),
        (47, "open", NETHERLANDS, proper("Belgium"),
         "Has the Netherlands ever shared a border with Belgium?",
         "The Netherlands has never shared a border with Belgium."),
        (403, "open", proper("the Nile"), proper("the Mediterranean Sea"),
         "Does the Nile flow into the Mediterranean Sea?", "The Nile does not flow into the Mediterranean Sea."),
        (30, "open", proper("Turkey"), proper("Europe"),
         "Does any part of Turkey lie in Europe?", "No part of Turkey lies in Europe."),
        (131, "open", proper("Munich"), proper("Bavaria"),
         "Does Munich lie in Bavaria?",
         "Munich does not lie in Bavaria."),
        (279, "open", common("violin"), common("string instrument"),
         "Is a violin a kind of string instrument?", "A violin is not a kind of string instrument."),
        (279, "open", common("influenza", mass=True), common("viral disease", mass=True),
         "Is influenza a kind of viral disease?", "Influenza is not a kind of viral disease."),
        (171, "open", common("lion"), proper("Panthera"),
         "Does the taxon “lion” belong to the taxon “Panthera”?",
         "The taxon “lion” does not belong to the taxon “Panthera”."),
        (397, "open", proper("the Moon"), proper("Earth"),
         "Does the Moon orbit Earth?", "The Moon does not orbit Earth."),
        (1086, "open", common("gold", mass=True), proper("79"),
         "Does gold have an atomic number of 79?", "Gold does not have an atomic number of 79."),
        (780, "open", common("influenza", mass=True), common("fever", mass=True),
         "Is fever a symptom of influenza?", "Fever is not a symptom of influenza."),
        (178, "past", proper("macOS"), proper("Apple Inc."),
         "Was macOS developed by Apple Inc.?", ""),
        (Relation.chain(19, 131), "past", proper("Ann"), NETHERLANDS,
         "Was Ann born in the Netherlands?",
         "Ann was not born in the Netherlands."),
        (Relation.inverse(57), "past", proper("Ann"), UP, "Did Ann direct the film “Up”?",
         ""),
        (Relation.inverse(159), "open", proper("Detroit"), proper("Ford"),
         "Has Ford ever been headquartered in Detroit?", ""),
        (65, "past", proper("1960 Guisan"), proper("the Zimmerwald Observatory"),
         "Was the minor planet 1960 Guisan discovered at the Zimmerwald Observatory?",
         ""),
        (Relation.share(57), "open", UP, proper("the film “Down”"),
         "Were the film “Up” and the film “Down” directed by the same person?",
         ""),
    ],
)  # fmt: skip
def test_questions_read_word_for_word(
    relation: int | Relation, form: str, s: Named, o: Named, question: str, negated: str
) -> None:
    forms = [
        getattr(entry, form)
        for entry in entries_for(LEXICON, relation if isinstance(relation, Relation) else Relation.of(relation))
    ]
    told = [said for one in forms if one is not None and (said := words(one, s, o)) is not None]
    assert (question, judge(negated) if negated else "") in [(said.original, said.negated) for said in told]


def test_nobody_is_described_twice_in_the_same_words() -> None:
    form = LEXICON.orders[569][0].past
    assert form is not None
    one, other, else_ = (
        Named(f"{name}, the {what},", name, described=True)
        for name, what in (("Ann", "American actor"), ("Bob", "American actor"), ("Cid", "British actor"))
    )
    assert words(form, one, other) is None
    assert words(form, one, else_) is None, "two descriptions clog a sentence"
    assert words(form, one, Named("the physicist Cid", "Cid", described=True)) is not None


def test_a_description_does_not_say_what_is_asked() -> None:
    form = LEXICON.properties[36][-1].open
    assert form is not None
    told = (
        Named(f"Richmond, the {what},", "Richmond", described=True) for what in ("capital city of Virginia", "city")
    )
    assert [words(form, proper("Ann"), one) is None for one in told] == [True, False]


def test_names_joined_by_and_may_not_hold_an_and() -> None:
    form = entries_for(LEXICON, Relation.of(530))[0].open
    assert form is not None
    said = words(form, proper("Montenegro"), proper("Bosnia and Herzegovina"))
    assert said is not None
    assert said.original == "Has Montenegro ever had diplomatic relations with Bosnia and Herzegovina?"
    assert {one.mutation for one in said.more} == {"statement"}
    shared = entries_for(LEXICON, Relation.share(57))[0].open
    assert shared is not None
    assert words(shared, proper("the film “Up and Down”"), UP) is None


def test_a_title_within_a_statement_to_judge_takes_inner_quotes() -> None:
    assert judge("The film “Up” was not directed by Ann.") == (
        "Is this statement true? “The film ‘Up’ was not directed by Ann.”"
    )


def test_every_entry_reads_as_sentences() -> None:
    entries = [one for group in (LEXICON.properties, LEXICON.relations, LEXICON.shared) for one in group.values()]
    for entry in [one for several in entries for one in several]:
        for form in filter(None, (entry.past, entry.open)):
            for pattern in form.sentences():
                said = fill(pattern, s=common("thing"), o=proper("Anna, the queen,", "Anna")._replace(described=True))
                assert said[0].isupper()
                assert said[-1] in "?."
                assert ",?" not in said
                assert ",." not in said
                assert "  " not in said
                assert "{" not in said


@given(st.text(alphabet="abc XYZ,?“”'", max_size=30))
def test_tidying_twice_is_tidying_once(text: str) -> None:
    once = tidy(text + ".")
    assert tidy(once) == once


@pytest.mark.parametrize(
    ("year", "month", "day", "precision", "text", "iso"),
    [
        (1812, 2, 7, 11, "on 7 February 1812", "1812-02-07"),
        (1812, 2, 1, 10, "in February 1812", "1812-02"),
        (1812, 1, 1, 9, "in 1812", "1812"),
        (-43, 1, 1, 9, "in 44 BC", "-0043"),
        (0, 1, 1, 9, "in 1 BC", "0000"),
        (1930, 1, 1, 8, "in the 1930s", "1930"),
    ],
)
def test_dates_read_as_precise_as_they_are(
    year: int, month: int, day: int, precision: int, text: str, iso: str
) -> None:
    on = Date(day_number(year, month, day), precision)
    assert date_text(on) == text
    assert iso_date(on) == iso


@pytest.mark.parametrize(
    ("day", "precision", "julian", "text", "iso"),
    [
        ((1643, 1, 4), 11, True, "on 25 December 1642 (Julian calendar)", "1642-12-25"),
        ((1452, 4, 24), 11, True, "on 15 April 1452", "1452-04-15"),  # as Wikidata takes it for granted
        ((1452, 4, 24), 11, False, "on 24 April 1452 (Gregorian calendar)", "1452-04-24"),
        ((1452, 4, 24), 11, None, "on 24 April 1452", "1452-04-24"),  # of a month that kept no calendars
        ((1918, 1, 14), 10, True, "in January 1918 (Julian calendar)", "1918-01"),
        ((1812, 2, 7), 11, False, "on 7 February 1812", "1812-02-07"),
        ((1642, 1, 1), 9, True, "in 1642", "1642"),  # a year is a name
    ],
)
def test_a_date_stands_in_its_own_calendar_which_is_named_where_it_is_not_that_of_the_time(
    day: tuple[int, int, int], precision: int, julian: bool | None, text: str, iso: str
) -> None:
    on = Date(day_number(*day), precision, julian)
    assert (date_text(on), iso_date(on)) == (text, iso)
