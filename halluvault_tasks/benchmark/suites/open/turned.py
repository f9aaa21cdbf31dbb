"""The other end of a statement: a father or mother by his or her child, a country by its capital."""

from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.references import doubtful, named
from halluvault_tasks.benchmark.suites.open.values import tensed
from halluvault_tasks.benchmark.wording.forms import EndKinds
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.reasoning import single_ends
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata import properties as wd

INVERSE = "inverse"


class _Turned(NamedTuple):
    """A statement that is asked about from its other end.

    Attributes:
        s: what is asked about.
        o: what is wanted.
        question, statement: patterns.
        pid, ends: of the fact, its subject first.
        identity: as `OpenDraft.identity`.
        sids: all that it rests on.
        shown: for a proof, what makes the statement say it, and what is asked.
    """

    s: int
    o: int
    premise: Premise
    asks: str
    question: str
    statement: str
    subject_kinds: EndKinds
    object_kinds: EndKinds
    pid: int
    ends: tuple[int, int]
    identity: tuple[object, ...]
    sids: tuple[int, ...]
    shown: Facts


def find(ground: OpenGround) -> Iterator[OpenDraft]:
    """Questions whose answer is stated at the other end."""
    for one in (*_parents(ground), *_capitals(ground)):
        draft = _draft(ground, one)
        if draft is not None:
            yield draft


def _parents(ground: OpenGround) -> Iterator[_Turned]:
    material = ground.material
    found = single_ends.parents(material.session, material.snapshot, material.world, ground.slots.slots)
    known = ground.statements(stated.evidence[0] for stated in found.values())
    for (p, s), (parent, evidence) in found.items():
        for wording in ground.wordings.questions.get(p, ())[:1]:
            words = tensed(ground, wording, s, parent)
            if words:
                yield _Turned(
                    s, parent, known[evidence[0]], wording.asks, words, wording.statement, wording.subject,
                    wording.object, p, (s, parent), (wording.answer, p, s), evidence,
                    (*open_answer.back(p, wd.CHILD), *open_answer.path(s, (p,))),
                )  # fmt: skip


def _capitals(ground: OpenGround) -> Iterator[_Turned]:
    wording, p = ground.wordings.inverse.get(wd.CAPITAL), wd.CAPITAL
    if wording is None:
        return
    for premise in single_ends.countries_by_capital(ground.material.session, ground.material.snapshot):
        if premise.s in wording.never:
            continue
        city = premise.o or 0
        yield _Turned(
            city, premise.s, premise, wording.asks, wording.question, wording.statement, wording.subject,
            wording.object, p, (premise.s, city), ("turned", p, city), (premise.sid,),
            (*open_answer.back(-p, p), *open_answer.path(city, (-p,))),
        )  # fmt: skip


def _draft(ground: OpenGround, asked: _Turned) -> OpenDraft | None:
    index, s, o = ground.index, asked.s, asked.o
    one, answer = named(ground, s, undated=False), index.namer.named(o)
    if one is None or not answer.name or doubtful(ground, o):
        return None
    if not index.fits(s, asked.subject_kinds) or not index.fits(o, asked.object_kinds):
        return None
    question, domain = said(asked.question, s=one.named), ground.domain(s, o)
    if not domain or holds_answer(index, question, (one.named,), (o,)) or gives_away(index, s, one.named, o, answer):
        return None
    premise, gold = asked.premise, index.namer.plain(o)
    told = ground.told(premise, asked.statement)
    return OpenDraft(
        domain=domain,
        kind=INVERSE,
        asks=asked.asks,
        way=f"P{asked.pid} by P{premise.p} turned round",
        identity=asked.identity,
        question=question,
        gold=gold,
        wanted=wanted_items(index, (o,)),
        pid=asked.pid,
        subject=asked.ends[0],
        object=asked.ends[1],
        named=(s,),
        rests=frozenset((asked.pid, premise.p)),
        sids=asked.sids,
        told=said(asked.statement, s=one.named, o=answer),
        premises=(told,),
        facts=(
            *open_answer.stated(premise.guid, premise.s, premise.p, premise.o or 0, told["sentence"]),
            *open_answer.named(o, gold),
            *asked.shown,
        ),
        relation=f"P{asked.pid}",
    )
