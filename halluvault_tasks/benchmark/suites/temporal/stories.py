"""Temporal questions about several events of one story: who was how old when something was released, or somebody died.

They name no time, so that a formula has one answer and no second time to be weighed against: a true fact stands in one
block with a false one of the same words (`Candidate.paired`), and each group asks both "had already turned thirty" and
"was still under thirty". Every name so has as many yes as no.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy import RowMapping

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import Precision
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.cases.wordings import Wording, Wordings
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.leakage import gives_away
from halluvault_tasks.benchmark.wording.sentences import judge, tidy
from halluvault_tasks.benchmark.wording.style import LONG, too_long
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.kinds import KINDS, LIFE, PUBLICATION
from halluvault_tasks.temporal.story_forms import Story, worded
from halluvault_tasks.temporal.verbalise import Phrase


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
    qids = list(dict.fromkeys(atoms[name]["qid"] for name in story.names))
    named = {qid: index.namer.undated(qid) for qid in qids}
    if sum(named[qid].described for qid in qids) > 1:
        return Hindrance.BOTH_DESCRIBED()
    told = called_once(story, phrases, [named[qid] for qid in qids])
    for one, other in combinations(qids, 2):
        if told is phrases and gives_away(index, one, named[one], other, named[other]):
            return Hindrance.NAME_GIVES_AWAY()
    if story.form == "apart" and told is phrases and "“" in phrases[story.of[0]].subject:
        return Hindrance.OTHER_MAKERS()
    said = worded(story, told)
    statement_ = tidy(said.statement)
    wordings = Wordings(
        tidy(said.question),
        statement_,
        judge(tidy(said.negated_statement)),
        (Wording("statement", "same", judge(statement_), False),),
        Wording("antonym", "contradictory", tidy(said.opposite), True),
    )
    if any(map(too_long, (wordings.original, wordings.negated, judge(statement_), tidy(said.opposite)))):
        return LONG
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
        paired=(story.form, *(kind.name for kind in kinds), story.lived, story.years, told is not phrases),
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
        other = event._replace(subject=f"{films[1]}, another film by {maker}")
        return {**phrases, story.of[0]: first._replace(subject=films[0]), story.events[0]: other}
    return phrases
