"""In which country or area a place lies today: of what is named, or of where somebody was born.

What lies in which country, `ground.countries` shows of settlements; in which area of a kind, the whole chain of
containment, which has one of that kind (semantics.md §1.3).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.drafts import OpenDraft, hints_at_country, holds_answer, wanted_items
from halluvault_tasks.benchmark.suites.open.ground import OpenGround, said
from halluvault_tasks.benchmark.suites.open.references import Reference, named
from halluvault_tasks.benchmark.suites.open.values import COMPOSITE, DIRECT
from halluvault_tasks.benchmark.wording.open_wording import DerivedWording
from halluvault_tasks.reasoning.case_proofs import open_answer
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil

TRANSITIVE = "transitive"


class _LyingIn(NamedTuple):
    """That something lies somewhere.

    Attributes:
        around: the country or area.
        climbed: statements of containment (P131) from the place up to it, as far as they lead there.
        steps: from the place to what contains it.
        p: property of the fact: P17 of a country, P131 of an area.
        sids: what else shows it.
    """

    one: Reference
    around: int
    climbed: tuple[int, ...]
    p: int
    wording: DerivedWording
    steps: int
    sids: tuple[int, ...] = ()


def find(ground: OpenGround, phrased: Iterable[Reference]) -> Iterator[OpenDraft]:
    """Questions for the country of settlements, and for areas."""
    lying = [*_countries(ground, phrased), *_areas(ground)]
    known = ground.statements(sid for each in lying for sid in (*each.climbed, *each.sids))
    for each in lying:
        told = [ground.told(known[sid], each.wording.statement) for sid in (*each.climbed, *each.sids)]
        cited = tuple(
            open_answer.cited(known[sid].guid, sentence["sentence"])
            for sid, sentence in zip((*each.climbed, *each.sids), told, strict=True)
        )
        draft = _draft(ground, each)
        if draft is not None:
            premises, facts = (*each.one.told, *told), (*each.one.facts, *cited, *draft.facts)
            yield draft._replace(premises=premises, facts=facts)


def _countries(ground: OpenGround, phrased: Iterable[Reference]) -> Iterator[_LyingIn]:
    wording, containment = ground.wordings.country, ground.material.world.containment
    if wording is None:
        return
    asked = (s for s in ground.ordered(ground.countries, "country") if _may_be_named(ground, s, wording))
    places = [one for s in asked if (one := named(ground, s, undated=False))]
    for one in (*places, *(each for each in phrased if each.qid in ground.countries)):
        country, sid = ground.countries[one.qid]
        climbed = tuple(step.sid for step in containment.climb(one.qid, country))
        yield _LyingIn(one, country, climbed, wd.COUNTRY, wording, max(1, len(climbed)), (sid,))


def _areas(ground: OpenGround) -> Iterator[_LyingIn]:
    containment, areas = ground.material.world.containment, ground.wordings.areas
    for place in ground.ordered(containment.inside, "area") if areas else ():
        if not _may_be_named(ground, place, None) or not containment.place_of(place).country:
            continue
        levels = containment.levels_of(place)
        one = named(ground, place, undated=False) if areas.keys() & levels.keys() else None
        for kind in sorted(areas.keys() & levels.keys()) if one else ():
            if one and ground.index.fits(place, areas[kind].subject):
                climbed = tuple(step.sid for step in containment.climb(place, levels[kind]))
                yield _LyingIn(one, levels[kind], climbed, wd.LOCATED_IN, areas[kind], max(1, len(climbed)))


_RECORDED = 1000
"""Year before which where somebody was born or died is legend as often as not: Laozi."""


def _called(ground: OpenGround, p: int, of: int, each: _LyingIn) -> str:
    """What a country is asked for as: "country" where it was the same when what is asked about happened there.

    Args:
        ground: the month.
        p: property by which something leads to the place.
        of: whose property.
        each: the place and the country.

    Returns:
        Empty where the country has long been the same, and nothing shows when that was.
    """
    since, dated = each.wording.steady.get(each.around), wd.DATE_OF_PLACE.get(p)
    if since is None or dated is None:
        return "present-day country"
    value = ground.slots.year(dated, of)
    # Whatever happens to something happens after its beginning.
    known = civil(value.earliest).year if value else ground.index.years.get(of) if dated != wd.BIRTH else None
    if known is None or known < _RECORDED:
        return ""
    return "country" if known >= since else "present-day country"


def _may_be_named(ground: OpenGround, place: int, wording: DerivedWording | None) -> bool:
    """Whether it is something of today that somebody might not know where it lies."""
    fits = wording is None or ground.index.fits(place, wording.subject)
    return fits and place in ground.index.domains and not ground.material.world.containment.historic(place)


def _draft(ground: OpenGround, each: _LyingIn) -> OpenDraft | None:
    """The question, with neither the statements of containment nor those that lead to the place."""
    index, one, wording = ground.index, each.one, each.wording
    answer, domain = index.namer.named(each.around), ground.domain(one.start, one.qid)
    after = wording.after.get(one.path[-1]) if one.path else None
    # Where somebody's father was born is asked of nobody but by default.
    if one.path and (after is None or one.before is None or len(one.path) > 1):
        return None
    called = "country"
    if after and one.before:
        called = _called(ground, one.path[-1], one.told[-1]["subject"]["qid"], each)
        question = said(after, s=one.before, o=called)
    else:
        question = said(wording.question, s=one.named)
    obvious = not after and each.around in wording.plain
    named_so = called and answer.name and not obvious and each.around != one.start and each.around not in wording.never
    if not named_so or not domain or hints_at_country((one.start_named,)):
        return None
    if holds_answer(index, question, (one.start_named,), (each.around,)):
        return None
    path, gold = (*one.path, each.p), index.namer.plain(each.around)
    relation = "/".join(f"P{step}" for step in path)
    return OpenDraft(
        domain=domain,
        kind=COMPOSITE if one.path else TRANSITIVE if each.steps > 1 else DIRECT,
        asks=wording.asks,
        way=f"{relation} {wording.asks}",
        identity=(wording.asks, *path, one.start),
        question=question,
        gold=gold,
        wanted=wanted_items(index, (each.around,)),
        pid=each.p,
        subject=one.qid,
        object=each.around,
        named=(one.start,),
        rests=frozenset(path),
        sids=(*one.sids, *each.climbed, *each.sids),
        told=said(wording.statement, s=one.named, o=answer),
        premises=(),
        facts=(
            *open_answer.inside(one.qid, each.around),
            *open_answer.named(each.around, gold),
            *open_answer.path(one.start, (*one.path, open_answer.INSIDE)),
        ),
        relation=relation,
        hops=len(one.path) + each.steps,
        bridged=bool(one.path),
    )
