"""What the texts are made of: nothing of the lexicon's, every claim in it, and the same bytes again."""

import re
from collections import Counter
from collections.abc import Iterator

import grimp
import pytest

from halluvault_tasks.benchmark.wording.lexicon import Lexicon, load_lexicon
from halluvault_tasks.local.personas.fault_kinds import FaultKind, KnownDate, Thing
from halluvault_tasks.settings import REPOSITORY
from studies.oracle import plan, planting, split, writer
from studies.oracle.planned import Told
from studies.oracle.style import Style

STYLES: tuple[Style, ...] = (*planting.STYLES["development"], *planting.STYLES["kept_back"])
_SLOT = re.compile(r"\{\w+(?::\w+)?\}")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "a an the is are was were be been has have had of in into by at on to as for from its it one and or not no did "
        "does do with within that this which who whom never neither nor both s",
    )
)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon(REPOSITORY / "config" / "lexicon.yaml")


def _sentences(lexicon: Lexicon) -> Iterator[tuple[int, str]]:
    for pid, entries in lexicon.properties.items():
        for entry in entries:
            yield pid, f"{{s}} {entry.relation} {{o}}"
            for form in filter(None, (entry.past, entry.open)):
                for sentence in form.sentences():
                    yield pid, sentence
    for pid, terms in lexicon.dates.items():
        for term in terms:
            yield pid, term.statement
            yield pid, f"{{s}} {term.relation} {{on}}"


def _bones(template: str) -> str:
    """A template without what fills it."""
    return " ".join(re.findall(r"\{\w+|[\w']+", template.casefold()))


def _content(template: str) -> frozenset[str]:
    """The stems of the words that carry its meaning."""
    words = re.findall(r"[a-z]+", _SLOT.sub(" ", template).casefold())
    return frozenset(word[:5] for word in words if word not in _SMALL)


def _forms() -> list[tuple[int, str]]:
    """Every way a style says a property, once."""
    said = {
        (pid, form) for style in STYLES for pid, words in style.words.items() for pair in words.forms for form in pair
    }
    return sorted(said)


def test_styles_share_no_template_and_no_relation_phrase_with_the_lexicon(lexicon: Lexicon) -> None:
    theirs = {_bones(sentence) for _, sentence in _sentences(lexicon)}
    assert [form for _, form in _forms() if _bones(form) in theirs] == []
    relations = {entry.relation.casefold() for entries in lexicon.properties.values() for entry in entries}
    between = {
        re.sub(r"\s+", " ", match[1]).strip().casefold()
        for _, form in _forms()
        if (match := re.fullmatch(r"\{[so]\}(.*)\{(?:o|s|on)\}", form))
    }
    assert between & relations == set()
    assert {words.row for style in STYLES for words in style.words.values()} & relations == set()


def test_a_fifth_of_the_paraphrases_lie_outside_the_lexicon(lexicon: Lexicon) -> None:
    known: dict[int, set[str]] = {}
    for pid, sentence in _sentences(lexicon):
        known.setdefault(pid, set()).update(_content(sentence))
    for part in ("development", "kept_back"):
        forms = [(pid, form) for style in planting.STYLES[part] for pid, words in style.words.items() if pid > 0
                 for form, _ in words.forms]  # fmt: skip
        outside = [form for pid, form in forms if not _content(form) & known.get(pid, set())]
        assert len(outside) / len(forms) >= 0.2, part


def _wordings(part: split.Part) -> set[str]:
    """Every form, frame and step of a part's styles, reduced to its words; frames of fewer than two are no wording."""
    said = [words for style in planting.STYLES[part] for words in style.words.values()]
    texts = {form for words in said for pair in words.forms for form in pair}
    for style in planting.STYLES[part]:
        for field in (style.asides, style.doubts, style.taken_back, style.conclusions, style.before, style.not_before,
                      style.inside, style.outside, style.span, style.restating):  # fmt: skip
            texts |= set(field)
    return {bones for text in texts if len((bones := _bones(text)).split()) > 1}


def test_the_two_parts_share_no_wording() -> None:
    assert _wordings("development") & _wordings("kept_back") == set()


def test_every_style_can_say_every_property_of_its_part() -> None:
    for part, properties in (("development", split.DEVELOPMENT), ("kept_back", split.KEPT_BACK)):
        for style in planting.STYLES[part]:
            # a chain's conclusion is worded under minus its number
            assert {pid for pid in properties if not {pid, -pid} & set(style.words)} == set(), style.name


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_what_is_denied_has_a_word_of_denial_and_what_is_said_has_none(style: Style) -> None:
    denial = re.compile(r"\b(not|no|neither|nor|never|cannot|different|isn't)\b")
    for words in style.words.values():
        for said, denied in words.forms:
            assert not denial.search(said), said
            assert denial.search(denied), denied


def test_who_plans_and_writes_imports_no_oracle_no_lexicon_and_no_prolog() -> None:
    graph = grimp.build_graph("halluvault_tasks", "studies", cache_dir=None)
    writers = {module.__name__ for module in (plan, writer)}
    for module in writers:
        upstream = graph.find_upstream_modules(module)
        assert upstream
        assert not {name for name in upstream if name.startswith("halluvault_tasks.oracles")}
        assert not {
            name for name in upstream if name.startswith(("halluvault_tasks.benchmark", "halluvault_tasks.prolog"))
        }
        assert not {name for name in upstream if name.startswith("halluvault_tasks.reasoning")}


def test_every_claim_of_a_plan_stands_in_its_text(sample) -> None:
    seen = Counter()
    for part, plans in sample.plans.items():
        styles = {style.name: style for style in planting.STYLES[part]}
        for one in plans:
            text = writer.write(one, styles[one.style], "?", 1)
            for told in (*one.told, *one.asides):
                for thing in filter(None, (told.subject, told.item)):
                    assert thing.label.casefold() in text.casefold(), (one, text)
                if told.date:
                    year = told.date.year
                    assert (str(year) if year > 0 else f"{1 - year} BC") in text
            seen[one.fault] += 1
            assert "{" not in text
    # No case of this sample rests on a shared value or on one way up; relations are changed by personas alone.
    assert set(FaultKind) - set(seen) <= {FaultKind.WRONG_PARTIAL, FaultKind.CHANGED_RELATION}


def test_the_same_plan_gives_the_same_bytes(sample) -> None:
    one = sample.plans["kept_back"][7]
    style = next(style for style in planting.STYLES["kept_back"] if style.name == one.style)
    assert writer.write(one, style, "Why?", 1) == writer.write(one, style, "Why?", 1)


def test_a_label_with_braces_or_markup_is_put_in_as_it_is() -> None:
    told = Told(Thing(1, "{o} <b>"), 20, Thing(2, "{s}"))
    style = planting.STYLES["kept_back"][0]
    from random import Random

    said = writer.sentence(told, style, Random(1))
    assert "{o} <b>" in said
    assert "{s}" in said


def test_dates_are_said_as_precisely_as_they_are_known() -> None:
    assert writer.on_date(KnownDate(1812, 2, 7)) == "on 7 February 1812"
    assert writer.on_date(KnownDate(1812, 2, 0)) == "in February 1812"
    assert writer.on_date(KnownDate(-43, 0, 0)) == "in 44 BC"
