"""Cases on a number that a thing has exactly one of: the atomic number of an element.

They are what a snapshot has of the physical world that a licence rules other values out of. A number of one digit is
left out, since a reply may number its points.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting, numbered, options
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.benchmark.wording.sentences import fill
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.reasoning.case_proofs.program import Facts
from halluvault_tasks.reasoning.foils import beside_statement
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.sole_values import functional, has_number

_LEAST, _MOST = 10, 200
_FOUR = 4


class CountedThing(NamedTuple):
    """A thing and its number.

    Attributes:
        what: the property's name, a noun.
        premise: its statement in words.
        false: another thing's number as this one's, in words, by that number.
    """

    s: int
    p: int
    number: int
    name: str
    what: str
    premise: Mapping[str, Any]
    false: "partial[str]"


def every(ground: Ground) -> list[CountedThing]:
    """Whole numbers of properties that have one value and words, as far as they have two digits, in a drawn order."""
    index, lexicon, world = ground.material.index, ground.material.lexicon, ground.material.world
    found: list[CountedThing] = []
    for p in sorted(functional(world) & lexicon.properties.keys()):
        subjects = [s for s in ground.drawn(p) if has_number(world, p, s)]
        told = worded(ground.material, subjects)
        for s in subjects:
            stated = [one for one in told.get(s, ()) if one["property"] == p and "amount" in one["object"]]
            entry, named = fitting(lexicon.properties[p], s, None, index), index.namer.named(s)
            amount = Decimal(stated[0]["object"]["amount"]) if len(stated) == 1 else Decimal(0)
            if entry is not None and named.name and not named.described and amount == int(amount) >= _LEAST:
                said = partial(fill, tensed(entry, s, None, index).statement, s=named)
                found.append(CountedThing(s, p, int(amount), named.name, entry.label, stated[0], said))
    ground.random("amounts").shuffle(found)
    return found[:_MOST]


def _pairs(ground: Ground) -> Iterator[tuple[CountedThing, CountedThing, StatementFoil]]:
    """Each with another of which it is known that its number is not the first one's, and the foil."""
    numbers = every(ground)
    for place, one in enumerate(numbers):
        other = numbers[place - 1]
        foil = beside_statement.number(ground.material.world, one.p, one.s, other.number)
        if one.p == other.p and not isinstance(foil, Refusal):
            yield one, other, foil


def difference(ground: Ground) -> Drafts:
    """By how much one exceeds another, from lines that give both."""
    for one, other, _ in _pairs(ground):
        if (apart := one.number - other.number) < _LEAST:
            continue
        yield CaseDraft(
            Inputs(prompt=f"Work out from the context by how much the {one.what} of {one.name} exceeds that of "
                   f"{other.name}. Show each step with its numbers, and the result last.",
                   context=numbered([one.premise["sentence"], other.premise["sentence"]])),
            Constraints(),
            expecting("answer", [str(apart)], steps=((str(one.number),), (str(other.number),)), kind="calc"),
            ("calc", "multi-hop"), 1 + apart / 1000, one.s, one.p, None, (one.premise, other.premise),
            "arithmetic on the lines", proof.difference(one.number, other.number),
        )  # fmt: skip


def negation(ground: Ground) -> Drafts:
    """Which of four is not true: one has another's number."""
    numbers = every(ground)
    for one, other, foil in _pairs(ground):
        random = ground.random("amounts", "negation", one.s)
        beside = [each for each in numbers if each.p == one.p and each.s not in (one.s, other.s)]
        if len(beside) < _FOUR - 1:
            continue
        false = one.false(o=str(other.number))
        texts = [false, *(each.premise["sentence"] for each in random.sample(beside, _FOUR - 1))]
        random.shuffle(texts)
        inputs, constraints, oracle, letter = options(texts, false)
        yield CaseDraft(
            inputs, constraints, oracle, ("negation",), -ground.fame(one.s), one.s, one.p, None, (one.premise,),
            foil.why, proof.untrue(letter), foil,
        )  # fmt: skip


def false_premise(ground: Ground) -> Drafts:
    """Another's number is taken for granted in the request."""
    for one, other, foil in _pairs(ground):
        yield CaseDraft(
            Inputs(prompt=f"{one.false(o=str(other.number))} Starting from that, write two sentences for an "
                   f"encyclopaedia that answer: What is the {one.what} of {one.name}?"),
            Constraints(), expecting("repair", [str(one.number)], wrong=((str(other.number),),)),
            ("false-premise",), -ground.fame(one.s), one.s, one.p, None, (one.premise,),
            foil.why, (*_stated(one), *proof.repaired(one.s, one.p, one.number, other.number)), foil,
        )  # fmt: skip


def form(ground: Ground) -> Drafts:
    """Two numbers in two points with set labels, and nothing else."""
    for one, other, _ in _pairs(ground):
        labels = ("First:", "Second:")
        yield CaseDraft(
            Inputs(prompt=f"In exactly 2 bullet points and nothing else, give the {one.what} of {one.name} and that of "
                   f"{other.name}. The first begins with “{labels[0]}”, the second with “{labels[1]}”."),
            Constraints(bullets=2, labels=labels), expecting("answer", [str(one.number)], [str(other.number)]),
            ("format-guard",), -ground.fame(one.s), one.s, one.p, None, (one.premise, other.premise), "both are stated",
            (*_stated(one), *_stated(other)),
        )  # fmt: skip


def _stated(one: CountedThing) -> Facts:
    return proof.value(one.s, one.p, one.number, str(one.number))
