"""The documented results views: made here, granted by `storage.roles.grant`, described in `docs/results.md`."""

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.storage import migrate, roles

_SQL = Path(__file__).with_name("views.sql")
_INTERNAL = "_result_newest"
_LOCK = 7_202_612  # advisory lock: two installations never interleave

NAMES: tuple[str, ...] = (
    "results_by_model",
    "results_by_suite",
    "results_by_domain",
    "results_by_rule",
    "results_by_group",
    "results_verdict_turns",
    "results_transcripts",
    "results_baselines",
    "incidents",
    "lanes",
    "oracle_trust",
)
"""Views that `halluvault_reader` may read. Everything else is internal."""


class ViewColumn(NamedTuple):
    """One documented column of a results view."""

    view: str
    name: str
    type: str
    comment: str


COLUMNS: dict[str, str] = {
    "snapshot": "benchmark month, YYYY-MM or YYYY-MM.N for a later pull of the month",
    "as_of": "date of the data the questions rest on",
    "source": "where that data came from: endpoint URL or file name",
    "model": "registry name of the model; simulated models begin with simulated/",
    "simulated": "true for a simulated server: its figures say nothing about any real model",
    "model_id": "model as the server itself reported it",
    "model_sha": "revision as the server reported it; NULL where it reports none",
    "server_version": "version of the serving software; NULL where unknown",
    "prompt": "prompt template and version, form (plain or chat) and context",
    "route": "chat: through the server's own template; completions: raw, as for base models; NULL: as configured then",
    "template": "whether the server has a chat template; NULL: unknown",
    "decoding": "greedy; greedy, not bitwise repeatable; samples; or unknown, as the server was seen to do; "
    "NULL: never looked at",
    "evaluation_id": "key of the evaluation: benchmark, model, prompt, route and sampling parameters",
    "profile": "oracle profile, named with its extractor",
    "profile_version": "version of that profile; only the newest one of an evaluation is shown",
    "suite": "kind of question with a part of its own in each month: relation and temporal make the headline",
    "suites": "suites of the headline that have a part in this benchmark; NULL where it was counted before there were "
    "parts",
    "domain": "knowledge domain of the question",
    "rule_kind": "kind of the reasoning rule, or main operator of the temporal formula",
    "planned": "questions of the published benchmark times samples",
    "delivered": "responses that arrived; the denominator of every rate here unless it says otherwise",
    "undelivered_share": "1 - delivered / planned, 0 to 1; above 0.01 there is no hallucination_rate",
    "hallucination_rate": "(error_knowledge + error_inference + both_errors + unattributed) / delivered, 0 to 1; "
    "NULL above 1 % undelivered",
    "rate_low": "lower end of its 95 % interval: Wilson on the cluster-effective size",
    "rate_high": "upper end of its 95 % interval",
    "band_low": "hallucination_rate, the lower end of what unread responses leave open",
    "band_high": "hallucination_rate + (unparseable + review) / delivered",
    "macro_rate": "hallucination rate averaged over the cells domain x rule kind, each cell equal",
    "macro_low": "lower end of its 95 % interval",
    "macro_high": "upper end of its 95 % interval",
    "answered_share": "(delivered - abstained - unparseable) / delivered",
    "rate_among_answered": "hallucinations / (delivered - abstained - unparseable)",
    "accuracy": "right yes/no answers / delivered",
    "accuracy_among_answered": "right yes/no answers / (delivered - abstained - unparseable)",
    "yes_rate": "share of yes among yes/no answers",
    "normal": "responses without hallucination, abstentions included",
    "abstained": "don't know and refusals; they count as normal",
    "error_knowledge": "responses whose knowledge is wrong",
    "error_inference": "responses whose inference is wrong",
    "both_errors": "responses with both errors",
    "unattributed": "wrong answers whose cause is not shown",
    "unparseable": "responses with no readable answer; never counted as wrong",
    "review": "verdicts held back because oracle or gold may be at fault",
    "right_sound": "right answers whose reasoning was not found faulty",
    "right_faulty": "right answers with faulty reasoning",
    "wrong_sound": "wrong answers whose reasoning was not found faulty",
    "wrong_faulty": "wrong answers with faulty reasoning",
    "verdict_turns": "responses whose verdict was asked for in a turn of its own",
    "opposed": "of these, responses whose text concludes the opposite of that verdict",
    "opposed_share": "opposed / verdict_turns, 0 to 1",
    "reader": "who listed the claims of answers: transcript (the model itself) or llm:NAME",
    "listings": "answers whose claims it listed, failed ones included",
    "failed": "of these, answers whose listing did not come",
    "claims_listed": "claims that it listed",
    "claims_kept": "of these, claims that the answers' own sentences hold; the others reach no verdict",
    "kept_share": "claims_kept / claims_listed, 0 to 1",
    "groups": "metamorphic groups, the clusters of the interval",
    "design_effect": "variance of the rate over that of independent answers; NULL where the rate is 0 or 1",
    "group_id": "metamorphic group: one fact in all its wordings",
    "sample": "number of the sample, from 1",
    "members": "wordings of the group that were answered and judged",
    "decided": "those answered yes or no",
    "against": "two cases of the group whose answers cannot both be right; empty where all agree",
    "verdict": "consistent, right | consistent, stable misbelief | inconsistent | not assessable",
    "strategy": "always yes, coin or always refuse; bare answers without reasoning",
    "cases": "questions of the headline's suites",
    "id": "number of the incident",
    "at": "when it was recorded",
    "kind": "task_failed, deadline_missed, gate_failed, identity_changed and the like",
    "where": "DAG and task, or command",
    "message": "what happened, with the figures; of a lane: why it waits or stopped",
    "way_out": "what to type or change",
    "server": "model server of models.yaml",
    "shard": "number of the part of the evaluation, from 0",
    "shards": "parts that the evaluation was cut into",
    "state": "asking | finished | stopped (see message) | silent: asking, but no heartbeat for 30 seconds",
    "total": "prompts that its newest run set out to ask",
    "done": "of these finished, dead letters included",
    "dead": "of these dead-lettered, with the reason in response.error",
    "per_second": "prompts finished per second over the last half minute",
    "in_flight": "open requests",
    "allowed": "requests that may be open now, as the server's queue and refusals allow",
    "failed_attempts": "attempts that failed, by kind: overloaded, retryable, fatal",
    "eta_seconds": "seconds left at the present rate; NULL where there is none",
    "started_at": "when its newest run began",
    "beat_at": "its last heartbeat",
    "part": "part of the oracle study: development, kept_back (unseen by the oracle's makers) or hand_written",
    "oracle_version": "first digits of the hash over everything a verdict depends on",
    "stratum": "all responses of the part, or those whose answer is right",
    "responses": "planted responses judged: planted faults, not model output",
    "seed_facts": "facts behind them, the clusters of the intervals",
    "precision": "hallucinations among the responses that the profile flags, 0 to 1",
    "precision_low": "lower end of its 95 % interval: Wilson on the cluster-effective size",
    "precision_high": "upper end of its 95 % interval",
    "recall": "flagged among the planted hallucinations, 0 to 1",
    "recall_low": "lower end of its 95 % interval",
    "recall_high": "upper end of its 95 % interval",
    "category_accuracy": "responses whose category is the planted one, 0 to 1",
    "category_low": "lower end of its 95 % interval",
    "category_high": "upper end of its 95 % interval",
    "verbose_alarms": "flagged among right answers that say much more than asked, 0 to 1",
    "verbose_alarms_low": "lower end of its 95 % interval",
    "verbose_alarms_high": "upper end of its 95 % interval",
    "claims_linked": "planted claims that the profile linked to the snapshot, 0 to 1; NULL for baselines",
    "ran_at": "when the study ran",
}
"""Meaning of each column, by name: one name means one thing in every view."""


