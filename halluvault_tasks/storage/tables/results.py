"""How it was judged and what that amounts to: verdicts, groups, results, comparisons."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from halluvault_tasks.storage.tables.base import metadata, now

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

suite_label = Table(
    "suite_label",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id", ondelete="CASCADE"), primary_key=True),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False),
    Column("labeller", Text, primary_key=True, comment="name of a person's sheet"),
    Column("label", Text, nullable=False, comment="yes: the text holds a hallucination; or no"),
    Column("spans", JSONB, nullable=False, comment="unverifiable, non-factual, irrelevant → words at fault"),
    CheckConstraint("label in ('yes', 'no')", name="label"),
    comment="what people say of a companion suite's texts; only of labellers that were admitted",
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
    now("ran_at"),
    comment="one row a run of the oracle study; the kept-back part runs once per oracle_hash",
)

_ASKED = (
    ("says", "what was asked, to be answered yes"),
    ("says_reply", "as the examiner sent it; empty where the server refused for good to answer"),
    ("otherwise", "what was asked the other way round, to be answered no"),
    ("otherwise_reply", "likewise"),
)
_KEY_OF_CLAIM = "first 16 hex digits of sha256 of what was sent: question, text and claim, both ways round"

examination = Table(
    "examination",
    metadata,
    Column("evaluation_id", Text, primary_key=True),
    Column("case_id", Text, primary_key=True),
    Column("sample", SmallInteger, primary_key=True, autoincrement=False),
    Column("examiner", Text, ForeignKey("model.id"), primary_key=True, comment="model.id of who was asked"),
    Column("claim", Text, primary_key=True, comment=_KEY_OF_CLAIM),
    *(Column(name, Text, nullable=False, comment=comment) for name, comment in _ASKED),
    Column("upheld", Boolean, nullable=False, comment="yes and no: the text was found to say it"),
    now("asked_at"),
    ForeignKeyConstraint(
        ["evaluation_id", "case_id", "sample"],
        ["response.evaluation_id", "response.case_id", "response.sample"],
        ondelete="CASCADE",
    ),
    comment="what a cross-examiner said of the claims and conclusions that convict a response; no verdict",
)

examiner_trial = Table(
    "examiner_trial",
    metadata,
    Column("examiner", Text, ForeignKey("model.id"), primary_key=True, comment="model.id of who was asked"),
    Column("labelled", Text, primary_key=True, comment="first 16 hex digits of sha256 of the file of labelled claims"),
    Column("claim", Text, primary_key=True, comment=_KEY_OF_CLAIM),
    Column("said", Boolean, nullable=False, comment="label: the text says it; else it was misread"),
    *(Column(name, Text, nullable=False, comment=comment) for name, comment in _ASKED),
    Column("upheld", Boolean, nullable=False, comment="yes and no: the text was found to say it"),
    now("asked_at"),
    comment="what a cross-examiner said of labelled claims, half of them misread: its sensitivity and specificity",
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

mitigation_use = Table(
    "mitigation_use",
    metadata,
    Column("model", Text, primary_key=True, comment="name of the model that had it wrong"),
    Column("kind", Text, primary_key=True, comment="edit, locality (what an edit must leave alone) or train"),
    Column("case_id", Text, ForeignKey("cases.id"), primary_key=True),
    Column("snapshot", Text, nullable=False, comment="month of the evaluation that it was drawn from"),
    Column("group_id", Text, nullable=False),
    Column("subject", Integer, primary_key=True, autoincrement=False),
    Column(
        "property", Integer, primary_key=True, autoincrement=False, comment="property, or key of a derived relation"
    ),
    Column("split", Text, nullable=False, comment="of train: train or test; else empty"),
    now("used_at"),
    CheckConstraint("kind in ('edit', 'locality', 'train')", name="kind"),
    comment="cases that edit requests and training data were made of: reported apart from then on",
)

result_set = Table(
    "result_set",
    metadata,
    Column("evaluation_id", Text, ForeignKey("evaluation.id"), primary_key=True),
    Column("profile", Text, primary_key=True, comment="oracle profile; '' for what needs no oracle (cost)"),
    Column("profile_version", Text, primary_key=True),
    now("computed_at"),
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
    Column("value", Float, comment="NULL where it is not defined, or there is none (no_rate_reason)"),
    Column("low", Float, comment="lower end of the 95 % interval; NULL where there is none"),
    Column("high", Float),
    Column("hits", BigInteger, comment="numerator, where it is a share"),
    Column("n", BigInteger, nullable=False, comment="denominator"),
    Column("clusters", Integer, comment="independent groups behind the interval"),
    Column("design_effect", Float),
    Column("no_rate_reason", Text, comment="why a rate of hallucinations is left out; NULL where it is there"),
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
    Column("proved_difference", Float, comment="the same on those of the questions that are proved"),
    Column("proved_low", Float),
    Column("proved_high", Float),
    Column("proved_shared", Integer),
    CheckConstraint("kind in ('models', 'months')", name="kind"),
    comment="two evaluations on the questions that both answered",
)

item_figure = Table(
    "item_figure",
    metadata,
    Column("snapshot", Text, ForeignKey("snapshot.snapshot"), primary_key=True),
    Column("variant", Text, primary_key=True, comment="prompt and route in which the models were asked"),
    Column("suite", Text, primary_key=True, comment="headline"),
    Column(
        "scope",
        Text,
        primary_key=True,
        comment="stratum, property, ability, width, item, discrimination (estimates in logits), answers, easy (shares)",
    ),
    Column("key", Text, primary_key=True, comment="stratum, property, model, case id …; empty for the whole"),
    Column("value", Float, nullable=False),
    Column("low", Float, comment="lower end of the 95 % interval; NULL where there is none"),
    Column("high", Float),
    Column("questions", Integer, nullable=False, comment="questions behind it; of easy: those that all get right"),
    Column("models", Integer, nullable=False, comment="models whose answers it rests on"),
    Column("simulated", Boolean, nullable=False),
    now("computed_at"),
    CheckConstraint("value > '-Infinity' and value < 'Infinity'", name="finite"),
    comment="how hard questions are, by the answers of a month's models: statistics/item_response.py",
)
