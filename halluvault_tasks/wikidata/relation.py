"""What relates the two ends of a fact: a property, a relation that rules conclude, or the order of two dates.

Tables, JSON and Prolog hold one integer for it, the *key*: a property's number; a negative number for what
Wikidata has no property for (the id that rules.yaml gives the conclusion of a chain, or minus the property of which
two subjects share a value); a property's number beyond 10,000,000 for "earlier than" by that property's dates.
"""

from enum import StrEnum
from typing import NamedTuple

_ORDER = 10_000_000  # above every property's number


class Kind(StrEnum):
    """Kinds of relations."""

    PROPERTY = "property"
    DERIVED = "derived"
    """A chain's conclusion, or a shared value."""
    ORDER = "order"


class Relation(NamedTuple):
    """A relation, read from its key."""

    kind: Kind
    number: int
    """The property's number; of a derived relation its key."""

    @classmethod
    def of(cls, key: int) -> "Relation":
        """The relation that a key stands for."""
        if key > _ORDER:
            return cls(Kind.ORDER, key - _ORDER)
        return cls(Kind.DERIVED if key < 0 else Kind.PROPERTY, key)

    @classmethod
    def order(cls, pid: int) -> "Relation":
        """Its subject's date of this property is before its object's."""
        return cls(Kind.ORDER, pid)

    @classmethod
    def shared(cls, pid: int) -> "Relation":
        """Its ends have a value of this property in common."""
        return cls(Kind.DERIVED, -pid)

    @property
    def key(self) -> int:
        """What tables, JSON and Prolog hold."""
        return self.number + _ORDER if self.kind is Kind.ORDER else self.number

    @property
    def is_property(self) -> bool:
        """Whether Wikidata has a property for it."""
        return self.kind is Kind.PROPERTY
