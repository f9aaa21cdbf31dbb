"""Arguments that a sentence states once and several predicates have: what is joined by "and", or lifted to a verb."""

from typing import TYPE_CHECKING

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.rules import rule

if TYPE_CHECKING:
    from halluvault_tasks.reading.syntax.graph import Graph

THEME = "theme"
"""Role of the subject of a verb without object, which may be what its object would be: "the band formed in 1968"."""

_LIGHT = wordset("have make give take get receive do play hold earn land obtain complete begin start")
"""Verbs whose object says what is done: who plays a role is the one of whom the role is."""

ENDS = frozenset(["subj", "obj", "self"])
OWN = ENDS | {"mod", "of"}
"""Roles that an argument has in its own predicate alone."""

NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM", "ADJ", "X"])
SHARED = frozenset(["of", "for", "at", "with", "in", "on", "to", "mod"])

_AROUND = wordset("as for with after in through following")

EVENTS = wordset("birth death release premiere founding")
"""Nouns that have a date of their own: "with a birth in 1937 and a death in 2000, he died aged 63"."""

_ACTS = wordset("role performance appearance career stint spell degree nomination win debut work")
"""Nouns of what somebody does, so that they are the subject's: "after a stint at Ajax, he …"."""


@rule(
    "claims.lift", "Ann Lee is an actor born in 1950, in [Berlin|place].", "Ann Lee was born in 1950.", otherwise=None
)
def lift(graph: "Graph") -> None:
    """What hangs on a verb's object may hang on the verb, and the other way round: parsers cannot tell."""
    for index, word in reversed(list(enumerate(graph.parse))):  # a verb's object has what its adverbials have
        if word.lemma in _LIGHT:
            _to_what_is_done(graph, index)
        if word.pos == "NUM" or (word.dep == "pobj" and word.lemma == "age"):  # "died at the age of 80 in Oslo"
            graph.hand(index, _verb_above(graph, index), but=frozenset(["self", "mod", "of"]))
        if word.pos == "PROPN":  # "starred alongside Anna in Hamlet"
            for up in [one for one in graph.predicates[index] if graph.parse[one.word].pos == "VERB"]:
                graph.hand(index, up.word)
        if word.dep == "xcomp" and word.tag == "VBG" and graph.child(index, "dobj") < 0:  # "studied acting at Yale"
            graph.hand(index, word.head)
        if word.dep in ("acl", "relcl"):  # "an actor born in 1950, in Berlin"
            for edge in list(graph.arguments[word.head]):
                if edge.word > index and edge.role not in OWN:
                    graph.add(index, edge.role, edge.word)
        if (verb := _governor(graph, index)) >= 0:
            _from_argument(graph, index, verb)


def _verb_above(graph: "Graph", index: int) -> int:
    while graph.parse[index].pos != "VERB" and graph.parse[index].head != index:
        index = graph.parse[index].head
    return index


def _to_what_is_done(graph: "Graph", verb: int) -> None:
    """ "Play a role in Jaws": the role is the subject's."""
    for edge in [one for one in graph.arguments[verb] if one.role == "obj"]:
        for subject in graph.subjects(verb):
            graph.add(edge.word, "of", subject, verb)


def _governor(graph: "Graph", index: int) -> int:
    """What a noun is an argument of, itself or behind a preposition of circumstance; -1: of nothing."""
    word = graph.parse[index]
    if word.pos != "NOUN" or word.dep not in ("dobj", "attr", "pobj", "nsubjpass"):
        return -1
    if word.dep != "pobj":
        return word.head
    preposition = graph.parse[word.head]
    return preposition.head if preposition.text.casefold() in _AROUND and word.lemma not in EVENTS else -1


