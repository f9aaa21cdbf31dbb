"""What of a month may be composed, and what people found to be false."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009_parts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "composable",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("sid", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "sid", name=op.f("composable_pkey")),
        comment="statements of P131, P171 and P279 that lead on to a third thing, found when the rules are typed",
    )
    op.create_table(
        "checked_negative",
        sa.Column("id", sa.Integer(), sa.Identity(always=True), nullable=False),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False, comment="who checked it: a data set with its version, a person"),
        sa.Column(
            "checked_on", sa.Date(), nullable=False, comment="what is bound to a time is false as of this day only"
        ),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column(
            "withdrawn",
            sa.Text(),
            nullable=True,
            comment="the first month that states or derives it, and how; NULL: none does",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("checked_negative_pkey")),
        sa.UniqueConstraint("p", "s", "o", "source", name=op.f("checked_negative_p_key")),
        comment="statements that people found to be false (`halluvault negatives import`); never per month",
    )


def downgrade() -> None:
    op.drop_table("checked_negative")
    op.drop_table("composable")
