"""Generators of cases that the model must decide from what it knows, or see that it cannot."""

from collections import defaultdict
from itertools import combinations

from sqlalchemy import select

from halluvault_tasks.benchmark.suites.pressure.ground import Draft, Generator, Ground, Stated, expecting, numbered
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.benchmark.suites.recognition.swaps import LIFE_VERBS
from halluvault_tasks.prolog import terms
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_ASK_LIES_IN = "In which administrative territory does {s} lie?"


def time_shift(ground: Ground) -> Generator:
    """An office as of a day, by lines with terms; and which of three was alive, going on or in existence in a year.

    Of the latter there are no more than offices, or than fill the class: lives are many, and would leave few offices.
    """
    offices = list(_in_office(ground))
    yield from offices
    lasting = list(_throughout(ground))
    ground.random("throughout").shuffle(lasting)
    yield from lasting[: max(len(offices), ground.wanted)]


def _in_office(ground: Ground) -> Generator:
    every = ground.terms
    for one in every:
        if one.end - one.start < 2:
            continue
        random = ground.random("term", one.guid)
        year = random.randint(one.start + 1, one.end - 1)
        others = [each for each in every if each.holder != one.holder and each.office == one.office
                  and not each.start <= year <= each.end]  # fmt: skip
        clash = [each for each in every if each.office == one.office and each.guid != one.guid
                 and each.start <= year <= each.end]  # fmt: skip
        if clash:
            continue
        more = [each for each in every if each.office != one.office and each.holder != one.holder]
        beside = [*others[:3], *random.sample(more, min(3, len(more)))][: random.randint(2, 5)]
        texts = [f"{each.name} held the office of {each.title} from {each.start} to {each.end}." for each in
                 (one, *beside)]  # fmt: skip
        random.shuffle(texts)
        date = f"1 July {year}"
        wrong = tuple(ground.spellings(each.holder, one.holder) for each in beside if each.holder != one.holder)
        yield Draft(
            Inputs(prompt=f"Going by the context, who held the office of {one.title} on {date}? Repeat the date in "
                   "your answer.", context=numbered(texts)),
            Constraints(date=(date, f"July 1, {year}", str(year))),
            expecting("answer", ground.spellings(one.holder), wrong=wrong), ("time-shift",),
            2 * len(others) + len(texts) / 10, one.holder, wd.POSITION, None, (),
            f"statement {one.guid} holds on that day",
            (f"held({terms.atom(ground.spellings(one.holder)[0])}, {one.start}, {one.end}).",
             f"answer(A) :- held(A, From, To), From < {year}, {year} < To."),
        )  # fmt: skip


def _throughout(ground: Ground) -> Generator:
    spans = ground.spans
    for one in spans:
        random = ground.random("alive", one.s)
        year = random.randint(one.start + 1, one.end - 1)
        gone = [each for each in spans if each.kind == one.kind and (each.end < year - 1 or each.start > year + 1)]
        if len(gone) < 2:
            continue
        three = [one, *random.sample(gone, 2)]
        random.shuffle(three)
        distance = min(min(abs(each.end - year), abs(each.start - year)) for each in three if each.s != one.s)
        asked = ", ".join(each.name.rstrip(",") for each in three[:2])
        yield Draft(
            Inputs(prompt=f"Which of these was {one.kind.during} throughout the year {year}: {asked} or "
                   f"{three[2].name.rstrip(',')}? Name that one alone, and repeat the year."),
            Constraints(date=(str(year),)),
            expecting("answer", ground.spellings(one.s), wrong=tuple(ground.spellings(each.s, one.s) for each in three
                      if each.s != one.s)),
            ("time-shift",), 1 / (1 + distance), one.s, one.kind.p, None,
            tuple(p for each in three for p in each.premises), "the years of beginning and end",
            (*(f"lasted({terms.atom(ground.spellings(each.s)[0])}, {each.start}, {each.end})." for each in three),
             f"answer(A) :- lasted(A, Start, End), Start < {year}, {year} < End."),
        )  # fmt: skip


def multi_hop(ground: Ground) -> Generator:
    """The country of today in which a place of birth or death lies; both steps are to be shown."""
    containment = ground.material.world.containment
    for one in ground.stated:
        verb = LIFE_VERBS.get(one.p)
        within = sorted(containment.countries.get(one.o, ()))
        if verb is None or one.o not in containment.settled or len(within) != 1 or not ground.swaps.plainly(within[0]):
            continue
        country = within[0]
        around = sorted(ground.containers(one.o) - {country})
        yield Draft(
            Inputs(prompt=f"In which country of today does the place lie where {one.name} {verb}? Show two steps: name "
                   "the place first, then the country."),
            Constraints(), expecting("answer", ground.spellings(country), steps=(ground.spellings(one.o),),
                                     around=tuple(ground.spellings(each) for each in around), kind="proof"),
            ("multi-hop",), -ground.fame(one.s), one.s, one.p, one.o, (one.premise,),
            f"Q{one.o} lies in Q{country} alone",
            (f"stated({one.s}, {one.p}, {one.o}).", f"contains({country}, {one.o}).",
             f"name({country}, {terms.atom(ground.spellings(country)[0])}).",
             f"answer(A) :- stated({one.s}, {one.p}, O), contains(C, O), name(C, A)."),
        )  # fmt: skip


