"""Events and states in words: the phrase of each atom of a formula."""

import re
import zlib
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named, tokens
from halluvault_tasks.benchmark.wording.leakage import dates_itself, names_overlap
from halluvault_tasks.benchmark.wording.lexicon import Lexicon, Said, Title
from halluvault_tasks.benchmark.wording.sentences import keep_first
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.temporal.kinds import KINDS, AtomKind
from halluvault_tasks.temporal.verbalise import Phrase

Atoms = Mapping[str, Any]
"""Name of an atom → the event or state, as `temporal_fact.atoms` has it."""


def phrases_of(
    atoms: Atoms, names: Iterable[str], index: EntityIndex, lexicon: Lexicon, links: Links, *, varied: bool = False
) -> dict[str, Phrase] | Unasked:
    """The phrases of these atoms, or why one has none.

    Args:
        atoms: events and states.
        names: of those that are said.
        index: names and kinds.
        lexicon: the wordings.
        links: who is told by whom or what stands beside.
        varied: where several wordings say the same, each is used of some offices and events.
    """
    phrases: dict[str, Phrase] = {}
    names = list(names)
    about = {asked_about(atoms[name])[0] for name in names}
    for name in names:
        told = not about.isdisjoint(links.joined(asked_about(atoms[name])[0])) if len(about) > 1 else False
        phrase = _phrase(atoms[name], index, lexicon, told=told, varied=varied)
        if isinstance(phrase, Unasked):
            return phrase
        phrases[name] = phrase
    return phrases


def asked_about(atom: Mapping[str, Any]) -> tuple[int, int | None]:
    """Who or what a question about an atom is about, and what of it: of a headship who held it, and the country."""
    qid, o = atom["qid"], atom.get("o")
    return (o, qid) if KINDS[atom["kind"]].seated_by == "subject" and o is not None else (qid, o)


def overlapping(qids: set[int], index: EntityIndex) -> bool:
    """Two things of one name are often part and whole: the Third Crusade and the Crusades."""
    named = [index.namer.named(qid) for qid in sorted(qids)]
    return any(names_overlap(*pair) for pair in combinations(named, 2))


def _phrase(
    atom: Mapping[str, Any], index: EntityIndex, lexicon: Lexicon, *, told: bool, varied: bool
) -> Phrase | Unasked:
    kind = KINDS[atom["kind"]]
    qid, o = asked_about(atom)
    subject, other = index.namer.undated(qid), Named("", "")
    if told and subject.described:
        subject = index.namer.beside(qid)
    if o is not None:
        other = index.namer.named(o)
    if kind.seated_by:
        subject = _called_by_office(subject, qid, index)
        other = other._replace(bare=lexicon.names.get(o or 0, other.bare))
    if hindrance := _unnamed(subject, other, of_two=o is not None):
        return hindrance
    fit = [entry for entry in lexicon.atoms.get(atom["kind"], ()) if index.fits(qid, entry.subject)]
    if not fit:
        return Hindrance.NO_WORDING(f"P{atom['p']} ({atom['kind']})")
    alike = [entry for entry in fit if entry.subject == fit[0].subject] if varied else fit[:1]
    # By what is held or happened, so that all who held it are asked about in the same words, and always are.
    chosen = zlib.crc32(str(other.bare or subject.bare).encode()) % len(alike)
    entry, further = alike[chosen], alike[(chosen + 1) % len(alike)]
    title = lexicon.titles.get(atom["p"], {}).get(atom["qid"]) if kind.seated_by == "subject" else None
    if title and qid in title.never:
        return Hindrance.NO_WORDING(f"P{atom['p']} ({atom['kind']})")
    phrase = _filled(_titled(entry, title, kind), subject, other, kind)
    return phrase if further is entry or kind.lasts else phrase._replace(again=(further.auxiliary, further.base))


def _titled(entry: Said, title: Title | None, kind: AtomKind) -> Said:
    """The wording of a headship by what it is called in that country."""
    if title is None:
        return entry
    if kind.begins:
        return entry.model_copy(update={"predicate": title.began})
    called = entry.predicate.partition(" ")[2].removeprefix("as ")
    said = (text.replace(called, title.title) for text in (entry.predicate, entry.base))
    return entry.model_copy(update=dict(zip(("predicate", "base"), said, strict=True)))


_PEERAGE = re.compile(r"(?<= )(\S+), (?:\d+\w+ )?(?:Baron|Baroness|Viscount|Viscountess|Earl|Countess)\b[^,]*$")
_TOLD_BY_OFFICE = (Hindrance.AMBIGUOUS_NAME, Hindrance.TITLE_IN_DESCRIPTION)


def _called_by_office(subject: Named, qid: int, index: EntityIndex) -> Named:
    """The plain name of who held an office: who is asked about held it at some time, which tells namesakes apart."""
    if subject.described or (not subject.name and subject.why.hindrance in _TOLD_BY_OFFICE):
        label = _PEERAGE.sub(r"\1", index.namer.plain(qid))
        return Named(f"{label}," if "," in label else label, label)
    return subject


def _unnamed(subject: Named, other: Named, *, of_two: bool) -> Unasked | None:
    """Why the two cannot be named; None where they can."""
    if not subject.name:
        return subject.why
    if dates_itself(subject):
        return Hindrance.NAME_GIVES_AWAY()
    if of_two and not other.name:
        return other.why
    told = (tokens(subject.name) - tokens(subject.bare)) & tokens(other.bare)
    return Hindrance.NAME_GIVES_AWAY() if told else None


def _filled(entry: Said, subject: Named, other: Named, kind: AtomKind) -> Phrase:
    name = keep_first(subject.name, common=subject.common)
    if subject.common and not subject.mass and not subject.described:
        name = f"the {subject.bare}"
    predicate, over = entry.predicate, entry.over
    auxiliary: str = entry.auxiliary
    if subject.plural:
        predicate, over = (re.sub(r"^was\b", "were", text) for text in (predicate, over))
        auxiliary = "Were" if auxiliary == "Was" else auxiliary
    said, base = (text.replace("{o:bare}", other.bare).replace("{o}", other.name) for text in (predicate, entry.base))
    return Phrase(
        name, said, auxiliary, base, not kind.lasts,
        paraphrase=entry.paraphrase, over=over, fills=kind.lasts and bool(kind.seated_by),
    )  # fmt: skip
