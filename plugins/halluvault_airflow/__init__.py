"""Where HalluVault touches Airflow: the plugin with the results page, and what both DAG files share.

Only what connects Airflow with a stage function belongs here: the month resolver, the database, incidents, defaults,
tokens. What a stage does is in `halluvault_tasks`. Airflow finds the plugin by its entry point and callbacks by their
import path, so this package is installed with the rest and not kept in the DAG folder.
"""
