from pathlib import Path
from typing import Any

import pytest
import yaml

from halluvault_tasks.benchmark.config import load
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.reasoning.rule_typing.reviewed import load_reviewed
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.temporal.kinds import KINDS

FORM = {"question": "Was {s} born in {o}?", "statement": "{s} was born in {o}.", "negated": "{s} was not born in {o}."}

EVER = {
    "question": "Was {s} ever in {o}?", "statement": "{s} was in {o}.", "negated": "{s} was never in {o}.",
}  # fmt: skip


def written(path: Path, form: dict[str, Any], **entry: Any) -> Path:
    one = {"label": "place of birth", "category": "passive", "relation": "was born in", "past": form}
    one |= {"exclusive": True, **entry}
    path.write_text(yaml.safe_dump({"kinds": {"human": ["Q5"]}, "nouns": {}, "properties": {"P19": one}}))
    return path


@pytest.mark.parametrize(
    ("change", "entry", "said"),
    [
        ({"question": "Could {s} be born in {o}?"}, {}, "word of possibility"),
        ({"question": "Was {s} born in {o}"}, {}, "question mark"),
        ({"question": "Was {s} born?"}, {}, "must have the slots"),
        ({"question": "Was {s} not born in {o}?"}, {}, "is negated"),
        ({"question": "Was {s:loud} born in {o}?"}, {}, "no style 'loud'"),
        ({"question": "Was {s} born in {place}?"}, {}, "slot {place}"),
        ({"negated": "{s} was born in {o}."}, {}, "exactly one word"),
        ({"negated": "{s} was not born outside {o}."}, {}, "exactly one word"),
        ({"statement": "{s} was born in {o}"}, {}, "full stop"),
        ({}, {"subject": {"any": ["robot"]}}, "kind 'robot'"),
        ({}, {"time_bound": True}, "must say ever or never"),
        (EVER, {"time_bound": True}, "needs `ask_no: false`"),
        ({}, {"exclusive": False}, "nothing else shows that it is false"),
        ({}, {"ask": False}, "needs a `reason`"),
        (
            {"antonym": {"question": "Was {s} born outside {o}?", "relation": "contradictory"}},
            {"exclusive": False, "ask_no": False},
            "only where `exclusive: true`",
        ),
        ({"antonym": {"question": "Was {s} not born in {o}?", "relation": "contradictory"}}, {}, "is negated"),
        ({"paraphrase": [{"question": "Is {o} where {x} began?", "negated": "N."}]}, {}, "slot {x}"),
        ({"paraphrase": {"question": "Was {s} born outside {o}?", "negated": "N."}}, {}, "hides a negation"),
        ({"inverse": {"question": "Is {o} it, {s}", "negated": "N."}}, {}, "question mark"),
        ({}, {"past": None}, "`past` or `open`"),
        ({}, {"colour": "red"}, "colour"),
        ({}, {"category": "verb"}, "category"),
    ],
)
def test_a_faulty_entry_is_refused_by_property_and_field(
    tmp_path: Path, change: dict[str, str], entry: dict[str, Any], said: str
) -> None:
    path = written(tmp_path / "lexicon.yaml", {**FORM, **change}, **entry)
    with pytest.raises(UserError) as error:
        load_lexicon(path)
    assert said in str(error.value)
    assert "P19" in str(error.value) or "19" in str(error.value)
    assert "lexicon.yaml" in str(error.value)


def test_a_sound_entry_is_accepted(tmp_path: Path) -> None:
    assert load_lexicon(written(tmp_path / "lexicon.yaml", FORM)).properties[19][0].relation == "was born in"


def test_a_wording_of_a_kind_of_atom_that_is_not_registered_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "lexicon.yaml", FORM)
    said = {"predicate": "opened", "auxiliary": "Did", "base": "open"}
    path.write_text(path.read_text() + yaml.safe_dump({"atoms": {"openning": said}}))
    with pytest.raises(UserError) as error:
        load_lexicon(path)
    message = str(error.value)
    assert message.startswith(f"{path}, line ")
    assert "atoms.openning" in message
    assert "'openning' is no kind of temporal atom; there are" in message
    assert all(name in message for name in KINDS)
    assert "\n" not in message


def test_every_kind_of_atom_has_a_wording() -> None:
    assert set(load_lexicon(REPOSITORY / "config" / "lexicon.yaml").atoms) == set(KINDS)


def test_what_is_drawn_as_a_year_an_order_or_an_age_is_worded() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    drawn = load_reviewed(REPOSITORY / "config" / "rules.yaml").drawn
    assert set(drawn.year) == set(lexicon.years)
    assert set(drawn.age) == set(lexicon.ages)
    assert set(drawn.order) <= set(lexicon.orders)


def test_what_is_asked_from_its_other_end_is_worded_so_and_named_by_no_property() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    reviewed = load_reviewed(REPOSITORY / "config" / "rules.yaml").inverse
    assert set(reviewed.unnamed) == set(lexicon.inverses)
    assert set(lexicon.inverses) <= set(lexicon.properties), "the statement itself stands in evidence"
    assert not set(reviewed.unnamed) & {one.source for one in (*reviewed.one_way, *reviewed.by_sex)}


def test_no_time_bound_entry_of_the_lexicon_may_be_asked_about_what_is_false() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    entries = [
        one
        for part in (lexicon.properties, lexicon.relations, lexicon.shared, lexicon.inverses)
        for several in part.values()
        for one in several
        if one.time_bound
    ]
    assert len(entries) > 30
    assert not any(one.ask_no for one in entries)


def test_every_property_of_the_domains_is_worded_or_left_out_for_a_reason() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    domains = load_domains(REPOSITORY / "config" / "domains.yaml")
    asked_for = {pid for domain in domains.domains.values() for pid in domain.properties}
    asked_for |= {*domains.common, *domains.chain, *domains.links, *domains.followed}
    known = {*lexicon.properties, *lexicon.dates, *lexicon.not_asked}
    assert {f"P{pid}" for pid in asked_for - known} == set()


def test_a_property_is_asked_about_or_not_asked_about() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    assert not set(lexicon.properties) & set(lexicon.not_asked)
    assert all(len(reason) > 10 for reason in lexicon.not_asked.values())


def test_what_the_lexicon_turns_round_runs_one_way_by_the_reviewed_rules() -> None:
    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    reviewed = load_reviewed(REPOSITORY / "config" / "rules.yaml")
    turned = {pid for pid, entries in lexicon.properties.items() for one in entries if one.converse == "flips"}
    kept = {pid for pid, entries in lexicon.properties.items() for one in entries if one.converse == "keeps"}
    single = {pid for pid, entries in lexicon.properties.items() for one in entries if one.exclusive}
    assert turned <= set(reviewed.asymmetric)
    assert kept <= set(reviewed.symmetric)
    assert single <= set(reviewed.functional)


def test_a_file_that_is_no_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.yaml"
    path.write_text("kinds: {human: [Q5]}\nproperties: [\n")
    with pytest.raises(UserError, match="line 3"):
        load_lexicon(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*lexicon\.yaml"):
        load_lexicon(tmp_path / "lexicon.yaml")


def test_an_unknown_size_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UserError, match=r"'huge' is not in \S+/config/benchmark\.yaml; it has demo, full"):
        load(REPOSITORY / "config", "huge")


def test_the_full_size_asks_for_nine_thousand_cases_and_more() -> None:
    size = load(REPOSITORY / "config", "full").size
    assert size.target("relation") >= 7200
    assert size.temporal >= 1800
