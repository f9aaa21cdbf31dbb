"""Blind baselines: what someone scores who knows nothing and only looks at the questions' surface.

Run on every part before it is frozen. Each rule learns on some blocks of questions and is scored on the others; a
block holds whole metamorphic groups, and all groups that share names with each other by construction, so that nothing
about the questions it is scored on was to be learnt. A part on which one of them does better than the limit
measures something else than knowledge, and is not frozen.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.benchmark.parts import PartRefused
from halluvault_tasks.statistics.shares import clustered_variance, quantile

_FOLDS = 5
_NAMED = 8
NARROW = 0.025
"""Half width of a 95 % interval from which on a figure stands for itself."""


class Asked(NamedTuple):
    """One case, as far as a blind baseline sees it.

    Attributes:
        block: groups of one block share names and words and are never parted.
    """

    question: str
    gold: str
    suite: str
    block: int


class Baseline(NamedTuple):
    """What a blind rule scores on blocks that it has not seen.

    Attributes:
        scope: the suite.
        name: yes, no, length or words.
        accuracy: share of right answers.
        low, high: 95 % interval, clustered by block: members of a block stand or fall together.
        cases: how many it was scored on.
        blocks: in how many blocks.
        leaks: what it goes by, the strongest first: a word or two words, or a length.
        over: above the limit (or as far below one half), and not by chance.
    """

    scope: str
    name: str
    accuracy: float
    low: float
    high: float
    cases: int
    blocks: int
    leaks: tuple[str, ...]
    over: bool

    def as_json(self) -> dict[str, Any]:
        """As it is stored in a benchmark's counts, rounded so that the same benchmark has the same bytes."""
        found = self._asdict() | {"leaks": list(self.leaks)}
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in found.items()}


class _Guess(NamedTuple):
    says_yes: NDArray[np.bool_]
    leaks: tuple[str, ...]


_Rule = Callable[[Sequence[Asked], NDArray[np.bool_], list[tuple[Any, Any]]], _Guess]


def run(cases: Iterable[Asked], limit: float) -> list[Baseline]:
    """Score every rule on each suite.

    Args:
        cases: of one part, or of several; their order does not matter.
        limit: accuracy above which a rule knows too much.
    """
    ordered = sorted(cases, key=lambda one: (one.suite, one.block, one.question))
    scopes = {suite: [one for one in ordered if one.suite == suite] for suite in sorted({one.suite for one in ordered})}
    return [one for scope, some in scopes.items() for one in _scope(scope, some, limit)]


def check(found: Iterable[Baseline], limit: float) -> None:
    """Refuse a part that answers itself.

    Raises:
        PartRefused: names the rule, its score and what it goes by.
    """
    over = sorted((one for one in found if one.over), key=lambda one: (-one.accuracy, one.scope, one.name))
    if not over:
        return
    worst = over[0]
    by = ", ".join(worst.leaks) or "the share of one answer"
    raise PartRefused(
        f"the questions give their answers away: the blind baseline `{worst.name}` is right on {worst.accuracy:.1%} "
        f"[{worst.low:.1%}, {worst.high:.1%}] of the {worst.cases} cases ({worst.scope}); at most {limit:.0%} may be. "
        f"It goes by: {by}",
        "lower `yes_only` in config/benchmark.yaml, or mend the wording of what it goes by in config/lexicon.yaml",
    )


def _scope(scope: str, cases: Sequence[Asked], limit: float) -> list[Baseline]:
    if not cases:
        return []
    gold = np.array([one.gold == "yes" for one in cases])
    folds = _folds(cases)
    rules: dict[str, _Rule] = {"yes": _yes, "no": _no, "length": _length, "words": _words}
    return [_scored(scope, name, rule(cases, gold, folds), cases, gold, limit) for name, rule in rules.items()]


