"""Evidence of temporal facts: their program under the statements that their dates are from, each with a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, select

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.lexicon import DateWording, Lexicon
from halluvault_tasks.benchmark.wording.premises import date_item, date_term, is_julian, spoken
from halluvault_tasks.benchmark.wording.sentences import Date
from halluvault_tasks.storage.tables import statement, temporal_fact
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.encode import citing
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.times import CENTURY, DAY, DECADE, MONTH, YEAR


class _Stored(NamedTuple):
    formula: str
    at: int
    granularity: str
    atoms: Mapping[str, Any]
    program: str


def prove(material: Material, candidates: Sequence[Candidate]) -> list[Evidence | Unasked]:
    """Evidence for each candidate, in order, or why it is not asked about after all."""
    session, snapshot, stability = material.session, material.snapshot, material.stability
    names = ("formula", "at", "granularity", "atoms", "program")
    facts = {
        row[0]: _Stored(*row[1:])
        for row in session.execute(
            select(temporal_fact.c.id, *(temporal_fact.c[name] for name in names)).where(
                temporal_fact.c.snapshot == snapshot, temporal_fact.c.id.in_([one.source for one in candidates])
            )
        )
    }
    sids = {sid for fact in facts.values() for sid in _sids(fact)}
    rows = {
        row["sid"]: row
        for row in session.execute(
            select(statement).where(statement.c.snapshot == snapshot, statement.c.sid.in_(sids))
        ).mappings()
    }
    stability.ask(sids)
    return [
        _evidence(one, fact, rows, material.index, material.lexicon)
        if stability.stated(_sids(fact))
        else Hindrance.TOO_NEW()
        for one in candidates
        for fact in (facts[one.source],)
    ]


def _sids(fact: _Stored) -> set[int]:
    return {sid for atom in fact.atoms.values() for sid in (*atom["sids"], *atom.get("rivals", ()))}


def _evidence(
    candidate: Candidate, fact: _Stored, rows: Mapping[int, RowMapping], index: EntityIndex, lexicon: Lexicon
) -> Evidence | Unasked:
    premises: dict[str, dict[str, Any]] = {}
    for name in formulas.atoms(parse(fact.formula)):
        atom = fact.atoms[name]
        for sid in (*atom["sids"], *atom.get("rivals", ())):
            for item in _dated(rows[sid], index, lexicon):
                premises.setdefault(item["sentence"], item)
    if not premises:
        return Hindrance.PREMISE_WORDING()
    told = {
        "kind": candidate.kind,
        "formula": fact.formula,
        "at": fact.at,
        "granularity": fact.granularity,
        "truth": candidate.truth,
    }
    program = citing(fact.program, {sentence: item["guid"] for sentence, item in premises.items()})
    return Evidence(told, list(premises.values()), program)


def _dated(row: RowMapping, index: EntityIndex, lexicon: Lexicon) -> Iterator[dict[str, Any]]:
    """One premise for each date of a statement: its value, or the qualifiers that bound it."""
    s = spoken(index, row["s"])
    base = {
        "sid": row["sid"],
        "guid": row["guid"],
        "subject": {"qid": row["s"], "label": index.namer.plain(row["s"])},
        "property": row["p"],
    }
    if row["kind"] == "time":
        worded = date_term(lexicon, row["p"], row["s"], index)
        if row["earliest"] is not None and worded is not None:
            on = Date(row["earliest"], row["precision"], is_julian(row["julian"], row["p"]))
            yield base | date_item(worded, on, s)
        return
    term = lexicon.terms.get(row["p"])
    if row["kind"] != "item" or term is None:
        return
    o = spoken(index, row["o"])
    for which, p, bounds in (
        ("start", wd.START, term.start),
        ("end", wd.END, term.end),
        ("point", wd.POINT_IN_TIME, term.point),
    ):
        earliest, latest = row[f"{which}_earliest"], row[f"{which}_latest"]
        if bounds is not None and earliest is not None and latest is not None:
            on = Date(earliest, _precision(earliest, latest), is_julian(row["julian"], p))
            yield base | date_item(_with_object(bounds, o), on, s)


def _with_object(term: DateWording, o: Named) -> DateWording:
    def said(text: str) -> str:
        return text.replace("{o:bare}", o.bare).replace("{o}", o.name)

    return DateWording(relation=said(term.relation), statement=said(term.statement))


def _precision(earliest: int, latest: int) -> int:
    """Wikidata's precision of a qualifier, which is stored as bounds only."""
    days = latest - earliest
    if days == 0:
        return DAY
    if days <= 31:
        return MONTH
    return YEAR if days <= 366 else DECADE if days <= 3660 else CENTURY
