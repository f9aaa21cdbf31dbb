"""What a month holds back: classes and properties that fell, of which nothing is asked this month."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, FromClause, or_, select

from halluvault_tasks.knowledge.falls import PROPERTY, Fall
from halluvault_tasks.storage.tables import entity

_SHOWN = 8


def told(snapshot: str, words: Sequence[str]) -> tuple[str, str]:
    """An incident's message and way out."""
    more = f" and {len(words) - _SHOWN} more (halluvault snapshot show {snapshot})" if len(words) > _SHOWN else ""
    return (
        f"snapshot {snapshot} is published without questions on {'; '.join(words[:_SHOWN])}{more}",
        "nothing needs doing: what stands next month is asked again. To see what left: halluvault snapshot diff. If it "
        "is right and shall be asked this month: name it under gates.accepted in domains.yaml and clear check_gates "
        "before the month is frozen",
    )


def resting_on(falls: Sequence[Fall], rows: FromClause, snapshots: Sequence[str]) -> ColumnElement[bool]:
    """Whether a row of `statement` is of a property, or its subject of a class, that is held back.

    What was of the class in either of two months is meant: whoever was given another class is no more certain.

    Args:
        falls: what is held back.
        rows: an alias of `statement`.
        snapshots: this month and the one before.
    """
    properties = [one.key for one in falls if one.kind == PROPERTY.name]
    classes = [one.key for one in falls if one.kind != PROPERTY.name]
    of_class = select(entity.c.qid).where(entity.c.snapshot.in_(snapshots), entity.c.types.overlap(classes))
    return or_(rows.c.p.in_(properties), rows.c.s.in_(of_class))
