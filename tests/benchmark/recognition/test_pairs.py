"""Recognition: licensed pairs without a length tell, of which every answer follows from what is cited."""

import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark import config as configuration
from halluvault_tasks.benchmark.export import pair_sheet, reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.recognition.fact import RecognitionFact
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS
from halluvault_tasks.benchmark.suites.registry import SUITES
from halluvault_tasks.errors import UserError
from tests.benchmark.recognition.conftest import MONTH, asked, every
from tests.benchmark.test_halueval import HALUEVAL


def test_each_task_has_a_hundred_pairs_and_its_patterns_and_length_tells_nothing(session: Session) -> None:
    pairs: dict[str, dict[str, dict[str, RecognitionFact]]] = defaultdict(lambda: defaultdict(dict))
    for case, fact in asked(session):
        assert case.gold == ("yes" if fact.member == "false" else "no")
        if fact.generator == "licensed swaps":
            pairs[fact.task][fact.pair][fact.member] = fact
    for task, patterns in PATTERNS.items():
        both = list(pairs[task].values())
        assert len(both) >= 100
        assert {one["false"].pattern for one in both} == set(patterns)
        for measure in ("words", "characters"):
            longer = sum(getattr(one["false"], measure) > getattr(one["right"], measure) for one in both)
            shorter = sum(getattr(one["false"], measure) < getattr(one["right"], measure) for one in both)
            assert 0.45 <= longer / len(both) <= 0.55, (task, measure)
            assert longer + shorter == len(both)


def test_a_sheet_of_pairs_is_drawn_evenly_over_patterns_and_shows_both_members_and_no_proof(
    session: Session,
) -> None:
    known = {(fact.pair, fact.member): (case.question, fact) for case, fact in asked(session)}
    found = pair_sheet.draw(session, MONTH, 40, 7)
    assert found == pair_sheet.draw(session, MONTH, 40, 7) != pair_sheet.draw(session, MONTH, 40, 8)
    kinds = Counter(one.kind for one in found)
    there = {f"{fact.task}, {fact.pattern}, {fact.generator}" for _, fact in known.values() if fact.other_words}
    assert len(found) == 40 and set(kinds) == there and max(kinds.values()) - min(kinds.values()) <= 1
    written = pair_sheet.sheet(found)
    for one in found:
        for member, shown in (("right", one.right), ("false", one.false)):
            question, fact = known[one.id, member]
            assert question.startswith(f"{one.setting}\n") and question.endswith(f": {shown}")
            assert shown in written and fact.why not in written.partition("## 1:")[2]
    with pytest.raises(UserError, match="has no pair of the suite recognition"):
        pair_sheet.draw(session, "2033-01", 1, 1)


def test_what_a_served_model_wrote_is_shown_to_be_false_and_tells_nothing_by_its_length(session: Session) -> None:
    [part] = part_lookup.of_month(session, MONTH, ["recognition"])
    told = part.statistics.own["generated"]
    false = [fact for _, fact in asked(session) if fact.generator.startswith("sampled") and fact.member == "false"]
    assert Counter(fact.task for fact in false) == told["pairs"]
    for task in PATTERNS:
        mine = [fact for fact in false if fact.task == task]
        assert len(mine) >= 4, task
        assert sum(fact.words > fact.other_words for fact in mine) * 2 == len(mine)
        assert sum(fact.characters > fact.other_characters for fact in mine) * 2 == len(mine)
        assert told[task]["dropped"]["the right text again"] > 0
    licensed = {case.question for case, fact in asked(session) if fact.generator == "licensed swaps"}
    assert not licensed & {case.question for case, fact in asked(session) if fact.generator.startswith("sampled")}


def test_every_answer_follows_from_what_is_cited(session: Session, replayed: Callable[[str], str]) -> None:
    drawn: dict[str, tuple[reading.CaseView, RecognitionFact]] = {}
    for case, fact in asked(session):
        drawn[f"{case.rule_kind} {fact.member} {fact.generator}"] = (case, fact)
    made = [name for name in drawn if "sampled by" not in name]
    assert len(made) == 2 * sum(len(patterns) for patterns in PATTERNS.values()) + 2 + 2 < len(drawn), (
        "HaluEval, general"
    )
    for name, (case, _) in drawn.items():
        assert replayed(case.proof) == case.gold, name


def without(proof: str, start: str) -> str:
    """A proof without the facts that begin so."""
    left = [line for line in proof.splitlines() if not line.startswith(start)]
    assert len(left) < len(proof.splitlines()), start
    return "\n".join([*left, ""])


def test_no_member_is_right_or_false_without_the_facts_that_its_proof_cites(
    session: Session, replayed: Callable[[str], str]
) -> None:
    drawn = {
        (fact.task, fact.pattern, fact.member, fact.refine is not None): case
        for case, fact in every(session) if fact.generator == "licensed swaps"
    }  # fmt: skip
    assert len(drawn) >= 2 * sum(len(patterns) for patterns in PATTERNS.values()) + 2
    for (task, pattern, member, mended_), case in drawn.items():
        assert replayed(case.proof) == case.gold
        if member == "false" and not mended_:
            assert replayed(without(case.proof, "stated(")) == "undecided", pattern
            continue
        said = re.findall(r"^says\((.*)\)\.$", case.proof, re.MULTILINE)
        assert len(said) == (0 if pattern == "inference" else 2 if task == "summary" else 1)
        needed = [f"stated({each})" for each in said] + [f"held({each})" for each in said if task == "summary"]
        needed += ["stated(", "contains("] if pattern == "inference" else ["says("]
        for fact in needed:
            assert replayed(without(case.proof, fact)) == "undecided", (pattern, fact)
        # Each fact of a right member is a statement that is cited, above it and in `premises`.
        cited = re.findall(r"^% statement (\S+): .*\nstated\((\d+), (\d+), ", case.proof, re.MULTILINE)
        assert [tuple(each) for each in cited] == [
            (one["guid"], str(one["subject"]["qid"]), str(one["property"])) for one in case.premises
        ]


