"""Paths between two words in a graph of predicates and arguments.

A path climbs from its first end to a predicate and comes down to the other end, over at most three predicates: from
Paul in "Anna is the mother of Paul" it is `of^mother`, `self`; from Jaws in "Lucas directed Jaws" `obj^direct`, `subj`.
"""

from typing import NamedTuple

from halluvault_tasks.reading.syntax.graph import Graph

_LONGEST = 4
"""Steps of a path."""


class Path(NamedTuple):
    """A way from one word to another.

    Attributes:
        steps: `role^lemma` up to a predicate, `role>lemma` down to another one, and a role down to the other end.
        predicates: positions of the predicates on it, in order.
        via: verbs through which their arguments are joined to them.
    """

    steps: tuple[str, ...]
    predicates: tuple[int, ...]
    via: tuple[int, ...]

    @property
    def joints(self) -> list[int]:
        """Positions of all words on it."""
        return [one for one in (*self.predicates, *self.via) if one >= 0]

    def onto(self, step: str, word: int, via: int) -> "Path":
        """The path with one more predicate."""
        return Path((*self.steps, step), (*self.predicates, word), (*self.via, via))

    def ended(self, role: str, *via: int) -> "Path":
        """The path down to its other end."""
        return Path((*self.steps, role), self.predicates, (*self.via, *via))


class Alias(NamedTuple):
    """A word that stands for another one, and the verbs that say so: the film and Jaws in "Jaws is a film"."""

    word: int
    via: tuple[int, ...] = ()


def same(graph: Graph, word: int) -> tuple[Alias, ...]:
    """The word itself and the nouns that say what its bearer is."""
    found = [Alias(word)]
    words = {word}
    for one in found:
        for edge in graph.predicates[one.word]:
            if edge.role == "self" and edge.word not in words and graph.parse[edge.word].pos != "PROPN":
                words.add(edge.word)
                found.append(Alias(edge.word, (*one.via, edge.via) if edge.via >= 0 else one.via))
    return tuple(found)


def between(graph: Graph, first: int, second: int) -> Path | None:
    """The shortest path between two words; None if there is none of at most `_LONGEST` steps."""
    start, goal = same(graph, first), {one.word: one.via for one in same(graph, second)}
    waiting: list[Path] = []
    for alias in start:
        for edge in graph.predicates[alias.word]:
            if edge.word != second and not _empty(graph, edge.word):
                waiting.append(Path((up(graph, edge.role, edge.word),), (edge.word,), (*alias.via, edge.via)))
    own = {one.word for one in start}
    for path in waiting:  # it grows: breadth first
        top = path.predicates[-1]
        for edge in graph.arguments[top]:
            if edge.word in goal and edge.word not in path.predicates and edge.word != first:
                return path.ended(edge.role, edge.via, *goal[edge.word])
        if len(path.steps) >= _LONGEST - 1:
            continue
        for edge in graph.arguments[top]:
            if edge.word not in (*path.predicates, *own) and graph.parse[edge.word].pos != "PROPN":
                waiting.append(path.onto(down(graph, edge.role, edge.word), edge.word, edge.via))
        for edge in graph.predicates[top]:
            if edge.word not in (*path.predicates, *own) and edge.role != "self" and not _empty(graph, edge.word):
                waiting.append(path.onto(up(graph, edge.role, edge.word), edge.word, edge.via))
    return None


def _empty(graph: Graph, word: int) -> bool:
    """Whether a word is a copula whose noun or adjective says what is meant."""
    return graph.lemmas[word] == "be" and graph.child(word, "attr", "acomp") >= 0


def up(graph: Graph, role: str, predicate: int) -> str:
    """The step from an argument to its predicate."""
    return f"{role}^{graph.lemmas[predicate]}"


def down(graph: Graph, role: str, argument: int) -> str:
    """The step from a predicate to an argument that is itself one."""
    return f"{role}>{graph.lemmas[argument]}"


def ups(graph: Graph, role: str, predicate: int) -> tuple[str, ...]:
    """The step, and the same to what class the predicate is of."""
    first = up(graph, role, predicate)
    return (first, f"{role}^{graph.classes[predicate]}") if predicate in graph.classes else (first,)
