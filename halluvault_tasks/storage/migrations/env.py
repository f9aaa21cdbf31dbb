"""Alembic's entry: run the migrations over the connection that `storage.migrate` hands in."""

from alembic import context

from halluvault_tasks.storage.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
