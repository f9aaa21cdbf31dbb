"""Wrong values: what a subject does not have, since it has another and can have one only (semantics.md §1.1, 1.2)."""

from collections.abc import Iterator

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.kinds.base import (
    Body,
    Denial,
    Draft,
    Licensing,
    Lines,
    PropertyMeta,
    Refutation,
    RuleKind,
    Typing,
    origin,
    share_figures,
)
from halluvault_tasks.reasoning.kinds.inverse import ITEM_TYPES
from halluvault_tasks.reasoning.licence.alternatives import Opposition, subjects_with_one_value
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rule_typing.reviewed import FunctionalEntry, Reviewed
from halluvault_tasks.reasoning.rule_typing.support import ByClass, Proportion, Support, wilson
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

_SINGLE_VALUE = frozenset({19_474_404, 52_060_874})
"""Single-value and single-best-value constraint."""
_LOWER_BOUND = 0.97
"""Of the share of subjects with one value."""


class WrongValue(Denial):
    """p has one value for each subject, so that others are false."""

    name = "wrong value"

    def drafts(self, typing: Typing) -> Iterator[Draft]:
        """The reviewed functional properties."""
        return (_draft(self, pid, typing) for pid in typing.reviewed.functional)

    def body(self, rule: Rule, undated: frozenset[int] = frozenset()) -> Body:
        """`wrong_value(V, K, Most)`."""
        first = number(rule.premises[0])
        term = f"wrong_value(v{first}, {first}, {number(rule.support['per_fact'])})"
        return Body(term, frozenset(rule.premises), listed=True)

    def license(self, rule: Rule, licensing: Licensing, lines: Lines) -> None:
        """The one value of each subject, and the wrong ones that are licensed."""
        if licensing.world is not None:
            per_fact = int(rule.support["per_fact"])
            _write(licensing.world, licensing.opposition, rule.conclusion.pid, per_fact, lines)

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """Another value than the one that is stated, or the other direction."""
        return ruled_out(rule.premises[0], refuted)

    def replay(self, rule: Rule) -> str:
        """`functional(P)`; of what some subjects have one of, `oracles.replay` tells."""
        return "" if rule.support.get("credited") else f"functional({number(rule.conclusion.pid)})."


def ruled_out(p: int, refuted: Refutation) -> list[str]:
    """Clauses by the licence's reason: the other direction of the property p is stated, or another value."""
    first = f"p{p}"
    if refuted.licence and refuted.licence.reason is Reason.CONVERSE:
        return [f"ruled_out(S, O) :- {first}(O, S, _)."]
    return [*different_values(refuted), f"ruled_out(S, O) :- {first}(S, Value, _), different(Value, O)."]


def _draft(kind: RuleKind, pid: int, typing: Typing) -> Draft:
    meta, reviewed, support = typing.properties.get(pid), typing.reviewed, typing.support
    entry = reviewed.functional[pid]
    measured = support.single.get(pid, Proportion(0, 0))
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
        elif meta and meta.datatype not in ITEM_TYPES:
            reason += "; dates and numbers are refuted by disjoint bounds on demand, not stored as items"
    constrained = bool(meta and meta.constraints & _SINGLE_VALUE)
    parts = ["reviewed list"] + (["single-value constraint"] if constrained else [])
    return Draft(
        f"negation.value:P{pid}",
        kind,
        (pid,),
        Relation.of(pid),
        origin(parts, meta),
        {
            "single": share_figures(measured),
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
            **({"subjects": sorted(entry.subjects)} if entry.subjects else {}),
            **({"distinct": sorted(entry.distinct)} if entry.distinct else {}),
        },
        verdict,
        reason,
    )


