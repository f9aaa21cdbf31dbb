"""The temporal stage: a snapshot's dated statements in, temporal facts out, each with the program that proves it."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import fame, links, snapshots
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import runs, tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import sets, stories, terms
from halluvault_tasks.temporal.encode import program, reference
from halluvault_tasks.temporal.generate import Asked, GeneratedQuery, TemporalConfig, generate
from halluvault_tasks.temporal.history import History, HistoryAtom, Seats, load
from halluvault_tasks.temporal.kinds import AtomKind
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Evaluated, Query, evaluate, open_engine
from halluvault_tasks.temporal.timed import Timed
from halluvault_tasks.temporal.units import Granularity, point_text

_COLUMNS = (
    "snapshot", "id", "formula", "at", "granularity", "truth", "operators", "depth", "atoms", "certain", "possible",
    "program", "domain",
)  # fmt: skip

_COMPANY = 4
"""Times as many of a kind may be in the story of another."""

Settled = Callable[[int, int], bool]
"""Whether the date that an item (second) has for a property (first) is known to be its only one."""


class TemporalCounts(NamedTuple):
    """What `derive_temporal` wrote.

    Args:
        atoms: dated events and states found in the snapshot.
        candidates: formulas evaluated.
        facts: rows now in `temporal_fact`.
        true: how many of them hold.
        shortfall: facts missing of those wanted, by main operator.
    """

    atoms: int
    candidates: int
    facts: int
    true: int
    shortfall: dict[str, int]


def derive_temporal(
    session: Session,
    snapshot: str,
    *,
    config: TemporalConfig,
    prolog_dir: Path,
    settled: Settled | None = None,
    exclusive: Seats = MappingProxyType({}),
) -> TemporalCounts:
    """Fill `temporal_fact` for a frozen snapshot, replacing what stood there in the same transaction.

    Args:
        session: open session; committed.
        snapshot: exact key.
        config: how many facts, of which shape.
        prolog_dir: directory of the hand-written Prolog.
        settled: formulas are drawn over such dates alone, since no other is asked about (semantics.md §1.8); None: over
            all.
        exclusive: what one holds at a time (semantics.md §2.3): no other term has a sound "No", so that none is asked
            about.

    Returns:
        Counts; all zero where the snapshot has no dates.

    Raises:
        UserError: there is no such snapshot, or it is still being pulled.
    """
    row = snapshots.get(session, snapshot)
    if row.status == "pulling":
        raise UserError(f"snapshot {snapshot} is still being pulled", f"halluvault pull --snapshot {snapshot}")
    with runs.stage(session, snapshot, "derive_temporal") as summary:
        known, joined = fame.load(session, snapshot), links.load(session, snapshot)
        before = _asked_before(session, row)
        engine = open_engine(prolog_dir)
        session.execute(delete(tables.temporal_fact).where(tables.temporal_fact.c.snapshot == snapshot))
        made = []
        by_unit = cache(lambda unit: load(session, snapshot, row.as_of, unit, config.lag_months, exclusive))
        for unit in Granularity:
            wanted = config.by(unit)
            if not wanted.count:
                continue
            agreed = None if wanted is config else unit  # asked for by name, a unit has all kinds
            whole = by_unit(wanted.granularity)
            fit = _fit(whole, settled, agreed)
            asked = before.get(wanted.granularity, {})
            met = {frozenset(f.atoms(parse(text))) for text in asked}
            again = {name for names in met for name in names if name in fit.atoms}
            history = _best_known(fit, known, wanted.known, again)
            batch = generate(history, engine, wanted, joined, asked)
            queries, dated = batch.queries, len(history.atoms)
            if wanted is config and (most := wanted.of_stories):
                # Of two who belong together one is the better known: more of them are looked at.
                best, history = history.atoms, _best_known(fit, known, _COMPANY * wanted.known, again)
                days, told = by_unit(Granularity.DAY), stories.load_bonds(session, snapshot)
                sources = stories.Sources(history, days, best, known, told)
                queries = queries + stories.generate(sources, engine, most=most, seed=wanted.seed, before=asked)
            if wanted.granularity is not Granularity.DAY:
                told_by = wanted is config and bool(wanted.of_stories)
                named = terms.Company(terms.anchors(history, joined), met) if told_by else None
                queries = queries + terms.generate(
                    whole, by_unit(Granularity.DAY), engine, seed=wanted.seed, company=named
                )
                history = history._replace(atoms=whole.atoms)
            used = sorted({name for query in queries for name in f.atoms(query.formula)})
            sets = evaluate(engine, [Query(f.Atom(name)) for name in used], history.timed)
            of_atom = dict(zip(used, sets, strict=True))
            rows = _rows(snapshot, queries, history, of_atom, reference(prolog_dir), wanted.granularity)
            written = copy_rows(session, tables.temporal_fact, _COLUMNS, rows)
            true = sum(query.truth for query in queries)
            made.append(TemporalCounts(dated, batch.candidates, written, true, batch.shortfall))
        counts = _together(made)
        summary.update(counts._asdict())
    return counts


def _together(made: Sequence[TemporalCounts]) -> TemporalCounts:
    """Atoms are those of the first, since the others are of the same dates; all else is added."""
    if not made:
        return TemporalCounts(0, 0, 0, 0, {})
    short: Counter[str] = Counter()
    for counts in made:
        short.update(counts.shortfall)
    return TemporalCounts(
        made[0].atoms,
        sum(counts.candidates for counts in made),
        sum(counts.facts for counts in made),
        sum(counts.true for counts in made),
        dict(short),
    )


def _fit(history: History, settled: Settled | None, agreed: Granularity | None) -> History:
    """The atoms whose dates are settled, of the kinds that sources agree on to a unit; None: of all.

    No terms: those of what one holds at a time are drawn by themselves (`terms`), and no other is asked about.
    """
    kept = {
        name: atom
        for name, atom in history.atoms.items()
        if not atom.kind.by_qualifiers
        and (agreed is None or agreed in atom.kind.agreed)
        and (settled is None or all(settled(p, atom.qid) for p in atom.kind.dates))
    }
    return history._replace(atoms=kept)


def _asked_before(session: Session, row: SnapshotRow) -> Mapping[Granularity, Asked]:
    """What the last published part asked, by unit: it is asked again where it can be (semantics.md A7)."""
    month, c = snapshots.previous_part(session, row, "temporal"), tables.benchmark_case.c
    facts = session.scalars(select(c.fact).where(c.snapshot == month, c.suite == "temporal")) if month else ()
    found: dict[Granularity, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for fact in facts:
        found[Granularity(fact["granularity"])][fact["formula"]].add(fact["at"])
    return found


def _best_known(history: History, known: Mapping[int, float], most: int, named: Collection[str]) -> History:
    """The atoms about the best known entities of each domain and kind, and those that are named.

    Nobody knows most of ten thousand births.
    """
    alike: dict[tuple[str | None, AtomKind], list[str]] = defaultdict(list)
    for name, atom in history.atoms.items():
        alike[atom.domain, atom.kind].append(name)
    kept = set(named)
    for names in alike.values():
        names.sort(key=lambda name: (-known.get(history.atoms[name].qid, 0.0), name))
        kept.update(names[:most])
    return history._replace(atoms={name: atom for name, atom in history.atoms.items() if name in kept})


def fact_id(formula: f.Formula, at: int, granularity: Granularity) -> str:
    """Identity of a temporal fact: the first 16 hex digits of sha256 of what is asked."""
    return hashlib.sha256(f"{f.text(formula)}\t{at}\t{granularity}".encode()).hexdigest()[:16]


def _rows(
    snapshot: str,
    queries: list[GeneratedQuery],
    history: History,
    of_atom: dict[str, Evaluated],
    operators: str,
    granularity: Granularity,
) -> Iterator[tuple[Any, ...]]:
    for query in sorted(queries, key=lambda query: fact_id(query.formula, query.at, granularity)):
        names = f.atoms(query.formula)
        known = {name: _shown(history, history.atoms[name], query) for name in names}
        when = point_text(query.at, granularity)
        yield (
            snapshot,
            fact_id(query.formula, query.at, granularity),
            f.text(query.formula),
            query.at,
            granularity.value,
            query.truth,
            list(f.operators(query.formula)),
            query.formula.depth,
            {name: _atom(history, name, of_atom[name], query) for name in names},
            sets.to_json(query.sets.certain),
            sets.to_json(query.sets.possible),
            program(query.formula, known, operators, query.at, f"HalluVault, snapshot {snapshot}: {when}"),
            history.atoms[names[0]].domain,
        )


def _shown(history: History, atom: HistoryAtom, query: GeneratedQuery) -> Timed:
    """An atom's dates as a proof has them: of what others held no more than the answer rests on."""
    others = tuple(row for name in _rivals(atom, query) for row in history.atoms[name].timed.rows)
    return atom.timed._replace(others=others)


def _rivals(atom: HistoryAtom, query: GeneratedQuery) -> list[str]:
    return [name for name in query.shown_by if name in atom.rivals]


def _atom(history: History, name: str, evaluated: Evaluated, query: GeneratedQuery) -> dict[str, Any]:
    atom = history.atoms[name]
    return {
        "qid": atom.qid,
        "p": atom.p,
        "o": atom.o,
        "sids": list(atom.sids),
        "kind": atom.kind.name,
        "closed": atom.timed.open_within is None,
        "exclusive": bool(atom.rivals),
        "rivals": [sid for rival in _rivals(atom, query) for sid in history.atoms[rival].sids],
        "certain": sets.to_json(evaluated.certain),
        "possible": sets.to_json(evaluated.possible),
    }