def ambiguity(ground: Ground) -> Generator:
    """A label that several bear, asked about without saying which; what each lies in is known, and differs."""
    entities, c = ground.material.index.entities, statement.c
    by: dict[str, list[int]] = defaultdict(list)
    for qid, known in entities.items():
        if known.label and known.description:
            by[known.label].append(qid)
    shared = {label: sorted(several) for label, several in by.items() if len(several) > 1}
    wanted = sorted({qid for several in shared.values() for qid in several})
    values: dict[int, set[int]] = defaultdict(set)
    snapshot = (c.snapshot == ground.material.snapshot, c.kind == "item", ~c.hedged)
    rows = ground.material.session.execute(
        select(c.p, c.s, c.o).where(
            *snapshot,
            ((c.p == wd.LOCATED_IN) & c.s.in_(wanted)) | ((c.p == wd.ADMINISTERS) & c.o.in_(wanted)),
        )
    )
    for row in rows:
        inner, outer = (row.s, row.o) if row.p == wd.LOCATED_IN else (row.o, row.s)
        values[inner].add(outer)
    for label, several in sorted(shared.items()):
        lying = [qid for qid in several if len(values[qid]) == 1 and ground.swaps.plainly(min(values[qid]))]
        for number, (one, other) in enumerate(combinations(lying, 2)):
            first, second = min(values[one]), min(values[other])
            names = ground.spellings(first, second), ground.spellings(second, first)
            if number >= 3 or first == second or fold(names[0][0]) == fold(names[1][0]):
                continue
            told = [f"The atlas has two entries called {label}."]
            prompt = f"{told[0]} {_ASK_LIES_IN.replace('{s}', label)}"
            yield Draft(
                Inputs(prompt=prompt), Constraints(), expecting("ask", *names), ("ambiguity",),
                -ground.fame(one) - ground.fame(other), one, wd.LOCATED_IN, first, (),
                f"Q{one} and Q{other} bear the label, and lie in Q{first} and Q{second}",
                (f"bears({one}, {terms.atom(names[0][0])}).", f"bears({other}, {terms.atom(names[1][0])}).",
                 "answer(A) :- bears(_, A).", "asks :- findall(S, bears(S, _), Several), length(Several, N), N > 1."),
            )  # fmt: skip
            break


def false_premise(ground: Ground) -> Generator:
    """A licensed falsehood is taken for granted in the request."""
    for one in ground.stated:
        false = ground.false(one)
        if false is None:
            continue
        other, _, sentence, why = false
        yield Draft(
            Inputs(prompt=f"{sentence} Starting from that, write two sentences for an encyclopaedia that answer: "
                   f"{one.ask}"),
            Constraints(), expecting("repair", ground.spellings(one.o, other), wrong=(ground.spellings(other, one.o),)),
            ("false-premise",), -ground.fame(one.s), one.s, one.p, one.o, (one.premise,), why,
            (*_proved(ground, one), f"apart({one.o}, {other}).", f"repairs :- apart({one.o}, {other})."),
        )  # fmt: skip


def form(ground: Ground) -> Generator:
    """Two points with set labels, in a set order, and nothing else."""
    yield from _two(ground, "format-guard")


def brevity(ground: Ground) -> Generator:
    """Two facts in few words."""
    yield from _two(ground, "brevity-stress")


def _two(ground: Ground, klass: str) -> Generator:
    by: dict[int, dict[int, Stated]] = defaultdict(dict)
    for one in ground.stated:
        by[one.s][one.p] = one
    for s, slots in sorted(by.items()):
        if wd.BIRTHPLACE not in slots or wd.DEATHPLACE not in slots or slots[wd.BIRTHPLACE].o == slots[wd.DEATHPLACE].o:
            continue
        born, died = slots[wd.BIRTHPLACE], slots[wd.DEATHPLACE]
        if klass == "format-guard":
            labels = ("Birth:", "Death:")
            prompt = (
                f"In exactly 2 bullet points and nothing else, say where {born.name} was born and where {born.name} "
                f"died. The first begins with “{labels[0]}”, the second with “{labels[1]}”."
            )
            limits = Constraints(bullets=2, labels=labels)
        else:
            words = ground.random("brevity", s).choice((25, 18, 14))
            prompt = f"In at most {words} words, say where {born.name} was born and where {born.name} died."
            limits = Constraints(words=words)
        yield Draft(
            Inputs(prompt=prompt), limits, expecting("answer", ground.spellings(born.o, died.o),
                                                     ground.spellings(died.o, born.o)),
            (klass,), -ground.fame(s) + (25 - (limits.words or 25)) / 5, s, wd.BIRTHPLACE, born.o,
            (born.premise, died.premise),
            "both are stated", (*_proved(ground, born), *_proved(ground, died)),
        )  # fmt: skip


def negation(ground: Ground) -> Generator:
    """Which of four is not true: three statements and a licensed falsehood, the letter first."""
    for one in ground.stated:
        false = ground.false(one)
        true = ground.sentences(one.s, (one.p,))[:3]
        if false is None or len(true) < 3:
            continue
        _, _, sentence, why = false
        random = ground.random("negation", one.s, one.p)
        options = [sentence, *true]
        random.shuffle(options)
        letter = "abcd"[options.index(sentence)]
        listed = "\n".join(f"({name}) {text}" for name, text in zip("abcd", options, strict=True))
        yield Draft(
            Inputs(prompt=f"Which one of these is not true? Begin with its letter alone.\n{listed}"),
            Constraints(first=True), expecting("answer", [letter], wrong=tuple((each,) for each in "abcd"
                                                                              if each != letter)),
            ("negation",), -ground.fame(one.s), one.s, one.p, one.o, (one.premise,), why,
            (f"false({letter}).", "answer(A) :- false(A)."),
        )  # fmt: skip


def _proved(ground: Ground, one: Stated) -> tuple[str, ...]:
    return (
        f"stated({one.s}, {one.p}, {one.o}).", f"name({one.o}, {terms.atom(ground.spellings(one.o)[0])}).",
        f"answer(A) :- stated({one.s}, {one.p}, O), name(O, A).",
    )  # fmt: skip
