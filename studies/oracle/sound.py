"""Responses without an error, many of them in a way that a narrow oracle takes for one."""

from collections.abc import Callable, Mapping

from halluvault_tasks.local.personas.fault_kinds import FaultKind
from halluvault_tasks.wikidata import properties as wd
from studies.oracle import wrong
from studies.oracle.planned import Planned, Told
from studies.oracle.shapes import ONE_PREMISE, Material, container
from studies.oracle.steps import true_step

_PLACED = frozenset({wd.BIRTHPLACE, wd.DEATHPLACE, wd.BURIAL_PLACE, wd.HEADQUARTERS, wd.LOCATION})
"""Properties whose objects are places that lie in others."""


def _plain(m: Material) -> Planned | None:
    planned = m.plan(FaultKind.PLAIN, m.premises)
    step = true_step(m) if m.random.random() < 0.7 else None
    concluded = m.base(m.base_denied(right=True)) if m.random.random() < 0.5 else None
    return planned._replace(step=step, concluded=concluded, restated=m.random.random() < 0.15)


def _other_route(m: Material) -> Planned | None:
    """A chain with its middle left out, a country instead of a place, a container further up."""
    told: list[Told] = []
    if m.case.kind == "transitive" and len(m.premises) >= 3:
        first, *_, last = m.premises
        cut = m.random.randint(1, len(m.premises) - 1)
        middle = m.premises[cut].subject
        told = [first._replace(item=middle), last._replace(subject=middle)]
    elif m.shape == "value" and m.case.pid in wrong.PLACES:
        only = m.premises[0]
        assert only.item is not None
        assert m.case.object is not None
        offered = {
            m.case.object.qid,
            m.facts.country(m.case.object.qid),
            *m.facts.above(m.case.object.qid, wd.LOCATED_IN),
        }
        around = {*m.facts.above(only.item.qid, wd.LOCATED_IN), m.facts.country(only.item.qid)} - offered
        containers = [thing for qid in sorted(filter(None, around)) if (thing := m.facts.thing(qid))]
        if not containers:
            return None
        told = [only._replace(item=m.random.choice(containers))]
    elif m.case.rule == f"composite:P{wd.LOCATED_IN}/P{wd.COUNTRY}":
        first, last = m.premises
        assert first.item is not None
        wider = [
            qid
            for qid in m.facts.above(first.item.qid, wd.LOCATED_IN)
            if last.item and last.item.qid in m.facts.items.get((qid, wd.COUNTRY), ())
        ]
        things = [thing for qid in wider if (thing := m.facts.thing(qid))]
        if not things:
            return None
        between = m.random.choice(things)
        told = [first._replace(item=between), last._replace(subject=between)]
    if not told:
        return None
    return m.plan(FaultKind.OTHER_ROUTE, told)


def _containers(m: Material) -> Planned | None:
    told = []
    for claim in m.premises:
        within = None
        if claim.item and claim.property in _PLACED:
            within = container(m.facts, claim.item.qid)
        told.append(claim._replace(within=within))
    return m.plan(FaultKind.CONTAINERS, told) if any(claim.within for claim in told) else None


def _verbose(m: Material) -> Planned | None:
    asides = m.asides(m.random.randint(2, 4))
    if len(asides) < 2:
        return None
    return m.plan(FaultKind.VERBOSE, m.premises)._replace(
        asides=asides, step=true_step(m), concluded=m.base(m.base_denied(right=True))
    )


def _incomplete(m: Material) -> Planned | None:
    if len(m.premises) < 2:
        return None
    some = m.random.sample(m.premises, k=m.random.randint(1, len(m.premises) - 1))
    return m.plan(FaultKind.INCOMPLETE, some)


def _hedged(m: Material) -> Planned | None:
    first, *others = m.premises
    return m.plan(FaultKind.HEDGED, [first._replace(manner="doubted"), *others])


def _false_value(m: Material) -> Told | None:
    """A false value in place of the first functional premise; never what the question offers."""
    asked = [m.case.object.qid] if m.case.object and m.shape == "value" else []
    for claim in m.premises:
        if options := wrong.swaps(m.facts, m.pool, claim.subject.qid, claim.property, not_near=asked):
            return claim._replace(item=m.random.choice(options))
    return None


def _hedged_slip(m: Material) -> Planned | None:
    if m.shape != "value" or (slip := _false_value(m)) is None:
        return None
    return m.plan(FaultKind.HEDGED_SLIP, [slip._replace(manner="doubted")])


def _retracted(m: Material) -> Planned | None:
    if m.shape not in ("value", "direct") or (slip := _false_value(m)) is None:
        return None
    return m.plan(FaultKind.RETRACTED, [slip._replace(manner="taken_back"), m.premises[0]])


def _bare(m: Material) -> Planned | None:
    concluded = m.base(m.base_denied(right=True)) if m.random.random() < 0.4 else None
    return m.plan(FaultKind.BARE, [])._replace(concluded=concluded)


def _dont_know(m: Material) -> Planned | None:
    told = m.premises[:1] if m.shape not in ONE_PREMISE and m.random.random() < 0.3 else []
    return m.plan(FaultKind.DONT_KNOW, told, said="dont_know")


def _refusal(m: Material) -> Planned | None:
    return m.plan(FaultKind.REFUSAL, [], said="refusal")


def _no_answer(m: Material) -> Planned | None:
    # Only where the claims do not themselves say what was asked.
    if m.shape in ONE_PREMISE:
        return None
    return m.plan(FaultKind.NO_ANSWER, m.premises[:1], said="nothing")._replace(asides=m.asides(1))


BUILDERS: Mapping[FaultKind, Callable[[Material], Planned | None]] = {
    FaultKind.PLAIN: _plain,
    FaultKind.OTHER_ROUTE: _other_route,
    FaultKind.CONTAINERS: _containers,
    FaultKind.VERBOSE: _verbose,
    FaultKind.INCOMPLETE: _incomplete,
    FaultKind.HEDGED: _hedged,
    FaultKind.HEDGED_SLIP: _hedged_slip,
    FaultKind.RETRACTED: _retracted,
    FaultKind.BARE: _bare,
    FaultKind.DONT_KNOW: _dont_know,
    FaultKind.REFUSAL: _refusal,
    FaultKind.NO_ANSWER: _no_answer,
}
