"""A batch of responses run through prolog_rules/replay.pl: replays, steps and verdicts in one call.

Only integers and the atoms named in replay.pl enter Prolog; no label and no word of a response ever does.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.oracles.asked import CaseToJudge, number_key
from halluvault_tasks.oracles.roles import Cast
from halluvault_tasks.oracles.snapshot_view import BatchStatements, place_slots
from halluvault_tasks.oracles.timed_replay import Answer, Replayed
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.prolog.terms import atom, number, term
from halluvault_tasks.reading import dates
from halluvault_tasks.reading.base import Claim, DateInterval
from halluvault_tasks.reasoning.grounds import Difference, Licence
from halluvault_tasks.reasoning.licence.difference import different, different_places
from halluvault_tasks.reasoning.licence.outside_container import license_outside
from halluvault_tasks.reasoning.licence.slot import has_one
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata.relation import Kind, Predicate, Relation, kind_of

_UNKNOWN = 0
"""What a slot is filled with when the response names something that is linked to no entity."""


class ReplayPremise(NamedTuple):
    """A premise as the replay takes it: a reading that is affirmed or denied."""

    p: Predicate
    s: int
    o: int
    negative: bool


class SaidDate(NamedTuple):
    """A date that the response gives for an event that is put in order."""

    p: int
    s: int
    days: DateInterval


class ReplayItem(NamedTuple):
    """One response to be replayed and judged.

    Attributes:
        answer: to the base proposition: yes, no, dont_know, refusal, contradictory or unparseable.
        gold: of the base proposition.
        premises: what it says, by ids.
        steps: by number; `entails` already speaks of the base proposition.
        shape: direct, bare or argued (prolog_rules/verdict_table.pl).
        timed: replays of a temporal case.
        dates: what the response dates, where order is asked about.
    """

    asked: CaseToJudge
    answer: str
    gold: str
    premises: tuple[ReplayPremise, ...]
    steps: tuple[str, ...]
    kx: bool
    cx: bool
    u: bool
    shape: str
    base_right: bool
    timed: Replayed | None
    dates: tuple[SaidDate, ...] = ()


class ReplayOutcome(NamedTuple):
    """What Prolog says of one response."""

    own: Answer
    fill: Answer
    said: Answer
    sx: bool
    row: str
    category: str
    label: str | None
    steps: tuple[str, ...]
    """Status of each step, in their order."""


def premise(cast: Cast, claim: Claim) -> ReplayPremise:
    """The premise that a claim is."""
    other = number_key(claim.amount) if claim.amount is not None else cast.triple.o or _UNKNOWN
    return ReplayPremise(cast.triple.p, cast.triple.s, other, claim.negative)


def rules_text(rules: Iterable[Rule]) -> list[str]:
    """The active rules as items; what people found to be false is no rule to reason by."""
    return [term for rule in rules if (term := rule.kind.replay(rule))]


def run(
    engine: Engine, rules: Sequence[Rule], facts: BatchStatements, world: World, items: Sequence[ReplayItem]
) -> list[ReplayOutcome]:
    """Replay and judge responses, one call of Prolog.

    Args:
        engine: with `replay.pl` loaded.
        rules: the active rules.
        facts: what is stated about the batch's entities.
        world: the licence's view.
        items: responses; outcomes come back in their order.
    """
    items = [meant(item) for item in items]
    lines = sorted(set(rules_text(rules)))
    lines += [
        f"known({term(p)}, {number(s)}, {number(o)}, {number(fact.sid)}, {int(fact.standing)})."
        for (p, s), objects in sorted(facts.items.items())
        for o, fact in sorted(objects.items())
        if fact.usable
    ]
    lines += _single(world, facts)
    differs: set[str] = set()
    places = place_slots(rules)
    for key, item in enumerate(items, 1):
        lines += _lines(key, item)
        differs |= set(_differences(world, item)) | set(_apart(world, places.get(item.asked.p, 0), key, item))
    with tempfile.TemporaryDirectory(prefix="halluvault-replay-") as directory:
        source, output = Path(directory) / "items.pl", Path(directory) / "verdicts.tsv"
        source.write_text("\n".join([*lines, *sorted(differs)]) + "\n", encoding="utf-8")
        engine.call(f"replay:replay_batch({atom(str(source))}, {atom(str(output))})")
        found = [_outcome(line) for line in output.read_text(encoding="utf-8").splitlines()]
    if len(found) != len(items):
        raise RuntimeError(f"the replay judged {len(found)} of {len(items)} responses")
    return found


def meant(item: ReplayItem) -> ReplayItem:
    """The response with the question as it must take it: about whom it says that "the director of Jaws" is."""
    asked = item.asked
    if asked.called is None or asked.counted is not None:  # years and ages: `dated_replay`
        return item
    of = {one.o for one in asked.evidence if (one.p, one.s) == asked.called}
    told = {one.o for one in item.premises if (one.p, one.s) == asked.called and not one.negative}
    if len(told) != 1 or _UNKNOWN in told:
        return item
    (who,) = told
    s, o = (who if end in of else end for end in (asked.s, asked.o))
    return item._replace(asked=asked._replace(s=s, o=o))


def _single(world: World, facts: BatchStatements) -> Iterator[str]:
    """Subjects that have one value of what others may have several of: a film that is credited to one director."""
    credited = {p for p, one in world.slots.functional.items() if one.credited}
    for p, s in sorted(facts.items):
        if p in credited and has_one(world, p, s):
            yield f"single({number(p)}, {number(s)})."


def _lines(key: int, item: ReplayItem) -> Iterator[str]:
    asked = item.asked
    if isinstance(asked.p, Relation) and asked.p.kind is Kind.ORDER:
        yield from _in_order(key, item, asked.p.properties[0])
    elif item.timed is None:
        yield f"case({key}, {term(asked.p)}, {number(asked.s)}, {number(asked.o)})."
        for one in asked.evidence:
            yield f"evidence({key}, {number(one.p)}, {number(one.s)}, {number(one.o)})."
        yield from sorted({
            f"{'denies' if said.negative else 'says'}({key}, {term(said.p)}, {number(said.s)}, {number(said.o)})."
            for said in item.premises
        })
    else:
        for mode, answer in (("own", item.timed.own), ("fill", item.timed.fill), ("said", item.timed.own)):
            yield f"given({key}, {mode}, {answer})."
    for position, step in enumerate(item.steps, 1):
        yield f"step({key}, {position}, {step})."
    kx, cx, u, base, measured = (
        str(flag).lower() for flag in (item.kx, item.cx, item.u, item.base_right, asked.measured)
    )
    yield f"judged({key}, {item.answer}, {item.gold}, {kx}, {cx}, {u}, {item.shape}, {base}, {measured})."


def _in_order(key: int, item: ReplayItem, p: int) -> Iterator[str]:
    """Of a case about which of two dates comes first."""
    yield f"order({key}, {number(p)}, {number(item.asked.s)}, {number(item.asked.o)})."
    for one in item.asked.evidence:
        if (found := dates.of_iso(one.date, one.precision)) and (days := found.days):
            yield _dated("evidence_date", key, SaidDate(one.p, one.s, days))
    for date in sorted(set(item.dates)):
        yield _dated("says_date", key, date)
    yield from sorted({f"denies({key}, {term(one.p)}, {number(one.s)}, 0)." for one in item.premises if one.negative})


def _dated(functor: str, key: int, date: SaidDate) -> str:
    first, last = (number(day) for day in date.days[:2])
    return f"{functor}({key}, {number(date.p)}, {number(date.s)}, {first}, {last})."


def _apart(world: World, slot: int, key: int, item: ReplayItem) -> Iterator[str]:
    """Which places rule out that what is asked lies in another one; for a false composite, whose licence this is."""
    asked = item.asked
    if asked.truth is not False or not slot:
        return
    true = {one.o for one in asked.evidence if (one.p, one.s) == (slot, asked.s)}
    for value in sorted(true | {one.o for one in item.premises if (one.p, one.s) == (slot, asked.s)} - {_UNKNOWN}):
        if value in true:
            found = isinstance(license_outside(world, slot, asked.s, asked.o), Licence)
        else:
            found = not world.containment.related(value, asked.o) and isinstance(
                different_places(world, value, asked.o), Difference
            )
        if found:
            yield f"apart({key}, {number(value)}, {number(asked.o)})."


def _differences(world: World, item: ReplayItem) -> Iterator[str]:
    """Which values of a slot with one value rule out what is asked (reasoning/licence.py)."""
    asked, kind = item.asked, kind_of(item.asked.p)
    if kind in (Kind.CHAIN, Kind.ORDER) or item.timed is not None:  # of what a chain concludes there is no one value
        return
    p, s, o = asked.p, asked.s, asked.o
    if isinstance(p, Relation):
        relation, s, o = p.forwards(s, o)
        p = relation.properties[0]
    ends = (s, o) if kind is Kind.SHARE else (s,)
    slot = world.slots.functional.get(p)
    if slot is None or not all(has_one(world, p, end) for end in ends):
        return
    values = _values(item, p, ends)
    for value, other in product(sorted(values), sorted(values if kind is Kind.SHARE else {o})):
        if value == other or _UNKNOWN in (value, other):
            continue
        apart = different(world, value, other, slot.place, slot.distinct)
        if min(value, other) < 0 or isinstance(apart, Difference):
            yield f"differs({number(p)}, {number(value)}, {number(other)})."


def _values(item: ReplayItem, p: int, ends: Sequence[int]) -> set[int]:
    """What the response and the proof fill a property's slots with."""
    said = {one.o for one in item.premises if one.p == p and one.s in ends and not one.negative}
    return said | {one.o for one in item.asked.evidence if one.p == p and one.s in ends}


def _outcome(line: str) -> ReplayOutcome:
    _, own, fill, said, sx, row, category, label, steps = line.split("\t")
    statuses = tuple(one.partition(":")[2] for one in steps.split(",") if one)
    return ReplayOutcome(own, fill, said, sx == "true", row, category, None if label == "none" else label, statuses)  # type: ignore[arg-type]
