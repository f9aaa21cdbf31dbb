"""Clauses of a parsed sentence: which words each owns, whether it is denied, and what it is to the text.

Whether a text asserts what a clause says is decided here and nowhere else: a condition, what others say, what is merely
possible and what a denied verb governs is not asserted, nor what is asked or quoted.
"""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from halluvault_tasks.reading import english
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.rules import rule

Modality = Literal["asserted", "supposed", "attributed", "hedged", "asked", "quoted"]

_TELLINGS = english.STATED | english.FALSE | english.TOLD | english.EVIDENCE | {"rumor", "belief", "fact"}
_SOMEBODY = ("PRP", "NNP", "WP")
_WHY = english.REASON | {"for"}
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
_OWN = english.ANSWER | english.FIRST_PERSON
"""Whose "would" supposes nothing: "I would say no"."""

_PARTS = frozenset(",;:.–—-")


class Clause(NamedTuple):
    """A clause.

    Attributes:
        predicate: position of its verb, or of what stands for one.
        words: positions of its own words, in order; those of clauses under it are theirs.
        subject: positions of its subject's words; of a coordinated clause without one those of the first.
        denied: its negations do not cancel each other out.
        modality: what it is to the text; asserted where the text says that it is so, or that it is not.
        unfound: it is denied only in that no sign of it is known.
        judged: what governs it decides whether it is denied: "that he was born there is wrong".
        over: predicate of the clause that it hangs on; -1 for none.
    """

    predicate: int
    words: tuple[int, ...]
    subject: tuple[int, ...]
    denied: bool
    modality: Modality
    unfound: bool
    judged: bool
    over: int

    @property
    def asserted(self) -> bool:
        """Whether the text says that it is so, or that it is not."""
        return self.modality == "asserted"


class _Standing(NamedTuple):
    modality: Modality = "asserted"
    flips: bool = False
    unfound: bool = False


def clauses(parse: Parse, quoted: Collection[int] = frozenset(), asks: bool = False) -> list[Clause]:
    """The clauses of a sentence, those that govern others first.

    Args:
        parse: of the sentence.
        quoted: positions in quotation marks.
        asks: the sentence is a question.
    """
    return _Clauses(parse, quoted, asks).read()


def denies(parse: Parse, index: int) -> bool:
    """Whether a word denies: "not", "never", "nobody"; no "no" that answers, and none that a comma parts off."""
    word = parse[index]
    if word.pos == "PROPN" or english.NO.isdisjoint((word.lemma.casefold(), word.text.casefold())):
        return False  # "The Punisher: No Mercy"
    following = parse[min(index + 1, len(parse) - 1)]
    mentioned = parse[index - 1].text == following.text == '"'  # "the sentence with the "not" is right"
    alone = word.text.casefold() == "no" and word.dep not in ("det", "neg", "advmod")
    return not alone and not mentioned and following.text not in _PARTS


@rule("clauses.beside", "", otherwise=False)
def beside(parse: Parse, head: int) -> bool:
    """A main clause that a comma joins to the next, whatever the parse calls it: "he was born in 1952, so he …"."""
    governor = parse[head].head
    if head >= governor or parse[head].dep not in ("ccomp", "acl", "csubj") or _is_gerund(parse[head]):
        return False
    marked = any(  # "to say that he was born there is wrong"
        (word.dep == "mark" or word.tag == "TO") and word.head == head for word in parse
    )
    return not marked and parse[governor].lemma not in english.SHOW | english.SUPPOSE


@rule(
    "clauses.gerund",
    "Is this statement true? “Ann Lee was not born in Rome.” → Claiming Ann Lee was not born in Rome is false.",
    otherwise=False,
)
def _is_gerund(word: Token) -> bool:
    """ "Claiming that he died there is wrong" joins nothing."""
    return word.dep == "csubj" and word.tag == "VBG"


