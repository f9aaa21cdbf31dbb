"""Who held what one holds at a time: on a day, when somebody was born, for how long, and of which state."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, WantedNumber, holds_answer, printed, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import Ground, Told, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.suites.open.turned import INVERSE
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.open_wording import TermWording
from halluvault_tasks.benchmark.wording.sentences import Date, date_text
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.open_answer import HeldTerm
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.world.terms import Term, apart
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, day_number, full_years
from halluvault_tasks.wikidata.times import DAY, YEAR

TIME = "time"

_MARGIN = 31
"""Days at each end of a term that are not asked about: sources differ on who was in office then."""

_BACK_TO_BACK = 31
"""Days within which a successor takes over."""


class Seat(NamedTuple):
    """What one holds at a time, as questions call it."""

    p: int
    qid: int
    named: Named
    wording: TermWording
    terms: Sequence[Term]
    """Those that keep apart."""

    def held(self) -> list[HeldTerm]:
        """The days on which each was certainly held."""
        return [HeldTerm(term.holder, *term.certain) for term in self.terms if term.certain]

    def holder(self, first: int, last: int) -> Term | None:
        """Whose term holds all these days, with a margin, and nobody else's any of them."""
        meeting = [
            term for term in self.terms if term.certain and term.certain[0] <= last and first <= term.certain[1]
        ]  # fmt: skip
        if len(meeting) != 1 or meeting[0].certain is None:
            return None
        start, end = meeting[0].certain
        return meeting[0] if start + _MARGIN <= first and last <= end - _MARGIN else None


def find(ground: Ground, most: int) -> Iterator[OpenDraft]:
    """Questions about who held something.

    Args:
        ground: the month.
        most: questions for who held something when something else happened, of each kind of moment.
    """
    seats = list(_seats(ground))
    known = ground.statements(term.sid for seat in seats for term in seat.terms)
    for seat in seats:
        for term in seat.terms:
            premise = known.get(term.sid)
            if premise is None:
                continue
            yield from _on_a_day(ground, seat, term, premise)
            yield from _full_years(ground, seat, term, premise)
            yield from _governed(ground, seat, term, premise)
    yield from _when(ground, seats, known, most)


def _seats(ground: Ground) -> Iterator[Seat]:
    for (p, qid), terms in sorted(ground.material.world.terms.of.items()):
        wording, name = ground.wordings.terms.get(p), _name(ground, p, qid)
        if wording is not None and name is not None:
            yield Seat(p, qid, name, wording, apart(terms))


def _name(ground: Ground, p: int, seat: int) -> Named | None:
    """What somebody is called who holds it; of a prize the prize."""
    lexicon, namer = ground.material.lexicon, ground.index.namer
    if p in wd.HEADED:
        title = lexicon.titles.get(p, {}).get(seat)
        return Named(title.title, title.title) if title else None
    named_ = namer.named(seat)
    if not named_.name:
        return None
    text = lexicon.names.get(seat, named_.bare)
    return Named(named_.name if p == wd.AWARD else text, text)


def _day_of(ground: Ground, seat: Seat, term: Term) -> int | None:
    """A day within a term, which no other term changes."""
    if term.certain is None:
        return None
    first, last = term.certain
    room = last - first - 2 * _MARGIN
    if room < 2 * _MARGIN:
        return None
    return first + _MARGIN + int(drawn(ground.seed, "open", seat.p, seat.qid, term.holder, first)[:8], 16) % room


def _on_a_day(ground: Ground, seat: Seat, term: Term, premise: Premise) -> Iterator[OpenDraft]:
    """Who held it on a day, or received it in a year."""
    if term.moment:
        day, precision = _year_of(seat, term), YEAR
    else:
        day, precision = _day_of(ground, seat, term), DAY
        if day is not None and seat.holder(day, day) is not term:
            return
    if day is None:
        return
    on = date_text(Date(day, precision))
    question = said(seat.wording.who, o=seat.named, on=on)
    yield from _named_holder(
        ground, seat, term, premise, question, on,
        facts=open_answer.holder(seat.held(), day), identity=("holder", seat.p, seat.qid, day), kind=TIME,
        precision=Precision.DAY if precision == DAY else Precision.YEAR,
    )  # fmt: skip