def test_no_false_member_is_stated_anywhere_in_the_snapshot(session: Session) -> None:
    """An independent look: what a swap claims of a slot with one value is no statement at any rank."""
    stated = {
        tuple(row)
        for row in session.execute(
            text("SELECT s, p, o FROM statement WHERE snapshot = :m AND kind = 'item'"
                 " UNION SELECT s, p, o FROM deprecated_value WHERE snapshot = :m"), {"m": MONTH},
        )
    }  # fmt: skip
    kept = text("SELECT s, properties[1], o FROM foil f JOIN relation r ON r.id = relation WHERE snapshot = :m")
    foils = {tuple(row) for row in session.execute(kept, {"m": MONTH})}
    swapped = [
        (case, fact) for case, fact in asked(session)
        if fact.member == "false" and fact.pattern in (
            "factualness", "comprehension", "extrinsic-soft", "extrinsic-hard", "extrinsic-grouped", "intrinsic",
            "non-factual",
        )
    ]  # fmt: skip
    assert len(swapped) > 150
    rows = text("SELECT subject, property, object FROM benchmark_case WHERE snapshot = :m AND case_id = :c")
    for case, fact in swapped:
        said = tuple(session.execute(rows, {"m": MONTH, "c": case.id}).one())
        assert said not in stated, fact.why
        assert (said in foils) == (fact.pattern != "extrinsic-grouped"), "the licence says nothing of other kinds"


def test_soft_swaps_are_of_one_type_and_one_country_or_time_and_hard_ones_are_not(session: Session) -> None:
    """An independent look: types, countries and years as the statements have them."""
    types = dict(session.execute(text("SELECT qid, types FROM entity WHERE snapshot = :m"), {"m": MONTH}).all())
    over = set(session.scalars(text("SELECT s FROM statement WHERE snapshot = :m AND p IN (576, 582)"), {"m": MONTH}))
    countries: dict[int, set[int]] = defaultdict(set)
    rows = text("SELECT s, o FROM statement WHERE snapshot = :m AND p = 17 AND kind = 'item' AND NOT hedged"
                " AND end_earliest IS NULL AND end_latest IS NULL")  # fmt: skip
    for place, country in session.execute(rows, {"m": MONTH}):
        countries[place] |= {country} - over
    born = dict(
        session.execute(
            text("SELECT s, extract(year FROM date '0001-01-01' + min(earliest) - 1)::int FROM statement"
                 " WHERE snapshot = :m AND p = 569 AND kind = 'time' GROUP BY s"), {"m": MONTH},
        ).all()
    )  # fmt: skip
    member = text("SELECT property, object FROM benchmark_case WHERE snapshot = :m AND case_id = :c")
    values: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    patterns: dict[str, str] = {}
    for case, fact in asked(session):
        if fact.pattern in ("extrinsic-soft", "extrinsic-hard"):
            patterns[fact.pair] = fact.pattern
            values[fact.pair][fact.member] = tuple(session.execute(member, {"m": MONTH, "c": case.id}).one())
    seen = Counter[tuple[str, bool]]()
    for pair, pattern in patterns.items():
        (p, right), (_, false) = values[pair]["right"], values[pair]["false"]
        place = p in (19, 20)
        if place:
            near = bool(countries[right] & countries[false])
        else:
            near = {right, false} <= born.keys() and abs(born[right] - born[false]) <= 50
        alike = near and bool(set(types[right]) & set(types[false]))
        assert alike == (pattern == "extrinsic-soft"), (pattern, p, right, false)
        seen[pattern, place] += 1
    assert any(not place for _, place in seen), "of people, too, of whom few parents are named without a description"
    assert min(seen[pattern, True] for pattern in ("extrinsic-soft", "extrinsic-hard")) > 10


def test_every_right_member_says_what_a_cited_statement_says_and_nothing_else(session: Session) -> None:
    named = {"qa": "Answer", "dialogue": "Response", "summary": "Summary"}
    looked = Counter[str]()
    for case, fact in asked(session):
        if fact.member != "right" or fact.generator != "licensed swaps":
            continue
        text_ = case.question.rpartition(f"\n{named[fact.task]}: ")[2]
        if fact.task == "qa":
            if fact.pattern == "inference":  # two steps: the country of a place
                continue
            [label] = [each["object"]["label"] for each in case.premises]
            assert label in text_, case.question
        else:
            left = text_
            for premise in case.premises:
                left = left.replace(premise["sentence"], "")
            assert not left.strip(), case.question
        looked[fact.task] += 1
    assert min(looked[task] for task in named) > 50


def test_a_file_counts_by_its_bytes_and_not_by_where_it_lies(suites_dir: Path, tmp_path: Path) -> None:
    def hash_of(directory: Path) -> str:
        return SUITES["recognition"].configured(config.load(directory, "demo")).hash

    moved = shutil.copytree(suites_dir, tmp_path / "moved")
    assert hash_of(moved) == hash_of(suites_dir)
    (moved / "qa_data.json").write_text(json.dumps(HALUEVAL[0]), encoding="utf-8")
    assert hash_of(moved) != hash_of(suites_dir)
    (moved / "qa_data.json").unlink()
    with pytest.raises(UserError, match=r"recognition\.halueval names 'qa_data\.json', which cannot be read"):
        configuration.load_companions(moved)
