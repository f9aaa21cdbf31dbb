"""Temporal questions: decided MTL queries over years, asked if their English has one reading."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple

from sqlalchemy import RowMapping, select

from halluvault_tasks.benchmark.cases.candidate import Candidate, Evidence
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection.balanced_groups import Blocks, temporal_blocks
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.strata import stratified
from halluvault_tasks.benchmark.suites.question_suite import QuestionConfig
from halluvault_tasks.benchmark.suites.temporal import stories
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named, tokens
from halluvault_tasks.benchmark.wording.leakage import dates_itself, names_overlap
from halluvault_tasks.benchmark.wording.lexicon import DateWording, Lexicon
from halluvault_tasks.benchmark.wording.premises import date_item, date_term, is_julian, spoken
from halluvault_tasks.benchmark.wording.sentences import Date, judge, keep_first, tidy
from halluvault_tasks.benchmark.wording.style import LONG, too_long
from halluvault_tasks.reasoning.sole_values import has_settled_date
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import statement, temporal_fact
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal import story_forms
from halluvault_tasks.temporal.encode import citing
from halluvault_tasks.temporal.history import DATED
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.sensible import Extent, sensible, unit_asked, window_asked
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.temporal.verbalise import POINT_KINDS, Phrase, QueryWording, question
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.times import DAY, MONTH, YEAR

ATOM = "atom"
"""The operator name of a formula that is one event."""


def find(material: Material, config: QuestionConfig) -> Blocks:
    """Word the snapshot's temporal facts and join the two times of each formula.

    Returns:
        Blocks of at most `config.candidates` facts for each domain and main operator, in a fixed order; what was
        dropped is counted by reason.
    """
    names = ("id", "formula", "at", "granularity", "truth", "atoms", "domain")
    columns = [temporal_fact.c[name] for name in names]
    rows = material.session.execute(
        select(*columns).where(temporal_fact.c.snapshot == material.snapshot, temporal_fact.c.domain.is_not(None))
    ).mappings()
    found: list[Candidate] = []
    dropped: Counter[Unasked] = Counter()
    taken: Counter[tuple[object, ...]] = Counter()
    news: set[str] = set()
    # Both times of a formula stand together, so that a limit parts at most one of them from the other.
    for row in sorted(rows, key=lambda one: (drawn(config.seed, one["formula"]), one["at"])):
        outcome = _unasked(row["atoms"], material.world) or _candidate(row, material)
        if isinstance(outcome, Unasked):
            dropped[outcome] += 1
        elif not material.stability.named(_named(row["atoms"])):
            dropped[Hindrance.TOO_NEW()] += 1
        elif taken[(*outcome.cell, outcome.paired[:1])] < config.candidates:
            taken[(*outcome.cell, outcome.paired[:1])] += 1
            found.append(outcome)
            if not material.news.isdisjoint(sid for atom in row["atoms"].values() for sid in _decisive(atom)):
                news.add(row["id"])
    blocks = temporal_blocks(found)
    (placed,) = stratified(blocks.blocks, fame=material.index.fame, news=lambda one: one.source in news)
    return Blocks(placed, dropped + blocks.dropped)


def _unasked(atoms: Mapping[str, Any], world: World) -> Unasked | None:
    """Why these events are not asked about: every date must be a slot with one value, and every state closed.

    Cities are founded twice, and a film may be older than its date.
    """
    if not all(atom["closed"] for atom in atoms.values()):
        return Hindrance.TERM()
    dates = [(p, atom["qid"]) for atom in atoms.values() for p in DATED.get(atom["kind"], ())]
    return None if all(has_settled_date(world, p, qid) for p, qid in dates) else Hindrance.UNSURE_DATE()


def _named(atoms: Mapping[str, Any]) -> set[int]:
    """Everything that a question about these atoms may name."""
    return {atom[end] for atom in atoms.values() for end in ("qid", "o") if atom.get(end) is not None}


def _candidate(row: RowMapping, material: Material) -> Candidate | Unasked:
    index = material.index
    formula = parse(row["formula"])
    names = formulas.atoms(formula)
    atoms: Mapping[str, Any] = row["atoms"]
    if (story := story_forms.read(formula)) is not None:
        return _story(row, formula, story, material)
    if not sensible(formula, row["at"], {name: one for name in names if (one := _extent(atoms[name])) is not None}):
        return Hindrance.OUT_OF_TIME()
    phrases = _phrases(names, atoms, material)
    if isinstance(phrases, Unasked):
        return phrases
    asks_unit = unit_asked(formula, row["at"]) is not None
    phrases = {name: phrase._replace(still=not phrase.point and asks_unit) for name, phrase in phrases.items()}
    if _overlapping({atoms[name]["qid"] for name in names}, index):
        return Hindrance.NAMES_ALIKE()
    sentences = question(formula, row["at"], phrases, Granularity(row["granularity"]))
    if sentences is None:
        return Hindrance.READINGS()
    wordings = _wordings(sentences)
    if any(map(too_long, (wordings.original, wordings.negated, *(wording.text for wording in wordings.more)))):
        return LONG
    kind = formulas.symbol(formula) or ATOM
    window = window_asked(formula, row["at"]) if all(one.point for one in phrases.values()) else None
    return Candidate(
        suite="temporal",
        domain=row["domain"],
        kind=kind,
        strand="|".join(sorted({str(atoms[name]["kind"]) for name in names})),
        identity=(row["formula"], row["at"], row["granularity"]),
        pid=atoms[names[0]]["p"],
        subject=atoms[names[0]]["qid"],
        object=atoms[names[0]].get("o"),
        entities=tuple(sorted({atoms[name]["qid"] for name in names})),
        truth=row["truth"],
        wordings=wordings,
        source=row["id"],
        family=kind,
        hops=_hops(atoms),
        event=str(atoms[names[0]]["kind"]),
        decade=window[0] if window and row["granularity"] == Granularity.YEAR else None,
    )


def _phrases(names: Iterable[str], atoms: Mapping[str, Any], material: Material) -> dict[str, Phrase] | Unasked:
    """Atom → its phrase, or why one has none."""
    phrases = {}
    for name in names:
        phrase = phrase_of(atoms[name], material.index, material.lexicon)
        if isinstance(phrase, Unasked):
            return phrase
        phrases[name] = phrase
    return phrases


def _wordings(sentences: QueryWording) -> Wordings:
    affirmed, original = tidy(sentences.statement), tidy(sentences.question)
    more = []
    if sentences.paraphrase:
        more.append(Wording("paraphrase", "same", tidy(sentences.paraphrase), False))
    if sentences.opposite:
        more.append(Wording("affirmative", "contradictory", tidy(sentences.opposite), True))
    if judge(affirmed) != original:
        more.append(Wording("statement", "same", judge(affirmed), False))
    denied = judge(tidy(sentences.negated_statement)) if sentences.negated_statement else ""
    return Wordings(original, affirmed, denied, tuple(more), denies=sentences.denies)


def _story(
    row: RowMapping, formula: formulas.Formula, story: story_forms.Story, material: Material
) -> Candidate | Unasked:
    atoms: Mapping[str, Any] = row["atoms"]
    phrases = _phrases(story.names, atoms, material)
    if isinstance(phrases, Unasked):
        return phrases
    made = stories.candidate(row, formula, story, phrases, material)
    return made if isinstance(made, Unasked) else made._replace(hops=_hops(atoms))


def _hops(atoms: Mapping[str, Any]) -> int:
    return len({sid for atom in atoms.values() for sid in _decisive(atom)})


def _decisive(atom: Mapping[str, Any]) -> Sequence[int]:
    """The statements that say when it was: of several releases one does."""
    sids: Sequence[int] = atom["sids"]
    return sids[:1] if atom["kind"] == "publication" else sids


def _extent(atom: Mapping[str, Any]) -> Extent | None:
    """When a state of one term held; None: it is not one."""
    kind, certain, possible = (str(atom["kind"]), atom["certain"], atom["possible"])
    if kind in POINT_KINDS:
        return None
    if len(certain) != 1 or len(possible) != 1:
        return Extent(kind, None, None, None, None)
    (s2, e1), (s1, e2) = ((one if isinstance(one, int) else None for one in each[0]) for each in (certain, possible))
    return Extent(kind, s1, s2, e1, e2)


def _overlapping(qids: set[int], index: EntityIndex) -> bool:
    """Two things of one name are often part and whole: the Third Crusade and the Crusades."""
    named = [index.namer.named(qid) for qid in sorted(qids)]
    return any(names_overlap(one, other) for one, other in combinations(named, 2))


def phrase_of(atom: Mapping[str, Any], index: EntityIndex, lexicon: Lexicon) -> Phrase | Unasked:
    """The phrase of an atom, or why it has none."""
    subject = index.namer.undated(atom["qid"])
    if not subject.name:
        return subject.why
    if dates_itself(subject):
        return Hindrance.NAME_GIVES_AWAY()
    other = Named("", "")
    if atom.get("o") is not None:
        other = index.namer.named(atom["o"])
        if not other.name:
            return other.why
        if (tokens(subject.name) - tokens(subject.bare)) & tokens(other.bare):
            return Hindrance.NAME_GIVES_AWAY()
    for said in lexicon.atoms.get(atom["kind"], ()):
        if index.fits(atom["qid"], said.subject):
            name = keep_first(subject.name, common=subject.common)
            if subject.common and not subject.mass and not subject.described:
                name = f"the {subject.bare}"
            spoken_as, over = (said.predicate, said.base), said.over
            auxiliary: Literal["Was", "Were", "Did"] = said.auxiliary
            if subject.plural:
                spoken_as = (re.sub(r"^was\b", "were", said.predicate), said.base)
                over = re.sub(r"^was\b", "were", over)
                auxiliary = "Were" if auxiliary == "Was" else auxiliary
            parts = [part.replace("{o:bare}", other.bare).replace("{o}", other.name) for part in spoken_as]
            point = atom["kind"] in POINT_KINDS
            return Phrase(name, parts[0], auxiliary, parts[1], point, paraphrase=said.paraphrase, over=over)
    return Hindrance.NO_WORDING(f"P{atom['p']} ({atom['kind']})")


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
    return {sid for atom in fact.atoms.values() for sid in atom["sids"]}


def _evidence(
    candidate: Candidate, fact: _Stored, rows: Mapping[int, RowMapping], index: EntityIndex, lexicon: Lexicon
) -> Evidence | Unasked:
    premises: dict[str, dict[str, Any]] = {}
    for name in formulas.atoms(parse(fact.formula)):
        for sid in fact.atoms[name]["sids"]:
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
    return YEAR if days <= 366 else 8 if days <= 3660 else 7
