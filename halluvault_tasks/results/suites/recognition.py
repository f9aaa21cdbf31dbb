"""What recognition has beside the shares of every suite: failed replies, consistent pairs, and rules without a model.

Scopes `task` and `pattern` keep generators apart. A failed reply is in the denominator of `recognised`, as published;
accuracy among answered, TPR, TNR and the yes-rate leave it out. In scopes `kind` and `rule`, which every suite has, the
pairs of all generators are together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.suites.recognition.fact import NAME, RecognitionFact
from halluvault_tasks.oracles.suites.recognition import LEGACY, STRICT
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import topics, verdicts
from halluvault_tasks.storage.tables import benchmark_case, verdict

__all__ = ["LEGACY", "METRICS", "STRICT", "JudgedRecognition", "figures", "of_evaluation", "topics_of"]

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


class JudgedRecognition(NamedTuple):
    """One judged response."""

    fact: RecognitionFact
    answer: str
    right: bool
    failed: bool

    @property
    def hallucinated(self) -> bool:
        """Whether its text is the false one."""
        return self.fact.member == "false"


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    columns = (verdict.c.answer, verdict.c.correct, benchmark_case.c.fact)
    judged = [
        JudgedRecognition(
            RecognitionFact.model_validate(row.fact), row.answer, bool(row.correct), row.answer == "unparseable"
        )
        for row in verdicts.rows(session, of, snapshot, NAME, *columns)
    ]
    if all(one.fact.refine is not None for one in judged):
        return figures(judged)
    part = reading.every(session, snapshot, [NAME])
    return figures(judged, topics_of((RecognitionFact.model_validate(one.fact), one.question) for one in part))


def topics_of(part: Iterable[tuple[RecognitionFact, str]]) -> dict[str, str]:
    """Pair → task and topic, of all that a part asks about; topics are those of the right members.

    Whatever was asked or delivered, a topic is the same for every evaluation of the part.
    """
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for fact, question in part:
        if fact.refine is None and (fact.member == "right" or fact.pair not in texts[fact.task]):
            texts[fact.task][fact.pair] = question
    told = {}
    for task, of in sorted(texts.items()):
        pairs = sorted(of)
        named = zip(pairs, topics.of([of[pair] for pair in pairs]), strict=False)
        told.update({pair: f"{task}, {topic}" for pair, topic in named})
    return told


def figures(judged: Sequence[JudgedRecognition], topic: Mapping[str, str] = MappingProxyType({})) -> list[Figure]:
    """The figures of judged responses, by generator and task, by pattern, and by topic; a pair is a cluster.

    Args:
        judged: all of an evaluation.
        topic: `topics_of` its part.
    """
    mended = [one for one in judged if one.fact.refine is not None]
    judged = [one for one in judged if one.fact.refine is None]
    by: dict[tuple[str, str], list[JudgedRecognition]] = defaultdict(list)
    for one in judged:
        by["task", f"{one.fact.task}, {one.fact.generator}"].append(one)
        by["pattern", f"{one.fact.task}.{one.fact.pattern}, {one.fact.generator}"].append(one)
        if one.fact.pair in topic:
            by["topic", topic[one.fact.pair]].append(one)
    told = [figure for (scope, key), mine in sorted(by.items()) for figure in _of(scope, key, mine)]
    for task in sorted({one.fact.task for one in mended}):
        mine = [one for one in mended if one.fact.task == task]
        told.append(_share("refined", task, "mended", [(one, one.right) for one in mine]))
        told.append(_share("refined", task, "failed_rate", [(one, one.failed) for one in mine]))
    return told


def _of(scope: str, key: str, mine: Sequence[JudgedRecognition]) -> Iterator[Figure]:
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
    pairs: dict[str, list[JudgedRecognition]] = defaultdict(list)
    for one in mine:
        pairs[one.fact.pair].append(one)
    whole = [several for several in pairs.values() if len(several) > 1]
    consistent = [(several[0], {one.answer for one in several} == {"yes", "no"}) for several in whole]
    yield _share(scope, key, "pair_consistency", consistent)
    # "The longer one is false", where one of them is; else a coin, which is left out.
    told = [one for one in mine if one.fact.longer is not None]
    yield _share(scope, key, "length_rule", [(one, one.fact.longer == one.hallucinated) for one in told])
    yield _share(scope, key, "always_yes", [(one, one.hallucinated) for one in mine])


def _share(scope: str, key: str, metric: str, outcomes: Sequence[tuple[JudgedRecognition, bool]]) -> Figure:
    return verdicts.share(NAME, scope, key, metric, ((one.fact.pair, hit) for one, hit in outcomes))
