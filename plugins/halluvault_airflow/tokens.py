"""API keys of model servers as a task sees them: from Airflow's connections, else from the environment.

Looked up inside tasks only. A key is never put into a parameter, an XCom or a message.
"""

from typing import TYPE_CHECKING

from halluvault_tasks.errors import UserError

if TYPE_CHECKING:
    from halluvault_tasks.querying.registry import Model


def token_of(entry: "Model") -> str:
    """The key of a model's server: the password of the connection it names, else what its environment variable holds.

    Raises:
        UserError: it names one, and there is none.
    """
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException

    from halluvault_tasks.querying import servers

    if not entry.token_connection:
        return servers.token_of(entry)
    try:
        token = BaseHook.get_connection(entry.token_connection).password
    except AirflowNotFoundException:
        token = None
    if not token:
        raise UserError(
            f"{entry.name}: Airflow has no connection {entry.token_connection!r} with a password (token_connection)",
            f"airflow connections add {entry.token_connection} --conn-type http --conn-password KEY, "
            "or remove the name from models.yaml",
        )
    return token
