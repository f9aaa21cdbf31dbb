"""What a benchmark keeps of the month before it, stored rewritings, and a lock on what was asked once."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_COMMENTS = (
    ("prompt_variant", "context", "closed-book, with-evidence or out-of-distribution", "closed-book …"),
    ("prompt", "text", "plain: the text; chat: its messages as canonical JSON", None),
)


def upgrade() -> None:
    op.add_column(
        "benchmark",
        sa.Column("previous", sa.Text(), nullable=True, comment="benchmark that it was held against; NULL: none"),
    )
    op.create_table(
        "benchmark_change",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False, comment="new, or retired since `benchmark.previous`"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False, comment="the statement, name or fact that it is about"),
        sa.Column("successor", sa.Text(), nullable=True, comment="retired: the case that asks the same in other words"),
        sa.CheckConstraint("change in ('new', 'retired')", name=op.f("benchmark_change_change_check")),
        sa.ForeignKeyConstraint(
            ["snapshot"], ["benchmark.snapshot"], name=op.f("benchmark_change_snapshot_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("benchmark_change_case_id_fkey")),
        sa.PrimaryKeyConstraint("snapshot", "case_id", name=op.f("benchmark_change_pkey")),
    )
    op.create_table(
        "rewriting",
        sa.Column("model", sa.Text(), nullable=False, comment="registry name of the model that was asked"),
        sa.Column("version", sa.Integer(), nullable=False, comment="of the instruction it was given"),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False, comment="what it made of the question"),
        sa.PrimaryKeyConstraint("model", "version", "question", name=op.f("rewriting_pkey")),
    )
    for table, column, comment, _ in _COMMENTS:
        op.alter_column(table, column, existing_type=sa.Text(), existing_nullable=False, comment=comment)
    # A case's id is a hash over its question and gold: a row that changed would lie about what was asked and answered.
    op.execute(
        """
        CREATE FUNCTION cases_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'case % was asked as it stands and is never changed', OLD.id;
        END $$
        """
    )
    op.execute(
        "CREATE TRIGGER cases_never_change BEFORE UPDATE ON cases FOR EACH ROW EXECUTE FUNCTION cases_never_change()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER cases_never_change ON cases")
    op.execute("DROP FUNCTION cases_never_change()")
    for table, column, _, comment in _COMMENTS:
        op.alter_column(table, column, existing_type=sa.Text(), existing_nullable=False, comment=comment)
    op.drop_table("rewriting")
    op.drop_table("benchmark_change")
    op.drop_column("benchmark", "previous")
