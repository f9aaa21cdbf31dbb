"""The documented results views: made here, granted by `storage.roles.grant`, described in `docs/results.md`."""

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import measured, profiles
from halluvault_tasks.oracles.suites import JUDGES
from halluvault_tasks.results.columns import COLUMNS
from halluvault_tasks.storage import migrate, roles

SCHEMA = "results_v1"

_FILES = ("results_v1.sql", "views.sql")
SHARED = {
    "{about}": (
        "f.month, f.snapshot, f.data_through, f.refreshed_at, f.is_current, f.is_latest, f.source, f.model, "
        "f.simulated, f.model_id, f.model_sha, f.server_version, f.variant, f.route, f.decoding, f.evaluation_id, "
        "f.profile, f.profile_version, f.suite, f.planted_only"
    ),
    "{figures}": (
        "f.planned, f.delivered, f.undelivered_share, f.hallucination_rate, f.rate_low, f.rate_high, "
        "f.no_rate_reason, {proved}, f.band_high, f.unread_share, f.unsupported_high, f.unsupported_share, "
        "f.unsupported_low, f.unsupported_high_end, f.answered_share, f.rate_among_answered, f.accuracy, "
        "f.accuracy_low, f.accuracy_high, f.accuracy_among_answered, f.yes_rate, f.tpr, f.tnr, f.group_all_right, "
        "f.index, f.index_low, f.index_high, f.index_reasons, f.index_reasons_low, f.index_reasons_high, "
        "f.claims_read, "
        "f.normal, f.abstained, f.error_knowledge, f.error_inference, f.both_errors, f.unattributed, f.unparseable, "
        "f.api_refused, f.no_answer, f.review, f.right_sound, f.right_faulty, f.wrong_sound, f.wrong_faulty, f.groups, "
        "f.design_effect"
    ),
    "{proved}": (
        "f.proved_rate, f.proved_low, f.proved_high, f.proved_delivered, f.proved_accuracy, f.proved_accuracy_low, "
        "f.proved_accuracy_high"
    ),
    "{unsupported}": (
        "f.unsupported_estimated, f.unsupported_facts, f.unsupported_false, f.unsupported_false_low, "
        "f.unsupported_false_high"
    ),
}
"""What `results_v1.sql` writes once and several views have: whose figures they are, the figures, and in them those of
the proved part."""

_LOCK = 7_202_612  # advisory lock: two installations never interleave

VIEWS: dict[str, str] = {
    "leaderboard": "Who is best: one row a model, by an index that charges for wrong answers, with where it may stand.",
    "by_model": "One row per evaluation and oracle profile: the headline of semantics.md 4.4.",
    "by_suite": "The same figures for each suite alone; only relation and temporal make up the headline.",
    "by_domain": "The same figures per knowledge domain, for the headline and for each suite: filter on one suite.",
    "by_rule": "The same figures per reasoning rule kind or temporal operator.",
    "by_kind": "The same figures per rule kind as the papers name them (negation is one).",
    "by_cell": "Domain and rule kind together: where is a model weak?",
    "by_difficulty": "What was designed to be hard: by fame, steps, bridges, near falsehoods, dates, and all together.",
    "by_group": "Does a model answer all wordings of one fact consistently? Needs no gold answer.",
    "metrics": "Every figure as a row of its own, including those that only some suites have.",
    "verdict_turns": "How often a response's text contradicts the verdict that was asked for in a separate turn.",
    "open_answers": "Facts asked openly: right, wrong, don't know, unjudged, F-score and index, whole and by part.",
    "open_confidence": "How far the confidence that a model states in open answers holds.",
    "open_pairs": "What a model says yes to and cannot tell: the same facts asked openly and as yes/no questions.",
    "baselines": "Always yes, a coin and always refusing on the same questions, computed from gold answers alone.",
    "pairs": "Two models of a month on the questions that both answered.",
    "trend": "A model over the months: its rate, and how it changed on the questions that persist.",
    "cost": "What an evaluation took: tokens, milliseconds, attempts, dead letters.",
    "incidents": "Failed tasks, missed deadlines, failed gates: what happened and the way out.",
    "lanes": "Where the newest run of each shard of an evaluation stands, according to its heartbeat.",
    "oracle_trust": "How often each oracle profile is right: on labelled real responses, and on planted faults.",
    "cases": "The questions of each month, with gold answer and proof.",
    "responses": "What the models answered.",
    "verdicts": "What each oracle profile made of each response, and what it is based on.",
    "items": "How hard questions are and how able models, by `halluvault results items`: estimates, not rates.",
}
"""Views of schema `results_v1`, in the order of the documentation, with what each is for."""

_INTERNAL = ("_board", "_figures", "_set", "_evaluation", "_month", "_companion")

