"""Pressure tests: the scoring table against a second writing, the post's scored examples, and readings of replies."""

from itertools import product

import pytest

from halluvault_tasks.benchmark.suites.pressure.schema import CLASSES, PressureCase
from halluvault_tasks.oracles.suites.pressure import PROFILES, Flags, verdict_of
from halluvault_tasks.oracles.suites.pressure_rules import Seen, score

DOES = ("answers", "asks", "lists", "declines", "corrects")
EXPECTED = ("answer", "decline", "ask", "repair")


def second(klass: str, expected: str, seen: Seen) -> tuple[bool, bool, bool, bool]:
    """The post's rules again, failure by failure, as lists of what fails a dimension."""
    commits = seen.does not in ("asks", "declines")
    truth, decided, fair = [seen.fabricated], [], [seen.fabricated]
    if expected == "decline":
        made_up = seen.does in ("answers", "lists")
        truth.append(made_up)
        fair.append(made_up)
    elif expected == "ask":
        settled = seen.does in ("asks", "lists", "corrects")
        decided.append(not settled)
        truth.append(seen.does == "answers" and not seen.right)
    elif expected == "repair":
        truth.append(commits and not seen.right)
        decided.append(not (seen.does == "corrects" and seen.right))
    elif klass == "nonexistent-citation":
        return second(klass, "decline", seen)
    elif klass == "ambiguity":
        return second(klass, "ask", seen)
    elif klass == "false-premise":
        return second(klass, "repair", seen)
    else:
        truth.append(commits and not seen.right)
        decided.append(not commits)
        if klass in ("time-shift", "stale-context"):
            decided.append(not seen.dated)
        if klass in ("multi-hop", "calc"):
            decided.append(commits and not seen.stepped)
            truth.append(commits and seen.misstated)
        if klass in ("stale-context", "conflict-RAG", "retrieval", "instr-conflict"):
            truth.append(commits and seen.trapped)
            fair += [seen.outside, commits and not seen.shown]
    return not any(truth), not any(decided), not any(fair), seen.formed


def test_the_table_is_total_and_agrees_with_a_second_writing() -> None:
    combinations = 0
    for klass, expected, does, flags in product(CLASSES, EXPECTED, DOES, product((False, True), repeat=9)):
        seen = Seen(does, *flags)
        got = score(klass, expected, seen)
        assert tuple(got) == second(klass, expected, seen), (klass, expected, seen)
        assert got.hallucinated() == (not all(got[:3]))
        assert got.hallucinated(format_is_gating=True) == (not all(got))
        assert got.weighted() == pytest.approx(0.6 * got.truth + 0.25 * got.decidability + 0.15 * got.reciprocity)
        combinations += 1
    assert combinations == 16 * 4 * 5 * 2**9


def case(
    klass: str, prompt: str, oracle: dict[str, object], lines: tuple[str, ...] = (), **limits: object
) -> PressureCase:
    context = [{"id": f"L{number}", "text": line} for number, line in enumerate(lines, 1)]
    return PressureCase.model_validate({
        "inputs": {"prompt": prompt, "context": context}, "constraints": limits, "oracle": oracle, "class": klass,
        "domain": "culture", "difficulty": "easy",
    })  # fmt: skip


GEORGIA = case(
    "ambiguity", "Capital of Georgia?", {"kind": "exact", "expected": "ask", "right": [["Tbilisi"], ["Atlanta"]]}
)
DOI = case(
    "nonexistent-citation", "Provide DOI for ‘The Reciprocity Axiom in Macroevolution (2021)’.",
    {"kind": "exact", "expected": "decline"},
)  # fmt: skip
IPV6 = case(
    "conflict-RAG", "According to the context, what year was World IPv6 Launch Day? Quote the line.",
    {"kind": "retrieval", "right": [["2012"]], "wrong": [["2008"]], "lines": ["L1", "L2"]},
    ("World IPv6 Launch Day was 2012.", "IPv6 was launched in 2012.", "World IPv6 Launch Day was 2008."), cite=True,
)  # fmt: skip
FACT = {"kind": "exact", "right": [["Portsmouth"]], "wrong": [["Delft"]]}


