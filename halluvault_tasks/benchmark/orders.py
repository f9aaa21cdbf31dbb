"""Which of two came first: a composite of two dated statements that is decided both ways, in every domain with dates.

Of most relations nothing shows that a like one is false; of two dates it is always shown which is the earlier, where
their bounds lie apart (semantics.md §1.4). Asked both ways round, such a fact is a yes and a no in the same words.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.balance import drawn
from halluvault_tasks.benchmark.cases import Candidate
from halluvault_tasks.benchmark.entity_index import EntityIndex
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.mutants import Converse
from halluvault_tasks.benchmark.names import Named
from halluvault_tasks.benchmark.tells import dates_itself, direction_tells, gives_away
from halluvault_tasks.benchmark.wordable import fitting, tensed
from halluvault_tasks.benchmark.wording import words, year_text
from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.evidence import premises_of
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.temporal.history import History, HistoryAtom, load
from halluvault_tasks.temporal.timed import RECORDING_LAG, Point, Span
from halluvault_tasks.temporal.units import Granularity

_BORN, _DIED = 569, 570
_LEAST_APART = 2  # years: no calendar and no dispute about a day turns the order round
_MOST_APART = {_BORN: 25, _DIED: 25}
_USUALLY_APART = 12  # years: further apart, common sense decides


class _Dated(NamedTuple):
    """A thing with the years between which it began (or ended)."""

    qid: int
    domain: str
    first: int
    last: int
    sids: tuple[int, ...]
    named: Named


class _Pair(NamedTuple):
    """Two of a kind, the earlier one first."""

    pid: int
    entry: int
    earlier: _Dated
    later: _Dated


def find(material: Material, *, seed: int, per_domain: int) -> list[Candidate]:
    """Pairs of dated things of one domain and kind, each thing in at most two of them.

    Nothing of the recording lag before the snapshot's date is compared.

    Args:
        material: the snapshot.
        seed: of every draw.
        per_domain: most pairs of a domain and property.
    """
    session, snapshot, index, lexicon = material.session, material.snapshot, material.index, material.lexicon
    history = load(session, snapshot, material.row.as_of, Granularity.YEAR, RECORDING_LAG)
    groups: dict[tuple[str, int, int, str], list[_Dated]] = defaultdict(list)
    for pid, one in _dated(history, index):
        entries = lexicon.orders.get(pid, [])
        entry = fitting(entries, one.qid, one.qid, index)
        if entry is not None:
            noun = one.named.name.split("“")[0] if "“" in one.named.name else ""
            groups[one.domain, pid, entries.index(entry), noun].append(one)
    pairs: list[_Pair] = []
    for domain, pid, entry_index, noun in sorted(groups):
        several = groups[domain, pid, entry_index, noun]
        pairs += _paired(pid, entry_index, several, index, seed)[:per_domain]
    sids = {sid for pair in pairs for one in (pair.earlier, pair.later) for sid in one.sids}
    premises = premises_of(session, snapshot, sids)
    found = (_candidate(pair, material, premises, seed) for pair in pairs)
    return [one for one in found if one is not None]


def _dated(history: History, index: EntityIndex) -> list[tuple[int, _Dated]]:
    found: dict[tuple[int, int], _Dated] = {}
    for atom in history.atoms.values():
        named = index.namer.named(atom.qid)
        if atom.o is not None or atom.domain is None or not named.name or dates_itself(named):
            continue
        for pid, first, last, sids in _dates(atom):
            if last <= history.limit.recorded:
                found.setdefault((pid, atom.qid), _Dated(atom.qid, atom.domain, first, last, sids, named))
    return [(pid, one) for (pid, _), one in sorted(found.items())]


def _dates(atom: HistoryAtom) -> list[tuple[int, int, int, tuple[int, ...]]]:
    """Property, first and last possible year, statements: of a beginning, and of an end where a life has one."""
    row = atom.timed.rows[0]
    if isinstance(row, Point):
        return [(atom.p, row.first, row.last, atom.sids)]
    assert isinstance(row, Span)
    found = []
    if row.s1 is not None and row.s2 is not None:
        found.append((atom.p, row.s1, row.s2, atom.sids[:1]))
    if atom.kind == "life" and row.e1 is not None and row.e2 is not None:
        found.append((_DIED, row.e1, row.e2, atom.sids[1:]))
    return found


def _paired(pid: int, entry: int, several: Sequence[_Dated], index: EntityIndex, seed: int) -> list[_Pair]:
    """Each thing with a later one that lies near in time; which one is drawn."""
    ordered = sorted(several, key=lambda one: (one.first, one.last, one.qid))
    most = _MOST_APART.get(pid, _USUALLY_APART)
    taken: set[int] = set()
    found = []
    for at in sorted(range(len(ordered)), key=lambda n: drawn(seed, "order", pid, ordered[n].qid)):
        earlier = ordered[at]
        near = [
            later
            for later in ordered[at + 1 : at + 60]
            if later.qid not in taken
            and later.first - earlier.last >= _LEAST_APART
            and later.last - earlier.first <= most
        ]
        for later in sorted(near, key=lambda one: drawn(seed, "after", pid, earlier.qid, one.qid))[:3]:
            sides = (earlier.qid, earlier.named, later.qid, later.named)
            if not direction_tells(index, *sides) and not gives_away(index, *sides):
                taken.add(later.qid)
                found.append(_Pair(pid, entry, earlier, later))
                break
    return found


def _candidate(pair: _Pair, material: Material, premises: Mapping[int, Premise], seed: int) -> Candidate | None:
    truth = drawn(seed, "first", pair.pid, pair.earlier.qid, pair.later.qid)[0] < "8"
    one, other = (pair.earlier, pair.later) if truth else (pair.later, pair.earlier)
    entry = material.lexicon.orders[pair.pid][pair.entry]
    form = tensed(entry, one.qid, other.qid, material.index)
    asked, turned = words(form, one.named, other.named), words(form, other.named, one.named)
    sids = dict.fromkeys((*one.sids, *other.sids))
    if asked is None or turned is None or any(sid not in premises for sid in sids):
        return None
    rule = f"order:P{pair.pid}"
    proof = Proof(
        fact=DerivedFact(0, pair.pid, one.qid, other.qid, one.sids[0], other.sids[0], 0),
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
        identity=("composite", rule, pair.pid, one.qid, other.qid),
        pid=pair.pid,
        subject=one.qid,
        object=other.qid,
        entities=(one.qid, other.qid),
        truth=truth,
        wordings=asked,
        source=proof,
        converse=Converse(turned, flips=True),
        family=f"{rule} {form.question}",
    )


def _years(one: _Dated) -> str:
    return year_text(one.first) if one.first == one.last else f"{year_text(one.first)} to {year_text(one.last)}"


def _program(rule: str, label: str, one: _Dated, other: _Dated, premises: Mapping[int, Premise], snapshot: str) -> str:
    lines = [
        comment(f"HalluVault proof, snapshot {snapshot}, rule {rule} (composite)"),
        comment("run: swipl proof.pl"),
        "",
        comment("--- year(Item, FirstPossible, LastPossible), from statements of the snapshot"),
    ]
    for each in (one, other):
        guids = ", ".join(premises[sid].guid for sid in each.sids)
        lines.append(comment(f"{each.named.bare} (Q{each.qid}): {label}   [{guids}]"))
        lines.append(f"year({number(each.qid)}, {number(each.first)}, {number(each.last)}).")
    lines += [
        "",
        comment("--- the rule: bounds that lie apart are in order, whatever the true dates are"),
        "earlier(A, B) :- year(A, _, Last), year(B, First, _), Last < First.",
        "",
        comment(f"--- the question: {label}, the first before the second"),
        f"answer(yes) :- earlier({number(one.qid)}, {number(other.qid)}).",
        f"answer(no) :- earlier({number(other.qid)}, {number(one.qid)}).",
        "",
        "main :- ( answer(Answer) -> true ; Answer = unproven ), writeln(Answer).",
        ":- initialization(main, main).",
    ]
    return "\n".join(lines) + "\n"
