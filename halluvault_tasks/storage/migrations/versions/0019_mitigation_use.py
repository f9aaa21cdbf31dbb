"""Which cases edit requests and training data were made of."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mitigation_use",
        sa.Column("model", sa.Text(), nullable=False, comment="name of the model that had it wrong"),
        sa.Column("kind", sa.Text(), nullable=False, comment="edit, locality (what an edit must leave alone) or train"),
        sa.Column("case_id", sa.Text(), sa.ForeignKey("cases.id"), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="month of the evaluation that it was drawn from"),
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "property",
            sa.Integer(),
            autoincrement=False,
            nullable=False,
            comment="property, or key of a derived relation",
        ),
        sa.Column("split", sa.Text(), nullable=False, comment="of train: train or test; else empty"),
        sa.Column("used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.CheckConstraint("kind in ('edit', 'locality', 'train')", name="kind"),
        sa.PrimaryKeyConstraint("model", "kind", "case_id", "subject", "property"),
        comment="cases that edit requests and training data were made of: reported apart from then on",
    )


def downgrade() -> None:
    op.drop_table("mitigation_use")
