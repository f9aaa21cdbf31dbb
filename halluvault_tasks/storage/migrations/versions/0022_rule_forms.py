"""The exact kind of a rule in a column of its own: it was told from name and figures."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_FORM = """
UPDATE rule SET form = CASE
    WHEN kind = 'inverse' AND support ? 'sex' THEN 'inverse by sex'
    WHEN kind = 'transitive' AND jsonb_array_length(coalesce(support -> 'below', '[]')) > 0
        THEN 'transitive, licensed pairs'
    WHEN kind = 'composite' AND name LIKE 'share:%' THEN 'share'
    WHEN kind = 'composite' AND support -> 'chain' ->> -1 LIKE '%*' THEN 'chain, climbing'
    WHEN kind = 'composite' THEN 'chain'
    WHEN kind = 'negation.polarity' THEN 'polarity'
    WHEN name LIKE '%:checked' THEN 'checked'
    WHEN name LIKE '%:converse' THEN 'converse'
    WHEN name LIKE '%:reflexive' THEN 'reflexive'
    WHEN kind = 'negation.value' THEN 'wrong value'
    ELSE kind END
"""


def upgrade() -> None:
    op.add_column(
        "rule",
        sa.Column("form", sa.Text(), comment="its kind more exactly, e.g. inverse by sex (reasoning/kinds)"),
    )
    op.execute(_FORM.replace(":", "\\:"))
    op.alter_column("rule", "form", nullable=False)


def downgrade() -> None:
    op.drop_column("rule", "form")
