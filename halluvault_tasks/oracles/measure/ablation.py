"""Each piece of reading taken out, alone, and what that changes in the sets: its right to exist.

A text is better read without a piece if it is faulty and convicted only then, or sound and convicted only with it.
Everything is read once with every piece watched; a piece is then tried on the texts of which it said anything, since
no other can change: they are read again, and judged again where what a verdict follows from is another. Of each
wording one case is judged: the same words are read alike with other names. What was found is kept by the code and the
sets that it was found with, so that a run that was stopped goes on.
"""

import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from itertools import groupby
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.measure import pieces as of_pieces
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure import whole
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.oracles.measure.whole import Bench, ReadOutcome
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions

_PACKAGE = Path(__file__).resolve().parents[2]
_READ_BY = ("reading", "oracles", "prolog")

_PART = 250
"""Texts that are read again at once."""

_NEEDED = 8
"""Texts that are read worse without a piece, beyond those that are read better, from which on no more are tried."""

Place = tuple[str, int]
"""A set and the number of a text or line in it, from 0."""


class SetChange(NamedTuple):
    """What a piece changes in one set.

    Attributes:
        of: texts and lines that were read again, of those of which it says anything.
        changed: read otherwise without it.
        better, worse: of these, read better and worse.
        lines: of the set's file, of some that change.
    """

    of: int
    changed: int
    better: int
    worse: int
    lines: tuple[int, ...]


class PieceEffect(NamedTuple):
    """Pieces taken out together, mostly one.

    Attributes:
        pieces: their names.
        spoken: texts and lines of all sets of which any of them says anything.
        changes: by set; without those where nothing changes.
        fault: what goes wrong without it; empty: nothing.
    """

    pieces: tuple[str, ...]
    spoken: int
    changes: dict[str, SetChange]
    fault: str = ""


class BaselineReading(NamedTuple):
    """Everything as it is read with all pieces.

    Attributes:
        grounds: what an outcome follows from, by place, hashed.
        outcomes: by place.
        lines: line of the set's file, by place.
        spoken: piece → where it says anything.
        made: pieces that say anything where readers are made.
    """

    grounds: dict[Place, bytes]
    outcomes: dict[Place, ReadOutcome]
    lines: dict[Place, int]
    spoken: dict[str, list[Place]]
    made: frozenset[str]


def _outcomes(made: Bench, wanted: Sequence[Place]) -> Iterator[tuple[Place, ReadOutcome]]:
    for name, places in groupby(wanted, itemgetter(0)):
        numbers = [number for _, number in places]
        yield from zip(((name, one) for one in numbers), made.sets[name].outcomes(numbers), strict=True)


def _grounds(made: Bench, wanted: Sequence[Place]) -> Iterator[tuple[Place, bytes]]:
    for name, places in groupby(wanted, itemgetter(0)):
        numbers = [number for _, number in places]
        for number, one in zip(numbers, made.sets[name].grounds(numbers), strict=True):
            yield (name, number), hashlib.blake2b(one.encode(), digest_size=12).digest()


def baseline(made: Bench, tell: Callable[[str], None]) -> BaselineReading:
    """Read everything, one after the other, with every piece watched."""
    pieces = of_pieces.every()
    said: set[str] = set()
    grounds: dict[Place, bytes] = {}
    spoken: dict[str, list[Place]] = {}
    lines = {(name, number): line for name, one in made.sets.items() for number, line in enumerate(one.lines)}
    places = list(lines)
    with of_pieces.replaced({name: of_pieces.watching(one, said) for name, one in pieces.items()}, pieces):
        made.readers.make()
        built = frozenset(said)
        for done, place in enumerate(places):
            tell(f"reading everything with all {len(pieces)} pieces, {done} of {len(places)} done")
            said.clear()
            of_pieces.forget()
            made.readers.forget()
            grounds.update(_grounds(made, [place]))
            for name in said:
                spoken.setdefault(name, []).append(place)
    tell("judging everything with all pieces")
    return BaselineReading(grounds, dict(_outcomes(made, places)), lines, spoken, built)


def tried(made: Bench, names: tuple[str, ...], before: BaselineReading) -> PieceEffect:
    """Take pieces out and read again what they speak of, until they are seen to be needed."""
    pieces = of_pieces.every()
    places = sorted({place for name in names for place in before.spoken.get(name, ())})
    parts = len(places) // _PART + 1
    again: list[Place] = []
    after: dict[Place, ReadOutcome] = {}
    with ExitStack() as stack:
        stack.callback(made.readers.forget)
        stack.enter_context(of_pieces.replaced({name: pieces[name].silent for name in names}, pieces))
        if not before.made.isdisjoint(names):
            stack.enter_context(made.readers.others())
        made.readers.forget()
        try:
            for part in (places[start::parts] for start in range(parts)):
                again += part
                apart = [place for place, one in _grounds(made, part) if one != before.grounds[place]]
                after.update(_outcomes(made, apart))
                if sum(before.outcomes[place].right - one.right for place, one in after.items()) >= _NEEDED:
                    break
        except Exception as error:  # whatever a piece is needed for
            return PieceEffect(names, len(places), {}, f"{type(error).__name__}: {error}"[:200])
    return PieceEffect(names, len(places), _changes(before, again, after))


