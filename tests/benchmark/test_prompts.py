from datetime import date

from halluvault_tasks.benchmark.cases import Case
from halluvault_tasks.benchmark.config import Variant
from halluvault_tasks.benchmark.prompts import text_of, variant_id


def case(suite: str, question: str = "Was Charles Dickens born in Portsmouth?") -> Case:
    return Case("id", question, "yes", "g", "original", "same", suite, "people", "inverse", 19, 1, 2, {}, [], "")


def variant(template: str) -> Variant:
    return Variant.model_validate({"template": template, "form": "plain", "context": "closed-book"})


AS_OF = date(2026, 10, 31)


def test_drowzees_relation_prompt_is_the_published_one_with_the_date() -> None:
    assert text_of(variant("drowzee"), case("relation"), AS_OF) == (
        "Instruction: Answer the question with your knowledge and reasoning power.\n"
        "Query: Given the question: Was Charles Dickens born in Portsmouth?, please provide an answer with your "
        "knowledge and reasoning power. Think of it step by step with a human-like reasoning process. After giving the "
        "answer, list the knowledge used in your reasoning process in the form of declarative sentences and point by "
        "point. The answer must contain ‘Yes’, ‘No’ or ‘I don’t know’ at the beginning.\n"
        "The facts are to be judged as of 31 October 2026."
    )


def test_drowzees_temporal_prompt_asks_for_metric_temporal_logic() -> None:
    text = text_of(variant("drowzee"), case("temporal"), AS_OF)
    assert (
        "please provide an answer with your knowledge and reasoning power upon metric temporal logic. Think it" in text
    )
    assert "list the evidence from your temporal reasoning" in text


def test_halluvaults_prompt_is_one_shot_and_has_one_line_more_than_the_published_one() -> None:
    lines = text_of(variant("halluvault"), case("relation"), AS_OF).splitlines()
    assert lines[1].startswith("Query: Now given the question: Was Charles Dickens born in Portsmouth?, please provide")
    assert [line for line in lines if "31 October 2026" in line] == [
        "The facts are to be judged as of 31 October 2026."
    ]
    assert lines[-1] == "3. Cameron’s only film release during Obama’s presidency was Avatar in 2009."


def test_a_question_that_looks_like_a_slot_stays_a_question() -> None:
    question = "Was {as_of_line} born in {question}?"
    assert question in text_of(variant("drowzee"), case("relation", question), AS_OF)


def test_variants_have_ids_of_their_own() -> None:
    assert variant_id(variant("drowzee")) != variant_id(variant("halluvault"))
