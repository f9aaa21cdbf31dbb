"""What is asked: cases, the parts of a month's benchmark, prompts and their variants."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from halluvault_tasks.storage.tables.base import metadata, now

cases = Table(
    "cases",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256(question, gold, group, mutation)"),
    Column("question", Text, nullable=False),
    Column("gold", Text, nullable=False, comment="yes or no; of a suite that asks something else, its right answer"),
    Column("group_id", Text, nullable=False, comment="metamorphic group: one fact, all its wordings"),
    Column("mutation", Text, nullable=False, comment="original, negated …"),
    Column("relation", Text, nullable=False, comment="to the original: same, contradictory, contrary, converse"),
    Column("suite", Text, nullable=False, comment="relation, temporal …: its part of each month that asks it"),
    Column("supersedes", Text),
    CheckConstraint("gold in ('yes', 'no') or suite not in ('relation', 'temporal')", name="gold"),
    Index(None, "group_id"),
    # A label may be a megabyte, and a text vector may not.
    Index(
        "cases_question_search_ix",
        text("to_tsvector('english'::regconfig, left(question, 10000))"),
        postgresql_using="gin",
    ),
)

benchmark_part = Table(
    "benchmark_part",
    metadata,
    Column("snapshot", Text, ForeignKey("snapshot.snapshot"), primary_key=True),
    Column("suite", Text, primary_key=True, comment="relation, temporal …: built, frozen and published on its own"),
    Column("config_hash", Text, nullable=False, comment="sha256 over what this suite is made by: its quotas, wordings"),
    Column("content_hash", Text, nullable=False, comment="sha256 over case ids and proofs, ascending"),
    Column("seed", BigInteger, nullable=False),
    Column("counts", JSONB, nullable=False, comment="cases by domain, rule, gold; shortfalls; names dropped"),
    now("frozen_at"),
    Column("published", Boolean, nullable=False, server_default="false"),
    Column("previous", Text, comment="month whose part of this suite it was held against; NULL: none"),
    comment="a month's benchmark is its parts; from here on a part never changes",
)

benchmark_change = Table(
    "benchmark_change",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("suite", Text, nullable=False),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("change", Text, nullable=False, comment="new, or retired since the part's `previous`"),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False, comment="the statement, name or fact that it is about"),
    Column("successor", Text, comment="retired: the case that asks the same in other words"),
    CheckConstraint("change in ('new', 'retired')", name="change"),
    ForeignKeyConstraint(
        ["snapshot", "suite"], ["benchmark_part.snapshot", "benchmark_part.suite"], ondelete="CASCADE"
    ),
)

generation = Table(
    "generation",
    metadata,
    Column("model", Text, primary_key=True, comment="registry name of the model that was asked"),
    Column("instruction", Text, primary_key=True, comment="what it was told to do: rewrite …"),
    Column("version", Integer, primary_key=True, autoincrement=False, comment="of the instruction"),
    Column("input_hash", Text, primary_key=True, comment="sha256 of what the instruction was about, UTF-8"),
    Column("n", SmallInteger, primary_key=True, autoincrement=False, comment="from 1, where several were asked for"),
    Column("text", Text, nullable=False, comment="as the server sent it; NUL stands as U+FFFD"),
    comment="stored before it is looked at, so that a part built again is the same to the byte",
)

benchmark_case = Table(
    "benchmark_case",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("suite", Text, nullable=False),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("domain", Text, nullable=False),
    Column("rule_kind", Text, nullable=False, comment="kind of the rule, or main operator of the formula"),
    Column("property", Integer, comment="property of the fact asked about"),
    Column("subject", Integer),
    Column("object", Integer),
    Column("fact", JSONB, nullable=False, comment="rule name or formula, ids, truth of the base proposition"),
    Column("premises", JSONB, nullable=False, comment="[{sid, guid, subject, relation, object, sentence}, …]"),
    Column("proof", Text, nullable=False, comment="Prolog that runs in swipl and prints the gold answer"),
    Column(
        "licence",
        Text,
        nullable=False,
        server_default="proved",
        comment="the weakest on which a No of its block rests: proved, list or measured (semantics.md 1.10)",
    ),
    Column("block", Integer, comment="number in the part: its groups are asked together or not at all; NULL: unknown"),
    CheckConstraint("licence in ('proved', 'list', 'measured')", name="licence"),
    ForeignKeyConstraint(["snapshot", "suite"], ["benchmark_part.snapshot", "benchmark_part.suite"]),
    Index(None, "case_id"),
)

core_case = Table(
    "core_case",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False, comment="questions wanted: `benchmark core --n`"),
    Column("case_id", Text, primary_key=True),
    Column("models", Integer, nullable=False, comment="models whose answers chose it; 0: chosen by strata alone"),
    ForeignKeyConstraint(["snapshot", "case_id"], ["benchmark_case.snapshot", "benchmark_case.case_id"]),
    comment="a small part of a month by which a model can be placed; from here on it never changes",
)

prompt_variant = Table(
    "prompt_variant",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256(template, version, form, context)"),
    Column("template", Text, nullable=False, comment="name in benchmark/prompts/templates.py: halluvault, drowzee …"),
    Column("version", Integer, nullable=False),
    Column("form", Text, nullable=False, comment="plain or chat"),
    Column("context", Text, nullable=False, comment="closed-book, with-evidence or out-of-distribution"),
)

prompt = Table(
    "prompt",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("variant_id", Text, ForeignKey("prompt_variant.id"), primary_key=True),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("text", Text, nullable=False, comment="plain: the text; chat: its messages as canonical JSON"),
    Column("sha256", Text, nullable=False, comment="of what a server sees of the text, UTF-8"),
    Index(None, "sha256"),
    comment="made of case, template and date; no part of what is frozen",
)
