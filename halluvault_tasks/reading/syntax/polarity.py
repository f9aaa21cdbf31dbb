"""Whether what a path says is denied."""

from collections.abc import Collection, Iterator

from halluvault_tasks.reading import english
from halluvault_tasks.reading.clauses import beside, denies
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.cleft import WHEN, copula
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.paths import Path

REFUSING = frozenset(["fail", "refuse", "decline", "deny", "avoid", "reject"])
_FALSE = english.FALSE | {"impossible"}
_ONLY = english.ONLY - {"exactly"}
"""Behind "not" these deny nothing: "did not only direct it"."""


def denied(graph: Graph, path: Path, words: Collection[str] = ()) -> bool:
    """Whether a path's predicates are denied, an odd number of times.

    Args:
        graph: of the sentence.
        path: between the claim's ends.
        words: lemmas beside the path that the claim rests on: "have no author in common" denies by its object.
    """
    joints = set(path.joints)
    found = {word for one in joints for word in _negations(graph, one)}
    for noun in (graph.parse[one].head for one in joints if graph.parse[one].dep in ("relcl", "acl")):
        if (verb := copula(graph, noun)) >= 0:  # "it isn't Ann who was born there"
            found.update(_negations(graph, verb))
    above = _above(graph, joints)
    for index in {
        *above,
        *(one for joint in joints for one in graph.subtree(joint, CLAUSES) if graph.lemmas[one] in words),
    }:
        if graph.parse[index].pos == "NOUN":
            found.update(_determiners(graph, index))
        elif index in above:
            found.update(_negations(graph, index))
    return bool((len(found) + sum(_reverses(graph, one) for one in above)) % 2)


@rule("claims.excluded", "", otherwise=False)
def excluded(graph: Graph, end: int) -> bool:
    """Whether one end is denied by itself: "not Paris", "rather than Paris", "neither Paris nor Rome"."""
    parse = graph.parse
    if parse[parse[end].head].lemma in WHEN and parse[end].dep in ("nummod", "appos", "npadvmod"):
        end = parse[end].head  # "not in the year 1955"
    first = min([end, *(one for one in graph.children[end] if parse[one].dep in ("det", "compound", "amod", "nmod"))])
    before = [word.text.casefold() for word in parse[max(0, first - 3) : first]]
    said = [before, before[:-1]] if before and parse[first - 1].pos == "ADP" else [before]  # "rather than in Paris"
    if any(
        one[-1:] in (["not"], ["neither"], ["nor"]) or one[-2:] in (["rather", "than"], ["instead", "of"])
        for one in said
    ):
        return True
    if before[-1:] == ["but"]:  # "neither 1954 nor 1956, but 1955"
        return False
    while parse[end].dep == "conj":
        end = parse[end].head
    return any(parse[one].text.casefold() == "neither" for one in graph.children[end] if parse[one].dep != "nsubj")


@rule("claims.but", "Ann Lee was not born in 1971 but in 1973.", "Ann Lee was not born in 1971.", otherwise=False)
def opposed(graph: Graph, path: Path, end: int) -> bool | None:
    """Whether "but" stands between a denial and an end: "not in Paris but in Rome", "nobody but Anna".

    None where it stands there, but not right before the end: "was not born but adopted in 1955".
    """
    parse = graph.parse
    first = min([end, *(one for one in graph.subtree(end, CLAUSES | {"appos", "conj", "prep"}) if one < end)])
    while first and parse[first - 1].pos in ("ADP", "ADV", "DET"):
        first -= 1
    words = [*path.joints, *(one for joint in path.joints for one in graph.children[joint])]
    denials = [one for word in words for one in _negations(graph, word)]
    between = [one for one in range(min(denials, default=end), end) if parse[one].text.casefold() == "but"]
    return first - 1 in between or (None if between and between[-1] > min(path.predicates) else False)


def _negations(graph: Graph, index: int) -> Iterator[int]:
    """Words that deny a predicate, directly or as one of its arguments ("no director", "nobody")."""
    parse = graph.parse
    below = graph.children[index]
    helping = [each for one in below if parse[one].dep in ("aux", "auxpass") for each in graph.children[one]]
    for child in (*below, *helping):  # "has not been married", where "not" is hung on "been"
        word = parse[child]
        argument = parse[index].pos in ("VERB", "AUX") and word.dep in ("nsubj", "nsubjpass", "dobj", "attr")
        told = argument or word.dep in ("neg", "advmod", "preconj", "det")
        only = parse[min(child + 1, len(parse) - 1)].lemma in _ONLY
        if told and denies(parse, child) and not only and not _contrasts(graph, child):
            yield child
        if argument:
            yield from _determiners(graph, child)


@rule("claims.contrast", "", otherwise=False)
def _contrasts(graph: Graph, word: int) -> bool:
    """ "The number 17, not 16": what is denied is what follows, and not the predicate before."""
    before = graph.parse[word - 1]
    return graph.parse[word].head < word and (
        before.text in (",", "–", "-") or before.dep == "cc" or before.pos == "NUM"
    )


def _determiners(graph: Graph, noun: int) -> Iterator[int]:
    return (one for one in graph.children[noun] if graph.parse[one].dep == "det" and denies(graph.parse, one))


def _above(graph: Graph, joints: set[int]) -> list[int]:
    """What governs the clause, nearest first: "refused" of "refused to join", "part" of "took part in founding"."""
    parse = graph.parse
    index = next((one for one in sorted(joints) if parse[one].pos in ("VERB", "AUX")), min(joints))
    found = []
    while parse[index].head != index and _is_governed(graph, index) and not beside(parse, index):
        index = parse[index].head
        if index not in joints:
            found.append(index)
    return found


def _is_governed(graph: Graph, index: int) -> bool:
    """Whether what a word hangs on may deny it: not "given that …, it cannot be", but "impossible for him to be …"."""
    word = graph.parse[index]
    if word.dep == "advcl":
        infinitive = any(graph.parse[one].tag == "TO" for one in graph.children[index])
        return infinitive and graph.child(word.head, "acomp", "attr") >= 0
    return word.dep in _GOVERNED and not (word.dep == "prep" and word.tag == "VBN" and index < word.head)


@rule("claims.refusal", "Ann Lee refused to join the [Labour Party|party].", otherwise=False)
def _reverses(graph: Graph, index: int) -> bool:
    """Whether what governs a clause denies it by its meaning: "refused to join", "it is false that …"."""
    parse = graph.parse
    lemma = parse[index].lemma
    if lemma in ("be", "case", "fact"):
        return any(parse[one].lemma in _FALSE for one in graph.children[index] if parse[one].dep in ("acomp", "attr"))
    if lemma in ("far", "instead"):  # "far from being born there"
        return parse[min(index + 1, len(parse) - 1)].dep == "prep"
    return lemma in REFUSING and parse[index].pos in ("VERB", "AUX")


_GOVERNED = ("xcomp", "pcomp", "ccomp", "acl", "csubj", "prep", "pobj", "dobj", "attr", "acomp")
CLAUSES = frozenset(["relcl", "advcl", "ccomp", "parataxis"])
"""Relations by which a clause of its own hangs on a word."""
