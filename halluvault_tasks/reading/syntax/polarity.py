"""Whether what a path says is denied."""

from collections.abc import Iterator

from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.paths import Path

_NO = frozenset(["no", "neither"])
_NO_ONE = frozenset(["nobody", "none", "nothing", "neither"])
_REFUSING = frozenset(["fail", "refuse", "decline", "deny", "avoid", "reject"])
_FALSE = frozenset(["false", "untrue", "incorrect", "wrong", "inaccurate", "impossible"])


def denied(graph: Graph, path: Path) -> bool:
    """Whether a path's predicates are denied, an odd number of times."""
    joints = {one for one in (*path.predicates, *path.via) if one >= 0}
    found = {word for one in joints for word in _negations(graph, one)}
    return bool((len(found) + _above(graph, joints)) % 2)


def _negations(graph: Graph, index: int) -> Iterator[int]:
    """Words that deny a predicate, directly or as one of its arguments ("no director", "nobody")."""
    parse = graph.parse
    for child in graph.children[index]:
        word = parse[child]
        text = word.text.casefold()
        if word.dep == "neg" or (word.dep in ("advmod", "preconj") and text in ("never", "neither")):
            yield child
        elif word.dep == "det" and text in _NO:
            yield child
        elif parse[index].pos in ("VERB", "AUX") and word.dep in ("nsubj", "nsubjpass", "dobj", "attr"):
            if text in _NO_ONE:
                yield child
            yield from (one for one in graph.children[child] if parse[one].dep == "det" and parse[one].text.casefold() in _NO)


def _above(graph: Graph, joints: set[int]) -> int:
    """Denials by what governs the clause: "refused to join", "it is not true that …"."""
    parse = graph.parse
    index = next((one for one in sorted(joints) if parse[one].pos in ("VERB", "AUX")), min(joints))
    found = 0
    while parse[index].head != index:
        dep, index = parse[index].dep, parse[index].head
        if index in joints:
            continue
        if dep in ("xcomp", "pcomp") or (dep == "ccomp" and parse[index].lemma in _REFUSING):
            found += (parse[index].lemma in _REFUSING) + _plain_negation(graph, index)
        elif dep in ("ccomp", "acl", "csubj") and parse[index].lemma in ("be", "case", "fact"):
            said = {parse[one].lemma for one in graph.children[index] if parse[one].dep in ("acomp", "attr")}
            found += bool(said & _FALSE) + _plain_negation(graph, index)
        elif dep not in ("prep", "pobj", "conj", "attr", "acomp", "dobj"):
            break
    return found


def _plain_negation(graph: Graph, index: int) -> int:
    return int(any(graph.parse[one].dep == "neg" for one in graph.children[index]))
