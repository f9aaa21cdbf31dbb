"""Which statements may support a conclusion, as SQL conditions over `statement st` (bind :snapshot and :today).

Three strengths (semantics.md §1.1, §1.7, §2.2):
- *usable*: not hedged, certainly begun at `as_of`, and for a functional property neither contradicted nor outranked
  (`contested`, found when the rules are typed); supports "has ever" from a single premise;
- *present*: usable, best-ranked, without an end: what holds at `as_of`;
- *standing*: without any date, and for a time-bound property also best-ranked between things that are not over; of
  containment, classes and taxa only what may be composed (`composing`); shared objects compose nothing and ask it
  not. Only standing statements meet in a rule of several premises: all hold at `as_of`, so their intervals intersect.
"""

from collections.abc import Collection
from datetime import date

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.classes import COUNTRY_TYPES, HISTORIC_TYPES
from halluvault_tasks.wikidata import properties as wd

_USABLE = """st.snapshot = :snapshot AND st.kind = 'item' AND NOT st.hedged
 AND coalesce(st.start_latest, :today) <= :today AND coalesce(st.point_latest, :today) <= :today
 AND st.sid NOT IN (SELECT CAST(jsonb_array_elements_text(support -> 'contested') AS integer) FROM rule
 WHERE rule.snapshot = :snapshot)"""

_IN_SERIES = f"""
 AND (st.p NOT IN {wd.SEQUENCE} OR EXISTS (SELECT FROM statement mine JOIN statement theirs USING (snapshot, p, o)
 WHERE mine.snapshot = :snapshot AND mine.p = {wd.SERIES} AND mine.s = st.s AND theirs.s = st.o))"""

USABLE = _USABLE + _IN_SERIES

_BEST = """ AND (st.rank = 'preferred' OR NOT EXISTS (SELECT FROM statement better WHERE better.snapshot = :snapshot
 AND better.p = st.p AND better.s = st.s AND better.rank = 'preferred'))"""

PRESENT = f"""{USABLE}{_BEST}
 AND st.end_earliest IS NULL AND st.end_latest IS NULL AND st.point_earliest IS NULL AND st.point_latest IS NULL
 AND NOT st.unknown_qualifiers && ARRAY{[*wd.PAST_QUALIFIERS]}"""

_UNDATED = f"""{USABLE}
 AND num_nonnulls(st.start_earliest, st.start_latest, st.end_earliest) = 0
 AND num_nonnulls(st.end_latest, st.point_earliest, st.point_latest) = 0
 AND st.unknown_qualifiers = '{{}}'"""

OVER = f"""SELECT s FROM statement WHERE snapshot = :snapshot AND p IN {wd.ENDED} AND kind <> 'none'
 UNION SELECT qid FROM entity WHERE snapshot = :snapshot AND (types && ARRAY{sorted(HISTORIC_TYPES)}
 OR NOT types && ARRAY{sorted(COUNTRY_TYPES)} AND types && ARRAY(
 WITH RECURSIVE historic(type) AS (SELECT unnest(ARRAY{sorted(HISTORIC_TYPES)}) UNION SELECT lower.s FROM historic
 JOIN statement lower ON lower.snapshot = :snapshot AND lower.p = {wd.SUBCLASS_OF} AND lower.o = historic.type)
 SELECT type FROM historic))"""  # noqa: S608 (constants of this package)
"""Items that may be over: with an end, of a type of things that are over, or of a class below one (but for a state that
has no end: of the United States it is said as well what they were before they were recognised)."""

_COMPOSING = f""" AND (st.p NOT IN {wd.COMPOSED} OR EXISTS (SELECT FROM composable WHERE composable.snapshot = :snapshot
 AND composable.sid = st.sid))"""

UNDATED_TIMELESS = _UNDATED
UNDATED_TIME_BOUND = f"{_UNDATED}{_BEST} AND st.s NOT IN ({OVER}) AND st.o NOT IN ({OVER})"
STANDING_TIMELESS = UNDATED_TIMELESS + _COMPOSING
STANDING_TIME_BOUND = UNDATED_TIME_BOUND + _COMPOSING


def narrowed(condition: str, properties: Collection[int]) -> str:
    """A condition for statements of these properties alone: without what it asks of others, which costs time."""
    if not set(properties) & set(wd.SEQUENCE):
        condition = condition.replace(_IN_SERIES, "")
    if not set(properties) & set(wd.COMPOSED):
        condition = condition.replace(_COMPOSING, "")
    return condition


def with_over(condition: str) -> str:
    """The condition with what `OVER` finds bound as the array :over, for those who ask often."""
    return condition.replace(f"({OVER})", "(SELECT unnest(CAST(:over AS integer[])))")


def over(session: Session, snapshot: str) -> list[int]:
    """What `OVER` finds."""
    return sorted(session.scalars(text(OVER), {"snapshot": snapshot}))


def today(session: Session, snapshot: str) -> int:
    """Day number of the snapshot's `as_of`.

    Raises:
        UserError: there is no such snapshot.
    """
    day: date | None = session.scalar(text("SELECT as_of FROM snapshot WHERE snapshot = :key"), {"key": snapshot})
    if day is None:
        raise UserError(
            f"there is no snapshot {snapshot!r}", "`halluvault snapshot list` names them; `halluvault pull` makes one"
        )
    return day.toordinal()
