"""Relations between two names: nouns in every frame, both voices, clauses turned round, denial, what says nothing."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.benchmark.lexicon import load_lexicon
from halluvault_tasks.oracles import gaps
from halluvault_tasks.oracles.mentions import Mention
from halluvault_tasks.oracles.pairing import Sentence
from halluvault_tasks.oracles.phrasebook import Phrasebook, Phrases
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata import yaml_files

CONFIG = REPOSITORY / "config"
SYMMETRIC = {26, 47, 190, 530, 3373}
PHRASES = yaml_files.load(CONFIG / "phrases.yaml", Phrases)
_NAME = re.compile(r"Alpha|Beta|Gamma|\b1\d{3}\b")


@cache
def whole() -> Phrasebook:
    return Phrasebook(PHRASES, load_lexicon(CONFIG / "lexicon.yaml"))


@pytest.fixture(scope="module")
def book() -> Phrasebook:
    return whole()


def said(book: Phrasebook, text: str, *pids: int) -> set[tuple[int, str, str, bool]]:
    """What a sentence about Alpha, Beta and Gamma says for certain, where any of them may be either end."""
    seen = [
        Mention(m.start(), m.end(), m.group(), "date" if m.group().isdigit() else "entity", ())
        for m in _NAME.finditer(text)
    ]

    def fits(p: int, s: Mention, o: Mention) -> bool:
        return p in pids and s.kind == "entity" and s.phrase != o.phrase

    found = Sentence(text, seen, book, fits, SYMMETRIC).read()
    return {
        (p, seen[s].phrase, seen[o].phrase, one.negative)
        for one in found
        if one.source != "cue" and not one.hedged
        for p, s, o in one.meanings
    }


NOUN_FRAMES = [
    "The {n} of Alpha is Beta.",
    "The {n} of Alpha was none other than Beta.",
    "The {n} of Alpha turns out to be Beta.",
    "The {n} of Alpha is recorded as Beta.",
    "Alpha’s {n} is Beta.",
    "Alpha, whose {n} is Beta, is well known.",
    "As for Alpha’s {n}, it is Beta.",
    "For Alpha, the {n} is Beta.",
    "Beta is the {n} of Alpha.",
    "Beta is Alpha’s {n}.",
    "Beta is listed as the {n} of Alpha.",
    "Beta serves as the {n} of Alpha.",
    "Beta was one of the {n}s of Alpha.",
    "Beta was, without doubt, the {n} of Alpha.",
    "Alpha has Beta as its {n}.",
    "Alpha counts Beta among its {n}s.",
    "Among Alpha’s {n}s is Beta.",
    "Among the {n}s of Alpha is Beta.",
    "The role of {n} of Alpha fell to Beta.",
]


def _nouns() -> Iterator[tuple[int, str]]:
    for pid, wording in PHRASES.properties.items():
        if pid not in SYMMETRIC and pid != 119:  # "X counts Y among its graves" is said of a cemetery too
            plain = [
                one for one in wording.nouns if not one.endswith(("s", "y", "x", "child")) and len(one.split()) < 3
            ]
            yield from ((pid, noun) for noun in plain[:3])


@pytest.mark.parametrize("frame", NOUN_FRAMES)
def test_every_noun_in_every_frame_keeps_its_direction(book: Phrasebook, frame: str) -> None:
    for pid, noun in _nouns():
        found = said(book, frame.format(n=noun), pid)
        assert found == {(pid, "Alpha", "Beta", False)}, (noun, frame)


@pytest.mark.parametrize(
    ("said_of", "deny"),
    [
        ("Beta is the {n} of Alpha.", "Beta is not the {n} of Alpha."),
        ("Beta is the {n} of Alpha.", "Beta is anything but the {n} of Alpha."),
        ("Beta is the {n} of Alpha.", "Beta cannot be counted among the {n}s of Alpha."),
        ("The {n} of Alpha is Beta.", "The {n} of Alpha was someone other than Beta."),
        ("The {n} of Alpha is Beta.", "It is not the case that the {n} of Alpha is Beta."),
        ("Alpha has Beta as its {n}.", "Alpha does not number Beta among its {n}s."),
    ],
)
def test_a_denial_in_any_words_is_the_statement_turned_to_no(book: Phrasebook, said_of: str, deny: str) -> None:
    for pid, noun in _nouns():
        assert said(book, said_of.format(n=noun), pid) == {(pid, "Alpha", "Beta", False)}
        assert said(book, deny.format(n=noun), pid) == {(pid, "Alpha", "Beta", True)}, (noun, deny)


def test_a_name_from_the_other_side_is_read_the_other_way_round(book: Phrasebook) -> None:
    for pid, wording in PHRASES.properties.items():
        for noun in wording.converse_nouns[:4] if pid not in SYMMETRIC else ():
            for text in (
                f"Alpha is a {noun} of Beta.",
                f"One of Beta’s {noun}s was Alpha.",
                f"Beta has Alpha as {noun}.",
            ):
                if not noun.endswith(("s", "i", "child")):
                    assert said(book, text, pid) == {(pid, "Alpha", "Beta", False)}, text


def test_whose_deed_it_was_is_read_in_nominal_style(book: Phrasebook) -> None:
    for pid, wording in PHRASES.properties.items():
        for noun in wording.deeds:
            for text in (
                f"The {noun} of Alpha was the work of Beta.",
                f"Alpha owes its {noun} to Beta.",
                f"Beta was behind the {noun} of Alpha.",
                f"Credit for the {noun} of Alpha goes to Beta.",
            ):
                assert said(book, text, pid) == {(pid, "Alpha", "Beta", False)}, text
            assert said(book, f"Beta had nothing to do with the {noun} of Alpha.", pid) == {
                (pid, "Alpha", "Beta", True)
            }


@pytest.mark.parametrize(
    ("pid", "text", "negative"),
    [
        (19, "In Beta, Alpha was born.", False),
        (19, "It was in Beta that Alpha first saw the light of day.", False),
        (19, "Beta is the town in which Alpha was born.", False),
        (19, "Beta is where the life of Alpha began.", False),
        (19, "The city where Alpha was born is Beta.", False),
        (19, "Born in Beta, Alpha moved away early.", False),
        (19, "Alpha was a writer born in Beta.", False),
        (19, "Alpha, according to most records, was born in Beta.", False),
        (19, "Alpha (a poet) was born and raised in Beta.", False),
        (19, "Alpha was a painter and was never born in Beta.", True),
        (19, "It was not in Beta that Alpha was born.", True),
        (19, "Alpha is not and was never a native of Beta.", True),
        (61, "What Beta discovered was Alpha.", False),
        (61, "The one who discovered Alpha was Beta.", False),
        (61, "Beta went on to discover Alpha.", False),
        (61, "Beta is credited with discovering Alpha.", False),
        (61, "Responsibility for discovering Alpha lay with Beta.", False),
        (397, "Beta has Alpha circling it.", False),
        (397, "The bodies that revolve around Beta include Alpha.", False),
        (397, "Alpha cannot be counted among the bodies revolving around Beta.", True),
        (749, "Alpha is one of the companies owned by Beta.", False),
        (403, "Beta is the sea into which Alpha flows.", False),
        (22, "Father: Beta.", False),
    ],
)
def test_clauses_are_read_however_they_are_turned(book: Phrasebook, pid: int, text: str, negative: bool) -> None:
    if text.startswith("Father"):
        text = "Alpha " + text
    assert said(book, text, pid) == {(pid, "Alpha", "Beta", negative)}


@pytest.mark.parametrize(
    ("pids", "text"),
    [
        ((19,), "Alpha’s nurse was born in Beta."),
        ((19,), "A biographer of Alpha was born in Beta."),
        ((19,), "The son of Alpha was born in Beta."),
        ((19,), "Alpha married a woman who was born in Beta."),
        ((19,), "Alpha was the son of a man born in Beta."),
        ((19,), "Unlike Alpha, nobody was born in Beta."),
        ((19,), "Alpha almost was born in Beta."),
        ((19,), "Alpha wished to be born in Beta."),
        ((19,), "Alpha is said to have been born in Beta."),
        ((22,), "Beta was the father of Alpha’s wife."),
        ((22,), "Alpha regarded Beta as a father figure."),
        ((36,), "The city near the capital of Alpha is Beta."),
        ((50,), "Alpha was written about Beta."),
        ((61,), "Alpha was discovered by a student of Beta."),
        ((61,), "The daughter of Beta discovered Alpha."),
        ((178,), "Beta sued the developer of Alpha."),
        ((397,), "The body orbited by Alpha is in orbit around Beta."),
        ((577,), "The sequel of Alpha was published in 1984."),
    ],
)
def test_what_is_said_of_somebody_else_or_doubted_says_nothing(
    book: Phrasebook, pids: tuple[int, ...], text: str
) -> None:
    assert not said(book, text, *pids)


@pytest.mark.parametrize(
    ("pid", "text", "expected"),
    [
        (-61, "The same person discovered both Alpha and Beta.", False),
        (-61, "The discoverer of Alpha also discovered Beta.", False),
        (-61, "Alpha and Beta were discovered by different people.", True),
        (-178, "No single developer was behind the development of both Alpha and Beta.", True),
        (-397, "Alpha orbits the same body as Beta.", False),
        (-61019, "The discoverer of Alpha was born in Beta.", False),
        (-61019, "Alpha was discovered by someone who was born in Beta.", False),
        (-397397, "The body orbited by Alpha is itself in orbit around Beta.", False),
        (-22025, "Beta was the father of Alpha’s father.", False),
        (-22025, "Beta was not the father of Alpha’s father.", True),
    ],
)
def test_what_two_share_and_what_lies_between_them_is_composed(
    book: Phrasebook, pid: int, text: str, expected: bool
) -> None:
    parts = {19, 22, 61, 178, 397} if pid < -1000 else {-pid}
    found = {one for one in said(book, text, pid, *(parts if pid > -1000 else ())) if one[0] == pid}
    assert {(p, frozenset((a, b)), no) for p, a, b, no in found} == {(pid, frozenset(("Alpha", "Beta")), expected)}


NOTHING = [
    "",
    "indeed ",
    "in fact ",
    "actually ",
    "later ",
    "clearly ",
    "certainly ",
    "officially ",
    "as is well known ",
    "of course ",
]
BESIDES = ["", ", a man of letters,", " (as his papers show)", " – so the record shows –", ", without any doubt,"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NOTHING), st.sampled_from(BESIDES), st.sampled_from(["", "not ", "never "]))
def test_words_that_say_nothing_change_nothing(filler: str, beside: str, no: str) -> None:
    text = f"Alpha{beside} was {filler}{no}born in Beta."
    assert said(whole(), text, 19) == {(19, "Alpha", "Beta", bool(no))}


@pytest.mark.parametrize(
    ("words", "negations"),
    [
        (" is none other than ", 0), (" was not only born in ", 0), (" was, beyond any doubt, born in ", 0),
        (" did not begin until ", 0), (" cannot be ", 1), (" failed to win ", 1), (" lies outside ", 1),
        (" is far from being ", 1), (" is by no means ", 1), (" was born somewhere other than ", 1),
        (" is not and was never in ", 1), (" has nothing to do with the discovery of ", 1),
    ],
)  # fmt: skip
def test_denials_are_counted_and_what_only_looks_like_one_is_not(words: str, negations: int) -> None:
    assert gaps.read(words).negations == negations


@pytest.mark.parametrize(
    "text",
    [
        "On a separate point, Alpha was born in Beta.",
        "On an entirely different note, Alpha was born in Beta.",
        "Alpha was born in Beta, but that's a different story.",
    ],
)
def test_turning_to_something_else_denies_nothing(book: Phrasebook, text: str) -> None:
    assert said(book, text, 19) == {(19, "Alpha", "Beta", False)}
