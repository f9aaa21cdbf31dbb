"""Who is asked, and what came back: models, evaluations, responses, lanes."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from halluvault_tasks.storage.tables.base import metadata, now

model = Table(
    "model",
    metadata,
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256 of the other columns"),
    Column("name", Text, nullable=False, comment="registry name; `simulated/…` for simulated models"),
    Column("dialect", Text, nullable=False, comment="tgi or openai"),
    Column("model_id", Text, nullable=False, comment="as the server reports it"),
    Column("model_sha", Text),
    Column("server_version", Text),
    now("first_seen"),
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
    now("created_at"),
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
    now("checked_at"),
    Column("json_form", Text, nullable=False, server_default="json_schema", comment="how it is told of a schema"),
    Column(
        "thinks", Text, nullable=False, server_default="", comment="where its thoughts stand; empty: none were seen"
    ),
    Column(
        "thinking",
        JSONB,
        nullable=False,
        server_default="{}",
        comment="what its evaluations have as `thinking` among their parameters: room for thoughts, or how it is told "
        "not to think",
    ),
    Column("omit", ARRAY(Text), nullable=False, server_default="{}", comment="fields of a request that are left out"),
    Column(
        "limit_field", Text, nullable=False, server_default="", comment="name of its limit of new tokens; empty: usual"
    ),
    Column("advice", Text, nullable=False, server_default="", comment="what people should look at; empty: nothing"),
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
    now("received_at"),
    Column("model_id", Text, comment="model.id that the server confirmed after this answer; NULL: not asked by a lane"),
    Column("thought", Text, comment="what the model thought before it answered, of all turns; read by no oracle"),
    Column("thought_tokens", Integer, comment="tokens of it, among generated_tokens; NULL: the server does not say"),
    Column("refusal", Text, comment="what the API said in place of an answer; NULL: it did not refuse"),
    CheckConstraint("status in ('delivered', 'dead')", name="status"),
)

lane = Table(
    "lane",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("shards", SmallInteger, nullable=False),
    Column("server", Text, nullable=False, comment="registry name; lanes on one server share its in-flight budget"),
    Column("state", Text, nullable=False, comment="asking, finished or stopped"),
    now("started_at"),
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

batch = Table(
    "batch",
    metadata,
    Column("key", Text, primary_key=True, comment="ours, random; the API has it as `halluvault` in its metadata"),
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), nullable=False),
    Column("model", Text, nullable=False, comment="registry name"),
    Column("round", SmallInteger, nullable=False, comment="from 1; batches of a round were made together"),
    Column("turn", SmallInteger, nullable=False, comment="of its conversations that it asks, from 1"),
    Column("requests", Integer, nullable=False),
    Column("file_id", Text, comment="of its requests; NULL: not uploaded, as far as is known"),
    Column("batch_id", Text, comment="the API's; NULL: not made, as far as is known"),
    Column("status", Text, nullable=False, comment="in the API's words; `made` before it has any"),
    Column("completed", Integer, nullable=False, comment="requests, as the API counts them", server_default="0"),
    Column("failed", Integer, nullable=False, comment="likewise", server_default="0"),
    Column("error", Text, comment="why it came to nothing, or in part; NULL: it did not"),
    now("created_at"),
    Column("submitted_at", DateTime(timezone=True), comment="when the API had it"),
    Column("polled_at", DateTime(timezone=True), comment="when it last said how far it was"),
    Column("ended_at", DateTime(timezone=True), comment="when its lines were collected or given up; NULL: it is open"),
    Column("fruitless", Boolean, nullable=False, server_default="false", comment="its round brought no reply at all"),
    Index(None, "evaluation_id"),
    comment="prompts that were handed to a hosted API as a file (`asking: batch`)",
)

batch_line = Table(
    "batch_line",
    metadata,
    Column("batch_key", Text, ForeignKey("batch.key", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="custom_id is BATCH_KEY-NUMBER"),
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), nullable=False),
    Column("case_id", Text, ForeignKey("cases.id"), nullable=False),
    Column("sample", SmallInteger, nullable=False),
    Column("status", SmallInteger, comment="of HTTP; NULL: no answer came"),
    Column("body", Text, comment="JSON of the answer as it came"),
    Index(None, "evaluation_id", "case_id"),
    comment="requests of batches whose prompts have no response yet",
)
