"""Who does what to whom: a parse as predicates with arguments in roles, alike for all ways of building a clause.

"Lucas directed Jaws", "Jaws was directed by Lucas", "Jaws, directed by Lucas, …", "Lucas, who directed Jaws" and "Lucas
wrote and directed Jaws" all have the predicate `direct` with Lucas in the role `subj` and Jaws in the role `obj`.
"Anna is the mother of Paul", "Paul's mother Anna" and "Anna, Paul's mother," all have the predicate `mother` with Anna
as `self` and Paul in the role `of`. Relations of the parse are ClearNLP's (`parser.Token`).
"""

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.syntax import cleft, sharing

COPULAS = frozenset(["be", "become", "remain"])

_PARTICIPLES = {"born": "bear", "married": "marry"}
"""Participles that parsers take for adjectives."""

_PARTITIVES = wordset("one some many several most all both each any two three few eldest youngest oldest")
"""What is said of "one of his films" is said of a film of his."""

_AS = wordset(
    "serve work act play swear appoint elect name choose know begin start continue "
    "function train career role be return practice versatility debut emerge reputation "
    "life gain rise succeed post "
)
"""Words with which "as N" says what somebody is; not what he plays or is taken for."""


_MAKE = frozenset(["make", "name", "elect", "appoint"])
_HAVE = frozenset(["have", "having"])  # "Having died" has the latter as its lemma
_HAPPEN = frozenset(["be", "occur", "happen", "take", "fall", "come"])

_RELATIVES = frozenset(["WDT", "WP", "WP$", "WRB"])


class Edge(NamedTuple):
    """An argument of a predicate, or, seen from the argument, its predicate.

    Attributes:
        role: `subj` and `obj` of the active voice; `self`: what a noun says of somebody, it says of this; else the
            preposition, `of` for possessors, `mod` for what stands before a noun.
        word: position of the other end.
        via: the verb through which they are joined, whose denial counts; -1 for none.
    """

    role: str
    word: int
    via: int


