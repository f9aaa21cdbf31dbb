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

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.selection.baseline import Baseline
from halluvault_tasks.statistics.shares import clustered_variance, quantile

_FOLDS = 5
_NAMED = 8


class Gate(NamedTuple):
    """When a baseline knows too much.

    Attributes:
        limit: one whose 95 % interval lies above this, or below 1 - limit (the opposite answer is then right), does.
        ends: so does one whose interval does not end below it, and begin above 1 - limit.
    """

    limit: float
    ends: bool = False

    def over(self, low: float, high: float) -> bool:
        """Whether a baseline with this interval is refused."""
        if self.ends:
            return high >= self.limit or low <= 1 - self.limit
        return low > self.limit or high < 1 - self.limit


class BlindCase(NamedTuple):
    """One case, as far as a blind baseline sees it.

    Attributes:
        block: groups of one block share names and words and are never parted.
        template: its wording without the names.
        fame: how well known its least known end is.
        places: its entities, each with whether it stands first.
        negated: whether it is worded negatively.
    """

    question: str
    gold: str
    suite: str
    block: int
    template: str = ""
    fame: float = 0.0
    places: tuple[tuple[int, bool], ...] = ()
    negated: bool = False


class _Guess(NamedTuple):
    says_yes: NDArray[np.bool_]
    leaks: tuple[str, ...]


_Rule = Callable[[Sequence[BlindCase], NDArray[np.bool_], list[tuple[Any, Any]]], _Guess]


def run(cases: Iterable[BlindCase], gate: Gate) -> list[Baseline]:
    """Score every rule on each suite.

    Args:
        cases: of one part, or of several; their order does not matter.
        gate: when a rule knows too much.
    """
    ordered = sorted(cases, key=lambda one: (one.suite, one.block, one.question))
    scopes = {suite: [one for one in ordered if one.suite == suite] for suite in sorted({one.suite for one in ordered})}
    return [one for scope, some in scopes.items() for one in _scope(scope, some, gate)]


def check(found: Iterable[Baseline], gate: Gate) -> None:
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
        f"[{worst.low:.1%}, {worst.high:.1%}] of the {worst.cases} cases ({worst.scope}); at most {gate.limit:.0%} "
        f"may be. It goes by: {by}",
        "fix the wording that it goes by in config/lexicon.yaml, or lower its rule's share in config/benchmark.yaml",
    )


def _scope(scope: str, cases: Sequence[BlindCase], gate: Gate) -> list[Baseline]:
    if not cases:
        return []
    gold = np.array([one.gold == "yes" for one in cases])
    folds = _folds(cases)
    rules: dict[str, _Rule] = {
        "yes": _yes, "no": _no, "length": _length, "words": _words, "template": _template, "popularity": _popularity,
        "places": _places,
    }  # fmt: skip
    return [_scored(scope, name, rule(cases, gold, folds), cases, gold, gate) for name, rule in rules.items()]


def _folds(cases: Sequence[BlindCase]) -> list[tuple[Any, Any]]:
    from sklearn.model_selection import GroupKFold  # half a second to import, and needed at a freeze only

    blocks = [one.block for one in cases]
    several = min(_FOLDS, len(set(blocks)))
    if several < 2:
        return []
    return list(GroupKFold(n_splits=several).split(blocks, groups=blocks))


def _scored(
    scope: str, name: str, guess: _Guess, cases: Sequence[BlindCase], gold: NDArray[np.bool_], gate: Gate
) -> Baseline:
    right = (guess.says_yes == gold).astype(float)
    accuracy = float(right.mean())
    numbers = {block: at for at, block in enumerate(sorted({one.block for one in cases}))}
    where = np.array([numbers[one.block] for one in cases])
    variance, blocks = clustered_variance(where, (right - accuracy) / len(cases))
    # One block has no spread to be seen: then nothing is known of the error.
    half = quantile(groups=blocks) * math.sqrt(variance) if blocks > 1 else 1.0
    low, high = max(0.0, accuracy - half), min(1.0, accuracy + half)
    over = gate.over(low, high)
    return Baseline(scope, name, accuracy, low, high, len(cases), blocks, guess.leaks, over)


