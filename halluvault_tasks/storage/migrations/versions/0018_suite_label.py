"""People's labels of a companion suite's texts: Yes or No, with the words at fault."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "suite_label",
        sa.Column("evaluation_id", sa.Text(), sa.ForeignKey("evaluation.id", ondelete="CASCADE"), nullable=False),
        sa.Column("case_id", sa.Text(), sa.ForeignKey("cases.id"), nullable=False),
        sa.Column("sample", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("labeller", sa.Text(), nullable=False, comment="name of a person's sheet"),
        sa.Column("label", sa.Text(), nullable=False, comment="yes: the text holds a hallucination; or no"),
        sa.Column(
            "spans",
            postgresql.JSONB(),
            nullable=False,
            comment="unverifiable, non-factual, irrelevant → words at fault",
        ),
        sa.CheckConstraint("label in ('yes', 'no')", name="label"),
        sa.PrimaryKeyConstraint("evaluation_id", "case_id", "sample", "labeller"),
        comment="what people say of a companion suite's texts; only of labellers that were admitted",
    )


def downgrade() -> None:
    op.drop_table("suite_label")
