"""Columns say what they hold: relations have a table, and a derived fact its evidence as an array.

Until here a relation was a number (a property's; minus that of a shared value; minus a chain's properties in
thousands), and `e1` to `e3` held statements, an item, a reason's code or a finding's number, by the kind of the rule.
Every month is written anew, shard by shard, in one transaction: while it runs, derived facts take twice their room.
Rows that no manifest counts are left out: rules of before concluded them, whose numbers may be other rules' now. What
is frozen (`benchmark_case.fact`, ids of groups) keeps its numbers.
"""

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_BEFORE = "_0022"

_CONCLUDED = """
CREATE TEMP TABLE concluded ON COMMIT DROP AS
SELECT r.snapshot, r.rule, r.form,
    CASE WHEN r.conclusion > 0 THEN 'property' WHEN r.form = 'share' THEN 'share' ELSE 'chain' END AS kind,
    CASE WHEN r.conclusion > 0 OR r.form = 'share' THEN ARRAY[abs(r.conclusion)]
        WHEN r.conclusion = 0 THEN r.premises
        WHEN ARRAY[-r.conclusion / 1000, mod(-r.conclusion, 1000)] <@ known.properties
            THEN ARRAY[-r.conclusion / 1000, mod(-r.conclusion, 1000)]
        ELSE known.first END AS properties
FROM rule r JOIN (
    SELECT conclusion, array_agg(DISTINCT p) AS properties, min(premises) AS first
    FROM rule CROSS JOIN LATERAL unnest(premises) AS p GROUP BY conclusion) AS known USING (conclusion)
"""
"""Of each rule what it concludes; a relation of rules.yaml whose number was not made of its properties is called by the
least chain that concludes it."""

_FORTH = """
INSERT INTO {new} (snapshot, shard, rule, relation, s, o, evidence, via, reason, finding)
SELECT d.snapshot, d.shard, d.rule, relation.id, d.s, d.o,
    CASE WHEN form = 'checked' THEN '{{}}' WHEN form IN ('transitive', 'wrong value', 'converse') THEN ARRAY[d.e1]
        WHEN form = 'chain, climbing' THEN ARRAY[d.e1, d.e2] ELSE array_remove(ARRAY[d.e1, d.e2, d.e3], 0) END,
    CASE form WHEN 'transitive' THEN d.e2 WHEN 'chain, climbing' THEN d.e3 END,
    CASE WHEN form IN ('wrong value', 'converse', 'checked') THEN d.e3 END,
    CASE form WHEN 'checked' THEN d.e2 END
FROM {old} d JOIN derivation_manifest USING (snapshot, shard, rule) JOIN concluded USING (snapshot, rule)
JOIN relation USING (kind, properties)
"""

_BACK = """
INSERT INTO {new} (snapshot, shard, rule, p, s, o, e1, e2, e3)
SELECT d.snapshot, d.shard, d.rule, rule.conclusion, d.s, d.o,
    coalesce(d.evidence[1], 0),
    coalesce(d.evidence[2], CASE cardinality(d.evidence) WHEN 1 THEN d.via END, d.finding, 0),
    coalesce(d.evidence[3], CASE cardinality(d.evidence) WHEN 2 THEN d.via END, d.reason, 0)
FROM {old} d JOIN rule USING (snapshot, rule)
"""

_NUMBERED = """
UPDATE rule SET conclusion = CASE
    WHEN rule.kind = 'composite' AND verdict = 'refused' THEN 0 WHEN of.kind = 'property' THEN of.properties[1]
    WHEN of.kind = 'share' THEN -of.properties[1]
    WHEN cardinality(of.properties) = 2 THEN -1000 * of.properties[1] - of.properties[2] ELSE -of.id END
FROM relation AS of WHERE of.id = conclusion
"""


class _Partition(NamedTuple):
    name: str
    bound: str
    """`FOR VALUES IN (…)`."""


