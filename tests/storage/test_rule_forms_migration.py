"""Rules of months before keep their kind, said exactly."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, insert, text

from halluvault_tasks.storage import migrate, sessions
from halluvault_tasks.storage.tables import snapshot

_RULES: list[tuple[str, str, dict[str, Any], str]] = [
    ("symmetric:P26", "symmetric", {}, "symmetric"),
    ("inverse:P22:P40", "inverse", {"types": {}}, "inverse"),
    ("inverse:P40:P22", "inverse", {"sex": 6581097}, "inverse by sex"),
    ("transitive:P131", "transitive", {"steps": 0, "below": []}, "transitive"),
    ("transitive:P171", "transitive", {}, "transitive"),
    ("transitive:P279", "transitive", {"steps": 3, "below": [223557]}, "transitive, licensed pairs"),
    ("composite:P22/P22", "composite", {"chain": ["P22", "P22"]}, "chain"),
    ("composite:P19/P131*", "composite", {"chain": ["P19", "P131*"]}, "chain, climbing"),
    ("share:P57", "composite", {"cap": 16}, "share"),
    ("negation.polarity:P19", "negation.polarity", {}, "polarity"),
    ("negation.value:P19", "negation.value", {"place": True}, "wrong value"),
    ("negation.value:P22:converse", "negation.value", {}, "converse"),
    ("negation.value:P22:reflexive", "negation.value", {}, "reflexive"),
    ("negation.value:P106:checked", "negation.value", {}, "checked"),
]
"""Name, kind and figures as they were stored, and the kind that they are of."""


def _alembic(connection: Connection, step: Callable[[Config, str], None], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    step(config, to)


def test_rules_that_an_older_version_stored_are_of_the_kind_that_they_were(database_url: str) -> None:
    with sessions.engine(database_url).begin() as connection:
        _alembic(connection, command.downgrade, "0021")
        day = date(2026, 10, 31)
        connection.execute(
            insert(snapshot).values(snapshot="2026-10", month="2026-10", as_of=day, source="test", status="published")
        )
        for number, (name, kind, support, _form) in enumerate(_RULES, 1):
            connection.execute(
                text(
                    "INSERT INTO rule (snapshot, rule, name, kind, premises, conclusion, origin, support, verdict,"
                    " reason) VALUES ('2026-10', :rule, :name, :kind, '{1}', 1, '', CAST(:support AS jsonb), 'active',"
                    " '')"
                ),
                {"rule": number, "name": name, "kind": kind, "support": json.dumps(support)},
            )
        _alembic(connection, command.upgrade, "head")
        found = connection.execute(text("SELECT form FROM rule ORDER BY rule")).scalars().all()
    assert found == [form for _name, _kind, _support, form in _RULES]
