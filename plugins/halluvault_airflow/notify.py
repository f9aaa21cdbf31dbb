"""Alerts on their way out, through Airflow's own notifiers and connections; a channel that fails is a line in the log.

`notify` is called directly, never the notifier itself: Airflow would render the fields as templates, and a message
holds words of Wikidata and of models.
"""

import json
import logging
from collections.abc import Sequence
from html import escape
from typing import Any

from halluvault_airflow.database import results
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import alerts
from halluvault_tasks.results.alerts import Alert, Channel, Rules
from halluvault_tasks.settings import settings

log = logging.getLogger(__name__)


def tell(snapshot: str, *, incidents_alone: bool = False) -> int:
    """Check a month by config/alerts.yaml and send what was not sent before; returns how many alerts.

    A results database that does not answer is an alert, too: no month can be checked then, and no incident written.

    Args:
        snapshot: exact key.
        incidents_alone: there is nothing else of this month yet.

    Raises:
        UserError: config/alerts.yaml cannot be read.
    """
    chosen = alerts.load(settings().config_dir / "alerts.yaml")
    rules = Rules(incidents=chosen.alerts.incidents) if incidents_alone else chosen.alerts
    try:
        with results() as session:
            fresh = alerts.untold(session, snapshot, alerts.judge(session, snapshot, rules))
    except UserError as error:
        fresh = [Alert("no_results_database", error.message, error.way_out)]
    for one in fresh:
        log.warning("%s: %s (%s)", one.kind, one.message, one.way_out)
    log.info("%d alerts, sent on %d channels", len(fresh), deliver(chosen.channels, snapshot, fresh))
    return len(fresh)


def deliver(channels: Sequence[Channel], snapshot: str, alerts: Sequence[Alert]) -> int:
    """Tell every channel of all alerts at once; returns how many channels took them. Never raises."""
    told = 0
    for channel in channels if alerts else ():
        try:
            _notifier(channel, snapshot, alerts).notify({})
            told += 1
        except Exception:
            log.exception("alerts of %s did not reach %s %s", snapshot, channel.kind, channel.connection)
    return told


def _notifier(channel: Channel, snapshot: str, alerts: Sequence[Alert]) -> Any:
    lines = [f"{alert.kind.replace('_', ' ')}: {alert.message} Way out: {alert.way_out}" for alert in alerts]
    subject = f"HalluVault {snapshot}: {len(alerts)} alert{'s' if len(alerts) > 1 else ''}"
    if channel.kind == "email":
        from airflow.providers.smtp.notifications.smtp import SmtpNotifier

        items = "".join(f"<li>{escape(line)}</li>" for line in lines)
        html = f"<p>{escape(subject)}</p><ul>{items}</ul>"
        return SmtpNotifier(
            to=list(channel.to), from_email=channel.sender, subject=subject, html_content=html,
            smtp_conn_id=channel.connection,
        )  # fmt: skip
    if channel.kind == "slack":
        from airflow.providers.slack.notifications.slack_webhook import SlackWebhookNotifier

        # Slack reads only these three as markup; everything else stays text.
        said = "\n".join([subject, *lines]).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return SlackWebhookNotifier(slack_webhook_conn_id=channel.connection, text=said)
    from airflow.providers.http.notifications.http import HttpNotifier

    body = {"snapshot": snapshot, "alerts": [alert._asdict() for alert in alerts]}
    return HttpNotifier(
        http_conn_id=channel.connection, method="POST", data=json.dumps(body),
        headers={"Content-Type": "application/json"},
    )  # fmt: skip
