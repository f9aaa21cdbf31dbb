"""What was spoken of: whom a pronoun, or a noun such as "the film", means."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from halluvault_tasks.reading.base import ClaimTriple, ReaderInput, TextSpan
from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.parser import Parse, Token

_PERSONAL = frozenset(["he", "she", "him", "his", "her", "hers"])
_OTHER = frozenset(["it", "its"])
_PLURAL = frozenset(["they", "their", "them"])
_GROUPS = frozenset(["musical_group", "body", "organisation", "team", "party"])
_MOST = 12
"""Mentions that are remembered."""


class DiscourseMemory:
    """What one response has spoken of so far.

    Args:
        names: that mentions link to.
        given: the response's question, and what it speaks of.
        nouns: names of properties, and which they name.
    """

    def __init__(self, names: Names, given: ReaderInput, nouns: Mapping[str, Collection[int]]) -> None:
        self._names, self._given, self._nouns = names, given, nouns
        self.topic = self.entity(given.topic) if given.topic in names.entities else None
        # Neither "he" nor "she" tells "her father" from her, before one of them is named.
        called = self.topic and any(
            one.o == given.topic and self._is_human(one.s) for one in given.proof if self.calls(one.o)
        )
        self._recent: list[Mention] = [self.topic] if self.topic and not called else []
        self._stranger: Mention | None = None

    def _is_human(self, qid: int) -> bool:
        return qid in self._names.entities and "human" in self._names.kinds((qid,))

    def entity(self, qid: int) -> Mention:
        """An entity as if it were named."""
        return Mention(TextSpan(0, 0), self._names.label(qid), "entity", (qid,), self._names.kinds((qid,)))

    def remember(self, mentions: Iterable[Mention], acting: Mention | None = None) -> None:
        """What a sentence spoke of, the likeliest antecedent first, and the subject of its first clause."""
        if acting is not None:
            self._stranger = acting if acting.kind == "name" and not acting.qids else None
        spoken = [one for one in mentions if one.entity]
        people = [one for one in spoken if "human" in one.kinds]
        if topic := self.topic:
            people.sort(key=lambda one: one.entity != topic.entity)
        others = [one for one in spoken if "human" not in one.kinds]
        fresh = {one.entity for one in spoken}
        kept = [one for one in self._recent if one.entity not in fresh]
        self._recent = [*people, *others, *kept][:_MOST]

    def pronoun(self, word: Token, before: Sequence[Mention]) -> Mention | None:
        """Whom a personal pronoun means; None for any other word, and where nobody fits.

        Args:
            word: of the sentence.
            before: subjects of the sentence that stand before it, the nearest first.
        """
        if word.tag not in ("PRP", "PRP$"):
            return None
        text = word.text.casefold()
        if text in _PERSONAL | _OTHER:
            stranger = self._stranger if text in _PERSONAL and not before else None
            if stranger is not None:  # "Paul Carr was her father. He died in 1950.", where Paul Carr is not known
                return stranger
            fits = (one for one in (*before, *self._recent) if ("human" in one.kinds) == (text in _PERSONAL))
            return next(fits, None)
        return self.topic if text in _PLURAL and self.topic and self.topic.kinds & _GROUPS else None

    def noun(self, parse: Parse, index: int, children: Collection[int]) -> Mention | None:
        """What "the film", "this city" means: the last thing of that class that was spoken of."""
        word = parse[index]
        bare = all(parse[one].dep in ("det", "case") for one in children)
        pointed = any(parse[one].text.casefold() in ("the", "this", "that") for one in children)
        argument = word.tag == "NN" and word.dep in ("nsubj", "nsubjpass", "dobj", "pobj", "poss")
        if not (argument and bare and pointed):
            return None
        lemma = word.lemma.casefold()
        return next((one for one in self._in_play() if lemma in self._names.entities[one.entity].nouns), None)

    def _in_play(self) -> list[Mention]:
        """What was spoken of, the last first, and what the question speaks of; of this only what is the only one."""
        spoken = {one.entity for one in self._recent}
        asked = [self.entity(one) for one in sorted(self._given.context - spoken) if one in self._names.entities]
        kinds = [self._names.entities[one.entity].nouns for one in asked]
        return [
            *self._recent,
            *(one for one, own in zip(asked, kinds, strict=True) if sum(bool(own & each) for each in kinds) == 1),
        ]

    # ------------------------------------------------------------------ what the question calls by a noun

    def slot(self, noun: str) -> ClaimTriple | None:
        """The proof's one statement of a property that a noun names, such as `director`."""
        properties = self._nouns.get(noun, ())
        found = {one for one in self._given.proof if one.p in properties}
        return found.pop() if len(found) == 1 else None

    def asks(self, text: str) -> bool:
        """Whether the question has these words."""
        return text in self._given.question

    def calls(self, qid: int) -> bool:
        """Whether the question calls somebody by a statement instead of by name."""
        return qid in self._given.called

    def is_alone(self, qid: int) -> bool:
        """Whether nothing else of its kind was spoken of."""
        kinds = self._names.kinds((qid,))
        return not any(one.entity != qid and not self.calls(one.entity) and kinds & one.kinds for one in self._recent)

    def owner(self, noun: str) -> Mention | None:
        """Whose somebody is whom the question calls by a noun, before a person was named: "her father"."""
        slot = self.slot(noun)
        fresh = not any(
            "human" in one.kinds for one in self._recent if one is not self.topic and slot and one.entity != slot.s
        )
        return self.entity(slot.s) if slot and self.calls(slot.o) and fresh else None
