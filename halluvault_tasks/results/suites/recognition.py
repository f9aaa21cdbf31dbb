"""What recognition has beside the shares of every suite: failed replies, consistent pairs, and rules without a model.

Scopes `task` and `pattern` keep generators apart. A failed reply is in the denominator of `recognised`, as published;
accuracy among answered, TPR, TNR and the yes-rate leave it out. In scopes `kind` and `rule`, which every suite has, the
pairs of all generators are together.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.recognition import NAME, RecognitionFact
from halluvault_tasks.oracles.suites.recognition import FAILED, LEGACY, STRICT
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import topics, verdicts
from halluvault_tasks.storage.tables import benchmark_case, cases, verdict

__all__ = ["LEGACY", "METRICS", "STRICT", "Judged", "figures", "of_evaluation"]

METRICS = (
    "recognised",
    "failed_rate",
    "false_found",
    "right_passed",
    "recognised_among_answered",
    "true_positive_rate",
    "true_negative_rate",
    "yes_share",
    "pair_consistency",
    "length_rule",
    "always_yes",
    "mended",
)


class Judged(NamedTuple):
    """One judged response."""

    fact: RecognitionFact
    answer: str
    right: bool
    failed: bool
    text: str = ""
    """As it was asked about."""

    @property
    def hallucinated(self) -> bool:
        """Whether its text is the false one."""
        return self.fact.member == "false"


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    columns = (verdict.c.answer, verdict.c.correct, verdict.c.sub_label, benchmark_case.c.fact, cases.c.question)
    return figures([
        Judged(
            RecognitionFact.model_validate(row.fact),
            row.answer,
            bool(row.correct),
            row.sub_label == FAILED,
            row.question,
        )
        for row in verdicts.rows(session, of, snapshot, NAME, *columns)
    ])


def figures(judged: Sequence[Judged]) -> list[Figure]:
    """The figures of judged responses, by generator and task, by pattern, and by topic; a pair is a cluster."""
    mended = [one for one in judged if one.fact.refine is not None]
    judged = [one for one in judged if one.fact.refine is None]
    by: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        by["task", f"{one.fact.task}, {one.fact.generator}"].append(one)
        by["pattern", f"{one.fact.task}.{one.fact.pattern}, {one.fact.generator}"].append(one)
    by.update(_topics(judged))
    told = [figure for (scope, key), mine in sorted(by.items()) for figure in _of(scope, key, mine)]
    for task in sorted({one.fact.task for one in mended}):
        mine = [one for one in mended if one.fact.task == task]
        told.append(_share("refined", task, "mended", [(one, one.right) for one in mine]))
        told.append(_share("refined", task, "failed_rate", [(one, one.failed) for one in mine]))
    return told


def _topics(judged: Sequence[Judged]) -> dict[tuple[str, str], list[Judged]]:
    """What was judged by task and topic: topics are those of the right members, and of a pair the same."""
    found: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for task in sorted({one.fact.task for one in judged}):
        mine = [one for one in judged if one.fact.task == task]
        texts = {one.fact.pair: one.text for one in sorted(mine, key=lambda one: one.hallucinated, reverse=True)}
        pairs = sorted(texts)
        named = dict(zip(pairs, topics.of([texts[pair] for pair in pairs]), strict=False))
        for one in mine:
            if one.fact.pair in named:
                found["topic", f"{task}, {named[one.fact.pair]}"].append(one)
    return found


def _of(scope: str, key: str, mine: Sequence[Judged]) -> Iterator[Figure]:
    false = [one for one in mine if one.hallucinated]
    right = [one for one in mine if not one.hallucinated]
    yield _share(scope, key, "recognised", [(one, one.right) for one in mine])
    yield _share(scope, key, "failed_rate", [(one, one.failed) for one in mine])
    yield _share(scope, key, "false_found", [(one, one.right) for one in false])
    yield _share(scope, key, "right_passed", [(one, one.right) for one in right])
    read = [one for one in mine if not one.failed]
    yield _share(scope, key, "recognised_among_answered", [(one, one.right) for one in read])
    yield _share(scope, key, "true_positive_rate", [(one, one.right) for one in read if one.hallucinated])
    yield _share(scope, key, "true_negative_rate", [(one, one.right) for one in read if not one.hallucinated])
    yield _share(scope, key, "yes_share", [(one, one.answer == "yes") for one in read])
    pairs: dict[str, list[Judged]] = defaultdict(list)
    for one in mine:
        pairs[one.fact.pair].append(one)
    whole = [several for several in pairs.values() if len(several) > 1]
    consistent = [(several[0], {one.answer for one in several} == {"yes", "no"}) for several in whole]
    yield _share(scope, key, "pair_consistency", consistent)
    # "The longer one is false", where one of them is; else a coin, which is left out.
    told = [one for one in mine if one.fact.longer is not None]
    yield _share(scope, key, "length_rule", [(one, one.fact.longer == one.hallucinated) for one in told])
    yield _share(scope, key, "always_yes", [(one, one.hallucinated) for one in mine])


def _share(scope: str, key: str, metric: str, outcomes: Sequence[tuple[Judged, bool]]) -> Figure:
    return verdicts.share(NAME, scope, key, metric, ((one.fact.pair, hit) for one, hit in outcomes))