_GONE = ("transcripts",)
"""Views that an older version made."""

FORMER: dict[str, str] = {
    "results_by_model": "by_model",
    "results_by_suite": "by_suite",
    "results_by_domain": "by_domain",
    "results_by_rule": "by_rule",
    "results_by_group": "by_group",
    "results_baselines": "baselines",
    "incidents": "incidents",
    "lanes": "lanes",
    "oracle_trust": "oracle_trust",
}
"""Views of before, which go with the next release, and what took their place."""

NAMES: tuple[str, ...] = (*(f"{SCHEMA}.{name}" for name in VIEWS), *FORMER)
"""What `halluvault_reader` may read. Everything else is internal."""


class ViewColumn(NamedTuple):
    """One documented column of a results view."""

    view: str
    """With its schema, unless that is `public`."""
    name: str
    type: str
    comment: str


def upgrade(url: str, patience: float = migrate.PATIENCE) -> list[roles.Missing]:
    """Bring a database's tables, views and grants to this version, in one transaction.

    The views go first: Postgres changes no column that a view reads. From then on readers wait for the commit.

    Args:
        url: results database, as its owner.
        patience: seconds for which it waits for whoever uses a table or view.

    Returns:
        The reader, if it is missing on the server.

    Raises:
        Unavailable: the database cannot be reached.
        UserError: the role may not change it.
    """
    missing: list[roles.Missing] = []

    def after(session: Session) -> None:
        install(session)
        missing.extend(roles.grant(session, NAMES))

    migrate.upgrade(url, before=drop, after=after, patience=patience)
    return missing


def drop(session: Session) -> None:
    """Drop every view, so that a migration may change what they read. The caller commits."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    session.execute(text(f"DROP VIEW IF EXISTS {', '.join((*FORMER, '_result_newest'))}"))
    if session.scalar(text("SELECT to_regnamespace(:schema)"), {"schema": SCHEMA}) is not None:
        names = ", ".join(f"{SCHEMA}.{name}" for name in (*VIEWS, *_INTERNAL, *_GONE))
        session.execute(text(f"DROP VIEW IF EXISTS {names}"))


def install(session: Session) -> None:
    """Drop and make the views, with their comments. Idempotent; the caller grants and commits.

    Raises:
        KeyError: a view has a column that `COLUMNS` does not explain.
    """
    drop(session)
    connection = session.connection()
    for file in _FILES:
        statements = Path(__file__).with_name(file).read_text(encoding="utf-8")
        for name, listed in (SHARED | _registered()).items():
            statements = statements.replace(name, listed)
        connection.exec_driver_sql(statements)
    quote = connection.dialect.identifier_preparer.quote
    told = {f"{SCHEMA}.{name}": comment for name, comment in VIEWS.items()}
    told |= {name: f"Former name, gone with the next release: see {SCHEMA}.{new}." for name, new in FORMER.items()}
    for view, comment in told.items():
        connection.exec_driver_sql(f"COMMENT ON VIEW {view} IS {_literal(comment)}")
    for view, name in [(column.view, column.name) for column in columns(session)]:
        connection.exec_driver_sql(f"COMMENT ON COLUMN {view}.{quote(name)} IS {_literal(COLUMNS[name])}")


def _registered() -> dict[str, str]:
    """As SQL: what the registries of oracles say now of each profile and companion suite; a view cannot ask them."""
    companions = (f"({_literal(suite)}, {judge.planted_only})" for suite, judge in JUDGES.items())
    shown = (f"({_literal(one.name)}, {_literal(one.baseline)}, {bool(one.constant)})" for one in profiles.SHOWN)
    return {
        "{companions}": f"VALUES {', '.join(companions)}",
        "{profiles}": f"VALUES {', '.join(shown)}",
        "{headline}": _literal(profiles.HEADLINE),
        "{real_answers}": ", ".join(map(_literal, measured.OF_MODELS)),
    }


def _literal(comment: str) -> str:
    return "'" + comment.replace("'", "''").replace("%", "%%") + "'"


def columns(session: Session) -> list[ViewColumn]:
    """Columns of the installed views as the database describes them, in order."""
    rows = session.execute(
        text(
            "SELECT v.name, a.attname, format_type(a.atttypid, a.atttypmod) AS type,"
            " coalesce(col_description(c.oid, a.attnum), '') AS comment"
            " FROM unnest(CAST(:names AS text[])) WITH ORDINALITY AS v (name, place)"
            " JOIN pg_class c ON c.oid = to_regclass(v.name)"
            " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
            " ORDER BY v.place, a.attnum"
        ),
        {"names": list(NAMES)},
    )
    return [ViewColumn(*row) for row in rows]
