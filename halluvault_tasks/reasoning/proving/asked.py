"""What can be asked about: a row, two of them, or a foil; and what the suites count it under."""

from collections.abc import Mapping

from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.kinds.drawing import Counted, DrawingKind, of_several
from halluvault_tasks.reasoning.records import Composed, DerivedFact, DrawnFact, Rule

Asked = DerivedFact | DrawnFact | Composed | Foil


def base(asked: Asked) -> DerivedFact | DrawnFact | Foil:
    """The fact, without what one of its ends is called by."""
    return asked.fact if isinstance(asked, Composed) else asked


def true_beside(asked: Asked) -> DerivedFact | DrawnFact:
    """The row: of a foil the one that it stands beside."""
    fact = base(asked)
    return fact.beside if isinstance(fact, Foil) else fact


def counted(asked: Asked, rules: Mapping[int, Rule]) -> Counted:
    """What the suites count a drawn fact, one of whose ends is called by a work, or a foil beside one, under.

    Args:
        asked: the fact.
        rules: by number.
    """
    rule = rules[true_beside(asked).rule]
    sole = rules[asked.sole.rule] if isinstance(asked, Composed) else None
    if not isinstance(rule.kind, DrawingKind):
        return of_several(rule, sole)
    return rule.kind.counted(rule, not isinstance(base(asked), Foil), sole)


def rests_on(asked: Asked, rules: Mapping[int, Rule]) -> frozenset[int]:
    """The properties of the statements that it rests on.

    Args:
        asked: the fact.
        rules: by number.
    """
    sole = rules[asked.sole.rule].premises if isinstance(asked, Composed) else ()
    return frozenset((*rules[true_beside(asked).rule].premises, *sole))
