"""What a mapped task is called in Airflow's grid."""

from collections.abc import Iterable

MOST = 250
"""Characters for which Airflow's metadata has room (`task_instance.rendered_map_index`); a longer label is refused by
the database after the task has done its work, and the task fails."""


def of(names: Iterable[str]) -> str:
    """The names, each once, as far as there is room."""
    text = ", ".join(dict.fromkeys(names))
    return text if len(text) <= MOST else f"{text[: MOST - 2]} …"
