"""Facts that are drawn: years, ages, amounts and what else was worked out anew for each benchmark become rows."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_FAMILIES = "symmetric, inverse, transitive, composite, negation.polarity, negation.value"


def upgrade() -> None:
    op.create_table(
        "drawn_fact",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column(
            "rule",
            sa.SmallInteger(),
            nullable=False,
            comment="a rule of a kind that draws (reasoning/kinds/drawing.py)",
        ),
        sa.Column(
            "relation",
            sa.Integer(),
            nullable=False,
            comment="its relation (table `relation`), e.g. the property of the date that its year is of",
        ),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), comment="the item at its other end; NULL where that is a number"),
        sa.Column(
            "value",
            sa.Integer(),
            comment="the number at its other end (a year, an age); NULL where that is an item",
        ),
        sa.Column(
            "evidence",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            comment="sids of the premises, in the order of the argument",
        ),
        sa.Column(
            "place",
            sa.Integer(),
            nullable=False,
            comment="place in the rule's draw: who wants fewer takes the first",
        ),
        comment="true facts of which there are too many to store all: a bounded, seeded draw by each rule",
        postgresql_partition_by="LIST (snapshot)",
    )
    op.alter_column("derivation_manifest", "rows", comment="of derived_fact, or of drawn_fact by a rule that draws")
    op.alter_column(
        "rule",
        "kind",
        existing_comment=_FAMILIES,
        comment=f"{_FAMILIES}, drawn",
    )
    # Nothing was drawn of months that are derived: they are derived again before another part of them is built.
    op.execute("DELETE FROM derivation_manifest WHERE rule = 0")
    # Months opened before get the partitions that new ones are opened with.
    op.execute(
        """
        DO $$ DECLARE key text; BEGIN
          FOR key IN SELECT snapshot FROM snapshot LOOP
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF drawn_fact FOR VALUES IN (%L) '
                           'PARTITION BY LIST (shard)',
                           'drawn_fact_' || replace(replace(key, '-', '_'), '.', '_r'), key);
          END LOOP;
        END $$
        """
    )


def downgrade() -> None:
    op.alter_column("rule", "kind", comment=_FAMILIES)
    op.alter_column("derivation_manifest", "rows", comment=None)
    op.drop_table("drawn_fact")
