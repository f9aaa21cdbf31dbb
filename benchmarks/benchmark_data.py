"""A seeded snapshot for `benchmarks/benchmark_build.py`: same seed and size, same rows. All of it is simulated.

People, places and their faults are those of `reasoning.audit_world` (second birthplaces, missing steps of containment,
shared names); works, offices and wars are added, with dates, so that every kind of rule and every temporal operator
finds facts. Names are made of syllables; some are shared, so that describing and dropping names costs what it costs.
Domains are given out evenly, whatever the things are: the build's work depends on how many there are, not on which.
"""

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import insert
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import audit_world
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import create_partitions
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import day_number

DOMAINS = (
    "culture", "geography", "health", "history", "mathematics", "natural_science", "society", "technology", "people",
)  # fmt: skip
FILM, WAR, OFFICE, UNIVERSITY, TOWN = 11_424, 198, 4_164_871, 3_918, 515
AS_OF = date(2026, 10, 31)
TRANSITIVE, SYMMETRIC, SINGLE = 18_647_515, 18_647_518, 19_474_404
INVERSES = {
    wd.FATHER: wd.CHILD,
    wd.MOTHER: wd.CHILD,
    wd.SPOUSE: wd.SPOUSE,
    wd.FOLLOWS: wd.FOLLOWED_BY,
    wd.FOLLOWED_BY: wd.FOLLOWS,
    wd.DIRECTOR: None,
}
_SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstv" for vowel in "aeo"]
_ENDS = ("n", "r", "s", "l", "m", "rd", "nt", "lin", "sen", "rov", "ton", "ville")


class Statement(NamedTuple):
    """A row of `statement`; a date is a year, or a day number with precision 11."""

    s: int
    p: int
    o: int | None = None
    year: int | None = None
    start: int | None = None
    end: int | None = None


class Entity(NamedTuple):
    """A row of `entity`."""

    qid: int
    label: str
    description: str
    types: tuple[int, ...]
    domain: str | None


class World(NamedTuple):
    """A generated snapshot, statements ascending by (p, s, o)."""

    statements: list[Statement]
    entities: list[Entity]


def _name(random: Random, parts: int) -> str:
    return ("".join(random.choice(_SYLLABLES) for _ in range(parts)) + random.choice(_ENDS)).capitalize()


def generate(statements: int, seed: int) -> World:
    """A world of exactly `statements` statements."""
    random = Random(seed)
    base = audit_world.generate(int(statements * 0.6), seed)
    rows = [Statement(one.s, one.p, one.o) for one in base.facts]
    rows += [Statement(s, p, year=year) for s, p, year in base.dates]
    people = sorted(qid for qid, types in base.types.items() if audit_world.HUMAN in types)
    born = {s: year for s, p, year in base.dates if p == wd.BIRTH}
    entities = [
        Entity(
            qid,
            f"{_name(random, 1)} {_name(random, 2)}" if audit_world.HUMAN in types else _name(random, 3),
            f"thing number {qid}" if random.random() < 0.7 else "somebody or something",
            (TOWN, *types) if audit_world.HUMAN not in types and qid < 800_000 else types,
            DOMAINS[qid % 9],
        )
        for qid, types in sorted(base.types.items())
    ]
    entities += [Entity(2_000_000 + n, f"Mayor of {_name(random, 3)}", "office", (OFFICE,), None) for n in range(400)]
    entities += [
        Entity(2_010_000 + n, f"University of {_name(random, 3)}", "university", (UNIVERSITY,), None)
        for n in range(300)
    ]
    extra = _extra(random, people, born, entities)
    while len(rows) < statements:
        rows += next(extra)
    del rows[statements:]
    distinct = {(one.p, one.s, one.o, one.year, one.start): one for one in rows}
    ordered = sorted(distinct.values(), key=lambda one: (one.p, one.s, one.o or 0, one.year or 0, one.start or 0))
    return World(ordered, entities)


def _extra(
    random: Random, people: list[int], born: dict[int, int], entities: list[Entity]
) -> Iterator[list[Statement]]:
    """Films, wars, terms of office and studies, one thing at a time, for ever."""
    number = 3_000_000
    dated = sorted(born)
    while True:
        number += 1
        domain, draw = DOMAINS[number % 9], random.random()
        if draw < 0.45:
            entities.append(Entity(number, f"The {_name(random, 3)} of {_name(random, 2)}", "a film", (FILM,), domain))
            directors = random.sample(people, 1 if random.random() < 0.9 else 2)
            cast = random.sample(people, random.randint(1, 4))
            yield [
                *(Statement(number, wd.DIRECTOR, one) for one in directors),
                *(Statement(number, wd.CAST_MEMBER, one) for one in cast),
                Statement(number, wd.PUBLICATION, year=random.randint(1895, 2024)),
            ]
        elif draw < 0.6:
            start = random.randint(1300, 1990)
            entities.append(Entity(number, f"{_name(random, 3)} War", "a war", (WAR,), domain))
            end = start + random.randint(0, 30)
            yield [Statement(number, wd.START, year=start), Statement(number, wd.END, year=end)]
        elif draw < 0.85:
            who = random.choice(dated)
            start = day_number(born[who] + random.randint(25, 45), random.randint(1, 12), random.randint(1, 28))
            end = start + random.randint(200, 4000)
            yield [Statement(who, wd.POSITION, 2_000_000 + random.randrange(400), start=start, end=end)]
        else:
            yield [Statement(random.choice(people), wd.EDUCATED_AT, 2_010_000 + random.randrange(300))]


def fill(session: Session, key: str, world: World) -> None:
    """Write the world as the frozen snapshot `key`."""
    create_partitions(session, key)
    session.execute(
        insert(tables.snapshot).values(
            snapshot=key, month=key, as_of=AS_OF, source="simulated/benchmark", status="frozen"
        )
    )
    copy_rows(
        session,
        tables.statement,
        ("snapshot", "sid", "guid", "s", "p", "kind", "o", "earliest", "latest", "precision", "rank",
         "start_earliest", "start_latest", "end_earliest", "end_latest", "unknown_qualifiers"),
        (_row(key, sid, one) for sid, one in enumerate(world.statements, 1)),
    )  # fmt: skip
    copy_rows(
        session,
        tables.entity,
        ("snapshot", "qid", "label", "description", "aliases", "types", "domain", "seed"),
        ([key, one.qid, one.label, one.description, [], list(one.types), one.domain, True] for one in world.entities),
    )
    for pid in sorted({one.p for one in world.statements}):
        session.execute(
            insert(tables.property).values(
                snapshot=key, pid=pid, label=f"property {pid}",
                datatype="time" if pid in wd.DATES else "wikibase-item", inverse=INVERSES.get(pid),
                classes=[TRANSITIVE] * (pid == wd.LOCATED_IN) + [SYMMETRIC] * (pid == wd.SPOUSE),
                constraints=[SINGLE] * (pid in (*wd.PLACES_OF_LIFE, *wd.PARENTS, *wd.LIFE)), separators=[],
                origin="source",
            )
        )  # fmt: skip
    session.commit()


def _row(key: str, sid: int, one: Statement) -> list[Any]:
    dated = one.year is not None
    first = day_number(one.year) if one.year is not None else None
    last = day_number(one.year, 12, 31) if one.year is not None else None
    return [
        key, sid, f"Q{one.s}-{one.p}-{one.o or one.year}-{one.start or 0}", one.s, one.p, "time" if dated else "item",
        one.o, first, last, 9 if dated else None, "normal", one.start, one.start, one.end, one.end, [],
    ]  # fmt: skip
