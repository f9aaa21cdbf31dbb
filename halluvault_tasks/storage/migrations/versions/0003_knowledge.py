"""What the monthly pull keeps beyond statements: requests, redirects, tolerances, ambiguous labels, differences."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ROWS_COMMENT = "as the service counted them in the same answer"


def upgrade() -> None:
    op.add_column(
        "snapshot",
        sa.Column("source_hash", sa.Text(), nullable=True, comment="sha256 of a dump's file; NULL for an endpoint"),
    )
    op.add_column(
        "snapshot",
        sa.Column(
            "dropped_at",
            sa.DateTime(timezone=True),
            nullable=True,
            comment="its rows were dropped; benchmark and results stay",
        ),
    )
    op.add_column(
        "pull_batch",
        sa.Column(
            "requests", sa.SmallInteger(), nullable=False, server_default="1", comment="sent until it came whole"
        ),
    )
    op.alter_column("pull_batch", "rows", existing_type=sa.Integer(), existing_nullable=False, comment=_ROWS_COMMENT)
    op.add_column(
        "entity",
        sa.Column(
            "ambiguous",
            sa.Boolean(),
            nullable=False,
            server_default="false",
            comment="label shared within one of its types",
        ),
    )
    op.add_column(
        "statement",
        sa.Column(
            "amount_low",
            sa.Numeric(),
            nullable=True,
            comment="quantity's lower bound; NULL where the source gives no tolerance",
        ),
    )
    op.add_column("statement", sa.Column("amount_high", sa.Numeric(), nullable=True, comment="quantity's upper bound"))
    op.add_column(
        "statement",
        sa.Column(
            "absent_qualifiers",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            server_default="{}",
            comment="no value there",
        ),
    )
    op.create_table(
        "redirect",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("qid", sa.Integer(), autoincrement=False, nullable=False, comment="merged into another item"),
        sa.Column("target", sa.Integer(), nullable=False, comment="the item that stands for it in every other table"),
        sa.PrimaryKeyConstraint("snapshot", "qid", name=op.f("redirect_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_table(
        "statement_change",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False, comment="added, removed, value, rank or merged"),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False, comment="the snapshot it was held against"),
        sa.CheckConstraint(
            "change in ('added', 'removed', 'value', 'rank', 'merged')", name=op.f("statement_change_change_check")
        ),
        sa.PrimaryKeyConstraint("snapshot", "change", "guid", name=op.f("statement_change_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    # Months opened before get the partitions that new ones are opened with.
    op.execute(
        """
        DO $$ DECLARE key text; parent text; BEGIN
          FOR key, parent IN SELECT snapshot, t FROM snapshot, unnest(ARRAY['redirect', 'statement_change']) AS t LOOP
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
                           parent || '_' || replace(replace(key, '-', '_'), '.', '_r'), parent, key);
          END LOOP;
        END $$
        """
    )


def downgrade() -> None:
    op.drop_table("statement_change")
    op.drop_table("redirect")
    for column in ("absent_qualifiers", "amount_high", "amount_low"):
        op.drop_column("statement", column)
    op.drop_column("entity", "ambiguous")
    op.alter_column("pull_batch", "rows", existing_type=sa.Integer(), existing_nullable=False, comment=None)
    op.drop_column("pull_batch", "requests")
    op.drop_column("snapshot", "dropped_at")
    op.drop_column("snapshot", "source_hash")
