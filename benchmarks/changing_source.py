"""A source that changes from month to month: the checked sample as it might have stood in each of twelve months.

Values in, values out: `months` is a pure function of the sample and the seed. What changes comes in kinds (`KINDS`),
one object each; a month is the one before it with its kinds applied in their order. Which month has what is `CALENDAR`;
a shorter year takes its first months. Nothing here is true of the world but what the sample states: a year is a
rehearsal, and no model is ever asked about it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from halluvault_tasks.local.sample import Entity, Redirect, Sample, Statement, Time
from halluvault_tasks.wikidata import properties as wd

CHANGED, ADDED, DELETED, LABELS = 0.002, 0.005, 0.005, 0.002
"""Shares of an ordinary month, of the statements or of the entities."""
HELD_BACK = 0.06
"""Of the sample's statements those that the first month lacks; they are what is added later."""
RETYPED = 3
_TWIN = 4_000_000_000
"""Numbers from here on are of items that only the year has: twins that are merged away."""
_SETTLED = frozenset({wd.INSTANCE_OF, wd.SUBCLASS_OF})


class FalseFact(NamedTuple):
    """Something that a benchmark denied: subject, property, object."""

    subject: int
    property: int
    object: int


class SourceState(NamedTuple):
    """A month's source and what later months will need."""

    sample: Sample
    held_back: tuple[Statement, ...] = ()
    refuted: tuple[FalseFact, ...] = ()
    """What the source is to state from now on, since a benchmark denied it."""


class SourceMonth(NamedTuple):
    """What is to be pulled as a month."""

    month: str
    """YYYY-MM."""
    sample: Sample
    told: Mapping[str, int]
    """Kind of change → how many there were since the month before."""


class ChangeKind(NamedTuple):
    """A kind of change: what it makes of a state, and how much it changed."""

    name: str
    apply: Callable[[SourceState, Random], tuple[SourceState, int]]


def _with(state: SourceState, **fields: object) -> SourceState:
    return state._replace(sample=state.sample._replace(**fields))  # type: ignore[arg-type]


def _drawn(statements: Sequence[Statement], share: float, random: Random) -> set[int]:
    """Places of a share of the statements, classes left alone."""
    places = [at for at, one in enumerate(statements) if one.property not in _SETTLED]
    return set(random.sample(places, max(1, round(share * len(places)))))


