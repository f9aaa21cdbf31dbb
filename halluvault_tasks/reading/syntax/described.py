"""What a question speaks of, called by a noun: "the director of Jaws", "her father", "the director", "the actor".

Whom a property of one value gives is meant where the question itself calls somebody so; whoever is named beside the
noun ("the director, Anna Lee,") is somebody else, of whom it is said.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.memory import DiscourseMemory

_PLAIN = frozenset(["det", "poss", "case", "prep", "punct"])
_SUBJECTS = frozenset(["nsubj", "nsubjpass"])


class DescribedWord(NamedTuple):
    """A word that stands for an entity without naming it."""

    word: int
    mention: Mention


@rule("claims.described", "", otherwise=())
def described(
    graph: Graph, memory: DiscourseMemory, written: Sequence[str], named: Mapping[int, Set[int]], dated: Set[int]
) -> Iterator[DescribedWord]:
    """Words that mean what the question speaks of; an article gets what the noun behind it is of.

    Args:
        graph: of the sentence; "the director" of a film becomes "its director".
        memory: what was spoken of, and what the question is about.
        written: the words as they stand in the response, in lower case.
        named: word → the items that it names or stands for.
        dated: years that the question does not have.
    """
    for index, word in enumerate(graph.parse):
        below = {graph.parse[one].dep for one in graph.children[index]}
        apposed = {"appos"} if graph.parse[min(index + 1, len(graph.parse) - 1)].text == "," else frozenset[str]()
        if word.tag != "NN" or not below <= _PLAIN | apposed:
            continue
        article = next((one for one in graph.children[index] if graph.parse[one].text.casefold() == "the"), -1)
        noun = written[index]
        slot = memory.slot(noun)
        if slot is None:
            continue
        whose = graph.possessors(index)
        if article >= 0 and not whose and memory.is_alone(slot.s):
            graph.add(index, "of", article)
            yield DescribedWord(article, memory.entity(slot.s))
        elif not any(slot.s in named.get(one, ()) for one in whose) or dated & {*graph.subtree(index)}:
            continue
        if memory.calls(slot.o) and word.dep in _SUBJECTS and not _is_named(graph, index, named):
            yield DescribedWord(index, memory.entity(slot.o))


def _is_named(graph: Graph, noun: int, named: Mapping[int, Set[int]]) -> bool:
    """Whether the sentence says by name who that is."""
    beside = (edge.word for edge in (*graph.arguments[noun], *graph.predicates[noun]) if edge.role == "self")
    return any(graph.parse[one].pos == "PROPN" or named.get(one) for one in beside)
