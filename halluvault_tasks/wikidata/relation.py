"""What relates the ends of a fact: a property, forwards or backwards, a chain of them, a shared value, two dates."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

_WRITTEN = re.compile(r"(?:(share|order|inverse):)?(P[1-9]\d*(?:/P[1-9]\d*)*)")
_THOUSAND = 1000


class Kind(StrEnum):
    """Kinds of relations."""

    PROPERTY = "property"
    CHAIN = "chain"
    """What a chain of properties concludes, where Wikidata has no property for it (config/rules.yaml, `relations`)."""
    SHARE = "share"
    """Both ends have a value of the property in common."""
    ORDER = "order"
    """The subject's date of this property is before the object's."""
    INVERSE = "inverse"
    """The property read from its object, where Wikidata has no property for that: who directed what."""


class StatedEnds(NamedTuple):
    """A fact as it is stated: from its subject."""

    relation: "Relation"
    s: int
    o: int


class Relation(NamedTuple):
    """A relation; a row of table `relation` without its id.

    Attributes:
        kind: of the relation.
        properties: the one property, or those of a chain, in order.
    """

    kind: Kind
    properties: tuple[int, ...]

    @classmethod
    def of(cls, pid: int) -> "Relation":
        """The relation that a property is."""
        return cls(Kind.PROPERTY, (pid,))

    @classmethod
    def chain(cls, *properties: int) -> "Relation":
        """What a chain of these properties concludes."""
        return cls(Kind.CHAIN, properties)

    @classmethod
    def share(cls, pid: int) -> "Relation":
        """Its ends have a value of this property in common."""
        return cls(Kind.SHARE, (pid,))

    @classmethod
    def order(cls, pid: int) -> "Relation":
        """Its subject's date of this property is before its object's."""
        return cls(Kind.ORDER, (pid,))

    @classmethod
    def inverse(cls, pid: int) -> "Relation":
        """Its object has it as its value of this property."""
        return cls(Kind.INVERSE, (pid,))

    @classmethod
    def parse(cls, text: str) -> "Relation":
        """Read what `str` writes: `P19`, `P19/P131`, `share:P57`, `order:P571`, `inverse:P57`.

        Raises:
            ValueError: it is none of these.
        """
        match = _WRITTEN.fullmatch(text)
        if match is None or (match[1] and "/" in match[2]):
            raise ValueError(f"{text!r} is no relation like P19, P19/P131, share:P57, order:P571 or inverse:P57")
        properties = tuple(int(pid[1:]) for pid in match[2].split("/"))
        return cls(Kind(match[1]) if match[1] else Kind.CHAIN if len(properties) > 1 else Kind.PROPERTY, properties)

    @classmethod
    def of_key(cls, key: int, rule: str) -> "Relation":
        """The relation of a case that was frozen before relations had a table.

        Args:
            key: as in `key`.
            rule: name of the rule behind the case, which tells a property from its order and a chain from a share.
        """
        if key > 0:
            return cls.order(key) if rule.startswith("order:") else cls.of(key)
        return cls.share(-key) if rule.startswith("share:") else cls.chain(*divmod(-key, _THOUSAND))

    @property
    def key(self) -> int:
        """The number that stands for it in what ids of groups are made of, and nowhere else: those ids never change.

        A property's is its own, an order's that of its property; a share's is minus that; a chain's is minus its
        properties in thousands (`P19/P131`: -19131), and an inverse's that of a chain with one step more, 0.
        """
        number = 0
        for pid in (*self.properties, *((0,) if self.kind is Kind.INVERSE else ())):
            number = _THOUSAND * number + pid
        return number if self.kind in (Kind.PROPERTY, Kind.ORDER) else -number

    @property
    def pid(self) -> int:
        """The property that it is; 0 where it is none."""
        return self.properties[0] if self.kind is Kind.PROPERTY else 0

    @property
    def predicate(self) -> "Predicate":
        """The p of p(s, o)."""
        return self.pid or self

    @property
    def stated(self) -> "Relation":
        """What its facts are stated by: of an inverse its property, of any other itself."""
        return Relation.of(*self.properties) if self.kind is Kind.INVERSE else self

    def forwards(self, s: int, o: int) -> StatedEnds:
        """The fact that it relates two ends, as it is stated: of an inverse with its ends exchanged."""
        return StatedEnds(self.stated, o, s) if self.kind is Kind.INVERSE else StatedEnds(self, s, o)

    def __str__(self) -> str:
        written = "/".join(f"P{pid}" for pid in self.properties)
        return written if self.kind in (Kind.PROPERTY, Kind.CHAIN) else f"{self.kind}:{written}"


Predicate = int | Relation
"""The p of p(s, o): a property's number, or a relation that Wikidata has no property for."""


def ordering(p: Predicate) -> tuple[bool, int]:
    """What predicates are sorted by: first those that are no property, orders last."""
    return (p.kind is Kind.ORDER, p.key) if isinstance(p, Relation) else (False, p)


def kind_of(p: Predicate) -> Kind:
    """The kind of a predicate."""
    return p.kind if isinstance(p, Relation) else Kind.PROPERTY


def relation_of(fact: Mapping[str, Any]) -> Relation | None:
    """The relation that a fact of `benchmark_case.fact` is about; None of what is about none (a formula, a story).

    Months that were frozen before relations had a table hold a number, `p` (`Relation.of_key`).
    """
    if written := fact.get("relation"):
        return Relation.parse(written)
    return Relation.of_key(int(fact["p"]), str(fact.get("rule", ""))) if fact.get("p") else None
