"""The parts of a reply: thoughts and what an API says in place of an answer stand beside the text."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "response",
        sa.Column(
            "thought", sa.Text(), comment="what the model thought before it answered, of all turns; read by no oracle"
        ),
    )
    op.add_column(
        "response",
        sa.Column(
            "thought_tokens",
            sa.Integer(),
            comment="tokens of it, among generated_tokens; NULL: the server does not say",
        ),
    )
    op.add_column(
        "response",
        sa.Column("refusal", sa.Text(), comment="what the API said in place of an answer; NULL: it did not refuse"),
    )
    op.add_column(
        "model_check",
        sa.Column(
            "thinks",
            sa.Text(),
            nullable=False,
            server_default="",
            comment="where its thoughts stand; empty: none were seen",
        ),
    )
    op.add_column(
        "result",
        sa.Column(
            "no_rate_reason", sa.Text(), comment="why a rate of hallucinations is left out; NULL where it is there"
        ),
    )
    op.alter_column("result", "value", comment="NULL where it is not defined, or there is none (no_rate_reason)")
    # Until now there was one reason alone. Figures of months that are judged are made anew by `results summarise`.
    op.execute(
        "UPDATE result SET no_rate_reason = 'more than 1 % undelivered' WHERE value IS NULL"
        " AND metric IN ('hallucination_rate', 'band_high', 'unsupported_high')"
    )


def downgrade() -> None:
    op.alter_column("result", "value", comment="NULL where it is not defined, or too little was delivered")
    op.drop_column("result", "no_rate_reason")
    op.drop_column("model_check", "thinks")
    for name in ("refusal", "thought_tokens", "thought"):
        op.drop_column("response", name)
