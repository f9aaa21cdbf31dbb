"""What the oracles keep: group verdicts and studies."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_COMMENTS = (
    (
        "profile",
        "replay, paper/anchored, paper/anchored/answer-gated …",
        "paper/anchored, paper/anchored/answer-gated, constant-both …",
    ),
    (
        "detail",
        "what it rests on: spans, claims, statuses, statements, replays; or triples and matches",
        "span of the answer, extracted triples, matches",
    ),
)
"""Column of `verdict`, its comment from here on, and before."""


def upgrade() -> None:
    """Add what this revision's docstring names."""
    op.create_table(
        "oracle_study",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False, comment="development, kept_back, hand_written or ablation"),
        sa.Column(
            "oracle_hash",
            sa.Text(),
            nullable=False,
            comment="sha256 over the oracles' code, word lists, rules and model",
        ),
        sa.Column("plan_hash", sa.Text(), nullable=False, comment="sha256 over planted texts and labels"),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("responses", sa.Integer(), nullable=False),
        sa.Column("figures", JSONB(), nullable=False, comment="per profile; on planted faults, not on model output"),
        sa.Column("ran_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "part", "oracle_hash", "plan_hash", name=op.f("oracle_study_pkey")),
        comment="one row a run of the oracle study; the kept-back part runs once per oracle_hash",
    )
    op.create_table(
        "group_verdict",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Text(), nullable=False, comment="metamorphic group: one fact, all its wordings"),
        sa.Column("sample", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("members", sa.Integer(), nullable=False, comment="wordings that were judged"),
        sa.Column("decided", sa.Integer(), nullable=False, comment="those answered yes or no"),
        sa.Column(
            "verdict",
            sa.Text(),
            nullable=False,
            comment="not assessable; inconsistent; consistent, right; or consistent, stable misbelief",
        ),
        sa.Column("against", ARRAY(sa.Text()), nullable=False, comment="two cases whose answers cannot both be right"),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("group_verdict_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint("evaluation_id", "group_id", "sample", name=op.f("group_verdict_pkey")),
        comment="the metamorphic oracle: needs no knowledge, changes no member's category",
    )
    for column, comment, _ in _COMMENTS:
        op.alter_column("verdict", column, comment=comment)


def downgrade() -> None:
    """Take it away again."""
    for column, _, comment in _COMMENTS:
        op.alter_column("verdict", column, comment=comment)
    op.drop_table("group_verdict")
    op.drop_table("oracle_study")
