"""Shared-object groups stored whole, and what a derived rule rests on, so that the next month can take rows over."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_group",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("rule", sa.SmallInteger(), nullable=False, comment="a share rule"),
        sa.Column("o", sa.Integer(), nullable=False, comment="the item that all members share"),
        sa.Column(
            "members",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            comment="subjects, ascending: any two of them make a pair",
        ),
        sa.Column(
            "sids",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            comment="each member's statement, in the same order",
        ),
        comment="shared-object groups whole; derived_fact holds their pairs up to a cap",
        postgresql_partition_by="LIST (snapshot)",
    )
    op.add_column(
        "derivation_manifest",
        sa.Column("groups", sa.BigInteger(), nullable=False, server_default="0", comment="rows of shared_group"),
    )
    op.add_column(
        "derivation_manifest",
        sa.Column(
            "inputs", sa.Text(), nullable=False, server_default="", comment="sha256 of program, rule and licences"
        ),
    )
    op.add_column(
        "derivation_manifest",
        sa.Column(
            "reused",
            sa.BigInteger(),
            nullable=False,
            server_default="0",
            comment="rows taken over from an earlier month",
        ),
    )
    # Months opened before get the partitions that new ones are opened with.
    op.execute(
        """
        DO $$ DECLARE key text; BEGIN
          FOR key IN SELECT snapshot FROM snapshot LOOP
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF shared_group FOR VALUES IN (%L) '
                           'PARTITION BY LIST (shard)',
                           'shared_group_' || replace(replace(key, '-', '_'), '.', '_r'), key);
          END LOOP;
        END $$
        """
    )


def downgrade() -> None:
    for column in ("reused", "inputs", "groups"):
        op.drop_column("derivation_manifest", column)
    op.drop_table("shared_group")
