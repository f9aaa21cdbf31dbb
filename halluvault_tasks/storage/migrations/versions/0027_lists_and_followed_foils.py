"""How many objects people found subjects to have, so that a list that reaches the number is complete; and foils whose
falsity was measured, followed month by month.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "counted_list",
        sa.Column("source", sa.Text(), nullable=False, comment="who counted: a data set with its version, a person"),
        sa.Column("s", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("p", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("relation", sa.Text(), nullable=False, comment="what the source calls that which was counted"),
        sa.Column(
            "number", sa.Integer(), autoincrement=False, nullable=False, comment="objects in all; several contradict"
        ),
        sa.Column("checked_on", sa.Date(), nullable=False, comment="the number is that of this day"),
        sa.Column("imported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("source", "s", "p", "relation", "number", name=op.f("counted_list_pkey")),
        comment="how many objects people found a subject to have (`halluvault lists import`); never per month",
    )
    op.create_table(
        "followed_foil",
        sa.Column(
            "source",
            sa.Text(),
            nullable=False,
            comment="of the snapshots: later ones of the same are looked into",
        ),
        sa.Column("class", sa.Text(), nullable=False, comment="of foils that were measured (config/measured.yaml)"),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False, comment="of the nearness that drew it"),
        sa.Column("s", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="in which it was registered"),
        sa.Column(
            "as_of",
            sa.Date(),
            nullable=False,
            comment="date of that snapshot's data: it was said to be false by then",
        ),
        sa.Column(
            "asked",
            sa.Boolean(),
            nullable=False,
            comment="by a frozen part; the others are followed for the measure alone",
        ),
        sa.Column("refuted", sa.Text(), comment="the first later snapshot that states or derives it; NULL: none does"),
        sa.Column("statement", sa.Text(), comment="GUID of the statement that it follows from there"),
        sa.Column("later", sa.Boolean(), comment="whether it began to hold after as_of, and so does not count"),
        sa.PrimaryKeyConstraint("source", "class", "version", "s", "o", name=op.f("followed_foil_pkey")),
        comment="foils whose falsity was measured, and what later months say of them (semantics.md 1.10)",
    )
    op.create_index(op.f("followed_foil_source_p_s_o_ix"), "followed_foil", ["source", "p", "s", "o"])
    op.create_table(
        "followed_month",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("class", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False, comment="that was looked into"),
        sa.Column("previous", sa.Text(), nullable=False, comment="the snapshot of the same source before it"),
        sa.Column("years", sa.Float(), nullable=False, comment="between the dates of the two"),
        sa.Column("followed", sa.Integer(), nullable=False, comment="foils that nothing had refuted before"),
        sa.Column(
            "refuted",
            sa.Integer(),
            nullable=False,
            comment="of these, refuted now, those that began later left out",
        ),
        sa.Column(
            "events",
            sa.Integer(),
            nullable=False,
            comment="subjects of the refuted: what is learnt of one counts once",
        ),
        sa.Column(
            "added",
            sa.Integer(),
            nullable=False,
            comment="statements new but not of later, of subjects that had a value",
        ),
        sa.Column("subjects", sa.Integer(), nullable=False, comment="subjects that had a value before"),
        sa.PrimaryKeyConstraint("source", "class", "version", "snapshot", name=op.f("followed_month_pkey")),
        comment="what a month says of each class of foils that is followed: one row each",
    )


def downgrade() -> None:
    op.drop_table("followed_month")
    op.drop_table("followed_foil")
    op.drop_table("counted_list")
