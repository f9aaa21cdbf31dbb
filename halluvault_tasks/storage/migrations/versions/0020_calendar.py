"""In which calendar a source states a time: dates are printed in it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "statement",
        sa.Column(
            "julian",
            postgresql.ARRAY(sa.Integer()),
            comment="own property and qualifiers with times of the Julian calendar; NULL: of a month that kept none",
        ),
    )


def downgrade() -> None:
    op.drop_column("statement", "julian")
