"""How hard questions are, by the answers of a month's models."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "item_figure",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False, comment="prompt and route in which the models were asked"),
        sa.Column("suite", sa.Text(), nullable=False, comment="headline"),
        sa.Column(
            "scope",
            sa.Text(),
            nullable=False,
            comment="stratum, property, ability, width, item, discrimination (estimates in logits), answers, easy "
            "(shares)",
        ),
        sa.Column("key", sa.Text(), nullable=False, comment="stratum, property, model, case id …; empty for the whole"),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), comment="lower end of the 95 % interval; NULL where there is none"),
        sa.Column("high", sa.Float()),
        sa.Column(
            "questions", sa.Integer(), nullable=False, comment="questions behind it; of easy: those that all get right"
        ),
        sa.Column("models", sa.Integer(), nullable=False, comment="models whose answers it rests on"),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("value > '-Infinity' and value < 'Infinity'", name=op.f("item_figure_finite_check")),
        sa.ForeignKeyConstraint(["snapshot"], ["snapshot.snapshot"], name=op.f("item_figure_snapshot_fkey")),
        sa.PrimaryKeyConstraint("snapshot", "variant", "suite", "scope", "key", name=op.f("item_figure_pkey")),
        comment="how hard questions are, by the answers of a month's models: statistics/item_response.py",
    )


def downgrade() -> None:
    op.drop_table("item_figure")
