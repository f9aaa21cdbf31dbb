"""What each class and property of a month lost, why, and what is held back."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "key_count",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="class, property, or names (of a class's seeds)"),
        sa.Column("key", sa.Integer(), autoincrement=False, nullable=False, comment="number of the item or property"),
        sa.Column("rows", sa.Integer(), nullable=False, comment="seeds, statements or names of this month"),
        sa.Column("before", sa.Integer(), nullable=False, comment="of the month compared with; 0: there is none"),
        sa.Column(
            "causes",
            postgresql.JSONB(),
            nullable=False,
            comment="what became of those that are not there as they were, by cause",
        ),
        sa.Column("months", sa.SmallInteger(), nullable=False, comment="from the month compared with to this"),
        sa.Column("held", sa.Text(), nullable=True, comment="why no question is asked of it; NULL: it is asked"),
        sa.PrimaryKeyConstraint("snapshot", "kind", "key", name=op.f("key_count_pkey")),
        comment="what a month's classes and properties lost against the month before, by which later months are judged",
    )


def downgrade() -> None:
    op.drop_table("key_count")
