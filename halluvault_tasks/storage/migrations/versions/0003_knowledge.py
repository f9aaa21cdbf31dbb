"""What the monthly pull keeps beyond statements: batches asked and counted, redirects, differences."""

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""


def downgrade() -> None:
    """Take it away again."""
