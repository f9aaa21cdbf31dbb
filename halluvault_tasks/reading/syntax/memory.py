"""What was spoken of: whom a pronoun, or a noun such as "the film", means."""

from collections.abc import Collection, Iterable, Sequence

from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.parser import Parse, Token

_PERSONAL = frozenset(["he", "she", "him", "his", "her", "hers"])
_OTHER = frozenset(["it", "its"])
_PLURAL = frozenset(["they", "their", "them"])
_GROUPS = frozenset(["musical_group", "body", "organisation", "team", "party"])
_MOST = 12
"""Mentions that are remembered."""


class Memory:
    """What one response has spoken of so far.

    Args:
        names: that mentions link to.
        topic: what the question is about; None if nothing.
    """

    def __init__(self, names: Names, topic: Mention | None) -> None:
        self._names = names
        self._recent: list[Mention] = [topic] if topic else []
        self.topic = topic

    def remember(self, mentions: Iterable[Mention]) -> None:
        """What a sentence spoke of, the likeliest antecedent first."""
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
        return next((one for one in self._recent if lemma in self._names.entities[one.entity].nouns), None)
