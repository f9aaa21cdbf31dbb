"""Whether what a month lost against an earlier one is more than its source usually loses, and what follows of it.

A class, a property or the names of a class *fall* if they lose a share that is material and, held against the source's
own past, beyond chance (`overdispersion`), adjusted over all that is compared (Holm). What falls alone is held back:
nothing of it is asked this month. What makes all of a month doubtful stops it. Values in, values out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from halluvault_tasks.knowledge.config import Gates
from halluvault_tasks.statistics.comparisons import holm
from halluvault_tasks.statistics.overdispersion import Spread, estimated

ENOUGH = 6
"""Months of its own from which a source's past is gone by."""
YEAR = 12
_FAR = 5
"""Times what is usual."""
_SHOWN = 8
_WEIGHT = 200
"""Counts that the usual spread is worth beside a source's own: a source of three classes tells little in six months."""


class Cause(NamedTuple):
    """What can become of a row of an earlier month."""

    name: str
    words: str
    """`… of 122 seeds`, in words."""
    falls: bool
    """Whether its class or property falls by it."""
    lost: bool
    """Whether it is lost to the source as a whole."""


class CountedKind(NamedTuple):
    """A kind of thing whose rows are counted from month to month; one object each."""

    name: str
    """In the table."""
    plural: str
    letter: str
    rows: str
    usual: Spread
    """What a month loses of one of it, before a source has a past: half a percent is what the rehearsal of a year
    assumes (issue 45), a fifth of a percent of names; the spread lets one in a thousand lose 5 % in a month."""
    lasting: bool
    """Whether it is held against the month a year ago, too."""
    causes: tuple[Cause, ...]


CLASS = CountedKind(
    "class", "classes", "Q", "seeds", Spread(0.005, 0.01), True,
    (
        Cause("merged", "merged into others", False, False),
        Cause("retyped", "of another class now", True, False),
        Cause("undrawn", "no seeds any more", True, True),
        Cause("unanswered", "came without a class", True, True),
        Cause("deleted", "in no answer any more", True, True),
    ),
)  # fmt: skip
PROPERTY = CountedKind(
    "property", "properties", "P", "statements", Spread(0.005, 0.01), True,
    (
        Cause("merged", "of merged items", False, False),
        Cause("moved", "under another property or name now", False, False),
        Cause("gone", "gone with their subject", False, False),
        Cause("unanswered", "of subjects that came without any statement", True, True),
        Cause("deleted", "deleted", True, True),
    ),
)  # fmt: skip
NAMES = CountedKind(
    "names", "classes by their names", "Q", "names", Spread(0.002, 0.01), False,
    (Cause("renamed", "changed", True, True), Cause("unnamed", "gone", True, True)),
)  # fmt: skip
COUNTED = {kind.name: kind for kind in (CLASS, PROPERTY, NAMES)}


class KeyCount(NamedTuple):
    """One class or property in a month, held against an earlier one."""

    kind: str
    """Name in `COUNTED`."""
    key: int
    """Number of the item or property."""
    rows: int
    """This month."""
    before: int = 0
    """In the earlier month; 0 where there is none."""
    causes: Mapping[str, int] = {}
    """Of these, what became of those that are no more what they were, by cause."""
    months: int = 1
    """From the earlier month to this."""

    @property
    def name(self) -> str:
        """`Q5`, `P19`."""
        return f"{COUNTED[self.kind].letter}{self.key}"

    @property
    def fell(self) -> int:
        """Rows that count as fallen."""
        return self.of(cause for cause in COUNTED[self.kind].causes if cause.falls)

    @property
    def no_loss(self) -> int:
        """Rows that left and do not count as fallen."""
        return self.of(cause for cause in COUNTED[self.kind].causes if not cause.falls)

    @property
    def lost(self) -> int:
        """Rows that are lost to the source as a whole."""
        return self.of(cause for cause in COUNTED[self.kind].causes if cause.lost)

    @property
    def added(self) -> int:
        """Rows of this month that the earlier one did not have."""
        return self.rows - self.before + sum(self.causes.values())

    def of(self, causes: Iterable[Cause]) -> int:
        """Rows of these causes."""
        return sum(self.causes.get(cause.name, 0) for cause in causes)


class YearCount(NamedTuple):
    """One class or property a year ago."""

    rows: int
    """Then."""
    known: int
    """Of these, what later months named: what is no loss, and what was held back when it fell."""
    since: str
    """That month."""


class Fall(NamedTuple):
    """A class or property that is held back."""

    kind: str
    key: int
    words: str
    """What fell, by how much, and why: for people."""


