"""A listing says no more whether its server obeyed a grammar: no other server is asked for one."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("transcript", "grammar")


def downgrade() -> None:
    op.add_column("transcript", sa.Column("grammar", sa.Boolean(), server_default=sa.true(), nullable=False))
