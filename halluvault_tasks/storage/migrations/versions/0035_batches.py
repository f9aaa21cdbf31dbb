"""Prompts that were handed to a hosted API as files."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def _time(name: str, comment: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True, comment=comment)


def upgrade() -> None:
    op.create_table(
        "batch",
        sa.Column(
            "key", sa.Text(), nullable=False, comment="ours, random; the API has it as `halluvault` in its metadata"
        ),
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False, comment="registry name"),
        sa.Column("round", sa.SmallInteger(), nullable=False, comment="from 1; batches of a round were made together"),
        sa.Column("turn", sa.SmallInteger(), nullable=False, comment="of its conversations that it asks, from 1"),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Text(), comment="of its requests; NULL: not uploaded, as far as is known"),
        sa.Column("batch_id", sa.Text(), comment="the API's; NULL: not made, as far as is known"),
        sa.Column("status", sa.Text(), nullable=False, comment="in the API's words; `made` before it has any"),
        sa.Column(
            "completed", sa.Integer(), nullable=False, server_default="0", comment="requests, as the API counts them"
        ),
        sa.Column("failed", sa.Integer(), nullable=False, server_default="0", comment="likewise"),
        sa.Column("error", sa.Text(), comment="why it came to nothing, or in part; NULL: it did not"),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        _time("submitted_at", "when the API had it"),
        _time("polled_at", "when it last said how far it was"),
        _time("ended_at", "when its lines were collected or given up; NULL: it is open"),
        sa.Column(
            "fruitless",
            sa.Boolean(),
            nullable=False,
            server_default="false",
            comment="its round brought no reply at all",
        ),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("batch_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint("key", name=op.f("batch_pkey")),
        comment="prompts that were handed to a hosted API as a file (`asking: batch`)",
    )
    op.create_index(op.f("batch_evaluation_id_ix"), "batch", ["evaluation_id"])
    op.create_table(
        "batch_line",
        sa.Column("batch_key", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False, comment="custom_id is BATCH_KEY-NUMBER"),
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), nullable=False),
        sa.Column("status", sa.SmallInteger(), comment="of HTTP; NULL: no answer came"),
        sa.Column("body", sa.Text(), comment="JSON of the answer as it came"),
        sa.ForeignKeyConstraint(
            ["batch_key"], ["batch.key"], name=op.f("batch_line_batch_key_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("batch_line_case_id_fkey")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("batch_line_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint("batch_key", "number", name=op.f("batch_line_pkey")),
        comment="requests of batches whose prompts have no response yet",
    )
    op.create_index(op.f("batch_line_evaluation_id_case_id_ix"), "batch_line", ["evaluation_id", "case_id"])


def downgrade() -> None:
    op.drop_table("batch_line")
    op.drop_table("batch")
