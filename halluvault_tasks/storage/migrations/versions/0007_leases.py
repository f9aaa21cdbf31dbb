"""Who is at work, as rows that a pooler cannot mix up; and what each pulled body gives to its snapshot."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""
    op.create_table(
        "lease",
        sa.Column("token", sa.Text(), nullable=False, comment="of one holding, drawn at random"),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="'' for what belongs to no month"),
        sa.Column(
            "work", sa.Text(), nullable=False, comment="what nobody else does meanwhile; '' is everything in the month"
        ),
        sa.Column("part", sa.SmallInteger(), nullable=False, comment="0 to parts - 1"),
        sa.Column(
            "parts", sa.SmallInteger(), nullable=False, comment="into how many the work is divided; 0: it is not"
        ),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False, comment="user, or Airflow's task and run"),
        sa.Column(
            "process",
            sa.Text(),
            nullable=False,
            comment="machine, process and its start: tells on its machine if it lives",
        ),
        sa.Column("since", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column(
            "beat_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
            comment="last sign of life",
        ),
        sa.PrimaryKeyConstraint("token", name=op.f("lease_pkey")),
        comment="who is at work: exempt from the rule that a second run adds no row",
    )
    op.add_column(
        "pull_batch",
        sa.Column(
            "gives",
            sa.Integer(),
            nullable=True,
            comment="statements or entities that the snapshot has of it; NULL: it is not read",
        ),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("pull_batch", "gives")
    op.drop_table("lease")
