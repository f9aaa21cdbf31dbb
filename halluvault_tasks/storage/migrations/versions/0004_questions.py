"""What a benchmark keeps of its months and of its blind baselines."""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""


def downgrade() -> None:
    """Take it away again."""
