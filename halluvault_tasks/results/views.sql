-- The views of before schema results_v1, under their names: they go with the next release. Written in terms of the new
-- ones; only the newest profile version is shown, as before.

CREATE VIEW _result_newest AS
SELECT
    f.snapshot, f.data_through AS as_of, f.source, f.model, f.simulated, f.model_id, f.model_sha, f.server_version,
    f.prompt, f.route, f.template, f.decoding, f.evaluation_id, f.profile, f.profile_version, f.scope,
    CASE f.scope WHEN 'suite' THEN f.suite ELSE f.key END AS key, f.planned, f.delivered,
    f.undelivered_share, f.hallucination_rate, f.rate_low, f.rate_high, f.no_rate_reason, f.proved_rate, f.proved_low, f.proved_high,
    f.proved_delivered, f.proved_accuracy, f.hallucination_rate AS band_low,
    f.band_high, f.unread_share, f.answered_share, f.rate_among_answered, f.accuracy, f.accuracy_among_answered, f.yes_rate, f.normal, f.abstained,
    f.error_knowledge, f.error_inference, f.both_errors, f.unattributed, f.unparseable, f.api_refused, f.no_answer,
    f.review, f.right_sound,
    f.right_faulty, f.wrong_sound, f.wrong_faulty, f.groups, f.design_effect
FROM results_v1._figures f
WHERE f.is_newest AND (f.suite = 'headline' OR f.scope = 'suite');

CREATE VIEW results_by_model AS
SELECT
    n.snapshot, n.as_of, n.source, n.model, n.simulated, n.model_id, n.model_sha, n.server_version, n.prompt,
    n.route, n.template, n.decoding, n.evaluation_id, n.profile, n.profile_version,
    (
        SELECT array_agg(part.key ORDER BY part.key)
        FROM _result_newest part
        WHERE part.evaluation_id = n.evaluation_id AND part.profile = n.profile AND part.scope = 'suite'
            AND part.key IN ('relation', 'temporal')
    ) AS suites,
    n.planned, n.delivered, n.undelivered_share, n.hallucination_rate,
    n.rate_low, n.rate_high, n.no_rate_reason, n.proved_rate, n.proved_low, n.proved_high, n.proved_delivered,
    n.proved_accuracy, n.band_low, n.band_high, n.unread_share,
    macro.hallucination_rate AS macro_rate, macro.rate_low AS macro_low, macro.rate_high AS macro_high,
    n.answered_share, n.rate_among_answered, n.accuracy, n.accuracy_among_answered, n.yes_rate,
    n.normal, n.abstained, n.error_knowledge, n.error_inference, n.both_errors, n.unattributed, n.unparseable,
    n.api_refused, n.no_answer, n.review, n.right_sound, n.right_faulty, n.wrong_sound, n.wrong_faulty, n.groups, n.design_effect
FROM _result_newest n
LEFT JOIN _result_newest macro
    ON macro.evaluation_id = n.evaluation_id AND macro.profile = n.profile AND macro.scope = 'macro'
WHERE n.scope = 'model';

CREATE VIEW results_by_suite AS
SELECT
    snapshot, as_of, source, key AS suite, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, no_rate_reason, proved_rate, proved_low,
    proved_high, proved_delivered, proved_accuracy, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'suite';

CREATE VIEW results_by_domain AS
SELECT
    snapshot, as_of, source, key AS domain, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, no_rate_reason, proved_rate, proved_low,
    proved_high, proved_delivered, proved_accuracy, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'domain';

CREATE VIEW results_by_rule AS
SELECT
    snapshot, as_of, source, key AS rule_kind, model, simulated, evaluation_id, profile, profile_version, planned,
    delivered, undelivered_share, hallucination_rate, rate_low, rate_high, no_rate_reason, proved_rate, proved_low,
    proved_high, proved_delivered, proved_accuracy, band_low, band_high, answered_share,
    rate_among_answered, accuracy, accuracy_among_answered, yes_rate, normal, abstained, error_knowledge,
    error_inference, both_errors, unattributed, unparseable, review, right_sound, right_faulty, wrong_sound,
    wrong_faulty, groups, design_effect
FROM _result_newest
WHERE scope = 'rule';

CREATE VIEW results_by_group AS
SELECT snapshot, model, simulated, evaluation_id, suite, group_id, sample, members, decided, verdict, against
FROM results_v1.by_group;

CREATE VIEW results_baselines AS
SELECT b.snapshot, p.profile, b.strategy, b.cases, b.hallucination_rate, b.proved_rate, b.accuracy, b.answered_share, b.yes_rate
FROM results_v1.baselines b
JOIN (
    {profiles}
) AS p (profile, method, judges_all) ON p.method = b.profile
WHERE b.suite = 'headline';

CREATE VIEW incidents AS
SELECT id, at, snapshot, kind, "where", message, way_out
FROM results_v1.incidents;

CREATE VIEW lanes AS
SELECT
    snapshot, model, simulated, evaluation_id, server, shard, shards, state, total, done, dead, per_second, in_flight,
    allowed, failed_attempts, eta_seconds, message, started_at, beat_at
FROM results_v1.lanes;

CREATE VIEW oracle_trust AS
SELECT * FROM results_v1.oracle_trust;

