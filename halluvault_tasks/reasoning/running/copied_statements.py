"""Rows of polarity negation (semantics.md §1.5): true statements as they are, which are asked with a flipped wording.

Nothing is concluded, so Prolog is not needed: Postgres copies the usable statements between named items.
"""

from collections.abc import Collection

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.running.shard_run import room, staging_name
from halluvault_tasks.storage.tables import derived_fact


def copy(session: Session, snapshot: str, shard: int, rules: Collection[Rule]) -> dict[int, int]:
    """Put the facts of a shard's polarity rules into its staging table.

    Args:
        session: open session; its transaction made the staging table, which is empty.
        snapshot: key.
        shard: number of the shard.
        rules: its negation.polarity rules.

    Returns:
        Rule number → rows.

    Raises:
        UserError: Postgres has no room for them.
    """
    if not rules:
        return {}
    into = staging_name(derived_fact, snapshot, shard)
    ids = relation_ids(session)
    bind = {
        "snapshot": snapshot,
        "today": usable.today(session, snapshot),
        "rules": [rule.rule for rule in rules],
        "relations": [ids[rule.conclusion] for rule in rules],
        "properties": [rule.premises[0] for rule in rules],
    }
    condition = usable.narrowed(usable.USABLE, [rule.premises[0] for rule in rules])
    session.execute(text("SET LOCAL work_mem = '256MB'"))
    with room():
        session.execute(
            text(
                f"INSERT INTO {into} (rule, relation, s, o, evidence) "  # noqa: S608 (constants of this package)
                # Statements lie nearly in this order: sorting them takes less than a table of all groups.
                "SELECT DISTINCT ON (st.p, st.s, st.o) asked.rule, asked.relation, st.s, st.o, ARRAY[st.sid] "
                "FROM statement st JOIN unnest("
                "CAST(:rules AS integer[]), CAST(:relations AS integer[]), CAST(:properties AS integer[])"
                ") AS asked(rule, relation, p) USING (p) "
                "JOIN entity mine ON mine.snapshot = :snapshot AND mine.qid = st.s AND mine.label IS NOT NULL "
                "JOIN entity theirs ON theirs.snapshot = :snapshot AND theirs.qid = st.o AND theirs.label IS NOT NULL "
                f"WHERE {condition} AND st.p = ANY(:properties) ORDER BY st.p, st.s, st.o, st.sid"
            ),
            bind,
        )
    counted = session.execute(text(f"SELECT rule, count(*) AS n FROM {into} GROUP BY rule"))  # noqa: S608 (a table's name)
    return {row.rule: row.n for row in counted}
