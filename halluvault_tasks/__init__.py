"""Everything the DAGs do, as plain Python: stages that read rows and write rows.

Each subpackage is one room of the house (`docs/architecture.md`); a room imports only from the
floors below it. Nothing here imports Airflow.
"""
