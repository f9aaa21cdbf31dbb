"""Pairs whose false member a served model wrote (HELMA §2.1): sampled twice, shown to be false, and filtered.

The paper takes a model's word for it that what it wrote is false. Here a text counts where it says word for word what
a licensed swap says about the same right text, with whatever value the model put in: then the snapshot shows that it is
false, by the same proof. What cannot be shown is dropped with its reason. Of two texts that are both shown to be false
the model itself chooses the more plausible, asked in both orders; where its two choices differ, one is drawn.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.suites.recognition import instructions
from halluvault_tasks.benchmark.suites.recognition.instructions import Choice, Seed
from halluvault_tasks.benchmark.suites.recognition.licensed import LicensedSwaps
from halluvault_tasks.benchmark.suites.recognition.settings import Generator
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Swap, Task
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatements
from halluvault_tasks.benchmark.wording import generations
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.wikidata.names import fold

_LEAST_REPLIES = 0.9
"""Share of texts below which the model counts as down: a frozen part has no second chance."""

_NAME_WORDS = 10  # of the longest name that is looked for


class Sampled(NamedTuple):
    """What a model's texts came to.

    Attributes:
        swaps: shown to be false, at most one of each right text.
        counts: of texts by task: asked for, dropped by reason, filtered.
    """

    swaps: Mapping[Task, Sequence[Swap]]
    counts: dict[str, Any]


class Sampling:
    """Sampling and filtering by one model.

    Args:
        swaps: what the snapshot licenses; generations are stored and committed in its session.
        generator: the model, and how much of it is wanted.
        ask: asks it; None where all is stored.
        seed: of every draw.
    """

    def __init__(self, swaps: LicensedSwaps, generator: Generator, ask: Ask | None, seed: int) -> None:
        self._swaps, self._generator, self._ask, self._seed = swaps, generator, ask, seed
        self._session = swaps.statements.material.session
        self._names = _names(swaps.statements)

    def make(self, found: Mapping[Task, Sequence[Swap]], taken: Mapping[Task, set[tuple[str, str]]]) -> Sampled:
        """The model's pairs.

        Args:
            found: all licensed swaps by task: the right texts come from them.
            taken: task → (setting, right text) that are asked about already.

        Raises:
            PartRefused: the model gave no replies.
            UserError: something is not stored, and there is nobody to ask.
        """
        made: dict[Task, Sequence[Swap]] = {}
        counts: dict[str, Any] = {"model": self._generator.model}
        for task, several in found.items():
            seeds = self._seeds(task, several, taken[task])
            made[task], counts[task] = self._of_task(task, seeds)
        return Sampled(made, counts)

    def _seeds(self, task: Task, found: Sequence[Swap], taken: set[tuple[str, str]]) -> list[Swap]:
        """A swap for each right text that is put to the model, evenly over the patterns."""
        by: dict[str, dict[tuple[str, str], Swap]] = {pattern: {} for pattern in PATTERNS[task]}
        for one in found:
            if (one.setting, one.right) not in taken:
                by[one.pattern].setdefault((one.setting, one.right), one)
        random = Random(f"{self._seed}:{task}:seeds")
        queues = [random.sample(list(each.values()), len(each)) for each in by.values()]
        drawn: list[Swap] = []
        used = set(taken)
        wanted = self._generator.pairs * self._generator.seeds
        while any(queues) and len(drawn) < wanted:
            for queue in queues:
                while queue and (queue[-1].setting, queue[-1].right) in used:
                    queue.pop()
                if queue and len(drawn) < wanted:
                    drawn.append(queue.pop())
                    used.add((drawn[-1].setting, drawn[-1].right))
        return drawn

    def _of_task(self, task: Task, seeds: Sequence[Swap]) -> tuple[list[Swap], dict[str, Any]]:
        inputs = [Seed(task, one.pattern, one.setting, one.right, one.knowledge).json() for one in seeds]
        channels = instructions.sampling(task)
        texts = [self._texts(channel, inputs) for channel in channels]
        dropped: Counter[str] = Counter()
        shown: list[list[Swap]] = []
        for one, given in zip(seeds, inputs, strict=True):
            mine: list[Swap] = []
            for of in texts:
                swap = self._shown(one, of.get(given, ""))
                if isinstance(swap, str):
                    dropped[swap] += 1
                elif swap.false not in [each.false for each in mine]:
                    mine.append(swap)
                else:
                    dropped["both channels wrote the same"] += 1
            shown.append(mine)
        kept, filtered = self._filtered(task, [mine for mine in shown if mine])
        counts = {
            "right_texts": len(seeds), "texts": sum(len(of) for of in texts), "dropped": dict(sorted(dropped.items())),
            "filtered": dict(sorted(filtered.items())), "shown_false": len(kept),
        }  # fmt: skip
        return kept, counts

    def _texts(self, of: generations.Instruction, inputs: Sequence[str]) -> dict[str, str]:
        """Input → what the model wrote, of what it replied to."""
        session, model = self._session, self._generator.model
        generations.fetch(session, model, of, inputs, self._ask)
        stored = generations.known(session, model, of, inputs)
        found = {given: texts[1] for given, texts in stored.items() if 1 in texts}
        if len(found) < _LEAST_REPLIES * len(set(inputs)):
            raise PartRefused(
                f"{model} wrote {len(found)} of {len(set(inputs))} texts ({of.name}); too few: it counts as down",
                "check that it is served (`halluvault models check`), and build again; stored texts are kept",
            )
        return found

    def _shown(self, one: Swap, text: str) -> Swap | str:
        """The licensed swap that a text says word for word, or why it makes no pair."""
        said = _plain(text)
        if not said:
            return "no text"
        if said == _plain(one.right):
            return "the right text again"
        named = self._named(said)
        for swap in self._swaps.among(one.task, one.s, one.p, named):
            if (swap.setting, swap.right) == (one.setting, one.right) and said == _plain(swap.false):
                return swap
        return "not shown to be false, or in other words" if named else "names nothing that the snapshot knows"

    def _named(self, said: str) -> set[int]:
        """Entities whose name is in a text; none for a name that several have."""
        words = said.split()
        spans = (
            " ".join(words[at : at + size]).strip(",;:!?.")
            for size in range(1, _NAME_WORDS + 1)
            for at in range(len(words) - size + 1)
        )
        return {qids[0] for span in spans if len(qids := self._names.get(span, [])) == 1}

    def _filtered(self, task: Task, shown: Sequence[Sequence[Swap]]) -> tuple[list[Swap], Counter[str]]:
        """Of each right text one; where there are two, the one that the model takes for the better."""
        of, told = instructions.filtering(task), Counter[str]()
        both = [mine for mine in shown if len(mine) > 1]
        orders = [(_choice(mine[0], mine[1]), _choice(mine[1], mine[0])) for mine in both]
        replies = self._texts(of, [given for pair in orders for given in pair]) if orders else {}
        kept = [mine[0] for mine in shown if len(mine) == 1]
        for mine, (forth, back) in zip(both, orders, strict=True):
            one, other = (instructions.chosen(replies.get(given, "")) for given in (forth, back))
            told["asked in both orders"] += 1
            told["choice not in the form"] += (not one) + (not other)
            # If two orders disagree, or one cannot be read, what the other one shows.
            votes = {mine[one - 1].false if one else "", mine[2 - other].false if other else ""} - {""}
            if len(votes) == 1:
                (best,) = votes
                kept.append(next(swap for swap in mine if swap.false == best))
                continue
            told["orders disagree"] += len(votes) == 2
            kept.append(Random(f"{self._seed}:{forth}").choice(list(mine)))
        return kept, +told


def _choice(one: Swap, other: Swap) -> str:
    return Choice(one.task, one.setting, one.knowledge, one.false, other.false).json()


def _names(statements: SoleStatements) -> dict[str, list[int]]:
    """Folded name → entities that are called so, of those that are named without a description."""
    found: dict[str, list[int]] = defaultdict(list)
    index = statements.material.index
    for qid in sorted(index.entities):
        if statements.plainly(qid):
            for name in {_plain(statements.answer(qid)), _plain(index.namer.plain(qid))}:
                found[name].append(qid)
    return found


def _plain(text: str) -> str:
    """A text as far as it says something: without case, quotation marks, doubled spaces and a final stop."""
    return fold(" ".join(text.split()).strip("\"“”'*_ ")).rstrip(". ")
