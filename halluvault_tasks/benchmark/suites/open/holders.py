"""Who held what one holds at a time: on a day, when something happened, for how long, and of which state or country."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.suites.open.drafts import (
    OpenDraft,
    Wanted,
    holds_answer,
    printed,
    wanted_items,
)
from halluvault_tasks.benchmark.suites.open.fact import WantedNumber
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, Told, said
from halluvault_tasks.benchmark.suites.open.references import named
from halluvault_tasks.benchmark.suites.open.turned import INVERSE
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself
from halluvault_tasks.benchmark.wording.open_wording import TermWording
from halluvault_tasks.benchmark.wording.sentences import Date, date_text
from halluvault_tasks.reasoning import sole_holders
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.open_answer import HeldTerm
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.sole_holders import CertainTerm, Seat
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.times import DAY, YEAR

TIME = "time"

_LEAST_DAYS = 60
"""Of a term of which a day is drawn."""


class _NamedSeat(NamedTuple):
    """A seat as questions call it, with the statements of its terms.

    Attributes:
        otherwise: holders who were called otherwise, and are not asked for.
    """

    seat: Seat
    named: Named
    wording: TermWording
    premises: Mapping[int, Premise]
    otherwise: frozenset[int]

    @property
    def held(self) -> list[HeldTerm]:
        """The terms for a proof."""
        return [HeldTerm(term.holder, term.first, term.last) for term in self.seat.terms]


class _AskedTerm(NamedTuple):
    """A question about a term.

    Attributes:
        way: beside the properties, what is asked alike.
        answer: item that is wanted; None: a number is.
        start: what the question names.
        before: evidence that leads to the term, with its statement.
        beside: further evidence behind it.
        shown: for a proof, what is asked.
    """

    kind: str
    asks: str
    way: str
    identity: tuple[object, ...]
    question: str
    gold: str
    wanted: Wanted
    answer: int | None
    told: str
    start: int
    shown: Facts
    precision: Precision
    before: tuple[tuple[Told, Premise], ...] = ()
    beside: tuple[tuple[Told, Premise], ...] = ()


class _ForHolder(NamedTuple):
    """A question that a holder answers; fields as of `_AskedTerm`."""

    kind: str
    identity: tuple[object, ...]
    question: str
    on: str
    shown: Facts
    precision: Precision
    start: int


def find(ground: OpenGround, most: int) -> Iterator[OpenDraft]:
    """Questions about who held something.

    Args:
        ground: the month.
        most: questions for who held something when something else happened, of each kind of moment.
    """
    seats = list(_seats(ground))
    for seat in seats:
        for term in (one for one in seat.seat.terms if one.holder not in seat.otherwise):
            for ask in (_on_a_day, _full_years, _governed, _headed):
                asked = ask(ground, seat, term)
                draft = asked and _draft(ground, seat, term, asked)
                if draft:
                    yield draft
    yield from _when(ground, seats, most)


def _seats(ground: OpenGround) -> Iterator[_NamedSeat]:
    worded = [seat for seat in sole_holders.seats(ground.material.world) if seat.p in ground.wordings.terms]
    known = ground.statements(term.sid for seat in worded for term in seat.terms)
    for seat in worded:
        name = _name(ground, seat)
        if name is not None:
            terms = [term for term in seat.terms if term.sid in known]
            title = ground.material.lexicon.titles.get(seat.p, {}).get(seat.qid)
            otherwise = frozenset(title.never if title else ())
            yield _NamedSeat(seat._replace(terms=terms), name, ground.wordings.terms[seat.p], known, otherwise)


def _name(ground: OpenGround, seat: Seat) -> Named | None:
    """What somebody is called who holds it; of a prize the prize."""
    lexicon, name = ground.material.lexicon, ground.index.namer.named(seat.qid)
    if seat.p in wd.HEADED:
        title = lexicon.titles.get(seat.p, {}).get(seat.qid)
        return Named(title.title, title.title) if title else None
    if not name.name or seat.p == wd.AWARD:
        return name if name.name else None
    text = lexicon.names.get(seat.qid, name.bare)
    return Named(text, text)


def _day_of(ground: OpenGround, seat: Seat, term: CertainTerm) -> int | None:
    """A day of a term on which nobody doubts who held it, the same in every month."""
    days = seat.days(term)
    if term.moment or len(days) < _LEAST_DAYS:
        return None
    day = days[int(drawn(ground.seed, "open", seat.p, seat.qid, term.holder, term.first)[:8], 16) % len(days)]
    return day if seat.holder(day, day) is term else None


def _on_a_day(ground: OpenGround, one: _NamedSeat, term: CertainTerm) -> _AskedTerm | None:
    """Who held it on a day, or received it in a year."""
    seat, year, day = one.seat, one.seat.year(term), _day_of(ground, one.seat, term)
    if year is not None:
        day = day_number(year, 1, 1)
    if day is None:
        return None
    on = date_text(Date(day, DAY if year is None else YEAR))
    precision = Precision.DAY if year is None else Precision.YEAR
    question = said(one.wording.who, o=one.named, on=on)
    identity = ("holder", seat.p, seat.qid, day)
    shown = open_answer.holder([HeldTerm(term.holder, day, day)] if year is not None else one.held, day)
    return _holder(ground, one, term, _ForHolder(TIME, identity, question, on, shown, precision, seat.qid))


def _holder(ground: OpenGround, one: _NamedSeat, term: CertainTerm, asked: _ForHolder) -> _AskedTerm | None:
    index, answer = ground.index, ground.index.namer.named(term.holder)
    if not answer.name or holds_answer(index, asked.question, (), (term.holder,)):
        return None
    return _AskedTerm(
        kind=asked.kind,
        asks="who",
        way=str(asked.identity[0]),
        identity=asked.identity,
        question=asked.question,
        gold=index.namer.plain(term.holder),
        wanted=wanted_items(index, (term.holder,)),
        answer=term.holder,
        told=said(one.wording.statement, s=_plain(ground, term.holder), o=one.named, on=asked.on),
        start=asked.start,
        shown=asked.shown,
        precision=asked.precision,
    )


def _when(ground: OpenGround, seats: Sequence[_NamedSeat], most: int) -> Iterator[OpenDraft]:
    """Who was at the head of a country when one of its citizens was born, or something else happened."""
    heads = {(one.seat.p, one.seat.qid): one for one in seats if one.wording.when}
    for p, moment in sorted(ground.wordings.moments.items()):
        number = 0
        for s in ground.ordered(ground.slots.subjects(p), "when", p):
            if number >= most:
                break
            if ground.index.fits(s, moment.subject):
                for draft in _when_it_was(ground, heads, p, s):
                    number += 1
                    yield draft


def _when_it_was(
    ground: OpenGround, heads: Mapping[tuple[int, int], _NamedSeat], p: int, s: int
) -> Iterator[OpenDraft]:  # fmt: skip
    moment, value = ground.wordings.moments[p], ground.slots.day(p, s)
    subject = named(ground, s, undated=True) if value else None
    if value is None or subject is None or dates_itself(subject.named):
        return
    for one in _heads_for(ground, heads, s):
        term = one.seat.holder(value.earliest, value.latest)
        if term is None or term.holder == s or term.holder in one.otherwise:
            continue
        question = said(one.wording.when or "", s=subject.named, o=one.named, on=moment.said)
        identity = ("holder when", p, one.seat.p, one.seat.qid, s)
        shown, on = open_answer.holder(one.held, value.earliest), date_text(printed(value))
        asked = _holder(ground, one, term, _ForHolder(COMPOSITE, identity, question, on, shown, Precision.DAY, s))
        told = ground.told(value.premise, moment.statement)
        draft = asked and _draft(ground, one, term, asked._replace(before=((told, value.premise),)))
        if draft:
            yield draft


def _heads_for(ground: OpenGround, heads: Mapping[tuple[int, int], _NamedSeat], s: int) -> Sequence[_NamedSeat]:
    """The heads of the one country that somebody or something is of."""
    countries = ground.of_countries.get(s, frozenset())
    alone = countries if len(countries) == 1 else ()
    return [heads[p, country] for country in alone for p in wd.HEADED if (p, country) in heads]


def _full_years(ground: OpenGround, one: _NamedSeat, term: CertainTerm) -> _AskedTerm | None:
    """How many full years a term lasted."""
    years, subject = one.seat.years(term), named(ground, term.holder, undated=True)
    pronoun = ground.pronouns.get(term.holder)
    if one.wording.years is None or years is None or subject is None or not pronoun or dates_itself(subject.named):
        return None
    begun = f"in {civil(term.first).year}"
    question = said(one.wording.years, s=subject.named, o=one.named, on=begun, he=pronoun)
    told = said(one.wording.statement, s=_plain(ground, term.holder), o=one.named, on=f"for {years} full years")
    identity = ("years", one.seat.p, one.seat.qid, term.holder, civil(term.first).year)
    return _AskedTerm(
        TIME, "how many years", "years", identity, question, str(years), WantedNumber(low=years, high=years), None,
        told, term.holder, open_answer.age(term.first, term.last), Precision.DAY,
    )  # fmt: skip


def _governed(ground: OpenGround, one: _NamedSeat, term: CertainTerm) -> _AskedTerm | None:
    """Of which state somebody was the governor: of one alone, as far as is stated."""
    wording, index, seat = ground.wordings.governed, ground.index, one.seat
    day, area = _day_of(ground, seat, term), ground.slots.item(wd.JURISDICTION, seat.qid)
    subject = named(ground, term.holder, undated=True)
    if wording is None or day is None or area is None or subject is None:
        return None
    # "the politician Linda Lingle" says what the question says; which governor is meant, that he or she was one does.
    called = _plain(ground, term.holder) if subject.named.told_by else subject.named
    o, on = area.o or 0, date_text(Date(day, DAY))
    answer, question = index.namer.named(o), said(wording.question, s=called)
    if not one.named.bare.startswith(wording.heads) or not answer.name or not index.fits(o, wording.object):
        return None
    held = ground.material.world.slots.stated(wd.POSITION, term.holder)
    if len({one for one in held if index.namer.plain(one).startswith(wording.heads)}) != 1:
        return None
    if "," in called.name:  # "Dannel Malloy, the American politician," says what the question says
        return None
    if holds_answer(index, question, (subject.named,), (o,)):
        return None
    gold, where = index.namer.plain(o), ground.told(area, "{s} has {o} as its area.")
    premise, told = one.premises[term.sid], said(wording.statement, s=_plain(ground, term.holder), o=answer, on=on)
    shown = (
        *open_answer.stated(premise.guid, premise.s, seat.p, seat.qid, _told(ground, premise, term)["sentence"]),
        *open_answer.stated(area.guid, seat.qid, wd.JURISDICTION, o, where["sentence"]),
        *open_answer.path(premise.s, (seat.p, wd.JURISDICTION)),
    )
    return _AskedTerm(
        INVERSE, wording.asks, "governed", ("governed", seat.qid, term.holder), question, gold,
        wanted_items(index, (o,)), o, told, term.holder, shown,
        Precision.NONE, beside=((where, area),),
    )  # fmt: skip


def _headed(ground: OpenGround, one: _NamedSeat, term: CertainTerm) -> _AskedTerm | None:
    """Of which country somebody was at the head, by what that is called there: of one alone, as far as is stated."""
    seat, index = one.seat, ground.index
    wording = next((each for each in ground.wordings.headed if one.named.bare.startswith(each.heads)), None)
    day = _day_of(ground, seat, term) if seat.p in wd.HEADED else None
    if wording is None or day is None or not index.namer.named(term.holder).name:
        return None
    if len(ground.headed.get(term.holder, ())) != 1:
        return None
    # Who is meant, that he or she headed a country says; "the Romanian politician" would say which.
    called, answer, on = _plain(ground, term.holder), index.namer.named(seat.qid), date_text(Date(day, DAY))
    question = said(wording.question, s=called)
    if "," in called.name or not answer.name or holds_answer(index, question, (called,), (seat.qid,)):
        return None
    premise, gold = one.premises[term.sid], index.namer.plain(seat.qid)
    sentence = _told(ground, premise, term)["sentence"]
    shown = (
        *open_answer.stated(premise.guid, seat.qid, seat.p, term.holder, sentence),
        *open_answer.back(-seat.p, seat.p),
        *open_answer.path(term.holder, (-seat.p,)),
    )
    return _AskedTerm(
        INVERSE, wording.asks, "headed", ("headed", seat.p, seat.qid, term.holder), question, gold,
        wanted_items(index, (seat.qid,)), seat.qid, said(wording.statement, s=called, o=answer, on=on), term.holder,
        shown, Precision.NONE,
    )  # fmt: skip


def _plain(ground: OpenGround, qid: int) -> Named:
    """A name for readers of results, without what tells it from others."""
    label = ground.index.namer.plain(qid)
    return Named(label, label)


def _draft(ground: OpenGround, one: _NamedSeat, term: CertainTerm, asked: _AskedTerm) -> OpenDraft | None:
    seat, premise = one.seat, one.premises[term.sid]
    # A question is of the office's domain, or of that of whose birth or beginning it names.
    domain = ground.domain(*((asked.start,) if asked.before else ()), seat.qid, term.holder)
    if not domain:
        return None
    beside = (*asked.before, *asked.beside)
    told = _told(ground, premise, term)
    relation = "/".join(f"P{each.p}" for each in (*(of for _, of in asked.before), premise))
    return OpenDraft(
        domain=domain,
        kind=asked.kind,
        asks=asked.asks,
        way=f"{relation} {asked.way}",
        identity=asked.identity,
        question=asked.question,
        gold=asked.gold,
        wanted=asked.wanted,
        pid=seat.p,
        subject=premise.s,
        object=premise.o,
        named=(asked.start,),
        rests=frozenset((seat.p, *(of.p for _, of in beside))),
        sids=(*(of.sid for _, of in beside), premise.sid),
        told=asked.told,
        premises=(*(each for each, _ in asked.before), told, *(each for each, _ in asked.beside)),
        facts=(
            open_answer.cited(premise.guid, told["sentence"]),
            *(open_answer.named(asked.answer, asked.gold) if asked.answer is not None else ()),
            *asked.shown,
        ),
        relation=relation,
        hops=1 + len(beside),
        precision=asked.precision,
    )


def _told(ground: OpenGround, premise: Premise, term: CertainTerm) -> dict[str, Any]:
    """A term as evidence, with its days."""
    told = ground.told(premise, "{s}: {o}.")
    first, last = (date_text(Date(day, DAY)).partition(" ")[2] for day in (term.first, term.last))
    span = f"in {civil(term.first).year}" if term.moment else f"from {first} to {last}"
    return {**told, "sentence": f"{told['sentence'].rstrip('.')}, {span}."}
