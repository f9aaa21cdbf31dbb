"""Temporal questions: decided MTL queries over years, asked if their English has one reading."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, select

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection.balanced_groups import Blocks, temporal_blocks
from halluvault_tasks.benchmark.selection.grid import Cell, CellPool, cell_of, dropped_of
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.strata import stratified
from halluvault_tasks.benchmark.suites.question_suite import QuestionConfig
from halluvault_tasks.benchmark.suites.temporal import stories
from halluvault_tasks.benchmark.suites.temporal.phrases import Atoms, asked_about, overlapping, phrases_of
from halluvault_tasks.benchmark.wording.sentences import judge, tidy
from halluvault_tasks.benchmark.wording.style import LONG, too_long
from halluvault_tasks.reasoning.sole_values import has_settled_date
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import temporal_fact
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal import story_forms
from halluvault_tasks.temporal.kinds import KINDS
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.sensible import SOON, Extent, sensible, unit_asked, window_asked
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.temporal.verbalise import QueryWording, question

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
    hindered: Counter[tuple[Cell, Unasked]] = Counter()
    taken: Counter[tuple[object, ...]] = Counter()
    news: set[str] = set()
    # Both times of a formula stand together, so that a limit parts at most one of them from the other.
    for row in sorted(rows, key=lambda one: (drawn(config.seed, one["formula"]), one["at"])):
        outcome = _unasked(row["atoms"], material.world) or _candidate(row, material)
        if isinstance(outcome, Unasked):
            hindered[(row["domain"], formulas.symbol(parse(row["formula"])) or ATOM), outcome] += 1
        elif not material.stability.named(_named(row["atoms"])):
            hindered[cell_of(outcome), Hindrance.TOO_NEW()] += 1
        elif taken[(*outcome.cell, outcome.paired[:1])] < config.candidates:
            taken[(*outcome.cell, outcome.paired[:1])] += 1
            found.append(outcome)
            if not material.news.isdisjoint(sid for atom in row["atoms"].values() for sid in _decisive(atom)):
                news.add(row["id"])
    blocks = temporal_blocks(found, material.stood("temporal"))
    placed = stratified(blocks.blocks, around=material.surroundings, news=lambda one: one.source in news)
    return Blocks(placed, dropped_of(hindered) + blocks.dropped, CellPool.of(found, hindered))


def _unasked(atoms: Mapping[str, Any], world: World) -> Unasked | None:
    """Why these events are not asked about: every date must be a slot with one value, and every state closed, or one
    holds it at a time.

    Cities are founded twice, and a film may be older than its date.
    """
    if not all(atom["closed"] or atom.get("exclusive") or KINDS[atom["kind"]].begins for atom in atoms.values()):
        return Hindrance.TERM()
    dates = [(p, atom["qid"]) for atom in atoms.values() for p in KINDS[atom["kind"]].dates]
    return None if all(has_settled_date(world, p, qid) for p, qid in dates) else Hindrance.UNSURE_DATE()


def _named(atoms: Mapping[str, Any]) -> set[int]:
    """Everything that a question about these atoms may name."""
    return {atom[end] for atom in atoms.values() for end in ("qid", "o") if atom.get(end) is not None}


def _candidate(row: RowMapping, material: Material) -> Candidate | Unasked:
    formula = parse(row["formula"])
    if (story := story_forms.read(formula)) is not None:
        return _story(row, formula, story, material)
    atoms: Atoms = row["atoms"]
    names, at, granularity = formulas.atoms(formula), row["at"], Granularity(row["granularity"])
    states = {name: extent for name in names if (extent := _extent(atoms[name])) is not None}
    if _far_from(formula, at, atoms) or not sensible(formula, at, states):
        return Hindrance.OUT_OF_TIME()
    phrases = phrases_of(atoms, names, material.index, material.lexicon, material.links, varied=True)
    if isinstance(phrases, Unasked):
        return phrases
    entities = {asked_about(atoms[name])[0] for name in names}
    if overlapping(entities, material.index):
        return Hindrance.NAMES_ALIKE()
    still = unit_asked(formula, at) is not None
    phrases = {
        name: phrase._replace(still=still and not phrase.point and not phrase.fills) for name, phrase in phrases.items()
    }
    wordings = _worded(question(formula, at, phrases, granularity))
    if isinstance(wordings, Unasked):
        return wordings
    kind, first = formulas.symbol(formula) or ATOM, atoms[names[0]]
    subject, object_ = asked_about(first)
    exchange = _exchange(formula, at, atoms, granularity)
    decade = _decade(formula, at, granularity) if all(phrase.point for phrase in phrases.values()) else None
    return Candidate(
        suite="temporal",
        domain=row["domain"],
        kind=kind,
        strand="|".join(sorted({str(atoms[name]["kind"]) for name in names})),
        identity=(row["formula"], at, row["granularity"]),
        pid=first["p"],
        subject=subject,
        object=object_,
        entities=tuple(sorted(entities)),
        truth=row["truth"],
        wordings=wordings,
        source=row["id"],
        family=kind,
        hops=_hops(atoms),
        event=str(first["kind"]),
        decade=exchange.time if exchange else decade,
        ring=exchange.among if exchange else (),
        precision=Precision(granularity) if decade is None else Precision.DECADE,
        **_form(row, formula),
    )


def _far_from(formula: formulas.Formula, at: int, atoms: Atoms) -> bool:
    """Whether a year is asked about that is so far from what happened that nobody would think of it."""
    unit = unit_asked(formula, at)
    moments = [atom for name in formulas.atoms(formula) if not KINDS[(atom := atoms[name])["kind"]].lasts]
    edges = [edge for atom in moments for span in atom["certain"] or atom["possible"] for edge in span]
    return unit is not None and any(isinstance(edge, int) and abs(edge - unit) > SOON for edge in edges)


def _decade(formula: formulas.Formula, at: int, granularity: Granularity) -> int | None:
    """The first year of the window of years that a formula asks about."""
    window = window_asked(formula, at)
    return window[0] if window and granularity == Granularity.YEAR else None


class _Exchange(NamedTuple):
    """That a fact's time is exchanged with another's."""

    time: int
    among: tuple[str | int, ...]


def _exchange(formula: formulas.Formula, at: int, atoms: Atoms, granularity: Granularity) -> _Exchange | None:
    """The time that a fact about a term names, where two holders exchange theirs (`temporal.terms`)."""
    names = formulas.atoms(formula)
    seat = asked_about(atoms[names[0]])[1]
    if len(names) > 1 or not KINDS[atoms[names[0]]["kind"]].seated_by or seat is None:
        return None
    unit, window = unit_asked(formula, at), window_asked(formula, at)
    operator = formulas.symbol(formula)
    if unit is not None:
        return _Exchange(unit, (seat, operator, str(granularity)))
    if window is None or granularity is not Granularity.YEAR:
        return None
    return _Exchange(window[0], (seat, operator, window[1] - window[0]))


def _worded(asked: QueryWording | None) -> Wordings | Unasked:
    """A question with its members; refused where its English has more than one reading, or is long."""
    if asked is None:
        return Hindrance.READINGS()
    affirmed = tidy(asked.statement)
    others = []
    if asked.paraphrase:
        others.append(Wording("paraphrase", "same", tidy(asked.paraphrase), False))
    if asked.opposite:
        others.append(Wording("affirmative", "contradictory", tidy(asked.opposite), True))
    if judge(affirmed) != tidy(asked.question):
        others.append(Wording("statement", "same", judge(affirmed), False))
    denied = judge(tidy(asked.negated_statement)) if asked.negated_statement else ""
    wordings = Wordings(tidy(asked.question), affirmed, denied, tuple(others), denies=asked.denies)
    texts = (wordings.original, wordings.negated, *(other.text for other in others))
    return LONG if any(map(too_long, texts)) else wordings


def _story(
    row: RowMapping, formula: formulas.Formula, story: story_forms.Story, material: Material
) -> Candidate | Unasked:
    phrases = phrases_of(row["atoms"], story.names, material.index, material.lexicon, material.links)
    if isinstance(phrases, Unasked):
        return phrases
    made = stories.candidate(row, formula, story, phrases, material)
    return made if isinstance(made, Unasked) else made._replace(hops=_hops(row["atoms"]), **_form(row, formula))


def _form(row: RowMapping, formula: formulas.Formula) -> dict[str, Any]:
    """What shares are counted by."""
    kinds = {KINDS[atom["kind"]] for atom in row["atoms"].values()}
    return {"rests": frozenset(p for kind in kinds for p in kind.properties), "nested": formula.depth > 1}


def _hops(atoms: Mapping[str, Any]) -> int:
    return len({sid for atom in atoms.values() for sid in _decisive(atom)})


def _decisive(atom: Mapping[str, Any]) -> Sequence[int]:
    """The statements that say when it was: of several releases one does."""
    sids: Sequence[int] = atom["sids"]
    return sids[:1] if KINDS[atom["kind"]].earliest else [*sids, *atom.get("rivals", ())]


def _extent(atom: Mapping[str, Any]) -> Extent | None:
    """When a state of one term held; None: it is not one."""
    kind, certain, possible = KINDS[atom["kind"]], atom["certain"], atom["possible"]
    if not kind.lasts or kind.seated_by:  # when a term is asked about, its own drawing sees to
        return None
    if len(certain) != 1 or len(possible) != 1:
        return Extent(kind, None, None, None, None)
    (s2, e1), (s1, e2) = ((one if isinstance(one, int) else None for one in each[0]) for each in (certain, possible))
    return Extent(kind, s1, s2, e1, e2)
