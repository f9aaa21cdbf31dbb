"""Puts a plan into words. Knows neither lexicon nor aliases, oracles nor Prolog (contract in pyproject.toml)."""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from halluvault_tasks.local.personas.fault_kinds import KnownDate, Thing
from halluvault_tasks.wikidata.times import MONTH_NAMES
from studies.oracle.planned import Planned, Step, Told
from studies.oracle.split import order
from studies.oracle.style import Style

_ARTICLE = re.compile(
    r"\b(Olympics|Republic|Empire|Kingdom|(?<!Star )Wars|War(?! I)|Revolution|River|Sea|Ocean|Museum|Institute|Gallery|"
    r"Union|System|Party|Academy|Association|Prize|Award|Order|Company|Treaty|Society|States of America|Bank|League|"
    r"Nations|Alps|Netherlands|Forces|Palace|Medal)\b|^(University|Battle|House|Church|Republic|Kingdom|Sun$|Moon$|Nile|"
    r"Louvre|Milky Way)"
)
_BARE = re.compile(r"^(The |A |An |[A-Z][\w.]*'s )")


def write(planned: Planned, style: Style, question: str, seed: int) -> str:
    """The text of a plan; the same arguments give the same text."""
    random = Random(order(seed, "text", style.name, planned.case_id, planned.sample))
    opening = _opening(planned, style, question, random)
    told = [_claim(claim, style, random) for claim in planned.told]
    asides = [_framed(random.choice(style.asides), sentence(claim, style, random)) for claim in planned.asides]
    closing = [
        *([_step(planned.step, style, random)] if planned.step else []),
        *([_concluded(planned.concluded, style, random)] if planned.concluded else []),
        *_second_answer(planned, style, random),
    ]
    plain = all(claim.manner == "plain" for claim in planned.told)
    if planned.form == "prose" or not planned.told:
        return " ".join(
            part for part in (opening, *_joined(planned.told, told, style, random), *asides, *closing) if part
        )
    if planned.form == "table" and plain:
        body = _table([*planned.told, *planned.asides], style)
    else:
        mixed = [*map(_capital, told), *asides]
        if asides:
            random.shuffle(mixed)
        body = "\n".join([random.choice(style.list_head), *_bulleted(mixed, style)])
    return "\n\n".join(part for part in (opening, body, " ".join(closing)) if part)


def sentence(claim: Told, style: Style, random: Random) -> str:
    """A claim in the style's words, without a full stop and as it stands inside a sentence.

    Raises:
        KeyError: the style has no words for the property.
    """
    forms = style.words[claim.property].forms
    said, denied = forms[(style.voice + random.randint(0, 1)) % len(forms)]
    return _fill(denied if claim.denied else said, claim)


def _fill(form: str, claim: Told) -> str:
    parts: Mapping[str, Callable[[], str]] = {
        "{s}": lambda: spoken(claim.subject),
        "{o}": lambda: _object(claim),
        "{on}": lambda: on_date(claim.date) if claim.date else "",
    }
    # Labels are data: put in piece by piece, never formatted, since they may hold braces.
    return "".join(parts[piece]() if piece in parts else piece for piece in re.split(r"(\{s\}|\{o\}|\{on\})", form))


def spoken(thing: Thing) -> str:
    """A label with the article that English gives it."""
    if _BARE.match(thing.label) or not _ARTICLE.search(thing.label):
        return thing.label
    return f"the {thing.label}"


def on_date(date: KnownDate) -> str:
    """A date with its preposition."""
    year = f"{1 - date.year} BC" if date.year <= 0 else str(date.year)
    if date.day:
        return f"on {date.day} {MONTH_NAMES[date.month - 1]} {year}"
    return f"in {MONTH_NAMES[date.month - 1]} {year}" if date.month else f"in {year}"


def _object(claim: Told) -> str:
    if claim.item is None:
        return on_date(claim.date) if claim.date else ""
    within = f", {claim.within.label}" if claim.within else ""
    return spoken(claim.item) + within


def _claim(claim: Told, style: Style, random: Random) -> str:
    said = sentence(claim, style, random)
    if claim.manner == "doubted":
        return _framed(random.choice(style.doubts), said)
    if claim.manner == "taken_back":
        return _framed(random.choice(style.taken_back), said)
    return said + "."


def _framed(frame: str, said: str) -> str:
    return _capital(frame.replace("{c}", said))


def _opening(planned: Planned, style: Style, question: str, random: Random) -> str:
    restated = random.choice(style.restating).replace("{q}", question) if planned.restated else ""
    answers: Mapping[str, Sequence[str]] = {
        "yes": style.yes,
        "no": style.no,
        "both": style.no if _first_of_both(planned) == "no" else style.yes,
        "dont_know": style.dont_know,
        "refusal": style.refusal,
        "nothing": ("",),
    }
    return " ".join(part for part in (restated, random.choice(answers[planned.answer])) if part)


def _first_of_both(planned: Planned) -> str:
    return "no" if int(order(0, planned.case_id)[:2], 16) % 2 else "yes"


def _second_answer(planned: Planned, style: Style, random: Random) -> list[str]:
    if planned.answer != "both":
        return []
    return [random.choice(style.ends_yes if _first_of_both(planned) == "no" else style.ends_no)]


def _joined(claims: Sequence[Told], sentences: Sequence[str], style: Style, random: Random) -> list[str]:
    """Prose: later sentences may begin with a connecting word, unless a frame begins them."""
    found = []
    for number, (claim, said) in enumerate(zip(claims, sentences, strict=True)):
        join = random.choice(style.joins) if number and claim.manner == "plain" else ""
        found.append(f"{join} {said}" if join else _capital(said))
    return found


def _bulleted(sentences: Sequence[str], style: Style) -> list[str]:
    return [style.bullet.replace("{i}", str(number)) + said for number, said in enumerate(sentences, 1)]


def _table(claims: Sequence[Told], style: Style) -> str:
    rows = ["| " + " | ".join(style.table_head) + " |", "|---|---|---|"]
    for claim in claims:
        value = re.sub(r"^(on|in) ", "", _object(claim))
        shown = f"not {value}" if claim.denied else value
        rows.append(f"| {spoken(claim.subject)} | {style.words[claim.property].row} | {shown} |")
    return "\n".join(rows)


def _concluded(claim: Told, style: Style, random: Random) -> str:
    return _framed(random.choice(style.conclusions), sentence(claim, style, random))


def _step(step: Step, style: Style, random: Random) -> str:
    if step.kind == "order":
        first, second, n = step.years[0], step.years[1], 0
        frames = style.before if step.holds else style.not_before
    elif step.kind == "inside":
        n, first, second = step.years
        frames = style.inside if step.holds else style.outside
    else:
        first, second, n = step.years
        frames = style.span
    return random.choice(frames).replace("{a}", str(first)).replace("{b}", str(second)).replace("{n}", str(n))


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:] if said[:1].islower() and not re.match(r"[a-z][A-Z]", said) else said
