"""First light: every table of the design's vocabulary."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cases",
        sa.Column(
            "id", sa.Text(), nullable=False, comment="first 16 hex digits of sha256(question, gold, group, mutation)"
        ),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("gold", sa.Text(), nullable=False, comment="yes or no"),
        sa.Column("group_id", sa.Text(), nullable=False, comment="metamorphic group: one fact, all its wordings"),
        sa.Column("mutation", sa.Text(), nullable=False, comment="original, negated …"),
        sa.Column(
            "relation", sa.Text(), nullable=False, comment="to the original: same, contradictory, contrary, converse"
        ),
        sa.Column("suite", sa.Text(), nullable=False, comment="relation or temporal"),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.CheckConstraint("gold in ('yes', 'no')", name=op.f("cases_gold_check")),
        sa.PrimaryKeyConstraint("id", name=op.f("cases_pkey")),
    )
    op.create_index(op.f("cases_group_id_ix"), "cases", ["group_id"], unique=False)
    op.create_table(
        "deprecated_value",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column(
            "o",
            sa.Integer(),
            nullable=True,
            comment="item value; other kinds keep NULL and still count as a value seen",
        ),
        sa.PrimaryKeyConstraint("snapshot", "guid", name=op.f("deprecated_value_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_table(
        "derivation_manifest",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("rule", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "shard", "rule", name=op.f("derivation_manifest_pkey")),
    )
    op.create_table(
        "derived_fact",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("rule", sa.SmallInteger(), nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("o", sa.Integer(), nullable=False, comment="for negation.value: a value the subject does not have"),
        sa.Column("e1", sa.Integer(), nullable=False, comment="sid of the (last) premise statement"),
        sa.Column(
            "e2", sa.Integer(), nullable=False, comment="second premise's sid; transitive: predecessor item; else 0"
        ),
        sa.Column(
            "e3", sa.Integer(), nullable=False, comment="third premise's sid, or reason code of a negation; else 0"
        ),
        comment="no key: a shard fills an index-less table and attaches it as a partition",
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_table(
        "entity",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("qid", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "label",
            sa.Text(),
            nullable=True,
            comment="English label as it stands in the source; NULL: never in a question",
        ),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("aliases", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column(
            "types",
            postgresql.ARRAY(sa.Integer()),
            server_default="{}",
            nullable=False,
            comment="P31 values, ascending",
        ),
        sa.Column(
            "domain", sa.Text(), nullable=True, comment="first domain of domains.yaml that matches; NULL outside all"
        ),
        sa.Column(
            "seed", sa.Boolean(), server_default="false", nullable=False, comment="asked for by a domain's seed query"
        ),
        sa.Column("sitelinks", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("snapshot", "qid", name=op.f("entity_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_table(
        "incident",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=True),
        sa.Column(
            "kind", sa.Text(), nullable=False, comment="task_failed, deadline_missed, gate_failed, identity_changed …"
        ),
        sa.Column("where", sa.Text(), nullable=False, comment="DAG and task, or command"),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("way_out", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("incident_pkey")),
    )
    op.create_table(
        "model",
        sa.Column("id", sa.Text(), nullable=False, comment="first 16 hex digits of sha256 of the other columns"),
        sa.Column("name", sa.Text(), nullable=False, comment="registry name; `simulated/…` for simulated models"),
        sa.Column("dialect", sa.Text(), nullable=False, comment="tgi or openai"),
        sa.Column("model_id", sa.Text(), nullable=False, comment="as the server reports it"),
        sa.Column("model_sha", sa.Text(), nullable=True),
        sa.Column("server_version", sa.Text(), nullable=True),
        sa.Column("first_seen", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("model_pkey")),
    )
    op.create_index(op.f("model_name_ix"), "model", ["name"], unique=False)
    op.create_table(
        "prompt_variant",
        sa.Column(
            "id", sa.Text(), nullable=False, comment="first 16 hex digits of sha256(template, version, form, context)"
        ),
        sa.Column("template", sa.Text(), nullable=False, comment="halluvault (table 2) or drowzee (table IV)"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False, comment="plain or chat"),
        sa.Column("context", sa.Text(), nullable=False, comment="closed-book …"),
        sa.PrimaryKeyConstraint("id", name=op.f("prompt_variant_pkey")),
    )
    op.create_table(
        "property",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("datatype", sa.Text(), nullable=False, comment="wikibase-item, time, quantity …"),
        sa.Column("inverse", sa.Integer(), nullable=True, comment="P1696"),
        sa.Column(
            "classes",
            postgresql.ARRAY(sa.Integer()),
            server_default="{}",
            nullable=False,
            comment="P31 of the property",
        ),
        sa.Column(
            "constraints",
            postgresql.ARRAY(sa.Integer()),
            server_default="{}",
            nullable=False,
            comment="P2302 constraint types",
        ),
        sa.Column(
            "separators",
            postgresql.ARRAY(sa.Integer()),
            server_default="{}",
            nullable=False,
            comment="P4155 of single-value",
        ),
        sa.Column(
            "origin", sa.Text(), nullable=False, comment="`source`, or `bundled` where the source lacks metadata"
        ),
        sa.PrimaryKeyConstraint("snapshot", "pid", name=op.f("property_pkey")),
    )
    op.create_table(
        "pull_batch",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("query_hash", sa.Text(), nullable=False, comment="sha256 of the SPARQL text"),
        sa.Column(
            "stage", sa.Text(), nullable=False, comment="metadata, seeds, statements, qualifiers, labels, chain …"
        ),
        sa.Column("domain", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False, comment="of the raw body"),
        sa.Column("body", sa.LargeBinary(), nullable=False, comment="raw SPARQL JSON results, zlib"),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "query_hash", name=op.f("pull_batch_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_table(
        "rule",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("rule", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="stable name, e.g. inverse:P22:P40 or transitive:P131"),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="symmetric, inverse, transitive, composite, negation.polarity, negation.value",
        ),
        sa.Column(
            "premises", postgresql.ARRAY(sa.Integer()), nullable=False, comment="properties of the premises, in order"
        ),
        sa.Column("conclusion", sa.Integer(), nullable=False, comment="property of the derived fact"),
        sa.Column("origin", sa.Text(), nullable=False, comment="metadata and/or reviewed list that proposed it"),
        sa.Column(
            "support",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="figures measured on this snapshot",
        ),
        sa.Column("verdict", sa.Text(), nullable=False, comment="active, candidate or refused"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", "rule", name=op.f("rule_pkey")),
    )
    op.create_table(
        "snapshot",
        sa.Column("snapshot", sa.Text(), nullable=False, comment="YYYY-MM, or YYYY-MM.N for the Nth pull of the month"),
        sa.Column("month", sa.Text(), nullable=False),
        sa.Column("revision", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("as_of", sa.Date(), nullable=False, comment="date of the data: pull's start, dump header or sample"),
        sa.Column("source", sa.Text(), nullable=False, comment="endpoint URL or file name"),
        sa.Column(
            "status", sa.Text(), server_default="pulling", nullable=False, comment="pulling, frozen or published"
        ),
        sa.Column("content_hash", sa.Text(), nullable=True, comment="sha256 over the normalised rows, set when frozen"),
        sa.Column(
            "notes",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default="{}",
            nullable=False,
            comment="what the source lacked, gate figures",
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status in ('pulling', 'frozen', 'published')", name=op.f("snapshot_status_check")),
        sa.PrimaryKeyConstraint("snapshot", name=op.f("snapshot_pkey")),
    )
    op.create_table(
        "stage_run",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), server_default="", nullable=False, comment="domain, shard or model"),
        sa.Column("started_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("summary", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("stage_run_pkey")),
        comment="run log: exempt from the rule that a second run adds no row",
    )
    op.create_table(
        "statement",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column(
            "sid", sa.Integer(), autoincrement=False, nullable=False, comment="1… in canonical order (p, s, guid)"
        ),
        sa.Column("guid", sa.Text(), nullable=False, comment="local name of the statement's IRI"),
        sa.Column("s", sa.Integer(), nullable=False),
        sa.Column("p", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False, comment="item, time, quantity, text, unknown or none"),
        sa.Column("o", sa.Integer(), nullable=True, comment="item value"),
        sa.Column("earliest", sa.Integer(), nullable=True, comment="time value: first possible day number"),
        sa.Column("latest", sa.Integer(), nullable=True, comment="time value: last possible day number"),
        sa.Column("precision", sa.SmallInteger(), nullable=True),
        sa.Column("amount", sa.Numeric(), nullable=True, comment="quantity value"),
        sa.Column("unit", sa.Integer(), nullable=True, comment="quantity's unit; NULL for dimensionless"),
        sa.Column("text", sa.Text(), nullable=True, comment="any other literal"),
        sa.Column(
            "rank", sa.Text(), nullable=False, comment="normal or preferred; deprecated rows are in deprecated_value"
        ),
        sa.Column("start_earliest", sa.Integer(), nullable=True, comment="qualifier P580"),
        sa.Column("start_latest", sa.Integer(), nullable=True),
        sa.Column("end_earliest", sa.Integer(), nullable=True, comment="qualifier P582"),
        sa.Column("end_latest", sa.Integer(), nullable=True),
        sa.Column("point_earliest", sa.Integer(), nullable=True, comment="qualifier P585"),
        sa.Column("point_latest", sa.Integer(), nullable=True),
        sa.Column(
            "unknown_qualifiers",
            postgresql.ARRAY(sa.Integer()),
            server_default="{}",
            nullable=False,
            comment="unknown value there",
        ),
        sa.Column(
            "hedged", sa.Boolean(), server_default="false", nullable=False, comment="P1480, P5102 or P1310 present"
        ),
        sa.PrimaryKeyConstraint("snapshot", "sid", name=op.f("statement_pkey")),
        postgresql_partition_by="LIST (snapshot)",
    )
    op.create_index(op.f("statement_snapshot_guid_ix"), "statement", ["snapshot", "guid"], unique=False)
    op.create_index(op.f("statement_snapshot_p_o_ix"), "statement", ["snapshot", "p", "o"], unique=False)
    op.create_index(op.f("statement_snapshot_p_s_ix"), "statement", ["snapshot", "p", "s"], unique=False)
    op.create_table(
        "temporal_fact",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False, comment="first 16 hex digits of sha256(formula, at, granularity)"),
        sa.Column("formula", sa.Text(), nullable=False, comment="text syntax; atoms are names of `atoms`"),
        sa.Column(
            "at", sa.Integer(), nullable=False, comment="time point in units of the granularity (year: astronomical)"
        ),
        sa.Column("granularity", sa.Text(), nullable=False, comment="year, month or day"),
        sa.Column("truth", sa.Boolean(), nullable=False),
        sa.Column("operators", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("depth", sa.SmallInteger(), nullable=False),
        sa.Column(
            "atoms",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="name → {qid, p, sids, kind, certain, possible}",
        ),
        sa.Column(
            "certain",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="[[a, b], …], ends as numbers or inf/sup",
        ),
        sa.Column("possible", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("program", sa.Text(), nullable=False, comment="Prolog that computes both sets in swipl"),
        sa.Column("domain", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("snapshot", "id", name=op.f("temporal_fact_pkey")),
    )
    op.create_table(
        "verdict",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "profile", sa.Text(), nullable=False, comment="paper/anchored, paper/anchored/answer-gated, constant-both …"
        ),
        sa.Column("profile_version", sa.Text(), nullable=False),
        sa.Column(
            "answer", sa.Text(), nullable=False, comment="yes, no, dont_know, refusal, contradictory or unparseable"
        ),
        sa.Column("correct", sa.Boolean(), nullable=True, comment="answer equals gold; NULL unless yes or no"),
        sa.Column(
            "category",
            sa.Text(),
            nullable=False,
            comment="normal, error_knowledge, error_inference, both, unattributed, unparseable, review",
        ),
        sa.Column("sub_label", sa.Text(), nullable=True),
        sa.Column("reasoning_faulty", sa.Boolean(), nullable=True, comment="NULL where not judged"),
        sa.Column("edge_similarity", sa.Float(), nullable=True, comment="Jaccard, 0 to 1"),
        sa.Column("node_similarity", sa.Float(), nullable=True),
        sa.Column(
            "detail",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="span of the answer, extracted triples, matches",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "case_id", "sample", "profile", "profile_version", name=op.f("verdict_pkey")
        ),
    )
    op.create_table(
        "benchmark",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("as_of", sa.Date(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("config_hash", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False, comment="sha256 over case ids and proofs, ascending"),
        sa.Column(
            "counts",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="cases by domain, rule, gold; shortfalls; names dropped",
        ),
        sa.Column("published", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["snapshot"], ["snapshot.snapshot"], name=op.f("benchmark_snapshot_fkey")),
        sa.PrimaryKeyConstraint("snapshot", name=op.f("benchmark_pkey")),
    )
    op.create_table(
        "prompt",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False, comment="of the text, UTF-8"),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("prompt_case_id_fkey")),
        sa.ForeignKeyConstraint(["variant_id"], ["prompt_variant.id"], name=op.f("prompt_variant_id_fkey")),
        sa.PrimaryKeyConstraint("snapshot", "variant_id", "case_id", name=op.f("prompt_pkey")),
    )
    op.create_index(op.f("prompt_sha256_ix"), "prompt", ["sha256"], unique=False)
    op.create_table(
        "benchmark_case",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("rule_kind", sa.Text(), nullable=False, comment="kind of the rule, or main operator of the formula"),
        sa.Column("property", sa.Integer(), nullable=True, comment="property of the fact asked about"),
        sa.Column("subject", sa.Integer(), nullable=True),
        sa.Column("object", sa.Integer(), nullable=True),
        sa.Column(
            "fact",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="rule name or formula, ids, truth of the base proposition",
        ),
        sa.Column(
            "premises",
            postgresql.JSONB(astext_type=sa.Text()),
            nullable=False,
            comment="[{sid, guid, subject, relation, object, sentence}, …]",
        ),
        sa.Column("proof", sa.Text(), nullable=False, comment="Prolog that runs in swipl and prints the gold answer"),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("benchmark_case_case_id_fkey")),
        sa.ForeignKeyConstraint(["snapshot"], ["benchmark.snapshot"], name=op.f("benchmark_case_snapshot_fkey")),
        sa.PrimaryKeyConstraint("snapshot", "case_id", name=op.f("benchmark_case_pkey")),
    )
    op.create_index(op.f("benchmark_case_case_id_ix"), "benchmark_case", ["case_id"], unique=False)
    op.create_table(
        "evaluation",
        sa.Column(
            "id", sa.Text(), nullable=False, comment="first 16 hex digits of sha256(snapshot, model, variant, sampling)"
        ),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("variant_id", sa.Text(), nullable=False),
        sa.Column("sampling", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("samples", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["model.id"], name=op.f("evaluation_model_id_fkey")),
        sa.ForeignKeyConstraint(["snapshot"], ["benchmark.snapshot"], name=op.f("evaluation_snapshot_fkey")),
        sa.ForeignKeyConstraint(["variant_id"], ["prompt_variant.id"], name=op.f("evaluation_variant_id_fkey")),
        sa.PrimaryKeyConstraint("id", name=op.f("evaluation_pkey")),
    )
    op.create_index(op.f("evaluation_snapshot_ix"), "evaluation", ["snapshot"], unique=False)
    op.create_table(
        "response",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("sample", sa.SmallInteger(), server_default="1", autoincrement=False, nullable=False),
        sa.Column("status", sa.Text(), nullable=False, comment="delivered, or dead (dead-lettered with `error`)"),
        sa.Column(
            "text", sa.Text(), nullable=True, comment="as the server sent it; NUL cannot be stored and stands as U+FFFD"
        ),
        sa.Column("finish_reason", sa.Text(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("generated_tokens", sa.Integer(), nullable=True),
        sa.Column("queue_ms", sa.Integer(), nullable=True),
        sa.Column("inference_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("status in ('delivered', 'dead')", name=op.f("response_status_check")),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f("response_case_id_fkey")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("response_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint("evaluation_id", "case_id", "sample", name=op.f("response_pkey")),
    )
    op.create_table(
        "result",
        sa.Column("evaluation_id", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("profile_version", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False, comment="model, domain, rule or macro"),
        sa.Column("key", sa.Text(), nullable=False, comment="'' for the model, else the domain or rule kind"),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("delivered", sa.Integer(), nullable=False),
        sa.Column("normal", sa.Integer(), nullable=False),
        sa.Column("error_knowledge", sa.Integer(), nullable=False),
        sa.Column("error_inference", sa.Integer(), nullable=False),
        sa.Column("both", sa.Integer(), nullable=False),
        sa.Column("unattributed", sa.Integer(), nullable=False),
        sa.Column("unparseable", sa.Integer(), nullable=False),
        sa.Column("review", sa.Integer(), nullable=False),
        sa.Column("abstained", sa.Integer(), nullable=False),
        sa.Column("said_yes", sa.Integer(), nullable=False),
        sa.Column("right_sound", sa.Integer(), nullable=False),
        sa.Column("right_faulty", sa.Integer(), nullable=False),
        sa.Column("wrong_sound", sa.Integer(), nullable=False),
        sa.Column("wrong_faulty", sa.Integer(), nullable=False),
        sa.Column(
            "rate",
            sa.Float(),
            nullable=True,
            comment="hallucination rate; NULL when more than 1 % are undelivered or nothing is",
        ),
        sa.Column("rate_low", sa.Float(), nullable=True, comment="95 % interval, Wilson on the cluster-effective size"),
        sa.Column("rate_high", sa.Float(), nullable=True),
        sa.Column("band_high", sa.Float(), nullable=True, comment="rate + unparseable + review"),
        sa.Column("groups", sa.Integer(), nullable=False, comment="metamorphic groups (clusters)"),
        sa.Column("design_effect", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name=op.f("result_evaluation_id_fkey")),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "profile", "profile_version", "scope", "key", name=op.f("result_pkey")
        ),
    )


def downgrade() -> None:
    tables = (
        "result response evaluation benchmark_case prompt benchmark verdict temporal_fact statement stage_run "
        "snapshot rule pull_batch property prompt_variant model incident entity derived_fact "
        "derivation_manifest deprecated_value cases"
    )
    for table in tables.split():
        op.drop_table(table)
