"""What served models wrote for a benchmark, by instruction: rewritings are one of several."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "generation",
        sa.Column("model", sa.Text(), nullable=False, comment="registry name of the model that was asked"),
        sa.Column("instruction", sa.Text(), nullable=False, comment="what it was told to do: rewrite …"),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False, comment="of the instruction"),
        sa.Column("input_hash", sa.Text(), nullable=False, comment="sha256 of what the instruction was about, UTF-8"),
        sa.Column(
            "n", sa.SmallInteger(), autoincrement=False, nullable=False, comment="from 1, where several were asked for"
        ),
        sa.Column("text", sa.Text(), nullable=False, comment="as the server sent it; NUL stands as U+FFFD"),
        sa.PrimaryKeyConstraint("model", "instruction", "version", "input_hash", "n", name=op.f("generation_pkey")),
        comment="stored before it is looked at, so that a part built again is the same to the byte",
    )
    op.execute(
        "INSERT INTO generation (model, instruction, version, input_hash, n, text)"
        " SELECT model, 'rewrite', version, encode(sha256(convert_to(question, 'UTF8')), 'hex'), 1, text FROM rewriting"
    )
    op.drop_table("rewriting")


def downgrade() -> None:
    # A hash cannot be turned back into its question: rewritings are asked for anew.
    op.create_table(
        "rewriting",
        sa.Column("model", sa.Text(), nullable=False, comment="registry name of the model that was asked"),
        sa.Column("version", sa.Integer(), nullable=False, comment="of the instruction it was given"),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="what it made of the question"),
        sa.PrimaryKeyConstraint("model", "version", "question", name=op.f("rewriting_pkey")),
    )
    op.drop_table("generation")
