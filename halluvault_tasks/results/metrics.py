"""What a Prometheus server scrapes: counts of the newest months, read from the results database.

Tasks run for minutes and on many machines, so nothing is counted in their memory: every figure comes from rows, and a
killed task or worker loses none. Airflow's own metrics (task durations, pools, heartbeats) leave by its exporters.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError

MONTHS = 2
"""Newest snapshots that are counted: a scrape reads their responses and verdicts."""

_NEWEST = f"""SELECT snapshot FROM snapshot ORDER BY split_part(snapshot, '.', 1) DESC,
 COALESCE(NULLIF(split_part(snapshot, '.', 2), ''), '1')::int DESC LIMIT {MONTHS}"""  # noqa: S608 (a number of ours)
_OF = "FROM evaluation e JOIN model m ON m.id = e.model_id"
_HERE = f"WHERE e.snapshot IN ({_NEWEST})"


class Family(NamedTuple):
    """Metrics that one statement feeds: its first columns are labels, each further one a metric."""

    labels: tuple[str, ...]
    metrics: tuple[tuple[str, str], ...]
    """(name without `halluvault_`, help); ending in `_total` or `_seconds_total`: a counter, else a gauge."""
    statement: str


FAMILIES = (
    Family(
        ("snapshot", "model"),
        (
            ("asked_total", "Requests sent for responses that are stored, repeated ones included."),
            ("answered_total", "Responses delivered."),
            ("dead_total", "Prompts given up (dead letters)."),
            ("queue_seconds_total", "Time that delivered responses waited in a server's queue, where it says so."),
            ("model_seconds_total", "Time of inference, where a server says so."),
            ("request_seconds_total", "Time from sending a request to its whole answer."),
            ("generated_tokens_total", "Tokens generated, where a server says so."),
        ),
        f"""SELECT e.snapshot, m.name, sum(r.attempts), count(*) FILTER (WHERE r.status = 'delivered'),
 count(*) FILTER (WHERE r.status = 'dead'), COALESCE(sum(r.queue_ms), 0) / 1000.0,
 COALESCE(sum(r.inference_ms), 0) / 1000.0, COALESCE(sum(r.total_ms), 0) / 1000.0, COALESCE(sum(r.generated_tokens), 0)
 {_OF} JOIN response r ON r.evaluation_id = e.id {_HERE} GROUP BY 1, 2""",
    ),
    Family(
        ("snapshot", "model", "server", "shard"),
        (
            ("lane_prompts", "Prompts that a lane's newest run set out to ask."),
            ("lane_done", "Prompts of these that are finished."),
            ("in_flight", "Requests open now; 0 for a lane that does not ask, or has been silent for two minutes."),
            ("allowed_in_flight", "Requests that it may have open now."),
            ("lane_silent_seconds", "Since the lane's last heartbeat."),
        ),
        f"""SELECT e.snapshot, m.name, l.server, l.shard, l.total, l.done,
 CASE WHEN l.state = 'asking' AND l.beat_at > now() - interval '2 minutes' THEN l.in_flight ELSE 0 END,
 CASE WHEN l.state = 'asking' THEN l.allowed ELSE 0 END, extract(epoch FROM now() - l.beat_at)
 {_OF} JOIN lane l ON l.evaluation_id = e.id {_HERE}""",  # noqa: S608
    ),
    Family(
        ("snapshot", "model", "profile", "category"),
        (
            ("judged_total", "Verdicts by category; `review` is what no oracle decided, over its budget or failed."),
            ("refused_total", "Verdicts of these on responses that refuse."),
            ("api_refused_total", "Verdicts of these on prompts that the API refused (content filter)."),
            ("no_answer_total", "Verdicts of these on responses that are empty or cut off before a verdict."),
        ),
        f"""SELECT e.snapshot, m.name, v.profile || ' ' || v.profile_version, v.category, count(*),
 count(*) FILTER (WHERE v.answer = 'refusal'),
 count(*) FILTER (WHERE v.category = 'unparseable' AND v.sub_label = 'api_refusal'),
 count(*) FILTER (WHERE v.category = 'unparseable' AND v.sub_label IN ('no_answer', 'cut_off'))
 {_OF} JOIN verdict v ON v.evaluation_id = e.id {_HERE} GROUP BY 1, 2, 3, 4""",
    ),
    Family(
        ("snapshot", "model", "evaluation", "profile"),
        (("no_headline", "1 for an evaluation without a hallucination rate (too little delivered or read), else 0."),),
        f"""SELECT e.snapshot, m.name, e.id, r.profile || ' ' || r.profile_version, (r.no_rate_reason IS NOT NULL)::int
 {_OF} JOIN result r ON r.evaluation_id = e.id AND r.suite = 'headline' AND r.scope = 'model'
 AND r.metric = 'hallucination_rate' {_HERE}""",
    ),
    Family(
        ("snapshot", "kind"),
        (
            ("derived_rows", "Derived facts by kind of rule."),
            ("derived_groups", "Shared-object groups by kind of rule."),
        ),
        f"""SELECT d.snapshot, r.kind, sum(d.rows), sum(d.groups) FROM derivation_manifest d
 JOIN rule r ON r.snapshot = d.snapshot AND r.rule = d.rule WHERE d.snapshot IN ({_NEWEST}) GROUP BY 1, 2""",  # noqa: S608
    ),
    Family(
        ("snapshot", "suite"),
        (("questions", "Questions of a part."), ("published", "1 for a part that is published.")),
        f"""SELECT p.snapshot, p.suite, count(c.case_id), max(p.published::int) FROM benchmark_part p
 LEFT JOIN benchmark_case c ON c.snapshot = p.snapshot AND c.suite = p.suite WHERE p.snapshot IN ({_NEWEST})
 GROUP BY 1, 2""",  # noqa: S608
    ),
    Family(("kind",), (("incidents_total", "Incidents by kind."),), "SELECT kind, count(*) FROM incident GROUP BY 1"),
    Family(
        (),
        (("last_benchmark_seconds", "When the newest part was frozen, seconds since the epoch; 0: never."),),
        "SELECT COALESCE(extract(epoch FROM max(frozen_at)), 0) FROM benchmark_part WHERE published",
    ),
)


class FromDatabase(Collector):
    """The families, read at most every `least_seconds`; a database that is away is `halluvault_up 0`, and no error.

    Args:
        read: runs one statement and returns its rows; raises `UserError` where that cannot be done.
        least_seconds: a scrape within this time after the last is answered from memory.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        read: Callable[[str], Sequence[Sequence[Any]]],
        least_seconds: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read = read
        self._least = least_seconds
        self._clock = clock
        self._kept: tuple[float, list[Metric]] | None = None

    def collect(self) -> Iterator[Metric]:
        """All metrics, as prometheus_client asks for them."""
        now = self._clock()
        if self._kept is None or now - self._kept[0] >= self._least:
            self._kept = now, self._collected()
        yield from self._kept[1]

    def _collected(self) -> list[Metric]:
        up = "Whether the results database answers, and has tables of this version."
        try:
            found = [metric for family in FAMILIES for metric in _metrics(family, self._read(family.statement))]
        except UserError:
            return [GaugeMetricFamily("halluvault_up", up, 0)]
        return [GaugeMetricFamily("halluvault_up", up, 1), *found]


def rows(session: Session, statement: str) -> list[Sequence[Any]]:
    """Rows of one of the statements above, each text as long as a label should be."""
    return [tuple(row) for row in session.execute(text(statement)).all()]


def _metrics(family: Family, found: Sequence[Sequence[Any]]) -> Iterator[Metric]:
    for at, (name, about) in enumerate(family.metrics, start=len(family.labels)):
        full = f"halluvault_{name}"
        of = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
        metric = of(full.removesuffix("_total"), about, labels=family.labels)
        for row in found:
            metric.add_metric([str(value) for value in row[: len(family.labels)]], float(row[at]))
        yield metric
