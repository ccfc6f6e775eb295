"""What Alembic runs around the revisions: they join the transaction that the store has open."""

from alembic import context

from controller.store.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
