"""What was pulled: snapshots, their batches, entities and statements."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Float,
    Index,
    Integer,
    LargeBinary,
    Numeric,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from halluvault_tasks.storage.tables.base import BY_SNAPSHOT, metadata, now

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
    now("created_at"),
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
    now("at"),
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
    Column(
        "julian",
        ARRAY(Integer),
        comment="own property and qualifiers with times of the Julian calendar; NULL: of a month that kept none",
    ),
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

key_count = Table(
    "key_count",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("kind", Text, primary_key=True, comment="class, property, or names (of a class's seeds)"),
    Column("key", Integer, primary_key=True, autoincrement=False, comment="number of the item or property"),
    Column("rows", Integer, nullable=False, comment="seeds, statements or names of this month"),
    Column("before", Integer, nullable=False, comment="of the month compared with; 0: there is none"),
    Column("causes", JSONB, nullable=False, comment="what became of those that are not there as they were, by cause"),
    Column("months", SmallInteger, nullable=False, comment="from the month compared with to this"),
    Column("held", Text, comment="why no question is asked of it; NULL: it is asked"),
    comment="what a month's classes and properties lost against the month before, by which later months are judged",
)
