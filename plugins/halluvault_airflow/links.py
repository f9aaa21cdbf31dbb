"""The button on task `report` that opens the results page at the run's month."""

from typing import Any
from urllib.parse import urlencode, urlsplit

from airflow.sdk import BaseOperatorLink


class ResultsLink(BaseOperatorLink):
    """Airflow asks for it in the task's process, once the task has ended, and keeps the answer."""

    name = "HalluVault results"

    def get_link(self, operator: Any, *, ti_key: Any) -> str:
        """Path of page Month on the same server, behind the base path that `[api] base_url` names.

        Args:
            operator: the task.
            ti_key: the running task instance: what it returned names the snapshot. Without it (the task failed)
                the page shows the newest month.
        """
        from airflow.sdk.configuration import conf

        base = urlsplit(conf.get("api", "base_url", fallback="") or "").path.rstrip("/")
        told = ti_key.xcom_pull(task_ids=ti_key.task_id, key="return_value", map_indexes=ti_key.map_index)
        snapshot = told.get("snapshot") if isinstance(told, dict) else None
        return f"{base}/halluvault/month" + (f"?{urlencode({'snapshot': snapshot})}" if snapshot else "")
