"""Evaluations of before say what they did."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, text

from halluvault_tasks.storage import migrate, sessions
from halluvault_tasks.storage.tables import model, prompt_variant, snapshot

_OLD = [
    ("e-tgi-plain", "tgi", "plain", "completions"),
    ("e-tgi-talk", "tgi", "chat", "chat"),
    ("e-openai-plain", "openai", "plain", None),
    ("e-openai-talk", "openai", "chat", "chat"),
]
"""Evaluation, dialect, form, and by which route it asked; None: as models.yaml said, which nobody recorded."""


def _alembic(connection: Connection, step: Callable[[Config, str], None], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    step(config, to)


def test_old_evaluations_keep_their_ids_and_say_by_which_route_they_asked(database_url: str) -> None:
    with sessions.engine(database_url).begin() as connection:
        _alembic(connection, command.downgrade, "0007")
        day = date(2026, 10, 31)
        connection.execute(
            insert(snapshot).values(snapshot="2026-10", month="2026-10", as_of=day, source="test", status="published")
        )
        connection.execute(
            text(
                "INSERT INTO benchmark (snapshot, as_of, seed, config_hash, content_hash, counts, published)"
                " VALUES ('2026-10', :day, 1, '', '', '{}', true)"
            ),
            {"day": day},
        )
        for form in ("plain", "chat"):
            connection.execute(
                insert(prompt_variant).values(id=form, template="halluvault", version=1, form=form, context="x")
            )
        for dialect in ("tgi", "openai"):
            connection.execute(insert(model).values(id=dialect, name=dialect, dialect=dialect, model_id="m"))
        for key, dialect, form, _route in _OLD:
            connection.execute(
                text("INSERT INTO evaluation (id, snapshot, model_id, variant_id, sampling)"
                     " VALUES (:id, '2026-10', :model, :variant, '{}')"),
                {"id": key, "model": dialect, "variant": form},
            )  # fmt: skip
        _alembic(connection, command.upgrade, "head")
        found = {row.id: row for row in connection.execute(text("SELECT * FROM evaluation"))}
    assert {key: found[key].route for key in found} == {key: route for key, _d, _f, route in _OLD}
    assert {(row.template, row.decoding) for row in found.values()} == {(None, None)}, "nobody looked"
