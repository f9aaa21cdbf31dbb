"""What the oracles keep: group verdicts and studies."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""
    op.create_table(
        "oracle_study",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False, comment="development, kept_back or hand_written"),
        sa.Column(
            "oracle_hash",
            sa.Text(),
            nullable=False,
            comment="sha256 over the oracles' code, word lists, rules and model",
        ),
        sa.Column("plan_hash", sa.Text(), nullable=False, comment="sha256 over planted texts and labels"),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("responses", sa.Integer(), nullable=False),
        sa.Column("figures", JSONB(), nullable=False, comment="per profile; on planted faults, not on model output"),
        sa.Column("ran_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "part", "oracle_hash", "plan_hash", name=op.f("oracle_study_pkey")),
        comment="one row a run of the oracle study; the kept-back part runs once per oracle_hash",
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("oracle_study")
