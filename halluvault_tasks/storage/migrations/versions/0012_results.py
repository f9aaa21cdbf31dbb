"""One row per figure: name, value, interval, denominator; and what was found when two evaluations were compared."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0010"
branch_labels = None
depends_on = None

_COUNTS = {
    "normal": "normal",
    "error_knowledge": "error_knowledge",
    "error_inference": "error_inference",
    "both_errors": '"both"',
    "unattributed": "unattributed",
    "unparseable": "unparseable",
    "review": "review",
    "abstained": "abstained",
    "right_sound": "right_sound",
    "right_faulty": "right_faulty",
    "wrong_sound": "wrong_sound",
    "wrong_faulty": "wrong_faulty",
    "accuracy": "right_sound + right_faulty",
    "answered_share": "delivered - abstained - unparseable",
}
"""Metric → its numerator in the former columns; the denominator is `delivered`."""

_HALLUCINATIONS = 'error_knowledge + error_inference + "both" + unattributed'
_ANSWERED = "delivered - abstained - unparseable"
_YES_NO = "right_sound + right_faulty + wrong_sound + wrong_faulty"


def upgrade() -> None:
    """Turn the wide rows into one row a figure; what they did not count comes with `halluvault results summarise`."""
    op.rename_table("result", "result_wide")
    op.execute("ALTER TABLE result_wide RENAME CONSTRAINT result_pkey TO result_wide_pkey")
    op.create_table(
        "result_set",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False, comment="oracle profile; '' for what needs no oracle (cost)"),
        sa.Column("profile_version", sa.Text(), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("result_set_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint("evaluation_id", "profile", "profile_version", name=op.f("result_set_pkey")),
        comment="which profiles of which evaluation have figures, and since when",
    )
    _figures()
    _comparison()
    op.execute(
        "CREATE INDEX cases_question_search_ix ON cases"
        " USING gin (to_tsvector('english'::regconfig, left(question, 10000)))"
    )
    op.execute(
        "INSERT INTO result_set (evaluation_id, profile, profile_version)"
        " SELECT DISTINCT evaluation_id, profile, profile_version FROM result_wide"
    )
    op.execute(_unpivoted())
    op.drop_table("result_wide")


def _figures() -> None:
    op.create_table(
        "result",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False, comment="headline (relation and temporal), or one suite alone"),
        sa.Column("scope", sa.Text(), nullable=False, comment="model, suite, macro, domain, rule, kind, cell, cost …"),
        sa.Column("key", sa.Text(), nullable=False, comment="'' for the whole, else the domain, rule kind, task …"),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("profile_version", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), comment="NULL where it is not defined, or too little was delivered"),
        sa.Column("low", sa.Float(), comment="lower end of the 95 % interval; NULL where there is none"),
        sa.Column("high", sa.Float()),
        sa.Column("hits", sa.BigInteger(), comment="numerator, where it is a share"),
        sa.Column("n", sa.BigInteger(), nullable=False, comment="denominator"),
        sa.Column("clusters", sa.Integer(), comment="independent groups behind the interval"),
        sa.Column("design_effect", sa.Float()),
        sa.CheckConstraint("value > '-Infinity' and value < 'Infinity'", name=op.f("result_finite_check")),
        sa.ForeignKeyConstraint(
            ["evaluation_id", "profile", "profile_version"],
            ["result_set.evaluation_id", "result_set.profile", "result_set.profile_version"],
            name=op.f("result_evaluation_id_profile_profile_version_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "suite", "scope", "key", "profile", "profile_version", "metric", name=op.f("result_pkey")
        ),
        comment="every rate and metric, one row each; nothing else computes one",
    )


def _comparison() -> None:
    op.create_table(
        "comparison",
        sa.Column("a", sa.Text(), nullable=False, comment="evaluation"),
        sa.Column("b", sa.Text(), nullable=False, comment="evaluation that it is held against"),
        sa.Column("kind", sa.Text(), nullable=False, comment="models (of one month) or months (of one model)"),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("a_version", sa.Text(), nullable=False),
        sa.Column("b_version", sa.Text(), nullable=False),
        sa.Column("difference", sa.Float(), comment="rate of A minus rate of B on the shared questions"),
        sa.Column("low", sa.Float()),
        sa.Column("high", sa.Float()),
        sa.Column("p", sa.Float(), comment="cluster sign-flip, two-sided"),
        sa.Column("p_adjusted", sa.Float(), comment="Benjamini-Hochberg over the kind, suite and profile of the month"),
        sa.Column("shared", sa.Integer(), nullable=False, comment="questions that both answered"),
        sa.Column("groups", sa.Integer(), nullable=False),
        sa.Column("needed", sa.BigInteger(), comment="questions that would show the difference found, power 80 %"),
        sa.Column("new_rate", sa.Float(), comment="months: rate of A on questions that B was not asked"),
        sa.Column("new_low", sa.Float()),
        sa.Column("new_high", sa.Float()),
        sa.Column("new_questions", sa.Integer()),
        sa.CheckConstraint("kind in ('models', 'months')", name=op.f("comparison_kind_check")),
        sa.ForeignKeyConstraint(["a"], ["evaluation.id"], name=op.f("comparison_a_fkey")),
        sa.ForeignKeyConstraint(["b"], ["evaluation.id"], name=op.f("comparison_b_fkey")),
        sa.PrimaryKeyConstraint("a", "b", "kind", "suite", "profile", name=op.f("comparison_pkey")),
        comment="two evaluations on the questions that both answered",
    )


def _unpivoted() -> str:
    shares = [(name, hits, "delivered", "NULL", "NULL") for name, hits in _COUNTS.items()]
    shares += [
        ("delivered", "delivered", "planned", "NULL", "NULL"),
        ("rate_among_answered", _HALLUCINATIONS, _ANSWERED, "NULL", "NULL"),
        ("accuracy_among_answered", "right_sound + right_faulty", _ANSWERED, "NULL", "NULL"),
        ("yes_rate", "said_yes", _YES_NO, "NULL", "NULL"),
    ]
    values = ", ".join(
        f"('{name}', ({hits})::bigint, ({of})::bigint, ({hits})::float8 / nullif({of}, 0), {low}::float8,"
        f" {high}::float8, NULL::float8)"
        for name, hits, of, low, high in shares
    )
    rate = (
        f"('hallucination_rate', ({_HALLUCINATIONS})::bigint, delivered::bigint, rate, rate_low, rate_high,"
        " w.design_effect), "
        f"('band_high', ({_HALLUCINATIONS} + unparseable + review)::bigint, delivered::bigint, band_high,"
        " NULL, NULL, NULL)"
    )
    return (
        "INSERT INTO result (evaluation_id, suite, scope, key, profile, profile_version, metric, value, low, high,"
        " hits, n, clusters, design_effect)"
        " SELECT evaluation_id, CASE scope WHEN 'suite' THEN key ELSE 'headline' END, scope,"
        " CASE scope WHEN 'suite' THEN '' ELSE key END, profile, profile_version, metric, value, f.low, f.high, hits,"
        f" n, groups, f.effect FROM result_wide w CROSS JOIN LATERAL (VALUES {rate}, {values})"
        " AS f (metric, hits, n, value, low, high, effect)"
        " WHERE scope <> 'macro' OR metric = 'hallucination_rate'"
    )


def downgrade() -> None:
    """Back to the wide table, empty: `halluvault results summarise` of that version fills it."""
    op.execute("DROP INDEX cases_question_search_ix")
    op.drop_table("comparison")
    op.drop_table("result")
    op.drop_table("result_set")
    counts = (
        "planned", "delivered", "normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable",
        "review", "abstained", "said_yes", "right_sound", "right_faulty", "wrong_sound", "wrong_faulty",
    )  # fmt: skip
    op.create_table(
        "result",
        sa.Column("evaluation_id", sa.Text(), sa.ForeignKey("evaluation.id"), primary_key=True),
        *(sa.Column(name, sa.Text(), primary_key=True) for name in ("profile", "profile_version", "scope", "key")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.Column("rate", sa.Float(), comment="hallucination rate; NULL above 1 % undelivered"),
        sa.Column("rate_low", sa.Float(), comment="95 % interval, Wilson on the cluster-effective size"),
        sa.Column("rate_high", sa.Float()),
        sa.Column("band_high", sa.Float(), comment="rate + unparseable + review"),
        sa.Column("groups", sa.Integer(), nullable=False, comment="metamorphic groups (clusters)"),
        sa.Column("design_effect", sa.Float()),
    )