def upgrade(url: str) -> list[str]:
    """Bring a database's tables, views and grants to this version, in one transaction.

    The views go first: Postgres changes no column that a view reads. Readers see the old ones until the commit.

    Returns:
        Roles that are missing on the server.

    Raises:
        Unavailable: the database cannot be reached.
        UserError: the role may not change it.
    """
    missing: list[str] = []

    def after(session: Session) -> None:
        install(session)
        missing.extend(roles.grant(session, NAMES))

    migrate.upgrade(url, before=drop, after=after)
    return missing


def drop(session: Session) -> None:
    """Drop every view, so that a migration may change what they read. The caller commits."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    session.execute(text(f"DROP VIEW IF EXISTS {', '.join((*NAMES, _INTERNAL))}"))


def install(session: Session) -> None:
    """Drop and make the views, with their comments. Idempotent; the caller grants and commits.

    Raises:
        KeyError: a view has a column that `COLUMNS` does not explain.
    """
    drop(session)
    connection = session.connection()
    connection.exec_driver_sql(_SQL.read_text(encoding="utf-8"))
    quote = connection.dialect.identifier_preparer.quote
    for view, name in [(column.view, column.name) for column in columns(session)]:
        comment = COLUMNS[name].replace("'", "''").replace("%", "%%")
        connection.exec_driver_sql(f"COMMENT ON COLUMN {quote(view)}.{quote(name)} IS '{comment}'")


def columns(session: Session) -> list[ViewColumn]:
    """Columns of the installed views as the database describes them, in order."""
    rows = session.execute(
        text(
            "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type,"
            " coalesce(col_description(c.oid, a.attnum), '') AS comment"
            " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY(:names) AND a.attnum > 0"
            " ORDER BY array_position(:names, c.relname::text), a.attnum"
        ),
        {"names": list(NAMES)},
    )
    return [ViewColumn(*row) for row in rows]
