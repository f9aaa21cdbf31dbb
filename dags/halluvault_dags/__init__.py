"""What both DAG files share: the month resolver, the database, incidents, defaults.

Put here only what touches Airflow on the way to a stage function; whatever a stage does lives in
`halluvault_tasks`. Airflow puts the DAG folder on `sys.path`, which is how the DAG files find this package.
"""
