"""Why a claim may not convict: what its clause is to the text, and what stands beside its predicate."""

from halluvault_tasks.reading.base import Guard
from halluvault_tasks.reading.clauses import Modality, clauses
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.match import Matched
from halluvault_tasks.reading.syntax.polarity import excluded
from halluvault_tasks.reading.syntax.sentence import Sentenced, is_name

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
_LOOSE = ("conj", "appos", "npadvmod", "dep", "nsubj")
_WHERE = ("in", "at")
"""Behind these nobody is meant whose name is not known."""


class ClaimGuards:
    """What stands around the claims of a sentence.

    Args:
        said: the sentence.
    """

    def __init__(self, said: Sentenced) -> None:
        self._said = said
        made = clauses(said.graph.parse, asks=said.sentence.asks)
        self._clauses = {word: clause for clause in made for word in clause.words}
        self._named = {word: number for number, word in enumerate(said.words) if word >= 0}

    def guards(self, claim: Matched) -> set[Guard]:
        """Why a claim of the sentence may not convict."""
        graph, found = self._said.graph, set[Guard]()
        for joint in claim.path.joints:
            clause = self._clauses[joint]
            found |= _GUARDS.get(clause.modality, set())
            if clause.unfound or (clause.judged and clause.denied != claim.negative):
                found.add("attribution")
            beside = (graph.parse[child] for child in graph.children[joint])
            if any(word.dep in _MODIFIES and word.lemma.casefold() in _INEXACT for word in beside):
                found.add("inexact")
        if self._is_of_another(claim) or self._is_nearer(claim):
            found.add("doubtful")
        if self._holds_unknown(claim) or any(self._said.mentions[end].longer for end in (claim.subject, claim.object)):
            found.add("unknown_name")
        if any(joint in self._said.quoted for joint in claim.path.joints):
            found.add("quotation")
        return found

    @rule("doubt.name", "", otherwise=False)
    def _holds_unknown(self, claim: Matched) -> bool:
        """Whether its clause names somebody or something that is not known here."""
        parse, covered = self._said.graph.parse, self._said.covered
        words = {word for joint in claim.path.joints for word in self._clauses[joint].words}
        return any(is_name(parse[word]) for word in words - covered)

    @rule(
        "doubt.nearer",
        "She is the younger sister of Paul Carr (born 1939).",
        "Anna Bates, who studied under Paul Carr, was born in 1939.",
        otherwise=False,
    )
    def _is_nearer(self, claim: Matched) -> bool:
        """Whether a date or place stands nearer to somebody else in its clause: "in 1971, after Bob in 1968"."""
        first, last = (self._said.words[end] for end in (claim.subject, claim.object))
        subject = self._said.mentions[claim.subject]
        if last < 0 or self._said.mentions[claim.object].may_be(subject):
            return False
        clause = self._clauses[last]
        words = {*clause.words} - ({*clause.subject} if first in clause.subject else set())
        if self._said.graph.parse[clause.predicate].dep in ("relcl", "acl"):  # of one of the nouns before it
            words.update(self._clauses[self._said.graph.parse[clause.predicate].head].words)
        between = [word for word in words - {*claim.path.joints} if word < last and not word <= first < last]
        return any(self._may_be(word, subject) and self._top(word) != self._top(first) for word in between)

    def _may_be(self, word: int, subject: Mention) -> bool:
        """Whether what is said of a subject may be said of a word: of a name, or of "her brother" beside no verb."""
        graph = self._said.graph
        token, top = graph.parse[word], graph.parse[self._top(word)]
        if word in self._named:
            mention = self._said.mentions[self._named[word]]
            if mention.kinds:
                return mention.may_be(subject) and not excluded(graph, word)
        elif word in self._said.covered:
            return False
        if top.dep == "pobj" and graph.parse[top.head].lemma in _WHERE:
            return False
        proper = token.tag in ("NNP", "NNPS") and token.text[:1].isupper()
        return proper or (token.dep in _LOOSE and token.pos == "NOUN" and graph.child(word, "poss") >= 0)

    def _top(self, word: int) -> int:
        """The first of what is joined: "the film Jaws" of "the film Jaws and the play Faust"."""
        parse = self._said.graph.parse
        while word >= 0 and parse[word].dep in _JOINED and parse[word].head != word:
            word = parse[word].head
        return word

    @rule("doubt.another", "", otherwise=False)
    def _is_of_another(self, claim: Matched) -> bool:
        """Whether its object stands in a clause with a subject of its own: "and Bob came in 1968"."""
        first, last = (self._said.words[end] for end in (claim.subject, claim.object))
        if last < 0 or not claim.path.predicates:
            return False
        clause = self._clauses[last]
        own = {self._clauses[joint].predicate for joint in claim.path.joints}
        if clause.predicate in own or {first, last} & {*clause.subject}:
            return False
        return any(self._may_be(word, self._said.mentions[claim.subject]) for word in clause.subject)
