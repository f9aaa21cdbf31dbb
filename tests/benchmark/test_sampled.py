"""Filtering of texts that a served model wrote: asked in both orders, and drawn where the orders disagree."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.recognition.licensed import LicensedSwaps
from halluvault_tasks.benchmark.suites.recognition.sampled import Sampling
from halluvault_tasks.benchmark.suites.recognition.settings import Generator
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatements
from halluvault_tasks.benchmark.wording.generations import Manner
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.case_proofs.members import Falsity
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions

KEY = "2056-01"
ASKED = re.compile(r"^Question: (.*)\nAnswer 1: (.*)\nAnswer 2: (.*)$", re.MULTILINE)


@dataclass
class Chooser:
    """A model server that chooses by the question: a name whichever its place is, a place whatever stands there, or
    one of two replies by whether the first name comes first."""

    name: str
    better: dict[str, str] = field(default_factory=dict)
    """Question → name that it takes for the better."""
    replies: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Question → reply where the names stand in order of the alphabet, and where they do not."""
    seen: list[tuple[str, str, str]] = field(default_factory=list)

    def __call__(self, model: str, prompts: Sequence[str], manner: Manner) -> list[str | None]:
        assert model == self.name
        assert manner.sampling == {"max_new_tokens": 16}, "greedily"
        said = []
        for prompt in prompts:
            question, first, second = ASKED.findall(prompt)[-1]  # a demonstration comes before it
            self.seen.append((question, first, second))
            if question in self.better:
                said.append("1" if first == self.better[question] else "2")
            else:
                said.append(self.replies[question][first > second])
        return said


@pytest.fixture(scope="module")
def world(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LicensedSwaps]:
    from tests.benchmark.conftest import derived_world

    with sessions.session(database_url) as session:
        derived_world(session, KEY, tmp_path_factory.mktemp("scratch"))
        lexicon = load_lexicon(Path(REPOSITORY / "config" / "lexicon.yaml"))
        material = Material(session, snapshots.get(session, KEY), lexicon)
        yield LicensedSwaps(SoleStatements(material, (19,), 1, 100), {19: "Where was {s} born?"})


def two(number: int) -> list[Swap]:
    """Two texts about one right one, both false."""

    def one(false: str) -> Swap:
        return Swap("qa", "factualness", number, 19, 0, 1, f"Where was {number} born?", "Leeds", false, "", (),
                    Falsity("", ()), ())  # fmt: skip

    return [one("Bern"), one("Arles")]


def filtered(world: LicensedSwaps, ask: Chooser, shown: list[list[Swap]]) -> tuple[list[Swap], dict[str, int]]:
    sampling = Sampling(world, Generator(model=ask.name), ask, 1)
    kept, told = sampling._filtered("qa", shown)
    return kept, dict(told)


def test_two_candidates_are_shown_in_both_orders_and_the_one_that_is_chosen_twice_is_kept(
    world: LicensedSwaps,
) -> None:
    questions = [two(number)[0].setting for number in range(20)]
    better = {question: ("Arles", "Bern")[number % 2] for number, question in enumerate(questions)}
    ask = Chooser("agreeing", better)
    kept, told = filtered(world, ask, [two(number) for number in range(20)])
    assert sorted(ask.seen) == sorted(
        (question, *pair) for question in questions for pair in (("Arles", "Bern"), ("Bern", "Arles"))
    )
    assert {one.setting: one.false for one in kept} == better
    assert told == {"asked in both orders": 20}, "no disagreement is counted where there is none"


def test_of_two_orders_that_disagree_each_is_counted_and_one_text_is_drawn(world: LicensedSwaps) -> None:
    shown = [two(number) for number in range(100, 160)]
    # Whatever stands first, or second, is the better: the two orders choose different texts.
    replies = {mine[0].setting: (place, place) for at, mine in enumerate(shown) for place in ("12"[at % 2],)}
    kept, told = filtered(world, Chooser("by its place", replies=replies), shown)
    assert told == {"asked in both orders": 60, "orders disagree": 60}
    assert [one.setting for one in kept] == [mine[0].setting for mine in shown], "one of each pair"
    drawn = [one.false for one in kept]
    assert 15 <= drawn.count("Arles") <= 45, "neither the first nor the second channel by rule"
    again, _ = filtered(world, Chooser("by its place"), shown)
    assert again == kept, "drawn by the seed, and what is stored is not asked again"


def test_where_one_order_is_unreadable_the_other_decides_and_where_both_are_one_is_drawn(
    world: LicensedSwaps,
) -> None:
    shown = [two(number) for number in (200, 201, 202)]
    told_of = [mine[0].setting for mine in shown]
    replies = {told_of[0]: ("2", "Both are wrong."), told_of[1]: ("I take 1", "2."), told_of[2]: ("?", "3")}
    kept, told = filtered(world, Chooser("rambling", replies=replies), shown)
    # In order of the alphabet the second is Bern; turned round the second is Arles.
    assert [one.false for one in kept[:2]] == ["Bern", "Arles"]
    assert kept[2] in shown[2]
    assert told == {"asked in both orders": 3, "choice not in the form": 4}


def test_a_text_without_a_rival_is_kept_and_nobody_is_asked(world: LicensedSwaps) -> None:
    ask = Chooser("idle")
    alone = two(300)[:1]
    assert filtered(world, ask, [alone]) == (alone, {})
    assert ask.seen == []


def test_a_model_that_chooses_too_seldom_counts_as_down(world: LicensedSwaps) -> None:
    class Silent(Chooser):
        def __call__(self, model: str, prompts: Sequence[str], manner: Manner) -> list[str | None]:
            return [None for _ in prompts]

    with pytest.raises(PartRefused, match=r"silent wrote 0 of 2 texts \(recognition/qa/filter\)"):
        filtered(world, Silent("silent"), [two(400)])
