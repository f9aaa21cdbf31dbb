"""Airflow's pools, derived from the registry so that both always agree."""

import json
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import Registry

WIKIDATA = "wikidata"
"""The pull's pool: a public endpoint is asked by one process at a time."""

SCORING = "scoring"
"""The oracles' pool: a slot holds one embedding model in memory."""


class AirflowPool(NamedTuple):
    """One pool to make before the DAGs are unpaused."""

    name: str
    slots: int
    description: str


def pools(registry: Registry) -> tuple[AirflowPool, ...]:
    """The fixed pools, then one for each model server in the order of the file.

    Raises:
        UserError: two servers share a pool but not its slots, or one takes a fixed pool's name.
    """
    found = {
        WIKIDATA: AirflowPool(WIKIDATA, 1, "processes that query the SPARQL endpoint"),
        SCORING: AirflowPool(SCORING, 2, "processes that hold an embedding model in memory"),
    }
    for server in registry.servers:
        pool = AirflowPool(server.pool, server.slots, "shards that query the model server of this name")
        if found.setdefault(server.pool, pool) != pool:
            raise UserError(
                f"pool {server.pool!r} of server {server.name!r} has {found[server.pool].slots} slots elsewhere, "
                f"not {server.slots}",
                "give the server its own pool in models.yaml",
            )
    return tuple(found.values())


def as_json(registry: Registry) -> str:
    """The file that `airflow pools import` takes; it makes and corrects pools and leaves others alone."""
    return json.dumps(
        {
            pool.name: {"slots": pool.slots, "description": pool.description, "include_deferred": False}
            for pool in pools(registry)
        },
        indent=2,
    )