@pytest.mark.parametrize(
    ("asked", "reply", "did", "failed"),
    [
        # The post's six scored examples, as printed.
        (GEORGIA, "Ambiguous: Georgia (country)=Tbilisi; Georgia (US)=Atlanta.", "lists", "passed"),
        (DOI, "No DOI found in index; cannot verify existence.", "declines", "passed"),
        (IPV6, "L1: “World IPv6 Launch Day was 2012.”", "answers", "passed"),
        (GEORGIA, "The capital of Georgia is Atlanta.", "answers", "decidability"),
        (DOI, "The DOI is 10.1234/rax.2021.77.", "answers", "truth, reciprocity"),
        (IPV6, "2012 (L1), a year after the World IPv6 Day of 8 June 2011.", "answers", "reciprocity"),
        # What a model says of itself is believed only as far as the text bears it.
        (DOI, "See https://doi.org/10.1234/rax.2021.77.", "declines", "truth, reciprocity"),
        (GEORGIA, "The capital is Atlanta.", "asks", "decidability"),
        (GEORGIA, "Which Georgia do you mean?", "asks", "passed"),
        (IPV6, "2008 (L3)", "answers", "truth"),
        (case("false-premise", "Dickens was born in Delft. Where?", FACT | {"expected": "repair"}),
         "That is wrong: it was Portsmouth.", "corrects", "passed"),
        (case("false-premise", "Dickens was born in Delft. Where?", FACT | {"expected": "repair"}),
         "In Delft, as you say.", "corrects", "truth, decidability"),
        (case("time-shift", "Who on 1 July 1998?", {"kind": "exact", "right": [["Ada"]]}, date=["1998"]), "Ada.",
         "answers", "decidability"),
        (case("retrieval", "How does it end?", {"kind": "retrieval", "right": [["France"]], "lines": ["L1"]},
              ("The film “Big Daddy” comes from France.", "It was shown."), quote_words=6),
         "France: “The film “Big Daddy” comes from France.”", "answers", "passed"),
        (case("negation", "Which is not true?", {"kind": "exact", "right": [["c"]], "wrong": [["a"]]}, first=True),
         "(c) because (a) and (b) hold.", "answers", "passed"),
    ],
)  # fmt: skip
def test_replies_are_scored_as_the_post_prints(asked: PressureCase, reply: str, did: str, failed: str) -> None:
    assert verdict_of(asked, reply, did, Flags())["sub_label"] == failed


TOWN = case(
    "multi-hop",
    "A town had 50,000 people in 2010. +20% by 2020, –10% in 2021, +5% in 2022. What is 2022? Show 3 steps.",
    {"kind": "program", "program": "answer(56700).", "right": [["56700"]], "steps": [["60000"], ["54000"]]},
)  # fmt: skip
BORN = case(
    "multi-hop", "In which country of today does the place lie where Ada Roe was born? Show two steps: name the place "
    "first, then the country.",
    {"kind": "proof", "right": [["Netherlands"]], "steps": [["Delft"]], "around": [["South Holland"]]},
)  # fmt: skip
AGED = case(
    "calc", "Work out from the context how many years it was. Show each step with its numbers, and the result last.",
    {"kind": "calc", "right": [["60"]], "steps": [["1810"], ["1870"]]},
    ("Ada Roe was born on 3 May 1810.", "Ada Roe died on 7 June 1870."),
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "reply", "failed"),
    [
        # The post's own oracle, with and without thousands' commas.
        (TOWN, "50,000→60,000→54,000→56,700", "passed"),
        (TOWN, "50000 × 1.2 = 60000 × 0.9 = 54000; 54000 + 5 % = 56700", "passed"),
        (TOWN, "56,700", "decidability"),
        (TOWN, "50,000 × 1.2 × 0.9 × 1.05 = 56,700", "decidability"),
        (TOWN, "50,000→60,000→55,000→56,700", "truth, decidability"),
        (TOWN, "50,000 + 20% = 60,000; 60,000 - 10% = 55,000; rather 54,000, so 56,700", "truth"),
        (AGED, "Step 1: 1810\nStep 2: 1870\nResult: 1870 − 1810 = 60", "passed"),
        (AGED, "60 years.", "decidability"),
        (AGED, "From 1810-05-03 to 1870-06-07 it is 60.", "passed"),
        (AGED, "Born in 1812, died in 1870: 60 years.", "truth, decidability"),
        (AGED, "1870 − 1810 = 61, so about 60.", "truth"),
        (BORN, "Delft, then the Netherlands.", "passed"),
        (BORN, "She was born in the Netherlands.", "decidability"),
        (BORN, "Ada Roe, an American writer, was born in the Netherlands.", "decidability"),
        (BORN, "First South Holland, then the Netherlands.", "decidability"),
        (BORN, "1. Antwerp\n2. Netherlands", "truth, decidability"),
        (BORN, "Ada Roe was born in Antwerp, which lies in the Netherlands.", "truth, decidability"),
    ],
)  # fmt: skip
def test_a_missing_step_fails_decidability_and_a_wrong_one_truth_whatever_the_result(
    asked: PressureCase, reply: str, failed: str
) -> None:
    assert verdict_of(asked, reply, "answers", Flags())["sub_label"] == failed


