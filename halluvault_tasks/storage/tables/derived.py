"""What follows from a snapshot: rules, derived facts, temporal facts, checked negatives."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    Identity,
    Index,
    Integer,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from halluvault_tasks.storage.tables.base import BY_SNAPSHOT, metadata, now

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
        comment="symmetric, inverse, transitive, composite, negation.polarity, negation.value, drawn",
    ),
    Column("form", Text, nullable=False, comment="its kind more exactly, e.g. inverse by sex (reasoning/kinds)"),
    Column("premises", ARRAY(Integer), nullable=False, comment="properties of the premises, in order"),
    Column("conclusion", Integer, nullable=False, comment="relation of its facts (table `relation`)"),
    Column("origin", Text, nullable=False, comment="metadata and/or reviewed list that proposed it"),
    Column("support", JSONB, nullable=False, comment="figures measured on this snapshot"),
    Column("verdict", Text, nullable=False, comment="active, candidate or refused"),
    Column("reason", Text, nullable=False),
)

relation = Table(
    "relation",
    metadata,
    Column("id", Integer, Identity(always=True), primary_key=True),
    Column("kind", Text, nullable=False, comment="property, chain, share or order (wikidata/relation.py)"),
    Column("properties", ARRAY(Integer), nullable=False, comment="the property, or those of a chain in order"),
    UniqueConstraint("kind", "properties", name="relation_kind_key"),
    comment="what relates the two ends of a fact; the id means nothing",
)

derived_fact = Table(
    "derived_fact",
    metadata,
    Column("snapshot", Text, nullable=False),
    Column("shard", SmallInteger, nullable=False),
    Column("rule", SmallInteger, nullable=False),
    Column("relation", Integer, nullable=False, comment="the rule's conclusion (table `relation`)"),
    Column("s", Integer, nullable=False),
    Column("o", Integer, nullable=False, comment="for negation.value: a value the subject does not have"),
    Column("evidence", ARRAY(Integer), nullable=False, comment="sids of the premises, in the order of the argument"),
    Column("via", Integer, comment="item before the last step, where evidence has only that step of a path"),
    Column("reason", SmallInteger, comment="code of the licence of what is false (reasoning/grounds.py)"),
    Column("finding", Integer, comment="id of `checked_negative`, where people found it to be false"),
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

drawn_fact = Table(
    "drawn_fact",
    metadata,
    Column("snapshot", Text, nullable=False),
    Column("shard", SmallInteger, nullable=False),
    Column("rule", SmallInteger, nullable=False, comment="a rule of a kind that draws (reasoning/kinds/drawing.py)"),
    Column(
        "relation",
        Integer,
        nullable=False,
        comment="its relation (table `relation`), e.g. the property of the date that its year is of",
    ),
    Column("s", Integer, nullable=False),
    Column("o", Integer, comment="the item at its other end; NULL where that is a number"),
    Column("value", Integer, comment="the number at its other end (a year, an age); NULL where that is an item"),
    Column("evidence", ARRAY(Integer), nullable=False, comment="sids of the premises, in the order of the argument"),
    Column("place", Integer, nullable=False, comment="place in the rule's draw: who wants fewer takes the first"),
    postgresql_partition_by=BY_SNAPSHOT,
    comment="true facts of which there are too many to store all: a bounded, seeded draw by each rule",
)

derivation_manifest = Table(
    "derivation_manifest",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("rule", SmallInteger, primary_key=True, autoincrement=False),
    Column("rows", BigInteger, nullable=False, comment="of derived_fact, or of drawn_fact by a rule that draws"),
    Column("groups", BigInteger, nullable=False, server_default="0", comment="rows of shared_group"),
    Column("inputs", Text, nullable=False, server_default="", comment="sha256 of program, rule and licences"),
    Column("reused", BigInteger, nullable=False, server_default="0", comment="rows taken over from an earlier month"),
)

foil = Table(
    "foil",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("id", Text, primary_key=True, comment="first 16 hex digits of sha256 over relation, s, o and value as JSON"),
    Column("relation", Integer, nullable=False, comment="its relation (table `relation`)"),
    Column("s", Integer, nullable=False),
    Column("o", Integer, comment="an item that s does not have; NULL where it is a number"),
    Column("value", Integer, comment="a number that s does not have; NULL where it is an item"),
    Column("how", Text, nullable=False, comment="the way in which it was drawn (reasoning/foils)"),
    Column("reason", SmallInteger, nullable=False, comment="code of the licence (docs/reasoning.md)"),
    Column("evidence", ARRAY(Integer), nullable=False, comment="sids that show it, in the order of the argument"),
    comment="the false facts that a frozen part asks about, whichever part; stored when it is written",
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
    now("imported_at"),
    Column("withdrawn", Text, comment="the first month that states or derives it, and how; NULL: none does"),
    UniqueConstraint("p", "s", "o", "source", name="checked_negative_p_key"),
    comment="statements that people found to be false (`halluvault negatives import`); never per month",
)

counted_list = Table(
    "counted_list",
    metadata,
    Column("source", Text, primary_key=True, comment="who counted: a data set with its version, a person"),
    Column("s", Integer, primary_key=True, autoincrement=False),
    Column("p", Integer, primary_key=True, autoincrement=False),
    Column("relation", Text, primary_key=True, comment="what the source calls that which was counted"),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="objects in all; several contradict"),
    Column("checked_on", Date, nullable=False, comment="the number is that of this day"),
    now("imported_at"),
    comment="how many objects people found a subject to have (`halluvault lists import`); never per month",
)

followed_foil = Table(
    "followed_foil",
    metadata,
    Column("source", Text, primary_key=True, comment="of the snapshots: later ones of the same are looked into"),
    Column("class", Text, primary_key=True, comment="of foils that were measured (config/measured.yaml)"),
    Column("version", Integer, primary_key=True, autoincrement=False, comment="of the nearness that drew it"),
    Column("s", Integer, primary_key=True, autoincrement=False),
    Column("relation", Integer, nullable=False, comment="what it says of the two (table `relation`)"),
    Column("o", Integer, primary_key=True, autoincrement=False),
    Column("snapshot", Text, nullable=False, comment="in which it was registered"),
    Column("as_of", Date, nullable=False, comment="date of that snapshot's data: it was said to be false by then"),
    Column("asked", Boolean, nullable=False, comment="by a frozen part; the others are followed for the measure alone"),
    Column("refuted", Text, comment="the first later snapshot that states or derives it; NULL: none does"),
    Column("statement", Text, comment="GUID of the statement that it follows from there"),
    Column("later", Boolean, comment="whether it began to hold after as_of, and so does not count"),
    Index(None, "source", "relation", "s", "o"),
    comment="foils whose falsity was measured, and what later months say of them (semantics.md 1.10)",
)

followed_month = Table(
    "followed_month",
    metadata,
    Column("source", Text, primary_key=True),
    Column("class", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("snapshot", Text, primary_key=True, comment="that was looked into"),
    Column("previous", Text, nullable=False, comment="the snapshot of the same source before it"),
    Column("years", Float, nullable=False, comment="between the dates of the two"),
    Column("followed", Integer, nullable=False, comment="foils that nothing had refuted before"),
    Column("refuted", Integer, nullable=False, comment="of these, refuted now, those that began later left out"),
    Column("events", Integer, nullable=False, comment="subjects of the refuted: what is learnt of one counts once"),
    Column("added", Integer, nullable=False, comment="statements new but not of later, of subjects that had a value"),
    Column("subjects", Integer, nullable=False, comment="subjects that had a value before"),
    comment="what a month says of each class of foils that is followed: one row each",
)


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
