"""Which of two came first: a composite of two dated statements that is decided both ways, in every domain with dates.

For most relations nothing shows that a similar one is false; for two dates it is always clear which is the earlier, if
their bounds are apart (semantics.md §1.4). Asked in both directions, such a fact is a yes and a no in the same words.

Two things are compared only if something joins them (`knowledge.links`), each in one pair at most: a chain of orders
would give its own middle away. Which of two is named first is drawn. Their dates are two months to three years apart;
both are slots that a claim could be convicted by. A third of the people are not named but identified by what they alone
did (the director of …): one hop more.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hashes import drawn
from halluvault_tasks.benchmark.cases.mutants import Converse
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.relation.bridges import Bridge, by_person, called
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import dates_itself, direction_tells, gives_away
from halluvault_tasks.benchmark.wording.sentences import words
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.reasoning.slots import settled
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil, year_text

_LEAST_APART = 60  # days: no calendar and no dispute about a day turns the order round
_MOST_APART = 3 * 366  # days between the middles of their bounds: years that are known alone differ by three at most
_BRIDGED = 3  # one of so many people is called by a work


class _Dated(NamedTuple):
    """A thing with the days between which it began (or ended)."""

    qid: int
    domain: str
    first: int
    last: int
    sid: int
    named: Named
    bridge: Bridge | None = None

    @property
    def called(self) -> Named:
        """Its name in the question."""
        return self.bridge.named if self.bridge else self.named

    @property
    def sids(self) -> tuple[int, ...]:
        """The statements that the answer depends on."""
        return (self.sid, self.bridge.sid) if self.bridge else (self.sid,)


class _Pair(NamedTuple):
    """Two of a kind, the earlier one first."""

    pid: int
    entry: int
    earlier: _Dated
    later: _Dated


def find(material: Material, *, seed: int, per_domain: int) -> list[Candidate]:
    """Pairs of dated things that belong together, each thing in at most one of them.

    Args:
        material: the snapshot.
        seed: of every draw.
        per_domain: most pairs of a domain and property.
    """
    index, lexicon = material.index, material.lexicon
    bridges = by_person(material)
    pairs: list[_Pair] = []
    taken: set[int] = set()
    for pid in sorted(lexicon.orders):
        groups: dict[tuple[int, str], dict[int, _Dated]] = defaultdict(dict)
        for one in _dated(material, pid):
            entry = fitting(lexicon.orders[pid], one.qid, one.qid, index)
            if entry is not None and entry.ask:
                noun = one.named.name.split("“")[0] if "“" in one.named.name else ""
                groups[lexicon.orders[pid].index(entry), noun][one.qid] = one
        counted: dict[str, int] = defaultdict(int)
        for (entry_index, _), several in sorted(groups.items()):
            for pair in _paired(pid, entry_index, several, material, taken, seed):
                counted[pair.earlier.domain] += 1
                if counted[pair.earlier.domain] <= per_domain:
                    pairs.append(_bridged(pair, bridges, material, seed))
    sids = {sid for pair in pairs for one in (pair.earlier, pair.later) for sid in one.sids}
    premises = premises_of(material.session, material.snapshot, sids)
    found = (_candidate(pair, material, premises, seed) for pair in pairs)
    return [one for one in found if one is not None]


def _dated(material: Material, pid: int) -> list[_Dated]:
    index, licences = material.index, material.licences
    found = []
    for p, s in sorted(key for key in licences.bounds if key[0] == pid):
        domain = index.domains.get(s)
        named = index.namer.named(s)
        if domain is None or not named.name or dates_itself(named):
            continue
        slot = settled(licences, p, s)
        if isinstance(slot, Refusal) or slot.earliest is None or slot.latest is None:
            continue
        found.append(_Dated(s, domain, slot.earliest, slot.latest, slot.sid, named))
    return found


def _paired(
    pid: int, entry: int, several: Mapping[int, _Dated], material: Material, taken: set[int], seed: int
) -> list[_Pair]:
    """Each thing with one that it is joined to and that is near in time; which one is drawn."""
    index, known = material.index, material.licences.known
    found = []

    def within(one: int, other: int) -> bool:
        """Whether one is a part of the other: some count it as begun with the whole."""
        return any(
            (stated := known.get((wd.PART_OF, s))) and o in stated.items for s, o in ((one, other), (other, one))
        )

    for qid in sorted(several, key=lambda n: (-index.fame.get(n, 0.0) // 1, drawn(seed, "order", pid, n))):
        one = several[qid]
        if qid in taken:
            continue
        near = [
            several[other]
            for other in material.links.joined(qid)
            if other in several and other not in taken and _apart(one, several[other]) and not within(qid, other)
        ]
        for other in sorted(near, key=lambda it: drawn(seed, "after", pid, qid, it.qid))[:3]:
            sides = (one.qid, one.named, other.qid, other.named)
            if not direction_tells(index, *sides) and not gives_away(index, *sides):
                taken |= {qid, other.qid}
                earlier, later = sorted((one, other), key=lambda it: it.first)
                found.append(_Pair(pid, entry, earlier, later))
                break
    return found


def _apart(one: _Dated, other: _Dated) -> bool:
    earlier, later = (one, other) if one.first <= other.first else (other, one)
    between = (later.first + later.last - earlier.first - earlier.last) / 2
    return later.first - earlier.last >= _LEAST_APART and between <= _MOST_APART


def _bridged(pair: _Pair, bridges: Mapping[int, Sequence[Bridge]], material: Material, seed: int) -> _Pair:
    """One of the two called by a work in which the other has a part, too, in a third of the pairs that have such a one.

    Else nobody would see what joins the two: the director of “Argo” and Jennifer Garner were married.
    """
    draw = int(drawn(seed, "bridge", pair.pid, pair.earlier.qid, pair.later.qid)[:8], 16)
    if draw % _BRIDGED:
        return pair
    sides = (pair.earlier, pair.later) if draw % 2 else (pair.later, pair.earlier)
    for one in sides:
        other = pair.later if one is pair.earlier else pair.earlier
        joined = material.links.joined(other.qid)
        fit = [it for it in bridges.get(one.qid, ()) if it.work in joined and it.pid not in wd.PARENTS]
        if fit:
            best = max(fit, key=lambda it: (material.index.fame.get(it.work, 0.0), it.sid))
            named = one._replace(bridge=best)
            return pair._replace(earlier=named) if one is pair.earlier else pair._replace(later=named)
    return pair


def _candidate(pair: _Pair, material: Material, premises: Mapping[int, Premise], seed: int) -> Candidate | None:
    truth = drawn(seed, "first", pair.pid, pair.earlier.qid, pair.later.qid)[0] < "8"
    one, other = (pair.earlier, pair.later) if truth else (pair.later, pair.earlier)
    entry = material.lexicon.orders[pair.pid][pair.entry]
    form = tensed(entry, one.qid, other.qid, material.index)
    asked, turned = words(form, one.called, other.called), words(form, other.called, one.called)
    sids = dict.fromkeys((*one.sids, *other.sids))
    if asked is None or turned is None or any(sid not in premises for sid in sids):
        return None
    rule = f"order:P{pair.pid}"
    bridged = [it.bridge for it in (one, other) if it.bridge]
    proof = Proof(
        fact=DerivedFact(0, pair.pid, one.qid, other.qid, one.sid, other.sid, 0),
        rule_name=rule,
        kind="composite",
        truth=truth,
        premises=tuple(premises[sid] for sid in sids),
        reason=f"{_years(one)} lies {'before' if truth else 'after'} {_years(other)}",
        program=_program(rule, entry.label, one, other, premises, material.snapshot),
    )
    return Candidate(
        suite="relation",
        domain=one.domain,
        kind="composite",
        strand=rule,
        identity=("composite", rule, pair.pid, one.qid, other.qid, *(it.work for it in bridged)),
        pid=pair.pid,
        subject=one.qid,
        object=other.qid,
        entities=(one.qid, other.qid),
        truth=truth,
        wordings=asked,
        source=proof,
        converse=Converse(turned, flips=True),
        family=f"{rule} {form.question}",
        hops=2 + len(bridged),
        order=True,
        fame=min(material.index.fame.get(it.qid, 0.0) for it in (one, other)),
    )


def _years(one: _Dated) -> str:
    first, last = civil(one.first), civil(one.last)
    return f"{first.day}.{first.month}.{year_text(first.year)} to {last.day}.{last.month}.{year_text(last.year)}"


def _program(rule: str, label: str, one: _Dated, other: _Dated, premises: Mapping[int, Premise], snapshot: str) -> str:
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} (composite)"),
        comment("run: swipl proof.pl"),
        "",
        comment(
            "--- day(Item, FirstPossible, LastPossible): day numbers (1 is 1 January of the year 1), from statements"
        ),
    ]
    for each in (one, other):
        lines.append(comment(f"{each.named.bare} (Q{each.qid}): {label}   [{premises[each.sid].guid}]"))
        lines.append(comment(f"between {_years(each)}, whichever calendar it was counted by"))
        lines.append(f"day({number(each.qid)}, {number(each.first)}, {number(each.last)}).")
    first, second = (
        called(premises[it.bridge.sid] if it.bridge else None, it.qid, who)
        for it, who in ((one, "One"), (other, "Other"))
    )
    lines += [
        "",
        *first.lines,
        *second.lines,
        comment("--- the rule: bounds that lie apart are in order, whatever the true dates are"),
        "earlier(A, B) :- day(A, _, Last), day(B, First, _), Last < First.",
        "",
        comment(f"--- the question: {label}, the first before the second"),
        f"answer(yes) :- {first.goal}{second.goal}earlier({first.who}, {second.who}).",
        f"answer(no) :- {first.goal}{second.goal}earlier({second.who}, {first.who}).",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"