def _folds(cases: Sequence[Asked]) -> list[tuple[Any, Any]]:
    from sklearn.model_selection import GroupKFold  # half a second to import, and needed at a freeze only

    blocks = [one.block for one in cases]
    several = min(_FOLDS, len(set(blocks)))
    if several < 2:
        return []
    return list(GroupKFold(n_splits=several).split(blocks, groups=blocks))


def _scored(
    scope: str, name: str, guess: _Guess, cases: Sequence[Asked], gold: NDArray[np.bool_], limit: float
) -> Baseline:
    right = (guess.says_yes == gold).astype(float)
    accuracy = float(right.mean())
    numbers = {block: at for at, block in enumerate(sorted({one.block for one in cases}))}
    where = np.array([numbers[one.block] for one in cases])
    variance, blocks = clustered_variance(where, (right - accuracy) / len(cases))
    # One block has no spread to be seen: then nothing is known of the error.
    half = quantile(groups=blocks) * math.sqrt(variance) if blocks > 1 else 1.0
    low, high = max(0.0, accuracy - half), min(1.0, accuracy + half)
    # Being wrong too often tells as much: the opposite answer is right.
    over = max(accuracy, 1 - accuracy) > limit and (low > limit or high < 1 - limit or half <= NARROW)
    return Baseline(scope, name, accuracy, low, high, len(cases), blocks, guess.leaks, over)


def _yes(cases: Sequence[Asked], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    return _Guess(np.ones(len(cases), dtype=bool), ())


def _no(cases: Sequence[Asked], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    return _Guess(np.zeros(len(cases), dtype=bool), ())


def _length(cases: Sequence[Asked], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """Longer (or shorter) than a threshold means yes; both are learnt."""
    lengths = np.array([len(one.question) for one in cases])
    says = np.zeros(len(cases), dtype=bool)
    for train, test in folds:
        longer, threshold = _cut(lengths[train], gold[train])
        says[test] = (lengths[test] > threshold) == longer
    longer, threshold = _cut(lengths, gold)
    return _Guess(says, (f"{'longer than' if longer else 'at most'} {threshold} characters: yes",))


def _cut(lengths: NDArray[Any], gold: NDArray[np.bool_]) -> tuple[bool, int]:
    """The best rule of the kind "longer than n means yes" or its opposite."""
    candidates = np.unique(lengths)
    above = np.array([float((gold == (lengths > cut)).mean()) for cut in candidates])
    best = int(np.argmax(np.maximum(above, 1 - above)))
    return bool(above[best] >= 0.5), int(candidates[best])


def _words(cases: Sequence[Asked], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """Logistic regression over words and pairs of words."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    says = np.zeros(len(cases), dtype=bool)
    vectors = CountVectorizer(ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b", binary=True)
    # Counted once for all folds: words that a fold's training lacks get the weight 0 there, and so tell nothing.
    counts = vectors.fit_transform([one.question for one in cases]).astype(float)

    def fitted(rows: Any) -> Any:
        # The dual problem is solved fifteen times as fast as the primal here, to the same words; seeded.
        model = LogisticRegression(solver="liblinear", dual=True, tol=1e-3, random_state=0, max_iter=1000)
        return model.fit(counts[rows], gold[rows])

    for train, test in folds:
        if len(set(gold[train].tolist())) < 2:
            says[test] = bool(gold[train][0])
            continue
        says[test] = fitted(train).predict(counts[test])
    if len(set(gold.tolist())) < 2:
        return _Guess(says, ())
    model = fitted(np.arange(len(cases)))
    seen = np.asarray(counts.sum(axis=0)).ravel()
    strength = model.coef_[0] * np.sqrt(seen)
    terms = vectors.get_feature_names_out()
    order = sorted(range(len(terms)), key=lambda at: (-abs(strength[at]), terms[at]))[:_NAMED]
    return _Guess(says, tuple(f"“{terms[at]}”: {'yes' if strength[at] > 0 else 'no'}" for at in order))
