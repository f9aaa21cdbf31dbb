"""How well known the entities of a snapshot are, as far as it says."""

import math
from collections import Counter

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import entity, statement


def load(session: Session, snapshot: str) -> dict[int, float]:
    """Item → logarithm of the number of its Wikipedia pages and the like.

    Where the source counts none: of the statements that it stands in.
    """
    counted = session.execute(
        select(entity.c.qid, entity.c.sitelinks).where(entity.c.snapshot == snapshot, entity.c.sitelinks > 0)
    ).all()
    number = Counter({qid: int(count) for qid, count in counted if count})
    if not number:
        for end in (statement.c.s, statement.c.o):
            rows = session.execute(
                select(end, func.count()).where(statement.c.snapshot == snapshot, end.is_not(None)).group_by(end)
            )
            for qid, count in rows:
                number[qid] += count
    return {qid: math.log(count) for qid, count in number.items()}
