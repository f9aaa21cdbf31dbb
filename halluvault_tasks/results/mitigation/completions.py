"""A fact as a text that ends where its object begins: the form of prompt that model editors take.

The lexicon says most facts in several ways that end with the object, or can be turned round so that they do: a
statement, what a paraphrase denies ("… never studied at {o}"), its words for the relation, "{o} is the father of {s}".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.forms import Form
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.lexicon import Entry, Lexicon, entries_for
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.results.mitigation.facts import TrueFact

_ENDS_WITH_OBJECT = re.compile(r"^(?P<before>.*\S) ?(?P<object>\{o(?::\w+)?\})\.$")
_OF_SUBJECT = re.compile(
    r"^(?P<object>\{o(?::\w+)?\}) (?P<verb>is|was|has been) (?P<rest>(?:the|a|an|where|what) .*)\.$"
)
"""A noun phrase or clause about the subject, which the object is: either may stand first."""
_AFFIRMED = re.compile(r"\b(is|was|are|were|has|have) (?:not|never) |\bnever ")
"""A denial whose words stay as they are without it; "did not study" has none."""
_HEDGE = "at least part of"
_IN_A_YEAR = "in {o}."
_IN_THE_YEAR = "in the year {o}"
_OF_AGE = "P569/P570"
"""How the names of rules end whose object is an age (`reasoning.kinds.age`)."""
_FRAMES = ("It is a fact that {}", "This is known: {}")
"""What a completion may be put in without a change of what it says, where the lexicon has too few words."""


class Completion(NamedTuple):
    """A prompt that the object completes.

    Attributes:
        prompt: ends where the object begins; holds `subject` word for word, once.
        target: the object, as the continuation.
        rephrasings: other prompts, two as a rule, that it completes and that hold `subject`; the lexicon's own first.
    """

    fact: TrueFact
    prompt: str
    subject: str
    target: str
    rephrasings: tuple[str, ...]


def completion(material: Material, fact: TrueFact) -> Completion | None:
    """The completion of a fact; None where words or names are missing, or where the prompt gives the object away."""
    index, item = material.index, fact.o if fact.item else None
    if not {fact.s, item} - {None} <= set(index.entities):
        return None
    entry = fitting(_entries(material.lexicon, fact), fact.s, item, index)
    if entry is None:
        return None
    own = _patterns(entry, tensed(entry, fact.s, item, index))
    framed = [_framed(frame, own[0]) for frame in _FRAMES] if own else []
    subject = index.namer.plain(fact.s)
    filled = {one: found for one in (*own, *framed) if (found := _of(material, one, fact))}
    # Sodium, at the head of a sentence, is another word than sodium.
    whole = {one: found for one, found in filled.items() if subject and found[0].count(subject) == 1}
    if not whole:
        return None
    prompt, target = next(iter(whole.values()))
    fits = {text: one for one, (text, same) in whole.items() if same == target and target not in text}
    others = [text for text in fits if text != prompt]
    if prompt not in fits or not others:
        return None
    least = sum(fits[text] in own for text in others)
    return Completion(fact, prompt, subject, target, tuple(others[: max(2, least)]))


def _patterns(entry: Entry, form: Form) -> list[str]:
    """What the lexicon says of a relation and ends with the object, the statement first where it does."""
    slots = {slot: match[0] for slot in "so" if (match := re.search(rf"\{{{slot}(:\w+)?\}}", form.statement))}
    related = [] if _HEDGE in form.statement.lower() else [f"{slots['s']} {entry.relation} {slots['o']}."]
    reworded = list(_reworded(form))
    # "X is a child of" says less than "X has as father"; a slot with several values has no such words.
    said = [form.statement, *(related + reworded if entry.exclusive else reworded + related)]
    return [end for one in dict.fromkeys(said) if (end := _ending(one))]


def _ending(said: str) -> str:
    """A sentence so that it ends with the object; empty where it cannot."""
    if _ENDS_WITH_OBJECT.match(said):
        return said
    turned = _OF_SUBJECT.match(said)
    if turned is None:
        return ""
    rest = turned["rest"]
    return f"{rest[:1].upper()}{rest[1:]} {turned['verb']} {turned['object']}."


def _reworded(form: Form) -> Iterator[str]:
    """What the paraphrases deny or ask, as statements."""
    for one in form.paraphrase:
        if one.negated and _AFFIRMED.search(one.negated):
            yield _AFFIRMED.sub(lambda match: f"{match[1]} " if match[1] else "", one.negated, count=1)
        if _IN_THE_YEAR in one.question and form.statement.endswith(_IN_A_YEAR):
            yield form.statement.removesuffix(_IN_A_YEAR) + _IN_THE_YEAR + "."


def _framed(frame: str, pattern: str) -> str:
    return frame.replace("{}", pattern if pattern.startswith("{") else pattern[:1].lower() + pattern[1:])


def _entries(lexicon: Lexicon, fact: TrueFact) -> list[Entry]:
    if fact.item:
        return entries_for(lexicon, fact.relation)
    p = fact.relation.pid
    if fact.rule.endswith(_OF_AGE):
        return lexicon.ages.get(p, [])
    return lexicon.years.get(p) or lexicon.properties.get(p, [])


def _of(material: Material, pattern: str, fact: TrueFact) -> tuple[str, str] | None:
    match = _ENDS_WITH_OBJECT.match(pattern)
    namer = material.index.namer
    s = namer.named(fact.s) if fact.item else namer.undated(fact.s)
    o = namer.named(fact.o) if fact.item else Named(str(fact.o), str(fact.o))
    if match is None or not s.name or not o.name:
        return None
    told = o.bare if o.described else o  # what is to be learned is the name, not its description
    whole, before = fill(pattern, s=s, o=told), fill(match["before"], s=s)
    target = whole[len(before) :].strip().rstrip(".")
    return (before, target) if whole.startswith(before) and target else None
