"""Why a claim may not convict: what its clause stands in (semantics.md section 4.2)."""

from collections.abc import Collection, Iterator

from halluvault_tasks.reading.base import Guard
from halluvault_tasks.reading.syntax.graph import Graph

_CONDITIONS = frozenset(["if", "unless", "whether", "suppose", "supposing", "assuming", "provided", "though", "lest"])
_HYPOTHETICAL = frozenset(["would", "could", "might", "may", "should", "ought", "must", "can"])
_DOUBT = frozenset(
    "probably perhaps possibly maybe likely reportedly allegedly apparently supposedly presumably seemingly arguably "
    "purportedly potentially almost nearly roughly unclear uncertain rumored unconfirmed around circa about "
    "approximately".split()
)
_DOUBTING = frozenset("seem appear believe think consider guess assume suspect rumor allege presume expect want hope try plan intend aim".split())
_SAYING = frozenset(
    "say claim state suggest argue report write mention assert believe think consider assume ask question wonder "
    "imply deny speculate propose maintain tell contend allege describe call imagine suppose conclude accuse".split()
)
_KNOWING = frozenset("know establish document record follow mean show confirm note remember recall".split())
_INEXACT = frozenset(
    "step half great grand foster adoptive adopted deputy vice assistant associate acting honorary interim supposed fictional "
    "future potential possible spiritual unofficial alleged de-facto so-called unsuccessful failed ceremonial "
    "disputed proposed planned second-largest".split()
)  # fmt: skip
_TITLES = frozenset("mr mrs ms dr sir lady lord dame president king queen prince princess senator saint st pope professor emperor".split())
_FAR: frozenset[Guard] = frozenset(["attribution", "quotation"])
_FIRST_PERSON = frozenset(["i", "we", "it", "this", "that", "which"])


class Clause:
    """What stands around predicates in a sentence's graph.

    Args:
        graph: of the sentence.
        quoted: positions that stand in quotation marks.
        named: positions that mentions cover.
        asks: the sentence is a question.
    """

    def __init__(self, graph: Graph, quoted: Collection[int], named: Collection[int], asks: bool) -> None:
        self._graph, self._quoted, self._named = graph, quoted, named
        self._asks = asks
        self._above: dict[int, frozenset[Guard]] = {}

    def guards(self, predicates: Collection[int]) -> tuple[Guard, ...]:
        """Guards of a claim with these predicates, in order of their names."""
        found: set[Guard] = set()
        for index in predicates:
            found |= self._around(index)
            if any(self._graph.parse[one].lemma.casefold() in _INEXACT for one in self._modifiers(index)):
                found.add("inexact")
        if self._unknown_name(predicates):
            found.add("unknown_name")
        if any(index in self._quoted for index in predicates):
            found.add("quotation")
        if self._asks:
            found.add("question")
        return tuple(sorted(found))

    def _around(self, index: int) -> frozenset[Guard]:
        if index not in self._above:
            self._above[index] = frozenset()
            own = frozenset(self._own(index))
            parse = self._graph.parse
            above = self._around(parse[index].head) if parse[index].head != index else frozenset()
            if parse[index].dep in ("relcl", "acl", "appos"):  # what is said in passing is not what is supposed
                above &= _FAR
            self._above[index] = own | above
        return self._above[index]

    def _modifiers(self, index: int) -> list[int]:
        parse = self._graph.parse
        return [one for one in self._graph.children[index] if parse[one].dep in ("amod", "compound", "nmod", "advmod")]

    def _own(self, index: int) -> Iterator[Guard]:
        """What a word's modifiers, and its relation to its head, do to what it says."""
        parse = self._graph.parse
        word = parse[index]
        for child in self._graph.children[index]:
            lemma, dep = parse[child].lemma.casefold(), parse[child].dep
            if dep in ("mark", "prep", "advmod") and lemma in _CONDITIONS:
                yield "condition"
            elif dep == "aux" and parse[child].text.casefold() in _HYPOTHETICAL:
                yield "hedge"
            elif dep in ("advmod", "amod", "acomp") and lemma in _DOUBT:
                yield "hedge"
            elif dep == "prep" and lemma == "accord":
                yield "attribution"
        head = parse[word.head]
        if word.dep in ("xcomp", "ccomp", "oprd") and head.lemma in _DOUBTING:
            yield "hedge"
        if word.dep in ("ccomp", "acl", "pcomp", "csubj", "dep", "parataxis"):
            yield from self._said(word.head)

    def _said(self, head: int) -> Iterator[Guard]:
        """Whether a clause is what somebody says, thinks or asks."""
        parse = self._graph.parse
        lemma = parse[head].lemma
        if lemma in _SAYING:
            yield "attribution"
        elif lemma in _KNOWING:
            subjects = {parse[one].text.casefold() for one in self._graph.subjects(head)}
            if not subjects & _FIRST_PERSON and parse[head].tag != "VBN":
                yield "attribution"
        elif parse[head].pos == "NOUN" and lemma in ("statement", "claim", "question", "assertion", "idea", "belief", "rumor", "myth", "assumption", "proposition"):
            yield "attribution"

    def _unknown_name(self, predicates: Collection[int]) -> bool:
        """Whether the clause names somebody or something that no mention covers."""
        parse = self._graph.parse
        for index in self._scope(predicates):
            word = parse[index]
            if word.tag in ("NNP", "NNPS") and index not in self._named and word.text[:1].isupper():
                if word.text.rstrip(".").casefold() not in _TITLES and len(word.text) > 1:
                    return True
        return False

    def _scope(self, predicates: Collection[int]) -> set[int]:
        """The words of the smallest clause around the predicates, without clauses inside it."""
        graph = self._graph
        found: set[int] = set()
        for index in predicates:
            top = index
            while graph.parse[top].pos not in ("VERB", "AUX") and graph.parse[top].head != top:
                top = graph.parse[top].head
            found.update(graph.subtree(top, _CLAUSES))
        return found


_CLAUSES = frozenset(["relcl", "advcl", "ccomp", "acl", "conj", "parataxis"])
