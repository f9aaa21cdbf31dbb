"""A pinned model is asked whether a text says what convicts it; on labelled claims, too."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_KEY_OF_CLAIM = "first 16 hex digits of sha256 of what was sent: question, text and claim, both ways round"


def _examiner() -> sa.Column[str]:
    return sa.Column("examiner", sa.Text(), nullable=False, comment="model.id of who was asked")


def _asked() -> Iterator[sa.Column[Any]]:
    for name, comment in (
        ("says", "what was asked, to be answered yes"),
        ("says_reply", "as the examiner sent it; empty where the server refused for good to answer"),
        ("otherwise", "what was asked the other way round, to be answered no"),
        ("otherwise_reply", "likewise"),
    ):
        yield sa.Column(name, sa.Text(), nullable=False, comment=comment)
    yield sa.Column("upheld", sa.Boolean(), nullable=False, comment="yes and no: the text was found to say it")
    yield sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)


def upgrade() -> None:
    op.create_table(
        "examination",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), autoincrement=False, nullable=False),
        _examiner(),
        sa.Column("claim", sa.Text(), nullable=False, comment=_KEY_OF_CLAIM),
        *_asked(),
        sa.ForeignKeyConstraint(
            ["evaluation_id", "case_id", "sample"],
            ["response.evaluation_id", "response.case_id", "response.sample"],
            name=op.f("examination_evaluation_id_case_id_sample_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["examiner"], ["model.id"], name=op.f("examination_examiner_fkey")),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "case_id", "sample", "examiner", "claim", name=op.f("examination_pkey")
        ),
        comment="what a cross-examiner said of the claims and conclusions that convict a response; no verdict",
    )
    op.create_table(
        "examiner_trial",
        _examiner(),
        sa.Column(
            "labelled",
            sa.Text(),
            nullable=False,
            comment="first 16 hex digits of sha256 of the file of labelled claims",
        ),
        sa.Column("claim", sa.Text(), nullable=False, comment=_KEY_OF_CLAIM),
        sa.Column("said", sa.Boolean(), nullable=False, comment="label: the text says it; else it was misread"),
        *_asked(),
        sa.ForeignKeyConstraint(["examiner"], ["model.id"], name=op.f("examiner_trial_examiner_fkey")),
        sa.PrimaryKeyConstraint("examiner", "labelled", "claim", name=op.f("examiner_trial_pkey")),
        comment="what a cross-examiner said of labelled claims, half of them misread: its sensitivity and specificity",
    )


def downgrade() -> None:
    op.drop_table("examiner_trial")
    op.drop_table("examination")
