"""What the oracles keep: group verdicts and studies."""

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""


def downgrade() -> None:
    """Take it away again."""