def _yes(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    return _Guess(np.ones(len(cases), dtype=bool), ())


def _no(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    return _Guess(np.zeros(len(cases), dtype=bool), ())


def _length(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """Longer (or shorter) than a threshold means yes; both are learnt."""
    says, longer, threshold = _threshold(np.array([len(one.question) for one in cases]), gold, folds)
    return _Guess(says, (f"{'longer than' if longer else 'at most'} {int(threshold)} characters: yes",))


def _popularity(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """Better (or less) known than a threshold means yes."""
    fame = np.array([round(one.fame, 2) for one in cases])
    says, longer, threshold = _threshold(fame, gold, folds)
    return _Guess(says, (f"{'better' if longer else 'less'} known than {threshold:.2f}: yes",))


def _template(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """Each wording's more frequent answer."""
    numbers = {name: at for at, name in enumerate(sorted({one.template for one in cases}))}
    return _voted([[numbers[one.template]] for one in cases], len(numbers), gold, folds, sorted(numbers))


def _places(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
    """What was said of each entity where it stood first, or second, in a wording of this polarity."""
    keys = [[(qid, first, one.negated) for qid, first in one.places] for one in cases]
    numbers = {key: at for at, key in enumerate(sorted({key for several in keys for key in several}))}
    return _voted([[numbers[key] for key in several] for several in keys], len(numbers), gold, folds, ())


def _voted(
    held: Sequence[Sequence[int]],
    number: int,
    gold: NDArray[np.bool_],
    folds: list[tuple[Any, Any]],
    names: Sequence[str],
) -> _Guess:
    """Each mark votes as it was answered in training; without a majority it is the training's more frequent answer."""

    def votes(rows: Any) -> NDArray[Any]:
        found = np.zeros(number)
        for row in rows:
            for mark in held[row]:
                found[mark] += 1.0 if gold[row] else -1.0
        return found

    says = np.zeros(len(gold), dtype=bool)
    for train, test in folds:
        found = votes(train)
        usual = bool(gold[train].mean() >= 0.5)
        for row in test:
            total = sum(np.sign(found[mark]) for mark in held[row])
            says[row] = total > 0 if total else usual
    strength = votes(range(len(gold)))
    order = sorted(range(len(names)), key=lambda at: (-abs(strength[at]), names[at]))[:_NAMED]
    return _Guess(says, tuple(f"“{names[at]}”: {'yes' if strength[at] > 0 else 'no'}" for at in order))


def _threshold(
    values: NDArray[Any], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]
) -> tuple[NDArray[np.bool_], bool, float]:
    """What a learnt threshold says of each, and the threshold over all of them."""
    says = np.zeros(len(gold), dtype=bool)
    for train, test in folds:
        longer, threshold = _cut(values[train], gold[train])
        says[test] = (values[test] > threshold) == longer
    return says, *_cut(values, gold)


def _cut(values: NDArray[Any], gold: NDArray[np.bool_]) -> tuple[bool, float]:
    """The best rule of the kind "more than this means yes" or its opposite."""
    candidates, inverse = np.unique(values, return_inverse=True)
    yes = np.bincount(inverse, weights=gold.astype(float), minlength=len(candidates))
    no = np.bincount(inverse, weights=(~gold).astype(float), minlength=len(candidates))
    above = (np.cumsum(no) + (yes.sum() - np.cumsum(yes))) / len(gold)
    best = int(np.argmax(np.maximum(above, 1 - above)))
    return bool(above[best] >= 0.5), float(candidates[best])


def _words(cases: Sequence[BlindCase], gold: NDArray[np.bool_], folds: list[tuple[Any, Any]]) -> _Guess:
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
