"""The core of a month, which a new model is asked first."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "core_case",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column(
            "n", sa.Integer(), autoincrement=False, nullable=False, comment="questions wanted: `benchmark core --n`"
        ),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column(
            "models",
            sa.Integer(),
            nullable=False,
            comment="models whose answers chose it; 0: chosen by strata alone",
        ),
        sa.ForeignKeyConstraint(
            ["snapshot", "case_id"],
            ["benchmark_case.snapshot", "benchmark_case.case_id"],
            name=op.f("core_case_snapshot_case_id_fkey"),
        ),
        sa.PrimaryKeyConstraint("snapshot", "n", "case_id", name=op.f("core_case_pkey")),
        comment="a small part of a month by which a model can be placed; from here on it never changes",
    )


def downgrade() -> None:
    op.drop_table("core_case")
