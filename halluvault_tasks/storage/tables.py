"""Every table, in the design's vocabulary, with the keys of its Identity section.

Conventions: `snapshot` is the key `YYYY-MM` (`.2` for a re-pull); `qid`, `s`, `o` are Wikidata item numbers
(Q42 is 42) and `pid`, `p` property numbers; `*_earliest`/`*_latest` are inclusive day numbers
(`wikidata.days`) and NULL where unbounded; `precision` is Wikidata's (11 day, 10 month, 9 year, 8 decade,
7 century). Tables marked *partitioned* are partitioned by snapshot; `storage.partitions` makes and drops them.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s_ix",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "pk": "%(table_name)s_pkey",
    }
)

BY_SNAPSHOT = "LIST (snapshot)"


def _now(name: str) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())


# ---------------------------------------------------------------- knowledge

snapshot = Table(
    "snapshot",
    metadata,
    Column("snapshot", Text, primary_key=True, comment="YYYY-MM, or YYYY-MM.N for the Nth pull of the month"),
    Column("month", Text, nullable=False),
    Column("revision", SmallInteger, nullable=False, server_default="1"),
    Column("as_of", Date, nullable=False, comment="date of the data: pull's start, dump header or sample"),
    Column("source", Text, nullable=False, comment="endpoint URL or file name"),
    Column("source_hash", Text, comment="sha256 of a dump's file; NULL for an endpoint"),
    Column("status", Text, nullable=False, server_default="pulling", comment="pulling, frozen or published"),
    Column("content_hash", Text, comment="sha256 over the normalised rows, set when frozen"),
    Column("notes", JSONB, nullable=False, server_default="{}", comment="what the source lacked, gate figures"),
    _now("created_at"),
    Column("frozen_at", DateTime(timezone=True)),
    Column("published_at", DateTime(timezone=True)),
    Column("dropped_at", DateTime(timezone=True), comment="its rows were dropped; benchmark and results stay"),
    CheckConstraint("status in ('pulling', 'frozen', 'published')", name="status"),
)

pull_batch = Table(
    "pull_batch",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("query_hash", Text, primary_key=True, comment="sha256 of the SPARQL text"),
    Column("stage", Text, nullable=False, comment="metadata, seeds, statements, qualifiers, labels, chain …"),
    Column("domain", Text),
    Column("sha256", Text, nullable=False, comment="of the raw body"),
    Column("body", LargeBinary, nullable=False, comment="raw SPARQL JSON results, zlib"),
    Column("rows", Integer, nullable=False, comment="as the service counted them in the same answer"),
    Column("seconds", Float, nullable=False),
    Column("requests", SmallInteger, nullable=False, server_default="1", comment="sent until it came whole"),
    _now("at"),
    Column("gives", Integer, comment="statements or entities that the snapshot has of it; NULL: it is not read"),
    postgresql_partition_by=BY_SNAPSHOT,
)

entity = Table(
    "entity",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("qid", Integer, primary_key=True, autoincrement=False),
    Column("label", Text, comment="English label as it stands in the source; NULL: never in a question"),
    Column("description", Text),
    Column("aliases", ARRAY(Text), nullable=False, server_default="{}"),
    Column("types", ARRAY(Integer), nullable=False, server_default="{}", comment="P31 values, ascending"),
    Column("domain", Text, comment="first domain of domains.yaml that matches; NULL outside all"),
    Column("seed", Boolean, nullable=False, server_default="false", comment="asked for by a domain's seed query"),
    Column("sitelinks", Integer),
    Column(
        "ambiguous", Boolean, nullable=False, server_default="false", comment="label shared within one of its types"
    ),
    postgresql_partition_by=BY_SNAPSHOT,
)

property = Table(
    "property",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("pid", Integer, primary_key=True, autoincrement=False),
    Column("label", Text, nullable=False),
    Column("datatype", Text, nullable=False, comment="wikibase-item, time, quantity …"),
    Column("inverse", Integer, comment="P1696"),
    Column("classes", ARRAY(Integer), nullable=False, server_default="{}", comment="P31 of the property"),
    Column("constraints", ARRAY(Integer), nullable=False, server_default="{}", comment="P2302 constraint types"),
    Column("separators", ARRAY(Integer), nullable=False, server_default="{}", comment="P4155 of single-value"),
    Column("origin", Text, nullable=False, comment="`source`, or `bundled` where the source lacks metadata"),
)

statement = Table(
    "statement",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("sid", Integer, primary_key=True, autoincrement=False, comment="1… in canonical order (p, s, guid)"),
    Column("guid", Text, nullable=False, comment="local name of the statement's IRI"),
    Column("s", Integer, nullable=False),
    Column("p", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="item, time, quantity, text, unknown or none"),
    Column("o", Integer, comment="item value"),
    Column("earliest", Integer, comment="time value: first possible day number"),
    Column("latest", Integer, comment="time value: last possible day number"),
    Column("precision", SmallInteger),
    Column("amount", Numeric, comment="quantity value"),
    Column("amount_low", Numeric, comment="quantity's lower bound; NULL where the source gives no tolerance"),
    Column("amount_high", Numeric, comment="quantity's upper bound"),
    Column("unit", Integer, comment="quantity's unit; NULL for dimensionless"),
    Column("text", Text, comment="any other literal"),
    Column("rank", Text, nullable=False, comment="normal or preferred; deprecated rows are in deprecated_value"),
    Column("start_earliest", Integer, comment="qualifier P580"),
    Column("start_latest", Integer),
    Column("end_earliest", Integer, comment="qualifier P582"),
    Column("end_latest", Integer),
    Column("point_earliest", Integer, comment="qualifier P585"),
    Column("point_latest", Integer),
    Column("unknown_qualifiers", ARRAY(Integer), nullable=False, server_default="{}", comment="unknown value there"),
    Column("absent_qualifiers", ARRAY(Integer), nullable=False, server_default="{}", comment="no value there"),
    Column("hedged", Boolean, nullable=False, server_default="false", comment="P1480, P5102 or P1310 present"),
    Index(None, "snapshot", "p", "s"),
    Index(None, "snapshot", "p", "o"),
    Index(None, "snapshot", "guid"),
    postgresql_partition_by=BY_SNAPSHOT,
)

deprecated_value = Table(
    "deprecated_value",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("guid", Text, primary_key=True),
    Column("s", Integer, nullable=False),
    Column("p", Integer, nullable=False),
    Column("o", Integer, comment="item value; other kinds keep NULL and still count as a value seen"),
    postgresql_partition_by=BY_SNAPSHOT,
)

redirect = Table(
    "redirect",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("qid", Integer, primary_key=True, autoincrement=False, comment="merged into another item"),
    Column("target", Integer, nullable=False, comment="the item that stands for it in every other table"),
    postgresql_partition_by=BY_SNAPSHOT,
)

statement_change = Table(
    "statement_change",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("change", Text, primary_key=True, comment="added, removed, value, rank or merged"),
    Column("guid", Text, primary_key=True),
    Column("s", Integer, nullable=False),
    Column("p", Integer, nullable=False),
    Column("before", Text, nullable=False, comment="the snapshot it was held against"),
    CheckConstraint("change in ('added', 'removed', 'value', 'rank', 'merged')", name="change"),
    postgresql_partition_by=BY_SNAPSHOT,
)

# ---------------------------------------------------------------- reasoning

rule = Table(
    "rule",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("rule", SmallInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, comment="stable name, e.g. inverse:P22:P40 or transitive:P131"),
    Column(
        "kind",
        Text,
        nullable=False,
        comment="symmetric, inverse, transitive, composite, negation.polarity, negation.value",
    ),
    Column("premises", ARRAY(Integer), nullable=False, comment="properties of the premises, in order"),
    Column("conclusion", Integer, nullable=False, comment="property of the derived fact"),
    Column("origin", Text, nullable=False, comment="metadata and/or reviewed list that proposed it"),
    Column("support", JSONB, nullable=False, comment="figures measured on this snapshot"),
    Column("verdict", Text, nullable=False, comment="active, candidate or refused"),
    Column("reason", Text, nullable=False),
)

derived_fact = Table(
    "derived_fact",
    metadata,
    Column("snapshot", Text, nullable=False),
    Column("shard", SmallInteger, nullable=False),
    Column("rule", SmallInteger, nullable=False),
    Column("p", Integer, nullable=False),
    Column("s", Integer, nullable=False),
    Column("o", Integer, nullable=False, comment="for negation.value: a value the subject does not have"),
    Column("e1", Integer, nullable=False, comment="sid of the (last) premise statement"),
    Column("e2", Integer, nullable=False, comment="second premise's sid; transitive: predecessor item; else 0"),
    Column("e3", Integer, nullable=False, comment="third premise's sid, or reason code of a negation; else 0"),
    postgresql_partition_by=BY_SNAPSHOT,
    comment="no key: a shard fills an index-less table and attaches it as a partition",
)

shared_group = Table(
    "shared_group",
    metadata,
    Column("snapshot", Text, nullable=False),
    Column("shard", SmallInteger, nullable=False),
    Column("rule", SmallInteger, nullable=False, comment="a share rule"),
    Column("o", Integer, nullable=False, comment="the item that all members share"),
    Column("members", ARRAY(Integer), nullable=False, comment="subjects, ascending: any two of them make a pair"),
    Column("sids", ARRAY(Integer), nullable=False, comment="each member's statement, in the same order"),
    postgresql_partition_by=BY_SNAPSHOT,
    comment="shared-object groups whole; derived_fact holds their pairs up to a cap",
)

derivation_manifest = Table(
    "derivation_manifest",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("rule", SmallInteger, primary_key=True, autoincrement=False),
    Column("rows", BigInteger, nullable=False),
    Column("groups", BigInteger, nullable=False, server_default="0", comment="rows of shared_group"),
    Column("inputs", Text, nullable=False, server_default="", comment="sha256 of program, rule and licences"),
    Column("reused", BigInteger, nullable=False, server_default="0", comment="rows taken over from an earlier month"),
)

composable = Table(
    "composable",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("sid", Integer, primary_key=True, autoincrement=False),
    comment="statements of P131, P171 and P279 that lead on to a third thing, found when the rules are typed",
)

checked_negative = Table(
    "checked_negative",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("s", Integer, nullable=False),
    Column("p", Integer, nullable=False),
    Column("o", Integer, nullable=False),
    Column("source", Text, nullable=False, comment="who checked it: a data set with its version, a person"),
    Column("checked_on", Date, nullable=False, comment="what is bound to a time is false as of this day only"),
    _now("imported_at"),
    Column("withdrawn", Text, comment="the first month that states or derives it, and how; NULL: none does"),
    UniqueConstraint("p", "s", "o", "source", name="checked_negative_p_key"),
    comment="statements that people found to be false (`halluvault negatives import`); never per month",
)

# ---------------------------------------------------------------- temporal

temporal_fact = Table(
    "temporal_fact",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256(formula, at, granularity)"),
    Column("formula", Text, nullable=False, comment="text syntax; atoms are names of `atoms`"),
    Column("at", Integer, nullable=False, comment="time point in units of the granularity (year: astronomical)"),
    Column("granularity", Text, nullable=False, comment="year, month or day"),
    Column("truth", Boolean, nullable=False),
    Column("operators", ARRAY(Text), nullable=False),
    Column("depth", SmallInteger, nullable=False),
    Column("atoms", JSONB, nullable=False, comment="name → {qid, p, sids, kind, certain, possible}"),
    Column("certain", JSONB, nullable=False, comment="[[a, b], …], ends as numbers or inf/sup"),
    Column("possible", JSONB, nullable=False),
    Column("program", Text, nullable=False, comment="Prolog that computes both sets in swipl"),
    Column("domain", Text),
)

# ---------------------------------------------------------------- benchmark

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
    _now("frozen_at"),
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

rewriting = Table(
    "rewriting",
    metadata,
    Column("model", Text, primary_key=True, comment="registry name of the model that was asked"),
    Column("version", Integer, primary_key=True, autoincrement=False, comment="of the instruction it was given"),
    Column("question", Text, primary_key=True),
    Column("text", Text, nullable=False, comment="what it made of the question"),
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
    ForeignKeyConstraint(["snapshot", "suite"], ["benchmark_part.snapshot", "benchmark_part.suite"]),
    Index(None, "case_id"),
)

prompt_variant = Table(
    "prompt_variant",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256(template, version, form, context)"),
    Column("template", Text, nullable=False, comment="name in benchmark/templates.py: halluvault, drowzee …"),
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

# ---------------------------------------------------------------- querying

model = Table(
    "model",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256 of the other columns"),
    Column("name", Text, nullable=False, comment="registry name; `simulated/…` for simulated models"),
    Column("dialect", Text, nullable=False, comment="tgi or openai"),
    Column("model_id", Text, nullable=False, comment="as the server reports it"),
    Column("model_sha", Text),
    Column("server_version", Text),
    _now("first_seen"),
    Index(None, "name"),
)

evaluation = Table(
    "evaluation",
    metadata,
    Column(
        "id",
        Text,
        primary_key=True,
        comment="first 16 hex digits of sha256(snapshot, model, variant, route, sampling); older ones without route",
    ),
    Column("snapshot", Text, ForeignKey("snapshot.snapshot"), nullable=False),
    Column("model_id", Text, ForeignKey("model.id"), nullable=False),
    Column("variant_id", Text, ForeignKey("prompt_variant.id"), nullable=False),
    Column("sampling", JSONB, nullable=False),
    Column("samples", SmallInteger, nullable=False, server_default="1"),
    _now("created_at"),
    Column(
        "route",
        Text,
        comment="chat (through the server's template) or completions (raw); NULL: as configured when it was planned",
    ),
    Column("template", Boolean, comment="whether the server has a chat template; NULL: unknown"),
    Column(
        "decoding",
        Text,
        comment="greedy, `greedy, not bitwise repeatable`, samples or unknown, as seen; NULL: never looked at",
    ),
    Index(None, "snapshot"),
    CheckConstraint("route in ('chat', 'completions')", name="route"),
)

model_check = Table(
    "model_check",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256(model, route, sampling parameters)"),
    Column("model_id", Text, ForeignKey("model.id"), nullable=False),
    Column("route", Text, nullable=False),
    Column("base_urls", ARRAY(Text), nullable=False, comment="the replicas that were asked"),
    Column("template", Boolean, comment="whether there is a chat template; NULL: no way to tell"),
    Column("decoding", Text, nullable=False),
    Column("sends", JSONB, nullable=False, comment="parameters without which it would not be greedy"),
    Column("guided_regex", Boolean, nullable=False, comment="whether it obeyed a regular expression"),
    Column("guided_json", Boolean, nullable=False, comment="whether it obeyed a JSON schema"),
    Column("seen", Text, nullable=False, comment="what that rests on"),
    _now("checked_at"),
    Column("json_form", Text, nullable=False, server_default="json_schema", comment="how it is told of a schema"),
    Index(None, "model_id"),
    comment="what a model was seen to do through a route, asked once for each identity",
)

response = Table(
    "response",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False, server_default="1"),
    Column("status", Text, nullable=False, comment="delivered, or dead (dead-lettered with `error`)"),
    Column("text", Text, comment="as the server sent it; NUL cannot be stored and stands as U+FFFD"),
    Column("transcript", JSONB, comment="the whole exchange of a chat prompt; NULL for a plain one"),
    Column("finish_reason", Text),
    Column("prompt_tokens", Integer),
    Column("generated_tokens", Integer),
    Column("queue_ms", Integer),
    Column("inference_ms", Integer),
    Column("total_ms", Integer),
    Column("attempts", SmallInteger, nullable=False),
    Column("error", Text),
    _now("received_at"),
    Column("model_id", Text, comment="model.id that the server confirmed after this answer; NULL: not asked by a lane"),
    CheckConstraint("status in ('delivered', 'dead')", name="status"),
)

transcript = Table(
    "transcript",
    metadata,
    Column("evaluation_id", Text, primary_key=True),
    Column("case_id", Text, primary_key=True),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False),
    Column("reader", Text, primary_key=True, comment="transcript (the same model's), or llm:NAME"),
    Column("text", Text, comment="as the server sent it; NULL: none came, see `error`"),
    Column("error", Text),
    Column("grammar", Boolean, nullable=False, comment="whether the server obeyed a grammar over it"),
    Column("finish_reason", Text),
    Column("generated_tokens", Integer),
    Column("total_ms", Integer),
    Column("model_id", Text, nullable=False, comment="model.id of who listed them"),
    Column("listed", Integer, nullable=False, comment="claims in it"),
    Column("kept", Integer, nullable=False, comment="of these, claims that the response's own sentences hold"),
    Column("dropped", JSONB, nullable=False, comment="why the others were dropped, or the whole was"),
    _now("received_at"),
    ForeignKeyConstraint(
        ["evaluation_id", "case_id", "sample"],
        ["response.evaluation_id", "response.case_id", "response.sample"],
        ondelete="CASCADE",
    ),
    comment="a response's claims as a model listed them; how many of them hold is the reader's to say",
)

lane = Table(
    "lane",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("shards", SmallInteger, nullable=False),
    Column("server", Text, nullable=False, comment="registry name; lanes on one server share its in-flight budget"),
    Column("state", Text, nullable=False, comment="asking, finished or stopped"),
    _now("started_at"),
    Column("beat_at", DateTime(timezone=True), nullable=False, comment="a lane that was killed falls silent"),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("dead", Integer, nullable=False),
    Column("in_flight", Integer, nullable=False),
    Column("allowed", Integer, nullable=False, comment="requests it may have open now"),
    Column("failures", JSONB, nullable=False, comment="failed attempts by kind"),
    Column("rate", Float, nullable=False, comment="prompts finished per second, last half minute"),
    Column("eta_seconds", Float),
    Column("message", Text, nullable=False, comment="why it waits or stopped"),
    CheckConstraint("state in ('asking', 'finished', 'stopped')", name="state"),
    comment="heartbeat of each shard's newest run",
)

# ---------------------------------------------------------------- oracles and results

verdict = Table(
    "verdict",
    metadata,
    Column("evaluation_id", Text, primary_key=True),
    Column("case_id", Text, primary_key=True),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False),
    Column("profile", Text, primary_key=True, comment="replay, paper/anchored, paper/anchored/answer-gated …"),
    Column("profile_version", Text, primary_key=True),
    Column("answer", Text, nullable=False, comment="yes, no, dont_know, refusal, contradictory or unparseable"),
    Column("correct", Boolean, comment="answer equals gold; NULL unless yes or no"),
    Column(
        "category",
        Text,
        nullable=False,
        comment="normal, error_knowledge, error_inference, both, unattributed, unparseable, review",
    ),
    Column("sub_label", Text),
    Column("reasoning_faulty", Boolean, comment="NULL where not judged"),
    Column("edge_similarity", Float, comment="Jaccard, 0 to 1"),
    Column("node_similarity", Float),
    Column(
        "detail",
        JSONB,
        nullable=False,
        comment="what it rests on: spans, claims, statuses, statements, replays; or triples and matches",
    ),
)

oracle_study = Table(
    "oracle_study",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("part", Text, primary_key=True, comment="development, kept_back, hand_written or ablation"),
    Column("oracle_hash", Text, primary_key=True, comment="sha256 over the oracles' code, word lists, rules and model"),
    Column("plan_hash", Text, primary_key=True, comment="sha256 over planted texts and labels"),
    Column("seed", BigInteger, nullable=False),
    Column("responses", Integer, nullable=False),
    Column("figures", JSONB, nullable=False, comment="per profile; on planted faults, not on model output"),
    _now("ran_at"),
    comment="one row a run of the oracle study; the kept-back part runs once per oracle_hash",
)

group_verdict = Table(
    "group_verdict",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("group_id", Text, primary_key=True, comment="metamorphic group: one fact, all its wordings"),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False),
    Column("members", Integer, nullable=False, comment="wordings that were judged"),
    Column("decided", Integer, nullable=False, comment="those answered yes or no"),
    Column(
        "verdict",
        Text,
        nullable=False,
        comment="not assessable; inconsistent; consistent, right; or consistent, stable misbelief",
    ),
    Column("against", ARRAY(Text), nullable=False, comment="two cases whose answers cannot both be right"),
    comment="the metamorphic oracle: needs no knowledge, changes no member's category",
)

result_set = Table(
    "result_set",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("profile", Text, primary_key=True, comment="oracle profile; '' for what needs no oracle (cost)"),
    Column("profile_version", Text, primary_key=True),
    _now("computed_at"),
    comment="which profiles of which evaluation have figures, and since when",
)

result = Table(
    "result",
    metadata,
    Column("evaluation_id", Text, primary_key=True),
    Column("suite", Text, primary_key=True, comment="headline (relation and temporal), or one suite alone"),
    Column("scope", Text, primary_key=True, comment="model, suite, macro, domain, rule, kind, cell, cost …"),
    Column("key", Text, primary_key=True, comment="'' for the whole, else the domain, rule kind, task …"),
    Column("profile", Text, primary_key=True),
    Column("profile_version", Text, primary_key=True),
    Column("metric", Text, primary_key=True),
    Column("value", Float, comment="NULL where it is not defined, or too little was delivered"),
    Column("low", Float, comment="lower end of the 95 % interval; NULL where there is none"),
    Column("high", Float),
    Column("hits", BigInteger, comment="numerator, where it is a share"),
    Column("n", BigInteger, nullable=False, comment="denominator"),
    Column("clusters", Integer, comment="independent groups behind the interval"),
    Column("design_effect", Float),
    CheckConstraint("value > '-Infinity' and value < 'Infinity'", name="finite"),
    ForeignKeyConstraint(
        ["evaluation_id", "profile", "profile_version"],
        ["result_set.evaluation_id", "result_set.profile", "result_set.profile_version"],
        ondelete="CASCADE",
    ),
    comment="every rate and metric, one row each; nothing else computes one",
)

comparison = Table(
    "comparison",
    metadata,
    Column("a", Text, ForeignKey("evaluation.id"), primary_key=True, comment="evaluation"),
    Column("b", Text, ForeignKey("evaluation.id"), primary_key=True, comment="evaluation that it is held against"),
    Column("kind", Text, primary_key=True, comment="models (of one month) or months (of one model)"),
    Column("suite", Text, primary_key=True),
    Column("profile", Text, primary_key=True),
    Column("a_version", Text, nullable=False),
    Column("b_version", Text, nullable=False),
    Column("difference", Float, comment="rate of A minus rate of B on the shared questions"),
    Column("low", Float),
    Column("high", Float),
    Column("p", Float, comment="cluster sign-flip, two-sided"),
    Column("p_adjusted", Float, comment="Benjamini-Hochberg over the kind, suite and profile of the month"),
    Column("shared", Integer, nullable=False, comment="questions that both answered"),
    Column("groups", Integer, nullable=False),
    Column("needed", BigInteger, comment="questions that would show the difference found, power 80 %"),
    Column("new_rate", Float, comment="months: rate of A on questions that B was not asked"),
    Column("new_low", Float),
    Column("new_high", Float),
    Column("new_questions", Integer),
    CheckConstraint("kind in ('models', 'months')", name="kind"),
    comment="two evaluations on the questions that both answered",
)

# ---------------------------------------------------------------- running

incident = Table(
    "incident",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    _now("at"),
    Column("snapshot", Text),
    Column("kind", Text, nullable=False, comment="task_failed, deadline_missed, gate_failed, identity_changed …"),
    Column("where", Text, nullable=False, comment="DAG and task, or command"),
    Column("message", Text, nullable=False),
    Column("way_out", Text, nullable=False),
)

stage_run = Table(
    "stage_run",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("snapshot", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("part", Text, nullable=False, server_default="", comment="domain, shard or model"),
    _now("started_at"),
    Column("ended_at", DateTime(timezone=True)),
    Column("summary", JSONB, nullable=False, server_default="{}"),
    comment="run log: exempt from the rule that a second run adds no row",
)

lease = Table(
    "lease",
    metadata,
    Column("token", Text, primary_key=True, comment="of one holding, drawn at random"),
    Column("snapshot", Text, nullable=False, comment="'' for what belongs to no month"),
    Column("work", Text, nullable=False, comment="what nobody else does meanwhile; '' is everything in the month"),
    Column("part", SmallInteger, nullable=False, comment="0 to parts - 1"),
    Column("parts", SmallInteger, nullable=False, comment="into how many the work is divided; 0: it is not"),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("who", Text, nullable=False, comment="user, or Airflow's task and run"),
    Column("process", Text, nullable=False, comment="machine, process and its start: tells on its machine if it lives"),
    _now("since"),
    Column("beat_at", DateTime(timezone=True), nullable=False, server_default=func.now(), comment="last sign of life"),
    comment="who is at work: exempt from the rule that a second run adds no row",
)

PARTITIONED = (pull_batch, entity, statement, deprecated_value, redirect, statement_change, derived_fact, shared_group)
"""Tables partitioned by snapshot."""

SHARDED = (derived_fact, shared_group)
"""Those of them that are partitioned once more, by shard."""
