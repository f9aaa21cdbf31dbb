"""What a fan-out keeps of its lanes: heartbeats, transcripts, identities."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the heartbeat, and to each response its transcript and the model that the server confirmed."""
    op.create_table(
        "lane",
        sa.Column("evaluation_id", sa.Text(), sa.ForeignKey("evaluation.id", name=op.f("lane_evaluation_id_fkey"))),
        sa.Column("shard", sa.SmallInteger(), autoincrement=False),
        sa.Column("shards", sa.SmallInteger(), nullable=False),
        sa.Column(
            "server",
            sa.Text(),
            nullable=False,
            comment="registry name; lanes on one server share its in-flight budget",
        ),
        sa.Column("state", sa.Text(), nullable=False, comment="asking, finished or stopped"),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("beat_at", sa.DateTime(timezone=True), nullable=False, comment="a lane that was killed falls silent"),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("dead", sa.Integer(), nullable=False),
        sa.Column("in_flight", sa.Integer(), nullable=False),
        sa.Column("allowed", sa.Integer(), nullable=False, comment="requests it may have open now"),
        sa.Column("failures", JSONB(), nullable=False, comment="failed attempts by kind"),
        sa.Column("rate", sa.Float(), nullable=False, comment="prompts finished per second, last half minute"),
        sa.Column("eta_seconds", sa.Float()),
        sa.Column("message", sa.Text(), nullable=False, comment="why it waits or stopped"),
        sa.PrimaryKeyConstraint("evaluation_id", "shard", name=op.f("lane_pkey")),
        sa.CheckConstraint("state in ('asking', 'finished', 'stopped')", name=op.f("lane_state_check")),
        comment="heartbeat of each shard's newest run",
    )
    op.add_column(
        "response",
        sa.Column("transcript", JSONB(), comment="the whole exchange of a chat prompt; NULL for a plain one"),
    )
    op.add_column(
        "response",
        sa.Column(
            "model_id",
            sa.Text(),
            comment="model.id that the server confirmed after this answer; NULL: not asked by a lane",
        ),
    )
    op.execute(
        "UPDATE response SET model_id = evaluation.model_id FROM evaluation"
        " WHERE evaluation.id = response.evaluation_id"
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("response", "model_id")
    op.drop_column("response", "transcript")
    op.drop_table("lane")
