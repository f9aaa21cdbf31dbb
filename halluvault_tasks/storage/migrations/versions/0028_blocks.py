"""Each case tells its block, so that next month asks what stood together as it stood."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "benchmark_case",
        sa.Column(
            "block",
            sa.Integer(),
            comment="number in the part: its groups are asked together or not at all; NULL: unknown",
        ),
    )


def downgrade() -> None:
    op.drop_column("benchmark_case", "block")