def _changes(
    before: BaselineReading, again: Sequence[Place], after: Mapping[Place, ReadOutcome]
) -> dict[str, SetChange]:
    """What is read otherwise, by set."""
    of, changed = (
        Counter(name for name, _ in again),
        [place for place in sorted(after) if after[place].seen != before.outcomes[place].seen],
    )
    found = {}
    for name, places in groupby(changed, itemgetter(0)):
        apart = list(places)
        gains = [after[place].right - before.outcomes[place].right for place in apart]
        better, worse = sum(one > 0 for one in gains), sum(one < 0 for one in gains)
        found[name] = SetChange(of[name], len(apart), better, worse, tuple(before.lines[place] for place in apart[:10]))
    return found


class _Found(NamedTuple):
    """Where a process finds everything."""

    state: Path
    folder: Path
    urls: dict[str, str]
    baseline: Path


_of_worker: list[tuple[Bench, BaselineReading]] = []


def _begin(found: _Found) -> None:
    made = bench(found.state, found.folder, found.urls)
    _of_worker.append((made, pickle.loads(found.baseline.read_bytes())))


def bench(state: Path, folder: Path, urls: Mapping[str, str]) -> Bench:
    """The sets, thinned, with months that stay open."""
    months = {}
    for name, url in urls.items():
        session = Session(sessions.engine(url))
        months[name] = EvidenceMonth(session, session.execute(text("SELECT snapshot FROM snapshot")).scalar_one())
    whole.keep_parses(state)
    return Bench(folder, of_texts.load(folder), months, thin=True)


def _tried(names: tuple[str, ...]) -> PieceEffect:
    made, before = _of_worker[0]
    return tried(made, names, before)


class Ablation:
    """A run over all pieces, or some; what was found before with the same code and sets is not tried again.

    Args:
        state: directory of the parses and of what was found.
        folder: of the sets.
        urls: cut → its month, for each process to open.
    """

    def __init__(self, state: Path, folder: Path, urls: dict[str, str]) -> None:
        self._state, self._folder, self._urls = state, folder, urls
        key = _fingerprint(folder)
        self._kept = state / f"ablation-{key}.jsonl"
        self._read = state / f"ablation-{key}.pickle"

    def run(self, wanted: Sequence[tuple[str, ...]], workers: int, tell: Callable[[str], None]) -> list[PieceEffect]:
        """What it changes to take out each of these, in their order.

        Args:
            wanted: names of pieces, to be taken out together.
            workers: processes.
            tell: what is done now.
        """
        if not self._read.is_file():
            before = baseline(bench(self._state, self._folder, self._urls), tell)
            self._read.write_bytes(pickle.dumps(before))
        before = pickle.loads(self._read.read_bytes())
        found = {one.pieces: one for one in self._known()}
        silent = [names for names in wanted if not any(before.spoken.get(name) for name in names)]
        found |= {names: PieceEffect(names, 0, {}) for names in silent}
        left = [names for names in wanted if names not in found]
        # Those that say least first: they are tried soonest, and are the likeliest to change nothing.
        left.sort(key=lambda names: sum(len(before.spoken.get(name, ())) for name in names))
        place = _Found(self._state, self._folder, self._urls, self._read)
        if left:
            with ProcessPoolExecutor(min(workers, len(left)), get_context("spawn"), _begin, (place,)) as pool:
                for future in as_completed([pool.submit(_tried, names) for names in left]):
                    effect = future.result()
                    found[effect.pieces] = effect
                    with self._kept.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(effect, ensure_ascii=False) + "\n")
                    done = sum(names in found for names in wanted)
                    tell(f"{done} of {len(wanted)} tried, the last {', '.join(effect.pieces)}")
        return [found[names] for names in wanted]

    def _known(self) -> Iterator[PieceEffect]:
        if self._kept.is_file():
            for names, spoken, changes, fault in map(json.loads, self._kept.read_text(encoding="utf-8").splitlines()):
                by_set = {
                    name: SetChange(of, changed, better, worse, tuple(some))
                    for name, (of, changed, better, worse, some) in changes.items()
                }
                yield PieceEffect(tuple(names), spoken, by_set, fault)


def _fingerprint(folder: Path) -> str:
    """Of everything that a reading rests on: code, words, and the sets."""
    total = hashlib.sha256()
    files = [one for part in _READ_BY for one in sorted((_PACKAGE / part).rglob("*.py"))]
    files += sorted(settings().config_dir.glob("*.yaml")) + sorted(settings().prolog_dir.glob("*.pl"))
    for one in [*files, *sorted(folder.iterdir())]:
        if one.is_file() and one.suffix != ".md":
            total.update(one.name.encode() + b"\0" + hashlib.sha256(one.read_bytes()).digest())
    return total.hexdigest()[:16]
