"""Triples from Universal Dependencies (https://universaldependencies.org/u/dep/): rules, no model.

Works on any parse with UD v2 relations, whoever made it. A clause gives one triple for each pair of a subject and
an object, oblique or nominal predicate; conjuncts share what they are joined to; relative clauses and participles
take the noun they stand at for the part that they lack; "not" and "never" stay in the relation.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from halluvault_tasks.oracles.anchored import PhraseTriple, relation_phrase
from halluvault_tasks.reading import dates
from halluvault_tasks.wikidata.names import fold


class StanzaWord(Protocol):
    """A word as stanza gives it."""

    id: int
    text: str
    upos: str | None
    head: int
    deprel: str | None


_SUBJECTS = ("nsubj", "nsubj:pass", "nsubj:outer")
_OBJECTS = ("obj", "obl", "xcomp")
_CLAUSES = ("acl", "advcl", "conj", "ccomp", "parataxis", "csubj", "root")
# What belongs to another constituent, or carries no meaning of its own, at the edge of a phrase
_LEAVES_PHRASE = frozenset(
    re.findall(
        r"\w+",
        "case cc conj acl advcl appos punct cop aux mark nsubj csubj obl advmod parataxis ccomp discourse expl",
    )
)
_NOT = frozenset(["not", "n't", "n’t", "never", "no"])
_RELATIVE = frozenset(["which", "who", "whom", "whose", "that", "where"])
_PERSONAL = frozenset(["he", "she", "it", "they", "his", "her", "its", "their", "him", "them"])
_GLUED = re.compile(r"\s+(?=[,.;:%)]|['’]s\b|n['’]t\b)|(?<=\()\s+")


class _Clause(NamedTuple):
    """A predicate with the words that say what it relates."""

    predicate: StanzaWord
    subjects: list[StanzaWord]
    gap: StanzaWord | None
    """The noun that a relative clause or participle stands at."""


class Tree:
    """One parsed sentence.

    Args:
        words: all words, heads by id, 0 for the root.
        subject: what a pronoun at the place of the subject stands for; empty drops such clauses.
    """

    def __init__(self, words: Sequence[StanzaWord], subject: str = "") -> None:
        self._words = {word.id: word for word in words}
        self._children: dict[int, list[StanzaWord]] = defaultdict(list)
        for word in words:
            if self._rooted(word):
                self._children[word.head].append(word)
        self._subject = subject

    def _rooted(self, word: StanzaWord) -> bool:
        """Whether its heads lead to the root: what some parser made of hostile text may go in circles."""
        seen: set[int] = set()
        while word.head and word.id not in seen and word.head in self._words:
            seen.add(word.id)
            word = self._words[word.head]
        return not word.head

    def triples(self) -> list[PhraseTriple]:
        """Distinct triples in order of their predicates."""
        found: dict[PhraseTriple, None] = {}
        for clause in self._clauses():
            for triple in self._clause(clause):
                if triple.subject and triple.object and fold(triple.subject) != fold(triple.object):
                    found.setdefault(triple)
        for word in self._words.values():
            for other in self._of(word, "appos"):
                found.setdefault(PhraseTriple(self._phrase(word), "", self._phrase(other)))
        return list(found)

    def topic(self) -> str:
        """The subject of the main clause, for the pronouns of the next sentence; empty when it is a pronoun."""
        for clause in self._clauses():
            for subject in clause.subjects:
                if subject.upos in ("PROPN", "NOUN"):
                    owner = next(iter(self._of(subject, "nmod:poss")), None)
                    return self._phrase(owner if owner and owner.upos == "PROPN" else subject)
        return ""

    # ------------------------------------------------------------ clauses

    def _clauses(self) -> Iterator[_Clause]:
        for word in self._words.values():
            if _base(word) not in _CLAUSES or not (self._verbal(word) or self._of(word, "cop")):
                continue
            subjects = self._subjects(word)
            gap = None
            if _base(word) == "acl":
                gap = self._words.get(word.head)
                relative = [s for s in subjects if fold(s.text) in _RELATIVE]
                if gap and (relative or not subjects):
                    # "is a film directed by …": what the film is said to be of, the participle is said of
                    subjects = (self._of(gap, "cop") and self._subjects(gap)) or self._joined(gap)
                    gap = None
            if _base(word) == "conj" and not subjects:
                subjects = self._inherited(word)
            yield _Clause(word, subjects, gap)

    def _subjects(self, predicate: StanzaWord) -> list[StanzaWord]:
        return [each for word in self._of(predicate, *_SUBJECTS) for each in self._joined(word)]

    def _inherited(self, word: StanzaWord) -> list[StanzaWord]:
        """Subjects of the clause that a conjoined predicate continues."""
        seen = set()
        while _base(word) == "conj" and word.id not in seen:
            seen.add(word.id)
            parent = self._words.get(word.head)
            if parent is None:
                return []
            word = parent
            if found := self._subjects(word):
                return found
        if _base(word) == "acl" and (noun := self._words.get(word.head)):
            return self._joined(noun)
        return []

    def _clause(self, clause: _Clause) -> Iterator[PhraseTriple]:
        verb = clause.predicate
        nominal = bool(self._of(verb, "cop")) and not self._verbal(verb)
        arguments = list(self._nominal(verb) if nominal else self._verb(verb))
        if clause.gap is not None and not nominal:
            arguments.append((self._verb_words(verb), "", clause.gap))
        for subject in clause.subjects:
            if nominal and (found := list(self._role(subject, verb))):
                yield from found
                continue
            for words, case, target in arguments:
                for each in self._joined(target):
                    yield self._triple(subject, words, case, each)

    def _verb(self, verb: StanzaWord) -> Iterator[tuple[list[StanzaWord], str, StanzaWord]]:
        """Verb words, preposition and target of every object and oblique."""
        words = self._verb_words(verb)
        for target in self._children[verb.id]:
            if _base(target) not in _OBJECTS or fold(target.text) in _RELATIVE:
                continue
            if _base(target) == "xcomp" and self._verbal(target):
                for inner, case, object_ in self._verb(target):
                    yield [*words, *inner], case, object_
                continue
            yield words, self._case(target), target
        if _base(verb) == "conj" and not any(_base(word) in _OBJECTS for word in self._children[verb.id]):
            # "wrote and directed the film": the object hangs on the first verb only
            parent = self._words.get(verb.head)
            if parent is not None and self._verbal(parent):
                for target in self._of(parent, "obj"):
                    yield words, "", target

    def _nominal(self, noun: StanzaWord) -> Iterator[tuple[list[StanzaWord], str, StanzaWord]]:
        """What a copula says: "is the capital of France", "is in France", "is a city", "is famous for jazz"."""
        copula = [word for word in self._children[noun.id] if _base(word) in ("aux", "cop")] + self._negations(noun)
        if self._case(noun):
            yield copula, self._case(noun), noun
            return
        core = [*copula, *self._of(noun, "compound", "amod"), noun]
        split = False
        for dependent in self._children[noun.id]:
            if noun.upos != "PROPN" and _base(dependent) in ("nmod", "obl"):
                split = split or dependent.deprel != "nmod:desc"
                yield core, "of" if dependent.deprel == "nmod:poss" else self._case(dependent), dependent
        if not split and noun.upos in ("NOUN", "PROPN", "NUM", "PRON", "X"):
            yield copula, "", noun

    def _role(self, subject: StanzaWord, predicate: StanzaWord) -> Iterator[PhraseTriple]:
        """Of "the capital of France is Paris" or "Dickens's father was John": the role is the relation."""
        if subject.upos != "NOUN" or predicate.upos not in ("PROPN", "NUM"):
            return
        for owner in self._of(subject, "nmod", "nmod:poss"):
            case = "" if owner.deprel == "nmod:poss" else self._case(owner)
            words = [*self._negations(predicate), *self._of(subject, "compound", "amod"), subject]
            for each in self._joined(predicate):
                yield self._triple(owner, words, case, each)

    def _triple(self, subject: StanzaWord, words: Sequence[StanzaWord], case: str, target: StanzaWord) -> PhraseTriple:
        phrase = self._phrase(target)
        date = next((each for each in dates.find(phrase) if each.days), None)
        if date and date.span == (0, len(phrase)):
            phrase = date.text
        verb = " ".join(word.text for word in sorted(words, key=lambda word: word.id))
        relation = relation_phrase(_GLUED.sub("", f"{verb} {case}".strip()), date is not None)
        named = self._subject if fold(subject.text) in _PERSONAL else self._phrase(subject)
        return PhraseTriple(named, relation, phrase)

    # ------------------------------------------------------------ words

    def _of(self, word: StanzaWord, *relations: str) -> list[StanzaWord]:
        return [child for child in self._children[word.id] if child.deprel in relations]

    def _joined(self, word: StanzaWord) -> list[StanzaWord]:
        """A word and those conjoined to it that are no clauses of their own."""
        others = [w for w in self._of(word, "conj") if not self._verbal(w) and not self._of(w, "cop", *_SUBJECTS)]
        return [word, *others]

    def _verbal(self, word: StanzaWord) -> bool:
        return word.upos == "VERB"

    def _case(self, word: StanzaWord) -> str:
        return " ".join(child.text for child in self._of(word, "case") if fold(child.text) not in ("'s", "’s", "'"))

    def _negations(self, word: StanzaWord) -> list[StanzaWord]:
        return [w for w in self._children[word.id] if fold(w.text) in _NOT and w.deprel != "discourse"]

    def _verb_words(self, verb: StanzaWord) -> list[StanzaWord]:
        return [*self._of(verb, "aux", "aux:pass", "cop", "compound:prt"), *self._negations(verb), verb]

    def _phrase(self, head: StanzaWord) -> str:
        """A noun phrase without articles, prepositions, conjuncts and clauses."""
        inside = [head]
        for word in inside:  # which grows
            inside += [
                child
                for child in self._children[word.id]
                if not (child.head == head.id and (_base(child) in _LEAVES_PHRASE or _drops(child)))
            ]
        ordered = sorted(inside, key=lambda word: word.id)
        return _GLUED.sub("", " ".join(word.text for word in ordered)).strip(" \"'“”‘’,.")


def _base(word: StanzaWord) -> str:
    """Its relation without the subtype."""
    return (word.deprel or "").partition(":")[0]


def _drops(word: StanzaWord) -> bool:
    return word.deprel in ("det", "det:predet") and fold(word.text) in ("the", "a", "an", "this", "that", "no")


def triples(sentences: Sequence[Sequence[StanzaWord]]) -> list[PhraseTriple]:
    """Distinct triples of a passage; a pronoun stands for the subject of the sentences before it."""
    found: dict[PhraseTriple, None] = {}
    subject = ""
    for words in sentences:
        tree = Tree(words, subject)
        found.update(dict.fromkeys(tree.triples()))
        subject = tree.topic() or subject
    return list(found)
