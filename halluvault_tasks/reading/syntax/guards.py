"""Why a claim may not convict: what its clause is to the text, and what stands beside its predicate."""

from collections.abc import Iterable

from halluvault_tasks.reading.base import Guard
from halluvault_tasks.reading.clauses import Modality, clauses
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.match import Matched
from halluvault_tasks.reading.syntax.polarity import CLAUSES
from halluvault_tasks.reading.syntax.sentence import Sentenced

_INEXACT = wordset(
    "step half great grand foster adoptive deputy vice assistant associate acting honorary interim "
    "fictional future "
    "failed disputed proposed almost nearly roughly around about approximately"
)
_GUARDS: dict[Modality, set[Guard]] = {
    "supposed": {"condition"}, "attributed": {"attribution"}, "hedged": {"hedge"}, "asked": {"question"},
}  # fmt: skip
_MODIFIES = ("amod", "compound", "nmod", "advmod")
_JOINED = ("conj", "appos", "compound", "nmod")
_VERBAL = ("VERB", "AUX")


def _is_part(mention: Mention, others: Iterable[Mention]) -> bool:
    """Whether a name is only a part of another: "Caribbean" of a film's title."""
    return any(
        other.span != mention.span and other.span.start <= mention.span.start and mention.span.end <= other.span.end
        for other in others
    )


class ClaimGuards:
    """What stands around the claims of a sentence.

    Args:
        said: the sentence.
        claims: all that it states.
    """

    def __init__(self, said: Sentenced, claims: Iterable[Matched]) -> None:
        self._said = said
        self._clauses = {
            word: each for each in clauses(said.graph.parse, asks=said.sentence.asks) for word in each.words
        }
        spoken = {said.mentions[end].qids for claim in claims for end in (claim.subject, claim.object)}
        self._others = [
            (word, mention)
            for word, mention in zip(said.words, said.mentions, strict=True)
            if mention.kind in ("entity", "name") and (not mention.qids or mention.qids not in spoken)
            and word >= 0 and said.graph.parse[word].text[0].isupper() and not _is_part(mention, said.mentions)
        ]  # fmt: skip
        """Names of which no claim speaks."""

    def guards(self, claim: Matched) -> set[Guard]:
        """Why a claim of the sentence may not convict."""
        graph, found = self._said.graph, set[Guard]()
        for joint in claim.path.joints:
            clause = self._clauses[joint]
            found |= _GUARDS.get(clause.modality, set()) | ({"attribution"} if clause.unfound else set())
            beside = (graph.parse[child] for child in graph.children[joint])
            if any(word.dep in _MODIFIES and word.lemma.casefold() in _INEXACT for word in beside):
                found.add("inexact")
        if self._is_of_another(claim) or self._holds_more(claim):
            found.add("doubtful")
        if any(joint in self._said.quoted for joint in claim.path.joints):
            found.add("quotation")
        return found

    @rule("doubt.more", "", otherwise=False)
    def _holds_more(self, claim: Matched) -> bool:
        """Whether its clause names somebody of whom it may be said as well, and no claim of the sentence speaks."""
        if not self._others:
            return False
        scope, subject = self._scope(claim), self._said.mentions[claim.subject]
        top = self._top(self._said.words[claim.subject])
        return any(
            word in scope and mention.may_be(subject) and self._top(word) != top
            and (mention.kinds or not self._is_where(word))
            for word, mention in self._others
        )  # fmt: skip

    def _top(self, word: int) -> int:
        """The first of what is joined: "the film Jaws" of "the film Jaws and the play Faust"."""
        parse = self._said.graph.parse
        while word >= 0 and parse[word].dep in _JOINED and parse[word].head != word:
            word = parse[word].head
        return word

    def _is_where(self, word: int) -> bool:
        """Whether a name says where: nobody is behind "in"."""
        parse = self._said.graph.parse
        return parse[word].dep == "pobj" and parse[parse[word].head].lemma in ("in", "at")

    @rule("doubt.another", "", otherwise=False)
    def _is_of_another(self, claim: Matched) -> bool:
        """Whether its object stands in a clause with a subject of its own: "and Bob came in 1968"."""
        first, last = (self._said.words[end] for end in (claim.subject, claim.object))
        if last < 0 or not claim.path.predicates:
            return False
        clause = self._clauses[last]
        own = {self._clauses[joint].predicate for joint in claim.path.joints}
        return clause.predicate not in own and bool(clause.subject) and first not in clause.subject

    def _scope(self, claim: Matched) -> set[int]:
        """The words of the smallest clause around a claim's predicates, without clauses inside it."""
        graph, found = self._said.graph, set[int]()
        for joint in claim.path.joints:
            top = joint
            while graph.parse[top].pos not in _VERBAL and graph.parse[top].head != top:
                top = graph.parse[top].head
            waiting = [top]
            for word in waiting:  # it grows
                waiting += [child for child in graph.children[word] if not self._begins_clause(child)]
            found.update(waiting)
        return found

    def _begins_clause(self, word: int) -> bool:
        token = self._said.graph.parse[word]
        return token.dep in CLAUSES or token.dep == "acl" or (token.dep == "conj" and token.pos in _VERBAL)
