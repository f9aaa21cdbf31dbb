"""Temporal questions about several events of one story: who was how old when something was released, or somebody died.

They name no time, so that a formula has one answer and no second time to be weighed against: a true fact stands in one
block with a false one of the same words (`Candidate.paired`), and each group asks both "had already turned thirty" and
"was still under thirty". Every name so has as many yes as no.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy import RowMapping

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.temporal.phrases import asked_about
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named, tokens
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.benchmark.wording.sentences import judge, tidy
from halluvault_tasks.benchmark.wording.style import LONG, too_long
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.kinds import KINDS, LIFE, PUBLICATION
from halluvault_tasks.temporal.story_forms import TERMS, Story, worded
from halluvault_tasks.temporal.verbalise import Phrase

_DISTINCT = 4  # letters of a word that two titles share from which on nobody asks what joins the films


def candidate(
    row: RowMapping,
    formula: formulas.Formula,
    story: Story,
    phrases: Mapping[str, Phrase],
    material: Material,
) -> Candidate | Unasked:
    """A story as it is asked, or why it is not.

    Args:
        row: of `temporal_fact`.
        formula: its formula.
        story: what that asks.
        phrases: of its atoms.
        material: the snapshot.
    """
    index = material.index
    atoms: Mapping[str, Any] = row["atoms"]
    qids = list(dict.fromkeys(asked_about(atoms[name])[0] for name in story.names))
    named = {qid: index.namer.undated(qid) for qid in qids}
    told = called_once(story, phrases, [named[qid] for qid in qids])
    if hindrance := _hindrance(story, told is phrases, phrases, named, index):
        return hindrance
    wordings = _wordings(story, told)
    if any(map(too_long, _texts(wordings))):
        return LONG
    if story.form in TERMS:
        return _of_term(row, story, wordings, qids)
    kinds = [KINDS[atoms[name]["kind"]] for name in (story.of[0], story.events[0])]
    names = ", ".join(kind.name for kind in kinds)
    last = qids[-1] if kinds[1] is PUBLICATION else qids[0]
    form = "lived" if story.lived else story.form
    return Candidate(
        suite="temporal",
        domain=index.domains.get(last, row["domain"]),
        kind=formulas.symbol(formula),
        strand=f"{form}: {names}",
        identity=(row["formula"], row["at"], row["granularity"]),
        pid=atoms[story.of[0]]["p"],
        subject=qids[0],
        object=qids[-1] if len(qids) > 1 else None,
        entities=tuple(sorted(qids)),
        truth=row["truth"],
        wordings=wordings,
        source=row["id"],
        family=form,
        precision=Precision.YEAR,
        event=LIFE.name if story.lived else names,
        nested=True,
        paired=(story.form, *(kind.name for kind in kinds), story.lived, story.years, told is not phrases),
    )


def _hindrance(
    story: Story, as_named: bool, phrases: Mapping[str, Phrase], named: Mapping[int, Named], index: EntityIndex
) -> Unasked | None:
    """Why the names of a story cannot stand side by side; `as_named`: no maker is named but once (`called_once`)."""
    if sum(each.described for each in named.values()) > 1:
        return Hindrance.BOTH_DESCRIBED()
    if not as_named:
        return None
    if any(gives_away(index, one, named[one], other, named[other]) for one, other in combinations(named, 2)):
        return Hindrance.NAME_GIVES_AWAY()
    if story.form == "apart" and "“" in phrases[story.of[0]].subject:
        return Hindrance.OTHER_MAKERS()
    return None


def _wordings(story: Story, told: Mapping[str, Phrase]) -> Wordings:
    """A question about ages and distances has one that means the opposite, one about a term is put in another order."""
    said = worded(story, told)
    statement = tidy(said.statement)
    judged = Wording("statement", "same", judge(statement), False)
    wordings = Wordings(tidy(said.question), statement, judge(tidy(said.negated_statement)), (judged,))
    if story.form in TERMS:
        return wordings._replace(more=(Wording("paraphrase", "same", tidy(said.paraphrase), False), judged))
    return wordings._replace(antonym=Wording("antonym", "contradictory", tidy(said.opposite), True))


def _texts(wordings: Wordings) -> Iterator[str]:
    yield from (wordings.original, wordings.negated, *(more.text for more in wordings.more))
    if wordings.antonym:
        yield wordings.antonym.text


def _of_term(row: RowMapping, story: Story, wordings: Wordings, qids: Sequence[int]) -> Candidate:
    """Whether somebody held an office when something happened, as it is asked beside who held it at another time."""
    event, term = (row["atoms"][name] for name in story.names)
    seat = asked_about(term)[1] or 0
    return Candidate(
        suite="temporal",
        domain=row["domain"],
        # The moment only names the time: what is asked is whether the term held then, or next.
        kind="N" if story.form == "after" else "F",
        strand=f"{story.form}: {event['kind']}, {term['kind']}",
        identity=(row["formula"], row["at"], row["granularity"]),
        pid=term["p"],
        subject=qids[-1],
        object=qids[0],
        entities=tuple(sorted(qids)),
        truth=row["truth"],
        wordings=wordings,
        source=row["id"],
        family=f"{story.form} {seat}",
        event=term["kind"],
        paired=(story.form, seat),
        ring=(story.form, seat),
        nested=True,
    )


def called_once(story: Story, phrases: Mapping[str, Phrase], named: Sequence[Named]) -> Mapping[str, Phrase]:
    """The phrases with a film's maker named once: as who is asked about, or of both films."""
    event = phrases[story.events[0]]
    makers = [f"{one.bare}'s " for one in named]
    if maker := next((one for one in makers if event.subject.startswith(f"{one}film “")), ""):
        return {**phrases, story.events[0]: event._replace(subject=f"the {event.subject.removeprefix(maker)}")}
    first = phrases[story.of[0]]
    made, title, _ = first.subject.partition("s film “")
    if title and event.subject.startswith(made + title):
        films = [one.subject.removeprefix(f"{made}s film ") for one in (first, event)]
        maker = made.removesuffix("'").removesuffix("’")
        if any(
            len(word) >= _DISTINCT for word in tokens(films[0]) & tokens(films[1])
        ):  # “Spider-Man 2”: everybody sees it
            return {**phrases, story.events[0]: event._replace(subject=films[1])}
        other = event._replace(subject=f"{films[1]}, another film by {maker}")
        return {**phrases, story.of[0]: first._replace(subject=films[0]), story.events[0]: other}
    return phrases
