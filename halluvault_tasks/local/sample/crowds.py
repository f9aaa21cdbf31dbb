"""Crowds: subjects of one class or trade, one country and one time, which the bundled sample takes before all others.

Where a "No" is measured it is the value of a subject that is near (`reasoning/measuring/nearness.py`), and nothing is
offered where few are near: a hundred films of all times and countries give no question, a hundred American ones of
twenty years give as many as there are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from halluvault_tasks.local.sample.read import SampleStatement, SampleWorld
from halluvault_tasks.wikidata import properties as wd

EXCHANGED = (
    wd.CAST_MEMBER, wd.DIRECTOR, wd.SCREENWRITER, wd.COMPOSER, wd.CREATOR, wd.BIRTHPLACE, wd.DEATHPLACE, wd.SPOUSE,
    wd.EDUCATED_AT, wd.CAUSE_OF_DEATH, wd.HEADQUARTERS, wd.DEVELOPER, wd.HAS_PART, wd.CAPITAL_OF, wd.CAPITAL,
)  # fmt: skip
"""Properties whose values are exchanged between subjects that are near, in classes that are asked (measured.yaml)."""

MAKERS = (wd.DIRECTOR, wd.COMPOSER, wd.SCREENWRITER, wd.AUTHOR, wd.CREATOR, wd.DEVELOPER, wd.SPOUSE, wd.EDUCATED_AT)
"""Properties whose values are taken with a crowd: where the director of a film was born is asked, too."""

_LAND = (wd.COUNTRY, wd.CITIZENSHIP, wd.COUNTRY_OF_ORIGIN)
_TIME = (wd.PUBLICATION, wd.BIRTH, wd.INCEPTION)
_STRETCH = 20
"""Years of one crowd."""
_ALIKE = 3
"""Subjects of a crowd that may have one value: what many have is not offered to others."""
_HUMAN = 5

Key = tuple[str, str, int | None]
"""(class or trade, country, stretch of years); empty where a subject states none."""


def crowd(world: SampleWorld, own: Mapping[int, Sequence[SampleStatement]], size: int) -> list[int]:
    """For each exchanged property as many subjects as are wanted, of the largest groups first, dated ones first.

    Within a group those come first that state most of these properties: films whose cast, director and composer are all
    known serve three classes.

    Args:
        world: the whole file.
        own: the statements of each subject that may be taken.
        size: subjects of each property.
    """
    values: dict[tuple[int, int], list[str]] = defaultdict(list)
    for subject, rows in own.items():
        for row in rows:
            values[subject, row.property].append(row.value)
    exchanged = {subject: {row.property for row in rows} & set(EXCHANGED) for subject, rows in own.items()}
    keys = {subject: list(_keys(world, subject, own[subject])) for subject, having in exchanged.items() if having}
    chosen: dict[int, None] = {}
    for p in EXCHANGED:
        groups: dict[Key, list[int]] = defaultdict(list)
        for subject, of in keys.items():
            if p in exchanged[subject]:
                for key in of:
                    groups[key].append(subject)
        taken = {subject for subject in chosen if p in exchanged[subject]}
        held = Counter(value for subject in taken for value in values[subject, p])
        for key in sorted(groups, key=lambda key: (key[2] is None, -len(groups[key]), str(key))):
            for subject in sorted(groups[key], key=lambda one: (-len(exchanged[one]), len(own[one]), one)):
                of_it = values[subject, p]
                if len(taken) < size and subject not in taken and all(held[value] < _ALIKE for value in of_it):
                    taken.add(subject)
                    held.update(of_it)
                    chosen[subject] = None
    return list(chosen)


def makers(crowded: Iterable[int], own: Mapping[int, Sequence[SampleStatement]]) -> list[int]:
    """Whom a crowd's statements name as the makers of its things, in the order in which they are named."""
    named = (row.item() for subject in crowded for row in own.get(subject, ()) if row.property in MAKERS)
    return list(dict.fromkeys(item for item in named if item))


def _keys(world: SampleWorld, subject: int, rows: Sequence[SampleStatement]) -> Iterator[Key]:
    values: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        values[row.property].append(row.value)
    kinds = [f"Q{kind}" for kind in world.types.get(subject, ())]
    if kinds == [f"Q{_HUMAN}"]:
        kinds = values[wd.OCCUPATION]
    lands = [value for p in _LAND for value in values[p]] or [""]
    year = next((year for p in _TIME for value in values[p] if (year := _year(value)) is not None), None)
    for kind in kinds:
        for land in lands:
            yield kind, land, year // _STRETCH if year is not None else None


def _year(value: str) -> int | None:
    """The year of a date that is known to the year."""
    return int(value[:4]) if value[:4].isdigit() else None