def _changed(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """A date moves by a year: an editor corrects it, or does not."""
    kept = list(state.sample.statements)
    dated = [at for at, one in enumerate(kept) if isinstance(one.value, Time) and one.text[:4].isdigit()]
    for at in random.sample(dated, min(len(dated), max(1, round(CHANGED * len(kept))))):
        one, value = kept[at], kept[at].value
        assert isinstance(value, Time)
        moved = value.year + random.choice((-1, 1))
        text = f"{moved:04d}{one.text[4:]}"
        leap = (value.month, value.day) == (2, 29)
        if value.year > 1 and not leap:
            kept[at] = one._replace(value=value._replace(year=moved), text=text)
    return _with(state, statements=tuple(kept)), sum(
        one != two for one, two in zip(kept, state.sample.statements, strict=True)
    )


def _added(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """Statements come that the source lacked."""
    number = min(len(state.held_back), round(ADDED * len(state.sample.statements)))
    come = set(random.sample(range(len(state.held_back)), number))
    new = tuple(one for at, one in enumerate(state.held_back) if at in come)
    left = tuple(one for at, one in enumerate(state.held_back) if at not in come)
    return _with(state, statements=state.sample.statements + new)._replace(held_back=left), len(new)


def _deleted(state: SourceState, random: Random) -> tuple[SourceState, int]:
    gone = _drawn(state.sample.statements, DELETED, random)
    kept = tuple(one for at, one in enumerate(state.sample.statements) if at not in gone)
    return _with(state, statements=kept), len(gone)


def _renamed_entities(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """A label and one of its aliases change places."""
    named = [at for at, one in enumerate(state.sample.entities) if one.aliases and one.label]
    chosen = set(random.sample(named, min(len(named), max(1, round(LABELS * len(state.sample.entities))))))
    entities = tuple(
        one._replace(label=one.aliases[0], aliases=(one.label, *one.aliases[1:])) if at in chosen else one
        for at, one in enumerate(state.sample.entities)
    )
    return _with(state, entities=entities), len(chosen)


def _merged(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """A twin of an item is merged into it: what was stated of the twin is stated of the item."""
    twins = {one.qid: one for one in state.sample.entities if one.qid >= _TWIN}
    if not twins:
        return state, 0
    twin = random.choice(sorted(twins))
    whole = next(one.qid for one in state.sample.entities if one.label == twins[twin].label and one.qid < _TWIN)
    statements = tuple(one._replace(subject=whole) if one.subject == twin else one for one in state.sample.statements)
    entities = tuple(one for one in state.sample.entities if one.qid != twin)
    redirects = (*state.sample.redirects, Redirect(twin, whole))
    return _with(state, statements=statements, entities=entities, redirects=redirects), 1


def _retyped(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """Some items of a class get a class below or beside it: nothing is lost."""
    by_class: dict[tuple[int, ...], list[int]] = {}
    for at, one in enumerate(state.sample.entities):
        if len(one.types) == 1:
            by_class.setdefault(one.types, []).append(at)
    large = sorted((types for types, places in by_class.items() if len(places) > 10 * RETYPED), key=str)
    of, to = random.sample(large, 2)
    chosen = set(random.sample(by_class[of], RETYPED))
    entities = tuple(
        one._replace(types=(*one.types, *to)) if at in chosen else one for at, one in enumerate(state.sample.entities)
    )
    return _with(state, entities=entities), len(chosen)


def _property_renamed(state: SourceState, random: Random) -> tuple[SourceState, int]:
    asked = sorted({one.property for one in state.sample.statements})
    pid = random.choice(asked)
    properties = tuple(
        one._replace(label=f"{one.label} (revised)") if one.pid == pid else one for one in state.sample.properties
    )
    return _with(state, properties=properties), 1


def _refuting(state: SourceState, random: Random) -> tuple[SourceState, int]:
    """What a benchmark denied is stated beside what was."""
    known = {one.qid for one in state.sample.entities}
    domains = {one.subject: one.domain for one in state.sample.statements}
    new = tuple(
        Statement(domains[one.subject], one.subject, one.property, one.object, "normal", (), f"Q{one.object}")
        for one in state.refuted
        if one.object in known and one.subject in domains
    )
    return _with(state, statements=state.sample.statements + new)._replace(refuted=()), len(new)


ORDINARY = (
    ChangeKind("changed", _changed),
    ChangeKind("added", _added),
    ChangeKind("deleted", _deleted),
    ChangeKind("labels", _renamed_entities),
)
"""What every month has."""
MERGED, RETYPED_CLASS = ChangeKind("merged", _merged), ChangeKind("re-typed", _retyped)
PROPERTY_RENAMED, REFUTED = ChangeKind("property renamed", _property_renamed), ChangeKind("refuted", _refuting)
KINDS = (*ORDINARY, MERGED, RETYPED_CLASS, PROPERTY_RENAMED, REFUTED)

CALENDAR: Mapping[int, tuple[ChangeKind, ...]] = {
    2: (MERGED, REFUTED),
    3: (RETYPED_CLASS, PROPERTY_RENAMED),
    5: (MERGED, RETYPED_CLASS),
    7: (REFUTED, PROPERTY_RENAMED),
    8: (MERGED,),
    10: (RETYPED_CLASS, REFUTED),
    11: (MERGED, PROPERTY_RENAMED),
}
"""Number of the month in the year → what it has besides."""


def beginning(sample: Sample, first: str, *, seed: int) -> SourceState:
    """The first month's source: the sample less what comes later, some of its items told in two.

    Args:
        sample: a whole one.
        first: month, YYYY-MM.
        seed: of what it lacks.
    """
    random = Random(f"{seed}:beginning")
    held = _drawn(sample.statements, HELD_BACK, random)
    kept = [one for at, one in enumerate(sample.statements) if at not in held]
    entities = list(sample.entities)
    splittable = [one for one in entities if one.types and sum(two.subject == one.qid for two in kept) > 1]
    for number, whole in enumerate(random.sample(splittable, 6)):
        twin = Entity(_TWIN + number, whole.label, whole.description, (), whole.types, whole.sitelinks)
        entities.append(twin)
        at = random.choice([at for at, one in enumerate(kept) if one.subject == whole.qid])
        kept[at] = kept[at]._replace(subject=twin.qid)
    state = sample._replace(entities=tuple(entities), statements=tuple(kept), as_of=last_day(first))
    return SourceState(state, tuple(one for at, one in enumerate(sample.statements) if at in held))


def following(
    state: SourceState, number: int, *, seed: int, as_of: date, kinds: Sequence[ChangeKind] = ()
) -> tuple[SourceState, Mapping[str, int]]:
    """The source a month later, and how much changed, by kind.

    Args:
        state: of the month before.
        number: of the month in the year, from 1.
        seed: of the year.
        as_of: day of the data.
        kinds: of changes; none: the calendar's.
    """
    told = {}
    for kind in kinds or (*ORDINARY, *CALENDAR.get(number, ())):
        state, told[kind.name] = kind.apply(state, Random(f"{seed}:{number}:{kind.name}"))
    return state._replace(sample=state.sample._replace(as_of=as_of)), told


def thinned(sample: Sample, share: float, *, seed: int) -> Sample:
    """The same less a share of its statements: a dump of another origin."""
    random = Random(f"{seed}:thinned")
    gone = _drawn(sample.statements, share, random)
    return sample._replace(statements=tuple(one for at, one in enumerate(sample.statements) if at not in gone))


def month_of(first: str, number: int) -> str:
    """The month of a number, YYYY-MM; 1 is the first."""
    year, month = map(int, first.split("-"))
    years, months = divmod(month + number - 2, 12)
    return f"{year + years:04d}-{months + 1:02d}"


def last_day(month: str) -> date:
    """The last day of a month."""
    return date.fromisoformat(f"{month_of(month, 2)}-01") - timedelta(days=1)