def _from_argument(graph: "Graph", index: int, verb: int) -> None:
    word = graph.parse[index]
    if graph.parse[verb].pos in ("NOUN", "PROPN"):  # "a degree in law from Yale"
        graph.hand(index, verb)
    if graph.parse[verb].pos not in ("VERB", "AUX"):
        return
    graph.hand(index, verb)
    if word.dep == "pobj" and word.lemma in _ACTS and not graph.possessors(index):
        for subject in graph.subjects(verb):  # "after a stint at …, he …"
            graph.add(index, "of", subject, verb)
    if word.dep == "dobj":
        graph.hand(verb, index, verb, ENDS)


@rule(
    "claims.theme",
    "The band [Saxon Hill|musical_group,organisation] formed in 1968.",
    "[Bob Fox|human] formed the band [Saxon Hill|musical_group,organisation].",
    otherwise=None,
)
def themes(graph: "Graph") -> None:
    """Who does something to nothing may be what it is done to."""
    for index in list(graph.arguments):
        edges = list(graph.arguments[index])
        complement = graph.child(index, "ccomp", "xcomp", "attr", "acomp", "oprd") >= 0
        if not complement and all(edge.role != "obj" for edge in edges):
            for edge in edges:
                if edge.role == "subj":
                    graph.add(index, THEME, edge.word, edge.via)


def share(graph: "Graph") -> None:
    """What is joined by "and" shares roles and arguments."""
    for index, word in enumerate(graph.parse):
        if word.dep != "conj":
            continue
        first = word.head
        if graph.parse[first].pos in ("VERB", "AUX") and word.pos in ("NOUN", "PROPN"):
            first = _last_noun(graph, first, index)  # "appeared in films, as well as the show Faust"
        if first < 0:
            continue
        if graph.parse[first].pos in ("VERB", "AUX"):
            _share_verbs(graph, first, index)
        elif word.pos in NOMINAL or word.tag == "VB":
            _share_predicates(graph, first, index)
            _share_arguments(graph, first, index)
            _share_arguments(graph, index, first)


def _share_predicates(graph: "Graph", first: int, second: int) -> None:
    """Two nouns that are joined are arguments of the same, and called the same."""
    for edge in list(graph.predicates[first]):
        if first < edge.word < second and graph.parse[edge.word].dep in ("acl", "relcl"):
            continue  # "Anna, born in 1950, and Paul"
        if edge.role != "self" or edge.via >= 0 or graph.parse[edge.word].tag in ("NNS", "NNPS"):
            graph.add(edge.word, edge.role, second, edge.via)
            continue
        for other in list(graph.predicates[edge.word]):  # "the film Jaws and the play Faust"
            if other.role != "self":
                graph.add(other.word, other.role, second, other.via)
    proper = graph.parse[second].pos == "PROPN"
    for edge in list(graph.arguments[first]):
        if edge.role == "self" and (graph.parse[first].pos != "PROPN" or (edge.via >= 0 and proper)):
            graph.add(second, "self", edge.word, edge.via)


def _last_noun(graph: "Graph", verb: int, before: int) -> int:
    """The last noun before a place that hangs on a verb or on a preposition of it; -1 if there is none."""
    nouns = (one for one in range(before - 1, verb, -1) if graph.parse[one].pos in ("NOUN", "PROPN"))
    return next((one for one in nouns if graph.parse[one].dep in ("dobj", "pobj", "attr", "oprd")), -1)


def _share_arguments(graph: "Graph", giver: int, taker: int) -> None:
    has = {edge.role for edge in graph.arguments[taker]}
    if graph.parse[giver].pos != "NOUN" or graph.parse[taker].pos == "PROPN":
        return
    for edge in list(graph.arguments[giver]):
        if edge.role in SHARED - has and edge.word != taker:
            graph.add(taker, edge.role, edge.word, edge.via)


def _share_verbs(graph: "Graph", first: int, second: int) -> None:
    has = {edge.role for edge in graph.arguments[first]}
    if not has - {"subj"} or (graph.passive(first) and not has - {"obj"}):
        for edge in list(graph.arguments[second]):
            if edge.role not in has | {"subj"}:
                graph.add(first, edge.role, edge.word, edge.via)
