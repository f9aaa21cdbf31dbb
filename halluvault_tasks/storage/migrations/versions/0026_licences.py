"""Each case says on which licence the No of its block rests, and each rate is told of the proved part as well."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_COMPARED = ("proved_difference", "proved_low", "proved_high", "proved_shared")
_PROVED = {"proved_rate": "hallucination_rate", "proved_accuracy": "accuracy"}
"""Metric of the proved part → that of the whole, which was proved."""


def upgrade() -> None:
    # What was frozen before was proved: the default is the truth about it.
    op.add_column(
        "benchmark_case",
        sa.Column(
            "licence",
            sa.Text(),
            nullable=False,
            server_default="proved",
            comment="the weakest on which a No of its block rests: proved, list or measured (semantics.md 1.10)",
        ),
    )
    op.create_check_constraint(
        op.f("benchmark_case_licence_check"), "benchmark_case", "licence in ('proved', 'list', 'measured')"
    )
    for name in _COMPARED:
        op.add_column("comparison", sa.Column(name, sa.Integer() if name == "proved_shared" else sa.Float()))
    op.alter_column("comparison", "proved_difference", comment="the same on those of the questions that are proved")
    op.execute(
        "UPDATE comparison SET proved_difference = difference, proved_low = low, proved_high = high,"
        " proved_shared = shared"
    )
    for proved, whole in _PROVED.items():
        op.execute(
            "INSERT INTO result (evaluation_id, suite, scope, key, profile, profile_version, metric, value, low, high,"
            " hits, n, clusters, design_effect, no_rate_reason)"
            f" SELECT evaluation_id, suite, scope, key, profile, profile_version, '{proved}', value, low, high,"
            f" hits, n, clusters, design_effect, no_rate_reason FROM result WHERE metric = '{whole}'"
        )


def downgrade() -> None:
    for name in _COMPARED:
        op.drop_column("comparison", name)
    op.execute("DELETE FROM result WHERE metric IN ('proved_rate', 'proved_accuracy')")
    op.drop_constraint(op.f("benchmark_case_licence_check"), "benchmark_case", type_="check")
    op.drop_column("benchmark_case", "licence")
