"""By which route an evaluation asked, and what its model was seen to do."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_ID_COMMENTS = (
    "first 16 hex digits of sha256(snapshot, model, variant, route, sampling); older ones without route",
    "first 16 hex digits of sha256(snapshot, model, variant, sampling)",
)
"""Of `evaluation.id`, from here on and before."""

_WHAT_THEY_DID = """
UPDATE evaluation SET route = CASE WHEN v.form = 'chat' THEN 'chat' WHEN m.dialect = 'tgi' THEN 'completions' END
FROM model m, prompt_variant v WHERE m.id = evaluation.model_id AND v.id = evaluation.variant_id
"""


def upgrade() -> None:
    """Add what this revision's docstring names; evaluations that are there say what they did."""
    op.add_column(
        "evaluation",
        sa.Column(
            "route",
            sa.Text(),
            comment="chat (through the server's template) or completions (raw); "
            "NULL: as configured when it was planned",
        ),
    )
    op.add_column(
        "evaluation",
        sa.Column("template", sa.Boolean(), comment="whether the server has a chat template; NULL: unknown"),
    )
    op.add_column(
        "evaluation",
        sa.Column(
            "decoding",
            sa.Text(),
            comment="greedy, `greedy, not bitwise repeatable`, samples or unknown, as seen; NULL: never looked at",
        ),
    )
    op.alter_column("evaluation", "id", comment=_ID_COMMENTS[0])
    op.execute(_WHAT_THEY_DID)
    op.create_check_constraint(op.f("evaluation_route_check"), "evaluation", "route in ('chat', 'completions')")
    op.create_table(
        "model_check",
        sa.Column(
            "id",
            sa.Text(),
            nullable=False,
            comment="first 16 hex digits of sha256(model, route, sampling parameters)",
        ),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("base_urls", ARRAY(sa.Text()), nullable=False, comment="the replicas that were asked"),
        sa.Column("template", sa.Boolean(), comment="whether there is a chat template; NULL: no way to tell"),
        sa.Column("decoding", sa.Text(), nullable=False),
        sa.Column("sends", JSONB(), nullable=False, comment="parameters without which it would not be greedy"),
        sa.Column("guided_regex", sa.Boolean(), nullable=False, comment="whether it obeyed a regular expression"),
        sa.Column("guided_json", sa.Boolean(), nullable=False, comment="whether it obeyed a JSON schema"),
        sa.Column("seen", sa.Text(), nullable=False, comment="what that rests on"),
        sa.Column("checked_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("model_check_model_id_fkey")),
        sa.PrimaryKeyConstraint("id", name=op.f("model_check_pkey")),
        comment="what a model was seen to do through a route, asked once for each identity",
    )
    op.create_index(op.f("model_check_model_id_ix"), "model_check", ["model_id"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("model_check")
    op.drop_constraint(op.f("evaluation_route_check"), "evaluation", type_="check")
    op.alter_column("evaluation", "id", comment=_ID_COMMENTS[1])
    for column in ("decoding", "template", "route"):
        op.drop_column("evaluation", column)
