"""Universal Dependencies (v2, https://universaldependencies.org/en/dep/) as the ClearNLP labels that the reader knows.

UD hangs function words on content words; ClearNLP lets "be" and prepositions govern, chains what is joined by "and",
and ends names with their head. Trees in, trees out; a fault of the parse stays one.
"""

from itertools import pairwise

from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.parser import Parse

_LABELS = {
    "nsubj:pass": "nsubjpass", "csubj:pass": "csubjpass", "aux:pass": "auxpass", "obj": "dobj", "iobj": "dative",
    "nmod:poss": "poss", "acl:relcl": "relcl", "cc:preconj": "preconj", "det:predet": "predet", "compound:prt": "prt",
    "nmod:tmod": "npadvmod", "nmod:npmod": "npadvmod", "nmod:unmarked": "npadvmod", "nmod:desc": "compound",
    "obl": "npadvmod", "flat": "compound", "goeswith": "compound", "discourse": "intj", "vocative": "npadvmod",
    "fixed": "advmod", "case": "prep", "list": "conj", "dislocated": "dep", "orphan": "dep", "reparandum": "dep",
}  # fmt: skip
"""UD's label, with its subtype or without, to ClearNLP's where that depends on nothing else and differs."""

_CLAUSAL = wordset("nsubj csubj aux mark cc punct advcl parataxis expl discourse vocative dislocated")
"""What hangs on a clause's predicate in UD, and on its copula in ClearNLP."""

_GOVERNED = wordset("nmod obl conj root advcl acl ccomp xcomp dep parataxis appos list orphan")
"""Relations of what a preposition governs."""

_FOLLOWING = wordset("obj iobj obl xcomp ccomp")
"""What several verbs joined by "and" may have in common, behind the last of them."""

_NAMING = wordset("appoint call crown declare dub elect make name nickname proclaim title vote")
"""Verbs whose object in the passive says what somebody is: "was named captain"."""

_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "DET", "SYM", "X")


def clearnlp(parse: Parse) -> Parse:
    """A parse with UD's relations (`nsubj:pass`, `obl` …) as one with ClearNLP's; words and places stay.

    Heads that lead nowhere or round in circles, as parsers of hostile text may give, become roots.
    """
    tree = _Tree(parse)
    tree.likeliest()
    tree.names()
    tree.copulas()
    tree.rows()
    tree.prepositions()
    return tree.labelled()


