"""The text of a simulated answer, written from a plan: content, words and order.

The writer knows the case's premises and its own phrases; it imports neither lexicon, aliases, oracles nor Prolog.
"""

from random import Random
from typing import NamedTuple

from halluvault_tasks.local.personas import phrases as phrases
from halluvault_tasks.local.personas import written_dates
from halluvault_tasks.local.personas.choose_fault import (
    FALSE_STEP,
    Persona,
    PremiseChange,
    ReplyPlan,
    asked_year,
    dated,
)
from halluvault_tasks.local.personas.fault_kinds import WRONG_FAULTS, FaultKind, KnownDate, read_date
from halluvault_tasks.local.personas.lookup import Catalogue, EvidencePiece, PromptedCase

_MAX_POINTS = 6


class _Told(NamedTuple):
    """A premise as it will be said."""

    plain: str
    """The sentence in the benchmark's words, with the wrong value where one is planted."""
    subject: str
    relation: str
    object: str
    on: str
    """A date with its preposition; empty for other objects."""


def write(
    plan: ReplyPlan, case: PromptedCase, catalogue: Catalogue, persona: Persona, description: str, random: Random
) -> str:
    """Write an answer.

    Args:
        plan: what is right and what is wrong in it.
        case: the question's premises.
        catalogue: true sentences about the same subjects, for remarks beside the point.
        persona: how much it rewords and adds.
        description: of the first premise's subject; may be empty.
        random: source of the style, never of the plan.

    Returns:
        First line `Yes, …`, `No, …` or `I don't know …`, then numbered knowledge points.
    """
    subject = case.premises[0].subject.label if case.premises else "this"
    if plan.answer == "dont_know":
        body = random.choice(phrases.UNSURE).format(subject=subject)
        opening = random.choice(phrases.OPENINGS["dont_know"]).format(subject=subject)
        return f"{opening}\n{body}".rstrip()
    told = [
        _told(premise, plan.change if plan.change and position in (plan.change.position, *plan.change.also) else None)
        for position, premise in enumerate(case.premises)
    ]
    points = [_said(each, persona, random) for each in told]
    if plan.fault is FaultKind.PLAIN and len(points) > 1 and random.random() < persona.extras / 3:
        points.pop(random.randrange(len(points)))  # an incomplete list, and still no error
    if random.random() < persona.extras:
        points += _aside(case, catalogue, description, random)
    if plan.fault in FALSE_STEP:
        points.append(_false_step(plan, case, random))
    elif plan.fault is not FaultKind.WRONG_KNOWN and (conclusion := random.choice(phrases.CONCLUSIONS[plan.answer])):
        points.append(conclusion)
    return "\n".join([
        _opening(plan, told, random),
        random.choice(phrases.HEADINGS),
        *(f"{number}. {point}" for number, point in enumerate(points[:_MAX_POINTS], 1)),
    ])


def _opening(plan: ReplyPlan, told: list[_Told], random: Random) -> str:
    choices = phrases.OPENINGS[plan.answer]
    # Repeating a premise behind the answer is natural only where the two agree.
    agree = len(told) == 1 and plan.fault not in (FaultKind.WRONG_KNOWN, *FALSE_STEP)
    opening = random.choice(choices if agree else choices[:-1])
    return opening.replace("{told}", _inside(told[0].plain) if told else "")


def _told(premise: EvidencePiece, change: PremiseChange | None) -> _Told:
    """The premise, with the planted change where there is one."""
    relation = premise.relation
    old, new, sentence, on = _object(premise), "", premise.sentence, ""
    date = _date(premise)
    if date is not None:
        moved = date.moved(change.years) if change else date
        on, new = _on(moved, premise.precision), written_dates.renderings(moved)[0]
        if change and change.years:
            sentence = _moved(sentence, date, moved) or f"{premise.subject.label} {relation} {on}."
    elif change and change.item:
        new = change.item.label
        sentence = _swapped(premise, old, new)
    elif change and change.amount:
        new = change.amount
        sentence = _swapped(premise, old, new)
    if change and change.relation:
        relation = change.relation
        sentence = _capital(f"{premise.subject.label} {relation} {on or old}.")
    return _Told(sentence, premise.subject.label, relation, new or old, on)


def _swapped(premise: EvidencePiece, old: str, new: str) -> str:
    """The sentence with another object, in place where the old one is found exactly once."""
    if old and premise.sentence.count(old) == 1 and old not in premise.subject.label:
        return premise.sentence.replace(old, new)
    if premise.sentence.endswith(f" {old}."):
        return f"{premise.sentence[: -len(old) - 1]}{new}."
    return _capital(f"{premise.subject.label} {premise.relation} {new}.")


