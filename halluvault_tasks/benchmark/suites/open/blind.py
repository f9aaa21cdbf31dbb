"""What can be answered by reading the question alone: rules without knowledge, run before a part is frozen.

A model that has learnt how the benchmark words things knows the other questions and their answers, and nothing of the
world: each rule learns from some questions and answers others, whose facts it has not seen.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.selection.baseline import Baseline
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft
from halluvault_tasks.benchmark.suites.open.fact import NAME
from halluvault_tasks.benchmark.wording.identifying_names import tokens
from halluvault_tasks.statistics import shares

_FOLDS = 5
_STEM = 4


def _most_frequent(drafts: Sequence[OpenDraft]) -> list[bool]:
    """The most frequent answer to the other questions in the same words."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for one in drafts:
        answers[one.way][one.gold] += 1
    right = []
    for one in drafts:
        others = answers[one.way] - Counter({one.gold: 1})
        guess = min(others, key=lambda gold: (-others[gold], gold)) if others else ""
        right.append(guess == one.gold)
    return right


def _words(drafts: Sequence[OpenDraft]) -> list[bool]:
    """Naive Bayes on words, demonyms among them, and pairs of words."""
    from sklearn.feature_extraction.text import CountVectorizer  # a second to import, and needed at a freeze only
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.naive_bayes import MultinomialNB

    folds = min(_FOLDS, len(drafts))
    if folds < 2:
        return [False] * len(drafts)
    # A word that stands in one question alone tells nothing of any other.
    seen = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", binary=True, min_df=2)
    words = seen.fit_transform(f"{one.way.replace('/', '_').replace(' ', '_')} {one.question}" for one in drafts)
    golds = np.array([one.gold for one in drafts])
    parts = GroupKFold(folds).split(words, golds, [one.group for one in drafts])
    guessed = cross_val_predict(MultinomialNB(), words, golds, cv=list(parts))
    return [bool(guess == gold) for guess, gold in zip(guessed, golds, strict=True)]


def _names(drafts: Sequence[OpenDraft]) -> list[bool]:
    """Of the answers to questions in the same words, the one whose words begin most like words of the question."""
    ways: dict[str, list[str]] = defaultdict(list)
    for one in drafts:
        ways[one.way].append(one.gold)
    stems = {gold: _stems(gold) for several in ways.values() for gold in several}
    right = []
    for one in drafts:
        mine = _stems(one.question)
        best = max(sorted(set(ways[one.way])), key=lambda gold: len(stems[gold] & mine))
        right.append(best == one.gold and bool(stems[best] & mine))
    return right


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in tokens(text))


def _first_of_a_choice(drafts: Sequence[OpenDraft]) -> list[bool]:
    """The first of several things that the question names for choice."""
    return [one.gold in one.question and one.question.rpartition(": ")[2].startswith(one.gold) for one in drafts]


FIRST_NAMED = "first named"

RULES: Mapping[str, Callable[[Sequence[OpenDraft]], list[bool]]] = {
    "frequent": _most_frequent,
    "words": _words,
    "names": _names,
    FIRST_NAMED: _first_of_a_choice,
}
"""Rule → which questions it answers rightly."""


def guessed(drafts: Sequence[OpenDraft], limit: float) -> set[str]:
    """Groups whose answer is guessed by a rule that guesses more than half of what is allowed.

    Of a choice the first named is right by chance, and none is the worse for it.
    """
    told: set[str] = set()
    for name, rule in RULES.items():
        right = [one.group for one, guess in zip(drafts, rule(drafts), strict=True) if guess]
        if name != FIRST_NAMED and len(right) > limit / 2 * len(drafts):
            told.update(right)
    return told


def run(drafts: Sequence[OpenDraft], limit: float, ends: bool) -> list[Baseline]:
    """What each rule scores, and the best of them on each question.

    Args:
        drafts: the part.
        limit: share that may be right.
        ends: whether the share itself must be within; else only an interval that lies beyond is refused.
    """
    found = {name: rule(drafts) for name, rule in RULES.items()}
    scored = []
    for name, right in found.items():
        share = sum(right) / len(right)
        low, high = shares.wilson(share, len(right))
        over = share > limit if ends else low > limit
        scored.append(Baseline(NAME, name, share, low, high, len(right), len(right), (), over))
    return scored


def check(scored: Sequence[Baseline], limit: float) -> None:
    """Refuse a part whose questions hold their answers.

    Raises:
        PartRefused: one of the rules is right too often.
    """
    if over := [one for one in scored if one.over]:
        worst = max(over, key=lambda one: one.accuracy)
        raise PartRefused(
            f"the suite {NAME} gives its answers away: the blind rule {worst.name!r} is right in "
            f"{100 * worst.accuracy:.1f} % of {worst.cases} questions, more than {100 * limit:.0f} %",
            "ask fewer questions (`sizes`) or pull a broader source; `guess_limit` in benchmark.yaml is the bound",
        )
