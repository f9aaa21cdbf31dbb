"""Cases on what began in one year and ended in another: lives, wars, organisations."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting, ids_of, numbered
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.offices import in_office
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.sole_values import has_settled_date
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.times import YEAR

_EARLIEST = 1000


class SpanKind(NamedTuple):
    """How a kind of span is spoken of.

    Attributes:
        during: what it is as long as it lasts.
        after: what it is then.
        began, ended: what happened in the two years.
    """

    p: int
    until: int
    during: str
    after: str
    began: str
    ended: str


KINDS = (
    SpanKind(wd.BIRTH, wd.DEATH, "alive", "dead", "birth", "death"),
    SpanKind(wd.START, wd.END, "going on", "over", "beginning", "end"),
    SpanKind(wd.INCEPTION, wd.DISSOLUTION, "in existence", "dissolved", "founding", "end"),
)


class Lasting(NamedTuple):
    """What certainly began in a year and ended in a year.

    Attributes:
        kind: how it is spoken of.
        name: as within a sentence.
        premises: of the beginning and of the end.
    """

    s: int
    kind: SpanKind
    name: str
    start: int
    end: int
    premises: tuple[Mapping[str, Any], Mapping[str, Any]]


def spans(ground: Ground) -> list[Lasting]:
    """Spans of which both ends are single dates that the licence knows, by kind and item."""
    every: list[Lasting] = ground.material.once(
        ("spans", ground.seed), lambda: [one for kind in KINDS for one in _of_kind(ground, kind)]
    )
    return every


def _of_kind(ground: Ground, kind: SpanKind) -> Iterator[Lasting]:
    world = ground.material.world
    subjects = ground.drawn(kind.p, kind.until)
    told = worded(ground.material, subjects)
    for s in subjects:
        ends = [[one for one in told.get(s, ()) if one["property"] == p] for p in (kind.p, kind.until)]
        if [len(each) for each in ends] != [1, 1]:
            continue
        (begin,), (end,) = ends
        settled = has_settled_date(world, kind.p, s) and has_settled_date(world, kind.until, s)
        start, last = _year(begin), _year(end)
        if settled and start and last and start >= _EARLIEST and last - start > 2 and ground.name(s):
            yield Lasting(s, kind, ground.within(s), start, last, (begin, end))


def _year(premise: Mapping[str, Any]) -> int | None:
    """The year of a date that is one, of our era."""
    on = premise["object"]
    return int(on["date"][:4]) if on.get("precision", 0) >= YEAR and on["date"][:1] != "-" else None


def time_shift(ground: Ground) -> Drafts:
    """An office as of a day, by lines with terms; and which of three was alive, going on or in existence in a year.

    Of the latter there are no more than offices, or than fill the class: lives are many, and would leave few offices.
    """
    offices = list(in_office(ground))
    yield from offices
    lasting = list(_throughout(ground))
    ground.random("throughout").shuffle(lasting)
    yield from lasting[: max(len(offices), ground.wanted)]


def _throughout(ground: Ground) -> Drafts:
    every = spans(ground)
    for one in every:
        random = ground.random("alive", one.s)
        year = random.randint(one.start + 1, one.end - 1)
        gone = [each for each in every if each.kind == one.kind and (each.end < year - 1 or each.start > year + 1)]
        if len(gone) < 2:
            continue
        three = [one, *random.sample(gone, 2)]
        random.shuffle(three)
        others = [each for each in three if each.s != one.s]
        distance = min(min(abs(each.end - year), abs(each.start - year)) for each in others)
        asked = ", ".join(each.name.rstrip(",") for each in three[:2])
        yield CaseDraft(
            Inputs(prompt=f"Which of these was {one.kind.during} throughout the year {year}: {asked} or "
                   f"{three[2].name.rstrip(',')}? Name that one alone, and repeat the year."),
            Constraints(date=(str(year),)),
            expecting("answer", ground.spellings(one.s), wrong=tuple(ground.spellings(each.s, one.s)
                                                                     for each in others)),
            ("time-shift",), 1 / (1 + distance), one.s, one.kind.p, None,
            tuple(premise for each in three for premise in each.premises), "the years of beginning and end",
            proof.throughout(year, [(ground.spellings(each.s)[0], each.start, each.end) for each in three]),
        )  # fmt: skip


def stale_context(ground: Ground) -> Drafts:
    """A line that was true when it was written, and a later one: alive, then dead."""
    for one in spans(ground):
        random = ground.random("stale", one.s)
        written = random.randint(one.start + 1, one.end - 1)
        later = one.end + random.randint(1, 9)
        asked = later + random.randint(0, 20)
        if asked >= ground.material.row.as_of.year:
            continue
        old = f"Written in {written}: {one.name} is {one.kind.during}."
        new = f"Written in {later}: {one.premises[1]['sentence']}"
        both = (one.kind.p, one.kind.until)
        others = [f"Written in {later}: {text}" for text in ground.sentences(one.s, both)[: random.randint(0, 3)]]
        texts = [old, new, *others]
        random.shuffle(texts)
        lines = numbered(texts)
        words = [one.kind.during, one.kind.after]
        random.shuffle(words)
        prompt = (
            f"Going by the context, was {one.name} “{words[0]}” or “{words[1]}” in {asked}? Answer with one of the "
            "two, repeat the year that is asked about, and name the line that you rest on."
        )
        yield CaseDraft(
            Inputs(prompt=prompt, context=lines), Constraints(cite=True, date=(str(asked),)),
            expecting("answer", [one.kind.after], wrong=((one.kind.during,),), kind="retrieval",
                      lines=ids_of(lines, [new])),
            ("stale-context", "time-shift"), len(texts) + (asked - one.end) / 100, one.s, one.kind.until, None,
            one.premises, f"it ended in {one.end}, before {asked}",
            proof.after(one.s, one.end, asked, one.kind.after),
        )  # fmt: skip


def calculation(ground: Ground) -> Drafts:
    """Years apart, from lines that give both; hard: by how much one span exceeds another, in years of the calendar."""
    every = spans(ground)
    for place, one in enumerate(every):
        other = every[(place + 1) % len(every)]
        apart = (one.end - one.start) - (other.end - other.start)
        if place % 3 < 2 or apart <= 0:
            yield _calculated(
                one, f"how many years the year of the {one.kind.ended} of {one.name} came after the year of the "
                f"{one.kind.began}", one.end - one.start, [str(one.start), str(one.end)], float(place % 2),
                proof.difference(one.end, one.start),
            )  # fmt: skip
            continue
        steps = [str(one.end - one.start), str(other.end - other.start)]
        yield _calculated(
            one, f"by how much the years from the {one.kind.began} to the {one.kind.ended} of {one.name} exceed those "
            f"from the {other.kind.began} to the {other.kind.ended} of {other.name.rstrip(',')} (years of the "
            "calendar, subtracted)", apart, steps, 2.0,
            proof.longer(one.start, one.end, other.start, other.end), other,
        )  # fmt: skip


def _calculated(
    one: Lasting, what: str, result: int, steps: list[str], level: float, argument: Facts,
    other: Lasting | None = None,
) -> CaseDraft:  # fmt: skip
    premises = (*one.premises, *(other.premises if other else ()))
    return CaseDraft(
        Inputs(prompt=f"Work out from the context {what}. Show each step with its numbers, and the result last.",
               context=numbered([each["sentence"] for each in premises])),
        Constraints(), expecting("answer", [str(result)], steps=tuple((step,) for step in steps), kind="calc"),
        ("calc", "multi-hop"), level + result / 1000, one.s, None, None, premises, "arithmetic on the lines", argument,
    )  # fmt: skip
