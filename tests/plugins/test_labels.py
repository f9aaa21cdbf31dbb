"""Labels of mapped tasks: Airflow's metadata must take them."""

from pathlib import Path

from halluvault_airflow import labels


def test_the_label_of_a_task_of_many_evaluations_fits_into_airflows_column(airflow_home: Path) -> None:
    from airflow.models.taskinstance import TaskInstance

    room = TaskInstance.__table__.c.rendered_map_index.type.length
    assert room == labels.MOST
    # Two models, asked by a month and two suites in eight ways each, are scored in one process.
    assert labels.of(["simulated/careful", "simulated/refuser"] * 8) == "simulated/careful, simulated/refuser"
    many = labels.of(f"model-{number}" for number in range(100))
    assert len(many) == room
    assert many.endswith(" …")
