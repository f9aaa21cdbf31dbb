"""From property metadata, measured figures and the reviewed list to rules with a verdict each.

Metadata proposes, figures filter, review decides (semantics.md §1). A rule is *active* (runs), *candidate* (sound as
far as is known, but this snapshot cannot confirm it) or *refused*; the reason says why.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from halluvault_tasks.reasoning.composing import Composing
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.reviewed import ChainEntry, FunctionalEntry, Reviewed
from halluvault_tasks.reasoning.support import ByClass, Share, Support, wilson
from halluvault_tasks.wikidata import properties as wd

TRANSITIVE_CLASS = 18_647_515
SYMMETRIC_CLASS = 18_647_518
SYMMETRIC_CONSTRAINT = 21_510_862
SINGLE_VALUE = frozenset({19_474_404, 52_060_874})
"""Single-value and single-best-value constraint."""

SYMMETRIC_SHARE = 0.95
FUNCTIONAL_LOWER_BOUND = 0.97
KINDS = ("symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value")


class PropertyMeta(NamedTuple):
    """A row of `property`."""

    pid: int
    label: str
    datatype: str
    inverse: int | None
    classes: frozenset[int]
    constraints: frozenset[int]
    separators: tuple[int, ...]
    origin: str


class Draft(NamedTuple):
    """A rule before it has a number."""

    name: str
    kind: str
    premises: tuple[int, ...]
    conclusion: int
    origin: str
    support: dict[str, Any]
    verdict: str
    reason: str


def inverse_pairs(properties: Mapping[int, PropertyMeta], reviewed: Reviewed) -> list[tuple[int, int]]:
    """Every pair (p, q) for which p(a, b) ⇒ q(b, a) is proposed by P1696, at either end, or by the reviewed list."""
    pairs = {(one.pid, one.inverse) for one in properties.values() if one.inverse and one.inverse != one.pid}
    pairs |= {(q, p) for p, q in pairs}
    pairs |= {(entry.source, entry.to) for entry in (*reviewed.inverse.one_way, *reviewed.inverse.by_sex)}
    return sorted(pairs)


def symmetric_candidates(properties: Mapping[int, PropertyMeta], reviewed: Reviewed) -> list[int]:
    """Properties that metadata or review call symmetric."""
    return sorted({pid for pid, one in properties.items() if _symmetric_origin(one)} | set(reviewed.symmetric))


def _symmetric_origin(one: PropertyMeta) -> list[str]:
    return [
        name
        for name, there in (
            ("class Q18647518", SYMMETRIC_CLASS in one.classes),
            ("constraint Q21510862", SYMMETRIC_CONSTRAINT in one.constraints),
            (f"own inverse (P{wd.INVERSE})", one.inverse == one.pid),
        )
        if there
    ]


def _origin(parts: Sequence[str], meta: PropertyMeta | None) -> str:
    bundled = " (bundled metadata)" if meta and meta.origin == "bundled" else ""
    return (" and ".join(parts) or "nothing") + bundled


def _figures(share: Share | None) -> dict[str, Any]:
    if share is None:
        return {}
    low, high = wilson(share.hits, share.of)
    return {
        "hits": share.hits,
        "of": share.of,
        "share": round(share.share, 6),
        "low": round(low, 6),
        "high": round(high, 6),
    }


def _symmetric(pid: int, meta: PropertyMeta | None, reviewed: Reviewed, support: Support) -> Draft:
    origin = _symmetric_origin(meta) if meta else []
    review = reviewed.symmetric.get(pid)
    measured = support.symmetric.get(pid, Share(0, 0))
    figure = f"{measured.hits} of {measured.of} observable pairs are stated both ways"
    if review:
        # That a direction is missing is how Wikidata is kept, not how the relation is (semantics.md §1.9).
        verdict, reason = "active", f"{review}; {figure}"
    elif measured.of < reviewed.settings.min_pairs:
        verdict, reason = "candidate", f"only {measured.of} pairs are observable, and nobody has reviewed it"
    elif measured.share < SYMMETRIC_SHARE:
        verdict, reason = "candidate", f"{figure}; {SYMMETRIC_SHARE:.0%} are needed of what nobody has reviewed"
    else:
        verdict, reason = "active", figure
    parts = origin + (["reviewed list"] if review else [])
    return Draft(
        f"symmetric:P{pid}",
        "symmetric",
        (pid,),
        pid,
        _origin(parts, meta),
        {"both_ways": _figures(measured)},
        verdict,
        reason,
    )


def _inverse(p: int, q: int, properties: Mapping[int, PropertyMeta], reviewed: Reviewed, support: Support) -> Draft:
    first, second = properties.get(p), properties.get(q)
    forth, back = bool(first and first.inverse == q), bool(second and second.inverse == p)
    listed = {(entry.source, entry.to): entry.reason for entry in reviewed.inverse.one_way}
    sexed = {(entry.source, entry.to): entry for entry in reviewed.inverse.by_sex}.get((p, q))
    barred = {(entry.source, entry.to): entry.reason for entry in reviewed.inverse.refused}
    stated, types = support.inverse.get((p, q), Share(0, 0)), support.types.get((p, q), Share(0, 0))
    datatypes = [one.datatype for one in (first, second) if one]
    if bar := barred.get((p, q)) or barred.get((q, p)):
        verdict, reason = "refused", bar
    elif any(kind not in {"wikibase-item", "Item"} for kind in datatypes):
        verdict, reason = "refused", f"datatypes {' and '.join(datatypes)} are not both items"
    elif sexed:
        verdict, reason = "active", sexed.reason
    elif (p, q) in listed:
        verdict, reason = "active", listed[p, q]
    elif types.of >= reviewed.settings.min_pairs and types.share < 0.5:
        verdict = "refused"
        reason = f"types disagree: only {types.hits} of {types.of} objects of P{p} are of a type that P{q} is stated of"
    elif forth and back:
        verdict, reason = (
            "active",
            f"P{wd.INVERSE} holds both ways; {stated.hits} of {stated.of} observable pairs are stated both ways",
        )
    else:
        verdict, reason = "candidate", f"P{wd.INVERSE} is recorded one way only, and nobody has reviewed this direction"
    parts = [f"P{wd.INVERSE} both ways"] if forth and back else [f"P{wd.INVERSE} one way"] if forth or back else []
    return Draft(
        f"inverse:P{p}:P{q}",
        "inverse",
        (p, wd.SEX) if sexed else (p,),
        q,
        _origin(parts + (["reviewed list"] if sexed or (p, q) in listed else []), first),
        {"both_ways": _figures(stated), "types": _figures(types)} | ({"sex": sexed.sex} if sexed else {}),
        verdict,
        reason,
    )


def _transitive(pid: int, meta: PropertyMeta | None, reviewed: Reviewed, composing: Mapping[int, Composing]) -> Draft:
    classed = bool(meta and TRANSITIVE_CLASS in meta.classes)
    review = reviewed.transitive.get(pid)
    support: dict[str, Any] = {}
    if bar := reviewed.transitive_refused.get(pid):
        verdict, reason = "refused", bar
    elif classed and review:
        verdict, reason = "active", review.reason
        support = {"steps": review.steps, "below": sorted(review.below)}
        if found := composing.get(pid):
            support |= {"composable": len(found.sids), "left_out": dict(found.left_out), "digest": found.digest}
            reason += f"; {len(found.sids)} of {len(found.sids) + sum(found.left_out.values())} statements lead on"
    elif classed:
        verdict, reason = "candidate", "of the transitive class, but nobody has reviewed it"
    else:
        verdict, reason = "candidate", "reviewed, but the snapshot's metadata does not give it the transitive class"
    parts = (["class Q18647515"] if classed else []) + (["reviewed list"] if review else [])
    return Draft(f"transitive:P{pid}", "transitive", (pid,), pid, _origin(parts, meta), support, verdict, reason)


def _composite(entry: ChainEntry, refused: bool, reviewed: Reviewed) -> Draft:
    conclusion = 0 if refused else reviewed.conclusion(entry)
    support: dict[str, Any] = {"chain": list(entry.chain)}
    if conclusion < 0:
        support["relation"] = reviewed.relations[entry.concludes].label
    verdict = "refused" if refused else "active"
    return Draft(entry.name, "composite", entry.properties, conclusion, "reviewed list", support, verdict, entry.reason)


def _share(pid: int, reviewed: Reviewed) -> Draft:
    return Draft(
        f"share:P{pid}",
        "composite",
        (pid, pid),
        -pid,
        "reviewed list",
        {"cap": reviewed.settings.shared_pairs_cap, "relation": f"shares at least one P{pid} with"},
        "active",
        reviewed.share[pid],
    )


def _polarity(pid: int, reviewed: Reviewed) -> Draft:
    bar = reviewed.not_asked.get(pid)
    return Draft(
        f"negation.polarity:P{pid}",
        "negation.polarity",
        (pid,),
        pid,
        "semantics §1.5",
        {},
        "refused" if bar else "active",
        bar or "flipping the wording of a true fact is always sound",
    )


def _functional(pid: int, meta: PropertyMeta | None, reviewed: Reviewed, support: Support) -> Draft:
    entry = reviewed.functional[pid]
    measured = support.single.get(pid, Share(0, 0))
    verdict, reason = _whether_functional(pid, meta, reviewed, support)
    classes: list[int] | None = None
    if verdict == "active":
        verdict, reason, classes = _of_classes(entry, support.kinds.get(pid, ByClass()), reviewed, support, reason)
    if verdict == "active":
        if entry.place and not support.containment:
            reason += f"; the snapshot has no containment (P{wd.LOCATED_IN}), so no No is asked about places"
        elif entry.event and not support.values.get(entry.event):
            # Nothing shows that any of these events is older than the recording lag (semantics.md §2.2).
            reason += f"; the snapshot has no dates (P{entry.event}), so no No is asked about it"
        elif meta and meta.datatype not in {"wikibase-item", "Item"}:
            reason += "; dates and numbers are refuted by disjoint bounds on demand, not stored as items"
    constrained = bool(meta and meta.constraints & SINGLE_VALUE)
    parts = ["reviewed list"] + (["single-value constraint"] if constrained else [])
    return Draft(
        f"negation.value:P{pid}",
        "negation.value",
        (pid,),
        pid,
        _origin(parts, meta),
        {
            "single": _figures(measured),
            "by_nature": entry.by_nature,
            "place": entry.place,
            "event": entry.event or 0,
            "no_later_than": entry.no_later_than,
            "seconded_by": sorted(entry.seconded_by),
            "described": entry.described,
            "credited": entry.credited,
            "classes": classes,
            "never": sorted(support.kinds.get(pid, ByClass()).never),
            "per_fact": reviewed.settings.wrong_values_per_fact,
            "recording_lag_days": reviewed.settings.recording_lag_days,
            "contested": list(support.contested.get(pid, ())),
        },
        verdict,
        reason,
    )


def _whether_functional(pid: int, meta: PropertyMeta | None, reviewed: Reviewed, support: Support) -> tuple[str, str]:
    """Verdict and reason as far as no class counts."""
    entry, measured = reviewed.functional[pid], support.single.get(pid, Share(0, 0))
    low, high = wilson(measured.hits, measured.of)
    figure = f"{measured.hits} of {measured.of} subjects have exactly one value"
    if bar := reviewed.demoted.get(pid):
        return "refused", f"demoted: {bar}"
    if entry.by_class:  # a constraint and a share speak of all subjects alike; a class is measured by itself
        return "active", f"{entry.reason}; {figure}"
    if not (meta and meta.constraints & SINGLE_VALUE):
        return "refused", "no single-value constraint in the snapshot's metadata"
    if meta.separators:
        return "refused", f"single only per separator {', '.join(f'P{one}' for one in meta.separators)}"
    if measured.of >= reviewed.settings.min_subjects and low < FUNCTIONAL_LOWER_BOUND:
        return "refused", f"{figure}: lower bound {low:.3f}, {FUNCTIONAL_LOWER_BOUND} is needed"
    if measured.of < reviewed.settings.min_subjects and not entry.by_nature:
        return "candidate", f"{figure}; {reviewed.settings.min_subjects} are needed"
    if high < FUNCTIONAL_LOWER_BOUND:
        return "refused", f"{figure}: even the upper bound {high:.3f} is below {FUNCTIONAL_LOWER_BOUND}"
    if not (entry.by_nature or support.shows_ranks):
        return "candidate", "the source shows no rank but normal, so that a second value may be hidden"
    return "active", f"{entry.reason}; {figure}"


def _of_classes(
    entry: FunctionalEntry, kinds: ByClass, reviewed: Reviewed, support: Support, reason: str
) -> tuple[str, str, list[int] | None]:
    """Verdict, reason and the types of which a subject must have one (None: any subject will do)."""
    if not entry.by_class:
        return "active", reason, None
    if entry.credited:
        return (*_of_credited(entry, kinds.credited, reviewed, reason), None)
    named, shown = set(), set()
    for kind, measured in kinds.single.items():
        low, high = wilson(measured.hits, measured.of)
        if kind in kinds.by_nature and high >= FUNCTIONAL_LOWER_BOUND:
            named.add(kind)
        elif support.shows_ranks and measured.of >= reviewed.settings.min_subjects and low >= FUNCTIONAL_LOWER_BOUND:
            shown.add(kind)
    found = sorted((named | shown) - kinds.never)
    reason += f"; of {len(named)} classes by nature, of {len(shown)} by measurement"
    return ("active" if found or entry.no_later_than else "candidate"), reason, found


def _of_credited(entry: FunctionalEntry, measured: Share, reviewed: Reviewed, reason: str) -> tuple[str, str]:
    """Verdict and reason for what some subjects are credited to one of."""
    low, high = wilson(measured.hits, measured.of)
    reason += f"; {measured.hits} of {measured.of} that are credited to one"
    if measured.of and high < FUNCTIONAL_LOWER_BOUND:
        return "refused", reason
    enough = measured.of >= reviewed.settings.min_subjects and low >= FUNCTIONAL_LOWER_BOUND
    return ("active" if entry.by_nature or enough else "candidate"), reason


def _checked(pid: int, reviewed: Reviewed, support: Support) -> Draft:
    imported = support.checked[pid]
    bar = reviewed.demoted.get(pid) or reviewed.not_asked.get(pid)
    reason = f"{imported} statements that people found to be false; those that something contradicts are left out"
    return Draft(
        f"negation.value:P{pid}:checked",
        "negation.value",
        (pid,),
        pid,
        "people's findings",
        {"imported": imported, "recording_lag_days": reviewed.settings.recording_lag_days},
        "refused" if bar else "active",
        bar or reason,
    )


def _one_way(pid: int, reviewed: Reviewed) -> Iterator[Draft]:
    bar = reviewed.demoted.get(pid)
    for table, suffix in ((reviewed.asymmetric, "converse"), (reviewed.irreflexive, "reflexive")):
        if pid in table:
            yield Draft(
                f"negation.value:P{pid}:{suffix}",
                "negation.value",
                (pid,),
                pid,
                "reviewed list",
                {"recording_lag_days": reviewed.settings.recording_lag_days},
                "refused" if bar else "active",
                f"demoted: {bar}" if bar else table[pid],
            )


def draft(
    properties: Mapping[int, PropertyMeta],
    reviewed: Reviewed,
    support: Support,
    composing: Mapping[int, Composing] = MappingProxyType({}),
) -> list[Draft]:
    """Every rule that metadata or review proposes and whose premises occur in the snapshot, in no order.

    Args:
        properties: the snapshot's metadata.
        reviewed: config/rules.yaml.
        support: figures measured.
        composing: which statements may be composed, by property.
    """
    drafts: list[Draft] = []
    drafts += [_symmetric(p, properties.get(p), reviewed, support) for p in symmetric_candidates(properties, reviewed)]
    drafts += [_inverse(p, q, properties, reviewed, support) for p, q in inverse_pairs(properties, reviewed)]
    classed = {pid for pid, one in properties.items() if TRANSITIVE_CLASS in one.classes}
    for p in sorted(classed | set(reviewed.transitive) | set(reviewed.transitive_refused)):
        drafts.append(_transitive(p, properties.get(p), reviewed, composing))
    drafts += [_composite(entry, False, reviewed) for entry in reviewed.composite]
    drafts += [_composite(entry, True, reviewed) for entry in reviewed.composite_refused]
    drafts += [_share(p, reviewed) for p in reviewed.share]
    drafts += [_polarity(p, reviewed) for p in support.items]
    drafts += [_functional(p, properties.get(p), reviewed, support) for p in reviewed.functional]
    drafts += [one for p in support.items for one in _one_way(p, reviewed)]
    drafts += [_checked(p, reviewed, support) for p in support.items if p in support.checked]
    return [one for one in drafts if all(support.values.get(p) for p in one.premises)]


def number(drafts: Sequence[Draft], reviewed: Reviewed, support: Support) -> list[Rule]:
    """Give the rules their numbers 1… by kind and name, and the figures that every rule has."""
    ordered = sorted(drafts, key=lambda one: (KINDS.index(one.kind), len(one.name), one.name))
    return [
        Rule(
            rule=place,
            name=one.name,
            kind=one.kind,
            premises=one.premises,
            conclusion=one.conclusion,
            origin=one.origin,
            support={
                **one.support,
                "statements": {f"P{p}": support.values.get(p, 0) for p in sorted(set(one.premises))},
                "time_bound": sorted(p for p in set(one.premises) if p in reviewed.time_bound),
                "dated": sorted(p for p in set(one.premises) if p in support.dated),
            },
            verdict=one.verdict,
            reason=one.reason,
        )
        for place, one in enumerate(ordered, 1)
    ]