class Graph:
    """A sentence's predicates and arguments. Positions are those of the parse.

    Attributes:
        arguments: predicate → its arguments.
        predicates: argument → its predicates.
    """

    def __init__(self, parse: Parse, synonyms: Mapping[str, str] = MappingProxyType({})) -> None:
        self.parse = parse
        self._synonyms = synonyms
        self.children: list[list[int]] = [[] for _ in parse]
        for index, word in enumerate(parse):
            if word.head != index:
                self.children[word.head].append(index)
        self.arguments: dict[int, list[Edge]] = defaultdict(list)
        self.predicates: dict[int, list[Edge]] = defaultdict(list)
        self._subjects: dict[int, tuple[int, ...]] = {}
        self._known: set[tuple[int, str, int]] = set()
        self.lemmas = [self._lemma(index) for index in range(len(parse))]
        self.classes: dict[int, str] = {}
        """What a word is besides its lemma: `professional` for the name of an occupation."""
        self._read()

    # ------------------------------------------------------------------ words

    def child(self, index: int, *relations: str) -> int:
        """The first word that hangs on another by one of these relations; -1 if none does."""
        return next((one for one in self.children[index] if self.parse[one].dep in relations), -1)

    def _lemma(self, index: int) -> str:
        word = self.parse[index]
        lemma = _PARTICIPLES.get(word.text, word.lemma).casefold().replace(".", "")  # "Ph.D."
        particle = self.child(index, "prt")
        if particle < 0:
            particle = next(
                (one for one in self.children[index] if self.parse[one].tag == "RP" or self.parse[one].text == "away"),
                -1,
            )
        if particle >= 0:
            lemma = f"{lemma}_{self.parse[particle].lemma.casefold()}"
        return self._synonyms.get(lemma, lemma)

    def passive(self, index: int) -> bool:
        """Whether a verb's grammatical subject is what is acted upon."""
        word = self.parse[index]
        if self.child(index, "auxpass", "nsubjpass") >= 0 or word.text == "born":
            return True
        has = any(self.parse[one].dep == "aux" and self.parse[one].lemma in _HAVE for one in self.children[index])
        return (word.tag == "VBN" or word.text in _PARTICIPLES) and not has and self.child(index, "dobj") < 0

    def past(self, index: int) -> bool:
        """Whether what is tagged as a participle may be a past tense: "was born there, studied here, and died"."""
        word = self.parse[index]
        return (
            word.tag == "VBN"
            and word.dep in ("advcl", "conj")
            and index > word.head
            and (self.child(index, "auxpass", "agent") < 0 and word.text not in _PARTICIPLES)
        )

    def subtree(self, index: int, stop: frozenset[str] = frozenset()) -> list[int]:
        """A word and what hangs on it, but for what hangs by a relation in `stop`."""
        found = [index]
        for one in found:
            found += [each for each in self.children[one] if self.parse[each].dep not in stop]
        return found

    # ------------------------------------------------------------------ building

    def add(self, predicate: int, role: str, argument: int, via: int = -1) -> None:
        """Give a predicate an argument in a role; an argument of -1 is none."""
        if argument >= 0 and predicate != argument and (predicate, role, argument) not in self._known:
            self._known.add((predicate, role, argument))
            self.arguments[predicate].append(Edge(role, argument, via))
            self.predicates[argument].append(Edge(role, predicate, via))

    def hand(self, giver: int, taker: int, via: int = -1, but: frozenset[str] = sharing.OWN) -> None:
        """Give the arguments of a predicate to another one, too, but for those in some roles."""
        for edge in list(self.arguments[giver]):
            if edge.role not in but:
                self.add(taker, edge.role, edge.word, edge.via if via < 0 else via)

    def _read(self) -> None:
        for index in range(len(self.parse)):
            self._direct(index)
        for index, word in enumerate(self.parse):
            # "did form": what has an auxiliary is a verb, whatever it was tagged as
            verbal = word.pos in ("VERB", "AUX") or self.child(index, "aux") >= 0
            if verbal or word.text in _PARTICIPLES or word.dep in ("relcl", "acl", "advcl"):
                role = "obj" if self.passive(index) else "subj"
                for subject in self.subjects(index):
                    self.add(index, role, subject)
                    if self.past(index):
                        self.add(index, "subj", subject)
        cleft.pick(self)
        sharing.share(self)
        for index, word in enumerate(self.parse):
            self._copula(index, word)
            self._named(index, word)
        for index, word in enumerate(self.parse):  # "the date of his death was 3 May 1950"
            for event in self.possessors(index) if word.lemma in cleft.WHEN else ():
                self.hand(index, event, but=frozenset(["mod"]))  # "Ann's year of birth: 1950"
        sharing.lift(self)
        sharing.share(self)
        sharing.themes(self)

    def _direct(self, index: int) -> None:
        """Arguments that hang on their predicate."""
        word = self.parse[index]
        head, dep = word.head, word.dep
        if dep in ("dobj", "obj"):
            self.add(head, "obj", self._antecedent(index))
        elif dep in ("prep", "agent", "dative") and word.pos in ("ADP", "SCONJ", "VERB"):
            role = "subj" if dep == "agent" else self.preposition(index)
            via = index if self.child(index, "neg") >= 0 else -1
            for one in self.children[index]:
                if self._joined(index, one):
                    self.add(head, role, self.child(one, "pobj"), via)
                elif self.parse[one].dep in ("pobj", "pcomp"):
                    self.add(head, role, self._antecedent(one), via)
        elif dep == "conj" and word.pos == "ADP":  # "at Eton and at Oxford", "not in 1971, but in 1973"
            governor = self.parse[head].head if self.parse[head].pos == "ADP" else head
            for one in self.children[index]:
                if self.parse[one].dep == "pobj":
                    self.add(governor, self.preposition(index), one)
        elif dep == "dative":
            self.add(head, "to", index)
        elif dep == "poss":
            self.add(head, "of", self._antecedent(index))
        elif dep in ("compound", "nmod", "nummod", "npadvmod", "quantmod", "amod"):
            self.add(head, "mod", index)
            if dep == "amod" and word.tag == "VBN":
                self.add(index, "obj", head)

    def _joined(self, index: int, child: int) -> bool:
        """Whether two prepositions are one: "due to", "out of"."""
        return child == index + 1 and self.parse[child].pos == "ADP" and self.parse[child].dep in ("prep", "pcomp")

    def preposition(self, index: int) -> str:
        """The role that a preposition gives: "in", "due_to", "such_as"."""
        word = self.parse[index]
        name = word.text.casefold()
        before = self.parse[index - 1].text.casefold() if index else ""
        if name == "as" and before == "such":
            return "such_as"
        second = next((self.parse[one].text for one in self.children[index] if self._joined(index, one)), "")
        return f"{name}_{second.casefold()}" if second else name

    def _antecedent(self, index: int) -> int:
        """What a relative pronoun stands for; any other word stands for itself."""
        word = self.parse[index]
        if word.tag not in _RELATIVES and not (word.lemma == "that" and word.tag in ("IN", "DT")):
            return index
        above = index
        while self.parse[above].head != above:
            if self.parse[above].dep == "relcl":
                return self.parse[above].head
            above = self.parse[above].head
        return -1 if word.tag in _RELATIVES else index

    def _partitive(self, index: int) -> bool:
        return self.parse[index].lemma in _PARTITIVES

    def whole(self, index: int) -> int:
        """The films of "one of his films"; any other word itself."""
        if not self._partitive(index):
            return index
        of = next((one for one in self.children[index] if self.parse[one].lemma == "of"), -1)
        return self.child(of, "pobj") if of >= 0 and self.child(of, "pobj") >= 0 else index

    def subjects(self, index: int) -> tuple[int, ...]:
        """The grammatical subjects of a verb, its own or shared with the clause that it hangs on."""
        if index not in self._subjects:
            self._subjects[index] = ()  # a parse has no circles, but one with several roots may look like it
            self._subjects[index] = self._find_subjects(index)
        return self._subjects[index]

    def _find_subjects(self, index: int) -> tuple[int, ...]:
        below = list(self.children[index])
        if (auxiliary := self.child(index, "aux")) >= 0:  # "the band did form", where the verb was taken for a noun
            below += self.children[auxiliary]
        own = [self.whole(self._antecedent(one)) for one in below if self.parse[one].dep in ("nsubj", "nsubjpass")]
        if own:
            return tuple(one for one in own if one >= 0)
        word = self.parse[index]
        if word.head == index:
            return ()
        if word.dep in ("relcl", "acl"):
            gap = self.child(index, "dobj") < 0 and word.tag not in ("VBN", "VBG", "VB") and word.dep == "relcl"
            return () if gap else (word.head,)
        if word.dep == "pcomp":
            return self.subjects(self._verb_above(self.parse[word.head].head))
        return self._shared_subjects(word)

    def _verb_above(self, index: int) -> int:
        while self.parse[index].pos not in ("VERB", "AUX") and self.parse[index].head != index:
            index = self.parse[index].head
        return index

    def _shared_subjects(self, word: Token) -> tuple[int, ...]:
        """Of a verb without one of its own those of the verb that it hangs on."""
        head = word.head
        if word.dep not in ("conj", "xcomp", "advcl", "ccomp", "dep") or self.parse[head].pos not in ("VERB", "AUX"):
            return ()
        if word.dep == "ccomp" and word.tag not in ("VBG", "VBN"):
            return ()
        objects = self._objects(head)
        if word.dep == "xcomp" and objects and word.tag == "VB" and not self.passive(head):
            return tuple(objects)
        return self.subjects(head)

    def possessors(self, index: int) -> tuple[int, ...]:
        """Whose a noun is."""
        return tuple(one.word for one in self.arguments[index] if one.role == "of")

    def _copula(self, index: int, word: Token) -> None:
        """ "X is N", "X serves as N", "they made X N": N says of itself what X is."""
        head = self.parse[word.head]
        if word.lemma in _HAPPEN and self.child(index, "attr", "acomp") < 0:  # "his birth was in 1950"
            for subject in self.subjects(index):
                if self.parse[subject].pos in ("NOUN", "NUM"):
                    self.hand(index, subject, index, frozenset(["subj"]))
        if word.dep in ("attr", "acomp", "oprd"):
            for holder in self._holders(word.head):
                self.add(index, "obj", holder if word.text in _PARTICIPLES else -1, word.head)  # "is married to"
                self._equate(index, holder, word.head)
        elif word.dep == "dobj" and head.lemma in _MAKE and head.dep == "conj" and self.passive(head.head):
            # "was appointed a judge and made a knight"
            for holder in self.subjects(word.head):
                self.add(index, "self", holder, word.head)
        elif word.dep == "pobj" and head.text.casefold() == "as":
            self._as(index, word.head)

    def _objects(self, verb: int) -> list[int]:
        return [one.word for one in self.arguments[verb] if one.role == "obj"]

    def _holders(self, verb: int) -> list[int]:
        """Of whom a verb's complement is said: "they elected X chairman", "X was chairman"."""
        objects = self._objects(verb) if self.parse[verb].lemma not in COPULAS else []
        return objects or list(self.subjects(verb))

    def _as(self, noun: int, preposition: int) -> None:
        """ "Films such as N", "X serves as N"."""
        above = self.parse[preposition].head
        if self.preposition(preposition) == "such_as":
            self._example(above, noun)
        elif self.parse[above].lemma not in _AS:
            return
        elif self.parse[above].pos in ("VERB", "AUX"):
            objects = self._objects(above)
            for holder in objects if self.passive(above) else [*self.subjects(above), *objects]:
                self.add(noun, "self", holder, above)
        else:
            for holder in self.possessors(above):
                self.add(noun, "self", holder)

    def _equate(self, noun: int, holder: int, verb: int) -> None:
        self.add(noun, "self", holder, verb)
        self.add(holder, "self", noun, verb)
        for one in (noun, holder) if self.parse[holder].pos == "NOUN" else (noun,):
            self.hand(verb, one, verb, sharing.ENDS)

    def _named(self, index: int, word: Token) -> None:
        """A noun beside a name says what its bearer is: "the film Hamlet", "Berlin, the capital of Germany"."""
        match word.dep:
            case "appos":
                self._apposition(index, word)
            case "compound" | "nmod" | "amod":
                self._before_name(index, word)
            case "conj":
                self._joined_noun(index, word)
            case "npadvmod" | "advcl" | "dep" | "nsubj":
                self._loose_noun(index, word)
            case "pobj" | "pcomp" if self.parse[word.head].text.casefold() in ("including", "like"):
                self._example(self.parse[word.head].head, index)
            case "dobj" if self.parse[word.head].lemma == "include":
                for subject in self.subjects(word.head):
                    self.add(subject, "self", index, word.head)

    def _apposition(self, index: int, word: Token) -> None:
        self.add(word.head, "self", index)
        self.add(index, "self", word.head)
        if word.pos == self.parse[word.head].pos == "PROPN":  # "three albums: Hamlet (1950), Faust (1960)"
            for edge in [one for one in self.predicates[word.head] if self.parse[one.word].tag == "NNS"]:
                self._example(edge.word, index)

    def _before_name(self, index: int, word: Token) -> None:
        if word.tag not in ("NN", "JJ") or self.parse[word.head].pos != "PROPN":
            return
        self.add(index, "self", word.head)
        for edge in list(self.arguments[word.head]):
            if edge.role in sharing.SHARED:
                self.add(index, edge.role, edge.word, edge.via)

    def _joined_noun(self, index: int, word: Token) -> None:
        """ "Two children, Anna": an example; "he and three other climbers": he was one of them."""
        if word.pos == "PROPN" and self.parse[word.head].tag in ("NN", "NNS") and self.child(word.head, "cc") < 0:
            self._example(word.head, index)
        elif any(self.parse[one].lemma == "other" for one in self.children[index]):
            self.add(index, "self", word.head)

    def _loose_noun(self, index: int, word: Token) -> None:
        """ "A member of the party, he …"; but no "1951 comes after 1950, the year in which she died"."""
        article = self.child(index, "det")
        if word.pos != "NOUN" or article < 0 or (word.lemma in cleft.WHEN and self.parse[article - 1].text == ","):
            return
        for subject in self.subjects(word.head):
            self.add(index, "self", subject if subject > index or word.dep != "nsubj" else -1)

    def _example(self, noun: int, index: int) -> None:
        """ "films such as Jaws": what is done to the films is done to Jaws."""
        self.add(noun, "self", index)
        self._play(noun, index)

    def _play(self, one: int, other: int) -> None:
        """Whatever has the one as an argument has the other, too."""
        for edge in list(self.predicates[one]):
            self.add(edge.word, edge.role, other, edge.via)
