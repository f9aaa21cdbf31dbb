"""The proof of any fact that is asked: derived, drawn, composed of two rows, or a foil beside one."""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.evidence import prove_each
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.foils.proving import prove_foils
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, drawing_kind
from halluvault_tasks.reasoning.records import Composed, DerivedFact, DrawnFact, Proof, Rule

Asked = DerivedFact | DrawnFact | Composed | Foil


def prove(session: Session, snapshot: str, facts: Sequence[Asked], known: Neighbourhood) -> list[Proof | Refusal]:
    """The proof of each fact, in order, or why it is not proved (any more).

    Args:
        session: open session.
        snapshot: key.
        facts: rows of it, and foils drawn beside them.
        known: what the foils were drawn from.
    """
    licensed = [isinstance(fact, Foil) and isinstance(fact.beside, DerivedFact) for fact in facts]
    foils = [fact for fact in facts if isinstance(fact, Foil) and isinstance(fact.beside, DerivedFact)]
    rows = [fact for fact, foil in zip(facts, licensed, strict=True) if not foil]
    of_foils = iter(prove_foils(session, snapshot, known, foils) if foils else ())
    of_rows = iter(prove_each(session, snapshot, rows, known.world) if rows else ())
    return [next(of_foils if foil else of_rows) for foil in licensed]


def counted(asked: DrawnFact | Composed | Foil, rules: Mapping[int, Rule]) -> Counted:
    """What the suites count a drawn fact, or a foil beside one, under.

    Args:
        asked: the fact.
        rules: active rules by number.
    """
    fact, sole = (asked.fact, asked.sole) if isinstance(asked, Composed) else (asked, None)
    true = fact.beside if isinstance(fact, Foil) else fact
    rule = rules[true.rule]
    return drawing_kind(rule).counted(rule, true is fact, rules[sole.rule] if sole else None)