def _whether_functional(pid: int, meta: PropertyMeta | None, reviewed: Reviewed, support: Support) -> tuple[str, str]:
    """Verdict and reason as far as no class counts."""
    entry, measured = reviewed.functional[pid], support.single.get(pid, Proportion(0, 0))
    low, high = wilson(measured.hits, measured.of)
    figure = f"{measured.hits} of {measured.of} subjects have exactly one value"
    if bar := reviewed.demoted.get(pid):
        return "refused", f"demoted: {bar}"
    if entry.by_class:  # a constraint and a share speak of all subjects alike; a class is measured by itself
        return "active", f"{entry.reason}; {figure}"
    if not (meta and meta.constraints & _SINGLE_VALUE):
        return "refused", "no single-value constraint in the snapshot's metadata"
    if meta.separators:
        return "refused", f"single only per separator {', '.join(f'P{separator}' for separator in meta.separators)}"
    if measured.of >= reviewed.settings.min_subjects and low < _LOWER_BOUND:
        return "refused", f"{figure}: lower bound {low:.3f}, {_LOWER_BOUND} is needed"
    if measured.of < reviewed.settings.min_subjects and not entry.by_nature:
        return "candidate", f"{figure}; {reviewed.settings.min_subjects} are needed"
    if high < _LOWER_BOUND:
        return "refused", f"{figure}: even the upper bound {high:.3f} is below {_LOWER_BOUND}"
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
        if kind in kinds.by_nature and high >= _LOWER_BOUND:
            named.add(kind)
        elif support.shows_ranks and measured.of >= reviewed.settings.min_subjects and low >= _LOWER_BOUND:
            shown.add(kind)
    classes = sorted((named | shown) - kinds.never)
    reason += f"; of {len(named)} classes by nature, of {len(shown)} by measurement"
    return ("active" if classes or entry.no_later_than else "candidate"), reason, classes


def _of_credited(entry: FunctionalEntry, measured: Proportion, reviewed: Reviewed, reason: str) -> tuple[str, str]:
    """Verdict and reason for what some subjects are credited to one of."""
    low, high = wilson(measured.hits, measured.of)
    reason += f"; {measured.hits} of {measured.of} that are credited to one"
    if measured.of and high < _LOWER_BOUND:
        return "refused", reason
    enough = measured.of >= reviewed.settings.min_subjects and low >= _LOWER_BOUND
    return ("active" if entry.by_nature or enough else "candidate"), reason


def _write(world: World, opposition: Opposition, p: int, per_fact: int, lines: Lines) -> None:
    sole = subjects_with_one_value(world, p)
    lines.add(f":- dynamic(v{p}/3).\n", "")
    for s, (o, sid) in sole.items():
        if s in world.naming.marks:
            lines.add(f"v{p}({s},{o},{sid}).\n", f"{s},{o}\n")
            if len(seen := world.slots.seen.get((p, s), ())) > (o in seen):
                for other in sorted(seen):
                    lines.add(f"seen({p},{s},{other}).\n")
    for offered in opposition.alternatives(p, per_fact, {s: o for s, (o, _) in sole.items()}):
        items, reasons = (",".join(map(str, column)) for column in zip(*offered.wrongs, strict=True))
        lines.add(f"alternatives({p},{offered.value},v({items}),r({reasons})).\n")


def _step(p: int) -> str:
    return f"p{p}(Upper, Place, _)" if p == wd.ADMINISTERS else f"p{p}(Place, Upper, _)"


def different_values(refuted: Refutation) -> list[str]:
    """Why the other value is another."""
    chains, labels = refuted.chains, refuted.labels
    if chains is None:
        return [
            comment("two of one kind, neither above the other, not linked, no word of their names in common"),
            f"different(Value, {number(refuted.o)}) :- Value \\== {number(refuted.o)}.",
        ]
    left, right, level = chains.left, chains.right, chains.level
    what = f"both of type {labels.item(level)}" if level else "two countries"
    return [
        comment(f"{labels.item(left)} and {labels.item(right)}: {what}, neither inside the other"),
        f"apart({number(left)}, {number(right)}).",
        *(f"step(Place, Upper) :- {_step(p)}." for p in sorted(chains.properties)),
        "within(Place, Place).",
        "within(Place, Upper) :- step(Place, Middle), within(Middle, Upper).",
        "different(Value, Other) :- apart(A, B), within(Value, A), within(Other, B).",
    ]