class MonthJudgement(NamedTuple):
    """What follows of a month's counts."""

    held: tuple[Fall, ...] = ()
    stopped: tuple[str, ...] = ()
    """Phrases on what makes all of the month doubtful; empty: nothing does."""
    remarks: tuple[str, ...] = ()
    """What left by the hundred and is no loss."""


class _Own(NamedTuple):
    """What one class or property lost in its months."""

    months: int = 0
    fell: float = 0.0
    of: float = 0.0

    def __add__(self, one: KeyCount) -> "_Own":  # type: ignore[override]
        return _Own(self.months + 1, self.fell + one.fell / one.months, self.of + one.before)

    @property
    def mean(self) -> float:
        """Its share of a month, once there is enough to tell."""
        return self.fell / self.of if self.months >= ENOUGH else 0.0


class Past:
    """What a source lost from month to month, without what was held back.

    Args:
        months: of each month its counts.
        least: rows that a count must have to tell anything.
    """

    def __init__(self, months: Iterable[Sequence[KeyCount]], least: int) -> None:
        seen = [one for month in months for one in month if one.before >= least]
        self._own: dict[tuple[str, int], _Own] = defaultdict(_Own)
        for one in seen:
            self._own[one.kind, one.key] += one
        self._spreads = {
            name: self._estimated(kind, [one for one in seen if one.kind == name]) for name, kind in COUNTED.items()
        }

    def _estimated(self, kind: CountedKind, seen: Sequence[KeyCount]) -> Spread:
        """Of all of a kind but those that always lose far more: each of these goes by itself alone."""
        if max((self._own[one.kind, one.key].months for one in seen), default=0) < ENOUGH:
            return kind.usual
        most = _FAR * max(kind.usual.mean, sum(one.fell for one in seen) / sum(one.before for one in seen))
        alike = [one for one in seen if self._own[one.kind, one.key].mean <= most]
        # A comparison over several months tells of one as the share of it.
        fell = np.array([one.fell / one.months for one in alike])
        found = estimated(fell, np.array([one.before for one in alike], dtype=float), kind.usual, _WEIGHT)
        # That editors have made no large change yet promises nothing.
        return found._replace(rho=max(found.rho, kind.usual.rho))

    def spread(self, kind: CountedKind, key: int | None = None) -> Spread:
        """What a month loses of one of a kind; of one that usually loses more, that."""
        spread = self._spreads[kind.name]
        return spread if key is None else spread._replace(mean=max(spread.mean, self._own[kind.name, key].mean))


def year_ago(
    month: str, then: Iterable[KeyCount], since: Iterable[tuple[KeyCount, bool]], now: Iterable[KeyCount]
) -> dict[tuple[str, int], YearCount]:
    """What there was a year ago, by kind and key.

    Args:
        month: that month, `YYYY-MM`.
        then: its counts.
        since: those of every month after it but this, and whether each was held back.
        now: this month's.
    """
    known: Counter[tuple[str, int]] = Counter()
    for one, held in (*since, *((one, False) for one in now)):
        known[one.kind, one.key] += sum(one.causes.values()) if held else one.no_loss
    return {
        (one.kind, one.key): YearCount(one.rows, known[one.kind, one.key], month)
        for one in then
        if COUNTED[one.kind].lasting
    }


class MonthPair(NamedTuple):
    """Which month is held against which."""

    month: str
    """`YYYY-MM`."""
    since: str
    """Key of the earlier one."""


def judge(
    counts: Sequence[KeyCount],
    past: Past,
    limits: Gates,
    year: Mapping[tuple[str, int], YearCount],
    compared_with: MonthPair,
) -> MonthJudgement:
    """Judge a month.

    Args:
        counts: its classes and properties, all of them.
        past: of its source.
        limits: the settings.
        year: what there was a year ago, by kind and key.
        compared_with: the months that the counts are of.
    """
    month, since = compared_with
    of_month = [
        _Tested(one, None, _chance(one, past, limits))
        for one in counts
        if one.before >= limits.least and limits.accepted.get(one.name, "") < month
    ]
    of_year = [
        _Tested(one, then, _crept(one, then, past, limits))
        for one in counts
        if (then := year.get((one.kind, one.key))) is not None
        and then.rows >= limits.least
        and limits.accepted.get(one.name, "") <= then.since
    ]
    tested = [*of_month, *of_year]
    fallen = [one for one, p in zip(tested, holm([one.p for one in tested]), strict=True) if p <= limits.chance]
    held: dict[tuple[str, int], Fall] = {}
    for one in fallen:
        held.setdefault((one.now.kind, one.now.key), Fall(one.now.kind, one.now.key, one.told(since)))
    stand = [one for one in counts if (one.kind, one.key) not in held]
    stopped = [line for kind in COUNTED.values() for line in _doubtful(kind, counts, stand, past, limits, since)]
    stopped += [line for kind in COUNTED.values() for line in _most(kind, of_month, fallen, since)]
    return MonthJudgement(tuple(held.values()), tuple(stopped), tuple(_remarks(of_month, limits, since)))


