"""The false facts that a part asks about become rows."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "foil",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column(
            "id",
            sa.Text(),
            nullable=False,
            comment="first 16 hex digits of sha256 over relation, s, o and value as JSON",
        ),
        sa.Column("relation", sa.Integer(), nullable=False, comment="its relation (table `relation`)"),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), comment="an item that s does not have; NULL where it is a number"),
        sa.Column("value", sa.Integer(), comment="a number that s does not have; NULL where it is an item"),
        sa.Column("how", sa.Text(), nullable=False, comment="the way in which it was drawn (reasoning/foils)"),
        sa.Column("reason", sa.SmallInteger(), nullable=False, comment="code of the licence (docs/reasoning.md)"),
        sa.Column(
            "evidence",
            postgresql.ARRAY(sa.Integer()),
            nullable=False,
            comment="sids that show it, in the order of the argument",
        ),
        sa.PrimaryKeyConstraint("snapshot", "id", name=op.f("foil_pkey")),
        comment="the false facts that a frozen part asks about, whichever part; stored when it is written",
    )


def downgrade() -> None:
    op.drop_table("foil")