class _Tree:
    def __init__(self, parse: Parse) -> None:
        self.parse = list(parse)
        self.dep = [word.dep.casefold() for word in parse]
        self.head = [word.head if 0 <= word.head < len(parse) else index for index, word in enumerate(parse)]
        self.pos = [word.pos for word in parse]
        rooted: set[int] = set()
        for index in range(len(parse)):
            path, above = {index}, self.head[index]
            while above not in path and above not in rooted:
                path.add(above)
                above = self.head[above]
            if above not in rooted and self.head[above] != above:
                self.head[above], self.dep[above] = above, "root"
            rooted |= path
        self.children: list[set[int]] = [set() for _ in parse]
        for index, head in enumerate(self.head):
            if head != index:
                self.children[head].add(index)

    def base(self, index: int) -> str:
        """A relation without its subtype."""
        return self.dep[index].partition(":")[0]

    def below(self, index: int, *relations: str) -> list[int]:
        """What hangs on a word by one of these relations, or at all."""
        found = sorted(self.children[index])
        return [one for one in found if not relations or self.dep[one] in relations or self.base(one) in relations]

    def hang(self, index: int, head: int, relation: str = "") -> None:
        """Hang a word, with all that hangs on it, on another or, on itself, as a root."""
        self.children[self.head[index]].discard(index)
        self.head[index], self.dep[index] = head, relation or self.dep[index]
        if head != index:
            self.children[head].add(index)

    def replace(self, index: int, by: int) -> None:
        """Put a word below another into its place."""
        above = self.head[index]
        self.hang(by, by if above == index else above, self.dep[index])

    def likeliest(self) -> None:
        """What a parser could not name is what its word class makes likeliest; a participle is no past tense."""
        for index, word in enumerate(self.parse):
            head = self.head[index]
            unnamed, on_noun = self.dep[index] == "dep", self.pos[head] in ("NOUN", "PROPN")
            if on_noun and self.base(index) in ("dep", "ccomp", "parataxis") and self._is_relative(index):
                self.dep[index] = "acl:relcl"
            elif unnamed and on_noun:
                if self.pos[index] in _NOMINAL and not self.below(index, "case"):
                    self.dep[index] = "compound" if index < head else "appos"
                elif word.tag in ("VBN", "VBG"):
                    self.dep[index] = "acl"
            elif unnamed and self.pos[head] == "VERB" and word.tag == "VBG":
                self.dep[index] = "xcomp"
            elif unnamed and self.pos[head] == "VERB" and self._is_clause(index):
                self.dep[index] = "ccomp"
                if not self.below(index, "nsubj"):  # "means it is"
                    for one in [one for one in self.below(head, "obj") if head < one < index]:
                        self.hang(one, index, "nsubj:pass" if self.below(index, "aux:pass") else "nsubj")
            if self.dep[index] == "acl" and word.tag == "VBD" and not self.below(index, "nsubj", "aux"):
                self.parse[index] = word._replace(tag="VBN")

    def _is_relative(self, index: int) -> bool:
        return any(self.parse[one].tag in ("WDT", "WP") for one in self.below(index, "nsubj", "obj", "obl"))

    def names(self) -> None:
        """A flat name's last word governs it."""
        for first in reversed(range(len(self.parse))):
            for last in [one for one in self.below(first, "flat") if one > first][-1:]:
                self.replace(first, last)
                for one in self.below(first):
                    if one != last:
                        self.hang(one, last)
                self.hang(first, last, "compound")

    def copulas(self) -> None:
        """ "be" governs what it joins."""
        for index in range(len(self.parse)):
            for copula in self.below(index, "cop")[:1]:
                self._copula(index, copula)

    def _copula(self, index: int, copula: int) -> None:
        self.replace(index, copula)
        adjective = self.pos[index] == "ADJ"
        clause = any(one > copula for one in self.below(index, "nsubj", "mark"))  # "the question is whether …"
        for one in self.below(index):
            if clause and one > copula:
                continue
            clausal = self.base(one) in _CLAUSAL or (self.base(one) == "conj" and self._is_clause(one))
            beside = self.base(one) == "obl" or (self.base(one) == "advmod" and one < index)
            close = adjective and (one > index or (one == index - 1 and not self._denies(one)))
            if clausal or (beside and not close):
                self.hang(one, copula)
        relation = "attr" if self.pos[index] in _NOMINAL else "acomp" if adjective else "advmod"
        if clause or self.pos[index] == "VERB":
            relation = "ccomp" if clause else "acomp"
        self.hang(index, copula, "obl" if self.below(index, "case") else relation)

    def _is_clause(self, index: int) -> bool:
        return self.pos[index] in ("VERB", "AUX") or bool(self.below(index, "cop", "nsubj"))

    def _denies(self, index: int) -> bool:
        return self.parse[index].lemma.casefold() in ("not", "n't", "never")

    def rows(self) -> None:
        """Each conjunct hangs on the one before, which has the conjunction and the commas; the last verb has what
        follows all: "wrote and directed Hamlet".
        """
        for first in range(len(self.parse)):
            row = [first, *(one for one in self.below(first, "conj") if one > first)]
            for one in self.below(first, *_FOLLOWING) if {self.pos[each] for each in row} == {"VERB"} else ():
                self.hang(one, max(each for each in row if each < one or each == first))
            for before, one in pairwise(row):
                self.hang(one, before)
                for mark in self.below(one, "cc", "punct"):
                    if mark < one and self.dep[mark] != "cc:preconj":
                        self.hang(mark, before)

    def prepositions(self) -> None:
        """A preposition governs its noun; before a participle it governs that."""
        own: dict[int, int] = {}
        for index, word in enumerate(self.parse):
            before = [one for one in self.below(index, "case") if one < index or word.tag in ("WDT", "WP")]
            cases = [one for one in before if self.parse[one].tag != "POS"]
            if cases and self.base(index) in _GOVERNED and self.dep[index] != "nmod:poss":
                own[index] = self._govern(index, self._one(cases), own)
            marks = [one for one in self.below(index, "mark") if self.parse[one].tag in ("IN", "VBG")][:1]
            bare = word.tag == "VBG" and not self.below(index, "nsubj") and self.base(index) in ("advcl", "acl")
            participle = any(self.parse[one].tag == "VBG" for one in marks)  # "according to what is known"
            if participle or (bare and marks):
                self._govern(index, self._one(marks), own)

    def _one(self, cases: list[int]) -> list[int]:
        """The words of a preposition: "due to" has two; that of "such as" is "as"."""
        found = [one for case in cases for one in (case, *self.below(case, "fixed"))]
        if [self.parse[one].text.casefold() for one in found[:2]] == ["such", "as"]:
            such, found = found[0], found[1:]
            self.replace(such, found[0])
            self.hang(such, found[0], "amod")
        return found

    def _govern(self, index: int, words: list[int], own: dict[int, int]) -> int:
        first, above, joined = words[0], self.head[index], self.dep[index] == "conj"
        for one in self.below(index):
            if one < first and self.base(one) in ("advmod", "cc", "punct"):
                self.hang(one, first)  # "not in Paris", "especially in Paris"
        self.replace(index, first)
        if joined and above in own:
            self.hang(first, own[above])
            for one in self.below(above, "cc"):
                self.hang(one, own[above])
        if not joined and self.head[first] != first:
            self.dep[first] = "agent" if self._acts(index, first, above) else "prep"
        for before, one in pairwise(words):
            self.hang(one, before, "prep")
        for one in words:
            self.pos[one] = "VERB" if self.parse[one].tag == "VBG" else "ADP"
        self.hang(index, words[-1], "pcomp" if self.pos[index] in ("VERB", "AUX") else "pobj")
        return first

    def _acts(self, index: int, preposition: int, verb: int) -> bool:
        by = self.parse[preposition].text.casefold() == "by" and self.pos[index] != "NUM"
        return self.dep[index] == "obl:agent" or (by and self._passive(verb))

    def _passive(self, index: int) -> bool:
        marked = bool(self.below(index, "aux:pass", "nsubj:pass"))
        return marked or (self.parse[index].tag == "VBN" and not self.below(index, "aux"))

    def labelled(self) -> Parse:
        """The words with ClearNLP's labels."""
        lemmas = (one.text.casefold() if one.tag == "PRP$" else one.lemma for one in self.parse)  # "his", not "he"
        return tuple(
            word._replace(lemma=lemma, pos=self.pos[index], head=self.head[index], dep=self._label(index))
            for index, (word, lemma) in enumerate(zip(self.parse, lemmas, strict=True))
        )

    def _label(self, index: int) -> str:
        dep, base, word, head = self.dep[index], self.base(index), self.parse[index], self.head[index]
        if base == "advmod" and self._denies(index):
            return "neg"
        if base == "mark" and word.tag == "TO":
            return "aux"
        if dep == "compound:prt" and word.tag == "RB":  # "passed away"
            return "advmod"
        if word.tag == "POS":
            return "case"
        if base == "csubj" and index > head:  # "it is true that"
            return "ccomp"
        if base == "obl" and self.pos[index] == "ADP":  # "the house he was born in"
            return "prep"
        if base == "expl" and word.lemma.casefold() != "there":
            return "nsubjpass" if self._passive(head) else "nsubj"
        if dep == "nsubj" and any(self.parse[one].lemma.casefold() == "there" for one in self.below(head, "expl")):
            return "attr"
        if dep == "obj" and self.pos[index] == "NUM" and self._passive(head):  # "born 1950"
            return "npadvmod"
        if base == "xcomp" and self.pos[index] in (*_NOMINAL, "ADJ"):
            return self._complement(index, head)
        if dep == "obj" and self.parse[head].lemma in _NAMING and self._passive(head):
            return "oprd"
        return _LABELS.get(dep) or _LABELS.get(base, base)

    def _complement(self, index: int, head: int) -> str:
        if self.below(head, "obj") or self._passive(head):
            return "oprd"
        return "acomp" if self.pos[index] == "ADJ" else "attr"