class _Tested(NamedTuple):
    """One comparison."""

    now: KeyCount
    then: YearCount | None
    """With what; None: with the month before."""
    p: float

    def told(self, since: str) -> str:
        return _told(self.now, since) if self.then is None else _told_of_year(self.now, self.then)


def _most(kind: CountedKind, compared: Sequence[_Tested], fallen: Sequence[_Tested], since: str) -> Iterator[str]:
    """A line if most of a kind fell since the month before."""
    mine = [one for one in fallen if one.then is None and one.now.kind == kind.name]
    among = sum(one.now.kind == kind.name for one in compared)
    if 2 * len(mine) > among:
        told = ", ".join(one.told(since) for one in mine[:_SHOWN])
        yield f"most {kind.plural} fell ({len(mine)} of {among}): {told}"


def _remarks(compared: Iterable[_Tested], limits: Gates, since: str) -> Iterator[str]:
    """What left by the hundred and is no loss."""
    for one, *_ in compared:
        if _left(one) >= _bound(one, limits) * one.before:
            yield _told(one, since)


def _left(one: KeyCount) -> int:
    return one.of(cause for cause in COUNTED[one.kind].causes if not cause.falls and not cause.lost)


def _bound(one: KeyCount, limits: Gates) -> float:
    return {CLASS.name: limits.class_drop, PROPERTY.name: limits.property_drop, NAMES.name: limits.name_change}[
        one.kind
    ]


def _chance(one: KeyCount, past: Past, limits: Gates) -> float:
    """Chance of such a fall; 1 for one that is not material."""
    if one.fell < _bound(one, limits) * one.before or one.fell == 0:
        return 1.0
    return past.spread(COUNTED[one.kind], one.key).over(one.months).chance(one.fell, one.before)


def _crept(one: KeyCount, then: YearCount, past: Past, limits: Gates) -> float:
    """The same against a year ago, where what was added since makes up for what was lost."""
    fell = then.rows - one.rows - then.known
    if fell < _bound(one, limits) * then.rows or fell <= 0:
        return 1.0
    # Not by its own past, which a leak would make usual.
    return past.spread(COUNTED[one.kind]).over(YEAR).chance(fell, then.rows)


def _doubtful(
    kind: CountedKind, counts: Sequence[KeyCount], stand: Sequence[KeyCount], past: Past, limits: Gates, since: str
) -> Iterator[str]:
    """What is wrong with a month as a whole, told by all counts of a kind.

    What fell alone is held back, and says nothing of the others: so what is lost is told by those that stand.
    """
    mine, others = ([one for one in several if one.kind == kind.name] for several in (counts, stand))
    before, rows, added = (sum(getattr(one, of) for one in mine) for of in ("before", "rows", "added"))
    remained, lost = sum(one.before for one in others), sum(one.lost for one in others)
    if before < limits.least:
        return
    spread = past.spread(kind).over(max(one.months for one in mine))
    if lost and lost >= limits.source_drop * remained and spread.chance(lost, remained) <= limits.chance:
        causes = ", ".join(
            f"{number:,} {cause.words}"
            for cause in kind.causes
            if cause.lost and (number := sum(one.of([cause]) for one in others))
        )
        yield f"{lost / remained:.0%} of all {kind.rows} left since {since} ({causes}): the source looks truncated"
    if added >= limits.source_rise * before and spread.chance(added, rows) <= limits.chance:
        yield f"{kind.rows} rose from {before:,} to {rows:,} since {since}: the source looks doubled, or is another"


def _told(one: KeyCount, since: str) -> str:
    kind = COUNTED[one.kind]
    causes = [f"{number} {cause.words}" for cause in kind.causes if cause.falls and (number := one.of([cause]))]
    others = [f"{number} {cause.words}" for cause in kind.causes if not cause.falls and (number := one.of([cause]))]
    besides = f"; besides {', '.join(others)}" if others else ""
    why = ", ".join(causes) or "none of its own"
    return f"{one.name} {one.before} → {one.rows} {kind.rows} since {since}: {why}{besides}"


def _told_of_year(one: KeyCount, then: YearCount) -> str:
    kind = COUNTED[one.kind]
    return f"{one.name} {then.rows} → {one.rows} {kind.rows} since {then.since}, a little each month"