class _Clauses:
    def __init__(self, parse: Parse, quoted: Collection[int], asks: bool) -> None:
        self.parse, self.quoted, self.asks = parse, quoted, asks
        self.below: list[list[int]] = [[] for _ in parse]
        for index, word in enumerate(parse):
            if word.head != index:
                self.below[word.head].append(index)
        self.order = [index for index, word in enumerate(parse) if word.head == index]
        for index in self.order:  # it grows: from the roots downwards
            self.order += self.below[index]
        self.first = list(range(len(parse)))
        for index in reversed(self.order):
            above = parse[index].head
            self.first[above] = min(self.first[above], self.first[index])
        self.owner = [-1] * len(parse)
        for index in self.order:
            self.owner[index] = index if self._opens(index) else self.owner[parse[index].head]

    def read(self) -> list[Clause]:
        words: dict[int, list[int]] = {}
        for index, owner in enumerate(self.owner):
            words.setdefault(owner, []).append(index)
        made: dict[int, Clause] = {}
        standing: dict[int, _Standing] = {}
        for head in (index for index in self.order if self.owner[index] == index):
            above = self.parse[head].head
            over = made.get(self.owner[above]) if above != head else None
            standing[head] = self._stands(head, over, standing[over.predicate] if over else _Standing())
            own = tuple(word for top in self._subjects(head)[:1] for word in self._subtree(top))
            shared = over.subject if over and not own and self.parse[head].dep == "conj" else ()
            denials = self._denials([*shared, *words[head]], min(own or shared, default=head))
            made[head] = Clause(
                predicate=head,
                words=tuple(words[head]),
                subject=own or shared,
                denied=(denials + standing[head].flips) % 2 == 1,
                modality="quoted" if head in self.quoted else "asked" if self.asks else standing[head].modality,
                unfound=standing[head].unfound,
                judged=standing[head].flips,
                over=over.predicate if over else -1,
            )
        return list(made.values())

    def _denials(self, words: Iterable[int], begins: int) -> int:
        """How often words deny; "neither … nor" does once. `begins`: the clause's subject."""
        nots = [word for word in words if denies(self.parse, word) and not self._is_parted(word, begins)]
        return len(nots) - sum(self.parse[word].lemma.casefold() == "nor" for word in nots[1:])

    def _is_parted(self, index: int, begins: int) -> bool:
        """ "Not 1961, so the statement is true": what a comma parts from a clause's subject is no part of it."""
        return any(word.text == "," for word in self.parse[index:begins])

    def _subjects(self, head: int) -> list[int]:
        return [one for one in self.below[head] if self.parse[one].dep in _SUBJECTS]

    def _subtree(self, top: int) -> list[int]:
        found = [top]
        for one in found:
            found += self.below[one]
        return sorted(found)

    def _lemmas(self, positions: Iterable[int]) -> set[str]:
        return {self.parse[one].lemma.casefold() for one in positions}

    def _opens(self, index: int) -> bool:
        """Whether a clause of its own begins here."""
        word = self.parse[index]
        verbal = word.pos in ("VERB", "AUX") or bool(self._subjects(index))
        if word.head == index or self._contrasted(index):
            return True
        if word.dep == "conj":
            return verbal and self.owner[word.head] == word.head and self._coordinated(index)
        if word.dep in ("acl", "pcomp", "relcl"):
            marked = self._tells(index) or any(self.parse[one].dep == "mark" for one in self.below[index])
            apart = (
                self.parse[self.first[index] - 1].text == "," if word.dep == "relcl" else bool(self._subjects(index))
            )
            return marked or apart
        below = self.below[index]
        if word.dep == "advcl" and (
            any(self.parse[one].tag == "TO" for one in below)
            or self._lemmas(below) & (english.RELATION - english.REASON)
        ):
            return False
        return verbal and word.dep in ("ccomp", "advcl", "parataxis", "csubj")

    @rule("clauses.contrasted", "Was Ann Lee born in Rome? → Ann Lee was born in Rome, not in Oslo.", otherwise=False)
    def _contrasted(self, index: int) -> bool:
        """ "In Portsmouth, not in Leipzig": what is denied is a phrase, and the clause is not."""
        if self.parse[index].pos in ("VERB", "AUX", "ADJ", "ADV"):
            return False
        nots = (one for one in self.below[index] if self.parse[one].dep in ("neg", "preconj", "advmod"))
        first = next((one for one in nots if self.parse[one].lemma == "not" and one < index), 0)
        before = self.parse[first - 1]
        return first > 0 and (before.text == "," or before.dep == "cc")

    @rule("clauses.coordinated", "", otherwise=True)
    def _coordinated(self, head: int) -> bool:
        """No relative clause that was hung too high: "there is one who served and whose school was …"."""
        beside = [self.parse[one] for one in self.below[self.parse[head].head]]
        tops = self._subjects(head)
        if not any(one.dep == "cc" or one.text in ",;" for one in beside):
            return False
        if not tops and any(one.dep == "expl" for one in beside):
            return False
        return not any(self.parse[one].tag in ("WP", "WP$", "WDT") for top in tops for one in (top, *self.below[top]))

    def _stands(self, head: int, over: Clause | None, above: _Standing) -> _Standing:
        if self._is_supposed(head):
            return _Standing("supposed")
        near = self._lemmas((head, *self.below[head]))
        if near & english.DOUBT and not (near & english.NO and near & english.KNOW):
            return _Standing("hedged")
        if (
            any(self.parse[one].dep in ("xcomp", "oprd") for one in self.below[head])
            and self.parse[head].lemma in english.INTEND
        ):
            return _Standing("hedged")
        if "would" in near and _OWN.isdisjoint(self._lemmas(self._subjects(head))):
            return _Standing("supposed")
        if self._is_told_by_others(head):
            return _Standing("attributed")
        if over is None:  # "That he was born there contradicts …": what governs it was not found
            return _Standing("attributed" if "that" in self._marks(head) or self._is_told(head) else "asserted")
        return self._hangs(head, over, above)

    def _is_told_by_others(self, head: int) -> bool:
        """ "According to his brother", "is said to be", "the question puts her birth in 1955"; not "to my records"."""
        below = self.below[head]
        for source in (one for one in below if self.parse[one].lemma == "accord"):
            to = (one for above in (source, *self.below[source]) for one in self.below[above])
            if any(self._is_somebody(one) for one in to if self.parse[one].dep in ("pobj", "pcomp")):
                return True
        deps = {self.parse[one].dep for one in below}
        if {"auxpass", "xcomp"} <= deps and self.parse[head].lemma in english.SUPPOSE:
            return True
        stated = self._lemmas(one for one in below if self.parse[one].dep == "nsubj") & english.STATED
        return bool(stated) and "dobj" in deps and self.parse[head].lemma not in english.COPULA

    def _is_somebody(self, source: int) -> bool:
        """Whether a word means somebody other than who answers: a name, "his brother", "what I was told"."""
        whose = (self.parse[one] for one in self.below[source] if self.parse[one].dep == "poss")
        own = {word.text.casefold() for word in whose} - english.FIRST_PERSON
        return self.parse[source].tag in _SOMEBODY or bool(own) or self.parse[source].dep == "pcomp"

    def _marks(self, head: int) -> set[str]:
        below = (self.parse[one] for one in self.below[head])
        return {word.text.casefold() for word in below if word.dep in ("mark", "advmod")}

    def _is_supposed(self, head: int) -> bool:
        """Whether a clause is a condition, or holds under one."""
        below = self.below[head]
        supposed = (one for one in below if self.parse[one].dep == "advcl")
        past = any(self.parse[one].tag == "VBD" for one in (head, *below))  # "in 1930, when he was born there"
        opens = self._marks(head) & (english.OPEN - english.TIME if past else english.OPEN)
        return bool(opens) or self._inverted(head) or any(self._supposes(one) for one in supposed)

    def _hangs(self, head: int, over: Clause, above: _Standing) -> _Standing:
        """What becomes of a clause under another, by what joins them."""
        dep, governor = self.parse[head].dep, self.parse[head].head
        if dep == "pcomp" and self.parse[governor].lemma not in english.REASON:
            return self._governed(self.parse[governor].head, over, above)
        if (
            self._tells(head)
            or self._is_told(head)
            or (dep in ("ccomp", "acl", "csubj") and not beside(self.parse, head))
        ):
            return self._governed(governor, over, above, dep == "csubj")
        if above.modality in ("hedged", "supposed") and dep == "advcl" and self._gives_reason(head):
            return _Standing()  # "he cannot have died in 1994, because he died in 1989"
        would = above.modality == "supposed" and self.parse[governor].dep != "advcl"  # "it would be; but he was born"
        own = bool(self._subjects(head)) and "that" not in self._marks(head)  # "if it is known that … and that …"
        if dep == "conj" and own and (above.modality == "hedged" or would):
            return _Standing()
        return above._replace(flips=False, unfound=above.unfound and dep == "conj")

    @rule("clauses.told", "", otherwise=False)
    def _is_told(self, head: int) -> bool:
        """ "That Ann was born there …" at the start, taken for a determiner of a name, which has none."""
        first = self.parse[0]
        subject = first.head in self._subjects(head) and self.parse[first.head].pos == "PROPN"
        return subject and first.dep == "det" and first.lemma.casefold() == "that"

    def _tells(self, head: int) -> bool:
        """ "The rumor that he was born there" is no relative clause, whatever the parse calls it."""
        below = [self.parse[one] for one in self.below[head]]
        marked = any(word.dep == "mark" for word in below)
        that = any(word.text == "that" and word.dep == "dobj" for word in below)
        noun = self.parse[self.parse[head].head].lemma
        return self.parse[head].dep == "relcl" and (marked or (that and noun in _TELLINGS))

    def _gives_reason(self, head: int) -> bool:
        below = (self.parse[one] for one in self.below[head])
        return any(word.dep in ("mark", "cc", "prep") and word.lemma in _WHY for word in below)

    def _supposes(self, head: int) -> bool:
        return bool(self._lemmas(self.below[head]) & english.CONDITION) or self._inverted(head)

    @rule("clauses.inverted", "", otherwise=False)
    def _inverted(self, head: int) -> bool:
        """ "Had she been born there, …": an auxiliary before the subject supposes, where nothing is asked."""
        first = self.parse[self.first[head]].text.casefold()
        return self.parse[head].dep in ("advcl", "ccomp") and first in english.INVERTED and self.parse[-1].text != "?"

    def _governed(self, governor: int, over: Clause, above: _Standing, clausal: bool = False) -> _Standing:
        """What becomes of a clause under a verb of saying, an adjective or a noun; `clausal`: or as a subject."""
        word = self.parse[governor]
        if word.lemma in english.CONDITION and not over.subject:  # "suppose he was born there"
            return _Standing("supposed")
        if _is_gerund(self.parse[over.predicate]) and word.lemma in english.SUPPOSE:
            return _Standing(above.modality, flips=over.denied)
        if over.denied and self._lemmas(over.words) & english.EVIDENCE:
            return _Standing(above.modality, flips=True, unfound=True)
        if word.pos == "NOUN":
            return above if word.lemma in english.TRUE and not over.denied else _Standing("attributed")
        complements = [one for one in self.below[over.predicate] if self.parse[one].dep in ("acomp", "attr")]
        if judged := self._lemmas(complements) & (english.TRUE | english.FALSE):
            return _Standing(above.modality, flips=over.denied != bool(judged & english.FALSE))
        if clausal or "who" in self._lemmas(self.below[governor]) or self._is_passive_infinitive(word):
            return _Standing("attributed")
        if above.modality != "asserted":
            return _Standing(above.modality)
        return _Standing(self._told(word, over))

    def _told(self, word: Token, over: Clause) -> Modality:
        """What a clause is that a verb of an asserted one governs."""
        if over.denied:
            return "hedged" if word.lemma in english.KNOW | english.SUPPOSE else "attributed"
        if self._lemmas(over.subject) & english.FIRST_PERSON and word.lemma in english.OPINE - english.KNOW:
            return "hedged"  # "I think that he was"
        return "asserted" if self._speaks(word, over) else "attributed"

    def _is_passive_infinitive(self, word: Token) -> bool:
        """ "Is said to show that"."""
        return word.dep == "xcomp" and any(self.parse[one].dep == "auxpass" for one in self.below[word.head])

    def _speaks(self, word: Token, over: Clause) -> bool:
        """Whether who answers says what a verb governs, or shows it; no "I doubt that", "we can rule out that"."""
        subject = self._lemmas(one for one in over.subject if self.parse[one].head not in over.subject)
        if subject & english.FIRST_PERSON and word.lemma not in english.ASSERT:
            return False
        if subject & english.STATED and not subject & english.ANSWER:
            return False
        speaks = not subject or subject & (english.FIRST_PERSON | english.POINTING | english.ANSWER)
        # "It is known that", "it turns out that"; but "it stated that" tells what somebody wrote
        passive = any(self.parse[one].dep in ("auxpass", "expl", "prt") for one in self.below[over.predicate])
        told = subject == {"it"} and not passive and self.parse[over.predicate].lemma not in english.COPULA
        return bool(speaks and not told) or word.lemma in english.SHOW