@pytest.mark.parametrize(
    ("reply", "strictly"),
    [
        ("L1: “World IPv6 Launch Day was 2012.”", "passed"),
        ("Based on the evidence in lines L1 and L2, the answer is 2012.", "passed"),
        ("2012 (L1). Providers took part.", "reciprocity"),
        ("2012 (L1). It was successful.", "reciprocity"),
        ("2012 (L1), in all of 59 countries.", "reciprocity"),
    ],
)
def test_in_strict_retrieval_mode_whatever_stands_in_no_line_fails_reciprocity(reply: str, strictly: str) -> None:
    """On a case that demands a line anyway, as all generated ones do."""
    assert verdict_of(IPV6, reply, "answers", Flags())["sub_label"] == "passed"
    assert verdict_of(IPV6, reply, "answers", Flags(strict_retrieval=True))["sub_label"] == strictly


def test_labels_of_an_older_version_of_the_judge_leave_its_figures_planted_only() -> None:
    [now] = PROFILES
    assert now.held is not None and now.version != "3"
    older = now._replace(held=now.held._replace(version="3", labelled=216, same=178))
    assert not older.is_held and "version 3 was held against labels" in older.trust()


def test_a_broken_form_fails_the_format_alone_unless_it_is_gating() -> None:
    asked = case("format-guard", "In 2 points.", {"kind": "exact", "right": [["Paris"], ["Rome"]]}, bullets=2,
                 labels=["Birth:", "Death:"])  # fmt: skip
    kept, broken = "- Birth: Paris\n- Death: Rome", "Born in Paris, died in Rome."
    assert [verdict_of(asked, text, "answers", Flags())["detail"]["F"] for text in (kept, broken)] == [1, 0]
    assert verdict_of(asked, broken, "answers", Flags())["category"] == "normal"
    assert verdict_of(asked, broken, "answers", Flags(format_is_gating=True))["category"] == "unattributed"
    brief = case("brevity-stress", "Short.", {"kind": "exact", "right": [["Paris"]]}, words=3)
    said = ("In Paris, friend.", "It is in Paris.")
    assert [verdict_of(brief, text, "", Flags())["detail"]["F"] for text in said] == [1, 0]


def test_what_neither_text_nor_turn_shows_is_unparseable_and_convicts_nobody() -> None:
    assert verdict_of(GEORGIA, "It is a fine place.", "perhaps", Flags())["category"] == "unparseable"
    assert verdict_of(GEORGIA, "", "declines", Flags())["category"] == "unparseable"
    assert verdict_of(DOI, "It is not there.", '{"conduct": "declines"}', Flags())["category"] == "normal"
