"""What a fan-out keeps of its lanes: heartbeats, transcripts, identities."""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what this revision's docstring names."""


def downgrade() -> None:
    """Take it away again."""