def _year_of(seat: Seat, term: Term) -> int | None:
    """First day of the year in which alone a prize was given to one."""
    if term.certain is None:
        return None
    first, last = (civil(day).year for day in term.certain)
    others = [each for each in seat.terms if each is not term and each.certain]
    alone = all(civil(each.certain[0]).year != first for each in others if each.certain)
    return day_number(first, 1, 1) if first == last and alone else None


def _when(ground: Ground, seats: Iterable[Seat], known: Mapping[int, Premise], most: int) -> Iterator[OpenDraft]:
    """Who was at the head of a country when one of its citizens was born, or something else happened."""
    heads = {(seat.p, seat.qid): seat for seat in seats if seat.wording.when}
    for p, moment in sorted(ground.wordings.moments.items()):
        number = 0
        for s in ground.ordered(ground.slots.subjects(p), "when", p):
            value, one = ground.slots.day(p, s), named(ground, s, undated=True)
            if value is None or one is None or dates_itself(one.named) or not ground.index.fits(s, moment.subject):
                continue
            for seat in _heads_for(ground, heads, s):
                term = seat.holder(value.earliest, value.latest)
                if term is None or term.sid not in known or term.holder == s:
                    continue
                told = ground.told(value.premise, moment.statement)
                on = date_text(printed(value))
                question = said(seat.wording.when or "", s=one.named, o=seat.named, on=moment.said)
                for draft in _named_holder(
                    ground, seat, term, known[term.sid], question, on,
                    facts=open_answer.holder(seat.held(), value.earliest), identity=("holder when", p, seat.p, seat.qid, s),
                    kind=COMPOSITE, precision=Precision.DAY, start=s, before=told, since=value.premise,
                ):  # fmt: skip
                    yield draft
                    number += 1
            if number >= most:
                break


def _heads_for(ground: Ground, heads: Mapping[tuple[int, int], Seat], s: int) -> Sequence[Seat]:
    """The heads of somebody's one country; of what has no citizenship one of all, drawn."""
    countries = ground.slots.citizenships.get(s)
    if countries is not None:
        alone = countries if len(countries) == 1 else ()
        return [heads[p, country] for country in alone for p in wd.HEADED if (p, country) in heads]
    drawn_seats = sorted(heads, key=lambda seat: drawn(ground.seed, "head", s, *seat))
    return [heads[seat] for seat in drawn_seats[:1]]


def _named_holder(
    ground: Ground,
    seat: Seat,
    term: Term,
    premise: Premise,
    question: str,
    on: str,
    *,
    facts: tuple[str, ...],
    identity: tuple[object, ...],
    kind: str,
    precision: Precision,
    start: int = 0,
    before: Told | None = None,
    since: Premise | None = None,
) -> Iterator[OpenDraft]:
    index, holder = ground.index, term.holder
    answer, domain = index.namer.named(holder), ground.domain(*((start,) if start else ()), seat.qid, holder)
    if not answer.name or not domain or holds_answer(index, question, (), (holder,)):
        return
    gold, told = index.namer.plain(holder), ground.told(premise, "{s}: {o}.")
    relation = f"P{since.p}/P{seat.p}" if since else f"P{seat.p}"
    yield OpenDraft(
        domain=domain,
        kind=kind,
        asks="who",
        way=f"{relation} {identity[0]}",
        identity=identity,
        question=question,
        gold=gold,
        wanted=wanted_items(index, (holder,)),
        pid=seat.p,
        subject=premise.s,
        object=premise.o,
        named=(start or seat.qid,),
        rests=frozenset((seat.p, *((since.p,) if since else ()))),
        sids=(*((since.sid,) if since else ()), premise.sid),
        told=said(seat.wording.statement, s=answer, o=seat.named, on=on),
        premises=(*((before,) if before else ()), _dated_told(told, premise, term)),
        facts=(*_comments(told, premise), *open_answer.named(holder, gold), *facts),
        relation=relation,
        hops=2 if start else 1,
        precision=precision,
        bridged=False,
    )


