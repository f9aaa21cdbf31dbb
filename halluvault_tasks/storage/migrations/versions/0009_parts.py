"""A month's benchmark becomes its parts, one a suite: contents as they are, counts and hashes by suite.

What a part's new `config_hash` would be cannot be told from rows: months of before keep the hash over the whole
configuration that they were frozen with.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0009_parts"
down_revision = "0008"
branch_labels = None
depends_on = None

_COMMENTS = (
    ("cases", "suite", "relation, temporal …: its part of each month that asks it", "relation or temporal"),
    ("cases", "gold", "yes or no; of a suite that asks something else, its right answer", "yes or no"),
    ("benchmark_change", "change", "new, or retired since the part's `previous`",
     "new, or retired since `benchmark.previous`"),
    ("prompt_variant", "template", "name in benchmark/prompts/templates.py: halluvault, drowzee …",
     "halluvault (table 2) or drowzee (table IV)"),
    ("prompt", "sha256", "of what a server sees of the text, UTF-8", "of the text, UTF-8"),
    ("result", "scope", "model, domain, rule or macro: of the headline's suites; suite: of one",
     "model, domain, rule or macro"),
    ("result", "key", "'' for the model, else the domain, rule kind or suite",
     "'' for the model, else the domain or rule kind"),
)  # fmt: skip
"""Table, column, its comment from here on, and before."""

_PROMPT = "made of case, template and date; no part of what is frozen"


class _Asked(NamedTuple):
    """A case of a month, as far as counts and hashes are made of it."""

    suite: str
    id: str
    domain: str
    kind: str
    rule: str
    yes_only: bool
    gold: str
    mutation: str
    group: str
    proof: str


def upgrade() -> None:
    op.create_table(
        "benchmark_part",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column(
            "suite", sa.Text(), nullable=False, comment="relation, temporal …: built, frozen and published on its own"
        ),
        sa.Column(
            "config_hash",
            sa.Text(),
            nullable=False,
            comment="sha256 over what this suite is made by: its quotas, wordings",
        ),
        sa.Column("content_hash", sa.Text(), nullable=False, comment="sha256 over case ids and proofs, ascending"),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("counts", JSONB(), nullable=False, comment="cases by domain, rule, gold; shortfalls; names dropped"),
        sa.Column("frozen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("published", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("previous", sa.Text(), comment="month whose part of this suite it was held against; NULL: none"),
        sa.ForeignKeyConstraint(["snapshot"], ["snapshot.snapshot"], name=op.f("benchmark_part_snapshot_fkey")),
        sa.PrimaryKeyConstraint("snapshot", "suite", name=op.f("benchmark_part_pkey")),
        comment="a month's benchmark is its parts; from here on a part never changes",
    )
    for table in ("benchmark_case", "benchmark_change"):
        op.add_column(table, sa.Column("suite", sa.Text(), nullable=True))
        op.execute(f"UPDATE {table} t SET suite = c.suite FROM cases c WHERE c.id = t.case_id")
        op.alter_column(table, "suite", nullable=False)
        op.drop_constraint(f"{table}_snapshot_fkey", table, type_="foreignkey")
    _split(op.get_bind())
    for table, deleted in (("benchmark_case", None), ("benchmark_change", "CASCADE")):
        op.create_foreign_key(
            op.f(f"{table}_snapshot_suite_fkey"),
            table,
            "benchmark_part",
            ["snapshot", "suite"],
            ["snapshot", "suite"],
            ondelete=deleted,
        )
    _evaluations_of("snapshot")
    op.drop_table("benchmark")
    _gold("gold in ('yes', 'no') or suite not in ('relation', 'temporal')")
    for table, column, comment, _ in _COMMENTS:
        op.alter_column(table, column, comment=comment)
    op.create_table_comment("prompt", _PROMPT)


def downgrade() -> None:
    op.create_table(
        "benchmark",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("as_of", sa.Date(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("config_hash", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False, comment="sha256 over case ids and proofs, ascending"),
        sa.Column("counts", JSONB(), nullable=False, comment="cases by domain, rule, gold; shortfalls; names dropped"),
        sa.Column("published", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("previous", sa.Text(), comment="benchmark that it was held against; NULL: none"),
        sa.ForeignKeyConstraint(["snapshot"], ["snapshot.snapshot"], name=op.f("benchmark_snapshot_fkey")),
        sa.PrimaryKeyConstraint("snapshot", name=op.f("benchmark_pkey")),
    )
    _join(op.get_bind())
    for table, deleted in (("benchmark_case", None), ("benchmark_change", "CASCADE")):
        op.drop_constraint(f"{table}_snapshot_suite_fkey", table, type_="foreignkey")
        op.drop_column(table, "suite")
        op.create_foreign_key(
            op.f(f"{table}_snapshot_fkey"), table, "benchmark", ["snapshot"], ["snapshot"], ondelete=deleted
        )
    _evaluations_of("benchmark")
    op.drop_table("benchmark_part")
    _gold("gold in ('yes', 'no')")
    for table, column, _, comment in _COMMENTS:
        op.alter_column(table, column, comment=comment)
    op.drop_table_comment("prompt")


def _gold(condition: str) -> None:
    op.drop_constraint(op.f("cases_gold_check"), "cases", type_="check")
    op.create_check_constraint(op.f("cases_gold_check"), "cases", condition)


def _evaluations_of(table: str) -> None:
    op.drop_constraint("evaluation_snapshot_fkey", "evaluation", type_="foreignkey")
    op.create_foreign_key("evaluation_snapshot_fkey", "evaluation", table, ["snapshot"], ["snapshot"])


# ---------------------------------------------------------------- rows

_CASES = sa.text(
    "SELECT b.suite, c.id, b.domain, b.rule_kind, coalesce(b.fact ->> 'rule', ''),"
    " coalesce((b.fact ->> 'yes_only')::boolean, false), c.gold, c.mutation, c.group_id, b.proof"
    " FROM benchmark_case b JOIN cases c ON c.id = b.case_id WHERE b.snapshot = :snapshot"
    ' ORDER BY b.suite, c.id COLLATE "C"'
)
_CHANGES = sa.text(
    "SELECT suite, change, reason, count(*) FROM benchmark_change WHERE snapshot = :snapshot GROUP BY 1, 2, 3"
)
_STAYS = sa.text(
    "SELECT count(*) FROM benchmark_case a JOIN benchmark_case b ON b.case_id = a.case_id"
    " WHERE a.snapshot = :snapshot AND b.snapshot = :previous AND a.suite = :suite"
)


def _split(connection: sa.Connection) -> None:
    """A part for every suite that a month asks, or retired cases of."""
    months = {row["snapshot"]: row for row in connection.execute(sa.text("SELECT * FROM benchmark")).mappings()}
    suites = {key: _suites(connection, key) for key in months}
    for key, month in months.items():
        changed: dict[str, dict[str, Counter[str]]] = {}
        for suite, change, reason, number in connection.execute(_CHANGES, {"snapshot": key}):
            changed.setdefault(suite, {}).setdefault(change, Counter())[reason] = number
        made = {
            suite: list(cases)
            for suite, cases in groupby((_Asked(*row) for row in connection.execute(_CASES, {"snapshot": key})),
                                        key=lambda one: one.suite)
        }  # fmt: skip
        for suite in suites[key]:
            previous = _previous(months, suites, key, suite)
            where = {"snapshot": key, "previous": previous, "suite": suite}
            told = {
                "previous": previous,
                "stays": connection.scalar(_STAYS, where) if previous else 0,
                **{
                    change: dict(sorted(changed.get(suite, {}).get(change, {}).items()))
                    for change in ("new", "retired")
                },
            }
            cases = made.get(suite, [])
            connection.execute(
                sa.text(
                    "INSERT INTO benchmark_part (snapshot, suite, config_hash, content_hash, seed, counts, frozen_at,"
                    " published, previous) VALUES (:snapshot, :suite, :config_hash, :content_hash, :seed, :counts,"
                    " :frozen_at, :published, :previous)"
                ).bindparams(sa.bindparam("counts", type_=JSONB)),
                {
                    **{name: month[name] for name in ("snapshot", "config_hash", "seed", "frozen_at", "published")},
                    "suite": suite,
                    "content_hash": _content_hash(cases),
                    "counts": {**_of_suite(month["counts"], suite), **_tally(cases), "months": told},
                    "previous": previous or None,
                },
            )


def _suites(connection: sa.Connection, snapshot: str) -> list[str]:
    query = sa.text(
        "SELECT suite FROM benchmark_case WHERE snapshot = :snapshot"
        " UNION SELECT suite FROM benchmark_change WHERE snapshot = :snapshot ORDER BY 1"
    )
    return list(connection.scalars(query, {"snapshot": snapshot}))


def _previous(months: Mapping[str, Any], suites: Mapping[str, Sequence[str]], key: str, suite: str) -> str:
    """The month before it that has this suite, along the months that it was held against."""
    before = months[key]["previous"]
    while before and suite not in suites.get(before, ()):
        before = months[before]["previous"] if before in months else None
    return before or ""


def _of_suite(counts: Mapping[str, Any], suite: str) -> dict[str, Any]:
    """What a build counted that rows do not tell."""
    rewritten = counts.get("rewritten")
    return {
        "first_month": counts.get("first_month", False),
        "baselines": [one for one in counts.get("baselines", []) if one["scope"] == suite],
        "shortfall": counts.get("shortfall", {}).get(suite, {}),
        "dropped": counts.get("dropped", {}).get(suite, {}),
        **({"rewritten": {"model": rewritten["model"], **rewritten.get(suite, {})}} if rewritten else {}),
    }


def _content_hash(cases: Iterable[_Asked]) -> str:
    digest = hashlib.sha256()
    for one in cases:
        digest.update(f"{one.id}\n{hashlib.sha256(one.proof.encode()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _tally(cases: Sequence[_Asked]) -> dict[str, Any]:
    marked = [one for one in cases if one.yes_only]
    cells: dict[str, dict[str, Counter[str]]] = {}
    polarity: dict[str, dict[str, dict[str, Counter[str]]]] = {}
    for one in cases:
        cells.setdefault(one.domain, {}).setdefault(one.kind, Counter())[one.gold] += 1
        rule, wording = one.kind.partition(".")[0], "negated" if one.mutation.endswith("negated") else "affirmative"
        polarity.setdefault(one.domain, {}).setdefault(rule, {}).setdefault(wording, Counter())[one.gold] += 1
    return {
        "cases": len(cases),
        "groups": len({one.group for one in cases}),
        "by_domain": Counter(one.domain for one in cases),
        "by_kind": Counter(one.kind for one in cases),
        "by_mutation": Counter(one.mutation for one in cases),
        "gold": Counter(one.gold for one in cases),
        "gold_of_originals": Counter(one.gold for one in cases if one.mutation == "original"),
        "cells": cells,
        "by_polarity": polarity,
        "yes_only": {
            "cases": len(marked),
            "groups": len({one.group for one in marked}),
            "rules": Counter(one.rule for one in marked),
        },
    }


def _join(connection: sa.Connection) -> None:
    """The parts of a month put together again, as far as the table of before had room for them."""
    rows = connection.execute(
        sa.text("SELECT p.*, s.as_of FROM benchmark_part p JOIN snapshot s USING (snapshot) ORDER BY snapshot, suite")
    ).mappings()
    for key, several in groupby(rows, key=lambda row: row["snapshot"]):
        parts = list(several)
        cases = sorted((_Asked(*row) for row in connection.execute(_CASES, {"snapshot": key})), key=lambda one: one.id)
        by_suite = {part["suite"]: part["counts"] for part in parts}
        counts = {
            **_tally(cases),
            "first_month": any(one.get("first_month") for one in by_suite.values()),
            "by_suite": Counter(one.suite for one in cases),
            "baselines": [found for one in by_suite.values() for found in one.get("baselines", [])],
            **{
                name: {suite: one.get(name, {}) for suite, one in by_suite.items()} for name in ("shortfall", "dropped")
            },
            **_rewritten(by_suite),
            "months": _summed(one["months"] for one in by_suite.values() if "months" in one),
        }
        first = parts[0]
        connection.execute(
            sa.text(
                "INSERT INTO benchmark (snapshot, as_of, seed, config_hash, content_hash, counts, published, frozen_at,"
                " previous) VALUES (:snapshot, :as_of, :seed, :config_hash, :content_hash, :counts, :published,"
                " :frozen_at, :previous)"
            ).bindparams(sa.bindparam("counts", type_=JSONB)),
            {
                **{name: first[name] for name in ("snapshot", "as_of", "seed", "config_hash", "frozen_at", "previous")},
                "content_hash": _content_hash(cases),
                "counts": counts,
                "published": any(part["published"] for part in parts),
            },
        )


def _rewritten(by_suite: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    told = {suite: dict(one["rewritten"]) for suite, one in by_suite.items() if "rewritten" in one}
    models = {one.pop("model") for one in told.values()}
    return {"rewritten": {"model": max(models), **told}} if told else {}


def _summed(months: Iterator[Mapping[str, Any]]) -> dict[str, Any]:
    several = list(months)
    by = {kind: sum((Counter(one[kind]) for one in several), Counter()) for kind in ("new", "retired")}
    return {
        "previous": max((one["previous"] for one in several), default=""),
        "stays": sum(one["stays"] for one in several),
        **by,
    }