def upgrade() -> None:
    op.create_table(
        "relation",
        sa.Column("id", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="property, chain, share or order (wikidata/relation.py)"),
        sa.Column(
            "properties", ARRAY(sa.Integer()), nullable=False, comment="the property, or those of a chain in order"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("relation_pkey")),
        sa.UniqueConstraint("kind", "properties", name="relation_kind_key"),
        comment="what relates the two ends of a fact; the id means nothing",
    )
    run = op.get_bind().exec_driver_sql
    run(_CONCLUDED)
    run("INSERT INTO relation (kind, properties) SELECT DISTINCT kind, properties FROM concluded ORDER BY 1, 2")
    _rewrite(
        [
            sa.Column("relation", sa.Integer(), nullable=False, comment="the rule's conclusion (table `relation`)"),
            *_ends(),
            sa.Column(
                "evidence",
                ARRAY(sa.Integer()),
                nullable=False,
                comment="sids of the premises, in the order of the argument",
            ),
            sa.Column(
                "via", sa.Integer(), comment="item before the last step, where evidence has only that step of a path"
            ),
            sa.Column(
                "reason", sa.SmallInteger(), comment="code of the licence of what is false (reasoning/grounds.py)"
            ),
            sa.Column("finding", sa.Integer(), comment="id of `checked_negative`, where people found it to be false"),
        ],
        _FORTH,
    )
    run(
        "UPDATE rule SET conclusion = relation.id FROM concluded JOIN relation USING (kind, properties) "
        "WHERE (concluded.snapshot, concluded.rule) = (rule.snapshot, rule.rule)"
    )
    run("DROP TABLE concluded")
    op.alter_column("rule", "conclusion", comment="relation of its facts (table `relation`)")


def downgrade() -> None:
    op.get_bind().exec_driver_sql(_NUMBERED)
    _rewrite(
        [
            sa.Column("p", sa.Integer(), nullable=False),
            *_ends(),
            sa.Column("e1", sa.Integer(), nullable=False, comment="sid of the (last) premise statement"),
            sa.Column(
                "e2",
                sa.Integer(),
                nullable=False,
                comment="second premise's sid; transitive: predecessor item; else 0",
            ),
            sa.Column(
                "e3",
                sa.Integer(),
                nullable=False,
                comment="third premise's sid, or reason code of a negation; else 0",
            ),
        ],
        _BACK,
    )
    op.alter_column("rule", "conclusion", comment="property of the derived fact")
    op.drop_table("relation")


def _ends() -> list[sa.Column[int]]:
    return [
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), nullable=False, comment="for negation.value: a value the subject does not have"),
    ]


def _rewrite(columns: list[sa.Column[int]], fill: str) -> None:
    """Make `derived_fact` anew, and fill each of its partitions from the one of that name before."""
    run = op.get_bind().exec_driver_sql
    months = {month: list(_partitions(month.name)) for month in _partitions("derived_fact")}
    for table in ("derived_fact", *(one.name for month, shards in months.items() for one in (month, *shards))):
        run(f"ALTER TABLE {table} RENAME TO {table}{_BEFORE}")
    op.create_table(
        "derived_fact",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("rule", sa.SmallInteger(), nullable=False),
        *columns,
        comment="no key: a shard fills an index-less table and attaches it as a partition",
        postgresql_partition_by="LIST (snapshot)",
    )
    for month, shards in months.items():
        run(f"CREATE TABLE {month.name} PARTITION OF derived_fact {month.bound} PARTITION BY LIST (shard)")
        for shard in shards:
            run(f"CREATE TABLE {shard.name} PARTITION OF {month.name} {shard.bound}")
            run(fill.format(new=shard.name, old=shard.name + _BEFORE))
        run(f"DROP TABLE {month.name}{_BEFORE}")
    run(f"DROP TABLE derived_fact{_BEFORE}")


def _partitions(table: str) -> Iterator[_Partition]:
    rows = op.get_bind().execute(
        sa.text(
            "SELECT c.oid::regclass::text, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i "
            "JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = CAST(:table AS regclass) ORDER BY c.relname"
        ),
        {"table": table},
    )
    return (_Partition(*row) for row in rows.all())
