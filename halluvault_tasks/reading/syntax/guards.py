"""Why a claim may not convict: what its clause is to the text, and what stands beside its predicate."""

from collections.abc import Collection

from halluvault_tasks.reading.base import Guard
from halluvault_tasks.reading.clauses import Modality, clauses
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.sentence import Sentenced

_INEXACT = wordset(
    "step half great grand foster adoptive adopted deputy vice assistant associate acting honorary interim "
    "fictional future spiritual unofficial de-facto so-called unsuccessful "
    "failed ceremonial disputed proposed planned second-largest almost nearly roughly around circa about approximately"
)
_GUARDS: dict[Modality, set[Guard]] = {
    "supposed": {"condition"}, "attributed": {"attribution"}, "hedged": {"hedge"}, "asked": {"question"},
}  # fmt: skip
_MODIFIES = ("amod", "compound", "nmod", "advmod")
_SAME_CLAUSE = frozenset(["relcl", "advcl", "ccomp", "acl", "conj", "parataxis"])
"""Relations by which another clause hangs on a word."""


class PredicateGuards:
    """What stands around predicates in a sentence.

    Args:
        said: the sentence.
    """

    def __init__(self, said: Sentenced) -> None:
        self._said = said
        self._clauses = {word: one for one in clauses(said.graph.parse, asks=said.sentence.asks) for word in one.words}

    def guards(self, predicates: Collection[int], subject: Mention, accounted: Collection[int]) -> tuple[Guard, ...]:
        """Guards of a claim that words at these positions state, in order of their names.

        Args:
            predicates: positions.
            subject: whom it is about.
            accounted: words of what the sentence's claims speak of.
        """
        graph, found = self._said.graph, set[Guard]()
        for index in predicates:
            clause = self._clauses[index]
            found |= _GUARDS.get(clause.modality, set())
            found |= {"attribution"} if clause.unfound else set()
            beside = (graph.parse[one] for one in graph.children[index])
            if any(one.dep in _MODIFIES and one.lemma.casefold() in _INEXACT for one in beside):
                found.add("inexact")
        if self._holds_more(predicates, subject, accounted):
            found.add("doubtful")
        if any(index in self._said.quoted for index in predicates):
            found.add("quotation")
        return tuple(sorted(found))

    @rule("doubt.more", "", otherwise=False)
    def _holds_more(self, predicates: Collection[int], subject: Mention, accounted: Collection[int]) -> bool:
        """Whether the clause names somebody of whom it may be said as well, and no claim of the sentence speaks of."""
        scope = self._scope(predicates)
        return any(
            word in scope and word not in accounted and self._said.graph.parse[word].text[0].isupper()
            and mention.may_be(subject)
            for word, mention in zip(self._said.words, self._said.mentions, strict=True)
        )  # fmt: skip

    def _scope(self, predicates: Collection[int]) -> set[int]:
        """The words of the smallest clause around the predicates, without clauses inside it."""
        graph = self._said.graph
        found: set[int] = set()
        for index in predicates:
            top = index
            while graph.parse[top].pos not in ("VERB", "AUX") and graph.parse[top].head != top:
                top = graph.parse[top].head
            found.update(graph.subtree(top, _SAME_CLAUSE))
        return found
