"""A fact as a text that ends where its object begins: the form of prompt that model editors take."""

import re
from typing import NamedTuple

from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.lexicon import Entry, Lexicon, entries_for
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.results.mitigation.facts import Fact

_ENDS_WITH_OBJECT = re.compile(r"^(?P<before>.*\S) ?\{o(?::\w+)?\}\.$")
_OF_AGE = "P569/P570"
"""How the names of rules end whose object is an age (`benchmark.suites.ages`)."""
_FRAMES = ("It is a fact that {}", "This is known: {}")
"""What a completion may be put in without a change of what it says."""


class Completion(NamedTuple):
    """A prompt that the object completes.

    Attributes:
        prompt: ends where the object begins; holds `subject` word for word.
        target: the object, as the continuation.
        rephrasings: other prompts that it completes.
    """

    fact: Fact
    prompt: str
    subject: str
    target: str
    rephrasings: tuple[str, ...]


def completion(material: Material, fact: Fact) -> Completion | None:
    """The completion of a fact; None where words or names are missing, or where the prompt gives the object away."""
    index, item = material.index, fact.o if fact.item else None
    if not {fact.s, item} - {None} <= set(index.entities):
        return None
    entry = fitting(_entries(material.lexicon, fact), fact.s, item, index)
    if entry is None:
        return None
    # "Ann is the mother of Bob" ends with its subject; "Bob has as mother Ann" says the same and ends with its object.
    statement = tensed(entry, fact.s, item, index).statement
    ends = _ENDS_WITH_OBJECT.match(statement) is not None
    main = _of(material, statement if ends else f"{{s}} {entry.relation} {{o}}.", fact)
    if main is None:
        return None
    prompt, target = main
    subject = index.namer.plain(fact.s)
    if prompt[:1].lower() + prompt[1:] == f"{subject}{prompt[len(subject) :]}":
        subject = prompt[: len(subject)]  # sodium, at the head of a sentence
    if not subject or subject not in prompt or target in prompt:
        return None
    spoken = prompt if prompt.startswith(subject) else prompt[:1].lower() + prompt[1:]
    framed = [frame.format(spoken) for frame in _FRAMES]
    return Completion(fact, prompt, subject, target, tuple(framed))


def _entries(lexicon: Lexicon, fact: Fact) -> list[Entry]:
    if fact.rule.startswith("order:"):
        return lexicon.orders.get(fact.p, [])
    if fact.item:
        return entries_for(lexicon, fact.p)
    if fact.rule.endswith(_OF_AGE):
        return lexicon.ages.get(fact.p, [])
    return lexicon.years.get(fact.p) or lexicon.properties.get(fact.p, [])


def _of(material: Material, statement: str, fact: Fact) -> tuple[str, str] | None:
    match = _ENDS_WITH_OBJECT.match(statement)
    namer = material.index.namer
    s = namer.named(fact.s) if fact.item else namer.undated(fact.s)
    o = namer.named(fact.o) if fact.item else Named(str(fact.o), str(fact.o))
    if match is None or not s.name or not o.name:
        return None
    told = o.bare if o.described else o  # what is to be learned is the name, not its description
    whole, before = fill(statement, s=s, o=told), fill(match["before"], s=s)
    target = whole[len(before) :].strip().rstrip(".")
    return (before, target) if whole.startswith(before) and target else None
