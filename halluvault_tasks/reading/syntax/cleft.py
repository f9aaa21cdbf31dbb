"""What a clause picks out is its own: "it was in 1904 that she died", "1904 is when she died", "the year she died"."""

from typing import TYPE_CHECKING

from halluvault_tasks.reading.rules import rule

if TYPE_CHECKING:
    from halluvault_tasks.reading.syntax.graph import Graph

WHEN = frozenset(["date", "year", "day", "month", "time"])
_PICKS = ("relcl", "ccomp", "advcl")
_NAMED = ("NOUN", "PROPN", "NUM")


@rule("claims.cleft", "It was in 1904 that Ann Lee died.", "Ann Lee died in 1904.", otherwise=None)
def pick(graph: "Graph") -> None:
    """Give clauses the time, place or name that a cleft sentence, or "when" and "where", puts outside of them."""
    parse = graph.parse
    for index, word in enumerate(parse):
        if word.dep not in _PICKS:
            continue
        adverb = any(parse[one].text.casefold() in ("when", "where") for one in graph.children[index])
        if word.dep == "relcl" and parse[word.head].pos in _NAMED:
            bare = parse[word.head].lemma in WHEN and word.head not in graph.subjects(index)
            graph.add(index, "in", word.head if adverb or bare else -1)
            _beside(graph, index)
        if parse[word.head].lemma == "be" and word.head < index:
            _from_copula(graph, index, word.head, adverb)


def _from_copula(graph: "Graph", clause: int, verb: int, adverb: bool) -> None:
    """ "It was in 1904 that …", "1904 was when …"."""
    parse = graph.parse
    for subject in (one for one in graph.children[verb] if parse[one].dep == "nsubj"):
        if parse[subject].lemma.casefold() == "it":
            for one in (one for one in graph.children[verb] if parse[one].dep == "prep" and verb < one < clause):
                graph.add(clause, graph.preposition(one), graph.child(one, "pobj"), verb)
        elif adverb and parse[subject].pos in _NAMED and graph.child(verb, "attr", "acomp") < 0:
            graph.add(clause, "in", subject, verb)


@rule(
    "claims.cleft.contrast",
    "It was Ann Lee, not [Bob Fox|human], who died in 1952.",
    "It was Ann Lee who died in 1952.",
    otherwise=None,
)
def _beside(graph: "Graph", clause: int) -> None:
    """ "It was Ann, not Bob, who died": the clause is hung on the last name, and is the first one's."""
    last = graph.parse[clause].head
    first, verb = _picked(graph, last)
    if verb >= 0 and first != last:
        for edge in [one for one in graph.predicates[last] if one.word == clause]:
            graph.add(clause, edge.role, first, verb)


def copula(graph: "Graph", word: int) -> int:
    """ "Be" of a cleft that picks a word out, -1 where none does: "it was Ann who …"; Bob of "Ann, not Bob, who …"."""
    parse = graph.parse
    if parse[word].dep == "attr" and parse[min(word + 1, len(parse) - 1)].text == ",":
        return -1  # "it was not Ann, who died in 1952"
    return _picked(graph, word)[1]


def _picked(graph: "Graph", word: int) -> tuple[int, int]:
    """The first of what a cleft picks out beside a word, and its "be"; -1 where there is none."""
    parse = graph.parse
    while (
        parse[word].dep in ("appos", "conj", "pobj", "prep") and parse[word].head != word
    ):  # "Bob rather than Ann who died in 1952"
        word = parse[word].head
    verb = parse[word].head
    it = any(parse[one].lemma.casefold() == "it" for one in graph.children[verb] if one < word)
    return word, verb if it and parse[word].dep == "attr" and parse[verb].lemma == "be" else -1
