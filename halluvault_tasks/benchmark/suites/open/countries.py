"""In which country a place lies today: by its chain of containment, of what is named or of where somebody was born."""

from collections.abc import Iterable, Iterator

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, hints_at_country, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import Ground, said
from halluvault_tasks.benchmark.suites.open.references import Reference, named
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE, DIRECT
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata import properties as wd

TRANSITIVE = "transitive"


def find(ground: Ground, phrased: Iterable[Reference]) -> Iterator[OpenDraft]:
    """Questions for the country of settlements."""
    if ground.wordings.country is None:
        return
    asked = (s for s in ground.ordered(ground.countries, "country") if _may_be_named(ground, s))
    places = [one for s in asked if (one := named(ground, s, undated=False))]
    places += [one for one in phrased if one.qid in ground.countries]
    world = ground.material.world.containment
    steps = {
        place: tuple(step.sid for step in world.way(place, ground.countries[place][0]) if step.p == wd.LOCATED_IN)
        for place in {one.qid for one in places}
    }
    needed = {sid for place, climbed in steps.items() for sid in (ground.countries[place][1], *climbed)}
    known = ground.statements(needed)
    for one in places:
        draft = _draft(ground, one, [known[sid] for sid in (*steps[one.qid], ground.countries[one.qid][1])])
        if draft is not None:
            yield draft


def _may_be_named(ground: Ground, place: int) -> bool:
    """Whether it is a place of today that somebody might not know."""
    wording, containment = ground.wordings.country, ground.material.world.containment
    fits = wording is not None and ground.index.fits(place, wording.subject)
    return fits and place in ground.index.domains and not containment.historic(place)


def _draft(ground: Ground, one: Reference, premises: list[Premise]) -> OpenDraft | None:
    index, wording = ground.index, ground.wordings.country
    country, _ = ground.countries[one.qid]
    assert wording is not None
    answer, domain = index.namer.named(country), ground.domain(one.start, one.qid)
    question = said(wording.question, s=one.named)
    if not answer.name or not domain or country == one.start or hints_at_country((one.start_named,)):
        return None
    if holds_answer(index, question, (one.start_named,), (country,)):
        return None
    told = tuple(ground.told(premise, wording.statement) for premise in premises)
    path = (*one.path, wd.COUNTRY)
    gold, climbs = index.namer.plain(country), len(premises) > 1
    sentence = told[-1]["sentence"]
    return OpenDraft(
        domain=domain,
        kind=COMPOSITE if one.path else TRANSITIVE if climbs else DIRECT,
        asks=wording.asks,
        way="/".join(f"P{abs(step)}" for step in path),
        identity=("country", *path, one.start),
        question=question,
        gold=gold,
        wanted=wanted_items(index, (country,)),
        pid=wd.COUNTRY,
        subject=one.qid,
        object=country,
        named=(one.start,),
        rests=frozenset(map(abs, path)),
        sids=(*one.sids, *(premise.sid for premise in premises)),
        told=said(wording.statement, s=one.named, o=answer),
        premises=(*one.told, *told),
        facts=(
            *one.facts,
            *(open_answer.stated(premises[-1].guid, one.qid, wd.COUNTRY, country, sentence)),
            *open_answer.inside(one.qid, country),
            *open_answer.named(country, gold),
            *open_answer.path(one.start, (*one.path, open_answer.INSIDE)),
        ),
        relation="/".join(f"P{abs(step)}" for step in path),
        hops=len(one.path) + max(1, len(premises) - 1),
        bridged=bool(one.path),
    )
