"""Where HalluVault touches Airflow: the plugin with the results page, and what both DAG files share.

Put here only what stands between Airflow and a stage function: the month resolver, the database, incidents, defaults,
tokens. Whatever a stage does lives in `halluvault_tasks`. Airflow finds the plugin by its entry point, and callbacks by
their import path, so this package is installed with the rest and not kept in the DAG folder.
"""
