"""Edit requests and preference pairs of a month: what they hold, and how far a planted edit is found."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import typer
import yaml
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark import config
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.cli.parts import mitigation
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.querying import evaluations
from halluvault_tasks.results import caveats, figures, store, views
from halluvault_tasks.results.mitigation import edits, facts, gains, preferences, used
from halluvault_tasks.results.mitigation.gains import CaseOutcome
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import tables

MONTH, MODEL, ID = "2040-01", "simulated/to-be-edited", "mitigated"
SAID = "Nowhereham"


@pytest.fixture
def judged(session: Session, january: BenchmarkCounts) -> facts.HeadlineEvaluation:
    """An evaluation that had every second group of the suite relation wrong, each with a convicted premise."""
    assert january.snapshot == MONTH
    if session.scalar(select(tables.evaluation.c.id).where(tables.evaluation.c.id == ID)) is None:
        _judge(session)
    return facts.evaluation(session, MONTH, MODEL)


def _judge(session: Session) -> None:
    part = tables.benchmark_part
    session.execute(update(part).where(part.c.snapshot == MONTH).values(published=True))
    variant = {"id": "m-variant", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}
    session.execute(insert(tables.prompt_variant), [variant])
    session.execute(insert(tables.model), [{"id": "m-model", "name": MODEL, "dialect": "tgi", "model_id": MODEL}])
    evaluation = {"id": ID, "snapshot": MONTH, "model_id": "m-model", "variant_id": "m-variant", "sampling": {}}
    session.execute(insert(tables.evaluation), [evaluation])
    rows = session.execute(
        select(tables.cases.c.id, tables.cases.c.gold, tables.cases.c.group_id, tables.benchmark_case.c.premises)
        .join(tables.benchmark_case, tables.benchmark_case.c.case_id == tables.cases.c.id)
        .where(tables.benchmark_case.c.snapshot == MONTH, tables.benchmark_case.c.suite == "relation")
        .order_by(tables.cases.c.id)
    ).all()
    verdicts: list[dict[str, Any]] = []
    for row in rows:
        wrong = int(row.group_id, 16) % 2 == 0
        items = [one for one in row.premises if "qid" in one["object"]]
        claims = [{"role": "premise", "status": "contradicted", "statement": one["sid"], "object": SAID}
                  for one in items[:1]]  # fmt: skip
        verdicts.append({
            "evaluation_id": ID, "case_id": row.id, "sample": 1, "profile": replay_profile.PROFILE,
            "profile_version": replay_profile.VERSION, "answer": "no" if (row.gold == "yes") == wrong else "yes",
            "correct": not wrong, "category": "error_knowledge" if wrong else "normal", "sub_label": "",
            "detail": {"claims": claims if wrong else [], "flags": {}},
        })  # fmt: skip
    # As rows of before 28 November 2026 hold it: the thought in the text.
    said = f"<think>Or elsewhere?</think>It is {SAID}."
    common = {"evaluation_id": ID, "status": "delivered", "text": said, "attempts": 1}
    session.execute(insert(tables.response), [{"case_id": row.id, **common} for row in rows])
    session.execute(insert(tables.verdict), verdicts)
    of = {"evaluation_id": ID, "profile": replay_profile.PROFILE, "profile_version": replay_profile.VERSION}
    session.execute(insert(tables.result_set), [of])
    views.install(session)
    session.commit()


def test_an_evaluation_is_found_by_the_variant_as_it_is_asked_for_and_as_it_is_shown(
    session: Session, judged: facts.HeadlineEvaluation
) -> None:
    for variant in ("halluvault/plain/closed-book", "halluvault v1, plain, closed-book", "halluvault", ""):
        assert facts.evaluation(session, MONTH, MODEL, variant) == judged
    with pytest.raises(UserError, match="0 evaluations"):
        facts.evaluation(session, MONTH, MODEL, "halluvault/plain/with-evidence")


@pytest.fixture
def material(session: Session, judged: facts.HeadlineEvaluation, config_dir: Path) -> Material:
    return Material(session, snapshots.get(session, MONTH), config.load(config_dir, "all").lexicon)


def test_requests_end_where_the_object_begins_and_hold_the_subject_word_for_word(
    session: Session, judged: facts.HeadlineEvaluation, material: Material, tmp_path: Path
) -> None:
    wrong, right = facts.wrong(session, judged, MONTH, "derived"), facts.right(session, judged, MONTH)
    made = edits.requests(material, wrong, right, 150, 1)
    assert made and len({(one.made.fact.s, one.made.fact.relation.pid) for one in made}) == len(made)
    groups = {one.group for one in wrong}
    for one in made:
        assert one.made.subject in one.made.prompt and not one.made.prompt.endswith(one.made.target)
        assert one.made.rephrasings and one.made.prompt not in one.made.rephrasings
        for text in one.made.rephrasings:
            assert one.made.subject in text and one.made.target not in text and not text.endswith((".", " "))
        assert one.locality is None or one.locality.fact.group not in groups
    # A year, an age or a number is what it says, and never the entity of that number.
    told = [one.made for one in made if not one.made.fact.item]
    assert {one.target for one in told} == {str(one.fact.o) for one in told} and len(told) > 2
    assert any(" was born in" in one.prompt and len(one.target) == 4 for one in told)
    born = [one for one in told if one.prompt.endswith(" was born in")]
    assert born and all(one.rephrasings[0] == f"{one.prompt} the year" for one in born), "the lexicon's own come first"
    # The tools' own keys: EasyEdit's are the arguments of `BaseEditor.edit`, FastEdit's are four.
    [file] = edits.write(made, "easyedit", tmp_path / "easy.json")
    easy = json.loads(file.read_text(encoding="utf-8"))
    assert set(easy) == {"prompts", "target_new", "ground_truth", "subject", "rephrase_prompts", "locality_inputs"}
    assert {len(easy[key]) for key in set(easy) - {"locality_inputs"}} == {len(made)}
    assert {len(several) for several in easy["locality_inputs"]["neighborhood"].values()} == {len(made)}
    fast, side = edits.write(made, "fastedit", tmp_path / "fast.json")
    for one, request in zip(json.loads(fast.read_text(encoding="utf-8")), made, strict=True):
        assert set(one) == {"prompt", "subject", "target", "queries"}
        assert one["prompt"].count("{}") == 1 and one["prompt"].format(one["subject"]) == request.made.prompt
        # It trains on prompt and target joined as they stand ("was born inLondon").
        assert one["target"] == f" {request.made.target}"
    assert json.loads(side.read_text(encoding="utf-8"))


def test_convicted_premises_are_facts_apart_with_what_was_said(
    session: Session, judged: facts.HeadlineEvaluation, material: Material
) -> None:
    told = facts.wrong(session, judged, MONTH, "premises")
    assert told and {one.said for one in told} == {SAID}
    made = edits.requests(material, told, [], 3, 1)
    assert len(made) == 3 and edits.easyedit(made)["ground_truth"] == [SAID] * 3
    assert "locality_inputs" not in edits.easyedit(made), "no edit is its own locality where nothing was right"
    with pytest.raises(UserError, match="has no premise that was convicted among its 0 wrong answers"):
        facts.wrong(session, judged._replace(id="nobody's"), MONTH, "premises")


def test_all_edits_of_a_model_count_and_each_only_once(
    session: Session, judged: facts.HeadlineEvaluation, material: Material
) -> None:
    wrong = facts.wrong(session, judged, MONTH, "derived")
    made = edits.requests(material, wrong, facts.right(session, judged, MONTH), 150, 1)
    assert (edits.counted(session, [MODEL]), edits.added(session, MODEL, made[:2])) == (0, 2)
    for some in (made[:2], made[:2], made):
        edits.record(session, MODEL, MONTH, some)
    assert (edits.counted(session, [MODEL]), edits.added(session, MODEL, made)) == (len(made), 0)
    # Who is edited again has the edits of before, and an edit of the same fact is another one.
    again = f"{MODEL}-edited"
    edits.record(session, again, MONTH, made[:2])
    assert edits.counted(session, edits.lineage(again, {})) == len(made) + 2
    assert edits.added(session, f"{again}-edited", made) == len(made)
    before = gains.outcomes(session, judged, MONTH)
    edited = {one.made.fact.case_id for one in made}
    after = {
        case: one._replace(category="normal") if case in edited else one for case, one in before.items()
    }  # fmt: skip
    told = {one.part: one for one in gains.edited(session, MODEL, before, after)}
    assert (told["targets"].before, told["targets"].after) == (1, 0)
    assert told["locality"].before == told["locality"].after == 0
    with pytest.raises(UserError, match="no edit or training data was made for somebody"):
        gains.edited(session, "somebody", before, after)


@pytest.fixture
def commands(database_url: str, config_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[typer.Typer]:
    """`halluvault results` on this database."""
    for name, value in {"DATABASE_URL": database_url, "CONFIG_DIR": str(config_dir), "BENCHMARK_SIZE": "all"}.items():
        monkeypatch.setenv(f"HALLUVAULT_{name}", value)
    settings.cache_clear()
    app = typer.Typer()
    mitigation.register(app)
    yield app
    settings.cache_clear()


def test_beyond_the_limit_the_command_asks_twice_and_writes_nothing_unless_both_are_yes(
    judged: facts.HeadlineEvaluation, commands: typer.Typer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edits, "COLLAPSE", 1)
    file = tmp_path / "edits.json"
    asked = ["edits", "--model", MODEL, "--snapshot", f"{MONTH}.1", "--output", str(file), "--facts", "premises"]
    for said in ("n\n", "y\nn\n"):
        refused = CliRunner().invoke(commands, asked, input=said)
        assert isinstance(refused.exception, UserError) and "nothing was written" in str(refused.exception)
        assert not file.exists()
    done = CliRunner().invoke(commands, asked, input="y\ny\n")
    assert done.exit_code == 0 and file.exists(), done.output


def test_preference_pairs_are_written_by_their_command_and_a_model_that_nobody_asked_is_named(
    judged: facts.HeadlineEvaluation, commands: typer.Typer, tmp_path: Path
) -> None:
    asked = ["preferences", "--snapshot", f"{MONTH}.1", "--output", str(tmp_path / "pairs"), "--model"]
    done = CliRunner().invoke(commands, [*asked, MODEL])
    assert done.exit_code == 0 and "no entity is in both" in done.output, done.output
    lines = {name: len((tmp_path / "pairs" / f"{name}.jsonl").read_text().splitlines()) for name in ("train", "test")}
    assert all(f"{count} in " in done.output for count in lines.values()) and min(lines.values()) > 0
    refused = CliRunner().invoke(commands, [*asked, "nobody"])
    assert isinstance(refused.exception, UserError) and "nobody of 2" in str(refused.exception)
    assert "has 0 evaluations" in str(refused.exception)


def test_edits_of_the_model_that_one_was_edited_from_count_towards_its_limit(
    session: Session,
    judged: facts.HeadlineEvaluation,
    commands: typer.Typer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session.execute(delete(tables.mitigation_use))
    told = {"gold": "yes", "mutation": "original", "relation": "same", "suite": "relation"}
    asked_once = [told | {"id": f"c{n}", "question": f"c{n}?", "group_id": f"g{n}"} for n in range(1_000)]
    session.execute(insert(tables.cases), asked_once)
    of = {"model": "grandmother", "snapshot": MONTH, "kind": "edit", "property": 19, "split": ""}
    rows = [of | {"case_id": f"c{n}", "group_id": f"g{n}", "subject": n} for n in range(1_000)]
    session.execute(insert(tables.mitigation_use), rows)
    session.commit()
    served = {"dialect": "tgi", "server": "gpu", "base_urls": ["http://127.0.0.1:1"]}
    models = [
        served | {"name": MODEL, "edited_from": "mother"},
        served | {"name": "mother", "edited_from": "grandmother"},
    ]
    file = tmp_path / "models.yaml"
    file.write_text(yaml.safe_dump({"servers": [{"name": "gpu", "pool": "gpu", "slots": 1, "in_flight": 4}],
                                    "models": models}))  # fmt: skip
    monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(file))
    settings.cache_clear()
    asked = [
        "edits",
        "--model",
        MODEL,
        "--snapshot",
        f"{MONTH}.1",
        "--output",
        str(tmp_path / "e.json"),
        "--limit",
        "1",
    ]
    refused = CliRunner().invoke(commands, asked, input="n\n")
    assert "would have 1001 edits with those of mother, grandmother; beyond 1000" in str(refused.exception)
    session.execute(delete(tables.mitigation_use))
    session.execute(delete(tables.cases).where(tables.cases.c.id.in_([one["id"] for one in asked_once])))
    session.commit()
    done = CliRunner().invoke(commands, asked)
    assert done.exit_code == 0 and f"1 of {MODEL} in all" in done.output
    session.execute(delete(tables.mitigation_use))
    session.commit()


def test_the_line_of_an_edited_model_ends_where_no_other_is_named_and_never_goes_round() -> None:
    assert edits.lineage("m-edited-edited", {}) == ["m-edited-edited", "m-edited", "m"]
    assert edits.lineage("m-edited", {"m-edited": "other"}) == ["m-edited", "other"]
    with pytest.raises(UserError, match="a is edited from itself: a ← b ← a"):
        edits.lineage("a", {"a": "b", "b": "a"})


def test_preference_pairs_are_trls_hold_no_thought_and_share_no_entity_between_the_splits(
    session: Session, judged: facts.HeadlineEvaluation, tmp_path: Path
) -> None:
    found = preferences.pairs(session, judged, MONTH)
    parts = preferences.split(found, 0.7, 1)
    about = {name: {one for pair in several for one in pair.entities} for name, several in parts.items()}
    assert not about["train"] & about["test"] and sum(map(len, parts.values())) == len(found)
    for file in preferences.write(parts, tmp_path / "pairs"):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            assert [list(row), [one["role"] for one in row["prompt"]]] == [["prompt", "chosen", "rejected"], ["user"]]
            assert row["rejected"] == [{"role": "assistant", "content": f"It is {SAID}."}]
            assert row["chosen"][0]["content"].split(".")[0] in ("Yes", "No")
    preferences.record(session, f"{MODEL}, trained", MONTH, parts)
    before = gains.outcomes(session, judged, MONTH)
    told = {one.part: one for one in gains.edited(session, f"{MODEL}, trained", before, before)}
    assert told["held out from training"].difference.shared == len(parts["test"])


def month(cases: int) -> tuple[dict[str, CaseOutcome], list[tuple[str, str, str, str]]]:
    """Cases by twos, half of the groups wrong; those are edited, and as many right ones must be left alone."""
    before, used = {}, []
    for number in range(cases):
        group = f"g{number // 2}"
        wrong = number // 2 % 2 == 0
        before[f"c{number}"] = CaseOutcome(
            group, "inverse", "unattributed" if wrong else "normal", False, number % 2 == 0
        )
        if number % 2 == 0:
            used.append(("edit" if wrong else "locality", f"c{number}", group, ""))
    return before, used


@pytest.mark.parametrize(("edited", "gain", "collapse"), [(150, 0.7, 0.0), (1_500, 0.7, 0.6)])
def test_a_planted_edit_of_150_shows_its_gain_and_one_of_1500_its_collapse(
    edited: int, gain: float, collapse: float
) -> None:
    random = Random(edited)
    before, used = month(4 * edited)
    after = {}
    for case, one in before.items():
        category = "normal" if one.wrong and random.random() < gain else one.category
        meaningless = random.random() < collapse
        after[case] = one._replace(category="unparseable" if meaningless else category, meaningless=meaningless)
    told = {one.part: one for one in gains.changed(used, before, after)}
    failing = (1 - gain) * (1 - collapse)
    for part in ("targets", "rephrasings"):
        apart = told[part].difference
        assert apart.low <= failing - 1 <= apart.high, part
    assert told["targets"].difference.shared == edited
    lost = told["meaningless responses"].difference
    assert lost.low <= collapse <= lost.high
    if not collapse:
        assert told["locality"].difference.difference == 0 == lost.difference


def test_a_retry_of_the_failed_leaves_the_others_as_they_were() -> None:
    before, _ = month(400)
    random = Random(3)
    after = {case: one._replace(category=random.choice(("normal", "both"))) for case, one in before.items()}
    every = {one.part: one for one in gains.gains(before, after)}
    failed = {one.part: one for one in gains.gains(before, after, retried=True)}
    assert every["was: normal"].after > 0.4 and failed["was: normal"].after == 0
    assert failed["was: unattributed"] == every["was: unattributed"]
    assert every["kind: inverse"].difference == every["all"].difference
    kept = gains.stays(before, after)["unattributed"]
    assert kept[0] == 200 and kept[1] == round(200 * every["was: unattributed"].after)


def test_what_a_model_was_trained_on_is_reported_apart_from_then_on(
    session: Session, judged: facts.HeadlineEvaluation
) -> None:
    session.execute(delete(tables.mitigation_use))
    of, row = store.ResultSet(ID, replay_profile.PROFILE, judged.version), evaluations.find(session, ID)
    assert not list(used.of_evaluation(session, of, row))
    wrong = preferences.pairs(session, judged, MONTH)
    made = preferences.split(wrong, 0.5, 1)
    preferences.record(session, MODEL, MONTH, made)
    told = {one.case_id for one in wrong}
    assert len(told) > 3 and all(made.values())
    shown = list(used.of_evaluation(session, of, row))
    rates = {one.key: (one.hits, one.n) for one in shown if one.metric == "hallucination_rate"}
    every = set(session.scalars(select(tables.verdict.c.case_id).where(tables.verdict.c.evaluation_id == ID)))
    sizes = {"trained on": len(made["train"]), "held out from training": len(made["test"])}
    assert rates == {key: (n, n) for key, n in sizes.items()} | {"neither": (0, len(every - told))}
    store.put(session, of, shown, figures.OWNED)
    session.commit()
    # The suite temporal was never asked, so that of what is left too little was delivered for a rate.
    assert {one.key: one.n for one in caveats.of(session, MONTH).used} == sizes
