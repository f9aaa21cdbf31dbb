"""No model is asked to list claims any more; what was listed stays where there is any: verdicts rest on it."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if not op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM transcript)")):
        op.drop_table("transcript")


def downgrade() -> None:
    op.create_table(
        "transcript",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("reader", sa.Text(), nullable=False, comment="transcript (the same model's), or llm:NAME"),
        sa.Column("text", sa.Text(), nullable=True, comment="as the server sent it; NULL: none came, see `error`"),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("finish_reason", sa.Text(), nullable=True),
        sa.Column("generated_tokens", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=True),
        sa.Column("model_id", sa.Text(), nullable=False, comment="model.id of who listed them"),
        sa.Column("listed", sa.Integer(), nullable=False, comment="claims in it"),
        sa.Column(
            "kept", sa.Integer(), nullable=False, comment="of these, claims that the response's own sentences hold"
        ),
        sa.Column(
            "dropped", postgresql.JSONB(), nullable=False, comment="why the others were dropped, or the whole was"
        ),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id", "case_id", "sample"],
            ["response.evaluation_id", "response.case_id", "response.sample"],
            name=op.f("transcript_evaluation_id_case_id_sample_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "case_id", "sample", "reader", name=op.f("transcript_pkey")),
        if_not_exists=True,
        comment="a response's claims as a model listed them; how many of them hold is the reader's to say",
    )
