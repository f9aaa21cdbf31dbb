"""Why a claim may not convict: what its clause stands in (semantics.md section 4.2)."""

from collections.abc import Collection, Iterator

from halluvault_tasks.reading import english
from halluvault_tasks.reading.base import Guard
from halluvault_tasks.reading.clauses import clauses
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.cleft import WHEN
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.polarity import REFUSING
from halluvault_tasks.reading.syntax.sentence import is_name

_HYPOTHETICAL = frozenset(["would", "could", "might", "may", "should", "ought", "must", "can"])
_DOUBT = wordset(
    "probably perhaps possibly maybe likely reportedly allegedly apparently supposedly presumably seemingly "
    "arguably purportedly potentially almost nearly roughly unclear uncertain rumored unconfirmed around circa "
    "about approximately necessarily either"
)
_DOUBTING = wordset(
    "seem appear believe think consider guess assume suppose suspect rumor allege presume expect want hope try "
    "plan intend aim"
)
_SAYING = wordset(
    "say claim state suggest argue report write mention assert believe think consider assume ask question wonder "
    "imply deny speculate propose maintain tell contend allege describe call imagine suppose conclude accuse"
)
_INEXACT = wordset(
    "step half great grand foster adoptive adopted deputy vice assistant associate acting honorary interim "
    "supposed fictional future potential possible spiritual unofficial alleged de-facto so-called unsuccessful "
    "failed ceremonial disputed proposed planned second-largest"
)
_MODIFIES = ("amod", "compound", "nmod", "advmod")
_FAR: frozenset[Guard] = frozenset(["attribution", "quotation"])


class PredicateGuards:
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
        self._standing = {word: one for one in clauses(graph.parse) for word in one.words}

    def guards(self, predicates: Collection[int]) -> tuple[Guard, ...]:
        """Guards of a claim that words at these positions state, in order of their names."""
        found: set[Guard] = set()
        for index in predicates:
            found |= self._around(index)
            beside = (self._graph.parse[one] for one in self._graph.children[index])
            if any(one.dep in _MODIFIES and one.lemma.casefold() in _INEXACT for one in beside):
                found.add("inexact")
        if any(self._put_by_question(index) for index in predicates):
            found.add("attribution")
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
            below = [parse[one] for one in self._graph.children[index]]
            reason = any(one.dep == "mark" and one.lemma in english.REASON for one in below)
            if parse[index].dep in ("relcl", "acl", "appos"):  # what is said in passing is not what is supposed
                above &= _FAR
            elif reason:  # "he cannot have died in 1994, because he died in 1989"
                above -= {"hedge"}
            elif parse[index].dep == "conj" and any(one.dep.startswith("nsubj") for one in below):
                would = parse[parse[index].head].dep != "advcl"  # "it would be right; but he was born in 1952"
                above -= {"hedge", "condition"} if would else {"hedge"}
            self._above[index] = own | above
        return self._above[index]

    @rule("doubt.question", "The question puts her death in 1950.", otherwise=False)
    def _put_by_question(self, index: int) -> bool:
        """Whether only the question or the statement has it so: "the question puts its release in 1986"."""
        parse = self._graph.parse
        while parse[index].pos not in ("VERB", "AUX") and parse[index].head != index:
            index = parse[index].head
        subjects = {parse[one].lemma for one in self._graph.children[index] if parse[one].dep == "nsubj"}
        return bool(subjects & english.STATED) and parse[index].lemma not in english.COPULA

    def _own(self, index: int) -> Iterator[Guard]:
        """What a word's modifiers, and its relation to its head, do to what it says."""
        parse = self._graph.parse
        word = parse[index]
        standing = self._standing[index]
        if standing.soft or standing.guard:
            yield standing.guard or "attribution"
        for child in self._graph.children[index]:
            lemma, dep = parse[child].lemma.casefold(), parse[child].dep
            if (dep == "aux" and parse[child].text.casefold() in _HYPOTHETICAL) or (
                dep in ("advmod", "amod", "acomp", "preconj", "cc") and lemma in _DOUBT
            ):
                yield "hedge"
            elif dep == "prep" and lemma == "accord":
                yield "attribution"
        head = parse[word.head]
        placing = word.dep == "csubj" and word.tag == "VBG"  # "placing her death in 2015 is a mistake"
        if placing or (word.dep == "relcl" and head.pos == "NOUN" and self._fills_none(index)):
            yield "attribution"
        if word.dep in ("xcomp", "ccomp", "oprd"):
            if head.lemma in _DOUBTING or (head.lemma in REFUSING and self._graph.child(word.head, "neg") >= 0):
                yield "hedge"
            if head.lemma in _SAYING and word.dep == "xcomp" and self._graph.passive(word.head):
                yield "attribution"

    @rule("doubt.rumor", "The rumor that Ann Lee died in 1949 was spread.", otherwise=False)
    def _fills_none(self, index: int) -> bool:
        """ "The rumor that he died in 1949" is no relative clause, whatever the parse calls it: it lacks nothing."""
        parse, head = self._graph.parse, self._graph.parse[index].head
        below = [parse[one] for one in self._graph.children[index]]
        that = any(one.text == "that" and one.dep in ("dobj", "mark") for one in below)
        whole = any(one.dep.startswith("nsubj") and one.text != "that" for one in below)
        told = parse[head].lemma in english.STATED | english.FALSE
        return that and whole and (told or (head not in self._named and parse[head].lemma not in WHEN))

    @rule("doubt.name", "", otherwise=False)
    def _unknown_name(self, predicates: Collection[int]) -> bool:
        """Whether the clause names somebody or something that no mention covers."""
        parse = self._graph.parse
        return any(index not in self._named and is_name(parse[index]) for index in self._scope(predicates))

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