def _full_years(ground: Ground, seat: Seat, term: Term, premise: Premise) -> Iterator[OpenDraft]:
    """How many full years a term lasted that began and ended on a known day, and was followed by somebody else's."""
    index, one = ground.index, named(ground, term.holder, undated=True)
    if seat.wording.years is None or one is None or dates_itself(one.named) or term.moment or term.certain is None:
        return
    first, last = term.certain
    followed = any(
        other.certain and other.holder != term.holder and 0 <= other.certain[0] - last <= _BACK_TO_BACK
        for other in seat.terms
    )
    after = any(other.certain and other.holder != term.holder and 0 <= first - other.certain[1] <= _BACK_TO_BACK
                for other in seat.terms)  # fmt: skip
    exact = term.start == (first, first) and term.end == (last, last)
    years = full_years(first, last)
    # A day or a month more or less, since sources count from the oath or from the election.
    if not (followed and after and exact) or years < 1:
        return
    if full_years(first, last + _MARGIN) != years or full_years(first, last - _MARGIN) != years:
        return
    on, domain = f"in {civil(first).year}", ground.domain(seat.qid, term.holder)
    if not domain:
        return
    told = ground.told(premise, "{s}: {o}.")
    yield OpenDraft(
        domain=domain,
        kind=TIME,
        asks="how many years",
        way=f"P{seat.p} years",
        identity=("years", seat.p, seat.qid, term.holder, civil(first).year),
        question=said(seat.wording.years, s=one.named, o=seat.named, on=on),
        gold=str(years),
        wanted=WantedNumber(low=years, high=years),
        pid=seat.p,
        subject=premise.s,
        object=premise.o,
        named=(term.holder,),
        rests=frozenset((seat.p,)),
        sids=(premise.sid,),
        told=said(seat.wording.statement, s=one.named, o=seat.named, on=f"for {years} full years"),
        premises=(_dated_told(told, premise, term),),
        facts=(*_comments(told, premise), *open_answer.age(first, last)),
        relation=f"P{seat.p}",
        precision=Precision.DAY,
    )


def _governed(ground: Ground, seat: Seat, term: Term, premise: Premise) -> Iterator[OpenDraft]:
    """Of which state somebody was the governor on a day: nobody governs two."""
    wording, index = ground.wordings.governed, ground.index
    day, area = _day_of(ground, seat, term), ground.slots.item(wd.JURISDICTION, seat.qid)
    if wording is None or day is None or area is None or not seat.named.bare.startswith("Governor of "):
        return
    o, one = area.o or 0, named(ground, term.holder, undated=True)
    answer, domain = index.namer.named(o), ground.domain(seat.qid, o)
    if one is None or not answer.name or not domain or seat.holder(day, day) is not term:
        return
    on = date_text(Date(day, DAY))
    question = said(wording.question, s=one.named, on=on)
    if holds_answer(index, question, (one.named,), (o,)):
        return
    gold, told = index.namer.plain(o), ground.told(premise, "{s}: {o}.")
    where = ground.told(area, "{s} has {o} as its area.")
    yield OpenDraft(
        domain=domain,
        kind=INVERSE,
        asks=wording.asks,
        way=f"P{seat.p}/P{wd.JURISDICTION}",
        identity=("governed", seat.qid, term.holder, day),
        question=question,
        gold=gold,
        wanted=wanted_items(index, (o,)),
        pid=seat.p,
        subject=premise.s,
        object=premise.o,
        named=(term.holder,),
        rests=frozenset((seat.p, wd.JURISDICTION)),
        sids=(premise.sid, area.sid),
        told=said(wording.statement, s=one.named, o=answer, on=on),
        premises=(_dated_told(told, premise, term), where),
        facts=(
            *open_answer.stated(premise.guid, premise.s, seat.p, seat.qid, told["sentence"]),
            *open_answer.stated(area.guid, seat.qid, wd.JURISDICTION, o, where["sentence"]),
            *open_answer.named(o, gold),
            *open_answer.path(premise.s, (seat.p, wd.JURISDICTION)),
        ),
        relation=f"P{seat.p}",
        hops=2,
        precision=Precision.DAY,
    )


def _comments(told: Told, premise: Premise) -> tuple[str, ...]:
    return (open_answer.cited(premise.guid, told["sentence"]),)


def _dated_told(told: Told, premise: Premise, term: Term) -> dict[str, Any]:
    """A term as evidence, with its days."""
    if term.certain is None:
        return dict(told)
    first, last = (date_text(Date(day, DAY)).partition(" ")[2] for day in term.certain)
    span = f"in {civil(term.certain[0]).year}" if term.moment else f"from {first} to {last}"
    return {**told, "sentence": f"{told['sentence'].rstrip('.')}, {span}."}
