"""Each rule of reading taken out, alone, and what that changes in the sets: its right to exist.

A text is better read without a rule if it is faulty and convicted only then, or sound and convicted only with it.
Of wordings a few cases each are judged, since the same words are read alike with other names. What was found is kept
by the code and the sets that it was found with, so that a run that was stopped goes on.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure import whole
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.oracles.measure.whole import Bench, is_sound
from halluvault_tasks.reading.rules import without
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions

CASES = 3
"""Cases of each wording that are judged."""

_PACKAGE = Path(__file__).resolve().parents[2]
_READ_BY = ("reading", "oracles", "prolog")


class Outcome(NamedTuple):
    """How one text or line is read.

    Attributes:
        seen: what is compared: category, answer and row of a verdict; claims; an answer.
        right: how right that is: of a verdict 1 or 0; of a line hits less errors.
    """

    seen: str
    right: int


class SetChange(NamedTuple):
    """What a rule changes in one set.

    Attributes:
        of: texts and lines.
        changed: read otherwise without the rule.
        better, worse: of these, read better and worse without it.
        lines: of the file, of some that change.
    """

    of: int
    changed: int
    better: int
    worse: int
    lines: tuple[int, ...]


class RuleEffect(NamedTuple):
    """A rule, or several taken out together, and what that changes, by set; sets without a change are left out."""

    rules: tuple[str, ...]
    changes: dict[str, SetChange]


Outcomes = Mapping[str, Sequence[tuple[int, Outcome]]]
"""Set → line of the file and its reading, in order."""


def outcomes(made: Bench, tell: Callable[[str], None]) -> Outcomes:
    """How everything is read by the rules that are in."""
    found: dict[str, list[tuple[int, Outcome]]] = {
        name: [
            (one.said.source, Outcome(f"{one.category} {one.answer} {one.row}", int(_rightly(one)))) for one in several
        ]
        for name, several in made.verdicts(tell).items()
    }
    for name, claims in made.claims_by_line().items():
        found[name] = [(number, Outcome(seen, hits - wrong)) for number, (seen, hits, wrong) in enumerate(claims, 1)]
    for name, answers in made.answers_by_line().items():
        found[name] = [(number, Outcome(kind, int(right))) for number, (kind, right) in enumerate(answers, 1)]
    return found


def _rightly(one: whole.TextVerdict) -> bool:
    return one.convicted == one.said.faulty if one.said.faulty or is_sound(one.said) else not one.convicted


def compared(rules: Sequence[str], before: Outcomes, after: Outcomes) -> RuleEffect:
    """What is otherwise."""
    changes = {}
    for name, several in before.items():
        pairs = [(line, one, other) for (line, one), (_, other) in zip(several, after[name], strict=True)]
        apart = [(line, one, other) for line, one, other in pairs if one.seen != other.seen]
        if apart:
            changes[name] = SetChange(
                len(pairs),
                len(apart),
                sum(other.right > one.right for _, one, other in apart),
                sum(other.right < one.right for _, one, other in apart),
                tuple(dict.fromkeys(line for line, _, _ in apart))[:10],
            )
    return RuleEffect(tuple(rules), changes)


class _Place(NamedTuple):
    """Where a process finds everything."""

    state: Path
    folder: Path
    urls: dict[str, str]


_made: dict[str, tuple[Bench, Outcomes]] = {}
"""Of a worker: its bench, and how that is read with all rules."""


def _begin(place: _Place) -> None:
    months = {}
    for name, url in place.urls.items():
        session = Session(sessions.engine(url))
        months[name] = EvidenceMonth(session, session.execute(text("SELECT snapshot FROM snapshot")).scalar_one())
    made = thinned(Bench(place.folder, of_texts.load(place.folder), months))
    whole.keep_parses(place.state)
    _made["one"] = (made, outcomes(made, _silent))


def _silent(_: str) -> None:
    """A worker tells by its results."""


def _tried(rules: tuple[str, ...]) -> RuleEffect:
    made, before = _made["one"]
    with without(*rules):
        return compared(rules, before, outcomes(made, _silent))


def thinned(made: Bench) -> Bench:
    """A bench with a few cases of each wording."""
    for one in made.sets:
        if one.kind == "wordings":
            seen: Counter[int] = Counter()
            kept = []
            for said in made.texts[one.name]:
                seen[said.source] += 1
                if seen[said.source] <= CASES:
                    kept.append(said)
            made.texts[one.name] = kept
    return made


def ablate(
    urls: dict[str, str], state: Path, wanted: Sequence[tuple[str, ...]], *, folder: Path, workers: int
) -> Iterator[tuple[int, int, RuleEffect]]:
    """Take rules out; yields how many of how many are done, and what the last changed.

    Args:
        urls: cut → its month, for each process to open.
        state: directory of the parses and of what was found before.
        wanted: what to take out together, each.
        folder: of the sets.
        workers: processes; each reads everything once before it begins.
    """
    kept = state / f"ablation-{_fingerprint(folder)}.jsonl"
    known = {one.rules: one for one in _read(kept)}
    done = 0
    for rules in wanted:
        if rules in known:
            done += 1
            yield done, len(wanted), known[rules]
    left = [rules for rules in wanted if rules not in known]
    if not left:
        return
    place = _Place(state, folder, urls)
    with ProcessPoolExecutor(min(workers, len(left)), get_context("spawn"), _begin, (place,)) as pool:
        for future in as_completed([pool.submit(_tried, rules) for rules in left]):
            effect = future.result()
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([effect.rules, effect.changes], ensure_ascii=False) + "\n")
            done += 1
            yield done, len(wanted), effect


def _read(file: Path) -> list[RuleEffect]:
    if not file.is_file():
        return []
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [
        RuleEffect(
            tuple(rules),
            {
                name: SetChange(of, changed, better, worse, tuple(some))
                for name, (of, changed, better, worse, some) in changes.items()
            },
        )
        for rules, changes in lines
    ]


def _fingerprint(folder: Path) -> str:
    """Of everything that a reading rests on: code, words, and the sets."""
    total = hashlib.sha256()
    files = [one for part in _READ_BY for one in sorted((_PACKAGE / part).rglob("*.py"))]
    files += sorted(settings().config_dir.glob("*.yaml")) + sorted(settings().prolog_dir.glob("*.pl"))
    for one in [*files, *sorted(folder.iterdir())]:
        if one.is_file():
            total.update(one.name.encode() + b"\0" + hashlib.sha256(one.read_bytes()).digest())
    return total.hexdigest()[:16]
