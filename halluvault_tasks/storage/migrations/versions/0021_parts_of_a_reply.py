"""The parts of a reply: thoughts and what an API says in place of an answer stand beside the text."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

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
        "model_check",
        sa.Column(
            "thinking",
            postgresql.JSONB(),
            nullable=False,
            server_default="{}",
            comment="what its evaluations have as `thinking` among their parameters: room for thoughts, or how it is "
            "told not to think",
        ),
    )
    op.add_column(
        "model_check",
        sa.Column(
            "omit",
            postgresql.ARRAY(sa.Text()),
            nullable=False,
            server_default="{}",
            comment="fields of a request that are left out",
        ),
    )
    op.add_column(
        "model_check",
        sa.Column(
            "limit_field",
            sa.Text(),
            nullable=False,
            server_default="",
            comment="name of its limit of new tokens; empty: usual",
        ),
    )
    op.add_column(
        "model_check",
        sa.Column(
            "advice", sa.Text(), nullable=False, server_default="", comment="what people should look at; empty: nothing"
        ),
    )
    # Nobody was asked yet whether it thinks. Who does not is asked as before, in the same evaluations.
    op.execute("DELETE FROM model_check")
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
    for name in ("advice", "limit_field", "omit", "thinking", "thinks"):
        op.drop_column("model_check", name)
    for name in ("refusal", "thought_tokens", "thought"):
        op.drop_column("response", name)