def _moved(sentence: str, date: KnownDate, moved: KnownDate) -> str:
    """The sentence with another date in the form that it had; empty where the old date is not found."""
    for before, after in zip(written_dates.renderings(date), written_dates.renderings(moved), strict=True):
        if sentence.count(before) == 1:
            return sentence.replace(before, after)
    return ""


def _said(told: _Told, persona: Persona, random: Random) -> str:
    """One knowledge point: verbatim, framed, or in other words."""
    if random.random() >= persona.paraphrases:
        return told.plain
    others = [form for form in phrases.OTHER_WORDS.get(told.relation, ()) if ("{on}" in form) == bool(told.on)]
    if others and random.random() < 0.7:
        form = random.choice(others)
        # Labels are data: replaced, never formatted, since they may hold braces.
        parts = {"{s}": told.subject, "{o}": told.object, "{on}": told.on}
        return _capital(_fill(form, parts))
    return random.choice(phrases.FRAMES).replace("{lower}", _inside(told.plain)).replace("{plain}", told.plain)


def _fill(form: str, parts: dict[str, str]) -> str:
    out, rest = "", form
    while rest:
        slot = next((slot for slot in parts if rest.startswith(slot)), "")
        out += parts[slot] if slot else rest[0]
        rest = rest[len(slot) or 1 :]
    return out


def _aside(case: PromptedCase, catalogue: Catalogue, description: str, random: Random) -> list[str]:
    """A true remark that the question does not need."""
    said = {premise.sentence for premise in case.premises}
    about = [s for premise in case.premises for s in catalogue.about.get(premise.subject.qid, ()) if s not in said]
    if about and random.random() < 0.6:
        return [random.choice(sorted(set(about)))]
    if description and case.premises:
        return [f"{_capital(case.premises[0].subject.label)} is known as: {description.rstrip('.')}."]
    return []


def _false_step(plan: ReplyPlan, case: PromptedCase, random: Random) -> str:
    """A step that is false whatever the premises are, leading where the plan's text leads."""
    leads_to = plan.answer if plan.fault in WRONG_FAULTS else ("no" if plan.answer == "yes" else "yes")
    if case.suite == "temporal":
        years = _years(plan, case)
        if len(years) > 1 and years[-1] - years[0] > 1:
            earlier, later = written_dates.year_text(years[0]), written_dates.year_text(years[-1])
            return random.choice(phrases.FALSE_ORDER).format(earlier=earlier, later=later)
        if years:
            wrong = random.randint(3, 40)
            return random.choice(phrases.FALSE_OVERLAP).format(earlier=written_dates.year_text(years[0]), wrong=wrong)
    steps = phrases.FALSE_STEPS.get(case.rule_kind, phrases.FALSE_STEPS_ELSEWHERE)[leads_to]
    return random.choice(steps)


def _years(plan: ReplyPlan, case: PromptedCase) -> list[int]:
    """The years that the answer speaks of: its dates as told, and the year asked about."""
    change = plan.change or PremiseChange(-1)
    moved = (change.position, *change.also)
    years = {
        date.year + (change.years if position in moved else 0)
        for position, premise in enumerate(case.premises)
        for date in dated([premise])
    }
    asked = asked_year(case)
    return sorted(years | ({asked} if asked is not None else set()))


def _object(premise: EvidencePiece) -> str:
    if premise.item is not None:
        return premise.item.label
    date = _date(premise)
    return written_dates.renderings(date)[0] if date else premise.amount or premise.date


def _date(premise: EvidencePiece) -> KnownDate | None:
    if not premise.date:
        return None
    try:
        return read_date(premise.date, premise.precision)
    except ValueError:
        return None


def _on(date: KnownDate, precision: int) -> str:
    text = written_dates.renderings(date)[0]
    if precision <= 7:
        return f"around {text}"
    if precision == 8 and date.year > 0:
        return f"in the {text}s"
    return f"on {text}" if date.day else f"in {text}"


def _inside(sentence: str) -> str:
    """A sentence as used inside another: only a leading article loses its capital."""
    for article in ("The ", "A ", "An "):
        if sentence.startswith(article):
            return article.lower() + sentence[len(article) :]
    return sentence


def _capital(sentence: str) -> str:
    """The sentence with a capital, unless its first word has one of its own (iPhone, eBay)."""
    return sentence[:1].upper() + sentence[1:] if sentence.split(" ", 1)[0].islower() else sentence
