"""Foils that are followed may be of any relation, not of properties alone."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "INSERT INTO relation (kind, properties) SELECT DISTINCT 'property', ARRAY[p] FROM followed_foil "
        "ON CONFLICT DO NOTHING"
    )
    op.add_column(
        "followed_foil", sa.Column("relation", sa.Integer(), comment="what it says of the two (table `relation`)")
    )
    op.execute(
        "UPDATE followed_foil SET relation = r.id FROM relation r WHERE r.kind = 'property' AND r.properties = ARRAY[p]"
    )
    op.alter_column("followed_foil", "relation", nullable=False)
    op.drop_index(op.f("followed_foil_source_p_s_o_ix"), "followed_foil")
    op.drop_column("followed_foil", "p")
    op.create_index(op.f("followed_foil_source_relation_s_o_ix"), "followed_foil", ["source", "relation", "s", "o"])


def downgrade() -> None:
    op.execute("DELETE FROM followed_foil f USING relation r WHERE r.id = f.relation AND r.kind <> 'property'")
    op.add_column("followed_foil", sa.Column("p", sa.Integer()))
    op.execute("UPDATE followed_foil SET p = r.properties[1] FROM relation r WHERE r.id = relation")
    op.alter_column("followed_foil", "p", nullable=False)
    op.drop_index(op.f("followed_foil_source_relation_s_o_ix"), "followed_foil")
    op.drop_column("followed_foil", "relation")
    op.create_index(op.f("followed_foil_source_p_s_o_ix"), "followed_foil", ["source", "p", "s", "o"])
