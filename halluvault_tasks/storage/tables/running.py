"""What runs: stages, leases and incidents."""

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Identity,
    Integer,
    SmallInteger,
    Table,
    Text,
    func,
)
from sqlalchemy.dialects.postgresql import JSONB

from halluvault_tasks.storage.tables.base import metadata, now

incident = Table(
    "incident",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    now("at"),
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
    now("started_at"),
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
    now("since"),
    Column("beat_at", DateTime(timezone=True), nullable=False, server_default=func.now(), comment="last sign of life"),
    comment="who is at work: exempt from the rule that a second run adds no row",
)
